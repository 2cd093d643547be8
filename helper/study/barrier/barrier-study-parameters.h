/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_STUDY_PARAMETERS_H
#define BARRIER_STUDY_PARAMETERS_H

#include "ns3/collective-helper.h"
#include "ns3/fabric-graph.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/traffic-beside.h"
#include "ns3/wormhole-helper.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What is asked of a BarrierStudy.
 */
struct BarrierStudyParameters
{
    /// A fabric to look at.
    struct Fabric
    {
        IrregularTopologyHelper::Parameters drawn; ///< drawn anew in each run, unless one is given
        std::shared_ptr<const FabricGraph> given;  ///< the fabric of all runs; null: drawn

        /// @return the fabric given, or one that has no cables yet but all names of those drawn
        FabricGraph WithoutCables() const;

        /// @return ratio of ports in use
        double GetConnectivity() const;
    };

    std::vector<Fabric> fabrics{1}; ///< fabrics, one after the other
    /// Names of hosts in the order of joining groups; empty: random in each run.
    std::vector<std::string> members;
    /// Sizes of groups; empty: powers of two, and all hosts (members, if they are named: all).
    std::vector<uint32_t> groupSizes;
    std::vector<std::string> schemes{GetSchemes()};       ///< schemes in the order of rows
    std::vector<std::string> reductions{GetReductions()}; ///< reductions in the order of rows
    uint32_t runs{100};                                   ///< runs of each fabric, 1 at least
    uint32_t jobs{1};                                     ///< worker processes, see WorkerPool
    uint32_t seed{1};                        ///< seed of random numbers, see SeedKeeper::MAX_SEED
    uint32_t addressSize{2};                 ///< bytes of an address in a tree worm's header
    std::string headerEncoding{"addresses"}; ///< how it tells where the worm goes
    /// How messages of btin are timed, in the order of rows: flits, as all others; paper, they take
    /// start-ups, links and switches only (Moh et al., section 5.1).
    std::vector<std::string> btinTimings{"flits"};
    std::string leaves{"all"};         ///< Collective::TreeLeaves of all schemes
    bool isExplained{false};           ///< whether to tell what latencies go into
    TrafficBeside::Parameters traffic; ///< what there is beside barriers
    uint32_t rounds{20};               ///< barriers of each run, beside traffic
    WormholeHelper fabricHelper;       ///< builds fabrics
    CollectiveHelper collectiveHelper; ///< gives them software and collective units

    /// @return names of the schemes of Moh et al.; besides these any barrier is accepted
    static std::vector<std::string> GetSchemes();

    /// @return whether a scheme is one of Moh et al. @param scheme its name
    static bool IsOfPaper(const std::string& scheme);
    /// @return names of all reductions that can be chosen, for schemes other than btin
    static std::vector<std::string> GetReductions();

    /// @return the chosen reductions that a scheme has; in-switch for btin,
    /// simulated for other barriers than the paper's @param scheme its name
    std::vector<std::string> ReductionsOf(const std::string& scheme) const;

    /// @return names of all timings of btin
    static std::vector<std::string> GetBtinTimings();
    /// @return timings of a scheme's rows: those chosen for btin, that of the paper for
    /// paper-inferred, flits for all others @param scheme, reduction names
    std::vector<std::string> TimingsOf(const std::string& scheme,
                                       const std::string& reduction) const;
    /// @return whether a row for that is asked for @param scheme, reduction names
    bool Wants(const std::string& scheme, const std::string& reduction) const;

    /// @return whether rows of btin are asked for @param timing their timing
    bool WantsBtin(const std::string& timing) const;
    /// @return sizes of groups @param fabric a fabric
    std::vector<uint32_t> SizesFor(const Fabric& fabric) const;

    /**
     * Refuses what can't be done.
     * @throws WormholeError naming the value and what would be accepted
     */
    void Check() const;

    /// Refuses schemes that are no barriers, or there twice.
    void CheckSchemes() const;

  private:
    /// Refuses schemes and reductions that are none, or there twice, or lead to no row.
    void CheckWords() const;

    /// Refuses what there is not beside traffic.
    void CheckTraffic() const;

    /// Refuses members that are none, or there twice. @param graph a fabric
    void CheckMembers(const FabricGraph& graph) const;

    /// Refuses sizes of groups that a fabric is too small for. @param graph the fabric
    void CheckSizes(const FabricGraph& graph) const;
};

} // namespace ns3

#endif /* BARRIER_STUDY_PARAMETERS_H */
