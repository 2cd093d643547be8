/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-levels.h"

#include "switch-tree.h"
#include "up-down-order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace ns3
{

namespace
{

/// Part of the pairs of hosts that have to have a shortest path up and then down.
constexpr double MIN_LEGAL = 0.9;

/// What passes a leaf at most, over what its own hosts send.
constexpr double MAX_THROUGH = 0.5;

/// Part of the cables between switches that may join switches of one height.
constexpr double MAX_LEVEL_CABLES = 0.1;

/// Hosts of a top switch at most, over those of a leaf, in the mean.
constexpr double MAX_TOP_HOSTS = 0.5;

} // namespace

SwitchLevels::SwitchLevels(const SwitchChannels& channels, const HostPlaces& hosts)
    : m_channels(channels),
      m_hosts(hosts),
      m_ranks(SwitchTree::BreadthFirst(channels, 0).GetRanks())
{
    for (Node node = 0; node < channels.GetNSwitches(); ++node)
    {
        if (hosts.CountAt(node) > 0)
        {
            m_ends.push_back(node);
        }
    }
    const auto paths = FindLeaves();
    if (!m_leaves.empty())
    {
        FindHeights();
        m_ranks = Order(true, paths.sums);
        auto legal = CountLegal(m_ranks);
        if (legal < 1)
        {
            auto other = Order(false, paths.sums);
            const auto otherLegal = CountLegal(other);
            if (otherLegal > legal)
            {
                legal = otherLegal;
                m_ranks = std::move(other);
            }
        }
        m_isFatTree = legal >= MIN_LEGAL && HasTops();
    }
    if (!IsJoined())
    {
        Join();
    }
}

bool
SwitchLevels::IsFatTree() const
{
    return m_isFatTree;
}

const std::vector<uint32_t>&
SwitchLevels::GetRanks() const
{
    return m_ranks;
}

std::vector<SwitchLevels::Node>
SwitchLevels::Sample(const std::vector<Node>& all)
{
    const auto count = std::min<std::size_t>(all.size(), MAX_SAMPLE);
    std::vector<Node> some(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        some[i] = all[i * all.size() / count];
    }
    return some;
}

SwitchLevels::Paths
SwitchLevels::FindPaths(const std::vector<Node>& ends) const
{
    const auto nSwitches = m_channels.GetNSwitches();
    std::vector<bool> isEnd(nSwitches, false);
    double all = 0;
    for (const auto node : ends)
    {
        isEnd[node] = true;
        all += m_hosts.CountAt(node);
    }
    const auto sample = Sample(ends);
    double looked = 0;
    for (const auto node : sample)
    {
        looked += m_hosts.CountAt(node);
    }
    Paths found{std::vector<double>(nSwitches, 0), std::vector<double>(nSwitches, 0)};
    std::vector<double> counts(nSwitches); // of shortest paths
    std::vector<double> beyond(nSwitches); // hosts to which paths lead on
    for (const auto from : sample)
    {
        const double senders = m_hosts.CountAt(from) * (all / looked);
        const auto search = m_channels.SearchFrom({from});
        std::fill(counts.begin(), counts.end(), 0);
        std::fill(beyond.begin(), beyond.end(), 0);
        counts[from] = 1;
        const auto each = [&](Node node, auto visit) {
            for (auto out = m_channels.First(node); out < m_channels.First(node + 1); ++out)
            {
                if (search.distances[m_channels.To(out)] == search.distances[node] + 1)
                {
                    visit(m_channels.To(out));
                }
            }
        };
        for (const auto node : search.order)
        {
            found.sums[node] += senders * search.distances[node];
            each(node, [&](Node next) { counts[next] += counts[node]; });
        }
        for (auto at = search.order.rbegin(); at != search.order.rend(); ++at)
        {
            each(*at, [&, node = *at](Node next) {
                const auto hosts = isEnd[next] ? m_hosts.CountAt(next) : 0;
                beyond[node] += counts[node] / counts[next] * (hosts + beyond[next]);
            });
            found.through[*at] += *at == from ? 0 : senders * beyond[*at];
        }
    }
    return found;
}

SwitchLevels::Paths
SwitchLevels::FindLeaves()
{
    m_leaves = m_ends;
    for (Paths found;;)
    {
        const auto paths = FindPaths(m_leaves);
        found = found.sums.empty() ? paths : found;
        double all = 0;
        for (const auto node : m_leaves)
        {
            all += m_hosts.CountAt(node);
        }
        const auto through = [&](Node node) {
            return paths.through[node] / (all * m_hosts.CountAt(node));
        };
        double most = 0;
        for (const auto node : m_leaves)
        {
            most = std::max(most, through(node));
        }
        if (most <= MAX_THROUGH)
        {
            return found;
        }
        // Those that are passed most are no leaves; without them others may be.
        const auto limit = std::max(MAX_THROUGH, most / 2);
        m_leaves.erase(std::remove_if(m_leaves.begin(),
                                      m_leaves.end(),
                                      [&](Node node) { return through(node) >= limit; }),
                       m_leaves.end());
    }
}

void
SwitchLevels::FindHeights()
{
    m_heights = m_channels.SearchFrom(m_leaves).distances;
}

std::vector<uint32_t>
SwitchLevels::Order(bool byHeight, const std::vector<double>& sums) const
{
    std::vector<Node> order(m_channels.GetNSwitches());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Node a, Node b) {
        return byHeight && m_heights[a] != m_heights[b] ? m_heights[a] > m_heights[b]
                                                        : sums[a] < sums[b];
    });
    std::vector<uint32_t> ranks(order.size());
    for (uint32_t place = 0; place < order.size(); ++place)
    {
        ranks[order[place]] = place;
    }
    return ranks;
}

