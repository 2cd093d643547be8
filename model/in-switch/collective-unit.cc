// SPDX-License-Identifier: GPL-2.0-only

#include "collective-unit.h"

#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/reduction-slots.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-node-state.h"

#include <tuple>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CollectiveUnit");

NS_OBJECT_ENSURE_REGISTERED(CollectiveUnit);

TypeId
CollectiveUnit::GetTypeId()
{
    static TypeId tid =
        NewType::Of<CollectiveUnit, Object>("ns3::CollectiveUnit")
            .Add("Registers",
                 "Number of barrier registers, each for one group at a time.",
                 Sets::Number(&CollectiveUnit::m_nRegisters, 16))
            .Add("Slots",
                 "Number of reduction slots, each for one segment of a vector at a time; groups "
                 "share them.",
                 Sets::Number(&CollectiveUnit::m_nSlots, 256))
            .Add("SlotBytes",
                 "Capacity of a reduction slot in bytes of a vector: the longest segment.",
                 Sets::Number(&CollectiveUnit::m_slotBytes, 32, 1, 1U << 30))
            .Add("CombineRate",
                 "Rate at which segments that reach reduction slots are combined, one after the "
                 "other: a segment of b bytes, including the header, takes 8 b / rate; 0: "
                 "combining is free.",
                 Sets::Rate(&CollectiveUnit::m_combineRate))
            .Add("CombineTime",
                 "Additional time to combine each segment (CombineRate), whatever its length.",
                 Sets::Duration(&CollectiveUnit::m_combineTime))
            .Add("Lease",
                 "How long a group keeps a register while no message of the group (such as those "
                 "of KeepAliveInterval) comes; then the switch frees it. 0: until release.",
                 Sets::Duration(&CollectiveUnit::m_lease))
            .Add("Receive",
                 "A whole message is taken from an input buffer, to be processed; with the message "
                 "and the number of the input port.",
                 &CollectiveUnit::m_receiveTrace,
                 "ns3::CollectiveUnit::MessageTracedCallback")
            .Add("Send",
                 "The unit sends a message, which requests its outputs; fires once for each "
                 "output, with the message and the number of the port.",
                 &CollectiveUnit::m_sendTrace,
                 "ns3::CollectiveUnit::MessageTracedCallback")
            .Add("Taken",
                 "A whole worm is taken out of an input buffer, before its message is processed; "
                 "with the worm and the number of the input port.",
                 &CollectiveUnit::m_takenTrace,
                 "ns3::CollectiveUnit::WormTracedCallback")
            .Add("Expired",
                 "A register is freed because its lease has ended; with the group's identifier.",
                 &CollectiveUnit::m_expiredTrace,
                 "ns3::CollectiveUnit::GroupTracedCallback");
    return tid;
}

CollectiveUnit::CollectiveUnit() = default;

CollectiveUnit::~CollectiveUnit() = default;

void
CollectiveUnit::DoDispose()
{
    m_slots.reset();
    m_leaseCheck.Cancel();
    m_switch = nullptr;
    m_entries.clear();
    m_changed.Nullify();
    Object::DoDispose();
}

uint32_t
CollectiveUnit::GetNFreeSlots() const
{
    return m_slots ? m_slots->GetNFree() : m_nSlots;
}

void
CollectiveUnit::Reserve(uint16_t group)
{
    WormholeError::ThrowIf(GetNFree() == 0,
                           "switch " + m_switch->GetName() +
                               " has no barrier register left for "
                               "group " +
                               std::to_string(group) + "; it has " + std::to_string(m_nRegisters) +
                               " (CollectiveUnit::Registers)");
    m_entries[group];
    NS_LOG_INFO(m_switch->GetName() << " keeps a register for group " << group << "; " << GetNFree()
                                    << " of " << m_nRegisters << " are free");
}

void
CollectiveUnit::ReserveInMemory(uint16_t group, Ptr<const WormRoute> toKeeper)
{
    m_inMemory[group].toKeeper = toKeeper;
    NS_LOG_INFO(m_switch->GetName() << " has no register for group " << group << ": a host "
                                    << toKeeper->GetNChannels() << " links away keeps it");
}

std::vector<uint16_t>
CollectiveUnit::GetLeastRecentlyUsed() const
{
    std::vector<uint16_t> groups;
    for (const auto& [group, entry] : m_entries)
    {
        if (entry.written && !entry.isVictim)
        {
            groups.push_back(group);
        }
    }
    std::stable_sort(groups.begin(), groups.end(), [this](uint16_t a, uint16_t b) {
        return m_entries.at(a).lastUse < m_entries.at(b).lastUse;
    });
    return groups;
}

