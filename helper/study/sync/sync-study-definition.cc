/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sync-study.h"

#include "ns3/fabric-options.h"
#include "ns3/gnuplot-curves.h"
#include "ns3/study-makers.h"
#include "ns3/study-plot.h"
#include "ns3/table-study.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-traffic-options.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t PANEL_WIDTH = 1100; ///< of a panel, pixels
constexpr uint32_t PANEL_HEIGHT = 420; ///< of a panel, pixels
constexpr double BAR_WIDTH = 0.2;      ///< of a bar, rows being 1 apart
constexpr double ALWAYS = 5000;        ///< dollars from which on the paper has "always"
constexpr double NEVER = 100;          ///< dollars below which it has "never"
/// Where the value of a bar that is cut off ends, over the end of the axis: below the paper's mark.
constexpr double CUT_LABEL = 0.92;
/// What the script of a picture with such bars says; the report looks for it.
constexpr auto CUT_NOTE = "# Bars that are cut off have their value in them.\n";

/// Bars of one hardware.
struct Hardware
{
    const char* name;   ///< its name
    const char* colour; ///< of its bars
    const char* ink;    ///< colour of text on them
};

/// The kinds of hardware compared.
const Hardware HARDWARE[] = {{"none", "#b0b0b0", "black"},
                             {"hw-1", "#56b4e9", "black"},
                             {"hw-all", "#0072b2", "white"},
                             {"in-switch", "#e69f00", "black"}};

double
ReadPublished(const std::string& text)
{
    return text.empty()       ? std::nan("")
           : text == "never"  ? NEVER
           : text == "always" ? ALWAYS
                              : ParseStrictNumber(text);
}

/// A picture of bars.
struct SyncPicture
{
    const char* name;                ///< its name
    std::vector<std::string> tables; ///< tables that it shows
    const char* label;               ///< what the axis of values shows
    double bottom;                   ///< where that axis begins
    double top;                      ///< where it ends; infinite: beyond all values
    bool isLogarithmic;              ///< its scale
};

/// A panel whose bars, marks and values of bars cut off are drawn in this order.
struct BarPanel
{
    std::vector<StudyPlot::Curve> bars;   ///< what is simulated
    std::vector<StudyPlot::Curve> marks;  ///< by the model, and what the paper prints
    std::vector<StudyPlot::Curve> values; ///< of bars that are cut off
};

/// Adds what is shown of a kind of hardware.
void
AddBars(BarPanel& panel,
        const StudyPlot::Rows& rows,
        const std::map<std::string, double>& places,
        std::size_t number,
        const SyncPicture& picture)
{
    const auto& hardware = HARDWARE[number];
    StudyPlot::Curve bars{std::string(hardware.name) + ", simulated",
                          "boxes fs solid noborder lc rgb " +
                              GnuplotScript::Quote(hardware.colour)};
    // The first ones stand in the key for all, points or not.
    const std::string shown = panel.marks.empty() ? "NaN" : "";
    StudyPlot::Curve model{shown.empty() ? "" : "model",
                           "points pt 2 lw 1.5 ps 1.2*unit lc rgb \"#d55e00\"",
                           {},
                           "",
                           shown};
    StudyPlot::Curve paper{shown.empty() ? "" : "paper",
                           "points pt 12 lw 2 ps 1.8*unit lc rgb \"black\"",
                           {},
                           "",
                           shown};
    StudyPlot::Curve values{"",
                            "labels rotate right font \",9\" tc rgb " +
                                GnuplotScript::Quote(hardware.ink)};
    std::ostringstream place;
    place << CUT_LABEL * picture.top;
    values.columns = "1:(" + place.str() + "):(sprintf(\"%.0f →\", $2))";
    for (const auto& row : rows)
    {
        const auto x =
            places.at(row["row"].Text()) + (static_cast<double>(number) - 1.5) * BAR_WIDTH;
        const auto add = [x](StudyPlot::Curve& curve, double value) {
            if (std::isfinite(value))
            {
                curve.points.push_back({x, value});
            }
        };
        add(bars, row["simulated"]);
        add(model, row["model"]);
        add(paper, ReadPublished(row["published"].Text()));
        if (row["simulated"] > picture.top)
        {
            add(values, row["simulated"]);
        }
    }
    panel.bars.push_back(bars);
    panel.marks.push_back(model);
    panel.marks.push_back(paper);
    panel.values.push_back(values);
}

