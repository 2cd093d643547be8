// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/channel-dependency.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Several lanes for each of other routes' lanes: at each node, a unicast worm takes the one that
/// is granted first (rule S12), hosts' cables included. Lane l of the routes becomes lanes l * n to
/// l * n + n - 1 of n, so what followed an order before still does: no cycle is added.
///
/// Tree worms and messages to switches stay in the first of each.
class FreeLanes : public DerivedRouter, public TurnRule
{
  public:
    FreeLanes(Ptr<WormholeRouter> router, uint32_t nFree)
        : DerivedRouter(std::move(router)),
          m_nFree(nFree)
    {
    }

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override
    {
        const auto route = m_router->GetRoute(from, to);
        if (!route->HasChoices())
        {
            return FreePath(*route);
        }
        // Branches that several stops share belong to one node. Those of later nodes are later.
        const auto nStops = route->GetNStops();
        WormRoute::Reader reader(*route);
        std::vector<WormRoute::Exits> nodes;
        for (WormRoute::Stop stop = 0; stop < nStops; ++stop)
        {
            if (const auto exits = reader.GetExits(stop); exits.size > 0)
            {
                nodes.push_back(exits);
            }
        }
        const auto isEarlier = [](const auto& a, const auto& b) { return a.begin < b.begin; };
        const auto isSame = [](const auto& a, const auto& b) { return a.begin == b.begin; };
        std::sort(nodes.begin(), nodes.end(), isEarlier);
        nodes.erase(std::unique(nodes.begin(), nodes.end(), isSame), nodes.end());
        const auto numberOf = [&](const WormRoute::Exits& exits) {
            const auto found = exits.size > 0
                                   ? std::lower_bound(nodes.begin(), nodes.end(), exits, isEarlier)
                                   : nodes.end();
            return static_cast<uint32_t>(found - nodes.begin());
        };
        std::vector<std::vector<WormRoute::Choice>> choices;
        for (const auto& exits : nodes)
        {
            choices.emplace_back();
            const auto branches = reader.At(exits);
            const auto add = [&](std::size_t i, uint32_t free) {
                const auto [port, next] = branches[i];
                choices.back().push_back(
                    {port, LaneOf(reader.GetLane(next), free), numberOf(reader.GetExits(next))});
            };
            // An idle channel comes before another lane of a busy one, and the escape last.
            const auto last = static_cast<uint32_t>(branches.size()) - 1;
            for (uint32_t i = 0; i < last * m_nFree; ++i)
            {
                add(i % last, i / last);
            }
            for (uint32_t free = 0; free < m_nFree; ++free)
            {
                add(last, free);
            }
        }
        choices.emplace_back();
        return Create<WormRoute>(WormRoute::Adaptive(choices));
    }

    Ptr<const WormRoute> GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to) override
    {
        return InFirstLanes(m_router->GetTreeRoute(from, to));
    }

    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override
    {
        return InFirstLanes(m_router->GetRouteToSwitch(from, toSwitch));
    }

    uint32_t GetNLanes() const override
    {
        return m_router->GetNLanes() * m_nFree;
    }

    bool HasCycle(const FabricGraph& graph) const override
    {
        if (const auto* rule = dynamic_cast<const TurnRule*>(PeekPointer(m_router)))
        {
            return rule->HasCycle(graph);
        }
        ChannelDependency all(graph,
                              ChannelDependency::Branches::INDEPENDENT,
                              m_router->GetNLanes());
        all.AddAllPairs(*m_router);
        return !all.FindCycle().empty();
    }

  private:
    /// @return a mere path in free lanes: without what choices take, since each worm gets its own
    Ptr<const WormRoute> FreePath(const WormRoute& path)
    {
        const auto nChannels = path.GetNChannels();
        if (m_paths.size() <= nChannels)
        {
            m_paths.resize(nChannels + 1);
        }
        auto& nodes = m_paths[nChannels];
        nodes.resize(nChannels + 1);
        WormRoute::Reader reader(path);
        for (WormRoute::Stop stop = 0; stop < nChannels; ++stop)
        {
            const auto port = reader.At(reader.GetExits(stop))[0].port;
            nodes[stop].resize(m_nFree);
            for (uint32_t free = 0; free < m_nFree; ++free)
            {
                nodes[stop][free] = {port, LaneOf(reader.GetLane(stop + 1), free), stop + 1};
            }
        }
        return Create<WormRoute>(WormRoute::Adaptive(nodes));
    }

    uint8_t LaneOf(uint32_t lane, uint32_t free) const
    {
        return static_cast<uint8_t>(lane * m_nFree + free);
    }

    Ptr<const WormRoute> InFirstLanes(const Ptr<const WormRoute>& route) const
    {
        WormRoute::Lanes lanes;
        for (WormRoute::Stop stop = 1; stop < route->GetNStops(); ++stop)
        {
            lanes.push_back(LaneOf(route->GetLane(stop), 0));
        }
        return Create<WormRoute>(route->InLanes(lanes));
    }

    uint32_t m_nFree;

    /// Listings of paths by number of channels, to be filled in.
    std::vector<std::vector<std::vector<WormRoute::Choice>>> m_paths;
};

} // namespace

Ptr<WormholeRouter>
RoutingEngine::MakeFreeLanes(const Ptr<WormholeRouter>& router) const
{
    const auto name = "routing " + GetName() + ": FreeLanes=" + std::to_string(m_freeLanes);
    WormholeError::ThrowIf(router->GetInTransit() != InTransit::NONE,
                           name + ": hosts relay worms of these routes; expected 1");
    WormholeError::ThrowIf(router->GetNLanes() * m_freeLanes > WormholeFabric::MAX_LANES,
                           name + " for each of " + std::to_string(router->GetNLanes()) +
                               " lanes; expected " + std::to_string(WormholeFabric::MAX_LANES) +
                               " lanes at most");
    return Create<FreeLanes>(router, m_freeLanes);
}

} // namespace ns3
