# SPDX-License-Identifier: GPL-2.0-only
"""The one simulation that ns-3 has in a process: units, attributes, traces, and the simulation's end."""

import contextlib
import functools
import importlib
import signal
import threading
from typing import Callable, Mapping

from . import plugin
from .errors import nearest, translated, WormholeError
from .loader import bridge, cppyy, loaded, ns, when_loaded

# Greatest seed that ns-3's generator takes.
_GREATEST_SEED = 4294944442

_epoch = 0
_kept = []
_ends_on_interrupt = False


def epoch() -> int:
    """Returns the number of the current simulation; objects of earlier simulations are no longer valid."""
    return _epoch


@translated()
def reset() -> None:
    """Ends the simulation: time is 0 again, and fabrics are built anew on their next use."""
    global _epoch
    _epoch += 1
    if loaded():
        ns.Simulator.Destroy()
    _kept.clear()


@contextlib.contextmanager
def ending_on_interrupt(words: str):
    """Makes Ctrl-C end this process within a with block, even while C++ code runs. words: the message on standard
    error"""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    global _ends_on_interrupt
    before, outer = signal.getsignal(signal.SIGINT), _ends_on_interrupt
    forget = when_loaded(lambda: bridge.EndOnInterrupt(words))
    _ends_on_interrupt = True
    try:
        yield
    finally:
        _ends_on_interrupt = outer
        forget()
        signal.signal(signal.SIGINT, before)


def ends_on_interrupt() -> bool:
    """Returns whether this code runs within ending_on_interrupt()."""
    return _ends_on_interrupt


@translated()
def set_seed(seed: int = 1, run: int = 1) -> None:
    """Sets seed (1 to 4294944442) and run (1 or more) of ns-3's random numbers. Raises WormholeError if either value is
    out of range."""
    for name, value, last in (("seed", seed, _GREATEST_SEED), ("run", run, 2**63 - 1)):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= last:
            raise WormholeError(f"{name}={value!r}: expected 1 to {last}")
    ns.RngSeedManager.SetSeed(seed)
    ns.RngSeedManager.SetRun(run)


@contextlib.contextmanager
def own(*seed: int):
    """Makes a with block a simulation of its own, which ends the current simulation, and itself ends with the block.
    seed: seed and run of random numbers; none: they are not changed"""
    reset()
    if seed:
        set_seed(*seed)
    try:
        yield
    finally:
        reset()


@contextlib.contextmanager
def ending_on_error():
    """Ends the simulation if a with block fails, since worms would still be under way."""
    try:
        with translated():
            yield
    except Exception:  # of Python, too: of what is called while it is simulated
        reset()
        raise


@translated()
def time(text: str):
    """Returns a time as an ns3::Time. text: a number with a unit from fs to s, such as "6.25ns"; or an ns3::Time.
    Raises WormholeError if it is no time, or not a whole number of ps."""
    if isinstance(text, ns.Time):
        return text
    if not isinstance(text, str):
        raise WormholeError(f"{text!r} is no time; expected a text with a unit, as '6.25ns'")
    return ns.ExactTime.Parse(text)


def microseconds(value) -> float:
    """Returns an ns3::Time as a float of microseconds."""
    return value.GetPicoSeconds() / 1e6


