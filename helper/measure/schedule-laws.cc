/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-laws.h"

#include "ns3/linked-schedules.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace ns3
{

namespace
{

/// Runs schedules without a simulator, in random order, and notes whose values reach whom.
class PureRun
{
  public:
    /// @param schedules by rank @param rng random numbers
    PureRun(const std::vector<CommunicationSchedule>& schedules, Ptr<UniformRandomVariable> rng)
        : done(schedules.size(), false),
          counts(schedules.size()),
          m_schedules(schedules),
          m_next(schedules.size(), 0)
    {
        const auto n = static_cast<uint32_t>(schedules.size());
        std::vector<uint32_t> able(n);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            counts[rank].assign(n, 0);
            counts[rank][rank] = 1;
            able[rank] = rank;
        }
        // Everybody who might go on is tried, one picked at random after the other.
        while (!able.empty())
        {
            std::swap(able[rng->GetInteger(0, static_cast<uint32_t>(able.size()) - 1)],
                      able.back());
            const auto rank = able.back();
            able.pop_back();
            for (const auto woken : GoOn(rank))
            {
                able.push_back(woken);
            }
        }
    }

    /// @return what a member who has not left waits for @param rank the member
    std::string ExplainWait(uint32_t rank) const
    {
        const auto& step = m_schedules[rank].GetSteps()[m_next[rank]];
        return "rank " + std::to_string(rank) + " waits in step " + std::to_string(m_next[rank]) +
               " for a message from rank " + std::to_string(step.peer) + " with tag " +
               (step.tag == ScheduleStep::MULTICAST_TAG ? "of a multicast"
                                                        : std::to_string(step.tag));
    }

    std::vector<bool> done;                    ///< by rank, whether it has left
    std::vector<std::vector<uint32_t>> counts; ///< by rank: how often each member's value is in its

  private:
    /// A message: sender, receiver, tag.
    using Key = std::array<uint32_t, 3>;

    /// Goes on with a member's steps. @param rank the member @return whom it sent to
    std::vector<uint32_t> GoOn(uint32_t rank)
    {
        std::vector<uint32_t> woken;
        const auto& steps = m_schedules[rank].GetSteps();
        for (auto& next = m_next[rank]; next < steps.size(); ++next)
        {
            const auto& step = steps[next];
            if (step.kind == ScheduleStep::SEND)
            {
                if (step.peer >= m_schedules.size())
                {
                    throw WormholeError("rank " + std::to_string(rank) + " sends to rank " +
                                        std::to_string(step.peer) + ", of " +
                                        std::to_string(m_schedules.size()) + " members");
                }
                m_messages[{rank, step.peer, step.tag}] = counts[rank];
                woken.push_back(step.peer);
            }
            else if (step.kind == ScheduleStep::MULTICAST)
            {
                for (uint32_t to = 0; to < m_schedules.size(); ++to)
                {
                    m_messages[{rank, to, step.tag}] = counts[rank];
                    woken.push_back(to);
                }
            }
            else
            {
                const auto found = m_messages.find({step.peer, rank, step.tag});
                if (found == m_messages.end())
                {
                    return woken;
                }
                if (step.kind == ScheduleStep::REPLACE)
                {
                    counts[rank] = found->second;
                }
                for (uint32_t i = 0; step.kind == ScheduleStep::COMBINE && i < counts.size(); ++i)
                {
                    counts[rank][i] += found->second[i];
                }
                m_messages.erase(found);
            }
        }
        done[rank] = true;
        return woken;
    }

    const std::vector<CommunicationSchedule>& m_schedules; ///< by rank
    std::vector<std::size_t> m_next;                       ///< by rank
    std::map<Key, std::vector<uint32_t>> m_messages;       ///< on their way
};

/// @return why a member's contributions are not what its kind asks for; empty if they are
/// @param kind the kind @param rank the member @param counts how often each member's value is in
/// its
/// @param root the root @param adds whether values were added
std::string
CheckContributions(const std::string& kind,
                   uint32_t rank,
                   const std::vector<uint32_t>& counts,
                   uint32_t root,
                   bool adds)
{
    for (uint32_t other = 0; other < counts.size(); ++other)
    {
        const uint32_t wanted = kind != "broadcast" || other == root;
        const bool mayRepeat = kind != "broadcast" && !adds;
        if (counts[other] < wanted || (counts[other] > wanted && !mayRepeat))
        {
            return "rank " + std::to_string(rank) + " leaves with the value of rank " +
                   std::to_string(other) + " " + std::to_string(counts[other]) +
                   " times; accepted is " + std::to_string(wanted);
        }
    }
    return "";
}

} // namespace

std::string
ScheduleLaws::Check(const std::string& kind,
                    const ScheduleMaker& maker,
                    ScheduleRequest request,
                    Ptr<UniformRandomVariable> rng)
{
    const auto group = std::to_string(request.members) +
                       (request.members == 1 ? " member" : " members") + ", root " +
                       std::to_string(request.root) + ": ";
    request.kind = kind == "broadcast"   ? DataKind::BROADCAST
                   : kind == "reduction" ? DataKind::REDUCTION
                                         : DataKind::BARRIER;
    bool adds = true;
    std::vector<CommunicationSchedule> schedules;
    try
    {
        request.operation = CollectiveOperation::ADD;
        schedules = maker.MakeSchedules(request);
    }
    catch (const WormholeError& error)
    {
        if (std::string(error.what()).find("can't ADD") == std::string::npos)
        {
            throw;
        }
        adds = false;
        request.operation = CollectiveOperation::MAX;
        schedules = maker.MakeSchedules(request);
    }
    if (schedules.size() != request.members)
    {
        return group + std::to_string(schedules.size()) + " schedules; accepted is one a member";
    }
    for (const auto& schedule : schedules)
    {
        for (const auto& step : schedule.GetSteps())
        {
            if (step.kind == ScheduleStep::CALL)
            {
                return ""; // what it hands on is known on a fabric only
            }
        }
    }
    try
    {
        const LinkedSchedules linked(schedules); // checks that sends and receives fit each other
        const PureRun run(schedules, rng);
        for (uint32_t rank = 0; rank < request.members; ++rank)
        {
            if (!run.done[rank])
            {
                return group + run.ExplainWait(rank) + ", which is not sent";
            }
            const bool counts = kind != "reduction" || rank == request.root;
            const auto trouble =
                counts ? CheckContributions(kind, rank, run.counts[rank], request.root, adds) : "";
            if (!trouble.empty())
            {
                return group + trouble;
            }
        }
        return "";
    }
    catch (const WormholeError& error)
    {
        return group + error.what();
    }
}

} // namespace ns3
