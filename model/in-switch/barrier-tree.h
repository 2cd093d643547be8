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
/// The height of a member switch's tree is the switch's distance to the farthest member switch, so
/// CenterSearch determines which trees to build: on irregular fabrics of medium connectivity and
/// any size, only a few. All trees of minimum height are built, since there is no cheaper way to
/// count their edges exactly. On a torus, or with so many cables that most switches are equally
/// near to all others, this means a tree for almost every member switch.
class BarrierTreeSearch
{
  public:
    using Node = FabricGraph::Node; ///< number of a node
    using Port = FabricGraph::Port; ///< number of a port

    /// A switch of the tree.
    struct Step
    {
        Node node;      ///< the switch
        uint32_t above; ///< index of the parent's step; NONE at the root
        Port port;      ///< port of the parent that leads here
        uint32_t depth; ///< number of links from the root
    };

    /// The leaves that the third criterion (fewest leaves) counts. Moh et al. (2001), section 3.1,
    /// don't define them; but only DEEPEST explains Figure 2's root and Figure 3's two leaves.
    enum class Leaves : uint8_t
    {
        ALL,    ///< all switches without children
        DEEPEST ///< leaves of maximum depth
    };

    /// No step: the parent of the root.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// @param adjacency the links between switches, which must outlive this object
    /// @param members member switches by number, at least one
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

    /// @return number of trees, including FindBest's result, with the height and number of edges of
    ///         that result; the number of leaves decides between these trees
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
        uint32_t height; ///< maximum number of edges between a switch and the root
        uint32_t edges;
        uint32_t leaves;
        Node root;

        bool operator<(const Score& other) const
        {
            return std::tie(height, edges, leaves, root) <
                   std::tie(other.height, other.edges, other.leaves, other.root);
        }
    };

    /// Removes nonmember leaves, repeatedly, and records which switches have children left.
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
/// @brief A barrier tree for irregular networks (BTIN): the switches that combine and distribute
///        the messages of a group's barriers, after Moh et al. (2001).
///
/// A breadth-first tree is built from every member switch, that is, every switch with a member
/// host: neighbours are visited by number, parallel cables by the lowest port. Leaves that are not
/// member switches are removed, repeatedly. The tree of least height is selected; ties are broken
/// by the fewest edges, then the fewest leaves (deepest, or all), then the lowest root.
///
/// A switch's representative is its member on the lowest port; that of the root is the root host.
class BarrierTree
{
  public:
    using Node = FabricGraph::Node;           ///< number of a node
    using Port = FabricGraph::Port;           ///< number of a port
    using Leaves = BarrierTreeSearch::Leaves; ///< leaves that the third criterion counts

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

        /// @return whether there are none
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
        Node parent{FabricGraph::NONE};         ///< parent; NONE at the root
        uint32_t depth{0};                      ///< number of edges to the root
        Port parentPort{0};                     ///< port to the parent; undefined at the root
        Ports childPorts;                       ///< ports to the children
        Ports memberPorts;                      ///< ports to member hosts
        Node representative{FabricGraph::NONE}; ///< member on the lowest port; NONE if no members
        /// Member host that sets up the register: the representative of the switch or, if that has
        /// no members, of the nearest ancestor with members (step 6 of Setup_Register).
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
    /// @param leaves the leaves to be counted when trees have the same height and number of edges
    /// @param root root switch, which must have a member; NONE: the best tree's root
    /// @throws WormholeError if there are no members, a member is not a host, has no cable to a
    ///         switch or is repeated, members are not connected, or the root has no member
    BarrierTree(const FabricGraph& graph,
                const std::vector<Node>& members,
                Leaves leaves = Leaves::DEEPEST,
                Node root = FabricGraph::NONE);

    /// Returns a channel's cost for a message, at least 0, in any unit, given the sending output.
    using ChannelCost = std::function<double(FabricGraph::End)>;

    /// @return the member switch's tree whose dearest path, from the root to a switch and back,
    ///         costs least; ties go to the tree of least total cost, then of least height, then of
    ///         the lowest root @param graph,members as for the constructor
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

    /// @return maximum number of edges between a switch and the root, h
    uint32_t GetHeight() const
    {
        return m_height;
    }

    /// @return number of edges between switches, E
    uint32_t GetNEdges() const
    {
        return static_cast<uint32_t>(m_switches.size()) - 1;
    }

    /// @return number of switches without children
    uint32_t GetNLeaves() const
    {
        return m_nLeaves;
    }

    /// @return number of leaves at depth h
    uint32_t GetNDeepest() const
    {
        return static_cast<uint32_t>(
            std::count_if(m_switches.begin(), m_switches.end(), [this](const auto& entry) {
                return entry.depth == m_height;
            }));
    }

    /// @return number of trees that tie before leaves are counted, including this one; 0 if the
    ///         root was given
    uint32_t GetNEqual() const
    {
        return m_nEqual;
    }

    /// @return number of members, n
    uint32_t GetNMembers() const
    {
        return m_nMembers;
    }

    /// @return the switches of the tree, parents before children
    const std::vector<SwitchEntry>& GetSwitches() const
    {
        return m_switches;
    }

    /// @return entry of a switch, nullptr if it is not in the tree @param node a switch
    const SwitchEntry* Find(Node node) const;

    /// @return number of links between the root host and the farthest member, h + 2
    uint32_t DistanceLinks() const
    {
        return m_height + 2;
    }

  private:
    /// Attachments of the members: switch, then port.
    using Places = std::vector<FabricGraph::End>;

    /// Finds the members' attachments.
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
    uint32_t m_nEqual{0};  ///< number of trees of this height and number of edges
    uint32_t m_nLeaves{0}; ///< number of switches without children
    uint32_t m_height{0};  ///< maximum number of edges between a switch and the root
};

} // namespace ns3

#endif /* BARRIER_TREE_H */
