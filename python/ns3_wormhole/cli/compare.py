# SPDX-License-Identifier: GPL-2.0-only
"""The command ns3-wormhole compare."""

import math
import warnings

import click

from ..collective import explain
from ..core import options
from ..core.errors import WormholeError, translated
from ..core.gnuplot import COLOURS, draw, quoted
from ..core.loader import ns
from ..core.options import examples
from ..report import crossover as output, tuning
from ..study import spread, studies
from .timeline import with_timeline

# Student's t for 95 %, by up to how many values.
_T = ((2, 12.71), (3, 4.31), (4, 3.19), (5, 2.78), (6, 2.58), (8, 2.45), (10, 2.31), (20, 2.23), (math.inf, 2.09))
# Other names, for options that other commands have under these names.
ALIASES = {"names": "--algorithms", "runs": "--placements", "placement": "--order",
           "load_flits": "--flits", "load_pattern": "--pattern"}
# Arguments of compare that need bytes.
_OF_LENGTHS = ("bytes", "transports", "segment_bytes", "windows", "network", "latency",
               "tolerance", "open_mpi_rules", "tuning")


@options.interruptible
def compare(csv, **values):
    """Compares algorithms on a fabric: each runs one round, which all members enter at once.

    With --bytes, compares data-moving algorithms by length. Shows the fastest algorithm at each length, the lengths
    (also between those given) at which the fastest algorithm changes, what in-switch reduction would gain, and which
    algorithm to choose for each length and number of members.
    """
    given = options.arguments_from(values)
    # None of a check's measurements belongs to a table, to traffic, or to a timeline.
    others = {"--csv": csv is not None, "--load": "load" in given,
              "--timeline": click.get_current_context().params.get("timeline") is not None}
    without_check = next((name for name, is_there in others.items() if is_there), None)
    is_csv = without_check == "--csv"  # which --no-check suits: it asks for nothing
    if without_check is not None and "check" in given and (given["check"] or not is_csv):
        raise WormholeError(f"{'--check has' if is_csv else '--check and --no-check have'} no effect with "
                            f"{without_check}; expected one of the two")
    given["check"] = given.get("check", without_check is None)
    if "bytes" in given:
        compare_lengths(csv, given)
        return
    plot = given.pop("plot", None)
    for name in _OF_LENGTHS:
        if name in given:
            value = ",".join(given[name]) if name == "tuning" else given[name]
            raise WormholeError(f"--{name.replace('_', '-')}={value}: has no effect without "
                                "--bytes; expected both or none")
    options.check_files(csv, plot=plot)
    frame = studies.algorithms(**given)
    if plot is not None:
        (plot_causes if "explain" in given else plot_times)(frame, plot)
    if csv is not None:
        options.write_table(csv, frame)
        _warn_left_out(frame)
        return
    print(compared(frame))
    if "explain" in given:
        print(explained(frame))


def _warn_left_out(frame) -> None:
    if frame.attrs["left_out"]:
        warnings.warn(frame.attrs["left_out"], stacklevel=2)


def explained(frame) -> str:
    """Returns the latency breakdown of each algorithm's last round as text; with traffic, the breakdowns of the slowest
    round and of all rounds."""
    able = frame[frame.refused == ""].drop_duplicates("algorithm", keep="last")
    return "\n".join(f"\n{row.algorithm}, {row.group_size} hosts: {row.latency_us:.3f} us\n"
                     f"{row.explanation}".rstrip()
                     for row in able.sort_values("latency_us").itertuples())


def plot_times(frame, path) -> None:
    """Plots each algorithm's mean latency over the group size; error bars show the 95 % interval of the mean over
    several random groups or, with traffic, end at the mean of the rounds' 99th percentiles."""
    able = frame[frame.refused == ""]
    lines = ["set logscale xy", "set grid x y lc rgb '#dddddd' lt 1",
             "set key outside right top Left reverse noenhanced",
             "set xlabel 'members'", "set ylabel 'us'", "set offsets graph 0.05, graph 0.05, 0, 0",
             "set xtics (" + ", ".join(map(str, sorted(set(able.group_size)))) + ")"]
    plots = []
    for number, (name, own) in enumerate(able.groupby("algorithm", sort=False)):
        lines.append(f"$d{number} << E")
        for size, some in own.groupby("group_size"):
            mean, count = some.latency_us.mean(), len(some)
            student = next(t for most, t in _T if count <= most)
            half = student * some.latency_us.std() / count ** 0.5 if count > 1 else 0.0
            high = some.latency_us_p99.mean() if "latency_us_p99" in some else mean + half
            lines.append(f"{size} {mean:.9g} {max(mean - half, mean / 100):.9g} {high:.9g}")
        lines.append("E")
        colour, dashes = COLOURS[number % len(COLOURS)], 1 + number // len(COLOURS)
        plots.append(f"$d{number} using 1:2:3:4 with yerrorlines pt 7 ps 0.6 lw 1.5 lc rgb {quoted(colour)} "
                     f"dt {dashes} title {quoted(str(name))}")
    of = frame.iloc[0]
    draw(path, "900,480", f"{of.kind} on {of.fabric}", 1, [*lines, "plot " + ", ".join(plots)])