void
CollectiveUnit::ReserveInPlaceOf(uint16_t group, uint16_t victim, Ptr<const WormRoute> toKeeper)
{
    m_entries.at(victim).isVictim = true;
    auto& entry = m_entries[group];
    entry.victim = victim;
    entry.toKeeper = toKeeper;
    NS_LOG_INFO(m_switch->GetName()
                << " keeps the register of group " << victim << " for group " << group);
}

void
CollectiveUnit::FetchBackup(uint64_t flits)
{
    const auto first =
        std::min_element(m_inMemory.begin(), m_inMemory.end(), [](const auto& a, const auto& b) {
            const auto order = [](const Kept& kept) {
                return std::make_tuple(!kept.isBackup || kept.isLeaving, kept.number);
            };
            return order(a.second) < order(b.second);
        });
    if (GetNFree() == 0 || first == m_inMemory.end() || !first->second.isBackup ||
        first->second.isLeaving)
    {
        return;
    }
    first->second.isLeaving = true;
    m_entries[first->first];
    auto message = CollectiveMessage::Of(CollectiveMessage::FETCH, first->first);
    message.stage = CollectiveMessage::TO_MEMORY;
    message.place = m_number;
    SendBy(first->second.toKeeper, message, flits);
}

void
CollectiveUnit::Free(uint16_t group, uint64_t flits)
{
    m_entries.erase(group);
    for (auto& [other, entry] : m_entries)
    {
        if (entry.toKeeper && entry.victim == group)
        {
            entry.toKeeper = nullptr; // nobody needs to leave any more
        }
    }
    FetchBackup(flits);
}

void
CollectiveUnit::Write(const CollectiveMessage& message, uint64_t flits)
{
    auto found = m_entries.find(message.group);
    if (found == m_entries.end())
    {
        Reserve(message.group);
        found = m_entries.find(message.group);
    }
    auto& entry = found->second;
    if (entry.toKeeper)
    {
        // Displaces the group's victim, which is still here.
        auto backup = m_entries.at(entry.victim).reg.Save(CollectiveMessage::SAVE);
        backup.stage = CollectiveMessage::TO_MEMORY;
        backup.place = m_number;
        m_inMemory[entry.victim] = {entry.toKeeper, true, false, m_nBackups++};
        m_entries.erase(entry.victim);
        SendBy(entry.toKeeper, backup, flits);
        entry.toKeeper = nullptr;
    }
    entry.written = true;
    entry.lastUse = Simulator::Now();
    entry.reg = BarrierRegister(message);
    entry.toParent = Create<WormRoute>(WormRoute::Path({message.parent}));
    const auto children = entry.reg.GetChildren();
    std::vector<std::vector<uint16_t>> stops(1 + children.size());
    stops[0] = children;
    entry.toChildren = Create<WormRoute>(WormRoute::Tree(stops));
    NS_LOG_INFO(m_switch->GetName()
                << ": register of group " << message.group << " is set up, parent "
                << message.parent << ", " << children.size() << " children");
}

void
CollectiveUnit::Answer(const RegisterRequest& request)
{
    auto message = request.GetMessage();
    if (GetNFree() == 0)
    {
        CheckLeases(); // of groups at rest whose hosts have died
    }
    const bool grants = m_entries.count(message.group) > 0 || GetNFree() > 0;
    if (grants)
    {
        Write(message, request.GetFlits());
        Renew(message.group);
    }
    NS_LOG_INFO(m_switch->GetName() << (grants ? " grants" : " refuses") << " group "
                                    << message.group << " a register");
    message.type = grants ? CollectiveMessage::GRANTED : CollectiveMessage::REFUSED;
    message.stage = CollectiveMessage::PLAIN;
    SendBy(request.back, message, request.GetFlits());
}

void
CollectiveUnit::Renew(uint16_t group)
{
    const auto found = m_entries.find(group);
    if (m_lease.IsZero() || found == m_entries.end() || !found->second.written)
    {
        return;
    }
    found->second.renewed = Simulator::Now();
    if (m_leaseCheck.IsExpired()) // else it is due before this lease ends
    {
        m_leaseCheck = Simulator::Schedule(m_lease, &CollectiveUnit::CheckLeases, this);
    }
}

