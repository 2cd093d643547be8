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
    : m_above(before.GetAdjacency().GetNSwitches()),
      m_below(m_above.size()),
      m_changes(m_above.size(), false)
{
    Links all(m_above.size());
    for (Node node = 0; node < m_above.size(); ++node)
    {
        for (const auto link : before.GetAdjacency().Of(node)) // by neighbour
        {
            auto& to = before.LeadsUp(node, link.to) ? m_above[node] : m_below[node];
            if (isLeft({node, link.port}) && (to.empty() || to.back() != link.to))
            {
                to.push_back(link.to);
                all[node].push_back(link.to);
            }
        }
    }
    const auto byRank =
        NumbersBy(m_above.size(), [&before](Node node) { return before.GetLevel(node); });
    m_rank = PlacesIn(byRank);
    std::vector<Node> roots;
    std::vector<Node> tops;
    std::vector<bool> isInPiece(m_above.size(), false);
    for (const auto node : byRank)
    {
        if (!isInPiece[node]) // the first of its piece
        {
            roots.push_back(node);
            const auto piece = Reach(all, {node});
            std::transform(piece.begin(),
                           piece.end(),
                           isInPiece.begin(),
                           isInPiece.begin(),
                           std::logical_or<>());
        }
        else if (m_above[node].empty())
        {
            tops.push_back(node);
        }
    }
    m_nPieces = static_cast<uint32_t>(roots.size());
    while (!tops.empty())
    {
        const auto reaches = Reach(m_below, roots);
        tops.erase(
            std::find_if(tops.begin(), tops.end(), [&](Node top) { return HangUp(top, reaches); }));
    }
}

std::vector<UpDownRepair::Node>
UpDownRepair::GetSkyline() const
{
    return NumbersWith(m_changes.size(), [this](Node node) { return m_changes[node]; });
}

std::vector<bool>
UpDownRepair::Reach(const Links& links, std::vector<Node> from)
{
    std::vector<bool> found(links.size(), false);
    while (!from.empty())
    {
        const auto node = from.back();
        from.pop_back();
        if (!found[node])
        {
            found[node] = true;
            from.insert(from.end(), links[node].begin(), links[node].end());
        }
    }
    return found;
}

bool
UpDownRepair::HangUp(Node top, const std::vector<bool>& reachesRoot)
{
    const auto below = Reach(m_below, {top});
    std::vector<Node> best; // on ways up to the top, with the one that it is hung up at
    std::tuple<std::size_t, uint32_t> least;
    for (Node node = 0; node < below.size(); ++node)
    {
        if (!below[node] || !reachesRoot[node])
        {
            continue;
        }
        const auto above = Reach(m_above, {node});
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
        m_changes[node] = true;
    }
    std::vector<std::pair<Node, Node>> turned; // from below to above
    for (const auto node : best)
    {
        for (const auto other : m_above[node])
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
        drop(m_above[from], to);
        drop(m_below[to], from);
        m_above[to].push_back(from);
        m_below[from].push_back(to);
    }
    return !best.empty();
}

} // namespace ns3
