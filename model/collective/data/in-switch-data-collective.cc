/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "in-switch-data-collective.h"

#include "segment-exchange.h"
#include "slot-admission.h"
#include "slot-fit.h"
#include "slot-tree.h"

#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("InSwitchDataCollective");

template <DataKind KIND>
TypeId
InSwitchData<KIND>::GetTypeId()
{
    const auto kind =
        DataCollectiveOf<KIND>::GetTypeId().GetName().substr(std::string("ns3::").size());
    const auto name = "ns3::InSwitch" + kind;
    static TypeId tid =
        TypeId(name.c_str()) // no std::string until ns-3.36
            .template SetParent<DataCollectiveOf<KIND>>()
            .SetGroupName("Wormhole")
            .template AddConstructor<InSwitchData>()
            .AddAttribute("Window",
                          "Segments that the group has under way, in a gather or alltoall each "
                          "member: as many slots are asked for in every switch.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&InSwitchData::m_window),
                          MakeUintegerChecker<uint32_t>(1, 1U << 20))
            .AddAttribute("HeaderBytes",
                          "What a message is longer than its segment by, in bytes: type, group, "
                          "number of the segment, and sender and receiver where there are such; "
                          "also the length of one that carries no segment.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&InSwitchData::m_headerBytes),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("AdmissionBytes",
                          "Length in bytes of a message that asks for slots or gives them back, "
                          "and of its answer: type, group, number of slots, operation, parent "
                          "port and child bits. In a gather or alltoall one that asks has a byte "
                          "more for each member.",
                          UintegerValue(12),
                          MakeUintegerAccessor(&InSwitchData::m_admissionBytes),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("Fallback",
                          "Name of the algorithm by software, such as ring, that serves the group "
                          "if a switch has too few slots, or if the attribute KeepsOrder asks for "
                          "what switches can't do; empty: the group is refused.",
                          StringValue(""),
                          MakeStringAccessor(&InSwitchData::m_fallbackName),
                          MakeStringChecker())
            .AddTraceSource("Admission",
                            "A switch has answered the group's request for slots; with its "
                            "number, whether it grants them, and how many it has left.",
                            MakeTraceSourceAccessor(&InSwitchData::m_admissionTrace),
                            name + "::AdmissionTracedCallback")
            .AddTraceSource("Refused",
                            "The group has not got its slots, and has given back what it got; "
                            "with the reason. The algorithm Fallback serves it, or nothing.",
                            MakeTraceSourceAccessor(&InSwitchData::m_refusedTrace),
                            name + "::RefusedTracedCallback");
    return tid;
}

template <DataKind KIND>
InSwitchData<KIND>::InSwitchData() = default;
template <DataKind KIND>
InSwitchData<KIND>::~InSwitchData() = default;

template <DataKind KIND>
void
InSwitchData<KIND>::DoDispose()
{
    if (m_admission)
    {
        m_admission->Stop();
    }
    if (m_exchange)
    {
        m_exchange->Stop();
    }
    if (m_fallback)
    {
        m_fallback->Dispose();
        m_fallback = nullptr;
    }
    DataCollectiveOf<KIND>::DoDispose();
}

template <DataKind KIND>
std::string
InSwitchData<KIND>::GetFallback() const
{
    if (m_refusal.empty())
    {
        return "";
    }
    return (m_isRefused ? "refused" : m_fallbackName) + ": " + m_refusal;
}

template <DataKind KIND>
bool
InSwitchData<KIND>::HoldsRegisters() const
{
    return this->GetNMembers() > 1 && m_refusal.empty();
}

template <DataKind KIND>
void
InSwitchData<KIND>::DoCreate()
{
    DataCollectiveOf<KIND>::DoCreate();
    for (uint32_t rank = 0; rank < this->GetNMembers(); ++rank)
    {
        if (this->GetTask(rank) > 0)
        {
            throw WormholeError("host " + this->GetDomain().GetHostName(this->GetHost(rank)) +
                                " is a member twice; a collective of data in the switches has one "
                                "member of a host");
        }
    }
    m_isReleasing = m_givesBack = m_isRefused = false;
    m_refusal.clear();
    m_fallback = nullptr;
    if (!m_fallbackName.empty())
    {
        m_fallback = SlotFit::MakeFallback(*this, m_fallbackName);
    }
    m_segmentBytes = SlotFit::FindSegmentBytes(*this);
    if (this->GetNMembers() == 1)
    {
        this->BeReady();
        return;
    }
    m_refusal = SlotFit::FindObstacle(*this);
    if (!m_refusal.empty())
    {
        if (!m_fallback)
        {
            throw WormholeError("group " + std::to_string(this->GetGroup()) +
                                " can't be served in the switches: " + m_refusal +
                                "; accepted is an algorithm by software as Fallback");
        }
        BeRefused();
        return;
    }
    SlotFit::CheckBuffers(*this, m_headerBytes, GetAskingBytes());
    AskForSlots();
}

template <DataKind KIND>
uint64_t
InSwitchData<KIND>::GetAskingBytes() const
{
    return uint64_t{m_admissionBytes} + (SlotTree::GoesThrough(KIND) ? this->GetNMembers() : 0);
}

template <DataKind KIND>
void
InSwitchData<KIND>::AskForSlots()
{
    const auto& graph = this->GetDomain().GetGraph();
    const auto fabric = this->GetDomain().GetFabric();
    std::vector<FabricGraph::Node> members;
    for (uint32_t rank = 0; rank < this->GetNMembers(); ++rank)
    {
        members.push_back(graph.HostAt(this->GetHost(rank)));
    }
    const auto root = DataKindLaw::HasRoot(KIND) ? this->GetRoot() : 0;
    const SlotTree tree(graph, this->GetTree(), members, KIND, root);
    const auto operation = this->GetDataOperation();
    const auto type = this->GetDataType();
    std::vector<SlotAdmission::Request> requests;
    for (const auto& entry : tree.GetSwitches())
    {
        entry.plan->newsBytes = m_headerBytes;
        entry.plan->newsFlits = fabric->GetFlits(m_headerBytes);
        entry.plan->combine = [operation, type](uint8_t* a, const uint8_t* b, std::size_t bytes) {
            DataValues::Combine(operation, type, a, b, bytes);
        };
        const auto slots = uint64_t{entry.senders} * m_window;
        requests.push_back({entry.node,
                            static_cast<uint32_t>(std::min<uint64_t>(slots, UINT32_MAX)),
                            entry.plan,
                            fabric->GetFlits(GetAskingBytes())});
    }
    m_admission = ns3::Create<SlotAdmission>(*this,
                                             requests,
                                             fabric->GetFlits(m_admissionBytes),
                                             MakeCallback(&InSwitchData::TakeAnswer, this),
                                             MakeCallback(&InSwitchData::EndAdmission, this));
    m_admission->Ask();
}

template <DataKind KIND>
void
InSwitchData<KIND>::TakeAnswer(uint32_t fabricSwitch, bool granted, uint32_t freeSlots)
{
    m_admissionTrace(fabricSwitch, granted, freeSlots);
    if (!granted)
    {
        const auto& domain = this->GetDomain();
        m_refusal = "switch " + domain.GetGraph().GetName(fabricSwitch) + " has " +
                    std::to_string(freeSlots) + " of " +
                    std::to_string(domain.GetUnit(fabricSwitch)->GetNSlots()) +
                    " slots left, too few for Window " + std::to_string(m_window);
    }
}

template <DataKind KIND>
void
InSwitchData<KIND>::EndAdmission(bool granted)
{
    if (m_isReleasing)
    {
        m_exchange->Stop();
        this->BeReleased();
        return;
    }
    if (!granted)
    {
        BeRefused();
        return;
    }
    const auto root = DataKindLaw::HasRoot(KIND) ? this->GetRoot() : 0;
    const SegmentPlan plan(KIND, this->GetNMembers(), root, this->GetParts(), m_segmentBytes);
    m_exchange = ns3::Create<SegmentExchange>(
        *this,
        SegmentExchange::Setting{KIND, root, m_window, m_headerBytes, plan},
        MakeCallback(&InSwitchData::LeaveExchange, this));
    this->BeReady();
}

template <DataKind KIND>
void
InSwitchData<KIND>::BeRefused()
{
    NS_LOG_INFO("group " << this->GetGroup() << " is refused: " << m_refusal);
    m_isRefused = !m_fallback;
    m_refusedTrace(m_refusal);
    if (m_isRefused)
    {
        this->BeReleased();
        return;
    }
    SlotFit::CopyTask(*this, *m_fallback);
    std::vector<uint32_t> hosts;
    for (uint32_t rank = 0; rank < this->GetNMembers(); ++rank)
    {
        hosts.push_back(this->GetHost(rank));
        m_fallback->SetLeaveCallback(rank,
                                     MakeBoundCallback(&InSwitchData::LeaveFallback, this, rank));
    }
    m_fallback->TraceConnectWithoutContext("Ready",
                                           MakeCallback(&InSwitchData::FallbackReady, this));
    m_fallback->TraceConnectWithoutContext("Released",
                                           MakeCallback(&InSwitchData::FallbackReleased, this));
    m_fallback->Create(Ptr<CollectiveDomain>(&this->GetDomain()), hosts);
}

template <DataKind KIND>
void
InSwitchData<KIND>::FallbackReady(Time)
{
    this->BeReady();
}

template <DataKind KIND>
void
InSwitchData<KIND>::FallbackReleased(Time)
{
    this->BeReleased();
}

template <DataKind KIND>
void
InSwitchData<KIND>::LeaveFallback(InSwitchData* group, uint32_t rank, uint64_t)
{
    group->Leave(rank, 0);
}

template <DataKind KIND>
std::vector<uint8_t>
InSwitchData<KIND>::GetOwn(uint32_t rank, const std::vector<uint8_t>& input) const
{
    const auto& parts = this->GetParts();
    if (KIND == DataKind::BROADCAST)
    {
        return rank == this->GetRoot() ? input : std::vector<uint8_t>();
    }
    if (!SlotTree::GoesThrough(KIND))
    {
        return {};
    }
    std::vector<uint8_t> output;
    uint64_t skipped = 0; // of the input
    const auto n = this->GetNMembers();
    for (const auto part : this->GetOutputParts(rank))
    {
        const bool isOwn = part == (KIND == DataKind::GATHER ? rank : uint64_t{rank} * n + rank);
        for (uint64_t before = uint64_t{rank} * n;
             isOwn && KIND != DataKind::GATHER && before < part;
             ++before)
        {
            skipped += parts[before];
        }
        const auto begin = output.size();
        output.resize(begin + parts[part]);
        if (isOwn)
        {
            std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(skipped),
                        parts[part],
                        output.begin() + static_cast<std::ptrdiff_t>(begin));
        }
    }
    return output;
}

