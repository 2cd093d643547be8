# SPDX-License-Identifier: GPL-2.0-only
"""Why rounds take as long as they do: tables, and plots of the time by cause."""

from __future__ import annotations

from typing import Mapping, Sequence

from ..core.errors import WormholeError
from ..core.gnuplot import COLOURS, draw, quoted, tics
from ..core.loader import pandas

COLUMNS = ["from_ps", "to_ps", "cause", "place", "lane", "worm", "other", "note"]
_USUAL = ("start-up", "wire", "switch-delay", "interface-delay", "output", "interface-busy", "propagation")
_SHOWN = 9  # causes with a colour of their own
# As another job in the way is named, if there are several, and the traffic.
_OTHERS = r"\b(job \d+|the traffic)\b"


def table(report) -> pandas.DataFrame:
    """Returns the intervals of an ns3::LatencyReport as a table, see path_table()."""
    return path_table(report.GetRows(), report.ToText())


def path_table(rows, text) -> pandas.DataFrame:
    """Returns the intervals of a critical path as a table. rows: the intervals, each an ns3::LatencyReport::Row; text:
    their sums in words. Returns a row for each interval, in order of time: from_ps, to_ps; cause; place (an output,
    buffer, switch or process); lane of an output or buffer (<NA> if there is only one); worm, the explained worm;
    other, what holds it up; note. attrs["text"] has the sums in words."""
    cells = [[int(row.fromPs), int(row.toPs), str(row.cause), str(row.place),
              int(str(row.lane)) if str(row.lane) else None, str(row.worm), str(row.other),
              str(row.note)] for row in rows]
    frame = pandas.DataFrame(cells, columns=COLUMNS).astype({"lane": "Int64"})
    frame.attrs["text"] = str(text)
    return frame


def sums(frame: pandas.DataFrame) -> pandas.Series:
    """Returns the time that each cause in a table took, us, longest first."""
    durations = (frame.to_ps - frame.from_ps) / 1e6
    found = durations.groupby(frame.cause).sum()
    return found[found > 0].sort_values(ascending=False)


def joined(tables: Sequence[pandas.DataFrame]) -> pandas.DataFrame:
    """Returns the tables of rounds as one table, whose first column, round, counts from 1. Its attrs are those of the
    slowest round; attrs["round"] is this round's number."""
    lengths = [int(each.to_ps.iloc[-1] - each.from_ps.iloc[0]) if len(each) else 0 for each in tables]
    slowest = lengths.index(max(lengths))
    attrs = {**tables[slowest].attrs, "round": 1 + slowest}
    parts = [each.copy() for each in tables]
    for number, part in enumerate(parts, 1):
        part.attrs.clear()
        part.insert(0, "round", number)
    frame = pandas.concat(parts, ignore_index=True)
    frame.attrs.update(attrs, rounds=len(tables))
    return frame


def slowest(frame: pandas.DataFrame) -> pandas.DataFrame:
    """Returns the slowest round's rows. frame: result of joined()"""
    return frame[frame["round"] == frame.attrs["round"]]


def held_up(frame: pandas.DataFrame) -> pandas.Series:
    """Returns the share of a table's time, in %, during which others are in the way, by name: "job 1" and so on, and
    "the traffic"."""
    durations = frame.to_ps - frame.from_ps
    held = durations.groupby(frame.other.str.extract(_OTHERS, expand=False)).sum()
    return 100 * held / durations.sum()


def shares(frame: pandas.DataFrame) -> list[str]:
    """Returns lines that break down a table's time by cause, and by jobs and traffic in its way; times of several
    rounds are summed."""
    rounds = "all rounds, " if "round" in frame else ""
    by_cause = sums(frame)
    return [f"{rounds}{what}: " + ", ".join(f"{name} {share:.1f} %" for name, share in each.items())
            for what, each in (("by cause", 100 * by_cause / by_cause.sum()),
                               ("held up by", held_up(frame))) if len(each)]


