/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loaded-barrier-form.h"

#include "ns3/collective-helper.h"
#include "ns3/fabric-options.h"
#include "ns3/latency-load-study.h"
#include "ns3/worm-length.h"
#include "ns3/wormhole-traffic-helper.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// What --help says of the program.
const std::string USAGE =
    "Latency of barriers beside data traffic, over the load that hosts offer: the mean over many "
    "barriers one after the other, and what 99 % of them do not exceed. The first row of each "
    "barrier is without traffic, as if it had the fabric for itself. A load at which worms pile up "
    "is marked as saturated and has no latency; neither has one at which worms wait for each other "
    "for ever, as tree worms (multicast) can in buffers that do not hold them.\n"
    "\n"
    "Examples:\n"
    "  barriers-under-load\n"
    "      three barriers of all 256 hosts of a random fabric; CSV to standard output\n"
    "  barriers-under-load --csv=loaded.csv --plots=plots\n"
    "      the same, with plots\n"
    "  barriers-under-load --attribute=WormholePort::BufferDepth=512\n"
    "      buffers that hold a tree worm with 256 addresses, so that there is no deadlock\n"
    "  barriers-under-load --topology=clos:ports=8 --loads=0.1,0.3,0.5 --flits=1024\n"
    "      another fabric, at three loads of longer worms\n"
    "  barriers-under-load --algorithms=btin,dissemination[Transport=rdma],hw-1 --members=16\n"
    "      16 random hosts, with remote writes and with an add-on network that no data uses\n"
    "  barriers-under-load --algorithms=btin,dissemination --explain --plots=plots\n"
    "      what latencies go into, too, and which part of them is waiting for the traffic\n"
    "  barriers-under-load --pattern=hotspot --rounds=1000\n"
    "      a tenth of all worms goes to one host\n"
    "\n"
    "Loads are ratios of a channel's rate, for each host. Between two barriers there is a pause, "
    "until what one has held up is through.";

} // namespace

LoadedBarrierForm::LoadedBarrierForm()
    : PooledStudyForm({"barriers-under-load",
                       "barriers_under_load",
                       "Measures barriers beside data traffic, over its load.",
                       USAGE,
                       "a row for each barrier and load; latencies where the state is steady",
                       true})
{
    constexpr uint32_t MANY = 1'000'000;
    auto& p = m_parameters;
    AddTexts({"algorithms",
              "btin,dissemination[Transport=rdma],hw-1",
              "",
              "Barriers",
              "btin,multicast,dissemination"},
             Into(p.algorithms));
    AddRatios({"loads",
               "0.005,0.01",
               "",
               "Offered loads, ratios of a channel's rate; without it 10 to 90 % of the load at "
               "which the busiest channel is full",
               ""},
              LatencyLoadStudy::GREATEST_LOAD,
              Into(p.loads))
        .attribute = "ns3::WormholeTraffic::Load";
    AddWord({"pattern", "uniform", "", "Who sends data to whom", "uniform"},
            WormholeTrafficHelper::GetPatternNames(),
            Into(p.traffic.pattern));
    AddText({"flits", "64", "", "Length of data worms, as in latency-load", "64"},
            Into(p.traffic.flits));
    AddWhole({"members", "16", "", "Number of members, random hosts; 0: all hosts", "0"},
             0,
             MANY,
             Into(p.members));
    AddWhole({"rounds", "300", "", "Barriers measured at each load", "300"},
             1,
             MANY,
             Into(p.rounds));
    AddSwitch(
        "explain",
        "Tell what latencies go into: columns of hosts' software, interfaces, wires, switches "
        "and waiting, which together make the mean latency, of what part of the waiting is for "
        "the traffic, and a plot of them",
        Into(p.isExplained));
    AddWhole({"seed", "1", "", "Seed of random numbers", "1"},
             1,
             LatencyLoadStudy::GREATEST_SEED,
             Into(p.seed));
    AddMessageCosts("2us", "1us", p.startUp, p.receive);
    AddTime({"poll", "200ns", "", "How long the poll takes that sees a remote write", "200ns"},
            Into(p.poll))
        .attribute = "ns3::HostSoftware::PollTime";
    AddFabric("a random one", "irregular:switches=75,hosts=256");
    AddFabricDelays(p.fabrics);
    AddCondition({"poll"}, "an algorithm with remote writes", [&p](const OptionValues&) {
        return std::any_of(p.algorithms.begin(), p.algorithms.end(), [](const auto& name) {
            return name.find("rdma") != std::string::npos;
        });
    });
}

void
LoadedBarrierForm::Finish(const OptionValues& values)
{
    auto& p = m_parameters;
    values.Check("flits", [&] { WormLength::Parse(p.traffic.flits); });
    values.Check("algorithms", [&] {
        for (const auto& algorithm : p.algorithms)
        {
            CollectiveHelper::MakeBarrier(algorithm);
        }
    });
    p.topology = FabricOptions::Read(values);
    values.Check("pattern", [&] {
        WormholeTrafficHelper helper;
        helper.SetPattern(p.traffic.pattern);
        helper.MakePattern(p.topology->graph, 0);
    });
    values.Check("members", [&] { m_study = std::make_unique<LoadedBarrierStudy>(p); });
}

} // namespace ns3
