# SPDX-License-Identifier: GPL-2.0-only
"""Gupta et al. (2002): barriers by remote writes and by messages."""

from ..core.errors import WormholeError
from . import claims
from .claims import Finding, grows, Printed, series
from .comparison import (Caption, Chapter, CHECK, deviation, FIT, is_near_copy, Plots, PREDICTED, read, Row,
                         Section, shown, source_note, Study)
from .places import DATA

RDMA = "rdma-barrier"
PUBLISHED = DATA / "rdma-published.csv"

TITLE = "Barriers by remote writes and by messages: published, model, simulated"
SOURCE = "Gupta et al., 2002"
INTRO = """\
R. Gupta, V. Tipparaju, J. Nieplocha, D. Panda: "Efficient Barrier using Remote Memory Operations on
VIA-Based Clusters" (2002). *Model*: the number of steps between nodes, times the time of a step; for several tasks per
node, plus the extra time of two such nodes over two nodes with one task each. *Simulated*: mean of consecutive
barriers, with all nodes on one switch. *Use*: `fit`: the time of a step was taken from this figure, so that its
agreement says nothing; `predicted`: it was not; `near-copy`: it was not, but a figure of the same kind that was used is
printed within 5 % of it, so that it counts as a fit; `formula`: for a power of two, the number of steps is its
logarithm; `not reproduced`: a prediction that fails with the defaults; `choice`: the same value with another choice
where the paper leaves one open. Tasks of a node meet by flags, unless a row says how they exchange *messages*: in
`memory`, at the software's cost alone, or by the `interface`, as between nodes. The percentage is the share of a
message's time during which it occupies the interfaces of its sender and of its receiver, which serve one message at a
time. The paper gives neither, so these rows are choices, side by side, and none is fitted. The likely choice: in the
paper, messages within a node also go from point to point (Section 7.2), and no interface is said to make them wait. The
simulated number of steps is the latency over that of two nodes. For numbers of nodes that are not powers of two, it is
below a whole number, by 0.1 steps with 3 nodes and by 0.5 with 33: a partner may have sent its message before the
receiver waits for it, and then its flight costs the barrier no time.
"""

COLUMNS = ("figure", "published", "use", "model", "simulated", "deviation", "note")

FIT_MARGIN, MARGIN = 0.1, 4.2  # by how many percent a latency may deviate
CLOSE = 0.05  # part of a latency that counts as close to it
ROUNDING_US = 0.002  # of the difference of two latencies that are printed to the ns

INTERFACE = "rdma-interface"  # the study of messages that wait for each other
PERCENTAGES = ("0", "20", "40", "60", "80")  # of a message's time that it occupies the interface
CHOICES = tuple((within, percent) for within in ("flags", "memory", "interface") for percent in PERCENTAGES
                if (within, percent) != ("flags", "0"))  # how messages go within a node; not the default
LIKELY = ("memory", "0")
SET_UP = {"direct": "each node to all others", "dissemination": "in steps of 1, 2, 4, ... nodes"}

SET_UP_INTRO = """\
Remote writes need registered buffers. Nodes exchange the buffers' addresses by messages when the group is made
(Sections 4.1, 6.1 and 6.2). The paper does not give the time of a registration, which is left out here
(`--registration`), nor the order of the messages, so two orders are compared, on cluster 3. *Barriers that save as
much*: the number of barriers by remote writes, in place of messages, that save the time of making the group, with two
tasks per node and flags within nodes.
"""

NODES = ("2", "4", "8", "16", "32")
CLAIMED = "cluster-2"  # the one of which the paper prints two sizes

FABRICS = ()

CAPTIONS = {"cluster-1": "Figures 4(a) and 5(a) (left): latency of a barrier over nodes, cluster 1; "
                         "two tasks a node (right) are not in the paper",
            "cluster-2": "Figures 4(b) and 5(b) (left): latency of a barrier over nodes, cluster 2; "
                         "two tasks a node (right) are not in the paper",
            "cluster-3": "Figures 4(c) (left) and 6 (both): latency of a barrier over nodes, "
                         "cluster 3, with one and two tasks a node"}


