/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-done-accounting.h"

#include "ns3/double.h"
#include "ns3/fabric-options.h"
#include "ns3/latency-load-study.h"
#include "ns3/network-done-barrier.h"
#include "ns3/random-variable-stream.h"
#include "ns3/sample-summary.h"
#include "ns3/simulation-scope.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/study-fabric.h"
#include "ns3/study-makers.h"
#include "ns3/study-plot.h"
#include "ns3/table-study.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-host-software.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <cmath>
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
    return {
        {"method: Name of the barrier"},
        {"quantum_us (us): How long a process computes in a round", Is::NUMBER},
        {"bytes (bytes): Length of a message", Is::WHOLE},
        {"traffic_load: Offered load of other traffic, over a channel's rate", RATIO},
        {"messages: Mean number of messages of a process in a quantum", Is::NUMBER},
        {"message_load: Load of these messages, over a channel's rate", RATIO},
        {"latency_us (us): Mean time from the last member's entry to the last leave", Is::NUMBER},
        {"quiet_us (us): Mean time from the last entry until all messages are received",
         Is::NUMBER},
        {"sums: Mean number of sums in a round", Is::NUMBER},
        {"busy_percent (percent): Share of rounds with messages under way at the last entry", 1},
        {"step_us (us): Mean time of a round", Is::NUMBER},
        {"accounting_us (us): Time by sync-hardware's accounting; nan: there is none", Is::NUMBER},
        {"message_us (us): Mean time of a message, software included; nan: there is none",
         Is::NUMBER}};
}

/// What is asked.
struct NetworkDoneParameters : public StudyFabric
{
    std::vector<std::string> methods;
    std::vector<double> messages; // besides 0
    uint32_t bytes{0};
    Time quantum;
    uint32_t rounds{0};
    double load{0}; // 0: there is no other traffic
    std::string flits;
    uint32_t seed{0};
};

double
InUs(Time time)
{
    return time.GetSeconds() * 1e6;
}

/**
 * Processes that compute for a quantum, send messages meanwhile, and meet by Network-Done,
 *        again and again; one on each host.
 *
 * A process sends as a Poisson stream in the time that it computes, each message to any of the
 * others. Sending takes it time besides. It goes on, or enters, when its software is through with
 * what has come by then. The first quarter of the rounds is not measured.
 */
class NetworkDoneRounds
{
  public:
    /// Makes the group; its members begin when it is ready.
    /// @param barrier the barrier, without a group @param domain the hosts
    /// @param setting what processes do, besides sending
    /// @param messages mean number of messages that a process sends in a round
    /// @param stream first of two streams of random numbers for each process
    NetworkDoneRounds(Ptr<NetworkDoneBarrier> barrier,
                      Ptr<CollectiveDomain> domain,
                      const NetworkDoneParameters& setting,
                      double messages,
                      int64_t stream)
        : m_barrier(barrier),
          m_setting(setting),
          m_messages(messages),
          m_first(setting.rounds / 4),
          m_members(domain->GetNHosts()),
          m_rounds(setting.rounds)
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
        barrier->Create(domain, StudyFabric::GetAllHosts(*domain));
    }

    ~NetworkDoneRounds()
    {
        m_barrier->Dispose();
    }

    NetworkDoneRounds(const NetworkDoneRounds&) = delete;            ///< traces point to it
    NetworkDoneRounds& operator=(const NetworkDoneRounds&) = delete; ///< traces point to it

    /// @return whether all rounds are over
    bool AreOver() const
    {
        return m_nOver == m_setting.rounds;
    }

    /// @return when a member left last
    Time GetLastLeave() const
    {
        return m_lastLeave;
    }

    /// @return mean number of messages of a process in a measured round
    double GetMeanMessages() const
    {
        return 1.0 * m_nSent / (m_setting.rounds - m_first) / m_members.size();
    }

    /// @return share of measured rounds in which there were messages
    double GetCommunicates() const
    {
        return 1.0 * m_nWithMessages / (m_setting.rounds - m_first);
    }

    /// Writes down times, sums and the share of busy rounds. @param row where to
    void Report(CsvRow& row) const
    {
        const auto rounds = m_setting.rounds - m_first;
        row["latency_us"] = m_latency.GetMean();
        row["quiet_us"] = m_quiet.GetMean();
        row["sums"] = m_sums.GetMean();
        row["busy_percent"] = 100.0 * m_nBusy / rounds;
        row["step_us"] = InUs(m_lastLeave - m_start) / rounds;
        row["message_us"] = m_message.GetMean();
    }

  private:
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
        m_members[rank].left = m_setting.quantum;
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
            return false;
        }
        return true;
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
        if (m_messages > 0)
        {
            const auto interval = member.intervals->GetValue() / m_messages *
                                  static_cast<double>(m_setting.quantum.GetTimeStep());
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
        auto& software = m_barrier->GetSoftware(rank);
        const auto now = Simulator::Now();
        const auto until = software.GetComputingUntil(m_barrier->GetTask(rank));
        if (until > now)
        {
            Simulator::Schedule(until - now, &NetworkDoneRounds::EndPiece, this, rank, sends);
            return;
        }
        auto& member = m_members[rank];
        if (!sends)
        {
            Enter(rank);
            return;
        }
        const auto n = static_cast<uint32_t>(m_members.size());
        const auto to = (rank + 1 + member.receivers->GetInteger(0, n - 2)) % n;
        ++m_rounds[member.round].nSent;
        m_barrier->Send(rank, to, m_setting.bytes);
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
        if (number + 1 < m_setting.rounds)
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

    Ptr<NetworkDoneBarrier> m_barrier;      ///< the barrier
    const NetworkDoneParameters& m_setting; ///< what processes do
    double m_messages;                      ///< of a process in a round
    uint32_t m_first;                       ///< rounds that are not measured
    std::vector<Member> m_members;          ///< by rank
    std::vector<Round> m_rounds;            ///< by number
    uint32_t m_nOver{0};                    ///< rounds that are over
    uint32_t m_nBusy{0};                    ///< busy ones of those measured
    uint32_t m_nWithMessages{0};            ///< measured rounds with messages
    uint64_t m_nSent{0};                    ///< messages of measured rounds
    Time m_start;                           ///< when the last round that is not measured was over
    Time m_lastLeave;                       ///< when a member left last
    SampleSummary m_latency;                ///< from the last entry to the last leave, us
    SampleSummary m_quiet;                  ///< from the last entry until all is received, us
    SampleSummary m_sums;                   ///< sums in a round
    SampleSummary m_message;                ///< times of messages, us
};

