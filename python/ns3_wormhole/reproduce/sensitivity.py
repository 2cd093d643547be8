# SPDX-License-Identifier: GPL-2.0-only
"""How far the conclusions of the papers hold: maps of winners over the ranges that the papers name."""

import math
import operator
from typing import NamedTuple

from . import rdma, smp, sync, trees
from .comparison import Chapter, fabrics, FEWEST, grouped, read, Row, Section, Study
from .places import DATA

BARRIERS = "btin-comparison"
PUBLISHED = DATA / "conclusions.csv"

TITLE = "How far the conclusions hold: who wins over a range of machines"
SOURCE = "all five papers"
INTRO = """\
Each paper draws its conclusions from one or a few points. Here the same comparisons are made over the ranges that Moh
et al. name (Section 5.1: start-ups of 2 to 10 us, cables of 20 to 40 ns, switches of 300 to 500 ns), over other
switches, fabrics and groups, and with today's hardware: start-ups of 0.3 us, 100 Gbit/s, flits of 16 bytes, switches of
90 ns and cables of 5 ns. A cell of a map names the winner, and how many times as long the runner-up takes; `=` joins
winners within half a per cent of each other. Barriers: means over {runs}; software costs nothing but start-ups. Fitted
values are only in the studies of synchronisation hardware and of remote writes.
"""
FABRICS = ()

SIZES = (4, 16, 64, 256)
BTIN, MULTICAST = "btin", "multicast"
SOFTWARE = ("dissemination", "pairwise-exchange", "tree[Tree=fibo]")
SCHEMES = (BTIN, MULTICAST, *SOFTWARE)
NAMES = {"tree[Tree=fibo]": "Fibo-tree", "pairwise-exchange": "pairwise exchange", "none": "software",
         "hw-1": "HW-1", "hw-all": "HW-All", "fibo": "Fibo-tree"}

SMALL = ("--switches=75", "--hosts=256")
GROUPS = "--groupSizes=" + ",".join(map(str, SIZES))
GROUP = "64"  # members where another parameter is looked at
START_UPS = ("2us", "5us", "10us", "300ns")
TODAY = "today's hardware"
LAWS = ("walk", "pairing")
LINK_DELAYS, SWITCH_DELAYS = ("20ns", "40ns"), ("300ns", "400ns", "500ns")
# A quarter of the ports have hosts; there are 32 switches at least, since fewer have no pairs left
# to join by further cables.
PORTS = {4: 256, 8: 128, 16: 64, 32: 32, 64: 32}  # switches by their ports
CONNECTIVITIES = ("0.5", "0.75", "0.9")
# Too few cables to join the switches, or more than there are pairs of switches.
IMPOSSIBLE = {(4, "0.5"), (64, "0.75"), (64, "0.9")}

AS_FAST = 1.005  # times as long, which a map shows as no difference

RATIOS = range(11)  # of r to s
PROCESSES = (4, 8, 16, 32, 64, 128, 256)
SHARES = "sync-communicates"
WRITES = tuple(f"rdma-{cluster}" for cluster in rdma.CAPTIONS)
DELAYS = ("0us", "20us", "50us", "100us", "200us")
# Share of quanta with messages that Hyder and Wood give for one of the inputs whose communication
# they call quite low (Section 4.2).
LOW_SHARE = 0.15


def _barriers(name, *arguments, refused=False):
    return Study(f"range-{name}", BARRIERS,
                 (f"--schemes={','.join(SCHEMES)}", "--reduction=simulated", *arguments),
                 random=not refused, refused=refused)


