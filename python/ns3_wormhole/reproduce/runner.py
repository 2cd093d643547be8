# SPDX-License-Identifier: GPL-2.0-only
"""Makes the results in a folder that are not up to date."""

import concurrent.futures
import contextlib
import datetime
import hashlib
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

from ..core import bars, files
from ..core.errors import Interrupted, WormholeError
from ..study.functions import tables
from . import comparison, places
from .papers import Paper
from .comparison import Plots, Study

SECONDS = places.DATA / "study-seconds.csv"  # CPU time of each study, as a run measured it
# Of a study that is not in there: with random fabrics, of each; without, since it takes less than 2 s.
LEAST = {True: 0.06, False: 0.8}


class Inputs:
    """The inputs of each result, recorded in inputs.json."""

    def __init__(self, results: pathlib.Path, build: pathlib.Path):
        self._path = results / "inputs.json"
        self._build = build
        self._libraries = sorted((build / "lib").glob("*wormhole*"))
        try:
            self._known = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self._known = {}  # everything is made anew

    def key(self, programs, arguments, files) -> str:
        """Returns a digest of programs, their arguments and their files."""
        digest = hashlib.sha256(json.dumps(arguments).encode())
        paths = [self._build / "examples" / name for name in programs]
        for path in (*filter(pathlib.Path.exists, paths), *self._libraries, *files):
            digest.update(hashlib.sha256(pathlib.Path(path).read_bytes()).digest())
        return digest.hexdigest()

    def get(self, name: str):
        """Returns the inputs noted for a result, else None."""
        return self._known.get(name)

    def note(self, name: str, value) -> None:
        """Notes the inputs of a result."""
        self._known[name] = value
        files.write_whole(self._path, json.dumps(self._known, indent=2, sort_keys=True) + "\n")


@contextlib.contextmanager
def _terminable():
    """Has SIGTERM end a with block like Ctrl-C does, together with the programs that it started."""
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, signal.default_int_handler) if is_main else None
    try:
        yield
    finally:
        if is_main:
            signal.signal(signal.SIGTERM, before)


class Progress:
    """A bar on standard error; each study has about the weight of its running time."""

    def __init__(self, todo, runs):
        known = {each["study"]: float(each["seconds"]) for each in comparison.read(SECONDS)}
        self._work = {study: known.get(study.name, LEAST[study.random]) * (runs if study.random else 1)
                      for study in todo}
        self._done = dict.fromkeys(todo, 0.0)
        self._lock = threading.Lock()
        self.seconds = total = sum(self._work.values())
        self._percent = {study: 100 * work / total for study, work in self._work.items()}
        self.bar = bars.made("reproduce", total=100, mininterval=0.2 if sys.stderr.isatty() else 30,
                             bar_format="{desc}: {percentage:3.0f} %|{bar:30}| {elapsed}, {remaining} "
                             "left{postfix}")
        self._tell()

    def update(self, study, done):
        """Notes the completed fraction of a study; 1.0: all of it."""
        with self._lock:
            part, self._done[study] = done - self._done[study], done
            self._tell()
            self.bar.update(min(part * self._percent[study], self.bar.total - self.bar.n))

    def _tell(self):
        ended = sum(done == 1.0 for done in self._done.values())
        self.bar.set_postfix_str(f"{ended} of {len(self._done)} studies", refresh=False)