Ptr<NetworkDoneBarrier>
MakeNetworkDone(const std::string& name)
{
    const auto barrier = DynamicCast<NetworkDoneBarrier>(CollectiveHelper::MakeBarrier(name));
    StudyCheck::RefuseIf(!barrier,
                         "'" + name +
                             "' does not wait for messages of data; expected network-done and "
                             "such as network-done[Method=acks|Inner=hw-1]");
    return barrier;
}

Time
GetLimit(const NetworkDoneParameters& p, const CollectiveDomain& domain, double messages)
{
    // All messages, their acknowledgements and those of some barriers, one after the other.
    const auto number = static_cast<int64_t>(domain.GetNHosts()) *
                        (100 + 4 * static_cast<int64_t>(std::ceil(messages)));
    return MilliSeconds(10) + p.quantum + StudyFabric::GetMessageTime(domain, p.bytes) * number;
}

CsvRow
MeasureNetworkDone(const NetworkDoneParameters& p, CsvRow row)
{
    const SeedKeeper seedKeeper;
    const SimulationScope ownSimulation;
    RngSeedManager::SetSeed(p.seed);
    RngSeedManager::SetRun(1);
    const auto domain = p.Install();
    const auto fabric = domain->GetFabric();
    fabric->Start();
    const auto nHosts = domain->GetNHosts();
    // Three streams of the traffic, two of each process, then those of hosts' software.
    constexpr int64_t FIRST = 4;
    CollectiveHelper::AssignStreams(domain, FIRST + 2 * int64_t{nHosts});
    const NetworkDoneRounds rounds(MakeNetworkDone(row["method"].Text()),
                                   domain,
                                   p,
                                   row["messages"],
                                   FIRST);
    BackgroundTraffic traffic(*domain, {p.load, p.flits, "uniform", 1, BacklogLimit::PER_SENDER});
    traffic.Start();
    const auto lastLeave = [&rounds] { return rounds.GetLastLeave(); };
    const auto watch =
        traffic.Get()
            ? std::make_unique<StallDetector>(lastLeave, GetLimit(p, *domain, row["messages"]))
            : nullptr;
    Simulator::Run();
    if (!rounds.AreOver())
    {
        throw WormholeError("barrier '" + row["method"].Text() +
                            "' came to a stop: " + domain->ExplainMissing());
    }
    rounds.Report(row);
    const auto sendingUs = rounds.GetMeanMessages() *
                           static_cast<double>(fabric->GetFlits(p.bytes)) *
                           fabric->GetFlitTime().GetSeconds() * 1e6;
    row["message_load"] = sendingUs / row["step_us"];
    row["accounting_us"] =
        NetworkDoneAccounting::GetTimeUs(row["method"].Text(), nHosts, rounds.GetCommunicates());
    return row;
}

