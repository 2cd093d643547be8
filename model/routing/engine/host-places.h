/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_PLACES_H
#define HOST_PLACES_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Which host is at which switch: whose traffic routing engines spread.
 */
class HostPlaces
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// @param graph a fabric whose hosts are cabled
    explicit HostPlaces(const FabricGraph& graph);

    /// @return the host's switch @param host its index
    Node SwitchOf(uint32_t host) const
    {
        return m_switches[host];
    }

    /// @return how many hosts of the same switch have a lower index @param host its index
    uint32_t PlaceOf(uint32_t host) const
    {
        return m_places[host];
    }

    /// @return number of hosts at a switch @param node the switch
    uint32_t CountAt(Node node) const
    {
        return m_counts[node];
    }

    /// @return number of a switch's hosts that have a copy of its ways: its k-th host has copy k
    /// modulo their number @param node the switch @param copy which @param nCopies their number
    uint32_t CountAt(Node node, uint32_t copy, uint32_t nCopies) const
    {
        return m_counts[node] / nCopies + (copy < m_counts[node] % nCopies);
    }

    uint32_t GetNHosts() const; ///< @return number of hosts
    uint32_t GetMaxAt() const;  ///< @return number of hosts at the switch that has most

  private:
    std::vector<Node> m_switches;   ///< by host
    std::vector<uint32_t> m_places; ///< by host
    std::vector<uint32_t> m_counts; ///< by switch
};

} // namespace ns3

#endif /* HOST_PLACES_H */
