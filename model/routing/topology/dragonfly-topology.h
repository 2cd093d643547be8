// SPDX-License-Identifier: GPL-2.0-only

#ifndef DRAGONFLY_TOPOLOGY_H
#define DRAGONFLY_TOPOLOGY_H

#include "regular-topology.h"

#include "ns3/channel-dependency.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace ns3
{

/// A full mesh: each switch has a cable to every other, and all have the same number of hosts.
///
/// A switch's ports lead to the other switches in order, then to its hosts. Routes are direct: a
/// worm uses only one cable between switches, so no such channel waits for another such channel,
/// and worms cannot deadlock.
class FullMeshTopology : public RegularFamily<FullMeshTopology>
{
  public:
    /// @throws WormholeError if a number is out of range, or the fabric is too large
    explicit FullMeshTopology(uint32_t switches, uint32_t hosts = 1)
        : RegularFamily("direct", false, 1)
    {
        CheckRange("hosts a switch", hosts, 1, UINT16_MAX);
        CheckRange("fully meshed switches", switches, 1, UINT16_MAX);
        SetSize("full mesh of " + std::to_string(switches) + " switches",
                switches,
                1.0 * switches * hosts,
                switches - 1.0 + hosts);
        SetHosts({0, static_cast<Port>(switches - 1)}, hosts);
    }

    End Peer(Node node, Port port) const override
    {
        if (port >= GetNSwitches() - 1)
        {
            return {};
        }
        const Node far = port < node ? port : port + 1;
        return {far, PortTo(far, node)};
    }

    void AppendPorts(Node from, Node to, uint32_t, WormRoute::Ports& ports) const override
    {
        if (from != to)
        {
            ports.push_back(PortTo(from, to));
        }
    }

    // No channel between switches follows another.
    uint32_t GetKind(Node, Port) const override
    {
        return 0;
    }

    bool MayFollow(uint32_t, uint32_t) const override
    {
        return false; // a path has one cable between switches
    }

    static Port PortTo(Node from, Node to)
    {
        return static_cast<Port>(to < from ? to : to - 1);
    }
};

/// Dragonfly (Kim et al. 2008): fully meshed groups of fully meshed switches.
///
/// Each of g groups has `a` switches with h global ports each. The global ports of a group, switch
/// by switch, lead to the groups 1, 2, ... g - 1 places further on, cyclically. This sequence is
/// repeated while ports remain for all of these groups: every pair of groups has the same number of
/// cables, and other ports stay open. With g = a h + 1, the maximum, this number is one, and no
/// port remains.
///
/// Switch r of group i has number i a + r. Its ports lead to the other switches of the group in
/// order, then to other groups, then to its hosts.
///
/// Routes are minimal: a local link, a global link, a local link. Among the cables between the two
/// groups, the one with the shortest path is selected, at best a cable of the sending switch;
/// RouteSpread breaks ties. A worm that has reached its destination group waits for the same local
/// channels as a worm that is about to leave the group, so worms can wait for each other in a cycle
/// of groups; virtual channels prevent this (Kim et al. 2008), see the engine dragonfly-minimal.
/// Without virtual channels worms are safe if every switch has a cable to every other group, as
/// with one switch per group or two groups, and in a few other cases.
class DragonflyTopology : public RegularFamily<DragonflyTopology>
{
  public:
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
    explicit DragonflyTopology(const Parameters& parameters)
        : RegularFamily("minimal", true, 2), // kinds: within groups and between them
          m_switches(parameters.switches),
          m_globals(parameters.globals),
          m_groups(parameters.groups),
          m_hosts(parameters.hosts)
    {
        CheckRange("switches a group, a", m_switches, 1, UINT16_MAX);
        CheckRange("global ports a switch, h", m_globals, 1, UINT16_MAX);
        CheckRange("hosts a switch", m_hosts, 1, UINT16_MAX);
        const auto most = static_cast<uint32_t>(
            std::min<uint64_t>(uint64_t{m_switches} * m_globals + 1, INT32_MAX));
        m_groups = m_groups == 0 ? most : m_groups;
        CheckRange("groups of " + std::to_string(m_switches) + " switches with " +
                       std::to_string(m_globals) + " global ports each, g",
                   m_groups,
                   2,
                   most);
        m_copies = m_switches * m_globals / (m_groups - 1);
        const auto nSwitches = 1.0 * m_groups * m_switches;
        SetSize("dragonfly of " + std::to_string(m_groups) + " groups",
                nSwitches,
                nSwitches * m_hosts,
                m_switches - 1.0 + m_globals + m_hosts);
        SetHosts({0, static_cast<Port>(m_switches - 1 + m_globals)}, m_hosts);
    }

    End Peer(Node node, Port port) const override
    {
        const auto own = node % m_switches;
        const auto group = GetGroup(node);
        if (port < m_switches - 1)
        {
            const Node far = port < own ? port : port + 1;
            return {group * m_switches + far, FullMeshTopology::PortTo(far, own)};
        }
        const uint32_t global = port - (m_switches - 1);
        const auto slot = own * m_globals + global; // of the group's global ports
        if (global >= m_globals || slot >= m_copies * (m_groups - 1))
        {
            return {};
        }
        const auto further = slot % (m_groups - 1) + 1;
        const auto far = static_cast<uint32_t>((uint64_t{group} + further) % m_groups);
        const auto back = GetGlobalCable(far, group, slot / (m_groups - 1));
        return {back.from, back.port};
    }

    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override
    {
        const auto take = [&](Node, Port port) { ports.push_back(port); };
        if (const auto group = GetGroup(to); group != GetGroup(from))
        {
            // Of the best cables, take the first one at or after the cable of the chosen number. It
            // is also the first one in any subset that contains it, so that the paths of one number
            // form a tree.
            auto best = GetGlobalCable(GetGroup(from), group, choice % m_copies);
            const auto cost =
                [&](const auto& cable) { // links, then whether a local link comes first
                    return 3 * (cable.from != from) + 2 * (cable.to != to);
                };
            for (uint32_t i = 1; i < m_copies && cost(best) > 0; ++i)
            {
                const auto cable =
                    GetGlobalCable(GetGroup(from), group, (choice % m_copies + i) % m_copies);
                best = cost(cable) < cost(best) ? cable : best;
            }
            from = Cross(from, best, take);
        }
        Step(from, to, take);
    }

    void CheckDeadlockFree(const FabricGraph& graph, RouteSpread::Rule spread) const override
    {
        if (LeavesAtOnce()) // no local channel waits for a global one
        {
            return;
        }
        const auto nChoices = spread == RouteSpread::Rule::FIRST ? 1 : m_copies;
        const auto add = [&](ChannelDependency& routes, Node from, Node to) {
            for (uint32_t choice = 0; from != to && choice < nChoices; ++choice)
            {
                WormRoute::Ports ports{0};
                AppendPorts(from, to, choice, ports);
                routes.Add(graph.HostAt(from * m_hosts), WormRoute::Path(std::move(ports)));
            }
        };
        ChannelDependency round(graph); // from each group to the next, where cycles are likely
        for (Node from = 0; from < GetNSwitches(); ++from)
        {
            const auto next = (GetGroup(from) + 1) % m_groups * m_switches;
            for (Node to = next; to < next + m_switches; ++to)
            {
                add(round, from, to);
            }
        }
        round.CheckDeadlockFree();
        WormholeError::ThrowIf(
            GetNSwitches() > MAX_SWITCHES,
            "minimal routes of " + std::to_string(GetNSwitches()) +
                " switches: too many to prove that worms cannot deadlock; expected "
                "up/down routes, or up to " +
                std::to_string(MAX_SWITCHES) + " switches");
        ChannelDependency all(graph);
        for (Node from = 0; from < GetNSwitches(); ++from)
        {
            for (Node to = 0; to < GetNSwitches(); ++to)
            {
                add(all, from, to);
            }
        }
        all.CheckDeadlockFree();
    }

    // Channels are local or global.
    uint32_t GetKind(Node node, Port port) const override
    {
        return GetGroup(Peer(node, port).node) != GetGroup(node);
    }

    bool MayFollow(uint32_t kind, uint32_t next) const override
    {
        // A path has at most one cable between groups, and at most one within a group on either
        // side.
        return kind != next && (kind == 1 || !LeavesAtOnce());
    }

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

    /// Takes the cable between two switches of a group, unless they are the same.
    /// @param take called with a switch and the port by which a worm leaves it
    template <class TAKE>
    void Step(Node from, Node to, TAKE take) const
    {
        if (from != to)
        {
            take(from, FullMeshTopology::PortTo(from % m_switches, to % m_switches));
        }
    }

    /// Continues to another group by a cable of this group. @return the switch at its far end
    template <class TAKE>
    Node Cross(Node from, const GlobalCable& cable, TAKE take) const
    {
        Step(from, cable.from, take);
        take(cable.from, cable.port);
        return cable.to;
    }

    /// @param copy index of the cable between them, from 0
    GlobalCable GetGlobalCable(uint32_t from, uint32_t to, uint32_t copy) const
    {
        const auto further = to > from ? to - from : to + m_groups - from;
        const auto first = copy * (m_groups - 1);
        const auto slot = first + further - 1;
        const auto back = first + (m_groups - further) - 1;
        return {from * m_switches + slot / m_globals,
                static_cast<Port>(m_switches - 1 + slot % m_globals),
                to * m_switches + back / m_globals};
    }

  private:
    /// Maximum number of switches for which all routes are checked; this takes seconds.
    static constexpr uint32_t MAX_SWITCHES = 1024;

    /// @return whether every switch has a cable to every other group
    bool LeavesAtOnce() const
    {
        // A switch's global ports lead to groups that follow each other; a group's last global
        // ports may be open.
        return m_globals >= m_groups - 1 && uint64_t{m_copies} * (m_groups - 1) >=
                                                uint64_t{m_switches - 1} * m_globals + m_groups - 1;
    }

    uint32_t m_switches;
    uint32_t m_globals;
    uint32_t m_groups;
    uint32_t m_hosts;
    uint32_t m_copies;
};

} // namespace ns3

#endif /* DRAGONFLY_TOPOLOGY_H */
