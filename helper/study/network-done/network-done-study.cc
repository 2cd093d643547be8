// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/collective-domain.h"
#include "ns3/csv-table.h"
#include "ns3/double.h"
#include "ns3/network-done-barrier.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/sample-summary.h"
#include "ns3/simulation-scope.h"
#include "ns3/simulator.h"
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
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

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

struct Quanta
{
    uint32_t rounds; ///< how many of them
    Time length;     ///< how long a process computes in one
    double messages; ///< mean number of messages that a process sends in one
    uint32_t bytes;  ///< length of a message
};

/// Processes that compute for a quantum, send messages meanwhile, and meet by Network-Done, again
/// and again; one on each host. A process sends as a Poisson stream in the time that it computes,
/// each message to any of the others. Sending takes it time besides. It goes on, or enters, when
/// its software is through with what has come by then. The first quarter of the rounds is not
/// measured.
class NetworkDoneRounds
{
  public:
    /// @param stream first of two streams of random numbers for each process
    NetworkDoneRounds(Ptr<NetworkDoneBarrier> barrier,
                      Ptr<CollectiveDomain> domain,
                      const std::vector<uint32_t>& hosts,
                      const Quanta& quanta,
                      int64_t stream)
        : m_barrier(barrier),
          m_quanta(quanta),
          m_first(quanta.rounds / 4),
          m_members(domain->GetNHosts()),
          m_rounds(quanta.rounds)
    {
        for (auto& member : m_members)
        {
            member.intervals = CreateObject<ExponentialRandomVariable>();
            member.intervals->SetAttribute("Mean", DoubleValue(1));
            member.intervals->SetStream(stream++);
            member.receivers = CreateObject<UniformRandomVariable>();
            member.receivers->SetStream(stream++);
        }
        const auto connect = [&](const std::string& source, const CallbackBase& callback) {
            barrier->TraceConnectWithoutContext(source, callback);
        };
        connect("Ready", MakeCallback(&NetworkDoneRounds::Ready, this));
        connect("Received", MakeCallback(&NetworkDoneRounds::Receive, this));
        connect("Counted", MakeCallback(&NetworkDoneRounds::Count, this));
        connect("Leave", MakeCallback(&NetworkDoneRounds::Leave, this));
        barrier->Create(domain, hosts);
    }

    ~NetworkDoneRounds()
    {
        m_barrier->Dispose();
    }

    NetworkDoneRounds(const NetworkDoneRounds&) = delete;            ///< traces point to it
    NetworkDoneRounds& operator=(const NetworkDoneRounds&) = delete; ///< traces point to it

    bool AreOver() const
    {
        return m_nOver == m_quanta.rounds;
    }

    Time GetLastLeave() const
    {
        return m_lastLeave;
    }

    void Report(CsvRow& row) const
    {
        const auto rounds = m_quanta.rounds - m_first;
        row["latency_us"] = m_latency.GetMean();
        row["quiet_us"] = m_quiet.GetMean();
        row["sums"] = m_sums.GetMean();
        row["busy_percent"] = 100.0 * m_nBusy / rounds;
        row["step_us"] = InUs(m_lastLeave - m_start) / rounds;
        row["message_us"] = m_message.GetMean();
        const auto& domain = m_barrier->GetDomain();
        const auto& fabric = *domain.GetFabric();
        const auto sendingUs = 1.0 * m_nSent / rounds / m_members.size() *
                               static_cast<double>(fabric.GetFlits(m_quanta.bytes)) *
                               fabric.GetFlitTime().GetSeconds() * 1e6;
        row["message_load"] = sendingUs / row["step_us"];
        row["accounting_us"] = GetAccountingUs(row["method"].Text(),
                                               domain.GetNHosts(),
                                               1.0 * m_nWithMessages / rounds);
    }

  private:
    static double InUs(Time time)
    {
        return time.GetSeconds() * 1e6;
    }

    struct Member
    {
        uint32_t round{0};                        ///< its round
        Time left;                                ///< what it has to compute in it
        Ptr<ExponentialRandomVariable> intervals; ///< between messages, of the mean interval
        Ptr<UniformRandomVariable> receivers;     ///< whom it sends to
    };

    struct Round
    {
        uint32_t nEntered{0}; ///< members that have entered
        uint32_t nLeft{0};    ///< members that have left
        uint64_t nSent{0};    ///< messages
        uint32_t nSums{0};    ///< sums
        bool isBusy{false};   ///< whether messages were under way at the last entry
        Time lastEntry;       ///< when the last member entered
        Time quiet;           ///< when the last message since then was received; or the last entry
    };

