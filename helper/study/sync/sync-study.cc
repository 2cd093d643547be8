// SPDX-License-Identifier: GPL-2.0-only

#include "sync-times.h"

#include "ns3/fabric-options.h"
#include "ns3/job-placement.h"
#include "ns3/study-definition.h"
#include "ns3/study-makers.h"
#include "ns3/sync-machine.h"
#include "ns3/sync-workload.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

using Event = SyncWorkload::Event; //!< short name

constexpr double MICROSECOND = 1e-6; ///< a microsecond in s

constexpr int64_t PLACEMENT = 1 << 20; ///< stream of random places

struct Operation
{
    const char* name; ///< its name
    Event event;      ///< the event
};

/// The operations of a table's columns.
const Operation OPERATIONS[] = {{"simple barrier", SyncWorkload::BARRIER},
                                {"1-bit AND", SyncWorkload::AND},
                                {"32-bit ADD", SyncWorkload::ADD},
                                {"32-bit ADD (to one node)", SyncWorkload::ADD_TO_HOST},
                                {"64-bit MAX", SyncWorkload::MAX},
                                {"broadcast", SyncWorkload::BROADCAST}};

/// What a node costs, and what hardware may cost (Hyder and Wood, 1996, section 5): list prices per
/// node, in dollars.
struct Prices
{
    uint32_t processor; ///< processor and cabinet
    uint32_t memory;    ///< memory of a node
    uint32_t network;   ///< network adapter, and the node's part of switches
    uint32_t hardware;  ///< synchronisation hardware

    double GetBase() const
    {
        return processor + memory + network;
    }

    /// Equation (2): C_base (T_base / T_synch - 1).
    /// @param gain T_base / T_synch, the speedup with the hardware over that without
    /// @return price at which the hardware begins not to pay; below 0 if it only slows
    double GetBreakEven(double gain) const
    {
        return GetBase() * (gain - 1);
    }

    /// @return speedup from which on nodes are worth more than one processor with all their memory
    double GetThreshold(uint32_t nodes, bool withHardware) const
    {
        return nodes * (GetBase() + (withHardware ? hardware : 0)) /
               (processor + 1.0 * nodes * memory);
    }
};

const std::string SYNC_USAGE =
    "Measures the benefit of synchronisation hardware: latencies (table 1), speedups of "
    "applications (tables 3: shared memory, 4: message passing, 5: WWT, 6: data parallel), the "
    "price per node above which the hardware does not pay (table 7), and whether the nodes beat "
    "one processor (uniprocessor). Columns: the paper's value, the model's and the simulated one. "
    "A price below 0 means that applications are slower with the hardware than by software: the "
    "hardware would not pay even if it cost nothing.\n\n"
    "Examples:\n"
    "  sync-hardware --table=1\n"
    "      latencies; CSV to standard output\n"
    "  sync-hardware --table=3,4,5,6,7,uniprocessor --csv=sync.csv --plots=plots/sync\n"
    "      the paper's applications, with plots\n"
    "  sync-hardware --table=speedups,7 --workloads=mine.json --delays=0us,20us,50us\n"
    "      your own applications (file format: doc/studies/sync-hardware.rst), and other delays\n"
    "  sync-hardware --table=7 --memoryPrice=800 --networkPrice=1500 --processorPrice=2000\n"
    "      other prices\n"
    "  sync-hardware --table=1 --hardware=none,in-switch --topology=clos:ports=16,levels=2\n"
    "      registers in the switches of a data fabric\n\n"
    "Hardware: none (software), hw-1 (a separate network with barriers and AND of one bit), hw-all "
    "(also AND, OR, ADD, MIN, MAX of up to 64 bits, and broadcasts), in-switch (barrier registers "
    "and tree worms in the switches of the data fabric).";

CsvTable
MakeSyncTable()
{
    const auto getDecimals = [](const CsvRow& row) {
        return row["unit"].Text() == "dollars" ? 0 : CsvColumn::NUMBER;
    };
    using Is = CsvColumn;
    return {{"table: The paper's table, uniprocessor or speedups"},
            {"row: Operation or application"},
            {"hardware: Hardware: none, hw-1, hw-all or in-switch",
             {"none", "hw-1", "hw-all", "in-switch"}},
            {"delay_us (us): Delay added to each message", Is::NUMBER},
            {"published: Value in the paper; empty: none"},
            {"model: Value by formulas; nan: there is none", getDecimals},
            {"simulated: Simulated value; nan: not simulated", getDecimals},
            {"unit: Unit of the values: us, dollars, relative or empty"},
            {"use: Use of the published value: given, fit or predicted"}};
}

