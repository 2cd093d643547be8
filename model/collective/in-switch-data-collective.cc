// SPDX-License-Identifier: GPL-2.0-only

#include "in-switch-data-collective.h"

#include "ns3/collective-registry.h"
#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/segment-exchange.h"
#include "ns3/string.h"
#include "ns3/wormhole-buffers.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("InSwitchDataCollective");

namespace
{

/// Checks whether the switches of a group's barrier tree can serve a data collective, and creates
/// the fallback if they can't.
class SlotFit
{
  public:
    /// @return the reason why they can't, whatever their slots; empty if they can
    static std::string FindObstacle(const Collective& group)
    {
        if (group.KeepsOrder() && DataKindInvariant::Combines(group.GetKind()))
        {
            return "switches combine in the order of ports, not of ranks (KeepsOrder)";
        }
        if (SlotTree::GoesThrough(group.GetKind()) && group.GetNMembers() > UINT16_MAX)
        {
            return "messages have ranks up to " + std::to_string(UINT16_MAX - 1);
        }
        return "";
    }

    /// @return maximum segment length, bytes: the whole elements that fit into the smallest slot,
    /// or the longest part
    /// @throws WormholeError if a slot does not hold an element
    static uint32_t FindSegmentBytes(const Collective& group)
    {
        const auto& parts = group.GetParts();
        const auto longest = *std::max_element(parts.begin(), parts.end());
        const auto slotBytes = group.GetNMembers() == 1 ? UINT32_MAX : FindSlotBytes(group);
        return static_cast<uint32_t>(std::min<uint64_t>(longest, slotBytes));
    }

    /// Refuses buffers that do not hold the messages that end in their switch: those of a full
    /// slot, however short the vector is, so that a fabric supports all lengths or none.
    /// @param askingBytes length of messages that may come by any port of the tree's switches
    /// @throws WormholeError if a buffer is too small
    static void CheckBuffers(const Collective& group, uint64_t headerBytes, uint64_t askingBytes)
    {
        group.GetDomain().GetFabric()->Start();
        const auto slotBytes = FindSlotBytes(group);
        const auto& graph = group.GetDomain().GetGraph();
        for (const auto& entry : group.GetTree().GetSwitches())
        {
            for (const auto number : entry.GetPorts())
            {
                CheckBuffer(group, entry.node, number, headerBytes, slotBytes);
            }
            for (uint32_t number = 0; number < graph.GetNPorts(entry.node); ++number)
            {
                const auto port = static_cast<uint16_t>(number);
                if (graph.Peer(entry.node, port).node != FabricGraph::NONE)
                {
                    CheckBuffer(group, entry.node, port, askingBytes, 0);
                }
            }
        }
    }

  private:
    /// @return what the smallest slot of the group's tree holds of whole elements, bytes
    static uint32_t FindSlotBytes(const Collective& group)
    {
        const auto element = DataValues::GetElementBytes(group.GetDataType());
        const auto& domain = group.GetDomain();
        auto slotBytes = UINT32_MAX;
        for (const auto& entry : group.GetTree().GetSwitches())
        {
            const auto bytes = domain.GetUnit(entry.node)->GetSlotBytes();
            WormholeError::ThrowIf(
                bytes < element,
                "a slot of switch " + domain.GetGraph().GetName(entry.node) + " holds " +
                    std::to_string(bytes) + " bytes (CollectiveUnit::SlotBytes), an element has " +
                    std::to_string(element) + " (DataType); expected at least as many");
            slotBytes = std::min(slotBytes, bytes / element * element);
        }
        return slotBytes;
    }

    /// Refuses a buffer that does not hold a message, of a header and a segment.
    static void CheckBuffer(const Collective& group,
                            uint32_t node,
                            uint16_t number,
                            uint64_t headerBytes,
                            uint64_t slotBytes)
    {
        const auto fabric = group.GetDomain().GetFabric();
        const auto port = fabric->GetSwitch(node)->GetPort(number);
        const uint32_t depth = port->GetState().input.upstream->depth;
        const auto bytes = headerBytes + slotBytes;
        const auto flits = fabric->GetFlits(bytes);
        if (flits <= depth)
        {
            return;
        }
        auto accepted =
            "a BufferDepth (of WormholePort) of " + std::to_string(flits) + " flits or more";
        // Shorter segments of whole elements that fit, where there are any.
        const auto element = DataValues::GetElementBytes(group.GetDataType());
        auto fits = slotBytes;
        while (fits >= element && fabric->GetFlits(headerBytes + fits) > depth)
        {
            fits -= std::min<uint64_t>(fits, element);
        }
        if (fits >= element)
        {
            accepted =
                "SlotBytes (of CollectiveUnit) up to " + std::to_string(fits) + ", or " + accepted;
        }
        throw WormholeError(
            "a message of " + std::to_string(bytes) + " bytes, " + std::to_string(flits) +
            " flits, is to end in a switch, whose buffer at port " + port->GetName() + " holds " +
            std::to_string(depth) + "; expected " + accepted);
    }
};

} // namespace

