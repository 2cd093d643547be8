/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-benchmark.h"

#include "barrier-bench.h"
#include "collective-helper.h"
#include "process-usage.h"
#include "traffic-record.h"
#include "wormhole-traffic-helper.h"

#include "ns3/double.h"
#include "ns3/event-impl.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <iomanip>
#include <numeric>

namespace ns3
{

namespace
{

/// @return name of ns-3's present scheduler, such as PriorityQueue
std::string
GetSchedulerName()
{
    StringValue value;
    GlobalValue::GetValueByName("SchedulerType", value);
    const std::string prefix = "ns3::";
    const std::string suffix = "Scheduler";
    auto name = value.Get();
    name = name.substr(name.rfind(prefix, 0) == 0 ? prefix.size() : 0);
    const auto rest = name.size() - std::min(name.size(), suffix.size());
    return name.substr(rest) == suffix ? name.substr(0, rest) : name;
}

/// An event that schedules itself again, at times of no pattern.
class BareEvent : public EventImpl
{
  public:
    /// @param events events that are still to be run by all @param seed of the times, not 0
    BareEvent(uint64_t& events, uint64_t seed)
        : m_events(events),
          m_state(seed)
    {
    }

    /// Schedules it.
    void Schedule()
    {
        // Marsaglia's xorshift64: cheap, so that the event loop is what is timed.
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        constexpr uint64_t LONGEST = 1 << 20;
        Simulator::Schedule(TimeStep(1 + m_state % LONGEST), Ptr<EventImpl>(this));
    }

  private:
    void Notify() override
    {
        if (m_events > 0)
        {
            --m_events;
            Schedule();
        }
    }

    uint64_t& m_events; ///< events that are still to be run
    uint64_t m_state;   ///< of the times
};

/// Notes worms that traffic makes and delivers, and ends it.
class TrafficObserver
{
  public:
    /**
     * @param fabric the fabric
     * @param traffic its traffic
     * @param worms worms to be made
     */
    TrafficObserver(WormholeFabric& fabric, WormholeTraffic& traffic, uint64_t worms)
        : m_fabric(fabric),
          m_traffic(traffic),
          m_worms(worms),
          m_senders(traffic.GetNSenders()),
          m_record(fabric.GetNHosts(), traffic.GetNSenders(), std::max<uint64_t>(worms / BINS, 1))
    {
        traffic.TraceConnectWithoutContext("Generated",
                                           MakeCallback(&TrafficObserver::OnGenerated, this));
        traffic.TraceConnectWithoutContext("Delivered",
                                           MakeCallback(&TrafficObserver::OnDelivered, this));
    }

    /// @return mean number of events that were pending when worms were made
    uint64_t GetMeanPending() const
    {
        return m_pending / m_worms;
    }

    /// @return what was found until the last worm was made
    const TrafficRecord& GetRecord() const
    {
        return m_record;
    }

  private:
    /// Divisions of the time in which worms are made.
    static constexpr uint64_t BINS = 64;

    /// A worm is made. @param worm the worm
    void OnGenerated(Ptr<const TrafficWorm> worm)
    {
        m_record.AddGenerated(worm->GetSource(),
                              worm->GetFlits(),
                              worm->GetGenerated().GetTimeStep());
        m_pending += m_fabric.GetCounts().eventsPending + m_senders;
        if (m_traffic.GetCounts().generatedWorms == m_worms)
        {
            m_traffic.Stop();
            m_done = true;
        }
    }

    /// A worm has arrived. @param worm the worm @param latency time since it was made
    void OnDelivered(Ptr<const TrafficWorm> worm, Time latency)
    {
        if (!m_done)
        {
            m_record.AddDelivered(worm->GetSource(), worm->GetFlits(), latency.GetTimeStep());
        }
    }

