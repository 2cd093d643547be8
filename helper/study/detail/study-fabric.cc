/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-fabric.h"

#include "ns3/fabric-options.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

#include <numeric>

namespace ns3
{

std::vector<uint32_t>
FabricStudy::GetFirstHosts(uint32_t n)
{
    std::vector<uint32_t> hosts(n);
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
}

void
FabricStudy::AddMessageCosts(const std::string& startUp, const std::string& receive)
{
    Add({"startUp=2us (" + startUp +
             ") [time] ns3::HostSoftware::StartUp: How long a message keeps its sender's software "
             "busy",
         "receive=1us (" + receive +
             ") [time] ns3::HostSoftware::ReceiveOverhead: How long a message keeps its "
             "receiver's software busy"});
}

void
FabricStudy::ReadFabric(const OptionValues& values)
{
    const std::string software = "ns3::HostSoftware::";
    for (const auto& parameter : GetParameters())
    {
        if (parameter.attribute.compare(0, software.size(), software) != 0)
        {
            continue;
        }
        const auto attribute = parameter.attribute.substr(software.size());
        if (parameter.kind == StudyParameter::TIME)
        {
            m_software.SetSoftwareAttribute(attribute, TimeValue(Get<Time>(parameter.name)));
        }
        else
        {
            m_software.SetSoftwareAttribute(attribute,
                                            StringValue(Get<std::string>(parameter.name)));
        }
    }
    if (!values.Find("linkDelay").empty())
    {
        FabricOptions::SetDelays(values, m_fabrics);
    }
    m_topology = FabricOptions::Read(values);
}

Ptr<CollectiveDomain>
FabricStudy::Install() const
{
    auto routed = m_fabrics;
    routed.SetRouter(m_topology->router);
    return m_software.Install(routed.Install(m_topology->graph), m_topology->graph);
}

Time
FabricStudy::GetMessageTime(const CollectiveDomain& domain, uint32_t bytes)
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

const std::vector<std::string>&
StudyGraph::GetOptions()
{
    static const std::vector<std::string> names{"switches",
                                                "hosts",
                                                "ports",
                                                "connectivity",
                                                "law"};
    return names;
}

FabricGraph
StudyGraph::Make() const
{
    if (given)
    {
        return *given;
    }
    IrregularTopologyHelper topology(drawn);
    topology.AssignStreams(STREAM);
    return topology.Create();
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
