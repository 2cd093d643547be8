# SPDX-License-Identifier: GPL-2.0-only
"""The table of outages() as text, and its rounds as a plot over time."""

from ..core.gnuplot import COLOURS, draw, quoted

TITLE = "rounds through a failure and its repair"
_SHOWN = {"scheme": "scheme", "before_us": "before, us", "between_us": "between", "after_us": "after",
          "lost_rounds": "rounds lost", "to_first_us": "first after, us", "lost_us": "lost, us",
          "groups": "new groups", "setup_us": "set-up, us", "pays_after_rounds": "pays after", "needs": "needs"}


def as_text(table) -> str:
    """Returns a table in text for each failure, and why rounds were lost."""
    lines = []
    for (failure, part), rows in table.groupby(["failure", "part"], sort=False):
        shown = rows[list(_SHOWN)].rename(columns=_SHOWN)
        lines += [f"{failure} {part}:", shown.to_string(index=False, na_rep="-", float_format=lambda value:
                                                       f"{value:.4g}" if value < 1e4 else f"{value:.0f}")]
        lines += [f"  {row.scheme}: {f'without {row.missing}: ' if row.missing else ''}{row.reason}"
                  for row in rows.itertuples() if row.reason]
        lines.append("")
    return "\n".join(lines[:-1])


def plot(table, path: str, title: str = TITLE) -> None:
    """Plots latencies of rounds over time, with a panel for each failure in outages(), like gnuplot.draw()."""
    panels = table.failure.nunique()
    draw(path, f"{120 + 330 * panels},520", title, panels, script(table))


def script(table) -> list[str]:
    """Returns gnuplot's commands for all panels."""
    rows = [row for row in table.attrs["rounds"] if row["what"] == "round"]
    # Rounds that were lost took no time: they stand below all others.
    floor = min([row["end_us"] - row["begin_us"] for row in rows if not row["is_lost"]] or [1]) / 2
    lines = ["set logscale y", "set grid", "set xlabel 'time, ms'", "set tmargin 4", "set bmargin 9",
             "set ylabel 'duration of a round, us; x, at the bottom: lost'", f"set yrange [{floor / 1.3}:*]",
             # One legend, of the first panel, below all.
             "set key at screen 0.5,screen 0.01 center bottom vertical Left reverse "
             f"maxrows {2 if table.failure.nunique() > 2 else 4}"]
    if "down_us" in table.attrs:
        lines.append(f"set object rectangle from {table.attrs['down_us'] / 1e3},graph 0 to "
                     f"{table.attrs['up_us'] / 1e3},graph 1 behind fillcolor rgb '#e6e6e6' fillstyle solid noborder")
    for failure, part in table[["failure", "part"]].drop_duplicates().itertuples(index=False):
        parts, data = [], []
        for number, scheme in enumerate(table.scheme.drop_duplicates()):
            sign, colour = 7 + 2 * (number // len(COLOURS)), quoted(COLOURS[number % len(COLOURS)])
            size = max(0.4, 1.7 - 0.18 * number)  # what is drawn later leaves a rim of what it covers
            # In the legend larger than over time.
            parts.append(f"NaN with points pt {sign} ps 1.5 lc rgb {colour} title {quoted(scheme)} noenhanced")
            for is_lost, style in ((False, f"pt {sign} ps {size:.2f}"), (True, "pt 2 ps 1.2")):
                points = [f"{row['end_us'] / 1e3:.6f} "
                          f"{floor if is_lost else row['end_us'] - row['begin_us']:.6f}" for row in rows
                          if (row["scheme"], row["failure"], row["is_lost"]) == (scheme, failure, is_lost)]
                if points:
                    parts.append(f"'-' using 1:2 with points {style} lc rgb {colour} notitle")
                    data += [*points, "e"]
        lines += [f"set title {quoted(f'{failure}: {part}')} noenhanced", "plot " + ", ".join(parts), *data,
                  "unset key"]
    return lines
