# SPDX-License-Identifier: GPL-2.0-only
"""Every option of every command and program changes what comes out, or is named in a note or refusal.

Options are found in the parser and in --help: one that is added later fails here until it has a value
to vary, or a reason why nothing can show.
"""

import itertools
import re
from functools import partial

import click
import pytest
from conftest import PROGRAMS, ROOT, run, write

import command_options as commands

_SMALL = "--topology=torus:2x2"

# Short runs of each program, in which each of its options is varied.
PROGRAM_RUNS = {
    "barrier-animation": [f"{_SMALL} --members=4 --out=a.xml"],
    "barriers-under-load": [f"{_SMALL} --algorithms=dissemination --loads=0.1 --rounds=20",
                            "--topology=torus:4x4 --members=4 --algorithms=btin --loads=0.1 --rounds=20"],
    "broadcast-load": [f"{_SMALL} --broadcasts=mpich --windows=1 --gaps=0us --rounds=4 --broadcasters=2"],
    "btin-comparison": ["--switches=8 --hosts=12 --groupSizes=4 --runs=2 --schemes=btin",
                        f"{_SMALL} --groupSizes=3 --runs=1 --schemes=multicast,unicast"],
    "collective-schedule": [f"{_SMALL} --rounds=2"],
    "fabric-benchmark": ["--fabrics=torus:2x2 --loads=0.1 --flits=16 --worms=100 --barriers=1 "
                         "--repeats=1 --members=4 --algorithms=dissemination"],
    "fibo-tree": ["--s=27us --r=88us --processes=5", f"--s=27us --r=88us --processes=4 --network=fabric "
                  f"{_SMALL}"],
    "first-allreduction": [""], "first-barrier": [""],
    "first-ip": [f"{_SMALL} --packets=3"],
    "latency-load": ["--switches=8 --hosts=12 --loads=0.01 --noSearch --worms=64",
                     f"{_SMALL} --loads=0.1 --noSearch --worms=64",
                     f"{_SMALL} --pattern=hotspot --loads=0.1 --noSearch --worms=64"],
    "mixed-network": ["--time=2ms --ip=4"],
    "network-done": [f"{_SMALL} --methods=network-done --messages=2 --rounds=4"],
    "own-barrier": ["--topology=torus:4x2"], "own-switch-broadcast": ["--topology=torus:4x2"],
    "print-attributes": [""],
    "route-recovery": [f"{_SMALL}"],
    "rdma-barrier": ["--nodes=2,4 --tasksPerNode=1,2 --barriers=4",
                     f"{_SMALL} --nodes=4 --tasksPerNode=1 --barriers=4"],
    "shrink-group": [f"{_SMALL}"],
    "smp-broadcast": [f"{_SMALL} --job=3 --placement=shuffled --placements=2 --bytes=64", f"{_SMALL} --hosts=4 --bytes=64",
                      "--case=28 --bytes=64"],
    "split-barrier": ["--members=4 --steps=3 --compute=10us", f"{_SMALL} --members=4 --steps=3"],
    "sync-hardware": ["--table=1", "--table=7 --supersteps=2"],
    "worm-replay": ["--case=case.json"],
}
# Values to vary an option by, by its name without what parts words.
VALUES = {"outage": "each-switch at 1ns", **dict(word.split("=", 1) for word in """
    acks=hw-all adapterus=14 add=s0:s1 addresssize=3 after=200us algorithm=butterfly algorithms=butterfly
    allreduction=ring arrivals=periodic attribute=WormholeFabric::FlitSize=2 attributes=WormholeSwitch::Delay=1us
    barrier=butterfly barriercsv=bc.csv barrieroverhead=12us barriers=butterfly bcast=x before=200us
    broadcast=mpich broadcasters=1 broadcastgap=70us broadcasts=multicast broadcastwindow=2 btintiming=paper
    bufferdepth=1 busy=h0 bytegap=1ns byteoverhead=9ns bytes=128 c=5us cablemtbf=90 cablemttr=9 case=case2.json
    collectives=none.json compute=7us connectivity=0.6 csv=out.csv dask=nowhere datarate=2Gbps delays=7us
    digits=4 down=200us eager=10 engines=balanced exchange=direct explaincsv=e.csv fabric={chain}
    fabrics=torus:3x3 failures=h0 fit=ReceiveOverhead flag=700ns flight=3us flitbytes=5 flits=32 flows=fl
    format=dot from=graphml fromcsv=out.csv gap=9us gaps=50us grant=worm groupsize=2 groupsizes=2 hardware=hw-1
    hardwareprice=1999 headerencoding=bit-string heat=utilisation heatcsv=h.csv hostlist=hl hostoverhead=80us
    hosts=9 hostsperswitch=1 hostus=21 hotfraction=0.3 hothost=h1 imbalance=30 inswitchstartup=12us
    interfacepercent=50 interrupt=3us interval=3ms ip=6 island=1 iterations=5 jitter=1us job=3 jobswitches=2
    kind=broadcast lanes=2 latency=3us law=walk leaves=all lengths=8,64 levels=8:2us:2us limit=100 linkdelay=50ns
    load=0.2 loadflits=128 loadpattern=transpose loads=0.2 lost=2 machine=edr-infiniband members=2
    memoryprice=4999 messagereceive=9us messages=1 messagesend=8us messagesize=8:32 methods=acks names=butterfly
    network=ideal networkdone=acks networkdonesums=2 networkprice=4999 nodelist=nl nodes=3 occupancycsv=o.csv
    occupancyinterval=1us openmpirules=r.conf operation=MAX order=sorted out=o.xml overhead=1us packets=4
    patience=3 pattern=transpose pause=30us pcap=pc pieces=2 placement=shuffled placements=3 plot=p.svg
    plotprefix=mine- plots=p plugin=none.so poll=300ns ports=7 predict={osu} preset=manna priorities=1
    processes=3 processorprice=9999 progressby=interrupt quantum=50us r=90us rankfile=rf rdmareceive=6us
    rdmasend=6us receive=2us reduction=paper reductionoverhead=13us registration=20us repeats=2 root=s1 rounds=7
    roundscsv=ro.csv routes=none.txt routing=shortest runs=2 s=30us scheduler=Map schedulers=Map
    schemes=dissemination seed=7 segmentbytes=32 size=64 speed=sp.csv startup=3us states=2 steps=4 stream=5
    studies=json supersteps=3 svg=s.svg switchdelay=700ns switches=9 switchmtbf=80 switchmttr=8 table=5
    tasksperhost=2 taskspernode=3 time=3ms timeline=t.json timelinefrom=1us timelinehosts=h0 timelineuntil=2us
    timeout=90us title=T tolerance=0.3 topology=torus:3x3 transport=rdma transports=rdma trees=binary tries=9
    tuning=mpich:t.json unexpected=20us wideoverhead=15us widthbits=8 windows=2 withinhost=memory without=s2
    workers=2 workloads=none.json worms=96 wormscsv=w.csv write=broadcast=binomial""".split())}
