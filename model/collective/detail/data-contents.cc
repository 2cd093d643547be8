/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "data-contents.h"

#include "ns3/wormhole-error.h"

#include <memory>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// Does something for each block of ranges, in order.
template <typename APPLY>
void
ForEachBlock(const BlockRange* ranges, uint32_t count, APPLY apply)
{
    for (auto range = ranges; range < ranges + count; ++range)
    {
        for (auto block = range->first; block < range->first + range->count; ++block)
        {
            apply(block);
        }
    }
}

uint8_t*
GetBegin(const DataContents::Block& block)
{
    return block.bytes->data() + block.offset;
}

} // namespace

DataContents::DataContents(const LinkedSchedules& schedules, DataType type, DataOperation operation)
    : m_schedules(&schedules),
      m_type(type),
      m_operation(operation),
      m_contents(schedules.GetNMembers())
{
}

void
DataContents::Set(uint32_t rank, uint32_t block, Block content)
{
    m_contents[rank][block] = std::move(content);
}

const DataContents::Block*
DataContents::Find(uint32_t rank, uint32_t block) const
{
    const auto found = m_contents[rank].find(block);
    return found == m_contents[rank].end() ? nullptr : &found->second;
}

uint64_t
DataContents::PickUp(uint32_t rank, const LinkedSchedules::Step& step, uint32_t receivers)
{
    if (m_contents[rank].empty())
    {
        return 0;
    }
    auto& parcel = m_parcels[++m_nParcels];
    parcel.receivers = receivers;
    ForEachBlock(m_schedules->GetRanges(step), step.nRanges, [&](uint32_t block) {
        const auto found = Find(rank, block);
        if (!found && m_schedules->GetLayout().GetBytes(block) > 0)
        {
            throw WormholeError("a schedule has rank " + std::to_string(rank) + " send block " +
                                std::to_string(block) + ", which it does not have");
        }
        parcel.blocks.push_back(found ? *found : Block());
    });
    return m_nParcels;
}

void
DataContents::PutDown(uint32_t rank, const LinkedSchedules::Step& step, uint64_t number)
{
    const auto found = m_parcels.find(number);
    if (found == m_parcels.end()) // sent in a round without contents
    {
        return;
    }
    auto& parcel = found->second;
    auto next = parcel.blocks.begin();
    ForEachBlock(m_schedules->GetRanges(step), step.nRanges, [&](uint32_t block) {
        Apply(rank, block, *next++, step);
    });
    if (--parcel.receivers == 0)
    {
        m_parcels.erase(found);
    }
}

void
DataContents::DoLocally(uint32_t rank, const LinkedSchedules::Step& step)
{
    if (m_contents[rank].empty())
    {
        return;
    }
    const auto half = step.nRanges / 2;
    const auto ranges = m_schedules->GetRanges(step);
    std::vector<uint32_t> targets;
    ForEachBlock(ranges, half, [&](uint32_t block) { targets.push_back(block); });
    auto target = targets.begin();
    ForEachBlock(ranges + half, half, [&](uint32_t source) {
        if (m_schedules->GetLayout().GetBytes(source) > 0)
        {
            Apply(rank, *target, Block(m_contents[rank].at(source)), step);
        }
        ++target;
    });
}

DataContents::Block
DataContents::Combine(Block left, const Block& right, uint64_t bytes) const
{
    if (left.bytes.use_count() > 1 || left.bytes->size() != bytes)
    {
        const auto begin = GetBegin(left);
        left = {std::make_shared<SharedBytes::element_type>(begin, begin + bytes), 0};
    }
    DataValues::Combine(m_operation, m_type, GetBegin(left), GetBegin(right), bytes);
    return left;
}

void
DataContents::Apply(uint32_t rank,
                    uint32_t block,
                    const Block& content,
                    const LinkedSchedules::Step& step)
{
    auto& held = m_contents[rank][block];
    const auto bytes = m_schedules->GetLayout().GetBytes(block);
    if (step.kind != ScheduleStep::COMBINE && step.kind != ScheduleStep::MERGE)
    {
        held = content;
    }
    else if (bytes > 0)
    {
        if (!held.bytes || !content.bytes)
        {
            throw WormholeError("a schedule has rank " + std::to_string(rank) + " combine block " +
                                std::to_string(block) + ", which it does not have");
        }
        held =
            step.isLeft ? Combine(content, held, bytes) : Combine(std::move(held), content, bytes);
    }
}

void
DataContents::Append(std::vector<uint8_t>& bytes, uint32_t rank, uint32_t block) const
{
    const auto held = Find(rank, block);
    if (held && held->bytes)
    {
        const auto begin = held->bytes->data() + held->offset;
        bytes.insert(bytes.end(), begin, begin + m_schedules->GetLayout().GetBytes(block));
    }
}

std::vector<uint32_t>
DataContents::FindBlocks(const LinkedSchedules::Step& step,
                         const std::vector<uint64_t>& lengths,
                         const std::vector<uint64_t>& parts) const
{
    std::vector<bool> isWanted(lengths.size(), false);
    for (const auto part : parts)
    {
        isWanted[part] = true;
    }
    std::vector<uint32_t> blocks;
    std::size_t part = 0;
    uint64_t left = lengths[0];
    const auto* ranges = m_schedules->GetRanges(step);
    for (const auto* range = ranges; range < ranges + step.nRanges; ++range)
    {
        for (auto block = range->first; block < range->first + range->count; ++block)
        {
            const auto bytes = m_schedules->GetLayout().GetBytes(block);
            while (left == 0 && bytes > 0)
            {
                left = lengths[++part];
            }
            if (bytes > 0 && isWanted[part])
            {
                blocks.push_back(block);
            }
            left -= bytes;
        }
    }
    return blocks;
}

void
DataContents::GiveToInner(uint32_t rank,
                          const LinkedSchedules::Step& step,
                          Collective& inner,
                          uint32_t innerRank)
{
    if (m_contents[rank].empty())
    {
        return;
    }
    std::vector<uint8_t> bytes;
    uint64_t length = 0;
    for (const auto block : FindBlocks(step, inner.GetParts(), inner.GetInputParts(innerRank)))
    {
        Append(bytes, rank, block);
        // In an all-to-all a leader has not been told what others of its host have for themselves.
        length += m_schedules->GetLayout().GetBytes(block);
        bytes.resize(length);
    }
    inner.SetInput(innerRank, bytes);
}

void
DataContents::TakeFromInner(uint32_t rank,
                            const LinkedSchedules::Step& step,
                            const Collective& inner,
                            uint32_t innerRank)
{
    const auto bytes = std::make_shared<SharedBytes::element_type>(inner.GetOutput(innerRank));
    if (bytes->empty())
    {
        return;
    }
    uint64_t offset = 0;
    for (const auto block : FindBlocks(step, inner.GetParts(), inner.GetOutputParts(innerRank)))
    {
        Set(rank, block, {bytes, offset});
        offset += m_schedules->GetLayout().GetBytes(block);
    }
}

GroupContents::GroupContents(const Collective& group, const LinkedSchedules& schedules)
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
