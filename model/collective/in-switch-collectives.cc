// SPDX-License-Identifier: GPL-2.0-only

#include "in-switch-collectives.h"

#include "ns3/collective-registry.h"
#include "ns3/group-failures.h"
#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/register-memory.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("InSwitchCollective");

namespace
{

/// @return the broadcast by which the first member of a new group tells the others who the members
///         are and what the fabric is like (Moh et al., section 2.2: "a simple broadcast at the
///         group creation time"). It is a group of its own meanwhile.
/// @throws WormholeError if there is no such broadcast, or the message would be too long
Ptr<Collective>
MakeAnnouncement(const std::string& name, uint64_t bytes)
{
    constexpr uint64_t MOST = 1U << 30;
    auto broadcast =
        CollectiveRegistry::MakeInner(DataKind::BROADCAST, name, CollectiveRegistry::Moves::VALUE);
    // Wide enough not to run out of identifiers where the group itself did not.
    broadcast->SetAttribute("GroupIdBits", UintegerValue(16));
    broadcast->SetAttribute("Root", IntegerValue(0));
    WormholeError::ThrowIf(!broadcast->HasLongMessages(),
                           "Announcement is '" + name +
                               "', whose messages hold their fields alone; expected a broadcast by "
                               "software");
    bytes += broadcast->GetFieldBytes();
    WormholeError::ThrowIf(bytes > MOST,
                           "the announcement of a group would have " + std::to_string(bytes) +
                               " bytes; expected up to " + std::to_string(MOST) +
                               " (InSwitchBarrier::MemberSize and CableSize)");
    broadcast->SetAttribute("MessageBytes", UintegerValue(bytes));
    return broadcast;
}

} // namespace

TypeId
InSwitchCollective::MakeTypeId(DataKind kind)
{
    const CollectiveForm form{kind, false};
    const auto name = form.NameType("InSwitch");
    return NewType(form.MakeTypeId("InSwitch", Collective::GetFormTypeId(form)))
        .Add("Exhaustion",
             "What happens if a switch has no free register: fail; memory (a host, at that switch "
             "if possible, holds the group's register); or backup (a host holds the least recently "
             "used register until one is free; like memory if no register can move).",
             Sets::Word({"fail", "memory", "backup"}, "fail", &InSwitchCollective::m_exhaustion))
        .Add("SetupSize",
             "Length of a Setup_Register or release message in bytes: type, group, operation, "
             "width, parent port and child bits.",
             Sets::Number(&InSwitchCollective::m_setupSize, 8, 1))
        .Add("MemoryTime",
             "Time that a host's software takes for a message to a register in its memory; no "
             "paper gives it.",
             Sets::Duration(&InSwitchCollective::m_memoryTime, MicroSeconds(1)))
        .Add("Announcement",
             "Name of the software broadcast, such as tree[Tree=binomial], by which member 0 "
             "tells the others the members and the fabric before registers are set up; empty: all "
             "members know these already.",
             Sets::Text(&InSwitchCollective::m_announcedBy))
        .Add("MemberSize",
             "Bytes of the announcement for each member: switch and port.",
             Sets::Number(&InSwitchCollective::m_memberSize, 2, 0, 65535))
        .Add("CableSize",
             "Bytes of the announcement for each cable between switches: switch and port of both "
             "ends; 0: all members know the fabric.",
             Sets::Number(&InSwitchCollective::m_cableSize, 4, 0, 65535))
        .Add("SearchTimePerSwitch",
             "Time of a member's software for each switch of each breadth-first tree that it "
             "builds to find the root: a tree over all switches for each switch with members. No "
             "paper gives it.",
             Sets::Duration(&InSwitchCollective::m_searchTimePerSwitch))
        .Add("SearchTimePerMember",
             "Time that a member's software takes per member to find the root. No paper gives it.",
             Sets::Duration(&InSwitchCollective::m_searchTimePerMember))
        .Add("Requests",
             "Whether set-up messages are requests: each switch grants or refuses a register, by a "
             "message of equal length to the host's software. False: the group's creator knows "
             "which registers are free.",
             Sets::Flag(&InSwitchCollective::m_requests))
        .Add("RetryInterval",
             "With Requests, minimum time until a refused group asks again. The group waits 1 to 8 "
             "times that long, in an order that depends on its identifier, and longer from "
             "identifier 4 on, so that no two groups collide repeatedly. 0: no retry.",
             Sets::Duration(&InSwitchCollective::m_retryInterval))
        .Add("MaxRetries",
             "How often a refused group asks again before it fails.",
             Sets::Number(&InSwitchCollective::m_maxRetries, 16))
        .Add("KeepAliveInterval",
             "Time between two messages by which the host that set up a register keeps it alive "
             "(CollectiveUnit::Lease) while a member is in a round; between rounds, hosts that are "
             "not cut off keep it alive without messages. 0: no register is kept alive.",
             Sets::Duration(&InSwitchCollective::m_keepAliveInterval))
        .Add("InMemory",
             "At creation, a switch has no free register and a host's memory is used instead; once "
             "for each such switch, with the numbers of switch and host.",
             &InSwitchCollective::m_inMemoryTrace,
             name + "::InMemoryTracedCallback")
        .Add("BackedUp",
             "A register of this group was displaced by another group's, and has arrived in a "
             "host's memory; with the numbers of switch and host.",
             &InSwitchCollective::m_backedUpTrace,
             name + "::InMemoryTracedCallback")
        .Add("Restored",
             "A register of this group that was backed up is in its switch again; with the number "
             "of the switch.",
             &InSwitchCollective::m_restoredTrace,
             name + "::RestoredTracedCallback")
        .Add("Answered",
             "A switch has answered a request for a register; with the switch's number, and "
             "whether it granted the register.",
             &InSwitchCollective::m_answeredTrace,
             name + "::AnsweredTracedCallback");
}

