/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "block-layout.h"

#include "ns3/assert.h"

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

BlockRange
BlockLayout::GetAll() const
{
    return {0, m_nData};
}

uint64_t
BlockLayout::GetBytes(uint32_t block) const
{
    return m_ends[block] - GetOffset(block);
}

uint64_t
BlockLayout::GetBytes(const BlockRange& range) const
{
    return range.count == 0 ? 0 : m_ends[range.first + range.count - 1] - GetOffset(range.first);
}

uint64_t
BlockLayout::GetBytes(const BlockRanges& ranges) const
{
    uint64_t bytes = 0;
    for (const auto& range : ranges)
    {
        bytes += GetBytes(range);
    }
    return bytes;
}

} // namespace ns3
