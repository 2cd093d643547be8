# SPDX-License-Identifier: GPL-2.0-only
"""The table of crossover() as text and as a plot."""

import re
import textwrap

from ..collective.explain import cause_columns
from ..collective.hardware import ADD_ON, has, IN_SWITCH
from ..collective.values import algorithms, KINDS
from ..core import lengths
from ..core.errors import WormholeError
from ..core.gnuplot import COLOURS, draw, quoted, tic
from ..study.assumptions import changes_as_text
from ..study.crossover import crossovers, DEPLOYABLE, winners

_COLUMNS = 7  # lengths beside each other
_PANELS = 4
_LEAST_SHARE = 1  # % of a round's time, of causes that are shown
_SHOWN = 7  # algorithms with a colour
_LONG = 16384  # bytes of a vector that may be sent in segments


def as_text(table, place: str = "") -> str:
    """Returns tables in text: times, winners, lengths at which winners change, and which algorithm to choose."""
    of = table.iloc[0]
    load = f", beside traffic of load {of.load:g}" if of.load else ""
    machine = f"; machine: {table.attrs['machine']}" if "machine" in table.attrs else ""
    lines = [f"{of.kind}{f' on {place}' if place else ''}{load}{machine}"]
    lines += [table.attrs[name] for name in ("placement", "groups") if table.attrs.get(name)]
    for members, each in table.groupby("members", sort=True):
        lines += ["", f"{members} members: {_latency(table)} in us by length"]
        lines += _times(each)
        lines += ["", f"{members} members: the fastest by length, and what hardware would gain"]
        each.attrs.update(table.attrs)
        lines.append(_winners(winners(each)))
    if len(set(table.members)) > 1:
        lines += ["", "the fastest by length and number of members", _decision(winners(table))]
    lines += ["", *_changes(table)]
    marked = table[~table.needs.isin(DEPLOYABLE)]
    lines += checks(table, lengths.text)
    if len(marked):
        lines.append(legend(table))
    if (marked[marked.reason == ""].needs == "switch").any() and "btin" in algorithms(of.kind, data=True):
        lines.append(wrapped(
            "In the switches a vector is sent in segments of CollectiveUnit::SlotBytes, of which Window are "
            "outstanding. If long vectors gain nothing, increase both (--attribute=CollectiveUnit::SlotBytes=..., "
            "--windows=...), and have buffers hold a segment: --attribute=WormholePort::BufferDepth=..."))
    whole = table[(table.reason == "") & table.needs.isin(["software", "nic"]) & (table.bytes >= _LONG)]
    if of.kind in KINDS and len(whole) and not table.algorithm.str.contains("SegmentBytes=").any():
        lines.append(wrapped("Software algorithms sent whole messages. Long vectors may be faster in segments: "
                             "--segment-bytes=8KiB,64KiB"))
    if len(whole) and table.attrs.get("has_shallow_lanes"):
        lines.append(wrapped("The routes take several lanes: packets fit in a lane's buffer and wait for its credits. "
                             "Long messages may take half the time with --attribute=WormholePort::BufferDepth=4096"))
    refused = table[table.reason != ""]
    # Those that differ in the length that they name are one.
    alike = [re.sub(rf"\b{row.bytes}\b", "", row.reason) for row in refused.itertuples()]
    for _, each in refused.groupby(alike, sort=False):
        reason = each.reason.iloc[0]
        names = list(dict.fromkeys(each.algorithm))
        every = len(each) == len(table[table.algorithm.isin(names)])
        at = "" if every else f" at {lengths.text(each.bytes.min())}" + " and more" * (each.bytes.nunique() > 1)
        lines.append(wrapped(f"{', '.join(names)} can't{at}: {reason}"))
    return "\n".join(lines + table.attrs.get("free", []))


def legend(table) -> str:
    """Returns the meaning of a star: where the hardware is that each algorithm needs."""
    names = {place: [name for name in dict.fromkeys(table.algorithm) if has(words, name)] for place, words in (
        ("in switches", IN_SWITCH), ("in network adapters", {"nic"}), ("beside the network", ADD_ON))}
    own = {"in switches": "this machine's"} if table.attrs.get("has_in_switch") else {}
    return wrapped("*: " + "; ".join(f"{own.get(place, 'hypothetical')} hardware {place}: {', '.join(found)}"
                                     for place, found in names.items() if found))


def fastest(table) -> list[str]:
    """Returns lines that state what limits the fastest algorithm of each size. table: from studies.algorithms"""
    hardware = set(table[table.hypothetical].algorithm)
    return [f"{each['members']} hosts: {each['algorithm']} is the fastest"
            f"{' in hardware' * (each['algorithm'] in hardware)}, bound by {each['bound']} ({each['percent']:.0f} %)"
            for each in table.attrs.get("bounds", ()) if each["bound"]]