double
SwitchLevels::CountLegal(const std::vector<uint32_t>& ranks) const
{
    UpDownDistances distances(m_channels, ranks);
    double all = 0;
    double legal = 0;
    for (const auto to : Sample(m_ends))
    {
        distances.Measure(to);
        const auto distancesTo = m_channels.Distances(to);
        for (const auto from : m_ends)
        {
            const auto pairs = double{1} * m_hosts.CountAt(from) * m_hosts.CountAt(to);
            all += pairs;
            legal += distances.Get(from, false) == distancesTo[from] ? pairs : 0;
        }
    }
    return legal / all;
}

bool
SwitchLevels::IsTop(Node node) const
{
    for (auto out = m_channels.First(node); out < m_channels.First(node + 1); ++out)
    {
        if (m_ranks[m_channels.To(out)] < m_ranks[node])
        {
            return false;
        }
    }
    return true;
}

bool
SwitchLevels::HasTops() const
{
    uint32_t nLevelChannels = 0;
    for (uint32_t channel = 0; channel < m_channels.GetNChannels(); ++channel)
    {
        nLevelChannels += m_heights[m_channels.From(channel)] == m_heights[m_channels.To(channel)];
    }
    double atLeaves = 0;
    for (const auto node : m_leaves)
    {
        atLeaves += m_hosts.CountAt(node);
    }
    uint32_t nTops = 0;
    double atTops = 0;
    for (Node node = 0; node < m_channels.GetNSwitches(); ++node)
    {
        if (IsTop(node))
        {
            ++nTops;
            atTops += m_hosts.CountAt(node);
        }
    }
    return nLevelChannels <= MAX_LEVEL_CABLES * m_channels.GetNChannels() && nTops > 1 &&
           atTops / nTops <= MAX_TOP_HOSTS * atLeaves / static_cast<double>(m_leaves.size());
}

std::vector<bool>
SwitchLevels::FindBelow(Node from) const
{
    std::vector<bool> isBelow(m_channels.GetNSwitches(), false);
    isBelow[from] = true;
    std::vector<Node> open{from};
    while (!open.empty())
    {
        const auto node = open.back();
        open.pop_back();
        for (auto out = m_channels.First(node); out < m_channels.First(node + 1); ++out)
        {
            const auto far = m_channels.To(out);
            if (m_ranks[far] > m_ranks[node] && !isBelow[far])
            {
                isBelow[far] = true;
                open.push_back(far);
            }
        }
    }
    return isBelow;
}

