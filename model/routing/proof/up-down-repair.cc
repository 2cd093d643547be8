// SPDX-License-Identifier: GPL-2.0-only

#include "up-down-repair.h"

#include "ns3/ordering.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3
{

UpDownRepair::UpDownRepair(const UpDownRouting& before,
                           const std::function<bool(FabricGraph::End)>& isLeft)
{
    const auto n = before.GetAdjacency().GetNSwitches();
    m_order = {Links(n), Links(n), std::vector<bool>(n, false)};
    Links all(n);
    for (Node node = 0; node < n; ++node)
    {
        for (const auto link : before.GetAdjacency().Of(node)) // by neighbour
        {
            if (isLeft({node, link.port}) && (all[node].empty() || all[node].back() != link.to))
            {
                all[node].push_back(link.to);
                (before.LeadsUp(node, link.to) ? m_order.above : m_order.below)[node].push_back(
                    link.to);
            }
        }
    }
    const auto byRank = NumbersBy(n, [&before](Node node) { return before.GetLevel(node); });
    m_rank = PlacesIn(byRank);
    std::vector<bool> seen(n, false);
    for (const auto first : byRank)
    {
        if (seen[first])
        {
            continue;
        }
        ++m_nPieces;
        const auto piece = Reach(all, first);
        std::vector<Node> tops;
        for (const auto node : byRank)
        {
            seen[node] = seen[node] || piece[node];
            if (piece[node] && m_order.above[node].empty())
            {
                tops.push_back(node);
            }
        }
        const auto former = m_order;
        std::size_t least = n + 1;
        for (const auto root : tops)
        {
            auto order = former;
            auto left = tops;
            left.erase(std::find(left.begin(), left.end(), root));
            while (!left.empty())
            {
                const auto reaches = Reach(order.below, root);
                left.erase(std::find_if(left.begin(), left.end(), [&](Node top) {
                    return HangUp(order, top, reaches);
                }));
            }
            const std::size_t changes =
                std::count(order.changes.begin(), order.changes.end(), true);
            if (changes < least)
            {
                least = changes;
                m_order = order;
            }
        }
    }
}

std::vector<UpDownRepair::Node>
UpDownRepair::GetSkyline() const
{
    return NumbersWith(m_order.changes.size(), [this](Node node) { return m_order.changes[node]; });
}

std::vector<bool>
UpDownRepair::Reach(const Links& links, Node from)
{
    std::vector<bool> found(links.size(), false);
    std::vector<Node> next{from};
    while (!next.empty())
    {
        const auto node = next.back();
        next.pop_back();
        if (!found[node])
        {
            found[node] = true;
            next.insert(next.end(), links[node].begin(), links[node].end());
        }
    }
    return found;
}

bool
UpDownRepair::HangUp(Order& order, Node top, const std::vector<bool>& reachesRoot) const
{
    const auto below = Reach(order.below, top);
    std::vector<Node> best; // on ways up to the top, with the one that it is hung up at
    std::tuple<std::size_t, uint32_t> least;
    for (Node node = 0; node < below.size(); ++node)
    {
        if (!below[node] || !reachesRoot[node])
        {
            continue;
        }
        const auto above = Reach(order.above, node);
        auto between = NumbersWith(below.size(), [&](Node on) { return below[on] && above[on]; });
        const auto nReaching =
            std::count_if(between.begin(), between.end(), [&](Node on) { return reachesRoot[on]; });
        const std::tuple cost{between.size(), m_rank[node]};
        if (nReaching == 1 && (best.empty() || cost < least))
        {
            best.swap(between);
            least = cost;
        }
    }
    for (const auto node : best)
    {
        order.changes[node] = true;
    }
    std::vector<std::pair<Node, Node>> turned; // from below to above
    for (const auto node : best)
    {
        for (const auto other : order.above[node])
        {
            if (std::binary_search(best.begin(), best.end(), other))
            {
                turned.emplace_back(node, other);
            }
        }
    }
    const auto drop = [](std::vector<Node>& nodes, Node node) {
        nodes.erase(std::find(nodes.begin(), nodes.end(), node));
    };
    for (const auto& [from, to] : turned)
    {
        drop(order.above[from], to);
        drop(order.below[to], from);
        order.above[to].push_back(from);
        order.below[from].push_back(to);
    }
    return !best.empty();
}

} // namespace ns3