StudyPlot
DrawBars(const StudyPlot::Rows& all, const SyncPicture& picture)
{
    StudyPlot plot{picture.name, "", picture.label};
    const auto rows = StudyPlot::Where(all, [&](const auto& row) {
        return std::find(picture.tables.begin(), picture.tables.end(), row["table"].Text()) !=
               picture.tables.end();
    });
    std::map<std::string, double> places;
    std::string tics;
    for (const auto& [name, some] : StudyPlot::GroupBy(rows, "row"))
    {
        const auto place = static_cast<double>(places.size());
        tics += (places.empty() ? "" : ", ") + GnuplotScript::QuoteTic(name) + " " +
                StudyPlot::Number(place);
        places[name] = place;
    }
    bool isCut = false;
    for (const auto& [delay, ofDelay] :
         StudyPlot::GroupBy(StudyPlot::SortedBy(rows, "delay_us"), "delay_us"))
    {
        BarPanel bars;
        for (std::size_t h = 0; h < std::size(HARDWARE); ++h)
        {
            const auto isOfHardware = [h](const auto& row) {
                return row["hardware"].Text() == HARDWARE[h].name;
            };
            if (std::any_of(rows.begin(), rows.end(), isOfHardware))
            {
                const auto some = StudyPlot::Where(ofDelay, isOfHardware);
                AddBars(bars, some, places, h, picture);
                isCut = isCut || !bars.values.back().points.empty();
            }
        }
        StudyPlot::Panel panel{"delay of messages " +
                                   StudyPlot::Number(ofDelay.front()["delay_us"]) + " us",
                               bars.bars};
        panel.curves.insert(panel.curves.end(), bars.marks.begin(), bars.marks.end());
        panel.curves.insert(panel.curves.end(), bars.values.begin(), bars.values.end());
        plot.panels.push_back(panel);
    }
    std::ostringstream axes;
    axes << (isCut ? CUT_NOTE : "")
         << "set xrange [-0.6:" << static_cast<double>(places.size()) - 0.4 << "]\n"
         << "set boxwidth " << BAR_WIDTH * 0.9 << "\n"
         << "set xtics (" << tics << ") rotate by 20 right nomirror out scale 0\n"
         << "set ytics nomirror out\nset border 3 lw 1.5 lc rgb \"#404040\"\n"
         << "set grid ytics lt 1 lw 0.5 lc rgb \"#d9d9d9\"\n"
         << "set yrange [" << picture.bottom << ':'
         << (std::isfinite(picture.top) ? StudyPlot::Number(picture.top) : "*") << "]\n"
         << (picture.isLogarithmic ? "set logscale y 10\n" : "");
    plot.axes = axes.str();
    plot.key = "set lmargin 10\nset rmargin 30\nset key outside right top Left reverse\n";
    plot.columns = 1;
    plot.width = PANEL_WIDTH;
    plot.height = PANEL_HEIGHT;
    plot.font = 12;
    return plot;
}

/// @return speedups over the number that names of applications end with, such as "WWT-Appbt 0.15":
/// a panel for each application and delay, a curve for each hardware; nothing if no application has
/// two such numbers
StudyPlot
DrawByNumber(const StudyPlot::Rows& rows)
{
    // Speedups by application and delay, then hardware, then the number.
    std::map<std::pair<std::string, double>, std::map<std::string, std::map<double, double>>>
        panels;
    for (const auto& row : rows)
    {
        const auto blank = row["row"].Text().rfind(' ');
        const auto isNumber =
            blank != std::string::npos && blank + 1 < row["row"].Text().size() &&
            row["row"].Text().find_first_not_of("0123456789.", blank + 1) == std::string::npos;
        const auto number =
            isNumber ? ParseStrictNumber(row["row"].Text().substr(blank + 1)) : std::nan("");
        if (!std::isnan(number) && row["unit"].Text().empty() && std::isfinite(row["simulated"]))
        {
            panels[{row["row"].Text().substr(0, blank), row["delay_us"]}][row["hardware"].Text()]
                  [number] = row["simulated"];
        }
    }
    StudyPlot plot{"by-number", "number at the end of the application's name", "speedup"};
    const auto isSingle = [](const auto& panel) { return panel.second.begin()->second.size() < 2; };
    if (std::all_of(panels.begin(), panels.end(), isSingle))
    {
        return plot;
    }
    for (const auto& [place, lines] : panels)
    {
        StudyPlot::Panel panel{place.first + ", delay of messages " +
                                   StudyPlot::Number(place.second) + " us",
                               {}};
        for (const auto& hardware : HARDWARE)
        {
            const auto found = lines.find(hardware.name);
            StudyPlot::Curve curve{hardware.name,
                                   "linespoints lw 2 pt 7 ps 1.2*unit lc rgb " +
                                       GnuplotScript::Quote(hardware.colour)};
            for (const auto& [number, speedup] :
                 found != lines.end() ? found->second : std::map<double, double>())
            {
                curve.points.push_back({number, speedup});
            }
            panel.curves.push_back(curve);
        }
        plot.panels.push_back(panel);
    }
    plot.axes = "set ytics nomirror out\nset xtics nomirror out\nset border 3 lw 1.5 lc rgb "
                "\"#404040\"\nset grid lt 1 lw 0.5 lc rgb \"#d9d9d9\"\nset yrange [*:*]\n";
    plot.key = "set lmargin 12\nset rmargin 18\nset key outside right top Left reverse\n";
    plot.hasKeys = true;
    plot.columns = 1;
    plot.height = PANEL_HEIGHT * 2 / 3;
    plot.font = 12;
    return plot;
}

