/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "destination-routes.h"

#include "ns3/wormhole-route-spread.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/// Bytes that columns take at most; with more hosts, some of a switch share them.
constexpr std::size_t MAX_COLUMN_BYTES = std::size_t{1} << 30;

/// Channels times hosts up to which costs are found for each host, not for several of a switch.
constexpr uint64_t MAX_FINE = uint64_t{1} << 30;

/// Hosts of a switch for which they are found once, beyond that. With all of a switch at once the
/// same channels look cheap to all: a tree of 65,536 hosts has 0.81 of an equal split, with 2 at
/// once 0.93.
constexpr uint32_t HOSTS_PER_COST = 2;

/// Switches times hosts up to which there are several rounds.
constexpr uint64_t MAX_ROUNDS_WORK = uint64_t{1} << 22;

constexpr uint32_t MAX_ROUNDS = 6;

/// Equally good channels that are looked at where there are more.
constexpr uint32_t MAX_LOOKED_AT = 64;

/// The same on large fabrics.
constexpr uint32_t MAX_LOOKED_AT_LARGE = 2;

/// Switches with hosts times hosts beyond which a fabric is large.
constexpr uint64_t LARGE = uint64_t{1} << 24;

/// What the time of a bit on the fastest channel is, in whole numbers.
constexpr double WEIGHT = 16;

/// Greatest weight: of channels that are slower still, too.
constexpr double MAX_WEIGHT = 1 << 16;

} // namespace

void
DestinationRoutes::Places::Resize(std::size_t count, bool isWide)
{
    if (isWide)
    {
        m_wide.assign(count, 0);
    }
    else
    {
        m_narrow.assign(count, 0);
    }
}

void
DestinationRoutes::Places::Set(std::size_t index, uint32_t place)
{
    if (m_wide.empty())
    {
        m_narrow[index] = static_cast<uint8_t>(place);
    }
    else
    {
        m_wide[index] = static_cast<uint16_t>(place);
    }
}

DestinationRoutes::DestinationRoutes(const FabricGraph& graph,
                                     const std::vector<uint32_t>& ranks,
                                     const RoutesBeside* beside)
    : RouteSet(graph, 1),
      m_distances(GetChannels(), ranks),
      m_columns(ranks.size()),
      m_weights(GetChannels().GetNChannels(), WEIGHT),
      m_loads(beside ? beside->worms : std::vector<uint64_t>(m_weights.size(), 0)),
      m_beside(beside),
      m_worms(ranks.size(), 0)
{
    const auto& channels = GetChannels();
    const auto nSwitches = channels.GetNSwitches();
    SetOrder(m_distances.OrderChannels());
    std::size_t nEnds = 0;
    for (Node node = 0; node < nSwitches; ++node)
    {
        m_isWide = m_isWide || channels.First(node + 1) - channels.First(node) > UINT8_MAX;
        nEnds += GetHosts().CountAt(node) > 0;
    }
    if (const auto times = FindChannelTimes(graph); !times.empty())
    {
        const auto first = FindFirstPorts(graph);
        const auto timeOf = [&](Channel channel) {
            return times[first[channels.From(channel)] + channels.PortOf(channel)];
        };
        double least = 0;
        for (Channel channel = 0; channel < m_weights.size(); ++channel)
        {
            least = channel == 0 ? timeOf(channel) : std::min(least, timeOf(channel));
        }
        for (Channel channel = 0; channel < m_weights.size(); ++channel)
        {
            m_weights[channel] = static_cast<uint32_t>(
                std::min(std::round(WEIGHT * timeOf(channel) / least), MAX_WEIGHT));
        }
    }
    for (Channel channel = 0; channel < m_loads.size(); ++channel)
    {
        m_loads[channel] *= m_weights[channel];
    }
    const auto bytes = std::max<std::size_t>(1, nEnds) * nSwitches * (m_isWide ? 2 : 1);
    m_maxCopies = static_cast<uint32_t>(
        std::clamp<std::size_t>(MAX_COLUMN_BYTES / bytes, 1, std::max(GetHosts().GetMaxAt(), 1U)));
    const uint64_t nHosts = GetHosts().GetNHosts();
    m_isFine = nHosts * channels.GetNChannels() <= MAX_FINE;
    m_maxLookedAt = nHosts * nEnds > LARGE ? MAX_LOOKED_AT_LARGE : MAX_LOOKED_AT;
    for (auto& chosen : m_chosen)
    {
        chosen.assign(nSwitches, 0);
    }
    const auto nRounds = nHosts * nSwitches <= MAX_ROUNDS_WORK ? MAX_ROUNDS : 1;
    auto best = UINT64_MAX;
    std::vector<Columns> bestColumns;
    RoutingProgress progress("rounds of balancing", nRounds);
    for (uint32_t round = 0; round < nRounds; ++round)
    {
        const auto max = Round();
        if (max < best)
        {
            best = max;
            if (round + 1 < nRounds)
            {
                bestColumns = m_columns;
            }
            else
            {
                bestColumns.clear();
            }
        }
        progress.Step();
    }
    if (!bestColumns.empty())
    {
        m_columns = std::move(bestColumns);
    }
    m_loads = {};
    m_candidates = {};
    m_chosen[FREE] = m_chosen[DOWN] = {};
    m_worms = {};
    m_beside = nullptr;
}

