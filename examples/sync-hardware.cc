/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What synchronisation hardware brings to a network of workstations, and what it may cost: the
// tables of Hyder and Wood (1996), or the same for one's own applications, costs and prices. Writes
// CSV and plots. See doc/sync-hardware.rst and --help.

#include "ns3/fabric-options.h"
#include "ns3/program-options.h"
#include "ns3/study-program.h"
#include "ns3/sync-plots.h"
#include "ns3/sync-study.h"
#include "ns3/system-path.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

/// Name of the program, which begins its messages.
const std::string PROGRAM = "sync-hardware";

/// What --help says of the program.
const std::string USAGE =
    "Tells what synchronisation hardware brings: latencies (table 1), speedups of applications\n"
    "(3: shared memory, 4: message passing, 5: WWT, 6: data parallel), the price per node from\n"
    "which on it does not pay (7), and whether the nodes beat one processor (uniprocessor).\n"
    "Columns: published in the paper, by the model, simulated. A price below 0 says that "
    "applications\n"
    "are slower with the hardware than by software, which would not pay even if it cost nothing.\n"
    "\n"
    "Examples:\n"
    "  sync-hardware --table=1\n"
    "      latencies; CSV to standard output\n"
    "  sync-hardware --table=3,4,5,6,7,uniprocessor --csv=sync.csv --plots=plots/sync\n"
    "      the paper's applications, with plots\n"
    "  sync-hardware --table=speedups,7 --workloads=mine.json --delays=0us,20us,50us\n"
    "      one's own applications (file format: doc/sync-hardware.rst), and other delays\n"
    "  sync-hardware --table=7 --memoryPrice=800 --networkPrice=1500 --processorPrice=2000\n"
    "      other prices\n"
    "  sync-hardware --table=1 --hardware=none,in-switch --topology=clos:ports=16,levels=2\n"
    "      registers in the switches of a data fabric\n"
    "\n"
    "Hardware: none (software), hw-1 (an add-on network with barriers and AND of one bit), hw-all\n"
    "(also AND, OR, ADD, MIN, MAX of up to 64 bits, and broadcasts), in-switch (barrier registers\n"
    "and tree worms in the switches of the data fabric).";

/// Adds all options. @param options where to
void
AddOptions(ProgramOptions& options)
{
    options.Add("table", "1,7", "Tables: 1, 3, 4, 5, 6, 7, uniprocessor, speedups (all)", "1");
    options.Add("hardware", "none,hw-1", "Hardware", "none,hw-1,hw-all,in-switch");
    options.Add("delays", "0us,100us", "What is added to each message", "0us,100us");
    options.Add("nodes", "32", "Number of nodes", "32");
    options.Add("workloads", "FILE", "Applications, JSON; without it those of the paper");
    options.Add(
        "published",
        "FILE",
        "Published figures, CSV; without it those of the paper, for its applications and 32 nodes");
    options.Add("supersteps", "100", "Supersteps simulated of each application", "100");
    options.Add("networkDone",
                "auto",
                "How it is known that messages arrived: acks, add or auto",
                "auto");
    options.Add("barrierOverhead", "10.375us", "o of a message in barriers", "10.375us");
    options.Add("reductionOverhead", "11.775us", "o with up to 32 bits", "11.775us");
    options.Add("wideOverhead", "13.975us", "o with 64 bits", "13.975us");
    options.Add("flight", "1.625us", "L0 of a message, without delay", "1.625us");
    options.Add("s", "4.2us", "s in trees from and to the host", "4.2us");
    options.Add("r", "7.3us", "r in trees from and to the host, without delay", "7.3us");
    options.Add("hostOverhead", "75us", "Of the host, after a reduction by software", "75us");
    options.Add("inSwitchStartUp", "10.375us", "In-switch: start-up of a message", "10.375us");
    FabricOptions::Add(options, "one switch; with in-switch only");
    options.Add("processorPrice", "10000", "Dollars: processor and cabinet", "10000");
    options.Add("memoryPrice", "5000", "Dollars: memory of a node", "5000");
    options.Add("networkPrice", "5000", "Dollars: a node's part of the data network", "5000");
    options.Add("hardwarePrice", "2000", "Dollars: synchronisation hardware of a node", "2000");
    StudyOutput::AddOptions(options);
}

/**
 * @param options the options
 * @param option option that names a file
 * @param name name of the file in the module's data folder that is used without the option
 * @return the file
 */
