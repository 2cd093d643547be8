// SPDX-License-Identifier: GPL-2.0-only

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
 * @brief Measures a fabric at an offered load: its latency, or that it is saturated.
 *
 * Each measurement is a separate simulation, starting with an empty fabric. It starts with an
 * eighth of its full length, and is doubled, up to four times its full length, until the state of
 * the fabric is clear:
 *
 * - saturated: flits delivered fall behind flits offered by more than 1 %, or the queue of some
 *   source grows by more than 5 % of what it generates, in both cases beyond the 95 % interval; or
 *   the load exceeds the rate of hosts' channels. Such a load has no latency
 * - steady: the warm-up has ended, queues grow by less than 1 %, that of any source by less than
 *   2.5 %, and the latency's interval is less than a quarter of it
 * - unsettled: neither; a longer simulation would be needed. Such a load has no latency either
 *
 * The state is not determined before the fabric was observed for eight times the transit time of a
 * worm; nor, before the maximum length, while the accepted loads of the two halves of that time
 * differ by more than 10 %.
 */
class LoadMeasurement
{
  public:
    enum class State
    {
        STEADY,    ///< it accepts the load
        SATURATED, ///< it falls behind
        UNSETTLED  ///< the simulation was too short
    };

    struct Setup
    {
        WormholeHelper fabrics;        ///< builds the fabric
        WormholeTrafficHelper traffic; ///< installs its traffic
        std::string flits{"64"};       ///< length of worms, as WormLength::Parse
        uint32_t worms{2048};          ///< worms per source in a simulation of full length
        uint64_t allWorms{131072};     ///< total number of worms, if that is more per source
        double precision{0.05};        ///< sufficient interval of the latency, relative to it
        int64_t stream{1};             ///< first random stream index
        bool hasNetworkLatency{false}; ///< whether to find the latency without sources' queues
    };

    struct Outcome
    {
        State state{State::UNSETTLED}; ///< state of the fabric
        /// Whether the fabric was observed for long enough; if not, it is UNSETTLED, and the
        /// accepted load is NaN.
        bool isObserved{false};
        TrafficRecord::Summary found; ///< details; latencies are NaN unless it is steady
        int64_t cycle{0}; ///< flit time, ns-3 time units, if the network latency was found
    };

    LoadMeasurement(const FabricGraph& graph, const Setup& setup)
        : m_graph(graph),
          m_setup(setup)
    {
    }

    /// Measures a load. Destroys the simulator before and after.
    /// @param thorough whether to continue to the full length, unless the fabric is clearly
    ///        saturated
    /// @throws WormholeError if the pattern does not fit the fabric
    Outcome Measure(double load, bool thorough) const;

    /// Computes the load at which some channel saturates, see ChannelBound. Destroys the simulator
    /// before and after.
    /// @return the load, at most 1; 1 if the pattern has no known distribution
    double GetBound() const;

    static std::string NameOf(State state)
    {
        return state == State::STEADY      ? "steady"
               : state == State::SATURATED ? "saturated"
                                           : "unsettled";
    }

  private:
    const FabricGraph& m_graph; ///< the fabric
    Setup m_setup;
};

} // namespace ns3

#endif /* LOAD_MEASUREMENT_H */
