// SPDX-License-Identifier: GPL-2.0-only

#ifndef BARRIER_TREE_H
#define BARRIER_TREE_H

#include "ns3/fabric-graph.h"
#include "ns3/switch-search.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Finds the best barrier tree over a set of member switches; see BarrierTree.
///
/// The height of a tree is the distance from its root to the farthest member switch, so
/// CenterSearch finds the possible roots of the lowest tree. A tree is built from each of these
/// roots, to count its edges exactly. On irregular fabrics of medium connectivity and any size,
/// there are only a few of these roots; on a torus, or with very many cables, almost every member
/// switch is one of them.
class BarrierTreeSearch
{
  public:
    using Node = FabricGraph::Node; ///< number of a node
    using Port = FabricGraph::Port; ///< number of a port

    /// A switch of the tree.
    struct Step
    {
        Node node;      ///< the switch
        uint32_t above; ///< index of the parent switch in the list of steps; NONE at the root
        Port port;      ///< port of the parent switch that leads to this switch
        uint32_t depth; ///< number of links between the root and this switch
    };

    /// Which leaves are counted to break a tie between trees. Moh et al. (2001), section 3.1, do
    /// not say; only DEEPEST explains the root in their Figure 2 and the two leaves in Figure 3.
    enum class Leaves : uint8_t
    {
        ALL,    ///< all switches without children
        DEEPEST ///< only leaves at the greatest depth of the tree
    };

    /// Value of Step::above at the root, which has no parent.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// @param adjacency the links between switches, which must outlive this object
    /// @param members one or more member switches, by number; the list must outlive this, too
    /// @param leaves the leaves to be counted
    BarrierTreeSearch(const SwitchAdjacency& adjacency,
                      const std::vector<Node>& members,
                      Leaves leaves = Leaves::DEEPEST)
        : m_adjacency(adjacency),
          m_members(members),
          m_leaves(leaves),
          m_inner(adjacency.GetNSwitches())
    {
    }

    /// @return the switches of the best tree, breadth first; empty if members are not connected
    std::vector<Step> FindBest();

    /// @return the switches of a root's tree, like FindBest @param root any member switch
    std::vector<Step> FindFrom(Node root);

    /// @return number of trees that have the same height and number of edges as the tree that
    ///         FindBest returned, including that tree
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
    /// The criteria for selecting a tree.
    struct Score
    {
        uint32_t height; ///< greatest number of edges between a switch and the root
        uint32_t edges;
        uint32_t leaves;
        Node root;

        bool operator<(const Score& other) const
        {
            return std::tie(height, edges, leaves, root) <
                   std::tie(other.height, other.edges, other.leaves, other.root);
        }
    };

    /// Removes leaves without members until none is left; records which switches have children.
    Score Prune(const SwitchSearch& search);

    /// @param search the search that was pruned last
    std::vector<Step> ListSteps(const SwitchSearch& search) const;

    const SwitchAdjacency& m_adjacency; ///< links between switches
    const std::vector<Node>& m_members;
    const Leaves m_leaves;
    std::vector<uint8_t> m_inner; ///< whether a switch has children, by its index in Prune's search
    uint32_t m_nEqual{0};         ///< trees of the least height with the fewest edges
    uint32_t m_nSearches{0};      ///< number of searches made to find the root
};

/// @ingroup wormhole
/// @brief A barrier tree for irregular networks (BTIN), after Moh et al. (2001): the switches that
///        combine and distribute the messages of a group's barriers.
///
/// Each member switch (a switch with a member host) is the root of a breadth-first tree: neighbours
/// are visited by number, and of parallel cables, the one with the lowest port is used. Leaves that
/// are not member switches are removed until every leaf is one. The lowest tree is selected; ties
/// go to the fewest edges, then to the fewest leaves (see Leaves), then to the lowest root.
///
/// A switch's representative is its member on the lowest port; the root's is called the root host.
class BarrierTree
{
  public:
    using Node = FabricGraph::Node;           ///< number of a node
    using Port = FabricGraph::Port;           ///< number of a port
    using Leaves = BarrierTreeSearch::Leaves; ///< which leaves are counted in ties

    /// Ports of a switch in increasing order, shared by the tree and its copies.
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

        /// @return whether there are no ports
        bool empty() const
        {
            return count == 0;
        }

