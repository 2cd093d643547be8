// SPDX-License-Identifier: GPL-2.0-only

// How RouteRecovery keeps worms on new routes behind those on old ones.

#include "route-recovery.h"

#include "ns3/fabric-engine.h"
#include "ns3/flit-engine.h"
#include "ns3/recovery-tokens.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

RecoveryTokens*
RouteRecovery::FindTokens(FabricGraph::Node node) const
{
    const auto found = std::find_if(m_tokens.begin(), m_tokens.end(), [&](const auto& tokens) {
        return tokens->Has(node);
    });
    return found == m_tokens.end() ? nullptr : found->get();
}

bool
RouteRecovery::MayPass(const WormholePort& port, uint8_t lane, uint32_t number) const
{
    if (m_tokens.empty())
    {
        return true;
    }
    const auto node = m_graph.Find(port.GetNode()->name);
    const auto tokens = FindTokens(node);
    return !tokens || number != tokens->GetRoutes().number ||
           tokens->IsOpen({node, static_cast<FabricGraph::Port>(port.GetNumber()), lane});
}

bool
RouteRecovery::CanSendTokens(const RecoveryRoutes& routes, const RouteSets& before) const
{
    // Tokens follow old routes, which must not have them wait for each other in a circle.
    bool hasPaths = m_way->HasTokens() && m_first->GetInTransit() == InTransit::NONE &&
                    !m_engine->HasOwnLanes();
    VisitRoutes(before, [&](uint32_t, const WormRoute& route) {
        hasPaths = hasPaths && !route.HasChoices();
    });
    const auto& switches = routes.piece.switches;
    return hasPaths && FindCycle(before).empty() &&
           std::all_of(switches.begin(), switches.end(), [&](auto node) {
               return m_nodes[node]->IsLast(routes.tag);
           });
}

void
RouteRecovery::StartTokens(const RecoveryRoutes& routes, const RouteSets& before)
{
    RecoveryTokens::Links links;
    const Ptr<const RecoveryRoutes> its(&routes);
    links.send = [this, its](const RecoveryTokens::Channel& channel) {
        const auto [node, port, lane] = channel;
        const auto path = WormRoute::Path({port}).InLanes({lane});
        const RecoveryMessage token{RecoveryMessage::TOKEN, its->tag, nullptr, its, lane};
        const auto worm = Create<RecoveryWorm>(token, 1, Create<WormRoute>(path));
        auto& state = *m_fabric->GetPort(node, port)->GetNode();
        state.engine->Originate(worm, state);
        ++m_changes[its->change].tokens;
        ++m_counts.messages;
        ++m_counts.messageFlits;
    };
    links.wake = [this](FabricGraph::Node node) {
        m_engine->Wake(*m_fabric->GetSwitch(node)->GetNodeState());
    };
    links.isOver = [this, its](const RecoveryTokens::Channel& channel, bool isOpen) {
        const auto& [node, port, lane] = channel;
        const auto far = m_graph.Peer(node, port);
        return (isOpen || IsDown({node, port}, true)) &&
               !m_engine->Holds(
                   *m_fabric->GetSwitch(far.node)->GetNodeState(),
                   [&](uint32_t number) { return number != its->number; },
                   far.port);
    };
    const auto nLanes = m_first->GetNLanes();
    auto tokens = std::make_unique<RecoveryTokens>(m_graph, its, nLanes, std::move(links));
    VisitRoutes(before, [&](uint32_t from, const WormRoute& route) {
        const auto nodes = m_graph.Walk(m_graph.HostAt(from), route);
        for (WormRoute::Stop stop = 1; stop + 1 < nodes.size(); ++stop)
        {
            const auto channel = [&](WormRoute::Stop at) {
                return RecoveryTokens::Channel(nodes[at],
                                               route.At(at)[0].port,
                                               route.GetLane(at + 1));
            };
            tokens->AddOld(channel(stop - 1), channel(stop));
        }
    });
    for (const auto node : routes.piece.switches)
    {
        for (uint32_t i = 0; i < m_graph.GetNPorts(node); ++i)
        {
            const FabricGraph::End end{node, static_cast<FabricGraph::Port>(i)};
            if (m_graph.Peer(node, end.port).node != FabricGraph::NONE && IsDown(end, true))
            {
                tokens->Lose(end);
            }
        }
    }
    m_engine->Await(true);
    m_tokens.push_back(std::move(tokens));
    if (m_tokens.size() == 1)
    {
        PollTokens();
    }
}

void
RouteRecovery::PollTokens()
{
    for (const auto& tokens : m_tokens)
    {
        tokens->Poll();
    }
    const auto isOver = [](const auto& tokens) { return tokens->IsOver(); };
    const auto over = std::remove_if(m_tokens.begin(), m_tokens.end(), isOver);
    std::for_each(over, m_tokens.end(), [this](const auto&) { m_engine->Await(false); });
    m_tokens.erase(over, m_tokens.end());
    if (!m_tokens.empty())
    {
        Simulator::Schedule(m_pollInterval, &RouteRecovery::PollTokens, this);
    }
}

void
RouteRecovery::EndTokens(const RecoveryRoutes& routes)
{
    for (const auto& tokens : m_tokens)
    {
        for (const auto node : routes.piece.switches)
        {
            tokens->Drop(node);
        }
    }
}

} // namespace ns3
