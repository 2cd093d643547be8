/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_PROGRAM_H
#define SWITCH_PROGRAM_H

#include "collective-message.h"

#include <cstdint>

namespace ns3
{

/// @ingroup wormhole
/// @brief What switches do with the messages of one group, in place of barrier registers.
class SwitchProgram
{
  public:
    virtual ~SwitchProgram() = default;

    /// A message of the group has ended in a switch: its last flit is ready, in front of its
    /// buffer.
    /// @param fabricSwitch number of the switch
    /// @param port number of the port that it came by
    /// @param message the message
    virtual void ReceiveAtSwitch(uint32_t fabricSwitch,
                                 uint16_t port,
                                 const CollectiveMessage& message) = 0;
};

} // namespace ns3

#endif /* SWITCH_PROGRAM_H */
