// SPDX-License-Identifier: GPL-2.0-only

// Compares trees that spread a message, Fibo-trees among them, over numbers of processes. A send
// takes s, and its receiver has the message r later. A script to modify;
// the study of Cordsen et al. (1997) is fibo-tree. Prints CSV and writes a file for gnuplot.

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

/// @return time until all processes have the first one's message, us
static double
Measure(const std::string& tree, uint32_t processes, Time s, Time r)
{
    CollectiveHelper helper;
    helper.SetSoftwareAttribute("StartUp", TimeValue(s));
    const auto domain = helper.InstallIdeal(processes, r);
    std::vector<uint32_t> hosts(processes);
    std::iota(hosts.begin(), hosts.end(), 0);
    CollectiveBench bench(CollectiveHelper::MakeBroadcast("tree[Tree=" + tree + "]"),
                          domain,
                          hosts);
    return bench.Cross({}, {}).ToDouble(Time::US);
}

int
main(int argc, char* argv[])
{
    std::string trees = "fibo;kary-8;binomial;binary;sequential";
    Time s = MicroSeconds(27); // the costs of the paper's MANNA computer
    Time r = MicroSeconds(88);
    std::string out = "compare-trees";
    uint32_t maxProcesses = 64;
    CommandLine cmd(__FILE__);
    cmd.AddValue("trees", "Names of trees, separated by ';'", trees);
    cmd.AddValue("s", "Time that a send takes", s);
    cmd.AddValue("r", "Time from the end of a send until its receiver has the message", r);
    cmd.AddValue("maxProcesses", "Largest number of processes", maxProcesses);
    cmd.AddValue("out", "Name of the plot, without the suffix .plt or .png", out);
    cmd.Parse(argc, argv);
    try
    {
        Gnuplot plot(out + ".png", "A message to all processes");
        plot.SetTerminal("png size 800,500");
        plot.SetLegend("Processes", "Time (us)");
        plot.SetExtra("set key left top\nset grid");
        std::cout << "tree,processes,time_us" << std::endl;
        std::istringstream names(trees);
        for (std::string name; std::getline(names, name, ';');)
        {
            Gnuplot2dDataset curve(name);
            curve.SetStyle(Gnuplot2dDataset::LINES);
            curve.SetExtra("linewidth 2");
            for (uint32_t processes = 1; processes <= maxProcesses; ++processes)
            {
                const auto time = Measure(name, processes, s, r);
                Simulator::Destroy();
                curve.Add(processes, time);
                std::cout << name << "," << processes << "," << time << std::endl;
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
        std::cerr << "compare-trees: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
