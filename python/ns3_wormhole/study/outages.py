# SPDX-License-Identifier: GPL-2.0-only
"""Collectives during one failure and its repair: what is lost, who waits, and what a group's owner has to do."""

from __future__ import annotations

import dataclasses
from typing import Mapping, Sequence

from ..collective.fabric import Fabric, asked_fabric
from ..collective.hardware import ONE_PROCESS_A_HOST, has
from ..collective.variants import Cable, Parts, Variant, name_of, outage_of
from ..collective.what_if import kind_and_name
from ..core import arguments, bars, simulation, texts
from ..core.errors import WormholeError, translated
from ..core.loader import ns, pandas, std

SCHEMES = ("btin", "allreduction:btin[Bytes=64]", "multicast", "dissemination", "tree[Tree=binomial]",
           "pairwise-exchange[Transport=rdma]", "hw-1", "nic")
FAILURES = ("tree-cable", "other-cable", "switch", "host")
_SCHEDULE = "ns3::WormholeFabric::OutageSchedule"


@dataclasses.dataclass(frozen=True)
class Failure:
    """A part that is down for a while."""

    kind: str  #: one of FAILURES, or the part's name
    gone: Cable | str  #: the part
    cut_off: frozenset[int]  #: hosts
    is_host: bool = False  #: whether it is a host, whose process is gone, too

    @property
    def part(self) -> str:
        """Its name."""
        return self.gone if isinstance(self.gone, str) else name_of(self.gone)


@dataclasses.dataclass(frozen=True)
class Clock:
    """Times of the study's events, us."""

    down: float
    up: float
    end: float
    pause: float  #: from one round to the next
    timeout: float  #: of a round, and of setting up


def _failures(fabric: Fabric, group, asked) -> list[Failure]:
    """Returns failures by name: those of FAILURES that exist, and parts."""
    parts, tree = Parts(fabric), fabric.tree(group)
    carrying = {(fabric.switches[entry.node], int(port)) for entry in tree.GetSwitches() for port in entry.childPorts}
    in_tree = [cable for cable in parts.between if {cable[:2], cable[2:]} & carrying]

    def cut_off(*gone):
        left = set(parts.cut(Variant(gone))[1])
        return frozenset(number for number, host in enumerate(parts.hosts) if host not in left)

    def first(cables):
        harmless = next((cable for cable in cables if not cut_off(cable)), None)  # most often soon found
        return harmless or min(cables, key=lambda cable: len(cut_off(cable)), default=None)

    leaf = [fabric.switches[entry.node] for entry in tree.GetSwitches() if entry.IsMember()][-1]
    known = {**parts.named(),
             "tree-cable": first(in_tree), "switch": leaf,
             "other-cable": first([cable for cable in parts.between if cable not in in_tree])}
    found = []
    for name in asked:
        name = name if name in known or name in parts.hosts else texts.unquoted(name)
        host = fabric.hosts[group[-1]] if name == "host" else name
        if host in parts.hosts:
            found.append(Failure(name, host, frozenset({parts.hosts.index(host)}), True))
        elif name not in known:
            raise WormholeError(f"there is no part '{name}'; expected {', '.join(FAILURES)}, and names of "
                                "switches, hosts and cables, as s1:3-s2:4")
        elif part := known[name]:
            found.append(Failure(name, part, cut_off(part)))
    return found