/// Asks the switches of a group's tree for reduction slots, and gives them back, by messages.
///
/// One host asks, the root host of the barrier tree: one switch after the other in the order of
/// their numbers, each when the one before has answered. A switch grants all that is asked for or
/// nothing, at once. After a refusal the host gives back what it was granted, and the group has
/// nothing. As nobody waits for slots, no two groups can wait for each other; and as all ask in the
/// same order, of the groups that want the same slots one gets them: a group is refused by one that
/// is ahead of it, and none is ahead of the foremost.
///
/// Each message costs the host what a message to a register does.
class InSwitchData::SlotAdmission : public SimpleRefCount<SlotAdmission>
{
  public:
    struct Request
    {
        uint32_t fabricSwitch{0};
        uint32_t slots{0};
        std::shared_ptr<const SlotPlan> plan; ///< what the switch is to know
        uint64_t flits{1};                    ///< length of the message that asks
    };

    SlotAdmission(InSwitchData& group, std::vector<Request> requests, uint64_t flits)
        : m_group(&group),
          m_requests(std::move(requests)),
          m_flits(flits),
          m_host(group.GetTree().GetRootHost() - group.GetDomain().GetGraph().GetNSwitches())
    {
    }

    void Ask()
    {
        Send(m_requests[m_nGranted], SlotMessage::ADMIT);
    }

    void GiveBack()
    {
        m_nToFree = m_nGranted;
        for (std::size_t i = 0; i < m_nToFree; ++i)
        {
            Send(m_requests[i], SlotMessage::FREE);
        }
        if (m_nToFree == 0)
        {
            m_group->EndAdmission(false);
        }
    }

    void Receive(Ptr<const Worm> worm)
    {
        if (!m_group)
        {
            return;
        }
        const auto message = static_cast<const SlotWorm&>(*worm).GetSlotMessage();
        const auto wait = m_group->GetDomain().GetSoftware(m_host)->OccupyReceive();
        Simulator::Schedule(wait, &SlotAdmission::Take, Ptr<SlotAdmission>(this), message);
    }

    /// Lets go of the group: whatever comes is ignored.
    void Stop()
    {
        m_group = nullptr;
    }

  private:
    void Send(const Request& request, SlotMessage::Kind kind)
    {
        SlotMessage message;
        message.kind = kind;
        message.place = request.fabricSwitch;
        message.slots = request.slots;
        auto worm = ns3::Create<SlotWorm>(
            m_group->GetGroup(),
            message,
            kind == SlotMessage::ADMIT ? request.flits : m_flits,
            m_group->GetDomain().GetRouteToSwitch(m_host, request.fabricSwitch));
        worm->plan = request.plan;
        worm->back = m_group->GetDomain().GetAnswerRoute(request.fabricSwitch, m_host);
        m_group->GetDomain().GetSoftware(m_host)->Send(worm);
    }

    /// The host's software has taken an answer.
    void Take(SlotMessage message)
    {
        if (!m_group)
        {
            return;
        }
        if (message.kind == SlotMessage::FREED)
        {
            if (--m_nToFree == 0)
            {
                m_nGranted = 0;
                m_group->EndAdmission(false);
            }
            return;
        }
        const bool grants = message.kind == SlotMessage::GRANTED;
        m_group->TakeAnswer(message.place, grants, message.slots);
        if (!grants)
        {
            GiveBack();
        }
        else if (++m_nGranted < m_requests.size())
        {
            Ask();
        }
        else
        {
            m_group->EndAdmission(true);
        }
    }

