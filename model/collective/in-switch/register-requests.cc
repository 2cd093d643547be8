// SPDX-License-Identifier: GPL-2.0-only

// How a group asks switches for registers, gives back what it got in vain, and renews its leases.

#include "ns3/group-failures.h"
#include "ns3/in-switch-collectives.h"
#include "ns3/register-memory.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <utility>

namespace ns3
{

void
InSwitchCollective::TakeAnswer(const CollectiveMessage& answer)
{
    if (!m_memory)
    {
        return; // aborted
    }
    const bool grants = answer.type == CollectiveMessage::GRANTED;
    m_answeredTrace(answer.place, grants);
    StayAlive();
    if (grants || m_exhaustion == "fail")
    {
        if (!grants)
        {
            m_refused.insert(answer.place);
        }
        CountDown();
        return;
    }
    const auto& entry = *GetTree().Find(answer.place);
    m_inMemoryTrace(entry.node, m_memory->Hold(entry));
    ChangeRegister(entry, CollectiveMessage::SETUP); // which counts in place of the answer
}

void
InSwitchCollective::GiveBack()
{
    m_givesBack = true;
    m_changesLeft = 1; // this
    for (const auto& entry : GetTree().GetSwitches())
    {
        if (m_refused.count(entry.node) == 0)
        {
            ++m_changesLeft;
            ChangeRegister(entry, CollectiveMessage::RELEASE);
        }
    }
    CountDown();
}

void
InSwitchCollective::EndGivingBack()
{
    m_givesBack = false;
    const auto refused = std::exchange(m_refused, {});
    if (m_retryInterval.IsZero() || m_nRetries == m_maxRetries || HasFailed())
    {
        GetFailures().FailAll({}, ExplainExhaustion(refused));
        return;
    }
    // Other waits for each group and time: no two groups, whatever their intervals, meet for ever.
    constexpr uint64_t MOST = 8;
    const auto step = 2 * uint64_t{GetGroup()} + 1;
    const auto turns = 1 + ++m_nRetries * step % MOST + step / MOST;
    m_retry = Simulator::Schedule(TimeLimit::Multiply(m_retryInterval, turns),
                                  &InSwitchCollective::AskAgain,
                                  Ptr<InSwitchCollective>(this),
                                  GetGroup());
}

void
InSwitchCollective::AskAgain(uint16_t group)
{
    if (!m_memory || group != GetGroup() || HasFailed())
    {
        return;
    }
    CompareTrees(nullptr); // it holds nothing any more
    m_changesLeft = m_nChanges;
    for (const auto entry : m_written)
    {
        ChangeRegister(*entry, CollectiveMessage::SETUP);
    }
}

// Keep-alives go on while a member is in a round, as heartbeats do, and not for ever if it never
// leaves: a simulation of which nothing else is left ends. A group that sends none is at rest, and
// its registers are kept as if it did.

void
InSwitchCollective::StayAlive()
{
    if (m_keepAliveInterval.IsZero())
    {
        return;
    }
    m_lastSign = Simulator::Now();
    if (!m_beat.IsExpired())
    {
        return;
    }
    for (const auto& entry : GetTree().GetSwitches())
    {
        if (!GetDomain().IsCutOff(GetInstaller(entry)))
        {
            GetDomain().GetUnit(entry.node)->Renew(GetGroup()); // until now
        }
    }
    if (IsReady())
    {
        Beat();
        return;
    }
    m_beat = Simulator::Schedule(m_keepAliveInterval, &InSwitchCollective::Beat, this);
}

void
InSwitchCollective::Beat()
{
    constexpr uint64_t MOST = 100; // intervals in which nothing else happens
    const bool isAtRest =
        (IsReady() && !HasMembersInside()) || HasFailed() || IsReleasing() ||
        Simulator::Now() - m_lastSign > TimeLimit::Multiply(m_keepAliveInterval, MOST);
    if (!m_memory || isAtRest)
    {
        return;
    }
    m_beat = Simulator::Schedule(m_keepAliveInterval, &InSwitchCollective::Beat, this);
    const auto message = CollectiveMessage::Of(CollectiveMessage::KEEP_ALIVE, GetGroup());
    const auto flits = GetDomain().GetFabric()->GetFlits(m_setupSize);
    for (const auto& entry : GetTree().GetSwitches())
    {
        const auto host = GetInstaller(entry);
        const auto route = GetDomain().GetRouteToSwitch(host, entry.node);
        GetDomain().GetSoftware(host)->HandOver(ns3::Create<CollectiveWorm>(message, flits, route),
                                                Simulator::Now());
    }
}

bool
InSwitchCollective::IsKept(uint32_t fabricSwitch) const
{
    const bool isAtRest = !m_keepAliveInterval.IsZero() && m_beat.IsExpired();
    if (!isAtRest || !m_memory || HasFailed() || IsReleasing())
    {
        return false;
    }
    const auto entry = GetTree().Find(fabricSwitch);
    return entry && !GetDomain().IsCutOff(GetInstaller(*entry));
}

} // namespace ns3
