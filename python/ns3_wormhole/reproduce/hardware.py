# SPDX-License-Identifier: GPL-2.0-only
"""Real machines: measured collectives, compared with predictions by costs that were fitted to other tables."""

import math
import pathlib

import numpy

from ..core import csv_file, lengths
from ..core.loader import pandas
from ..report.predictions import BAND, sums
from ..study.measured_tables import read
from ..study.segments import POOR
from .comparison import Caption, Chapter, Plots, Row, Section, Study
from .places import DATA, PREDICT

PUBLISHED = pathlib.Path(__file__)  # measurements are in data/measured
TITLE = "Against real machines: measured collectives and predictions"
SOURCE = "De Sensi et al. (2022), PICO (2025), Graham et al. (2016), NVIDIA"
INTRO = f"""\
Costs of hosts are fitted to one set of files, and other files are predicted: no cost is tuned on predicted values. One
rule of the model, that no message passes a message that waits for the gap of its adapter, was checked against three of
the predicted values of `hc44rs`. `hc44rs` is a cluster with EDR InfiniBand, fitted to latencies and LogGP values
between two hosts; its messages are those of LogGOPSim's generator, `schedgen`, whose code was measured. Its adapters
send packets to several hosts in turn, and a long send ends when it has left. `lumi-c` is a Slingshot machine, fitted to
one collective, the ring all-gather of 16 nodes; the cost of combining is fitted to an all-reduction. The positions of
the nodes in the fabric are not known, so the first hosts are taken; with EDR, these are the hosts of a switch with 36
ports. Slingshot is simulated as a Clos network with EDR's switches and the documented 200 Gbit/s, since its own
topology takes minutes for each fit. A measured value is the median over iterations of the slowest rank. SHARP combines
in switches, on 128 hosts, measured as means over ranks; the time of a combined message in Switch-IB 2 (EDR), and the
start-up with Quantum (HDR, `sharp-v2`), are fitted to the values of 8 bytes. Experiments show causes; they are not
predictions. All but two experiments change one thing; these two are fitted to other values, one of them with other
costs. The plots have a band of {100 * BAND:.0f} %, and the tables state how many values are within 20 %.
"""
FABRICS = ()
_SOFTWARE = "--attribute=HostSoftware::"
_SLOTS = "--attribute=CollectiveUnit::SlotBytes=256"
# Of each machine: about, options, files that are fitted, and those that are predicted.
MACHINES = {
    "hc44rs": ("Azure HC44rs, EDR InfiniBand", (
        "--topology=clos:ports=36", "--machine=edr-infiniband", f"{_SOFTWARE}MaxPacketBytes=4096",
        f"{_SOFTWARE}Sharing=in-turn", f"{_SOFTWARE}SendReturn=0:copied,8KiB:left"), (
        "hc44rs/osu_latency.txt", "hc44rs/loggp.csv"), ("hc44rs/collectives.csv",)),
    "lumi-c": ("LUMI-C, Slingshot-11", (
        "--topology=clos:ports=32", "--machine=edr-infiniband", "--attribute=WormholeFabric::DataRate=200Gbps",
        "--fit=SendOverhead,ReceiveOverhead,Latency,CombineTime"), (
        "lumi-c/allgather-ring.csv", "lumi-c/allreduce-16.csv"), (
        "lumi-c/collectives.csv", "lumi-c/allreduce-8.csv", "lumi-c/reduce-binomial.csv")),
    "switch-ib-2": ("SHArP of Switch-IB 2", (
        "--topology=clos:ports=36", "--machine=edr-infiniband", _SLOTS, "--fit=CollectiveUnit::CombineTime"), (
        "sharp/switch-ib-2-8.csv",), ("sharp/switch-ib-2.csv",)),
    "quantum": ("SHARP of Quantum", ("--topology=clos:ports=40", "--machine=sharp-v2", "--fit=StartUp"), (
        "sharp/quantum-8.csv",), ("sharp/quantum.csv",))}
