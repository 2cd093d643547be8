/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DIRECT_ROUTER_H
#define DIRECT_ROUTER_H

#include "full-mesh-topology.h"
#include "regular-router.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Direct routes of fully meshed switches: the one cable between the two.
 *
 * A cable between switches is the only one on a worm's way, so no channel of one waits for another,
 * and worms cannot deadlock.
 */
class DirectRouter : public RegularRouter
{
  public:
    /// @param mesh the fabric
    explicit DirectRouter(const FullMeshTopology& mesh);

    const RegularTopology& GetTopology() const override;

    /// @return that there is one way between two switches
    bool AreBySwitch() const override
    {
        return true;
    }

    uint32_t GetNKinds() const override;
    uint32_t GetKind(Node node, Port port) const override;
    bool MayFollow(uint32_t kind, uint32_t next) const override;

  private:
    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override;

    FullMeshTopology m_mesh; ///< the fabric
};

} // namespace ns3

#endif /* DIRECT_ROUTER_H */
