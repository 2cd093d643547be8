// SPDX-License-Identifier: GPL-2.0-only

#include "schedule-invariants.h"

#include "ns3/ordering.h"
#include "ns3/schedule-blocks.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-linked-schedules.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Whose contributions a block holds, in the order in which they were combined.
using Symbol = std::vector<uint32_t>;

/// Runs schedules on symbols: a member after the other, each as far as it can go.
class SymbolRun
{
  public:
    /// @param rng picks who goes on next; null: the one that was sent to last
    SymbolRun(const GroupSchedules& schedules,
              const ScheduleRequest& request,
              Ptr<UniformRandomVariable> rng)
        : held(request.members, std::vector<Symbol>(schedules.layout.GetNBlocks())),
          m_schedules(schedules),
          m_next(request.members, 0)
    {
        FindParts(request);
        for (uint32_t rank = 0; rank < request.members; ++rank)
        {
            for (uint32_t block = 0; block < schedules.layout.GetNData(); ++block)
            {
                if (DataKindInvariant::HoldsInitially(request.kind,
                                                      request.members,
                                                      request.root,
                                                      rank,
                                                      parts[block]))
                {
                    held[rank][block] = {rank};
                }
            }
        }
        std::vector<uint32_t> able(request.members);
        std::iota(able.rbegin(), able.rend(), 0);
        while (!able.empty() && trouble.empty())
        {
            if (rng)
            {
                std::swap(able[rng->GetInteger(0, static_cast<uint32_t>(able.size()) - 1)],
                          able.back());
            }
            const auto rank = able.back();
            able.pop_back();
            GoOn(rank, able);
        }
        for (uint32_t rank = 0; rank < request.members && trouble.empty(); ++rank)
        {
            const auto& steps = schedules.members[rank].GetSteps();
            if (m_next[rank] < steps.size())
            {
                const auto& step = steps[m_next[rank]];
                trouble = "rank " + std::to_string(rank) + " waits in step " +
                          std::to_string(m_next[rank]) + " for a message from rank " +
                          std::to_string(step.peer) + " with tag " +
                          (step.tag == ScheduleStep::MULTICAST_TAG ? "of a multicast"
                                                                   : std::to_string(step.tag)) +
                          ", which is not sent";
            }
        }
    }

    std::vector<std::vector<Symbol>> held; ///< by rank and block
    std::vector<uint64_t> parts;           ///< the part that each block is of
    std::string trouble;                   ///< what went wrong; empty: nothing

  private:
    void FindParts(const ScheduleRequest& request)
    {
        const auto& layout = m_schedules.layout;
        uint64_t part = 0;
        uint64_t end = request.parts[0];
        for (uint32_t block = 0; block < layout.GetNData(); ++block)
        {
            const auto begin = layout.GetOffset(block);
            // An empty block belongs to the part that it is in the list of, if there is one each.
            const bool isOneEach = layout.GetNData() == request.parts.size();
            while (isOneEach ? part < block : begin >= end && part + 1 < request.parts.size())
            {
                end += request.parts[++part];
            }
            if (begin + layout.GetBytes(block) > end)
            {
                trouble = "block " + std::to_string(block) + " is of more than one part";
            }
            parts.push_back(part);
        }
        if (layout.GetNData() == 0 || layout.GetBytes(layout.GetAll()) != request.GetBytes())
        {
            trouble = "the blocks do not make up the data";
        }
    }

    /// @return numbers of a step's blocks; of a message without any those of all data
    std::vector<uint32_t> List(uint32_t rank, const ScheduleStep& step) const
    {
        return step.nRanges == 0 && (step.IsSend() || step.IsReceive())
                   ? ListBlocks(m_schedules.layout.GetAll())
                   : JoinedOf(m_schedules.members[rank].GetBlocks(step), ListBlocks);
    }

