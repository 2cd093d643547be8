// SPDX-License-Identifier: GPL-2.0-only

#include "add-on-network.h"

#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("AddOnNetwork");

NS_OBJECT_ENSURE_REGISTERED(AddOnNetwork);

TypeId
AddOnNetwork::GetTypeId()
{
    static const AttributeKeywords types{"Type", GetTypes()};
    static TypeId tid = AddFormerAttribute(
        NewType::Of<AddOnNetwork, Object>("ns3::AddOnNetwork")
            .Add("Type",
                 "The network's services: hw-1 (barriers, AND of one bit) or hw-all (also AND, OR, "
                 "ADD, MIN, MAX of up to 64 bits, to all or one, and broadcasts).",
                 Sets::Word(GetTypes(), "hw-all", &AddOnNetwork::m_type))
            .Add("Partitions",
                 "Maximum number of groups at a time; no paper gives it.",
                 Sets::Number(&AddOnNetwork::m_nPartitions, 16))
            .Add("Ports",
                 "Number of connected hosts, counted from the first; 0: all.",
                 Sets::Number(&AddOnNetwork::m_nPorts, 0))
            .Add("Radix",
                 "Number of inputs that a stage of the combining tree joins.",
                 Sets::Number(&AddOnNetwork::m_radix, 4, 2))
            .Add("InterfaceTime",
                 "Time that a process takes to hand over a value, and again to fetch a result; "
                 "this time is part of a round's latency. No paper gives it.",
                 Sets::Duration(&AddOnNetwork::m_interfaceTime, MicroSeconds(1)))
            .Add("StageDelay",
                 "Delay of each stage of the combining tree, up and again down; 0 by default, "
                 "since BarrierTime and the like are for 32 hosts and include all stages.",
                 Sets::Duration(&AddOnNetwork::m_stageDelay))
            .Add("PartitionTime",
                 "Time to open or close a partition; no paper gives it.",
                 Sets::Duration(&AddOnNetwork::m_partitionTime))
            .Add("BarrierTime",
                 "Latency of a barrier, or of a reduction of one bit to all members.",
                 Sets::Duration(&AddOnNetwork::m_barrierTime, NanoSeconds(2600)))
            .Add("ReductionTime",
                 "Latency of a reduction of 2 to 32 bits to all members.",
                 Sets::Duration(&AddOnNetwork::m_reductionTime, NanoSeconds(2700)))
            .Add("WideReductionTime",
                 "Latency of a reduction of 33 to 64 bits to all members.",
                 Sets::Duration(&AddOnNetwork::m_wideReductionTime, NanoSeconds(3500)))
            .Add("ToOneTime",
                 "Latency of a reduction to one member.",
                 Sets::Duration(&AddOnNetwork::m_toOneTime, NanoSeconds(3200)))
            .Add("BroadcastTime",
                 "Latency of a broadcast to all members.",
                 Sets::Duration(&AddOnNetwork::m_broadcastTime, NanoSeconds(2500)))
            .Add("Combined",
                 "The last value for which a round waits (from a member or, in a broadcast, from "
                 "the root) has arrived; with the group's number and the result, which members get "
                 "later.",
                 &AddOnNetwork::m_combinedTrace,
                 "ns3::AddOnNetwork::CombinedTracedCallback"),
        "Setting",
        "Type",
        StringValue(""),
        MakeKeywordAccessor(types, MakeStringAccessor(&AddOnNetwork::m_type)),
        MakeKeywordChecker(types));
    return tid;
}

void
AddOnNetwork::Check(const Request& request) const
{
    if (m_type == "hw-1")
    {
        WormholeError::ThrowIf(request.service != Service::TO_ALL,
                               "an add-on network hw-1 has no reductions to one member and no "
                               "broadcasts; expected barriers, or hw-all");
        WormholeError::ThrowIf(
            request.widthBits > 1 || request.operation != CollectiveOperation::AND,
            "an add-on network hw-1 can't combine values of " + std::to_string(request.widthBits) +
                " bits by the operation asked for; expected AND (Collective::Operation) of 1 "
                "bit (Collective::WidthBits), or hw-all");
    }
    for (const auto host : request.hosts)
    {
        if (m_nPorts > 0 && host >= m_nPorts)
        {
            throw WormholeError("host " + std::to_string(host) +
                                " is not connected to the "
                                "add-on network " +
                                m_type + "; expected hosts 0 to " + std::to_string(m_nPorts - 1) +
                                " (AddOnNetwork::Ports)");
        }
    }
    WormholeError::ThrowIf(GetNFree() == 0,
                           "no partition is left of the " + std::to_string(m_nPartitions) +
                               " of the add-on network " + m_type +
                               "; release a group, or give it more (AddOnNetwork::Partitions)");
}

