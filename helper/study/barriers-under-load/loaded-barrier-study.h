/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOADED_BARRIER_STUDY_H
#define LOADED_BARRIER_STUDY_H

#include "ns3/latency-parts.h"
#include "ns3/loaded-bench.h"
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
 * @brief What a study of barriers under load tells of one barrier and load: a row of its CSV.
 *
 * Loads are ratios of a channel's rate, for each host. Latencies, from all members' coming to the
 * last one's leaving, are NaN unless the state is steady; so are their parts, if they are
 * explained.
 */
struct LoadedBarrierRow : public LatencyParts
{
    std::string algorithm;     ///< the barrier
    uint32_t members{0};       ///< number of members
    std::string pattern;       ///< who sends data to whom
    std::string flits;         ///< length of data worms, as WormLength::Parse
    double load{0};            ///< offered load; 0: no traffic
    std::string state;         ///< steady; saturated: worms pile up; or deadlock
    uint32_t rounds{0};        ///< barriers measured
    double latencyUsMean{0};   ///< their mean latency, us
    double latencyUsCi95{0};   ///< half width of the mean's 95 % interval, us; NaN without traffic
    double latencyUsMedian{0}; ///< their median, us
    double latencyUs99{0};     ///< latency that 99 % of them do not exceed, us

    /// @return its columns
    static const CsvTable<LoadedBarrierRow>& GetTable();
};

/**
 * @ingroup wormhole
 * @brief Latency of barriers beside data traffic, over the load.
 *
 * A group of hosts, drawn once, does barrier after barrier, see LoadedBench. Each barrier and load
 * has a simulation of its own, with the same traffic at the same load. Without traffic all barriers
 * of a group take as long, so one is measured.
 */
class LoadedBarrierStudy
{
  public:
    /// What is asked.
    struct Parameters : public StudyFabric
    {
        std::vector<std::string> algorithms; ///< barriers
        std::vector<double> loads;           ///< offered loads; empty: PARTS of the channels' bound
        LoadedBench::Traffic traffic;        ///< what there is beside them, at these loads
        uint32_t members{0};                 ///< number of members; 0: all hosts
        uint32_t rounds{300};                ///< barriers measured at each load
        bool isExplained{false};             ///< whether to tell what latencies go into
        uint32_t seed{1};                    ///< seed of random numbers
    };

    /// Loads without Parameters::loads, in parts of that at which the busiest channel is full.
    static const std::vector<double> PARTS;

    using Progress = StudyForm::Progress; ///< told how many rows of how many are done

    /// @param parameters what is asked
    /// @throws WormholeError if there is nothing to do, or a barrier or pattern can't be
    explicit LoadedBarrierStudy(const Parameters& parameters);

    /// Measures all: by barrier, and by load, without traffic first.
    /// @param jobs worker processes, see WorkerPool @param progress is told how far it is, if it is
    /// there
    /// @return rows of the CSV
    std::vector<LoadedBarrierRow> Run(uint32_t jobs, const Progress& progress) const;

  private:
    LoadedBarrierRow Measure(const LoadedBarrierRow& row) const;
    LoadedBarrierRow Measure(LoadedBarrierRow row, bool isExplained) const;

    Parameters m_parameters; ///< what is asked
};

/// Draws latency over load, a colour for each barrier; solid the mean, dashed the 99th percentile,
/// thin and level the latency without traffic. Explained ones are stacked bars, too.
/// @param all rows of a study
/// @return the plots latency and causes
std::vector<StudyPlot> MakeLoadedBarrierPlots(const std::vector<LoadedBarrierRow>& all);

/// @return the study as people ask for it: barriers-under-load, and barriers_under_load in Python
std::unique_ptr<StudyForm> MakeLoadedBarrierStudy();

} // namespace ns3

#endif /* LOADED_BARRIER_STUDY_H */