template <DataKind KIND>
void
InSwitchData<KIND>::DoEnter(uint32_t rank, uint64_t value)
{
    DataCollectiveOf<KIND>::DoEnter(rank, value);
    const auto input = this->GetInput(rank);
    if (this->GetNMembers() == 1)
    {
        m_lonely = input;
        this->Leave(rank, 0);
        return;
    }
    if (!m_refusal.empty())
    {
        if (input)
        {
            m_fallback->SetInput(rank, *input);
        }
        m_fallback->Enter(rank);
        return;
    }
    m_exchange->Enter(rank, input, input ? GetOwn(rank, *input) : std::vector<uint8_t>());
}

template <DataKind KIND>
void
InSwitchData<KIND>::LeaveExchange(uint32_t rank)
{
    if (rank != SegmentExchange::NOBODY)
    {
        this->Leave(rank, 0);
    }
    else
    {
        TryGiveBack();
    }
}

template <DataKind KIND>
void
InSwitchData<KIND>::TryGiveBack()
{
    if (m_isReleasing && !m_givesBack && m_exchange->IsQuiet())
    {
        m_givesBack = true;
        m_admission->GiveBack();
    }
}

template <DataKind KIND>
std::vector<uint8_t>
InSwitchData<KIND>::ReadOutput(uint32_t rank) const
{
    if (this->GetNMembers() == 1)
    {
        return m_lonely ? *m_lonely : std::vector<uint8_t>();
    }
    if (m_refusal.empty())
    {
        return m_exchange ? m_exchange->GetOutput(rank) : std::vector<uint8_t>();
    }
    return m_isRefused ? std::vector<uint8_t>() : m_fallback->GetOutput(rank);
}