def studies() -> list[Study]:
    """Returns the studies, one for each cluster of the paper."""
    on_third = ("--preset=cluster-3", f"--nodes={','.join(NODES)}")
    return [*(Study(f"rdma-{cluster}", RDMA, (f"--preset={cluster}",)) for cluster in CAPTIONS),
            Study(INTERFACE, RDMA, (*on_third, "--withinHost=flags,memory,interface",
                                    f"--interfacePercent={','.join(PERCENTAGES)}")),
            *(Study(f"rdma-set-up-{exchange}", RDMA, (*on_third, "--tasksPerNode=2", f"--exchange={exchange}"))
              for exchange in SET_UP)]


def plots() -> list[Plots]:
    """Returns the plots."""
    return [*(Plots(f"rdma-{cluster}-", (f"rdma-{cluster}",), {"latency": Caption(caption)},
                    (f"--published={PUBLISHED}", f"--preset={cluster}"))
              for cluster, caption in CAPTIONS.items()), Plots("rdma-", (INTERFACE,), {"interface": Caption(
        "Sensitivity of 65 and 193 us (Figure 6): 32 nodes of cluster 3 over the percentage of a "
        "message's time in which it occupies the interfaces, which the paper does not give; tasks of "
        "a node exchange flags, messages in memory, or messages by the interface")},
        (f"--published={PUBLISHED}", "--preset=cluster-3"))]


class Barriers:
    """Results of the study of remote writes, by cluster. choice: how messages travel within a node, and the percentage
    for the interface"""

    def __init__(self, files, choice=("flags", "0")):
        self.rows, self.choice = {cluster: read(path) for cluster, path in files.items()}, choice

    def find(self, cluster, transport, nodes, tasks):
        """Returns the row of a cluster."""
        within, percent = self.choice
        within = within if transport == "send-receive" else "flags"
        for row in self.rows[cluster]:
            if (row["transport"], row["nodes"], row["tasks_per_node"], row["within_host"],
                    row["interface_percent"]) == (transport, nodes, tasks, within, percent):
                return row
        raise WormholeError(f"no study of {cluster} has {nodes} nodes with {tasks} tasks by {transport}")

    def latency(self, cluster, transport, nodes, tasks):
        """Returns modelled and simulated latency, us."""
        simulated = float(self.find(cluster, transport, nodes, tasks)["latency_us_mean"])
        steps = int(self.find(cluster, transport, nodes, "1")["steps"])
        step = float(self.find(cluster, transport, "2", "1")["latency_us_mean"])
        return steps * step + (float(self.find(cluster, transport, "2", tasks)["latency_us_mean"]) - step), simulated

    def steps(self, cluster, transport, nodes, tasks="1"):
        """Returns modelled and simulated number of steps."""
        row = self.find(cluster, transport, nodes, tasks)
        return int(row["steps"]), float(row["latency_us_mean"]) / self.latency(cluster, transport, "2", "1")[1]

    def steps_of_all(self, figure) -> str:
        """Returns the range of simulated steps on all clusters, for both transports."""
        found = [self.steps(cluster, transport, figure["nodes"])[1]
                 for cluster in self.rows for transport in ("rdma", "send-receive")]
        return f" By writes and messages, on all clusters: {min(found):.2f} to {max(found):.2f}"

    def compare(self, figure):
        """Returns modelled and simulated value of a figure."""
        place = figure["nodes"], figure["tasks_per_node"]
        if figure["quantity"] == "latency":
            return self.latency(figure["cluster"], figure["transport"], *place)
        if figure["quantity"] == "steps":
            return self.steps(next(iter(self.rows)), figure["transport"], *place)
        if figure["quantity"] in ("gain", "saving"):
            pairs = zip(self.latency(figure["cluster"], "rdma", *place),
                        self.latency(figure["cluster"], "send-receive", *place))
            steps = int(self.find(figure["cluster"], "rdma", *place)["steps"])
            return tuple(100 * (1 - rdma / messages) if figure["quantity"] == "gain" else
                         (messages - rdma) / steps for rdma, messages in pairs)
        if figure["quantity"] == "gap":
            return self.gap(figure)
        if figure["quantity"] in ("longer", "faster"):
            return self.holds(figure)
        raise WormholeError(f"{figure['id']}: quantity '{figure['quantity']}' is not known")

    def gap(self, figure):
        """Returns how the time added by several tasks per node behaves: modelled and simulated."""
        latencies = [self.latency(figure["cluster"], figure["transport"], nodes, tasks)
                     for nodes in (figure["nodes"], "2") for tasks in (figure["tasks_per_node"], "1")]
        return tuple("growing" if several - one > two_several - two_one + ROUNDING_US else
                     "close" if several - one <= CLOSE * one else "constant"
                     for several, one, two_several, two_one in zip(*latencies))

    def holds(self, figure):
        """Returns a claim's numbers of nodes if it holds for all, else "not all": modelled and simulated."""
        first, last = (int(word) for word in figure["value"].split()[:3:2])
        pairs = []  # of latencies, the first of which is claimed to be below the other
        for cluster in self.rows:
            for nodes in range(first, last + 1):
                by_writes = self.latency(cluster, "rdma", str(nodes), "1")
                if figure["quantity"] == "faster":
                    pairs.append((by_writes, self.latency(cluster, "send-receive", str(nodes), "1")))
                elif nodes & (nodes - 1):
                    pairs.append((self.latency(cluster, "rdma", str(1 << nodes.bit_length()), "1"), by_writes))
        return tuple(figure["value"] if all(one[kind] < other[kind] for one, other in pairs)
                     else "not all" for kind in (0, 1))


