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

#include <cmath>
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
 * @brief One run of BarrierStudy: one fabric, on which groups are measured.
 *
 * Builds at most two fabrics and uses them for all groups, since building takes longest.
 */
class BarrierStudyRun
{
  public:
    /// Scheme, reduction and timing.
    using Key = std::tuple<std::string, std::string, std::string>;

    /// What one group's barrier took.
    struct Sample
    {
        double latencyUs{0}; ///< since all came until the last one left, us; beside traffic
                             ///< the mean over rounds
        std::vector<double> roundsUs; ///< that of each round beside traffic, us
        double modelUs{0};            ///< closed form, us
        uint64_t messageHops{0};      ///< links crossed by messages
        uint64_t flitHops{0};         ///< links crossed by flits
        uint32_t height{0};           ///< height of the barrier tree
        uint32_t edges{0};            ///< edges of the barrier tree
        uint64_t startUps{0};         ///< messages that hosts send
        uint64_t rootMessages{0};     ///< those that the root's host sends or takes
        uint32_t messageBytes{0};     ///< length of the longest, bytes
        double setupUs{0};            ///< until the group is ready, us
        uint32_t leaves{0};           ///< leaves of the barrier tree
        uint32_t deepest{0};          ///< those among them at its greatest depth
        bool hasOtherRoot{false};     ///< whether its root would be another if all leaves counted
        std::string rootSwitch;       ///< its root switch
        std::string rootHost;         ///< its root host
        LatencyParts parts; ///< of the latency; NaN where that is not asked for, or the barrier was
                            ///< not simulated

        /// Nothing is explained.
        Sample()
        {
            parts.Set(NAN);
        }
    };

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
