/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "register-memory.h"

#include <algorithm>

namespace ns3
{

RegisterMemory::RegisterMemory(const Collective& group,
                               Time time,
                               uint64_t setupFlits,
                               TakeCallback take,
                               ChangeCallback change)
    : m_group(&group),
      m_time(time),
      m_setupFlits(setupFlits),
      m_take(take),
      m_change(change)
{
}

void
RegisterMemory::Stop()
{
    m_group = nullptr;
    m_take.Nullify();
    m_change.Nullify();
}

uint32_t
RegisterMemory::ChooseHost(const BarrierTree::SwitchEntry& entry) const
{
    const auto& graph = m_group->GetDomain().GetGraph();
    if (entry.IsMember())
    {
        return entry.representative - graph.GetNSwitches();
    }
    const auto ports = graph.PortsToHosts(entry.node);
    const auto host = ports.empty() ? entry.installer : graph.Peer(entry.node, ports.front()).node;
    return host - graph.GetNSwitches();
}

Ptr<const WormRoute>
RegisterMemory::GetRouteToHost(const BarrierTree::SwitchEntry& entry) const
{
    return m_group->GetDomain().GetRouteFromSwitch(entry.node, ChooseHost(entry));
}

uint32_t
RegisterMemory::Hold(const BarrierTree::SwitchEntry& entry)
{
    auto& held = m_held[entry.node];
    held.host = ChooseHost(entry);
    held.toSwitch = m_group->GetDomain().GetRouteToSwitch(held.host, entry.node);
    m_group->GetDomain()
        .GetUnit(entry.node)
        ->ReserveInMemory(m_group->GetGroup(), GetRouteToHost(entry));
    return held.host;
}

bool
RegisterMemory::IsHeldFromStart(uint32_t host, uint32_t fabricSwitch) const
{
    const auto found = m_held.find(fabricSwitch);
    return found != m_held.end() && found->second.host == host && !found->second.isBackup;
}

std::vector<std::pair<uint32_t, uint32_t>>
RegisterMemory::GetPlaces() const
{
    std::vector<std::pair<uint32_t, uint32_t>> places;
    for (const auto& [fabricSwitch, held] : m_held)
    {
        places.emplace_back(fabricSwitch, held.host);
    }
    return places;
}

void
RegisterMemory::Take(uint32_t host, const CollectiveMessage& message)
{
    const auto software = m_group->GetDomain().GetSoftware(host);
    const auto wait = software->Occupy({LatencyCause::REGISTER_MEMORY, m_time});
    software->GetActivities().ScheduleAfter(software->GetLastActivity(),
                                            wait,
                                            &RegisterMemory::Apply,
                                            Ptr<RegisterMemory>(this),
                                            host,
                                            message);
}

void
RegisterMemory::Apply(uint32_t host, CollectiveMessage message)
{
    if (!m_group)
    {
        return;
    }
    const auto fabricSwitch = message.place;
    if (message.type == CollectiveMessage::SAVE)
    {
        m_held[fabricSwitch] = {host,
                                true,
                                m_group->GetDomain().GetRouteToSwitch(host, fabricSwitch),
                                BarrierRegister(message)};
        m_change(fabricSwitch, host, message.type);
        return;
    }
    const auto found = m_held.find(fabricSwitch);
    if (found == m_held.end())
    {
        Return(host, message);
        return;
    }
    auto& held = found->second;
    message.stage = CollectiveMessage::PLAIN;
    switch (message.type)
    {
    case CollectiveMessage::SETUP:
        held.reg = BarrierRegister(message);
        m_change(fabricSwitch, host, message.type);
        break;
    case CollectiveMessage::RELEASE:
        m_group->GetDomain().GetUnit(fabricSwitch)->ReleaseFromMemory(m_group->GetGroup());
        m_change(fabricSwitch, host, message.type);
        break;
    case CollectiveMessage::FETCH:
        GiveBack(fabricSwitch);
        break;
    case CollectiveMessage::REDUCTION:
        if (held.reg.Arrive(message.parent, message.value))
        {
            message.value = held.reg.GetResult();
            Send(held, message, {held.reg.GetParent()});
        }
        break;
    default:
        Send(held, message, held.reg.GetOthers(message.parent));
        break;
    }
}

void
RegisterMemory::GiveBack(uint32_t fabricSwitch)
{
    const auto held = m_held.at(fabricSwitch);
    m_held.erase(fabricSwitch);
    SendBy(held.host, held.reg.Save(CollectiveMessage::RESTORE), m_setupFlits, held.toSwitch);
}

void
RegisterMemory::Return(uint32_t host, CollectiveMessage message)
{
    message.stage = CollectiveMessage::RETURNED;
    SendBy(host,
           message,
           message.type == CollectiveMessage::RELEASE ? m_setupFlits : m_group->GetMessageFlits(),
           m_group->GetDomain().GetRouteToSwitch(host, message.place));
}

void
RegisterMemory::Send(const Held& held, CollectiveMessage message, std::vector<uint16_t> ports)
{
    const auto flits = m_group->GetMessageFlits();
    if (held.toSwitch->GetNChannels() > 1)
    {
        message.stage = CollectiveMessage::FROM_MEMORY;
        message.children = PortSet();
        for (const auto port : ports)
        {
            message.children.Add(port);
        }
        SendBy(held.host, message, flits, held.toSwitch);
        return;
    }
    const auto& graph = m_group->GetDomain().GetGraph();
    const auto self =
        std::find(ports.begin(), ports.end(), graph.SwitchOf(graph.HostAt(held.host)).port);
    const bool toSelf = self != ports.end();
    if (toSelf)
    {
        ports.erase(self);
    }
    if (!ports.empty())
    {
        std::vector<std::vector<uint16_t>> stops(2 + ports.size());
        stops[0] = {0};
        stops[1] = ports;
        SendBy(held.host, message, flits, ns3::Create<WormRoute>(WormRoute::Tree(stops)));
    }
    if (toSelf)
    {
        m_take(held.host, message);
    }
}

void
RegisterMemory::SendBy(uint32_t host,
                       const CollectiveMessage& message,
                       uint64_t flits,
                       Ptr<const WormRoute> route)
{
    m_group->GetDomain().GetSoftware(host)->Send(
        ns3::Create<CollectiveWorm>(message, flits, route));
}

} // namespace ns3
