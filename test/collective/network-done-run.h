/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_DONE_RUN_H
#define NETWORK_DONE_RUN_H

#include "ns3/collective-domain.h"
#include "ns3/network-done-barrier.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/wormhole-traffic.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/// A random group on a random fabric that sends messages of data and meets in a barrier by
/// Network-Done, and what a bystander sees who counts every message at both ends.
class NetworkDoneRun
{
  public:
    /// Makes the barrier, without attributes.
    using Maker = std::function<Ptr<NetworkDoneBarrier>()>;

    /// @param scheduler name of the scheduler; empty: drawn
    NetworkDoneRun(uint32_t number, const Maker& maker, const std::string& scheduler = "");
    ~NetworkDoneRun();

    NetworkDoneRun(const NetworkDoneRun&) = delete;            ///< traces point to it
    NetworkDoneRun& operator=(const NetworkDoneRun&) = delete; ///< traces point to it

    /// Simulates all rounds.
    void Run();

    /// @return the first thing that was wrong; empty: nothing was
    const std::string& GetTrouble() const;

    /// @return rounds in which messages were under way when the last member came
    uint32_t GetNBusy() const;

    /// @return rounds that took more sums than a round of a quiet network
    uint32_t GetNRepeated() const;

    /// @return when members left, one after the other, in ns-3's time units
    const std::vector<int64_t>& GetLeaves() const;

    /// @return what was drawn, for messages
    const std::string& GetName() const;

  private:
    /// Makes the fabric, its traffic and software. @return the most members it can have
    uint32_t DrawNetwork();

    void DrawGroup(const Maker& maker, uint32_t nHosts);

    /// @return name of a barrier for counters or values @param isAdding whether it must ADD
    std::string DrawPart(bool isAdding);

    /// @return a number of 0 to most, both included
    uint32_t Draw(uint32_t most);

    void Ready(Time);

    /// A member begins its next round: it will send some messages, then enter.
    void Begin(uint32_t rank);

    /// A member sends a message to somebody.
    void Send(uint32_t rank);

    void Enter(uint32_t rank);

    void Take(uint32_t to, uint32_t from, uint32_t bytes);

    /// A member has learned a sum.
    void Count(uint32_t rank, uint32_t nSums, bool done);

    void Leave(uint32_t rank, uint64_t result);

    /// A worm has arrived at a host's port.
    void Deliver(Ptr<const Worm> worm);

    /// Checks that nothing is under way.
    void CheckDone(const std::string& who);

    void Note(const std::string& trouble);

    std::string m_name;                ///< what was drawn
    std::string m_trouble;             ///< the first thing that was wrong
    Ptr<UniformRandomVariable> m_rng;  ///< random numbers
    Ptr<CollectiveDomain> m_domain;    ///< the network
    Ptr<WormholeTraffic> m_traffic;    ///< other traffic; null: none
    Ptr<NetworkDoneBarrier> m_barrier; ///< the barrier
    bool m_isDeep{false};              ///< whether buffers hold messages for switches
    bool m_isCounting{false};          ///< whether it counts
    bool m_answers{false};             ///< whether members answer
    uint32_t m_phase{0};               ///< most time between two actions, ps
    uint32_t m_nRounds{0};             ///< rounds
    uint32_t m_nMessages{0};           ///< most messages of a member in a round
    std::vector<uint32_t> m_entered;   ///< by rank
    std::vector<uint32_t> m_left;      ///< by rank
    uint32_t m_nEntered{0};            ///< entries of all
    uint32_t m_nDone{0};               ///< rounds that somebody has left
    uint64_t m_sent{0};                ///< messages sent
    uint64_t m_taken{0};               ///< messages taken
    uint64_t m_onWire{0};              ///< messages sent to another host
    uint64_t m_delivered{0};           ///< messages that have arrived at another host's port
    uint32_t m_nBusy{0};               ///< see GetNBusy
    uint32_t m_nRepeated{0};           ///< see GetNRepeated
    std::vector<int64_t> m_leaves;     ///< see GetLeaves
};

} // namespace ns3

#endif /* NETWORK_DONE_RUN_H */
