/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DESTINATION_LOADS_H
#define DESTINATION_LOADS_H

#include "fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief How long a bit takes on each channel, to some scale.
/// @param graph a fabric
/// @return by node, then by port; empty: all alike. Cables without a rate of their own have
/// WormholeFabric::DataRate's default
std::vector<double> FindChannelTimes(const FabricGraph& graph);

/// @ingroup wormhole
/// @param graph a fabric
/// @return index of each node's first port among the ports of all nodes; the last entry is the
/// number of ports
std::vector<std::size_t> FindFirstPorts(const FabricGraph& graph);

/// @ingroup wormhole
/// @brief What a router knows of how its routes depend on the sender, so that the loads of channels
/// on large fabrics need not be counted pair by pair.
class DestinationLoads
{
  public:
    /// Loads of channels.
    struct Loads
    {
        std::vector<double> channels; ///< by node, then by port, see FindFirstPorts
        uint32_t longest{0};          ///< channels between switches of the longest route
    };

    virtual ~DestinationLoads() = default;

    /// @return whether routes from all hosts of a switch to a host are the same but for the
    /// sender's own channel
    virtual bool AreBySwitch() const = 0;

    /**
     * Adds what hosts send to one of them to the channels between switches, in time that is linear
     * in the number of channels. Its arguments are the index of that host, what the senders of
     * each switch send to it, in the order of switches, and the loads to which that is added.
     *
     * @return false: the router has no such way, and nothing was added
     */
    virtual bool AddLoads(uint32_t /* to */,
                          const std::vector<double>& /* senders */,
                          Loads& /* loads */) const
    {
        return false;
    }
};

} // namespace ns3

#endif /* DESTINATION_LOADS_H */