def checks(table, text_of) -> list[str]:
    """Returns lines that state what was left out, and on which unmeasured values the order depends. text_of: returns a
    length's text"""
    lines = [wrapped(table.attrs[name]) for name in ("rates", "left_out") if table.attrs.get(name)]
    if "varied" not in table.attrs:
        return lines
    if "bounds" in table.attrs:
        lines.append(wrapped("bound by: the largest part of the last round's critical path, and its share of the "
                             "time; window: the share that a window twice as long saves"))
    (checked, points), varied = table.attrs["checked"], table.attrs["varied"]
    at = "" if checked == points else f", at {checked} of {points} points"
    changes = changes_as_text(table.attrs["changes"], text_of)
    if changes:
        lines.append(f"the order depends on values that nobody measured (halved and doubled{at}):")
        lines += [wrapped(f"  {line}") for line in changes]
    elif varied:
        lines.append(wrapped(f"no order changes if one of these values, which nobody measured, is halved "
                             f"or doubled{at}: {', '.join(varied)}"))
    return lines


def causes_as_text(table) -> str:
    """Returns the fastest algorithm's time by cause, by number of members and length. table: an explained table"""
    able = table[(table.reason == "") & table.needs.isin(DEPLOYABLE)]
    best = able.loc[able.groupby(["members", "bytes"])["latency_us"].idxmin()]
    if best.empty:
        return ""  # the tables tell that there is no fastest
    causes = cause_columns(best)
    shares = 100 * best[causes].div(best[causes].sum(axis=1), axis=0)
    kept = [cause for cause in causes if (shares[cause] >= _LEAST_SHARE).any()]
    shares = shares[sorted(kept, key=lambda cause: -shares[cause].sum())]
    shares.columns = [column.removesuffix("_us").replace("_", " ") for column in shares]
    head = best[["members", "bytes", "algorithm"]].assign(bytes=[lengths.text(size) for size in best.bytes])
    told = "last round went into, %"
    if "traffic_percent" in best:
        head["waiting for traffic"] = best["traffic_percent"]
        told = "rounds went into, % (waiting for traffic is a part of the rest)"
    return f"what the fastest's {told}\n" + head.join(shares).to_string(
        index=False, na_rep="-", float_format=lambda share: f"{share:.0f}")


def wrapped(text: str) -> str:
    """Returns a sentence in lines for a terminal; all lines except the first are indented."""
    return textwrap.fill(text, 100, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _times(table):
    able = table[table.reason == ""].copy()
    able["algorithm"] += able.needs.map(lambda needs: "" if needs in DEPLOYABLE else " *")
    wide = able.pivot(index="algorithm", columns="bytes", values="latency_us")
    width = max(map(len, wide.index), default=0)
    lines = []
    for start in range(0, len(wide.columns), _COLUMNS):
        part = wide[wide.columns[start:start + _COLUMNS]].dropna(how="all")
        part = part.sort_values(part.columns[-1])
        lines.append(" " * width + "".join(f"{lengths.text(size):>11}" for size in part.columns))
        for name, row in part.iterrows():
            lines.append(f"{name:<{width}}" + "".join(
                f"{'-' if value != value else f'{value:.2f}':>11}" for value in row))
    return lines


def _winners(frame):
    shown = frame.assign(bytes=[lengths.text(size) for size in frame.bytes])
    columns = {"bytes": "bytes", "winner": "fastest", "latency_us": "us", "bound": "bound by",
               "next": "next", "next_factor": "x"}
    if (frame.hardware != "").any():
        columns.update(hardware="hardware", hardware_us="us ", hardware_bound="bound by ", gain="gain")
    columns = {name: head for name, head in columns.items() if name in shown}
    shown = shown[list(columns)].rename(columns=columns)
    return shown.to_string(index=False, na_rep="-", float_format=lambda value: f"{value:.2f}")


def _decision(frame):
    wide = frame.pivot(index="bytes", columns="members", values="winner")
    lines = [["bytes", *map(str, wide.columns)]]
    for size, row in wide.iterrows():
        if list(row) != lines[-1][1:]:
            lines.append([f"{lengths.text(size)} and more", *row])
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(f"{word:<{width}}" for word, width in zip(line, widths)).rstrip() for line in lines)


def _changes(table):
    frame = crossovers(table)
    if not len(frame):
        return ["the fastest is the same at all lengths" if winners(table).winner.any() else
                "there is no fastest: none of these is by what machines have today, software or the "
                "interface's remote writes"]
    return [f"{row.members} members: {row.below} up to {row.last_bytes} bytes, {row.above} from "
            f"{row.first_bytes}{' (with hardware)' if row.hardware else ''}"
            for row in frame.itertuples()]


