/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DESTINATION_WAYS_H
#define DESTINATION_WAYS_H

#include "host-places.h"
#include "switch-channels.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Ways of fewest cables from all switches to one after the other, without regard to circles:
 *        what layers of lanes are made of.
 *
 * At each switch they go on by one channel, whatever switch they come from (by destination). Where
 * several are equally short, the sum of loads on the rest of the way decides, as in SSSP routing
 * (Hoefler, Schneider and Lumsdaine, Optimized Routing for Large-Scale InfiniBand Networks, HOTI
 * 2009): a channel's load is the number of pairs of hosts of ways that were made before.
 */
class DestinationWays
{
  public:
    using Node = SwitchChannels::Node;       ///< number of a switch
    using Channel = SwitchChannels::Channel; ///< number of a channel

    /**
     * @param channels the channels, which must outlive this object, as the hosts
     * @param hosts the hosts
     * @param isBalanced whether loads decide between equally short ways; else the lowest channels
     */
    DestinationWays(const SwitchChannels& channels, const HostPlaces& hosts, bool isBalanced);

    /// @return number of ways to each switch: as many as hosts at most, fewer on large fabrics
    uint32_t GetNCopies() const;

    /**
     * Makes the ways to a switch.
     * @param to the switch
     * @param copy which of the ways
     * @return channel by which each switch goes on; NONE at the switch itself
     */
    std::vector<Channel> Make(Node to, uint32_t copy);

  private:
    const SwitchChannels& m_channels; ///< the channels
    const HostPlaces& m_hosts;        ///< the hosts
    bool m_isBalanced;                ///< whether loads decide
    uint32_t m_nCopies;               ///< ways to each switch
    std::vector<uint64_t> m_loads;    ///< pairs of hosts, by channel
};

} // namespace ns3

#endif /* DESTINATION_WAYS_H */