    void Apply(uint32_t rank, uint32_t block, const Symbol& symbol, const ScheduleStep& step)
    {
        auto& here = held[rank][block];
        if (step.kind != ScheduleStep::COMBINE && step.kind != ScheduleStep::MERGE)
        {
            here = symbol;
        }
        else if (here.empty())
        {
            trouble = "rank " + std::to_string(rank) + " combines with block " +
                      std::to_string(block) + ", which it does not have";
        }
        else
        {
            here.insert(step.isLeft ? here.begin() : here.end(), symbol.begin(), symbol.end());
        }
    }

    std::vector<Symbol> Read(uint32_t rank, const std::vector<uint32_t>& blocks)
    {
        std::vector<Symbol> symbols;
        for (const auto block : blocks)
        {
            const auto& here = held[rank][block];
            if (here.empty() && m_schedules.layout.GetBytes(block) > 0)
            {
                trouble = "rank " + std::to_string(rank) + " sends or takes block " +
                          std::to_string(block) + ", which it does not have";
                return {};
            }
            symbols.push_back(here);
        }
        return symbols;
    }

    void GoOn(uint32_t rank, std::vector<uint32_t>& able)
    {
        const auto& steps = m_schedules.members[rank].GetSteps();
        for (auto& next = m_next[rank]; next < steps.size() && trouble.empty(); ++next)
        {
            const auto& step = steps[next];
            const auto blocks = List(rank, step);
            if (step.kind == ScheduleStep::SEND || step.kind == ScheduleStep::MULTICAST)
            {
                const auto isToOne = step.kind == ScheduleStep::SEND;
                const auto symbols = Read(rank, blocks);
                const auto end = isToOne ? step.peer + 1 : static_cast<uint32_t>(m_next.size());
                for (auto to = isToOne ? step.peer : 0; to < end; ++to)
                {
                    m_messages[{rank, to, step.tag}] = symbols;
                    able.push_back(to);
                }
                continue;
            }
            if (!step.IsReceive())
            {
                const auto half = blocks.size() / 2;
                const std::vector<uint32_t> sources(blocks.begin() + half, blocks.end());
                const auto symbols = Read(rank, sources);
                for (std::size_t i = 0; i < half && trouble.empty(); ++i)
                {
                    Apply(rank, blocks[i], symbols[i], step);
                }
                continue;
            }
            const auto found = m_messages.find({step.peer, rank, step.tag});
            if (found == m_messages.end())
            {
                return;
            }
            const bool isTaken = step.kind != ScheduleStep::IGNORE;
            for (std::size_t i = 0; isTaken && i < blocks.size() && trouble.empty(); ++i)
            {
                if (m_schedules.layout.GetBytes(blocks[i]) > 0)
                {
                    Apply(rank, blocks[i], found->second[i], step);
                }
            }
            m_messages.erase(found);
        }
    }

    /// A message: sender, receiver, tag.
    using Key = std::array<uint32_t, 3>;

    const GroupSchedules& m_schedules;             ///< the schedules
    std::vector<std::size_t> m_next;               ///< by rank
    std::map<Key, std::vector<Symbol>> m_messages; ///< on their way
};

/// Looks for receives whose order would matter, but is that in which messages come: those that
/// follow one another and are for the same block, unless both combine, and the order of ranks need
/// not be kept or they do so from different sides. @return the trouble; empty: there are none
std::string
FindRace(const GroupSchedules& schedules, bool keepsOrder)
{
    for (uint32_t rank = 0; rank < schedules.members.size(); ++rank)
    {
        const auto& schedule = schedules.members[rank];
        std::map<uint32_t, const ScheduleStep*> group; // the last receive of each block
        for (const auto& step : schedule.GetSteps())
        {
            if (!step.IsReceive())
            {
                group.clear();
                continue;
            }
            for (const auto& range : schedule.GetBlocks(step))
            {
                for (const auto block : ListBlocks(range))
                {
                    const auto before = std::exchange(group[block], &step);
                    const bool isSafe = !before || schedules.layout.GetBytes(block) == 0 ||
                                        (before->kind == ScheduleStep::COMBINE &&
                                         step.kind == ScheduleStep::COMBINE &&
                                         (!keepsOrder || before->isLeft != step.isLeft));
                    if (!isSafe)
                    {
                        return "rank " + std::to_string(rank) + " takes block " +
                               std::to_string(block) + " of ranks " + std::to_string(before->peer) +
                               " and " + std::to_string(step.peer) +
                               " in the order in which they come";
                    }
                }
            }
        }
    }
    return "";
}

