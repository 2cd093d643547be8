# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Sets published figures of communication trees beside modelled and simulated ones."""

from reproduce_summary import Missing, cells, deviation, read, shown, told

HEADING = """\

# Trees of processes: published, model, simulated

J. Cordsen, H. W. Pohl, W. Schröder-Preikschat: "Performance Considerations in Software Multicasts"
(1997). *Model*: the paper's cost model, s and r for every message. *Simulated*: messages between
simulated hosts on an ideal network; what a fabric adds is in the plots. Steps are microseconds of
s = 1 us. Measured: on a real machine, so that the model need not be exact.
"""

COLUMNS = "| figure | published | model | simulated | deviation | note |\n" \
          "|---|---|---|---|---|---|\n"

UNITS = {"steps": " steps", "us": " us", "processes": "", "": ""}


def matches(row, **place):
    """Returns whether a row has these values, numbers as numbers."""
    return all(row[name] == value if name in ("tree", "network")
               else abs(float(row[name]) - float(value)) < 5e-4 for name, value in place.items())


class Trees:
    """Results of the study of trees."""

    def __init__(self, finish_files, arrival_files, speed_files):
        self.finish = [row for path in finish_files for row in read(path)]
        self.arrivals = [row for path in arrival_files for row in read(path)]
        self.speed = [row for path in speed_files for row in read(path)]

    def one(self, figure, rows, **place):
        """Returns the row for a figure."""
        costs = {"s_us": figure["s_us"], "r_us": figure["r_us"]}
        for row in rows:
            if matches(row, **costs, **place):
                return row
        raise Missing(f"{figure['id']}: no study of trees has it")

    def compare(self, figure):
        """Returns model and simulated value of a figure; None: there is none."""
        quantity = figure["quantity"]
        tree = {"tree": figure["tree"], "network": "ideal", "processes": figure["processes"]}
        if quantity == "finish":
            row = self.one(figure, self.finish, **tree)
            return float(row["finish_us_model"]), float(row["finish_us_simulated"])
        if quantity == "arrivals":
            row = self.one(figure, self.arrivals, time_us=figure["time_us"], **tree)
            return int(row["arrivals_model"]), int(row["arrivals_simulated"])
        if quantity == "lambda":
            return float(self.one(figure, self.speed)["lambda"]), None
        if quantity == "population":
            return int(self.one(figure, self.speed, time_us=figure["time_us"])["processes"]), None
        raise Missing(f"{figure['id']}: quantity '{quantity}' is not known")


def title(figure):
    """Returns what a figure is about."""
    ratio = f"s = {figure['s_us']}, r = {figure['r_us']}"
    return {"finish": "{tree} tree, {processes} processes, done",
            "arrivals": "{tree} tree, {processes} processes, arrivals at step {time_us}",
            "lambda": "lambda",
            "population": "f({time_us})"}[figure["quantity"]].format(**figure) + f" ({ratio})"


def is_as_published(figure, value):
    """Returns whether a value is the published one, as far as that goes."""
    if figure["value"].startswith("below "):
        return value < float(figure["value"].split()[-1])
    decimals = len(figure["value"].partition(".")[2])
    return abs(value - float(figure["value"])) <= 0.5000001 * 10 ** -decimals


def section(published_file, trees):
    """Returns the text, and what must be as published but is not."""
    text = HEADING + "\n" + COLUMNS
    wrong = []
    for figure in read(published_file):
        model, simulated = trees.compare(figure)
        best = model if simulated is None else simulated
        exact = is_as_published(figure, best)
        if figure["source"] != "measured" and exact != (figure["reproducible"] == "yes"):
            wrong.append(f"{figure['id']} is {figure['value']} and came out as {shown(best)}")
        if figure["value"].startswith("below "):
            differs = "none" if exact else "not below"
        else:
            differs = "none" if exact else deviation(figure["value"], best)
        source = {"formula": " (formula)", "measured": " (measured)"}.get(figure["source"], "")
        decimals = 5 if figure["quantity"] == "lambda" else 0
        text += cells(title(figure),
                      figure["value"] + UNITS[figure["unit"]] + source,
                      f"{model:.{decimals}f}",
                      "" if simulated is None else f"{simulated:.{decimals}f}",
                      differs,
                      told(figure))
    return text, wrong