const CsvTable&
GetPublishedSync()
{
    static const auto table =
        CsvTable{{"id"},
                 {"table"},
                 {"row"},
                 {"hardware"},
                 {"delay_us (us)", CsvColumn::NUMBER},
                 {"value"},
                 {"unit"},
                 {"use"},
                 {"where"},
                 {"why"}}
            .SetFilter([](const CsvFile& file, std::size_t i) {
                const auto& value = file.Get(i, "value");
                if (value != "never" && value != "always" && !(file.GetNumber(i, "value") > 0))
                {
                    file.Refuse(i, "value", "a number above 0, never or always");
                }
                return true;
            });
    return table;
}

/// What synchronisation hardware brings: the tables of Hyder and Wood (1996), or the same for one's
/// own applications, costs and prices. An application's second with its reference hardware and no
/// delay consists of synchronisation, at its rates, and of computing, the rest. Messages of the
/// data network that nodes wait for in turn make it longer where messages are delayed: how many
/// there are is taken from the speedup with the reference hardware at one delay. So both speedups
/// with the reference hardware are fits, and all others follow: by the model, from the sum of what
/// events take one after the other; simulated, from programs that do all that on the networks.
class SyncStudy : public StudyDefinition
{
  public:
    SyncStudy()
        : StudyDefinition(
              {"sync-hardware",
               "sync_hardware",
               "Measures the benefit of synchronisation hardware, and what it may cost.",
               SYNC_USAGE,
               "a row for each table, line of the table, hardware and delay"},
              MakeSyncTable(),
              MakeSyncPlots)
    {
        Add({{"table=1,7 (1) [list]: Tables to compute; speedups: the speedups of all applications",
              {"1", "3", "4", "5", "6", "7", "uniprocessor", "speedups"}},
             {"hardware=none,hw-1 (none,hw-1,hw-all,in-switch) [list]: Hardware",
              SyncMachine::GetHardwareNames()},
             "delays=0us,100us (0us,100us) [list time]: Delays added to each message",
             "nodes=32 (32) [2..4096 alias groupSize]: Number of nodes",
             "workloads=FILE [file]: JSON file of applications; default: those of the paper",
             "published=FILE [file]: CSV file of published values; default: the paper's, if the "
             "applications are the paper's and nodes are 32",
             "supersteps=100 (100) [1..1000000]: Supersteps to simulate per application",
             {"networkDone=auto (auto): How the arrival of messages is detected",
              {"auto", "acks", "add"}},
             "networkDoneSums=2 (1) [1..1000]: With networkDone=add, number of ADDs per detection; "
             "the paper is assumed to have counted the workload's rates with as many",
             "broadcastWindow=1 (0) [0..1000000]: How many software broadcasts may be outstanding, "
             "as in algorithm \"throttled\"; 0: any number",
             "broadcastGap=50us (0us) [time]: Minimum time between two software broadcasts",
             "barrierOverhead=10.375us (10.375us) [time]: Overhead o of a message in barriers",
             "reductionOverhead=11.775us (11.775us) [time]: Overhead o of messages up to 32 bits",
             "wideOverhead=13.975us (13.975us) [time]: Overhead o of messages of 64 bits",
             "flight=1.625us (1.625us) [time]: Flight time L0 of a message, without delays",
             "s=4.2us (4.2us) [time]: Send time s in trees from and to the front-end host",
             "r=7.3us (7.3us) [time]: Receive time r in these trees, without delays",
             "hostOverhead=75us (75us) [time]: Front-end host's time after a software reduction",
             "inSwitchStartUp=10.375us (10.375us) [time]: Start-up time of a message, in-switch"});
        AddOwnAttributes(
            "HostSoftware::StartUp HostSoftware::ReceiveOverhead WormholeNetDevice::Delay");
        Add(FabricOptions::GetParameters("one switch; for in-switch only", ""));
        Add({FabricOptions::GetPlacement("first", "; the front-end host comes last")});
        AddTraffic();
        Add({"processorPrice=10000 dollars (10000) [0..1000000]: Price of processor and cabinet",
             "memoryPrice=5000 dollars (5000) [0..1000000]: Price of a node's memory",
             "networkPrice=5000 dollars (5000) [0..1000000]: Price of the data network, per node",
             "hardwarePrice=2000 dollars (2000) [0..1000000]: Price of the hardware, per node"});
        AddCondition({"processorPrice", "memoryPrice", "networkPrice", "hardwarePrice"},
                     "the table 7 or uniprocessor",
                     HasOneOf("table", {"7", "uniprocessor"}));
        AddCondition({"placement"}, "a fabric of several switches", [](const auto& values) {
            return FabricOptions::Has(values);
        });
        AddCondition({"supersteps"},
                     "one of the tables 5, 6, 7 and speedups",
                     HasOneOf("table", {"5", "6", "7", "speedups"}));
        AddCondition({"networkDone", "networkDoneSums"},
                     "one of the tables 5, 6, 7, uniprocessor and speedups",
                     HasOneOf("table", {"5", "6", "7", "uniprocessor", "speedups"}));
        AddCondition({"broadcastWindow", "broadcastGap"},
                     "one of the tables 6, 7, uniprocessor and speedups",
                     HasOneOf("table", {"6", "7", "uniprocessor", "speedups"}));
    }

