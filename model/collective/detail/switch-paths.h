/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_PATHS_H
#define SWITCH_PATHS_H

#include "ns3/nstime.h"
#include "ns3/tree-worm-header.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// Two switches that are cabled together, in the direction of a message: from, to.
using SwitchLink = std::pair<uint32_t, uint32_t>;

/// @ingroup wormhole
/// @brief How a message gets from one host to another.
struct SwitchPath
{
    std::vector<SwitchLink> links; ///< links between switches, in order; none within a switch
    std::vector<uint32_t> ports;   ///< by link: port of its first switch; empty: that of any cable
    Time r;                        ///< from its being sent until the receiver is active
};

/// @ingroup wormhole @brief What algorithms that know the network are told of it: who is at which
/// switch, and the paths of messages.
class SwitchPaths
{
  public:
    virtual ~SwitchPaths() = default;

    /// @return number of a host's switch @param host number of the host
    virtual uint32_t GetSwitch(uint32_t host) const = 0;

    /// @return the path of a message @param from sending host @param to receiving host, another one
    virtual SwitchPath GetPath(uint32_t from, uint32_t to) const = 0;

    /// @return a time that no path's r is below, 0 at least; the closer, the fewer paths are asked
    /// for
    virtual Time GetMinR() const
    {
        return Time(0);
    }

    /// @return switches cabled to one, each once @param number number of the switch
    virtual std::vector<uint32_t> GetNeighbours(uint32_t number) const = 0;

    /// @return how many messages a link carries at once: its cables @param link the link
    virtual uint32_t CountChannels(const SwitchLink& link) const = 0;

    /// @param header how a tree worm's header tells where it goes
    /// @param from sending host
    /// @param to receiving hosts, without the sender
    /// @return the header's length, bytes
    virtual uint32_t GetHeaderBytes(const TreeWormHeader& header,
                                    [[maybe_unused]] uint32_t from,
                                    const std::vector<uint32_t>& to) const
    {
        return header.GetBytesOnOneSwitch(static_cast<uint32_t>(to.size()) + 1);
    }
};

} // namespace ns3

#endif /* SWITCH_PATHS_H */
