// SPDX-License-Identifier: GPL-2.0-only

#include "recovery-node.h"

#include "ns3/graph-walk.h"
#include "ns3/ordering.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-route-table.h"

namespace ns3
{

FabricPiece::FabricPiece(const FabricGraph& whole, FabricGraph::Node first, const IsUp& isUp)
    : switchOf(whole.GetNSwitches(), FabricGraph::NONE),
      hostOf(whole.GetNHosts(), FabricGraph::NONE)
{
    const auto nSwitches = whole.GetNSwitches();
    const auto visit = [&](FabricGraph::Node node, auto call) {
        for (uint32_t port = 0; port < whole.GetNPorts(node); ++port)
        {
            const auto near = static_cast<FabricGraph::Port>(port);
            const auto far = whole.Peer(node, near);
            if (far.node != FabricGraph::NONE && isUp(node, near) && isUp(far.node, far.port))
            {
                call(near, far);
            }
        }
    };
    std::vector<bool> isHere(whole.GetNNodes(), false);
    std::vector<FabricGraph::Node> reached{first};
    isHere[first] = true;
    while (!reached.empty())
    {
        const auto node = reached.back();
        reached.pop_back();
        visit(node, [&](FabricGraph::Port, FabricGraph::End far) {
            if (!isHere[far.node])
            {
                isHere[far.node] = true;
                if (whole.IsSwitch(far.node))
                {
                    reached.push_back(far.node);
                }
            }
        });
    }
    for (FabricGraph::Node node = 0; node < whole.GetNNodes(); ++node)
    {
        if (isHere[node] && node < nSwitches)
        {
            switchOf[node] = static_cast<uint32_t>(switches.size());
            switches.push_back(node);
        }
        else if (isHere[node])
        {
            hostOf[node - nSwitches] = static_cast<uint32_t>(hosts.size());
            hosts.push_back(node - nSwitches);
        }
    }
    const auto nHere = static_cast<uint32_t>(switches.size());
    graph = FabricGraph(nHere, static_cast<uint32_t>(hosts.size()), whole.GetNPorts(0));
    const auto numberOf = [&](FabricGraph::Node node) {
        return node < nSwitches ? switchOf[node] : nHere + hostOf[node - nSwitches];
    };
    graph.ChangeProperties().lanes = whole.GetProperties().lanes;
    for (FabricGraph::Node node = 0; node < whole.GetNNodes(); ++node)
    {
        if (!isHere[node])
        {
            continue;
        }
        graph.SetName(numberOf(node), whole.GetName(node));
        visit(node, [&](FabricGraph::Port port, FabricGraph::End far) {
            if (node < far.node)
            {
                graph.Connect(numberOf(node), port, numberOf(far.node), far.port);
            }
        });
    }
    auto routes = whole.GetRoutes();
    const auto root = whole.Find(routes.root);
    if (root < nSwitches && switchOf[root] == FabricGraph::NONE)
    {
        routes.root = "first";
    }
    if (const auto table = routes.table)
    {
        auto own = std::make_shared<RouteTable>(nHere, graph.GetNHosts());
        for (uint32_t i = 0; i < nHere; ++i)
        {
            for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
            {
                own->Set(i, host, table->Get(switches[i], hosts[host]));
            }
        }
        routes.table = own;
    }
    graph.SetRoutes(routes);
}

FabricGraph
FabricPiece::GetInWhole() const
{
    const auto nWhole = static_cast<uint32_t>(switchOf.size());
    FabricGraph whole(nWhole, static_cast<uint32_t>(hostOf.size()), graph.GetNPorts(0));
    const auto numberOf = [&](FabricGraph::Node node) {
        const auto nHere = graph.GetNSwitches();
        return node < nHere ? switches[node] : nWhole + hosts[node - nHere];
    };
    ForEachCable(graph, [&](FabricGraph::End end, FabricGraph::End far) {
        whole.Connect(numberOf(end.node), end.port, numberOf(far.node), far.port);
    });
    return whole;
}

RecoveryNode::RecoveryNode(const RecoveryLinks& links, FabricGraph::Node number)
    : m_links(links),
      m_number(number)
{
    m_isUp = MadeOfNumbers(links.graph->GetNPorts(number), [&](FabricGraph::Port port) {
        return links.graph->Peer(number, port).node != FabricGraph::NONE;
    });
}

template <class CALL>
void
RecoveryNode::VisitPorts(bool toSwitches, CALL call) const
{
    const auto& graph = *m_links.graph;
    for (uint32_t i = 0; i < m_isUp.size(); ++i)
    {
        const auto port = static_cast<FabricGraph::Port>(i);
        if (m_isUp[i] && graph.IsSwitch(graph.Peer(m_number, port).node) == toSwitches)
        {
            call(port);
        }
    }
}

void
RecoveryNode::NotifyCable(FabricGraph::Port port, bool isBrief)
{
    const bool isUp = !m_links.isDown({m_number, port});
    if (isUp == m_isUp[port] && !(isBrief && isUp))
    {
        return;
    }
    m_isUp[port] = isUp;
    if (m_links.isSwitchDown(m_number))
    {
        return;
    }
    const auto& graph = *m_links.graph;
    const bool isOfHost = !graph.IsSwitch(graph.Peer(m_number, port).node);
    if (isOfHost && isUp && m_isSettled)
    {
        m_links.send(m_number, port, {RecoveryMessage::ROUTES, m_tag, nullptr, m_routes});
    }
    if ((!isOfHost || m_hasForgotten) && !m_explores)
    {
        m_explores = true; // once for all cables of an instant
        m_noticed = Simulator::Now();
        Simulator::ScheduleNow([this] {
            m_explores = false;
            Join({m_tag.first + 1, m_number}, std::nullopt);
        });
    }
}

void
RecoveryNode::Receive(const RecoveryMessage& message, FabricGraph::Port port)
{
    m_busyUntil = std::max(m_busyUntil, Simulator::Now()) + m_links.handlingTime;
    Simulator::Schedule(m_busyUntil - Simulator::Now(),
                        &RecoveryNode::Handle,
                        this,
                        message,
                        port,
                        m_life);
}

void
RecoveryNode::Handle(RecoveryMessage message, FabricGraph::Port port, uint32_t life)
{
    if (life != m_life || !m_isUp[port])
    {
        return;
    }
    if (message.kind == RecoveryMessage::INVITE && message.tag > m_tag)
    {
        Join(message.tag, port);
        return;
    }
    if (message.tag != m_tag)
    {
        return;
    }
    switch (message.kind)
    {
    case RecoveryMessage::REPORT:
        m_report.insert(message.report->begin(), message.report->end());
        m_children.push_back(port);
        CountAnswer();
        break;
    case RecoveryMessage::INVITE:
        CountAnswer();
        break;
    default:
        Distribute(message.kind, message.tag, message.routes);
    }
}

void
RecoveryNode::Join(const RecoveryMessage::Tag& tag, std::optional<FabricGraph::Port> parent)
{
    m_tag = tag;
    m_parent = parent;
    m_children.clear();
    m_report = {{m_number, m_isUp}};
    m_isSettled = m_hasForgotten = false;
    m_nMissing = 1; // itself
    if (m_links.holds(m_number))
    {
        VisitPorts(false, [&](FabricGraph::Port port) {
            m_links.send(m_number, port, {RecoveryMessage::STOP, tag});
        });
    }
    VisitPorts(true, [&](FabricGraph::Port port) {
        if (port != parent)
        {
            ++m_nMissing;
            m_links.send(m_number, port, {RecoveryMessage::INVITE, tag});
        }
    });
    CountAnswer();
}

void
RecoveryNode::CountAnswer()
{
    if (m_nMissing == 0 || --m_nMissing > 0)
    {
        return;
    }
    if (m_parent)
    {
        const auto report = std::make_shared<const RecoveryMessage::Report>(std::move(m_report));
        m_links.send(m_number, *m_parent, {RecoveryMessage::REPORT, m_tag, report});
    }
    else
    {
        m_links.compute(m_number, m_tag, m_noticed, m_report);
    }
    m_report.clear();
}

void
RecoveryNode::Distribute(RecoveryMessage::Kind kind,
                         const RecoveryMessage::Tag& tag,
                         Ptr<const RecoveryRoutes> routes)
{
    for (const auto port : m_children)
    {
        m_links.send(m_number, port, {kind, tag, nullptr, routes});
    }
    VisitPorts(false, [&](FabricGraph::Port port) {
        m_links.send(m_number, port, {kind, tag, nullptr, routes});
    });
    if (kind == RecoveryMessage::ROUTES)
    {
        m_routes = routes;
        m_isSettled = true;
        m_links.begin(m_number);
    }
}

} // namespace ns3
