/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_DONE_STUDY_H
#define NETWORK_DONE_STUDY_H

#include "ns3/csv-table.h"
#include "ns3/nstime.h"
#include "ns3/study-fabric.h"
#include "ns3/study-form.h"
#include "ns3/study-plot.h"

#include <cstdint>
#include <memory>
#include <string>
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
 * @brief What the study of synchronisation hardware (SyncMachine) has for a Network-Done: without
 *        any simulation of messages, at its own costs of software, on an idle machine.
 *
 * By counters it is one ADD, whatever there is under way; by acknowledgements the time of one more
 * message where there are messages. The inner barrier comes besides.
 */
class NetworkDoneAccounting
{
  public:
    /// @param method name of a network-done barrier @param nodes number of its members, 2 at least
    /// @param communicates share of rounds that there are messages in
    /// @return what the accounting has for a round, us; NaN if it does not know the method's parts:
    /// hw-1, hw-all and algorithms by software are known
    static double GetTimeUs(const std::string& method, uint32_t nodes, double communicates);
};

/**
 * @ingroup wormhole
 * @brief What Network-Done takes at the end of the quanta of a parallel simulator: the situation of
 *        the Wisconsin Wind Tunnel in Hyder and Wood (1996), section 3.2.
 *
 * One process on each host of a fabric, see NetworkDoneRounds. All methods get the same random
 * numbers: processes send the same messages after the same computations.
 */
class NetworkDoneStudy
{
  public:
    /// What is asked.
    struct Parameters : public StudyFabric
    {
        std::vector<std::string> methods; ///< names of network-done barriers
        std::vector<double> messages;     ///< mean messages of a process in a quantum, besides 0
        uint32_t bytes{20};               ///< length of a message
        Time quantum;                     ///< how long a process computes in a round
        uint32_t rounds{64};              ///< number of rounds
        double load{0};                   ///< offered load of other data traffic; 0: there is none
        std::string flits{"64"};          ///< length of its worms, as WormLength::Parse
        uint32_t seed{1};                 ///< seed of random numbers
    };

    using Progress = StudyForm::Progress; ///< told how many rows of how many are done

    /// @param parameters what is asked
    /// @throws WormholeError if there is nothing to do, or a method can't be
    explicit NetworkDoneStudy(const Parameters& parameters);

    /// Runs all: by method and number of messages.
    /// @param jobs worker processes, see WorkerPool @param progress is told how far it is, if it is
    /// there
    /// @return rows of the CSV
    std::vector<NetworkDoneRow> Run(uint32_t jobs, const Progress& progress) const;

  private:
    Parameters m_parameters; ///< what is asked
};

/// Draws times and sums over the number of messages, a colour for each method. With latency there
/// is a thin line, the time until all is received, which no method can be below.
/// @param rows rows of a study
/// @return the plots latency, step and sums
std::vector<StudyPlot> MakeNetworkDonePlots(const std::vector<NetworkDoneRow>& rows);

/// @return the study as people ask for it: network-done, and network_done in Python
std::unique_ptr<StudyForm> MakeNetworkDoneStudy();

} // namespace ns3

#endif /* NETWORK_DONE_STUDY_H */