/// Draws latencies, speedups and break-even prices, a panel for each delay, bars for what is
/// simulated and marks for what is published and modelled; and speedups over what applications'
/// names end with, if that is a number.
std::vector<StudyPlot>
MakeSyncPlots(const StudyPlot::Rows& rows, const StudyPlot::Rows&)
{
    const auto any = std::numeric_limits<double>::infinity();
    std::vector<StudyPlot> plots{
        DrawBars(rows, {"latency", {"1"}, "latency (us)", 1, 1000, true}),
        DrawBars(
            rows,
            {"break-even", {"7"}, "dollars a node (never: 100, always: 5000)", -500, 5200, false}),
        DrawByNumber(rows)};
    if (!plots.back().IsThere())
    {
        // As bars, applications by number would be too many for their names.
        plots.push_back(
            DrawBars(rows,
                     {"speedup", {"3", "4", "5", "6", "speedups"}, "speedup", 0, any, false}));
    }
    return plots;
}

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

class SyncStudyDefinition : public TableStudy
{
  public:
    SyncStudyDefinition()
        : TableStudy({"sync-hardware",
                      "sync_hardware",
                      "Measures what synchronisation hardware brings, and what it may cost.",
                      USAGE,
                      "a row for each table, line of it, hardware and delay"},
                     SyncStudy::GetTable(),
                     MakeSyncPlots)
    {
        constexpr uint32_t MANY = 1'000'000;
        auto& p = m_parameters;
        auto& costs = p.machine.costs;
        Add("table=1,7 (1): Tables; speedups are all of these", p.tables)
            .OneOf(SyncStudy::GetTables());
        Add("hardware=none,hw-1 (none,hw-1,hw-all,in-switch): Hardware", p.hardware)
            .OneOf(SyncMachine::GetHardwareNames());
        Add("delays=0us,100us (0us,100us): What is added to each message", p.delays);
        Add("nodes=32 (32): Number of nodes", p.machine.nodes).Range(2, 4096);
        AddBy<std::string>(
            "workloads=FILE: Applications, JSON; without it those of the paper",
            [&p](const std::string& file) { p.workloads = SyncWorkload::Read(file); })
            .File();
        AddBy<std::string>(
            "published=FILE: Published figures, CSV; without it those of the paper, for its "
            "applications and 32 nodes",
            [&p](const std::string& file) { p.published = SyncStudy::GetPublished().Read(file); })
            .File();
        Add("supersteps=100 (100): Supersteps simulated of each application", p.supersteps)
            .Range(1, MANY);
        Add("networkDone=auto (auto): How it is known that messages arrived", p.machine.networkDone)
            .OneOf({"auto", "acks", "add"});
        Add("networkDoneSums=2 (1): ADDs of a Network-Done by ADD, here and in the run that rates "
            "are "
            "of",
            p.machine.networkDoneSums)
            .Range(1, 1000);
        Add("broadcastWindow=1 (0): Software broadcasts that may be outstanding, see throttled; 0: "
            "any number",
            p.machine.broadcastWindow)
            .Range(0, MANY);
        Add("broadcastGap=50us (0us): Least time between two software broadcasts",
            p.machine.broadcastGap);
        Add("barrierOverhead=10.375us (10.375us): o of a message in barriers",
            costs.barrierOverhead);
        Add("reductionOverhead=11.775us (11.775us): o with up to 32 bits", costs.reductionOverhead);
        Add("wideOverhead=13.975us (13.975us): o with 64 bits", costs.wideOverhead);
        Add("flight=1.625us (1.625us): L0 of a message, without delay", costs.flight);
        Add("s=4.2us (4.2us): s in trees from and to the host", costs.treeS);
        Add("r=7.3us (7.3us): r in trees from and to the host, without delay", costs.treeR);
        Add("hostOverhead=75us (75us): Of the host, after a reduction by software",
            costs.hostOverhead);
        Add("inSwitchStartUp=10.375us (10.375us): In-switch: start-up of a message",
            p.machine.inSwitchStartUp);
        AddOwnAttributes(
            "HostSoftware::StartUp HostSoftware::ReceiveOverhead WormholeNetDevice::Delay");
        AddFabric("one switch; with in-switch only");
        AddTraffic();
        const auto addPrice = [this](const std::string& text, double& price) {
            AddBy<uint32_t>(text, [&price](uint32_t dollars) { price = dollars; }).Range(0, MANY);
        };
        addPrice("processorPrice=10000 dollars (10000): Processor and cabinet", p.prices.processor);
        addPrice("memoryPrice=5000 dollars (5000): Memory of a node", p.prices.memory);
        addPrice("networkPrice=5000 dollars (5000): A node's part of the data network",
                 p.prices.network);
        addPrice("hardwarePrice=2000 dollars (2000): Synchronisation hardware of a node",
                 p.prices.hardware);
        AddCondition({"processorPrice", "memoryPrice", "networkPrice", "hardwarePrice"},
                     "the table 7 or uniprocessor",
                     HasOneOf("table", {"7", "uniprocessor"}));
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

    void Measure(const Progress& progress) override
    {
        m_rows = m_parameters.Run(progress);
    }

    std::vector<std::string> GetRemarks() const override
    {
        return SyncStudy::Explain(m_rows);
    }

  protected:
    void Validate(const OptionValues& values) override
    {
        auto& p = m_parameters;
        TrafficOptions::RefuseIdeal(
            values,
            "broadcast-load, network-done or barriers-under-load, whose messages are on a fabric");
        if (FabricOptions::Has(values))
        {
            if (std::find(p.hardware.begin(), p.hardware.end(), "in-switch") == p.hardware.end())
            {
                values.Refuse(FabricOptions::GetName(values),
                              "has no effect without in-switch; expected both");
            }
            p.machine.topology = FabricOptions::Read(values);
        }
        if (!values.Has("workloads"))
        {
            values.Check("workloads", [&] {
                p.workloads = SyncWorkload::Read(FindData("sync-workloads.json"));
            });
        }
        // What the paper prints is of its own applications on 32 nodes.
        if (!values.Has("published") && !values.Has("workloads") && p.machine.nodes == 32)
        {
            values.Check("published", [&] {
                p.published =
                    SyncStudy::GetPublished().Read(FindData("sync-hardware-published.csv"));
            });
        }
    }

  private:
    SyncStudy m_parameters; ///< what is asked of the study
};

} // namespace

