// SPDX-License-Identifier: GPL-2.0-only

#include "round-explainer.h"

#include "wormhole-collective.h"

#include "ns3/collective-message.h"
#include "ns3/worm-explainer.h"
#include "ns3/wormhole-host-message.h"
#include "ns3/wormhole-node-state.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>

namespace ns3
{

/// The way back from when a member left.
struct RoundExplainer::Walk
{
    const RoundExplainer& explainer;
    const Collective& collective;
    uint64_t round;
    int64_t begin;
    int64_t time{0};              ///< how far back we are
    LatencyIntervals intervals{}; ///< what was found, the last first

    /// Goes all the way.
    LatencyIntervals Run(int64_t end, ActivityRecorder::Id id)
    {
        const auto& activities = explainer.m_domain->GetActivities();
        time = end;
        while (time > begin && id != ActivityRecorder::NONE)
        {
            const auto& activity = activities.At(id);
            Emit(activity.to, LatencyCause::UNEXPLAINED, activity.place);
            if (const auto* entry = activities.FindEntry(id);
                entry && entry->collective == &collective && entry->round == round)
            {
                Emit(begin, LatencyCause::MEMBER_LATE, "rank " + std::to_string(entry->rank));
                break;
            }
            if (activity.worm == ActivityRecorder::NO_WORM)
            {
                Emit(activity.from, activity.cause, activity.place, activity.note);
            }
            else if (explainer.m_worms)
            {
                auto within =
                    WormExplainer(*explainer.m_worms).Explain(activity.worm, activity.place);
                for (auto interval = within.rbegin(); interval != within.rend(); ++interval)
                {
                    Emit(std::move(*interval));
                }
            }
            id = activity.before;
        }
        Emit(begin, LatencyCause::UNEXPLAINED, "");
        std::reverse(intervals.begin(), intervals.end());
        return std::move(intervals);
    }

    void Emit(int64_t from,
              LatencyCause cause,
              const std::string& place,
              const std::string& note = "")
    {
        Emit({from, time, cause, place, nullptr, nullptr, note});
    }

    /// Goes back to the beginning of an interval, or to where to stop.
    void Emit(LatencyInterval interval)
    {
        interval.from = std::max(interval.from, begin);
        interval.to = std::min(interval.to, time);
        const bool isMark = interval.cause == LatencyCause::REGISTER && interval.from == time;
        if (interval.from < interval.to || isMark)
        {
            time = interval.from;
            intervals.push_back(std::move(interval));
        }
    }
};

RoundExplainer::RoundExplainer(Ptr<CollectiveDomain> domain)
    : m_domain(std::move(domain))
{
    m_domain->GetActivities().Start();
    if (!m_domain->IsIdeal())
    {
        const auto fabric = m_domain->GetFabric();
        m_worms = fabric->GetRecorder();
        if (!m_worms)
        {
            m_worms = Create<WormRecorder>();
            m_ownsWorms = true;
            fabric->SetRecorder(m_worms);
        }
    }
}

RoundExplainer::~RoundExplainer()
{
    m_domain->GetActivities().Stop();
    if (const auto fabric = m_domain->GetFabric();
        fabric && m_ownsWorms && fabric->GetRecorder() == m_worms)
    {
        fabric->SetRecorder(nullptr);
    }
}

void
RoundExplainer::Clear()
{
    m_domain->GetActivities().Clear();
    if (m_ownsWorms) // a timeline explains those under way, too
    {
        m_worms->Clear();
    }
}

std::pair<int64_t, int64_t>
RoundExplainer::GetEntries(const Collective& collective, uint64_t round) const
{
    const auto& entries = m_domain->GetActivities().GetRound(&collective, round).entries;
    return entries.empty() ? std::make_pair(int64_t{0}, int64_t{0})
                           : std::make_pair(entries.front().time, entries.back().time);
}

LatencyIntervals
RoundExplainer::Explain(const Collective& collective, uint64_t round, int64_t from) const
{
    const auto& leaves = m_domain->GetActivities().GetRound(&collective, round).leaves;
    return leaves.empty()
               ? LatencyIntervals()
               : Walk{*this, collective, round, from}.Run(leaves.back().time, leaves.back().cause);
}

LatencyIntervals
RoundExplainer::ExplainMember(const Collective& collective,
                              uint64_t round,
                              uint32_t rank,
                              int64_t from) const
{
    const auto& leaves = m_domain->GetActivities().GetRound(&collective, round).leaves;
    const auto found = std::find_if(leaves.rbegin(), leaves.rend(), [rank](const auto& leave) {
        return leave.rank == rank;
    });
    return found == leaves.rend()
               ? LatencyIntervals()
               : Walk{*this, collective, round, from}.Run(found->time, found->cause);
}

std::string
RoundExplainer::Describe(const Worm& worm) const
{
    const auto ofGroup = [this](uint16_t group) {
        const auto name = m_domain->GetActivities().GetGroupName(group);
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
    if (const auto* traffic = dynamic_cast<const TrafficWorm*>(&worm))
    {
        return number + " of the traffic from " + m_domain->GetHostName(traffic->GetSource()) +
               " to " + m_domain->GetHostName(traffic->GetDestination());
    }
    return worm.GetKind() == Worm::FRAME
               ? number + ", a frame" + (worm.GetRoot() ? " from " + worm.GetRoot()->name : "")
               : number;
}

} // namespace ns3
