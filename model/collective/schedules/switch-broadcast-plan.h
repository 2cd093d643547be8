/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_BROADCAST_PLAN_H
#define SWITCH_BROADCAST_PLAN_H

#include "working-switches.h"

#include "ns3/communication-tree.h"
#include "ns3/nstime.h"

#include <vector>

namespace ns3
{

/// The plan of a broadcast between switches of Sun et al., "Broadcast on Clusters of SMPs with
/// Optimal Concurrency". Pure.
///
/// It begins with the single-source shortest-path minimum-cost spanning tree of the working
/// switches, by Dijkstra's algorithm; the weight of an edge is s + r. Leaders are one-port: they
/// send to their children one after the other. Two heuristics of section 2.2 reduce the time:
///
/// - down-to-up: a leader serves its children in descending order of w, the longest path from there
///   down; w of a leaf is 0. Ties go to the longer path, then to the lower number.
/// - up-to-down: children that would be served late get another parent ("paralleling procedure").
///   Switches are visited breadth-first, and then once more depth-first. All children of the
///   visited switch except the first served are tried in order. Candidates are the switches visited
///   before, the latest first, and, if siblings are permitted, the children tried before. Among
///   those that would make the child active sooner than its parent does, after all their other
///   children, the one that does so soonest becomes its parent, unless a link on the path between
///   them would then be on more of the tree's paths than it has channels.
///
/// So no move delays any switch. A path is requested only if it might shorten a path or make a
/// child active sooner.
class SwitchBroadcastPlan
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

    /// @return the tree of the switches, by their indices
    const CommunicationTree& GetTree() const
    {
        return m_tree;
    }

    /// @return when each switch's leader is active; the root's at 0
    const std::vector<Time>& GetArrivals() const
    {
        return m_arrivals;
    }

  private:
    CommunicationTree m_tree;
    std::vector<Time> m_arrivals;
};

} // namespace ns3

#endif /* SWITCH_BROADCAST_PLAN_H */
