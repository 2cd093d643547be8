/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-search.h"

#include "up-down-order.h"

#include "ns3/up-down-routing.h"
#include "ns3/word-list.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/// Rounds of balancing that a root is judged by.
constexpr uint32_t TRIAL_ROUNDS = 3;

/// Roots times switches that are tried at most, to bound the time.
constexpr uint32_t MAX_TRIALS = 8192;

} // namespace

UpDownSearch::UpDownSearch(const FabricGraph& graph, Order order, uint64_t cableCost)
    : m_graph(graph),
      m_channels(graph),
      m_hosts(graph),
      m_order(order),
      m_cableCost(cableCost)
{
}

const SwitchChannels&
UpDownSearch::GetChannels() const
{
    return m_channels;
}

const HostPlaces&
UpDownSearch::GetHosts() const
{
    return m_hosts;
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
        throw WormholeError("root '" + name + "': accepted are " + WordList::WithCommas(known) +
                            ", or the name of a switch");
    }
    return UpDownRouting::RootByName(m_graph, name);
}

Ptr<LaneRoutes>
UpDownSearch::Compute(Node root, uint32_t nRounds)
{
    const auto tree = MakeTree(root);
    const auto turns = UpDownOrder(m_channels, tree.GetRanks()).MakeTurns();
    RouteBalance balance(m_channels, m_hosts, turns, 1, m_cableCost);
    RoutingProgress progress("rounds of balancing", nRounds);
    balance.Run(nRounds, progress);
    return Create<StoredRoutes>(m_graph, 1, balance.TakeBest(), turns);
}

} // namespace ns3