class _Owner:
    """Runs rounds of a collective one after another. After a failed round, makes a new group of the hosts that are
    still connected, and after the repair, a group of all hosts again."""

    def __init__(self, fabric: Fabric, collective, group: Sequence[int], failure: Failure, clock: Clock):
        self._fabric, self._collective, self._group = fabric, collective, list(group)
        self._failure, self._clock = failure, clock
        self._model, self._members = None, []
        self._inside: set[int] = set()  # ranks that have neither left nor failed
        self.failed: dict[int, tuple[list[str], str]] = {}  # hosts that each missed, and why
        self.rows: list[dict] = []

    def go(self):
        ns.Simulator.Stop(simulation.time(f"{self._clock.end + 10 * self._clock.timeout}us"))
        while _now() < self._clock.end:
            wanted = self._wanted()
            if self._model is None or self.failed or wanted != self._members:
                self._drop()
                if not self._set_up(wanted):
                    self._wait(self._clock.timeout)
            else:
                self._round()
                self._wait(self._clock.pause)

    def _wanted(self):
        is_out = self._clock.down <= _now() < self._clock.up
        hit = is_out and (self.failed or set(self._members).isdisjoint(self._failure.cut_off))
        return [host for host in self._group if host not in self._failure.cut_off] if hit else self._group

    def _drop(self):
        if self._model is not None:
            released = self._times_of("Released")
            if self._model.IsReady() or self._model.HasFailed():
                has_failed = bool(self._model.HasFailed())
                self._model.Release()
                while not (has_failed or released or self._model.HasFailed()):
                    self._run()
            self._wait(self._clock.pause)
            self._model.Dispose()
        self._model, self.failed = None, {}

    def _times_of(self, source):
        """Returns a list that gets the times of a trace source, at which the simulation stops."""
        times = []

        def note(_):
            times.append(_now())
            ns.Simulator.Stop()

        simulation.connect(self._model, source, note)
        return times

    def _set_up(self, members) -> bool:
        self._model, self._members = ns.CollectiveHelper.MakeCollective(*self._collective), members
        simulation.set_attribute(self._model, "Timeout", f"{self._clock.timeout}us")
        ready = self._times_of("Ready")
        simulation.connect(self._model, "Failed", self._note_failed)
        simulation.connect(self._model, "Leave", lambda rank, _: self._settle(rank))
        begun = _now()
        self._model.Create(self._fabric.domain, std.vector["uint32_t"](members))
        while not (ready or self.failed or self._model.IsReady()):
            self._run()
        self._note("set-up", begun, max([begun, *ready]) if self._model.IsReady() else None)
        return bool(self._model.IsReady())

    def _round(self):
        begun = _now()
        dead = self._failure.cut_off if self._failure.is_host and self._clock.down <= begun < self._clock.up else ()
        self._inside = {rank for rank, host in enumerate(self._members) if host not in dead}
        for rank in sorted(self._inside):
            self._model.Enter(rank, 0)
        while self._inside:
            self._run()
        self._note("round", begun, None if self.failed else _now())

    def _note(self, what, begun, ended):
        """Writes a row. ended: end time; None: the round failed"""
        hosts, reason = next(iter(sorted(self.failed.values(), key=lambda each: -len(each[0]))), ([], ""))
        self.rows.append({"what": what, "begin_us": begun, "end_us": _now() if ended is None else ended,
                          "members": len(self._members), "is_lost": ended is None,
                          "missing": texts.words(hosts), "reason": reason})

    def _note_failed(self, rank, hosts, reason):
        self.failed[int(rank)] = [self._fabric.hosts[host] for host in hosts], str(reason)
        self._settle(rank)

    def _settle(self, rank):
        self._inside.discard(int(rank))
        if not self._inside:
            ns.Simulator.Stop()

    def _run(self):
        before = ns.Simulator.GetEventCount()
        ns.Simulator.Run()
        if ns.Simulator.GetEventCount() == before or _now() > self._clock.end + 9 * self._clock.timeout:
            raise WormholeError("a round does not end")

    def _wait(self, us):
        until = _now() + us
        ns.Simulator.Stop(simulation.time(f"{us:.6f}us"))
        while _now() < until - 1e-6:
            self._run()


def _now() -> float:
    return simulation.microseconds(ns.Simulator.Now())


def _mean(values) -> float:
    """Returns the mean of times, in us to the ps; NaN without times."""
    values = list(values)
    return round(sum(values) / len(values), 6) if values else float("nan")


def _lasts(row: Mapping) -> float:
    return round(row["end_us"] - row["begin_us"], 6)


def _row(scheme: str, failure: Failure, rows: Sequence[Mapping], clock: Clock) -> dict:
    rounds = [row for row in rows if row["what"] == "round"]
    done = [row for row in rounds if not row["is_lost"]]

    def mean(first, last):
        return _mean(_lasts(row) for row in done if first <= row["begin_us"] and row["end_us"] <= last)

    before, late = mean(0, clock.down), [row for row in done if row["end_us"] > clock.down]
    groups = [row for row in rows if row["what"] == "set-up" and row["begin_us"] > clock.down]
    made = [row for row in groups if not row["is_lost"]]
    whole = rows[0]["members"]
    # Whether rounds went on without anybody who is missed.
    between = {row["members"] for row in done if clock.down <= row["begin_us"] < clock.up}
    needs = ("nothing" if not groups else "repair, then a new group" if not between
             else "a new group" if min(between) == whole else "a smaller group, then all again")
    lost = [row for row in rows if row["is_lost"]]
    return {"scheme": scheme, "failure": failure.kind, "part": failure.part, "hypothetical": has(
                ONE_PROCESS_A_HOST, scheme),
            "members": whole, "members_between": min(between, default=0), "before_us": before,
            "between_us": mean(clock.down, clock.up), "after_us": mean(clock.up, float("inf")),
            "slowest_us": max(map(_lasts, late), default=float("nan")),
            "lost_rounds": sum(row["is_lost"] for row in rounds),
            "to_first_us": round(late[0]["end_us"] - clock.down, 6) if late else float("nan"),
            "lost_us": max(0.0, round(rows[-1]["end_us"] - clock.down - len(late) * (before + clock.pause), 6)),
            "groups": len(made), "refused_groups": len(groups) - len(made),
            "setup_us": _mean(map(_lasts, made)),
            "needs": needs, "missing": lost[0]["missing"] if lost else "", "reason": lost[0]["reason"] if lost else ""}


