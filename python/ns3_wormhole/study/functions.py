# SPDX-License-Identifier: GPL-2.0-only
"""Makes functions of studies from tables of parameters in C++ (helper/study/*/*.cc). parameters.json, written by the
build, has all data for signatures and help texts, so that ns-3 need not be loaded for these."""

from __future__ import annotations

import contextlib
import inspect
import json
import textwrap
from collections.abc import Callable, Mapping

from ..collective.fabric import Fabric
from ..collective.groups import check_owner
from ..core import arguments, bars, csv_file, machine as machines, simulation
from ..core.errors import UnknownArgument, WormholeError, translated
from ..core.loader import bridge, data_folder, made, ns, pandas, printed

# What a value of each kind is in Python.
_ANNOTATIONS = {"whole": "int", "ratio": "float", "time": "str", "bytes": "str | int", "word": "str",
                "text": "str", "file": "str", "switch": "bool", "fabric": "Fabric | str | None"}
_NUMBERS = {"whole": int, "ratio": float}
# What all studies take besides.
_COMMON = {
    "attributes": ("Mapping[str, object] | None",
                   'defaults of attributes by name, such as {"WormholeFabric::FlitSize": 2}'),
    "machine": ("str | None",
                "name or file of a machine; attributes override its values; None: that of a "
                "given fabric"),
    "progress": ("bool | None", "whether to show a bar; None: on a terminal, after two seconds")}
# What those take besides whose work several processes can share.
_JOBS = {"jobs": ("int | None", "processes that share the work, with the same results; None: one for "
                                "each processor, or one within a campaign, whose points share them")}


def tables() -> list[dict]:
    """Returns the tables of all studies."""
    return json.loads(made("parameters.json").read_text(encoding="utf-8"))


def plain(name: str) -> str:
    """Returns group_sizes, groupSizes and group-sizes as groupsizes."""
    return name.replace("_", "").replace("-", "").lower()


def spelled(name: str, known, aliases: Mapping[str, str] = {}) -> str:
    """Returns the study's spelling of a name, given any spelling or an earlier name; unknown names stay as they are."""
    found = next((each for each in (*known, *aliases) if plain(each) == plain(name)), name)
    return aliases.get(found, found)


def _aliases(table):
    return {each["alias"]: each["name"] for each in table["parameters"] if each["alias"]}


def make_study(table: dict) -> Callable:
    """Returns the function of a study. table: its name, program, summary, rows, parameters and columns, as in
    parameters.json"""
    @translated()
    def study(**given) -> pandas.DataFrame:
        return _run(table, _checked(table, given))

    given = {each["name"]: (_annotation(each), _default(each)) for each in table["parameters"]}
    given.update({name: (annotation, None) for name, (annotation, _) in _common(table).items()})
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
                  for name, (annotation, default) in given.items()]
    study.__name__ = study.__qualname__ = table["name"]
    study.__module__ = "ns3_wormhole.studies"
    study.aliases = _aliases(table)
    study.__doc__ = _document(table)
    study.__signature__ = inspect.Signature(parameters, return_annotation="pandas.DataFrame")
    study.__annotations__ = {each.name: each.annotation for each in parameters}
    return study


def _common(table):
    return {**_COMMON, **(_JOBS if table["jobs"] else {})}


def _annotation(parameter):
    single = _ANNOTATIONS[parameter["kind"]]
    if parameter["list"]:
        return f"Sequence[{single}]"
    return single if parameter["kind"] in ("fabric", "switch") or parameter["default"] else f"{single} | None"


def _default(parameter):
    text, kind = parameter["default"], parameter["kind"]
    if kind == "switch":
        return _is_inverted(parameter)
    if not text:
        return () if parameter["list"] else None
    convert = _NUMBERS.get(kind, str)
    if kind == "bytes":
        convert = lambda each: int(each) if each.isdigit() else each
    return tuple(convert(each) for each in arguments.split(text)) if parameter["list"] else convert(text)


def _is_inverted(parameter):
    """Returns whether a switch is inverted in Python, such as search for noSearch."""
    return parameter["option"] == f"no{parameter['name'].title().replace('_', '')}"


