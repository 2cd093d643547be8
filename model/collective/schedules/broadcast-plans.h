// SPDX-License-Identifier: GPL-2.0-only

#ifndef BROADCAST_PLANS_H
#define BROADCAST_PLANS_H

#include "working-switches.h"

#include "ns3/communication-tree.h"

namespace ns3
{

/// A planned broadcast, computed without a simulator.
class BroadcastPlan
{
  public:
    BroadcastPlan(CommunicationTree tree, std::vector<Time> arrivals)
        : m_tree(std::move(tree)),
          m_arrivals(std::move(arrivals))
    {
    }

    const CommunicationTree& GetTree() const
    {
        return m_tree;
    }

    /// @return planned time at which each process is active; the root at 0
    const std::vector<Time>& GetArrivals() const
    {
        return m_arrivals;
    }

  private:
    CommunicationTree m_tree;
    std::vector<Time> m_arrivals;
};

/// The plan of a broadcast between switches of Sun et al., "Broadcast on Clusters of SMPs with
/// Optimal Concurrency". Processes of its tree are switches' leaders, numbered by switch.
///
/// It begins with the single-source shortest-path minimum-cost spanning tree of the working
/// switches, by Dijkstra's algorithm; the weight of an edge is s + r. Leaders are one-port: they
/// send to their children one after the other. Two heuristics of section 2.2 reduce the time:
///
/// - down-to-up: a leader serves its children in descending order of w, the longest path from the
///   child down; w of a leaf is 0. Ties go to the longer path, then to the lower number.
/// - up-to-down: children that would be served late get another parent ("paralleling procedure").
///   Switches are visited breadth-first, and then once more depth-first. All children of the
///   visited switch except the first served are tried in order. Candidates are the switches visited
///   before, the latest first, and, if siblings are permitted, the children tried before. A
///   candidate would serve the child after all its other children. Of the candidates that would
///   make the child active sooner than its parent does, the soonest becomes its parent, unless a
///   link on the path between them would then be on more of the tree's paths than it has channels.
///
/// So no move delays any switch. A path is requested only if it might help.
class SwitchBroadcastPlan : public BroadcastPlan
{
  public:
    /// Options beyond the shortest paths.
    struct Heuristics
    {
        bool downToUp{true};    ///< order children by w; else by number
        bool upToDown{true};    ///< paralleling procedure
        bool siblings{true};    ///< paralleling: a sibling may become the parent
        bool channelCaps{true}; ///< paralleling: links' channels limit the paths over them
    };

    /// @param switches the working switches, at least one
    /// @throws WormholeError if a switch can't be reached
    SwitchBroadcastPlan(const WorkingSwitches& switches, const Heuristics& heuristics);
};

/// The plan of a broadcast among hosts in which every host that has the message may send to other
/// switches, over the independent channels of links: Sun et al., section 2.2. Processes of its tree
/// are hosts, numbered switch by switch, leaders first.
///
/// A greedy schedule in time: the host that is free first sends next; ties go to the lowest
/// process. It serves the unserved switch with most hosts; if all switches are served, an unserved
/// host of its own switch; else a host of the switch with most unserved hosts. A message occupies
/// the channels of its path for as long as it keeps its sender busy; a host that finds no channel
/// free waits for one. Among a switch's hosts, the first one with a free path is served, its leader
/// first, then in the order of ranks: the cable that a message uses depends on its receiver.
///
/// A host considers at most 16 switches, and 4 hosts of each; at most 512 hosts wait at a time. The
/// time is proportional to the number of hosts times the number of switches with unserved hosts.
class HostBroadcastPlan : public BroadcastPlan
{
  public:
    /// @param switches the working switches, at least one
    /// @param channelCaps whether the channels of links limit the messages that cross them at once
    HostBroadcastPlan(const WorkingSwitches& switches, bool channelCaps);
};

} // namespace ns3

#endif /* BROADCAST_PLANS_H */