InSwitchCollective::InSwitchCollective() = default;
InSwitchCollective::~InSwitchCollective() = default;

void
InSwitchCollective::DoStop()
{
    m_retry.Cancel();
    m_beat.Cancel();
    if (m_memory)
    {
        m_memory->Stop();
        m_memory = nullptr;
    }
    DropAnnouncement();
}

void
InSwitchCollective::DropAnnouncement()
{
    if (m_announcement)
    {
        m_announcement->TraceDisconnectWithoutContext(
            "Ready",
            MakeCallback(&InSwitchCollective::Announce, this));
        m_announcement->Dispose();
        m_announcement = nullptr;
    }
}

void
InSwitchCollective::DoCreate()
{
    CheckOneMemberAHost("a collective in the switches takes one member per host; or use "
                        "smp[Inner=btin]");
    m_toSwitch = ns3::Create<WormRoute>(WormRoute::Path({0}));
    if (GetNMembers() == 1)
    {
        m_nChanges = 0;
        NotifyReady();
        return;
    }
    WormholeError::ThrowIf(
        m_requests && m_exhaustion == "backup",
        "Exhaustion is backup with Requests, in which nobody knows the registers "
        "that could be moved; expected fail or memory");
    const auto former = TakeFormerTree();
    CompareTrees(former.get());
    m_isReleasing = m_givesBack = false;
    m_refused.clear();
    m_nRetries = 0;
    if (!m_requests)
    {
        CheckRegisters();
    }
    const auto& switches = GetTree().GetSwitches();
    for (const auto& entry : switches)
    {
        const auto lease = GetDomain().GetUnit(entry.node)->GetLease();
        WormholeError::ThrowIf(
            !lease.IsZero() && m_keepAliveInterval >= lease,
            "KeepAliveInterval is " + ExactTime::Print(m_keepAliveInterval) +
                ", but the Lease of " + GetDomain().GetGraph().GetName(entry.node) + " is " +
                ExactTime::Print(lease) + "; expected a shorter interval, or 0 for none");
    }
    const auto searches = std::count_if(switches.begin(), switches.end(), [](const auto& entry) {
        return entry.IsMember();
    });
    m_computeTime = TimeLimit::Add(TimeLimit::Multiply(m_searchTimePerSwitch,
                                                       static_cast<uint64_t>(searches) *
                                                           GetDomain().GetGraph().GetNSwitches()),
                                   TimeLimit::Multiply(m_searchTimePerMember, GetNMembers()));
    DropAnnouncement();
    if (!m_announcedBy.empty())
    {
        const auto cables = GetDomain().GetGraph().GetNSwitchLinks();
        m_announcement = MakeAnnouncement(m_announcedBy,
                                          uint64_t{m_memberSize} * GetNMembers() +
                                              uint64_t{m_cableSize} * cables);
    }
    if (!former)
    {
        m_memory =
            ns3::Create<RegisterMemory>(*this,
                                        m_memoryTime,
                                        GetDomain().GetFabric()->GetFlits(m_setupSize),
                                        MakeCallback(&InSwitchCollective::Take, this),
                                        MakeCallback(&InSwitchCollective::MemoryChanged, this));
    }
    if (!m_requests)
    {
        Reserve();
    }
    StayAlive();
    const bool isAtOnce = !m_announcement && m_computeTime.IsZero();
    m_changesLeft = m_nChanges + (isAtOnce ? 0 : GetNMembers());
    if (m_changesLeft == 0)
    {
        NotifyReady();
        return;
    }
    if (former)
    {
        FreeFormer(*former);
    }
    if (isAtOnce)
    {
        for (const auto entry : m_written)
        {
            ChangeRegister(*entry, CollectiveMessage::SETUP);
        }
        return;
    }
    if (m_announcement)
    {
        m_announcement->TraceConnectWithoutContext(
            "Ready",
            MakeCallback(&InSwitchCollective::Announce, this));
        CreatePart(m_announcement);
        return;
    }
    for (uint32_t rank = 0; rank < GetNMembers(); ++rank)
    {
        Know(rank);
    }
}

