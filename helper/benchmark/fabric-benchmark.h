// SPDX-License-Identifier: GPL-2.0-only

#ifndef FABRIC_BENCHMARK_H
#define FABRIC_BENCHMARK_H

#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief The cost of simulating a fabric, relative to ns-3's own event loop.
///
/// Measurements are repeated. Other load on the machine only adds time, so the minimum over the
/// repetitions counts (Chen and Revels, Robust benchmarking in noisy environments, 2016). Each
/// measurement is divided into parts of one or more barriers, or of many worms; the minimum is
/// taken for each part, and the parts' minima are added. So the machine need not be quiet for a
/// whole measurement. CPU time is user plus system time. Compare only ratios from the same run of a
/// program. All measuring methods destroy the simulator before and after measuring, and use ns-3's
/// current SchedulerType.
class FabricBenchmark
{
  public:
    /// Parameters of uniform random traffic.
    struct TrafficSetup
    {
        std::string fabric;     ///< name of the fabric, for the table
        uint64_t flits{2};      ///< length of worms in flits
        double load{0.01};      ///< offered load per host, relative to the rate of its channel
        uint64_t worms{100000}; ///< total number of worms
    };

    /// Cost of traffic, also relative to ns-3's event loop alone: the columns of WriteTraffic.
    struct TrafficRow
    {
        TrafficSetup setup;         ///< the traffic
        std::string scheduler;      ///< ns-3's scheduler, such as PriorityQueue
        uint64_t worms{0};          ///< worms delivered
        uint64_t wormHops{0};       ///< number of channel crossings, including hosts' channels
        double eventsPerWormHop{0}; ///< events per worm-hop, including the traffic generator's
        double cpuNsPerWormHop{0};  ///< CPU ns per worm-hop, including the traffic generator's
        double bareTwoEventsNs{0};  ///< CPU ns of two events of ns-3's event loop alone
        double ratio{0};            ///< cpuNsPerWormHop / bareTwoEventsNs
        double peakMiB{0};          ///< peak memory
        bool saturated{false};   ///< whether the fabric is saturated: then latencies mean nothing
        double latencyUsMean{0}; ///< mean latency, us
        double latencyUsP99{0};  ///< 99th percentile of the latency, us
    };

    /// Cost of a barrier: the columns of WriteBarriers.
    struct BarrierRow
    {
        std::string fabric;         ///< name of the fabric
        std::string barrier;        ///< name of the barrier, as for CollectiveHelper::MakeBarrier
        std::string scheduler;      ///< ns-3's scheduler
        uint32_t members{0};        ///< number of members
        double eventsPerBarrier{0}; ///< number of events per barrier
        double cpuMsPerBarrier{0};  ///< CPU time per barrier, ms
    };

    /// Prepares measurements, each repeated `repeats` times; the graph must outlive this object.
    FabricBenchmark(const FabricGraph& graph, const WormholeHelper& fabrics, uint32_t repeats)
        : m_graph(graph),
          m_fabrics(fabrics),
          m_repeats(repeats)
    {
    }

    /// Called before each measurement, with its setup and its repetition, counted from 0.
    using Watcher = std::function<void(const TrafficSetup& setup, uint32_t repeat)>;

    /// Measures all setups in turn, then all again, and so on, so that a slow phase of the machine
    /// does not affect all repetitions of a setup; calls `watch`, if any, before each measurement.
    std::vector<TrafficRow> MeasureTraffic(const std::vector<TrafficSetup>& setups,
                                           const Watcher& watch = {}) const;

    /// Measures the cost of one setup.
    TrafficRow MeasureTraffic(const TrafficSetup& setup) const
    {
        return MeasureTraffic(std::vector<TrafficSetup>{setup}).front();
    }

