/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Dimension order with datelines on tori.

#include "ns3/checked-attribute.h"
#include "ns3/grid-topology.h"
#include "ns3/string.h"
#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-route-spread.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// Ways in order of dimensions.
class DatelineWays : public SimpleRefCount<DatelineWays>
{
  public:
    using Node = SwitchChannels::Node;

    /// A channel on a way.
    struct Hop
    {
        SwitchChannels::Channel channel;
        SwitchChannels::Port ring; ///< port that leads round the ring that it is in
        uint32_t lane;             ///< lane that it is taken in, of several the preferred one
        bool isFree;               ///< whether the other lane does, too
    };

    static constexpr uint32_t NUMBER = 2; ///< lanes

    DatelineWays(const FabricGraph& graph, const GridTopology& grid)
        : m_channels(graph),
          m_grid(grid)
    {
    }

    const SwitchChannels& GetChannels() const
    {
        return m_channels;
    }

    /// @param from where the way begins
    /// @param node where it has come, another one than the last
    /// @param last where it ends
    /// @return its next channel
    Hop GetHop(Node from, Node node, Node last, const RouteSpread& spread) const
    {
        uint32_t dimension = 0;
        while (m_grid.GetCoordinate(node, dimension) == m_grid.GetCoordinate(last, dimension))
        {
            ++dimension;
        }
        const auto length = m_grid.GetLength(dimension);
        const auto begin = m_grid.GetCoordinate(from, dimension);
        const auto place = m_grid.GetCoordinate(node, dimension);
        const auto end = m_grid.GetCoordinate(last, dimension);
        const auto up = end >= begin ? end - begin : end + length - begin;
        // Halfway round, half of the switches go either way.
        const bool goesUp = IsOpen(dimension)  ? end > begin
                            : 2 * up == length ? begin % 2 == 0
                                               : 2 * up < length;
        const auto port = static_cast<SwitchChannels::Port>(2 * dimension + !goesUp);
        // What crosses no dateline may be in either lane.
        const bool crosses = goesUp ? end < begin : end > begin;
        const bool hasCrossed = goesUp ? place < begin : place > begin;
        return {m_channels.At(node, port),
                port,
                crosses ? hasCrossed : spread.Choose(dimension, NUMBER),
                !crosses};
    }

  private:
    /// @return whether the ends of a dimension are not joined by a cable of their own
    bool IsOpen(uint32_t dimension) const
    {
        return m_grid.GetEnds() == GridTopology::Ends::OPEN || m_grid.GetLength(dimension) == 2;
    }

    SwitchChannels m_channels;
    GridTopology m_grid;
};

/// Finds the lanes that a worm may take. From the second lane of a ring no worm goes back to the
/// first one.
class DatelineFinder : public WormRoute::Finder
{
  public:
    DatelineFinder(Ptr<const DatelineWays> ways, DatelineWays::Node from, DatelineWays::Node last)
        : m_ways(std::move(ways)),
          m_spread(RouteSpread::Rule::HASH, from, last),
          m_from(from),
          m_last(last)
    {
    }

    /// The state is how many channels the worm has taken, whether it is bound to the second lane,
    /// and its switch.
    void Find(State state, std::vector<Found>& found) const override
    {
        const auto& channels = m_ways->GetChannels();
        const auto hop =
            m_ways->GetHop(m_from, static_cast<DatelineWays::Node>(state), m_last, m_spread);
        const auto node = channels.To(hop.channel);
        const auto further = ((state >> 33) + 1) << 33 | node;
        const bool isBound = state >> 32 & 1;
        bool binds = false; // whether it goes on in the same ring
        if (node != m_last && hop.isFree)
        {
            binds = m_ways->GetHop(m_from, node, m_last, m_spread).ring == hop.ring;
        }
        for (uint32_t i = 0; i < (hop.isFree && !isBound ? 2 : 1); ++i)
        {
            const auto lane = isBound ? 1 : i == 0 ? hop.lane : 1 - hop.lane;
            found.push_back({channels.PortOf(hop.channel),
                             static_cast<uint8_t>(lane),
                             node == m_last ? AT_END : further | State{binds && lane == 1} << 32});
        }
    }

