// SPDX-License-Identifier: GPL-2.0-only

#include "group-agreement.h"

#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("GroupAgreement");

NS_OBJECT_ENSURE_REGISTERED(GroupAgreement);

namespace
{

// What a contribution tells besides flags, in its lowest bits. Combined by AND, COMPLETE says that
// all have completed the first round. Agreements are numbered, and members at most one apart:
// neither EVEN nor ODD says that they are not all in the same. Stamps, each with its complement,
// are equal if one bit of each pair is left.
constexpr uint64_t COMPLETE = 1;
constexpr uint64_t EVEN = 2;
constexpr uint64_t ODD = 4;
constexpr uint32_t STAMP_SHIFT = 3;
constexpr uint32_t STAMP_BITS = 8;
constexpr uint64_t STAMPS = (1 << STAMP_BITS) - 1;
constexpr uint32_t STATE_BITS = STAMP_SHIFT + 2 * STAMP_BITS;

} // namespace

TypeId
GroupAgreement::GetTypeId()
{
    static TypeId tid =
        NewType::Of<GroupAgreement, Object>("ns3::GroupAgreement")
            .Add("Attempts",
                 "How often the group may shrink (or restart, if only messages were lost) before "
                 "any member has agreed; one more failure ends the run with an error.",
                 Sets::Number(&GroupAgreement::m_attempts, 100, 1))
            .Add("Agreed",
                 "A member leaves an agreement; with its rank, the AND of all flags, and the hosts "
                 "that have left.",
                 &GroupAgreement::m_agreedTrace,
                 "ns3::GroupAgreement::AgreedTracedCallback");
    return tid;
}

void
GroupAgreement::Check(const Collective& group)
{
    UintegerValue width;
    group.GetAttribute("WidthBits", width);
    StringValue operation;
    group.GetAttribute("Operation", operation);
    WormholeError::ThrowIf(group.MovesData() || group.GetKind() != DataKind::BARRIER ||
                               ParseCollectiveOperation(operation.Get()) !=
                                   CollectiveOperation::AND ||
                               width.Get() <= STATE_BITS,
                           "an agreement by " + group.GetInstanceTypeId().GetName() + ", " +
                               std::to_string(width.Get()) + " bits wide, by " + operation.Get() +
                               "; expected a barrier with Operation AND and WidthBits of " +
                               std::to_string(STATE_BITS + 1) + " to 64");
    m_maxFlags = (~uint64_t{0} >> (64 - width.Get())) >> STATE_BITS;
}

void
GroupAgreement::Attach(Ptr<Collective> group)
{
    WormholeError::ThrowIf(m_group || !group, "an agreement is attached to one group, once");
    Check(*group);
    m_group = group;
    const Ptr<GroupAgreement> self(this);
    group->TraceConnectWithoutContext("Leave", MakeCallback(&GroupAgreement::OnLeave, self));
    group->TraceConnectWithoutContext("Failed", MakeCallback(&GroupAgreement::OnFailed, self));
    group->TraceConnectWithoutContext("Ready", MakeCallback(&GroupAgreement::OnReady, self));
    group->TraceConnectWithoutContext("Released", MakeCallback(&GroupAgreement::OnReleased, self));
    Simulator::ScheduleDestroy(&GroupAgreement::Dispose, self); // they keep each other
}

GroupAgreement::Member&
GroupAgreement::FindMember(uint32_t rank)
{
    WormholeError::ThrowIf(!m_group || rank >= m_group->GetNMembers(),
                           "rank " + std::to_string(rank) +
                               " is no member (any more) of an agreement's group");
    FollowGroup();
    return m_members[rank];
}

void
GroupAgreement::Enter(uint32_t rank, uint64_t flags)
{
    auto& member = FindMember(rank);
    WormholeError::ThrowIf(
        member.isInside || flags > m_maxFlags,
        "rank " + std::to_string(rank) + " enters an agreement " +
            (member.isInside ? "that it is in"
                             : "with flags " + std::to_string(flags) + "; expected at most " +
                                   std::to_string(m_maxFlags) + ", " + std::to_string(STATE_BITS) +
                                   " bits less than WidthBits"));
    member.isInside = true;
    member.isComplete = false;
    member.stamp.reset();
    member.flags = flags;
    Contribute(rank);
}

