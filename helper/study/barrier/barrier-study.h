/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_STUDY_H
#define BARRIER_STUDY_H

#include "barrier-study-parameters.h"
#include "barrier-study-row.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Compares barriers in the switches with barriers by messages, over random fabrics and
 *        groups: the evaluation of Moh et al. (2001), for their fabrics or one's own.
 *
 * All members come at one instant, after the group is ready; a barrier's latency is the time from
 * then until the last member has left. Run r uses ns-3's run number r + 1: stream 0 draws the
 * fabric, stream 1 an order of its hosts, whose first n are the group of size n. So a row is the
 * same whatever else is asked for, and on every machine.
 *
 * Schemes, and for each the reductions, that is, how the first phase is looked at:
 *
 * - btin: in-switch. Barrier registers in switches combine and spread.
 * - multicast: every member sends a message to the root, which answers with one tree worm.
 *   simulated is the fabric as it is; ideal lets no message wait for another (see
 *   UncontendedBarrier); paper-inferred adds n t_r / (f k - p / q) to the latency of btin, which
 *   comes near the published figures but is an inference about how they were made, no more. Its
 *   hops are those of ideal.
 * - unicast: every member sends to the root, which answers each. simulated and ideal.
 *
 * Closed form: for btin 2 (t_s + d t_p + (d + 1) t_r) with d = h + 2; for paper-inferred that and
 * the same addition; else UncontendedBarrier::model. One member waits for nobody: all are 0.
 *
 * Messages take flit times, which published latencies leave out. For btin this study does so too,
 * on a second fabric whose flits take 1 ps, unless told otherwise.
 */
class BarrierStudy
{
  public:
    /// Told how far the study is: runs done, and runs in all.
    typedef std::function<void(uint32_t, uint32_t)> Progress;

    /**
     * @param parameters what is asked for
     * @throws WormholeError if that can't be done, naming the value and what would be accepted
     */
    explicit BarrierStudy(const BarrierStudyParameters& parameters);

    /**
     * Does it, in simulations of its own: the simulator is destroyed before and after.
     * @param progress told after every run
     * @return rows in the order of fabrics, schemes, reductions and group sizes
     * @throws WormholeError if a fabric can't be drawn or simulated
     */
    std::vector<BarrierStudyRow> Run(const Progress& progress = nullptr) const;

  private:
    struct Cell;

    /// @return the rows that there will be for a fabric, without results @param fabric the fabric
    std::vector<BarrierStudyRow> MakeRows(const BarrierStudyParameters::Fabric& fabric) const;

    /**
     * Does the run whose number ns-3's seed manager has.
     * @param fabric what fabric to look at
     * @return the fabric's rows, with what this run found in place of means
     */
    std::vector<BarrierStudyRow> DoRun(const BarrierStudyParameters::Fabric& fabric) const;

    /// @return hosts in the order of joining groups @param graph the fabric of a run
    std::vector<uint32_t> OrderMembers(const FabricGraph& graph) const;

    BarrierStudyParameters m_parameters; ///< what is asked for
};

} // namespace ns3

#endif /* BARRIER_STUDY_H */
