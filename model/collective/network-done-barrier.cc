// SPDX-License-Identifier: GPL-2.0-only

#include "network-done-barrier.h"

#include "ns3/collective-registry.h"
#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/schedule-costs.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NetworkDoneBarrier");

NS_OBJECT_ENSURE_REGISTERED(NetworkDoneBarrier);

TypeId
NetworkDoneBarrier::GetTypeId()
{
    const CollectiveForm form{DataKind::BARRIER, false};
    static TypeId tid =
        NewType(form.MakeTypeId("NetworkDone", Collective::GetFormTypeId(form))
                    .AddConstructor<NetworkDoneBarrier>())
            .Add("Method",
                 "How members know that no message is in flight: counters (counts of sent and of "
                 "received messages are summed until the sums agree); or acks (each message is "
                 "acknowledged).",
                 Sets::Word({"counters", "acks"}, "counters", &NetworkDoneBarrier::m_method))
            .Add("Reduction",
                 "With Method=counters: name of a barrier with ADD, which sums the counters.",
                 Sets::Text(&NetworkDoneBarrier::m_reduction, "butterfly"))
            .Add("Inner",
                 "Name of the barrier that comes last and combines values; or, with "
                 "Method=counters, none if members enter only with the value 0.",
                 Sets::Text(&NetworkDoneBarrier::m_inner, "butterfly"))
            .Add("CountBits",
                 "Bits of the sums of counters, which limit the number of messages in flight.",
                 Sets::Number(&NetworkDoneBarrier::m_countBits, 32, 1, 64))
            .Add("Answers",
                 "Whether a member that has entered may answer data messages by data messages. A "
                 "round then takes at least two sums, and a message is acknowledged after all "
                 "answers to it.",
                 Sets::Flag(&NetworkDoneBarrier::m_answers))
            .Add("AckBytes",
                 "Length of an acknowledgement in bytes.",
                 Sets::Number(&NetworkDoneBarrier::m_ackBytes, 2, 1, DataMessages::MAX_BYTES))
            .Add("Transport",
                 "How members of different hosts exchange data messages: sendrecv or rdma.",
                 Sets::Choice(ScheduleCosts::GetTransportNames(),
                              "sendrecv",
                              &NetworkDoneBarrier::m_transport))
            .Add("Sent",
                 "A member sends a data message; with its rank, the receiver's rank and the length "
                 "in bytes.",
                 &NetworkDoneBarrier::m_sentTrace,
                 "ns3::NetworkDoneBarrier::SentTracedCallback")
            .Add("Received",
                 "A member's software has processed a data message; with its rank, the sender's "
                 "rank, the length in bytes and the time since it was sent.",
                 &NetworkDoneBarrier::m_receivedTrace,
                 "ns3::NetworkDoneBarrier::ReceivedTracedCallback")
            .Add("Counted",
                 "A member learns a sum of all members' counters; with its rank, the number of "
                 "sums in this round, and whether no message is in flight.",
                 &NetworkDoneBarrier::m_countedTrace,
                 "ns3::NetworkDoneBarrier::CountedTracedCallback");
    return tid;
}

NetworkDoneBarrier::~NetworkDoneBarrier() = default;

void
NetworkDoneBarrier::DoCreate()
{
    const bool isCounting = m_method == "counters";
    const auto receiptBits = GetReceiptBits();
    WormholeError::ThrowIf(isCounting && m_countBits <= receiptBits,
                           "CountBits is " + std::to_string(m_countBits) + ", of which " +
                               std::to_string(receiptBits) + " count the " +
                               std::to_string(GetNMembers()) +
                               " members that have received a message; expected " +
                               std::to_string(receiptBits + 1) + " to 64");
    const bool hasInner = m_inner != "none";
    WormholeError::ThrowIf(!isCounting && !hasInner,
                           "Inner is none, but members that wait for acknowledgements alone do "
                           "not meet; expected a barrier, or none with Method=counters");
    m_members.assign(GetNMembers(), Member());
    ClearParts();
    m_isReleasing = m_areReleased = false;
    m_data = ns3::Create<DataMessages>(
        *this,
        *this,
        DataMessages::Setting{m_transport, !isCounting, m_answers, m_ackBytes});
    m_reductionPart = isCounting ? MakePart("Reduction", m_reduction) : nullptr;
    m_innerPart = hasInner ? MakePart("Inner", m_inner) : nullptr;
    if (m_reductionPart)
    {
        m_reductionPart->SetAttribute("Operation", StringValue("ADD"));
        m_reductionPart->SetAttribute("WidthBits", UintegerValue(m_countBits));
    }
    if (m_innerPart)
    {
        CopyAttributes(*m_innerPart, {"Operation", "WidthBits"});
    }
    for (const auto& part : {m_reductionPart, m_innerPart})
    {
        if (part)
        {
            CreatePart(part);
        }
    }
}

