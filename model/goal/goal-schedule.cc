// SPDX-License-Identifier: GPL-2.0-only

#include "goal-schedule.h"

#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"

#include <numeric>

namespace ns3
{

GoalSchedule::Successors::Successors(const Rank& rank, bool isOnStart)
    : first(rank.operations.size() + 1, 0)
{
    for (const auto& dependency : rank.dependencies)
    {
        first[dependency.before + 1] += dependency.isOnStart == isOnStart;
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    targets.resize(first.back());
    auto next = first;
    for (const auto& dependency : rank.dependencies)
    {
        if (dependency.isOnStart == isOnStart)
        {
            targets[next[dependency.before]++] = dependency.after;
        }
    }
}

std::vector<uint32_t>
GoalSchedule::Waits::Reset()
{
    m_missing.assign(m_rank.operations.size(), 0);
    for (const auto& dependency : m_rank.dependencies)
    {
        ++m_missing[dependency.after];
    }
    return NumbersWith(m_missing.size(), [this](uint32_t i) { return m_missing[i] == 0; });
}

uint64_t
GoalSchedule::GetNOperations() const
{
    return SumOf(m_ranks, [](const auto& rank) { return uint64_t{rank.operations.size()}; });
}

void
GoalSchedule::Check() const
{
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        const auto& operations = m_ranks[rank].operations;
        for (const auto& operation : operations)
        {
            const bool mayBeAny = operation.kind == RECEIVE && operation.peer == ANY;
            if (operation.kind != CALC && !mayBeAny && operation.peer >= m_ranks.size())
            {
                throw WormholeError("rank " + std::to_string(rank) + ": '" + Print(operation) +
                                    "' names a rank that is none; ranks are 0 to " +
                                    std::to_string(m_ranks.size() - 1));
            }
        }
        // Whoever waits for nobody is taken away, and so on; a circle stays.
        Waits waits(m_ranks[rank]);
        auto able = waits.Reset();
        std::size_t done = 0;
        for (; !able.empty(); ++done)
        {
            const auto i = able.back();
            able.pop_back();
            for (const bool isStart : {false, true})
            {
                waits.Notify(i, isStart, [&](uint32_t next) { able.push_back(next); });
            }
        }
        for (uint32_t i = 0; done < operations.size() && i < operations.size(); ++i)
        {
            if (waits.GetNMissing(i) > 0)
            {
                throw WormholeError("rank " + std::to_string(rank) + ": operation " +
                                    std::to_string(i) + ", '" + Print(operations[i]) +
                                    "', waits for itself in a cycle of requires; expected "
                                    "dependencies without cycles");
            }
        }
    }
}

std::string
GoalSchedule::Print(const Operation& operation)
{
    const auto size = std::to_string(operation.size);
    const auto number = [](uint32_t value) {
        return value == ANY ? std::string("-1") : std::to_string(value);
    };
    auto text = operation.kind == CALC   ? "calc " + size
                : operation.kind == SEND ? "send " + size + "b to "
                                         : "recv " + size + "b from ";
    if (operation.kind != CALC)
    {
        text += number(operation.peer) + " tag " + number(operation.tag);
    }
    if (operation.cpu > 0)
    {
        text += " cpu " + std::to_string(operation.cpu);
    }
    if (operation.nic > 0 && operation.kind != CALC)
    {
        text += " nic " + std::to_string(operation.nic);
    }
    return text;
}

} // namespace ns3