# Of each experiment: the machine, what is different, options that go before the machine's, and what is fitted
# there, if not the machine's.
EXPERIMENTS = {
    "hc44rs-in-order": ("hc44rs", "each message as a whole", (f"{_SOFTWARE}Sharing=in-order",)),
    "hc44rs-leaves": ("hc44rs", "leaves of 8 nodes", ("--topology=clos:ports=16",)),
    "hc44rs-leaves-4": ("hc44rs", "leaves of 4 nodes", ("--topology=clos:ports=8",)),
    "hc44rs-butterfly": ("hc44rs", "after a barrier by recursive doubling", ("--barrier=butterfly",)),
    "hc44rs-dissemination": ("hc44rs", "after one by dissemination", ("--barrier=dissemination",)),
    "hc44rs-jitter": ("hc44rs", "sends longer by 150 ns in the mean", ("--jitter=150ns",)),
    "lumi-c-one-way": ("lumi-c", "reductions by binomial trees fitted, too", (
        "--fit=ReceiveOverhead,TransferTime,CombineTime",), (
            "lumi-c/allgather-ring.csv", "lumi-c/allreduce-16.csv", "lumi-c/reduce-binomial.csv")),
    "lumi-c-8": ("lumi-c", "fitted to an all-reduction of 8 nodes", (), ("lumi-c/allreduce-8.csv",)),
    "switch-ib-2-hdr": ("switch-ib-2", "rates and delays of sharp-v2", ("--machine=sharp-v2",)),
    "switch-ib-2-16": ("switch-ib-2", "16 hosts a leaf, not 18", ("--topology=clos:ports=32",)),
    "switch-ib-2-spine": ("switch-ib-2", "the tree's root at a spine", (
        f"--topology=file:{DATA / 'measured' / 'sharp' / 'root-at-spine.json'}",)),
    "quantum-100": ("quantum", "100 Gbit/s", ("--attribute=WormholeFabric::DataRate=100Gbps",))}


def studies() -> list[Study]:
    """Returns the studies: a fit and its predictions for each machine and experiment."""
    found = []
    for name in (*MACHINES, *EXPERIMENTS):
        machine, _, more, *others = EXPERIMENTS.get(name, (name, "", ()))
        _, options, fitted, predicted = MACHINES[machine]
        fitted = others[0] if others else fitted
        kept = [each for each in options if _option(each) not in map(_option, more)]
        files, later = ([DATA / "measured" / table for table in some] for some in (
            fitted, [each for each in predicted if each not in fitted]))
        found.append(Study(f"hardware-{name}", PREDICT, (
            *kept, *more, f"--tables={','.join(map(str, files))}", f"--predict={','.join(map(str, later))}"),
                           files=(*files, *later)))
    return found


def _option(word):
    """Returns an option without its value; an option for an attribute keeps the attribute's name."""
    return word.rpartition("=")[0] if word.startswith("--attribute=") else word.partition("=")[0]


def plots() -> list[Plots]:
    """Returns the plots: simulated over measured values of machines."""
    captions = {name: Caption(f"{about}: ratio of simulated to measured times of collectives, predictions only; "
                              f"light blue: +- {100 * BAND:.0f} % (tables count values within 20 %)", about)
                for name, (about, *_) in MACHINES.items()}
    return [Plots("hardware-", tuple(f"hardware-{name}" for name in MACHINES), captions)]


def chapter(results) -> Chapter:
    """Returns the tables: deviations by machine, by collective and number of nodes, and all values."""
    sections, whole, tables, predicted, fits = [], [], {}, {}, []
    for name in (*MACHINES, *EXPERIMENTS):
        table = csv_file.from_text(results / f"hardware-{name}.csv", keep_default_na=False)
        for column in ("members", "bytes", "measured", "simulated", "deviation"):
            table[column] = pandas.to_numeric(table[column])
        tables[name] = table
        shown = predicted[name] = table[table.use == "predicted"]
        if name in EXPERIMENTS:
            machine, what, *_ = EXPERIMENTS[name]
            whole += [Row((f"{MACHINES[machine][0]}: {what}", "experiment", *_figures(row)))
                      for _, row in sums(shown, ["use"]).iterrows()]
            continue
        about = MACHINES[name][0]
        if (fitted := table[table.use == "fitted"]).size:
            fits.append(f"{100 * math.sqrt((fitted.deviation ** 2).mean()):.1f} % on {about} ({len(fitted)} "
                        f"value{'s' * (len(fitted) > 1)})")
        whole += [Row((about, use, *_figures(row))) for use, row in sums(table, ["use"]).iterrows()]
        sections.append(Section(about, (
            "collective", "algorithm", "nodes", "values", "mean, %", "greatest, %", "within 20 %"), [
                Row((*map(str, key), *_figures(row)))
                for key, row in sums(shown, ["benchmark", "algorithm", "members"]).iterrows()]))
        sections.append(Section(f"{about}: all values", (
            "collective", "algorithm", "nodes", "length", "measured, us", "simulated, us", "deviation"), [
                Row((row.benchmark, row.algorithm, str(row.members), lengths.text(int(row.bytes)),
                     f"{row.measured:.2f}", f"{row.simulated:.2f}", f"{100 * row.deviation:+.1f} %"))
                for row in shown.itertuples()]))
    sections += [_outside(name, predicted) for name in MACHINES]
    sections.insert(0, _choices(tables["lumi-c"]))
    sections.insert(0, _by_formula(tables["hc44rs"]))
    sections.insert(0, Section("How far predictions are", (
        "machine", "use", "values", "mean, %", "greatest, %", "within 20 %"), whole, [
            *[f"Fitted values deviate by (root mean square) {'; '.join(fits)}. Above {100 * POOR:.0f} % calibrate "
              "calls a fit poor."] * bool(fits), *_notes(tables, predicted)]))
    far = [f"{100 * predicted[name].deviation.abs().mean():.0f} % on {about}"
           + " (one value)" * (len(predicted[name]) == 1) for name, (about, *_) in MACHINES.items()]
    return Chapter(TITLE, SOURCE, INTRO, sections,
                   lead=f"Predictions of real machines are off in the mean by {'; '.join(far)}.")