def _as_text(frame):
    """Returns the explanation in a study's row: a table's text; for rounds under traffic, the text of the slowest
    round, and the breakdown of all rounds."""
    if "round" not in frame:
        return frame.attrs["text"]
    path = slowest(frame)
    length = (path.to_ps.max() - path.from_ps.min()) / 1e6 if len(path) else 0.0
    return "\n".join([f"round {frame.attrs['round']}, the slowest: {length:.3f} us",
                      frame.attrs["text"].rstrip("\n"), *shares(frame)]) + "\n"


def plot(bars: Mapping[str, pandas.Series] | pandas.DataFrame, path: str, title: str) -> None:
    """Draws times by cause as stacked bars. path, title: see gnuplot.draw(); bars: for each label, a result of sums(),
    or a mean of several. Raises WormholeError as gnuplot.draw(), and if there is nothing to plot."""
    palette = (*COLOURS[:6], "#999999", "#f0e442", "#8c6d31", "#dddddd")
    frame = pandas.DataFrame(bars).fillna(0.0)
    frame = frame.loc[frame.sum(axis=1) > 0]
    if frame.empty:
        raise WormholeError(f"{path}: there is no time to plot; expected rounds that take some")
    frame = frame.loc[frame.sum(axis=1).sort_values(ascending=False).index]
    if len(frame) > _SHOWN:
        frame = pandas.concat([frame.iloc[:_SHOWN], frame.iloc[_SHOWN:].sum().rename("all else").to_frame().T])
    lines = ["set style data histograms", "set style histogram rowstacked", "set boxwidth 0.7",
             "set style fill solid 0.9 border rgb 'white'", "set ylabel 'us'", "set yrange [0:*]",
             "set grid ytics", "set xtics rotate by -30 scale 0 noenhanced",
             f"set xtics {tics(map(str, frame.columns))}",
             "set key outside right top Left reverse invert noenhanced"]
    data, parts = [], []
    by_cause = _colours(list(frame.index), palette)
    for cause, values in frame.iterrows():
        parts.append(f"'-' using 1 lc rgb {quoted(by_cause[cause])} title {quoted(str(cause))}")
        data += [repr(float(value)) for value in values] + ["e"]
    draw(path, f"{420 + 90 * len(frame.columns)},480", title, 1, [*lines, "plot " + ", ".join(parts), *data])


def _colours(causes, palette) -> dict:
    """Returns a colour for each cause; the most frequent causes have the same colour in all plots."""
    own = {cause: palette[_USUAL.index(cause)] for cause in causes if cause in _USUAL}
    left = iter([colour for colour in palette if colour not in own.values()])
    return {cause: own.get(cause) or next(left) for cause in causes}


def columns(frame: pandas.DataFrame) -> dict[str, object]:
    """Returns a table as columns of a study's row: explanation, the text; and for each cause its time in us, such as
    send_overhead_us. For rounds under traffic, these times are means, and traffic_percent is the share of the time
    during which traffic was in the way."""
    beside = {"traffic_percent": float(held_up(frame).get("the traffic", 0.0))} \
        if "round" in frame else {}
    return {"explanation": _as_text(frame), **beside,
            **{f"{cause.replace('-', '_')}_us": time / frame.attrs.get("rounds", 1)
               for cause, time in sums(frame).items()}}


def cause_columns(frame: pandas.DataFrame) -> list[str]:
    """Returns the columns of studies.algorithms' table that hold times of causes."""
    return [column for column in frame if column.endswith("_us")
            and column not in ("latency_us", "setup_us", "unloaded_us")]


def filled(frame: pandas.DataFrame, is_explained: pandas.Series) -> pandas.DataFrame:
    """Returns a study's table with 0 for causes that do not occur in explained rows."""
    causes = cause_columns(frame)
    frame[causes] = frame[causes].where(frame[causes].notna() | ~is_explained, 0.0, axis=0)
    return frame
