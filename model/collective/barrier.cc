/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier.h"

#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("Barrier");

NS_OBJECT_ENSURE_REGISTERED(Barrier);

TypeId
Barrier::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::Barrier")
            .SetParent<Object>()
            .SetGroupName("Wormhole")
            .AddAttribute("Operation",
                          "How members' values are combined: AND, OR, ADD, MIN or MAX.",
                          StringValue("AND"),
                          MakeStringAccessor(&Barrier::m_operationName),
                          MakeStringChecker())
            .AddAttribute("WidthBits",
                          "Width of members' values in bits. Up to 6 fit a message of two bytes.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Barrier::m_widthBits),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("GroupIdBits",
                          "Width of the group identifier in messages; limits how many groups "
                          "there are at once.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&Barrier::m_groupIdBits),
                          MakeUintegerChecker<uint32_t>(1, 16))
            .AddTraceSource("Enter",
                            "A member comes to the barrier; with its value.",
                            MakeTraceSourceAccessor(&Barrier::m_enterTrace),
                            "ns3::Barrier::MemberTracedCallback")
            .AddTraceSource("Leave",
                            "A member leaves the barrier; with the result.",
                            MakeTraceSourceAccessor(&Barrier::m_leaveTrace),
                            "ns3::Barrier::MemberTracedCallback")
            .AddTraceSource("Ready",
                            "The group is set up in the fabric; with the time that it took.",
                            MakeTraceSourceAccessor(&Barrier::m_readyTrace),
                            "ns3::Barrier::DurationTracedCallback")
            .AddTraceSource("Released",
                            "What the group held in the fabric is free; with the time that it "
                            "took.",
                            MakeTraceSourceAccessor(&Barrier::m_releasedTrace),
                            "ns3::Barrier::DurationTracedCallback");
    return tid;
}

void
Barrier::DoDispose()
{
    if (m_domain && m_state != NONE)
    {
        m_domain->Leave(m_group);
    }
    m_domain = nullptr;
    Object::DoDispose();
}

void
Barrier::Create(Ptr<CollectiveDomain> domain, const std::vector<uint32_t>& hosts)
{
    NS_LOG_FUNCTION(this << hosts.size());
    if (m_state != NONE)
    {
        throw WormholeError("this barrier has a group already; make another barrier");
    }
    m_operation = ParseCollectiveOperation(m_operationName);
    const auto& graph = domain->GetGraph();
    std::vector<FabricGraph::Node> nodes;
    nodes.reserve(hosts.size());
    m_ranks.clear();
    m_ranks.reserve(hosts.size());
    for (const auto host : hosts)
    {
        if (host >= graph.GetNHosts())
        {
            throw WormholeError("member " + std::to_string(host) + " is no host; hosts are 0 to " +
                                std::to_string(graph.GetNHosts() - 1));
        }
        m_ranks.emplace_back(host, static_cast<uint32_t>(nodes.size()));
        nodes.push_back(graph.HostAt(host));
    }
    std::sort(m_ranks.begin(), m_ranks.end());
    m_tree = std::make_unique<const BarrierTree>(graph, nodes);
    m_hosts = hosts;
    m_inside.assign(hosts.size(), false);
    m_root = GetRank(GetTree().GetRootHost() - graph.GetNSwitches());
    m_domain = domain;
    m_group = domain->Join(this, m_groupIdBits);
    m_state = CREATING;
    m_since = Simulator::Now();
    try
    {
        DoCreate();
    }
    catch (const WormholeError&)
    {
        m_state = NONE;
        domain->Leave(m_group);
        throw;
    }
}

void
Barrier::Enter(uint32_t rank, uint64_t value)
{
    NS_LOG_FUNCTION(this << rank << value);
    const std::string who = "group " + std::to_string(m_group) + ", rank " + std::to_string(rank);
    if (m_state != READY)
    {
        throw WormholeError(who + " enters, but the group is not ready: members may enter when "
                                  "the trace source Ready has fired, and before Release");
    }
    if (rank >= GetNMembers())
    {
        throw WormholeError(who + " enters, but ranks are 0 to " +
                            std::to_string(GetNMembers() - 1));
    }
    if (m_inside[rank])
    {
        throw WormholeError(who + " enters, but has not left the round before");
    }
    if (m_widthBits < 64 && value >> m_widthBits)
    {
        throw WormholeError(who + " enters with value " + std::to_string(value) +
                            ", which has more than " + std::to_string(m_widthBits) +
                            " bits (Barrier::WidthBits)");
    }
    m_inside[rank] = true;
    ++m_nInside;
    m_enterTrace(rank, value);
    DoEnter(rank, value);
}