def studies() -> list[Study]:
    """Returns the studies."""
    found = [*(_barriers(f"start-up-{time}", *SMALL, GROUPS, f"--startUp={time}") for time in START_UPS),
             _barriers("today", *SMALL, GROUPS, "--startUp=300ns", "--switchDelay=90ns",
                       "--linkDelay=5ns", "--attribute=WormholeFabric::DataRate=100Gbps",
                       "--attribute=WormholeFabric::FlitSize=16")]
    found += [_barriers(f"law-{law}", *SMALL, GROUPS, f"--law={law}") for law in LAWS]
    found += [_barriers(f"delays-{switch}-{link}", *SMALL, f"--switchDelay={switch}", f"--linkDelay={link}",
                        f"--groupSizes={GROUP}") for switch in SWITCH_DELAYS for link in LINK_DELAYS]
    found += [_barriers(f"ports-{ports}-{f}", f"--ports={ports}", f"--switches={switches}", "--hosts=256",
                        f"--connectivity={f}", f"--groupSizes={GROUP}", refused=(ports, f) in IMPOSSIBLE)
              for ports, switches in PORTS.items() for f in CONNECTIVITIES]
    found.append(Study("range-trees", trees.TREES, (
        "--s=1us", "--r=" + ",".join(f"{r}us" for r in RATIOS),
        "--processes=" + ",".join(map(str, PROCESSES)),
        "--trees=sequential,binomial,kary-8,fibo")))
    found.append(Study("range-hardware", sync.SYNC, (
        "--table=3,4,5,6", "--hardware=none,hw-1,hw-all", "--delays=" + ",".join(DELAYS))))
    # Studies of papers whose results are looked at again.
    return found + [study for study in (*smp.studies(), *rdma.studies(), *sync.studies())
                    if study.name in (*smp.BY_HOST, *smp.SHUFFLED, *WRITES, SHARES)]


def machines_of(path) -> dict:
    """Returns contests of machines, by row and delay in us. Times are those of one second's work, and thus 1 over the
    speedup. path: CSV of sync-hardware"""
    return contests(read(path), lambda row: (row["row"], float(row["delay_us"])), "hardware",
                    lambda row: 1 / float(row["simulated"]))


def plots() -> list:
    """Returns the plots: none, since the maps are tables."""
    return []


class Contest(NamedTuple):
    """The times of all competitors in a cell of a map, by name."""

    times: dict[str, float]

    def over(self, one, others) -> float:
        """Returns how many times as long as one competitor the best of the others takes."""
        return min(self.times[name] for name in others) / self.times[one]

    def __str__(self):
        first, second, *_ = sorted(self.times.values())
        names = " = ".join(NAMES.get(name, name) for name, time in self.times.items() if time <= AS_FAST * first)
        return f"{names} {second / first:.2f}x"


def contests(rows, key, name, time) -> dict:
    """Returns contests from rows of CSV, by key. key, name, time: functions of a row"""
    return {place: Contest(times) for place, times in grouped(rows, key, name, time).items()}


def barriers(results, study) -> dict[int, Contest]:
    """Returns the contests of a study of barriers, by group size; none if it is impossible."""
    return {} if study.refused else contests(
        read(study.targets(results)["csv"]), lambda row: int(row["group_size"]), "scheme",
        lambda row: float(row["latency_us_mean"]))


def table(heading, corner, columns, rows, intro="") -> Section:
    """Returns a map. rows: texts with their cells, which are contests, or None without a contest"""
    return Section(heading, (corner, *columns), [
        Row((text, *("none" if cell is None else str(cell) for cell in cells)))
        for text, cells in rows], intro=intro, is_map=True)


def spread(contest_list, one, others) -> tuple[int, int, float, float, int]:
    """Returns how often one competitor is at least as fast as the best of others, in how many contests; the least and
    greatest factor; and the number of ties."""
    factors = [contest.over(one, others) for contest in contest_list]
    ties = sum(1 / AS_FAST <= factor <= AS_FAST for factor in factors)
    return sum(factor >= 1 / AS_FAST for factor in factors), len(factors), min(factors), max(factors), ties


def broadcasts(results) -> list[Contest]:
    """Returns the broadcasts on clusters of SMPs: a contest for each study and number of hosts."""
    found = []
    for study in (each for each in smp.studies() if each.name in (*smp.BY_HOST, *smp.SHUFFLED)):
        sums: dict = {}
        for row in read(study.targets(results)["csv"]):
            if int(row["hosts"]) >= 8:
                sums.setdefault(row["hosts"], {}).setdefault(row["algorithm"], []).append(float(row["time_us"]))
        found += [Contest({name: math.fsum(times) / len(times) for name, times in by.items()}) for by in sums.values()]
    return found


def writes(results) -> list[Contest]:
    """Returns the barriers by remote writes and by messages: a contest for each cluster and size."""
    found = []
    for name in WRITES:
        rows = (row for row in read(results / f"{name}.csv") if row["nodes"] != "1")
        found += contests(rows, operator.itemgetter("nodes", "tasks_per_node"), "transport",
                          lambda row: float(row["latency_us_mean"])).values()
    return found


