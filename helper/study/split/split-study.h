/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPLIT_STUDY_H
#define SPLIT_STUDY_H

#include "ns3/csv-table.h"
#include "ns3/nstime.h"
#include "ns3/study-fabric.h"
#include "ns3/study-form.h"
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
 * @brief What a study of split-phase barriers tells of one barrier and computing time: a row of its
 *        CSV.
 */
struct SplitStudyRow : public TrafficRow
{
    std::string algorithm;        ///< the barrier
    std::string progress;         ///< HostSoftware's Progress
    uint32_t members{0};          ///< number of members
    uint32_t pieces{0};           ///< computations between entering and waiting
    uint32_t imbalancePercent{0}; ///< by how much computing is longer or shorter at most
    double computeUs{0};          ///< mean time to compute in a step, us
    double barrierUs{0};          ///< time of a step that does not compute, us
    double blockingUs{0};         ///< time of a step that computes, enters and waits, us
    double splitUs{0};            ///< time of a step that enters, computes and waits, us
    double savedPercent{0};       ///< what the latter saves, parts of barrierUs
    double barrierUs99{0};  ///< time that 99 % of the steps without computing do not exceed, us
    double blockingUs99{0}; ///< the same of steps that compute, enter and wait, us
    double splitUs99{0};    ///< the same of steps that enter, compute and wait, us

    /// @return its columns
    static const CsvTable<SplitStudyRow>& GetTable();
};

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
    struct Parameters : public StudyFabric
    {
        std::vector<std::string> algorithms; ///< barriers
        std::vector<std::string> progresses; ///< values of HostSoftware's Progress
        std::vector<Time> computes;          ///< mean times to compute in a step
        std::vector<uint32_t> imbalances;    ///< in percent of these, at most 100
        uint32_t pieces{1};                  ///< computations between
        uint32_t members{64};                ///< number of processes
        uint32_t steps{20};                  ///< number of steps to average over
        uint32_t stream{0};                  ///< stream of the computing times
        TrafficBeside::Parameters traffic;   ///< what there is beside barriers
    };

    using Progress = StudyForm::Progress; ///< told how many rows of how many are done

    /// @param parameters what is asked
    /// @throws WormholeError if there is nothing to do, or the fabric has too few hosts
    explicit SplitStudy(const Parameters& parameters);

    /// Measures all: by algorithm, imbalance, computing time and progress.
    /// @param progress is told how far it is, if it is there
    /// @return rows of the CSV
    std::vector<SplitStudyRow> Run(const Progress& progress = Progress()) const;

  private:
    Parameters m_parameters; ///< what is asked
};

/// Draws the time of a step beyond its computing over computing time; a panel for each imbalance
/// and progress, a curve for each barrier.
/// @param rows rows of a study
/// @return the plot exposed
std::vector<StudyPlot> MakeSplitPlots(const std::vector<SplitStudyRow>& rows);

/// @return the study as people ask for it: split-barrier, and split_barrier in Python
std::unique_ptr<StudyForm> MakeSplitStudy();

} // namespace ns3

#endif /* SPLIT_STUDY_H */
