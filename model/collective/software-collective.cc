// SPDX-License-Identifier: GPL-2.0-only

#include "software-collective.h"

#include "collective-registry.h"
#include "wormhole-data-values.h"

#include "ns3/data-contents.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/schedule-costs.h"
#include "ns3/schedule-runner.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-host-message.h"

#include <algorithm>

namespace ns3
{

// The destructor needs what the header only declares, and so does a constructor that fails.
SoftwareCollective::SoftwareCollective() = default;
SoftwareCollective::~SoftwareCollective() = default;

TypeId
SoftwareCollective::GetFormTypeId(const CollectiveForm& form)
{
    TypeId type;
    if (TypeId::LookupByNameFailSafe(form.NameType("Software"), &type))
    {
        return type;
    }
    const std::string copies = form.isData ? ", with a copy at either end" : "";
    NewType made(form.MakeTypeId("Software", Collective::GetFormTypeId(form)));
    made.Add("Transport",
             "How members of different hosts exchange messages: sendrecv or rdma.",
             Sets::Choice(ScheduleCosts::GetTransportNames(),
                          "sendrecv",
                          &SoftwareCollective::m_transport))
        .Add("WithinHost",
             "How members of one host exchange messages: flags, in shared memory" + copies +
                 "; memory, messages that cost as between hosts, but CopyDataRate and CopyTime "
                 "in place of the other rates; or interface, messages that go through the "
                 "host's interface to its switch and back.",
             Sets::Choice(ScheduleCosts::GetWithinHostNames(),
                          "flags",
                          &SoftwareCollective::m_withinHost));
    if (!form.isData)
    {
        return made.Add("AddressExchange",
                        "With Transport rdma, how members register buffers and exchange addresses "
                        "before the group is ready: none (all are known), direct (each member "
                        "sends its own to all) or dissemination (steps of 1, 2, 4, ... ranks).",
                        Sets::Word(AddressExchange::GetNames(),
                                   AddressExchange::NONE,
                                   &SoftwareCollective::m_addressExchange));
    }
    return made
        .Add("SegmentBytes",
             "Maximum segment length in bytes, for algorithms that divide messages so that members "
             "forward what has arrived while more arrives; 0: messages are not divided.",
             Sets::Number(&SoftwareCollective::m_segmentBytes, 0))
        .Add("SegmentsUnderWay",
             "Number of receives that a member posts at once: those for which it waits, and "
             "following ones up to this number.",
             Sets::Number(&SoftwareCollective::m_segmentsUnderWay, 2, 1, 1024));
}

void
SoftwareCollective::DoStop()
{
    for (const auto& runner : {m_runner, m_exchange})
    {
        if (runner)
        {
            runner->Stop();
        }
    }
}

std::pair<std::vector<uint32_t>, std::string>
SoftwareCollective::FindAwaited(uint32_t rank) const
{
    return {m_runner->FindAwaited(rank), ""};
}

ScheduleRequest
SoftwareCollective::MakeRequest() const
{
    ScheduleRequest request;
    request.kind = GetKind();
    request.members = GetNMembers();
    request.operation = GetOperation();
    request.hosts = GetHosts();
    request.parts = GetParts();
    uint64_t messageBytes = GetMessageBytes();
    bool needsRoot = UsesRoot();
    if (MovesData())
    {
        request.elementBytes = DataValues::GetElementBytes(GetDataType());
        request.segmentBytes = m_segmentBytes;
        request.keepsOrder = KeepsOrder();
        const auto bytes = GetDataBytes();
        messageBytes = m_segmentBytes == 0 ? bytes : std::min(bytes, m_segmentBytes);
        needsRoot = DataKindInvariant::HasRoot(GetKind());
    }
    request.root = needsRoot ? GetRoot() : 0;
    if (UsesRoot() && UsesCosts())
    {
        ScheduleCosts::Add(*this, m_transport, messageBytes, request);
    }
    return request;
}

void
SoftwareCollective::DoCreate()
{
    const auto exchanges = !MovesData() && m_addressExchange != AddressExchange::NONE;
    WormholeError::ThrowIf(exchanges && m_transport != HostSoftware::Transport::RDMA,
                           "AddressExchange is '" + m_addressExchange +
                               "', but Transport is 'sendrecv', which needs no addresses; expected "
                               "none, or Transport rdma");
    const auto request = MakeRequest();
    const auto schedules = MakeGroupSchedules(request);
    m_fallback = schedules.fallback;
    ScheduleRunner::Settings settings{m_transport,
                                      m_withinHost,
                                      MovesData() ? 0 : GetMessageBytes()};
    settings.ahead = m_segmentsUnderWay - 1;
    if (!RunsOnHosts())
    {
        settings.done = MakeCallback(&SoftwareCollective::Complete, this);
    }
    m_contents.reset();
    m_exchange = nullptr;
    m_runner = ns3::Create<ScheduleRunner>(
        *this,
        LinkedSchedules(schedules.members, MovesData() ? schedules.layout : BlockLayout()),
        settings);
    m_inner = MakeInner(request);
    const auto writers = FindWriters(request);
    if (m_inner)
    {
        CreateInner(writers); // who does not write by software
    }
    else if (exchanges && writers.size() > 1)
    {
        m_request = request;
        ExchangeAddresses(writers);
    }
    else
    {
        SetUp(request);
    }
}

std::vector<uint32_t>
SoftwareCollective::FindWriters(const ScheduleRequest& request) const
{
    return MakeRanksFrom(request.members, 0);
}

void
SoftwareCollective::ExchangeAddresses(const std::vector<uint32_t>& writers)
{
    const auto parts =
        AddressExchange::MakeSchedules(m_addressExchange, static_cast<uint32_t>(writers.size()));
    std::vector<CommunicationSchedule> schedules(GetNMembers());
    for (std::size_t place = 0; place < writers.size(); ++place)
    {
        schedules[writers[place]].Append(parts[place], writers);
    }
    m_exchange = ns3::Create<ScheduleRunner>(
        *this,
        LinkedSchedules(schedules),
        ScheduleRunner::Settings{HostSoftware::Transport::SEND_RECEIVE,
                                 m_withinHost,
                                 GetFieldBytes(),
                                 MakeCallback(&SoftwareCollective::HasAddresses, this)});
    m_nExchanging = static_cast<uint32_t>(writers.size());
    for (const auto rank : writers)
    {
        auto& software = GetSoftware(rank);
        software.Occupy(GetTask(rank), Simulator::Now(), software.GetRegistrationTime());
        m_exchange->Enter(rank, 0);
    }
}

void
SoftwareCollective::HasAddresses(uint32_t, uint64_t)
{
    if (--m_nExchanging == 0)
    {
        m_exchange->Stop();
        m_exchange = nullptr;
        SetUp(m_request);
    }
}

void
SoftwareCollective::CreateInner(const std::vector<uint32_t>& ranks)
{
    CopyAttributes(*m_inner, {"GroupIdBits", "TreeLeaves"});
    CopyAttributes(*m_inner,
                   MovesData()
                       ? std::vector<std::string>{"DataType", "DataOperation", "KeepsOrder"}
                       : std::vector<std::string>{"Operation", "WidthBits", "MessageBytes"});
    // The root is the same, unless the inner one is a barrier, which needs none of its own.
    if (DataKindInvariant::HasRoot(GetKind()) && m_inner->GetKind() == GetKind())
    {
        const auto place = std::find(ranks.begin(), ranks.end(), GetRoot());
        m_inner->SetAttribute("Root", IntegerValue(place - ranks.begin()));
    }
    const auto hosts = MadeOf(ranks, [this](auto rank) { return GetHost(rank); });
    m_runner->SetInner(m_inner, ranks);
    ClearParts();
    AddPart(m_inner);
    m_inner->Create(Ptr<CollectiveDomain>(&GetDomain()), hosts);
}

void
SoftwareCollective::PartsReleased()
{
    m_runner->Stop();
    NotifyReleased();
}

void
SoftwareCollective::DoEnter(uint32_t rank, uint64_t value)
{
    if (HasInput())
    {
        if (!m_contents)
        {
            m_contents = std::make_unique<GroupContents>(*this, GetSchedules());
            m_runner->SetContents(m_contents.get());
        }
        m_contents->Load(rank, GetInput(rank));
    }
    m_runner->Enter(rank, MovesData() ? 0 : value);
}

void
SoftwareCollective::DoRelease()
{
    if (m_inner)
    {
        ReleaseParts();
        return;
    }
    m_runner->Stop();
    TakeDown();
}

const LinkedSchedules&
SoftwareCollective::GetSchedules() const
{
    return m_runner->GetSchedules();
}

std::string
SoftwareCollective::GetFallback() const
{
    const auto why = m_inner ? m_inner->GetFallback() : "";
    return why.empty()                    ? m_fallback
           : why.rfind("refused", 0) == 0 ? why
                                          : GroupSchedules::OfInner(why);
}

std::vector<uint8_t>
SoftwareCollective::ReadOutput(uint32_t rank) const
{
    return m_contents ? m_contents->Read(rank) : std::vector<uint8_t>();
}

void
SoftwareCollective::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
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

} // namespace ns3
