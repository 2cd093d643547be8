// SPDX-License-Identifier: GPL-2.0-only

// How a group's members change between its rounds.

#include "ns3/group-failures.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("GroupChange");

void
Collective::CheckHost(const CollectiveDomain& domain, uint32_t host)
{
    const auto nHosts = domain.GetNHosts();
    if (host >= nHosts)
    {
        const auto first = domain.FindFirstInterface(host);
        throw WormholeError("member " + std::to_string(host) +
                            (first < nHosts
                                 ? " is a further interface of " + domain.GetHostName(first)
                                 : " is no host") +
                            "; hosts are 0 to " + std::to_string(nHosts - 1));
    }
}

void
Collective::SetUp()
{
    MeasureParts();
    m_failures.reset();
    m_isCut = false;
    if (m_timeout.IsStrictlyPositive() || m_domain->UsesHeartbeats())
    {
        GetFailures().StartTimer();
    }
    DoCreate();
}

void
Collective::AskChange(const std::vector<uint32_t>& joining,
                      const std::set<uint32_t>& leaving,
                      int32_t treeRoot)
{
    const auto who = "group " + std::to_string(m_group);
    WormholeError::ThrowIf((m_state == NONE || m_state == RELEASED) && !m_change,
                           who + " changes, but does not exist (any more); expected a change "
                                 "between Create and Release");
    for (const auto host : joining)
    {
        CheckHost(*m_domain, host);
    }
    auto change = m_change ? *m_change : Change{{}, {}, Simulator::Now()};
    change.joining.insert(change.joining.end(), joining.begin(), joining.end());
    change.leaving.insert(leaving.begin(), leaving.end());
    change.treeRoot = treeRoot < 0 ? change.treeRoot : treeRoot;
    WormholeError::ThrowIf(change.leaving.size() == GetNMembers() && change.joining.empty(),
                           who + " loses all its " + std::to_string(GetNMembers()) +
                               " members; expected one that stays, or Release");
    m_change = std::make_unique<Change>(change);
    Simulator::ScheduleNow(&Collective::TryChange, Ptr<Collective>(this));
}

void
Collective::Leave(uint32_t rank)
{
    WormholeError::ThrowIf(
        rank >= GetNMembers() || (m_change && m_change->leaving.count(rank) > 0),

        "group " + std::to_string(m_group) + ", rank " + std::to_string(rank) +
            " leaves the group, but is no member (any more); expected ranks up to " +
            std::to_string(int64_t{GetNMembers()} - 1) + ", each once");
    AskChange({}, {rank});
}

void
Collective::Move(uint32_t host)
{
    WormholeError::ThrowIf(!HasMemberAt(host),
                           "group " + std::to_string(m_group) + " moves to host " +
                               std::to_string(host) + ", which has no member; expected one of " +
                               std::to_string(GetNMembers()) + " members' hosts");
    WormholeError::ThrowIf(m_domain->IsIdeal(), "there is no barrier tree on an ideal network");
    AskChange({}, {}, static_cast<int32_t>(host));
}

void
Collective::Shrink(const std::vector<uint32_t>& dead)
{
    auto hosts = FindMissing();
    hosts.insert(dead.begin(), dead.end());
    std::set<uint32_t> leaving;
    for (uint32_t rank = 0; rank < GetNMembers(); ++rank)
    {
        if (hosts.count(GetHost(rank)) > 0)
        {
            leaving.insert(rank);
        }
    }
    AskChange({}, leaving);
}

std::set<uint32_t>
Collective::FindMissing() const
{
    std::set<uint32_t> hosts;
    for (uint32_t rank = 0; rank < GetNMembers(); ++rank)
    {
        const auto missing = GetMissing(rank);
        hosts.insert(missing.begin(), missing.end());
    }
    return hosts;
}

uint64_t
Collective::GetLastRound() const
{
    const auto last = std::max_element(m_members.begin(), m_members.end(), [](auto& a, auto& b) {
        return a.round < b.round;
    });
    return last == m_members.end() ? 0 : last->round;
}

void
Collective::TryChange()
{
    const bool hasFailed = HasFailed();
    const auto mayBegin = [this, hasFailed] {
        return m_change && !m_change->hasBegun && m_domain &&
               (hasFailed ? m_state == READY || m_state == CREATING
                          : m_state == READY && m_nInside == 0 && HasEvenRounds());
    };
    if (!mayBegin())
    {
        return;
    }
    const Ptr<Collective> self(this);
    if (hasFailed)
    {
        const auto missing = FindMissing();
        m_failures->FailAll({missing.begin(), missing.end()}, "the group changes");
        if (m_nInside > 0 || !mayBegin())
        {
            // Who has entered since the group failed is told at this instant, and EndFailed calls
            // this again; or who was told has released it.
            return;
        }
    }
    NS_LOG_INFO("group " << m_group << " changes after round " << GetLastRound());
    const bool isClean = m_state == READY && !m_isCut;
    m_change->hasBegun = true;
    m_change->keepsTree = isClean &&
                          GetNMembers() + m_change->joining.size() > m_change->leaving.size() + 1 &&
                          CanKeepTree();
    m_state = RELEASED;
    m_since = Simulator::Now();
    if (m_change->keepsTree)
    {
        Renew();
    }
    else if (hasFailed)
    {
        Drop();
        Simulator::ScheduleNow(&Collective::Renew, Ptr<Collective>(this));
    }
    else
    {
        if (m_failures)
        {
            m_failures->StartTimer();
        }
        DoRelease();
    }
}

void
Collective::Renew()
{
    if (!m_domain || !m_change)
    {
        return; // disposed of
    }
    const auto change = std::move(m_change);
    const auto round = GetLastRound();
    if (m_formerHosts.empty()) // else the last change has never ended
    {
        m_formerHosts = GetHosts();
        m_changeSince = change->since;
    }
    std::vector<Member> members;
    std::vector<LeaveCallback> callbacks;
    int64_t root = 0;
    for (uint32_t rank = 0; rank < GetNMembers(); ++rank)
    {
        if (change->leaving.count(rank) == 0)
        {
            root += rank < m_rootRank;
            members.push_back(m_members[rank]);
            callbacks.push_back(rank < m_leaveCallbacks.size() ? m_leaveCallbacks[rank]
                                                               : LeaveCallback());
        }
    }
    for (const auto host : change->joining)
    {
        members.emplace_back();
        members.back().host = host;
    }
    for (auto& member : members)
    {
        member.round = round;
    }
    if (m_rootRank >= 0)
    {
        m_rootRank = root < static_cast<int64_t>(members.size()) ? root : 0;
    }
    m_leaveCallbacks.swap(callbacks);
    m_formerTree = change->keepsTree ? std::move(m_tree) : nullptr;
    SetMembers(std::move(members));
    m_treeRoot = change->treeRoot < 0 ? m_treeRoot : change->treeRoot;
    m_treeRoot = HasMemberAt(m_treeRoot) ? m_treeRoot : -1; // its host may have left
    if (!change->keepsTree)
    {
        m_group = m_domain->Join(this, m_groupIdBits);
    }
    m_state = CREATING;
    try
    {
        SetUp();
    }
    catch (const WormholeError& error)
    {
        GetFailures().FailAll({}, error.what());
    }
}

} // namespace ns3
