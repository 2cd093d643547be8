# SPDX-License-Identifier: GPL-2.0-only
"""Machines: defaults of attributes in a TOML file, given by its path or by the name of a file in the module.

Every argument ``machine`` takes such a name, or a path, which ends with .toml or has a slash. C++ reads the file
(helper/file/wormhole-machine-file.h); doc/user/machines.rst describes its content. All functions that take a machine
raise WormholeError like load().
"""

import contextlib
import functools
import os
from typing import Mapping

from . import simulation
from .errors import WormholeError, translated
from .loader import bridge, data_folder, ns
from .texts import comment, toml, toml_key

# The classes that a machine says something of: fabrics, hosts, and networks beside them.
CLASSES = ("WormholeFabric", "WormholeChannel", "WormholeSwitch", "WormholeNetDevice",
           "WormholePort", "HostSoftware", "CollectiveUnit", "AddOnNetwork")
# Attributes that each object has of its own.
_NO_DEFAULTS = ("Address",)


@translated()
def load(machine: str | os.PathLike):
    """Returns a machine as an ns3::MachineFile. machine: name or file. Raises WormholeError if there is none, or its
    content is refused."""
    path = os.fspath(machine) if isinstance(machine, (str, os.PathLike)) else machine
    if not isinstance(path, str) or "\0" in path:
        raise WormholeError(f"machine={path!r}: expected a name or a file")
    if isinstance(machine, os.PathLike) and not path.endswith(".toml"):
        path = os.path.join(".", path)
    folder = str(data_folder())
    try:
        state = os.stat(path if "/" in path or path.endswith(".toml") else f"{folder}/machines/{path}.toml")
    except OSError:
        return ns.MachineFile.Read(path, folder)  # which refuses it
    return _read(path, folder, os.getcwd(), state.st_ino, state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=16)
def _read(path, folder, *_):
    """Reads a file again only when it has changed, since collectives need the machine's defaults at every step."""
    return ns.MachineFile.Read(path, folder)


def _entries(machine):
    return load(machine).GetEntries() if machine is not None else ()


def read(machine: str | os.PathLike | None) -> dict[str, str]:
    """Returns a machine's values by full name of the attribute, in the file's order; no values for None."""
    return {str(entry.attribute): str(entry.value) for entry in _entries(machine)}


def sources(machine: str | os.PathLike | None) -> dict[str, str]:
    """Returns the sources of a machine's values, by full name of the attribute; "" if the file states none. Sources of
    values that are neither measured nor published begin with "estimated"."""
    return {str(entry.attribute): str(entry.source) for entry in _entries(machine)}


def estimated(machine: str | os.PathLike | None) -> list[str]:
    """Returns the full names of attributes whose values are estimated."""
    return [str(entry.attribute) for entry in _entries(machine) if entry.IsEstimated()]


def why_not_in_switch(machine: str | os.PathLike | None) -> str:
    """Returns why a machine's switches do no collectives; "" if they do, or if this is unknown."""
    return "" if machine is None else str(load(machine).GetWhyNotInSwitch())


def has_in_switch(machine: str | os.PathLike | None) -> bool:
    """Returns whether a machine says that its switches do collectives."""
    return machine is not None and bool(load(machine).SaysInSwitch()) and not why_not_in_switch(machine)


def told(machine: str | os.PathLike | None) -> str:
    """Returns a text with the machine in use: its name or file, and whether its fit was poor."""
    if machine is None:
        return "the defaults, a Myrinet of 2001"
    return f"{os.fspath(machine)}{' (poor fit)' if 'poor fit' in describe(machine)[1] else ''}"


def names() -> list[str]:
    """Returns the names of the module's machines."""
    return [str(name) for name in ns.MachineFile.GetNames(str(data_folder()))]


def describe(machine: str | os.PathLike) -> tuple[str, str]:
    """Returns a machine's description, and the source of its figures."""
    loaded = load(machine)
    return str(loaded.GetName()), str(loaded.GetSource())


_in_effect: list = []  # machines whose values are defaults, the innermost last; attributes with any


@contextlib.contextmanager
def in_effect(machine: str | os.PathLike | None, attributes: Mapping[str, object] | None = None):
    """Sets defaults for objects made within a with block: a machine's (None: none), and attributes by full names.
    Within such a block, another block with the same machine sets nothing."""
    own = None if machine is None else load(machine)
    if not attributes and _in_effect and _in_effect[-1] is own:
        yield
        return
    kept = bridge.AttributeDefaults()
    _in_effect.append(attributes or own)
    try:
        for name, value in {**read(machine), **(attributes or {})}.items():
            kept.Set(name, simulation.attribute_text(value))
        yield
    finally:
        _in_effect.pop()
        kept.Restore()


def show(machine: str | os.PathLike | None = None) -> str:
    """Returns the configuration in effect as a machine file, which can be kept and edited. None: the module's
    defaults."""
    given, told = read(machine), sources(machine)
    places = {str(entry.attribute): f"{os.fspath(machine)}:{entry.line}" for entry in _entries(machine)}
    lines = heading(*describe(machine), machine) if machine is not None else []
    listed = [f"ns3::{name}" for name in CLASSES]
    listed += sorted({name.rpartition("::")[0] for name in given} - set(listed))
    with in_effect(machine):
        for kind in listed:
            lines += ["", f"[{toml_key(kind.removeprefix('ns3::'))}]"]
            lines += _attributes(kind, given, places, told)
    return "\n".join(lines).lstrip("\n") + "\n"


def heading(name: str, source: str, machine: str | os.PathLike | None) -> list[str]:
    """Returns the lines of a machine file before its tables. machine: name or file of a machine whose switches have the
    same collectives; None: unknown"""
    lines = [f"name = {toml(name)}", *([f"source = {toml(source)}"] if source else [])]
    if machine is not None and load(machine).SaysInSwitch():
        why = why_not_in_switch(machine)
        lines.append(f"inSwitch = {entry_text(not why, load(machine).GetInSwitchSource())}")
    return lines


def _attributes(kind, given, places, told):
    of = ns.TypeId.LookupByName(kind)
    for attribute in (of.GetAttribute(index) for index in range(of.GetAttributeN())):
        name = str(attribute.name)
        whole, constructs = f"{kind}::{name}", int(attribute.flags) & int(ns.TypeId.ATTR_CONSTRUCT)
        is_former = int(attribute.supportLevel) != int(ns.TypeId.SUPPORTED)
        if whole not in given and (name in _NO_DEFAULTS or not constructs or is_former):
            continue
        value = given.get(whole)
        if value is None:
            value = str(attribute.initialValue.SerializeToString(attribute.checker))
            if str(attribute.checker.GetValueTypeName()) == "ns3::TimeValue":
                value = str(ns.ExactTime.Print(ns.Time(value)))  # ns-3 writes +1e+09ps
        about = ' '.join(str(attribute.help).split())
        if whole not in given:
            try:
                simulation.check_attribute(whole, value)
            except WormholeError:  # such as no object
                yield f"# {comment(name)}: none. {comment(about)} [default]"
                continue
        place = places.get(whole, "default")
        yield (f"{toml_key(name)} = {entry_text(value, told.get(whole, ''))} "
               f"# {comment(f'{about} [{place}]')}")


def entry_text(value, source: str) -> str:
    """Returns a value and its source ("" for none) in the format of a machine file."""
    text = str(value).lower() if isinstance(value, bool) else toml(str(value))
    return f"{{ value = {text}, source = {toml(str(source))} }}" if source else text
