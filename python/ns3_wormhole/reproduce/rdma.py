# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Gupta et al. (2002): barriers by remote writes and by messages."""

from __future__ import annotations

from ..errors import WormholeError
from .comparison import FIT, PREDICTED, Chapter, Row, Section, deviation, read, source_note
from .places import DATA
from .study import Caption, Plots, Study

RDMA = "rdma-barrier"
PUBLISHED = DATA / "rdma-published.csv"

TITLE = "Barriers by remote writes and by messages: published, model, simulated"
SOURCE = "Gupta et al., 2002"
INTRO = """\
R. Gupta, V. Tipparaju, J. Nieplocha, D. Panda: "Efficient Barrier using Remote Memory Operations on
VIA-Based Clusters" (2002). *Model*: number of steps between nodes, times what one step takes, and
for several tasks a node, what two nodes of so many take more than two of one. *Simulated*: mean
of barriers that follow each other, all nodes on one switch. *Use*: `fit`, what a step takes was
taken from this figure, so that it says nothing; `predicted`, it was not. Steps are simulated as the
latency over that of two nodes. With 3, 5 or 9 nodes that is a little less than whole: a partner may
have sent its message before it is waited for, so that its flight takes the barrier no time.
"""

COLUMNS = ("figure", "published", "use", "model", "simulated", "deviation", "note")

FIT_MARGIN, MARGIN = 0.1, 4.2  # by how many percent a latency may deviate

FABRICS = ()

CAPTIONS = {"cluster-1": "Figures 4(a) and 5(a) (left): latency of a barrier over nodes, cluster 1; "
                         "two tasks a node (right) are not in the paper",
            "cluster-2": "Figures 4(b) and 5(b) (left): latency of a barrier over nodes, cluster 2; "
                         "two tasks a node (right) are not in the paper",
            "cluster-3": "Figures 4(c) (left) and 6 (both): latency of a barrier over nodes, "
                         "cluster 3, with one and two tasks a node"}


def studies() -> list[Study]:
    """Returns the studies, one for each cluster of the paper."""
    return [Study(f"rdma-{cluster}", RDMA, (f"--preset={cluster}",)) for cluster in CAPTIONS]


def plots() -> list[Plots]:
    """Returns the plots."""
    return [Plots(f"rdma-{cluster}-", (f"rdma-{cluster}",), {"latency": Caption(caption)},
                  (f"--published={PUBLISHED}", f"--preset={cluster}"))
            for cluster, caption in CAPTIONS.items()]


class Barriers:
    """Results of the study of remote writes, by cluster."""

    def __init__(self, files):
        self.rows = {cluster: read(path) for cluster, path in files.items()}

    def find(self, cluster, transport, nodes, tasks):
        """Returns the row of a cluster."""
        for row in self.rows[cluster]:
            if (row["transport"], row["nodes"], row["tasks_per_node"]) == (transport, nodes, tasks):
                return row
        raise WormholeError(f"no study of {cluster} has {nodes} nodes with {tasks} tasks by {transport}")

    def latency(self, cluster, transport, nodes, tasks):
        """Returns modelled and simulated latency, us."""
        simulated = float(self.find(cluster, transport, nodes, tasks)["latency_us_mean"])
        steps = int(self.find(cluster, transport, nodes, "1")["steps"])
        step = float(self.find(cluster, transport, "2", "1")["latency_us_mean"])
        within = float(self.find(cluster, transport, "2", tasks)["latency_us_mean"]) - step
        return steps * step + within, simulated

    def compare(self, figure):
        """Returns modelled and simulated value of a figure."""
        place = figure["nodes"], figure["tasks_per_node"]
        if figure["quantity"] == "latency":
            return self.latency(figure["cluster"], figure["transport"], *place)
        if figure["quantity"] == "gain":
            pairs = zip(self.latency(figure["cluster"], "rdma", *place),
                        self.latency(figure["cluster"], "send-receive", *place))
            return tuple(100 * (1 - rdma / messages) for rdma, messages in pairs)
        if figure["quantity"] == "steps":
            row = self.find(next(iter(self.rows)), figure["transport"], *place)
            step = float(self.find(next(iter(self.rows)), figure["transport"], "2", "1")
                         ["latency_us_mean"])
            return int(row["steps"]), float(row["latency_us_mean"]) / step
        raise WormholeError(f"{figure['id']}: quantity '{figure['quantity']}' is not known")


def title(figure):
    """Returns what a figure is about."""
    where = f"{figure['nodes']} nodes"
    if figure["tasks_per_node"] != "1":
        where += f" of {figure['tasks_per_node']} tasks"
    by = {"rdma": "remote writes", "send-receive": "messages", "": ""}[figure["transport"]]
    what = {"latency": f"latency by {by}", "gain": "latency saved by remote writes",
            "steps": "steps"}[figure["quantity"]]
    return ", ".join(filter(None, [what, figure["cluster"], where]))


def chapter(results) -> Chapter:
    """Returns the paper's part of the report. results: a folder"""
    barriers = Barriers({cluster: results / f"rdma-{cluster}.csv" for cluster in CAPTIONS})
    section = Section("", COLUMNS)
    wrong = []
    for figure in read(PUBLISHED):
        model, simulated = barriers.compare(figure)
        checked = model if figure["quantity"] == "steps" else simulated
        off = abs(100 * (checked / float(figure["value"]) - 1))
        allowed = {"steps": {"predicted": 0}, "latency": {"fit": FIT_MARGIN, "predicted": MARGIN}}
        if off > allowed.get(figure["quantity"], {}).get(figure["use"], float("inf")):
            wrong.append(f"{figure['id']} is {figure['value']} and came out as {checked:.2f}")
        decimals = 0 if figure["quantity"] == "steps" else 2
        text, percent = deviation(figure["value"], simulated)
        section.rows.append(Row(
            (title(figure), f"{figure['value']} {figure['unit']}", figure["use"],
             f"{model:.{decimals}f}", f"{simulated:.2f}", text, source_note(figure)),
            figure["id"], FIT if figure["use"] == "fit" else PREDICTED, percent))
    return Chapter(TITLE, SOURCE, INTRO, [section], wrong)
