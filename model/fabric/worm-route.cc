/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "worm-route.h"

#include "ns3/wormhole-error.h"

#include <set>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint16_t NO_PORT = UINT16_MAX;

} // namespace

void
WormRoute::SetShape(Shape shape)
{
    m_shape = Create<const Shape>(std::move(shape));
    m_channels = m_shape->channels.data();
}

WormRoute
WormRoute::Path(Ports ports)
{
    WormRoute route;
    route.m_ports = std::move(ports);
    return route;
}

WormRoute
WormRoute::Path(const std::vector<uint16_t>& ports)
{
    Ports own;
    for (const auto port : ports)
    {
        own.push_back(port);
    }
    return Path(std::move(own));
}

WormRoute
WormRoute::Path(std::initializer_list<uint16_t> ports)
{
    return Path(std::vector<uint16_t>(ports));
}

WormRoute
WormRoute::Tree(const std::vector<std::vector<uint16_t>>& ports)
{
    WormRoute route;
    Shape shape;
    shape.nEnds = 0;
    std::vector<Exits> stops;
    stops.reserve(ports.size());
    shape.channels.reserve(ports.size());
    for (const auto& stop : ports)
    {
        stops.push_back({static_cast<uint32_t>(shape.channels.size()),
                         static_cast<uint32_t>(stop.size()),
                         0,
                         0});
        for (const auto port : stop)
        {
            shape.channels.push_back({{}, port, 0});
        }
        shape.nEnds += stop.empty();
    }
    if (shape.channels.size() + 1 != stops.size())
    {
        throw WormholeError("tree route lists " + std::to_string(stops.size()) +
                            " stops but its ports lead to " +
                            std::to_string(shape.channels.size() + 1));
    }
    route.m_first = stops[0];
    for (std::size_t i = 0; i < shape.channels.size(); ++i)
    {
        shape.channels[i].exits = stops[i + 1];
    }
    route.SetShape(std::move(shape));
    return route;
}

WormRoute
WormRoute::Adaptive(const std::vector<std::vector<Choice>>& nodes)
{
    WormRoute route;
    Shape shape;
    shape.hasChoices = true;
    std::vector<Exits> ways; // by node
    ways.reserve(nodes.size());
    std::size_t nChoices = 0;
    for (const auto& choices : nodes)
    {
        nChoices += choices.size();
    }
    shape.channels.reserve(nChoices);
    for (const auto& choices : nodes)
    {
        ways.push_back({static_cast<uint32_t>(shape.channels.size()),
                        static_cast<uint32_t>(choices.size()),
                        0,
                        1});
        for (const auto& choice : choices)
        {
            shape.channels.push_back({{}, choice.port, choice.lane});
            route.m_maxLane = std::max(route.m_maxLane, choice.lane);
        }
    }
    for (uint32_t node = 0; node < nodes.size(); ++node)
    {
        for (const auto& choice : nodes[node])
        {
            if (choice.nextNode <= node || choice.nextNode >= nodes.size())
            {
                throw WormholeError(
                    "a port of node " + std::to_string(node) +
                    " of a route with choices leads to node " + std::to_string(choice.nextNode) +
                    " of " + std::to_string(nodes.size()) + "; expected one further down the list");
            }
        }
    }
    std::set<uint16_t> lastPorts;
    for (uint32_t node = 0; node < nodes.size(); ++node)
    {
        for (const auto& choice : nodes[node])
        {
            if (nodes[choice.nextNode].empty())
            {
                ways[node].isEnd = nodes[node].size() == 1;
                lastPorts.insert(ways[node].isEnd ? choice.port : NO_PORT);
            }
        }
    }
    if (lastPorts.size() == 1 && *lastPorts.begin() != NO_PORT)
    {
        route.m_ports.push_back(*lastPorts.begin());
    }
    for (auto& way : ways)
    {
        way.isEnd = way.isEnd && !route.m_ports.empty();
    }
    if (!nodes.empty())
    {
        route.m_first = ways[0];
    }
    auto channel = shape.channels.begin();
    for (const auto& choices : nodes)
    {
        for (const auto& choice : choices)
        {
            (channel++)->exits = ways[choice.nextNode];
        }
    }
    route.SetShape(std::move(shape));
    return route;
}

Ptr<WormRoute>
WormRoute::EndingBy(uint16_t port) const
{
    if (!m_shape || m_ports.empty())
    {
        throw WormholeError("a route is to end by port " + std::to_string(port) +
                            ": expected one with choices, whose last port is the same whatever "
                            "it chooses");
    }
    __builtin_prefetch(m_channels); // the worm starts soon
    auto route = Create<WormRoute>(*this);
    route->m_ports[0] = port;
    return route;
}

WormRoute
WormRoute::GetPreferred() const
{
    Ports ports;
    Lanes lanes;
    for (Stop stop = 0; At(stop).size() > 0; stop = At(stop)[0].next)
    {
        ports.push_back(At(stop)[0].port);
        lanes.push_back(GetLane(At(stop)[0].next));
    }
    return Path(std::move(ports)).InLanes(lanes);
}

WormRoute
WormRoute::InLanes(const Lanes& lanes) const
{
    if (lanes.size() != GetNChannels())
    {
        throw WormholeError("a route of " + std::to_string(GetNChannels()) + " channels has " +
                            std::to_string(lanes.size()) + " lanes; expected one for each");
    }
    WormRoute route(*this);
    route.m_maxLane = 0;
    for (const auto lane : lanes)
    {
        route.m_maxLane = std::max(route.m_maxLane, lane);
    }
    if (!m_shape && lanes.size() <= PACKED_LANES && route.m_maxLane <= MAX_PACKED_LANE)
    {
        route.m_pathLanes = 0;
        for (std::size_t i = 0; i < lanes.size(); ++i)
        {
            route.m_pathLanes |= uint64_t{lanes[i]} << (LANE_BITS * i);
        }
        return route;
    }
    Shape shape;
    if (m_shape)
    {
        shape = *m_shape;
    }
    else
    {
        const Reader reader(*this);
        route.m_first = reader.GetExits(0);
        for (Stop i = 0; i < m_ports.size(); ++i)
        {
            shape.channels.push_back({reader.GetExits(i + 1), m_ports[i], 0});
        }
        route.m_ports.clear();
    }
    for (std::size_t i = 0; i < lanes.size(); ++i)
    {
        shape.channels[i].lane = lanes[i];
    }
    route.SetShape(std::move(shape));
    return route;
}

} // namespace ns3
