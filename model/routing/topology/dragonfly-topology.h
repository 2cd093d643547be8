/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DRAGONFLY_TOPOLOGY_H
#define DRAGONFLY_TOPOLOGY_H

#include "regular-topology.h"

#include <cstdint>

namespace ns3
{

/// A full mesh: each switch has a cable to every other, and all have the same number of hosts.
///
/// A switch's ports lead to the other switches in order, then to its hosts. Routes are direct: a
/// worm uses only one cable between switches, so no such channel waits for another, and worms
/// cannot deadlock.
class FullMeshTopology : public RegularFamily<FullMeshTopology>
{
  public:
    /// @throws WormholeError if a number is out of range, or the fabric is too large
    explicit FullMeshTopology(uint32_t switches, uint32_t hosts = 1);

    End Peer(Node node, Port port) const override;
    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override;

    // No channel between switches follows another.
    uint32_t GetKind(Node, Port) const override
    {
        return 0;
    }

    bool MayFollow(uint32_t kind, uint32_t next) const override;

    static Port PortTo(Node from, Node to)
    {
        return static_cast<Port>(to < from ? to : to - 1);
    }
};

/// Dragonfly (Kim et al. 2008): fully meshed groups of fully meshed switches.
///
/// Each of g groups has `a` switches with h global ports each. The global ports of a group, switch
/// by switch, lead to the groups 1, 2, ... g - 1 places further on, cyclically, repeated as long as
/// there are ports for all of these groups: every pair of groups has the same number of cables, and
/// remaining ports stay open. With g = a h + 1, the maximum, that is one cable, and no port
/// remains.
///
/// Switch r of group i has number i a + r. Its ports lead to the other switches of the group in
/// order, then to other groups, then to its hosts.
///
/// Routes are minimal: a local link, a global one, a local one. Among the cables between the two
/// groups, the one with the shortest path is selected, at best one of the sending switch; ties go
/// to the first. A worm that has reached its destination group waits for the same local channels as
/// one that is about to leave the group, so worms can wait for each other in a cycle of groups;
/// virtual channels prevent this (Kim et al. 2008), see the engine dragonfly-minimal. Without them
/// worms are safe if every switch has a cable to every other group, as with one switch per group or
/// two groups, and in few other cases.
class DragonflyTopology : public RegularFamily<DragonflyTopology>
{
  public:
    /// The parameters of the topology.
    struct Parameters
    {
        uint32_t switches{4}; ///< switches per group, a
        uint32_t globals{2};  ///< global ports per switch, h
        uint32_t groups{0};   ///< number of groups, g, 2 to a h + 1; 0: a h + 1
        uint32_t hosts{1};    ///< hosts per switch, p
    };

    /// A cable between two groups, seen from one of them.
    struct GlobalCable
    {
        Node from; ///< switch of this group
        Port port;
        Node to; ///< switch of the other group
    };

    /// @throws WormholeError if a number is out of range, or the fabric is too large
    explicit DragonflyTopology(const Parameters& parameters);

    End Peer(Node node, Port port) const override;
    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override;
    void CheckDeadlockFree(const FabricGraph& graph, RouteSpread::Rule spread) const override;

    // Channels are local or global.
    uint32_t GetKind(Node node, Port port) const override
    {
        return GetGroup(Peer(node, port).node) != GetGroup(node);
    }

    bool MayFollow(uint32_t kind, uint32_t next) const override;

    uint32_t GetNGroups() const
    {
        return m_groups;
    }

    uint32_t GetNGlobalCables() const
    {
        return m_copies;
    }

    uint32_t GetGroup(Node node) const
    {
        return node / m_switches;
    }

    /// @return the port that leads to another switch of the group
    Port PortTo(Node from, Node to) const
    {
        return FullMeshTopology::PortTo(from % m_switches, to % m_switches);
    }

    /// @param copy index of the cable between them, from 0
    GlobalCable GetGlobalCable(uint32_t from, uint32_t to, uint32_t copy) const;

  private:
    /// @return whether every switch has a cable to every other group
    bool LeavesAtOnce() const;

    uint32_t m_switches;
    uint32_t m_globals;
    uint32_t m_groups;
    uint32_t m_hosts;
    uint32_t m_copies;
};

} // namespace ns3

#endif /* DRAGONFLY_TOPOLOGY_H */