    void Measure(const ProgressListener& progress) override
    {
        Renew();
        Check();
        Renew(); // a timeline has what was looked at there, and what is measured
        m_progress = progress;
        m_done = 0;
        m_rows.clear();
        for (const auto& table : Get<Words>("table"))
        {
            if (table == "1")
            {
                AddLatencies();
            }
            else if (table == "7")
            {
                AddBreakEven();
            }
            else if (table == "uniprocessor")
            {
                AddUniprocessor();
            }
            else
            {
                AddSpeedups(table);
            }
        }
    }

    /// What a reader has to know: what a break-even price below 0 says, and over what speedups are
    /// of applications whose speedup is not known.
    std::vector<std::string> GetRemarks() const override
    {
        // As they are printed, in whole dollars.
        const auto isBelow = [](double price) {
            return std::isfinite(price) && std::round(price) < 0;
        };
        std::vector<std::string> lines;
        for (const auto& row : m_rows)
        {
            if (row["unit"].Text() == "dollars" &&
                (isBelow(row["model"]) || isBelow(row["simulated"])))
            {
                lines.push_back("a break-even price below 0, such as " +
                                CsvFile::Fixed(std::min(row["model"], row["simulated"]), 0) +
                                " of " + row["row"].Text() + " with " + row["hardware"].Text() +
                                " at " + CsvFile::Fixed(row["delay_us"], 0) +
                                " us: the application is slower with the hardware than by "
                                "software, which would not pay even if it cost nothing");
                break;
            }
        }
        const auto relative = std::find_if(m_rows.begin(), m_rows.end(), [](const auto& row) {
            return row["unit"].Text() == "relative";
        });
        if (relative != m_rows.end())
        {
            lines.push_back("speedups of unit relative, such as those of " +
                            (*relative)["row"].Text() +
                            ": the workload file has no \"speedup\", so they are over the "
                            "application's own run "
                            "with its reference hardware and no delay; uniprocessor leaves such "
                            "applications out");
        }
        return lines;
    }