def plot(table, path: str, title: str) -> None:
    """Plots times over lengths, with a panel for each number of members and shaded winners, like gnuplot.draw()."""
    groups = set(table.members)
    if len(groups) > _PANELS:
        raise WormholeError(f"{path}: {len(groups)} panels; expected up to {_PANELS} group sizes")
    draw(path, f"{150 + 700 * len(groups)},520", title, len(groups), script(table))


def script(table) -> list[str]:
    """Returns gnuplot's commands for all panels."""
    names = _chosen(table)
    latency = quoted(f"{_latency(table)}, µs")
    lines = ["set logscale xy 2", "set logscale y 10", "set grid x y lc rgb '#dddddd' lt 1",
             "set format y '%g'", "set xtics nomirror rotate by -45", "set ytics nomirror",
             "set key outside right top Left reverse invert samplen 2",
             f"set ylabel {latency} offset 1", "set xlabel 'length, bytes'"]
    for members in sorted(set(table.members)):
        lines += _panel(table[table.members == members], members, names)
    return lines


def _latency(table):
    """Returns what times are: medians if rounds or placements differ, else of each one."""
    return "median latency" if (table.latency_us < table.get("latency_us_p99", table.latency_us)).any() else "latency"


def _chosen(table):
    """Returns the algorithms that get a colour: first the winners, in software and of all, then the algorithms closest
    to them."""
    able = table[table.reason == ""]
    if not len(able):
        return []
    best = able.groupby(["members", "bytes"]).latency_us.transform("min")
    won = winners(table)
    wins = list(dict.fromkeys([*won.winner, *won[won.gain > 1].hardware]))
    near = (able.latency_us / best).groupby(able.algorithm).mean()
    sizes = able.groupby("algorithm").bytes.nunique()
    order = sorted(near.index, key=lambda name: (bool(sizes[name] == 1), near[name]))
    chosen: dict = {}  # by their times: of curves that lie on each other one is enough
    for name in dict.fromkeys([*filter(None, wins), *order]):
        chosen.setdefault(tuple(able[able.algorithm == name].latency_us), name)
    return list(chosen.values())[:max(_SHOWN, min(len(wins), len(COLOURS)))]


def _panel(table, members, names):
    sizes = sorted(set(table.bytes))
    needs = dict(zip(table.algorithm, table.needs))
    low, high = sizes[0], max(sizes[-1], sizes[0] * 2)
    # From the last one, which has a label; gnuplot leaves out that of a tic at the end of an axis.
    labelled = sizes[::-max(1, -(-len(sizes) // 12))]
    lines = ["unset object", f"set title {quoted(f'{members} members')}",
             f"set xrange [{low / 1.15}:{high * 1.15}]",
             "set xtics (" + ", ".join(f"{tic(lengths.text(size))} {size}" for size in labelled[::-1]) + ")"]
    colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}
    for start, end, name in _shades(table, low, high):
        lines.append(f"set object rectangle from {start}, graph 0 to {end}, graph 1 behind "
                     f"fillcolor rgb {quoted(colours.get(name, '#999999'))} fillstyle solid 0.15 noborder")
    plots, data = [], []
    able = table[table.reason == ""]
    others = [name for name in dict.fromkeys(able.algorithm) if name not in names]
    for name in [*others, *reversed(names)]:
        rows = able[able.algorithm == name]
        if not len(rows):
            continue
        points = dict(zip(rows.bytes, rows.latency_us))
        points.update((row["bytes"], row["latency_us"]) for row in table.attrs.get("between", ())
                      if row["algorithm"] == name and row["members"] == members)
        data += [f"{size} {points[size]!r}" for size in sorted(points)] + ["e"]
        if name in colours:
            dash, star, mark = ("", "", "pt 7 ps 0.5") if needs[name] in DEPLOYABLE \
                else ("dashtype 2 ", " *", "pt 6 ps 1.2")  # PNG may have no dashes
            plots.append(f"'-' using 1:2 with linespoints {mark} lw 2 {dash}lc rgb "
                         f"{quoted(colours[name])} title {quoted(name + star)}")
        else:
            first = name == others[0]
            some = " (* among them)" * any(needs[other] not in DEPLOYABLE for other in others)
            plots.append("'-' using 1:2 with lines lw 1 lc rgb '#bbbbbb' "
                         + (f"title 'others{some}'" if first else "notitle"))
    return [*lines, "plot " + ", ".join(plots), *data]


def _shades(table, low, high):
    frame = winners(table)
    changes = crossovers(table)
    changes = changes[(changes.members == table.members.iloc[0]) & ~changes.hardware.astype(bool)]
    edges = sorted(zip(changes.first_bytes, changes.above), key=lambda each: each[0])
    start, name = low, frame.winner.iloc[0]
    for edge, above in [*edges, (high, "")]:
        if name:
            yield start, edge, name
        start, name = edge, above
