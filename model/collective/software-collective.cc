/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "software-collective.h"

#include "fabric-paths.h"

#include "ns3/host-message.h"
#include "ns3/integer.h"
#include "ns3/string.h"
#include "ns3/word-attribute.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <memory>
#include <type_traits>

namespace ns3
{

namespace
{

/// @return a transport @param name its name
HostSoftware::Transport
ParseTransport(const std::string& name)
{
    if (name == "sendrecv")
    {
        return HostSoftware::Transport::SEND_RECEIVE;
    }
    if (name == "rdma")
    {
        return HostSoftware::Transport::RDMA;
    }
    throw WormholeError("Transport is '" + name + "'; it may be sendrecv or rdma");
}

/// Notes the root of a group, and what messages cost, from there or between any two hosts.
/// @param group the group @param transport its transport @param request where to note it
void
AddCosts(const Collective& group, HostSoftware::Transport transport, ScheduleRequest& request)
{
    request.root = group.GetRoot();
    const auto rootHost = request.hosts[request.root];
    const auto other = std::find_if(request.hosts.begin(), request.hosts.end(), [=](auto host) {
        return host != rootHost;
    });
    auto& domain = group.GetDomain();
    if (domain.IsIdeal())
    {
        request.s = domain.GetSoftware(rootHost)->GetMeanSendTime(transport);
        if (other != request.hosts.end())
        {
            request.r =
                domain.GetLatency() + domain.GetSoftware(*other)->GetMeanReceiveTime(transport);
        }
        return;
    }
    const auto paths = std::make_shared<FabricPaths>(group, transport);
    request.s = paths->GetSendTime(rootHost);
    if (other != request.hosts.end())
    {
        request.r = paths->GetPath(rootHost, *other).r;
    }
    request.paths = paths;
}

} // namespace

template <class KIND>
TypeId
SoftwareCollective<KIND>::GetTypeId()
{
    static const AttributeWords transports{"Transport", {"sendrecv", "rdma"}};
    const auto kind = KIND::GetTypeId().GetName().substr(std::string("ns3::").size());
    static TypeId tid =
        TypeId(("ns3::Software" + kind).c_str()) // no std::string until ns-3.36
            .template SetParent<KIND>()
            .SetGroupName("Wormhole")
            .AddAttribute(
                "Transport",
                "How members of different hosts exchange messages: sendrecv or rdma.",
                StringValue("sendrecv"),
                MakeWordAccessor(transports, MakeStringAccessor(&SoftwareCollective::m_transport)),
                MakeWordChecker(transports));
    return tid;
}

template <class KIND>
void
SoftwareCollective<KIND>::DoDispose()
{
    if (m_runner)
    {
        m_runner->Stop();
    }
    if (m_inner)
    {
        m_inner->Dispose();
        m_inner = nullptr;
    }
    KIND::DoDispose();
}

template <class KIND>
void
SoftwareCollective<KIND>::DoCreate()
{
    const auto transport = ParseTransport(m_transport);
    ScheduleRequest request;
    request.members = this->GetNMembers();
    request.operation = this->GetOperation();
    for (uint32_t rank = 0; rank < request.members; ++rank)
    {
        request.hosts.push_back(this->GetHost(rank));
    }
    if (this->UsesRoot())
    {
        AddCosts(*this, transport, request);
    }
    m_runner = ns3::Create<ScheduleRunner>(*this, this->MakeSchedules(request), transport);
    std::vector<uint32_t> ranks;
    m_inner = this->MakeInner(request, ranks);
    if (m_inner)
    {
        CreateInner(ranks);
    }
    else
    {
        this->BeReady();
    }
}

template <class KIND>
Ptr<Collective>
SoftwareCollective<KIND>::MakeInner(const ScheduleRequest&, std::vector<uint32_t>&) const
{
    return nullptr;
}

template <class KIND>
void
SoftwareCollective<KIND>::CreateInner(const std::vector<uint32_t>& ranks)
{
    for (const std::string name : {"Operation", "WidthBits", "GroupIdBits", "MessageBytes"})
    {
        StringValue value;
        this->GetAttribute(name, value);
        m_inner->SetAttribute(name, value);
    }
    if constexpr (!std::is_same_v<KIND, Barrier>)
    {
        // The root is the same, unless the inner one is a barrier, which needs none of its own.
        const auto place = std::find(ranks.begin(), ranks.end(), this->GetRoot());
        if (dynamic_cast<const KIND*>(PeekPointer(m_inner)) && place != ranks.end())
        {
            m_inner->SetAttribute("Root", IntegerValue(place - ranks.begin()));
        }
    }
    std::vector<uint32_t> hosts;
    for (const auto rank : ranks)
    {
        hosts.push_back(this->GetHost(rank));
    }
    m_runner->SetInner(m_inner, ranks);
    m_inner->TraceConnectWithoutContext("Ready",
                                        MakeCallback(&SoftwareCollective<KIND>::InnerReady, this));
    m_inner->TraceConnectWithoutContext(
        "Released",
        MakeCallback(&SoftwareCollective<KIND>::InnerReleased, this));
    m_inner->Create(Ptr<CollectiveDomain>(&this->GetDomain()), hosts);
}

template <class KIND>
void
SoftwareCollective<KIND>::InnerReady(Time)
{
    this->BeReady();
}

template <class KIND>
void
SoftwareCollective<KIND>::InnerReleased(Time)
{
    m_runner->Stop();
    this->BeReleased();
}

template <class KIND>
void
SoftwareCollective<KIND>::DoEnter(uint32_t rank, uint64_t value)
{
    m_runner->Enter(rank, value);
}

template <class KIND>
void
SoftwareCollective<KIND>::DoRelease()
{
    if (m_inner)
    {
        m_inner->Release();
        return;
    }
    m_runner->Stop();
    this->BeReleased();
}

template <class KIND>
const LinkedSchedules&
SoftwareCollective<KIND>::GetSchedules() const
{
    return m_runner->GetSchedules();
}

template <class KIND>
bool
SoftwareCollective<KIND>::HasLongMessages() const
{
    return true;
}

template <class KIND>
void
SoftwareCollective<KIND>::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
{
    m_runner->Receive(host, static_cast<const HostMessageWorm&>(*worm).GetMessage());
}

template <class KIND>
void
SoftwareCollective<KIND>::RegisterChanged(uint32_t, CollectiveMessage::Type)
{
}

template class SoftwareCollective<Barrier>;
template class SoftwareCollective<Broadcast>;
template class SoftwareCollective<Reduction>;

} // namespace ns3