const CsvTable&
SyncStudy::GetTable()
{
    const auto getDecimals = [](const CsvRow& row) {
        return row["unit"].Text() == "dollars" ? 0 : CsvColumn::NUMBER;
    };
    using Is = CsvColumn;
    static const CsvTable table{{"table: The paper's table, uniprocessor or speedups"},
                                {"row: Operation or application"},
                                {"hardware: Hardware: none, hw-1, hw-all or in-switch",
                                 {"none", "hw-1", "hw-all", "in-switch"}},
                                {"delay_us (us): What is added to each message", Is::NUMBER},
                                {"published: What the paper prints; empty: nothing"},
                                {"model: Value by formulas; nan: there is none", getDecimals},
                                {"simulated: Value simulated; nan: it was not", getDecimals},
                                {"unit: Unit of the values: us, dollars, relative or nothing"},
                                {"use: Use of the published value: given, fit or predicted"}};
    return table;
}

const CsvTable&
SyncStudy::GetPublished()
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

std::vector<std::string>
SyncStudy::Explain(const std::vector<CsvRow>& rows)
{
    // As they are printed, in whole dollars.
    const auto isBelow = [](double price) { return std::isfinite(price) && std::round(price) < 0; };
    std::vector<std::string> lines;
    for (const auto& row : rows)
    {
        if (row["unit"].Text() == "dollars" && (isBelow(row["model"]) || isBelow(row["simulated"])))
        {
            lines.push_back("a break-even price below 0, such as " +
                            CsvFile::Fixed(std::min(row["model"], row["simulated"]), 0) + " of " +
                            row["row"].Text() + " with " + row["hardware"].Text() + " at " +
                            CsvFile::Fixed(row["delay_us"], 0) +
                            " us: the application is slower with the hardware than by software, "
                            "which would not pay even if it cost nothing");
            break;
        }
    }
    const auto relative = std::find_if(rows.begin(), rows.end(), [](const auto& row) {
        return row["unit"].Text() == "relative";
    });
    if (relative != rows.end())
    {
        lines.push_back(
            "speedups of unit relative, such as those of " + (*relative)["row"].Text() +
            ": the workload file has no \"speedup\", so they are over the application's own run "
            "with its reference hardware and no delay; uniprocessor leaves such applications out");
    }
    return lines;
}

std::unique_ptr<StudyDefinition>
MakeSyncStudy()
{
    return std::make_unique<SyncStudyDefinition>();
}

} // namespace ns3
