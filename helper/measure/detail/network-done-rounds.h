/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_DONE_ROUNDS_H
#define NETWORK_DONE_ROUNDS_H

#include "sample-summary.h"

#include "ns3/collective-domain.h"
#include "ns3/csv-table.h"
#include "ns3/network-done-barrier.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
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
    /// @param barrier the barrier, without a group @param domain the hosts
    /// @param hosts where members are
    /// @param quanta what processes do @param stream first of two streams of random numbers for
    /// each process
    NetworkDoneRounds(Ptr<NetworkDoneBarrier> barrier,
                      Ptr<CollectiveDomain> domain,
                      const std::vector<uint32_t>& hosts,
                      const Quanta& quanta,
                      int64_t stream);

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

    /// Writes down times, sums and the share of busy rounds. @param row where to
    void Report(CsvRow& row) const;

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

    void Ready(Time);

    void Begin(uint32_t rank);

    /// @return whether it is; otherwise next is called then
    bool IsFree(uint32_t rank, void (NetworkDoneRounds::*next)(uint32_t));

    /// A member computes until its next message, or to the end.
    void Compute(uint32_t rank);

    /// A member has computed for now, unless it was interrupted.
    void EndPiece(uint32_t rank, bool sends);

    /// A member enters, if it is through with what has come.
    void Enter(uint32_t rank);
    void Receive(uint32_t, uint32_t from, uint32_t, Time latency);

    void Count(uint32_t rank, uint32_t nSums, bool);
    void Leave(uint32_t rank, uint64_t);

    void Finish(uint32_t number);

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