void
CollectiveUnit::CheckLeases()
{
    if (m_lease.IsZero())
    {
        return;
    }
    auto next = Time::Max();
    std::vector<uint16_t> ended;
    for (const auto& [group, entry] : m_entries)
    {
        const auto end = entry.renewed + m_lease;
        if (entry.written && end > Simulator::Now())
        {
            next = std::min(next, end);
        }
        else if (entry.written && !(m_isKept && m_isKept(group)))
        {
            ended.push_back(group);
        }
    }
    for (const auto group : ended)
    {
        NS_LOG_INFO(m_switch->GetName() << ": the lease of group " << group << " has ended");
        m_hasLost = true;
        m_expiredTrace(group);
        Free(group, 1); // a message that fetches another register is short
    }
    if (next < Time::Max() && m_leaseCheck.IsExpired())
    {
        m_leaseCheck =
            Simulator::Schedule(next - Simulator::Now(), &CollectiveUnit::CheckLeases, this);
    }
}

void
CollectiveUnit::SetProgram(uint16_t group, SwitchProgram* program)
{
    if (program)
    {
        m_programs[group] = program;
    }
    else
    {
        m_programs.erase(group);
    }
}

void
CollectiveUnit::SendWorm(Ptr<CollectiveWorm> worm)
{
    for (const auto& branch : worm->GetRoute()->At(0))
    {
        m_sendTrace(worm->GetMessage(), branch.port);
    }
    if (m_activities->IsRecording())
    {
        m_activities->Launch(PeekPointer(worm),
                             m_activities->GetCurrent(),
                             Simulator::Now().GetTimeStep());
    }
    m_switch->Originate(worm);
}

void
CollectiveUnit::Resume()
{
    if (m_slots) // else they were lost meanwhile
    {
        m_slots->Resume();
    }
}

void
CollectiveUnit::Drop(uint16_t group)
{
    m_dropped.insert(group);
    m_programs.erase(group);
    m_inMemory.erase(group);
    if (m_entries.count(group) > 0)
    {
        Free(group, 1); // a message that fetches another register is short
    }
    if (m_slots)
    {
        m_slots->Drop(group);
    }
}

std::string
CollectiveUnit::ExplainAwaited(uint16_t group) const
{
    const auto found = m_entries.find(group);
    auto ports =
        found == m_entries.end() ? std::vector<uint16_t>() : found->second.reg.GetAwaited();
    if (m_slots && ports.empty())
    {
        ports = m_slots->GetAwaited(group);
    }
    std::string text;
    for (const auto port : ports)
    {
        text +=
            (text.empty() ? m_switch->GetName() + " waits for port " : ", ") + std::to_string(port);
    }
    return text;
}

bool
CollectiveUnit::IsLost(const CollectiveMessage& message)
{
    const bool isSlot = message.type == CollectiveMessage::SLOT;
    const bool isHere = isSlot ? m_slots && m_slots->HasGroup(message.group)
                               : m_entries.count(message.group) + m_inMemory.count(message.group) +
                                         m_programs.count(message.group) >
                                     0;
    if (isHere || message.type == CollectiveMessage::SETUP ||
        message.type == CollectiveMessage::RESTORE ||
        message.stage == CollectiveMessage::FROM_MEMORY)
    {
        return false;
    }
    NS_LOG_INFO(m_switch->GetName() << " has lost what is for " << message);
    if (!m_changed.IsNull())
    {
        m_changed(m_number, message.group, message.type);
    }
    return true;
}

void
CollectiveUnit::NotifyDown()
{
    m_hasLost = true;
    NS_LOG_INFO(m_switch->GetName() << " loses " << m_entries.size() << " registers");
    m_entries.clear();
    m_inMemory.clear();
    m_slots.reset();
}