def title(figure):
    """Returns the title of a figure."""
    where = f"{figure['nodes']} nodes"
    if figure["tasks_per_node"] != "1":
        where += f" of {figure['tasks_per_node']} tasks"
    by = {"rdma": "remote writes", "send-receive": "messages", "": ""}[figure["transport"]]
    what = {"latency": f"latency by {by}", "gain": "latency saved by remote writes",
            "saving": "time of a step saved by remote writes", "steps": "steps by remote writes, cluster-1",
            "gap": f"one and more tasks a node by {by}",
            "longer": "longer than with the next power of two",
            "faster": "faster by remote writes than by messages"}[figure["quantity"]]
    if figure["quantity"] in ("longer", "faster"):
        return what
    return ", ".join(filter(None, [what, figure["cluster"], where]))


def choices(figure, path):
    """Returns the rows of a figure under all choices. path: the study's CSV"""
    rows = []
    for choice in CHOICES:
        model, simulated = Barriers({figure["cluster"]: path}, choice).compare(figure)
        text, off = deviation(figure["value"], simulated)
        name = "the same, messages within a node by {}, interface occupied {} %".format(*choice) \
            + " (likely)" * (choice == LIKELY)
        rows.append(Row((name, "", "choice", shown(model, 2), shown(simulated, 2), text, ""),
                        figure["id"], PREDICTED, off, choice == LIKELY, (INTERFACE,)))
    return rows


def use_of(figure, figures) -> str:
    """Returns a figure's use, as in the table."""
    kind = ("quantity", "cluster", "transport", "tasks_per_node")
    fits = [each for each in figures if each["use"] == "fit" and all(each[name] == figure[name] for name in kind)]
    if figure["quantity"] == "steps" and int(figure["nodes"]).bit_count() == 1:
        return "formula"
    is_copy = figure["use"] == "predicted" and any(is_near_copy(figure["value"], fit["value"]) for fit in fits)
    return "near-copy" if is_copy else figure["use"]


def made_by(figure) -> tuple[str, ...]:
    """Returns the studies that a figure is compared with."""
    return tuple(f"rdma-{cluster}" for cluster in ([figure["cluster"]] if figure["cluster"] else CAPTIONS))


def needed(figure, path, within):
    """Returns a sentence: between which simulated percentages of the interface messages would take as long as a figure.
    path: the study's CSV"""
    value, place = float(figure["value"]), (figure["nodes"], figure["tasks_per_node"])
    known = sorted((int(row["interface_percent"]), float(row["latency_us_mean"]))
                   for row in read(path)
                   if (row["transport"], row["within_host"]) == (figure["transport"], within)
                   and (row["nodes"], row["tasks_per_node"]) == place)
    *_, words = (f"more than {known[-1][0]} %, the most that was simulated,", *(
        f"between {low} and {high} %" for (low, below), (high, above) in zip(known, known[1:])
        if below <= value <= above))
    return (f"With messages within a node by {within}, {figure['value']} {figure['unit']} would result if "
            f"the interface were occupied for {words} of a message's time.")


