// SPDX-License-Identifier: GPL-2.0-only

#include "load-measurement.h"

#include "simulation-scope.h"

#include "ns3/channel-bound.h"
#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace ns3
{

namespace
{

constexpr uint64_t BINS = 256;           ///< of a simulation of full length
constexpr uint64_t MOST_BINS = 4 * BINS; ///< of the longest simulation
/// A fabric is observed for at least as many times as a worm takes through it, before it is judged.
constexpr double MIN_TRANSITS = 8;
/// Largest difference between what halves of the time accept, over the greater, short of the
/// longest simulation.
constexpr double MAX_DRIFT = 0.1;

/// @return flit time of the hosts' cables, ns-3 time units, which loads are over
int64_t
GetHostFlitTime(const WormholeFabric& fabric)
{
    const auto timeOf = [&](uint32_t host) {
        return fabric.GetFlitTime(*fabric.GetHost(host)->GetPort()->GetChannel()).GetTimeStep();
    };
    const auto time = timeOf(0);
    for (uint32_t host = 1; host < fabric.GetNHosts(); ++host)
    {
        if (timeOf(host) != time)
        {
            throw WormholeError("the cables of " + fabric.GetHost(0)->GetName() + " and " +
                                fabric.GetHost(host)->GetName() +
                                " have different rates; expected hosts with cables of one rate, "
                                "which loads are ratios of");
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
        traffic.TraceConnectWithoutContext("Generated", MakeCallback(&Recorder::OnGenerated, this));
        traffic.TraceConnectWithoutContext("Delivered", MakeCallback(&Recorder::OnDelivered, this));
        traffic.TraceConnectWithoutContext("Lost", MakeCallback(&Recorder::OnLost, this));
    }

    /// Has the record know when worms leave their sources' queues.
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
        const auto queued = m_started.empty()
                                ? 0
                                : m_started.at(worm->GetId()) - worm->GetGenerated().GetTimeStep();
        m_started.erase(worm->GetId());
        m_record.AddDelivered(worm->GetSource(), worm->GetFlits(), latency.GetTimeStep(), queued);
    }

    void OnLost(Ptr<const TrafficWorm> worm)
    {
        m_started.erase(worm->GetId());
        m_record.AddLost(worm->GetSource(), worm->GetFlits());
    }

    std::unordered_map<uint64_t, int64_t> m_started; ///< when, by worm on its way
    TrafficRecord m_record;                          ///< the record
    std::size_t m_stopAt{0};                         ///< number of bins at which to stop
};

bool
FallsBehind(const TrafficRecord::Summary& found)
{
    return (found.growth > 0.01 && found.growth > found.growthCi95) ||
           (found.worstGrowth > 0.05 && found.worstGrowth > found.worstGrowthCi95);
}

bool
KeepsUp(const TrafficRecord::Summary& found)
{
    return found.settled && found.growth < 0.01 &&
           static_cast<double>(found.end - found.begin) >= MIN_TRANSITS / 2 * found.latency &&
           found.worstGrowth < 0.025 && found.latencyCi95 < 0.25 * found.latency;
}

} // namespace

LoadMeasurement::Outcome
LoadMeasurement::Measure(double load, bool thorough) const
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

double
LoadMeasurement::GetBound() const
{
    const SimulationScope ownSimulation;
    const auto pattern = m_setup.traffic.MakePattern(m_graph, m_setup.stream);
    auto fabric = m_setup.fabrics.Install(m_graph);
    fabric->Start();
    return ChannelBound::Measure(m_graph, *fabric->GetRouter(), *pattern).bound;
}

} // namespace ns3
