/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_STUDY_RUN_H
#define BARRIER_STUDY_RUN_H

#include "barrier-study-parameters.h"

#include "ns3/barrier-tree.h"
#include "ns3/collective-domain.h"
#include "ns3/fabric-graph.h"
#include "ns3/latency-parts.h"

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
 * @brief What a barrier of a group took in one run, or the mean over runs.
 */
struct BarrierFindings : public LatencyParts
{
    double latencyUsMean{0};      ///< since all came until the last one left, us; mean over rounds
    double latencyUsModel{0};     ///< closed form, us; NaN: there is none
    double messageHopsMean{0};    ///< links crossed by messages in one barrier
    double flitHopsMean{0};       ///< links crossed by flits in one barrier
    double heightMean{0};         ///< height of the barrier tree, h; 0: the scheme has none
    double edgesMean{0};          ///< edges of the barrier tree, E; 0: the scheme has none
    double startUpsMean{0};       ///< messages that hosts send in one barrier, each for a start-up
    double rootMessagesMean{0};   ///< messages that the root's host sends or takes in one barrier
    double messageBytesMean{0};   ///< length of the longest message, addresses included, bytes
    double setupUsMean{0};        ///< until the group is ready, us
    std::string rootSwitch;       ///< root switch of the barrier tree; empty with several runs
    std::string rootHost;         ///< root host of the barrier tree; empty with several runs
    double leavesMean{0};         ///< leaves of the barrier tree
    double deepestMean{0};        ///< those among them at depth h
    double otherRootMean{0};      ///< part of the groups whose root would be another if all counted
    std::vector<double> roundsUs; ///< latencies of rounds beside traffic, us; not written
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
    using Sample = BarrierFindings; ///< what a barrier took

    /// Scheme, reduction and timing.
    using Key = std::tuple<std::string, std::string, std::string>;

    /**
     * @param graph the fabric
     * @param parameters what is asked for
     * @throws WormholeError if paper-inferred is, but no cables join switches
     */
    BarrierStudyRun(const FabricGraph& graph, const BarrierStudyParameters& parameters);

    /**
     * Measures a group, by every scheme, reduction and timing that is asked for.
     * @param hosts the members
     * @return what it took
     */
    std::map<Key, Sample> Measure(const std::vector<uint32_t>& hosts);

  private:
    /**
     * Measures a group by a scheme.
     * @param scheme its name
     * @param hosts the members
     * @param inSwitch what a barrier in the switches takes by the paper's timing
     * @param samples gets what it took
     */
    void Measure(const std::string& scheme,
                 const std::vector<uint32_t>& hosts,
                 const Sample& inSwitch,
                 std::map<Key, Sample>& samples);

    /// @return a barrier without a group @param scheme its name
    Ptr<Barrier> MakeBarrier(const std::string& scheme) const;

    /// @return a sample with what it has of the tree @param tree the group's barrier tree
    /// @param hosts the members
    Sample FromTree(const BarrierTree& tree, const std::vector<uint32_t>& hosts) const;

    /**
     * Measures a barrier in the switches.
     * @param domain the fabric as it is, or the one whose flits take no time
     * @param hosts the members
     * @return what it took
     */
    Sample MeasureInSwitch(const Ptr<CollectiveDomain>& domain, const std::vector<uint32_t>& hosts);

    /// @return what a barrier that is not of the paper takes @param scheme its name
    /// @param hosts the members
    Sample MeasureOther(const std::string& scheme, const std::vector<uint32_t>& hosts);
    /**
     * Measures a barrier by messages.
     * @param scheme multicast or unicast
     * @param hosts the members
     * @param inSwitch what a barrier in the switches takes by the paper's timing
     * @param samples gets what it took
     */
    void MeasureCentral(const std::string& scheme,
                        const std::vector<uint32_t>& hosts,
                        const Sample& inSwitch,
                        std::map<Key, Sample>& samples);

    const FabricGraph& m_graph;                 ///< the fabric
    const BarrierStudyParameters& m_parameters; ///< what is asked for
    Ptr<CollectiveDomain> m_domain;             ///< of the fabric as it is, if need be
    Ptr<CollectiveDomain> m_flitlessDomain;     ///< of one whose flits take 1 ps, if need be
};

} // namespace ns3

#endif /* BARRIER_STUDY_RUN_H */
