/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_FIT_H
#define SLOT_FIT_H

#include "data-collective.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Whether the switches of a group's barrier tree can serve a collective of data, and what
 *        does if they can't.
 */
class SlotFit
{
  public:
    /// @return why they can't, whatever slots they have; empty: they can @param group the group
    static std::string FindObstacle(const DataCollective& group);

    /// @return length of the longest segment, bytes: what the smallest slot holds of whole
    /// elements, or the longest part @param group the group
    /// @throws WormholeError if a slot does not hold an element
    static uint32_t FindSegmentBytes(const DataCollective& group);

    /**
     * Refuses buffers that do not hold the messages that end in their switch: those of a full slot,
     * however short the vector is, so that a fabric is fit for all lengths or for none.
     * @param group the group, whose fabric is started
     * @param headerBytes what a message is longer than its segment by
     * @param askingBytes length of messages that may come by any port of the tree's switches
     * @throws WormholeError if there is one
     */
    static void CheckBuffers(const DataCollective& group,
                             uint64_t headerBytes,
                             uint64_t askingBytes);

    /// @return another algorithm of a group's kind @param group the group @param name its name
    /// @throws WormholeError if there is none, or it is of the group's own type
    static Ptr<DataCollective> MakeFallback(const DataCollective& group, const std::string& name);

    /// Has another algorithm do what a group does. @param group the group @param other the
    /// algorithm
    static void CopyTask(const DataCollective& group, DataCollective& other);

  private:
    /// @return what the smallest slot of the group's tree holds of whole elements, bytes @throws
    /// WormholeError if that is none
    static uint32_t FindSlotBytes(const DataCollective& group);

    /// Refuses a buffer that does not hold a message.
    static void CheckBuffer(const DataCollective& group,
                            uint32_t node,
                            uint16_t number,
                            uint64_t headerBytes,
                            uint64_t slotBytes);
};

} // namespace ns3

#endif /* SLOT_FIT_H */
