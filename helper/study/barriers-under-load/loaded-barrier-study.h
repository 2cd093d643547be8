/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOADED_BARRIER_STUDY_H
#define LOADED_BARRIER_STUDY_H

#include "loaded-barrier-row.h"

#include "ns3/loaded-bench.h"
#include "ns3/nstime.h"
#include "ns3/topology-factory.h"
#include "ns3/wormhole-helper.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

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
    struct Parameters
    {
        std::shared_ptr<const WormholeTopology> topology; ///< the fabric
        WormholeHelper fabrics;                           ///< builds it
        std::vector<std::string> algorithms;              ///< barriers
        std::vector<double> loads;    ///< offered loads; empty: PARTS of the channels' bound
        LoadedBench::Traffic traffic; ///< what there is beside them; its load is not used
        uint32_t members{0};          ///< number of members; 0: all hosts
        uint32_t rounds{300};         ///< barriers measured at each load
        bool isExplained{false};      ///< whether to tell what latencies go into
        uint32_t seed{1};             ///< seed of random numbers
        Time startUp;                 ///< how long a message keeps its sender's software busy
        Time receive;                 ///< how long it keeps its receiver's
        Time poll;                    ///< how long a poll takes that sees a remote write
    };

    /// Loads without Parameters::loads, in parts of that at which the busiest channel is full.
    static const std::vector<double> PARTS;

    /// Is told how many rows of how many are done.
    typedef std::function<void(uint32_t done, uint32_t all)> Progress;

    /**
     * @param parameters what is asked
     * @throws WormholeError if there is nothing to do, or a barrier or pattern can't be
     */
    explicit LoadedBarrierStudy(const Parameters& parameters);

    /**
     * Measures all: by barrier, and by load, without traffic first.
     * @param jobs worker processes, see WorkerPool
     * @param progress is told how far it is, if it is there
     * @return rows of the CSV
     */
    std::vector<LoadedBarrierRow> Run(uint32_t jobs, const Progress& progress) const;

  private:
    /// @return the loads, ascending, none of them 0
    std::vector<double> GetLoads() const;

    /// @return a row, measured @param row what of
    LoadedBarrierRow Measure(const LoadedBarrierRow& row) const;

    /// @return a row, measured @param row what of @param isExplained whether its time is explained
    LoadedBarrierRow Measure(LoadedBarrierRow row, bool isExplained) const;

    Parameters m_parameters; ///< what is asked
};

} // namespace ns3

#endif /* LOADED_BARRIER_STUDY_H */
