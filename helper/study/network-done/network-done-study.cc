/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-done-study.h"

#include "ns3/double.h"
#include "ns3/host-software.h"
#include "ns3/network-done-barrier.h"
#include "ns3/own-simulation.h"
#include "ns3/random-variable-stream.h"
#include "ns3/sample-summary.h"
#include "ns3/simulator.h"
#include "ns3/software-collective.h"
#include "ns3/string.h"
#include "ns3/study-sweep.h"
#include "ns3/sync-machine.h"
#include "ns3/traffic-beside.h"
#include "ns3/worm-length.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

namespace
{

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
    /// What processes do.
    struct Setting
    {
        uint32_t rounds{0}; ///< number of rounds
        Time quantum;       ///< how long a process computes in each
        double messages{0}; ///< mean number of messages that it sends in each
        uint32_t bytes{0};  ///< length of a message
        int64_t stream{0};  ///< first of two streams of random numbers for each process
    };

    /// Makes the group; its members begin when it is ready.
    /// @param barrier the barrier, without a group @param domain the hosts @param setting what
    /// processes do
    NetworkDoneRounds(Ptr<NetworkDoneBarrier> barrier,
                      Ptr<CollectiveDomain> domain,
                      const Setting& setting)
        : m_barrier(barrier),
          m_setting(setting),
          m_first(setting.rounds / 4),
          m_members(domain->GetNHosts()),
          m_rounds(setting.rounds)
    {
        auto stream = setting.stream;
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
    void Report(NetworkDoneRow& row) const
    {
        const auto rounds = m_setting.rounds - m_first;
        row.latencyUs = m_latency.GetMean();
        row.quietUs = m_quiet.GetMean();
        row.sums = m_sums.GetMean();
        row.busyPercent = 100.0 * m_nBusy / rounds;
        row.stepUs = InUs(m_lastLeave - m_start) / rounds;
        row.messageUs = m_message.GetMean();
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
        if (m_setting.messages > 0)
        {
            const auto interval = member.intervals->GetValue() / m_setting.messages *
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

    Ptr<NetworkDoneBarrier> m_barrier; ///< the barrier
    Setting m_setting;                 ///< what processes do
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

Ptr<NetworkDoneBarrier>
MakeNetworkDone(const std::string& name)
{
    const auto barrier = DynamicCast<NetworkDoneBarrier>(CollectiveHelper::MakeBarrier(name));
    StudyCheck::RefuseIf(!barrier,
                         "'" + name +
                             "' does not wait for messages of data; accepted are network-done and "
                             "such as network-done[Method=acks|Inner=hw-1]");
    return barrier;
}

Time
GetLimit(const NetworkDoneStudy::Parameters& p, const CollectiveDomain& domain, double messages)
{
    // All messages, their acknowledgements and those of some barriers, one after the other.
    const auto number = static_cast<int64_t>(domain.GetNHosts()) *
                        (100 + 4 * static_cast<int64_t>(std::ceil(messages)));
    return MilliSeconds(10) + p.quantum + StudyFabric::GetMessageTime(domain, p.bytes) * number;
}

NetworkDoneRow
MeasureNetworkDone(const NetworkDoneStudy::Parameters& p, NetworkDoneRow row)
{
    const SeedKeeper seedKeeper;
    const OwnSimulation ownSimulation;
    RngSeedManager::SetSeed(p.seed);
    RngSeedManager::SetRun(1);
    const auto domain = p.Install();
    const auto fabric = domain->GetFabric();
    fabric->Start();
    const auto nHosts = domain->GetNHosts();
    // Three streams of the traffic, two of each process, then those of hosts' software.
    constexpr int64_t FIRST = 4;
    CollectiveHelper::AssignStreams(domain, FIRST + 2 * int64_t{nHosts});
    const NetworkDoneRounds rounds(MakeNetworkDone(row.method),
                                   domain,
                                   {p.rounds, p.quantum, row.messages, p.bytes, FIRST});
    TrafficBeside traffic(*domain, {p.load, p.flits, "uniform", 1, BacklogLimit::PER_SENDER});
    traffic.Start();
    const auto lastLeave = [&rounds] { return rounds.GetLastLeave(); };
    const auto watch =
        traffic.Get()
            ? std::make_unique<ProgressWatch>(lastLeave, GetLimit(p, *domain, row.messages))
            : nullptr;
    Simulator::Run();
    if (!rounds.AreOver())
    {
        throw WormholeError("barrier '" + row.method +
                            "' came to a stop: " + domain->ExplainMissing());
    }
    rounds.Report(row);
    const auto sendingUs = rounds.GetMeanMessages() *
                           static_cast<double>(fabric->GetFlits(p.bytes)) *
                           fabric->GetFlitTime().GetSeconds() * 1e6;
    row.messageLoad = sendingUs / row.stepUs;
    row.accountingUs =
        NetworkDoneAccounting::GetTimeUs(row.method, nHosts, rounds.GetCommunicates());
    return row;
}

} // namespace

NetworkDoneStudy::NetworkDoneStudy(const Parameters& parameters)
    : m_parameters(parameters)
{
    const auto& p = m_parameters;
    StudyCheck::RefuseIf(!p.topology || p.methods.empty(),
                         "study of Network-Done without a fabric or methods: accepted are a fabric "
                         "and one method at least");
    StudyCheck::RefuseIf(
        p.rounds < 4,
        std::to_string(p.rounds) +
            " rounds, of which the first quarter is not measured; accepted are 4 and more");
    StudyCheck::RefuseIf(p.GetNHosts() < 2,
                         "a fabric of " + std::to_string(p.GetNHosts()) +
                             " hosts, where nobody can send to another; accepted are 2 and more");
    StudyCheck::RefuseIf(!p.quantum.IsStrictlyPositive(),
                         "a quantum of " + std::to_string(p.quantum.GetNanoSeconds()) +
                             " ns; accepted is a time above 0");
    std::for_each(p.methods.begin(), p.methods.end(), MakeNetworkDone);
    WormLength::Parse(p.flits);
    // What parts of a method can't do is known when their group is made.
    for (const auto& name : p.methods)
    {
        const OwnSimulation ownSimulation;
        const auto domain = p.Install();
        domain->GetFabric()->Start();
        NetworkDoneRounds::Setting setting;
        setting.rounds = p.rounds;
        const NetworkDoneRounds rounds(MakeNetworkDone(name), domain, setting);
    }
}

std::vector<NetworkDoneRow>
NetworkDoneStudy::Run(uint32_t jobs, const Progress& progress) const
{
    const auto& p = m_parameters;
    std::vector<double> numbers{0};
    numbers.insert(numbers.end(), p.messages.begin(), p.messages.end());
    NetworkDoneRow common;
    common.quantumUs = p.quantum.GetSeconds() * 1e6;
    common.bytes = p.bytes;
    common.trafficLoad = p.load;
    return StudySweep(common)
        .Over(&NetworkDoneRow::method, p.methods)
        .Over(&NetworkDoneRow::messages, numbers)
        .Measure([this](const auto& row) { return MeasureNetworkDone(m_parameters, row); },
                 jobs,
                 progress);
}

namespace
{

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

} // namespace

double
NetworkDoneAccounting::GetTimeUs(const std::string& method, uint32_t nodes, double communicates)
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

} // namespace ns3