void
InSwitchCollective::Know(uint32_t rank)
{
    Simulator::Schedule(GetSoftware(rank).Occupy(m_computeTime),
                        &InSwitchCollective::SetUpBy,
                        Ptr<InSwitchCollective>(this),
                        rank,
                        GetGroup());
}

void
InSwitchCollective::SetUpBy(uint32_t rank, uint16_t group)
{
    if (!m_memory || group != GetGroup())
    {
        return; // disposed of, or failed and changed
    }
    const auto& graph = GetDomain().GetGraph();
    const auto host = graph.HostAt(GetHost(rank));
    const auto own = GetTree().Find(graph.SwitchOf(host).node);
    std::vector<const BarrierTree::SwitchEntry*> entries;
    if (own->representative == host)
    {
        entries.push_back(own);
    }
    for (std::size_t i = 0; i < entries.size(); ++i)
    {
        for (const auto port : entries[i]->childPorts)
        {
            const auto child = GetTree().Find(graph.Peer(entries[i]->node, port).node);
            if (!child->IsMember())
            {
                entries.push_back(child);
            }
        }
    }
    std::sort(entries.begin(), entries.end()); // as the tree has them
    for (const auto entry : entries)
    {
        if (std::find(m_written.begin(), m_written.end(), entry) != m_written.end())
        {
            ChangeRegister(*entry, CollectiveMessage::SETUP);
        }
    }
    CountDown();
}

void
InSwitchCollective::DoRelease()
{
    if (GetNMembers() == 1)
    {
        NotifyReleased();
        return;
    }
    m_isReleasing = true;
    m_changesLeft = static_cast<uint32_t>(GetTree().GetSwitches().size());
    for (const auto& entry : GetTree().GetSwitches())
    {
        ChangeRegister(entry, CollectiveMessage::RELEASE);
    }
}

Ptr<const WormRoute>
InSwitchCollective::GetRouteToKeeper(uint32_t fabricSwitch) const
{
    const auto entry = GetTree().Find(fabricSwitch); // null: a change is about to free it
    return entry && GetKind() == DataKind::BARRIER ? m_memory->GetRouteToHost(*entry) : nullptr;
}

void
InSwitchCollective::RegisterChanged(uint32_t fabricSwitch, CollectiveMessage::Type type)
{
    NS_LOG_FUNCTION(this << fabricSwitch << type);
    if (type == CollectiveMessage::RESTORE)
    {
        m_restoredTrace(fabricSwitch);
        return;
    }
    CountDown();
}

void
InSwitchCollective::MemoryChanged(uint32_t fabricSwitch,
                                  uint32_t host,
                                  CollectiveMessage::Type type)
{
    if (type == CollectiveMessage::SAVE)
    {
        m_backedUpTrace(fabricSwitch, host);
        return;
    }
    CountDown();
}

void
InSwitchCollective::CountDown()
{
    if (--m_changesLeft > 0)
    {
        return;
    }
    if (m_givesBack || !m_refused.empty())
    {
        m_givesBack ? EndGivingBack() : GiveBack();
        return;
    }
    if (m_isReleasing)
    {
        m_memory->Clear();
        NotifyReleased();
        return;
    }
    if (m_announcement)
    {
        // Not at once: its last member may be still on its way out.
        Simulator::ScheduleNow([self = Ptr<InSwitchCollective>(this)] {
            if (self->m_announcement)
            {
                self->m_announcement->Release(); // which frees its identifier
            }
        });
    }
    NotifyReady();
}