  private:
    Ptr<const DatelineWays> m_ways;
    RouteSpread m_spread;
    DatelineWays::Node m_from;
    DatelineWays::Node m_last;
};

/// Routes in order of dimensions. Those that come over the cable that joins a dimension's ends are
/// in the second lane behind it, and in the first before; others are in either.
class DatelineRoutes : public RouteSet
{
  public:
    DatelineRoutes(const FabricGraph& graph, const GridTopology& grid, bool isFree)
        : RouteSet(graph, NUMBER),
          m_ways(Create<const DatelineWays>(graph, grid)),
          m_isFree(isFree)
    {
        // Along every route: dimension, direction, lane, then how far along the direction.
        const auto& channels = GetChannels();
        std::vector<uint64_t> heights(channels.GetNChannels() * NUMBER);
        for (Vertex vertex = 0; vertex < heights.size(); ++vertex)
        {
            const auto channel = vertex / NUMBER;
            const auto port = channels.PortOf(channel);
            const auto dimension = port / 2U;
            const auto place = grid.GetCoordinate(channels.From(channel), dimension);
            const auto along = port % 2 == 0 ? place : grid.GetLength(dimension) - 1 - place;
            heights[vertex] = ((uint64_t{port} * NUMBER + vertex % NUMBER) << 32) + along;
        }
        std::vector<uint32_t> order(heights.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            return heights[a] < heights[b];
        });
        SetOrder(order);
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        const RouteSpread spread(RouteSpread::Rule::HASH, from, to);
        const auto first = GetHosts().SwitchOf(from);
        const auto last = GetHosts().SwitchOf(to);
        for (auto node = first; node != last; node = GetChannels().To(way.back() / NUMBER))
        {
            const auto hop = m_ways->GetHop(first, node, last, spread);
            way.push_back(hop.channel * NUMBER + hop.lane);
        }
    }

    bool HasChoices() const override
    {
        return m_isFree;
    }

    std::pair<Ptr<const WormRoute::Finder>, WormRoute::Finder::State> MakeFinder(Node from, Node to)
        const override
    {
        return {Create<DatelineFinder>(m_ways, from, to),
                from == to ? WormRoute::Finder::AT_END : from};
    }

    static constexpr uint32_t NUMBER = DatelineWays::NUMBER;

  private:
    Ptr<const DatelineWays> m_ways;
    bool m_isFree; ///< whether worms that cross no dateline take either lane
};

} // namespace

/// Dimension order with datelines, shortest routes of a torus in two lanes (Dally and Seitz 1987):
/// a worm that comes over the cable that joins the ends of a dimension is in the first lane before
/// and in the second behind it; others are in either.
class DatelineRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static const AttributeKeywords LANES("Lane", {"hash", "free"});
        static TypeId tid =
            MakeTypeId<DatelineRoutingEngine>("ns3::DatelineRoutingEngine")
                .AddAttribute(
                    "Lane",
                    "Lane of worms that cross no dateline: hash, by a hash of both hosts; or free, "
                    "at each switch the one that is granted first, but never back to the first.",
                    StringValue("hash"),
                    MakeKeywordAccessor(LANES, MakeStringAccessor(&DatelineRoutingEngine::m_lane)),
                    MakeKeywordChecker(LANES));
        return tid;
    }

    bool UsesTopologyRule() const override
    {
        return true;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology* rule) const override
    {
        const auto grid = dynamic_cast<const GridTopology*>(rule);
        if (!grid)
        {
            RefuseRule("a torus or mesh; expected one such as torus:8x8");
        }
        return Create<DatelineRoutes>(graph, *grid, m_lane == "free");
    }

    std::string m_lane; ///< of worms that cross no dateline
};

NS_OBJECT_ENSURE_REGISTERED(DatelineRoutingEngine);

} // namespace ns3
