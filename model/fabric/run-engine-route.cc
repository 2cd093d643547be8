/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Rule S1b: worms bring their route, and switches drop what they have read of it.

#include "run-engine.h"

namespace ns3
{

void
RunEngine::FindRouteFlit(WormHop& hop, int64_t time) const
{
    // The first flit holds what does not fill the flits behind it.
    if (hop.flits > hop.worm->GetFlits() &&
        (hop.route->GetNChannels() - 1 - hop.stop) % m_routeBytes == 0)
    {
        --hop.flits;
        hop.routeFlit = time;
    }
}

void
RunEngine::AppendBehindRouteFlit(WormHop& hop, uint64_t first, const FlitPart& arrivals)
{
    // The flits that a hop counts are those that it sends on.
    if (arrivals.end > 1)
    {
        hop.arrivals.Append(arrivals.end - 1,
                            arrivals.After(first == 0 ? 1 : 0, m_times),
                            arrivals.pace,
                            m_times);
    }
}

void
RunEngine::DropRouteFlit(WormHop& hop, int64_t time)
{
    hop.routeFlit = time;
    m_observer.ReadRoute(hop, time);
    const auto pace = hop.input->upstream->pace;
    hop.branches.front().flow.nextStart = time + m_times[pace];
    ++m_counts.flitsDropped;
    Credit(hop.input, 1, time, pace, m_times);
}

} // namespace ns3