uint64_t
DestinationRoutes::Round()
{
    for (Node to = 0; to < m_columns.size(); ++to)
    {
        const auto nHosts = GetHosts().CountAt(to);
        if (nHosts == 0)
        {
            continue;
        }
        FindCandidates(to);
        auto& columns = m_columns[to];
        const auto nCopies = std::min(nHosts, m_maxCopies);
        const bool isFirst = columns.nCopies[FREE] == 0;
        if (isFirst)
        {
            columns.nCopies[FREE] = nCopies;
            columns.nCopies[DOWN] = m_candidates.isDownUnique ? 1 : nCopies;
            for (const auto phase : {FREE, DOWN})
            {
                columns.places[phase].Resize(std::size_t{columns.nCopies[phase]} * m_columns.size(),
                                             m_isWide);
            }
        }
        for (uint32_t copy = 0; copy < nCopies; ++copy)
        {
            CountWorms(to, copy, nCopies);
            if (!isFirst)
            {
                Remove(to, copy);
            }
            if (m_isFine || copy % HOSTS_PER_COST == 0)
            {
                FindCosts();
            }
            Choose(to, copy);
        }
    }
    return m_loads.empty() ? 0 : *std::max_element(m_loads.begin(), m_loads.end());
}

void
DestinationRoutes::FindCandidates(Node to)
{
    const auto& channels = GetChannels();
    auto& found = m_candidates;
    m_distances.Measure(to);
    found.isDownUnique = true;
    for (const auto phase : {FREE, DOWN})
    {
        const bool goneDown = phase == DOWN;
        found.first[phase].assign(1, 0);
        found.channels[phase].clear();
        found.beyond[phase].resize(m_columns.size());
        found.order[phase].clear();
        for (Node node = 0; node < m_columns.size(); ++node)
        {
            const auto left = m_distances.Get(node, goneDown);
            if (node != to && left < UpDownDistances::FAR)
            {
                found.order[phase].push_back(node);
                for (auto out = channels.First(node); out < channels.First(node + 1); ++out)
                {
                    const auto isUp = m_distances.IsUp(out);
                    if (!(isUp && goneDown) && m_distances.Get(channels.To(out), !isUp) + 1 == left)
                    {
                        found.channels[phase].push_back(out);
                    }
                }
            }
            found.first[phase].push_back(static_cast<uint32_t>(found.channels[phase].size()));
            found.isDownUnique =
                found.isDownUnique &&
                !(goneDown && found.first[phase][node + 1] > found.first[phase][node] + 1);
        }
        std::stable_sort(found.order[phase].begin(), found.order[phase].end(), [&](Node a, Node b) {
            return m_distances.Get(a, goneDown) < m_distances.Get(b, goneDown);
        });
        found.beyond[phase][to] = 0;
    }
}

void
DestinationRoutes::FindCosts()
{
    auto& [first, list, beyond, order, isDownUnique] = m_candidates;
    for (const auto phase : {DOWN, FREE}) // a way that has gone down stays down
    {
        for (const auto node : order[phase])
        {
            auto least = UINT64_MAX;
            for (auto i = first[phase][node]; i < first[phase][node + 1]; ++i)
            {
                const auto out = list[phase][i];
                least = std::min(least,
                                 2 * m_loads[out] * m_weights[out] +
                                     beyond[After(out)][GetChannels().To(out)]);
            }
            beyond[phase][node] = least;
        }
    }
}

uint64_t
DestinationRoutes::CostFrom(Node to, uint32_t copy, Node node, Phase phase) const
{
    if (m_chosen[phase][node] != m_choice)
    {
        return m_candidates.beyond[phase][node];
    }
    uint64_t cost = 0;
    while (node != to)
    {
        const auto out = Next(m_columns[to], copy, node, phase);
        cost += 2 * m_loads[out] * m_weights[out];
        phase = After(out);
        node = GetChannels().To(out);
    }
    return cost;
}

