/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOAD_MEASUREMENT_H
#define LOAD_MEASUREMENT_H

#include "traffic-record.h"

#include "ns3/fabric-graph.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Measures what a fabric does at an offered load: its latency, or that it is saturated.
 *
 * Each measurement is a simulation of its own, from an empty fabric on. An eighth of its full
 * length may be enough; else it is doubled, up to four times its full length, until it is clear
 * what the fabric does:
 *
 * - saturated: flits delivered fall behind flits offered by more than 1 %, or the queue of some
 *   source grows by more than 5 % of what the source makes, either beyond its 95 % interval, or the
 *   load is more than hosts' channels can take; such a load has no latency
 * - steady: the warm-up has ended, queues grow by less than 1 %, that of any source by less than
 *   2.5 %, and the interval of the latency is less than a quarter of it
 * - unsettled: neither, so that a longer simulation would tell; such a load has no latency either
 *
 * Nothing is judged before the fabric was observed for eight times as long as a worm takes from
 * source to destination; nor, short of the longest simulation, while the two halves of that time
 * differ by more than 10 % in what is accepted.
 */
class LoadMeasurement
{
  public:
    /// What a fabric does at a load.
    enum class State
    {
        STEADY,    ///< it keeps up
        SATURATED, ///< it falls behind
        UNSETTLED  ///< the simulation was too short to tell
    };

    /// What is measured.
    struct Setup
    {
        WormholeHelper fabrics;        ///< builds the fabric
        WormholeTrafficHelper traffic; ///< makes its traffic
        std::string flits{"64"};       ///< length of worms, as WormLength::Parse
        uint32_t worms{2048};          ///< worms of a source in a simulation of full length
        uint64_t allWorms{131072};     ///< worms of all, where that is more for each
        double precision{0.05};        ///< interval of the latency, over it, that is enough
        int64_t stream{1};             ///< first stream of random numbers
    };

    /// What was found.
    struct Outcome
    {
        State state{State::UNSETTLED}; ///< what the fabric does
        /// Whether the fabric was observed for long enough to judge it; without that it is
        /// UNSETTLED, and what it accepts is NaN.
        bool isObserved{false};
        TrafficRecord::Summary found; ///< in detail; latencies are NaN unless it is steady
    };

    /// @param graph the fabric, which must outlive this object @param setup what is measured
    LoadMeasurement(const FabricGraph& graph, const Setup& setup);

    /// Measures a load. Destroys the simulator before and after.
    /// @param load the offered load
    /// @param thorough whether to go on to the full length, unless the fabric clearly falls behind
    /// @return what was found
    /// @throws WormholeError if the pattern does not fit the fabric
    Outcome Measure(double load, bool thorough) const;

    /// Computes the load at which some channel is full, see ChannelBound. Destroys the simulator
    /// before and after.
    /// @return the load, 1 at most; 1 if the pattern does not know its shares
    double GetBound() const;

    /// @return the word for a state @param state the state
    static std::string NameOf(State state);

  private:
    /// @return whether the fabric was observed for several times as long as worms take through it
    static bool IsObserved(const TrafficRecord::Summary& found);
    static bool ClearlyFallsBehind(const TrafficRecord::Summary& found);
    static bool FallsBehind(const TrafficRecord::Summary& found);
    static bool KeepsUp(const TrafficRecord::Summary& found);
    bool IsEnough(const TrafficRecord::Summary& found) const;

    const FabricGraph& m_graph; ///< the fabric
    Setup m_setup;              ///< what is measured
};

} // namespace ns3

#endif /* LOAD_MEASUREMENT_H */
