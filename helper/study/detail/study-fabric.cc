/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-fabric.h"

#include "ns3/wormhole-error.h"

#include <numeric>

namespace ns3
{

Ptr<CollectiveDomain>
StudyFabric::Install() const
{
    auto routed = fabrics;
    routed.SetRouter(topology->router);
    return software.Install(routed.Install(topology->graph), topology->graph);
}

std::vector<uint32_t>
StudyFabric::GetAllHosts(const CollectiveDomain& domain)
{
    std::vector<uint32_t> hosts(domain.GetNHosts());
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
}

Time
StudyFabric::GetMessageTime(const CollectiveDomain& domain, uint32_t bytes)
{
    const auto fabric = domain.GetFabric();
    auto time = fabric->GetFlitTime() * static_cast<int64_t>(fabric->GetFlits(bytes));
    for (const auto attribute : {"StartUp", "ReceiveOverhead", "UnexpectedTime", "InterruptTime"})
    {
        TimeValue part;
        domain.GetSoftware(0)->GetAttribute(attribute, part);
        time += part.Get();
    }
    return time;
}

void
StudyFabric::CheckMembers(uint32_t members) const
{
    StudyCheck::RefuseIf(members == 0 || members > GetNHosts(),
                         std::to_string(members) + " members; expected 1 to " +
                             std::to_string(GetNHosts()) + ", the number of the fabric's hosts");
}

void
StudyCheck::RefuseIf(bool isWrong, const std::string& message)
{
    if (isWrong)
    {
        throw WormholeError(message);
    }
}

void
StudyCheck::Barriers(const std::vector<std::string>& names)
{
    for (const auto& name : names)
    {
        CollectiveHelper::MakeBarrier(name);
    }
}

} // namespace ns3
