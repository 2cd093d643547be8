// SPDX-License-Identifier: GPL-2.0-only

#include "group-failures.h"

#include "ns3/log.h"
#include "ns3/ordering.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-host-software.h"

#include <iterator>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("GroupFailures");

GroupFailures::GroupFailures(Collective& group)
    : m_group(group),
      m_members(group.GetNMembers())
{
    const auto first =
        NumbersWith(m_members.size(), [&](uint32_t rank) { return group.GetTask(rank) == 0; });
    m_ring = MadeOf(first, [&](uint32_t rank) { return group.GetHost(rank); });
    m_heard.resize(m_ring.size());
}

void
GroupFailures::Stop()
{
    m_isStopped = true;
    m_beat.Cancel();
    m_timeout.Cancel();
    for (auto& member : m_members)
    {
        member.timeout.Cancel();
    }
}

void
GroupFailures::StartTimer()
{
    if (const auto& timeout = m_group.GetTimeout(); timeout.IsStrictlyPositive())
    {
        m_timeout.Remove();
        m_timeout = Simulator::Schedule(timeout, [this] {
            if (!m_group.IsReady())
            {
                FailAll({}, "messages were lost");
            }
        });
    }
}

bool
GroupFailures::Enter(uint32_t rank)
{
    auto& member = m_members[rank];
    if (member.hasFailed)
    {
        // Not at once: whoever enters again and again would never end.
        member.timeout = Simulator::ScheduleNow([this, rank] {
            const Ptr<Collective> keeper(&m_group);
            m_group.EndFailed(rank);
            Tell(rank);
        });
        return false;
    }
    if (const auto& timeout = m_group.GetTimeout(); timeout.IsStrictlyPositive())
    {
        member.timeout = Simulator::Schedule(timeout, &GroupFailures::TimeOut, this, rank);
    }
    if (m_beat.IsExpired() && m_ring.size() > 1 && m_group.GetDomain().UsesHeartbeats())
    {
        std::fill(m_heard.begin(), m_heard.end(), Simulator::Now());
        Beat();
    }
    return true;
}

void
GroupFailures::TimeOut(uint32_t rank)
{
    const auto [hosts, reason] = m_group.FindAwaited(rank);
    Fail(rank,
         hosts,
         "time-out of " + ExactTime::Print(m_group.GetTimeout()) +
             (reason.empty() ? "" : ": " + reason));
}

void
GroupFailures::Fail(uint32_t rank, const std::vector<uint32_t>& hosts, const std::string& reason)
{
    if (m_isStopped)
    {
        return;
    }
    const Ptr<Collective> keeper(&m_group);
    auto& member = m_members[rank];
    std::vector<uint32_t> missing;
    std::set_union(member.missing.begin(),
                   member.missing.end(),
                   hosts.begin(),
                   hosts.end(),
                   std::back_inserter(missing));
    member.missing = std::move(missing);
    if (member.hasFailed)
    {
        return;
    }
    NS_LOG_INFO("rank " << rank << " of group " << m_group.GetGroup() << " fails: " << reason);
    m_hasFailed = member.hasFailed = true;
    member.reason = reason;
    member.timeout.Remove();
    if (m_group.EndFailed(rank) || !m_group.IsReady())
    {
        Tell(rank);
    }
}

void
GroupFailures::Tell(uint32_t rank)
{
    const auto& member = m_members[rank];
    const bool isHeard = !m_group.m_failedTrace.IsEmpty();
    m_group.m_domain->m_failedTrace(m_group.m_group, rank, member.missing, member.reason);
    m_group.m_failedTrace(rank, member.missing, member.reason);
    if (isHeard)
    {
        return;
    }
    std::string names;
    for (const auto host : member.missing)
    {
        names += (names.empty() ? " without " : ", ") + NameHost(host);
    }
    throw WormholeError("group " + std::to_string(m_group.GetGroup()) + " fails at " +
                        NameHost(m_group.GetHost(rank)) + names + ": " + member.reason);
}

void
GroupFailures::FailAt(uint32_t at, const std::vector<uint32_t>& hosts, const std::string& reason)
{
    const Ptr<Collective> keeper(&m_group);
    for (uint32_t rank = 0; rank < m_members.size(); ++rank)
    {
        if (m_group.GetHost(rank) == at)
        {
            Fail(rank, hosts, reason);
        }
    }
}

void
GroupFailures::FailAll(const std::vector<uint32_t>& hosts, const std::string& reason)
{
    const Ptr<Collective> keeper(&m_group);
    if (m_group.IsReleasing())
    {
        m_group.Abort();
        return;
    }
    for (uint32_t rank = 0; rank < m_members.size(); ++rank)
    {
        Fail(rank, hosts, reason);
    }
}

void
GroupFailures::NotifyDead(const std::vector<uint32_t>& hosts)
{
    const auto dead = ThoseOf(hosts, [this](uint32_t host) { return IsMember(host); });
    if (!dead.empty())
    {
        FailAll(dead, "the fabric reports an outage");
    }
}

