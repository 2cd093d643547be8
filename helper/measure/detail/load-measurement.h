// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOAD_MEASUREMENT_H
#define LOAD_MEASUREMENT_H

#include "simulation-scope.h"
#include "traffic-record.h"

#include "ns3/channel-bound.h"
#include "ns3/double.h"
#include "ns3/fabric-graph.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>

namespace ns3
{

/// @ingroup wormhole
/// @brief Measures a fabric at an offered load: its latency, or that it is saturated.
///
/// Each measurement is a separate simulation, starting with an empty fabric. Its first length is an
/// eighth of the full length, and is doubled, up to four times the full length, until the state of
/// the fabric is clear:
///
/// - saturated: flits delivered fall behind flits offered by more than 1 %, or the queue of some
///   source grows by more than 5 % of what it generates, and this growth exceeds its own 95 %
///   interval; or the load exceeds the rate of hosts' channels. Such a load has no latency
/// - steady: the warm-up has ended, all queues together grow by less than 1 %, no source's queue
///   grows by 2.5 % or more, and the latency's interval is less than a quarter of the latency
/// - unsettled: neither; a longer simulation would be needed. Such a load has no latency either
///
/// The state is not determined before the fabric has been observed for eight times the transit time
/// of a worm; before the maximum length, it is not determined either while the accepted loads of
/// the two halves of the observed time differ by more than 10 %.
class LoadMeasurement
{
  public:
    enum class State
    {
        STEADY,    ///< the fabric accepts the load
        SATURATED, ///< the fabric falls behind the load
        UNSETTLED  ///< the simulation was too short
    };

    struct Setup
    {
        WormholeHelper fabrics;        ///< builds the fabric
        WormholeTrafficHelper traffic; ///< installs its traffic
        std::string flits{"64"};       ///< length of worms, see WormLength::Parse
        uint32_t worms{2048};          ///< worms per source in a simulation of full length
        uint64_t allWorms{131072};     ///< total number of worms, if that gives more per source
        double precision{0.05};        ///< sufficient interval over latency
        int64_t stream{1};             ///< first random stream index
        bool hasNetworkLatency{false}; ///< whether to find the latency without the time in queues
    };

    struct Outcome
    {
        State state{State::UNSETTLED}; ///< state of the fabric
        /// Whether the fabric was observed for long enough; if not, the state is UNSETTLED, and the
        /// accepted load is NaN.
        bool isObserved{false};
        TrafficRecord::Summary found; ///< details; latencies are NaN unless the state is steady
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
    Outcome Measure(double load, bool thorough) const
    {
        const SimulationScope ownSimulation;
        auto helper = m_setup.traffic;
        helper.SetAttribute("Load", DoubleValue(load));
        auto fabric = m_setup.fabrics.Install(m_graph);
        auto traffic =
            helper.Install(fabric, m_graph, WormLength::Parse(m_setup.flits), m_setup.stream);
        const auto worms = uint64_t{m_setup.worms} * traffic->GetNSenders();
        Recorder recorder(*traffic, m_graph.GetNHosts(), std::max(worms, m_setup.allWorms));
        if (m_setup.hasNetworkLatency)
        {
            recorder.ListenTo(*fabric);
        }
        traffic->Start();
        const auto tau = GetHostFlitTime(*fabric);
        Outcome outcome;
        auto& found = outcome.found;
        outcome.cycle = m_setup.hasNetworkLatency ? tau : 0;
        for (auto bins = BINS / 8; bins <= MOST_BINS; bins *= 2)
        {
            recorder.RunTo(bins);
            found = recorder.GetRecord().Summarize(tau);
            const bool full = bins >= BINS;
            outcome.isObserved =
                static_cast<double>(found.end) >= MIN_TRANSITS * found.transit && found.worms > 0;
            if (!outcome.isObserved || (bins < MOST_BINS && found.drift > MAX_DRIFT))
            {
                continue;
            }
            if (found.growth - found.growthCi95 > 0.1 ||
                (full && (traffic->ExceedsChannels() || FallsBehind(found))))
            {
                outcome.state = State::SATURATED;
                break;
            }
            const bool mayEnd =
                full || (!thorough && !traffic->ExceedsChannels() && found.independent &&
                         found.latencyCi95 <= m_setup.precision * found.latency);
            if (mayEnd && KeepsUp(found))
            {
                outcome.state = State::STEADY;
                break;
            }
        }
        constexpr auto NONE = std::numeric_limits<double>::quiet_NaN();
        if (outcome.state != State::STEADY)
        {
            found.latency = found.networkLatency = found.latencyCi95 = found.latency99 = NONE;
        }
        if (!outcome.isObserved)
        {
            found.accepted = found.growth = found.worstGrowth = NONE;
        }
        return outcome;
    }

