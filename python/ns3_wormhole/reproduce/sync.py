# SPDX-License-Identifier: GPL-2.0-only
"""Hyder and Wood (1996): synchronisation hardware for workstations."""

import math

from ..core.errors import WormholeError
from . import network_done, sync_claims, sync_conclusions
from .comparison import (by_chance, Caption, Chapter, CHECK, Deviation, deviation, DIFFERS, FIT, gain, HOLDS,
                         is_near_copy, Plots, PREDICTED, read, REPEATED, Row, Section, Study)
from .places import DATA

SYNC = "sync-hardware"
BESIDE = "broadcast-load"
DONE = "network-done"
PUBLISHED = DATA / "sync-hardware-published.csv"

TITLE = "Synchronisation hardware for workstations: published, model, simulated"
SOURCE = "Hyder and Wood, 1996"
INTRO = """\
R. S. Hyder, D. A. Wood: "Synchronization Hardware for Networks of Workstations: Performance vs.
Cost" (1996). 32 nodes and a host; messages without delay, and delayed by 100 us. *Use*: `given`: the figure is taken as
it is; `fit`: costs were taken from this figure, so that its agreement says nothing; `predicted`: they were not;
`near-copy`: they were not, but the fitted figure beside it is printed within 5 % of it, so that it counts as a fit;
`repeated`: HW-All's price for an application that uses only HW-1, which is the price of HW-1; `formula`: the figure
follows from prices alone. *Against the fitted cell*: by how much a speedup differs from the fitted speedup of the same
row and delay, as printed and here, and by how many per cent this difference is off. *Model*: closed forms, one event
after another. *Simulated*: processes that compute and synchronise over networks without contention. *Deviation*:
simulated (else modelled) against published. Notes are below each table. Barrier registers in the switches of the data
fabric, which the paper does not have, are compared with its hardware in `sync-hardware.csv`.
"""

TITLES = {"1": "Table 1: latencies",
          "3": "Table 3: speedups, shared memory",
          "4": "Table 4: speedups, message passing",
          "5": "Table 5: speedups, Wisconsin Wind Tunnel",
          "6": "Table 6: speedups, data parallel",
          "7": "Table 7: break-even price of the hardware, dollars a node",
          "uniprocessor": "Nodes against one processor with all their memory"}

COLUMNS = ("figure", "published", "use", "model", "simulated", "deviation", "against the fitted cell", "note")

HARDWARE = {"none": "no hardware", "hw-1": "HW-1", "hw-all": "HW-All"}
SPEEDUPS = "3456"  # tables of speedups, where some cells of a row are fitted
AGGREGATE = "Aggregate"  # of all applications
NEVER, ALWAYS = 100, 5000  # dollars where the paper has words

FIT_MARGIN = 0.5  # by how many percent a fit may deviate
PREDICTED_LATENCY = 1.6  # and a predicted latency, but for that which can't be reproduced
NOT_REPRODUCED = "table-1-32-bit-add-to-one-node-none-100us"
DOLLARS = 60  # by how many dollars a price from printed speedups may, which they are rounded to

FABRICS = ()


def studies() -> list[Study]:
    """Returns the main study, and studies for claims of the text."""
    files = {"workloads": DATA / "sync-workloads.json", "published": PUBLISHED}
    return [Study("sync-hardware", SYNC,
                  ("--table=1,3,4,5,6,7,uniprocessor",
                   *(f"--{option}={path}" for option, path in files.items())), files=tuple(files.values())),
            Study("sync-by-adding", SYNC, ("--table=5", "--hardware=none", "--delays=0us",
                                           "--networkDone=add")),
            Study("sync-communicates", SYNC,
                  ("--table=5", "--hardware=hw-1,hw-all", "--delays=0us",
                   f"--workloads={sync_claims.WORKLOADS}"), files=(sync_claims.WORKLOADS,)),
            Study(sync_claims.TWICE, SYNC, ("--table=5", "--networkDoneSums=2")),
            Study(sync_claims.TWICE_COMMUNICATES, SYNC,
                  ("--table=5", "--hardware=hw-1,hw-all", "--delays=0us", "--networkDoneSums=2",
                   f"--workloads={sync_claims.WORKLOADS}"), files=(sync_claims.WORKLOADS,)),
            *(Study(f"sync-throttled-{name}", SYNC,
                    ("--table=6", "--hardware=none", "--delays=0us", option))
              for name, option in sync_claims.THROTTLES.items()),
            *(Study(f"broadcast-load-{name}", BESIDE, ("--loads=0.2,0.3", "--rounds=16", *options))
              for name, (_, *options) in sync_claims.SITUATIONS.items()),
            *(Study(name, DONE, tuple(options))
              for name, (_, *options) in network_done.SITUATIONS.items()),
            *sync_conclusions.studies()]


