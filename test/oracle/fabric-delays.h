/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_DELAYS_H
#define FABRIC_DELAYS_H

#include "ns3/worm-replay.h"

#include <cstdint>

namespace ns3
{

/// The delays and depths of a case's fabric: the case's own everywhere, or uneven ones around them.
class FabricDelays
{
  public:
    /// @param uneven whether cables, switches and buffers differ
    FabricDelays(const WormCase& worms, bool uneven);

    /// @return flit time of the cable at a port, ps
    int64_t GetFlitTime(FabricGraph::Node node, int port) const;
    /// @return propagation delay p of the cable at a port, ps
    int64_t GetLinkDelay(FabricGraph::Node node, FabricGraph::Port port) const;
    /// @return delay t_r of a switch, ps
    int64_t GetSwitchDelay(FabricGraph::Node node) const;
    /// @return depth D of the buffer at a port, flits
    uint32_t GetDepth(FabricGraph::Node node, FabricGraph::Port port) const;
    /// Sets a fabric's attributes accordingly.
    void Apply(WormholeFabric& fabric) const;

  private:
    const WormCase& m_case; ///< the case
    bool m_uneven;          ///< whether cables, switches and buffers differ
};

} // namespace ns3

#endif /* FABRIC_DELAYS_H */
