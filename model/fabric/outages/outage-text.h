/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OUTAGE_TEXT_H
#define OUTAGE_TEXT_H

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief An entry of WormholeFabric::OutageSchedule: which part is down, and when.
struct OutageText
{
    std::string text; ///< the entry, for messages
    std::string node; ///< name of a switch, host or end of a cable; or each-cable, each-switch,
                      ///< each-host
    std::optional<uint32_t> port;                  ///< of a cable at that node
    std::pair<std::string, uint32_t> far;          ///< node and port at its other end
    Time from;                                     ///< begin of the first outage
    std::optional<Time> length;                    ///< of an outage; none: for ever
    std::optional<Time> period;                    ///< from one begin to the next; none: one outage
    std::optional<std::pair<Time, Time>> failures; ///< mean times between failures, and to repair
    Time end;                                      ///< no outage of several begins then or later

    /// @return the entries of a schedule @param schedule entries with ; between, such as
    /// "s1:3-s2:4 at 1ms for 500us; s7 at 2ms"
    /// @throws WormholeError that names the entry and what is expected
    static std::vector<OutageText> Read(const std::string& schedule);

    /// @return begins and ends of the part's outages, in order; an end of Time::Max() is none
    /// @param shortest no outage is shorter @param stream of random numbers
    std::vector<std::pair<Time, Time>> MakeOutages(Time shortest, int64_t stream) const;
};

} // namespace ns3

#endif /* OUTAGE_TEXT_H */
