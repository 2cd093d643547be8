# SPDX-License-Identifier: GPL-2.0-only
"""Detects a file's format by its beginning, in linear time: a format that can be read, or a similar one."""

import re

from .texts import to_utf8

_LOOKED_AT = 65536  # bytes at the beginning of a file
_BOM = b"\xef\xbb\xbf"

# Blanks and comments before what a file begins with; some end with a mark of their own.
_SKIPPED = re.compile(rb"\s+|#[^\n]*|//[^\n]*|/\*|<\?|<!--|<!DOCTYPE|---[ \t\r]*\n")
_ENDS = {b"/*": b"*/", b"<?": b"?>", b"<!--": b"-->", b"<!DOCTYPE": b">"}
# Of the first thing behind these.
_GML = re.compile(rb"graph\s*\[")
_SIGNS = (("json", re.compile(rb"\{\s*(?:[\"}]|$)")), ("graphml", re.compile(rb"<(?:\w+:)?graphml\b")), ("gml", _GML),
          ("dot", re.compile(rb"(?i)(?:strict\s+)?(?:di)?graph\b[^\[{]*\{")),
          ("slurm", re.compile(rb"(?i)(?:SwitchName|BlockName|BlockSizes|Switches|Nodes|LinkSpeed)=")),
          ("slurm-yaml", re.compile(rb"-\s+topology\s*:")),
          ("anynet", re.compile(rb"(?:router|node) \d+ (?:router|node) \d+")))
# Of any line: what is printed by programs may have others in front.
_LINES = (("ibnetdiscover", re.compile(rb'# Topology file: generated on|Switch[ \t]+\d+ "S-')),
          ("slurm", re.compile(rb"(?i)(?:SwitchName|BlockName)=\S")))
_PAIR = re.compile(rb"[A-Za-z]\w*[ \t][^\n]*\n")  # of GML, before its graph

_SUBNET = "expected what ibnetdiscover prints without options, or with -g, of the same subnet"
# Of a line: what is printed by it, and how to go on.
_NEAR = (
    (re.compile(rb"(?:SW|CA|RT|\?\?) +\d+ +\d+ 0x[0-9a-f]+ "), "ibnetdiscover -p", _SUBNET),
    (re.compile(rb"(?:Switch|Ca|Router)[ \t]+: 0x[0-9a-f]+ ports \d+"),
     "ibnetdiscover -l, ibswitches, ibhosts or ibnodes", _SUBNET),
    (re.compile(rb"(?:(?:Switch|Router): 0x[0-9a-f]+ [^\n]*:|CA: [^\n]*:)\r?$"), "iblinkinfo", _SUBNET),
    (re.compile(rb'[^\n=]*==\([^\n=]*\)==>'), "iblinkinfo", _SUBNET),
    (re.compile(rb'(?:Switch|Hca|Ca|Rt)\s+\d+\s+"(?![SHR]-(?:0x)?[0-9a-f]+")[^"\n]*"'),
     "a net file of ibsim", "expected what ibnetdiscover prints when it runs on ibsim"),
    (re.compile(rb"\{ (?:SW|CA|Rt)(?:-SM)? Ports:"), "a list of links (.lst) of OpenSM or ibdiagnet",
     _SUBNET),
    (re.compile(rb"START_(?:NODES|PORTS|LINKS|DUMP_INFO)\b"), "a data base (.db_csv) of ibdiagnet",
     _SUBNET),
    (re.compile(rb"CA '[^'\n]*'\r?$"), "ibstat", _SUBNET),
    (re.compile(rb"Unicast lids \["), "forwarding tables of switches",
     "expected as --routes= beside what ibnetdiscover prints"),
    (re.compile(rb"(?:osm_ucast_mgr_)?dump_(?:table|ucast_routes): |Switch: guid 0x"),
     "another dump of OpenSM's routes", "expected opensm-lfts.dump as --routes= beside what "
     "ibnetdiscover prints"),
    (re.compile(rb"Machine(?: L#\d+)? \(|<topology\b"), "lstopo", "it tells of one computer, not of "
     "its network; " + _SUBNET),
    (re.compile(rb"(?i)(?:ClusterName|NodeName|PartitionName|SlurmctldHost)\s?="), "slurm.conf",
     "expected topology.conf or topology.yaml, which are beside it"),
    (re.compile(rb"(?:\S+: )?(?:Interface: +\S+, via: LLDP|LLDP neighbors:)"), "lldpctl",
     "expected its links as an edge list in DOT, GraphML or GML"),
)


def beginning(data: bytes) -> bytes:
    """Returns the part of a file that is examined."""
    return to_utf8(data[:_LOOKED_AT]).removeprefix(_BOM)


def own(start: bytes) -> str | None:
    """Returns the format indicated by a file's beginning; None if there is none."""
    at = 0
    while found := _SKIPPED.match(start, at):
        at = found.end()
        if end := _ENDS.get(found[0]):
            at = start.find(end, at) + len(end)
            if at < len(end):
                return None
    if found := next((name for name, sign in _SIGNS if sign.match(start, at)), None):
        return found
    if found := next((name for line in start.split(b"\n") for name, sign in _LINES if sign.match(line)), None):
        return found
    while found := _SKIPPED.match(start, at) or _PAIR.match(start, at):
        at = found.end()
        if _GML.match(start, at):
            return "gml"
    return None


def near(start: bytes) -> tuple[int, str] | None:
    """Returns the number of the line which shows that a file has a format that can't be read, and the error message;
    None if there is no such line."""
    return next(((number, f"this is {what}, which is not read; {cure}")
                 for number, line in enumerate(start.split(b"\n"), 1)
                 for sign, what, cure in _NEAR if sign.match(line)), None)
