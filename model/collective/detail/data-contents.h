/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_CONTENTS_H
#define DATA_CONTENTS_H

#include "ns3/communication-schedule.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-data-values.h"
#include "ns3/wormhole-linked-schedules.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/// The bytes of all members' blocks during a data collective: a message carries what its sender
/// holds when it sends.
///
/// Rounds may overlap; a member's blocks are those of its own round. What a member is given, sends
/// and receives is shared, not copied: only combining creates new bytes. So the time of a round is
/// proportional to its number of blocks, and the memory to the distinct bytes.
///
/// A member without any blocks is in a round without contents, and sends none.
class DataContents
{
  public:
    /// A block's bytes, from an offset on.
    struct Block
    {
        SharedBytes bytes;
        uint64_t offset{0}; ///< start of the block
    };

    /// @param schedules members' schedules, which must outlive this
    DataContents(const LinkedSchedules& schedules, DataType type, DataOperation operation);

    /// Discards a member's blocks.
    void Clear(uint32_t rank)
    {
        m_contents[rank].clear();
    }

    /// Sets a member's block.
    void Set(uint32_t rank, uint32_t block, Block content);

    /// @return a member's block; null if it has none
    const Block* Find(uint32_t rank, uint32_t block) const;

    /// Collects the contents of a message.
    /// @return number of the contents, carried by the message
    uint64_t PickUp(uint32_t rank, const LinkedSchedules::Step& step, uint32_t receivers);

    /// Performs a receive.
    void PutDown(uint32_t rank, const LinkedSchedules::Step& step, uint64_t number);

    /// Copies or combines within a member's memory.
    void DoLocally(uint32_t rank, const LinkedSchedules::Step& step);

    /// Passes the data of a CALL to the inner collective.
    void GiveToInner(uint32_t rank,
                     const LinkedSchedules::Step& step,
                     Collective& inner,
                     uint32_t innerRank);

    /// Takes over a member's result of the inner collective.
    void TakeFromInner(uint32_t rank,
                       const LinkedSchedules::Step& step,
                       const Collective& inner,
                       uint32_t innerRank);

  protected:
    /// Appends a member's bytes of a block.
    void Append(std::vector<uint8_t>& bytes, uint32_t rank, uint32_t block) const;

    const LinkedSchedules& GetSchedules() const
    {
        return *m_schedules;
    }

  private:
    /// @return the blocks of parts of the inner collective's data
    std::vector<uint32_t> FindBlocks(const LinkedSchedules::Step& step,
                                     const std::vector<uint64_t>& lengths,
                                     const std::vector<uint64_t>& parts) const;

    /// The contents of a message in flight.
    struct Parcel
    {
        std::vector<Block> blocks;
        uint32_t receivers;
    };

    void Apply(uint32_t rank,
               uint32_t block,
               const Block& content,
               const LinkedSchedules::Step& step);

    /// Combines two blocks of the same length.
    /// @param left the left one, whose storage receives the result if it is not shared and holds
    /// nothing else
    Block Combine(Block left, const Block& right, uint64_t bytes) const;

    const LinkedSchedules* m_schedules;
    DataType m_type;
    DataOperation m_operation;
    std::vector<std::unordered_map<uint32_t, Block>> m_contents; ///< by rank and block
    std::unordered_map<uint64_t, Parcel> m_parcels;              ///< in flight, by number
    uint64_t m_nParcels{0};
};

/// @ingroup wormhole The inputs and outputs of the members of a software data collective:
/// parts of the kind's sequence, which are blocks of its schedules.
class GroupContents : public DataContents
{
  public:
    /// @param group the group, which must outlive this
    GroupContents(const Collective& group, const LinkedSchedules& schedules);

    /// Starts a member's round. @param rank the member @param input its data; null: none
    void Load(uint32_t rank, const SharedBytes& input);

    /// @return a member's bytes of its output parts
    std::vector<uint8_t> Read(uint32_t rank) const;

  private:
    const Collective* m_group;
    std::vector<BlockRange> m_blocks;
};

} // namespace ns3

#endif /* DATA_CONTENTS_H */
