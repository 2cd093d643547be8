# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Sets published figures of synchronisation hardware beside modelled and simulated ones."""

import math

from reproduce_summary import Missing, cells, deviation, read

HEADING = """\

# Synchronisation hardware for workstations: published, model, simulated

R. S. Hyder, D. A. Wood: "Synchronization Hardware for Networks of Workstations: Performance vs.
Cost" (1996). 32 nodes and a host; messages without delay, and delayed by 100 us. *Use*: `given`,
taken as it is; `fit`, costs were taken from this figure, so that it says nothing; `predicted`, they
were not. *Model*: closed forms, one event after the other. *Simulated*: processes that compute and
synchronise over simulated networks. *Deviation*: simulated against published, or the model's where
nothing is simulated. Notes are below each table. Barrier registers in the switches of the data
fabric, which the paper does not have, are in `sync-hardware.csv` beside its hardware.
"""

TITLES = {"1": "Table 1: latencies",
          "3": "Table 3: speedups, shared memory",
          "4": "Table 4: speedups, message passing",
          "5": "Table 5: speedups, Wisconsin Wind Tunnel",
          "6": "Table 6: speedups, data parallel",
          "7": "Table 7: break-even price of the hardware, dollars a node",
          "uniprocessor": "Nodes against one processor with all their memory"}

COLUMNS = "| figure | published | use | model | simulated | deviation | note |\n" \
          "|---|---|---|---|---|---|---|\n"

HARDWARE = {"none": "no hardware", "hw-1": "HW-1", "hw-all": "HW-All"}
NEVER, ALWAYS = 100, 5000  # dollars where the paper has words

FIT = 0.5  # by how many percent a fit may deviate
PREDICTED_LATENCY = 1.6  # and a predicted latency, but for that which can't be reproduced
NOT_REPRODUCED = "table-1-32-bit-add-to-one-node-none-100us"
DOLLARS = 60  # by how many dollars a price from printed speedups may, which they are rounded to


def number(text):
    """Returns a number, None where there is none."""
    value = float(text)
    return None if math.isnan(value) else value


class Hardware:
    """Results of the study of synchronisation hardware."""

    def __init__(self, path):
        self.rows = {(row["table"], row["row"], row["hardware"], float(row["delay_us"])): row
                     for row in read(path)}

    def compare(self, figure):
        """Returns modelled and simulated value of a figure; None: there is none."""
        place = (figure["table"], figure["row"], figure["hardware"], float(figure["delay_us"]))
        if place not in self.rows:
            raise Missing(f"{figure['id']}: no study of synchronisation hardware has it")
        return tuple(number(self.rows[place][name]) for name in ("model", "simulated"))


def differs(published, value):
    """Returns by how much a value deviates, as text."""
    if published == "never":
        return "none" if value < NEVER else "differs"
    if published == "always":
        return "none" if value > ALWAYS else "differs"
    return deviation(published, value)


def shown(value, table):
    """Returns a value as text."""
    if value is None:
        return ""
    return f"{value:.0f}" if table == "7" else f"{value:.2f}"


def trouble(figure, model, simulated):
    """Returns what is not as it must be, nothing if all is."""
    table, published = figure["table"], figure["value"]
    if figure["id"] == NOT_REPRODUCED:
        return ""
    if table == "7":
        bounds = {"never": (-math.inf, NEVER), "always": (ALWAYS, math.inf)}
        least, most = bounds.get(published) or (float(published),) * 2
        far = figure["row"] != "Aggregate" and not least - DOLLARS <= model <= most + DOLLARS
        return f"{figure['id']} is {published} and the model has {model:.0f}" if far else ""
    if figure["use"] == "predicted" and table != "1":
        return ""
    allowed = PREDICTED_LATENCY if figure["use"] == "predicted" else FIT
    for value in (model, simulated) if table == "1" else (model,):
        if abs(100 * (value / float(published) - 1)) > allowed:
            return f"{figure['id']} is {published} and came out as {value:.2f}"
    return ""


def table_text(figures, hardware, wrong):
    """Returns a table of some figures and its notes; adds to what is not as it must be."""
    lines, notes = [], []
    for figure in figures:
        model, simulated = hardware.compare(figure)
        bad = trouble(figure, model, simulated)
        wrong += [bad] if bad else []
        if figure["why"] and figure["why"] not in notes:
            notes.append(figure["why"])
        title = f"{figure['row']}, {HARDWARE[figure['hardware']]}"
        if figure["use"] != "given":
            title += f", {figure['delay_us']} us"
        unit = f" {figure['unit']}" if figure["unit"] == "us" else ""
        lines.append(cells(title, figure["value"] + unit, figure["use"],
                           shown(model, figure["table"]), shown(simulated, figure["table"]),
                           differs(figure["value"], model if simulated is None else simulated),
                           str(notes.index(figure["why"]) + 1) if figure["why"] else ""))
    return COLUMNS + "".join(lines) + "\n" + "".join(
        f"{i}. {note}\n" for i, note in enumerate(notes, 1))


def section(published_file, hardware):
    """Returns the text, and what is not as it must be."""
    text, wrong = HEADING, []
    figures = read(published_file)
    for table, title in TITLES.items():
        text += f"\n## {title}\n\n" + table_text([f for f in figures if f["table"] == table],
                                                 hardware, wrong)
    return text, wrong
