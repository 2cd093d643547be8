/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHANNEL_WAIT_GRAPH_H
#define CHANNEL_WAIT_GRAPH_H

#include "fabric-graph.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Who may wait for whom: the graph in which ChannelDependency looks for a cycle.
 *
 * A vertex is a worm, or any worm, that holds a channel and can't go on; or a relay, which keeps
 * the number of edges low and stands for nothing. An edge leads to what is waited for.
 */
class ChannelWaitGraph
{
  public:
    using Vertex = uint32_t; ///< number of a vertex

    /// No channel: a relay's.
    static constexpr uint32_t NO_CHANNEL = UINT32_MAX;

    /// @return a new vertex @param channel number of the channel held there, NO_CHANNEL for a relay
    Vertex AddVertex(uint32_t channel = NO_CHANNEL);

    /// Adds an edge. @param from vertex that waits @param to vertex that is waited for
    void AddEdge(Vertex from, Vertex to);

    /**
     * Looks for a cycle that holds channels of two nodes at least: at one node, worms are served in
     * one order, and cannot wait for each other in a circle.
     * @param nodeOf node that sends on each channel, by the channel's number
     * @return numbers of the channels on the cycle, the lowest first; empty if there is none
     */
    std::vector<uint32_t> FindCycle(const std::vector<FabricGraph::Node>& nodeOf) const;

  private:
    std::vector<uint32_t> m_channels;               ///< channel of each vertex
    std::vector<std::pair<Vertex, Vertex>> m_edges; ///< all edges
};

} // namespace ns3

#endif /* CHANNEL_WAIT_GRAPH_H */
