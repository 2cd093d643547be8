/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_SETTINGS_H
#define TIMELINE_SETTINGS_H

#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief What a Timeline writes.
struct TimelineSettings
{
    std::string path;               ///< name of the file; with .gz in the end it is compressed
    Time from{0};                   ///< what ends before is left out
    Time until{Time::Max()};        ///< what begins after is left out
    std::vector<std::string> hosts; ///< names of hosts that are shown; empty: all
    bool explains{false};           ///< whether it tells why worms and members took so long;
                                    ///< then it keeps what happens until the simulation's end
};

} // namespace ns3

#endif /* TIMELINE_SETTINGS_H */
