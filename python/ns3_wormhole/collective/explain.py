# SPDX-License-Identifier: GPL-2.0-only
"""Why rounds take as long as they do: tables, and sums by cause as bars."""

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
    """Returns the intervals of an ns3::LatencyReport, see path_table()."""
    return path_table(report.GetRows(), report.ToText())


def path_table(rows, text) -> pandas.DataFrame:
    """Returns the intervals of a critical path as a table. rows: the intervals, each an ns3::LatencyReport::Row;
    text: their sums in words. Returns a row for each interval, in order of time: from_ps, to_ps; cause; place, an
    output, buffer, switch or process; lane of an output or buffer, <NA> where there is but one; worm, that which is
    explained there; other, who holds it up; note. Of its attrs, "text" has the sums in words."""
    cells = [[int(row.fromPs), int(row.toPs), str(row.cause), str(row.place),
              int(str(row.lane)) if str(row.lane) else None, str(row.worm), str(row.other),
              str(row.note)] for row in rows]
    frame = pandas.DataFrame(cells, columns=COLUMNS).astype({"lane": "Int64"})
    frame.attrs["text"] = str(text)
    return frame


def sums(frame: pandas.DataFrame) -> pandas.Series:
    """Returns how long each cause of a table took, us, the longest first."""
    durations = (frame.to_ps - frame.from_ps) / 1e6
    found = durations.groupby(frame.cause).sum()
    return found[found > 0].sort_values(ascending=False)


def joined(tables: Sequence[pandas.DataFrame]) -> pandas.DataFrame:
    """Returns tables of rounds as one, with a column round, from 1 on, before the others. Its attrs
    are those of the slowest round, whose number is "round"."""
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
    """Returns the slowest round's rows of what joined returns."""
    return frame[frame["round"] == frame.attrs["round"]]


def held_up(frame: pandas.DataFrame) -> pandas.Series:
    """Returns in which part of a table's time others are in the way, %: by "job 1" and the like, and
    "the traffic"."""
    durations = frame.to_ps - frame.from_ps
    held = durations.groupby(frame.other.str.extract(_OTHERS, expand=False)).sum()
    return 100 * held / durations.sum()


def shares(frame: pandas.DataFrame) -> list[str]:
    """Returns lines that tell what a table's time goes into: by cause, and by jobs and traffic in its
    way; of all rounds where there are several."""
    rounds = "all rounds, " if "round" in frame else ""
    by_cause = sums(frame)
    return [f"{rounds}{what}: " + ", ".join(f"{name} {share:.1f} %" for name, share in each.items())
            for what, each in (("by cause", 100 * by_cause / by_cause.sum()),
                               ("held up by", held_up(frame))) if len(each)]


def _as_text(frame):
    """Returns what a study's row says: a table's text; of rounds beside traffic that of the slowest,
    and what all of them went into."""
    if "round" not in frame:
        return frame.attrs["text"]
    path = slowest(frame)
    length = (path.to_ps.max() - path.from_ps.min()) / 1e6 if len(path) else 0.0
    return "\n".join([f"round {frame.attrs['round']}, the slowest: {length:.3f} us",
                      frame.attrs["text"].rstrip("\n"), *shares(frame)]) + "\n"


def plot(bars: Mapping[str, pandas.Series] | pandas.DataFrame, path: str, title: str) -> None:
    """Draws times by cause as stacked bars; as gnuplot.draw(). bars: by label, what sums returns, or a mean of
    several. Raises WormholeError if there is nothing to plot, too."""
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
    """Returns a colour for each cause: those that most bars have are the same in all plots."""
    own = {cause: palette[_USUAL.index(cause)] for cause in causes if cause in _USUAL}
    left = iter([colour for colour in palette if colour not in own.values()])
    return {cause: own.get(cause) or next(left) for cause in causes}


def columns(frame: pandas.DataFrame) -> dict[str, object]:
    """Returns a table as columns of a study's row: explanation, the text, and for each cause its time,
    us, as "send_overhead_us". Of rounds beside traffic these are means, and traffic_percent tells in
    which part of the time traffic was in the way."""
    beside = {"traffic_percent": float(held_up(frame).get("the traffic", 0.0))} \
        if "round" in frame else {}
    return {"explanation": _as_text(frame), **beside,
            **{f"{cause.replace('-', '_')}_us": time / frame.attrs.get("rounds", 1)
               for cause, time in sums(frame).items()}}


def cause_columns(frame: pandas.DataFrame) -> list[str]:
    """Returns the columns of studies.algorithms' table that have the time of a cause."""
    return [column for column in frame if column.endswith("_us")
            and column not in ("latency_us", "setup_us", "unloaded_us")]


def filled(frame: pandas.DataFrame, is_explained: pandas.Series) -> pandas.DataFrame:
    """Returns a table of studies with 0 for causes that explained rows do not have."""
    causes = cause_columns(frame)
    frame[causes] = frame[causes].where(frame[causes].notna() | ~is_explained, 0.0, axis=0)
    return frame
