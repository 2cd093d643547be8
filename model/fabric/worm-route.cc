// SPDX-License-Identifier: GPL-2.0-only

#include "worm-route.h"

#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"

#include <map>
#include <set>
#include <string>

namespace ns3
{

namespace
{

constexpr uint16_t NO_PORT = UINT16_MAX;

/// Channels that have room at first where they are found on the way: those of one worm, on most.
constexpr std::size_t FIRST_FOUND = 64;

/// Channels found on the way beyond which those of the next worms are all found at once, since each
/// worm may find the same ones anew.
constexpr std::size_t MAX_FOUND = 256;

/// @param state where a worm is @return the same, as what is yet to be found
WormRoute::Exits
ToOpen(WormRoute::Finder::State state)
{
    return {static_cast<uint32_t>(state), static_cast<uint32_t>(state >> 32), 0, 1, 1};
}

WormRoute::Finder::State
ToState(const WormRoute::Exits& exits)
{
    return WormRoute::Finder::State{exits.size} << 32 | exits.begin;
}

} // namespace

WormRoute::Exits
WormRoute::Shape::Add(Finder::State state) const
{
    thread_local std::vector<Finder::Found> found;
    found.clear();
    if (state != Finder::AT_END)
    {
        finder->Find(state, found);
    }
    const auto begin = channels.size();
    const auto size = std::max<std::size_t>(found.size(), 1); // the receiver's
    if (begin + size > channels.capacity())
    {
        std::vector<Channel> more;
        more.reserve(std::max({FIRST_FOUND, 2 * channels.capacity(), begin + size}));
        more.assign(channels.begin(), channels.end());
        channels.swap(more);
        m_outgrown.push_back(std::move(more));
    }
    for (const auto& choice : found)
    {
        channels.push_back({ToOpen(choice.next), choice.port, choice.lane});
    }
    if (found.empty())
    {
        channels.push_back({{static_cast<uint32_t>(begin + 1), 0, 0, 1, 0}, 0, 0});
    }
    return {static_cast<uint32_t>(begin),
            static_cast<uint32_t>(size),
            state == Finder::AT_END,
            1,
            0};
}

WormRoute::Exits
WormRoute::Shape::Open(Stop stop) const
{
    auto exits = channels[stop - 1].exits;
    if (exits.isOpen)
    {
        exits = Add(ToState(exits));
        channels[stop - 1].exits = exits;
    }
    return exits;
}

void
WormRoute::Shape::OpenAll() const
{
    if (m_isWhole)
    {
        return;
    }
    std::map<Finder::State, Exits> known;
    const auto collect = [&](std::size_t begin) {
        for (auto i = begin; i < channels.size(); ++i)
        {
            if (channels[i].exits.isOpen)
            {
                known.emplace(ToState(channels[i].exits), Exits{});
            }
        }
    };
    collect(0);
    for (auto& [state, exits] : known) // whatever is collected meanwhile comes later
    {
        exits = Add(state);
        collect(exits.begin);
    }
    for (auto& channel : channels)
    {
        if (channel.exits.isOpen)
        {
            channel.exits = known.at(ToState(channel.exits));
        }
    }
    m_isWhole = true;
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
    shape.channels.reserve(SumOf(nodes, [](const auto& choices) { return choices.size(); }));
    std::set<uint16_t> lastPorts;
    for (const auto& choices : nodes)
    {
        ways.push_back({static_cast<uint32_t>(shape.channels.size()),
                        static_cast<uint32_t>(choices.size()),
                        0,
                        1,
                        0});
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

WormRoute
WormRoute::Found(Ptr<const Finder> finder, Finder::State first, uint16_t port, uint8_t maxLane)
{
    WormRoute route;
    Shape shape;
    shape.hasChoices = true;
    shape.finder = std::move(finder);
    shape.channels.reserve(FIRST_FOUND);
    shape.channels.push_back({ToOpen(first), 0, 0});
    route.m_maxLane = maxLane;
    route.m_isFound = true;
    route.m_first = {0, 1, 0, 1, 0};
    route.m_ports.push_back(port);
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
    if (m_isFound && m_shape->channels.size() > MAX_FOUND)
    {
        m_shape->OpenAll();
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
    route.m_maxLane = lanes.empty() ? 0 : *std::max_element(lanes.begin(), lanes.end());
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
        Reader reader(*this);
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
