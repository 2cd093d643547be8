/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROUP_CONTENTS_H
#define GROUP_CONTENTS_H

#include "data-collective.h"
#include "data-contents.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What members of a collective of data by software are given, and leave with: parts of its
 *        kind's sequence, which are blocks of its schedules.
 */
class GroupContents : public DataContents
{
  public:
    /// @param group the group, and @param schedules its schedules, both of which must outlive this
    GroupContents(const DataCollective& group, const LinkedSchedules& schedules);

    /// A member begins a round. @param rank the member @param input what it has; null: nothing
    void Load(uint32_t rank, const SharedBytes& input);

    /// @return what a member has of the parts that it is to leave with @param rank the member
    std::vector<uint8_t> Read(uint32_t rank) const;

  private:
    const DataCollective* m_group;    ///< the group
    std::vector<BlockRange> m_blocks; ///< of each part
};

} // namespace ns3

#endif /* GROUP_CONTENTS_H */
