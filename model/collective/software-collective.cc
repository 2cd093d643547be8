/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "software-collective.h"

#include "collective-registry.h"
#include "data-values.h"

#include "ns3/address-exchange.h"
#include "ns3/host-message.h"
#include "ns3/integer.h"
#include "ns3/schedule-costs.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/word-attribute.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace ns3
{

template <class KIND>
TypeId
SoftwareCollective<KIND>::GetTypeId()
{
    static const AttributeWords transports{"Transport", ScheduleCosts::GetTransportNames()};
    static const AttributeWords within{"WithinHost", ScheduleCosts::GetWithinHostNames()};
    static const AttributeWords exchanges{"AddressExchange", AddressExchange::GetNames()};
    static TypeId tid = [] {
        const auto kind = KIND::GetTypeId().GetName().substr(std::string("ns3::").size());
        const std::string copies = IS_DATA ? ", with a copy at either end" : "";
        auto type =
            TypeId(("ns3::Software" + kind).c_str()) // no std::string until ns-3.36
                .template SetParent<KIND>()
                .SetGroupName("Wormhole")
                .AddAttribute(
                    "Transport",
                    "How members of different hosts exchange messages: sendrecv or rdma.",
                    StringValue("sendrecv"),
                    MakeWordAccessor(transports,
                                     MakeStringAccessor(&SoftwareCollective::m_transport)),
                    MakeWordChecker(transports))
                .AddAttribute(
                    "WithinHost",
                    "How members of one host exchange messages: flags in shared memory" + copies +
                        "; memory, messages whose software costs what it does between hosts; or "
                        "interface, messages that go through the host's interface to its switch "
                        "and back.",
                    StringValue("flags"),
                    MakeWordAccessor(within, MakeStringAccessor(&SoftwareCollective::m_withinHost)),
                    MakeWordChecker(within));
        if constexpr (IS_DATA)
        {
            return type
                .AddAttribute("SegmentBytes",
                              "Longest segment in bytes of algorithms that cut their messages so "
                              "that members pass on what has come while more is coming; 0: they "
                              "are not cut.",
                              UintegerValue(0),
                              MakeUintegerAccessor(&SoftwareCollective::m_segmentBytes),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("SegmentsUnderWay",
                              "Receives that a member has posted at once: those that it waits for, "
                              "and the following ones up to this number.",
                              UintegerValue(2),
                              MakeUintegerAccessor(&SoftwareCollective::m_segmentsUnderWay),
                              MakeUintegerChecker<uint32_t>(1, 1024));
        }
        else
        {
            return type.AddAttribute(
                "AddressExchange",
                "How members register buffers and tell each other their addresses before the "
                "group is ready, with Transport rdma: none, they are known; direct, each tells "
                "all others; or dissemination, in steps of 1, 2, 4, ... ranks.",
                StringValue(AddressExchange::NONE),
                MakeWordAccessor(exchanges,
                                 MakeStringAccessor(&SoftwareCollective::m_addressExchange)),
                MakeWordChecker(exchanges));
        }
    }();
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
    KIND::DoDispose();
    m_inner = nullptr;
}

template <class KIND>
ScheduleRequest
SoftwareCollective<KIND>::MakeRequest() const
{
    ScheduleRequest request;
    request.kind = KIND::THE_KIND;
    request.members = this->GetNMembers();
    request.operation = this->GetOperation();
    request.hosts = this->GetHosts();
    uint64_t messageBytes = this->GetMessageBytes();
    bool needsRoot = this->UsesRoot();
    if constexpr (IS_DATA)
    {
        request.parts = this->GetParts();
        request.elementBytes = DataValues::GetElementBytes(this->GetDataType());
        request.segmentBytes = m_segmentBytes;
        request.keepsOrder = this->KeepsOrder();
        const auto bytes = this->GetDataBytes();
        messageBytes = m_segmentBytes == 0 ? bytes : std::min(bytes, m_segmentBytes);
        needsRoot = DataKindLaw::HasRoot(KIND::THE_KIND);
    }
    request.root = needsRoot ? this->GetRoot() : 0;
    if (this->UsesRoot() && this->UsesCosts())
    {
        ScheduleCosts::Add(*this,
                           ScheduleCosts::ParseTransport(m_transport),
                           messageBytes,
                           request);
    }
    return request;
}

template <class KIND>
void
SoftwareCollective<KIND>::DoCreate()
{
    if constexpr (IS_DATA)
    {
        KIND::DoCreate();
    }
    const auto transport = ScheduleCosts::ParseTransport(m_transport);
    const auto exchanges = !IS_DATA && m_addressExchange != AddressExchange::NONE;
    if (exchanges && transport != HostSoftware::Transport::RDMA)
    {
        throw WormholeError("AddressExchange is '" + m_addressExchange + "', but Transport is '" +
                            m_transport +
                            "', which needs no addresses; accepted is none, or "
                            "Transport rdma");
    }
    const auto request = MakeRequest();
    const auto schedules = this->MakeGroupSchedules(request);
    m_fallback = schedules.fallback;
    ScheduleRunner::Settings settings{transport,
                                      ScheduleCosts::ParseWithinHost(m_withinHost),
                                      IS_DATA ? 0 : this->GetMessageBytes()};
    settings.ahead = m_segmentsUnderWay - 1;
    m_contents.reset();
    m_runner = ns3::Create<ScheduleRunner>(
        *this,
        LinkedSchedules(schedules.members, IS_DATA ? schedules.layout : BlockLayout()),
        settings);
    m_inner = this->MakeInner(request);
    if (m_inner)
    {
        CreateInner(FindWriters(request)); // who does not write by software
    }
    else if (!exchanges)
    {
        SetUp(request);
    }
    else if (const auto writers = FindWriters(request); writers.size() > 1)
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
        LinkedSchedules(schedules),
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
SoftwareCollective<KIND>::MakeInner(const ScheduleRequest&) const
{
    return nullptr;
}

template <class KIND>
void
SoftwareCollective<KIND>::CreateInner(const std::vector<uint32_t>& ranks)
{
    this->CopyAttributes(*m_inner, {"GroupIdBits", "TreeLeaves"});
    this->CopyAttributes(*m_inner,
                         IS_DATA
                             ? std::vector<std::string>{"DataType", "DataOperation", "KeepsOrder"}
                             : std::vector<std::string>{"Operation", "WidthBits", "MessageBytes"});
    // The root is the same, unless the inner one is a barrier, which needs none of its own.
    if (DataKindLaw::HasRoot(KIND::THE_KIND) && m_inner->GetKind() == KIND::THE_KIND)
    {
        const auto place = std::find(ranks.begin(), ranks.end(), this->GetRoot());
        m_inner->SetAttribute("Root", IntegerValue(place - ranks.begin()));
    }
    std::vector<uint32_t> hosts;
    for (const auto rank : ranks)
    {
        hosts.push_back(this->GetHost(rank));
    }
    m_runner->SetInner(m_inner, ranks);
    this->ClearParts();
    this->AddPart(m_inner);
    m_inner->Create(Ptr<CollectiveDomain>(&this->GetDomain()), hosts);
}

template <class KIND>
void
SoftwareCollective<KIND>::PartsReleased()
{
    m_runner->Stop();
    this->BeReleased();
}

template <class KIND>
void
SoftwareCollective<KIND>::DoEnter(uint32_t rank, uint64_t value)
{
    if constexpr (IS_DATA)
    {
        KIND::DoEnter(rank, value);
        if (this->HasInput())
        {
            if (!m_contents)
            {
                m_contents = std::make_unique<GroupContents>(*this, GetSchedules());
                m_runner->SetContents(m_contents.get());
            }
            m_contents->Load(rank, this->GetInput(rank));
        }
        value = 0;
    }
    m_runner->Enter(rank, value);
}

template <class KIND>
void
SoftwareCollective<KIND>::DoRelease()
{
    if (m_inner)
    {
        this->ReleaseParts();
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
std::string
SoftwareCollective<KIND>::GetFallback() const
{
    const auto why = m_inner ? m_inner->GetFallback() : "";
    if (why.empty() || why.rfind("refused", 0) == 0)
    {
        return why.empty() ? m_fallback : why;
    }
    return GroupSchedules::OfInner(why);
}

template <class KIND>
std::vector<uint8_t>
SoftwareCollective<KIND>::ReadOutput(uint32_t rank) const
{
    return m_contents ? m_contents->Read(rank) : std::vector<uint8_t>();
}

template <class KIND>
void
SoftwareCollective<KIND>::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
{
    (m_exchange ? m_exchange : m_runner)
        ->Receive(host, static_cast<const HostMessageWorm&>(*worm).GetMessage());
}

GroupSchedules
FallBackOn(const ScheduleRequest& request, const std::string& name, const std::string& reason)
{
    const auto other =
        CollectiveRegistry::Make(request.kind, name, CollectiveRegistry::Moves::DATA);
    auto schedules =
        dynamic_cast<const ScheduleMaker&>(*PeekPointer(other)).MakeGroupSchedules(request);
    schedules.fallback = name + ": " + reason;
    return schedules;
}

template class SoftwareCollective<Barrier>;
template class SoftwareCollective<Broadcast>;
template class SoftwareCollective<Reduction>;
#define WORMHOLE_DATA_KIND(KIND)                                                                   \
    template class SoftwareCollective<DataCollectiveOf<DataKind::KIND>>;
WORMHOLE_DATA_KINDS(WORMHOLE_DATA_KIND)
#undef WORMHOLE_DATA_KIND

} // namespace ns3
