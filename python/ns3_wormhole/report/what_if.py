# SPDX-License-Identifier: GPL-2.0-only
"""The table of what_if() as text and as a plot."""

from ..core.gnuplot import COLOURS, draw, quoted, tic
from ..core.texts import split

_SHOWN = 60  # rows of a plot
_EACH = 16  # rows up to which each variant has its own
_LISTED = 8  # hosts that a line lists


def latencies(frame) -> list[str]:
    """Returns the names of the collectives."""
    return [column.removesuffix("_us") for column in frame.columns if column.endswith("_us")]


def as_text(frame) -> str:
    """Returns the table as text, and a line for each variant that needs more explanation."""
    shown = frame[["variant", "routing", "cut_off", "height"]].copy()
    shown["height"] = frame.height.astype("string").fillna("-")
    shown = shown.rename(columns={"cut_off": "cut off"})
    for title, value, factor, digits in (
            ("bound", "saturation_bound", "saturation_bound_factor", 4),
            *((f"{name}, us", f"{name}_us", f"{name}_factor", 3) for name in latencies(frame))):
        fewer = frame.cut_off > 0 if value == "saturation_bound" else frame.members < frame.members.iloc[0]
        shown[title] = [f"{a:.{digits}f} ({'-' if less else f'{b:.2f}'})" if a == a else "-"
                        for a, b, less in zip(frame[value], frame[factor], fewer)]
        if value == "saturation_bound":
            shown["of equal split"] = [f"{each:.2f}" if each == each else "-" for each in frame.of_equal_split]
        tail = value.removesuffix("_us") + "_p99"
        if tail in frame:
            shown[title.removesuffix("us") + "p99"] = [f"{each:.{digits}f}" if each == each else "-"
                                                       for each in frame[tail]]
    lines = [shown.to_string(index=False),
             "bound: load of each host at which the busiest channel is full; (x): relative to the whole "
             "fabric; of equal split: relative to the bound if all shortest paths are used equally"]
    if frame.cut_off.any():
        lines.append("(-): hosts are cut off, and those that are left are not comparable with all of them")
    if "machine" in frame.attrs:
        lines.append(f"machine: {frame.attrs['machine']}")
    if frame.attrs.get("rates"):
        lines.append(frame.attrs["rates"])
    if hardware := frame.attrs.get("hardware"):
        lacking = frame.attrs["why_not"]
        lines.append(f"hardware in the switches or beside the network: {', '.join(hardware)}"
                     + (f"; this machine's switches do no collectives ({lacking})" if lacking else ""))
    whole = frame.routing.iloc[0]
    if whole != "up-down" and any(routing == "up-down" for routing in frame.routing):
        lines.append(f"up-down: routes computed anew where {whole} does not fit")
    if frame.attrs.get("repaired"):
        lines.append("fat-tree, without a part: routes whose cables remain are kept from the whole fabric "
                     f"({whole}), other routes are computed by fat-tree")
    of_whole = frame.refused.iloc[0].partition(": ")[0]
    for variant, own in frame.attrs.get("new", {}).items():
        if own:
            lines.append(f"{variant} has {', '.join(map(' '.join, own.items()))}")
    for row in frame.itertuples():
        if row.cut_off:
            hosts = split(row.cut_off_hosts)
            more = f" and {len(hosts) - _LISTED} more" if len(hosts) > _LISTED else ""
            lines.append(f"{row.variant} cuts off {', '.join(hosts[:_LISTED])}{more}")
        # What is refused of the whole fabric, too, is told once.
        if row.refused and (row.Index == 0 or row.refused.partition(": ")[0] != of_whole):
            lines.append(f"{row.variant}: {row.refused}")
    return "\n".join(lines)


def plot(frame, path: str, title: str) -> None:
    """Plots latencies and bounds, with a row for each variant and the worst variant on top, like gnuplot.draw(). If
    there are many variants, those with the same values share a row."""
    alike: dict[tuple, list[int]] = {}
    columns = ["cut_off", "saturation_bound", *(f"{name}_us" for name in latencies(frame))]
    for at, values in enumerate(zip(*(frame[column] for column in columns))):
        # The first row is the whole fabric's.
        own = at if len(frame) <= _EACH else min(at, 1)
        alike.setdefault((own, *(f"{value:.6g}" for value in values)), []).append(at)
    every = frame.iloc[[places[0] for places in alike.values()]]
    rows = every.head(_SHOWN + 1)
    if len(every) > len(rows):
        title += f" (the worst {_SHOWN} of {len(every) - 1})"
    height = 130 + 17 * len(rows)
    texts = [row.variant + (f" ({row.cut_off} hosts cut off)" if row.cut_off else "")
             + (f" and {len(places) - 1} like it" if len(places) > 1 else "")
             for row, places in zip(rows.itertuples(), alike.values())]
    left = 60 + 7.5 * max(map(len, texts))
    width = left + 780
    draw(path, f"{width:.0f},{height}", title, 2, _script(rows, texts, left, width, height))


def _script(rows, texts, left, width, height):
    names, count = latencies(rows), len(rows)
    labels = ", ".join(f"{tic(text)} {count - i}" for i, text in enumerate(texts))
    lines = [f"set yrange [0.3:{count + 0.7}]", "set grid x y lc rgb '#dddddd' lt 1",
             f"set tmargin screen {1 - 75 / height:.4f}", f"set bmargin screen {65 / height:.4f}",
             f"set key at graph 1, screen {1 - 35 / height:.4f} right top horizontal",
             "set xrange [0:*]", "set ytics nomirror", "set xtics nomirror",
             f"set ytics ({labels})", f"set lmargin screen {left / width:.4f}",
             f"set rmargin screen {(left + 400) / width:.4f}",
             "set xlabel 'latency, µs'",
             f"set label 1 'variant' at screen {15 / width:.4f}, graph 0.5 center rotate"]
    lines += _panel(rows, [(f"{name}_us", name) for name in names], COLOURS)
    lines += [f"set lmargin screen {(left + 440) / width:.4f}",
              f"set rmargin screen {1 - 30 / width:.4f}", "unset label 1",
              "set ytics (" + ", ".join(f"'' {i}" for i in range(1, count + 1)) + ")",
              'set xlabel "saturation bound: load of each host,\\nratio of a channel\'s rate"']
    lines += _panel(rows, [("saturation_bound", "busiest channel is full")], ("#444444",))
    return lines


def _panel(rows, columns, colours):
    lines, plots = ["unset arrow"], []
    for number, (column, title) in enumerate(columns):
        colour = colours[number % len(colours)]
        points = [(value, len(rows) - i) for i, value in enumerate(rows[column]) if value == value]
        if not points:
            continue  # the whole fabric refuses it
        lines += [f"set arrow from {points[0][0]:.9g},graph 0 to {points[0][0]:.9g},graph 1 nohead "
                  f"dt 2 lc rgb {quoted(colour)}",
                  f"$d{number} << E", *(f"{x:.9g} {y}" for x, y in points), "E"]
        plots.append(f"$d{number} using 1:2 with points pt 7 ps 1.2 lc rgb {quoted(colour)} "
                     f"title {quoted(title)}")
    return [*lines, "plot " + ", ".join(plots)]