def plots() -> list[Plots]:
    """Returns the plots."""
    return [Plots("sync-", ("sync-hardware",), {
        "latency": Caption("Table 1 as bars: latencies of synchronisation on 32 nodes; those of the hardware, "
                           "in the upper panel, do not depend on the delay of messages", TITLES["1"]),
        "speedup": Caption("Tables 3 to 6 as bars: speedups on 32 nodes; applications without reductions and "
                           "broadcasts have HW-1 alone", TITLES["6"]),
        "break-even": Caption("Table 7 as bars: price at which the hardware pays; published words are drawn as 100 "
                              "(never) and 5,000 (always), and values beyond the axis are not drawn", TITLES["7"])}),
            Plots("communicates-", ("sync-communicates",), {
                "by-number": Caption("Not in the paper: speedups over the share of quanta with "
                                     "messages; the y axes do not begin at 0",
                                     sync_claims.ORDER)}),
            *(Plots(f"broadcasts-{name}-", (f"broadcast-load-{name}",), {
                "time": Caption(f"Not in the paper: time per broadcast of {what} over the window; the right "
                                "end is without a window",
                                sync_claims.BESIDE),
                "latency": Caption(f"Not in the paper: broadcasts of {what} until all have them",
                                   sync_claims.BESIDE),
                "traffic": Caption(f"Not in the paper: data worms beside broadcasts of {what}",
                                   sync_claims.BESIDE)})
              for name, what in (("one", "one root"), ("eight", "eight roots"))),
            Plots("done-", (network_done.MAIN,), {
                "latency": Caption("Not in the paper: latency of Network-Done over messages, and the "
                                   "time until all are received; the axes have no place for 0 messages or 0 "
                                   "sums. Method=acks: by acknowledgements, with a barrier by Inner", network_done.HEADING),
                "step": Caption("Not in the paper: time of a round", network_done.HEADING),
                "sums": Caption("Not in the paper: sums in a round", network_done.HEADING)})]


def place_of(row):
    """Returns table, row, hardware and delay of a figure or a row."""
    return row["table"], row["row"], row["hardware"], float(row["delay_us"])


class Hardware:
    """Results of the study of synchronisation hardware."""

    def __init__(self, path):
        self.rows = {place_of(row): row for row in read(path)}

    def compare(self, figure):
        """Returns the modelled and the simulated value of a figure; None: there is none."""
        if (place := place_of(figure)) not in self.rows:
            raise WormholeError(f"{figure['id']}: no study of synchronisation hardware has it")
        values = (float(self.rows[place][name]) for name in ("model", "simulated"))
        return tuple(None if math.isnan(value) else value for value in values)


def shown(value, table):
    """Returns a value as text."""
    return "" if value is None else f"{value:.0f}" if table == "7" else f"{value:.2f}"


def trouble(figure, model, simulated):
    """Returns a text on a value that is not as it must be, else nothing."""
    table, published = figure["table"], figure["value"]
    if figure["id"] == NOT_REPRODUCED:
        return ""
    if table == "7":
        bounds = {"never": (-math.inf, NEVER), "always": (ALWAYS, math.inf)}
        least, most = bounds.get(published) or (float(published),) * 2
        far = figure["row"] != AGGREGATE and not least - DOLLARS <= model <= most + DOLLARS
        return f"{figure['id']} is {published} and the model has {model:.0f}" if far else ""
    if figure["use"] in ("predicted", "formula") and table != "1":
        return ""
    allowed = PREDICTED_LATENCY if figure["use"] == "predicted" else FIT_MARGIN
    for value in (model, simulated) if table == "1" else (model,):
        if abs(100 * (value / float(published) - 1)) > allowed:
            return f"{figure['id']} is {published} and came out as {value:.2f}"
    return ""


def differs(published: str, value: float) -> Deviation:
    """Returns the deviation of a value."""
    if published in ("never", "always"):
        return HOLDS if (value < NEVER if published == "never" else value > ALWAYS) else DIFFERS
    return deviation(published, value)


