/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sync-study.h"

#include "ns3/csv-table.h"
#include "ns3/fabric-options.h"
#include "ns3/study-form.h"
#include "ns3/traffic-options.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// What --help says of the program.
const std::string USAGE =
    "Measures what synchronisation hardware brings: latencies (table 1), speedups of "
    "applications (3: shared memory, 4: message passing, 5: WWT, 6: data parallel), the "
    "price per node from which on it does not pay (7), and whether the nodes beat one "
    "processor (uniprocessor). Columns: published in the paper, by the model, simulated. A "
    "price below 0 says that applications are slower with the hardware than by software, "
    "which would not pay even if it cost nothing.\n"
    "\n"
    "Examples:\n"
    "  sync-hardware --table=1\n"
    "      latencies; CSV to standard output\n"
    "  sync-hardware --table=3,4,5,6,7,uniprocessor --csv=sync.csv --plots=plots/sync\n"
    "      the paper's applications, with plots\n"
    "  sync-hardware --table=speedups,7 --workloads=mine.json --delays=0us,20us,50us\n"
    "      one's own applications (file format: doc/studies/sync-hardware.rst), and other delays\n"
    "  sync-hardware --table=7 --memoryPrice=800 --networkPrice=1500 --processorPrice=2000\n"
    "      other prices\n"
    "  sync-hardware --table=1 --hardware=none,in-switch --topology=clos:ports=16,levels=2\n"
    "      registers in the switches of a data fabric\n"
    "\n"
    "Hardware: none (software), hw-1 (an add-on network with barriers and AND of one bit), "
    "hw-all (also AND, OR, ADD, MIN, MAX of up to 64 bits, and broadcasts), in-switch "
    "(barrier registers and tree worms in the switches of the data fabric).";

/// The study as people ask for it.
class SyncStudyForm : public RowStudyForm<SyncStudyRow>
{
  public:
    SyncStudyForm();

    void Measure(const Progress& progress) override;
    std::vector<std::string> GetRemarks() const override;

    std::vector<StudyPlot> MakePlots() const override
    {
        return MakeSyncPlots(m_rows);
    }

  protected:
    void Finish(const OptionValues& values) override;

  private:
    SyncStudy::Parameters m_parameters; ///< what is asked of the study
};

