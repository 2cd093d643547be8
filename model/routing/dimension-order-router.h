/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DIMENSION_ORDER_ROUTER_H
#define DIMENSION_ORDER_ROUTER_H

#include "grid-topology.h"
#include "regular-router.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Dimension-order routes of a mesh or torus: first along dimension 0, then along 1, ...
 *
 * These routes are shortest. On a mesh worms on them cannot deadlock: a channel of one dimension
 * waits for one of the same direction further on, or of a later dimension. On a torus worms wait
 * for each other all round a dimension of length 4 or more; it takes virtual channels to part them
 * (Dally and Seitz 1987), and this fabric has none. With length 3 at most in each dimension, a worm
 * makes one step in each, and a torus is as safe as a mesh.
 *
 * Halfway round a torus' dimension, the way goes upwards.
 */
class DimensionOrderRouter : public RegularRouter
{
  public:
    /**
     * @param grid the mesh or torus; it is not checked whether it is one on which worms can
     * deadlock
     */
    explicit DimensionOrderRouter(const GridTopology& grid);

    const RegularTopology& GetTopology() const override;

    /// @return that there is one way between two switches
    bool AreBySwitch() const override
    {
        return true;
    }

    uint32_t GetNKinds() const override;
    uint32_t GetKind(Node node, Port port) const override;
    bool MayFollow(uint32_t kind, uint32_t next) const override;

    /**
     * Refuses a torus on which worms on these routes can deadlock.
     * @param graph the graph of the mesh or torus
     * @throws WormholeError if worms can wait for each other in a circle, naming the channels of it
     */
    void CheckDeadlockFree(const FabricGraph& graph);

  private:
    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override;

    GridTopology m_grid; ///< the mesh or torus
};

} // namespace ns3

#endif /* DIMENSION_ORDER_ROUTER_H */