void
CollectiveUnit::ConsumeWorm(Ptr<const Worm> worm, uint32_t port)
{
    if (worm->GetKind() != Worm::COLLECTIVE)
    {
        throw WormholeError("a worm that is no collective message ends in switch " +
                            m_switch->GetName());
    }
    const auto& message = static_cast<const CollectiveWorm&>(*worm).GetMessage();
    NS_LOG_FUNCTION(this << message << port);
    m_takenTrace(worm, port);
    m_receiveTrace(message, port);
    const auto flight =
        m_activities->IsRecording()
            ? m_activities->Land(PeekPointer(worm), worm->GetId(), m_switch->GetName())
            : ActivityRecorder::NONE;
    const ActivityRecorder::Scope scope(*m_activities, flight);
    const bool asksForSlots =
        message.type == CollectiveMessage::SLOT &&
        static_cast<const SlotWorm&>(*worm).GetSlotMessage().kind == SlotMessage::ADMIT;
    if (message.type == CollectiveMessage::KEEP_ALIVE)
    {
        Renew(message.group); // if it has a register: one that is released may be behind it
        return;
    }
    if (m_dropped.count(message.group) > 0 || (m_hasLost && !asksForSlots && IsLost(message)))
    {
        return;
    }
    if (message.type == CollectiveMessage::SLOT)
    {
        if (!m_slots)
        {
            m_slots = std::make_unique<ReductionSlots>(
                m_switch->GetName(),
                m_activities,
                m_nSlots,
                m_combineRate,
                m_combineTime,
                [this](Ptr<SlotWorm> made) { SendWorm(made); },
                [this](Time time) { m_switch->GetNodeState()->ResumeAt(time.GetTimeStep()); });
        }
        m_slots->Take(StaticCast<const SlotWorm>(worm), static_cast<uint16_t>(port));
        return;
    }
    const auto program = m_programs.find(message.group);
    if (program != m_programs.end())
    {
        program->second->ReceiveAtSwitch(m_number, static_cast<uint16_t>(port), message);
        return;
    }
    if (message.stage == CollectiveMessage::REQUESTED && m_inMemory.count(message.group) == 0)
    {
        Answer(static_cast<const RegisterRequest&>(*worm));
        return;
    }
    auto plain = message;
    if (message.stage == CollectiveMessage::RETURNED)
    {
        port = message.parent;
        plain.stage = CollectiveMessage::PLAIN;
    }
    Act(std::move(plain), static_cast<uint16_t>(port), worm->GetFlits());
}

void
CollectiveUnit::Combine(Entry& entry, CollectiveMessage message, uint16_t port, uint64_t flits)
{
    const bool isLast = entry.reg.Arrive(port, message.value);
    const auto cause =
        m_activities->IsRecording()
            ? m_activities->Arrive(this, message.group, m_switch->GetName(), port, isLast)
            : ActivityRecorder::NONE;
    if (isLast)
    {
        const ActivityRecorder::Scope scope(*m_activities, cause);
        message.value = entry.reg.GetResult();
        SendBy(entry.toParent, message, flits);
    }
}

void
CollectiveUnit::Act(CollectiveMessage message, uint16_t port, uint64_t flits)
{
    if (message.stage == CollectiveMessage::FROM_MEMORY)
    {
        const auto ports = BarrierRegister(message).GetChildren();
        message.stage = CollectiveMessage::PLAIN;
        Send(message, ports, flits);
        return;
    }
    if (message.type == CollectiveMessage::RESTORE)
    {
        m_inMemory.erase(message.group);
    }
    const auto inMemory = m_inMemory.find(message.group);
    if (inMemory != m_inMemory.end())
    {
        message.stage = CollectiveMessage::TO_MEMORY;
        message.place = m_number;
        if (message.type != CollectiveMessage::SETUP)
        {
            message.parent = port;
        }
        // One that is released is not fetched any more.
        inMemory->second.isLeaving |= message.type == CollectiveMessage::RELEASE;
        SendBy(inMemory->second.toKeeper, message, flits);
        return;
    }
    if (message.type == CollectiveMessage::SETUP || message.type == CollectiveMessage::RESTORE)
    {
        Write(message, flits);
    }
    const auto found = m_entries.find(message.group);
    if (found == m_entries.end() || !found->second.written)
    {
        throw WormholeError("a message of group " + std::to_string(message.group) +
                            " came to switch " + m_switch->GetName() +
                            ", which has no register set up for it");
    }
    auto& entry = found->second;
    entry.lastUse = Simulator::Now();
    if (message.type != CollectiveMessage::RELEASE)
    {
        Renew(message.group);
    }
    switch (message.type)
    {
    case CollectiveMessage::REDUCTION:
        Combine(entry, std::move(message), port, flits);
        return;
    case CollectiveMessage::DISTRIBUTION:
        if (port == entry.reg.GetParent())
        {
            SendBy(entry.toChildren, message, flits);
        }
        else
        {
            Send(message, entry.reg.GetOthers(port), flits);
        }
        return;
    case CollectiveMessage::RELEASE:
        Free(message.group, flits);
        break;
    default:
        break;
    }
    if (!m_changed.IsNull())
    {
        m_changed(m_number, message.group, message.type);
    }
}

} // namespace ns3
