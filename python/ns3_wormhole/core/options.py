# SPDX-License-Identifier: GPL-2.0-only
"""Command-line options, made from a study's signature and docstring."""

import functools
import inspect
import os
import re
import sys
import warnings
from typing import Callable

import click

from . import arguments, csv_file, gnuplot, simulation, texts
from .errors import ONE_LINE, WormholeError, nearest, translated
from .files import try_file
from .loader import ns


class Number(click.ParamType):
    """A number, read as strictly as by parse_whole() and parse_number()."""

    def __init__(self, name, parse, wanted=""):
        self.name, self.parse = name, parse
        self.wanted = wanted or f"a valid {name}"

    def convert(self, value, param, ctx):
        """Returns the number in a text."""
        found = self.parse(value) if isinstance(value, str) else value
        if found is None:
            self.fail(f"{arguments.shown(value)} is not {self.wanted}", param, ctx)
        return found


WHOLE = Number("integer", functools.partial(arguments.parse_whole, least=-10**18))
NUMBER = Number("float", arguments.parse_number)


def whole_from(least: int, greatest: int) -> Number:
    """Returns the type of a whole number in a range."""
    return Number("integer", functools.partial(arguments.parse_whole, least=least, greatest=greatest),
                  f"a whole number from {least} to {greatest}")


# How an entry of a list is read, by the type of a study's argument.
_SCALARS = {"int": WHOLE, "float": NUMBER, "str": click.STRING}

# The option that help lists first for an argument of studies, where it is not the argument's own name.
_FIRST = {"size": "--group-size"}

# Help of --routing.
ROUTING = ("routing engine in place of the fabric's own routes: balanced, "
           "depth-first[Root=best|Length=any], ...")


class Listed(click.ParamType):
    """Entries separated by commas outside brackets."""

    def __init__(self, kind):
        """Takes the type of an entry: a type of click, or int, float or str."""
        self.kind = kind if isinstance(kind, click.ParamType) else _SCALARS[kind.__name__]
        self.name = f"{self.kind.name},..."

    def convert(self, value, param, ctx):
        if not isinstance(value, str):
            return value
        try:
            return [self.kind.convert(entry, param, ctx) for entry in arguments.split(value)] if value \
                else []
        except click.BadParameter:
            self.fail(f"{arguments.shown(value)}: expected {self.kind.name}s with commas between "
                      "them", param, ctx)


def camel(name: str) -> str:
    """Returns group_sizes as groupSizes, its name in the example programs."""
    return re.sub("_(.)", lambda match: match.group(1).upper(), name)


def helps(function) -> dict[str, str]:
    """Returns the description of each argument from the docstring's Args."""
    found: dict[str, str] = {}
    for line in inspect.getdoc(function).partition("Args:\n")[2].split("\n\n")[0].splitlines():
        if match := re.match(r"    ([\w, ]+): (.*)", line):
            names = match[1].split(", ")
            found.update(dict.fromkeys(names, match[2]))
        else:
            found.update({name: f"{found[name]} {line.strip()}" for name in names})
    return found


def parameters_of(function, leave_out=(), others=None, also=None) -> list[click.Option]:
    """Returns an option for each argument of a study, except those that take functions. others: a study whose
    docstring describes arguments that this study's omits; also: further names of options, by argument"""
    options, texts = [], {**(helps(others) if others else {}), **helps(function)}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in leave_out or "Callable" in str(parameter.annotation):
            continue
        kind = str(parameter.annotation).removesuffix(" | None")
        own = f"--{name.replace('_', '-')}"
        flags = list(dict.fromkeys([_FIRST.get(name, own), own, f"--{camel(name)}", (also or {}).get(name, own), name]))
        settings = {"help": texts.get(name, ""), "default": None,
                    "required": parameter.default is inspect.Parameter.empty}
        if name == "progress":
            flags = ["--progress"]
            settings.update(is_flag=True, flag_value=True, help="shows a progress bar, even if not on a terminal")
        elif kind == "bool" and parameter.default is False:
            settings.update(is_flag=True, flag_value=True)
        elif kind == "bool":
            flags = [f"--no-{name}", f"--no{name.capitalize()}", name]
            settings.update(is_flag=True, flag_value=False, default=parameter.default,
                            help="does not " + settings["help"].removeprefix("whether to "))
        elif kind.startswith("Mapping"):
            flags = ["--attribute", name]
            settings.update(multiple=True, metavar="NAME=VALUE")
        elif kind.startswith("Sequence"):
            settings["type"] = Listed(_SCALARS.get(kind[len("Sequence["):-1], click.STRING))
        elif kind.startswith("Fabric"):
            settings.update(type=str, metavar="FILE")
        else:
            settings["type"] = _SCALARS.get(kind, click.STRING)
        options.append(click.Option(flags, **settings))
        if kind.startswith("Mapping"):
            options.extend(outage_options())
    return [option for option in options if option.expose_value or option.name not in texts]


