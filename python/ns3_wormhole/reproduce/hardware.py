# SPDX-License-Identifier: GPL-2.0-only
"""Real machines: measured collectives beside predictions by costs that were fitted to other tables."""

from __future__ import annotations

import pathlib

from ..core import csv_file, lengths
from ..core.loader import pandas
from ..report.predictions import BAND, sums
from .comparison import Chapter, Row, Section
from .places import DATA, PREDICT
from .study import Caption, Plots, Study

PUBLISHED = pathlib.Path(__file__)  # measurements are in data/hc44rs and data/lumi-c
TITLE = "Against real machines: measured collectives and predictions"
SOURCE = "De Sensi et al. (2022), PICO (2025)"
INTRO = f"""\
Costs of hosts are fitted to one set of files, and other files are predicted: nothing is tuned on what
is predicted. `hc44rs` is a cluster with EDR InfiniBand, fitted to latencies and LogGP values between
two hosts; its algorithms are plain code. `lumi-c` is a Slingshot machine, fitted to one collective, the
ring all-gather of 16 nodes, and for combining to an all-reduction. Positions of the nodes in the fabric are not known; the first hosts are
taken. A measured value is the median over iterations of the slowest rank. The band of the plots is
{BAND:.0%}.
"""
FABRICS = ()
COMMON = "--machine=edr-infiniband"
# Of each study: folder in data/, about, options, files that are fitted.
MACHINES = {
    "hc44rs": ("hc44rs", "Azure HC44rs, EDR InfiniBand", ("--topology=clos:ports=16", COMMON),
               ("osu_latency.txt", "loggp.csv")),
    "hc44rs-in-turn": ("hc44rs", "Azure HC44rs, messages in turn", (
        "--topology=clos:ports=16", COMMON, "--attribute=HostSoftware::Sharing=in-turn",
        "--attribute=HostSoftware::MaxPacketBytes=4096"), ("osu_latency.txt", "loggp.csv")),
    "lumi-c": ("lumi-c", "LUMI-C, Slingshot-11", (
        "--topology=clos:ports=32", COMMON,
        "--fit=SendOverhead,ReceiveOverhead,Latency,CombineTime"),
        ("allgather-ring.csv", "allreduce-16.csv"))}
def studies() -> list[Study]:
    """Returns the studies: a fit and its predictions for each machine."""
    found = []
    for name, (folder, _, options, tables) in MACHINES.items():
        files = [DATA / folder / table for table in (*tables, "collectives.csv")]
        found.append(Study(f"hardware-{name}", PREDICT, (
            *options, f"--tables={','.join(map(str, files[:-1]))}", f"--predict={files[-1]}"), files=tuple(files)))
    return found


def plots() -> list[Plots]:
    """Returns the plots: simulated over measured values."""
    captions = {name: Caption(f"{about}: simulated over measured times of collectives", about)
                for name, (_, about, _, _) in MACHINES.items()}
    return [Plots("hardware-", tuple(study.name for study in studies()), captions)]


def chapter(results) -> Chapter:
    """Returns the tables: deviations by machine, by collective and number of nodes, and all values."""
    sections, whole, predicted = [], [], {}
    for name, (_, about, _, _) in MACHINES.items():
        table = csv_file.from_text(results / f"hardware-{name}.csv", keep_default_na=False)
        for column in ("members", "bytes", "measured", "simulated", "deviation"):
            table[column] = pandas.to_numeric(table[column])
        whole += [Row((about, use, *_figures(row)))
                  for use, row in sums(table, ["use"]).iterrows()]
        shown = predicted[name] = table[table.use == "predicted"]
        sections.append(Section(about, (
            "collective", "algorithm", "nodes", "values", "mean, %", "greatest, %", "within 20 %"), [
                Row((*map(str, key), *_figures(row)))
                for key, row in sums(shown, ["benchmark", "algorithm", "members"]).iterrows()]))
        sections.append(Section(f"{about}: all values", (
            "collective", "algorithm", "nodes", "length", "measured, us", "simulated, us", "deviation"), [
                Row((row.benchmark, row.algorithm, str(row.members), lengths.text(int(row.bytes)),
                     f"{row.measured:.2f}", f"{row.simulated:.2f}", f"{100 * row.deviation:+.1f} %"))
                for row in shown.itertuples()]))
    sections.insert(0, Section("How far predictions are", (
        "machine", "use", "values", "mean, %", "greatest, %", "within 20 %"), whole,
                                _notes(predicted["hc44rs"], predicted["hc44rs-in-turn"])))
    far = [f"{100 * table.deviation.abs().mean():.0f} % on {MACHINES[name][1]}" for name, table in predicted.items()]
    return Chapter(TITLE, SOURCE, INTRO, sections,
                   lead=f"Predictions of real machines are off in the mean by {'; '.join(far)}.")


def _notes(in_order, in_turn) -> list[str]:
    """Returns what is known of the causes of deviations. in_order, in_turn: predictions of HC44rs"""
    def span(table, algorithm):
        longest = table.bytes == table.bytes.max()
        found = 100 * table.deviation[longest & (table.algorithm == algorithm)]
        return f"{found.min():+.0f} to {found.max():+.0f} %"

    names = ("binary", "binomial")
    told = ["; ".join(f"{name} {span(table, name)}" for name in names) for table in (in_order, in_turn)]
    return [f"Longest broadcasts of HC44rs, one message after the other: {told[0]}. In turn: {told[1]}. "
            "Neither fits both algorithms.",
            "What short broadcasts and reductions of four nodes deviate by is not explained; the skew of "
            "the barrier before each call, which the slowest rank's time holds, was not simulated."]


def _figures(row) -> tuple[str, ...]:
    return (str(int(row["values"])), f"{row['mean, %']:.1f}", f"{row['greatest, %']:+.1f}",
            str(int(row["within 20 %"])))
