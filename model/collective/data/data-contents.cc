/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "data-contents.h"

#include "ns3/wormhole-error.h"

#include <string>

namespace ns3
{

DataContents::DataContents(const LinkedSchedules& schedules, DataType type, DataOperation operation)
    : m_schedules(&schedules),
      m_type(type),
      m_operation(operation),
      m_contents(schedules.GetNMembers())
{
}

void
DataContents::Clear(uint32_t rank)
{
    m_contents[rank].clear();
}

void
DataContents::Set(uint32_t rank, uint32_t block, Bytes bytes)
{
    m_contents[rank][block] = std::move(bytes);
}

const DataContents::Bytes*
DataContents::Find(uint32_t rank, uint32_t block) const
{
    const auto found = m_contents[rank].find(block);
    return found == m_contents[rank].end() ? nullptr : &found->second;
}

std::vector<uint32_t>
DataContents::List(const BlockRange* ranges, uint32_t count)
{
    std::vector<uint32_t> blocks;
    for (auto range = ranges; range < ranges + count; ++range)
    {
        for (auto block = range->first; block < range->first + range->count; ++block)
        {
            blocks.push_back(block);
        }
    }
    return blocks;
}

uint64_t
DataContents::PickUp(uint32_t rank, const LinkedSchedules::Step& step, uint32_t receivers)
{
    auto& parcel = m_parcels[++m_nParcels];
    parcel.receivers = receivers;
    for (const auto block : List(m_schedules->GetRanges(step), step.nRanges))
    {
        const auto found = Find(rank, block);
        if (!found && m_schedules->GetLayout().GetBytes(block) == 0)
        {
            parcel.blocks.emplace_back();
            continue;
        }
        if (!found)
        {
            throw WormholeError("a schedule has rank " + std::to_string(rank) + " send block " +
                                std::to_string(block) + ", which it does not have");
        }
        parcel.blocks.push_back(*found);
    }
    return m_nParcels;
}

void
DataContents::PutDown(uint32_t rank, const LinkedSchedules::Step& step, uint64_t number)
{
    const auto found = m_parcels.find(number);
    auto& parcel = found->second;
    const auto blocks = List(m_schedules->GetRanges(step), step.nRanges);
    for (std::size_t i = 0; i < blocks.size(); ++i)
    {
        Apply(rank, blocks[i], parcel.blocks[i], step);
    }
    if (--parcel.receivers == 0)
    {
        m_parcels.erase(found);
    }
}

void
DataContents::DoLocally(uint32_t rank, const LinkedSchedules::Step& step)
{
    const auto half = step.nRanges / 2;
    const auto targets = List(m_schedules->GetRanges(step), half);
    const auto sources = List(m_schedules->GetRanges(step) + half, half);
    for (std::size_t i = 0; i < targets.size(); ++i)
    {
        if (m_schedules->GetLayout().GetBytes(sources[i]) > 0)
        {
            const auto bytes = m_contents[rank].at(sources[i]);
            Apply(rank, targets[i], bytes, step);
        }
    }
}

void
DataContents::Apply(uint32_t rank,
                    uint32_t block,
                    const Bytes& bytes,
                    const LinkedSchedules::Step& step)
{
    auto& held = m_contents[rank][block];
    if (step.kind != ScheduleStep::COMBINE && step.kind != ScheduleStep::MERGE)
    {
        held = bytes;
    }
    else if (step.isLeft)
    {
        auto combined = bytes;
        DataValues::Combine(m_operation, m_type, combined.data(), held.data(), held.size());
        held = std::move(combined);
    }
    else
    {
        DataValues::Combine(m_operation, m_type, held.data(), bytes.data(), bytes.size());
    }
}

} // namespace ns3