  protected:
    void Validate(const OptionValues& values) override
    {
        TrafficOptions::RefuseIdeal(
            values,
            "broadcast-load, network-done or barriers-under-load, whose messages are on a fabric");
        auto& m = m_machine;
        m.nodes = Get<uint32_t>("nodes");
        m.costs = {Get<Time>("barrierOverhead"),
                   Get<Time>("reductionOverhead"),
                   Get<Time>("wideOverhead"),
                   Get<Time>("flight"),
                   Get<Time>("s"),
                   Get<Time>("r"),
                   Get<Time>("hostOverhead")};
        m.networkDone = Get<std::string>("networkDone");
        m.networkDoneSums = Get<uint32_t>("networkDoneSums");
        m.broadcastWindow = Get<uint32_t>("broadcastWindow");
        m.broadcastGap = Get<Time>("broadcastGap");
        m.inSwitchStartUp = Get<Time>("inSwitchStartUp");
        m_prices = {Get<uint32_t>("processorPrice"),
                    Get<uint32_t>("memoryPrice"),
                    Get<uint32_t>("networkPrice"),
                    Get<uint32_t>("hardwarePrice")};
        if (FabricOptions::Has(values))
        {
            const auto& hardware = Get<Words>("hardware");
            if (std::find(hardware.begin(), hardware.end(), "in-switch") == hardware.end())
            {
                values.Refuse(FabricOptions::GetName(values),
                              "has no effect without in-switch; expected both");
            }
            m.topology = FabricOptions::Read(values);
            const auto& graph = m.topology->graph;
            if (graph.GetNFirstInterfaces() > m.nodes) // else SyncMachine refuses it
            {
                values.Check("placement", [&] {
                    m.places = JobPlacement(graph, {values.Get("placement"), m.nodes + 1})
                                   .Draw(PLACEMENT, 1);
                });
            }
        }
        if (values.Has("workloads"))
        {
            m_workloads = SyncWorkload::Read(values.Get("workloads"));
        }
        else
        {
            values.Check("workloads", [&] {
                m_workloads = SyncWorkload::Read(FindData("sync-workloads.json"));
            });
        }
        if (values.Has("published"))
        {
            m_printed = GetPublishedSync().Read(values.Get("published"));
        }
        else if (!values.Has("workloads") && m.nodes == 32)
        {
            // What the paper prints is of its own applications on 32 nodes.
            values.Check("published", [&] {
                m_printed = GetPublishedSync().Read(FindData("sync-hardware-published.csv"));
            });
        }
    }

  private:
    using Values = SyncTimes::Values; //!< short name

    void Renew()
    {
        m_times =
            std::make_unique<SyncTimes>(m_machine, Get<uint32_t>("supersteps"), [this] { Tell(); });
    }

    void Check()
    {
        WormholeError::ThrowIf(!(m_prices.GetBase() > 0),
                               "a node costs nothing; expected a price above 0");
        for (const auto& name : Get<Words>("hardware"))
        {
            m_times->MakeMachine(name, Get<Times>("delays").front(), m_machine.networkDone);
        }
        CheckTables();
        for (const auto& workload : m_workloads)
        {
            m_times->GetComputeTime(workload, Time(0));
        }
    }

    void CheckTables() const
    {
        const auto& hardware = Get<Words>("hardware");
        std::string served = "1, 7, speedups";
        std::set<uint32_t> inTables;
        bool hasSpeedup = false;
        for (const auto& workload : m_workloads)
        {
            inTables.insert(workload.table);
            hasSpeedup = hasSpeedup || workload.speedup > 0;
        }
        served += hasSpeedup ? ", uniprocessor" : "";
        for (const auto table : inTables)
        {
            served += table > 0 ? ", " + std::to_string(table) : "";
        }
        for (const auto& table : Get<Words>("table"))
        {
            const bool isPapers = table.size() == 1 && table >= "3" && table <= "6";
            const auto isAlone = [&](const std::string& name) {
                return hardware == std::vector<std::string>{name};
            };
            WormholeError::ThrowIf(
                isPapers && !inTables.count(static_cast<uint32_t>(std::stoul(table))),
                "table " + table + " would be empty: no workload has \"table\": " + table +
                    "; expected with these workloads: " + served);
            WormholeError::ThrowIf(
                (table == "3" || table == "4") && isAlone("hw-all"),
                "table " + table +
                    " would be empty: it has hw-all only as hw-1; expected hardware "
                    "none, hw-1, in-switch");
            WormholeError::ThrowIf(table == "7" && isAlone("none"),
                                   "table 7 would be empty: software has no break-even price; "
                                   "expected hardware hw-1, hw-all, in-switch");
            WormholeError::ThrowIf(
                table == "uniprocessor" && !m_workloads.empty() && !hasSpeedup,
                "table uniprocessor compares speedups over one processor, and no workload has a "
                "\"speedup\"; expected with these workloads: " +
                    served);
        }
    }