void
Barrier::Leave(uint32_t rank, uint64_t result)
{
    NS_LOG_FUNCTION(this << rank << result);
    m_inside[rank] = false;
    --m_nInside;
    m_leaveTrace(rank, result);
}

void
Barrier::Release()
{
    NS_LOG_FUNCTION(this);
    if (m_state != READY || m_nInside > 0)
    {
        throw WormholeError("group " + std::to_string(m_group) + " is released while " +
                            (m_nInside > 0 ? std::to_string(m_nInside) + " members are inside"
                                           : "it is not ready"));
    }
    m_state = RELEASED;
    m_since = Simulator::Now();
    DoRelease();
}

void
Barrier::BeReady()
{
    m_state = READY;
    m_readyTrace(Simulator::Now() - m_since);
}

void
Barrier::BeReleased()
{
    m_domain->Leave(m_group);
    m_state = NONE;
    m_releasedTrace(Simulator::Now() - m_since);
}

bool
Barrier::IsReady() const
{
    return m_state == READY;
}

uint32_t
Barrier::GetNMembers() const
{
    return static_cast<uint32_t>(m_hosts.size());
}

uint32_t
Barrier::GetHost(uint32_t rank) const
{
    return m_hosts.at(rank);
}

uint32_t
Barrier::GetRoot() const
{
    return m_root;
}

const BarrierTree&
Barrier::GetTree() const
{
    return *m_tree;
}

uint16_t
Barrier::GetGroup() const
{
    return m_group;
}

std::string
Barrier::ExplainMissing() const
{
    if (m_nInside == 0)
    {
        return "";
    }
    std::string text = "group " + std::to_string(m_group) + " waits for ";
    const auto& graph = m_domain->GetGraph();
    constexpr uint32_t SHOWN = 8;
    uint32_t missing = 0;
    for (uint32_t rank = 0; rank < GetNMembers(); ++rank)
    {
        if (!m_inside[rank] && ++missing <= SHOWN)
        {
            text += (missing > 1 ? ", " : "") + graph.GetName(graph.HostAt(m_hosts[rank]));
        }
    }
    return text + (missing > SHOWN ? ", ..." : "") + " (" + std::to_string(missing) + " of " +
           std::to_string(GetNMembers()) + " members)";
}

uint32_t
Barrier::GetMessageBytes() const
{
    constexpr uint32_t TYPE_BITS = 2;
    constexpr uint32_t LEAST_DATA_BITS = 6;
    return (TYPE_BITS + m_groupIdBits + std::max(LEAST_DATA_BITS, m_widthBits) + 7) / 8;
}

uint64_t
Barrier::GetMessageFlits(uint32_t extraBytes) const
{
    return m_domain->GetFabric()->GetFlits(GetMessageBytes() + extraBytes);
}

CollectiveDomain&
Barrier::GetDomain() const
{
    return *m_domain;
}

HostSoftware&
Barrier::GetSoftware(uint32_t rank) const
{
    return *m_domain->GetSoftware(m_hosts[rank]);
}

uint32_t
Barrier::GetRank(uint32_t host) const
{
    const auto found = std::lower_bound(m_ranks.begin(), m_ranks.end(), std::make_pair(host, 0U));
    NS_ASSERT_MSG(found != m_ranks.end() && found->first == host, "host " << host << " is no member");
    return found->second;
}

uint64_t
Barrier::CombineValues(uint64_t a, uint64_t b) const
{
    return Combine(m_operation, a, b, m_widthBits);
}

CollectiveOperation
Barrier::GetOperation() const
{
    return m_operation;
}

uint32_t
Barrier::GetWidthBits() const
{
    return m_widthBits;
}

} // namespace ns3
