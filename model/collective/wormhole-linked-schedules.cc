// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-linked-schedules.h"

#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace ns3
{

namespace
{

struct MessageEnd
{
    uint32_t to;   ///< receiver's rank
    uint32_t from; ///< sender's rank
    uint32_t tag;
    uint32_t index;

    bool operator<(const MessageEnd& other) const
    {
        return std::tie(to, from, tag) < std::tie(other.to, other.from, other.tag);
    }
};

[[noreturn]] void
Refuse(const MessageEnd& end, const std::string& trouble)
{
    throw WormholeError("schedules of a collective: the message from rank " +
                        std::to_string(end.from) + " to rank " + std::to_string(end.to) +
                        " with tag " + std::to_string(end.tag) + " " + trouble +
                        "; expected schedules with one send for each receive");
}

} // namespace

LinkedSchedules::LinkedSchedules(const std::vector<CommunicationSchedule>& schedules,
                                 const BlockLayout& layout)
    : m_layout(layout)
{
    const auto n = static_cast<uint32_t>(schedules.size());
    const bool hasBlocks = layout.GetNData() > 0;
    std::vector<MessageEnd> sends;
    std::vector<MessageEnd> receives;
    std::vector<uint32_t> multicasts(n, 0);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        m_first.push_back(static_cast<uint32_t>(m_steps.size()));
        const auto firstRange = static_cast<uint32_t>(m_ranges.size());
        if (hasBlocks)
        {
            const auto& ranges = schedules[rank].GetRanges();
            m_ranges.insert(m_ranges.end(), ranges.begin(), ranges.end());
        }
        for (const auto& step : schedules[rank].GetSteps())
        {
            const auto index = static_cast<uint32_t>(m_steps.size());
            m_steps.push_back({step.kind,
                               step.isLeft,
                               step.peer,
                               step.tag,
                               step.extraBytes,
                               hasBlocks ? firstRange + step.firstRange : 0,
                               hasBlocks ? step.nRanges : 0,
                               0});
            if (step.kind == ScheduleStep::MULTICAST)
            {
                m_receivers[index];
                multicasts[rank] = index + 1;
            }
            else if (step.IsReceive())
            {
                receives.push_back({rank, step.peer, step.tag, index});
            }
            else if (step.kind == ScheduleStep::SEND)
            {
                sends.push_back({step.peer, rank, step.tag, index});
                if (step.after.IsStrictlyPositive())
                {
                    m_after[index] = step.after;
                }
            }
        }
    }
    m_first.push_back(static_cast<uint32_t>(m_steps.size()));
    for (const auto& receive : receives)
    {
        if (receive.tag == ScheduleStep::MULTICAST_TAG && receive.from < n &&
            multicasts[receive.from] > 0)
        {
            const auto index = multicasts[receive.from] - 1;
            m_receivers[index].push_back(receive.to);
            sends.push_back({receive.to, receive.from, receive.tag, index});
        }
    }

    std::sort(sends.begin(), sends.end());
    std::sort(receives.begin(), receives.end());
    for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i)
    {
        if (i >= sends.size() || (i < receives.size() && receives[i] < sends[i]))
        {
            Refuse(receives[i], "is sent less often than received");
        }
        if (i >= receives.size() || sends[i] < receives[i])
        {
            Refuse(sends[i], "is received less often than sent");
        }
        if (i > 0 && !(sends[i - 1] < sends[i]))
        {
            Refuse(sends[i], "is there twice");
        }
        if (sends[i].to >= n || sends[i].to == sends[i].from)
        {
            Refuse(sends[i], "has no receiver");
        }
        if (sends[i].tag == ScheduleStep::MULTICAST_TAG)
        {
            continue;
        }
        CheckBlocks(sends[i].index, receives[i].index);
        m_steps[sends[i].index].slot = receives[i].index - m_first[sends[i].to];
        if (m_steps[sends[i].index].kind == ScheduleStep::SEND)
        {
            m_steps[receives[i].index].extraBytes = m_steps[sends[i].index].extraBytes;
        }
    }
    for (auto& step : m_steps)
    {
        step.bytes = CountBytes(step);
    }
}

