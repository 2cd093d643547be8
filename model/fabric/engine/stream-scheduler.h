/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STREAM_SCHEDULER_H
#define STREAM_SCHEDULER_H

#include "engine-rounds.h"
#include "flit-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class RunEngine;

/// @ingroup wormhole
/// @brief Schedules of unicast worms what can be, on all their way at once (FlitStream), where
/// buffers don't cover the round trip.
class StreamScheduler
{
  public:
    /// @param rounds times and counts @param engine whose worms these are
    StreamScheduler(EngineRounds& rounds, RunEngine& engine)
        : m_rounds(rounds),
          m_engine(engine)
    {
    }

    /// Schedules what can be. @param hop a worm somewhere on its way, where its output is granted
    void Schedule(WormHop* hop);

  private:
    /// @return number of flits that were dropped from the first hop of m_chain to one of its hops:
    /// m_stream counts all flits of the first, a hop only those that it sends (S1b)
    uint64_t GetDropped(const WormHop& hop) const
    {
        return m_stream.GetFlits() - hop.flits;
    }

    /// Tells m_stream of an output of a worm.
    /// @param dropped number of flits that were dropped since the first hop of m_chain
    void PutIn(WormHop& hop, uint64_t dropped, FlitStream::Channel& channel);

    void TakeOut(); ///< Notes what m_stream has found of the worm in m_chain.
    void Send(WormHop& hop, WormBranch& branch, const FlitStream::Channel& channel);
    void End(WormHop* hop, const FlitStream::Channel& channel);

    EngineRounds& m_rounds;        ///< times and counts
    RunEngine& m_engine;           ///< whose worms these are
    FlitStream m_stream;           ///< of the worm that is scheduled
    std::vector<WormHop*> m_chain; ///< its hops, in order of its way
};

} // namespace ns3

#endif /* STREAM_SCHEDULER_H */