# Attributes that options stand for, by the option's name.
_OF_OUTAGES = {"outage": "ns3::WormholeFabric::OutageSchedule", "recovery": "ns3::RouteRecovery::Way"}


def _note_recovery(context, _, way):
    if way:
        with translated():
            ns.RecoveryWay.Make(way)
    context.meta["recovery"] = way


def outage_options() -> list[click.Option]:
    """Returns --outage and --recovery, whose values become attributes in arguments_from()."""
    return [click.Option(
        ["--outage"], multiple=True, expose_value=False, metavar="TEXT",
        callback=lambda context, _, texts: context.meta.update(outage="; ".join(texts)),
        help="an outage of a part, such as 's1:3-s2:4 at 1ms for 500us'; times count from the simulation's start, "
             "when goal and osu latency, bw and pattern begin; other commands pause for 1ms before each round of a "
             "group (osu barrier only before the first); repeatable, see WormholeFabric::OutageSchedule"), click.Option(
        ["--recovery"], expose_value=False, metavar="WAY", callback=_note_recovery,
        help="how routes change in outages: none, static, local, overlapping or double; by default "
             "no change, as with none")]


def with_outages(command: click.Command) -> click.Command:
    """Adds --outage and --recovery to a command with --attribute."""
    command.params.extend(outage_options())
    return command


def arguments_from(values: dict) -> dict:
    """Returns the given options as arguments of the study."""
    given = {}
    context = click.get_current_context(silent=True)
    if context and "attributes" in values:
        told = [f"{name}={context.meta[option]}" for option, name in _OF_OUTAGES.items() if context.meta.get(option)]
        values = {**values, "attributes": (*(values["attributes"] or ()), *told)}
    for name, value in values.items():
        if value is None or value == ():
            continue
        given[name] = value if name != "attributes" else {}
        for entry in value if name == "attributes" else ():
            key, equals, text = entry.partition("=")
            if not equals:
                raise WormholeError(f"--attribute {entry}: expected NAME=VALUE")
            given[name][key if key.startswith("ns3::") else f"ns3::{key}"] = text
    return given


def adding(*found: Callable):
    """Returns a decorator that adds options, made by click.option(), to a command in this order."""
    def add(command):
        for option in reversed(found):
            command = option(command)
        return command
    return add


#: Adds the options by which a command takes values of attributes.
with_attributes = adding(
    click.option("--machine", metavar="NAME|FILE", help="machine whose values apply, see ns3-wormhole machine"),
    click.option("--attribute", "attributes", multiple=True, metavar="NAME=VALUE",
                 help="attribute of the fabric or the hosts' software; overrides the machine's value"))

#: Adds the options by which a command takes a fabric, and values of attributes.
with_fabric = adding(
    click.option("--fabric", metavar="FILE", help="fabric file"),
    click.option("--topology", metavar="TEXT", help="topology family, such as torus:4x4"),
    click.option("--routing", default="", metavar="NAME", help=ROUTING), with_attributes)


def with_traffic(rounds: bool = True):
    """Returns a decorator that adds --load, --pattern and --flits to a command, and --rounds."""
    found = [
        click.option("--load", type=NUMBER, metavar="RATIO",
                     help="background traffic of each host, as a fraction of a channel's rate  [default: none]"),
        click.option("--pattern", metavar="NAME",
                     help="with --load: traffic pattern, one of study latency-load's  [default: uniform]"),
        click.option("--flits", metavar="LENGTH",
                     help="with --load: flits of a worm, in any form that study latency-load takes  [default: 64]"),
        click.option("--rounds", type=WHOLE, help="with --load: number of rounds  [default: 20]")]
    return adding(*(found if rounds else found[:-1]))


def traffic_from(load, pattern, flits, rounds=None) -> dict:
    """Returns the given options of with_traffic() as arguments."""
    words = {"load": load, "pattern": pattern, "flits": flits, "rounds": rounds}
    return {name: value for name, value in words.items() if value is not None}


def check_files(*paths: str | None, plot: str | None = None) -> None:
    """Refuses files that could not be written, before there is anything to write. None: no file was requested. Raises
    WormholeError."""
    if plot is not None:
        gnuplot.check(plot)
    for path in (*paths, plot):
        if path is not None:
            try_file(path)
            csv_file.is_parquet(path)


def write_table(path: str | None, frame) -> None:
    """Writes a table if a file was requested."""
    if path is not None:
        csv_file.save(path, frame)