template <DataKind KIND>
void
InSwitchData<KIND>::DoRelease()
{
    if (this->GetNMembers() == 1)
    {
        this->BeReleased();
    }
    else if (!m_refusal.empty())
    {
        m_fallback->Release();
    }
    else
    {
        m_isReleasing = true;
        TryGiveBack();
    }
}

template <DataKind KIND>
void
InSwitchData<KIND>::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
{
    const auto& slotWorm = static_cast<const SlotWorm&>(*worm);
    const auto kind = slotWorm.GetSlotMessage().kind;
    if (kind == SlotMessage::GRANTED || kind == SlotMessage::REFUSED || kind == SlotMessage::FREED)
    {
        m_admission->Receive(worm);
    }
    else
    {
        m_exchange->Receive(this->GetRank(host), slotWorm);
    }
}

template <DataKind KIND>
void
InSwitchData<KIND>::RegisterChanged(uint32_t, CollectiveMessage::Type)
{
}

template class InSwitchData<DataKind::ALL_REDUCTION>;
template class InSwitchData<DataKind::REDUCTION>;
template class InSwitchData<DataKind::BROADCAST>;
template class InSwitchData<DataKind::GATHER>;
template class InSwitchData<DataKind::ALL_TO_ALL>;

NS_OBJECT_ENSURE_REGISTERED(InSwitchDataAllReduction);
NS_OBJECT_ENSURE_REGISTERED(InSwitchDataReduction);
NS_OBJECT_ENSURE_REGISTERED(InSwitchDataBroadcast);
NS_OBJECT_ENSURE_REGISTERED(InSwitchDataGather);
NS_OBJECT_ENSURE_REGISTERED(InSwitchDataAllToAll);

} // namespace ns3
