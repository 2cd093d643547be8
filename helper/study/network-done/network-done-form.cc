/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-done-study.h"

#include "ns3/fabric-options.h"
#include "ns3/host-software.h"
#include "ns3/latency-load-study.h"
#include "ns3/string.h"
#include "ns3/worm-length.h"

#include <algorithm>

namespace ns3
{

namespace
{

const std::string USAGE =
    "What Network-Done takes: a barrier at the end of each quantum of a parallel simulator, which "
    "nobody leaves while messages are under way. One process on each host computes for a quantum, "
    "sends messages to the others meanwhile, and meets them. Columns: the load that the messages "
    "offer, the time from the last entry to the last leave, that until all messages are received "
    "(less is not possible), sums of counters, the share of rounds with messages under way at the "
    "last entry, the time of a round, what the accounting of sync-hardware has for the same with "
    "the paper's costs (nan for what it does not know), and the time of a message.\n"
    "\n"
    "Examples:\n"
    "  network-done\n"
    "      32 hosts, acknowledgements and repeated sums, up to 20 messages a quantum; CSV to "
    "standard output\n"
    "  network-done --csv=done.csv --plots=plots\n"
    "      the same, with plots\n"
    "  network-done '--methods=network-done[Reduction=btin|Inner=none]' --messages=0.5,5\n"
    "      sums by registers in the switches\n"
    "  network-done --progressBy=interrupt --interrupt=1us\n"
    "      processes that take messages while they compute\n"
    "  network-done --topology=torus:4x4,hosts=2 --load=0.2 --bytes=1kB\n"
    "      another fabric, with other data traffic, and longer messages";

bool
HasMessages(const NetworkDoneRow& row)
{
    return row.messages > 0;
}

/// A curve of a plot.
struct CurveOf
{
    double NetworkDoneRow::* value; ///< what it shows
    const char* with;               ///< line, in gnuplot's words
};

/// @param all rows, those without messages, which have no place on a log axis, too
/// @param curves curves of a method; all but the first have no place in the key
StudyPlot
DrawMethods(const std::vector<NetworkDoneRow>& all,
            StudyPlot plot,
            const std::vector<CurveOf>& curves)
{
    StudyPlot::Panel panel;
    std::size_t number = 0;
    for (const auto& [method, given] : StudyPlot::GroupBy(all, &NetworkDoneRow::method))
    {
        const auto some = StudyPlot::Where(given, HasMessages);
        const auto isShown = std::any_of(some.begin(), some.end(), [&](const auto& row) {
            return row.*curves.front().value > 0;
        });
        // What tells a method from others is in brackets.
        const auto open = method.find('[');
        auto title =
            open == std::string::npos ? method : method.substr(open + 1, method.size() - open - 2);
        for (const auto& curve : curves)
        {
            panel.curves.push_back(
                {title,
                 curve.with + GnuplotScript::GetStyle(number),
                 isShown ? StudyPlot::PointsOf(some, &NetworkDoneRow::messages, curve.value)
                         : std::vector<StudyPlot::Point>()});
            title.clear();
        }
        ++number;
    }
    plot.xLabel = "messages per process and quantum";
    plot.axes = "set logscale x\n" + plot.axes + "set grid\n";
    const auto rows =
        StudyPlot::SortedBy(StudyPlot::Where(all, HasMessages), &NetworkDoneRow::messages);
    if (!rows.empty() && rows.front().messages < rows.back().messages)
    {
        plot.axes += "set xrange [" + StudyPlot::Number(rows.front().messages) + ":" +
                     StudyPlot::Number(rows.back().messages) + "]\n";
    }
    plot.key = "set key above vertical maxrows 3 Left reverse noenhanced samplen 1.5\n";
    plot.panels = {panel};
    return plot;
}

class NetworkDoneForm
    : public PooledStudyForm<NetworkDoneStudy, NetworkDoneRow, MakeNetworkDonePlots>
{
  public:
    NetworkDoneForm()
        : PooledStudyForm({"network-done",
                           "network_done",
                           "Measures Network-Done: barriers that wait for messages under way.",
                           USAGE,
                           "a row for each method and number of messages",
                           true})
    {
        constexpr uint32_t MANY = 1'000'000;
        constexpr uint32_t MOST_MESSAGES = 10'000;
        auto& p = m_parameters;
        Add("methods=network-done[Method=acks|Inner=hw-1]: Names of network-done barriers; without "
            "it acknowledgements, then a barrier by software or hw-1, and repeated sums by "
            "software or hw-all",
            p.methods);
        Add("messages=0.5,5 (0.1,0.2,0.5,1,2,5,10,20): Mean numbers of messages of a process in a "
            "quantum; none is measured, too",
            p.messages)
            .Range(0, MOST_MESSAGES);
        Add("bytes=20 (20): Length of a message, header included", p.bytes).Bytes(1, 1U << 30);
        Add("quantum=100us (350us): How long a process computes in a round; the default is about "
            "what WWT-Appbt does, with 2834 quanta in a second",
            p.quantum)
            .aboveZero = true;
        Add("rounds=64 (64): Number of rounds; the first quarter is not measured", p.rounds)
            .Range(4, MANY);
        Add("load=0.2: Offered load of other data traffic, a ratio of a channel's rate; without it "
            "there is none",
            p.load)
            .Range(0, LatencyLoadStudy::GREATEST_LOAD);
        Add("flits=64 (64): Length of its worms, as in latency-load", p.flits);
        AddMessageCosts("4.2us", "7.3us", p.software);
        AddBy<std::string>(
            "progressBy=interrupt (in-call): Who takes messages for a process that computes, as in "
            "split-barrier",
            [&p](const std::string& who) {
                p.software.SetSoftwareAttribute("Progress", StringValue(who));
            })
            .OneOf(HostSoftware::GetProgressNames())
            .attribute = "ns3::HostSoftware::Progress";
        AddSoftwareTime("InterruptTime",
                        "interrupt=1us (0us): How long a message keeps a process besides that "
                        "which it interrupts",
                        p.software);
        Add("seed=1 (1): Seed of random numbers", p.seed).Range(1, MANY);
        AddFabric("clos:ports=8,levels=2", "clos:ports=8,levels=2");
        AddFabricDelays(p.fabrics);
        AddNeed({"flits"}, "load");
        AddNeed({"interrupt"}, "progressBy", "interrupt");
    }

  protected:
    void Finish(const OptionValues& values) override
    {
        auto& p = m_parameters;
        if (!values.Has("methods"))
        {
            p.methods = {"network-done[Method=acks|Inner=butterfly]",
                         "network-done[Method=acks|Inner=hw-1]",
                         "network-done[Reduction=butterfly|Inner=butterfly]",
                         "network-done[Reduction=butterfly|Inner=none]",
                         "network-done[Reduction=hw-all|Inner=none]"};
        }
        p.topology = FabricOptions::Read(values);
        values.Check("flits", [&] { WormLength::Parse(p.flits); });
        values.Check("methods", [&] { m_study = std::make_unique<NetworkDoneStudy>(p); });
    }
};

} // namespace

const CsvTable<NetworkDoneRow>&
NetworkDoneRow::GetTable()
{
    using Row = NetworkDoneRow;
    constexpr int RATIO = 5;
    static const CsvTable<Row> table{
        {"method: Name of the barrier", &Row::method},
        {"quantum_us (us): How long a process computes in a round", &Row::quantumUs},
        {"bytes (bytes): Length of a message", &Row::bytes},
        {"traffic_load: Offered load of other traffic, over a channel's rate",
         &Row::trafficLoad,
         RATIO},
        {"messages: Mean number of messages of a process in a quantum", &Row::messages},
        {"message_load: Load of these messages, over a channel's rate", &Row::messageLoad, RATIO},
        {"latency_us (us): Mean time from the last member's entry to the last leave",
         &Row::latencyUs},
        {"quiet_us (us): Mean time from the last entry until all messages are received",
         &Row::quietUs},
        {"sums: Mean number of sums in a round", &Row::sums},
        {"busy_percent (percent): Share of rounds with messages under way at the last entry",
         &Row::busyPercent,
         1},
        {"step_us (us): Mean time of a round", &Row::stepUs},
        {"accounting_us (us): Time by sync-hardware's accounting; nan: there is none",
         &Row::accountingUs},
        {"message_us (us): Mean time of a message, software included; nan: there is none",
         &Row::messageUs}};
    return table;
}

std::vector<StudyPlot>
MakeNetworkDonePlots(const std::vector<NetworkDoneRow>& all)
{
    StudyPlot latency{"latency", "", "last entry to last leave (us); thin: until all is received"};
    latency.axes = "set logscale y\nset yrange [0.1:*]\n";
    StudyPlot step{"step", "", "time of a round (us)"};
    StudyPlot sums{"sums", "", "sums in a round"};
    step.axes = sums.axes = "set yrange [0:*]\n";
    return {DrawMethods(all,
                        latency,
                        {{&NetworkDoneRow::latencyUs, "linespoints lw 2 "},
                         {&NetworkDoneRow::quietUs, "linespoints lw 1 "}}),
            DrawMethods(all, step, {{&NetworkDoneRow::stepUs, "linespoints lw 2 "}}),
            DrawMethods(all, sums, {{&NetworkDoneRow::sums, "linespoints lw 2 "}})};
}

std::unique_ptr<StudyForm>
MakeNetworkDoneStudy()
{
    return std::make_unique<NetworkDoneForm>();
}

} // namespace ns3
