/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Routes of fat trees, below all top switches at once.

#include "destination-routes.h"
#include "switch-levels.h"

#include "ns3/wormhole-routing-engine.h"

namespace ns3
{

/// Up to a common ancestor, then down, by levels found from all top switches of a fat tree, see
/// SwitchLevels; spread by the load of channels, see DestinationRoutes.
class FatTreeRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<FatTreeRoutingEngine>("ns3::FatTreeRoutingEngine");
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        const SwitchChannels channels(graph);
        const HostAttachment hosts(graph);
        const SwitchLevels levels(channels, hosts);
        return Create<DestinationRoutes>(graph, levels.GetRanks());
    }
};

NS_OBJECT_ENSURE_REGISTERED(FatTreeRoutingEngine);

} // namespace ns3