void
GroupFailures::Suspect(uint32_t by, uint32_t host, const std::string& reason)
{
    if (!IsMember(by) || !IsMember(host))
    {
        return; // a message from before the group changed
    }
    if (m_group.IsReady() && !m_members[m_group.GetRank(by)].hasFailed)
    {
        for (const auto other : m_ring)
        {
            if (other != by && other != host)
            {
                Send(by, other, uint64_t{host} + 1);
            }
        }
    }
    FailAt(by, {host}, reason);
}

void
GroupFailures::Receive(uint32_t host, const HostMessage& notice)
{
    if (!notice.IsHeartbeat())
    {
        const auto dead = static_cast<uint32_t>(notice.value - 1);
        FailAt(host, {dead}, "another member found " + NameHost(dead) + " dead");
        return;
    }
    const auto place = std::find(m_ring.begin(), m_ring.end(), host) - m_ring.begin();
    if (static_cast<std::size_t>(place) < m_ring.size()) // else it was a member before a change
    {
        m_heard[static_cast<std::size_t>(place)] = Simulator::Now();
    }
}

void
GroupFailures::Beat()
{
    if (!m_group.HasMembersInside())
    {
        return;
    }
    const auto& domain = m_group.GetDomain();
    m_beat = Simulator::Schedule(domain.m_heartbeatInterval, &GroupFailures::Beat, this);
    const auto delay = domain.m_failureDelay;
    const Ptr<Collective> keeper(&m_group);
    for (std::size_t place = 0; place < m_ring.size() && !m_isStopped; ++place)
    {
        const auto before = m_ring[(place + m_ring.size() - 1) % m_ring.size()];
        Send(m_ring[place], m_ring[(place + 1) % m_ring.size()], 0);
        if (Simulator::Now() - m_heard[place] > delay)
        {
            Suspect(m_ring[place],
                    before,
                    "no heartbeat of " + NameHost(before) + " for " + ExactTime::Print(delay));
        }
    }
}

void
GroupFailures::Send(uint32_t from, uint32_t to, uint64_t value)
{
    constexpr uint64_t BYTES = 8; // group, kind and number of a host
    const auto& domain = m_group.GetDomain();
    HostSoftware::Outgoing outgoing{{},
                                    0,
                                    domain.GetFabric()->GetRouter()->GetRoute(from, to),
                                    0,
                                    to,
                                    {}};
    outgoing.message.group = m_group.GetGroup();
    outgoing.message.from = m_group.GetRank(from);
    outgoing.message.to = m_group.GetRank(to);
    outgoing.message.phase = HostMessage::NOTICE;
    outgoing.message.value = value;
    outgoing.message.bytes = BYTES;
    domain.GetSoftware(from)->HandOverMessage(std::move(outgoing), Simulator::Now());
}

std::string
GroupFailures::NameHost(uint32_t host) const
{
    return m_group.GetDomain().GetHostName(host);
}

// What a group itself knows of its failures.

std::pair<std::vector<uint32_t>, std::string>
Collective::FindAwaited(uint32_t rank) const
{
    std::set<uint32_t> hosts;
    for (const auto& member : m_members)
    {
        if (member.round < m_members[rank].round)
        {
            hosts.insert(member.host);
        }
    }
    std::string text;
    if (HoldsRegisters())
    {
        for (const auto& entry : GetTree().GetSwitches())
        {
            const auto awaited = m_domain->GetUnit(entry.node)->ExplainAwaited(m_group);
            text += (text.empty() || awaited.empty() ? "" : "; ") + awaited;
        }
    }
    return {{hosts.begin(), hosts.end()}, text};
}

void
Collective::Drop()
{
    m_nPendingParts = m_parts.size() + 1; // none counts any more
    for (const auto& part : m_parts)
    {
        if (part->m_state != NONE)
        {
            part->Abort();
        }
    }
    DoStop();
    if (m_failures)
    {
        m_failures->Stop();
    }
    m_domain->Drop(m_group);
}

void
Collective::Abort()
{
    const Ptr<Collective> self(this);
    Drop();
    m_state = NONE;
    if (m_change && m_change->hasBegun)
    {
        Simulator::ScheduleNow(&Collective::Renew, Ptr<Collective>(this));
        return;
    }
    m_change.reset();
    m_formerHosts.clear();
    m_releasedTrace(Simulator::Now() - m_since);
    Simulator::ScheduleNow([self] {}); // those who called this still use it
}

bool
Collective::EndFailed(uint32_t rank)
{
    m_isCut = m_isCut || m_members[rank].inside;
    if (m_change)
    {
        Simulator::ScheduleNow(&Collective::TryChange, Ptr<Collective>(this));
    }
    m_nInside -= m_members[rank].inside;
    return std::exchange(m_members[rank].inside, false);
}

void
Collective::PartFailed(Collective* whole,
                       Collective* part,
                       uint32_t rank,
                       const std::vector<uint32_t>& hosts,
                       const std::string& reason)
{
    whole->GetFailures().FailAt(part->GetHost(rank), hosts, reason);
}

} // namespace ns3
