# SPDX-License-Identifier: GPL-2.0-only
"""Which routes carry more: routing engines on six fabrics, and barriers under traffic with the best engines."""

import itertools
import pathlib

from .comparison import Caption, Chapter, Plots, read, rounded, Row, Section, Study
from .places import ROUTING_COMPARISON

PUBLISHED = pathlib.Path(__file__)  # nothing is
TITLE = "Routes that carry more: routing engines, and barriers on what they make"
SOURCE = "no paper"
INTRO = """\
The papers route by up\\*/down\\* from the first switch, with one route for all of a pair's traffic
(`up-down[Spread=first]`), which loads the root heavily. Here routing engines are compared under uniform traffic of
worms of 64 flits, with buffers of 128 flits in each lane. `full` is the load of each host, relative to a channel's
rate, at which the routes' busiest channel is full: an upper bound for fixed routes. For `adaptive`, also with one lane,
it is the bound of the preferred routes; worms leave these routes while they are busy, so `adaptive` may carry more.
`saturated` is the greatest load at which simulated latencies stay steady. Latency is the latency of worms at a tenth of
the least bound of the fabric's engines. Barriers are of 16 random hosts on the idle fabric, with a start-up of 2 us for
each message. Random fabrics are one drawing each. On the largest fabric only barriers are simulated, and notes name the
engines that are left out on large fabrics.
"""
FABRICS = ()

PLACES = {"irregular-16": "irregular:switches=16,hosts=48",
          "irregular-75": "irregular:switches=75,hosts=256",
          "irregular-150": "irregular:switches=150,hosts=512",
          "torus": "torus:8x8", "clos": "clos:ports=8", "dragonfly": "dragonfly:a=4,h=2,hosts=2"}
# Of fabrics on which a simulation takes long, the engines that differ there.
LARGE = ("--engines=up-down[Spread=first],up-down,balanced,depth-first[Root=best|Length=any],"
         "turn-prohibition,turn-prohibition[Lanes=4],lash,dfsssp,adaptive[Lanes=1],adaptive,"
         "adaptive[Lanes=4]",)
MORE = {"irregular-75": LARGE, "irregular-150": (*LARGE, "--no-simulate")}
COLUMNS = {"engine": "engine", "lanes": "lanes", "mean_channels": "channels of a route, mean",
           "longest": "most", "bound": "full", "saturation": "saturated",
           "latency_us": "latency, us", "btin_us": "btin, us", "dissemination_us": "dissemination, us"}

UNDER_LOAD = "Barriers beside traffic, by routing engine"
UNDER_LOAD_INTRO = """\
Does a barrier tree in switches still win if the fabric's root is not heavily loaded? Mean latency of a barrier of all
256 hosts of the random fabric with 75 switches, under uniform traffic of worms of 64 flits at the load in the first
column, with buffers of 512 flits. A saturated fabric has no mean. Unlike in *Barriers under load* (Moh et al.), where
`--receive=0us` is set, software needs its default of 1 us to receive a message: the root of the multicast scheme
receives 255 messages one after another, and no route can change these 255 us.
"""
ENGINES = {"first": "up-down[Spread=first]", "depth-first": "depth-first[Root=best|Length=any]",
           "adaptive": "adaptive[Lanes=4]"}
LOADS = (0.005, 0.01, 0.02, 0.03, 0.04)


def studies() -> list[Study]:
    """Returns the studies: engines on each fabric, and barriers under load for each engine."""
    found = [Study(f"routing-{place}", ROUTING_COMPARISON,
                   (f"--fabrics={text}", "--worms=256", "--jobs=1",
                    "--attribute=WormholePort::BufferDepth=128", *MORE.get(place, ())))
             for place, text in PLACES.items()]
    return found + [
        Study(f"routed-barriers-{name}", "barriers-under-load",
              (f"--topology={PLACES['irregular-75']}", f"--routing={engine}", "--rounds=50",
               f"--loads={','.join(map(str, LOADS))}", "--attribute=WormholePort::BufferDepth=512"))
        for name, engine in ENGINES.items()]


def plots() -> list[Plots]:
    """Returns the plots: bounds and saturation by engine."""
    return [Plots("routing-", tuple(f"routing-{place}" for place in PLACES),
                  {place: Caption(f"{text}: the load at which the busiest channel is full if routes are fixed, "
                                  "and where simulated, the greatest steady load (saturated), by routing engine; "
                                  "adaptive engines use another channel if one is full, and may carry more than "
                                  "the former load", text)
                   for place, text in PLACES.items()})]


def engines(text: str, path) -> Section:
    """Returns the table of a fabric, best engine first, and why engines can't serve it or are left out."""
    rows = read(path)
    columns = [name for name in COLUMNS if name in rows[0]]
    able = [row for row in rows if row["bound"]]
    best = "saturation" if "saturation" in columns else "bound"
    able.sort(key=lambda row: -float(row[best] or 0))
    section = Section(text, tuple(COLUMNS[name] for name in columns), [
        Row(tuple(row[name].removesuffix(".0") if name in ("engine", "lanes", "longest") else rounded(row[name])
                  for name in columns)) for row in able])
    unable = sorted((row for row in rows if row["reason"]), key=lambda row: row["reason"])
    section.notes += [", ".join(f"`{row['engine']}`" for row in alike) + f": {reason}"
                      for reason, alike in itertools.groupby(unable, lambda row: row["reason"])]
    if MORE.get(path.stem.removeprefix("routing-")):
        every = [row["engine"] for row in read(path.with_name("routing-irregular-16.csv")) if row["bound"]]
        left_out = ", ".join(f"`{name}`" for name in every if name not in {row["engine"] for row in rows})
        section.notes.append(f"{left_out}: left out on a fabric of this size")
    return section


def under_load(paths) -> Section:
    """Returns the table of barriers under traffic. paths: CSVs by engine"""
    found = {(row["load"], row["algorithm"], engine): row for engine, path in paths.items() for row in read(path)}
    loads, algorithms, _ = (list(dict.fromkeys(keys)) for keys in zip(*found))
    return Section(UNDER_LOAD, ("load", "barrier", *paths), [
        Row((rounded(load), algorithm, *(
            f"{float(row['latency_us_mean']):.2f} us" if row["state"] == "steady" else row["state"]
            for row in (found[load, algorithm, engine] for engine in paths))))
        for load in sorted(loads, key=float) for algorithm in algorithms], intro=UNDER_LOAD_INTRO)


def chapter(results) -> Chapter:
    """Returns the tables: engines by fabric, and barriers under traffic."""
    sections = [engines(text, results / f"routing-{place}.csv") for place, text in PLACES.items()]
    sections.append(under_load({engine: results / f"routed-barriers-{name}.csv" for name, engine in ENGINES.items()}))
    return Chapter(TITLE, SOURCE, INTRO, sections)
