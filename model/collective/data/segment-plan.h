/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEGMENT_PLAN_H
#define SEGMENT_PLAN_H

#include "data-kind.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Which segments members of a group send in a round of a collective of data in the switches,
 *        and receive. Pure.
 *
 * A member's segments are numbered in the order in which it sends them. Each part that it sends is
 * cut on its own, into segments of the same length but for its last. In an all-to-all a member
 * sends to the next rank first, then to the one after that, and so on.
 */
class SegmentPlan
{
  public:
    /// A segment.
    struct Segment
    {
        uint32_t to{0};           ///< rank of its receiver, where it has one
        uint32_t bytes{0};        ///< its length
        uint64_t inputOffset{0};  ///< where it is in its sender's input, bytes
        uint64_t outputOffset{0}; ///< where it is in a receiver's output, bytes
    };

    SegmentPlan() = default;

    /**
     * @param kind what the group does, one that SlotTree serves
     * @param members how many
     * @param root rank of the root, if the kind has one
     * @param parts lengths of the kind's parts, bytes
     * @param segmentBytes longest segment
     */
    SegmentPlan(DataKind kind,
                uint32_t members,
                uint32_t root,
                const std::vector<uint64_t>& parts,
                uint64_t segmentBytes);

    /// @return how many segments a member sends in a round @param rank the member
    uint64_t GetNSent(uint32_t rank) const
    {
        return m_nSent[rank];
    }

    /// @return how many with contents it receives for itself @param rank the member
    uint64_t GetNReceived(uint32_t rank) const
    {
        return m_nReceived[rank];
    }

    /// @return a segment @param rank its sender @param number its number among those of a round
    Segment GetSegment(uint32_t rank, uint64_t number) const;

    /// @return length of a member's output, bytes @param rank the member
    uint64_t GetOutputBytes(uint32_t rank) const
    {
        return m_outputBytes[rank];
    }

  private:
    /// What a member sends to one receiver.
    struct Piece
    {
        uint32_t to{0};           ///< the receiver
        uint64_t first{0};        ///< number of its first segment
        uint64_t bytes{0};        ///< its length
        uint64_t inputOffset{0};  ///< where it is in the input
        uint64_t outputOffset{0}; ///< where it is in the receiver's output
    };

    uint64_t CountSegments(uint64_t bytes) const;

    /// Adds a piece of a sender, unless it is empty.
    void Add(uint32_t from, Piece piece);

    uint64_t m_segmentBytes{1};               ///< longest segment
    std::vector<std::vector<Piece>> m_pieces; ///< by sender
    std::vector<uint64_t> m_nSent;            ///< by sender
    std::vector<uint64_t> m_nReceived;        ///< by receiver
    std::vector<uint64_t> m_outputBytes;      ///< by receiver
};

} // namespace ns3

#endif /* SEGMENT_PLAN_H */
