/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-helper.h"

#include "ns3/in-switch-barrier.h"
#include "ns3/multicast-barrier.h"
#include "ns3/unicast-barrier.h"
#include "ns3/wormhole-error.h"

#include <map>

namespace ns3
{

namespace
{

/// @return barriers by short name
std::map<std::string, TypeId>
ShortNames()
{
    return {{"btin", InSwitchBarrier::GetTypeId()},
            {"multicast", MulticastBarrier::GetTypeId()},
            {"unicast", UnicastBarrier::GetTypeId()}};
}

} // namespace

CollectiveHelper::CollectiveHelper()
{
    m_softwareFactory.SetTypeId("ns3::HostSoftware");
    m_unitFactory.SetTypeId("ns3::CollectiveUnit");
}

void
CollectiveHelper::SetSoftwareAttribute(const std::string& name, const AttributeValue& value)
{
    m_softwareFactory.Set(name, value);
}

void
CollectiveHelper::SetUnitAttribute(const std::string& name, const AttributeValue& value)
{
    m_unitFactory.Set(name, value);
}

Ptr<CollectiveDomain>
CollectiveHelper::Install(Ptr<WormholeFabric> fabric, const FabricGraph& graph) const
{
    auto domain = CreateObject<CollectiveDomain>();
    domain->SetFabric(fabric, graph);
    for (uint32_t h = 0; h < fabric->GetNHosts(); ++h)
    {
        auto software = m_softwareFactory.Create<HostSoftware>();
        software->Install(fabric->GetHost(h));
        domain->AddSoftware(software);
    }
    for (uint32_t s = 0; s < fabric->GetNSwitches(); ++s)
    {
        auto unit = m_unitFactory.Create<CollectiveUnit>();
        unit->Install(fabric->GetSwitch(s));
        domain->AddUnit(unit);
    }
    return domain;
}

Ptr<Barrier>
CollectiveHelper::MakeBarrier(const std::string& name)
{
    const auto shortNames = ShortNames();
    const auto found = shortNames.find(name);
    TypeId tid;
    if (found != shortNames.end())
    {
        tid = found->second;
    }
    else if (!TypeId::LookupByNameFailSafe(name, &tid) || !tid.IsChildOf(Barrier::GetTypeId()) ||
             !tid.HasConstructor())
    {
        std::string known;
        for (const auto& entry : shortNames)
        {
            known += (known.empty() ? "" : ", ") + entry.first;
        }
        throw WormholeError("there is no barrier '" + name + "'; there are " + known +
                            " and the TypeIds that derive from ns3::Barrier");
    }
    ObjectFactory factory;
    factory.SetTypeId(tid);
    return factory.Create<Barrier>();
}

std::vector<std::string>
CollectiveHelper::GetBarrierNames()
{
    std::vector<std::string> names;
    for (const auto& entry : ShortNames())
    {
        names.push_back(entry.first);
    }
    return names;
}

} // namespace ns3