std::string
FindWrong(Symbol has, const Symbol& wanted, bool keepsOrder, bool mayRepeat)
{
    if (has == wanted)
    {
        return "";
    }
    if (keepsOrder)
    {
        return "(" + PrintNumbers(has, " ") + "); expected (" + PrintNumbers(wanted, " ") + ")";
    }
    std::sort(has.begin(), has.end());
    auto all = has;
    all.insert(all.end(), wanted.begin(), wanted.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const auto rank : all)
    {
        const auto nWanted = std::count(wanted.begin(), wanted.end(), rank);
        const auto range = std::equal_range(has.begin(), has.end(), rank);
        const auto n = range.second - range.first;
        if (n < nWanted || (n > nWanted && !(mayRepeat && nWanted > 0)))
        {
            return "the value of rank " + std::to_string(rank) + " " + std::to_string(n) +
                   " times; expected " + std::to_string(nWanted);
        }
    }
    return "";
}

bool
CallsOther(const CommunicationSchedule& schedule)
{
    const auto& steps = schedule.GetSteps();
    return AnyOf(steps, [](const auto& step) { return step.kind == ScheduleStep::CALL; });
}

} // namespace

std::string
ScheduleInvariants::Check(const ScheduleMaker& maker,
                          ScheduleRequest request,
                          Ptr<UniformRandomVariable> rng)
{
    request.operation = CollectiveOperation::ADD;
    try
    {
        return Check(maker.MakeGroupSchedules(request), request, false, rng);
    }
    catch (const WormholeError& error)
    {
        if (std::string(error.what()).find("can't ADD") == std::string::npos)
        {
            throw;
        }
    }
    request.operation = CollectiveOperation::MAX;
    return Check(maker.MakeGroupSchedules(request), request, true, rng);
}

std::string
ScheduleInvariants::Check(const GroupSchedules& schedules,
                          const ScheduleRequest& request,
                          bool mayRepeat,
                          Ptr<UniformRandomVariable> rng)
{
    const auto group = std::to_string(request.members) +
                       (request.members == 1 ? " member" : " members") + ", root " +
                       std::to_string(request.root) +
                       (request.kind == DataKind::BARRIER
                            ? ": "
                            : ", " + std::to_string(request.GetBytes()) + " bytes: ");
    if (schedules.members.size() != request.members)
    {
        return group + std::to_string(schedules.members.size()) +
               " schedules; expected one a member";
    }
    if (AnyOf(schedules.members, CallsOther))
    {
        return "";
    }
    try
    {
        // Refuses sends and receives that do not fit each other.
        const LinkedSchedules linked(schedules.members, schedules.layout);
    }
    catch (const WormholeError& error)
    {
        return group + error.what();
    }
    if (const auto race = FindRace(schedules, request.keepsOrder); !race.empty())
    {
        return group + race;
    }
    SymbolRun run(schedules, request, rng);
    if (!run.trouble.empty())
    {
        return group + run.trouble;
    }
    const auto nBlocks = schedules.layout.GetNData();
    for (uint32_t rank = 0; rank < request.members; ++rank)
    {
        for (uint32_t block = 0; block < nBlocks; ++block)
        {
            const auto wanted = DataKindInvariant::GetFinal(request.kind,
                                                            request.members,
                                                            request.root,
                                                            rank,
                                                            run.parts[block]);
            if (wanted.empty() || schedules.layout.GetBytes(block) == 0)
            {
                continue;
            }
            const auto wrong =
                FindWrong(run.held[rank][block], wanted, request.keepsOrder, mayRepeat);
            if (!wrong.empty())
            {
                return group + "rank " + std::to_string(rank) + " leaves with " +
                       (nBlocks > 1 ? "block " + std::to_string(block) + " of " : "") + wrong;
            }
        }
    }
    return "";
}

} // namespace ns3
