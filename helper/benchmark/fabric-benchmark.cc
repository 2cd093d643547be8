// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-benchmark.h"

#include "ns3/collective-bench.h"
#include "ns3/collective-helper.h"
#include "ns3/double.h"
#include "ns3/event-impl.h"
#include "ns3/global-value.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/ordering.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-record.h"
#include "ns3/wormhole-traffic-helper.h"

#include <chrono>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <limits>
#include <numeric>
#include <regex>
#include <sys/resource.h>
#include <utility>

namespace ns3
{

namespace
{

std::string
GetSchedulerName()
{
    StringValue value;
    GlobalValue::GetValueByName("SchedulerType", value);
    return std::regex_replace(value.Get(), std::regex("^(ns3::)?(.*?)(Scheduler)?$"), "$2");
}

double
GetUserSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * usage.ru_utime.tv_usec;
}

/// @return user and system CPU time of this process so far, s; finer than GetUserSeconds, which
/// relies on sampling
double
GetCpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// @return peak memory since the process began or since ResetPeak, MiB (2^20 bytes)
double
GetPeakMiB()
{
    // Linux's own account, since getrusage does not know of ResetPeak.
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
    {
        if (line.rfind("VmHWM:", 0) == 0)
        {
            return std::stod(line.substr(6)) / 1024;
        }
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return usage.ru_maxrss / 1048576.0; // bytes there, KiB elsewhere
#else
    return usage.ru_maxrss / 1024.0;
#endif
}

/// Restarts GetPeakMiB from the memory in use now, where this system supports it (Linux does).
void
ResetPeak()
{
    constexpr auto PEAK = "5"; // proc(5), clear_refs
    std::ofstream("/proc/self/clear_refs") << PEAK << std::flush;
}

class PartTimer
{
  public:
    explicit PartTimer(uint64_t steps)
        : m_left(steps),
          m_each(std::max<uint64_t>(steps / PARTS, 1)),
          m_begin(GetCpuSeconds())
    {
    }

    /// A step is done. @return whether that was not the last one
    bool Step()
    {
        --m_left;
        if (m_left % m_each == 0 && m_left > 0)
        {
            EndPart();
        }
        return m_left > 0;
    }

    std::vector<double> End()
    {
        EndPart();
        return m_seconds;
    }

  private:
    /// At most twice as many parts of equal length, and the rest; a step each if there are fewer.
    static constexpr uint64_t PARTS = 32;

    void EndPart()
    {
        const auto now = GetCpuSeconds();
        m_seconds.push_back(now - m_begin);
        m_begin = now;
    }

    uint64_t m_left;               ///< steps to come
    uint64_t m_each;               ///< steps of a part
    double m_begin;                ///< when the present part began, CPU, s
    std::vector<double> m_seconds; ///< CPU of those that have ended, s
};

/// Lowers the times of parts, if there are any yet, to those of another measurement of the same.
void
TakeMin(std::vector<double>& least, const std::vector<double>& other)
{
    least.resize(other.size(), std::numeric_limits<double>::max());
    for (std::size_t part = 0; part < other.size(); ++part)
    {
        least[part] = std::min(least[part], other[part]);
    }
}

double
Sum(const std::vector<double>& times)
{
    return std::accumulate(times.begin(), times.end(), 0.0);
}

class BareEvent : public EventImpl
{
  public:
    BareEvent(PartTimer& timer, uint64_t seed)
        : m_timer(timer),
          m_state(seed)
    {
    }

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
        m_timer.Step() ? Schedule() : Simulator::Stop();
    }

    PartTimer& m_timer; ///< counts the events of all
    uint64_t m_state;   ///< of the times
};

struct TrafficObserver
{
    static constexpr uint64_t BINS = 64; ///< divisions of the time in which worms are made

    TrafficObserver(WormholeFabric& fabric, WormholeTraffic& traffic, uint64_t worms)
        : fabric(fabric),
          traffic(traffic),
          senders(traffic.GetNSenders()),
          timer(worms),
          record(fabric.GetNHosts(), traffic.GetNSenders(), std::max<uint64_t>(worms / BINS, 1))
    {
        traffic.TraceConnectWithoutContext("Generated",
                                           MakeCallback(&TrafficObserver::OnGenerated, this));
        traffic.TraceConnectWithoutContext("Delivered",
                                           MakeCallback(&TrafficObserver::OnDelivered, this));
    }

