// SPDX-License-Identifier: GPL-2.0-only

#include "tree-schedules.h"

#include "schedule-blocks.h"

#include "ns3/ordering.h"

#include <set>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

struct ScatterSend
{
    uint32_t child; ///< the receiver, by process
    BlockRanges blocks;
    std::size_t needs; ///< how many blocks its sender must have received before
};

std::size_t
CountBlocks(const BlockRanges& ranges)
{
    return SumOf(ranges, [](const auto& range) { return std::size_t{range.count}; });
}

BlockLayout
MakeCutParts(const ScheduleRequest& request, std::vector<BlockRange>& shares)
{
    BlockLayout layout;
    for (const auto bytes : request.parts)
    {
        auto part = request;
        part.parts = {bytes};
        const auto cut = part.MakeSegments();
        shares.push_back({layout.GetNData(), cut.GetNData()});
        for (uint32_t block = 0; block < cut.GetNData(); ++block)
        {
            layout.Add(cut.GetBytes(block));
        }
    }
    return layout;
}

} // namespace

TreeSchedules
TreeSchedules::MakeInOrder(CommunicationTree tree)
{
    std::vector<uint32_t> ranks(tree.GetSize());
    const auto sizes = tree.GetSubtreeSizes();
    for (const auto process : tree.GetOrder())
    {
        const auto& children = tree.GetChildren(process);
        auto next = ranks[process] + 1;
        for (auto child = children.rbegin(); child != children.rend(); ++child)
        {
            ranks[*child] = next;
            next += sizes[*child];
        }
    }
    return {std::move(tree), std::move(ranks)};
}

void
TreeSchedules::AddReduction(GroupSchedules& schedules, bool keepsOrder, uint32_t root) const
{
    const auto& order = m_tree.GetOrder();
    for (const auto segment : ListBlocks(schedules.layout.GetAll()))
    {
        for (auto process = order.rbegin(); process != order.rend(); ++process)
        {
            const auto& children = m_tree.GetChildren(*process);
            for (auto child = children.rbegin(); child != children.rend(); ++child)
            {
                if (keepsOrder && child != children.rbegin())
                {
                    schedules.Wait(m_ranks[*process]);
                }
                schedules.Pass(
                    {m_ranks[*child], m_ranks[*process], {{segment, 1}}, ScheduleStep::COMBINE});
            }
        }
        if (root != m_ranks[0])
        {
            schedules.Pass({m_ranks[0], root, {{segment, 1}}});
        }
    }
}

std::vector<BlockMessage>
TreeSchedules::ListScatter(const BlockLayout& layout,
                           const std::vector<BlockRange>& shares,
                           uint64_t longest) const
{
    // What a process needs for its subtree, its own at the end; and its sends.
    std::vector<std::vector<uint32_t>> blocks(m_tree.GetSize());
    std::vector<std::vector<ScatterSend>> sends(m_tree.GetSize());
    const auto& order = m_tree.GetOrder();
    for (auto process = order.rbegin(); process != order.rend(); ++process)
    {
        auto& needs = blocks[*process];
        for (const auto child : m_tree.GetChildren(*process))
        {
            for (auto& message : CutIntoMessages(layout, blocks[child], longest))
            {
                const auto before = sends[*process].empty() ? 0 : sends[*process].back().needs;
                sends[*process].push_back({child, message, before + CountBlocks(message)});
            }
            needs.insert(needs.end(), blocks[child].begin(), blocks[child].end());
            blocks[child].clear();
        }
        const auto own = ListBlocks(shares[*process]);
        needs.insert(needs.end(), own.begin(), own.end());
    }

    // A process sends on what has come before its parent goes on.
    std::vector<BlockMessage> messages;
    std::vector<std::size_t> has(m_tree.GetSize(), 0);
    std::vector<std::size_t> next(m_tree.GetSize(), 0);
    has[0] = SIZE_MAX;
    std::vector<uint32_t> able{0};
    while (!able.empty())
    {
        const auto process = able.back();
        if (next[process] == sends[process].size() ||
            sends[process][next[process]].needs > has[process])
        {
            able.pop_back();
            continue;
        }
        const auto& send = sends[process][next[process]++];
        messages.push_back({m_ranks[process], m_ranks[send.child], send.blocks});
        has[send.child] += CountBlocks(send.blocks);
        able.push_back(send.child);
    }
    return messages;
}

