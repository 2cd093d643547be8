/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_DONE_ROUNDS_H
#define NETWORK_DONE_ROUNDS_H

#include "ns3/csv-table.h"
#include "ns3/network-done-barrier.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/sample-summary.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of Network-Done tells of one method and number of messages: a row of its CSV.
 */
struct NetworkDoneRow
{
    std::string method;     ///< name of the barrier
    double quantumUs{0};    ///< how long a process computes in a round, us
    uint32_t bytes{0};      ///< length of a message
    double trafficLoad{0};  ///< offered load of other data traffic, of a channel's rate
    double messages{0};     ///< mean number of messages of a process in a quantum
    double messageLoad{0};  ///< load that they offer to a host's channel, of its rate
    double latencyUs{0};    ///< mean time from the last member's entry to the last leave, us
    double quietUs{0};      ///< mean time from that entry until all messages are received, us
    double sums{0};         ///< mean number of sums in a round
    double busyPercent{0};  ///< share of rounds with messages under way at the last entry, percent
    double stepUs{0};       ///< mean time of a round, us
    double accountingUs{0}; ///< what sync-hardware's accounting has for Network-Done, us; NaN: none
    double messageUs{0};    ///< mean time of a message, software included, us; NaN: there is none

    /// @return its columns
    static const CsvTable<NetworkDoneRow>& GetTable();
};

/**
 * @ingroup wormhole
 * @brief Processes that compute for a quantum, send messages meanwhile, and meet by Network-Done,
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

    /**
     * Makes the group; its members begin when it is ready.
     * @param barrier the barrier, without a group
     * @param domain the hosts
     * @param setting what processes do
     */
    NetworkDoneRounds(Ptr<NetworkDoneBarrier> barrier,
                      Ptr<CollectiveDomain> domain,
                      const Setting& setting);

    ~NetworkDoneRounds();

    NetworkDoneRounds(const NetworkDoneRounds&) = delete;            ///< traces point to it
    NetworkDoneRounds& operator=(const NetworkDoneRounds&) = delete; ///< traces point to it

    /// @return whether all rounds are over
    bool AreOver() const;

    /// @return when a member left last
    Time GetLastLeave() const;

    /// @return mean number of messages of a process in a measured round
    double GetMeanMessages() const;

    /// @return share of measured rounds in which there were messages
    double GetCommunicates() const;

    /// Writes down times, sums and the share of busy rounds. @param row where to
    void Report(NetworkDoneRow& row) const;

  private:
    /// A member.
    struct Member
    {
        uint32_t round{0};                        ///< its round
        Time left;                                ///< what it has to compute in it
        Ptr<ExponentialRandomVariable> intervals; ///< between messages, of the mean interval
        Ptr<UniformRandomVariable> receivers;     ///< whom it sends to
    };

    /// A round.
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

    /// The group is ready.
    void Ready(Time);

    /// A member begins a round. @param rank the member
    void Begin(uint32_t rank);

    /**
     * @param rank a member
     * @param next what it does when its software is through with what it has to do for now
     * @return whether it is; otherwise next is called then
     */
    bool IsFree(uint32_t rank, void (NetworkDoneRounds::*next)(uint32_t));

    /// A member computes until its next message, or to the end. @param rank the member
    void Compute(uint32_t rank);

    /// A member has computed for now, unless it was interrupted. @param rank the member
    /// @param sends whether it sends a message then
    void EndPiece(uint32_t rank, bool sends);

    /// A member enters, if it is through with what has come. @param rank the member
    void Enter(uint32_t rank);

    /// A message was received. @param from the sender's rank @param latency since it was sent
    void Receive(uint32_t, uint32_t from, uint32_t, Time latency);

    /// A member knows a sum. @param rank the member @param nSums sums so far
    void Count(uint32_t rank, uint32_t nSums, bool);

    /// A member leaves. @param rank the member
    void Leave(uint32_t rank, uint64_t);

    /// A round is over. @param number its number
    void Finish(uint32_t number);

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

} // namespace ns3

#endif /* NETWORK_DONE_ROUNDS_H */
