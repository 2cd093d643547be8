/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DRAGONFLY_TOPOLOGY_H
#define DRAGONFLY_TOPOLOGY_H

#include "regular-topology.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Dragonfly (Kim et al. 2008): groups of fully meshed switches, and fully meshed groups.
 *
 * Each of g groups has `a` switches with h global ports each. The global ports of a group, switch
 * by switch, lead to the groups 1, 2, ... g - 1 places further round, and then again from 1 on, as
 * often as all of them find a port: every pair of groups has equally many cables, and ports that
 * are left stay open. With g = a h + 1, the most there can be, that is one cable and none left.
 *
 * Switch r of group i has number i a + r. Its ports lead to the other switches of the group in
 * order, then to other groups, then to its hosts.
 *
 * Routes are minimal: a local link, a global one, a local one. Of the cables between the two groups
 * the one with the shortest way is taken, at best one of the sending switch, the first among
 * equals. A worm that has come to a group waits for the same local channels as one that is about to
 * leave it, so worms can wait for each other from group to group in a circle; it takes virtual
 * channels to part them (Kim et al. 2008), see the engine dragonfly-minimal. Worms on these routes
 * are safe where every switch has a cable to every other group, as with one switch a group or two
 * groups, and in few other cases.
 */
class DragonflyTopology : public RegularTopology
{
  public:
    /// What is built.
    struct Parameters
    {
        uint32_t switches{4}; ///< switches of a group, a
        uint32_t globals{2};  ///< ports of each switch for other groups, h
        uint32_t groups{0};   ///< number of groups, g, 2 to a h + 1; 0: a h + 1
        uint32_t hosts{1};    ///< hosts at each switch, p
    };

    /// A cable between two groups, seen from one of them.
    struct GlobalCable
    {
        Node from; ///< switch of this group
        Port port; ///< its port
        Node to;   ///< switch of the other group
    };

    /**
     * @param parameters what is built
     * @throws WormholeError if a number is out of its range, or the fabric too large
     */
    explicit DragonflyTopology(const Parameters& parameters);

    End Peer(Node node, Port port) const override;
    End SwitchOf(uint32_t host) const override;

    std::shared_ptr<const RegularTopology> Copy() const override;
    std::string GetRouting() const override;
    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override;
    bool HasSeveralWays() const override;
    void CheckDeadlockFree(const FabricGraph& graph, RouteSpread::Rule spread) const override;

    // Channels are within groups or between them.
    uint32_t GetNKinds() const override;
    uint32_t GetKind(Node node, Port port) const override;
    bool MayFollow(uint32_t kind, uint32_t next) const override;

    uint32_t GetNGroups() const;       ///< @return number of groups, g
    uint32_t GetNGlobalCables() const; ///< @return cables between two groups

    /// @return the group of a switch @param node the switch
    uint32_t GetGroup(Node node) const;

    /// @return the port that leads to another switch of the group @param from,to the switches
    Port PortTo(Node from, Node to) const;

    /**
     * @param from a group
     * @param to another group
     * @param copy which of the cables between them, from 0 on
     * @return the cable
     */
    GlobalCable GetGlobalCable(uint32_t from, uint32_t to, uint32_t copy) const;

  private:
    /// @return whether every switch has a cable to every other group
    bool LeavesAtOnce() const;

    uint32_t m_switches; ///< switches of a group, a
    uint32_t m_globals;  ///< ports of each switch for other groups, h
    uint32_t m_groups;   ///< number of groups, g
    uint32_t m_hosts;    ///< hosts at each switch, p
    uint32_t m_copies;   ///< cables between two groups
};

} // namespace ns3

#endif /* DRAGONFLY_TOPOLOGY_H */