        /// @return the lowest port; there must be one
        Port front() const
        {
            return *first;
        }
    };

    /// A switch of the tree, with the contents of its barrier register.
    struct SwitchEntry
    {
        Node node{FabricGraph::NONE};           ///< the switch
        Node parent{FabricGraph::NONE};         ///< parent switch; NONE at the root
        uint32_t depth{0};                      ///< number of edges to the root
        Port parentPort{0};                     ///< port to the parent; undefined at the root
        Ports childPorts;                       ///< ports to the children
        Ports memberPorts;                      ///< ports to member hosts
        Node representative{FabricGraph::NONE}; ///< member on the lowest port; NONE if no members
        /// Member host that sets up the register: the switch's representative or, if no member is
        /// here, that of the nearest ancestor with members (Moh et al., Setup_Register, step 6).
        Node installer{FabricGraph::NONE};

        /// @return whether this is the root switch
        bool IsRoot() const
        {
            return parent == FabricGraph::NONE;
        }

        /// @return ports to members, to children and to the parent, in this order
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
    /// @param leaves which leaves are counted to break a tie between trees
    /// @param root root switch, which must have a member; NONE: the best tree's root
    /// @throws WormholeError if there is no member; if a member is not a host, has no cable to a
    ///         switch or is repeated; if members are not connected; or if the root has no member
    BarrierTree(const FabricGraph& graph,
                const std::vector<Node>& members,
                Leaves leaves = Leaves::DEEPEST,
                Node root = FabricGraph::NONE);

    /// Returns the cost of a message on the channel from an output port: at least 0, in any unit.
    using ChannelCost = std::function<double(FabricGraph::End)>;

    /// Builds a tree from each member switch. @return the tree whose costliest path from the root
    ///         to a switch and back costs least; ties go to the least total cost, then to the least
    ///         height, then to the lowest root @param graph,members as for the constructor
    /// @param cost cost of each channel @throws WormholeError as the constructor
    static BarrierTree FindQuickest(const FabricGraph& graph,
                                    const std::vector<Node>& members,
                                    const ChannelCost& cost);

    /// @return the root switch
    Node GetRootSwitch() const
    {
        return m_switches.front().node;
    }

    /// @return member on the lowest port of the root switch
    Node GetRootHost() const
    {
        return m_switches.front().representative;
    }

    /// @return greatest number of edges between a switch and the root
    uint32_t GetHeight() const
    {
        return m_height;
    }

    /// @return number of edges, each a cable between two switches of the tree
    uint32_t GetNEdges() const
    {
        return static_cast<uint32_t>(m_switches.size()) - 1;
    }

    /// @return number of switches without children
    uint32_t GetNLeaves() const
    {
        return m_nLeaves;
    }

    /// @return number of leaves at the greatest depth (GetHeight)
    uint32_t GetNDeepest() const
    {
        return static_cast<uint32_t>(
            std::count_if(m_switches.begin(), m_switches.end(), [this](const auto& entry) {
                return entry.depth == m_height;
            }));
    }

    /// @return number of trees that have this tree's height and number of edges, with this tree; 0
    ///         if the root was given
    uint32_t GetNEqual() const
    {
        return m_nEqual;
    }

    /// @return number of member hosts
    uint32_t GetNMembers() const
    {
        return m_nMembers;
    }

    /// @return the switches of the tree, parents before children
    const std::vector<SwitchEntry>& GetSwitches() const
    {
        return m_switches;
    }

    /// @return entry of a switch; nullptr: the switch is not in the tree @param node the switch
    const SwitchEntry* Find(Node node) const;

    /// @return number of links from the root host to the farthest member, with both hosts' cables
    uint32_t DistanceLinks() const
    {
        return m_height + 2;
    }

  private:
    /// For each member, the switch and port to which it is cabled, ordered by switch, then port.
    using Places = std::vector<FabricGraph::End>;

    /// Finds each member's switch and port.
    static Places PlaceMembers(const FabricGraph& graph, const std::vector<Node>& members);

    std::vector<BarrierTreeSearch::Step> FindBest(const FabricGraph& graph,
                                                  const Places& places,
                                                  Leaves leaves,
                                                  Node root);

    /// Adds a switch whose parent, if any, has been added.
    void AddEntry(const FabricGraph& graph,
                  const BarrierTreeSearch::Step& step,
                  const Places& places,
                  const std::vector<Port>& childPorts);

    Ports Hold(const std::vector<Port>& ports)
    {
        const auto first = m_ports->size();
        m_ports->insert(m_ports->end(), ports.begin(), ports.end());
        return {m_ports->data() + first, static_cast<uint32_t>(ports.size())};
    }

    std::shared_ptr<std::vector<Port>> m_ports; ///< the entries' ports, at fixed addresses
    std::vector<SwitchEntry> m_switches;        ///< the tree, from the root down
    std::vector<uint32_t> m_byNumber;           ///< index in m_switches, by switch number
    uint32_t m_nMembers;
    uint32_t m_nEqual{0};  ///< number of trees with this height and number of edges
    uint32_t m_nLeaves{0}; ///< number of switches without children
    uint32_t m_height{0};  ///< maximum number of edges between a switch and the root
};

} // namespace ns3

#endif /* BARRIER_TREE_H */
