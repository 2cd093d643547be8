/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "software-collective.h"

#include "address-exchange.h"
#include "schedule-costs.h"

#include "ns3/host-message.h"
#include "ns3/integer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/word-attribute.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <type_traits>

namespace ns3
{

template <class KIND>
TypeId
SoftwareCollective<KIND>::GetTypeId()
{
    static const AttributeWords transports{"Transport", ScheduleCosts::GetTransportNames()};
    static const AttributeWords within{"WithinHost", ScheduleCosts::GetWithinHostNames()};
    static const AttributeWords exchanges{"AddressExchange", AddressExchange::GetNames()};
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
                MakeWordChecker(transports))
            .AddAttribute(
                "WithinHost",
                "How members of one host exchange messages: flags in shared memory; memory, "
                "messages whose software costs what it does between hosts; or interface, "
                "messages that go through the host's interface to its switch and back.",
                StringValue("flags"),
                MakeWordAccessor(within, MakeStringAccessor(&SoftwareCollective::m_withinHost)),
                MakeWordChecker(within))
            .AddAttribute(
                "AddressExchange",
                "How members register buffers and tell each other their addresses before the "
                "group is ready, with Transport rdma: none, they are known; direct, each tells "
                "all others; or dissemination, in steps of 1, 2, 4, ... ranks.",
                StringValue(AddressExchange::NONE),
                MakeWordAccessor(exchanges,
                                 MakeStringAccessor(&SoftwareCollective::m_addressExchange)),
                MakeWordChecker(exchanges));
    return tid;
}

template <class KIND>
void
SoftwareCollective<KIND>::DoDispose()
{
    for (const auto& runner : {m_runner, m_exchange})
    {
        if (runner)
        {
            runner->Stop();
        }
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
    const auto transport = ScheduleCosts::ParseTransport(m_transport);
    const auto exchanges = m_addressExchange != AddressExchange::NONE;
    if (exchanges && transport != HostSoftware::Transport::RDMA)
    {
        throw WormholeError("AddressExchange is '" + m_addressExchange + "', but Transport is '" +
                            m_transport +
                            "', which needs no addresses; accepted is none, or "
                            "Transport rdma");
    }
    ScheduleRequest request;
    request.members = this->GetNMembers();
    request.operation = this->GetOperation();
    for (uint32_t rank = 0; rank < request.members; ++rank)
    {
        request.hosts.push_back(this->GetHost(rank));
    }
    if (this->UsesRoot())
    {
        ScheduleCosts::Add(*this, transport, this->GetMessageBytes(), request);
    }
    m_runner = ns3::Create<ScheduleRunner>(
        *this,
        this->MakeSchedules(request),
        ScheduleRunner::Settings{transport,
                                 ScheduleCosts::ParseWithinHost(m_withinHost),
                                 this->GetMessageBytes()});
    std::vector<uint32_t> ranks;
    m_inner = this->MakeInner(request, ranks);
    if (m_inner)
    {
        CreateInner(ranks); // who does not write by software
    }
    else if (const auto writers = FindWriters(request); exchanges && writers.size() > 1)
    {
        m_request = request;
        ExchangeAddresses(writers);
    }
    else
    {
        SetUp(request);
    }
}

template <class KIND>
std::vector<uint32_t>
SoftwareCollective<KIND>::FindWriters(const ScheduleRequest& request) const
{
    std::vector<uint32_t> ranks(request.members);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

template <class KIND>
void
SoftwareCollective<KIND>::SetUp(const ScheduleRequest&)
{
    this->BeReady();
}

template <class KIND>
void
SoftwareCollective<KIND>::TakeDown()
{
    this->BeReleased();
}

template <class KIND>
void
SoftwareCollective<KIND>::ExchangeAddresses(const std::vector<uint32_t>& writers)
{
    const auto parts =
        AddressExchange::MakeSchedules(m_addressExchange, static_cast<uint32_t>(writers.size()));
    std::vector<CommunicationSchedule> schedules(this->GetNMembers());
    for (std::size_t place = 0; place < writers.size(); ++place)
    {
        schedules[writers[place]].Append(parts[place], writers);
    }
    m_exchange = ns3::Create<ScheduleRunner>(
        *this,
        schedules,
        ScheduleRunner::Settings{HostSoftware::Transport::SEND_RECEIVE,
                                 ScheduleCosts::ParseWithinHost(m_withinHost),
                                 this->GetFieldBytes(),
                                 MakeCallback(&SoftwareCollective<KIND>::HasAddresses, this)});
    m_nExchanging = static_cast<uint32_t>(writers.size());
    for (const auto rank : writers)
    {
        auto& software = this->GetSoftware(rank);
        software.Occupy(this->GetTask(rank), Simulator::Now(), software.GetRegistrationTime());
        m_exchange->Enter(rank, 0);
    }
}

template <class KIND>
void
SoftwareCollective<KIND>::HasAddresses(uint32_t, uint64_t)
{
    if (--m_nExchanging == 0)
    {
        m_exchange->Stop();
        m_exchange = nullptr;
        SetUp(m_request);
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
    for (const std::string name :
         {"Operation", "WidthBits", "GroupIdBits", "MessageBytes", "TreeLeaves"})
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
    TakeDown();
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
    (m_exchange ? m_exchange : m_runner)
        ->Receive(host, static_cast<const HostMessageWorm&>(*worm).GetMessage());
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
