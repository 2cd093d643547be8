/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_LOAD_STUDY_H
#define LATENCY_LOAD_STUDY_H

#include "ns3/csv-table.h"
#include "ns3/fabric-graph.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/load-measurement.h"
#include "ns3/study-definition.h"
#include "ns3/study-plot.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of latency against load tells of one load: a row of its CSV.
 *
 * Loads are ratios of a channel's rate, for each host that sends. Intervals are half widths at
 * 95 %. Latencies are NaN unless the state is steady.
 */
struct LatencyLoadRow
{
    uint32_t switches{0};     ///< number of switches
    uint32_t hosts{0};        ///< number of hosts
    double connectivity{0};   ///< ratio of the switches' ports in use
    std::string topology;     ///< what the fabric is, as for MakeTopology but for its size
    uint32_t run{0};          ///< number of the run, from 1; each draws its own fabric and traffic
    std::string pattern;      ///< who sends to whom
    std::string arrivals;     ///< poisson or periodic
    std::string flits;        ///< length of worms, as WormLength::Parse
    double load{0};           ///< load asked for
    double offered{0};        ///< load offered in the time that was measured
    double accepted{0};       ///< load delivered in that time
    std::string state;        ///< steady, saturated or unsettled
    double latencyUsMean{0};  ///< mean latency, us
    double latencyUsCi95{0};  ///< its interval, us
    double latencyUs99{0};    ///< latency that 99 % of the worms do not exceed, us
    uint64_t worms{0};        ///< worms delivered in the time that was measured
    double warmUpUs{0};       ///< time before that, us
    double queueGrowth{0};    ///< flits that queues grew by in that time, over flits offered
    double worstGrowth{0};    ///< worms that the worst source's queue grew by, over worms it made
    double saturationLow{0};  ///< greatest steady load found; NaN if not looked for
    double saturationHigh{0}; ///< next load found, not steady; NaN if not looked for, or none to 1

    /// @return its columns
    static const CsvTable<LatencyLoadRow>& GetTable();
};

/**
 * @ingroup wormhole
 * @brief Latency and throughput of a fabric over the offered load, up to where it is saturated.
 *
 * For each run and length of worms, the load from which on the fabric is saturated is found by
 * bisection between 0 and 1, to 2 %: below it the fabric is steady, above it saturated or at least
 * unsettled. Loads that this looks at are part of the result. Then come the loads asked for, or
 * else some ten round ones up to the first run's saturation and one or two beyond.
 *
 * Run i uses ns-3's run number i. Stream 0 draws the fabric, so that BarrierStudy draws the same
 * one; traffic uses the streams after it, the same ones for every load and length.
 */
class LatencyLoadStudy
{
  public:
    /// What is asked for.
    struct Parameters
    {
        std::shared_ptr<const FabricGraph> given;  ///< a fabric; null: one is drawn for each run
        std::string givenName;                     ///< its name in the result
        IrregularTopologyHelper::Parameters drawn; ///< the fabrics drawn, if none is given
        WormholeHelper fabrics;                    ///< builds fabrics
        std::string pattern{"uniform"};            ///< who sends to whom
        double hotFraction{0.1};                   ///< of pattern hotspot
        std::string hotHost;                       ///< of pattern hotspot; empty: host 0
        std::string arrivals{"poisson"};           ///< poisson or periodic
        std::vector<std::string> flits{"64"};      ///< lengths of worms, as WormLength::Parse
        std::vector<double> loads;                 ///< loads up to GREATEST_LOAD; empty: chosen
        bool search{true};                         ///< whether to look for saturation
        uint32_t worms{2048};      ///< worms of a source, see LoadMeasurement::Setup
        uint64_t allWorms{131072}; ///< of all, where that is more for each
        uint32_t runs{1};          ///< number of runs
        uint32_t jobs{1};          ///< worker processes, see WorkerPool
        uint32_t seed{1};          ///< seed of random numbers
    };

    /// Greatest load that is measured. All above 1 are more than a host's channel can take.
    static constexpr uint32_t GREATEST_LOAD = 10;

    /// Takes each row when it is found; what is known of saturation may come later.
    using Progress = std::function<void(const LatencyLoadRow& row)>;

    /// @param parameters what is asked for
    /// @throws WormholeError if it can't be had, naming the value and what would be accepted
    explicit LatencyLoadStudy(const Parameters& parameters);

    /// Runs it. Seed and run number of ns-3 are afterwards what they were.
    /// @param progress told of every row
    /// @return rows by run, length and load
    std::vector<LatencyLoadRow> Run(const Progress& progress) const;

  private:
    Parameters m_parameters; ///< what is asked for
};

/**
 * Draws latency and throughput over the offered load. Rows that differ in nothing but run and load
 * make one curve; its points are means over runs, at loads that all runs have. With several runs,
 * intervals are those of that mean; with one, they are the run's. Latency ends where some run is
 * not steady; a vertical line stands where saturation was found, on the average of runs, or at the
 * least load that is not steady if it was not looked for.
 * @param rows what to show
 * @return the plots latency and throughput
 */
std::vector<StudyPlot> MakeLatencyLoadPlots(const std::vector<LatencyLoadRow>& rows);

/// @return the study as people ask for it: latency-load, and latency_load in Python
std::unique_ptr<StudyDefinition> MakeLatencyLoadStudy();

} // namespace ns3

#endif /* LATENCY_LOAD_STUDY_H */