void
DestinationRoutes::ChooseAt(Node to, uint32_t copy, Node node, Phase phase)
{
    const auto& channels = GetChannels();
    const auto begin = m_candidates.first[phase][node];
    const auto count = m_candidates.first[phase][node + 1] - begin;
    auto best = m_candidates.channels[phase][begin];
    auto least = UINT64_MAX;
    // A step of the golden ratio sets switches apart that follow each other.
    auto place = (node * 0x9e3779b9U + to + copy) % count;
    for (uint32_t i = 0; count > 1 && i < std::min(count, m_maxLookedAt); ++i)
    {
        const auto out = m_candidates.channels[phase][begin + place];
        const auto cost =
            2 * m_loads[out] * m_weights[out] + CostFrom(to, copy, channels.To(out), After(out));
        if (cost < least)
        {
            least = cost;
            best = out;
        }
        place = place + 1 < count ? place + 1 : 0;
    }
    auto& columns = m_columns[to];
    columns.places[phase].Set(std::size_t{copy % columns.nCopies[phase]} * m_columns.size() + node,
                              best - channels.First(node));
    m_chosen[phase][node] = m_choice;
}

void
DestinationRoutes::CountWorms(Node to, uint32_t copy, uint32_t nCopies)
{
    if (!m_beside)
    {
        const uint64_t here = GetHosts().CountAt(to, copy, nCopies);
        for (Node from = 0; from < m_worms.size(); ++from)
        {
            m_worms[from] = here * GetHosts().CountAt(from);
        }
        return;
    }
    std::fill(m_worms.begin(), m_worms.end(), 0);
    for (const auto& [place, from, count] : m_beside->missing[to])
    {
        m_worms[from] += place % nCopies == copy ? count : 0;
    }
}

void
DestinationRoutes::Choose(Node to, uint32_t copy)
{
    ++m_choice;
    Follow(
        to,
        copy,
        [&](Node node, Phase phase) {
            if (m_chosen[phase][node] != m_choice)
            {
                ChooseAt(to, copy, node, phase);
            }
        },
        [&](Channel out, uint64_t worms) { m_loads[out] += worms * m_weights[out]; });
}

void
DestinationRoutes::Remove(Node to, uint32_t copy)
{
    Follow(
        to,
        copy,
        [](Node, Phase) {},
        [&](Channel out, uint64_t worms) { m_loads[out] -= worms * m_weights[out]; });
}

template <typename AT, typename PUT>
void
DestinationRoutes::Follow(Node to, uint32_t copy, AT at, PUT put)
{
    for (Node from = 0; from < m_columns.size(); ++from)
    {
        const auto worms = m_worms[from];
        auto phase = FREE;
        for (auto node = from; node != to && worms > 0;)
        {
            at(node, phase);
            const auto out = Next(m_columns[to], copy, node, phase);
            put(out, worms);
            phase = After(out);
            node = GetChannels().To(out);
        }
    }
}

DestinationRoutes::Channel
DestinationRoutes::Next(const Columns& columns, uint32_t copy, Node node, Phase phase) const
{
    return GetChannels().First(node) +
           columns.places[phase].Get(std::size_t{copy % columns.nCopies[phase]} * m_columns.size() +
                                     node);
}

void
DestinationRoutes::Append(uint32_t from, uint32_t to, Way& way) const
{
    const auto& channels = GetChannels();
    const auto last = GetHosts().SwitchOf(to);
    const auto& columns = m_columns[last];
    const auto copy = GetHosts().GetIndexAtSwitch(to) % columns.nCopies[FREE];
    auto phase = FREE;
    for (auto node = GetHosts().SwitchOf(from); node != last;)
    {
        const auto channel = Next(columns, copy, node, phase);
        phase = After(channel);
        way.push_back(channel);
        node = channels.To(channel);
    }
}

bool
DestinationRoutes::AddLoads(uint32_t to, const std::vector<double>& senders, Loads& loads) const
{
    const auto last = GetHosts().SwitchOf(to);
    const auto& columns = m_columns[last];
    const auto copy = GetHosts().GetIndexAtSwitch(to) % columns.nCopies[FREE];
    std::vector<double> sent[2]{senders, std::vector<double>(senders.size(), 0)};
    std::vector<uint32_t> passed[2];
    for (auto& each : passed)
    {
        each.assign(senders.size(), 0);
    }
    const auto move = [&](Node node, Phase phase) {
        if (node != last && sent[phase][node] > 0)
        {
            const auto out = Next(columns, copy, node, phase);
            const auto far = GetChannels().To(out);
            auto& longest = passed[After(out)][far];
            longest = std::max(longest, passed[phase][node] + 1);
            sent[After(out)][far] += sent[phase][node];
            AddLoad(out, sent[phase][node], longest, loads);
        }
    };
    const auto& byPlace = m_distances.GetByPlace();
    for (auto place = byPlace.rbegin(); place != byPlace.rend(); ++place)
    {
        move(*place, FREE);
    }
    for (const auto node : byPlace)
    {
        move(node, DOWN);
    }
    return true;
}

} // namespace ns3
