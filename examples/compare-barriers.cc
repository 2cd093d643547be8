// SPDX-License-Identifier: GPL-2.0-only

// Compares barriers in the switches (BTIN) with barriers by tree worms and by messages, over group
// sizes, on random fabrics and groups. A script to modify; the study of Moh et al. (2001) is
// btin-comparison. Prints CSV and writes a file for gnuplot.

#include "ns3/core-module.h"
#include "ns3/stats-module.h"
#include "ns3/wormhole-module.h"

#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

static constexpr uint32_t HOSTS = 256; // of a fabric

/// @return random hosts, each at most once @param n how many
static std::vector<uint32_t>
DrawMembers(uint32_t n)
{
    std::vector<uint32_t> members(HOSTS);
    std::iota(members.begin(), members.end(), 0);
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(100);
    for (uint32_t i = 0; i < n; ++i)
    {
        std::swap(members[i], members[random->GetInteger(i, HOSTS - 1)]);
    }
    members.resize(n);
    return members;
}

/// @return time from the last arrival to the last departure, us @param startUp software's time to
/// start a message
static double
Measure(const std::string& algorithm, uint32_t members, const std::string& startUp)
{
    IrregularTopologyHelper::Parameters parameters; // 75 switches
    parameters.hosts = HOSTS;
    IrregularTopologyHelper topology(parameters);
    topology.AssignStreams(1);
    const auto graph = topology.Create();
    const auto fabric = WormholeHelper().Install(graph);
    CollectiveHelper helper;
    helper.SetSoftwareAttribute("StartUp", StringValue(startUp));
    const auto domain = helper.Install(fabric, graph);
    CollectiveBench bench(CollectiveHelper::MakeBarrier(algorithm), domain, DrawMembers(members));
    return bench.Cross({}, {}).ToDouble(Time::US);
}

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS); // a flit takes 6.25 ns
    std::string algorithms = "btin;multicast;dissemination;unicast";
    std::string startUp = "5us";
    std::string out = "compare-barriers";
    uint32_t maxMembers = 64;
    uint32_t runs = 10;
    CommandLine cmd(__FILE__);
    cmd.AddValue("algorithms", "Names of barriers, separated by ';'", algorithms);
    cmd.AddValue("startUp", "Time that software takes to start a message", startUp);
    cmd.AddValue("maxMembers", "Size of the largest group, up to 256", maxMembers);
    cmd.AddValue("runs", "Number of random fabrics and groups per size", runs);
    cmd.AddValue("out", "Name of the plot, without the suffix .plt or .png", out);
    cmd.Parse(argc, argv);
    try
    {
        if (maxMembers > HOSTS || runs == 0)
        {
            throw WormholeError("--maxMembers=" + std::to_string(maxMembers) +
                                " --runs=" + std::to_string(runs) +
                                ": expected up to 256 members, and a run or more");
        }
        Gnuplot plot(out + ".png", "Barriers on irregular fabrics");
        plot.SetTerminal("png size 800,500");
        plot.SetLegend("Members", "Time (us)");
        plot.SetExtra("set logscale x 2\nset logscale y 10\nset key left top\nset grid");
        std::cout << "algorithm,members,time_us,half_width_us" << std::endl;
        std::istringstream names(algorithms);
        for (std::string name; std::getline(names, name, ';');)
        {
            Gnuplot2dDataset curve(name);
            curve.SetStyle(Gnuplot2dDataset::LINES_POINTS);
            curve.SetExtra("linewidth 2");
            curve.SetErrorBars(Gnuplot2dDataset::Y);
            for (uint32_t members = 2; members <= maxMembers; members *= 2)
            {
                Average<double> time;
                for (uint32_t run = 1; run <= runs; ++run)
                {
                    RngSeedManager::SetRun(run);
                    time.Update(Measure(name, members, startUp));
                    Simulator::Destroy();
                }
                const auto halfWidth = runs > 1 ? time.Error95() : 0;
                curve.Add(members, time.Mean(), halfWidth);
                std::cout << name << "," << members << "," << time.Mean() << "," << halfWidth
                          << std::endl;
            }
            plot.AddDataset(curve);
        }
        std::ofstream file(out + ".plt");
        plot.GenerateOutput(file);
        if (!file.flush())
        {
            throw WormholeError("can't write " + out + ".plt");
        }
    }
    catch (const WormholeError& error)
    {
        std::cerr << "compare-barriers: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
