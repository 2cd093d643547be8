// SPDX-License-Identifier: GPL-2.0-only

#ifndef FLIT_WAIT_GRAPH_H
#define FLIT_WAIT_GRAPH_H

#include "wait-graph.h"

#include "ns3/wormhole-port.h"

#include <tuple>
#include <unordered_map>

namespace ns3
{

class LaneEngine;

/// Adds vertices for worms at nodes. @tparam HOP WormHop, LaneHop or FlitHop
template <class HOP>
class HopVertices : public WaitGraph
{
  protected:
    /// Adds the worms of a FIFO from the first one on; but only the first if a switch has made it
    /// or, without hasQueues, if it is in a sending queue.
    void AddQueue(const HOP* front, bool hasQueues)
    {
        const HOP* ahead = nullptr;
        for (auto hop = front; hop && !m_ahead.count(hop); hop = hop->behind)
        {
            m_hops.push_back(hop);
            m_ahead[hop] = ahead;
            ahead = hop;
            if (!hop->input || (!hasQueues && !hop->input->upstream))
            {
                break;
            }
        }
    }

    /// Gives the worms vertices, in an order that does not depend on earlier events.
    /// @param make returns, for a worm, a Member and the number of vertices like it
    template <class MAKE>
    void NumberVertices(MAKE make)
    {
        std::sort(m_hops.begin(), m_hops.end(), [](const HOP* a, const HOP* b) {
            return std::make_tuple(a->worm->GetId(), a->stop) <
                   std::make_tuple(b->worm->GetId(), b->stop);
        });
        for (const auto hop : m_hops)
        {
            m_first[hop] = m_members.size();
            const auto [member, count] = make(*hop);
            m_members.resize(m_members.size() + count, member);
        }
    }

    // If a lane's buffer holds whole worms, no depth helps; with outages, that is unknown.
    uint64_t FindHelpfulDepth(const std::vector<bool>&, uint64_t) const override
    {
        return 0;
    }

    std::vector<const HOP*> m_hops;
    std::unordered_map<const HOP*, const HOP*> m_ahead; ///< by worm, the worm before it
    std::unordered_map<const HOP*, Vertex> m_first;
};

/// Finds worms that wait for ever where outputs are granted flit by flit (S5).
/// @param ports ports of the fabric, both ends of every cable: RunEngine::CatchUp must have
/// scheduled all that follows from what their worms know
/// @param hasQueues whether to include worms behind the first in sending queues. Only worms behind
/// these wait for them. Without them, the search is faster and still finds a deadlock whenever
/// there is one, but not all worms that wait
Deadlock FindFlitDeadlock(const std::vector<Ptr<WormholePort>>& ports,
                          const FlitTimes& times,
                          bool hasQueues,
                          uint64_t longestTreeWorm);

/// Finds worms that wait for ever where outputs are granted to whole worms (S11).
Deadlock FindLaneDeadlock(const LaneEngine& lanes,
                          const std::vector<Ptr<WormholePort>>& ports,
                          bool hasQueues,
                          uint64_t longestTreeWorm);

} // namespace ns3

#endif /* FLIT_WAIT_GRAPH_H */