bool
InSwitchCollective::NumbersRounds() const
{
    return GetTimeout().IsStrictlyPositive() && m_memory && m_memory->GetPlaces().empty();
}

Time
InSwitchCollective::SendToSwitch(uint32_t rank, CollectiveMessage::Type type, uint64_t value)
{
    auto message = CollectiveMessage::Of(type, GetGroup(), value);
    if (NumbersRounds())
    {
        message.place = static_cast<uint32_t>(GetRound(rank)); // so that a loss is noticed
    }
    return GetSoftware(rank).Send(
        ns3::Create<CollectiveWorm>(message, GetMessageFlits(), m_toSwitch));
}

void
InSwitchCollective::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
{
    const auto carrier = StaticCast<const CollectiveWorm>(std::move(worm));
    if (carrier->GetMessage().stage == CollectiveMessage::TO_MEMORY)
    {
        m_memory->Take(host, carrier->GetMessage());
    }
    else
    {
        const auto software = GetDomain().GetSoftware(host);
        const auto wait = software->OccupyReceive();
        software->InvokeAfter(0, wait, this, &InSwitchCollective::TakeNow, host, carrier);
    }
}

std::vector<std::pair<uint32_t, uint32_t>>
InSwitchCollective::GetInMemory() const
{
    return m_memory ? m_memory->GetPlaces() : std::vector<std::pair<uint32_t, uint32_t>>();
}

NS_OBJECT_ENSURE_REGISTERED(InSwitchBarrier);

void
InSwitchBarrier::DoEnter(uint32_t rank, uint64_t value)
{
    if (GetNMembers() == 1)
    {
        Leave(rank, value);
        return;
    }
    StayAlive();
    if (rank == m_top)
    {
        m_rootCame = true;
        m_rootValue = value;
        TryDistribute();
    }
    else
    {
        SendToSwitch(rank, CollectiveMessage::REDUCTION, value);
    }
}

void
InSwitchBarrier::TryDistribute()
{
    if (!m_rootCame || !m_othersCame)
    {
        return;
    }
    m_rootCame = m_othersCame = false;
    const auto value = CombineValues(m_rootValue, m_othersValue);
    SendToSwitch(m_top, CollectiveMessage::DISTRIBUTION, value);
    Leave(m_top, value);
}

void
InSwitchBarrier::Take(uint32_t host, const CollectiveMessage& message)
{
    if (message.type == CollectiveMessage::REDUCTION)
    {
        m_othersCame = true;
        m_othersValue = message.value;
        TryDistribute();
    }
    else
    {
        Leave(GetRank(host), message.value);
    }
}

NS_OBJECT_ENSURE_REGISTERED(InSwitchBroadcast);

void
InSwitchBroadcast::DoEnter(uint32_t rank, uint64_t value)
{
    if (GetNMembers() > 1)
    {
        StayAlive();
    }
    if (rank != GetRoot())
    {
        m_receivers[rank].waits = true;
        TryLeave(rank);
        return;
    }
    const auto busy =
        GetNMembers() > 1 ? SendToSwitch(rank, CollectiveMessage::DISTRIBUTION, value) : Time(0);
    GetSoftware(rank)
        .InvokeAfter(0, busy, this, &Collective::EndRound, rank, GetRound(rank), value);
}

void
InSwitchBroadcast::Take(uint32_t host, const CollectiveMessage& message)
{
    const auto rank = GetRank(host);
    auto& receiver = m_receivers[rank];
    const auto next = GetRound(rank) + receiver.values.size() + (receiver.waits ? 0 : 1);
    if (NumbersRounds() && message.place != static_cast<uint32_t>(next))
    {
        GetFailures().Fail(rank, {}, "the value of round " + std::to_string(next) + " was lost");
        return;
    }
    receiver.values.push_back(message.value);
    TryLeave(rank);
}

void
InSwitchBroadcast::TryLeave(uint32_t rank)
{
    auto& receiver = m_receivers[rank];
    if (receiver.waits && !receiver.values.empty())
    {
        receiver.waits = false;
        const auto value = receiver.values.front();
        receiver.values.pop_front();
        Leave(rank, value);
    }
}

} // namespace ns3