void
LinkedSchedules::CheckBlocks(uint32_t send, uint32_t receive) const
{
    const auto lengths = [this](const Step& step) {
        std::vector<uint64_t> bytes;
        for (const auto block : ListBlocks(step))
        {
            if (block >= m_layout.GetNBlocks())
            {
                throw WormholeError("schedules of a collective: there is no block " +
                                    std::to_string(block) + "; there are " +
                                    std::to_string(m_layout.GetNBlocks()));
            }
            bytes.push_back(m_layout.GetBytes(block));
        }
        return bytes;
    };
    const auto& sent = m_steps[send];
    const auto& received = m_steps[receive];
    const auto isSame = [this](const BlockRange& a, const BlockRange& b) {
        return a.first == b.first && a.count == b.count &&
               a.first + a.count <= m_layout.GetNBlocks();
    };
    const bool areSame =
        sent.nRanges == received.nRanges &&
        std::equal(GetRanges(sent), GetRanges(sent) + sent.nRanges, GetRanges(received), isSame);
    if (!areSame && lengths(sent) != lengths(received))
    {
        throw WormholeError("schedules of a collective: blocks from rank " +
                            std::to_string(received.peer) + " to rank " +
                            std::to_string(sent.peer) +
                            " are not received as they are sent; expected as many blocks, of "
                            "the same lengths");
    }
}

std::vector<uint32_t>
LinkedSchedules::ListBlocks(const Step& step) const
{
    std::vector<uint32_t> blocks;
    for (auto range = GetRanges(step); range < GetRanges(step) + step.nRanges; ++range)
    {
        for (auto block = range->first; block < range->first + range->count; ++block)
        {
            blocks.push_back(block);
        }
    }
    return blocks;
}

uint64_t
LinkedSchedules::CountBytes(const Step& step) const
{
    const bool isLocal = step.kind == ScheduleStep::COPY || step.kind == ScheduleStep::MERGE;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < (isLocal ? step.nRanges / 2 : step.nRanges); ++i)
    {
        bytes += m_layout.GetBytes(GetRanges(step)[i]);
    }
    return bytes;
}

uint32_t
LinkedSchedules::FindMulticastSlot(uint32_t rank, uint32_t from) const
{
    for (auto index = m_first[rank]; index < m_first[rank + 1]; ++index)
    {
        const auto& step = m_steps[index];
        if (step.IsReceive() && step.peer == from && step.slot == ScheduleStep::MULTICAST_TAG)
        {
            return index - m_first[rank];
        }
    }
    throw WormholeError("rank " + std::to_string(rank) + " receives no tree worm from rank " +
                        std::to_string(from));
}

uint32_t
LinkedSchedules::CountOnePortSteps(const std::vector<uint32_t>& hosts) const
{
    return CountWith(
        [&hosts](uint32_t from, uint32_t to) {
            return from != to && !hosts.empty() && hosts[from] == hosts[to] ? 0 : 1;
        },
        0);
}

uint32_t
LinkedSchedules::CountWith(const SendCost& sendCost, uint32_t groupCost) const
{
    const auto n = GetNMembers();
    constexpr uint32_t UNSENT = UINT32_MAX;
    std::vector<uint32_t> sent(m_steps.size(), UNSENT); // by receive: steps its sender had done
    std::vector<uint32_t> done(n, 0);                   // by rank: steps done
    std::vector<uint32_t> next(m_first.begin(), m_first.end() - 1);
    auto able = NumbersBelow(n);
    while (!able.empty())
    {
        const auto rank = able.back();
        able.pop_back();
        while (next[rank] < m_first[rank + 1])
        {
            const auto& step = m_steps[next[rank]];
            if (step.kind == ScheduleStep::CALL)
            {
                throw WormholeError("steps of schedules with an inner collective that is not by "
                                    "software can't be counted");
            }
            if (step.kind == ScheduleStep::SEND)
            {
                done[rank] += sendCost(rank, step.peer);
                sent[m_first[step.peer] + step.slot] = done[rank];
                able.push_back(step.peer);
            }
            else if (step.kind == ScheduleStep::MULTICAST)
            {
                done[rank] += sendCost(rank, rank);
                for (const auto receiver : m_receivers.at(next[rank]))
                {
                    sent[m_first[receiver] + FindMulticastSlot(receiver, rank)] = done[rank];
                    able.push_back(receiver);
                }
            }
            if (!step.IsReceive())
            {
                ++next[rank];
                continue;
            }
            auto end = next[rank];
            auto latest = done[rank];
            for (; end < m_first[rank + 1] && m_steps[end].IsReceive() && sent[end] != UNSENT;
                 ++end)
            {
                latest = std::max(latest, sent[end]);
            }
            if (end < m_first[rank + 1] && m_steps[end].IsReceive())
            {
                break;
            }
            next[rank] = end;
            done[rank] = latest + groupCost;
        }
    }
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        if (next[rank] < m_first[rank + 1])
        {
            throw WormholeError("schedules of a collective: rank " + std::to_string(rank) +
                                " waits for ever for rank " +
                                std::to_string(m_steps[next[rank]].peer) +
                                "; expected schedules that end");
        }
    }
    return n == 0 ? 0 : *std::max_element(done.begin(), done.end());
}

} // namespace ns3
