/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-search.h"

#include "ns3/abort.h"
#include "ns3/text-tools.h"
#include "ns3/up-down-routing.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace ns3
{

namespace
{

/// Rounds of balancing that a root is judged by.
constexpr uint32_t TRIAL_ROUNDS = 3;

/// Roots times switches that are tried at most, to bound the time.
constexpr uint32_t MAX_TRIALS = 8192;

constexpr uint32_t NO_VERTEX = UINT32_MAX;

/// @return eighth power of a quotient of loads, times 1024
uint64_t
EighthPower(uint64_t load, uint64_t full)
{
    constexpr uint64_t ONE = 1024;
    auto power = std::min(load * ONE / full, 4 * ONE);
    for (int i = 0; i < 3; ++i)
    {
        power = power * power / ONE;
    }
    return power;
}

} // namespace

UpDownSearch::UpDownSearch(const FabricGraph& graph, Order order, uint64_t cableCost)
    : m_graph(graph),
      m_channels(graph),
      m_hosts(graph),
      m_order(order),
      m_cableCost(cableCost)
{
}

const std::vector<uint64_t>&
UpDownSearch::GetSumDistances()
{
    if (m_sums.empty())
    {
        m_sums = SwitchTree::SumDistances(m_channels);
    }
    return m_sums;
}

SwitchTree
UpDownSearch::MakeTree(Node root)
{
    return m_order == Order::BREADTH_FIRST
               ? SwitchTree::BreadthFirst(m_channels, root)
               : SwitchTree::DepthFirst(m_channels, GetSumDistances(), root);
}

std::vector<UpDownSearch::Node>
UpDownSearch::FindBest(uint32_t nCandidates)
{
    const auto nSwitches = m_channels.GetNSwitches();
    const auto& sums = GetSumDistances();
    std::vector<Node> roots(nSwitches);
    std::iota(roots.begin(), roots.end(), 0);
    std::stable_sort(roots.begin(), roots.end(), [&](Node a, Node b) { return sums[a] < sums[b]; });
    roots.resize(std::clamp<std::size_t>(MAX_TRIALS / nSwitches,
                                         1,
                                         std::min(std::max(nCandidates, 1U), nSwitches)));
    if (roots.size() == 1)
    {
        return roots;
    }
    std::vector<uint64_t> loads(nSwitches, 0);
    RoutingProgress progress("rounds that try roots", roots.size() * TRIAL_ROUNDS);
    for (const auto root : roots)
    {
        const auto tree = MakeTree(root);
        const auto turns = UpDownOrder(m_channels, tree.GetRanks()).MakeTurns();
        RouteBalance balance(m_channels, m_hosts, turns, 1, m_cableCost);
        balance.Run(TRIAL_ROUNDS, progress);
        loads[root] = balance.GetMaxLoad();
    }
    std::stable_sort(roots.begin(), roots.end(), [&](Node a, Node b) {
        return loads[a] < loads[b];
    });
    return roots;
}

UpDownSearch::Node
UpDownSearch::FindRoot(const std::string& name,
                       uint32_t nCandidates,
                       const std::vector<std::string>& others)
{
    if (name == "best")
    {
        return FindBest(nCandidates).front();
    }
    const std::vector<std::string> rules{"first", "degree", "center"};
    if (std::find(rules.begin(), rules.end(), name) == rules.end() &&
        !m_graph.IsSwitch(m_graph.Find(name)))
    {
        auto known = others;
        known.emplace_back("best");
        known.insert(known.end(), rules.begin(), rules.end());
        throw WormholeError("root '" + name + "': expected " + WordList::WithCommas(known) +
                            ", or the name of a switch");
    }
    return UpDownRouting::RootByName(m_graph, name);
}

Ptr<RouteSet>
UpDownSearch::Compute(Node root, uint32_t nRounds)
{
    const auto tree = MakeTree(root);
    const auto turns = UpDownOrder(m_channels, tree.GetRanks()).MakeTurns();
    RouteBalance balance(m_channels, m_hosts, turns, 1, m_cableCost);
    RoutingProgress progress("rounds of balancing", nRounds);
    balance.Run(nRounds, progress);
    return Create<StoredRoutes>(m_graph, 1, balance.TakeBest(), turns);
}

RouteBalance::RouteBalance(const SwitchChannels& channels,
                           const HostAttachment& hosts,
                           const TurnSet& turns,
                           uint32_t nLanes,
                           uint64_t cableCost)
    : m_channels(channels),
      m_hosts(hosts),
      m_turns(turns),
      m_nLanes(nLanes),
      m_cableCost(cableCost),
      m_nCopies(StoredRoutes::Store::CountCopies(channels.GetNSwitches(), hosts)),
      m_loads(channels.GetNChannels(), 0),
      m_costs(channels.GetNChannels(), 0),
      m_full(std::max<uint64_t>(1, uint64_t{hosts.GetNHosts()} * hosts.GetMaxAt())),
      m_ways(channels.GetNSwitches(), m_nCopies),
      m_best(channels.GetNSwitches(), m_nCopies)
{
}

void
RouteBalance::SetCosts()
{
    for (std::size_t channel = 0; channel < m_costs.size(); ++channel)
    {
        m_costs[channel] = m_cableCost + EighthPower(m_loads[channel], m_full);
    }
}

bool
RouteBalance::Passes(Vertex vertex, uint32_t nLanes, Node node) const
{
    for (; vertex != NO_VERTEX; vertex = m_before[vertex])
    {
        if (m_channels.To(vertex / nLanes) == node)
        {
            return true;
        }
    }
    return false;
}

void
RouteBalance::Search(const TurnSet& turns, uint32_t nLanes, uint32_t nFirst, Node source)
{
    m_distances.assign(turns.GetNVertices(), UINT64_MAX);
    m_before.assign(turns.GetNVertices(), NO_VERTEX);
    m_last.assign(m_channels.GetNSwitches(), NO_VERTEX);
    m_heap.clear();
    const std::greater<std::pair<uint64_t, Vertex>> later;
    const auto push = [&](uint64_t distance, Vertex vertex) {
        m_distances[vertex] = distance;
        m_heap.emplace_back(distance, vertex);
        std::push_heap(m_heap.begin(), m_heap.end(), later);
    };
    for (auto channel = m_channels.First(source); channel < m_channels.First(source + 1); ++channel)
    {
        for (uint32_t lane = 0; lane < nFirst; ++lane)
        {
            push(m_costs[channel], channel * nLanes + lane);
        }
    }
    // Costs are above 0, so what is in front of the heap is final, and with it all before it.
    uint32_t nMissing = 0;
    for (Node node = 0; node < m_channels.GetNSwitches(); ++node)
    {
        nMissing += node != source && m_hosts.CountAt(node) > 0;
    }
    while (nMissing > 0 && !m_heap.empty())
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), later);
        const auto [distance, vertex] = m_heap.back();
        m_heap.pop_back();
        if (distance > m_distances[vertex])
        {
            continue;
        }
        const auto node = m_channels.To(vertex / nLanes);
        if (m_last[node] == NO_VERTEX)
        {
            m_last[node] = vertex;
            nMissing -= m_hosts.CountAt(node) > 0;
        }
        for (const auto next : turns.After(vertex))
        {
            const auto further = distance + m_costs[next / nLanes];
            const auto to = m_channels.To(next / nLanes);
            if (further < m_distances[next] && to != source && !Passes(vertex, nLanes, to))
            {
                m_before[next] = vertex;
                push(further, next);
            }
        }
    }
}

