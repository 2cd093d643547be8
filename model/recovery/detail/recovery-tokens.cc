// SPDX-License-Identifier: GPL-2.0-only

#include "recovery-tokens.h"

namespace ns3
{

RecoveryTokens::RecoveryTokens(const FabricGraph& graph,
                               Ptr<const RecoveryRoutes> routes,
                               uint32_t nLanes,
                               Links links)
    : m_graph(graph),
      m_routes(routes),
      m_nLanes(nLanes),
      m_links(std::move(links))
{
    for (const auto node : routes->piece.switches)
    {
        for (uint32_t i = 0; i < graph.GetNPorts(node); ++i)
        {
            const auto port = static_cast<FabricGraph::Port>(i);
            for (uint32_t lane = 0;
                 graph.Peer(node, port).node != FabricGraph::NONE && lane < nLanes;
                 ++lane)
            {
                m_closed[{node, port, static_cast<uint8_t>(lane)}];
            }
        }
    }
}

bool
RecoveryTokens::Has(Node node) const
{
    const auto atSwitch = m_graph.IsSwitch(node) ? node : m_graph.SwitchOf(node).node;
    const auto& piece = m_routes->piece;
    const auto number =
        atSwitch == node ? piece.switchOf[node] : piece.hostOf[node - m_graph.GetNSwitches()];
    return number != FabricGraph::NONE && m_dropped.count(atSwitch) == 0;
}

void
RecoveryTokens::AddOld(const Channel& first, const Channel& next)
{
    const auto found = m_closed.find(next);
    if (found != m_closed.end())
    {
        found->second.insert(first);
    }
}

template <class CALL>
void
RecoveryTokens::VisitClosed(Node node, CALL call)
{
    for (auto i = m_closed.lower_bound({node, 0, 0});
         i != m_closed.end() && std::get<0>(i->first) == node;)
    {
        call(*i++); // which may open it
    }
}

void
RecoveryTokens::Begin(Node node)
{
    if (!m_begun.insert(node).second)
    {
        return;
    }
    for (uint32_t lane = 0; !m_graph.IsSwitch(node) && lane < m_nLanes; ++lane)
    {
        m_links.send({node, 0, static_cast<uint8_t>(lane)});
    }
    VisitClosed(node, [this](const auto& closed) { TryOpen(closed.first); });
}

void
RecoveryTokens::Arrive(const Channel& channel)
{
    const auto& [node, port, lane] = channel;
    m_lost.erase(channel);
    VisitClosed(m_graph.Peer(node, port).node, [&](auto& closed) {
        if (closed.second.erase(channel) > 0)
        {
            TryOpen(closed.first);
        }
    });
}

void
RecoveryTokens::TryOpen(const Channel& channel)
{
    const auto node = std::get<0>(channel);
    const auto found = m_closed.find(channel);
    if (found->second.empty() && m_begun.count(node) > 0)
    {
        const auto opened = m_closed.extract(found);
        m_links.send(opened.key());
        m_links.wake(node);
    }
}

void
RecoveryTokens::Lose(FabricGraph::End end)
{
    const auto far = m_graph.Peer(end.node, end.port);
    VisitClosed(end.node, [&](const auto& closed) {
        for (const auto& awaited : closed.second)
        {
            if (std::get<0>(awaited) == far.node && std::get<1>(awaited) == far.port)
            {
                m_lost.insert(awaited);
            }
        }
    });
}

void
RecoveryTokens::Drop(Node node)
{
    m_dropped.insert(node);
    VisitClosed(node, [this](const auto& closed) { m_closed.erase(Channel(closed.first)); });
}

void
RecoveryTokens::Poll()
{
    for (const auto& channel : std::set<Channel>(m_lost))
    {
        const auto node = std::get<0>(channel);
        const bool isOpen =
            !Has(node) || (m_graph.IsSwitch(node) ? IsOpen(channel) : m_begun.count(node) > 0);
        if (m_links.isOver(channel, isOpen))
        {
            Arrive(channel);
        }
    }
}

} // namespace ns3