def plot_causes(frame, path) -> None:
    """Plots each algorithm's time by cause, averaged over the groups of the largest size."""
    largest = frame[(frame.refused == "") & (frame.group_size == frame.group_size.max())]
    causes = explain.cause_columns(largest)
    bars = largest.groupby("algorithm")[causes].mean()
    bars = bars.loc[bars.sum(axis=1).sort_values().index]
    bars.columns = [column.removesuffix("_us").replace("_", "-") for column in causes]
    explain.plot(bars.T, path, f"{frame.kind.iloc[0]} of {frame.group_size.max()} hosts, by cause")


def compare_lengths(csv, given) -> None:
    """Compares algorithms over lengths, and prints or writes the results."""
    plot, (files, kind) = given.pop("plot", None), _tuning_files(given)
    if "width_bits" in given:
        raise WormholeError(f"--width-bits={given['width_bits']}: has no effect with --bytes; expected "
                            "one of the two")
    options.check_files(csv, *(path for _, path in files), plot=plot)
    place = given.get("fabric") or given.get("topology") or \
        f"irregular:switches={given.get('switches', 75)},hosts={given.get('hosts', 256)}"
    place = f"an ideal network like {place}" if given.get("network") == "ideal" else place
    frame = studies.crossover(**given, among=tuning.among(kind, [library for library, _ in files]))
    if csv is not None:
        options.write_table(csv, frame)
        _warn_left_out(frame)
    else:
        print(output.as_text(frame, place))
        causes = output.causes_as_text(frame) if "explain" in given else ""
        if causes:
            print("\n" + causes)
    about = f"on {place}" + (f", machine {given['machine']}" if "machine" in given else "")
    for library, path in files:
        tuning.write(path, frame, library, about)
    if plot is not None:
        output.plot(frame, plot, f"{frame.kind.iloc[0]} {about}")


def _tuning_files(given):
    """Removes libraries and their files from the given arguments, and returns libraries, files and the kind. Refuses a
    library without a file."""
    files = [("open-mpi", given.pop("open_mpi_rules"))] if "open_mpi_rules" in given else []
    for entry in given.pop("tuning", ()):
        library, colon, path = entry.partition(":")
        if not colon or not path:
            raise WormholeError(f"--tuning={entry}: expected LIBRARY:FILE, with one of "
                                f"{', '.join(tuning.LIBRARIES)}")
        files.append((library, path))
    with translated():
        kind = str(ns.CollectiveHelper.GetKindName(str(given.get("kind", "allreduction")))) if files else ""
    for library, _ in files:
        tuning.collective_of(library, kind)
    return files, kind