def _by_formula(table) -> Section:
    """Returns what latencies alone predict, for rounds one after another. table: HC44rs's table"""
    (latencies,) = read(str(DATA / "measured" / MACHINES["hc44rs"][2][0]))
    sizes, times = zip(*latencies.rows)
    rounds = {"binary": (lambda p: math.log2(p), 1), "binomial": (lambda p: math.log2(p), 1),
              "dissemination": (lambda p: math.log2(p), 1), "ring": (lambda p: p, lambda p: p)}
    shown = table[(table.use == "predicted") & table.algorithm.isin(rounds)]
    far = []
    for row in shown.itertuples():
        number, parts = rounds[row.algorithm]
        part = row.bytes / (parts(row.members) if callable(parts) else parts)
        far.append(abs(number(row.members) * numpy.interp(part, sizes, times) / row.measured - 1))
    shown = shown.assign(formula=far, simulation=shown.deviation.abs())
    means = [*shown.groupby("algorithm"), ("all of these", shown)]
    return Section(f"{MACHINES['hc44rs'][0]}: what a formula would do", (
        "algorithm", "values", "formula, mean, %", "simulation, mean, %"), [
            Row((name, str(len(rows)), f"{100 * rows.formula.mean():.1f}", f"{100 * rows.simulation.mean():.1f}"))
            for name, rows in means], [
                "Formula: the measured osu_latency times the number of rounds, which is log2 n, or n for a ring of n "
                "parts. The formula ignores what the messages of a node share."])


def _choices(table) -> Section:
    """Returns how often the fastest algorithm is predicted, and what a wrong choice costs. table: LUMI-C's table"""
    rows = []
    for (benchmark, members), some in table.groupby(["benchmark", "members"], sort=False):
        lost = [each.measured[each.simulated.idxmin()] / each.measured.min() - 1
                for _, each in some.groupby("bytes") if len(each) > 1]
        if lost:
            rows.append(Row((benchmark, str(members), str(len(lost)), str(sum(each == 0 for each in lost)),
                             f"{100 * max(lost):.0f}")))
    return Section(f"{MACHINES['lumi-c'][0]}: is the fastest algorithm predicted?", (
        "collective", "nodes", "lengths", "right", "lost at most, %"), rows, [
            "Right: the algorithm with the least simulated time is also the fastest measured one; fitted values are "
            "included. Lost: how much longer a wrong choice takes than the fastest one."])


def _outside(machine, predicted) -> Section:
    """Returns predictions that are more than 20 % off, and their values in experiments. predicted: tables by name"""
    by = ["benchmark", "algorithm", "members", "bytes"]
    names = [machine, *(name for name, (of, *_) in EXPERIMENTS.items() if of == machine)]
    far = {name: predicted[name].set_index(by).deviation for name in names}
    return Section(f"{MACHINES[machine][0]}: beyond 20 %, and by experiments", (
        "collective", "algorithm", "nodes", "length", "predicted", *(EXPERIMENTS[name][1] for name in names[1:])), [
            Row((*map(str, key[:3]), lengths.text(int(key[3])), *(
                f"{100 * far[name][key]:+.1f} %" if key in far[name].index else "fitted" for name in names)))
            for key, value in far[machine].items() if abs(value) > 0.2])