    void Ready(Time)
    {
        // Not at once: a group that is ready at its creation is still being made.
        for (uint32_t rank = 0; rank < m_members.size(); ++rank)
        {
            Simulator::ScheduleNow(&NetworkDoneRounds::Begin, this, rank);
        }
    }

    void Begin(uint32_t rank)
    {
        m_members[rank].left = m_quanta.length;
        Compute(rank);
    }

    /// @return whether it is; otherwise next is called then
    bool IsFree(uint32_t rank, void (NetworkDoneRounds::*next)(uint32_t))
    {
        const auto now = Simulator::Now();
        const auto free = m_barrier->GetSoftware(rank).GetCallEnd(m_barrier->GetTask(rank));
        if (free > now)
        {
            Simulator::Schedule(free - now, next, this, rank);
        }
        return free <= now;
    }

    /// A member computes until its next message, or to the end.
    void Compute(uint32_t rank)
    {
        // What has come is taken, and acknowledged, first.
        if (!IsFree(rank, &NetworkDoneRounds::Compute))
        {
            return;
        }
        auto& member = m_members[rank];
        auto piece = member.left;
        bool sends = false;
        if (m_quanta.messages > 0)
        {
            const auto interval = member.intervals->GetValue() / m_quanta.messages *
                                  static_cast<double>(m_quanta.length.GetTimeStep());
            sends = interval < static_cast<double>(member.left.GetTimeStep());
            piece = sends ? TimeStep(std::llround(interval)) : piece;
        }
        member.left -= piece;
        const auto end = m_barrier->GetSoftware(rank).Compute(m_barrier->GetTask(rank), piece);
        Simulator::Schedule(end - Simulator::Now(),
                            &NetworkDoneRounds::EndPiece,
                            this,
                            rank,
                            sends);
    }

    /// A member has computed for now, unless it was interrupted.
    void EndPiece(uint32_t rank, bool sends)
    {
        const auto now = Simulator::Now();
        const auto until = m_barrier->GetSoftware(rank).GetComputingUntil(m_barrier->GetTask(rank));
        if (until > now)
        {
            Simulator::Schedule(until - now, &NetworkDoneRounds::EndPiece, this, rank, sends);
            return;
        }
        if (!sends)
        {
            Enter(rank);
            return;
        }
        auto& member = m_members[rank];
        const auto n = static_cast<uint32_t>(m_members.size());
        const auto to = (rank + 1 + member.receivers->GetInteger(0, n - 2)) % n;
        ++m_rounds[member.round].nSent;
        m_barrier->Send(rank, to, m_quanta.bytes);
        Compute(rank);
    }

    /// A member enters, if it is through with what has come.
    void Enter(uint32_t rank)
    {
        if (!IsFree(rank, &NetworkDoneRounds::Enter))
        {
            return;
        }
        auto& round = m_rounds[m_members[rank].round];
        if (++round.nEntered == m_members.size())
        {
            round.isBusy = m_barrier->GetNUnderWay() > 0;
            round.lastEntry = Simulator::Now();
            round.quiet = round.lastEntry;
        }
        m_barrier->Enter(rank);
    }

    void Receive(uint32_t, uint32_t from, uint32_t, Time latency)
    {
        // Nobody has left before it is received: its sender's round is that in which it was sent.
        const auto number = m_members[from].round;
        auto& round = m_rounds[number];
        if (round.nEntered == m_members.size())
        {
            round.quiet = Simulator::Now();
        }
        if (number >= m_first)
        {
            m_message.Add(InUs(latency));
        }
    }

    void Count(uint32_t rank, uint32_t nSums, bool)
    {
        auto& round = m_rounds[m_members[rank].round];
        round.nSums = std::max(round.nSums, nSums);
    }

    void Leave(uint32_t rank, uint64_t)
    {
        m_lastLeave = Simulator::Now();
        const auto number = m_members[rank].round++;
        if (++m_rounds[number].nLeft == m_members.size())
        {
            Finish(number);
        }
        if (number + 1 < m_quanta.rounds)
        {
            Simulator::ScheduleNow(&NetworkDoneRounds::Begin, this, rank);
        }
    }

