// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/network-done-rounds.h"
#include "ns3/simulation-scope.h"
#include "ns3/software-collective.h"
#include "ns3/string.h"
#include "ns3/study-makers.h"
#include "ns3/sweep-study.h"
#include "ns3/sync-machine.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-host-software.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>
#include <limits>
#include <memory>

namespace ns3
{

namespace
{

CsvTable
MakeNetworkDoneTable()
{
    using Is = CsvColumn;
    constexpr int RATIO = 5;
    return PlacementColumns::AddTo(CsvTable{
        {"method: Name of the barrier"},
        {"quantum_us (us): How long a process computes in a round", Is::NUMBER},
        {"bytes (bytes): Length of a message", Is::WHOLE},
        {"traffic_load: Offered load of other traffic, as a fraction of a channel's rate", RATIO},
        {"messages: Mean number of messages of a process in a quantum", Is::NUMBER},
        {"message_load: Load of these messages, as a fraction of a channel's rate", RATIO},
        {"latency_us (us): Mean time from the last member's entry to the last leave", Is::NUMBER},
        {"quiet_us (us): Mean time from the last entry until all messages are received",
         Is::NUMBER},
        {"sums: Mean number of sums in a round", Is::NUMBER},
        {"busy_percent (percent): Share of rounds with messages under way at the last entry", 1},
        {"step_us (us): Mean time of a round", Is::NUMBER},
        {"accounting_us (us): Time by sync-hardware's accounting; nan: there is none", Is::NUMBER},
        {"message_us (us): Mean time of a message, software included; nan: there is none",
         Is::NUMBER}});
}

Ptr<NetworkDoneBarrier>
MakeNetworkDone(const std::string& name)
{
    auto barrier = DynamicCast<NetworkDoneBarrier>(CollectiveHelper::MakeBarrier(name));
    WormholeError::ThrowIf(!barrier,
                           "'" + name +
                               "' does not wait for messages of data; expected network-done and "
                               "such as network-done[Method=acks|Inner=hw-1]");
    return barrier;
}

/// @return the accounting's hardware for a barrier; empty: it has none
std::string
FindHardware(const std::string& name)
{
    const auto stem = name.substr(0, name.find('['));
    if (stem == "hw-1" || stem == "hw-all")
    {
        return stem;
    }
    // Any algorithm by software is what the accounting calls none: its fastest butterfly.
    return DynamicCast<SoftwareCollective>(CollectiveHelper::MakeBarrier(name)) ? "none" : "";
}

/// @return what the accounting has for a part, us; NaN if it does not know it
double
GetPartUs(const std::string& name, uint32_t nodes, SyncWorkload::Event event)
{
    SyncMachine::Parameters parameters;
    parameters.nodes = nodes;
    parameters.hardware = FindHardware(name);
    return parameters.hardware.empty()
               ? std::numeric_limits<double>::quiet_NaN()
               : SyncMachine(parameters).GetModelTime(event).GetSeconds() * 1e6;
}

/// What the study of synchronisation hardware has for a Network-Done: without any simulation of
/// messages, at its own costs of software, on an idle machine. By counters it is one ADD, whatever
/// there is under way; by acknowledgements the time of one more message where there are messages.
/// The inner barrier comes besides.
/// @param communicates share of rounds that there are messages in
/// @return what it has for a round, us; NaN if it does not know the method's parts: hw-1, hw-all
/// and algorithms by software are known
double
GetAccountingUs(const std::string& method, uint32_t nodes, double communicates)
{
    const auto barrier = CollectiveHelper::MakeBarrier(method);
    const auto get = [&](const std::string& attribute) {
        StringValue value;
        barrier->GetAttribute(attribute, value);
        return value.Get();
    };
    const auto inner = get("Inner");
    const auto innerUs = inner == "none" ? 0 : GetPartUs(inner, nodes, SyncWorkload::BARRIER);
    if (get("Method") == "acks")
    {
        return communicates * SyncMachine({}).GetAckTime().GetSeconds() * 1e6 + innerUs;
    }
    return GetPartUs(get("Reduction"), nodes, SyncWorkload::ADD) + innerUs;
}

/// @return a method in words, for legends
std::string
DescribeMethod(const std::string& method)
{
    const auto open = method.find('[');
    if (open == std::string::npos)
    {
        return method;
    }
    auto words = method.substr(open + 1, method.size() - open - 2);
    boost::replace_all(words, "Method=acks", "acknowledgements");
    boost::replace_all(words, "Reduction=", "sums by ");
    boost::replace_all(words, "|Inner=none", "");
    boost::replace_all(words, "|Inner=", ", then ");
    return words;
}

/// Draws times and sums over the number of messages, a colour for each method. With latency there
/// is a thin line, the time until all is received, which no method can be below. Rows without
/// messages have no place on the axis.
std::vector<StudyPlot>
MakeNetworkDonePlots(const StudyPlot::Rows& all, const StudyPlot::Rows&)
{
    const auto rows = StudyPlot::SortedBy(
        StudyPlot::Where(all, [](const auto& row) { return row["messages"] > 0; }),
        "messages");
    const auto getMethod = [](const CsvRow& row) { return DescribeMethod(row["method"].Text()); };
    std::vector<StudyPlot> plots;
    const auto add = [&](const std::string& name,
                         const std::string& label,
                         const std::string& axes,
                         const std::vector<StudyPlot::Line>& lines) {
        StudyPlot plot{name, "messages per process and quantum", label};
        plot.AddLines(
            StudyPlot::Where(rows, [&](const auto& row) { return lines.front().y(row) > 0; }),
            StudyPlot::NoKey,
            getMethod,
            "messages",
            lines);
        plot.axes = "set logscale x\n" + axes + "set grid\n";
        if (!rows.empty() && rows.front()["messages"] < rows.back()["messages"])
        {
            plot.axes += "set xrange [" + StudyPlot::Number(rows.front()["messages"]) + ":" +
                         StudyPlot::Number(rows.back()["messages"]) + "]\n";
        }
        plot.key = "set key above vertical maxrows 3 Left reverse noenhanced samplen 1.5\n";
        plots.push_back(plot);
    };
    add("latency",
        "last entry to last leave (us); thin: until all is received, if it was not",
        "set logscale y\nset yrange [0.01:*]\nset format y '%g'\n",
        {{"latency_us"}, {"quiet_us", "", "linespoints lw 1 ", nullptr, false}});
    add("step", "time of a round (us)", "set yrange [0:*]\n", {{"step_us"}});
    add("sums", "sums in a round", "set yrange [0:*]\n", {{"sums"}});
    return plots;
}

const std::string USAGE =
    "Measures Network-Done: a barrier at the end of each quantum of a parallel simulator, which no "
    "process leaves while messages are under way. One process on each host computes for a quantum, "
    "sends messages to the others meanwhile, and meets them. Columns: the load that the messages "
    "offer, the time from the last entry to the last leave, that until all messages are received "
    "(less is not possible), sums of counters, the share of rounds with messages under way at the "
    "last entry, the time of a round, the time by sync-hardware's accounting with the paper's "
    "costs (nan where it has none), and the time of a message.\n"
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
    "      processes that receive messages while they compute\n"
    "  network-done --topology=torus:4x4,hosts=2 --load=0.2 --bytes=1kB\n"
    "      another fabric, with other data traffic, and longer messages";

Quanta
GetQuanta(const SweepStudy& study, double messages)
{
    return {study.Get<uint32_t>("rounds"),
            study.Get<Time>("quantum"),
            messages,
            study.Get<uint32_t>("bytes")};
}

uint32_t
ReadNetworkDone(SweepStudy& study, const OptionValues& values)
{
    if (!values.Has("methods"))
    {
        study.Choose("methods",
                     SweepStudy::Words{"network-done[Method=acks|Inner=butterfly]",
                                       "network-done[Method=acks|Inner=hw-1]",
                                       "network-done[Reduction=butterfly|Inner=butterfly]",
                                       "network-done[Reduction=butterfly|Inner=none]",
                                       "network-done[Reduction=hw-all|Inner=none]"});
    }
    study.ChooseNone("messages");
    study.m_traffic.load = study.Get<double>("load");
    study.m_traffic.mostWaiting = BacklogLimit::PER_SENDER;
    study.m_common["quantum_us"] = study.Get<Time>("quantum").GetSeconds() * 1e6;
    study.m_common["bytes"] = study.Get<uint32_t>("bytes");
    study.m_common["traffic_load"] = study.m_traffic.load;
    values.Check("methods", [&] {
        WormholeError::ThrowIf(study.GetNHosts() < 2,
                               "a fabric of " + std::to_string(study.GetNHosts()) +
                                   " hosts, where no host can send to another; expected 2 or more");
        const auto& methods = study.Get<SweepStudy::Words>("methods");
        std::for_each(methods.begin(), methods.end(), MakeNetworkDone);
        // What parts of a method can't do is known when their group is made.
        for (const auto& name : methods)
        {
            const SimulationScope ownSimulation;
            const auto domain = study.Install();
            domain->GetFabric()->Start();
            const auto hosts = JobPlacement(study.GetGraph(), {}).Draw();
            const NetworkDoneRounds rounds(MakeNetworkDone(name),
                                           domain,
                                           hosts,
                                           GetQuanta(study, 0),
                                           0);
        }
    });
    return study.GetNHosts();
}

void
MeasureNetworkDone(SweepStudy& study, CsvRow& row)
{
    const auto quanta = GetQuanta(study, row["messages"]);
    const auto domain = study.Install();
    const auto fabric = domain->GetFabric();
    fabric->Start();
    const int64_t nHosts = domain->GetNHosts();
    // Three streams of the traffic, two of each process, then those of hosts' software.
    constexpr int64_t FIRST = 4;
    CollectiveHelper::AssignStreams(domain, FIRST + 2 * nHosts);
    const NetworkDoneRounds rounds(MakeNetworkDone(row["method"].Text()),
                                   domain,
                                   study.Place(row),
                                   quanta,
                                   FIRST);
    BackgroundTraffic traffic(*domain, study.m_traffic);
    traffic.Start();
    // All messages, their acknowledgements and those of some barriers, one after the other.
    const auto number = nHosts * (100 + 4 * std::llround(std::ceil(quanta.messages)));
    SweepStudy::Run(
        *domain,
        traffic,
        [&rounds] { return rounds.GetLastLeave(); },
        MilliSeconds(10) + quanta.length +
            SweepStudy::GetMessageTime(*domain, quanta.bytes) * number);
    WormholeError::ThrowIf(!rounds.AreOver(),
                           "barrier '" + row["method"].Text() +
                               "' came to a stop: " + domain->ExplainMissing());
    rounds.Report(row);
    const auto sendingUs = rounds.GetMeanMessages() *
                           static_cast<double>(fabric->GetFlits(quanta.bytes)) *
                           fabric->GetFlitTime().GetSeconds() * 1e6;
    row["message_load"] = sendingUs / row["step_us"];
    row["accounting_us"] =
        GetAccountingUs(row["method"].Text(), domain->GetNHosts(), rounds.GetCommunicates());
}

} // namespace

/// What Network-Done takes at the end of the quanta of a parallel simulator: the situation of the
/// Wisconsin Wind Tunnel in Hyder and Wood (1996), section 3.2. One process on each host of a
/// fabric; all methods get the same random numbers, so that processes send the same messages after
/// the same computations.
std::unique_ptr<StudyDefinition>
MakeNetworkDoneStudy()
{
    return std::make_unique<SweepStudy>(SweepCase{
        {"network-done",
         "network_done",
         "Measures Network-Done: barriers that wait for messages under way.",
         USAGE,
         "a row for each method and number of messages",
         true},
        MakeNetworkDoneTable(),
        MakeNetworkDonePlots,
        {{"methods=network-done[Method=acks|Inner=hw-1] [list]: Names of network-done barriers; "
          "default: acknowledgements, then a barrier by software or hw-1, and repeated sums by "
          "software or hw-all",
          "messages=0.5,5 (0.1,0.2,0.5,1,2,5,10,20) [list ratio 0..10000]: Mean numbers of "
          "messages of a process in a quantum; zero is always measured",
          "bytes=20 (20) [bytes 1..1GiB]: Length of a message, header included",
          "quantum=100us (350us) [time above 0]: How long a process computes in a round; the "
          "default is about what WWT-Appbt does, with 2834 quanta in a second",
          "rounds=64 (64) [4..1000000]: Number of rounds; the first quarter is not measured",
          "load=0.2 [ratio 0..10]: Offered load of other data traffic, a fraction of a channel's "
          "rate; default: none",
          "flits=64 (64): Length of its worms, as in latency-load"},
         SweepStudy::GetMessageCosts("4.2us", "7.3us"),
         {{"progressBy=interrupt (in-call) ns3::HostSoftware::Progress: Who receives messages for "
           "a process that computes, as in split-barrier",
           HostSoftware::GetProgressNames()},
          "interrupt=1us (0us) [time] ns3::HostSoftware::InterruptTime: Extra time for which a "
          "message occupies the process that it interrupts",
          "seed=1 (1) [1..1000000]: Seed of random numbers"}},
        {"clos:ports=8,levels=2", "clos:ports=8,levels=2"},
        false,
        "first",
        ", of all hosts",
        {{"method", "methods"}, {"messages", "messages"}},
        "latency_us",
        [](SweepStudy& study) {
            study.AddNeed({"flits"}, "load");
            study.AddNeed({"interrupt"}, "progressBy", "interrupt");
        },
        "methods",
        MakeNetworkDone,
        ReadNetworkDone,
        MeasureNetworkDone});
}

} // namespace ns3
