/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_TREE_H
#define BARRIER_TREE_H

#include "ns3/fabric-graph.h"
#include "ns3/switch-adjacency.h"
#include "ns3/switch-search.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Finds the best barrier tree over a set of member switches; see BarrierTree.
 *
 * The height of a member switch's tree is its distance to the farthest one, so CenterSearch tells
 * which trees need be grown: few on irregular fabrics of medium connectivity, whatever their size.
 * Trees of equal height are grown one and all, as nothing cheaper tells their edges exactly. On a
 * torus, or where there are so many cables that most switches are as near to all others, that is
 * a tree for almost every member switch.
 */
class BarrierTreeSearch
{
  public:
    using Node = FabricGraph::Node; ///< number of a node
    using Port = FabricGraph::Port; ///< number of a port

    /// A switch of the tree.
    struct Step
    {
        Node node;      ///< the switch
        uint32_t above; ///< index of the step to the switch above it; NONE at the root
        Port port;      ///< port of the switch above that leads here
        uint32_t depth; ///< number of links from the root
    };

    /// Which leaves the third rule between trees counts. The text of Moh et al. (2001),
    /// section 3.1, does not restrict them, but Figure 3 has two in a tree with five, and by all
    /// leaves the root of Figure 2 is never chosen among three trees.
    enum class Leaves : uint8_t
    {
        ALL,    ///< all switches with none below
        DEEPEST ///< those among them that are as deep as the tree is high
    };

    /// No step: what is above the root.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// @param adjacency the links between switches, which must outlive this object
    /// @param members member switches by number, one at least
    /// @param leaves which leaves count
    BarrierTreeSearch(const SwitchAdjacency& adjacency,
                      const std::vector<Node>& members,
                      Leaves leaves = Leaves::DEEPEST);

    /// @return switches of the best tree in the order of the search from its root; empty if no
    /// links lead from one member switch to another
    std::vector<Step> FindBest();

    /// @return number of trees as high and with as many edges as the one that FindBest found, that
    /// one included: between them leaves decide
    uint32_t GetNEqual() const
    {
        return m_nEqual;
    }

    /// @return number of breadth-first searches that FindBest made to find the root
    uint32_t GetNSearches() const
    {
        return m_nSearches;
    }

  private:
    /// What decides between trees.
    struct Score
    {
        uint32_t height; ///< most edges between a switch and the root
        uint32_t edges;  ///< number of edges
        uint32_t leaves; ///< number of leaves that count
        Node root;       ///< root of the tree
        bool operator<(const Score& other) const;
    };

    /// Cuts leaves that are no member switches off the tree of a search until none is left, and
    /// notes which switches have others below them then.
    /// @return the score of what is left
    Score Prune(const SwitchSearch& search);

    /// @return what is left of the tree of a search @param search the search, pruned last
    std::vector<Step> ListSteps(const SwitchSearch& search) const;

    const SwitchAdjacency& m_adjacency; ///< links between switches
    const std::vector<Node>& m_members; ///< member switches
    const Leaves m_leaves;              ///< which leaves count
    std::vector<uint8_t> m_inner; ///< whether one is below, by index in the search pruned last
    uint32_t m_nEqual{0};         ///< trees of the least height with the fewest edges
    uint32_t m_nSearches{0};      ///< number of searches made to find the root
};

/**
 * @ingroup wormhole
 * @brief A barrier tree for irregular networks (BTIN): the switches that combine and spread the
 *        messages of a group's barriers, after Moh et al. (2001).
 *
 * A breadth-first tree is grown from every member switch, that is, every switch with a member host:
 * neighbours in the order of their numbers, first found first searched, parallel cables by the
 * lowest port. Leaves that are no member switches are cut off until none is left. Of the trees the
 * one of least height is taken; among equals the one of fewest edges, then of fewest leaves (the
 * deepest, or all), then of the lowest root.
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

        /// @return ports to members, to switches below and to that above, in this order
        std::vector<Port> GetPorts() const
        {
            std::vector<Port> ports(memberPorts.begin(), memberPorts.end());
            ports.insert(ports.end(), childPorts.begin(), childPorts.end());
            if (!IsRoot())
            {
                ports.push_back(parentPort);
            }
            return ports;
        }

        /// @return whether this switch has members
        bool IsMember() const
        {
            return !memberPorts.empty();
        }
    };

    /// @param graph the fabric
    /// @param members member hosts, each once, in any order
    /// @param leaves which leaves count where trees are equally high and have as many edges
    /// @throws WormholeError if there are none, one is no host, has no cable to a switch or is
    /// there twice, or no cables lead from one to another
    BarrierTree(const FabricGraph& graph,
                const std::vector<Node>& members,
                Leaves leaves = Leaves::DEEPEST);

    Node GetRootSwitch() const;   ///< @return the root switch
    Node GetRootHost() const;     ///< @return member on the lowest port of the root switch
    uint32_t GetHeight() const;   ///< @return most edges between a switch and the root, h
    uint32_t GetNEdges() const;   ///< @return number of edges between switches, E
    uint32_t GetNLeaves() const;  ///< @return number of switches with none below
    uint32_t GetNDeepest() const; ///< @return number of those that are h edges below the root
    uint32_t GetNEqual() const;   ///< @return trees between which leaves decided, this included
    uint32_t GetNMembers() const; ///< @return number of members, n

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

    /// Finds the tree, and how many are equal to it. @return its switches
    std::vector<BarrierTreeSearch::Step> FindBest(const FabricGraph& graph,
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
    uint32_t m_nEqual{0};                       ///< trees as high and with as many edges
    uint32_t m_nLeaves{0};                      ///< number of switches with none below
    uint32_t m_height{0};                       ///< most edges between a switch and the root
};

} // namespace ns3

#endif /* BARRIER_TREE_H */