def fitted_beside(figure, figures):
    """Returns the fitted speedup of a predicted speedup's row and delay; None: there is none."""
    place = figure["table"], figure["row"], figure["delay_us"]
    if figure["use"] != "predicted" or figure["table"] not in SPEEDUPS:
        return None
    return next((other for other in figures if other["use"] == "fit"
                 and (other["table"], other["row"], other["delay_us"]) == place), None)


def use_of(figure, figures) -> str:
    """Returns a figure's use, as in the table."""
    fit = fitted_beside(figure, figures)
    if figure["table"] == "7" and figure["row"] != AGGREGATE and figure["hardware"] == "hw-all" and not any(
            other["row"].partition("-")[0] == figure["row"] and other["hardware"] == "hw-all" for other in figures
            if other["table"] in SPEEDUPS):  # the inputs of WWT are rows of their own
        return "repeated"
    return "near-copy" if fit and is_near_copy(figure["value"], fit["value"]) else figure["use"]


def price_parts(hardware, delay, figures, results) -> list[float]:
    """Returns by how many percent the prices in an aggregate deviate. delay: in us"""
    return [differs(each["value"], results.compare(each)[1]).percent for each in figures
            if (each["table"], each["hardware"], float(each["delay_us"])) == ("7", hardware, float(delay))
            and each["row"] != AGGREGATE]


def against_fit(figure, figures, hardware) -> str:
    """Returns how a predicted speedup differs from the fitted speedup of the same row and delay."""
    pair = figure, fitted_beside(figure, figures)
    return "" if pair[1] is None else gain(tuple(float(each["value"]) for each in pair),
                                           tuple(hardware.compare(each)[1] for each in pair))


def section_of(table, all_figures, hardware, wrong) -> Section:
    """Returns a table of the paper; appends texts on values that are not as they must be."""
    figures = [figure for figure in all_figures if figure["table"] == table]
    section = Section(TITLES[table], COLUMNS, numbered=True)
    for figure in figures:
        model, simulated = hardware.compare(figure)
        wrong += filter(None, [trouble(figure, model, simulated)])
        title = f"{figure['row']}, {HARDWARE[figure['hardware']]}" \
            + f", {figure['delay_us']} us" * (figure["use"] != "given")
        unit = " us" * (figure["unit"] == "us")
        off = differs(figure["value"], model if simulated is None else simulated)
        if figure["row"] == AGGREGATE:
            off = by_chance(off, price_parts(figure["hardware"], figure["delay_us"], figures, hardware))
        use = use_of(figure, all_figures)
        section.rows.append(Row(
            (title, figure["value"] + unit, use, shown(model, table),
             shown(simulated, table), "" if figure["use"] == "fit" else off.text,
             against_fit(figure, figures, hardware), section.note(figure["why"])),
            figure["id"], {"predicted": PREDICTED, "repeated": REPEATED, "formula": CHECK}.get(use, FIT), off.percent,
            made_by=(SYNC,)))
    return section


def chapter(results) -> Chapter:
    """Returns the paper's part of the report. results: a folder"""
    hardware = Hardware(results / "sync-hardware.csv")
    figures, wrong = read(PUBLISHED), []
    sections = [section_of(table, figures, hardware, wrong) for table in TITLES]
    sections.insert(1, sync_conclusions.rates())
    throttled = [read(results / f"sync-throttled-{name}.csv") for name in sync_claims.THROTTLES]
    done = {name: read(results / f"{name}.csv") for name in network_done.SITUATIONS}
    sections += [
        sync_conclusions.Claims(figures, hardware.rows, results).section(),
        sync_claims.claims((hardware.rows, read(results / "sync-by-adding.csv"), throttled, done[network_done.MAIN]),
                           lambda *place: price_parts(*place, figures, hardware)),
        sync_claims.twice([f for f in figures if f["table"] == "5"],
                          hardware, Hardware(results / f"{sync_claims.TWICE}.csv")),
        sync_claims.order(*(read(results / f"{name}.csv") for name in (
            "sync-communicates", sync_claims.TWICE_COMMUNICATES))),
        sync_claims.beside({name: read(results / f"broadcast-load-{name}.csv") for name in sync_claims.SITUATIONS}),
        network_done.section(done)]
    return Chapter(TITLE, SOURCE, INTRO, sections, wrong)