Ptr<Collective>
NetworkDoneBarrier::MakePart(const std::string& attribute, const std::string& name)
{
    CollectiveRegistry::CheckSettings(
        name,
        attribute,
        {"Operation", "WidthBits", "GroupIdBits"},
        [](const std::string&, const std::string&) { return "a name without it"; });
    auto part = CollectiveRegistry::Make(DataKind::BARRIER, name);
    CopyAttributes(*part, {"GroupIdBits"});
    AddPart(part);
    return part;
}

void
NetworkDoneBarrier::DoEnter(uint32_t rank, uint64_t value)
{
    if (!m_innerPart && value != 0)
    {
        throw WormholeError("group " + std::to_string(GetGroup()) + ", rank " +
                            std::to_string(rank) + " enters with value " + std::to_string(value) +
                            ", but nothing combines values (NetworkDoneBarrier::Inner is none); "
                            "expected 0");
    }
    auto& member = m_members[rank];
    member.isInside = true;
    member.value = value;
    member.nSums = 0;
    if (m_reductionPart)
    {
        Contribute(rank);
    }
    else if (m_data->GetUnacknowledged(rank) > 0)
    {
        member.waits = true;
    }
    else
    {
        EnterInner(rank);
    }
}

void
NetworkDoneBarrier::Contribute(uint32_t rank)
{
    auto& member = m_members[rank];
    const auto received = m_data->GetReceived(rank);
    // Receipts below, since their sum has no carry; the difference above, modulo a power of two.
    auto contribution = (m_data->GetSent(rank) - received) << GetReceiptBits();
    if (m_answers && (member.nSums == 0 || received != member.counted))
    {
        ++contribution;
    }
    if (m_countBits < 64)
    {
        contribution &= (uint64_t{1} << m_countBits) - 1;
    }
    member.counted = received;
    m_reductionPart->Enter(rank, contribution);
}

void
NetworkDoneBarrier::LeavePart(const Collective& part, uint32_t rank, uint64_t result)
{
    // Not at once: the part is still busy with this member.
    GetDomain().GetActivities().Schedule(Time(0),
                                         &part == PeekPointer(m_reductionPart)
                                             ? &NetworkDoneBarrier::Count
                                             : &NetworkDoneBarrier::End,
                                         Ptr<NetworkDoneBarrier>(this),
                                         rank,
                                         result);
}

void
NetworkDoneBarrier::Count(uint32_t rank, uint64_t sum)
{
    if (!m_reductionPart)
    {
        return; // disposed of
    }
    const auto nSums = ++m_members[rank].nSums;
    const bool isDone = IsDone(sum, nSums);
    NS_LOG_LOGIC("rank " << rank << " sum " << nSums << ": " << sum);
    m_countedTrace(rank, nSums, isDone);
    isDone ? EnterInner(rank) : Contribute(rank);
}

void
NetworkDoneBarrier::Send(uint32_t from, uint32_t to, uint32_t bytes)
{
    NS_LOG_FUNCTION(this << from << to << bytes);
    const auto n = GetNMembers();
    const auto refuse = [&](const std::string& why) {
        throw WormholeError("group " + std::to_string(GetGroup()) + ", rank " +
                            std::to_string(from) + " sends " + std::to_string(bytes) +
                            " bytes to rank " + std::to_string(to) + ", but " + why);
    };
    if (!IsReady())
    {
        refuse("the group is not ready: members may send when the trace source Ready has fired, "
               "and before Release");
    }
    if (from >= n || to >= n || from == to)
    {
        refuse("expected two different ranks of 0 to " + std::to_string(n - 1));
    }
    if (bytes == 0 || bytes > DataMessages::MAX_BYTES)
    {
        refuse("expected 1 to " + std::to_string(DataMessages::MAX_BYTES) + " bytes");
    }
    if (m_members[from].isInside && !(m_answers && m_data->GetReceiver() == from))
    {
        refuse(m_answers ? "it is inside; expected answers, while it takes a message"
                         : "it is inside; expected before it enters, or an answer with the "
                           "attribute Answers");
    }
    const auto bits = m_countBits - GetReceiptBits();
    if (m_reductionPart && bits < 64 && GetNUnderWay() + 1 >= uint64_t{1} << bits)
    {
        refuse(std::to_string(GetNUnderWay()) +
               " messages are under way; expected more with a greater CountBits, which is " +
               std::to_string(m_countBits));
    }
    m_sentTrace(from, to, bytes);
    m_data->Send(from, to, bytes);
}

} // namespace ns3
