// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-activity-recorder.h"

#include "wormhole-exact-time.h"

namespace ns3
{

void
ActivityRecorder::Stop()
{
    if (--m_nUsers == 0)
    {
        Clear();
        m_groups.clear();
        m_names.clear();
    }
}

void
ActivityRecorder::Clear()
{
    m_first += static_cast<Id>(m_activities.size() - 1);
    m_activities.resize(1);
    m_last.clear();
    m_passed.clear();
    m_arrived.clear();
    m_current = NONE;
    m_flights.clear();
    m_rounds.clear();
    m_entryOf.clear();
}

ActivityRecorder::Id
ActivityRecorder::AddCosts(const LatencyCosts& costs,
                           int64_t from,
                           Id before,
                           const std::string& place)
{
    for (const auto& [cause, time] : costs)
    {
        const auto end = from + time.GetTimeStep();
        before = Add({from, end, cause, before, place});
        from = end;
    }
    return before;
}

ActivityRecorder::Id
ActivityRecorder::PassInterface(const Process& interface,
                                const std::string& place,
                                const std::string& message,
                                Id cause,
                                Time wait,
                                Time duration)
{
    auto& last = m_passed[interface];
    const auto busy = (wait - duration).GetTimeStep();
    const auto from = Simulator::Now().GetTimeStep();
    if (busy > 0)
    {
        cause = Add({from, from + busy, LatencyCause::INTERFACE_BUSY, cause, place, last});
    }
    last = message;
    return AddCosts({LatencyCause::INTERFACE, duration}, from + busy, cause, place);
}

Ptr<EventImpl>
ActivityRecorder::Carry(Id id, Ptr<EventImpl> event)
{
    const auto carry = [self = Ptr<ActivityRecorder>(this), id, event = std::move(event)] {
        const Scope scope(*self, id);
        event->Invoke();
    };
    return {MakeEvent(carry), false};
}

ActivityRecorder::Id
ActivityRecorder::Arrive(const void* holder,
                         uint64_t key,
                         const std::string& place,
                         uint32_t port,
                         bool isLast)
{
    const auto now = Simulator::Now().GetTimeStep();
    const auto [found, isFirst] = m_arrived.insert({{holder, key}, now});
    const auto before = std::exchange(found->second, now);
    if (!isLast)
    {
        return m_current;
    }
    m_arrived.erase(found);
    if (isFirst)
    {
        return m_current; // the only one
    }
    return Add({now,
                now,
                LatencyCause::REGISTER,
                m_current,
                place + ":" + std::to_string(port),
                "came " + ExactTime::Print(TimeStep(now - before)) + " after the others"});
}

std::string
ActivityRecorder::GetGroupName(uint16_t group) const
{
    if (const auto named = m_names.find(group); named != m_names.end())
    {
        return named->second;
    }
    const auto found = m_groups.find(group);
    return found == m_groups.end() ? "" : found->second;
}

} // namespace ns3
