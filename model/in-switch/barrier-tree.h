/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_TREE_H
#define BARRIER_TREE_H

#include "barrier-tree-search.h"

#include "ns3/fabric-graph.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A barrier tree for irregular networks (BTIN): the switches that combine and spread the
 *        messages of a group's barriers, after Moh et al. (2001).
 *
 * A breadth-first tree is grown from every member switch, that is, every switch with a member host:
 * neighbours in the order of their numbers, first found first searched, parallel cables by the
 * lowest port. Leaves that are no member switches are cut off until none is left. Of the trees the
 * one of least height is taken; among equals the one of fewest edges, then of fewest leaves (all,
 * or the deepest alone), then of the lowest root.
 *
 * A switch's representative is its member on the lowest port; the root switch's is the root host.
 */
class BarrierTree
{
  public:
    using Node = FabricGraph::Node;           ///< number of a node
    using Port = FabricGraph::Port;           ///< number of a port
    using Leaves = BarrierTreeSearch::Leaves; ///< which leaves the third rule counts

    /// Some ports of a switch, increasing; they are held by the tree and its copies.
    struct Ports
    {
        const Port* first{nullptr}; ///< the first port
        uint32_t count{0};          ///< number of ports

        /// @return the first port
        const Port* begin() const
        {
            return first;
        }

        /// @return past the last port
        const Port* end() const
        {
            return first + count;
        }

        /// @return number of ports
        std::size_t size() const
        {
            return count;
        }

        /// @return whether there are none
        bool empty() const
        {
            return count == 0;
        }

        /// @return the lowest port, if there is one
        Port front() const
        {
            return *first;
        }
    };

    /// A switch of the tree, and what goes into its barrier register.
    struct SwitchEntry
    {
        Node node{FabricGraph::NONE};           ///< the switch
        Node parent{FabricGraph::NONE};         ///< switch above; NONE at the root
        uint32_t depth{0};                      ///< number of edges to the root
        Port parentPort{0};                     ///< port that leads up; none at the root
        Ports childPorts;                       ///< ports to the switches below
        Ports memberPorts;                      ///< ports to member hosts
        Node representative{FabricGraph::NONE}; ///< member on the lowest port; NONE if no members
        /// Member host that sets up the register: the representative of the switch, or, where it
        /// has no members, of the nearest switch above that has (step 6 of Setup_Register).
        Node installer{FabricGraph::NONE};

        /// @return whether this is the root switch
        bool IsRoot() const
        {
            return parent == FabricGraph::NONE;
        }

        /// @return whether this switch has members
        bool IsMember() const
        {
            return !memberPorts.empty();
        }
    };

    /**
     * @param graph the fabric
     * @param members member hosts, each once, in any order
     * @param leaves which leaves count where trees are equally high and have as many edges
     * @throws WormholeError if there are none, one is no host, has no cable to a switch or is there
     *         twice, or no cables lead from one to another
     */
    BarrierTree(const FabricGraph& graph,
                const std::vector<Node>& members,
                Leaves leaves = Leaves::ALL);

    Node GetRootSwitch() const; ///< @return the root switch
    Node GetRootHost() const;   ///< @return member on the lowest port of the root switch

    uint32_t GetHeight() const
    {
        return m_height;
    }

    ///< @return most edges between a switch and the root, h
    uint32_t GetNEdges() const
    {
        return static_cast<uint32_t>(m_switches.size()) - 1;
    }

    ///< @return number of edges between switches, E
    uint32_t GetNLeaves() const
    {
        return m_nLeaves;
    }

    ///< @return number of switches with none below
    uint32_t GetNDeepest() const; ///< @return number of those that are h edges below the root

    uint32_t GetNMembers() const
    {
        return m_nMembers;
    }

    ///< @return number of members, n

    /// @return the switches of the tree, every one after the one above it, the root first
    const std::vector<SwitchEntry>& GetSwitches() const
    {
        return m_switches;
    }

    /// @return entry of a switch, nullptr if it is not in the tree @param node a switch
    const SwitchEntry* Find(Node node) const;

    /// @return links that a message crosses between the root host and the farthest member, h + 2
    uint32_t DistanceLinks() const
    {
        return m_height + 2;
    }

    /// @return links crossed by all messages of a barrier's two phases, 2 (E + n)
    uint64_t MessageHops() const;

  private:
    /// Ends of the members' cables, by switch, then port.
    using Places = std::vector<FabricGraph::End>;

    /// Takes the members to their switches. @return the switches and ports that they are at
    static Places PlaceMembers(const FabricGraph& graph, const std::vector<Node>& members);

    static std::vector<BarrierTreeSearch::Step> FindBest(const FabricGraph& graph,
                                                         const Places& places,
                                                         Leaves leaves);

    /// Notes a switch whose parent, if any, has been noted already.
    void AddEntry(const FabricGraph& graph,
                  const BarrierTreeSearch::Step& step,
                  const Places& places,
                  const std::vector<Port>& childPorts);
    Ports Hold(const std::vector<Port>& ports);

    std::shared_ptr<std::vector<Port>> m_ports; ///< the entries' ports: they never move
    std::vector<SwitchEntry> m_switches;        ///< the tree, from the root down
    std::vector<uint32_t> m_byNumber;           ///< indices in m_switches, by number of the switch
    uint32_t m_nMembers;                        ///< number of members
    uint32_t m_nLeaves{0};                      ///< number of switches with none below
    uint32_t m_height{0};                       ///< most edges between a switch and the root
};

} // namespace ns3

#endif /* BARRIER_TREE_H */
