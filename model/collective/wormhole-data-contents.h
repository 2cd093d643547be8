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
 * @brief The bytes of all members' blocks while a collective of data runs: what is sent is what
 *        its sender has at that time.
 *
 * Rounds may overlap; a member's blocks are those of its own round. What a member has been given,
 * sends and receives is shared, and not copied: only combining makes new bytes. So a round takes
 * as long as it has blocks to pass, and memory for what is different.
 *
 * A member that has no blocks at all is in a round without contents, and sends none.
 */
class DataContents
{
  public:
    /// A block's bytes: as many as the block has, from one on.
    struct Block
    {
        SharedBytes bytes;  ///< what holds them
        uint64_t offset{0}; ///< where they begin
    };

    /// @param schedules members' schedules, which must outlive this
    /// @param type type of the elements
    /// @param operation how they are combined
    DataContents(const LinkedSchedules& schedules, DataType type, DataOperation operation);

    void Clear(uint32_t rank); ///< Forgets a member's blocks. @param rank the member

    /// Gives a member a block.
    /// @param rank the member
    /// @param block its number
    /// @param content of it
    void Set(uint32_t rank, uint32_t block, Block content);

    /// @return a member's block; null if it has none
    /// @param rank the member
    /// @param block its number
    const Block* Find(uint32_t rank, uint32_t block) const;

    /// Takes what a send is to send.
    /// @param rank the sender
    /// @param step the step
    /// @param receivers how many will put it down
    /// @return a number for it, which the message carries
    uint64_t PickUp(uint32_t rank, const LinkedSchedules::Step& step, uint32_t receivers);

    /// Does what a receive does.
    /// @param rank the receiver
    /// @param step the step
    /// @param number of what came
    void PutDown(uint32_t rank, const LinkedSchedules::Step& step, uint64_t number);

    /// Copies or combines within a member's memory. @param rank the member @param step the step
    void DoLocally(uint32_t rank, const LinkedSchedules::Step& step);

    /// Gives a member of the inner collective what a CALL is about.
    /// @param rank the member
    /// @param step the step
    /// @param inner the inner collective
    /// @param innerRank its rank there
    void GiveToInner(uint32_t rank,
                     const LinkedSchedules::Step& step,
                     Collective& inner,
                     uint32_t innerRank);

    /// Takes what a member leaves the inner collective with.
    /// @param rank,step,inner,innerRank see GiveToInner
    void TakeFromInner(uint32_t rank,
                       const LinkedSchedules::Step& step,
                       const Collective& inner,
                       uint32_t innerRank);

  protected:
    /// Adds what a member has of a block.
    /// @param bytes where to
    /// @param rank the member
    /// @param block the block
    void Append(std::vector<uint8_t>& bytes, uint32_t rank, uint32_t block) const;

    /// @return members' schedules
    const LinkedSchedules& GetSchedules() const
    {
        return *m_schedules;
    }

  private:
    /// @return blocks of some parts of the inner collective's data
    std::vector<uint32_t> FindBlocks(const LinkedSchedules::Step& step,
                                     const std::vector<uint64_t>& lengths,
                                     const std::vector<uint64_t>& parts) const;

    /// A message's blocks, on their way.
    struct Parcel
    {
        std::vector<Block> blocks; ///< their contents
        uint32_t receivers;        ///< how many will take them
    };

    void Apply(uint32_t rank,
               uint32_t block,
               const Block& content,
               const LinkedSchedules::Step& step);

    /// Combines two blocks of one length.
    /// @param left the left one, which has the result if nobody else has its bytes, and it is all
    /// of them
    /// @return the result
    Block Combine(Block left, const Block& right, uint64_t bytes) const;

    const LinkedSchedules* m_schedules;                          ///< members' schedules
    DataType m_type;                                             ///< type of the elements
    DataOperation m_operation;                                   ///< how they are combined
    std::vector<std::unordered_map<uint32_t, Block>> m_contents; ///< by rank and block
    std::unordered_map<uint64_t, Parcel> m_parcels;              ///< on their way, by number
    uint64_t m_nParcels{0};                                      ///< so far
};

/// @ingroup wormhole @brief What members of a collective of data by software are given, and leave
/// with: parts of its kind's sequence, which are blocks of its schedules.
class GroupContents : public DataContents
{
  public:
    /// @param group the group, and @param schedules its schedules, both of which must outlive this
    GroupContents(const Collective& group, const LinkedSchedules& schedules);

    /// A member begins a round. @param rank the member @param input what it has; null: nothing
    void Load(uint32_t rank, const SharedBytes& input);

    /// @return what a member has of the parts that it is to leave with @param rank the member
    std::vector<uint8_t> Read(uint32_t rank) const;

  private:
    const Collective* m_group;        ///< the group
    std::vector<BlockRange> m_blocks; ///< of each part
};

} // namespace ns3

#endif /* WORMHOLE_DATA_CONTENTS_H */
