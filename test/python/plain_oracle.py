# SPDX-License-Identifier: GPL-2.0-only
"""Worms moved flit by flit, instant by instant: the rules S1 to S9 and S1b of the fabric as written,
slow and without a thought for it. Times are whole picoseconds."""

import heapq


class Hop:
    """A worm at a node: in its input buffer, or at its own host."""

    def __init__(self, worm, node, port, flits, drops):
        self.worm, self.node, self.port = worm, node, port  # port: that it came by; -1 at its host
        self.flits = flits                      # that it sends on
        self.drops = drops                      # whether the first one that comes goes no further
        self.ready = []                         # when each flit may start
        self.asked = None                       # when its head asked for its outputs
        self.started = {port: [] for port in worm["tree"][node]}  # when each flit did, by output
        self.granted = set()
        self.freed = 0                          # flits sent on whose slot is free again

    def left(self, tau):
        """Returns when it has left by all outputs; None: not yet."""
        if any(len(starts) < self.flits for starts in self.started.values()):
            return None
        return max(starts[-1] for starts in self.started.values()) + tau


class Oracle:
    """Runs a case: what a case file holds, as read from JSON.

    Attributes:
        legs: when head started and tail had left, by worm and (node, port)
        delivered: when the tail had arrived, by worm and host
    """

    def __init__(self, case):
        self.case = case
        self.tau, self.p, self.t_r = case["flit_time"], case["link_delay"], case["switch_delay"]
        self.peer = {}
        for a, i, b, j in case["links"]:
            self.peer[a, i], self.peer[b, j] = (b, j), (a, i)
        self.credits = {end: case["depth"] for end in self.peer}
        self.returning = []                        # times of credits on their way, with their output
        self.owner = {end: None for end in self.peer}
        self.queues = {end: [] for end in self.peer}  # hops in an input buffer, first come first
        self.hosts = {name: [] for name in case["hosts"]}
        self.times = []
        self.delivered = [{} for _ in case["worms"]]
        self.hops = []
        for i in sorted(range(len(case["worms"])), key=lambda i: (case["worms"][i]["time"], i)):
            worm = {**case["worms"][i], "number": i}
            hop = Hop(worm, worm["root"], -1, self.length(worm, worm["root"]), False)
            hop.ready = [worm["time"]] * hop.flits
            self.hops.append(hop)
            self.hosts[worm["root"]].append(hop)
            heapq.heappush(self.times, worm["time"])

    def run(self):
        """Moves all flits that can move, until none can."""
        last = None
        while self.times:
            now = heapq.heappop(self.times)
            if now == last:
                continue
            last = now
            while self.returning and self.returning[0][0] <= now:
                self.credits[heapq.heappop(self.returning)[1]] += 1
            for queue in [*self.queues.values(), *self.hosts.values()]:
                self.ask(queue, now)
            for end in self.peer:
                self.grant(end, now)
            for hop in list(self.hops):
                self.start(hop, now)
        self.legs = [{} for _ in self.case["worms"]]
        for hop in self.hops:
            for port, starts in hop.started.items():
                if starts:
                    end = starts[-1] + self.tau if len(starts) == hop.flits else None
                    self.legs[hop.worm["number"]][f"{hop.node}:{port}"] = (starts[0], end)
        return self

    def ask(self, queue, now):
        """S1, S4: the first in a queue asks when its head is ready and those before have left."""
        for hop in queue:
            if hop.asked is None:
                if hop.ready and hop.ready[0] <= now:
                    hop.asked = now
                    if hop.drops:  # S1b
                        self.give_back(hop, now)
                        heapq.heappush(self.times, now + self.tau)
                return
            left = hop.left(self.tau)
            if left is None or left > now:
                return

    def grant(self, end, now):
        """S5: an output that is free goes to the earliest request, then to the lowest input."""
        owner = self.owner[end]
        if owner is not None:
            starts = owner.started[end[1]]
            if len(starts) < owner.flits or starts[-1] + self.tau > now:
                return
            self.owner[end] = None
        asking = [hop for hop in self.hops if hop.node == end[0] and hop.asked is not None
                  and end[1] in hop.started and end[1] not in hop.granted]
        if asking:
            first = min(asking, key=lambda hop: (hop.asked, hop.port))
            first.granted.add(end[1])
            self.owner[end] = first

    def start(self, hop, now):
        """S2, S3, S9: flits start where there is one, a credit and a wire."""
        able = [port for port in hop.started if self.is_able(hop, port, now)]
        if self.case.get("replication") == "sync" and len(able) < len(hop.started):
            return
        for port in able:
            end, flit = (hop.node, port), len(hop.started[port])
            hop.started[port].append(now)
            heapq.heappush(self.times, now + self.tau)
            far, far_port = self.peer[end]
            tail = flit + 1 == hop.flits
            if far in self.hosts:  # S7
                if tail:
                    self.delivered[hop.worm["number"]][far] = now + self.tau + self.p
                continue
            self.credits[end] -= 1
            ready = now + self.tau + self.p + self.t_r
            heapq.heappush(self.times, ready)
            if flit == 0:
                flits = self.length(hop.worm, far)
                new = Hop(hop.worm, far, far_port, flits, flits < hop.flits)
                self.hops.append(new)
                self.queues[far, far_port].append(new)
            next(each for each in self.queues[far, far_port] if each.worm is hop.worm).ready.append(ready)
        done = min(map(len, hop.started.values()))
        while hop.port >= 0 and hop.freed < done:  # S6
            hop.freed += 1
            self.give_back(hop, now)

    def give_back(self, hop, now):
        heapq.heappush(self.returning, (now + self.p, self.peer[hop.node, hop.port]))
        heapq.heappush(self.times, now + self.p)

    def length(self, worm, node):
        """S1b: returns how many flits a worm has when it leaves a node."""
        size, switches = self.case.get("flit_size", 1), 0
        if self.case.get("route_header") == "source" and all(len(ports) == 1 for ports in worm["tree"].values()):
            node = self.peer[node, worm["tree"][node][0]][0]
            while node in worm["tree"]:
                switches += 1
                node = self.peer[node, worm["tree"][node][0]][0]
        return worm["flits"] + -(-switches // size)

    def is_able(self, hop, port, now):
        starts = hop.started[port]
        if port not in hop.granted or len(starts) == hop.flits:
            return False
        if starts and starts[-1] + self.tau > now or hop.drops and hop.asked + self.tau > now:
            return False
        place = len(starts) + hop.drops
        if len(hop.ready) <= place or hop.ready[place] > now:
            return False
        return self.peer[hop.node, port][0] in self.hosts or self.credits[hop.node, port] > 0
