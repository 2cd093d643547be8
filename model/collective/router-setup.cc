/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "router-setup.h"

#include "ns3/host-software.h"

#include <set>

namespace ns3
{

RouterSetup::RouterSetup(const Collective& group,
                         uint32_t root,
                         const std::vector<uint32_t>& others,
                         uint64_t flits)
    : m_group(group),
      m_root(root),
      m_flits(flits)
{
    const auto& graph = group.GetDomain().GetGraph();
    const auto route = group.GetDomain().GetFabric()->GetRouter()->GetTreeRoute(root, others);
    std::set<FabricGraph::Node> seen;
    for (const auto node : graph.Walk(graph.HostAt(root), *route))
    {
        if (graph.IsSwitch(node) && seen.insert(node).second)
        {
            m_switches.push_back(node);
        }
    }
}

RouterSetup::~RouterSetup()
{
    for (const auto& [number, unit] : m_on)
    {
        unit->SetProgram(m_group.GetGroup(), nullptr);
    }
}

void
RouterSetup::Start(CollectiveMessage::Type type, DoneCallback done)
{
    m_done = done;
    const auto& domain = m_group.GetDomain();
    CollectiveMessage message;
    message.type = type;
    message.group = m_group.GetGroup();
    for (const auto number : m_switches)
    {
        m_on[number] = domain.GetUnit(number);
        m_on[number]->SetProgram(message.group, this);
        domain.GetSoftware(m_root)->Send(ns3::Create<CollectiveWorm>(
            message,
            m_flits,
            domain.GetFabric()->GetRouter()->GetRouteToSwitch(m_root, number)));
    }
}

void
RouterSetup::ReceiveAtSwitch(uint32_t fabricSwitch, uint16_t, const CollectiveMessage& message)
{
    m_on.at(fabricSwitch)->SetProgram(message.group, nullptr);
    m_on.erase(fabricSwitch);
    if (m_on.empty())
    {
        const auto done = m_done; // it may be the end of this
        done();
    }
}

} // namespace ns3