bool
SwitchLevels::IsJoined() const
{
    const auto isAll = [this](const auto& isReached) {
        return std::all_of(m_ends.begin(), m_ends.end(), isReached);
    };
    for (Node node = 0; node < m_channels.GetNSwitches(); ++node)
    {
        if (m_ranks[node] < MAX_SAMPLE && IsTop(node))
        {
            const auto isBelow = FindBelow(node);
            if (isAll([&](Node end) { return isBelow[end]; }))
            {
                return true;
            }
        }
    }
    UpDownDistances distances(m_channels, m_ranks);
    return isAll([&](Node to) {
        distances.Measure(to);
        return isAll([&](Node from) { return distances.Get(from, false) < UpDownDistances::FAR; });
    });
}

void
SwitchLevels::Join()
{
    std::pair<double, Node> root{-1, 0}; // the top with most hosts below it
    for (Node node = 0; node < m_channels.GetNSwitches(); ++node)
    {
        if (m_ranks[node] < MAX_SAMPLE && IsTop(node))
        {
            const auto isBelow = FindBelow(node);
            double hosts = 0;
            for (const auto end : m_ends)
            {
                hosts += isBelow[end] ? m_hosts.CountAt(end) : 0;
            }
            root = hosts > root.first ? std::pair{hosts, node} : root;
        }
    }
    std::vector<bool> isAbove(m_channels.GetNChannels());
    for (uint32_t channel = 0; channel < isAbove.size(); ++channel)
    {
        isAbove[channel] = m_ranks[m_channels.From(channel)] < m_ranks[m_channels.To(channel)];
    }
    for (;;)
    {
        const auto isBelow = FindBelow(root.second);
        std::vector<Node> starts;
        for (Node node = 0; node < isBelow.size(); ++node)
        {
            if (isBelow[node])
            {
                starts.push_back(node);
            }
        }
        if (starts.size() == isBelow.size())
        {
            return;
        }
        // The nearest other top goes below what is there, and so does the path that leads to it.
        const auto search = m_channels.SearchFrom(starts);
        auto node = *std::find_if(search.order.begin() + static_cast<std::ptrdiff_t>(starts.size()),
                                  search.order.end(),
                                  [this](Node each) { return IsTop(each); });
        while (search.distances[node] > 0)
        {
            auto before = FabricGraph::NONE;
            for (auto out = m_channels.First(node); out < m_channels.First(node + 1); ++out)
            {
                const auto far = m_channels.To(out);
                before = before == FabricGraph::NONE &&
                                 search.distances[far] + 1 == search.distances[node]
                             ? far
                             : before;
                if (far == before)
                {
                    isAbove[out] = false;
                    isAbove[m_channels.Reverse(out)] = true;
                }
            }
            node = before;
        }
        if (!Sort(isAbove))
        {
            m_ranks = SwitchTree::BreadthFirst(m_channels, root.second).GetRanks();
            return;
        }
    }
}

bool
SwitchLevels::Sort(const std::vector<bool>& isAbove)
{
    std::vector<uint32_t> above(m_channels.GetNSwitches(), 0); // channels from above
    for (uint32_t channel = 0; channel < isAbove.size(); ++channel)
    {
        above[m_channels.To(channel)] += isAbove[channel];
    }
    using Place = std::pair<uint32_t, Node>; // before, and the switch
    std::priority_queue<Place, std::vector<Place>, std::greater<>> ready;
    for (Node node = 0; node < above.size(); ++node)
    {
        if (above[node] == 0)
        {
            ready.emplace(m_ranks[node], node);
        }
    }
    auto ranks = m_ranks;
    uint32_t place = 0;
    for (; !ready.empty(); ++place)
    {
        const auto node = ready.top().second;
        ready.pop();
        ranks[node] = place;
        for (auto out = m_channels.First(node); out < m_channels.First(node + 1); ++out)
        {
            const auto far = m_channels.To(out);
            if (isAbove[out] && --above[far] == 0)
            {
                ready.emplace(m_ranks[far], far);
            }
        }
    }
    if (place < m_ranks.size())
    {
        return false;
    }
    m_ranks = std::move(ranks);
    return true;
}

} // namespace ns3
