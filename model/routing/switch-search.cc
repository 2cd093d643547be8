// SPDX-License-Identifier: GPL-2.0-only

#include "switch-search.h"

#include "ns3/ordering.h"

#include <algorithm>

namespace ns3
{

namespace
{

FabricGraph::Node
Shift(FabricGraph::Node node, FabricGraph::Node block, FabricGraph::Node step)
{
    const auto place = node % block;
    return node - place + (place + step) % block;
}

bool
IsSymmetry(const SwitchAdjacency& adjacency, FabricGraph::Node block, FabricGraph::Node step)
{
    std::vector<FabricGraph::Node> moved;
    for (FabricGraph::Node node = 0; node < adjacency.GetNSwitches(); ++node)
    {
        moved.clear();
        for (const auto& link : adjacency.Of(node))
        {
            moved.push_back(Shift(link.to, block, step));
        }
        const auto there = adjacency.Of(Shift(node, block, step));
        if (there.size() != moved.size())
        {
            return false;
        }
        std::sort(moved.begin(), moved.end());
        if (!std::equal(moved.begin(), moved.end(), there.first.to))
        {
            return false;
        }
    }
    return true;
}

} // namespace

SwitchSearch::SwitchSearch(const SwitchAdjacency& adjacency, const std::vector<Node>& targets)
    : m_adjacency(adjacency),
      m_isTarget(adjacency.GetNSwitches(), false),
      m_nTargets(static_cast<uint32_t>(targets.size())),
      m_left(m_nTargets),
      m_seen(adjacency.GetNSwitches()),
      m_nodes(std::size_t{adjacency.GetNSwitches()} + 1),
      m_above(m_nodes.size())
{
    for (auto node : targets)
    {
        m_isTarget[node] = true;
    }
}

bool
SwitchSearch::Run(Node root)
{
    // Far enough ahead for memory to answer, and not so far that it is forgotten again.
    constexpr uint32_t PLACES_AHEAD = 8;
    constexpr uint32_t NEIGHBOURS_AHEAD = 4;
    std::fill(m_seen.begin(), m_seen.end(), 0);
    m_seen[root] = 1;
    m_nodes[0] = root;
    m_levels = {0, 1};
    m_left = m_nTargets - m_isTarget[root];
    uint32_t found = 1;
    const auto nodes = m_nodes.data();
    const auto above = m_above.data();
    const auto seen = m_seen.data();
    for (uint32_t i = 0; m_left > 0;)
    {
        const auto levelEnd = found;
        for (; i < levelEnd && found < m_seen.size(); ++i)
        {
            if (i + PLACES_AHEAD < found)
            {
                m_adjacency.PrefetchPlace(nodes[i + PLACES_AHEAD]);
            }
            if (i + NEIGHBOURS_AHEAD < found)
            {
                m_adjacency.PrefetchNeighbours(nodes[i + NEIGHBOURS_AHEAD]);
            }
            for (const auto& link : m_adjacency.Of(nodes[i]))
            {
                // No branch: whether a switch is new can't be predicted. If not, the next one is
                // put in its place.
                nodes[found] = link.to;
                above[found] = i;
                found += 1 - seen[link.to];
                seen[link.to] = 1;
            }
        }
        if (found == levelEnd)
        {
            break;
        }
        m_levels.push_back(found);
        for (auto j = levelEnd; j < found; ++j)
        {
            m_left -= m_isTarget[m_nodes[j]];
        }
    }
    return m_left == 0;
}

CenterSearch::CenterSearch(const SwitchAdjacency& adjacency,
                           const std::vector<Node>& targets,
                           const std::vector<Node>& candidates)
    : m_search(adjacency, targets),
      m_bounds(adjacency.GetNSwitches(), 0),
      m_searched(adjacency.GetNSwitches(), false)
{
    auto open = MadeOf(candidates, [](Node node) { return Open(0, node); });
    m_open = decltype(m_open)(std::greater<Open>(), std::move(open));
}

const SwitchSearch*
CenterSearch::Next(Node before)
{
    if (m_farthest != FabricGraph::NONE)
    {
        Search(m_farthest);
        RaiseBounds();
        m_farthest = FabricGraph::NONE;
        return &m_search;
    }
    while (!m_open.empty() && m_open.top() < Open(m_min, before))
    {
        const auto [bound, node] = m_open.top();
        m_open.pop();
        if (m_searched[node])
        {
            continue;
        }
        if (m_bounds[node] > bound)
        {
            m_open.emplace(m_bounds[node], node);
            continue;
        }
        Search(node);
        if (!m_search.IsComplete())
        {
            m_open = {};
        }
        else if (m_search.GetDepth() > bound)
        {
            RaiseBounds();
            m_farthest = FindFarthest();
        }
        return &m_search;
    }
    return nullptr;
}

void
CenterSearch::Search(Node root)
{
    ++m_nSearches;
    m_searched[root] = true;
    if (m_search.Run(root))
    {
        m_min = std::min(m_min, m_search.GetDepth());
    }
}

void
CenterSearch::RaiseBounds()
{
    const auto farthest = m_search.GetDepth();
    for (uint32_t depth = 0; depth <= farthest; ++depth)
    {
        const auto known = std::max(depth, farthest - depth);
        for (auto i = m_search.FirstAt(depth); i < m_search.FirstAt(depth + 1); ++i)
        {
            auto& bound = m_bounds[m_search.At(i)];
            bound = std::max(bound, known);
        }
    }
}

CenterSearch::Node
CenterSearch::FindFarthest() const
{
    for (auto i = m_search.FirstAt(m_search.GetDepth()); i < m_search.GetNFound(); ++i)
    {
        if (const auto node = m_search.At(i); m_search.IsTarget(node) && !m_searched[node])
        {
            return node;
        }
    }
    return FabricGraph::NONE;
}

std::vector<SwitchOrbits::Node>
SwitchOrbits::FindFirst(const SwitchAdjacency& adjacency)
{
    const auto n = adjacency.GetNSwitches();
    auto first = NumbersBelow(n); // of a switch's orbit, or one nearer to that
    const auto find = [&](Node node) {
        while (first[node] != node)
        {
            first[node] = first[first[node]];
            node = first[node];
        }
        return node;
    };
    auto steps = MadeOf(adjacency.Of(0), [](const auto& link) { return link.to; });
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    for (const auto step : steps) // none is 0: no cable joins a switch to itself
    {
        for (Node block = 2 * step; block <= n; block += step)
        {
            if (n % block != 0 || !IsSymmetry(adjacency, block, step))
            {
                continue;
            }
            for (Node node = 0; node < n; ++node)
            {
                const auto a = find(node);
                const auto b = find(Shift(node, block, step));
                first[std::max(a, b)] = std::min(a, b);
            }
        }
    }
    return NumbersWith(n, [&](Node node) { return find(node) == node; });
}

SwitchAdjacency::SwitchAdjacency(const FabricGraph& graph)
{
    const auto nSwitches = graph.GetNSwitches();
    m_first.reserve(std::size_t{nSwitches} + 1);
    m_to.reserve(2 * std::size_t{graph.GetNSwitchLinks()});
    m_ports.reserve(m_to.capacity());
    std::vector<std::pair<Node, Port>> links;
    for (Node node = 0; node < nSwitches; ++node)
    {
        links.clear();
        for (uint32_t port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto peer = graph.Peer(node, static_cast<Port>(port)).node;
            if (peer < nSwitches)
            {
                links.emplace_back(peer, static_cast<Port>(port));
            }
        }
        std::sort(links.begin(), links.end());
        m_first.push_back(static_cast<uint32_t>(m_to.size()));
        for (const auto& [to, port] : links)
        {
            m_to.push_back(to);
            m_ports.push_back(port);
        }
    }
    m_first.push_back(static_cast<uint32_t>(m_to.size()));
}

SwitchAdjacency::Search
SwitchAdjacency::SearchFrom(const std::vector<Node>& starts) const
{
    Search search{std::vector<uint32_t>(GetNSwitches(), UNREACHED), starts};
    auto& [distances, order] = search;
    for (const auto node : starts)
    {
        distances[node] = 0;
    }
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        const auto next = distances[order[i]] + 1;
        for (const auto& link : Of(order[i]))
        {
            if (distances[link.to] == UNREACHED)
            {
                distances[link.to] = next;
                order.push_back(link.to);
            }
        }
    }
    return search;
}

} // namespace ns3
