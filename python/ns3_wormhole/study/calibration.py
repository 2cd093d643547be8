# SPDX-License-Identifier: GPL-2.0-only
"""The result of calibrate(), as text, machine file and plot."""

from __future__ import annotations

import dataclasses
import math

from ..core import lengths, machine as machines
from ..core.gnuplot import COLOURS, draw, quoted, tic
from ..core.loader import pandas
from ..core.texts import comment, toml, toml_key
from .fit import Certainty
from .segments import POOR

_MOST_ROWS = 40  # of a table for people

_TICKS = ", ".join(f"{tic(size)} {4 ** (2 * i)}" for i, size in enumerate(
    ("1", "16", "256", "4 Ki", "64 Ki", "1 Mi", "16 Mi", "256 Mi")))


def deviation(frame: pandas.DataFrame) -> float:
    """Returns the root mean square of a frame's deviations."""
    return math.sqrt(sum(value ** 2 for value in frame.deviation) / len(frame))


def of_row(row) -> str:
    """Returns a description of the measurement in a row of residuals."""
    size = int(row.size if isinstance(row, tuple) else row["size"])
    by = f" by {row.algorithm}" if getattr(row, "algorithm", "") else ""
    return f"{row.benchmark}{by} of {size} bytes" if size else row.benchmark + by


@dataclasses.dataclass(frozen=True)
class Calibration:
    """The result of a fit."""

    attributes: dict[str, str]  #: values by attribute, as Fabric() takes them
    fixed: dict[str, str]  #: values that were not fitted, of the machine and the attributes given
    #: rows of name, attribute, length (of an entry of a table), value, cost (ps, or ps per byte), low
    #: and high (of the 95 % interval), state: "determined", "roughly" (to 10 % or worse), "sum only", "entangled",
    #: "ambiguous", "no effect" or "scanned"
    parameters: pandas.DataFrame
    #: rows of file, benchmark, members, size, measured, fitted, deviation (ratio)
    residuals: pandas.DataFrame
    predictions: pandas.DataFrame  #: the same of tables that were not fitted, with predicted
    certainty: Certainty  #: which of those with an effect the data tell apart
    others: tuple[dict[str, float], ...]  #: other solutions that fit as well, costs by name
    notes: tuple[str, ...]  #: what to know, sentences
    evaluations: int  #: how often all tables were simulated
    machine: str | None = None  #: whose values the others are, if any
    given: frozenset[str] = frozenset()  #: attributes that go before it
    ranges: tuple[int, ...] = ()  #: lengths at which ranges begin, where there are breaks

    @property
    def rms(self) -> float:
        """Root mean square of the deviations of fitted values, as a ratio."""
        return deviation(self.residuals)

    @property
    def is_poor(self) -> bool:
        """Whether rms is above 10 %."""
        return self.rms > POOR

    def values(self) -> pandas.DataFrame:
        """Returns residuals and, if there are any, predictions, whose column "fitted" is empty."""
        return pandas.concat([self.residuals, self.predictions]) if len(self.predictions) else self.residuals

    def to_toml(self, name: str = "fitted", source: str = "") -> str:
        """Returns a machine file: values of the simulated machine, and fitted values. source: source of the values"""
        poor = next((note for note in self.notes if self.is_poor and note.startswith("poor fit")), "")
        lines = machines.heading(name, "; ".join(filter(None, (source, poor.partition(";")[0]))), self.machine)
        sources = machines.sources(self.machine)
        lines += [f"# {comment(note)}" for note in self.notes]
        owners: dict[str, list] = {}
        fitted: dict[str, list] = {}
        for row in self.parameters.itertuples():
            fitted.setdefault(row.attribute, []).append(row)
        for attribute in {**self.fixed, **fitted}:
            owner, _, key = attribute.removeprefix("ns3::").rpartition("::")
            some = fitted.get(attribute, [])
            if attribute in self.fixed and not any(row.value for row in some):
                told = sources.get(attribute, "") if attribute not in self.given else ""
                text = machines.entry_text(self.fixed[attribute], told)
            elif some[0].value:
                value = some[0].value if some[0].state == "scanned" else toml(self.attributes[attribute])
                text = f"{{ value = {value}, source = {toml(_state(some, poor))} }}"
            else:
                text = ""
            owners.setdefault(owner, []).append(f"{toml_key(key)} = {text}" if text else
                                                f"# {toml_key(key)}: {some[0].state}")
        for owner, told in owners.items():
            lines += ["", f"[{toml_key(owner)}]", *told]
        return "\n".join(lines) + "\n"

    def __str__(self):
        """Returns the tables as text."""
        rows = list(self.parameters.itertuples())
        lines = [self.parameters.assign(value=[*map(_shown, rows)], interval=[*map(_interval, rows)])
                 [["name", *(["length"] if self.parameters.length.notna().any() else []), "value", "interval", "state"]]
                 .rename(columns={"interval": "95 % interval"}).to_string(index=False, na_rep="")]
        lines += [f"{note}" for note in self.notes]
        if self.ranges:
            lines += ["", by_range(self).to_string(index=False, float_format=lambda value: f"{value:.2f}")]
        lines += ["", deviations(self.residuals, "fitted")]
        if len(self.predictions):
            lines += ["", deviations(self.predictions, "predicted")]
        return "\n".join(lines)