std::vector<RouteBalance::Vertex>
RouteBalance::GetPathTo(Node to) const
{
    std::vector<Vertex> way;
    for (auto vertex = m_last[to]; vertex != NO_VERTEX; vertex = m_before[vertex])
    {
        way.push_back(vertex);
    }
    std::reverse(way.begin(), way.end());
    return way;
}

void
RouteBalance::Put(const std::vector<Vertex>& way, int64_t load)
{
    for (const auto vertex : way)
    {
        m_loads[vertex / m_nLanes] += static_cast<uint64_t>(load);
    }
}

void
RouteBalance::Renew(Node source, uint32_t copy)
{
    const auto nSwitches = m_channels.GetNSwitches();
    const auto pairs = [&](Node to) {
        return static_cast<int64_t>(m_hosts.CountAt(source)) * m_hosts.CountAt(to, copy, m_nCopies);
    };
    for (Node to = 0; to < nSwitches; ++to)
    {
        Put(m_ways.Get(source, to, copy), -pairs(to));
    }
    SetCosts();
    Search(m_turns, m_nLanes, m_nLanes, source);
    for (Node to = 0; to < nSwitches; ++to)
    {
        if (to == source || m_hosts.CountAt(to, copy, m_nCopies) == 0)
        {
            continue;
        }
        auto way = GetPathTo(to);
        NS_ABORT_MSG_IF(way.empty() && !m_hasGaps, "no way from switch " << source << " to " << to);
        Put(way, pairs(to));
        m_ways.Set(source, to, copy, std::move(way));
    }
}

void
RouteBalance::Run(uint32_t nRounds, RoutingProgress& progress)
{
    for (uint32_t round = 0; round < nRounds; ++round)
    {
        for (uint32_t copy = 0; copy < m_nCopies; ++copy)
        {
            for (Node source = 0; source < m_channels.GetNSwitches(); ++source)
            {
                if (m_hosts.CountAt(source) > 0)
                {
                    Renew(source, copy);
                }
            }
        }
        const auto max = m_loads.empty() ? 0 : *std::max_element(m_loads.begin(), m_loads.end());
        if (max < m_maxLoad)
        {
            m_maxLoad = max;
            m_best = m_ways;
        }
        m_full = std::max<uint64_t>(1, m_maxLoad);
        progress.Step();
    }
}

std::vector<std::vector<uint64_t>>
RouteBalance::CountTurns(const TurnSet& turns, uint32_t nLanes)
{
    std::vector<std::vector<uint64_t>> counts(m_channels.GetNChannels());
    for (uint32_t channel = 0; channel < m_channels.GetNChannels(); ++channel)
    {
        const auto node = m_channels.To(channel);
        counts[channel].assign(m_channels.First(node + 1) - m_channels.First(node), 0);
    }
    SetCosts();
    for (Node source = 0; source < m_channels.GetNSwitches(); ++source)
    {
        if (m_hosts.CountAt(source) == 0)
        {
            continue;
        }
        Search(turns, nLanes, 1, source);
        for (Node to = 0; to < m_channels.GetNSwitches(); ++to)
        {
            const auto way = GetPathTo(to);
            for (std::size_t i = 0; i + 1 < way.size(); ++i)
            {
                const auto next = way[i + 1] / nLanes;
                counts[way[i] / nLanes][next - m_channels.First(m_channels.From(next))] +=
                    uint64_t{m_hosts.CountAt(source)} * m_hosts.CountAt(to);
            }
        }
    }
    return counts;
}

} // namespace ns3
