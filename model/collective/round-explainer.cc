/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "round-explainer.h"

#include "collective-domain.h"
#include "collective.h"

#include "ns3/collective-message.h"
#include "ns3/host-message.h"
#include "ns3/worm-explainer.h"

#include <algorithm>
#include <utility>

namespace ns3
{

/// The way back from when a member left.
class RoundExplainer::Walk
{
  public:
    /// @param explainer who explains @param collective the collective @param round its round
    /// @param begin where to stop
    Walk(const RoundExplainer& explainer,
         const Collective& collective,
         uint64_t round,
         int64_t begin)
        : m_activities(*explainer.m_activities),
          m_worms(explainer.m_worms),
          m_collective(collective),
          m_round(round),
          m_begin(begin)
    {
    }

    /// Goes all the way. @param time when the member left @param id what led to that
    /// @return the intervals, in order
    LatencyIntervals Run(int64_t time, ActivityRecorder::Id id)
    {
        m_time = time;
        while (m_time > m_begin && id != ActivityRecorder::NONE)
        {
            const auto& activity = m_activities.At(id);
            Emit(
                {activity.to, m_time, LatencyCause::UNEXPLAINED, activity.place, nullptr, nullptr});
            if (const auto* entry = m_activities.FindEntry(id); entry && IsOfRound(*entry))
            {
                Emit({m_begin,
                      m_time,
                      LatencyCause::MEMBER_LATE,
                      "rank " + std::to_string(entry->rank),
                      nullptr,
                      nullptr});
                break;
            }
            if (activity.worm != ActivityRecorder::NO_WORM)
            {
                GoThroughFabric(activity);
            }
            else
            {
                Emit({activity.from,
                      m_time,
                      activity.cause,
                      activity.place,
                      nullptr,
                      nullptr,
                      activity.note});
            }
            id = activity.before;
        }
        Emit({m_begin, m_time, LatencyCause::UNEXPLAINED, "", nullptr, nullptr});
        std::reverse(m_intervals.begin(), m_intervals.end());
        return std::move(m_intervals);
    }

  private:
    /// @return whether a member's coming is that to the round @param entry the coming
    bool IsOfRound(const ActivityRecorder::Passage& entry) const
    {
        return entry.collective == &m_collective && entry.round == m_round;
    }

    /// Goes back to the beginning of an interval, or to where to stop. @param interval which
    void Emit(LatencyInterval interval)
    {
        interval.from = std::max(interval.from, m_begin);
        interval.to = std::min(interval.to, m_time);
        const bool isMark = interval.cause == LatencyCause::REGISTER && interval.from == m_time;
        if (interval.from < interval.to || isMark)
        {
            m_time = interval.from;
            m_intervals.push_back(std::move(interval));
        }
    }

    /// Goes back over a worm's flight. @param flight it
    void GoThroughFabric(const ActivityRecorder::Activity& flight)
    {
        const auto* record = m_worms ? m_worms->Find(flight.worm) : nullptr;
        if (!record)
        {
            return;
        }
        const auto& route = *record->worm->GetRoute();
        for (WormRoute::Stop stop = 1; stop < route.GetNStops(); ++stop)
        {
            const auto& there = record->stops[stop];
            if (route.At(stop).size() > 0 || there.channel == WormRecorder::NO_CHANNEL ||
                m_worms->GetChannel(there.channel).far != flight.place)
            {
                continue;
            }
            auto intervals = WormExplainer(*m_worms).Explain(flight.worm, stop);
            for (auto interval = intervals.rbegin(); interval != intervals.rend(); ++interval)
            {
                Emit(std::move(*interval));
            }
            return;
        }
    }

    const ActivityRecorder& m_activities; ///< what hosts and switches did
    const Ptr<WormRecorder>& m_worms;     ///< what worms did; may be null
    const Collective& m_collective;       ///< the collective
    uint64_t m_round;                     ///< its round
    int64_t m_begin;                      ///< where to stop
    int64_t m_time{0};                    ///< how far back we are
    LatencyIntervals m_intervals;         ///< what was found, the last first
};

RoundExplainer::RoundExplainer(Ptr<CollectiveDomain> domain)
    : m_domain(std::move(domain)),
      m_activities(Create<ActivityRecorder>())
{
    if (!m_domain->IsIdeal())
    {
        m_worms = Create<WormRecorder>();
        m_domain->GetFabric()->SetRecorder(m_worms);
    }
    m_activities->Activate();
}

RoundExplainer::~RoundExplainer()
{
    m_activities->Deactivate();
    if (const auto fabric = m_domain->GetFabric(); fabric && fabric->GetRecorder() == m_worms)
    {
        fabric->SetRecorder(nullptr);
    }
}

void
RoundExplainer::Clear()
{
    m_activities->Clear();
    if (m_worms)
    {
        m_worms->Clear();
    }
}

std::pair<int64_t, int64_t>
RoundExplainer::GetEntries(const Collective& collective, uint64_t round) const
{
    std::pair<int64_t, int64_t> entries{0, 0};
    bool isFirst = true;
    for (const auto& entry : m_activities->GetEntries())
    {
        if (entry.collective == &collective && entry.round == round)
        {
            entries.first = isFirst ? entry.time : entries.first;
            entries.second = entry.time;
            isFirst = false;
        }
    }
    return entries;
}

LatencyIntervals
RoundExplainer::Explain(const Collective& collective, uint64_t round) const
{
    return Explain(collective, round, GetEntries(collective, round).first);
}

LatencyIntervals
RoundExplainer::Explain(const Collective& collective, uint64_t round, int64_t from) const
{
    const ActivityRecorder::Passage* last = nullptr;
    for (const auto& leave : m_activities->GetLeaves())
    {
        if (leave.collective == &collective && leave.round == round)
        {
            last = &leave;
        }
    }
    return last ? Walk(*this, collective, round, from).Run(last->time, last->cause)
                : LatencyIntervals();
}

LatencyIntervals
RoundExplainer::Explain(const Collective& collective,
                        uint64_t round,
                        uint32_t rank,
                        int64_t from) const
{
    for (const auto& leave : m_activities->GetLeaves())
    {
        if (leave.collective == &collective && leave.round == round && leave.rank == rank)
        {
            return Walk(*this, collective, round, from).Run(leave.time, leave.cause);
        }
    }
    return {};
}

std::string
RoundExplainer::Describe(const Worm& worm) const
{
    const auto ofGroup = [this](uint16_t group) {
        const auto name = m_activities->GetGroupName(group);
        return "group " + std::to_string(group) + (name.empty() ? "" : " (" + name + ")");
    };
    const auto number = "worm " + std::to_string(worm.GetId());
    if (worm.GetKind() == Worm::MESSAGE)
    {
        const auto& message = static_cast<const HostMessageWorm&>(worm).GetMessage();
        return number + ", a message of " + ofGroup(message.group) + " from rank " +
               std::to_string(message.from) + " to " +
               (message.to == HostMessage::ANYONE ? "all" : "rank " + std::to_string(message.to));
    }
    if (worm.GetKind() == Worm::COLLECTIVE)
    {
        const auto& message = static_cast<const CollectiveWorm&>(worm).GetMessage();
        return number + ", a " +
               (message.type == CollectiveMessage::REDUCTION      ? "reduction"
                : message.type == CollectiveMessage::DISTRIBUTION ? "distribution"
                                                                  : "register's message") +
               " of " + ofGroup(message.group);
    }
    return number + (worm.GetKind() == Worm::FRAME ? ", a frame" : "");
}

const WormRecorder*
RoundExplainer::GetWorms() const
{
    return PeekPointer(m_worms);
}

} // namespace ns3
