/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMP_STUDY_H
#define SMP_STUDY_H

#include "ns3/csv-table.h"
#include "ns3/job-placement.h"
#include "ns3/nstime.h"
#include "ns3/study-definition.h"
#include "ns3/study-hosts.h"
#include "ns3/study-plot.h"
#include "ns3/traffic-columns.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of broadcasts on a cluster of SMPs tells of one broadcast: a row of its CSV.
 */
struct SmpStudyRow : public TrafficRow
{
    std::string algorithm;    ///< name of the broadcast
    uint32_t switches{0};     ///< number of working switches
    uint32_t hosts{0};        ///< number of hosts, whatever the number of their processes
    uint32_t bytes{0};        ///< length of the message
    uint32_t steps{0};        ///< steps at unit cost, one-port
    double timeUs{0};         ///< until the last process has the message, simulated, us
    uint32_t tasksPerHost{1}; ///< number of processes of each host
    double timeUs99{0};       ///< time that 99 % of the broadcasts do not exceed, us

    /// @return its columns
    static const CsvTable<SmpStudyRow>& GetTable();
};

/**
 * @ingroup wormhole
 * @brief Broadcasts on clusters of SMPs: the comparison of Sun et al., "Broadcast on Clusters of
 *        SMPs with Optimal Concurrency", section III.
 *
 * A batch system gives hosts to a job. Of these, the first so many take part in a broadcast from
 * the first one: with one process each, as in the paper's measurements, which leave out the
 * broadcast within an SMP, or with several, whose ranks follow each other host by host.
 */
class SmpStudy
{
  public:
    /// What is asked.
    struct Parameters
    {
        std::vector<std::string> algorithms; ///< names of broadcasts by software, or btin
        std::vector<uint32_t> hosts;         ///< numbers of hosts that take part
        std::vector<uint32_t> bytes;         ///< lengths of the message
        JobPlacement::Parameters job;        ///< the job
        uint32_t placements{1};              ///< number of jobs, if they are random
        int64_t stream{0};                   ///< stream of random numbers
        StudyHosts cluster;                  ///< the cluster, a fabric
        Time startUp{MicroSeconds(2)}; ///< how long a message keeps its sender's software busy
        Time receive{};                ///< how long it keeps its receiver's
        uint32_t tasksPerHost{1};      ///< processes of each host that takes part
        Time flag{};                   ///< to set or see a flag of another process of the host
        uint32_t rounds{20};           ///< broadcasts to average over, beside traffic
    };

    using Progress = StudyDefinition::Progress; ///< told how many broadcasts of how many are done

    /// @return names of the paper's cases, 64, 44, 38 and 28, for a program's option
    static std::vector<std::string> GetCases();

    /**
     * A case of the paper. The 64 hosts are the whole cluster, so that their placement is a block;
     * where the batch system had placed the others is not given: they are random, on three switches
     * and, for 38 and 28, on four.
     * @param name its number of hosts
     * @return its job
     * @throws WormholeError if there is no such case
     */
    static JobPlacement::Parameters GetCase(const std::string& name);

    /// @param parameters what is asked
    /// @throws WormholeError if there is nothing to do, a broadcast is unknown, neither by software
    /// nor btin, can't be or sets what the study sets, or the cluster has no such job
    explicit SmpStudy(const Parameters& parameters);

    /// Makes all broadcasts: by job, length, number of hosts and algorithm.
    /// @param jobs worker processes, see WorkerPool @param progress is told how far it is, if it is
    /// there
    /// @return rows of the CSV
    std::vector<SmpStudyRow> Run(uint32_t jobs = 1, const Progress& progress = Progress()) const;

  private:
    Parameters m_parameters; ///< what is asked
};

/**
 * Draws times over hosts: a panel for each number of processes and length, and over bytes if there
 * are three lengths or more; with several broadcasts times over those of the last one, too. Of
 * several placements the mean is shown, with its 95 % interval; a ratio is of two broadcasts of one
 * placement.
 * @param rows rows of a study
 * @return the plots time, factor, bytes and bytes-factor
 */
std::vector<StudyPlot> MakeSmpPlots(const std::vector<SmpStudyRow>& rows);

/// @return the study as people ask for it: smp-broadcast, and smp_broadcast in Python
std::unique_ptr<StudyDefinition> MakeSmpStudy();

} // namespace ns3

#endif /* SMP_STUDY_H */