def _note_pay(rows: list[dict]) -> None:
    """Records after how many rounds between failures a hardware scheme has made up for its greater losses,
    compared with the software that is fastest before the failure; 0: it loses no more; NaN: never."""
    software = [row for row in rows if not row["hypothetical"] and row["before_us"] == row["before_us"]]
    best = min(software, key=lambda row: row["before_us"], default=None)
    for row in rows:
        gain = best["before_us"] - row["before_us"] if best and row["hypothetical"] else float("nan")
        more = row["lost_us"] - best["lost_us"] if best else float("nan")
        row["pays_after_rounds"] = max(0.0, more / gain) if gain > 0 else float("nan")


@arguments.keywords
@translated()
def outages(*, fabric: Fabric | str | None = None, topology: str = "", routing: str = "", size: int = 0,
            placement: str = "shuffled", names: Sequence[str] = SCHEMES, failures: Sequence[str] = FAILURES,
            recovery: str = "static", before: str = "2ms", down: str = "5ms", after: str = "2ms",
            pause: str = "20us", timeout: str = "500us", attributes: Mapping[str, object] | None = None,
            machine: str | None = None, seed: int = 1, progress: bool | None = None) -> pandas.DataFrame:
    """Runs collectives through one failure and its repair, round after round. Ends the simulation.

    Hosts retransmit, and routes recover. A group whose round fails is released, and its owner makes
    another group of the hosts that are still connected and, after the repair, one of all hosts.

    Args:
        fabric: the fabric, or its file
        topology: topology family, such as "clos:ports=16"
        routing: routing engine in place of the fabric's own routes
        size: number of hosts in the group; 0: all
        placement: where these hosts are, as for algorithms() and compare
        names: schemes: barriers as "btin", other kinds as "allreduction:btin[Bytes=64]"
        failures: "switch", "host", "tree-cable" (a cable of the barrier tree), "other-cable" (between switches,
            not of that tree), or names of parts, which may be quoted; a kind of cable that is missing is left out
        recovery: how routes change: "none", "static", "local", "overlapping" or "double"
        before: time before the failure
        down: time for which the part is down
        after: time after the repair; column after_us is the mean over all rounds in this time
        pause: time between rounds
        timeout: time after which a round, or setting up a group, fails
        attributes: attributes of the fabric's parts and the hosts' software, as for Fabric
        machine: name or file of a machine; attributes override its values
        seed: seed of random numbers
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each scheme and failure: before_us, between_us and after_us, mean latencies of completed
        rounds; slowest_us, the longest latency after the failure began; lost_rounds; to_first_us, from
        the failure to the end of the next completed round; lost_us, the time from the failure
        on, minus (before_us + pause) for each completed round; groups that were set up anew, setup_us, their
        mean set-up time, and refused_groups, which could not be set up; needs: what the owner had to do; missing
        hosts and reason of the first loss; pays_after_rounds: number of rounds between failures at which a hardware
        scheme makes up for what it loses more than the fastest software (0: no more; NaN: never, or software).
        attrs["rounds"]: a dict for each round and set-up; attrs["down_us"], attrs["up_us"]: when the part is down

    Raises:
        WormholeError: if an argument is refused
    """
    times = [simulation.microseconds(simulation.time(each)) for each in (before, down, after, pause, timeout)]
    for name, value in zip(("before", "down", "after", "pause", "timeout"), times):
        if value <= 0:
            raise WormholeError(f"{name}={value:g}us: expected a time above 0")
    clock = Clock(times[0], times[0] + times[1], sum(times[:3]), *times[3:])
    base = asked_fabric(fabric, topology, routing).with_attributes(attributes or {}, machine)
    if _SCHEDULE in base.attributes:
        raise WormholeError("outage: the study has outages of its own; expected them as failures")
    group = base.group(size or None, placement, seed=seed)
    schemes = [kind_and_name(each) for each in arguments.some("names", names, "one such as btin")]
    found = _failures(base, group, arguments.some("failures", failures, "one such as switch"))
    rows, rounds = [], []
    with simulation.own(), bars.bar("outages", progress) as tell:
        for failure in found:
            for scheme, collective in schemes:
                tell(len(rows), len(found) * len(schemes))
                simulation.reset()
                simulation.set_seed(seed)
                made = base.with_attributes({
                    "ns3::HostSoftware::Retransmission": True, **base.attributes,
                    "ns3::RouteRecovery::Way": recovery,
                    _SCHEDULE: f"{outage_of(failure.gone)} at {times[0]:.6f}us for {times[1]:.6f}us"})
                owner = _Owner(made, collective, group, failure, clock)
                try:
                    owner.go()
                except WormholeError as error:
                    raise WormholeError(f"{scheme}, {failure.part}: {error}") from None
                rounds += [{"scheme": scheme, "failure": failure.kind, **row} for row in owner.rows]
                rows.append(_row(scheme, failure, owner.rows, clock))
            _note_pay(rows[-len(schemes):])
    table = pandas.DataFrame(rows)
    table.attrs.update(rounds=rounds, down_us=clock.down, up_us=clock.up, name=base.name)
    return table


def rounds(table: pandas.DataFrame) -> pandas.DataFrame:
    """Returns a row for each round and each set-up in a table of outages(), in order of time."""
    return pandas.DataFrame(table.attrs["rounds"])
