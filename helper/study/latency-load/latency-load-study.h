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

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

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
 * What is asked for are its members.
 */
struct LatencyLoadStudy
{
    /// Greatest load that is measured. All above 1 are more than a host's channel can take.
    static constexpr uint32_t GREATEST_LOAD = 10;

    /// Takes each row when it is found; what is known of saturation may come later.
    using Progress = std::function<void(const CsvRow& row)>;

    /**
     * The columns of its rows. Loads are ratios of a channel's rate, for each host that sends.
     * Intervals are half widths at 95 %. Latencies are NaN unless the state is steady.
     * @return the columns
     */
    static const CsvTable& GetTable();

    /// Runs it. Seed and run number of ns-3 are afterwards what they were.
    /// @param progress told of every row
    /// @return rows by run, length and load
    /// @throws WormholeError if traffic does not fit the fabric
    std::vector<CsvRow> Run(const Progress& progress) const;

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
    uint32_t worms{2048};                      ///< worms of a source, see LoadMeasurement::Setup
    uint64_t allWorms{131072};                 ///< of all, where that is more for each
    uint32_t runs{1};                          ///< number of runs
    uint32_t jobs{1};                          ///< worker processes, see WorkerPool
    uint32_t seed{1};                          ///< seed of random numbers
};

} // namespace ns3

#endif /* LATENCY_LOAD_STUDY_H */