    void OnGenerated(Ptr<const TrafficWorm> worm)
    {
        record.AddGenerated(worm->GetSource(),
                            worm->GetFlits(),
                            worm->GetGenerated().GetTimeStep());
        pending += fabric.GetCounts().eventsPending + senders;
        if (!timer.Step())
        {
            traffic.Stop();
            isDone = true;
        }
    }

    void OnDelivered(Ptr<const TrafficWorm> worm, Time latency)
    {
        if (!isDone)
        {
            record.AddDelivered(worm->GetSource(), worm->GetFlits(), latency.GetTimeStep());
        }
    }

    WormholeFabric& fabric;
    WormholeTraffic& traffic;
    const uint64_t senders; ///< hosts that make worms, with an event pending each; counted once
    PartTimer timer;        ///< counts worms that are made
    uint64_t pending{0};    ///< events that were pending then, summed up
    bool isDone{false};     ///< whether all worms are made
    TrafficRecord record;   ///< what was found
};

/// Times ns-3's event loop alone: events that schedule themselves again.
std::vector<double>
TimeBareEvents(uint64_t pending, uint64_t events)
{
    Simulator::Destroy();
    PartTimer timer(events);
    for (uint64_t i = 0; i < pending; ++i)
    {
        Create<BareEvent>(timer, i + 1)->Schedule();
    }
    Simulator::Run();
    auto times = timer.End();
    Simulator::Destroy();
    return times;
}

} // namespace

std::vector<FabricBenchmark::TrafficRow>
FabricBenchmark::MeasureTraffic(const std::vector<TrafficSetup>& setups, const Watcher& watch) const
{
    std::vector<TrafficRow> rows(setups.size());
    std::vector<Sample> least(setups.size());
    for (uint32_t repeat = 0; repeat < m_repeats; ++repeat)
    {
        for (std::size_t i = 0; i < setups.size(); ++i)
        {
            if (watch)
            {
                watch(setups[i], repeat);
            }
            rows[i].setup = setups[i];
            const auto sample = MeasureOnce(rows[i]);
            TakeMin(least[i].traffic, sample.traffic);
            TakeMin(least[i].bare, sample.bare);
        }
    }
    for (std::size_t i = 0; i < setups.size(); ++i)
    {
        auto& row = rows[i];
        row.cpuNsPerWormHop = 1e9 * Sum(least[i].traffic) / static_cast<double>(row.wormHops);
        row.bareTwoEventsNs = 2e9 * Sum(least[i].bare) / BARE_EVENTS;
        row.ratio = row.cpuNsPerWormHop / row.bareTwoEventsNs;
    }
    return rows;
}

FabricBenchmark::Sample
FabricBenchmark::MeasureOnce(TrafficRow& row) const
{
    constexpr int64_t STREAM = 1;
    Simulator::Destroy();
    row.scheduler = GetSchedulerName();
    ResetPeak();
    auto fabric = m_fabrics.Install(m_graph);
    WormholeTrafficHelper helper;
    helper.SetAttribute("Load", DoubleValue(row.setup.load));
    auto traffic = helper.Install(fabric, m_graph, WormLength::Fixed(row.setup.flits), STREAM);
    TrafficObserver observer(*fabric, *traffic, row.setup.worms);
    traffic->Start();
    Simulator::Run();
    auto times = observer.timer.End();
    const auto& counts = fabric->GetCounts();
    const auto hops = static_cast<double>(counts.wormHops);
    row.worms = traffic->GetCounts().deliveredWorms;
    row.wormHops = counts.wormHops;
    row.eventsPerWormHop = static_cast<double>(Simulator::GetEventCount()) / hops;
    row.peakMiB = std::max(row.peakMiB, GetPeakMiB());
    const auto found = observer.record.Summarize(fabric->GetFlitTime().GetTimeStep());
    row.saturated = found.growth > 0.02 && found.growth > found.growthCi95;
    row.latencyUsMean = found.latency * TimeStep(1).ToDouble(Time::US);
    row.latencyUsP99 = found.latency99 * TimeStep(1).ToDouble(Time::US);
    const auto pending = std::max<uint64_t>(observer.pending / row.setup.worms, 1);
    Simulator::Destroy();
    return {std::move(times), TimeBareEvents(pending, BARE_EVENTS)};
}

