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
/// Two adjacent switches, in the direction of a message: from, to.
using SwitchLink = std::pair<uint32_t, uint32_t>;

/// @ingroup wormhole
/// @brief The path of a message from one host to another.
struct SwitchPath
{
    std::vector<SwitchLink> links; ///< links between switches, in order; none within a switch
    std::vector<uint32_t> ports;   ///< per link: output port of its first switch; empty: any cable
    Time r;                        ///< time from its sending until the receiver is active
};

/// @ingroup wormhole @brief Network information for topology-aware algorithms: the hosts' switches
/// and the paths of messages.
class SwitchPaths
{
  public:
    virtual ~SwitchPaths() = default;

    /// @return number of a host's switch @param host number of the host
    virtual uint32_t GetSwitch(uint32_t host) const = 0;

    /// @return the path of a message @param from sending host @param to receiving host, a different
    ///         one
    virtual SwitchPath GetPath(uint32_t from, uint32_t to) const = 0;

    /// @return a nonnegative lower bound of r over all paths; the tighter it is, the fewer paths
    ///         are requested
    virtual Time GetMinR() const
    {
        return Time(0);
    }

    /// @return a switch's neighbours, each once @param number number of the switch
    virtual std::vector<uint32_t> GetNeighbours(uint32_t number) const = 0;

    /// @return capacity of a link in messages: its number of cables @param link the link
    virtual uint32_t CountChannels(const SwitchLink& link) const = 0;

    /// @param header encoding of destinations in a tree worm's header
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