Time
AddOnNetwork::GetLatency(const Request& request) const
{
    int64_t nStages = 0;
    for (uint64_t reached = 1; reached < request.hosts.size(); reached *= m_radix)
    {
        ++nStages;
    }
    auto time = request.widthBits == 1    ? m_barrierTime
                : request.widthBits <= 32 ? m_reductionTime
                                          : m_wideReductionTime;
    if (request.service != Service::TO_ALL)
    {
        time = request.service == Service::TO_ONE ? m_toOneTime : m_broadcastTime;
    }
    const auto interfaces = TimeLimit::Multiply(m_interfaceTime, 2);
    if (time < interfaces)
    {
        std::ostringstream message;
        message << "an add-on network takes " << time.As(Time::US)
                << " in all, but its two interfaces " << interfaces.As(Time::US)
                << "; expected an AddOnNetwork::InterfaceTime of half of that at most";
        throw WormholeError(message.str());
    }
    return TimeLimit::Add(time, TimeLimit::Multiply(m_stageDelay, 2 * nStages));
}

void
AddOnNetwork::Open(uint16_t group, const Request& request, ResultCallback result)
{
    NS_LOG_FUNCTION(this << group << request.hosts.size());
    Check(request);
    const auto flight = GetLatency(request) - m_interfaceTime * 2;
    m_partitions[group] = {request,
                           result,
                           flight,
                           ++m_nOpened,
                           std::vector<Waiting>(request.hosts.size())};
}

void
AddOnNetwork::Close(uint16_t group)
{
    NS_LOG_FUNCTION(this << group);
    m_partitions.erase(group);
}

void
AddOnNetwork::Arrive(uint16_t group, uint32_t rank, uint64_t value)
{
    NS_LOG_FUNCTION(this << group << rank << value);
    const auto found = m_partitions.find(group);
    if (found == m_partitions.end())
    {
        return; // closed meanwhile
    }
    auto& partition = found->second;
    const auto& request = partition.request;
    auto& waiting = partition.waiting;
    uint64_t result = value;
    if (request.service != Service::BROADCAST)
    {
        waiting[rank].push_back(value);
        if (std::any_of(waiting.begin(), waiting.end(), [](const auto& w) { return w.empty(); }))
        {
            return;
        }
        for (std::size_t i = 0; i < waiting.size(); ++i)
        {
            const auto next = waiting[i].front();
            waiting[i].erase(waiting[i].begin());
            result = i == 0 ? next : Combine(request.operation, result, next, request.widthBits);
        }
    }
    else if (rank != request.root)
    {
        return;
    }
    m_combinedTrace(group, result);
    const auto wait = TimeLimit::Add(Simulator::Now(), partition.flight) - Simulator::Now();
    m_activities->ScheduleAfter(
        m_activities->AddNext(LatencyCause::ADD_ON_NETWORK, Simulator::Now(), wait, m_type),
        wait,
        &AddOnNetwork::Deliver,
        Ptr<AddOnNetwork>(this),
        group,
        partition.serial,
        result);
}

void
AddOnNetwork::Deliver(uint16_t group, uint64_t serial, uint64_t result)
{
    const auto found = m_partitions.find(group);
    if (found == m_partitions.end() || found->second.serial != serial)
    {
        return;
    }
    // A member that is told may close the partition.
    const auto told = found->second.result;
    const auto request = found->second.request;
    for (uint32_t rank = 0; rank < request.hosts.size(); ++rank)
    {
        const bool isRoot = rank == request.root;
        if (request.service == Service::TO_ALL || isRoot == (request.service == Service::TO_ONE))
        {
            told(rank, result);
        }
    }
}

} // namespace ns3