# Values that fit one command or program alone.
OWN = {
    "outages": {"placement": "first", "recovery": "none"},
    "osu": {"hosts": "h0,h3", "load": "0.3"}, "calibrate": {"hosts": "h0,h3", "algorithms": "bcast=ring",
                                                           "attributes": "WormholeSwitch::Delay=1us"},
    "goal": {"algorithms": "allreduction=ring", "chakra": "none", "groups": "none.json", "table": "none.csv"},
    "adapter": {"size": "2", "algorithm": "pairwise-exchange"},
    "fabric show": {"time": "30us"}, "compare": {"placement": "first"}, "btin-comparison": {"placement": "first"},
    "barriers-under-load": {"placement": "h0,h3"},
    "predict": {"tables": "none.txt", "predict": "none.txt"},
    "fabric make": {"routing": "balanced"},
    "fabric import": {"format": "graphml"},
    "barrier-animation": {"attribute": "WormholeSwitch::Delay=1us"},
    "fibo-tree": {"network": "fabric"},
    "latency-load": {"root": "center", "preset": "booksim"},
    "rdma-barrier": {"transports": "rdma"},
}
# What can't show, and why.
HIDDEN = {
    "progress": "a bar on the terminal", "jobs": "processes that share the work give the same",
    "workers": "as jobs", "gnuplot": "which program draws", "patience": "of Dask's scheduler",
    "published": "a file of figures that plots draw in", "scheduler": "results are the same by design",
    "recovery": "routes change in outages alone", "ideal": "given or not", "help": "prints help",
}

