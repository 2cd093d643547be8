// SPDX-License-Identifier: GPL-2.0-only

#include "goal-conversion.h"

#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"

#include <cmath>

namespace ns3
{

namespace
{

/// Writes a rank's part.
struct PartWriter
{
    const LinkedSchedules& schedules;
    uint32_t rank;
    GoalSchedule& goal;
    uint64_t messageBytes;            ///< length of messages about the value held
    double combineNs;                 ///< see Convert
    std::vector<uint32_t> before{};   ///< what comes waits for
    std::vector<uint32_t> together{}; ///< receives that are posted together
    uint64_t combined{0};             ///< bytes that these combine

    void WriteAll()
    {
        bool wasReceive = false;
        for (auto index = schedules.GetFirst(rank); index < schedules.GetFirst(rank + 1); ++index)
        {
            const auto& step = schedules.At(index);
            if (wasReceive && !step.IsReceive())
            {
                // What comes waits for all of a group of receives.
                before = std::exchange(together, {});
                Calculate(std::exchange(combined, 0));
            }
            wasReceive = step.IsReceive();
            Write(index, step);
        }
    }

    void Write(uint32_t index, const LinkedSchedules::Step& step)
    {
        const auto bytes = step.nRanges > 0 ? step.bytes : messageBytes + step.extraBytes;
        const auto tag =
            step.kind == ScheduleStep::SEND ? schedules.GetFirst(step.peer) + step.slot : index;
        switch (step.kind)
        {
        case ScheduleStep::SEND:
            Add({bytes, step.peer, tag, 0, 0, GoalSchedule::SEND});
            break;
        case ScheduleStep::MULTICAST:
            throw WormholeError("a tree worm, which switches copy, can't be written as GOAL; "
                                "expected algorithms that send to one rank at a time");
        case ScheduleStep::CALL:
            throw WormholeError("a collective that calls one that is not by software can't be "
                                "written as GOAL");
        case ScheduleStep::COPY:
            break;
        case ScheduleStep::MERGE:
            Calculate(bytes);
            break;
        default:
            together.push_back(Add({bytes, step.peer, tag, 0, 0, GoalSchedule::RECEIVE}));
            combined += step.kind == ScheduleStep::COMBINE ? bytes : 0;
        }
    }

    uint32_t Add(const GoalSchedule::Operation& operation)
    {
        const auto added = goal.Add(rank, operation);
        for (const auto required : before)
        {
            goal.At(rank).dependencies.push_back({required, added});
        }
        return added;
    }

    void Calculate(uint64_t bytes)
    {
        const auto ns = std::llround(combineNs * static_cast<double>(bytes));
        if (ns > 0)
        {
            before = {Add({static_cast<uint64_t>(ns)})}; // CALC
        }
    }
};

} // namespace

GoalSchedule
GoalConversion::Convert(const LinkedSchedules& schedules, uint64_t messageBytes, double combineNs)
{
    GoalSchedule goal(schedules.GetNMembers());
    for (uint32_t rank = 0; rank < schedules.GetNMembers(); ++rank)
    {
        PartWriter{schedules, rank, goal, messageBytes, combineNs}.WriteAll();
    }
    return goal;
}

void
GoalConversion::Replace(GoalSchedule& schedule, const Set& set, const GoalSchedule& collective)
{
    WormholeError::ThrowIf(set.size() != collective.GetNRanks(),
                           "a collective of " + std::to_string(collective.GetNRanks()) +
                               " ranks is to take the place of operations of " +
                               std::to_string(set.size()));
    const auto firstTag = GreatestOf(0U, NumbersBelow(schedule.GetNRanks()), [&](uint32_t rank) {
        return GreatestOf(0U, schedule.At(rank).operations, [](const auto& operation) {
            return operation.tag == GoalSchedule::ANY ? 0 : operation.tag;
        });
    });
    for (uint32_t member = 0; member < set.size(); ++member)
    {
        const auto& [rank, replaced] = set[member];
        auto& operations = schedule.At(rank).operations;
        auto& dependencies = schedule.At(rank).dependencies;
        // A calculation of no length stands where the operations began, and one where they ended.
        const auto nOld = static_cast<uint32_t>(operations.size());
        std::vector<bool> isReplaced(nOld, false);
        for (const auto index : replaced)
        {
            if (index >= nOld)
            {
                throw WormholeError("rank " + std::to_string(rank) + " has no operation " +
                                    std::to_string(index));
            }
            isReplaced[index] = true;
            operations[index] = GoalSchedule::Operation{};
        }
        const auto begin = schedule.Add(rank, {});
        const auto end = schedule.Add(rank, {});
        std::vector<GoalSchedule::Dependency> kept;
        for (auto dependency : dependencies)
        {
            const bool fromInside = isReplaced[dependency.before];
            const bool toInside = isReplaced[dependency.after];
            if (fromInside && toInside)
            {
                continue;
            }
            dependency.before = fromInside ? end : dependency.before;
            dependency.after = toInside ? begin : dependency.after;
            kept.push_back(dependency);
        }
        const auto first = end + 1;
        for (auto operation : collective.At(member).operations)
        {
            if (operation.kind != GoalSchedule::CALC)
            {
                operation.peer = set[operation.peer].first;
                operation.tag += firstTag + 1;
            }
            kept.push_back({begin, static_cast<uint32_t>(operations.size())});
            kept.push_back({static_cast<uint32_t>(operations.size()), end});
            operations.push_back(operation);
        }
        kept.push_back({begin, end});
        for (const auto& dependency : collective.At(member).dependencies)
        {
            kept.push_back(
                {dependency.before + first, dependency.after + first, dependency.isOnStart});
        }
        dependencies.swap(kept);
    }
}

} // namespace ns3
