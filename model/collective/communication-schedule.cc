// SPDX-License-Identifier: GPL-2.0-only

#include "communication-schedule.h"

#include "ns3/assert.h"
#include "ns3/ordering.h"

#include <algorithm>

namespace ns3
{

BlockLayout
BlockLayout::MakeEven(uint64_t bytes, uint32_t blocks, uint32_t elementBytes)
{
    BlockLayout layout;
    const auto elements = (bytes + elementBytes - 1) / elementBytes;
    for (uint32_t block = 0; block < blocks; ++block)
    {
        const auto has = elements / blocks + (block < elements % blocks);
        const auto begin = block == 0 ? 0 : layout.m_ends.back();
        layout.Add(std::min(has * elementBytes, bytes - begin));
    }
    return layout;
}

uint32_t
BlockLayout::Add(uint64_t bytes)
{
    NS_ASSERT_MSG(m_nData == m_ends.size(), "the sequence ends where places for work begin");
    m_ends.push_back((m_ends.empty() ? 0 : m_ends.back()) + bytes);
    return m_nData++;
}

uint32_t
BlockLayout::AddWork(const BlockRange& range)
{
    const auto first = GetNBlocks();
    for (auto block = range.first; block < range.first + range.count; ++block)
    {
        m_ends.push_back((m_ends.empty() ? 0 : m_ends.back()) + GetBytes(block));
        m_sources.push_back(GetSource(block));
    }
    return first;
}

uint64_t
BlockLayout::GetBytes(const BlockRanges& ranges) const
{
    return SumOf(ranges, [this](const auto& range) { return GetBytes(range); });
}

CommunicationSchedule&
CommunicationSchedule::Add(ScheduleStep step, const BlockRanges& ranges)
{
    step.firstRange = static_cast<uint32_t>(m_ranges.size());
    step.nRanges = static_cast<uint32_t>(ranges.size());
    m_ranges.insert(m_ranges.end(), ranges.begin(), ranges.end());
    m_steps.push_back(step);
    return *this;
}

void
CommunicationSchedule::Append(const CommunicationSchedule& schedule,
                              const std::vector<uint32_t>& ranks,
                              const std::vector<BlockRanges>& blocks)
{
    for (auto step : schedule.m_steps)
    {
        if (step.kind != ScheduleStep::COPY && step.kind != ScheduleStep::MERGE)
        {
            step.peer = ranks[step.peer];
        }
        BlockRanges here;
        for (const auto& range : schedule.GetBlocks(step))
        {
            for (auto block = range.first; block < range.first + range.count; ++block)
            {
                here.insert(here.end(), blocks[block].begin(), blocks[block].end());
            }
        }
        Add(step, here);
    }
}

} // namespace ns3
