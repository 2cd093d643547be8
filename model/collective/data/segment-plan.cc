/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "segment-plan.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

SegmentPlan::SegmentPlan(DataKind kind,
                         uint32_t members,
                         uint32_t root,
                         const std::vector<uint64_t>& parts,
                         uint64_t segmentBytes)
    : m_segmentBytes(segmentBytes),
      m_pieces(members),
      m_nSent(members),
      m_nReceived(members),
      m_outputBytes(members)
{
    if (kind == DataKind::ALL_TO_ALL)
    {
        std::vector<uint64_t> inputs(parts.size());
        std::vector<uint64_t> outputs(parts.size());
        for (uint32_t to = 0; to < members; ++to)
        {
            for (uint32_t from = 0; from < members; ++from)
            {
                outputs[std::size_t{from} * members + to] = m_outputBytes[to];
                m_outputBytes[to] += parts[std::size_t{from} * members + to];
            }
        }
        for (std::size_t part = 0; part < parts.size(); ++part)
        {
            inputs[part] = part % members == 0 ? 0 : inputs[part - 1] + parts[part - 1];
        }
        for (uint32_t from = 0; from < members; ++from)
        {
            for (uint32_t distance = 1; distance < members; ++distance)
            {
                const auto to = (from + distance) % members;
                const auto part = std::size_t{from} * members + to;
                Add(from, {to, 0, parts[part], inputs[part], outputs[part]});
            }
        }
        return;
    }
    if (kind == DataKind::GATHER)
    {
        for (uint32_t from = 0; from < members; ++from)
        {
            if (from != root)
            {
                Add(from, {root, 0, parts[from], 0, m_outputBytes[root]});
            }
            m_outputBytes[root] += parts[from];
        }
        return;
    }
    const auto bytes = parts.front();
    for (uint32_t rank = 0; rank < members; ++rank)
    {
        if (kind != DataKind::BROADCAST || rank == root)
        {
            Add(rank, {rank, 0, bytes, 0, 0});
        }
        const bool gets =
            kind == DataKind::ALL_REDUCTION || (rank == root) == (kind == DataKind::REDUCTION);
        m_nReceived[rank] = gets ? CountSegments(bytes) : 0;
        m_outputBytes[rank] = gets || kind == DataKind::BROADCAST ? bytes : 0;
    }
}

uint64_t
SegmentPlan::CountSegments(uint64_t bytes) const
{
    return (bytes + m_segmentBytes - 1) / m_segmentBytes;
}

void
SegmentPlan::Add(uint32_t from, Piece piece)
{
    const auto segments = CountSegments(piece.bytes);
    if (segments > 0)
    {
        piece.first = m_nSent[from];
        m_pieces[from].push_back(piece);
        m_nSent[from] += segments;
        m_nReceived[piece.to] += segments;
    }
}

SegmentPlan::Segment
SegmentPlan::GetSegment(uint32_t rank, uint64_t number) const
{
    const auto& pieces = m_pieces[rank];
    const auto piece = *std::prev(
        std::upper_bound(pieces.begin(),
                         pieces.end(),
                         number,
                         [](uint64_t wanted, const Piece& each) { return wanted < each.first; }));
    const auto offset = (number - piece.first) * m_segmentBytes;
    const auto bytes = std::min(m_segmentBytes, piece.bytes - offset);
    return {piece.to,
            static_cast<uint32_t>(bytes),
            piece.inputOffset + offset,
            piece.outputOffset + offset};
}

} // namespace ns3
