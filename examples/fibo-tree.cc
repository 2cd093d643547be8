/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long trees take to spread a message among processes, by the cost model of Cordsen et al.
// (1997) and simulated: their Figures 4 and 10, or the same for one's own costs and fabric. Writes
// CSV and plots. See doc/software-studies.rst and --help.

#include "ns3/program-options.h"
#include "ns3/published-trees.h"
#include "ns3/study-program.h"
#include "ns3/tree-plots.h"
#include "ns3/tree-shapes.h"
#include "ns3/tree-study.h"
#include "ns3/whole-file.h"

#include <algorithm>
#include <memory>

using namespace ns3;

namespace
{

/// Name of the program, which begins its messages.
const std::string PROGRAM = "fibo-tree";

/// What --help says of the program.
const std::string USAGE =
    "Tells how long trees of processes take to spread a message: a sender is busy s with each, in\n"
    "turn, and a receiver is active r after its message is sent. Columns: by the model, "
    "simulated.\n"
    "\n"
    "Examples:\n"
    "  fibo-tree\n"
    "      s and r of the machine of Cordsen et al. (1997); CSV to standard output\n"
    "  fibo-tree --s=27us --r=88us --processes=2,19,64\n"
    "            --trees=sequential,binary,binomial,kary-8,fibo --network=ideal --csv=trees.csv\n"
    "  fibo-tree --preset=figure-4 --plots=plots\n"
    "      four ratios of r and s, as in Figure 4, with plots\n"
    "  fibo-tree --s=5us --r=9us --network=ideal,fabric --topology=torus:8x8,hosts=2\n"
    "      one's own hosts and fabric\n"
    "\n"
    "Trees: sequential (the root sends all), chain, binary, kary-K (K children each), binomial,\n"
    "fibo (the fastest for these s and r), fibo-S-R (the fastest for the ratio S : R).\n"
    "\n"
    "Networks: ideal, without any delay of its own; fabric, where r is what it takes between two\n"
    "hosts of one switch, and longer ways and worms that wait for each other come on top.\n"
    "\n"
    "Presets: manna (27 us, 88 us), figure-4 (20 us; 4, 30, 60, 100 us), steps (1 us, 3 us).";

/// Adds all options. @param options where to
void
AddOptions(ProgramOptions& options)
{
    options.Add("s", "27us", "Times that a message keeps its sender busy; one goes with all r");
    options.Add("r",
                "88us,4us",
                "Times from then until the receiver is active; one goes with all s");
    options.Add("preset", "manna", "Published s and r, in place of --s and --r", "manna");
    options.Add("processes", "2,19,64", "Numbers of processes", "2,4,8,16,19,32,64");
    options.Add("trees", "binary,fibo", "Trees", "sequential,binary,binomial,kary-8,fibo");
    options.Add("network", "ideal,fabric", "Networks to simulate", "ideal");
    StudyHosts::AddOptions(options, "clos:ports=16,levels=2");
    options.Add("arrivals", "FILE", "Where a CSV goes with how many processes are active when");
    options.Add("speed", "FILE", "Where a CSV goes with how many could be, and its growth lambda");
    options.Add("published", "FILE", "Published figures to draw in, CSV");
    StudyOutput::AddOptions(options);
}

/// @return what sending and receiving cost @param options the options
std::vector<TreeStudy::Costs>
ReadCosts(const ProgramOptions& options)
{
    options.RefuseTogether("preset", {"s", "r"});
    if (!options.Has("s") && !options.Has("r"))
    {
        return TreeStudy::GetPreset(options.GetWord("preset", TreeStudy::GetPresets()));
    }
    const auto s = options.GetTimes("s");
    const auto r = options.GetTimes("r");
    if (s.empty() || r.empty())
    {
        options.Refuse(s.empty() ? "r" : "s", "has no effect alone; accepted are --s and --r");
    }
    const auto n = std::max(s.size(), r.size());
    if ((s.size() != 1 && s.size() != n) || (r.size() != 1 && r.size() != n))
    {
        options.Refuse("r",
                       std::to_string(r.size()) + " values, but --s has " +
                           std::to_string(s.size()) + "; accepted are 1 or as many");
    }
    std::vector<TreeStudy::Costs> costs;
    for (std::size_t i = 0; i < n; ++i)
    {
        costs.push_back({s[s.size() == 1 ? 0 : i], r[r.size() == 1 ? 0 : i]});
    }
    return costs;
}

/// @return what is asked of the study @param options the options
TreeStudy::Parameters
ReadParameters(const ProgramOptions& options)
{
    TreeStudy::Parameters parameters;
    parameters.costs = ReadCosts(options);
    parameters.processes = options.GetWholes("processes", 1, 1000000);
    parameters.trees = options.GetWords("trees");
    options.Check("trees", [&] { TreeStudy::CheckTrees(parameters.trees, parameters.costs); });
    parameters.networks = options.GetWords("network", {"ideal", "fabric"});
    const auto onFabric =
        std::find(parameters.networks.begin(), parameters.networks.end(), "fabric") !=
        parameters.networks.end();
    for (const auto name : {"fabric", "topology", "linkDelay", "switchDelay"})
    {
        if (options.Has(name) && !onFabric)
        {
            options.Refuse(name, "has no effect without --network=fabric; accepted is both");
        }
    }
    if (!onFabric)
    {
        return parameters;
    }
    parameters.onFabric = StudyHosts::Read(options);
    options.Check("processes", [&] {
        parameters.onFabric.CheckNumber(
            *std::max_element(parameters.processes.begin(), parameters.processes.end()));
    });
    options.Check(options.Has("r") ? "r" : "preset", [&] {
        for (const auto& costs : parameters.costs)
        {
            parameters.onFabric.CheckReceiving(costs.r);
        }
    });
    return parameters;
}

/// @return a file to write, nothing without the option @param options the options @param name it
std::unique_ptr<WholeFile>
OpenFile(const ProgramOptions& options, const std::string& name)
{
    return options.Has(name) ? std::make_unique<WholeFile>(options.Get(name)) : nullptr;
}

/// Does what the command line asks for. @param options the options
void
RunStudy(const ProgramOptions& options)
{
    StudyOutput output(PROGRAM,
                       options,
                       {"s",
                        "r",
                        "preset",
                        "processes",
                        "trees",
                        "network",
                        "fabric",
                        "topology",
                        "linkDelay",
                        "switchDelay",
                        "arrivals",
                        "speed"},
                       {"published"});
    std::vector<PublishedTree> published;
    if (options.Has("published"))
    {
        published = PublishedTree::Read(options.Get("published"));
    }
    options.RefuseSameFile({"csv", "arrivals", "speed"});
    const auto arrivals = OpenFile(options, "arrivals");
    const auto speed = OpenFile(options, "speed");
    const auto rows = output.GetRows<TreeStudyRow>(TreeStudyRow::Read, [&] {
        const TreeStudy study(ReadParameters(options));
        if (speed)
        {
            study.WriteSpeed(speed->Get());
            speed->Finish();
        }
        ProgressLine line(PROGRAM, options.Has("progress"));
        const auto results = study.Run([&](uint32_t done, uint32_t all) { line.Tell(done, all); });
        if (arrivals)
        {
            TreeStudy::WriteArrivals(arrivals->Get(), results);
            arrivals->Finish();
        }
        std::vector<TreeStudyRow> found;
        for (const auto& result : results)
        {
            found.push_back(result.row);
        }
        return found;
    });
    output.WriteCsv([&](std::ostream& os) { TreeStudyRow::Write(os, rows); });
    output.MakePlots([&](const std::string& directory, const std::string& prefix) {
        return TreePlots(rows, published).Write(directory, prefix);
    });
}

} // namespace

int
main(int argc, char* argv[])
{
    return StudyProgram{PROGRAM, __FILE__, USAGE, AddOptions, RunStudy}.Main(argc, argv);
}
