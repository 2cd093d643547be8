/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DRAGONFLY_ROUTER_H
#define DRAGONFLY_ROUTER_H

#include "dragonfly-topology.h"
#include "regular-router.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Minimal routes of a dragonfly: a local link, a global one, a local one.
 *
 * Of the cables between the two groups the one with the shortest way is taken, at best one of the
 * sending switch, the first among equals. A worm that has come to a group waits for the same local
 * channels as one that is about to leave it, so worms can wait for each other from group to group
 * in a circle; it takes virtual channels to part them (Kim et al. 2008), and this fabric has none.
 * Worms on these routes are safe where every switch has a cable to every other group, as with one
 * switch a group or two groups, and in few other cases. Elsewhere up/down routes do (see
 * UpDownRouter).
 */
class DragonflyRouter : public RegularRouter
{
  public:
    /**
     * @param dragonfly the fabric; it is not checked whether it is one on which worms can deadlock
     * @param spread how cables between two groups that are equally good are shared
     */
    explicit DragonflyRouter(const DragonflyTopology& dragonfly,
                             RouteSpread::Rule spread = RouteSpread::Rule::HASH);

    const RegularTopology& GetTopology() const override;

    uint32_t GetNKinds() const override;
    uint32_t GetKind(Node node, Port port) const override;
    bool MayFollow(uint32_t kind, uint32_t next) const override;

    /**
     * Refuses a dragonfly on which worms on these routes can deadlock.
     * @param graph the graph of the dragonfly
     * @throws WormholeError if worms can wait for each other in a circle, naming the channels of
     *         it; or if no circle is found at once, and there are too many switches to prove that
     *         there is none
     */
    void CheckDeadlockFree(const FabricGraph& graph);

  private:
    /// @return whether every switch has a cable to every other group
    bool LeavesAtOnce() const;

    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override;

    DragonflyTopology m_dragonfly; ///< the fabric
    bool m_leavesAtOnce;           ///< whether every switch has a cable to every other group
};

} // namespace ns3

#endif /* DRAGONFLY_ROUTER_H */
