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

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
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
    /// Scheme and reduction.
    using Key = std::pair<std::string, std::string>;

    /// What one group's barrier took.
    struct Sample
    {
        double latencyUs{0};     ///< since all came until the last one left, us
        double modelUs{0};       ///< closed form, us
        uint64_t messageHops{0}; ///< links crossed by messages
        uint64_t flitHops{0};    ///< links crossed by flits
        uint32_t height{0};      ///< height of the barrier tree
        uint32_t edges{0};       ///< edges of the barrier tree
        std::string rootSwitch;  ///< its root switch
        std::string rootHost;    ///< its root host
    };

    /**
     * @param graph the fabric
     * @param parameters what is asked for
     * @throws WormholeError if paper-inferred is, but no cables join switches
     */
    BarrierStudyRun(const FabricGraph& graph, const BarrierStudyParameters& parameters);

    /**
     * Measures a group, by every scheme and reduction that is asked for.
     * @param hosts the members
     * @return what it took
     */
    std::map<Key, Sample> Measure(const std::vector<uint32_t>& hosts);

  private:
    /// @return a sample with what it has of the tree @param tree the group's barrier tree
    Sample FromTree(const BarrierTree& tree) const;

    /// @return what a barrier in the switches takes @param hosts the members
    Sample MeasureInSwitch(const std::vector<uint32_t>& hosts);

    /**
     * Measures a barrier by messages.
     * @param scheme multicast or unicast
     * @param hosts the members
     * @param inSwitch what a barrier in the switches takes
     * @param samples gets what it took
     */
    void MeasureCentral(const std::string& scheme,
                        const std::vector<uint32_t>& hosts,
                        const Sample& inSwitch,
                        std::map<Key, Sample>& samples);

    const FabricGraph& m_graph;                 ///< the fabric
    const BarrierStudyParameters& m_parameters; ///< what is asked for
    Ptr<CollectiveDomain> m_domain;             ///< of the fabric as it is, if need be
    Ptr<CollectiveDomain> m_inSwitchDomain;     ///< which btin uses: that, or flits take 1 ps
};

} // namespace ns3

#endif /* BARRIER_STUDY_RUN_H */
