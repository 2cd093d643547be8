// SPDX-License-Identifier: GPL-2.0-only

#ifndef NETWORK_DONE_ROUNDS_H
#define NETWORK_DONE_ROUNDS_H

#include "sample-summary.h"

#include "ns3/collective-domain.h"
#include "ns3/csv-table.h"
#include "ns3/double.h"
#include "ns3/network-done-barrier.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// What processes do between two barriers.
struct Quanta
{
    uint32_t rounds; ///< how many of them
    Time length;     ///< how long a process computes in one
    double messages; ///< mean number of messages that a process sends in one
    uint32_t bytes;  ///< length of a message
};

/**
 * Processes that compute for a quantum, send messages meanwhile, and meet by Network-Done, again
 * and again; one on each host.
 *
 * A process sends as a Poisson stream in the time that it computes, each message to any of the
 * others. Sending takes it time besides. It goes on, or enters, when its software is through with
 * what has come by then. The first quarter of the rounds is not measured.
 */
class NetworkDoneRounds
{
  public:
    /// Makes the group; its members begin when it is ready.
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

    /// @return mean number of messages of a process in a measured round
    double GetMeanMessages() const
    {
        return 1.0 * m_nSent / (m_quanta.rounds - m_first) / m_members.size();
    }

    /// @return share of measured rounds in which there were messages
    double GetCommunicates() const
    {
        return 1.0 * m_nWithMessages / (m_quanta.rounds - m_first);
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

} // namespace ns3

#endif /* NETWORK_DONE_ROUNDS_H */