# What happens to be the same in these runs, though it has an effect in others, and why.
SAME = {
    ("calibrate", "strict"): "the fit is not poor",
    ("timeline", "limit"): "it bounds what is refused",
    ("predict", "placement"): "the start-up that is fitted makes up for the distance",
    ("compare", "operation"): "all operations take as long",
    ("compare", "outage"): "an ideal network has no switches",
    ("fibo-tree", "outage"): "nor has that of the trees",
    ("fabric show", "outage"): "without heat nothing is sent",
    ("predict", "topology"): "the fit makes up for it",
    ("predict", "fit"): "likewise",
    ("predict", "attributes"): "likewise",
    ("fabric place", "tries"): "the best is found early",
    ("fabric place", "seed"): "likewise",
    ("compare", "attributes"): "an ideal network has hosts, but no switches",
    ("routing-comparison", "seed"): "barriers of all hosts of a torus",
    ("osu", "flits"): "a light load beside few messages",
    ("osu", "iterations"): "iterations without traffic are alike",
    ("goal", "placement"): "a random place may be the first",
    ("goal", "seed"): "so may that by another seed",
    ("goal", "transport"): "by default receiving costs nothing",
    ("goal", "eager"): "nobody waits for these sends",
    ("fabric show", "machine"): "a barrier crosses the same cables at any time",
    ("fabric show", "attributes"): "likewise",
    ("fibo-tree", "attribute"): "an ideal network has hosts, but no fabric",
    ("rdma-barrier", "attribute"): "what a message takes over one switch is part of its time",
    ("first-ip", "interval"): "packets do not meet",
    ("latency-load", "root"): "may be the first switch",
    ("smp-broadcast", "topology"): "the job is on as many switches",
}


def plain(name):
    return re.sub("[-_]", "", name).lower()


def value_of(command, name):
    value = OWN.get(command, {}).get(name, VALUES.get(plain(name)))
    assert value is not None, f"{command} has an option {name}; give it a value to vary it by"
    return value


def written(folder, but):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name not in but}


def without(words, names):
    """Returns words but an option's, whose names are given."""
    found, following = [], False
    for word in words:
        if not following and not any(word.startswith(f"{name}=") for name in names):
            if word in names:
                following = True
                continue
            found.append(word)
        following = False
    return found


def run_command(folder, words):
    """Runs a command in a folder of its own. Returns what shows, and its standard error."""
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        names = commands.write_files(folder)
        status, out, err = commands.run([word.format(**names) for word in words])
    return (status, out, written(folder, names.values())), err


def options_of(command):
    """Returns the options of a command that can show."""
    return [option for option in command.params if isinstance(option, click.Option) and option.name not in HIDDEN]


@pytest.mark.parametrize(("path", "run"), [
    pytest.param(path, run, id=f"{path} {number}") for path, _ in commands.commands()
    for number, run in enumerate(commands.RUNS.get(path, [])) if path not in ("reproduce", "campaign", "study")])