std::vector<FabricBenchmark::BarrierRow>
FabricBenchmark::MeasureBarriers(const std::string& fabric,
                                 const std::vector<std::string>& names,
                                 uint32_t members,
                                 uint32_t barriers) const
{
    const auto hosts = NumbersBelow(members);
    Simulator::Destroy();
    auto domain = CollectiveHelper().Install(m_fabrics.Install(m_graph), m_graph);
    std::vector<std::unique_ptr<CollectiveBench>> groups;
    std::vector<BarrierRow> rows(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        groups.push_back(std::make_unique<CollectiveBench>(CollectiveHelper::MakeBarrier(names[i]),
                                                           domain,
                                                           hosts));
        rows[i].fabric = fabric;
        rows[i].barrier = names[i];
        rows[i].scheduler = GetSchedulerName();
        rows[i].members = members;
    }
    std::vector<std::vector<double>> least(names.size());
    for (uint32_t repeat = 0; repeat < m_repeats; ++repeat)
    {
        for (std::size_t i = 0; i < names.size(); ++i)
        {
            const auto eventsBefore = Simulator::GetEventCount();
            PartTimer timer(barriers);
            do
            {
                groups[i]->Cross({}, {});
            } while (timer.Step());
            TakeMin(least[i], timer.End());
            rows[i].cpuMsPerBarrier = 1e3 * Sum(least[i]) / barriers;
            rows[i].eventsPerBarrier =
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
            continue;
        }
        os << ',' << row.latencyUsMean << ',' << row.latencyUsP99 << '\n';
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

ScaleBenchmark::Row
ScaleBenchmark::Measure(const Setup& setup)
{
    Simulator::Destroy();
    ResetPeak();
    IrregularTopologyHelper::Parameters parameters;
    parameters.hosts = setup.hosts;
    parameters.switches = setup.switches ? setup.switches : GetSwitchesFor(setup.hosts);
    parameters.ports = setup.ports;
    parameters.connectivity = setup.connectivity;
    Row row;
    row.hosts = parameters.hosts;
    row.switches = parameters.switches;
    const auto start = std::chrono::steady_clock::now();
    const auto begin = GetUserSeconds();
    auto next = [last = begin]() mutable {
        const auto before = std::exchange(last, GetUserSeconds());
        return last - before;
    };
    {
        IrregularTopologyHelper topology(parameters);
        topology.AssignStreams(setup.stream);
        const auto graph = topology.Create();
        row.drawSeconds = next();

        WormholeHelper fabrics;
        fabrics.SetQueue(""); // no frames are sent
        auto domain = CollectiveHelper().Install(fabrics.Install(graph), graph);
        row.buildSeconds = next();

        auto barrier = CollectiveHelper::MakeBarrier("btin");
        CollectiveBench bench(barrier, domain, NumbersBelow(graph.GetNHosts()));
        row.setUp = bench.GetSetup();
        row.groupSeconds = next();
        row.groupEvents = Simulator::GetEventCount();
        row.height = barrier->GetTree().GetHeight();

        row.latency = bench.Cross({}, {});
        row.barrierSeconds = next();
        row.barrierEvents = Simulator::GetEventCount() - row.groupEvents;
        row.hops = bench.GetTraffic().messageHops;
    }
    Simulator::Destroy();
    row.totalSeconds = GetUserSeconds() - begin;
    row.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    row.peakMiB = GetPeakMiB();
    return row;
}

void
ScaleBenchmark::Write(std::ostream& os, const std::vector<Row>& rows)
{
    os << "hosts,switches,draw_s,build_s,group_s,barrier_s,total_s,wall_s,peak_mib,height,hops,"
          "group_events,barrier_events,set_up_us,latency_us\n";
    for (const auto& row : rows)
    {
        os << row.hosts << ',' << row.switches << std::fixed << std::setprecision(2);
        for (const auto seconds : {row.drawSeconds,
                                   row.buildSeconds,
                                   row.groupSeconds,
                                   row.barrierSeconds,
                                   row.totalSeconds,
                                   row.wallSeconds})
        {
            os << ',' << seconds;
        }
        os << ',' << std::setprecision(0) << row.peakMiB << ',' << row.height << ',' << row.hops
           << ',' << row.groupEvents << ',' << row.barrierEvents << std::setprecision(3) << ','
           << row.setUp.ToDouble(Time::US) << ',' << row.latency.ToDouble(Time::US) << '\n';
    }
}

} // namespace ns3
