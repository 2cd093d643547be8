/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SYNC_PRICES_H
#define SYNC_PRICES_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a node costs, and what hardware may cost (Hyder and Wood, 1996, section 5). Prices
 *        are list prices per node, in dollars.
 */
struct SyncPrices
{
    double processor{10000}; ///< processor and cabinet
    double memory{5000};     ///< memory of a node
    double network{5000};    ///< network adapter, and the node's part of switches
    double hardware{2000};   ///< synchronisation hardware

    /// @return whether some price is another one @param other other prices
    bool operator!=(const SyncPrices& other) const
    {
        return processor != other.processor || memory != other.memory || network != other.network ||
               hardware != other.hardware;
    }

    /// @return price of a node without synchronisation hardware, C_base
    double GetBase() const
    {
        return processor + memory + network;
    }

    /**
     * Equation (2): C_base (T_base / T_synch - 1).
     * @param gain T_base / T_synch, the speedup with the hardware over that without
     * @return price at which the hardware begins not to pay; below 0 if it only slows
     */
    double GetBreakEven(double gain) const
    {
        return GetBase() * (gain - 1);
    }

    /**
     * @param nodes number of nodes
     * @param withHardware whether they have the hardware
     * @return speedup from which on they are worth more than one processor with all their memory
     */
    double GetThreshold(uint32_t nodes, bool withHardware) const
    {
        return nodes * (GetBase() + (withHardware ? hardware : 0)) / (processor + nodes * memory);
    }
};

} // namespace ns3

#endif /* SYNC_PRICES_H */
