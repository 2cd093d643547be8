/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLIT_ORACLE_H
#define FLIT_ORACLE_H

#include "ns3/worm-replay.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/// The delays and depths of a case's fabric: the case's own everywhere, or uneven ones around them.
class FabricDelays
{
  public:
    /// @param uneven whether cables, switches and buffers differ
    FabricDelays(const WormCase& worms, bool uneven);

    /// @return flit time of the cable at a port, ps
    int64_t GetFlitTime(FabricGraph::Node node, int port) const;
    /// @return propagation delay p of the cable at a port, ps
    int64_t GetLinkDelay(FabricGraph::Node node, FabricGraph::Port port) const;
    /// @return delay t_r of a switch, ps
    int64_t GetSwitchDelay(FabricGraph::Node node) const;
    /// @return depth D of the buffer at a port, flits
    uint32_t GetDepth(FabricGraph::Node node, FabricGraph::Port port) const;
    /// Sets a fabric's attributes accordingly.
    void Apply(WormholeFabric& fabric) const;

  private:
    const WormCase& m_case; ///< the case
    bool m_uneven;          ///< whether cables, switches and buffers differ
};

/// A worm in a buffer, or in the sending queue of a host, at an instant of which all has happened.
struct FlitWaiting
{
    /// An output that the worm has asked for.
    struct Output
    {
        std::optional<std::size_t> owner; ///< worm that has it
        uint32_t credits;                 ///< slots that are free beyond it
        std::set<std::size_t> beyond;     ///< worms in the buffer there

        /// @return whether all is the same
        bool operator==(const Output& other) const
        {
            return owner == other.owner && credits == other.credits && beyond == other.beyond;
        }
    };

    std::size_t front;           ///< worm in front, which may be this
    bool isReady;                ///< whether its head could ask if it were in front
    std::vector<Output> outputs; ///< by branch; none before it has asked

    /// @return whether all is the same
    bool operator==(const FlitWaiting& other) const
    {
        return front == other.front && isReady == other.isReady && outputs == other.outputs;
    }
};

/// What worms of a case did and waited for, by worm and stop of its route.
struct FlitLog
{
    using Key = std::pair<std::size_t, WormRoute::Stop>; ///< a worm, and a stop

    /// A worm that a host passes on (S13).
    struct Passing
    {
        int64_t ready; ///< when the flit was ready for which it waited
        int64_t put;   ///< when it was put into the sending queue
    };

    std::map<Key, std::map<int64_t, FlitWaiting>> waiting; ///< there, by time, where it changes
    std::map<Key, std::vector<int64_t>> starts;            ///< of flits that start on the way there
    std::map<Key, int64_t> reads;                          ///< S1b: when a flit was dropped there
    std::map<Key, Passing> passings;                       ///< at a host there
};

/// Moves every flit of a case on its own, by rules S1 to S10, S13 and S1b and nothing else: slow,
/// plain, and without a line in common with the fabric that it judges. @param delays delays and
/// depths of its fabric @param log where to write what worms did at each instant; null: nowhere
/// @return when worms started, left and arrived
ReplayOutcome MoveFlitByFlit(const WormCase& worms,
                             const FabricDelays& delays,
                             FlitLog* log = nullptr);

} // namespace ns3

#endif /* FLIT_ORACLE_H */