def set_up(results) -> Section:
    """Returns what making a group costs. results: a folder"""
    section = Section("Making a group: addresses of buffers", (
        "nodes", "exchange", "time (us)", "barriers that save as much"), intro=SET_UP_INTRO)
    for exchange, name in SET_UP.items():
        rows = read(results / f"rdma-set-up-{exchange}.csv")
        messages = {row["nodes"]: float(row["latency_us_mean"]) for row in rows if row["transport"] == "send-receive"}
        for row in (row for row in rows if row["transport"] == "rdma"):
            time, saved = float(row["set_up_us"]), messages[row["nodes"]] - float(row["latency_us_mean"])
            section.rows.append(Row((row["nodes"], name, f"{time:.1f}", f"{time / saved:.1f}")))
    return section


class Claims(claims.Claims):
    """Findings of the studies. barriers: latencies of all clusters; made_by: studies of CLAIMED"""

    paper = "rdma"

    def __init__(self, barriers, printed: Printed, made_by):
        self._barriers, self._printed, self._made_by = barriers, printed, made_by

    def _latencies(self):
        return [tuple(self._barriers.latency(CLAIMED, transport, nodes, "1")[1]
                      for transport in ("rdma", "send-receive")) for nodes in NODES]

    def saved_time(self) -> Finding:
        """Whether the saved time grows."""
        own = [messages - writes for writes, messages in (self._printed.values(
            f"{CLAIMED}-rdma-{nodes}", f"{CLAIMED}-messages-{nodes}") for nodes in (8, 16))]
        return self._grow(own, [messages - writes for writes, messages in self._latencies()], "us")

    def saved_part(self) -> Finding:
        """Whether the saved fraction of the time grows."""
        return self._grow(self._printed.values(f"gain-8-{CLAIMED}", f"gain-16-{CLAIMED}"), [
            round(100 * (1 - writes / messages), 1) for writes, messages in self._latencies()], "%")

    def _grow(self, own, ours, unit):
        return Finding(grows(own), grows(ours), *(f"{series(each, 1)} {unit}" for each in (own, ours)), self._made_by)


def chapter(results) -> Chapter:
    """Returns the paper's part of the report. results: a folder"""
    barriers = Barriers({cluster: results / f"rdma-{cluster}.csv" for cluster in CAPTIONS})
    section = Section("", COLUMNS)
    path = results / f"{INTERFACE}.csv"
    wrong = []
    figures = read(PUBLISHED)
    for figure in figures:
        model, simulated = barriers.compare(figure)
        use = use_of(figure, figures)
        checked = model if figure["quantity"] == "steps" else simulated
        text, percent = deviation(figure["value"], simulated)
        off = percent if isinstance(simulated, str) else \
            abs(100 * (checked / float(figure["value"]) - 1))
        allowed = {"steps": {"predicted": 0}, "latency": {"fit": FIT_MARGIN, "predicted": MARGIN}}
        if off > allowed.get(figure["quantity"], {}).get(figure["use"], float("inf")):
            wrong.append(f"{figure['id']} is {figure['value']} and came out as {shown(checked, 2)}")
        decimals = 0 if figure["quantity"] == "steps" else 2
        more = barriers.steps_of_all(figure) if (figure["quantity"], use) == ("steps", "predicted") else ""
        section.rows.append(Row(
            (title(figure), f"{figure['value']} {figure['unit']}".strip(), use,
             shown(model, decimals), shown(simulated, 2),
             "" if figure["use"] == "fit" else text, source_note(figure) + more),
            figure["id"], FIT if use in ("fit", "near-copy") else CHECK if use == "formula" else PREDICTED, percent,
            made_by=made_by(figure)))
        # What depends on messages within a node, and at its interface.
        if figure["tasks_per_node"] == "2" and (figure["transport"] == "send-receive" or figure["quantity"] == "gain"):
            section.rows += choices(figure, path)
            if figure["quantity"] == "latency":
                section.notes += [needed(figure, path, within) for within in ("memory", "interface")]
    found = Claims(barriers, Printed(PUBLISHED), (f"rdma-{CLAIMED}",))
    return Chapter(TITLE, SOURCE, INTRO, [section, found.section(), set_up(results)], wrong)
