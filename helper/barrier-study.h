/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_STUDY_H
#define BARRIER_STUDY_H

#include "barrier-study-row.h"
#include "collective-helper.h"
#include "irregular-topology-helper.h"
#include "wormhole-helper.h"

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
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
    /// A fabric to look at.
    struct FabricChoice
    {
        IrregularTopologyHelper::Parameters drawn; ///< drawn anew in each run, unless one is given
        std::shared_ptr<const FabricGraph> given;  ///< the fabric of all runs; null: drawn
    };

    /// What is asked for.
    struct Parameters
    {
        std::vector<FabricChoice> fabrics{1}; ///< fabrics, one after the other
        /// Names of hosts in the order of joining groups; empty: random in each run.
        std::vector<std::string> members;
        /// Sizes of groups; empty: powers of two, and all hosts (members, if they are named: all).
        std::vector<uint32_t> groupSizes;
        std::vector<std::string> schemes{GetSchemes()};       ///< schemes in the order of rows
        std::vector<std::string> reductions{GetReductions()}; ///< reductions in the order of rows
        uint32_t runs{100};                ///< runs of each fabric, 1 at least
        uint32_t seed{1};                  ///< seed of random numbers, 1 to GREATEST_SEED
        uint32_t addressSize{2};           ///< bytes of an address in a tree worm's header
        bool btinTakesFlitTime{false};     ///< whether flits take time in btin, too
        WormholeHelper fabricHelper;       ///< builds fabrics
        CollectiveHelper collectiveHelper; ///< gives them software and collective units
    };

    /// Greatest seed that ns-3's generator takes.
    static constexpr uint32_t GREATEST_SEED = 4294944442;

    /// Told how far the study is: runs done, and runs in all.
    typedef std::function<void(uint32_t, uint32_t)> Progress;

    /// @return names of schemes
    static std::vector<std::string> GetSchemes();

    /// @return names of reductions that can be chosen, for schemes other than btin
    static std::vector<std::string> GetReductions();

    /**
     * @param parameters what is asked for
     * @throws WormholeError if that can't be done, naming the value and what would be accepted
     */
    explicit BarrierStudy(const Parameters& parameters);

    /**
     * Does it, in simulations of its own: the simulator is destroyed before and after.
     * @param progress told after every run
     * @return rows in the order of fabrics, schemes, reductions and group sizes
     * @throws WormholeError if a fabric can't be drawn or simulated
     */
    std::vector<BarrierStudyRow> Run(const Progress& progress = nullptr) const;

  private:
    struct Cell;
    class Sheet;

    /// Refuses words that are none, or there twice.
    void CheckWords() const;

    /// Refuses members and group sizes that a fabric does not have. @param choice the fabric
    void CheckGroups(const FabricChoice& choice) const;

    /// @return sizes of groups @param choice the fabric
    std::vector<uint32_t> SizesFor(const FabricChoice& choice) const;

    /// @return the hosts in the order of joining groups @param graph the fabric
    std::vector<uint32_t> OrderMembers(const FabricGraph& graph) const;

    /// @return the rows that there will be for a fabric, without results @param choice the fabric
    std::vector<BarrierStudyRow> MakeRows(const FabricChoice& choice) const;

    /// @return whether that scheme and reduction are asked for @param scheme, reduction names
    bool Wants(const std::string& scheme, const std::string& reduction) const;

    /**
     * Does one run.
     * @param graph the fabric
     * @param sizes sizes of groups
     * @param sheet where results go
     */
    void DoRun(const FabricGraph& graph, const std::vector<uint32_t>& sizes, Sheet& sheet) const;

    Parameters m_parameters; ///< what is asked for
};

} // namespace ns3

#endif /* BARRIER_STUDY_H */