def attribute_text(value: object) -> str:
    """Returns an attribute's value as ns-3 writes it: true, not True; and pairs of lengths and values, or a dict, as
    0:1us,4KiB:3us."""
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, (list, tuple)) and value and all(isinstance(each, (list, tuple)) and len(each) == 2
                                                          for each in value):
        return ",".join(f"{length}:{each}" for length, each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def attribute_name(name: str) -> str:
    """Returns an attribute's name with its class's namespace, ns3, which may be omitted in the argument."""
    owner = str(name).rpartition("::")[0]
    known = ns.TypeId.LookupByNameFailSafe(f"ns3::{owner}", ns.TypeId())
    return f"ns3::{name}" if known else str(name)


def with_whole_names(attributes: Mapping[str, object] | None) -> dict[str, object]:
    """Returns attributes by their full names, see attribute_name(); if a name is given twice, the last value counts."""
    return {attribute_name(name): value for name, value in (attributes or {}).items()}


@translated()
def check_attribute(name: str, value: object):
    """Refuses attributes and values on which ns-3 would abort. name: such as "WormholePort::BufferDepth"; the prefix
    "ns3::" is optional. Returns the value as an ns3::StringValue. Raises WormholeError if there is no such type or
    attribute, or the attribute does not accept the value."""
    text = attribute_text(value)
    ns.CheckAttributeText(attribute_name(name), text)
    return ns.StringValue(text)


@translated()
def set_default(name: str, value: object) -> None:
    """Sets the default of an attribute like ns3::Config::SetDefault, but refuses errors as check_attribute() does,
    instead of aborting."""
    ns.Config.SetDefault(attribute_name(name), check_attribute(name, value))


@translated()
def defaults() -> dict[str, str]:
    """Returns as texts those defaults of attributes that were set."""
    return {str(name): str(text) for name, text in bridge.GetChangedDefaults()} if loaded() else {}


@translated()
def set_defaults(texts: Mapping[str, str]) -> None:
    """Restores exactly the defaults of attributes that defaults() returned, in this or another process."""
    if texts or loaded():
        bridge.ResetDefaults()
    for name, text in texts.items():
        ns.Config.SetDefault(name, ns.StringValue(text))


def state() -> tuple[list[str], dict[str, str]]:
    """Returns the state that another process needs for the same simulation: loaded libraries, and defaults."""
    return plugin.loaded(), defaults()


def set_state(its: tuple[list[str], Mapping[str, str]]) -> None:
    """Loads the libraries and sets the defaults that state() returned in another process."""
    for path in its[0]:
        plugin.load(path)
    set_defaults(its[1])


@translated()
def set_attribute(thing, name: str, value: object) -> None:
    """Sets an attribute of an ns3::Object by its name, such as "Operation". Raises WormholeError if there is no such
    attribute, or it does not accept the value."""
    owner = thing.GetInstanceTypeId().GetName()  # the attribute may be a parent's
    thing.SetAttribute(name, check_attribute(f"{owner}::{name}", value))


def get_attribute(thing, name: str) -> str:
    """Returns an attribute of an object, as text."""
    value = ns.StringValue()
    thing.GetAttribute(name, value)
    return str(value.Get())


@when_loaded
def _have_set_attribute_raise():
    """Makes ns-3's own SetAttribute raise the errors of set_attribute() where it would end the process."""
    @translated()
    def SetAttribute(self, name, value):  # ns-3's name
        if not self.SetAttributeFailSafe(name, value):
            kind = self.GetInstanceTypeId()
            ns.CheckAttributeValue(kind, name, value)
            raise WormholeError(f"{kind.GetName()}::{name} can't be set now")
    ns.ObjectBase.SetAttribute = SetAttribute


@translated()
def connect(thing, source: str, function: Callable) -> None:
    """Connects a Python function to a trace source. thing: an ns3::Object, or a Collective; source: name of the trace
    source, such as "Leave"; function: takes copies of the trace source's arguments, which may be kept. Raises
    WormholeError if there is no such trace source, or its arguments can't be copied."""
    thing = getattr(thing, "model", thing)
    thing = thing.__deref__() if hasattr(thing, "__deref__") else thing
    if not isinstance(thing, ns.Object):
        raise WormholeError(f"{thing!r} has no trace sources; expected an ns3::Object")
    if not callable(function):
        raise WormholeError(f"{function!r} can't be called; expected a function of what the "
                            "trace source gives")
    type_id, found = thing.GetInstanceTypeId(), ns.TypeId.TraceSourceInformation()
    kind = str(type_id.GetName())
    if not type_id.LookupTraceSourceByName(source, found):
        types = [type_id]
        while types[-1].HasParent():
            types.append(types[-1].GetParent())
        names = [str(each.GetTraceSource(i).name) for each in types for i in range(each.GetTraceSourceN())]
        raise WormholeError(f"{kind} has no trace source '{source}'{nearest(source, names)}")
    sink = _sink(str(found.callback))
    if not sink.KEEPABLE:
        raise WormholeError(f"trace source '{source}' of {kind} gives "
                            "pointers to objects that may be gone later; expected a source of values")

    def copied(*given):
        """Passes on copies, since C++'s arguments are on its stack, which later holds other data."""
        function(*(type(each)(each) if isinstance(each, instance) else each for each in given))
    instance = importlib.import_module("cppyy.types").Instance
    _kept.append(copied)  # C++ holds no reference to it
    sink.Connect(thing, source, copied)


@functools.lru_cache(maxsize=None)
def _sink(kind):
    """Returns the class that connects functions to trace sources whose callback has this typedef."""
    name = "Sink_" + kind.replace("::", "_")
    cppyy.cppdef(f"namespace ns3_wormhole {{ struct {name} : Sink<{kind}> {{}}; }}")
    return getattr(bridge, name)
