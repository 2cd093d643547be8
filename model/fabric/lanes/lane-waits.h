/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LANE_WAITS_H
#define LANE_WAITS_H

#include "lane-engine.h"

#include "ns3/wait-graph.h"
#include "ns3/wormhole-port.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What the worms of a fabric wait for whose outputs are granted to whole worms (S11).
 *
 * What was granted moves. So a vertex is a request of a worm: it waits for those whose turn comes
 * first for the same lane of the output, for worms that hold slots of the lane's next buffer, and
 * for the worm ahead of it. A worm with choices (S12) has a vertex that one of these is enough for.
 */
class LaneWaits : public WaitGraph
{
  public:
    /// @param lanes what moves the worms @param ports ports of the fabric, both ends of every cable
    /// @param hasQueues as for WaitForGraph
    LaneWaits(const LaneEngine& lanes, const std::vector<Ptr<WormholePort>>& ports, bool hasQueues);

  private:
    /// Adds the worms of a FIFO. @param front its first worm; may be null
    void AddQueue(const LaneHop* front);

    /// Gives the worms vertices. One has its requests, one for that it has left, and with choices
    /// one for that it takes one of these.
    void NumberVertices();

    /// Adds what a worm waits for.
    void AddEdges(const LaneHop& hop);

    void AddRequestEdges(Vertex from, const LaneRequest& request);

    /// Adds what a request waits for that lacks credits.
    void AddCreditEdges(Vertex from, const LaneRequest& request);

    /// @return vertex for that a worm has left its node
    Vertex GetLeft(const LaneHop& hop) const;

    uint64_t FindHelpfulDepth(const std::vector<bool>& left,
                              uint64_t longestTreeWorm) const override;

    bool m_hasQueues;                                           ///< see the constructor
    int m_nLanes;                                               ///< lanes of a channel
    std::vector<const LaneHop*> m_hops;                         ///< worms at nodes
    std::unordered_map<const LaneHop*, const LaneHop*> m_ahead; ///< who is ahead in the FIFO
    std::unordered_map<const LaneHop*, Vertex> m_first;         ///< vertex of the first request
};

} // namespace ns3

#endif /* LANE_WAITS_H */
