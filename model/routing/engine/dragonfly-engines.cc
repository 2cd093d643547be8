/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Routes of dragonflies, minimal and Valiant's.

#include "routing-engine.h"

#include "ns3/dragonfly-topology.h"
#include "ns3/route-spread.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/// Routes from group to group, in a lane further behind each cable between groups.
class DragonflyLanes : public LaneRoutes
{
  public:
    /// @param graph the fabric @param dragonfly its rule @param isValiant whether routes come
    /// through a third group
    DragonflyLanes(const FabricGraph& graph, const DragonflyTopology& dragonfly, bool isValiant)
        : LaneRoutes(graph, isValiant ? 3 : 2),
          m_dragonfly(dragonfly),
          m_isValiant(isValiant)
    {
        // Along every route: lane, then within a group before between groups.
        const auto& channels = GetChannels();
        const auto height = [&](uint32_t vertex) {
            const auto channel = vertex / GetNLanes();
            const bool isGlobal = m_dragonfly.GetGroup(channels.From(channel)) !=
                                  m_dragonfly.GetGroup(channels.To(channel));
            return 2 * (vertex % GetNLanes()) + isGlobal;
        };
        std::vector<uint32_t> order(channels.GetNChannels() * GetNLanes());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            return height(a) < height(b);
        });
        SetOrder(order);
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        const RouteSpread spread(RouteSpread::Rule::HASH, from, to);
        auto node = GetHosts().SwitchOf(from);
        const auto last = GetHosts().SwitchOf(to);
        uint32_t lane = 0;
        const auto here = m_dragonfly.GetGroup(node);
        const auto there = m_dragonfly.GetGroup(last);
        const auto nGroups = m_dragonfly.GetNGroups();
        if (m_isValiant && here != there && nGroups > 2)
        {
            // One of the groups that are neither.
            auto between = spread.Choose(GetChannels().GetNSwitches(), nGroups - 2);
            between += between >= std::min(here, there);
            between += between >= std::max(here, there);
            node = GoToGroup(node, between, spread, lane, way);
        }
        if (m_dragonfly.GetGroup(node) != there)
        {
            node = GoToGroup(node, there, spread, lane, way);
        }
        GoTo(node, last, lane, way);
    }

  private:
    /// Goes on to a switch of the same group. @param from,to the switches @param lane the lane
    /// @param way list to append to
    void GoTo(Node from, Node to, uint32_t lane, Way& way) const
    {
        if (from != to)
        {
            const auto channel = GetChannels().At(from, m_dragonfly.PortTo(from, to));
            way.push_back(channel * GetNLanes() + lane);
        }
    }

    /// @return the first switch of a group to which a worm goes on @param from a switch of another
    /// @param group the group @param spread chooses the cable @param lane the lane, which becomes
    /// one more @param way list to append to
    Node GoToGroup(Node from,
                   uint32_t group,
                   const RouteSpread& spread,
                   uint32_t& lane,
                   Way& way) const
    {
        const auto copy = spread.Choose(from, m_dragonfly.GetNGlobalCables());
        const auto cable = m_dragonfly.GetGlobalCable(m_dragonfly.GetGroup(from), group, copy);
        GoTo(from, cable.from, lane, way);
        way.push_back(GetChannels().At(cable.from, cable.port) * GetNLanes() + lane);
        ++lane;
        return cable.to;
    }

    DragonflyTopology m_dragonfly; ///< the rule
    bool m_isValiant;              ///< whether routes come through a third group
};

/// @return a fabric's rule @param rule the rule @param engine name of the engine, for messages
const DragonflyTopology&
DragonflyRule(const RegularTopology* rule, const std::string& engine)
{
    const auto dragonfly = dynamic_cast<const DragonflyTopology*>(rule);
    if (!dragonfly)
    {
        throw WormholeError("routing " + engine +
                            ": the fabric is made as no dragonfly; accepted is one such as "
                            "dragonfly:a=4,h=2,routing=" +
                            engine);
    }
    return *dragonfly;
}

} // namespace

/**
 * @brief Minimal routes of a dragonfly in two lanes (Kim, Dally, Scott and Abts, Technology-Driven,
 *        Highly-Scalable Dragonfly Topology, ISCA 2008): a cable within the group, one between
 *        groups, then in the second lane one within the other group.
 */
class DragonflyMinimalRoutingEngine : public RoutingEngine
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::DragonflyMinimalRoutingEngine")
                                .SetParent<RoutingEngine>()
                                .SetGroupName("Wormhole")
                                .AddConstructor<DragonflyMinimalRoutingEngine>();
        return tid;
    }

    bool TakesRule() const override
    {
        return true;
    }

  private:
    std::shared_ptr<const LaneRoutes> DoCompute(const FabricGraph& graph,
                                                const RegularTopology* rule) const override
    {
        return std::make_shared<DragonflyLanes>(graph, DragonflyRule(rule, GetName()), false);
    }
};

NS_OBJECT_ENSURE_REGISTERED(DragonflyMinimalRoutingEngine);

/**
 * @brief Valiant's routes of a dragonfly in three lanes: minimal to a third group, and from there
 *        minimal on (Kim, Dally, Scott and Abts 2008). A hash of both hosts chooses the group, so a
 *        pair of hosts has one route.
 */
class ValiantRoutingEngine : public RoutingEngine
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ValiantRoutingEngine")
                                .SetParent<RoutingEngine>()
                                .SetGroupName("Wormhole")
                                .AddConstructor<ValiantRoutingEngine>();
        return tid;
    }

    bool TakesRule() const override
    {
        return true;
    }

  private:
    std::shared_ptr<const LaneRoutes> DoCompute(const FabricGraph& graph,
                                                const RegularTopology* rule) const override
    {
        return std::make_shared<DragonflyLanes>(graph, DragonflyRule(rule, GetName()), true);
    }
};

NS_OBJECT_ENSURE_REGISTERED(ValiantRoutingEngine);

} // namespace ns3