class Reproduction:
    """The studies and plots of some papers in a results folder."""

    def __init__(self, papers: list[Paper], build: pathlib.Path, results: pathlib.Path, runs: int, jobs: int):
        self.papers, self.build, self.results = papers, build.resolve(), results
        self.runs, self.jobs = runs, jobs
        self._children: set[subprocess.Popen] = set()
        self._stopping = False
        # Programs that share their work among processes, and how many of these each may have.
        self._sharing = {table["program"] for table in tables() if table["jobs"]}
        self._jobs_each = 1
        for program in sorted({study.program for study in self.studies()}):
            self.program(program)  # none is refused before anything runs
        try:
            results.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WormholeError(f"{results} can't be made: {error.strerror}") from None
        self.inputs = Inputs(results, self.build)

    def program(self, name: str) -> list[str]:
        """Returns the command that runs a program. Raises WormholeError if there is none."""
        return places.command(self.build, name)

    def studies(self) -> list[Study]:
        """Returns the studies of all papers."""
        return [study for paper in self.papers for study in paper.module.studies()]

    def plots(self) -> list[Plots]:
        """Returns the plots of all papers."""
        return [plots for paper in self.papers for plots in paper.module.plots()]

    def check_results(self) -> None:
        """Takes the CSV files as they are, without checking their inputs. Raises WormholeError if a file is missing."""
        for study in self.studies():
            for path in study.targets(self.results).values():
                if not path.exists():
                    raise WormholeError(f"there is no {path}; expected a folder with all results, or "
                                        f"no --report-only: study {study.name} is missing")
        self.runs = (self.inputs.get("run") or {}).get("runs", self.runs)

    def simulate(self) -> None:
        """Runs the studies whose CSV files are not up to date."""
        keys = {study: self.inputs.key([study.program], [*study.complete(self.runs), *study.others],
                                       study.files) for study in self.studies()}
        todo = [study for study, key in keys.items()
                if self.inputs.get(study.name) != key
                or not all(path.exists() for path in study.targets(self.results).values())]
        if not todo:
            print("reproduce: all studies are up to date", file=sys.stderr)
            return
        self.inputs.note("run", {"version": places.version(), "commit": places.commit(),
                                 "runs": self.runs, "date": datetime.date.today().isoformat()})
        progress = Progress(todo, self.runs)
        minutes = math.ceil(progress.seconds / self.jobs / 60)
        print(f"reproduce: {len(todo)} studies, {self.runs} random fabrics a point, about {minutes} "
              f"min with {self.jobs} at a time on idle cores", file=sys.stderr)
        self._jobs_each = max(1, self.jobs // len(todo))
        with progress.bar, _terminable(), concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            waiting = {pool.submit(self._run, study, progress): study for study in todo}
            try:
                for future in concurrent.futures.as_completed(waiting):
                    future.result()
                    study = waiting[future]
                    self.inputs.note(study.name, keys[study])
                    self.inputs.note("seconds", {**(self.inputs.get("seconds") or {}),
                                                 study.name: round(future.result(), 2)})
                    progress.update(study, 1.0)
            except BaseException as error:
                self._stopping = True
                pool.shutdown(wait=False, cancel_futures=True)
                for child in list(self._children):
                    child.terminate()
                if isinstance(error, KeyboardInterrupt):
                    raise Interrupted("what is done is kept") from None
                raise

    def _run(self, study, progress):
        """Runs a study. Returns its CPU time, s."""
        if self._stopping:
            return 0
        targets = study.targets(self.results)
        command = [*self.program(study.program), *study.complete(self.runs)]
        if not study.refused:
            command += [f"--{name}={path}" for name, path in targets.items()]
            command.append("--progress")
        if study.program in self._sharing:
            command.append(f"--jobs={self._jobs_each}")
        said = ""
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, errors="replace") as child:
            self._children.add(child)
            for line in child.stderr:
                runs = re.match(rf"{study.program}: (\d+) of (\d+) runs,", line)
                if not runs:
                    said = line.strip()
                elif int(runs[1]) < int(runs[2]):
                    progress.update(study, int(runs[1]) / int(runs[2]))
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        self._children.discard(child)
        target = targets["csv"]
        if child.returncode != (1 if study.refused else 0):
            target.with_name(target.name + ".part").unlink(missing_ok=True)
            raise WormholeError(f"study {study.name} failed: {said or child.returncode}")
        if study.refused:
            files.write_whole(target, said + "\n")
        return used.ru_utime + used.ru_stime