/// Refuses methods that can't be.
void
CheckMethods(const NetworkDoneParameters& p)
{
    StudyCheck::RefuseIf(p.GetNHosts() < 2,
                         "a fabric of " + std::to_string(p.GetNHosts()) +
                             " hosts, where nobody can send to another; expected 2 or more");
    std::for_each(p.methods.begin(), p.methods.end(), MakeNetworkDone);
    // What parts of a method can't do is known when their group is made.
    for (const auto& name : p.methods)
    {
        const SimulationScope ownSimulation;
        const auto domain = p.Install();
        domain->GetFabric()->Start();
        const NetworkDoneRounds rounds(MakeNetworkDone(name), domain, p, 0, 0);
    }
}

bool
HasMessages(const CsvRow& row)
{
    return row["messages"] > 0;
}

/// A curve of a plot.
struct CurveOf
{
    const char* value; ///< column that it shows
    const char* with;  ///< line, in gnuplot's words
};

/// @param all rows, those without messages, which have no place on a log axis, too
/// @param curves curves of a method; all but the first have no place in the key
StudyPlot
DrawMethods(const StudyPlot::Rows& all, StudyPlot plot, const std::vector<CurveOf>& curves)
{
    StudyPlot::Panel panel;
    std::size_t number = 0;
    for (const auto& [method, given] : StudyPlot::GroupBy(all, "method"))
    {
        const auto some = StudyPlot::Where(given, HasMessages);
        const auto isShown = std::any_of(some.begin(), some.end(), [&](const auto& row) {
            return row[curves.front().value] > 0;
        });
        // What tells a method from others is in brackets.
        const auto open = method.find('[');
        auto title =
            open == std::string::npos ? method : method.substr(open + 1, method.size() - open - 2);
        for (const auto& curve : curves)
        {
            panel.curves.push_back({title,
                                    curve.with + GnuplotScript::GetStyle(number),
                                    isShown ? StudyPlot::PointsOf(some, "messages", curve.value)
                                            : std::vector<StudyPlot::Point>()});
            title.clear();
        }
        ++number;
    }
    plot.xLabel = "messages per process and quantum";
    plot.axes = "set logscale x\n" + plot.axes + "set grid\n";
    const auto rows = StudyPlot::SortedBy(StudyPlot::Where(all, HasMessages), "messages");
    if (!rows.empty() && rows.front()["messages"] < rows.back()["messages"])
    {
        plot.axes += "set xrange [" + StudyPlot::Number(rows.front()["messages"]) + ":" +
                     StudyPlot::Number(rows.back()["messages"]) + "]\n";
    }
    plot.key = "set key above vertical maxrows 3 Left reverse noenhanced samplen 1.5\n";
    plot.panels = {panel};
    return plot;
}

/// Draws times and sums over the number of messages, a colour for each method. With latency there
/// is a thin line, the time until all is received, which no method can be below.
std::vector<StudyPlot>
MakeNetworkDonePlots(const StudyPlot::Rows& all, const StudyPlot::Rows&)
{
    StudyPlot latency{"latency", "", "last entry to last leave (us); thin: until all is received"};
    latency.axes = "set logscale y\nset yrange [0.1:*]\n";
    StudyPlot step{"step", "", "time of a round (us)"};
    StudyPlot sums{"sums", "", "sums in a round"};
    step.axes = sums.axes = "set yrange [0:*]\n";
    return {DrawMethods(all,
                        latency,
                        {{"latency_us", "linespoints lw 2 "}, {"quiet_us", "linespoints lw 1 "}}),
            DrawMethods(all, step, {{"step_us", "linespoints lw 2 "}}),
            DrawMethods(all, sums, {{"sums", "linespoints lw 2 "}})};
}

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

class NetworkDoneDefinition : public TableStudy
{
  public:
    NetworkDoneDefinition()
        : TableStudy({"network-done",
                      "network_done",
                      "Measures Network-Done: barriers that wait for messages under way.",
                      USAGE,
                      "a row for each method and number of messages",
                      true},
                     MakeNetworkDoneTable(),
                     MakeNetworkDonePlots)
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

    void Measure(const Progress& progress) override
    {
        const auto& p = m_parameters;
        std::vector<double> numbers{0};
        numbers.insert(numbers.end(), p.messages.begin(), p.messages.end());
        CsvRow common(m_table);
        common["quantum_us"] = p.quantum.GetSeconds() * 1e6;
        common["bytes"] = p.bytes;
        common["traffic_load"] = p.load;
        m_rows = StudySweep::Measure(
            StudySweep(common).Over("method", p.methods).Over("messages", numbers).GetRows(),
            [&p](const auto& row, auto) { return MeasureNetworkDone(p, row); },
            GetJobs(),
            progress);
    }

  protected:
    void Validate(const OptionValues& values) override
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
        values.Check("methods", [&] { CheckMethods(p); });
    }

  private:
    NetworkDoneParameters m_parameters;
};

} // namespace

std::unique_ptr<StudyDefinition>
MakeNetworkDoneStudy()
{
    return std::make_unique<NetworkDoneDefinition>();
}

} // namespace ns3
