/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPLIT_STUDY_H
#define SPLIT_STUDY_H

#include "split-study-row.h"

#include "ns3/nstime.h"
#include "ns3/topology-factory.h"
#include "ns3/traffic-beside.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief How much of a barrier computing hides that processes do between entering it and waiting
 *        for it: split-phase, or fuzzy, barriers.
 *
 * Processes, one on each of the fabric's first hosts, do steps without a pause: they enter, compute
 * and wait, or, for comparison, compute and meet in a barrier that blocks. The time of a step is
 * that of the last process, over all steps after those in which processes fall into step.
 */
class SplitStudy
{
  public:
    /// What is asked.
    struct Parameters
    {
        std::vector<std::string> algorithms;              ///< barriers
        std::vector<std::string> progresses;              ///< values of HostSoftware's Progress
        std::vector<Time> computes;                       ///< mean times to compute in a step
        std::vector<uint32_t> imbalances;                 ///< in percent of these, at most 100
        uint32_t pieces{1};                               ///< computations between
        uint32_t members{64};                             ///< number of processes
        uint32_t steps{20};                               ///< number of steps to average over
        uint32_t stream{0};                               ///< stream of the computing times
        Time startUp;                                     ///< a message keeps its sender busy
        Time receive;                                     ///< and its receiver
        Time poll;                                        ///< RDMA: the poll that sees a write
        Time interrupt;                                   ///< a message that interrupts, besides
        std::shared_ptr<const WormholeTopology> topology; ///< the fabric
        TrafficBeside::Parameters traffic;                ///< what there is beside barriers
    };

    /// Is told how many rows of how many are done.
    typedef std::function<void(uint32_t done, uint32_t all)> Progress;

    /// Refuses barriers that are none. @param algorithms their names
    /// @throws WormholeError naming the first of them
    static void CheckAlgorithms(const std::vector<std::string>& algorithms);

    /**
     * @param parameters what is asked
     * @throws WormholeError if there is nothing to do, or the fabric has too few hosts
     */
    explicit SplitStudy(const Parameters& parameters);

    /**
     * Measures all: by algorithm, imbalance, computing time and progress.
     * @param progress is told how far it is, if it is there
     * @return rows of the CSV
     */
    std::vector<SplitStudyRow> Run(const Progress& progress = Progress()) const;

  private:
    /// What a simulation is of.
    struct Case
    {
        std::string algorithm; ///< the barrier
        std::string progress;  ///< HostSoftware's Progress
        Time compute;          ///< mean time to compute in a step
        uint32_t imbalance;    ///< in percent of it
        bool isSplit;          ///< whether it enters before it computes
    };

    /// What steps take.
    struct Steps
    {
        double meanUs; ///< mean time of a step, us
        double us99;   ///< time that 99 % of them do not exceed, us
    };

    /// @return what steps take @param of what is simulated
    Steps Measure(const Case& of) const;

    Parameters m_parameters; ///< what is asked
};

} // namespace ns3

#endif /* SPLIT_STUDY_H */
