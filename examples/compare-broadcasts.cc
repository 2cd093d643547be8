// SPDX-License-Identifier: GPL-2.0-only

// Compares a broadcast by one tree worm (multicast) with broadcasts by software, over lengths of
// the message, on a regular fabric. A script to modify. Prints CSV and writes a file for gnuplot.

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

/// @return time until all hosts of a fabric have the root's message, us
/// @param startUp software's time to start a message
static double
Measure(const std::string& algorithm,
        const WormholeTopology& topology,
        uint32_t bytes,
        const std::string& startUp)
{
    WormholeHelper fabrics;
    fabrics.SetRouter(topology.router);
    const auto fabric = fabrics.Install(topology.graph);
    CollectiveHelper helper;
    helper.SetSoftwareAttribute("StartUp", StringValue(startUp));
    const auto domain = helper.Install(fabric, topology.graph);
    const auto broadcast = CollectiveHelper::MakeBroadcast(algorithm);
    broadcast->SetAttribute("MessageBytes", UintegerValue(bytes));
    std::vector<uint32_t> members(fabric->GetNHosts());
    std::iota(members.begin(), members.end(), 0);
    CollectiveBench bench(broadcast, domain, members);
    return bench.Cross({}, {}).ToDouble(Time::US);
}

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS); // a flit takes 6.25 ns
    std::string algorithms = "multicast;sss-mst;tree[Tree=binomial];tree[Tree=sequential]";
    std::string fabric = "torus:4x4,hosts=2";
    std::string startUp = "5us";
    std::string out = "compare-broadcasts";
    uint32_t maxBytes = 65536;
    CommandLine cmd(__FILE__);
    cmd.AddValue("algorithms", "Names of broadcasts, separated by ';'", algorithms);
    cmd.AddValue("topology", "The fabric; all its hosts take part", fabric);
    cmd.AddValue("startUp", "Time that software takes to start a message", startUp);
    cmd.AddValue("maxBytes", "Length of the longest message", maxBytes);
    cmd.AddValue("out", "Name of the plot, without the suffix .plt or .png", out);
    cmd.Parse(argc, argv);
    try
    {
        const auto topology = MakeTopology(fabric);
        Gnuplot plot(out + ".png", "Broadcasts on " + fabric);
        plot.SetTerminal("png noenhanced size 800,500");
        plot.SetLegend("Bytes", "Time (us)");
        plot.SetExtra("set logscale x 2\nset logscale y 10\nset key left top\nset grid");
        std::cout << "algorithm,bytes,time_us" << std::endl;
        std::istringstream names(algorithms);
        for (std::string name; std::getline(names, name, ';');)
        {
            Gnuplot2dDataset curve(name);
            curve.SetStyle(Gnuplot2dDataset::LINES_POINTS);
            curve.SetExtra("linewidth 2");
            for (uint32_t bytes = 16; bytes <= maxBytes; bytes *= 4)
            {
                const auto time = Measure(name, topology, bytes, startUp);
                Simulator::Destroy();
                curve.Add(bytes, time);
                std::cout << name << "," << bytes << "," << time << std::endl;
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
        std::cerr << "compare-broadcasts: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