def _notes(tables, predicted) -> list[str]:
    """Returns the known causes of deviations. tables: by name; predicted: their predicted rows, by name"""
    def span(table, algorithm):
        found = 100 * table.deviation[(table.bytes == table.bytes.max()) & (table.algorithm == algorithm)]
        return f"{found.min():+.0f} to {found.max():+.0f} %"

    def step(benchmark, algorithm, members, word):
        rows = predicted["lumi-c"]
        row = rows[(rows.benchmark == benchmark) & (rows.algorithm == algorithm) & (rows.members == members)
                   & (rows.bytes == 2**26)].iloc[0]
        return f"{row[word] / 1e3 / math.log2(members):.0f} ms"

    told = [span(predicted[of], "binary") for of in ("hc44rs", "hc44rs-in-order")]
    exchange, dissemination = [
        ", ".join(f"{of.simulated / 1e3:.1f} ms" for name in ("hc44rs", "hc44rs-leaves")
                  for of in predicted[name][(predicted[name].algorithm == algorithm) & (predicted[name].members == 16)
                                            & (predicted[name].bytes == 2**24)].itertuples())
        for algorithm in ("linear", "dissemination")]
    (one, both), (one_here, both_here) = [
        [step(*of, word) for of in (("reduce", "binomial", 4), ("allreduce", "recursive-doubling", 8))]
        for word in ("measured", "simulated")]
    lumi, apart = predicted["lumi-c"], predicted["lumi-c-one-way"]
    again = lumi.merge(apart[["benchmark", "algorithm", "members", "bytes"]])  # without those that are fitted there
    ways = [f"{100 * some.deviation.abs().mean():.0f} % ({len(some)} values)" for some in (
        lumi[lumi.benchmark == "reduce"], lumi[lumi.benchmark != "reduce"],
        lumi[(lumi.benchmark != "reduce") & (lumi.bytes >= 2**20)])]
    days = lumi[(lumi.algorithm == "rabenseifner") & (lumi.benchmark == "allreduce")
                & (lumi.bytes == 2048)].set_index("members").measured.round(1)
    as_fitted, by_eight = [[f"{100 * some.deviation.abs().mean():.0f}" for some in (
        rows[rows.bytes <= 2**14], rows[rows.bytes > 2**14])] for rows in (
            of[(of.members == 8) & (of.algorithm != "recursive-doubling")] for of in (lumi, predicted["lumi-c-8"]))]
    (less, all_less), (more, all_more) = [
        [f"{100 * some.deviation.abs().mean():.0f}" for some in (rows[rows.benchmark == "reduce"], rows)]
        for rows in (apart, again)]
    times = predicted["quantum"].set_index("bytes")
    (rise, fall, rate), (rise_here, fall_here, rate_here) = [
        (f"{us[4096] / us[2048]:.1f}", f"{us[8192] / us[16384]:.1f}",
         f"{8 * 2**19 / 1e3 / (us[2**20] - us[2**19]):.0f}")
        for us in (times.measured, times.simulated)]
    far = 100 * times.deviation
    long = far[far.index >= 2**14]
    regimes = [f"{some.abs().mean():.0f}" for some in (
        far[far.index <= 2**11], far[(far.index > 2**11) & (far.index < 2**14)], long)]
    short_of = int((long < 0).sum())
    brief = times[times.index <= 2**11]
    fitted = tables["quantum"][tables["quantum"].use == "fitted"].measured.iloc[0]
    constant = 100 * (fitted / brief.measured - 1).abs().mean()

    def short(experiment, algorithm, members, word="simulated"):
        rows = predicted["hc44rs" + experiment].set_index(["algorithm", "members", "bytes"])
        return f"{rows[word][algorithm, members, 16]:.1f}"

    spine = [f"{100 * predicted[f'switch-ib-2{of}'].deviation.iloc[0]:+.0f} %" for of in ("", "-spine")]
    ring, behind = (short(experiment, "ring", 16) for experiment in ("", "-jitter"))
    return ["The generator's broadcast by a binary tree sends to both children at once, its broadcast by a binomial "
            f"tree to one child after the other. The longest binary broadcasts are off by {told[0]} if adapters send "
            f"packets in turn, and by {told[1]} if they send each message as a whole.",
            f"Broadcasts of 16 bytes on four nodes take {short('', 'binomial', 4, 'measured')} us; the prediction is "
            f"{short('', 'binomial', 4)} us. A barrier precedes each call, and the root comes to it first; nodes that "
            f"leave it early wait longer. Experiment: after recursive doubling {short('-butterfly', 'binomial', 4)} "
            f"us, after dissemination {short('-dissemination', 'binomial', 4)} us. On 16 nodes, "
            f"{short('', 'binomial', 16, 'measured')} us are measured; these three times are "
            f"{short('', 'binomial', 16)}, {short('-butterfly', 'binomial', 16)} and "
            f"{short('-dissemination', 'binomial', 16)} us. A total exchange ends at once, and keeps its time. The "
            "library's barriers (HCOLL) are not published, so predictions are made without a barrier.",
            "Dissemination of 16 MiB on 8 and 16 nodes: odd ranks take 4.4 and 5.9 ms, as predicted, and even ranks "
            "up to 5.8 and 8.5 ms, as if the routes of some pairs met between leaves. A total exchange of the same "
            "16 nodes takes 22.2 ms, the full rate, over adaptive routes. At one switch, and on leaves of 8 nodes "
            f"with fixed routes, dissemination takes {dissemination}, and the exchange {exchange}.",
            "Rings of 16 bytes on 16 nodes: single latencies scatter from 1.55 to 1.8 us (10th and 90th percentile), "
            "and in each of 16 steps, a node waits for both its send and its neighbour's message. Experiment: "
            "exponential delays of sends with a mean of 150 ns scatter as much. They add up to 2.4 us in 16 steps "
            f"without waits; the median of 11 rings is {behind} us instead of {ring} us; "
            f"{short('', 'ring', 16, 'measured')} us are measured. The delays also make sends "
            "longer in the mean, so scatter alone explains less. A total exchange is too long with these delays, which "
            f"add up over the 15 consecutive sends of a host: {short('-jitter', 'linear', 16)} us, "
            f"measured {short('', 'linear', 16, 'measured')} us.",
            f"LUMI-C, 64 MiB: a step of a reduction, in which a node sends or receives, takes {one}; a step of an "
            f"all-reduction, in which it does both, {both}; simulated {one_here} and {both_here}. In the simulation, "
            "sending does not slow receiving. In all fitted values nodes do both, so reductions are predicted too "
            f"long: they are off by {ways[0]} in the mean (those of 512 MiB are too short), all others by {ways[1]}, "
            f"and those of 1 MiB and more by {ways[2]}. Experiment: if the nine reductions by binomial trees are "
            "fitted, too, with a time that keeps both ends busy (TransferTime), the other reductions are off by "
            f"{less} % instead of {more} %, and all {len(again)} values that remain unfitted by {all_less} % instead "
            f"of {all_more} %. Of the rest, short messages on 8 nodes are farthest off: by Rabenseifner, 2 KiB take "
            f"{days[8]} us on 8 nodes, and {days[16]} us on 16. Measurements were made on several days; 4 and 8 nodes "
            "on other days than the fitted values. Experiment: fitted only to recursive doubling on 8 nodes, the "
            f"other values of 8 nodes up to 16 KiB are off by {by_eight[0]} % instead of {as_fitted[0]} %: short "
            f"messages cost more on that day. Longer ones are off by {by_eight[1]} % instead of {as_fitted[1]} %, as "
            "one all-reduction can't separate combining from transfer.",
            "Switch-IB 2: slots of 256 bytes, 100 Gbit/s and 90 ns per port are documented; this reading counts. "
            "With the rates of its successor, or other numbers of hosts per leaf, which are not published, 8 bytes "
            "give another time of a message: one value cannot separate a switch's time per collective from its time "
            "per message. By the rule of the paper on barrier trees, the tree's root is the leaf switch of a member, "
            "and a value passes 5 switches. Experiment: with one member at a spine, the spine is the root, and a "
            f"value passes 3 switches, but 4 KiB are {spine[1]} off instead of {spine[0]}.",
            "Quantum: by the documentation, switches combine up to 2 operations of 1,024 bytes, hosts combine from 4 "
            f"KiB on, and vectors are streamed from 16 KiB on. So times rise at 4 KiB, by a factor of {rise}, and "
            f"fall at 16 KiB, by {fall}; simulated {rise_here} and {fall_here}. The longest vectors flow at {rate} "
            f"Gbit/s, simulated {rate_here}: the rate of the measured interfaces is not documented. In the mean, "
            f"values of up to 2 KiB are {regimes[0]} % off, where one time for all would be {constant:.0f} % off; of "
            f"4 and 8 KiB, by hosts, {regimes[1]} %; of 16 KiB and more {regimes[2]} %, {short_of} of {long.size} of "
            "these too short. The start-up fitted to 8 bytes is that of a call of SHARP, far above a host's; it is "
            "also charged in each of the hosts' rounds, which makes these too long."]


def _figures(row) -> tuple[str, ...]:
    return (str(int(row["values"])), f"{row['mean, %']:.1f}", f"{row['greatest, %']:+.1f}",
            str(int(row["within 20 %"])))