def test_options_of_commands(path, run, tmp_path):
    words = [*path.split(), *run.split()]
    variants = []
    for option in options_of(dict(commands.commands())[path]):
        names = commands.names_of(option)
        given = names[0] if option.is_flag else f"{names[0]}={value_of(path, option.name)}"
        variants.append((option.name, [*without(words, names), given], partial(commands.is_named, option)))
    check_variants(path, words, variants, lambda number, words: run_command(tmp_path / number, words))


def check_variants(whose, words, variants, run):
    """Checks that variants of a command's or program's words change what comes out, or are named.

    variants: of an option its name, all words, and a function of standard error, whether it is named there"""
    numbers = map(str, itertools.count())
    before, err = run(next(numbers), words)
    assert before[0] == 0, err
    silent = []
    for name, other, is_named in variants:
        if not set(other) <= set(words):
            after, err = run(next(numbers), other)
            if not is_named(err) and after == before and (whose, name) not in SAME:
                silent.append(other[-1])
    assert not silent, f"{words}: no effect, and no word of it"


def test_all_commands():
    assert {path for path, _ in commands.commands()} == set(commands.RUNS)


def options_of_program(program):
    """Returns a program's own options: names, and whether each takes a value."""
    told = run(PROGRAMS / program, "--help", timeout=60).stdout.partition("\nOptions")[2]
    found = re.findall(r"^  --(\w+)(=?)", told, re.MULTILINE)
    return [(name, bool(equals)) for name, equals in found if name != "help" and "Print" not in name and name != "ns3"]


def run_program(folder, program, words):
    """Runs a program in a folder of its own. Returns what shows, and its standard error."""
    folder.mkdir()
    names = commands.write_files(folder)
    case = (ROOT / "data" / "worms-example.json").read_text(encoding="utf-8")
    write(folder / "case.json", case)
    write(folder / "case2.json", re.sub(r'("flits": *)(\d+)', r"\g<1>9\2", case, count=1))  # with a longer worm
    found = run(PROGRAMS / program, *(word.format(**names) for word in words), status=None, cwd=folder, timeout=100)
    kept = written(folder, [*names.values(), "case.json", "case2.json"])
    return (found.returncode, found.stdout, kept), found.stderr


@pytest.mark.parametrize(("program", "run"), [
    pytest.param(program, run, id=f"{program} {number}") for program, runs in PROGRAM_RUNS.items()
    for number, run in enumerate(runs)])
def test_options_of_programs(program, run, tmp_path):
    words, variants = run.split(), []
    for name, has_value in options_of_program(program):
        if name not in HIDDEN:
            given = f"--{name}={value_of(program, name)}" if has_value else f"--{name}"
            told = plain(value_of(program, name).partition("=")[0] if name == "attribute" else name)
            variants.append((name, [*without(words, [f"--{name}"]), given], lambda err, told=told: told in plain(err)))
    check_variants(program, words, variants, lambda number, words: run_program(tmp_path / number, program, words))


def test_all_programs():
    """None is left out, but scripts to be changed, which examples-to-run.py runs."""
    scripts = {"distributed-fabrics", "compare-barriers", "compare-broadcasts", "compare-trees"}
    assert {path.name for path in PROGRAMS.iterdir()} - set(PROGRAM_RUNS) <= scripts, \
        "give it a run in PROGRAM_RUNS"


@pytest.mark.parametrize("words", ["compare-barriers --algorithms=smp;btin --maxMembers=2 --runs=1",
                                   "compare-broadcasts --algorithms=sss-mst;multicast --maxBytes=16",
                                   "compare-trees --trees=fibo;binary --maxProcesses=1"])
def test_scripts_take_several_names(words, tmp_path):
    program, names, *rest = words.split()
    (status, out, _), err = run_program(tmp_path / "run", program, [names, *rest])
    assert status == 0, err
    assert [line.split(",")[0] for line in out.splitlines()[1:]] == names.partition("=")[2].split(";")