    /// Computes the load at which some channel saturates, see ChannelBound. Destroys the simulator
    /// before and after.
    /// @return the load, at most 1; 1 if the pattern has no known distribution
    double GetBound() const
    {
        const SimulationScope ownSimulation;
        const auto pattern = m_setup.traffic.MakePattern(m_graph, m_setup.stream);
        auto fabric = m_setup.fabrics.Install(m_graph);
        fabric->Start();
        return ChannelBound::Measure(m_graph, *fabric->GetRouter(), *pattern).bound;
    }

    static std::string NameOf(State state)
    {
        return state == State::STEADY      ? "steady"
               : state == State::SATURATED ? "saturated"
                                           : "unsettled";
    }

  private:
    static constexpr uint64_t BINS = 256;           ///< bins in a simulation of full length
    static constexpr uint64_t MOST_BINS = 4 * BINS; ///< bins in the longest simulation
    /// A fabric is observed for at least this multiple of a worm's transit time, before it is
    /// judged.
    static constexpr double MIN_TRANSITS = 8;
    /// Maximum difference between the accepted loads of the two halves of the time, relative to the
    /// larger one, before the longest simulation.
    static constexpr double MAX_DRIFT = 0.1;

    /// @return flit time of the hosts' cables, ns-3 time units; loads are flits per such time
    static int64_t GetHostFlitTime(const WormholeFabric& fabric)
    {
        const auto timeOf = [&](uint32_t host) {
            return fabric.GetFlitTime(*fabric.GetHost(host)->GetPort()->GetChannel()).GetTimeStep();
        };
        const auto time = timeOf(0);
        for (uint32_t host = 1; host < fabric.GetNHosts(); ++host)
        {
            if (timeOf(host) != time)
            {
                throw WormholeError(
                    "the cables of " + fabric.GetHost(0)->GetName() + " and " +
                    fabric.GetHost(host)->GetName() +
                    " have different rates; expected hosts with cables of one rate, "
                    "since loads are fractions of it");
            }
        }
        return time;
    }

    class Recorder
    {
      public:
        Recorder(WormholeTraffic& traffic, uint32_t nHosts, uint64_t worms)
            : m_record(nHosts, traffic.GetNSenders(), (worms + BINS - 1) / BINS)
        {
            traffic.TraceConnectWithoutContext("Generated",
                                               MakeCallback(&Recorder::OnGenerated, this));
            traffic.TraceConnectWithoutContext("Delivered",
                                               MakeCallback(&Recorder::OnDelivered, this));
            traffic.TraceConnectWithoutContext("Lost", MakeCallback(&Recorder::OnLost, this));
        }

        /// Makes the recorder note when worms leave their sources' queues.
        void ListenTo(const WormholeFabric& fabric)
        {
            for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
            {
                fabric.GetHost(host)->GetPort()->TraceConnectWithoutContext(
                    "HeadStart",
                    MakeCallback(&Recorder::OnStarted, this));
            }
        }

        void RunTo(std::size_t bins)
        {
            m_stopAt = bins;
            Simulator::Run();
        }

        const TrafficRecord& GetRecord() const
        {
            return m_record;
        }

      private:
        void OnGenerated(Ptr<const TrafficWorm> worm)
        {
            m_record.AddGenerated(worm->GetSource(),
                                  worm->GetFlits(),
                                  worm->GetGenerated().GetTimeStep());
            if (m_record.GetNBins() >= m_stopAt)
            {
                Simulator::Stop();
            }
        }

        void OnStarted(Ptr<const Worm> worm)
        {
            m_started[worm->GetId()] = Simulator::Now().GetTimeStep();
        }

        void OnDelivered(Ptr<const TrafficWorm> worm, Time latency)
        {
            const auto queued = m_started.empty() ? 0
                                                  : m_started.at(worm->GetId()) -
                                                        worm->GetGenerated().GetTimeStep();
            m_started.erase(worm->GetId());
            m_record.AddDelivered(worm->GetSource(),
                                  worm->GetFlits(),
                                  latency.GetTimeStep(),
                                  queued);
        }

        void OnLost(Ptr<const TrafficWorm> worm)
        {
            m_started.erase(worm->GetId());
            m_record.AddLost(worm->GetSource(), worm->GetFlits());
        }

        std::unordered_map<uint64_t, int64_t> m_started; ///< start of each worm in flight
        TrafficRecord m_record;                          ///< the record
        std::size_t m_stopAt{0};                         ///< number of bins at which to stop
    };

    static bool FallsBehind(const TrafficRecord::Summary& found)
    {
        return (found.growth > 0.01 && found.growth > found.growthCi95) ||
               (found.worstGrowth > 0.05 && found.worstGrowth > found.worstGrowthCi95);
    }

    static bool KeepsUp(const TrafficRecord::Summary& found)
    {
        return found.settled && found.growth < 0.01 &&
               static_cast<double>(found.end - found.begin) >= MIN_TRANSITS / 2 * found.latency &&
               found.worstGrowth < 0.025 && found.latencyCi95 < 0.25 * found.latency;
    }

    const FabricGraph& m_graph; ///< the fabric
    Setup m_setup;
};

} // namespace ns3

#endif /* LOAD_MEASUREMENT_H */
