# SPDX-License-Identifier: GPL-2.0-only
"""Prints fabrics as other programs would: for tests of what reads that.

All functions take a fabric, or a Shape, which has switches, hosts (names) and cables() (node, port,
node, port), too; ports of InfiniBand are those plus 1.
"""

import collections
import itertools

import networkx


class Shape:
    """A fabric's names and cables without ns-3: a tree of switches, so large as one likes."""

    def __init__(self, switches, hosts, ring=0):
        """Takes numbers of switches and hosts. Switch i hangs below (i - 1) // 8; with a ring, it is
        cabled to the next ones, too, as many as that."""
        self.switches = [f"s{i}" for i in range(switches)]
        self.hosts = [f"h{i}" for i in range(hosts)]
        used = collections.Counter()
        self._cables = []
        pairs = [(f"s{(i - 1) // 8}", f"s{i}") for i in range(1, switches)]
        pairs += [(f"s{i}", f"s{(i + k + 1) % switches}") for k in range(ring) for i in range(switches)]
        pairs += [(f"s{i % switches}", f"h{i}") for i in range(hosts)]
        for a, b in pairs:
            self._cables.append((a, used[a], b, used[b]))
            used.update((a, b))

    def cables(self):
        return self._cables


def far_ends(fabric):
    """Far node and port by node and port."""
    ends = {}
    for a, i, b, k in fabric.cables():
        ends[a, i], ends[b, k] = (b, k), (a, i)
    return ends


def lids(fabric):
    return {name: i for i, name in enumerate(fabric.switches + fabric.hosts, 1)}


def ibnetdiscover(fabric, speed="4xEDR", adapters=()):
    """Prints the fabric as ibnetdiscover does. speed: of all links, or a function of the cable's first end;
    adapters: lists of hosts that are ports of one; the others have one of their own"""
    lid = lids(fabric)
    guid = {name: f"{0x7fe000000000 + 16 * i:016x}" for name, i in lid.items()}
    adapter_of = {name: (group[0], i) for group in (*([name] for name in fabric.hosts), *adapters)
                  for i, name in enumerate(group, 1)}
    is_host = set(fabric.hosts)

    def port_of(name, port):
        if name in is_host:
            adapter, port = adapter_of[name]
            return f'"H-{guid[adapter]}"[{port}]({int(guid[adapter], 16) + port:x})'
        return f'"S-{guid[name]}"[{port + 1}]'

    def speed_of(name, port):
        return speed(min((name, port), ends[name, port])) if callable(speed) else speed

    ends = far_ends(fabric)
    by_node = collections.defaultdict(list)
    for (name, port), far in sorted(ends.items(), key=lambda each: each[0][1]):
        by_node[name].append((port, far))
    most = max(port for name, port in ends if name not in is_host) + 1
    lines = ["#", "# Topology file: generated on Mon Jan  5 10:00:00 2026", "#",
             f"# Initiated from node {guid[fabric.hosts[0]]} port {guid[fabric.hosts[0]]}", ""]
    for name in fabric.switches:
        lines += ["vendid=0x2c9", "devid=0xcb20", f"sysimgguid=0x{guid[name]}",
                  f"switchguid=0x{guid[name]}({guid[name]})",
                  f'Switch\t{most} "S-{guid[name]}"\t\t# "{name}" enhanced port 0 '
                  f"lid {lid[name]} lmc 0"]
        lines += [f'[{port + 1}]\t{port_of(*far)}{" " if far[0] in is_host else ""}\t\t'
                  f'# "{far[0]}" lid {lid[far[0]]} {speed_of(name, port)}'
                  for port, far in by_node[name]] + [""]
    groups = collections.defaultdict(list)
    for name in fabric.hosts:
        groups[adapter_of[name][0]].append(name)
    for adapter, ports in groups.items():
        lines += ["vendid=0x2c9", "devid=0x1013", f"sysimgguid=0x{guid[adapter]}",
                  f"caguid=0x{guid[adapter]}",
                  f'Ca\t{len(ports)} "H-{guid[adapter]}"\t\t# "{adapter} HCA-1"']
        for i, name in enumerate(ports, 1):
            far = ends[name, 0]
            lines.append(f"[{i}]({int(guid[adapter], 16) + i:x}) \t{port_of(*far)}\t\t"
                         f'# lid {lid[name]} lmc 0 "{far[0]}" lid {lid[far[0]]} '
                         f"{speed_of(name, 0)}")
        lines.append("")
    return "\n".join(lines)


