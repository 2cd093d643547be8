/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "software-data-collective.h"

#include "ns3/schedule-costs.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/word-attribute.h"

#include <algorithm>
#include <utility>

namespace ns3
{

template <DataKind KIND>
TypeId
SoftwareData<KIND>::GetTypeId()
{
    static const AttributeWords transports{"Transport", ScheduleCosts::GetTransportNames()};
    static const AttributeWords within{"WithinHost", ScheduleCosts::GetWithinHostNames()};
    const auto kind =
        DataCollectiveOf<KIND>::GetTypeId().GetName().substr(std::string("ns3::").size());
    static TypeId tid =
        TypeId(("ns3::Software" + kind).c_str()) // no std::string until ns-3.36
            .template SetParent<DataCollectiveOf<KIND>>()
            .SetGroupName("Wormhole")
            .AddAttribute(
                "Transport",
                "How members of different hosts exchange messages: sendrecv or rdma.",
                StringValue("sendrecv"),
                MakeWordAccessor(transports, MakeStringAccessor(&SoftwareData::m_transport)),
                MakeWordChecker(transports))
            .AddAttribute("WithinHost",
                          "How members of one host exchange messages: flags in shared memory, with "
                          "a copy at either end; memory, messages whose software costs what it "
                          "does between hosts; or interface, messages that go through the host's "
                          "interface to its switch and back.",
                          StringValue("flags"),
                          MakeWordAccessor(within, MakeStringAccessor(&SoftwareData::m_withinHost)),
                          MakeWordChecker(within))
            .AddAttribute("SegmentBytes",
                          "Longest segment in bytes of algorithms that cut their messages so that "
                          "members pass on what has come while more is coming; 0: they are not "
                          "cut.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SoftwareData::m_segmentBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SegmentsUnderWay",
                          "Receives that a member has posted at once: those that it waits for, "
                          "and the following ones up to this number.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&SoftwareData::m_segmentsUnderWay),
                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

template <DataKind KIND>
void
SoftwareData<KIND>::DoDispose()
{
    if (m_runner)
    {
        m_runner->Stop();
    }
    DataCollectiveOf<KIND>::DoDispose();
}

template <DataKind KIND>
DataRequest
SoftwareData<KIND>::MakeRequest() const
{
    DataRequest request;
    request.kind = KIND;
    request.members = this->GetNMembers();
    request.root = DataKindLaw::HasRoot(KIND) ? this->GetRoot() : 0;
    for (uint32_t rank = 0; rank < request.members; ++rank)
    {
        request.hosts.push_back(this->GetHost(rank));
    }
    request.parts = this->GetParts();
    request.elementBytes = DataValues::GetElementBytes(this->GetDataType());
    request.segmentBytes = m_segmentBytes;
    request.keepsOrder = this->KeepsOrder();
    if (this->UsesCosts())
    {
        const auto bytes = m_segmentBytes == 0 ? this->GetDataBytes()
                                               : std::min(this->GetDataBytes(), m_segmentBytes);
        ScheduleCosts::Add(*this, ScheduleCosts::ParseTransport(m_transport), bytes, request);
    }
    return request;
}

template <DataKind KIND>
void
SoftwareData<KIND>::CreateData()
{
    auto schedules = this->MakeDataSchedules(MakeRequest());
    m_fallback = schedules.fallback;
    ScheduleRunner::Settings settings{ScheduleCosts::ParseTransport(m_transport),
                                      ScheduleCosts::ParseWithinHost(m_withinHost),
                                      0};
    settings.ahead = m_segmentsUnderWay - 1;
    m_contents.reset();
    m_runner = ns3::Create<ScheduleRunner>(*this,
                                           LinkedSchedules(schedules.members, schedules.layout),
                                           settings);
    this->BeReady();
}

template <DataKind KIND>
bool
SoftwareData<KIND>::CarriesContents() const
{
    return true;
}

template <DataKind KIND>
std::vector<BlockRange>
SoftwareData<KIND>::FindBlocks() const
{
    const auto& layout = GetSchedules().GetLayout();
    std::vector<BlockRange> blocks;
    uint32_t block = 0;
    uint64_t end = 0;
    for (const auto bytes : this->GetParts())
    {
        end += bytes;
        blocks.push_back({block, 0});
        for (; block < layout.GetNData() && layout.GetOffset(block) + layout.GetBytes(block) <= end;
             ++block)
        {
            ++blocks.back().count;
        }
    }
    return blocks;
}

template <DataKind KIND>
void
SoftwareData<KIND>::LoadInput(uint32_t rank)
{
    if (!m_contents)
    {
        m_contents = std::make_unique<DataContents>(GetSchedules(),
                                                    this->GetDataType(),
                                                    this->GetDataOperation());
        m_runner->SetContents(m_contents.get());
        m_blocks = FindBlocks();
    }
    m_contents->Clear(rank);
    const auto& layout = GetSchedules().GetLayout();
    const auto input = this->GetInput(rank);
    if (!input)
    {
        return;
    }
    uint64_t offset = 0;
    for (const auto part : this->GetInputParts(rank))
    {
        const auto& range = m_blocks[part];
        for (auto block = range.first; block < range.first + range.count; ++block)
        {
            m_contents->Set(rank, block, {input, offset});
            offset += layout.GetBytes(block);
        }
    }
}

template <DataKind KIND>
std::vector<uint8_t>
SoftwareData<KIND>::ReadOutput(uint32_t rank) const
{
    std::vector<uint8_t> bytes;
    if (!m_contents)
    {
        return bytes;
    }
    const auto& layout = GetSchedules().GetLayout();
    const auto parts = this->GetOutputParts(rank);
    uint64_t length = 0;
    for (const auto part : parts)
    {
        length += this->GetParts()[part];
    }
    bytes.reserve(length);
    for (const auto part : parts)
    {
        const auto& range = m_blocks[part];
        for (auto block = range.first; block < range.first + range.count; ++block)
        {
            const auto held = m_contents->Find(rank, block);
            if (held && held->bytes)
            {
                const auto begin = held->bytes->data() + held->offset;
                bytes.insert(bytes.end(), begin, begin + layout.GetBytes(block));
            }
        }
    }
    return bytes;
}

template <DataKind KIND>
void
SoftwareData<KIND>::EnterData(uint32_t rank)
{
    if (this->HasInput())
    {
        LoadInput(rank);
    }
    m_runner->Enter(rank, 0);
}

template <DataKind KIND>
void
SoftwareData<KIND>::DoRelease()
{
    m_runner->Stop();
    this->BeReleased();
}

template <DataKind KIND>
const LinkedSchedules&
SoftwareData<KIND>::GetSchedules() const
{
    return m_runner->GetSchedules();
}

template <DataKind KIND>
std::string
SoftwareData<KIND>::GetFallback() const
{
    return m_fallback;
}

template <DataKind KIND>
void
SoftwareData<KIND>::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
{
    m_runner->Receive(host, static_cast<const HostMessageWorm&>(*worm).GetMessage());
}

template <DataKind KIND>
void
SoftwareData<KIND>::RegisterChanged(uint32_t, CollectiveMessage::Type)
{
}

#define WORMHOLE_DATA_KIND(KIND) template class SoftwareData<DataKind::KIND>;
WORMHOLE_DATA_KINDS(WORMHOLE_DATA_KIND)
#undef WORMHOLE_DATA_KIND

} // namespace ns3
