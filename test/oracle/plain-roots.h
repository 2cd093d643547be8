// SPDX-License-Identifier: GPL-2.0-only

#ifndef PLAIN_ROOTS_H
#define PLAIN_ROOTS_H

#include "ns3/fabric-graph.h"

namespace ns3
{

/// Barrier trees' roots and centers found the long way: a tree from every switch that may be one.
class PlainRoots
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// What decides between roots: height, edges, leaves that count, number.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, Node>;

    /// @param isDeepest whether only leaves at the greatest depth count
    explicit PlainRoots(const FabricGraph& graph, bool isDeepest = false)
        : m_neighbours(graph.GetNSwitches()),
          m_isDeepest(isDeepest)
    {
        for (Node node = 0; node < graph.GetNSwitches(); ++node)
        {
            for (const auto port : graph.PortsToSwitches(node))
            {
                m_neighbours[node].insert(graph.Peer(node, port).node);
            }
        }
    }

    static std::set<Node> SwitchesOf(const FabricGraph& graph, const std::vector<Node>& hosts)
    {
        std::set<Node> switches;
        for (auto host : hosts)
        {
            switches.insert(graph.SwitchOf(host).node);
        }
        return switches;
    }

    struct Tree
    {
        Key key;                      ///< what decides between it and others
        std::map<Node, Node> parents; ///< switch above each switch but the root
        uint32_t leaves;              ///< switches with none below
        uint32_t deepest;             ///< those among them at the greatest depth
    };

    Tree PrunedTree(Node root, const std::set<Node>& members) const
    {
        const auto search = SearchFrom(root);
        std::vector<uint32_t> children(m_neighbours.size(), 0);
        for (auto node : search.order)
        {
            children[search.parents[node]] += node != root;
        }
        std::set<Node> tree(search.order.begin(), search.order.end());
        for (auto leaf : search.order)
        {
            // Once a leaf is cut off, the switch above it may be one.
            while (leaf != root && children[leaf] == 0 && members.count(leaf) == 0 &&
                   tree.erase(leaf))
            {
                leaf = search.parents[leaf];
                --children[leaf];
            }
        }
        uint32_t height = 0;
        for (auto node : tree)
        {
            height = std::max(height, search.depth[node]);
        }
        Tree pruned{};
        for (auto node : tree)
        {
            pruned.leaves += children[node] == 0;
            pruned.deepest += children[node] == 0 && search.depth[node] == height;
            if (node != root)
            {
                pruned.parents[node] = search.parents[node];
            }
        }
        const auto edges = static_cast<uint32_t>(pruned.parents.size());
        pruned.key = {height, edges, m_isDeepest ? pruned.deepest : pruned.leaves, root};
        return pruned;
    }

    Tree BestTree(const std::set<Node>& members) const
    {
        auto best = PrunedTree(*members.begin(), members);
        for (auto root : members)
        {
            auto tree = PrunedTree(root, members);
            best = tree.key < best.key ? std::move(tree) : best;
        }
        return best;
    }

    Node Center() const
    {
        std::pair<uint32_t, Node> best{UINT32_MAX, 0};
        for (Node node = 0; node < m_neighbours.size(); ++node)
        {
            const auto depth = SearchFrom(node).depth;
            best = std::min(best, {*std::max_element(depth.begin(), depth.end()), node});
        }
        return best.second;
    }

  private:
    struct Search
    {
        std::vector<Node> order;     ///< switches in the order of finding
        std::vector<Node> parents;   ///< switch above, by switch
        std::vector<uint32_t> depth; ///< links to the root, by switch
    };

    Search SearchFrom(Node root) const
    {
        const auto n = m_neighbours.size();
        Search search{{root}, std::vector<Node>(n, root), std::vector<uint32_t>(n, 0)};
        std::vector<bool> found(n, false);
        found[root] = true;
        for (std::size_t i = 0; i < search.order.size(); ++i)
        {
            const auto node = search.order[i];
            for (auto next : m_neighbours[node])
            {
                if (!found[next])
                {
                    found[next] = true;
                    search.parents[next] = node;
                    search.depth[next] = search.depth[node] + 1;
                    search.order.push_back(next);
                }
            }
        }
        return search;
    }

    std::vector<std::set<Node>> m_neighbours; ///< by switch
    bool m_isDeepest;                         ///< whether only the deepest leaves count
};

} // namespace ns3

#endif /* PLAIN_ROOTS_H */