    InSwitchData* m_group; ///< the group; null once stopped
    std::vector<Request> m_requests;
    uint64_t m_flits; ///< length of messages that give slots back
    uint32_t m_host;
    std::size_t m_nGranted{0}; ///< switches that have granted, the first ones
    std::size_t m_nToFree{0};  ///< switches that have not taken theirs back yet
};

TypeId
InSwitchData::MakeTypeId(DataKind kind)
{
    const CollectiveForm form{kind, true};
    const auto name = form.NameType("InSwitch");
    return NewType(form.MakeTypeId("InSwitch", Collective::GetFormTypeId(form)))
        .Add("Window",
             "Number of segments that the group (in a gather or alltoall, each member) has in "
             "progress at once; each switch of its tree is asked for slots for what it may hold.",
             Sets::Number(&InSwitchData::m_window, 8, 1, 1U << 20))
        .Add("HeaderBytes",
             "Bytes of a message in addition to its segment: type, group, number of the segment, "
             "and sender and receiver if needed; also the length of a message without a segment.",
             Sets::Number(&InSwitchData::m_headerBytes, 8, 1, 65535))
        .Add("AdmissionBytes",
             "Length in bytes of a message that requests or returns slots, and of its answer: "
             "type, group, number of slots, operation, parent port and child bits. In a gather or "
             "alltoall, a request and its answer have one more byte for each member.",
             Sets::Number(&InSwitchData::m_admissionBytes, 12, 1, 65535))
        .Add("Fallback",
             "Name of the software algorithm, such as ring, that serves the group if a switch has "
             "too few slots, or if the attribute KeepsOrder requires what switches cannot do; "
             "empty: the group is refused.",
             Sets::Text(&InSwitchData::m_fallbackName))
        .Add("Admission",
             "A switch has answered the group's request for slots; with the switch's number, "
             "whether it granted the slots, and how many slots are left.",
             &InSwitchData::m_admissionTrace,
             name + "::AdmissionTracedCallback")
        .Add("Refused",
             "The group did not get all its slots, and has returned those granted, or (KeepsOrder) "
             "asked for none; with the reason. The algorithm Fallback, if set, then serves it.",
             &InSwitchData::m_refusedTrace,
             name + "::RefusedTracedCallback");
}

InSwitchData::InSwitchData() = default;
InSwitchData::~InSwitchData() = default;

void
InSwitchData::DoStop()
{
    if (m_admission)
    {
        m_admission->Stop();
    }
    if (m_exchange)
    {
        m_exchange->Stop();
    }
}

void
InSwitchData::DoCreate()
{
    CheckOneMemberAHost("a collective of data in the switches takes one member per host");
    m_isReleasing = m_givesBack = m_isRefused = false;
    m_refusal.clear();
    m_fallback = nullptr;
    if (!m_fallbackName.empty())
    {
        m_fallback =
            CollectiveRegistry::Make(GetKind(), m_fallbackName, CollectiveRegistry::Moves::DATA);
        WormholeError::ThrowIf(m_fallback->GetInstanceTypeId() == GetInstanceTypeId(),
                               "Fallback is '" + m_fallbackName +
                                   "', which is in the switches itself; expected an algorithm by "
                                   "software, or none");
    }
    m_segmentBytes = SlotFit::FindSegmentBytes(*this);
    if (GetNMembers() == 1)
    {
        NotifyReady();
        return;
    }
    m_refusal = SlotFit::FindObstacle(*this);
    if (!m_refusal.empty())
    {
        WormholeError::ThrowIf(!m_fallback,
                               "group " + std::to_string(GetGroup()) +
                                   " can't be served in the switches: " + m_refusal +
                                   "; expected an algorithm by software as Fallback");
        OnRefused();
        return;
    }
    SlotFit::CheckBuffers(*this, m_headerBytes, GetRequestBytes());
    RequestSlots();
}

uint64_t
InSwitchData::GetRequestBytes() const
{
    return uint64_t{m_admissionBytes} + (SlotTree::GoesThrough(GetKind()) ? GetNMembers() : 0);
}

void
InSwitchData::RequestSlots()
{
    const auto& graph = GetDomain().GetGraph();
    const auto fabric = GetDomain().GetFabric();
    const auto members = MadeOf(GetHosts(), [&](auto host) { return graph.HostAt(host); });
    const auto root = DataKindInvariant::HasRoot(GetKind()) ? GetRoot() : 0;
    const SlotTree tree(graph, GetTree(), members, GetKind(), root);
    const auto operation = GetDataOperation();
    const auto type = GetDataType();
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
                            fabric->GetFlits(GetRequestBytes())});
    }
    m_admission = ns3::Create<SlotAdmission>(*this, requests, fabric->GetFlits(m_admissionBytes));
    m_admission->Ask();
}