def compared(frame) -> str:
    """Returns the result of studies.algorithms as a table in text."""
    of = frame.iloc[0]
    width = f" of {of.width_bits} bit{'s' if of.width_bits > 1 else ''}" if of.width_bits else ""
    values = f" ({of.operation}{width})" if of.operation else ""
    marked = frame.assign(algorithm=frame.algorithm + frame.hypothetical.map({True: " *", False: ""}))
    shown = {"latency_us": "", "latency_us_p99": " p99", "unloaded_us": " idle"}
    by_size = [marked.groupby(["algorithm", "group_size"])[column].mean().unstack()
               .rename(columns=lambda size, word=word: f"{size}{word}" if word else size)
               for column, word in shown.items() if column in marked]
    beside = " beside traffic (mean, 99th percentile, and without traffic)" if len(by_size) > 1 else ""
    times = by_size[0]
    starred = times.index.isin(marked.algorithm[frame.hypothetical])
    gains = times[~starred].min() / times[starred]
    has_gain = gains.notna().any(axis=None)
    if has_gain:
        texts = gains.apply(lambda column: column.map("{:.2f}".format)).replace("nan", "-")
        by_size.append(texts.reindex(times.index, fill_value="").add_suffix(" gain"))
    table = times.join(by_size[1:]).sort_values(times.columns[-1]).to_string(float_format="%.3f", na_rep="can't")
    length = f" of {frame.attrs['bytes']} bytes (others: --bytes=8,...,1MiB)" if "bytes" in frame.attrs else ""
    lines = [f"latency of {of.kind}{values}{length} in us{beside}, by number of hosts",
             f"fabric {of.fabric}; machine: {frame.attrs['machine']}",
             f"{frame.attrs['placement']} (--placement)", table, *output.fastest(frame)]
    if frame.hypothetical.any():
        lines.append(output.legend(frame))
    if has_gain:
        lines.append("gain: how many times as long the fastest in software takes")
    if frame.run.max() > 1:
        able = frame[frame.refused == ""]
        lines += ["over placements:", spread.as_text(able, ["algorithm", "group_size"], "latency_us")]
    lines += output.checks(frame, str)
    refused = frame[frame.refused != ""].drop_duplicates("algorithm")
    lines += [output.wrapped(f"{row.algorithm} can't: {row.refused}") for row in refused.itertuples()]
    return "\n".join(lines + frame.attrs["free"])


def _compare_options():
    both = options.parameters_of(studies.algorithms, others=studies.crossover, also=ALIASES)
    known = {option.name for option in both}
    more = [option for option in options.parameters_of(studies.crossover) if option.name not in known]
    helps = options.helps(studies.crossover)
    for option in both:
        if option.name == "kind":
            option.help = '"barrier" (the default), or ' + helps["kind"]
        elif option.name == "operation":
            option.help += ". With --bytes: " + helps["operation"].partition(": ")[2]
        elif option.name == "rounds":
            option.help += ". With --bytes also without load, then 1 by default"
    return [option for option in both + more if option.name != "check"] + [
        click.Option(["--check/--no-check"], default=None, help="whether to report what limits the "
                     "fastest algorithm, and whether the order changes if an estimated value is halved "
                     "or doubled; takes up to a few times as long  [default: check, unless --csv, --load "
                     "or --timeline is given]"),
        click.Option(["--csv"], metavar="FILE", help="writes CSV instead of printing a table: a row for each "
                     "algorithm, group size and placement; with --bytes, for each algorithm, length and group size"),
        click.Option(["--plot"], metavar="FILE",
                     help="writes a plot (.svg, .png or .pdf) of times by group size; with --bytes, by length; with "
                     "--explain, by cause"),
        click.Option(["--tuning"], metavar="LIBRARY:FILE", multiple=True,
                     help="with --bytes: writes a selection file of the fastest algorithms that LIBRARY has: "
                     f"{', '.join(tuning.LIBRARIES)}"),
        click.Option(["--open-mpi-rules"], metavar="FILE", help="same as --tuning=open-mpi:FILE")]


command = click.command(
    params=_compare_options(),
    epilog=examples("""
  ns3-wormhole compare --fabric=cluster.json --tasks-per-host=2
  ns3-wormhole compare --topology=clos:ports=16 --names=btin,tree[Tree=fibo]
  ns3-wormhole compare --topology=torus:8x8 --machine=edr-infiniband
  ns3-wormhole compare --topology=torus:8x8 --routing=dateline
  ns3-wormhole compare --kind=broadcast --attribute=HostSoftware::StartUp=5us
  ns3-wormhole compare --topology=torus:4x4 --explain --plot=why.svg
  ns3-wormhole compare --topology=torus:8x8 --load=0.05 --pattern=transpose
  ns3-wormhole compare --topology=torus:4x4 --load=0.2 --explain
  ns3-wormhole compare --kind=allreduction --bytes=8,...,1MiB \\
      --topology=torus:4x4,hosts=2 --machine=edr-infiniband --plot=when.svg
  ns3-wormhole compare --kind=broadcast --bytes=64,64KiB --explain
  ns3-wormhole compare --kind=allreduction --bytes=8:1MiB --order=sorted \\
      --topology=torus:8x8 --group-sizes=64 --windows=16,32 \\
      --attribute=CollectiveUnit::SlotBytes=1024
  ns3-wormhole compare --kind=alltoall --bytes=8:64KiB --group-sizes=8,32 \\
      --fabric=cluster.json --load=0.1 --placement=random \\
      --tuning=open-mpi:rules.conf"""))(with_timeline(compare))
