/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_BENCHMARK_H
#define FABRIC_BENCHMARK_H

#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-helper.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What simulating a fabric costs, beside what ns-3's own event loop costs.
 *
 * A measurement is done several times, each beside one of the bare event loop, and the least is
 * told, since others on the machine only ever add to it (Chen and Revels, Robust benchmarking in
 * noisy environments, 2016). As a simulation does the same every time, this goes for each of its
 * parts (a barrier, or some ms of traffic), and what is told is their sum: a machine is rarely
 * quiet for longer. CPU is user's and system's. Only ratios of figures of one run are worth
 * comparing. All of them destroy the simulator before and after, and use ns-3's present global
 * SchedulerType.
 */
class FabricBenchmark
{
  public:
    /// Uniform random traffic that is measured.
    struct TrafficSetup
    {
        std::string fabric;     ///< name, for the row
        uint64_t flits{2};      ///< length of worms
        double load{0.01};      ///< offered load of a host, ratio of its channel's rate
        uint64_t worms{100000}; ///< worms in all
    };

    /// What traffic costs. Columns of WriteTraffic.
    struct TrafficRow
    {
        TrafficSetup setup;         ///< what was measured
        std::string scheduler;      ///< ns-3's scheduler, such as PriorityQueue
        uint64_t worms{0};          ///< worms delivered
        uint64_t wormHops{0};       ///< worms times channels, to and from hosts included
        double eventsPerWormHop{0}; ///< events of all, the generator's included
        double cpuNsPerWormHop{0};  ///< CPU of all, the generator's included
        double bareTwoEventsNs{0};  ///< CPU of two bare events, with as many pending
        double ratio{0};            ///< of these two
        double peakMiB{0};          ///< greatest memory in use
        bool saturated{false};      ///< whether the fabric falls behind: no latencies
        double latencyUsMean{0};    ///< mean latency, us
        double latencyUsP99{0};     ///< latency that 99 % of the worms do not exceed, us
    };

    /// What a barrier costs. Columns of WriteBarriers.
    struct BarrierRow
    {
        std::string fabric;         ///< name
        std::string barrier;        ///< name, as CollectiveHelper::MakeBarrier takes it
        std::string scheduler;      ///< ns-3's scheduler
        uint32_t members{0};        ///< members of the group
        double eventsPerBarrier{0}; ///< events
        double cpuMsPerBarrier{0};  ///< CPU, milliseconds
    };

    /// @param graph the fabric, which must outlive this object
    /// @param fabrics builds it
    /// @param repeats how often everything is measured
    FabricBenchmark(const FabricGraph& graph, const WormholeHelper& fabrics, uint32_t repeats);

    /// Called before each measurement, with its traffic and the number of earlier ones.
    using Watcher = std::function<void(const TrafficSetup& setup, uint32_t repeat)>;

    /// Measures one after the other and begins again, so that a phase in which the machine is slow
    /// does not meet all measurements of one of them.
    /// @param setups the traffic
    /// @param watch told of each measurement; may be empty
    /// @return what each costs
    std::vector<TrafficRow> MeasureTraffic(const std::vector<TrafficSetup>& setups,
                                           const Watcher& watch = {}) const;

    /// @return what traffic costs @param setup the traffic
    TrafficRow MeasureTraffic(const TrafficSetup& setup) const;

    /// Measures one after the other and begins again, as with traffic.
    /// @param fabric the fabric's name, for the rows
    /// @param names names of the barriers, as CollectiveHelper::MakeBarrier takes them
    /// @param members number of members, the fabric's first hosts
    /// @param barriers barriers in a measurement, one after the other, above 0
    /// @return what a barrier of each costs
    /// @throws WormholeError if there is no such barrier
    std::vector<BarrierRow> MeasureBarriers(const std::string& fabric,
                                            const std::vector<std::string>& names,
                                            uint32_t members,
                                            uint32_t barriers) const;

    /// Writes a CSV table. @param os where to @param rows rows
    static void WriteTraffic(std::ostream& os, const std::vector<TrafficRow>& rows);

    /// Writes a CSV table. @param os where to @param rows rows
    static void WriteBarriers(std::ostream& os, const std::vector<BarrierRow>& rows);

  private:
    static constexpr uint64_t BARE_EVENTS = 1000000; ///< events of the bare loop

    /// CPU of one measurement, part by part, s.
    struct Sample
    {
        std::vector<double> traffic; ///< of the traffic
        std::vector<double> bare;    ///< of BARE_EVENTS bare events
    };

    /// Measures once. @param row its setup; gets everything but CPU @return the CPU
    Sample MeasureOnce(TrafficRow& row) const;

    const FabricGraph& m_graph; ///< the fabric
    WormholeHelper m_fabrics;   ///< builds it
    uint32_t m_repeats;         ///< how often everything is measured
};

/**
 * @ingroup wormhole
 * @brief What a large fabric costs: draws an irregular one, builds it as anybody would, and runs
 * one barrier of all hosts by barrier registers.
 *
 * It destroys the simulator before and after, so nothing else should be going on. The default
 * fabric's flit time takes Time::SetResolution(Time::PS); ns-3's global SchedulerType is used as it
 * is set, and the fabric drawn depends on ns3::RngSeedManager's seed and run.
 */
class ScaleBenchmark
{
  public:
    /// What is measured. The ratio of the defaults is the larger fabric's of Moh et al. (2001).
    struct Setup
    {
        uint32_t hosts{65536};     ///< number of hosts, all of them members of the barrier
        uint32_t switches{0};      ///< number of switches; 0: 300 for every 1024 hosts
        uint32_t ports{8};         ///< ports of each switch
        double connectivity{0.75}; ///< ratio of ports in use
        int64_t stream{1};         ///< stream of random numbers that the fabric is drawn from
    };

    /// What it cost. Columns of Write; seconds are of user CPU if nothing else is said.
    struct Row
    {
        uint32_t hosts{0};         ///< number of hosts
        uint32_t switches{0};      ///< number of switches
        double drawSeconds{0};     ///< drawing the fabric
        double buildSeconds{0};    ///< building it: nodes, cables, routes, software
        double groupSeconds{0};    ///< making the group: root search and set-up of registers
        double barrierSeconds{0};  ///< the barrier
        double totalSeconds{0};    ///< all of these, and disposing of everything
        double wallSeconds{0};     ///< the same on the clock on the wall
        double peakMiB{0};         ///< greatest memory in use by the process, MiB (2^20 bytes)
        uint32_t height{0};        ///< height of the barrier tree, h
        uint64_t hops{0};          ///< links crossed by the barrier's messages
        uint64_t groupEvents{0};   ///< events of ns-3 until the group was ready
        uint64_t barrierEvents{0}; ///< events of ns-3 of the barrier
        Time setUp;                ///< simulated time that the set-up of registers took
        Time latency;              ///< since all members came until the last one left
    };

    /// @param hosts number of hosts
    /// @return 300 switches for every 1024 hosts, rounded, one at least
    static uint32_t GetSwitchesFor(uint32_t hosts);

    /// @param setup what is measured
    /// @return what it cost
    /// @throws WormholeError if no fabric could be so, as IrregularTopologyHelper
    static Row Measure(const Setup& setup);

    /// Writes a CSV table. @param os where to @param rows rows
    static void Write(std::ostream& os, const std::vector<Row>& rows);
};

} // namespace ns3

#endif /* FABRIC_BENCHMARK_H */
