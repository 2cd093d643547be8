/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FULL_MESH_TOPOLOGY_H
#define FULL_MESH_TOPOLOGY_H

#include "regular-topology.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Switches each of which has a cable to every other, with equally many hosts each.
 *
 * The ports of a switch lead to the other switches in order, then to its hosts. Routes are direct:
 * a cable between switches is the only one on a worm's way, so no channel of one waits for another,
 * and worms cannot deadlock.
 */
class FullMeshTopology : public RegularTopology
{
  public:
    /**
     * @param switches number of switches
     * @param hosts number of hosts at each switch
     * @throws WormholeError if a number is out of its range, or the fabric too large
     */
    explicit FullMeshTopology(uint32_t switches, uint32_t hosts = 1);

    End Peer(Node node, Port port) const override;
    End SwitchOf(uint32_t host) const override;

    std::shared_ptr<const RegularTopology> Copy() const override;
    std::string GetRouting() const override;
    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override;
    bool HasSeveralWays() const override;

    // No channel follows another.
    uint32_t GetNKinds() const override;
    uint32_t GetKind(Node node, Port port) const override;
    bool MayFollow(uint32_t kind, uint32_t next) const override;

    /// @return the port that leads to another switch @param from a switch @param to another one
    static Port PortTo(Node from, Node to);

  private:
    uint32_t m_hosts; ///< hosts at each switch
};

} // namespace ns3

#endif /* FULL_MESH_TOPOLOGY_H */