    /// Measures the cost of each named barrier, with members on the fabric's first hosts: each
    /// measurement runs `barriers` (above 0) consecutive barriers; measurements are repeated as in
    /// MeasureTraffic; `fabric` is the fabric's name in the rows; throws like MakeBarrier and
    /// CollectiveBench.
    std::vector<BarrierRow> MeasureBarriers(const std::string& fabric,
                                            const std::vector<std::string>& names,
                                            uint32_t members,
                                            uint32_t barriers) const;

    /// Writes the rows as CSV.
    static void WriteTraffic(std::ostream& os, const std::vector<TrafficRow>& rows);
    static void WriteBarriers(std::ostream& os, const std::vector<BarrierRow>& rows); //!< the same

  private:
    static constexpr uint64_t BARE_EVENTS = 1000000; ///< number of events of the bare loop

    /// CPU times of the parts of one measurement, in seconds.
    struct Sample
    {
        std::vector<double> traffic; ///< CPU time of each part of the traffic
        std::vector<double> bare;    ///< CPU time of each part of the BARE_EVENTS bare events
    };

    Sample MeasureOnce(TrafficRow& row) const;

    const FabricGraph& m_graph; ///< the fabric
    WormholeHelper m_fabrics;   ///< builds the fabric
    uint32_t m_repeats;         ///< number of repetitions
};

/// @ingroup wormhole
/// @brief Measures the cost of a large irregular fabric: generates it, builds it with the usual
///        helpers, and runs one barrier of all hosts, by means of barrier registers.
///
/// It destroys the simulator before and after, so no other simulation may be in progress. The
/// default fabric's flit time requires Time::SetResolution(Time::PS). ns-3's global SchedulerType
/// is used; the fabric depends on ns3::RngSeedManager's seed and run.
class ScaleBenchmark
{
  public:
    /// Parameters. By default, there are as many hosts per switch as in the larger fabric of Moh et
    /// al. (2001).
    struct Setup
    {
        uint32_t hosts{65536};     ///< number of hosts, all members of the barrier
        uint32_t switches{0};      ///< number of switches; 0: 300 per 1024 hosts
        uint32_t ports{8};         ///< ports of each switch
        double connectivity{0.75}; ///< fraction of switch ports that have a cable
        int64_t stream{1};         ///< random stream index of the fabric
    };

    /// Result: the columns of Write. Seconds are user CPU time unless stated otherwise.
    struct Row
    {
        uint32_t hosts{0};         ///< number of hosts
        uint32_t switches{0};      ///< number of switches
        double drawSeconds{0};     ///< time to generate the fabric
        double buildSeconds{0};    ///< time to build its nodes, cables, routes and software
        double groupSeconds{0};    ///< time to create the group: root search, set-up of registers
        double barrierSeconds{0};  ///< time to simulate the barrier
        double totalSeconds{0};    ///< total time, including the destruction of the simulation
        double wallSeconds{0};     ///< total wall-clock time
        double peakMiB{0};         ///< peak memory of the process, MiB (2^20 bytes)
        uint32_t height{0};        ///< height of the barrier tree, h
        uint64_t hops{0};          ///< channels crossed, summed over the barrier's messages
        uint64_t groupEvents{0};   ///< number of ns-3 events until the group was ready
        uint64_t barrierEvents{0}; ///< number of ns-3 events of the barrier
        Time setUp;                ///< simulated time of the registers' set-up
        Time latency;              ///< time from the last member's arrival to the last departure
    };

    /// Gives the default number of switches: hosts * 300 / 1024, rounded, but at least 1.
    static uint32_t GetSwitchesFor(uint32_t hosts)
    {
        return std::max<uint32_t>(1, (uint64_t{hosts} * 300 + 512) / 1024);
    }

    /// Measures a fabric, or throws a WormholeError if no fabric can have these parameters.
    static Row Measure(const Setup& setup);

    /// Writes a CSV table.
    static void Write(std::ostream& os, const std::vector<Row>& rows);
};

} // namespace ns3

#endif /* FABRIC_BENCHMARK_H */