    const CsvRow* FindPublished(const std::string& table,
                                const std::string& row,
                                const std::string& hardware,
                                Time delay) const
    {
        for (const auto& figure : m_printed)
        {
            if (figure["table"].Text() == table && figure["row"].Text() == row &&
                figure["hardware"].Text() == hardware &&
                std::abs(figure["delay_us"] - delay.GetSeconds() / MICROSECOND) < 1e-6)
            {
                return &figure;
            }
        }
        return nullptr;
    }

    /// @return the speedup that the paper prints, of the same with hw-1 if there is none for
    /// hw-all; 0: none
    double FindPublishedSpeedup(const SyncWorkload& workload,
                                const std::string& hardware,
                                Time delay) const
    {
        const auto table = std::to_string(workload.table);
        auto figure = FindPublished(table, workload.name, hardware, delay);
        if (!figure && hardware == "hw-all")
        {
            figure = FindPublished(table, workload.name, "hw-1", delay);
        }
        return figure ? std::stod((*figure)["value"].Text()) : 0;
    }

    CsvRow MakeRow(const std::string& table,
                   const std::string& hardware,
                   Time delay,
                   const std::string& unit) const
    {
        CsvRow row(m_table);
        row["model"] = row["simulated"] = std::nan("");
        row["table"] = table;
        row["hardware"] = hardware;
        row["delay_us"] = delay.GetSeconds() / MICROSECOND;
        row["unit"] = unit;
        return row;
    }

    /// @param row the row, without what is published, which is added where prices are the paper's
    /// or don't matter
    void Keep(CsvRow row, const Values& values)
    {
        row["model"] = values.model;
        row["simulated"] = values.simulated;
        const auto figure = FindPublished(row["table"].Text(),
                                          row["row"].Text(),
                                          row["hardware"].Text(),
                                          NanoSeconds(std::llround(row["delay_us"] * 1000)));
        const bool isPriced = row["table"].Text() == "7" || row["table"].Text() == "uniprocessor";
        const auto& [processor, memory, network, price] = m_prices;
        const auto isPapers =
            processor == 10000 && memory == 5000 && network == 5000 && price == 2000;
        if (figure && (isPapers || !isPriced))
        {
            row["published"] = (*figure)["value"];
            row["use"] = (*figure)["use"];
        }
        m_rows.push_back(row);
    }

    void AddLatencies()
    {
        for (const auto& operation : OPERATIONS)
        {
            for (const auto& hardware : Get<Words>("hardware"))
            {
                for (const auto& delay : Get<Times>("delays"))
                {
                    const bool isAddOn = hardware == "hw-1" || hardware == "hw-all";
                    const bool isNarrow = operation.event == SyncWorkload::BARRIER ||
                                          operation.event == SyncWorkload::AND;
                    if ((isAddOn && delay != Get<Times>("delays").front()) ||
                        (hardware == "hw-1" && !isNarrow))
                    {
                        continue; // it is not on the data network, or does not have it
                    }
                    const auto values = m_times->GetEvent(operation.event, hardware, delay);
                    auto row = MakeRow("1", hardware, isAddOn ? Time(0) : delay, "us");
                    row["row"] = operation.name;
                    Keep(row, {values.model / MICROSECOND, values.simulated / MICROSECOND});
                }
            }
        }
    }

    void AddSpeedups(const std::string& table)
    {
        for (const auto& delay : Get<Times>("delays"))
        {
            for (const auto& workload : m_workloads)
            {
                if (table != "speedups" && table != std::to_string(workload.table))
                {
                    continue;
                }
                for (const auto& hardware : Get<Words>("hardware"))
                {
                    const bool isPaperOf1 = table == "3" || table == "4";
                    if (isPaperOf1 && hardware == "hw-all")
                    {
                        continue; // as hw-1
                    }
                    const auto unit = workload.speedup > 0 ? "" : "relative";
                    auto row = MakeRow(table, hardware, delay, unit);
                    row["row"] = workload.name;
                    Keep(row, m_times->GetSpeedup(workload, hardware, delay));
                }
            }
        }
    }

