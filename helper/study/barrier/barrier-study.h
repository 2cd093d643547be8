/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_STUDY_H
#define BARRIER_STUDY_H

#include "ns3/collective-helper.h"
#include "ns3/fabric-graph.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/latency-parts.h"
#include "ns3/study-plot.h"
#include "ns3/table-study.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-helper.h"

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
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
 *   BarrierModel); paper-inferred adds n t_r / (f k - p / q) to the latency of btin, which
 *   comes near the published figures but is an inference about how they were made, no more.
 *   paper-inferred-serial is another one: the first phase takes t_s and that time, the second what
 *   one phase of btin takes. Hops of both are those of ideal.
 * - unicast: every member sends to the root, which answers each. simulated and ideal.
 *
 * Closed form: for btin 2 (t_s + d t_p + (d + 1) t_r) with d = h + 2; for paper-inferred that and
 * the same addition, for paper-inferred-serial half of that and t_s and the same addition; else
 * BarrierModel::model. One member waits for nobody: all are 0.
 *
 * Messages take flit times, which published latencies leave out. For btin this study does so too,
 * on a second fabric whose flits take 1 ps, unless told otherwise.
 */
class BarrierStudy : public TableStudy
{
  public:
    BarrierStudy();

    void Measure(const Progress& progress) override;

  protected:
    void Validate(const OptionValues& values) override;

  private:
    class Run; // measures groups of one fabric

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

    /// Scheme, reduction and timing of rows.
    using Case = std::tuple<std::string, std::string, std::string>;

    /// @return what rows are asked for, in their order: of each scheme the chosen reductions that
    /// it has, which is in-switch for btin, and simulated alone for other barriers than the
    /// paper's; timings are those chosen for btin, that of the paper for inferences, else flits
    std::vector<Case> GetCases() const;

    /// @return whether such rows are asked for @param wanted scheme, reduction and timing
    bool Wants(const Case& wanted) const;

    /// @return whether some rows are of a fabric whose flits take no time
    bool NeedsNoFlits() const;

    /// @return sizes of groups @param fabric a fabric
    std::vector<uint32_t> SizesFor(const Fabric& fabric) const;

    std::vector<Fabric> GetDrawnFabrics(const OptionValues& values) const;

    /// Refuses what can't be done, or is there twice.
    void Check() const;
    void CheckTraffic() const;
    void CheckMembers(const FabricGraph& graph) const;
    void CheckSizes(const FabricGraph& graph) const;

    /// @return the rows that there will be for a fabric, without results
    Rows MakeRows(const Fabric& fabric) const;

    std::vector<uint32_t> OrderMembers(const FabricGraph& graph) const;

    /// Does the run whose number ns-3's seed manager has. @return the fabric's rows, with what this
    /// run found in place of means
    Rows DoRun(const Fabric& fabric) const;

    std::vector<Fabric> m_fabrics; ///< fabrics, one after the other
    Words m_reductions;            ///< reductions in the order of rows
    uint32_t m_runs{100};          ///< runs of each fabric
    bool m_countsLeaves{false};    ///< whether to tell leaves, and what the choice changes
    BackgroundTraffic::Parameters m_traffic; ///< what there is beside barriers
    WormholeHelper m_fabricHelper;           ///< builds fabrics
    CollectiveHelper m_software;             ///< gives them software and collective units
};

/// @return whether a scheme is one of Moh et al. @param scheme its name
inline bool
IsSchemeOfPaper(const std::string& scheme)
{
    return scheme == "btin" || scheme == "multicast" || scheme == "unicast";
}

/// @return whether a reduction is an inference about the paper's model @param reduction its name
inline bool
IsInferredReduction(const std::string& reduction)
{
    return reduction == "paper-inferred" || reduction == "paper-inferred-serial";
}

/// Draws latency; traffic, in message-hops; and by what factor multicast has more of either than
/// btin: a panel for each fabric. A scheme has one colour in all of them, a reduction one kind of
/// line and point. Explained latencies are stacked bars, too.
/// @param rows rows of a study, or of several
/// @param published published figures, drawn in as points where there is a panel for their fabric
/// @return the plots latency, traffic, latency-factor, traffic-factor and causes
std::vector<StudyPlot> MakeBarrierPlots(const StudyPlot::Rows& rows,
                                        const StudyPlot::Rows& published);

} // namespace ns3

#endif /* BARRIER_STUDY_H */
