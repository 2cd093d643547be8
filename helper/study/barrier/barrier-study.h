/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_STUDY_H
#define BARRIER_STUDY_H

#include "ns3/barrier-tree.h"
#include "ns3/collective-domain.h"
#include "ns3/collective-helper.h"
#include "ns3/fabric-graph.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/latency-parts.h"
#include "ns3/study-plot.h"
#include "ns3/table-study.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <cstdint>
#include <map>
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
 *
 * What is asked are its members.
 */
struct BarrierStudy
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

    /// Scheme, reduction and timing of rows.
    using Case = std::tuple<std::string, std::string, std::string>;

    std::vector<Fabric> fabrics{1}; ///< fabrics, one after the other
    /// Names of hosts in the order of joining groups; empty: random in each run.
    std::vector<std::string> members;
    /// Sizes of groups; empty: powers of two, and all hosts (members, if they are named: all).
    std::vector<uint32_t> groupSizes;
    std::vector<std::string> schemes{GetSchemes()}; ///< schemes in the order of rows
    /// Reductions in the order of rows.
    std::vector<std::string> reductions{"simulated", "ideal", "paper-inferred"};
    uint32_t runs{100};                      ///< runs of each fabric, 1 at least
    uint32_t jobs{1};                        ///< worker processes, see WorkerPool
    uint32_t seed{1};                        ///< seed of random numbers, see SeedKeeper::MAX_SEED
    uint32_t addressSize{2};                 ///< bytes of an address in a tree worm's header
    std::string headerEncoding{"addresses"}; ///< how it tells where the worm goes
    /// How messages of btin are timed, in the order of rows: flits, as all others; paper, they take
    /// start-ups, links and switches only (Moh et al., section 5.1).
    std::vector<std::string> btinTimings{"flits"};
    std::string leaves{"deepest"};         ///< Collective::TreeLeaves of all schemes
    bool countsLeaves{false};              ///< whether to tell leaves, and what the choice changes
    bool isExplained{false};               ///< whether to tell what latencies go into
    BackgroundTraffic::Parameters traffic; ///< what there is beside barriers
    uint32_t rounds{20};                   ///< barriers of each run, beside traffic
    WormholeHelper fabricHelper;           ///< builds fabrics
    CollectiveHelper collectiveHelper;     ///< gives them software and collective units

    /// @return columns of its rows; means are over the study's runs
    static const CsvTable& GetTable();

    /// @return columns of a file of figures that a paper prints, each a value for one fabric and
    /// group size, see data/README.md; of its rows, those that plots can show are read
    static const CsvTable& GetPublished();

    /// Does it, in simulations of its own: the simulator is destroyed before and after.
    /// @param progress told after every run
    /// @return rows in the order of fabrics, schemes, reductions and group sizes
    /// @throws WormholeError if that can't be done, naming the value and what would be accepted, or
    /// a fabric can't be drawn or simulated
    std::vector<CsvRow> Run(const StudyDefinition::Progress& progress = nullptr) const;

    /// @return names of the schemes of Moh et al.; besides these any barrier is accepted
    static std::vector<std::string> GetSchemes();

    /// @return whether a scheme is one of Moh et al. @param scheme its name
    static bool IsOfPaper(const std::string& scheme);
    /// @return names of all reductions that can be chosen, for schemes other than btin
    static std::vector<std::string> GetReductions();

    /// @return whether a reduction is an inference about the paper's model @param reduction its
    /// name
    static bool IsInferred(const std::string& reduction);

    /// @return names of all timings of btin
    static std::vector<std::string> GetBtinTimings();

    /// @return what rows are asked for, in their order: of each scheme the chosen reductions that
    /// it has, which is in-switch for btin, and simulated alone for other barriers than the
    /// paper's; timings are those chosen for btin, that of the paper for inferences, else flits
    std::vector<Case> GetCases() const;

    /// @return whether such rows are asked for @param wanted scheme, reduction and timing
    bool Wants(const Case& wanted) const;

    /// @return whether some rows are of a fabric whose flits take no time
    bool NeedsNoFlits() const
    {
        const auto cases = GetCases();
        return std::any_of(cases.begin(), cases.end(), [](const Case& of) {
            return std::get<2>(of) == "paper";
        });
    }

    /// @return sizes of groups @param fabric a fabric
    std::vector<uint32_t> SizesFor(const Fabric& fabric) const;

    /// Refuses what can't be done.
    /// @throws WormholeError naming the value and what would be accepted
    void Check() const;

    /// Refuses schemes that are no barriers, or there twice.
    void CheckSchemes() const;

  private:
    /// Refuses what there is not beside traffic.
    void CheckTraffic() const;

    /// Refuses members that are none, or there twice.
    void CheckMembers(const FabricGraph& graph) const;

    /// Refuses sizes of groups that a fabric is too small for.
    void CheckSizes(const FabricGraph& graph) const;
};

/**
 * @ingroup wormhole
 * @brief One run of BarrierStudy: one fabric, on which groups are measured.
 *
 * Builds at most two fabrics and uses them for all groups, since building takes longest.
 */
class BarrierStudyRun
{
  public:
    using Key = BarrierStudy::Case; ///< which row it is of

    /// @param graph the fabric @param parameters what is asked for
    /// @throws WormholeError if an inference is, but no cables join switches
    BarrierStudyRun(const FabricGraph& graph, const BarrierStudy& parameters);

    /// Measures a group, by every scheme, reduction and timing that is asked for.
    /// @param hosts the members
    /// @return what it took
    std::map<Key, CsvRow> Measure(const std::vector<uint32_t>& hosts);

  private:
    void Measure(const std::string& scheme,
                 const std::vector<uint32_t>& hosts,
                 const CsvRow& inSwitch,
                 std::map<Key, CsvRow>& samples);

    /// @return latency of multicast as inferred, us @param reduction an inference
    /// @param members number of members @param inSwitchUs latency of btin, us
    double InferLatency(const std::string& reduction, std::size_t members, double inSwitchUs) const;

    /// @return a barrier without a group
    Ptr<Barrier> MakeBarrier(const std::string& scheme) const;
    CsvRow FromTree(const BarrierTree& tree, const std::vector<uint32_t>& hosts) const;

    /// @return what btin takes, or a barrier that is not of the paper
    /// @param domain the fabric as it is, or the one whose flits take no time
    CsvRow MeasureOne(const std::string& scheme,
                      const Ptr<CollectiveDomain>& domain,
                      const std::vector<uint32_t>& hosts);
    void MeasureCentral(const std::string& scheme,
                        const std::vector<uint32_t>& hosts,
                        const CsvRow& inSwitch,
                        std::map<Key, CsvRow>& samples);

    const FabricGraph& m_graph;             ///< the fabric
    const BarrierStudy& m_parameters;       ///< what is asked for
    Ptr<CollectiveDomain> m_domain;         ///< of the fabric as it is, if need be
    Ptr<CollectiveDomain> m_flitlessDomain; ///< of one whose flits take 1 ps, if need be
};

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