def members_from(text: str | None) -> int | list[str] | None:
    """Returns the members in a text: their number, or hosts separated by commas; None without a text."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        return text.split(",")
    if (count := arguments.parse_whole(text, 1, 2**32 - 1)) is None:
        raise WormholeError(f"--members={text[:40]}: expected a whole number from 1 to "
                            f"{2**32 - 1}, or hosts")
    return count


PLACEMENT = ("where members are: first (the fabric's first hosts), random (random hosts, ranks in host "
             "order), shuffled (random hosts and ranks), best (hosts near each other; in compare --bytes and "
             "osu's collectives, the hosts that fabric place finds), hosts by rank (h0,h5), or a file of hosts")


def placement_option(*names: str, default: str):
    """Returns a decorator that adds --placement to a command. names: its other names"""
    return click.option("--placement", *names, "placement", metavar="first|random|best|FILE|HOST,...",
                        help=f"{PLACEMENT}  [default: {default}]")


placements_option = click.option("--placements", type=WHOLE, metavar="N", help="number of random "
                                 "placements (--placement: then random by default); prints median, minimum, quartiles "
                                 "and maximum")


def placed(fabric, members: str | None, placement: str | None):
    """Returns the members in a text, placed on a fabric by --placement if it is given."""
    found = members_from(members)
    return found if placement is None else fabric.group(found, placement)


def check_idle(lacking, refuses: bool = False) -> None:
    """Warns of each option that was given to the present command but has no effect. lacking: reasons by parameter name,
    such as "without --load"; empty: the option has an effect; refuses: whether the first such option is refused
    instead. Raises WormholeError."""
    context = click.get_current_context()
    for option in context.command.params:
        lack, source = lacking.get(option.name), context.get_parameter_source(option.name)
        if not lack or source is not click.core.ParameterSource.COMMANDLINE:
            continue
        value = context.params.get(option.name, context.meta.get(option.name))
        value = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value
        name = next(each for each in option.opts if each.startswith("--"))
        told = f"{name if option.is_flag else f'{name}={value}'} has no effect {lack}"
        if refuses:
            raise WormholeError(told)
        warnings.warn(told, stacklevel=2)


# Click raises it from 8.2 on; before, it prints the help itself.
_NO_ARGUMENTS = getattr(click.exceptions, "NoArgsIsHelpError", ())


def run(command: click.Command, program: str, arguments=None) -> int:
    """Runs a command; any mistake or warning is one line on standard error. Returns the
    exit status."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_: _tell(program, str(message))
        return _run(command, program, arguments)


def _tell(program, line):
    """Prints a line on standard error; cuts words that are longer than any name."""
    shown = re.sub(r"\S{300,}", lambda word: word[0][:60] + "...", line.translate(ONE_LINE))
    print(f"{program}: {shown}", file=sys.stderr)


def _run(command, program, arguments):
    try:
        if f"_{program}_COMPLETE".replace("-", "_").replace(".", "_").upper() in os.environ:
            command.main(arguments, prog_name=program)  # of the shell; ends the process
        given = sys.argv[1:] if arguments is None else list(arguments)
        for each in map(str, given):
            if not texts.is_printable(each):
                raise WormholeError(f"{each!r} has control characters or others that are not "
                                    f"printable; expected {texts.ACCEPTED}")
        with command.make_context(program, given) as context:
            command.invoke(context)
        sys.stdout.flush()
        return 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except _NO_ARGUMENTS as error:
        print(error.ctx.get_help(), file=sys.stderr)
        return 1
    except click.NoSuchOption as error:  # click names all that are alike
        told = f"No such option: {error.option_name}" \
            + nearest(error.option_name, error.possibilities or ())
    except click.ClickException as error:
        told = " ".join(error.format_message().split())
        if isinstance(error, click.MissingParameter) or "unexpected extra" in told:
            place = error.ctx.command_path if error.ctx else program
            told = f"{told.rstrip('.')}; '{place} --help' tells what is accepted"
    except (click.Abort, KeyboardInterrupt) as error:
        print(f"{program}: interrupted{': ' if str(error) else ''}{error}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, ImportError) as error:
        told = str(error)
    except UnicodeEncodeError as error:
        text = ascii(error.object[error.start:error.end])
        told = f"{text} can't be written; expected text in {error.encoding}"
    except (WormholeError, MemoryError) as error:
        told = str(error) or "the machine has too little memory; expected less at a time"
    _tell(program, told)
    return 1


def interruptible(command):
    """Makes Ctrl-C end a command at once, even while it runs C++ code."""
    @functools.wraps(command)
    def run(*args, **values):
        program = click.get_current_context().find_root().info_name
        with simulation.ending_on_interrupt(f"{program}: interrupted\n"):
            return command(*args, **values)
    return run


def examples(text: str) -> str:
    """Returns examples as a paragraph that click leaves as it is."""
    return "\b\nExamples:\n" + text.lstrip("\n")


def study_command(study, name: str, epilog: str = "") -> click.Command:
    """Returns a command that runs a study and writes its CSV."""
    @interruptible
    def write(csv, **values):
        check_files(csv)
        frame = study(**arguments_from(values))
        text = frame.attrs.get("csv") or csv_file.to_text(frame)
        if csv is not None:
            csv_file.save(csv, frame, text)
        else:
            print(text, end="")

    options = parameters_of(study) + [click.Option(["--csv"], metavar="FILE",
                                                   help="writes the CSV to FILE  [default: standard output]")]
    return click.Command(name, params=options, callback=write, epilog=epilog,
                         help=inspect.getdoc(study).partition("\n")[0])
