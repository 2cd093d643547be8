/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "group-contents.h"

namespace ns3
{

GroupContents::GroupContents(const DataCollective& group, const LinkedSchedules& schedules)
    : DataContents(schedules, group.GetDataType(), group.GetDataOperation()),
      m_group(&group)
{
    const auto& layout = schedules.GetLayout();
    uint32_t block = 0;
    uint64_t end = 0;
    for (const auto bytes : group.GetParts())
    {
        end += bytes;
        m_blocks.push_back({block, 0});
        for (; block < layout.GetNData() && layout.GetOffset(block) + layout.GetBytes(block) <= end;
             ++block)
        {
            ++m_blocks.back().count;
        }
    }
}

void
GroupContents::Load(uint32_t rank, const SharedBytes& input)
{
    Clear(rank);
    if (!input)
    {
        return;
    }
    uint64_t offset = 0;
    for (const auto part : m_group->GetInputParts(rank))
    {
        const auto& range = m_blocks[part];
        for (auto block = range.first; block < range.first + range.count; ++block)
        {
            Set(rank, block, {input, offset});
            offset += GetSchedules().GetLayout().GetBytes(block);
        }
    }
}

std::vector<uint8_t>
GroupContents::Read(uint32_t rank) const
{
    const auto parts = m_group->GetOutputParts(rank);
    uint64_t length = 0;
    for (const auto part : parts)
    {
        length += m_group->GetParts()[part];
    }
    std::vector<uint8_t> bytes;
    bytes.reserve(length);
    for (const auto part : parts)
    {
        const auto& range = m_blocks[part];
        for (auto block = range.first; block < range.first + range.count; ++block)
        {
            Append(bytes, rank, block);
        }
    }
    return bytes;
}

} // namespace ns3
