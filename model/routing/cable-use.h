/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CABLE_USE_H
#define CABLE_USE_H

#include "fabric-graph.h"

#include "ns3/wormhole-router.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Counts how many cables of each bundle the routes between hosts use. A bundle is several
 *        parallel cables between two switches, seen from one of them.
 *
 * Routes of all pairs of hosts are counted, or of MAX_PAIRS pairs, sampled the same way every time,
 * if there are more.
 */
class CableUse
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch
    using Port = FabricGraph::Port; ///< number of a port

    /// Maximum number of pairs of hosts.
    static constexpr uint64_t MAX_PAIRS = uint64_t{1} << 20;

    /// Several cables from one switch to another.
    struct Bundle
    {
        Node from;               ///< this switch
        Node to;                 ///< the other switch
        std::vector<Port> ports; ///< ports of this switch that lead there
        uint32_t nUsed;          ///< number of these that some route uses
    };

    /// @return the bundles, none of them used @param graph a fabric
    static std::vector<Bundle> FindBundles(const FabricGraph& graph);

    /// @param graph a fabric
    /// @param router gives its routes
    /// @return its bundles, ordered by switch numbers
    static std::vector<Bundle> Count(const FabricGraph& graph, WormholeRouter& router);

    /// @param graph a fabric
    /// @param makeRouter creates the router; called only if there are bundles
    /// @return a summary in one line; empty if there are no bundles
    static std::string Describe(const FabricGraph& graph,
                                const std::function<Ptr<WormholeRouter>()>& makeRouter);
};

} // namespace ns3

#endif /* CABLE_USE_H */