    void AddBreakEven()
    {
        for (const auto& delay : Get<Times>("delays"))
        {
            for (const auto& hardware : Get<Words>("hardware"))
            {
                if (hardware == "none")
                {
                    continue;
                }
                auto row = MakeRow("7", hardware, delay, "dollars");
                const auto add = [&](const std::string& name, double model, double simulated) {
                    row["row"] = name;
                    Keep(row, {m_prices.GetBreakEven(model), m_prices.GetBreakEven(simulated)});
                };
                Values sum;
                double weights = 0;
                for (const auto& [application, gain] : GetGains(hardware, delay))
                {
                    add(application, gain.mean.model, gain.mean.simulated);
                    sum.model += gain.weight * gain.mean.model;
                    sum.simulated += gain.weight * gain.mean.simulated;
                    weights += gain.weight;
                }
                if (weights > 0)
                {
                    add("Aggregate", sum.model / weights, sum.simulated / weights);
                }
            }
        }
    }

    void AddUniprocessor()
    {
        const auto nodes = m_machine.nodes;
        for (const auto& delay : Get<Times>("delays"))
        {
            for (const auto& hardware : Get<Words>("hardware"))
            {
                auto row = MakeRow("uniprocessor", hardware, delay, "");
                row["row"] = "least speedup";
                const auto least = m_prices.GetThreshold(nodes, hardware != "none");
                Keep(row, {least, row["simulated"]});
                row["row"] = "cost-effective workloads";
                Values better;
                for (const auto& workload : m_workloads)
                {
                    if (workload.speedup <= 0)
                    {
                        continue;
                    }
                    const auto values = m_times->GetSpeedup(workload, hardware, delay);
                    const auto published = FindPublishedSpeedup(workload, hardware, delay);
                    better.model += (published > 0 ? published : values.model) > least;
                    better.simulated += values.simulated > least;
                }
                Keep(row, better);
            }
        }
    }

    /// Gains of an application's inputs by one hardware at one delay.
    struct Gain
    {
        Values mean;      ///< of its inputs
        double weight{0}; ///< of the application
    };

    std::vector<std::pair<std::string, Gain>> GetGains(const std::string& hardware, Time delay)
    {
        std::vector<std::pair<std::string, Gain>> gains;
        std::map<std::string, uint32_t> inputs;
        for (const auto& workload : m_workloads)
        {
            const auto base = m_times->GetSpeedup(workload, "none", delay);
            const auto with = m_times->GetSpeedup(workload, hardware, delay);
            const auto publishedBase = FindPublishedSpeedup(workload, "none", delay);
            const auto publishedWith = FindPublishedSpeedup(workload, hardware, delay);
            const bool isPublished = publishedBase > 0 && publishedWith > 0;
            const Values gain{isPublished ? publishedWith / publishedBase : with.model / base.model,
                              with.simulated / base.simulated};
            auto found = std::find_if(gains.begin(), gains.end(), [&](const auto& entry) {
                return entry.first == workload.application;
            });
            if (found == gains.end())
            {
                gains.push_back({workload.application, {{0, 0}, workload.weight}});
                found = gains.end() - 1;
            }
            const auto n = ++inputs[workload.application];
            auto& mean = found->second.mean;
            mean.model += (gain.model - mean.model) / n;
            mean.simulated += (gain.simulated - mean.simulated) / n;
        }
        return gains;
    }

    void Tell()
    {
        const auto all =
            m_workloads.size() * Get<Times>("delays").size() * Get<Words>("hardware").size();
        ++m_done;
        TellProgress(m_progress, "runs", m_done, std::max<uint64_t>(m_done, all)); // about so many
    }

    SyncMachine::Parameters m_machine;     ///< the machine, but for hardware and delay
    std::unique_ptr<SyncTimes> m_times;    ///< what it takes
    std::vector<SyncWorkload> m_workloads; ///< applications
    std::vector<CsvRow> m_printed;         ///< what the paper prints; may be empty
    Prices m_prices{};                     ///< prices
    ProgressListener m_progress;           ///< is told how far it is
    uint32_t m_done{0};                    ///< simulations done
};

} // namespace

std::unique_ptr<StudyDefinition>
MakeSyncStudy()
{
    return std::make_unique<SyncStudy>();
}

} // namespace ns3