void
GroupAgreement::Contribute(uint32_t rank)
{
    auto& member = m_members[rank];
    if (member.isInRound || !m_group->MayEnter(rank))
    {
        return;
    }
    member.isAnswering = !member.isInside;
    const auto number = member.isAnswering ? member.number - 1 : member.number;
    member.isInRound = true;
    const auto stamps = member.stamp ? *member.stamp | (~*member.stamp & STAMPS) << STAMP_BITS
                                     : STAMPS | STAMPS << STAMP_BITS;
    m_group->Enter(rank,
                   member.flags << STATE_BITS | stamps << STAMP_SHIFT |
                       (number % 2 > 0 ? ODD : EVEN) | (member.isComplete ? COMPLETE : 0));
}

void
GroupAgreement::OnLeave(uint32_t rank, uint64_t result)
{
    if (!m_group)
    {
        return;
    }
    auto& member = m_members[rank];
    member.isInRound = false;
    if (member.isAnswering)
    {
        member.isAnswering = false;
        if (member.isInside) // it has entered meanwhile
        {
            Contribute(rank);
        }
        return;
    }
    const bool isSame = (result & (EVEN | ODD)) > 0;
    const auto stamps = result >> STAMP_SHIFT;
    const bool haveOneStamp = ((stamps | stamps >> STAMP_BITS) & STAMPS) == STAMPS;
    if (member.isComplete && (!isSame || ((result & COMPLETE) && haveOneStamp)))
    {
        // Others have left this agreement, or may now: all have the same result.
        member.isInside = false;
        ++member.number;
        m_nAttempts = 0;
        m_agreedTrace(rank,
                      member.result,
                      {m_gone.begin(), m_gone.begin() + static_cast<std::ptrdiff_t>(member.nGone)});
        return;
    }
    if (isSame)
    {
        member.isComplete = true;
        member.result = result >> STATE_BITS;
        member.nGone = m_gone.size();
        member.stamp = m_nReady & STAMPS;
    }
    Contribute(rank);
}

void
GroupAgreement::OnFailed(uint32_t rank, const std::vector<uint32_t>&, const std::string& reason)
{
    NS_LOG_INFO("rank " << rank << " fails: " << reason);
    if (!m_group)
    {
        return;
    }
    FollowGroup();
    m_members[rank].isInRound = false;
    if (m_isRepairing || m_group->IsReleasing())
    {
        return;
    }
    WormholeError::ThrowIf(++m_nAttempts > m_attempts,
                           "an agreement has failed more than " + std::to_string(m_attempts) +
                               " times in a row (GroupAgreement::Attempts): " + reason);
    m_isRepairing = true;
    Simulator::ScheduleNow(&GroupAgreement::Repair, Ptr<GroupAgreement>(this));
}

void
GroupAgreement::FollowGroup()
{
    const auto hosts = m_group->GetHosts();
    if (hosts == m_hosts)
    {
        return;
    }
    Check(*m_group);
    // Members that stay keep their order, and new ones come last.
    std::vector<Member> members;
    for (std::size_t rank = 0; rank < m_hosts.size(); ++rank)
    {
        if (members.size() < hosts.size() && hosts[members.size()] == m_hosts[rank])
        {
            members.push_back(m_members[rank]);
            members.back().isInRound = false;
        }
        else if (std::find(m_gone.begin(), m_gone.end(), m_hosts[rank]) == m_gone.end())
        {
            m_gone.push_back(m_hosts[rank]);
        }
    }
    Member joined;
    joined.isComplete = true; // it has no part in the agreement before
    joined.flags = m_maxFlags;
    for (const auto& member : members)
    {
        if (member.isInside && hosts.size() > members.size())
        {
            throw WormholeError("host " + std::to_string(hosts[members.size()]) +
                                " joins a group while members agree; expected a time when none is "
                                "in an agreement");
        }
        joined.number = std::max(joined.number, member.number);
    }
    members.resize(hosts.size(), joined);
    m_members.swap(members);
    m_hosts = hosts;
}

void
GroupAgreement::OnReady(Time)
{
    if (!m_group)
    {
        return;
    }
    FollowGroup();
    ++m_nReady;
    for (uint32_t rank = 0; m_group && rank < m_members.size(); ++rank)
    {
        if (m_members[rank].isInside || m_members[rank].number > 0)
        {
            Contribute(rank);
        }
    }
}

} // namespace ns3
