/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_DATA_CONTENTS_H
#define WORMHOLE_DATA_CONTENTS_H

#include "communication-schedule.h"
#include "wormhole-collective.h"
#include "wormhole-data-values.h"
#include "wormhole-linked-schedules.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The bytes of all members' blocks during a data collective: a message carries what its
 *        sender holds when it sends.
 *
 * Rounds may overlap; a member's blocks are those of its own round. What a member is given, sends
 * and receives is shared, not copied: only combining creates new bytes. So the time of a round is
 * proportional to its number of blocks, and the memory to the distinct bytes.
 *
 * A member without any blocks is in a round without contents, and sends none.
 */
class DataContents
{
  public:
    /// A block's bytes, from an offset on.
    struct Block
    {
        SharedBytes bytes;  ///< the storage
        uint64_t offset{0}; ///< start of the block
    };

    /// @param schedules members' schedules, which must outlive this
    /// @param type type of the elements
    /// @param operation how they are combined
    DataContents(const LinkedSchedules& schedules, DataType type, DataOperation operation);

    void Clear(uint32_t rank); ///< Discards a member's blocks. @param rank the member

    /// Sets a member's block.
    /// @param rank the member
    /// @param block its number
    /// @param content its content
    void Set(uint32_t rank, uint32_t block, Block content);

    /// @return a member's block; null if it has none
    /// @param rank the member
    /// @param block its number
    const Block* Find(uint32_t rank, uint32_t block) const;

    /// Collects the contents of a message.
    /// @param rank the sender
    /// @param step the step
    /// @param receivers number of receivers
    /// @return number of the contents, carried by the message
    uint64_t PickUp(uint32_t rank, const LinkedSchedules::Step& step, uint32_t receivers);

    /// Performs a receive.
    /// @param rank the receiver
    /// @param step the step
    /// @param number number of the contents
    void PutDown(uint32_t rank, const LinkedSchedules::Step& step, uint64_t number);

    /// Copies or combines within a member's memory. @param rank the member @param step the step
    void DoLocally(uint32_t rank, const LinkedSchedules::Step& step);

    /// Passes the data of a CALL to the inner collective.
    /// @param rank the member
    /// @param step the step
    /// @param inner the inner collective
    /// @param innerRank its rank there
    void GiveToInner(uint32_t rank,
                     const LinkedSchedules::Step& step,
                     Collective& inner,
                     uint32_t innerRank);

    /// Takes over a member's result of the inner collective.
    /// @param rank,step,inner,innerRank see GiveToInner
    void TakeFromInner(uint32_t rank,
                       const LinkedSchedules::Step& step,
                       const Collective& inner,
                       uint32_t innerRank);

  protected:
    /// Appends a member's bytes of a block.
    /// @param bytes receives them
    /// @param rank the member
    /// @param block the block
    void Append(std::vector<uint8_t>& bytes, uint32_t rank, uint32_t block) const;

    /// @return members' schedules
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
        std::vector<Block> blocks; ///< the blocks
        uint32_t receivers;        ///< number of receivers left
    };

    void Apply(uint32_t rank,
               uint32_t block,
               const Block& content,
               const LinkedSchedules::Step& step);

    /// Combines two blocks of the same length.
    /// @param left the left one, whose storage receives the result if it is not shared and holds
    ///        nothing else
    /// @return the result
    Block Combine(Block left, const Block& right, uint64_t bytes) const;

    const LinkedSchedules* m_schedules;                          ///< members' schedules
    DataType m_type;                                             ///< type of the elements
    DataOperation m_operation;                                   ///< how they are combined
    std::vector<std::unordered_map<uint32_t, Block>> m_contents; ///< by rank and block
    std::unordered_map<uint64_t, Parcel> m_parcels;              ///< in flight, by number
    uint64_t m_nParcels{0};                                      ///< number so far
};

/// @ingroup wormhole @brief The inputs and outputs of the members of a software data collective:
/// parts of the kind's sequence, which are blocks of its schedules.
class GroupContents : public DataContents
{
  public:
    /// @param group the group, which must outlive this @param schedules its schedules, likewise
    GroupContents(const Collective& group, const LinkedSchedules& schedules);

    /// Starts a member's round. @param rank the member @param input its data; null: none
    void Load(uint32_t rank, const SharedBytes& input);

    /// @return a member's bytes of its output parts @param rank the member
    std::vector<uint8_t> Read(uint32_t rank) const;

  private:
    const Collective* m_group;        ///< the group
    std::vector<BlockRange> m_blocks; ///< of each part
};

} // namespace ns3

#endif /* WORMHOLE_DATA_CONTENTS_H */