GroupSchedules
TreeSchedules::Make(const ScheduleRequest& request, bool selfCongestion) const
{
    if (request.kind == DataKind::GATHER || request.kind == DataKind::SCATTER)
    {
        std::vector<BlockRange> parts;
        GroupSchedules schedules(request, MakeCutParts(request, parts));
        const auto shares = MadeOf(m_ranks, [&](auto rank) { return parts[rank]; });
        if (request.kind == DataKind::SCATTER)
        {
            AddScatter(schedules, shares, request.segmentBytes);
            return schedules;
        }
        auto messages = ListScatter(schedules.layout, shares, request.segmentBytes);
        std::reverse(messages.begin(), messages.end());
        for (auto& message : messages)
        {
            std::swap(message.from, message.to);
            schedules.Pass(message);
        }
        return schedules;
    }
    GroupSchedules schedules(request, request.MakeSegments());
    if (DataKindInvariant::Combines(request.kind))
    {
        AddReduction(schedules,
                     request.keepsOrder,
                     DataKindInvariant::HasRoot(request.kind) ? request.root : m_ranks[0]);
    }
    if (request.kind == DataKind::REDUCTION)
    {
        return schedules;
    }
    const auto waits = selfCongestion ? SelfCongestion(m_tree, m_ranks, request).GetWaits()
                                      : SelfCongestion::Times();
    for (const auto segment : ListBlocks(schedules.layout.GetAll()))
    {
        for (const auto process : m_tree.GetOrder())
        {
            const auto& children = m_tree.GetChildren(process);
            for (std::size_t i = 0; i < children.size(); ++i)
            {
                BlockMessage message{m_ranks[process], m_ranks[children[i]], {{segment, 1}}};
                message.after = waits.empty() ? Time(0) : waits[process][i];
                schedules.Pass(message);
            }
        }
    }
    return schedules;
}

GroupSchedules
MakeTreeSchedules(const CommunicationTree& tree, const ScheduleRequest& request)
{
    const bool isInOrder = request.keepsOrder && DataKindInvariant::Combines(request.kind);
    return (isInOrder ? TreeSchedules::MakeInOrder(tree)
                      : TreeSchedules(tree, MakeRanksFrom(request.members, request.root)))
        .Make(request);
}

SelfCongestion::SelfCongestion(const CommunicationTree& tree,
                               const std::vector<uint32_t>& ranks,
                               const ScheduleRequest& request)
    : m_waits(tree.GetSize()),
      m_arrivals(tree.GetSize())
{
    for (uint32_t process = 0; process < tree.GetSize(); ++process)
    {
        m_waits[process].resize(tree.GetChildren(process).size());
    }
    if (!request.paths)
    {
        return;
    }
    const auto hostOf = [&](uint32_t process) { return request.GetHost(ranks[process]); };
    LinkChannels channels(request.paths.get());
    // Who tries to send: when, since when, which process and child.
    std::set<std::tuple<Time, Time, uint32_t, uint32_t>> tries{{Time(0), Time(0), 0, 0}};
    while (!tries.empty())
    {
        const auto [now, since, process, turn] = *tries.begin();
        tries.erase(tries.begin());
        if (turn == tree.GetChildren(process).size())
        {
            continue;
        }
        const auto child = tree.GetChildren(process)[turn];
        const bool isFlag = hostOf(process) == hostOf(child);
        const auto path =
            isFlag ? SwitchPath() : request.paths->GetPath(hostOf(process), hostOf(child));
        if (const auto free = channels.GetFree(path, now); free > now)
        {
            tries.emplace(free, since, process, turn);
            continue;
        }
        const auto sent = isFlag ? now : now + request.s;
        channels.Occupy(path, sent);
        if (now > since)
        {
            m_waits[process][turn] = now - m_arrivals[process];
        }
        m_arrivals[child] = sent + path.r;
        tries.emplace(sent, sent, process, turn + 1);
        tries.emplace(m_arrivals[child], m_arrivals[child], child, 0);
    }
}

Time
LinkChannels::GetFreeAt(const SwitchPath& path, std::size_t link, Time now)
{
    auto& ends = GetEnds(path, link);
    ends.erase(std::remove_if(ends.begin(), ends.end(), [&](Time end) { return end <= now; }),
               ends.end());
    if (ends.empty() ||
        (path.ports.empty() && ends.size() < m_paths->CountChannels(path.links[link])))
    {
        return now;
    }
    return *std::min_element(ends.begin(), ends.end());
}

} // namespace ns3
