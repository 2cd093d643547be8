/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scale-benchmark.h"

#include "ns3/collective-bench.h"
#include "ns3/collective-helper.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/process-usage.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <numeric>

namespace ns3
{

namespace
{

/// Tells user CPU seconds from one stage to the next.
class StageClock
{
  public:
    /// @return user CPU seconds since the last call or since this object was made
    double Next()
    {
        const auto before = m_last;
        m_last = ProcessUsage::GetUserSeconds();
        return m_last - before;
    }

  private:
    double m_last{ProcessUsage::GetUserSeconds()}; ///< user CPU at the last call
};

} // namespace

uint32_t
ScaleBenchmark::GetSwitchesFor(uint32_t hosts)
{
    return std::max<uint32_t>(1, (uint64_t{hosts} * 300 + 512) / 1024);
}

ScaleBenchmark::Row
ScaleBenchmark::Measure(const Setup& setup)
{
    Simulator::Destroy();
    ProcessUsage::ResetPeak();
    IrregularTopologyHelper::Parameters parameters;
    parameters.hosts = setup.hosts;
    parameters.switches = setup.switches ? setup.switches : GetSwitchesFor(setup.hosts);
    parameters.ports = setup.ports;
    parameters.connectivity = setup.connectivity;
    Row row;
    row.hosts = parameters.hosts;
    row.switches = parameters.switches;
    const auto start = std::chrono::steady_clock::now();
    StageClock total;
    StageClock stage;
    {
        IrregularTopologyHelper topology(parameters);
        topology.AssignStreams(setup.stream);
        const auto graph = topology.Create();
        row.drawSeconds = stage.Next();

        WormholeHelper fabrics;
        fabrics.SetQueue(""); // no frames are sent
        auto domain = CollectiveHelper().Install(fabrics.Install(graph), graph);
        row.buildSeconds = stage.Next();

        std::vector<uint32_t> hosts(graph.GetNHosts());
        std::iota(hosts.begin(), hosts.end(), 0);
        auto barrier = CollectiveHelper::MakeBarrier("btin");
        CollectiveBench bench(barrier, domain, hosts);
        row.setUp = bench.GetSetup();
        row.groupSeconds = stage.Next();
        row.groupEvents = Simulator::GetEventCount();
        row.height = barrier->GetTree().GetHeight();

        row.latency = bench.Cross({}, {});
        row.barrierSeconds = stage.Next();
        row.barrierEvents = Simulator::GetEventCount() - row.groupEvents;
        row.hops = bench.GetTraffic().messageHops;
    }
    Simulator::Destroy();
    row.totalSeconds = total.Next();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    row.wallSeconds = wall.count();
    row.peakMiB = ProcessUsage::GetPeakMiB();
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