    void Finish(uint32_t number)
    {
        ++m_nOver;
        if (number < m_first)
        {
            m_start = m_lastLeave;
            return;
        }
        const auto& round = m_rounds[number];
        m_latency.Add(InUs(m_lastLeave - round.lastEntry));
        m_quiet.Add(InUs(round.quiet - round.lastEntry));
        m_sums.Add(round.nSums);
        m_nBusy += round.isBusy;
        m_nWithMessages += round.nSent > 0;
        m_nSent += round.nSent;
        if (AreOver())
        {
            Simulator::Stop();
        }
    }

    Ptr<NetworkDoneBarrier> m_barrier; ///< the barrier
    const Quanta m_quanta;             ///< what processes do
    uint32_t m_first;                  ///< rounds that are not measured
    std::vector<Member> m_members;     ///< by rank
    std::vector<Round> m_rounds;       ///< by number
    uint32_t m_nOver{0};               ///< rounds that are over
    uint32_t m_nBusy{0};               ///< busy ones of those measured
    uint32_t m_nWithMessages{0};       ///< measured rounds with messages
    uint64_t m_nSent{0};               ///< messages of measured rounds
    Time m_start;                      ///< when the last round that is not measured was over
    Time m_lastLeave;                  ///< when a member left last
    SampleSummary m_latency;           ///< from the last entry to the last leave, us
    SampleSummary m_quiet;             ///< from the last entry until all is received, us
    SampleSummary m_sums;              ///< sums in a round
    SampleSummary m_message;           ///< times of messages, us
};

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
        {"messages: Mean number of messages that a process sends in a quantum", Is::NUMBER},
        {"message_load: Load of these messages, as a fraction of a channel's rate", RATIO},
        {"latency_us (us): Mean time from the last member's entry to the last exit", Is::NUMBER},
        {"quiet_us (us): Mean time from the last entry until all messages are received",
         Is::NUMBER},
        {"sums: Mean number of sums of counters in a round", Is::NUMBER},
        {"busy_percent (percent): Share of rounds with messages under way at the last entry", 1},
        {"step_us (us): Mean time of a round", Is::NUMBER},
        {"accounting_us (us): Time that sync-hardware's accounting gives; nan: none", Is::NUMBER},
        {"message_us (us): Mean time of a message, software included; nan: there is none",
         Is::NUMBER}});
}

Ptr<NetworkDoneBarrier>
MakeNetworkDone(const std::string& name)
{
    auto barrier = DynamicCast<NetworkDoneBarrier>(CollectiveHelper::MakeBarrier(name));
    WormholeError::ThrowIf(!barrier,
                           "'" + name +
                               "' does not wait for messages of data; expected network-done, "
                               "also as in network-done[Method=acks|Inner=hw-1]");
    return barrier;
}

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

const std::string NETWORK_DONE_USAGE =
    "Measures Network-Done: a barrier that no process leaves while messages are under way, as "
    "parallel simulators need it after each quantum. One process on each host computes for a "
    "quantum, sends messages to the others meanwhile, and then enters the barrier. Columns: the "
    "load of these messages; the times from the last entry to the last exit, and from the last "
    "entry until all messages are received (a lower bound); how often counters of messages were "
    "summed; the share of rounds with messages under way at the last entry; the time of a round; "
    "the barrier's time in sync-hardware's model, at the paper's costs (nan: the model lacks this "
    "barrier); and the time of a message.\n\n"
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
    domain->GetFabric()->Start();
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
         NETWORK_DONE_USAGE,
         "a row for each method and number of messages",
         true},
        MakeNetworkDoneTable(),
        MakeNetworkDonePlots,
        {{"methods=network-done[Method=acks|Inner=hw-1] [list]: Names of network-done barriers; "
          "default: four (acknowledgements, then a barrier by software or hw-1; repeated sums by "
          "software or hw-all)",
          "messages=0.5,5 (0.1,0.2,0.5,1,2,5,10,20) [list ratio 0..10000]: Mean numbers of "
          "messages that a process sends in a quantum; zero is always measured",
          "bytes=20 (20) [bytes 1..1GiB]: Length of a message, header included",
          "quantum=100us (350us) [time above 0]: How long a process computes in a round; the "
          "default is about that of WWT-Appbt, which has 2834 quanta per second",
          "rounds=64 (64) [4..1000000]: Number of rounds; the first quarter is not measured",
          "load=0.2 [ratio 0..10]: Offered load of other data traffic, a fraction of a channel's "
          "rate; default: none",
          "flits=64 (64): Flits per worm of that traffic, in any form that latency-load takes"},
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
        "; all hosts are members",
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
