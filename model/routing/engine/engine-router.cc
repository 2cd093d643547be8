/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "engine-router.h"

#include <algorithm>
#include <utility>

namespace ns3
{

EngineRouter::EngineRouter(const FabricGraph& graph,
                           const std::string& engine,
                           std::shared_ptr<const LaneRoutes> routes)
    : RankedRouter(graph, "routing " + engine),
      m_routes(std::move(routes))
{
    const auto& channels = m_routes->GetChannels();
    const auto nLanes = m_routes->GetNLanes();
    std::vector<uint32_t> ranks(graph.GetNSwitches() * graph.GetNPorts(0) * std::size_t{nLanes});
    for (uint32_t vertex = 0; vertex < channels.GetNChannels() * nLanes; ++vertex)
    {
        const auto channel = vertex / nLanes;
        ranks[IndexOf(channels.From(channel), channels.PortOf(channel)) * nLanes +
              vertex % nLanes] = m_routes->GetRanks()[vertex] + 1;
    }
    SetRanks(std::move(ranks), nLanes);
}

Ptr<const WormRoute>
EngineRouter::MakeChoiceOrTransitRoute(uint32_t from, uint32_t to)
{
    if (m_routes->GetInTransit() != InTransit::NONE)
    {
        return MakeTransitRoute(from, to);
    }
    if (!m_routes->HasChoices())
    {
        return nullptr;
    }
    const auto& hosts = m_routes->GetHosts();
    const auto port = EndOf(to).port;
    const uint64_t nSwitches = m_routes->GetChannels().GetNSwitches();
    const auto pair = hosts.SwitchOf(from) * nSwitches + hosts.SwitchOf(to);
    constexpr uint64_t MAX_MADE = 1U << 16; // some 100 MB
    if (m_made.empty())
    {
        m_made.resize(std::min(nSwitches * nSwitches, MAX_MADE));
    }
    auto& made = m_made[pair % m_made.size()];
    if (made.route && made.pair == pair)
    {
        return made.route->EndingBy(port);
    }
    const auto& channels = m_routes->GetChannels();
    const auto nLanes = m_routes->GetNLanes();
    const auto choices = m_routes->MakeChoices(hosts.SwitchOf(from), hosts.SwitchOf(to));
    // The sender comes before its switch in the list, the receiver behind all.
    const auto end = static_cast<uint32_t>(choices.size() + 1);
    std::vector<std::vector<WormRoute::Choice>> nodes{{{0, 0, 1}}};
    nodes.reserve(choices.size() + 2);
    for (const auto& taken : choices)
    {
        nodes.emplace_back();
        nodes.back().reserve(taken.size());
        for (const auto& choice : taken)
        {
            nodes.back().push_back({channels.PortOf(choice.vertex / nLanes),
                                    static_cast<uint8_t>(choice.vertex % nLanes),
                                    choice.next + 1});
        }
        if (taken.empty())
        {
            nodes.back().push_back({port, 0, end});
        }
    }
    nodes.emplace_back();
    auto route = WormRoute::Adaptive(nodes);
    made.pair = pair;
    made.route = route;
    return Create<WormRoute>(std::move(route));
}

Ptr<const WormRoute>
EngineRouter::MakeTransitRoute(uint32_t from, uint32_t to) const
{
    WormRoute::Ports ports;
    for (const auto& leg : m_routes->MakeLegs(from, to))
    {
        ports.push_back(0); // of the host where it begins
        for (const auto channel : leg.way)
        {
            ports.push_back(m_routes->GetChannels().PortOf(channel));
        }
        ports.push_back(EndOf(leg.host).port);
    }
    return Create<WormRoute>(WormRoute::Path(std::move(ports)));
}

Ptr<const WormRoute>
EngineRouter::GetSwitchPath(uint32_t from, uint32_t to)
{
    return m_routes->GetInTransit() == InTransit::NONE ? GetPath(from, to) : MakeExitPath(from, to);
}

bool
EngineRouter::AreBySwitch() const
{
    return m_routes->GetInTransit() == InTransit::NONE && !m_routes->HasChoices() &&
           m_routes->AreBySwitch();
}

bool
EngineRouter::AddLoads(uint32_t to, const std::vector<double>& senders, Loads& loads) const
{
    const auto& channels = m_routes->GetChannels();
    return m_routes->AddLoads(to, senders, [&](uint32_t channel, double sent, uint32_t longest) {
        loads.channels[IndexOf(channels.From(channel), channels.PortOf(channel))] += sent;
        loads.longest = std::max(loads.longest, longest);
    });
}

InTransit
EngineRouter::GetInTransit() const
{
    return m_routes->GetInTransit();
}

uint32_t
EngineRouter::GetNLanes() const
{
    return m_routes->GetNLanes();
}

void
EngineRouter::AppendExits(uint32_t from, uint32_t to, Exits& exits) const
{
    LaneRoutes::Way way;
    m_routes->Append(from, to, way);
    const auto& channels = m_routes->GetChannels();
    const auto nLanes = m_routes->GetNLanes();
    for (const auto vertex : way)
    {
        exits.push_back({channels.PortOf(vertex / nLanes), static_cast<uint8_t>(vertex % nLanes)});
    }
    exits.push_back({EndOf(to).port, 0});
}

} // namespace ns3
