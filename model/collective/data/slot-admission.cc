/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slot-admission.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

SlotAdmission::SlotAdmission(const Collective& group,
                             std::vector<Request> requests,
                             uint64_t flits,
                             AnswerCallback answer,
                             EndCallback end)
    : m_group(&group),
      m_requests(std::move(requests)),
      m_flits(flits),
      m_answer(answer),
      m_end(end),
      m_host(group.GetTree().GetRootHost() - group.GetDomain().GetGraph().GetNSwitches())
{
}

void
SlotAdmission::Stop()
{
    m_group = nullptr;
    m_answer.Nullify();
    m_end.Nullify();
}

Ptr<const WormRoute>
SlotAdmission::FindWay(uint32_t fabricSwitch) const
{
    const auto& domain = m_group->GetDomain();
    const auto& graph = domain.GetGraph();
    if (graph.SwitchOf(graph.HostAt(m_host)).node == fabricSwitch)
    {
        return Create<WormRoute>(WormRoute::Path({0}));
    }
    return domain.GetFabric()->GetRouter()->GetRouteToSwitch(m_host, fabricSwitch);
}

Ptr<const WormRoute>
SlotAdmission::FindWayBack(uint32_t fabricSwitch) const
{
    const auto& domain = m_group->GetDomain();
    const auto& graph = domain.GetGraph();
    const auto own = graph.SwitchOf(graph.HostAt(m_host));
    std::vector<uint16_t> ports;
    const auto hostPorts = graph.PortsToHosts(fabricSwitch);
    if (own.node == fabricSwitch)
    {
        ports.push_back(own.port);
    }
    else if (!hostPorts.empty())
    {
        // As a message of a host there goes.
        const auto host = graph.Peer(fabricSwitch, hostPorts.front()).node - graph.GetNSwitches();
        const auto route = domain.GetFabric()->GetRouter()->GetSwitchPath(host, m_host);
        for (WormRoute::Stop stop = 1; route->At(stop).size() > 0; ++stop)
        {
            ports.push_back(route->At(stop)[0].port);
        }
    }
    else
    {
        // By the cables that lead there: what is up and then down from one end is so from the
        // other.
        const auto route = FindWay(fabricSwitch);
        const auto nodes = graph.Walk(graph.HostAt(m_host), *route);
        for (std::size_t stop = 0; stop + 1 < nodes.size(); ++stop)
        {
            const auto port = route->At(static_cast<WormRoute::Stop>(stop))[0].port;
            ports.push_back(graph.Peer(nodes[stop], port).port);
        }
        std::reverse(ports.begin(), ports.end());
    }
    return Create<WormRoute>(WormRoute::Path(ports));
}

void
SlotAdmission::Send(const Request& request, SlotMessage::Kind kind)
{
    SlotMessage message;
    message.kind = kind;
    message.place = request.fabricSwitch;
    message.slots = request.slots;
    auto worm = Create<SlotWorm>(m_group->GetGroup(),
                                 message,
                                 kind == SlotMessage::ADMIT ? request.flits : m_flits,
                                 FindWay(request.fabricSwitch));
    worm->plan = request.plan;
    worm->back = FindWayBack(request.fabricSwitch);
    m_group->GetDomain().GetSoftware(m_host)->Send(worm);
}

void
SlotAdmission::Ask()
{
    Send(m_requests[m_nGranted], SlotMessage::ADMIT);
}

void
SlotAdmission::GiveBack()
{
    m_nToFree = m_nGranted;
    for (std::size_t i = 0; i < m_nToFree; ++i)
    {
        Send(m_requests[i], SlotMessage::FREE);
    }
    if (m_nToFree == 0)
    {
        m_end(false);
    }
}

void
SlotAdmission::Receive(Ptr<const Worm> worm)
{
    if (!m_group)
    {
        return;
    }
    const auto message = static_cast<const SlotWorm&>(*worm).GetSlotMessage();
    const auto wait = m_group->GetDomain().GetSoftware(m_host)->OccupyReceive();
    Simulator::Schedule(wait, &SlotAdmission::Take, Ptr<SlotAdmission>(this), message);
}

void
SlotAdmission::Take(SlotMessage message)
{
    if (!m_group)
    {
        return;
    }
    if (message.kind == SlotMessage::FREED)
    {
        if (--m_nToFree == 0)
        {
            m_nGranted = 0;
            m_end(false);
        }
        return;
    }
    const bool grants = message.kind == SlotMessage::GRANTED;
    m_answer(message.place, grants, message.slots);
    if (!grants)
    {
        GiveBack();
    }
    else if (++m_nGranted < m_requests.size())
    {
        Ask();
    }
    else
    {
        m_end(true);
    }
}

} // namespace ns3