def chapter(results) -> Chapter:
    """Returns the part of the report. results: a folder"""
    by_name = {study.name: study for study in studies()}

    def at(name):
        return barriers(results, by_name["range-" + name])

    start_ups = {**{f"t_s = {time}": at(f"start-up-{time}") for time in START_UPS}, TODAY: at("today")}
    laws = {"law recursive": start_ups["t_s = 2us"], **{f"law {law}": at(f"law-{law}") for law in LAWS}}
    delays = {switch: [at(f"delays-{switch}-{link}")[int(GROUP)] for link in LINK_DELAYS] for switch in SWITCH_DELAYS}
    ports = {number: [at(f"ports-{number}-{f}").get(int(GROUP)) for f in CONNECTIVITIES] for number in PORTS}
    ratios = contests(read(results / "range-trees.csv"),
                      lambda row: (round(float(row["r_us"])), int(row["processes"])), "tree",
                      lambda row: float(row["finish_us_model"]))
    machines = machines_of(results / "range-hardware.csv")
    # Each case once: the first delays are those of the first start-up.
    every = [contest for by in (*start_ups.values(), *[*laws.values()][1:]) for contest in by.values()]
    first = delays[SWITCH_DELAYS[0]][0]
    every += [contest for cells in (*delays.values(), *ports.values()) for contest in cells
              if contest and contest is not first]
    # Names of these inputs end with the share of quanta with messages.
    seldom = [contest for (name, _), contest in machines_of(results / f"{SHARES}.csv").items()
              if float(name.split()[-1]) <= LOW_SHARE]
    found = {"btin-over-multicast": spread(every, BTIN, [MULTICAST]),
             "btin-over-software": spread(every, BTIN, SOFTWARE),
             "writes-over-messages": spread(writes(results), "rdma", ["send-receive"]),
             "fibo-over-binomial": spread(ratios.values(), "fibo", ["binomial"]),
             "hardware-over-software": spread(machines.values(), "hw-1", ["none"]),
             "one-bit-over-all": spread(seldom, "hw-1", ["hw-all"]),
             **{f"switch-tree-saves-{block}": spread(broadcasts(results), smp.INFORMED,
                                                     [f"mpich[BlockSize={block}]"])
                for block in smp.BLOCKS}}
    runs = max(int(row["runs"]) for row in read(results / "range-today.csv"))
    sections = [
        Section("Conclusions", ("conclusion", "paper", "where", "holds in", "least factor",
                                "greatest factor", "ties"), [
            Row((each["conclusion"], each["paper"], each["where"],
                 "{} of {} cases".format(*found[each["id"]][:2]),
                 *(f"{factor:.3f}" for factor in found[each["id"]][2:4]), str(found[each["id"]][4])))
            for each in read(PUBLISHED)],
            intro="Factor: how many times as long the other takes, or the best of the others. "
                  "A conclusion holds where the factor is 1 or more. Ties, within half a per cent of 1, "
                  "count as such cases." + " With so few fabrics, barriers' counts are no verdict." * (runs < FEWEST)),
        *(table(f"Barriers by {by} and group size", "75 switches, 256 hosts",
                [f"{size} members" for size in SIZES],
                [(text, [by_size[size] for size in SIZES]) for text, by_size in found_by.items()])
          for by, found_by in (("start-up", start_ups), ("law", laws))),
        table(f"Barriers of {GROUP} members by delays", "switches",
              [f"cables {link}" for link in LINK_DELAYS],
              [(f"{switch}", cells) for switch, cells in delays.items()]),
        table(f"Barriers of {GROUP} members by ports and connectivity", "256 hosts",
              [f"f = {f}" for f in CONNECTIVITIES],
              [(f"{PORTS[number]} switches of {number} ports", cells)
               for number, cells in ports.items()],
              intro="None: too few cables to join the switches, or more than there are pairs."),
        table("Trees of processes by r / s and number of processes", "r / s",
              [f"{n} processes" for n in PROCESSES],
              [(str(ratio), [ratios[ratio, n] for n in PROCESSES]) for ratio in RATIOS]),
        table("Synchronisation hardware by application and delay", "application",
              DELAYS, [(name, [machines[name, float(delay[:-2])] for delay in DELAYS])
                       for name in dict.fromkeys(name for name, _ in machines)])]
    return Chapter(TITLE, SOURCE, INTRO.format(runs=fabrics(runs)), sections)
