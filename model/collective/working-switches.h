/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKING_SWITCHES_H
#define WORKING_SWITCHES_H

#include "collective-program.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The working switches of a broadcast: those with a member of the group, and the ways
 *        between their leaders; the graph G_w of Sun et al., section 2.2. Pure.
 *
 * Switch 0 is the root's, the others are in the order of their first members' ranks. A switch's
 * leader is its first member, at the root's switch the root. The way between two leaders is the
 * fabric's own route; it is an edge of G_w if it passes no third working switch.
 */
struct WorkingSwitches
{
    /// A way from one leader to another.
    struct Way
    {
        Time r;                      ///< from a message's being sent until its receiver is active
        std::vector<uint32_t> links; ///< links crossed
        bool isEdge{true};           ///< whether it passes no third working switch
    };

    Time s{MicroSeconds(1)};                  ///< how long a message keeps its sender busy
    std::vector<std::vector<Way>> ways;       ///< by switches, from and to
    std::vector<uint32_t> channels;           ///< how many messages a link carries at once, by link
    std::vector<std::vector<uint32_t>> ranks; ///< members of each switch, its leader first

    /// No switches.
    WorkingSwitches() = default;

    /**
     * @param request a group with one member on each host; without ways, all are on one switch
     */
    explicit WorkingSwitches(const ProgramRequest& request);

    /// @return number of working switches
    uint32_t GetSize() const;
};

} // namespace ns3

#endif /* WORKING_SWITCHES_H */