SyncStudyForm::SyncStudyForm()
    : RowStudyForm({"sync-hardware",
                    "sync_hardware",
                    "Measures what synchronisation hardware brings, and what it may cost.",
                    USAGE,
                    "a row for each table, line of it, hardware and delay"})
{
    constexpr uint32_t MANY = 1'000'000;
    auto& p = m_parameters;
    auto& costs = p.machine.costs;
    AddWords({"table", "1,7", "", "Tables; speedups are all of these", "1"},
             SyncStudy::GetTables(),
             Into(p.tables));
    AddWords({"hardware", "none,hw-1", "", "Hardware", "none,hw-1,hw-all,in-switch"},
             SyncMachine::GetHardwareNames(),
             Into(p.hardware));
    AddTimes({"delays", "0us,100us", "", "What is added to each message", "0us,100us"},
             Into(p.delays));
    AddWhole({"nodes", "32", "", "Number of nodes", "32"}, 2, 4096, Into(p.machine.nodes));
    AddFile({"workloads", "FILE", "", "Applications, JSON; without it those of the paper", ""},
            [&p](const std::string& file) { p.workloads = SyncWorkload::Read(file); });
    AddFile({"published",
             "FILE",
             "",
             "Published figures, CSV; without it those of the paper, for its applications and 32 "
             "nodes",
             ""},
            [&p](const std::string& file) { p.published = PublishedSync::Read(file); });
    AddWhole({"supersteps", "100", "", "Supersteps simulated of each application", "100"},
             1,
             MANY,
             Into(p.supersteps));
    AddWord({"networkDone", "auto", "", "How it is known that messages arrived", "auto"},
            {"auto", "acks", "add"},
            Into(p.machine.networkDone));
    AddWhole({"broadcastWindow",
              "1",
              "",
              "Software broadcasts that may be outstanding, see throttled; 0: any number",
              "0"},
             0,
             MANY,
             Into(p.machine.broadcastWindow));
    AddTime({"broadcastGap", "50us", "", "Least time between two software broadcasts", "0us"},
            Into(p.machine.broadcastGap));
    AddTime({"barrierOverhead", "10.375us", "", "o of a message in barriers", "10.375us"},
            Into(costs.barrierOverhead));
    AddTime({"reductionOverhead", "11.775us", "", "o with up to 32 bits", "11.775us"},
            Into(costs.reductionOverhead));
    AddTime({"wideOverhead", "13.975us", "", "o with 64 bits", "13.975us"},
            Into(costs.wideOverhead));
    AddTime({"flight", "1.625us", "", "L0 of a message, without delay", "1.625us"},
            Into(costs.flight));
    AddTime({"s", "4.2us", "", "s in trees from and to the host", "4.2us"}, Into(costs.treeS));
    AddTime({"r", "7.3us", "", "r in trees from and to the host, without delay", "7.3us"},
            Into(costs.treeR));
    AddTime({"hostOverhead", "75us", "", "Of the host, after a reduction by software", "75us"},
            Into(costs.hostOverhead));
    AddTime({"inSwitchStartUp", "10.375us", "", "In-switch: start-up of a message", "10.375us"},
            Into(p.machine.inSwitchStartUp));
    AddOwnAttributes(
        {"HostSoftware::StartUp", "HostSoftware::ReceiveOverhead", "WormholeNetDevice::Delay"});
    AddFabric("one switch; with in-switch only");
    AddTraffic();
    const auto addPrice = [&](const Row& row, double& price) {
        AddWhole(row, 0, MANY, [&price](uint32_t dollars) { price = dollars; });
    };
    addPrice({"processorPrice", "10000", "dollars", "Processor and cabinet", "10000"},
             p.prices.processor);
    addPrice({"memoryPrice", "5000", "dollars", "Memory of a node", "5000"}, p.prices.memory);
    addPrice({"networkPrice", "5000", "dollars", "A node's part of the data network", "5000"},
             p.prices.network);
    addPrice({"hardwarePrice", "2000", "dollars", "Synchronisation hardware of a node", "2000"},
             p.prices.hardware);
    AddCondition({"processorPrice", "memoryPrice", "networkPrice", "hardwarePrice"},
                 "the table 7 or uniprocessor",
                 HasOneOf("table", {"7", "uniprocessor"}));
    AddCondition({"supersteps"},
                 "one of the tables 5, 6, 7 and speedups",
                 HasOneOf("table", {"5", "6", "7", "speedups"}));
    AddCondition({"networkDone"},
                 "one of the tables 5, 6, 7, uniprocessor and speedups",
                 HasOneOf("table", {"5", "6", "7", "uniprocessor", "speedups"}));
    AddCondition({"broadcastWindow", "broadcastGap"},
                 "one of the tables 6, 7, uniprocessor and speedups",
                 HasOneOf("table", {"6", "7", "uniprocessor", "speedups"}));
}

void
SyncStudyForm::Finish(const OptionValues& values)
{
    auto& p = m_parameters;
    TrafficOptions::RefuseIdeal(values,
                                "broadcast-load, network-done or barriers-under-load, whose "
                                "messages are on a fabric");
    if (FabricOptions::Has(values))
    {
        if (std::find(p.hardware.begin(), p.hardware.end(), "in-switch") == p.hardware.end())
        {
            values.Refuse(FabricOptions::GetName(values),
                          "has no effect without in-switch; accepted is both");
        }
        p.machine.topology = FabricOptions::Read(values);
    }
    if (!values.Has("workloads"))
    {
        values.Check("workloads",
                     [&] { p.workloads = SyncWorkload::Read(FindData("sync-workloads.json")); });
    }
    // What the paper prints is of its own applications on 32 nodes.
    if (!values.Has("published") && !values.Has("workloads") && p.machine.nodes == 32)
    {
        values.Check("published", [&] {
            p.published = PublishedSync::Read(FindData("sync-hardware-published.csv"));
        });
    }
}