def by_range(found: Calibration) -> pandas.DataFrame:
    """Returns residuals by range: from, to, benchmark, values, root mean square and greatest deviation, %."""
    rows, ends = [], [*found.ranges[1:], math.inf]
    for first, end in zip([0, *found.ranges[1:]], ends):
        part = found.residuals[(found.residuals["size"] >= first) & (found.residuals["size"] < end)]
        for benchmark, some in part.groupby("benchmark", sort=False):
            rows.append((lengths.text(int(some["size"].min())), lengths.text(int(some["size"].max())), benchmark,
                         len(some), 100 * deviation(some), 100 * some.deviation[some.deviation.abs().idxmax()]))
    return pandas.DataFrame(rows, columns=["from", "to", "benchmark", "values", "rms, %", "greatest, %"])


def _shown(row) -> str:
    if not row.value or row.state == "scanned":
        return row.value or "-"
    number = float(row.value.rstrip("bps"))
    return f"{number / 1e9:.6g} Gbit/s" if row.value.endswith("bps") else f"{number / 1e6:.6g} us"


def _interval(row) -> str:
    if row.low != row.low:
        return "-"
    if row.state == "scanned":
        return f"{row.low:.0f} to {row.high:.0f}"
    scale = 1e9 if row.value.endswith("bps") else 1e6
    return f"{row.low / scale:.6g} to {row.high / scale:.6g}"


def deviations(frame, word: str) -> str:
    """Returns measured values next to others; if there are many, those that differ most. word: column of the others"""
    some = frame.iloc[abs(frame.deviation).reset_index(drop=True).nlargest(_MOST_ROWS).index.sort_values()]
    shown = some[["benchmark", *(["algorithm"] if "algorithm" in some else []), "members", "size", "measured",
                  word]].copy()
    for column in ("measured", word):
        shown[column] = [f"{value:.6g}" for value in some[column]]
    shown["deviation"] = [f"{100 * value:+.2f} %" for value in some.deviation]
    left = len(frame) - len(some)
    lines = [shown.to_string(index=False), *[f"and {left} values that are closer (--csv)"] * (left > 0)]
    return "\n".join([*lines, f"{word}: greatest deviation {100 * max(abs(frame.deviation)):.2f} %, "
                              f"root mean square {100 * deviation(frame):.2f} %"])


def _state(rows, poor):
    """Returns where a fitted attribute's value comes from. poor: why the fit is poor, or empty"""
    states = list(dict.fromkeys(row.state for row in rows))
    is_known = not poor and all(state in ("determined", "scanned") for state in states)
    word = "fitted" if is_known else "estimated by a poor fit" if poor else "estimated"
    if len(rows) == 1 and rows[0].low == rows[0].low and states != ["scanned"]:
        unit = "Gbit/s" if rows[0].value.endswith("bps") else "us"
        states[0] += f", 95 %: {_interval(rows[0])} {unit}".rstrip()
    elif len(rows) > 1:
        states = [f"{state} at {', '.join(lengths.text(row.length) for row in rows if row.state == state)}"
                  for state in states]
    return f"{word}: {'; '.join(states)}"


def plot(found, path: str, title: str) -> None:
    """Plots measured and fitted values over lengths, like gnuplot.draw(). found: the calibration"""
    frames = [(frame.sort_values("size"), word)
              for whole, word in ((found.residuals, "fitted"), (found.predictions, "predicted"))
              for _, frame in whole.groupby(["file", "benchmark", "members"], sort=False)]
    panels = [(label, some) for label, is_bandwidth in (("latency, us", False), ("bandwidth, MB/s", True))
              if (some := [each for each in frames if (each[0].benchmark.iloc[0] == "bw") == is_bandwidth])]
    lines = ["set logscale xy", "set grid x y lc rgb '#dddddd' lt 1", "set key left top",
             "set xlabel 'length, bytes'", f"set xtics ({_TICKS})", "set xrange [0.7:*]",
             "set autoscale xfixmax", "set offsets 0, graph 0.03, graph 0.25, 0"]
    for label, frames in panels:
        lines += [f"set ylabel {quoted(label)}", *_panel(frames)]
    draw(path, f"{100 + 480 * len(panels)},480", title, len(panels), lines)


def _panel(frames):
    """Returns gnuplot's commands for a panel. On its logarithmic axis, barriers and empty messages are at 1 byte."""
    lines, plots = [], []
    for number, (frame, word) in enumerate(frames):
        colour = COLOURS[number % len(COLOURS)]
        rows = [f"{max(row.size, 1)} {row.measured:.9g} {getattr(row, word):.9g}" for row in frame.itertuples()]
        lines += [f"$d{number} << E", *rows, "E"]
        name = f"{frame.benchmark.iloc[0]}, {frame.members.iloc[0]} processes"
        plots += [f"$d{number} using 1:2 with points pt 7 ps 0.9 lc rgb {quoted(colour)} title "
                  f"{quoted(name + ', measured')}",
                  f"$d{number} using 1:3 with linespoints pt 6 ps 1.3 lw 1.5 "
                  f"{'dt 2 ' if word == 'predicted' else ''}lc rgb {quoted(colour)} title "
                  f"{quoted(name + ', ' + word)}"]
    return [*lines, "plot " + ", ".join(plots)]
