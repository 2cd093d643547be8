#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""print-attributes.cc from Python: attributes and trace sources of the module, as reStructuredText.

Example: print-attributes.py
"""

import argparse

from ns3_wormhole import ns


def print_head(widths, *titles):
    """Prints a table's head."""
    print(f"\n.. list-table::\n   :header-rows: 1\n   :widths: {widths}\n")
    print("   * - " + "\n     - ".join(titles))


def print_row(name, *texts):
    """Prints a table's row, its first cell as code."""
    print(f"   * - ``{name}``")
    for text in texts:
        print(f"     - {text}".rstrip())


def print_type(kind):
    """Prints the attributes and trace sources of a type."""
    name = str(kind.GetName()).removeprefix("ns3::")
    print(f"\n{name}\n{'~' * len(name)}")
    if kind.GetAttributeN() > 0:
        print_head("20 20 60", "Attribute", "Default", "Meaning")
    for i in range(kind.GetAttributeN()):
        attribute = kind.GetAttribute(i)
        if int(attribute.supportLevel) != int(ns.TypeId.SUPPORTED):
            continue  # a former name
        value = str(attribute.initialValue.SerializeToString(attribute.checker))
        if str(attribute.checker.GetValueTypeName()) == "ns3::TimeValue":
            # The package has set ns-3's resolution to ps; the program in C++ leaves it at ns.
            value = f"+{ns.Time(value).GetPicoSeconds() / 1000:g}ns"
        value = "0ns" if value == "0ps" else value  # of costs by length
        shown = attribute.flags & ns.TypeId.ATTR_CONSTRUCT and value
        print_row(attribute.name, f"``{value}``" if shown else "", attribute.help)
    if kind.GetTraceSourceN() > 0:
        print_head("20 35 45", "Trace source", "Callback", "Fires when")
    for i in range(kind.GetTraceSourceN()):
        trace = kind.GetTraceSource(i)
        print_row(trace.name, f"``{trace.callback}``", trace.help)


def main():
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    registered = [ns.TypeId.GetRegistered(i) for i in range(ns.TypeId.GetRegisteredN())]
    kinds = [each for each in registered if str(each.GetGroupName()) == "Wormhole"
             and each.GetAttributeN() + each.GetTraceSourceN() > 0]
    print(".. Printed by print-attributes; do not edit.")
    for kind in sorted(kinds, key=lambda each: str(each.GetName())):
        print_type(kind)


if __name__ == "__main__":
    main()