def _document(table):
    helps = {each["name"]: f"without it: {_begin(each['help'])}" if _is_inverted(each)
             else _begin(each["help"]) for each in table["parameters"]}
    helps.update({name: text for name, (_, text) in _common(table).items()})
    lines = [f"{table['summary']} The program {table['program']} does the same.", "", "Args:"]
    for name, text in helps.items():
        lines += textwrap.wrap(f"{name}: {text}", 100, initial_indent="    ",
                               subsequent_indent="        ", break_long_words=False)
    lines += ["", "Returns:"]
    lines += textwrap.wrap(table["rows"], 100, initial_indent="    ", subsequent_indent="    ")
    for each in table["columns"]:
        unit = f" ({each['unit']})" if each["unit"] else ""
        lines += textwrap.wrap(f"{each['name']}{unit}: {_begin(each['help'])}", 100,
                               initial_indent="    ", subsequent_indent="        ")
    lines += ["", "Raises:", "    WormholeError: if that can't be done, naming the value and what "
              "would be accepted"]
    return "\n".join(lines)


def _begin(text):
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _checked(table, given):
    """Returns arguments by their names in the table. Raises TypeError for an unknown argument."""
    known = [each["name"] for each in table["parameters"]] + list(_common(table))
    checked = {}
    for name, value in given.items():
        found = spelled(name, known, _aliases(table))
        if found not in known:
            raise UnknownArgument.of(table["name"], name, known)
        if found in checked:
            raise TypeError(f"{table['name']}() got multiple values for argument '{found}'")
        checked[found] = value
    return checked


def _run(table, given):
    form = ns.StudyRegistry.Make(table["name"])
    form.SetDataFolder(str(data_folder()))
    values = ns.OptionValues(ns.OptionValues.PYTHON)
    form.Declare(values)
    attributes = dict(given.pop("attributes", None) or {})
    machine = given.pop("machine", None)
    progress, jobs = given.pop("progress", None), given.pop("jobs", None)
    form.SetJobs(arguments.whole("jobs", jobs, 1, 1024) if jobs is not None else 1 if bars.is_quiet() else 0)
    simulation.reset()
    simulation.set_seed(1, 1)
    own = give(values, table, given)
    if machine is None and own:
        machine = own.machine
    with defaults({**(own.attributes if own else {}), **attributes}, values, machine):
        form.Read(values)
        with simulation.own(), bars.bar(table["name"], progress) as tell:
            form.Measure(bars.listener(tell))
            return csv_file.frame(printed(form.WriteCsv))


def give(values, table: dict, given: dict) -> Fabric | None:
    """Passes arguments to C++. values: an ns3::OptionValues with the study's parameters; given: arguments by name;
    None and empty values count as not given. Returns the Fabric among the arguments, if there is one."""
    own = None
    for parameter in table["parameters"]:
        value = given.get(parameter["name"])
        if value is None or isinstance(value, (str, tuple, list)) and not value:
            continue
        if isinstance(value, Fabric) and parameter["kind"] == "fabric":
            own = value
            bridge.GiveFabric(values, own.graph, own.router(), own.name or "fabric")
        elif parameter["kind"] == "switch":
            if not isinstance(value, bool):
                raise WormholeError(f"{parameter['name']}={value!r}: expected True or False")
            if value != _is_inverted(parameter):
                values.Set(parameter["option"], "")
        else:
            values.Set(parameter["option"], _text(parameter, value))
    return own


def _text(parameter, value):
    if not parameter["list"]:
        return _entry_text(value)
    entries = [_entry_text(each) for each in arguments.listed(value)]
    for entry in entries:
        if not entry or len(arguments.split(entry)) > 1 and len(entries) > 1:
            raise WormholeError(f"{parameter['name']}={value!r}: expected entries without "
                                "commas, none of them empty")
    return ",".join(entries)


def _entry_text(value):
    if "ns3::Time" in type(value).__name__ or type(value).__name__ == "Time":
        return str(ns.ExactTime.Print(value))
    return str(value)


@contextlib.contextmanager
def defaults(attributes: dict, values, machine=None):
    """Sets defaults of attributes within a with block. values: an ns3::OptionValues, which refuses attributes that a
    parameter sets; machine: a machine whose values these attributes override, and which parameters take, too. Raises
    WormholeError if an attribute is not of a fabric's parts or its software, or its value is refused."""
    kept = bridge.AttributeDefaults()
    try:
        if machine is not None:
            loaded = machines.load(machine)
            for entry in loaded.GetEntries():
                kept.Set(entry.attribute, entry.value)
                values.RecordMachineDefault(entry.attribute, entry.value, loaded.GetLocation(entry))
        for name, value in simulation.with_whole_names(attributes).items():
            check_owner(name)
            kept.Set(name, simulation.attribute_text(value))
            values.NoteAttribute(name)
        yield
    finally:
        kept.Restore()
