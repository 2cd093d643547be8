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
 * @brief How many cables of each bundle the routes between hosts use: a bundle is several cables
 *        between the same two switches, seen from one of them.
 *
 * Routes of all pairs of hosts are looked at, or, where there are more than MAX_PAIRS pairs, of so
 * many, drawn the same way every time.
 */
class CableUse
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch
    using Port = FabricGraph::Port; ///< number of a port

    /// Pairs of hosts that are looked at, at most.
    static constexpr uint64_t MAX_PAIRS = uint64_t{1} << 20;

    /// Several cables from one switch to another.
    struct Bundle
    {
        Node from;               ///< the one
        Node to;                 ///< the other
        std::vector<Port> ports; ///< ports of the one that lead there
        uint32_t nUsed;          ///< number of these by which some route leaves
    };

    /// @return the bundles, none of them used @param graph a fabric
    static std::vector<Bundle> FindBundles(const FabricGraph& graph);

    /// @param graph a fabric
    /// @param router gives its routes
    /// @return its bundles, by the numbers of their switches
    static std::vector<Bundle> Count(const FabricGraph& graph, WormholeRouter& router);

    /// @param graph a fabric
    /// @param makeRouter makes what gives its routes; called if there are bundles
    /// @return what is used, in one line; empty if there are no bundles
    static std::string Describe(const FabricGraph& graph,
                                const std::function<Ptr<WormholeRouter>()>& makeRouter);
};

} // namespace ns3

#endif /* CABLE_USE_H */
