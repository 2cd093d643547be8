/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_CONTENTS_H
#define DATA_CONTENTS_H

#include "block-layout.h"
#include "data-values.h"

#include "ns3/schedule-runner.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The bytes of all members' blocks while a collective of data runs: what is sent is what
 *        its sender has at that time.
 *
 * Rounds may overlap; a member's blocks are those of its own round.
 */
class DataContents : public StepContents
{
  public:
    /// A block's bytes.
    using Bytes = std::vector<uint8_t>;

    /**
     * @param schedules members' schedules, which must outlive this
     * @param type type of the elements
     * @param operation how they are combined
     */
    DataContents(const LinkedSchedules& schedules, DataType type, DataOperation operation);

    /// Forgets a member's blocks. @param rank the member
    void Clear(uint32_t rank);

    /// Gives a member a block. @param rank the member @param block its number
    /// @param bytes its content
    void Set(uint32_t rank, uint32_t block, Bytes bytes);

    /// @return a member's block; null if it has none @param rank the member
    /// @param block its number
    const Bytes* Find(uint32_t rank, uint32_t block) const;

    uint64_t PickUp(uint32_t rank, const LinkedSchedules::Step& step, uint32_t receivers) override;
    void PutDown(uint32_t rank, const LinkedSchedules::Step& step, uint64_t number) override;
    void DoLocally(uint32_t rank, const LinkedSchedules::Step& step) override;

  private:
    /// A message's blocks, on their way.
    struct Parcel
    {
        std::vector<Bytes> blocks; ///< their contents
        uint32_t receivers;        ///< how many will take them
    };

    /// @return numbers of blocks @param ranges as ranges @param count how many ranges
    static std::vector<uint32_t> List(const BlockRange* ranges, uint32_t count);

    /// Combines a block into a member's, or puts it there. @param rank the member
    /// @param block number of its block @param bytes the block @param step the step that does it
    void Apply(uint32_t rank,
               uint32_t block,
               const Bytes& bytes,
               const LinkedSchedules::Step& step);

    const LinkedSchedules* m_schedules;                ///< members' schedules
    DataType m_type;                                   ///< type of the elements
    DataOperation m_operation;                         ///< how they are combined
    std::vector<std::map<uint32_t, Bytes>> m_contents; ///< by rank and block
    std::map<uint64_t, Parcel> m_parcels;              ///< on their way, by number
    uint64_t m_nParcels{0};                            ///< so far
};

} // namespace ns3

#endif /* DATA_CONTENTS_H */