    WormholeFabric& m_fabric;   ///< the fabric
    WormholeTraffic& m_traffic; ///< its traffic
    uint64_t m_worms;           ///< worms to be made
    uint32_t m_senders;         ///< hosts that make them, with an event pending each
    uint64_t m_pending{0};      ///< sum of events pending
    bool m_done{false};         ///< whether all worms are made
    TrafficRecord m_record;     ///< what was found
};

} // namespace

FabricBenchmark::FabricBenchmark(const FabricGraph& graph,
                                 const WormholeHelper& fabrics,
                                 uint32_t repeats)
    : m_graph(graph),
      m_fabrics(fabrics),
      m_repeats(repeats)
{
}

double
FabricBenchmark::MeasureBareEventNs(uint64_t pending, uint64_t events)
{
    Simulator::Destroy();
    auto left = events;
    for (uint64_t i = 0; i < pending; ++i)
    {
        Create<BareEvent>(left, i + 1)->Schedule();
    }
    const auto before = ProcessUsage::GetUserSeconds();
    Simulator::Run();
    const auto seconds = ProcessUsage::GetUserSeconds() - before;
    Simulator::Destroy();
    return 1e9 * seconds / static_cast<double>(events + pending);
}

std::vector<FabricBenchmark::TrafficRow>
FabricBenchmark::MeasureTraffic(const std::vector<TrafficSetup>& setups, const Watcher& watch) const
{
    std::vector<TrafficRow> rows(setups.size());
    for (uint32_t repeat = 0; repeat < m_repeats; ++repeat)
    {
        for (std::size_t i = 0; i < setups.size(); ++i)
        {
            if (watch)
            {
                watch(setups[i], repeat);
            }
            auto& row = rows[i];
            row.setup = setups[i];
            const auto sample = MeasureOnce(row);
            row.cpuNsPerWormHop =
                repeat == 0 ? sample.cpu : std::min(row.cpuNsPerWormHop, sample.cpu);
            row.bareTwoEventsNs =
                repeat == 0 ? sample.bare : std::min(row.bareTwoEventsNs, sample.bare);
            row.ratio = row.cpuNsPerWormHop / row.bareTwoEventsNs;
        }
    }
    return rows;
}

FabricBenchmark::TrafficRow
FabricBenchmark::MeasureTraffic(const TrafficSetup& setup) const
{
    return MeasureTraffic(std::vector<TrafficSetup>{setup}).front();
}

FabricBenchmark::Sample
FabricBenchmark::MeasureOnce(TrafficRow& row) const
{
    constexpr uint64_t BARE_EVENTS = 1000000;
    constexpr int64_t STREAM = 1;
    Simulator::Destroy();
    row.scheduler = GetSchedulerName();
    ProcessUsage::ResetPeak();
    auto fabric = m_fabrics.Install(m_graph);
    WormholeTrafficHelper helper;
    helper.SetAttribute("Load", DoubleValue(row.setup.load));
    auto traffic = helper.Install(fabric, m_graph, WormLength::Fixed(row.setup.flits), STREAM);
    TrafficObserver observer(*fabric, *traffic, row.setup.worms);
    traffic->Start();
    const auto before = ProcessUsage::GetUserSeconds();
    Simulator::Run();
    const auto seconds = ProcessUsage::GetUserSeconds() - before;
    const auto& counts = fabric->GetCounts();
    const auto hops = static_cast<double>(counts.wormHops);
    row.worms = traffic->GetCounts().deliveredWorms;
    row.wormHops = counts.wormHops;
    row.eventsPerWormHop = static_cast<double>(Simulator::GetEventCount()) / hops;
    row.peakMiB = std::max(row.peakMiB, ProcessUsage::GetPeakMiB());
    const auto found = observer.GetRecord().Summarize(fabric->GetFlitTime().GetTimeStep());
    row.saturated = found.growth > 0.02 && found.growth > found.growthCi95;
    row.latencyUsMean = found.latency * TimeStep(1).ToDouble(Time::US);
    row.latencyUsP99 = found.latency99 * TimeStep(1).ToDouble(Time::US);
    const auto pending = std::max<uint64_t>(observer.GetMeanPending(), 1);
    Simulator::Destroy();
    return {1e9 * seconds / hops, 2 * MeasureBareEventNs(pending, BARE_EVENTS)};
}

std::vector<FabricBenchmark::BarrierRow>
FabricBenchmark::MeasureBarriers(const std::string& fabric,
                                 const std::vector<std::string>& names,
                                 uint32_t members,
                                 uint32_t barriers) const
{
    std::vector<uint32_t> hosts(members);
    std::iota(hosts.begin(), hosts.end(), 0);
    Simulator::Destroy();
    BarrierBench bench(m_graph, m_fabrics, CollectiveHelper());
    std::vector<Ptr<Barrier>> groups;
    std::vector<BarrierRow> rows(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        groups.push_back(CollectiveHelper::MakeBarrier(names[i]));
        bench.Gather(groups[i], hosts);
        rows[i].fabric = fabric;
        rows[i].barrier = names[i];
        rows[i].scheduler = GetSchedulerName();
        rows[i].members = members;
    }
    for (uint32_t repeat = 0; repeat < m_repeats; ++repeat)
    {
        for (std::size_t i = 0; i < names.size(); ++i)
        {
            const auto eventsBefore = Simulator::GetEventCount();
            const auto before = ProcessUsage::GetUserSeconds();
            for (uint32_t done = 0; done < barriers; ++done)
            {
                bench.Cross(groups[i]);
            }
            const auto cpuMs = 1e3 * (ProcessUsage::GetUserSeconds() - before) / barriers;
            auto& row = rows[i];
            row.cpuMsPerBarrier = repeat == 0 ? cpuMs : std::min(row.cpuMsPerBarrier, cpuMs);
            row.eventsPerBarrier =
                static_cast<double>(Simulator::GetEventCount() - eventsBefore) / barriers;
        }
    }
    groups.clear();
    Simulator::Destroy();
    return rows;
}

void
FabricBenchmark::WriteTraffic(std::ostream& os, const std::vector<TrafficRow>& rows)
{
    os << "fabric,scheduler,flits,load,worms,worm_hops,events_per_worm_hop,cpu_ns_per_worm_hop,"
          "bare_two_events_ns,ratio,peak_mib,latency_us_mean,latency_us_p99\n";
    for (const auto& row : rows)
    {
        os << row.setup.fabric << ',' << row.scheduler << ',' << row.setup.flits << ','
           << std::defaultfloat << std::setprecision(6) << row.setup.load << ',' << row.worms << ','
           << row.wormHops << ',' << std::fixed << std::setprecision(3) << row.eventsPerWormHop
           << ',' << std::setprecision(1) << row.cpuNsPerWormHop << ',' << row.bareTwoEventsNs
           << ',' << std::setprecision(3) << row.ratio << ',' << std::setprecision(1) << row.peakMiB
           << std::setprecision(3);
        if (row.saturated)
        {
            os << ",saturated,saturated\n";
        }
        else
        {
            os << ',' << row.latencyUsMean << ',' << row.latencyUsP99 << '\n';
        }
    }
}

void
FabricBenchmark::WriteBarriers(std::ostream& os, const std::vector<BarrierRow>& rows)
{
    os << "fabric,scheduler,barrier,members,events_per_barrier,cpu_ms_per_barrier\n";
    for (const auto& row : rows)
    {
        os << row.fabric << ',' << row.scheduler << ',' << row.barrier << ',' << row.members << ','
           << std::fixed << std::setprecision(1) << row.eventsPerBarrier << ','
           << std::setprecision(4) << row.cpuMsPerBarrier << '\n';
    }
}

} // namespace ns3