std::string
FindData(const ProgramOptions& options, const std::string& option, const std::string& name)
{
    if (options.Has(option))
    {
        return options.Get(option);
    }
    // Beside this file, where the compiler was told its whole path, or above the program.
    std::vector<std::filesystem::path> places{std::filesystem::path(__FILE__).parent_path() / ".." /
                                              "data" / name};
    for (std::filesystem::path above(SystemPath::FindSelfDirectory()); above.has_relative_path();
         above = above.parent_path())
    {
        places.push_back(above / "data" / name);
        places.push_back(above / "contrib" / "wormhole" / "data" / name);
    }
    for (const auto& path : places)
    {
        if (std::filesystem::exists(path))
        {
            return path.lexically_normal().string();
        }
    }
    options.Refuse(option, "is missing, and no data/" + name + " is near; accepted is a file");
}

/// @return what is asked of the study @param options the options
SyncStudy::Parameters
ReadParameters(const ProgramOptions& options)
{
    constexpr uint32_t MOST = 1'000'000;
    SyncStudy::Parameters parameters;
    parameters.tables = options.GetWords("table", SyncStudy::GetTables());
    parameters.hardware = options.GetWords("hardware", SyncMachine::GetHardwareNames());
    parameters.delays = options.GetTimes("delays");
    parameters.supersteps = options.GetWhole("supersteps", 1, MOST);
    auto& machine = parameters.machine;
    machine.nodes = options.GetWhole("nodes", 2, 4096);
    machine.networkDone = options.GetWord("networkDone", {"auto", "acks", "add"});
    machine.costs.barrierOverhead = options.GetTime("barrierOverhead");
    machine.costs.reductionOverhead = options.GetTime("reductionOverhead");
    machine.costs.wideOverhead = options.GetTime("wideOverhead");
    machine.costs.flight = options.GetTime("flight");
    machine.costs.treeS = options.GetTime("s");
    machine.costs.treeR = options.GetTime("r");
    machine.costs.hostOverhead = options.GetTime("hostOverhead");
    machine.inSwitchStartUp = options.GetTime("inSwitchStartUp");
    if (FabricOptions::Has(options))
    {
        const auto& hardware = parameters.hardware;
        if (std::find(hardware.begin(), hardware.end(), "in-switch") == hardware.end())
        {
            options.Refuse(FabricOptions::GetName(options),
                           "has no effect without in-switch; accepted is both");
        }
        machine.topology = FabricOptions::Read(options);
    }
    parameters.prices.processor = options.GetWhole("processorPrice", 0, MOST);
    parameters.prices.memory = options.GetWhole("memoryPrice", 0, MOST);
    parameters.prices.network = options.GetWhole("networkPrice", 0, MOST);
    parameters.prices.hardware = options.GetWhole("hardwarePrice", 0, MOST);
    parameters.workloads =
        SyncWorkload::Read(FindData(options, "workloads", "sync-workloads.json"));
    // What the paper prints is of its own applications on 32 nodes.
    if (options.Has("published") || (!options.Has("workloads") && machine.nodes == 32))
    {
        parameters.published =
            PublishedSync::Read(FindData(options, "published", "sync-hardware-published.csv"));
    }
    return parameters;
}

/// Does what the command line asks for. @param options the options
void
RunStudy(const ProgramOptions& options)
{
    StudyOutput output(PROGRAM,
                       options,
                       {"table",
                        "hardware",
                        "delays",
                        "nodes",
                        "workloads",
                        "published",
                        "supersteps",
                        "networkDone",
                        "fabric",
                        "topology"});
    const auto rows = output.GetRows<SyncStudyRow>(SyncStudyRow::Read, [&] {
        SyncStudy study(ReadParameters(options));
        ProgressLine line(PROGRAM, options.Has("progress"));
        return study.Run([&](uint32_t done, uint32_t all) { line.Tell(done, all); });
    });
    output.WriteCsv([&](std::ostream& os) { SyncStudyRow::Write(os, rows); });
    for (const auto& line : SyncStudyRow::Explain(rows))
    {
        std::cerr << PROGRAM << ": " << line << std::endl;
    }
    output.MakePlots([&](const std::string& directory, const std::string& prefix) {
        return SyncPlots(rows).Write(directory, prefix);
    });
}

} // namespace

int
main(int argc, char* argv[])
{
    return StudyProgram{PROGRAM, __FILE__, USAGE, AddOptions, RunStudy}.Main(argc, argv);
}
