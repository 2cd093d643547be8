/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BLOCK_LAYOUT_H
#define BLOCK_LAYOUT_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Blocks that follow one another: [first, first + count).
 */
struct BlockRange
{
    uint32_t first{0}; ///< number of the first
    uint32_t count{1}; ///< how many
};

/// @ingroup wormhole
/// @brief Blocks that a step sends, receives or combines, in the order in which the message holds
/// them.
using BlockRanges = std::vector<BlockRange>;

/**
 * @ingroup wormhole
 * @brief The blocks into which the data of a collective are cut.
 *
 * A kind of collective has a sequence of bytes (DataKind); the first blocks cut it, in order.
 * Further blocks, if an algorithm has any, are places for work in each member's memory.
 */
class BlockLayout
{
  public:
    /// No blocks.
    BlockLayout() = default;

    /**
     * Cuts a sequence into equal blocks, as far as whole elements allow: the first ones have one
     * more. With fewer elements than blocks the last ones are empty.
     * @param bytes length of the sequence
     * @param blocks number of blocks, at least 1
     * @param elementBytes length of an element; a rest that is no whole element is in the last
     *        block that is not empty
     * @return the layout
     */
    static BlockLayout MakeEven(uint64_t bytes, uint32_t blocks, uint32_t elementBytes);

    /// Adds a block at the end of the sequence. @param bytes its length @return its number
    uint32_t Add(uint64_t bytes);

    /// Adds places for work with the lengths of blocks of the sequence, behind all of these.
    /// @param range those blocks @return number of the first
    uint32_t AddWork(const BlockRange& range);

    /// @return the block of the sequence whose length a place for work has @param block its number;
    /// a block of the sequence is its own
    uint32_t GetSource(uint32_t block) const
    {
        return block < m_nData ? block : m_sources[block - m_nData];
    }

    /// @return number of blocks of the sequence
    uint32_t GetNData() const
    {
        return m_nData;
    }

    /// @return number of all blocks
    uint32_t GetNBlocks() const
    {
        return static_cast<uint32_t>(m_ends.size());
    }

    /// @return all blocks of the sequence
    BlockRange GetAll() const;

    /// @return length of a block, bytes @param block its number
    uint64_t GetBytes(uint32_t block) const;

    /// @return length of blocks together, bytes @param range the blocks
    uint64_t GetBytes(const BlockRange& range) const;

    /// @return length of blocks together, bytes @param ranges the blocks
    uint64_t GetBytes(const BlockRanges& ranges) const;

    /// @return where a block begins, bytes; works follow the sequence @param block its number
    uint64_t GetOffset(uint32_t block) const
    {
        return block == 0 ? 0 : m_ends[block - 1];
    }

  private:
    std::vector<uint64_t> m_ends;    ///< where each block ends
    std::vector<uint32_t> m_sources; ///< of places for work, see GetSource
    uint32_t m_nData{0};             ///< number of blocks of the sequence
};

} // namespace ns3

#endif /* BLOCK_LAYOUT_H */