void
SyncStudyForm::Measure(const Progress& progress)
{
    m_rows = SyncStudy(m_parameters).Run(progress);
}

std::vector<std::string>
SyncStudyForm::GetRemarks() const
{
    return SyncStudyRow::Explain(m_rows);
}

} // namespace

const CsvTable<SyncStudyRow>&
SyncStudyRow::GetTable()
{
    using Row = SyncStudyRow;
    const auto getDecimals = [](const SyncStudyRow& row) { return row.unit == "dollars" ? 0 : 3; };
    static const CsvTable<Row> table{
        {"table", "", "The paper's table, uniprocessor or speedups", &Row::table},
        {"row", "", "Operation or application", &Row::row},
        {"hardware",
         "",
         "Hardware: none, hw-1, hw-all or in-switch",
         &Row::hardware,
         {"none", "hw-1", "hw-all", "in-switch"}},
        {"delay_us", "us", "What is added to each message", &Row::delayUs},
        {"published", "", "What the paper prints; empty: nothing", &Row::published},
        {"model", "", "Value by formulas; nan: there is none", &Row::model, getDecimals},
        {"simulated", "", "Value simulated; nan: it was not", &Row::simulated, getDecimals},
        {"unit", "", "Unit of the values: us, dollars, relative or nothing", &Row::unit},
        {"use", "", "Use of the published value: given, fit or predicted", &Row::use}};
    return table;
}

std::vector<std::string>
SyncStudyRow::Explain(const std::vector<SyncStudyRow>& rows)
{
    // As they are printed, in whole dollars.
    const auto isBelow = [](double price) { return std::isfinite(price) && std::round(price) < 0; };
    std::vector<std::string> lines;
    for (const auto& row : rows)
    {
        if (row.unit == "dollars" && (isBelow(row.model) || isBelow(row.simulated)))
        {
            lines.push_back("a break-even price below 0, such as " +
                            CsvFile::Fixed(std::min(row.model, row.simulated), 0) + " of " +
                            row.row + " with " + row.hardware + " at " +
                            CsvFile::Fixed(row.delayUs, 0) +
                            " us: the application is slower with the hardware than by software, "
                            "which would not pay even if it cost nothing");
            break;
        }
    }
    const auto relative = std::find_if(rows.begin(), rows.end(), [](const auto& row) {
        return row.unit == "relative";
    });
    if (relative != rows.end())
    {
        lines.push_back("speedups of unit relative, such as those of " + relative->row +
                        ": the workload file has no \"speedup\", so they are over the "
                        "application's own run with its reference hardware and no delay; "
                        "uniprocessor leaves such applications out");
    }
    return lines;
}

std::vector<PublishedSync>
PublishedSync::Read(const std::string& path)
{
    using Row = PublishedSync;
    static const CsvTable<Row> table{{"id"},
                                     {"table", "", "", &Row::table},
                                     {"row", "", "", &Row::row},
                                     {"hardware", "", "", &Row::hardware},
                                     {"delay_us", "us", "", &Row::delayUs},
                                     {"value", "", "", &Row::value},
                                     {"unit"},
                                     {"use", "", "", &Row::use},
                                     {"where"},
                                     {"why"}};
    return table.Read(path, [](const CsvFile& file, std::size_t i) {
        const auto& value = file.Get(i, "value");
        if (value != "never" && value != "always" && !(file.GetNumber(i, "value") > 0))
        {
            file.Refuse(i, "value", "a number above 0, never or always");
        }
        return true;
    });
}

std::unique_ptr<StudyForm>
MakeSyncStudy()
{
    return std::make_unique<SyncStudyForm>();
}

} // namespace ns3