def spanning_table(fabric):
    """Ports by switch and host, along a tree of cables: {switch: {host: port}}."""
    ends = far_ends(fabric)
    ports = {(name, far): port for (name, port), (far, _) in sorted(
        ends.items(), key=lambda each: each[0][1], reverse=True)}
    tree = networkx.Graph(pair for pair in ports if not set(pair) & set(fabric.hosts))
    tree.add_nodes_from(fabric.switches)
    above = dict(networkx.bfs_predecessors(tree, fabric.switches[0]))
    table = {name: dict.fromkeys(fabric.hosts, ports.get((name, above.get(name)))) for name in fabric.switches}
    for host in fabric.hosts:
        name, port = ends[host, 0]
        while name is not None:
            table[name][host] = port
            below, name = name, above.get(name)
            port = ports.get((name, below))
    return table


def ring_table(fabric):
    """The same of a ring of four switches whose routes go round."""
    ends = far_ends(fabric)
    on = {name: port for (name, port), (far, _) in ends.items()
          if name in fabric.switches and far == f"s{(int(name[1:]) + 1) % 4}"}
    return {name: {host: ends[host, 0][1] if ends[host, 0][0] == name else on[name] for host in fabric.hosts}
            for name in fabric.switches}


def write_subnet(folder, fabric, table=None, brief=False):
    """Writes the output of ibnetdiscover, and tables, by default of spanning_table. Returns both paths."""
    subnet, lfts = folder / "subnet", folder / "lfts"
    subnet.write_text(ibnetdiscover(fabric))
    lfts.write_text(dump_lfts(fabric, table or spanning_table(fabric), brief))
    return subnet, lfts


def dump_lfts(fabric, table, brief=False):
    """Prints a table of spanning_table's form as dump_lfts.sh does: ports of switches, too."""
    lid = lids(fabric)
    guid = {name: 0x7fe000000000 + 16 * i for name, i in lid.items()}
    lines = []
    for name in fabric.switches:
        lines += [f"Unicast lids [0x0-0x{len(lid):x}] of switch Lid {lid[name]} "
                  f"guid 0x{guid[name]:016x} ({name}):",
                  "  Lid  Out   Destination", "       Port     Info "]
        entries = [f"0x{lid[name]:04x} 000" + ("" if brief else f" : (Switch portguid 0x{guid[name]:016x}: '{name}')")]
        for host, port in table[name].items():
            if port is not None:
                entries.append(f"0x{lid[host]:04x} {port + 1:03d}" + ("" if brief else
                               f" : (Channel Adapter portguid 0x{guid[host] + 1:016x}: "
                               f"'{host} HCA-1')"))
        lines += sorted(entries) + [f"{len(entries)} valid lids dumped ", ""]
    return "\n".join(lines)


def graph_gml(fabric):
    number = {name: i for i, name in enumerate(fabric.switches + fabric.hosts)}
    lines = ["# a fabric", "graph [", "  multigraph 1"]
    for name, i in number.items():
        kind = "switch" if i < len(fabric.switches) else "host"
        lines += ["  node [", f"    id {i}", f'    label "{name}"', f'    kind "{kind}"', "  ]"]
    for a, i, b, k in fabric.cables():
        lines += ["  edge [", f"    source {number[a]}", f"    target {number[b]}",
                  f"    tail_port {i}", f"    head_port {k}", "  ]"]
    return "\n".join([*lines, "]", ""])


def _below(fabric):
    """Switches and hosts below each switch of a tree whose top is the first."""
    is_host = set(fabric.hosts)
    children, hosts = collections.defaultdict(list), collections.defaultdict(list)
    for a, _, b, _ in fabric.cables():
        if a in is_host or b in is_host:
            a, b = (b, a) if a in is_host else (a, b)
            hosts[a].append(b)
        else:
            children[a].append(b)
    return children, hosts


def _hostlist(names):
    """Names as h[0-3,7]."""
    numbers = enumerate(sorted(int(name[1:]) for name in names))
    runs = ([number for _, number in run] for _, run in itertools.groupby(numbers, lambda each: each[1] - each[0]))
    return f"{names[0][0]}[{','.join(f'{run[0]}-{run[-1]}' if run[1:] else str(run[0]) for run in runs)}]"


def topology_conf(fabric, speed=""):
    """Prints a tree, whose top is the first switch, as SLURM's topology.conf."""
    children, hosts = _below(fabric)
    return "\n".join(["# switches", *(
        f"SwitchName={name}" + (f" Switches={_hostlist(children[name])}" if children[name] else "")
        + (f" Nodes={_hostlist(hosts[name])}" if hosts[name] else "") + speed
        for name in fabric.switches), ""])


def topology_yaml(fabric):
    """Prints a tree, whose top is the first switch, as SLURM's topology.yaml."""
    children, hosts = _below(fabric)
    lines = ["---", "- topology: flat one", "  flat: true", "- topology: cables",
             "  cluster_default: true", "  tree:", "    switches:"]
    for name in fabric.switches:
        lines.append(f"      - switch: {name}")
        lines += [f"        children: {_hostlist(children[name])}"] if children[name] else []
        lines += [f"        nodes: {_hostlist(hosts[name])}"] if hosts[name] else []
    return "\n".join([*lines, ""])
