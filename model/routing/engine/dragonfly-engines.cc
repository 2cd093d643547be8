// SPDX-License-Identifier: GPL-2.0-only

// Routes of dragonflies, minimal and Valiant's.

#include "ns3/dragonfly-topology.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Finds choices between whole ways, as one tree: where they part, the worm chooses.
class WaysFinder : public WormRoute::Finder
{
  public:
    /// @param ways the ways, in order of preference, of ports << 8 | lanes
    explicit WaysFinder(std::vector<RouteSet::Way> ways)
        : m_ways(std::move(ways))
    {
    }

    /// The state is how far the worm has come, and the first of the ways that come there.
    void Find(State state, std::vector<Found>& found) const override
    {
        const auto depth = state >> 32;
        const auto first = static_cast<uint32_t>(state);
        const auto& come = m_ways[first];
        for (auto i = first; i < m_ways.size(); ++i)
        {
            const auto& way = m_ways[i];
            if (way.size() <= depth || !std::equal(come.begin(), come.begin() + depth, way.begin()))
            {
                continue;
            }
            const auto port = static_cast<uint16_t>(way[depth] >> 8);
            const auto lane = static_cast<uint8_t>(way[depth]);
            if (NoneOf(found, [&](const Found& known) {
                    return known.port == port && known.lane == lane;
                }))
            {
                found.push_back(
                    {port, lane, depth + 1 == way.size() ? AT_END : (depth + 1) << 32 | i});
            }
        }
    }

  private:
    std::vector<RouteSet::Way> m_ways;
};

/// Routes from group to group, in a lane further behind each cable between groups.
class DragonflyLanes : public RouteSet
{
  public:
    enum class Ways
    {
        MINIMAL,
        VALIANT, ///< through a third group
        UGAL     ///< the worm may choose
    };

    DragonflyLanes(const FabricGraph& graph,
                   const DragonflyTopology& dragonfly,
                   Ways ways,
                   uint32_t nDetours,
                   uint32_t nCables)
        : RouteSet(graph, ways == Ways::VALIANT || nDetours > 0 ? 3 : 2),
          m_dragonfly(dragonfly),
          m_ways(ways),
          m_nCables(std::min(nCables, dragonfly.GetNGlobalCables())),
          m_nDetours(std::min(nDetours, std::max(dragonfly.GetNGroups(), 2U) - 2))
    {
        // Along every route: lane, then within a group before between groups.
        const auto& channels = GetChannels();
        const auto height = [&](uint32_t vertex) {
            const auto channel = vertex / GetNLanes();
            const bool isGlobal = m_dragonfly.GetGroup(channels.From(channel)) !=
                                  m_dragonfly.GetGroup(channels.To(channel));
            return 2 * (vertex % GetNLanes()) + isGlobal;
        };
        SetOrder(NumbersBy(std::size_t{channels.GetNChannels()} * GetNLanes(), height));
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        AppendWay(GetHosts().SwitchOf(from),
                  GetHosts().SwitchOf(to),
                  m_ways == Ways::VALIANT ? 1 : 0,
                  RouteSpread(RouteSpread::Rule::HASH, from, to),
                  way);
    }

    bool HasChoices() const override
    {
        return m_ways == Ways::UGAL;
    }

    std::pair<Ptr<const WormRoute::Finder>, WormRoute::Finder::State> MakeFinder(Node from, Node to)
        const override
    {
        // The shortest ways come first.
        const RouteSpread spread(RouteSpread::Rule::HASH, from, to);
        std::vector<Way> ways(m_nCables + m_nDetours);
        for (uint32_t i = 0; i < ways.size(); ++i)
        {
            const auto detour = i < m_nCables ? 0 : i - m_nCables + 1;
            AppendWay(from, to, detour, spread, ways[i], detour == 0 ? i : 0);
        }
        std::stable_sort(ways.begin(), ways.begin() + m_nCables, [](const Way& a, const Way& b) {
            return a.size() < b.size();
        });
        for (auto& way : ways)
        {
            for (auto& vertex : way)
            {
                vertex = GetChannels().PortOf(vertex / GetNLanes()) << 8 | vertex % GetNLanes();
            }
        }
        return {Create<WaysFinder>(std::move(ways)), from == to ? WormRoute::Finder::AT_END : 0};
    }