void
InSwitchData::TakeAnswer(uint32_t fabricSwitch, bool granted, uint32_t freeSlots)
{
    m_admissionTrace(fabricSwitch, granted, freeSlots);
    if (!granted)
    {
        const auto& domain = GetDomain();
        m_refusal = "switch " + domain.GetGraph().GetName(fabricSwitch) + " has " +
                    std::to_string(freeSlots) + " of " +
                    std::to_string(domain.GetUnit(fabricSwitch)->GetNSlots()) +
                    " slots left, too few for Window " + std::to_string(m_window);
    }
}

void
InSwitchData::EndAdmission(bool granted)
{
    if (m_isReleasing)
    {
        m_exchange->Stop();
        NotifyReleased();
        return;
    }
    if (!granted)
    {
        OnRefused();
        return;
    }
    m_exchange = ns3::Create<SegmentExchange>(*this,
                                              m_window,
                                              m_headerBytes,
                                              m_segmentBytes,
                                              MakeCallback(&InSwitchData::LeaveExchange, this));
    NotifyReady();
}

void
InSwitchData::OnRefused()
{
    NS_LOG_INFO("group " << GetGroup() << " is refused: " << m_refusal);
    m_isRefused = !m_fallback;
    m_refusedTrace(m_refusal);
    if (m_isRefused)
    {
        NotifyReleased();
        return;
    }
    CopyAttributes(*m_fallback,
                   {"Bytes", "Lengths", "DataType", "DataOperation", "KeepsOrder", "GroupIdBits"});
    if (DataKindInvariant::HasRoot(GetKind()))
    {
        m_fallback->SetAttribute("Root", StringValue(std::to_string(GetRoot())));
    }
    ClearParts();
    AddPart(m_fallback);
    CreatePart(m_fallback);
}

void
InSwitchData::DoEnter(uint32_t rank, uint64_t)
{
    const auto input = GetInput(rank);
    if (GetNMembers() == 1)
    {
        m_lonely = input;
        Leave(rank, 0);
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
    m_exchange->Enter(rank, input);
}

void
InSwitchData::LeaveExchange(uint32_t rank)
{
    rank == SegmentExchange::NOBODY ? TryGiveBack() : Leave(rank, 0);
}

void
InSwitchData::TryGiveBack()
{
    if (m_isReleasing && !m_givesBack && m_exchange->IsQuiet())
    {
        m_givesBack = true;
        m_admission->GiveBack();
    }
}

std::vector<uint8_t>
InSwitchData::ReadOutput(uint32_t rank) const
{
    if (GetNMembers() == 1)
    {
        return m_lonely ? *m_lonely : std::vector<uint8_t>();
    }
    if (m_refusal.empty())
    {
        return m_exchange ? m_exchange->GetOutput(rank) : std::vector<uint8_t>();
    }
    return m_isRefused ? std::vector<uint8_t>() : m_fallback->GetOutput(rank);
}

void
InSwitchData::DoRelease()
{
    if (GetNMembers() == 1)
    {
        NotifyReleased();
    }
    else if (!m_refusal.empty())
    {
        ReleaseParts();
    }
    else
    {
        m_isReleasing = true;
        TryGiveBack();
    }
}

void
InSwitchData::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
{
    const auto& slotWorm = static_cast<const SlotWorm&>(*worm);
    const auto kind = slotWorm.GetSlotMessage().kind;
    const bool isAnswer =
        kind == SlotMessage::GRANTED || kind == SlotMessage::REFUSED || kind == SlotMessage::FREED;
    isAnswer ? m_admission->Receive(worm) : m_exchange->Receive(GetRank(host), slotWorm);
}

NS_OBJECT_ENSURE_REGISTERED(InSwitchDataAllReduction);
NS_OBJECT_ENSURE_REGISTERED(InSwitchDataReduction);
NS_OBJECT_ENSURE_REGISTERED(InSwitchDataBroadcast);
NS_OBJECT_ENSURE_REGISTERED(InSwitchDataGather);
NS_OBJECT_ENSURE_REGISTERED(InSwitchDataAllToAll);

} // namespace ns3
