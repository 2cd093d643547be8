// SPDX-License-Identifier: GPL-2.0-only

#include "turn-rule.h"

#include "ns3/ordering.h"

#include <numeric>

namespace ns3
{

bool
ChannelKindRule::HasCycle(const FabricGraph& graph) const
{
    // A state is a switch, and the kind of the channel by which a worm came there. States follow
    // each other as channels do, and there are far fewer of them where switches have many ports.
    const auto nKinds = GetNKinds();
    std::vector<uint8_t> follows(std::size_t{nKinds} * nKinds);
    std::vector<bool> hasNext(nKinds, false);
    for (uint32_t kind = 0; kind < nKinds; ++kind)
    {
        for (uint32_t next = 0; next < nKinds; ++next)
        {
            follows[std::size_t{kind} * nKinds + next] = MayFollow(kind, next);
            hasNext[kind] = hasNext[kind] || MayFollow(kind, next);
        }
    }

    enum : uint8_t
    {
        NEW,
        OPEN, // on the way that is searched
        DONE
    };

    struct Step
    {
        Node node;
        uint32_t kind;
        uint32_t port; ///< port to look at next
    };

    const auto nSwitches = graph.GetNSwitches();
    std::vector<uint8_t> seen(std::size_t{nSwitches} * nKinds, NEW);
    std::vector<Step> way;
    for (std::size_t first = 0; first < seen.size(); ++first)
    {
        if (seen[first] != NEW || !hasNext[first % nKinds])
        {
            continue;
        }
        seen[first] = OPEN;
        way.push_back(
            {static_cast<Node>(first / nKinds), static_cast<uint32_t>(first % nKinds), 0});
        while (!way.empty())
        {
            auto& [node, kind, port] = way.back();
            if (port == graph.GetNPorts(node))
            {
                seen[std::size_t{node} * nKinds + kind] = DONE;
                way.pop_back();
                continue;
            }
            const auto out = static_cast<Port>(port++);
            const auto to = graph.Peer(node, out).node;
            if (to >= nSwitches) // a host, or nothing
            {
                continue;
            }
            const auto next = GetKind(node, out);
            if (!follows[std::size_t{kind} * nKinds + next])
            {
                continue;
            }
            auto& state = seen[std::size_t{to} * nKinds + next];
            if (state == OPEN)
            {
                return true;
            }
            if (state == NEW)
            {
                state = OPEN;
                way.push_back({to, next, 0});
            }
        }
    }
    return false;
}

TurnSet::TurnSet(uint32_t nVertices)
    : m_after(nVertices),
      m_before(nVertices),
      m_ranks(nVertices),
      m_marked(nVertices, false)
{
    std::iota(m_ranks.begin(), m_ranks.end(), 0);
}

TurnSet::TurnSet(const std::vector<Vertex>& order)
    : TurnSet(static_cast<uint32_t>(order.size()))
{
    m_ranks = PlacesIn(order);
}

template <typename Within>
std::vector<TurnSet::Vertex>
TurnSet::Reach(Vertex start, const std::vector<std::vector<Vertex>>& edges, Within isWithin)
{
    std::vector<Vertex> reached{start};
    m_marked[start] = true;
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        for (const auto next : edges[reached[i]])
        {
            if (!m_marked[next] && isWithin(m_ranks[next]))
            {
                m_marked[next] = true;
                reached.push_back(next);
            }
        }
    }
    return reached;
}

bool
TurnSet::Add(Vertex from, Vertex to)
{
    if (IsRefused(from, to))
    {
        return false;
    }
    if (Insert(from, to))
    {
        return true;
    }
    // No turn of the set is ever taken out, so it will always close a circle.
    m_refused[from].push_back(to);
    return false;
}

bool
TurnSet::Insert(Vertex from, Vertex to)
{
    if (Has(from, to))
    {
        return true;
    }
    const auto low = m_ranks[to];
    const auto high = m_ranks[from];
    if (low <= high)
    {
        const auto unmark = [this](const std::vector<Vertex>& vertices) {
            for (const auto vertex : vertices)
            {
                m_marked[vertex] = false;
            }
        };
        auto ahead = Reach(to, m_after, [high](uint32_t rank) { return rank <= high; });
        if (m_marked[from]) // it would close a circle
        {
            unmark(ahead);
            return false;
        }
        auto behind = Reach(from, m_before, [low](uint32_t rank) { return rank >= low; });
        unmark(ahead);
        unmark(behind);
        // The ranks of both are given anew, to all behind before all ahead, each in their order.
        const auto byRank = [this](Vertex a, Vertex b) { return m_ranks[a] < m_ranks[b]; };
        std::sort(behind.begin(), behind.end(), byRank);
        std::sort(ahead.begin(), ahead.end(), byRank);
        behind.insert(behind.end(), ahead.begin(), ahead.end());
        auto ranks = MadeOf(behind, [this](Vertex vertex) { return m_ranks[vertex]; });
        std::sort(ranks.begin(), ranks.end());
        for (std::size_t i = 0; i < behind.size(); ++i)
        {
            m_ranks[behind[i]] = ranks[i];
        }
    }
    m_after[from].push_back(to);
    m_before[to].push_back(from);
    return true;
}

void
TurnSet::Erase(Vertex from, Vertex to)
{
    const auto erase = [](std::vector<Vertex>& list, Vertex vertex) {
        list.erase(std::find(list.begin(), list.end(), vertex));
    };
    erase(m_after[from], to);
    erase(m_before[to], from);
}

bool
TurnSet::AddPath(const std::vector<Vertex>& path)
{
    const auto isRefused = [this](Vertex from, Vertex to) { return IsRefused(from, to); };
    if (std::adjacent_find(path.begin(), path.end(), isRefused) != path.end())
    {
        return false;
    }
    std::vector<std::size_t> added;
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
    {
        if (Has(path[i], path[i + 1]))
        {
            continue;
        }
        if (!Insert(path[i], path[i + 1]))
        {
            for (const auto place : added)
            {
                Erase(path[place], path[place + 1]);
            }
            // It may have closed its circle with those of the path only.
            if (Add(path[i], path[i + 1]))
            {
                Erase(path[i], path[i + 1]);
            }
            return false;
        }
        added.push_back(i);
    }
    return true;
}

} // namespace ns3