  private:
    /// @param detour 0: minimal; else through which third group, of those in an order that the hash
    /// says @param cable which cable between groups, from that on which it says
    void AppendWay(Node node,
                   Node last,
                   uint32_t detour,
                   const RouteSpread& spread,
                   Way& way,
                   uint32_t cable = 0) const
    {
        uint32_t lane = 0;
        const auto take = [&](Node at, Port port) {
            way.push_back(GetChannels().At(at, port) * GetNLanes() + lane);
        };
        const auto goTo = [&](uint32_t group, uint32_t further) {
            const auto nCables = m_dragonfly.GetNGlobalCables();
            const auto copy = (spread.Choose(node, nCables) + further) % nCables;
            const auto here = m_dragonfly.GetGroup(node);
            node = m_dragonfly.Cross(node, m_dragonfly.GetGlobalCable(here, group, copy), take);
            ++lane;
        };
        const auto here = m_dragonfly.GetGroup(node);
        const auto there = m_dragonfly.GetGroup(last);
        const auto nGroups = m_dragonfly.GetNGroups();
        if (detour > 0 && here != there && nGroups > 2)
        {
            // One of the groups that are neither.
            auto between = spread.Choose(GetChannels().GetNSwitches(), nGroups - 2);
            between = (between + detour - 1) % (nGroups - 2);
            between += between >= std::min(here, there);
            between += between >= std::max(here, there);
            goTo(between, 0);
        }
        if (here != there)
        {
            goTo(there, cable);
        }
        m_dragonfly.Step(node, last, take);
    }

    DragonflyTopology m_dragonfly;
    Ways m_ways;         ///< through which groups routes come
    uint32_t m_nCables;  ///< cables between two groups that a worm may choose between
    uint32_t m_nDetours; ///< third groups that a worm may choose between
};

} // namespace

/// Routes of dragonflies in several lanes.
class DragonflyRoutingEngine : public RoutingEngine
{
  public:
    bool UsesTopologyRule() const override
    {
        return true;
    }

  protected:
    Ptr<WormholeRouter> MakeLanes(const FabricGraph& graph,
                                  const RegularTopology* rule,
                                  DragonflyLanes::Ways ways,
                                  uint32_t nDetours = 0,
                                  uint32_t nCables = 1) const
    {
        if (const auto dragonfly = dynamic_cast<const DragonflyTopology*>(rule))
        {
            return Create<DragonflyLanes>(graph, *dragonfly, ways, nDetours, nCables);
        }
        RefuseRule("a dragonfly; expected one such as dragonfly:a=4,h=2");
    }
};

/// Routes of one way for a pair of hosts (Kim, Dally, Scott and Abts, Technology-Driven,
/// Highly-Scalable Dragonfly Topology, ISCA 2008).
///
/// Minimal ones, in two lanes: a cable within the group, one between groups, then in the second
/// lane one within the other group. Valiant's, in three: minimal to a third group, which a hash of
/// both hosts chooses, and from there minimal on.
template <DragonflyLanes::Ways WAYS>
class OneWayDragonflyRoutingEngine : public DragonflyRoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<OneWayDragonflyRoutingEngine>(
            WAYS == DragonflyLanes::Ways::MINIMAL ? "ns3::DragonflyMinimalRoutingEngine"
                                                  : "ns3::ValiantRoutingEngine");
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology* rule) const override
    {
        return MakeLanes(graph, rule, WAYS);
    }
};

using DragonflyMinimalRoutingEngine = OneWayDragonflyRoutingEngine<DragonflyLanes::Ways::MINIMAL>;
using ValiantRoutingEngine = OneWayDragonflyRoutingEngine<DragonflyLanes::Ways::VALIANT>;

NS_OBJECT_ENSURE_REGISTERED(DragonflyMinimalRoutingEngine);
NS_OBJECT_ENSURE_REGISTERED(ValiantRoutingEngine);

/// Minimal or Valiant's routes of a dragonfly, whichever is free first, in three lanes: UGAL (Kim,
/// Dally, Scott and Abts 2008) by what the switches know. Without detours these are minimal
/// adaptive routes, in two lanes: the worm chooses between cables of the two groups.
///
/// Theirs compares lengths of queues at the sender's switch. Here a worm asks at once for the
/// outputs of its minimal route and of some routes through a third group, where they part, and
/// takes the first that is granted, the minimal one if several are free (rule S12).
class UgalRoutingEngine : public DragonflyRoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            NewType::Of<UgalRoutingEngine, RoutingEngine>("ns3::UgalRoutingEngine")
                .Add("Detours",
                     "Number of intermediate groups among which a worm may choose; a hash of both "
                     "hosts selects these groups. 0: minimal routes only.",
                     Sets::Number(&UgalRoutingEngine::m_detours, 1, 0, 64))
                .Add("Cables",
                     "Number of a group pair's cables among which a worm on a minimal route may "
                     "choose; a hash of both hosts selects the first of these cables.",
                     Sets::Number(&UgalRoutingEngine::m_cables, 1, 1, 64));
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology* rule) const override
    {
        return MakeLanes(graph, rule, DragonflyLanes::Ways::UGAL, m_detours, m_cables);
    }

    uint32_t m_detours; ///< third groups that a worm may choose between
    uint32_t m_cables;  ///< cables between two groups that it may choose between
};

NS_OBJECT_ENSURE_REGISTERED(UgalRoutingEngine);

} // namespace ns3
