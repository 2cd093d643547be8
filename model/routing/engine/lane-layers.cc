/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lane-layers.h"

#include "destination-ways.h"
#include "routing-progress.h"
#include "stored-routes.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/// Layers that an engine may be given at most.
constexpr uint32_t MAX_LAYERS = 255;

/// A turn of ways: two channels that follow each other.
using WayTurn = std::pair<uint32_t, uint32_t>;

/// Ways that make a turn, by the turns of a layer.
using WaysOfTurns = std::map<WayTurn, std::vector<std::size_t>>;

/**
 * @param turns turns, in order
 * @param nChannels number of channels
 * @return turns of a circle; empty if there is none
 */
std::vector<WayTurn>
FindCircle(const WaysOfTurns& turns, uint32_t nChannels)
{
    enum State : uint8_t
    {
        NEW,
        OPEN,
        DONE
    };

    std::vector<State> states(nChannels, NEW);
    std::vector<std::pair<uint32_t, WaysOfTurns::const_iterator>> way; // channel, its next turn
    const auto first = [&](uint32_t channel) { return turns.lower_bound({channel, 0}); };
    for (uint32_t root = 0; root < nChannels; ++root)
    {
        if (states[root] != NEW)
        {
            continue;
        }
        states[root] = OPEN;
        way.assign(1, {root, first(root)});
        while (!way.empty())
        {
            auto& [channel, turn] = way.back();
            if (turn == turns.end() || turn->first.first != channel)
            {
                states[channel] = DONE;
                way.pop_back();
                continue;
            }
            const auto next = (turn++)->first.second;
            if (states[next] == OPEN)
            {
                std::vector<WayTurn> circle{{channel, next}};
                for (auto at = way.size() - 1; way[at].first != next; --at)
                {
                    circle.emplace_back(way[at - 1].first, way[at].first);
                }
                return circle;
            }
            if (states[next] == NEW)
            {
                states[next] = OPEN;
                way.emplace_back(next, first(next));
            }
        }
    }
    return {};
}

} // namespace

LaneLayers::LaneLayers(const FabricGraph& graph,
                       const std::string& engine,
                       uint32_t maxLayers,
                       bool isBalanced)
    : m_graph(graph),
      m_engine(engine),
      m_maxLayers(maxLayers),
      m_channels(graph),
      m_hosts(graph)
{
    DestinationWays ways(m_channels, m_hosts, isBalanced);
    m_nCopies = ways.GetNCopies();
    RoutingProgress progress("switches with ways to them",
                             uint64_t{m_nCopies} * m_channels.GetNSwitches());
    for (uint32_t copy = 0; copy < m_nCopies; ++copy)
    {
        for (Node to = 0; to < m_channels.GetNSwitches(); ++to)
        {
            progress.Step();
            if (m_hosts.CountAt(to, copy, m_nCopies) == 0)
            {
                continue;
            }
            const auto next = ways.Make(to, copy);
            for (Node from = 0; from < m_channels.GetNSwitches(); ++from)
            {
                if (from == to || m_hosts.CountAt(from) == 0)
                {
                    continue;
                }
                m_ways.push_back({from, to, copy, {}, 0});
                for (auto node = from; node != to; node = m_channels.To(next[node]))
                {
                    m_ways.back().channels.push_back(next[node]);
                }
            }
        }
    }
}

void
LaneLayers::RefuseLayers() const
{
    throw WormholeError("routing " + m_engine + " needs more than " + std::to_string(m_maxLayers) +
                        (m_maxLayers == 1 ? " lane" : " lanes") + " on this fabric; accepted is " +
                        (m_maxLayers < MAX_LAYERS ? m_engine + " with more Lanes, or " : "") +
                        "nue, which does with any number");
}

void
LaneLayers::PutFirst()
{
    std::vector<TurnSet> layers(m_maxLayers, TurnSet(m_channels.GetNChannels()));
    RoutingProgress progress("ways with a lane", m_ways.size());
    for (auto& way : m_ways)
    {
        progress.Step();
        while (!layers[way.layer].AddPath(way.channels))
        {
            if (++way.layer == m_maxLayers)
            {
                RefuseLayers();
            }
        }
    }
}

std::vector<std::size_t>
LaneLayers::BreakCirclesOf(const std::vector<std::size_t>& ways)
{
    WaysOfTurns turns;
    for (const auto way : ways)
    {
        const auto& channels = m_ways[way].channels;
        for (std::size_t i = 0; i + 1 < channels.size(); ++i)
        {
            turns[{channels[i], channels[i + 1]}].push_back(way);
        }
    }
    std::vector<std::size_t> left;
    RoutingProgress progress("circles broken");
    for (auto circle = FindCircle(turns, m_channels.GetNChannels()); !circle.empty();
         circle = FindCircle(turns, m_channels.GetNChannels()))
    {
        progress.Step();
        const auto weakest =
            *std::min_element(circle.begin(), circle.end(), [&](const auto& a, const auto& b) {
                return std::pair(turns[a].size(), a) < std::pair(turns[b].size(), b);
            });
        for (const auto way : std::vector<std::size_t>(turns[weakest]))
        {
            left.push_back(way);
            const auto& channels = m_ways[way].channels;
            for (std::size_t i = 0; i + 1 < channels.size(); ++i)
            {
                const auto found = turns.find({channels[i], channels[i + 1]});
                auto& users = found->second;
                users.erase(std::find(users.begin(), users.end(), way));
                if (users.empty())
                {
                    turns.erase(found);
                }
            }
        }
    }
    return left;
}

void
LaneLayers::BreakCircles()
{
    std::vector<std::size_t> ways(m_ways.size());
    std::iota(ways.begin(), ways.end(), 0);
    for (uint32_t layer = 0;; ++layer)
    {
        ways = BreakCirclesOf(ways);
        if (ways.empty())
        {
            return;
        }
        if (layer + 1 == m_maxLayers)
        {
            RefuseLayers();
        }
        for (const auto way : ways)
        {
            m_ways[way].layer = layer + 1;
        }
    }
}

Ptr<LaneRoutes>
LaneLayers::Make() const
{
    uint32_t nLanes = 1;
    for (const auto& way : m_ways)
    {
        nLanes = std::max(nLanes, way.layer + 1);
    }
    TurnSet turns(m_channels.GetNChannels() * nLanes);
    StoredRoutes::Store store(m_channels.GetNSwitches(), m_nCopies);
    for (const auto& way : m_ways)
    {
        std::vector<TurnSet::Vertex> vertices;
        for (const auto channel : way.channels)
        {
            vertices.push_back(channel * nLanes + way.layer);
        }
        turns.AddPath(vertices);
        store.Set(way.from, way.to, way.copy, std::move(vertices));
    }
    return Create<StoredRoutes>(m_graph, nLanes, std::move(store), turns);
}

} // namespace ns3
