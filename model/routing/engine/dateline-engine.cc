// SPDX-License-Identifier: GPL-2.0-only

// Dimension order with datelines on tori.

#include "ns3/grid-topology.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-routing-engine.h"

#include <array>
#include <vector>

namespace ns3
{

namespace
{

/// Routes in order of dimensions. Those that come over the cable that joins a dimension's ends are
/// in the second lane behind it, and in the first before; others are in either.
class DatelineRoutes : public RouteSet
{
  public:
    DatelineRoutes(const FabricGraph& graph, const GridTopology& grid, bool isFree)
        : RouteSet(graph, NUMBER),
          m_grid(grid),
          m_isFree(isFree)
    {
        // Along every route: dimension, direction, lane, then how far along the direction. Port 2 i
        // leads up in dimension i, port 2 i + 1 down.
        const auto& channels = GetChannels();
        const auto height = [&](Vertex vertex) {
            const auto channel = vertex / NUMBER;
            const auto port = channels.PortOf(channel);
            const auto dimension = port / 2U;
            const auto place = m_grid.GetCoordinate(channels.From(channel), dimension);
            const auto along = port % 2 == 0 ? place : m_grid.GetLength(dimension) - 1 - place;
            return ((uint64_t{port} * NUMBER + vertex % NUMBER) << 32) + along;
        };
        SetOrder(NumbersBy(std::size_t{channels.GetNChannels()} * NUMBER, height));
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        Follow(GetHosts().SwitchOf(from),
               GetHosts().SwitchOf(to),
               RouteSpread(RouteSpread::Rule::HASH, from, to),
               [&](const Hop& hop) { way.push_back(hop.channel * NUMBER + hop.lane); });
    }

    bool HasChoices() const override
    {
        return m_isFree;
    }

    Choices MakeChoices(Node from, Node to) const override
    {
        std::vector<Hop> hops;
        Follow(from, to, RouteSpread(RouteSpread::Rule::HASH, from, to), [&](const Hop& hop) {
            hops.push_back(hop);
        });
        Choices choices;
        // From the second lane of a ring no worm goes back to the first one. So each hop has a
        // place in the list for worms that may take either, and one for those in the second lane.
        std::vector<std::array<uint32_t, NUMBER>> places;
        uint32_t place = 0;
        for (std::size_t i = 0; i < hops.size(); ++i)
        {
            const bool goesOn = i > 0 && hops[i].isFree && hops[i].ring == hops[i - 1].ring;
            places.push_back({place, goesOn ? place + 1 : place});
            place = places.back()[1] + 1;
        }
        places.push_back({place, place});
        choices.resize(place + 1);
        for (std::size_t i = 0; i < hops.size(); ++i)
        {
            const auto& hop = hops[i];
            const auto add = [&](uint32_t at, uint32_t lane) {
                choices[at].push_back({hop.channel * NUMBER + lane, places[i + 1][lane]});
            };
            add(places[i][0], hop.lane);
            if (hop.isFree)
            {
                add(places[i][0], 1 - hop.lane);
            }
            if (places[i][1] != places[i][0])
            {
                add(places[i][1], 1);
            }
        }
        return choices;
    }

    static constexpr uint32_t NUMBER = 2;

  private:
    struct Hop
    {
        Channel channel;
        SwitchChannels::Port ring; ///< port that leads round the ring that it is in
        uint32_t lane;             ///< lane that it is taken in, of several the preferred one
        bool isFree;               ///< whether the other lane does, too
    };

    template <class TAKE>
    void Follow(Node node, Node last, const RouteSpread& spread, TAKE take) const
    {
        const auto& channels = GetChannels();
        for (uint32_t dimension = 0; dimension < m_grid.GetNDimensions(); ++dimension)
        {
            const auto length = m_grid.GetLength(dimension);
            const auto begin = m_grid.GetCoordinate(node, dimension);
            const auto end = m_grid.GetCoordinate(last, dimension);
            const auto up = end >= begin ? end - begin : end + length - begin;
            // Halfway round, half of the switches go either way.
            const bool goesUp = IsOpen(dimension)  ? end > begin
                                : 2 * up == length ? begin % 2 == 0
                                                   : 2 * up < length;
            const auto port = static_cast<SwitchChannels::Port>(2 * dimension + !goesUp);
            // What crosses no dateline may be in either lane.
            const bool crosses = goesUp ? end < begin : end > begin;
            auto lane = crosses ? 0 : spread.Choose(dimension, NUMBER);
            const auto turn = goesUp ? length - 1 : 0; // behind it, the dateline is crossed
            for (auto place = begin; place != end;)
            {
                const auto channel = channels.At(node, port);
                take(Hop{channel, port, lane, !crosses});
                lane = place == turn ? 1 : lane;
                place = place == turn ? length - 1 - turn : goesUp ? place + 1 : place - 1;
                node = channels.To(channel);
            }
        }
    }

    /// @return whether the ends of a dimension are not joined by a cable of their own
    bool IsOpen(uint32_t dimension) const
    {
        return m_grid.GetEnds() == GridTopology::Ends::OPEN || m_grid.GetLength(dimension) == 2;
    }

    GridTopology m_grid;
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
        static TypeId tid =
            NewType::Of<DatelineRoutingEngine, RoutingEngine>("ns3::DatelineRoutingEngine")
                .Add("Lane",
                     "Lane of worms in a dimension where they cross no dateline: hash, selected by "
                     "a hash of both hosts; or free, at each switch the lane that is granted "
                     "first, but within a dimension a worm never returns to the first lane.",
                     Sets::Choice({"hash", "free"}, "hash", &DatelineRoutingEngine::m_isFree));
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
        if (const auto grid = dynamic_cast<const GridTopology*>(rule))
        {
            return Create<DatelineRoutes>(graph, *grid, m_isFree);
        }
        RefuseRule("a torus or mesh; expected one such as torus:8x8");
    }

    bool m_isFree; ///< whether worms that cross no dateline take the lane that is granted first
};

NS_OBJECT_ENSURE_REGISTERED(DatelineRoutingEngine);

} // namespace ns3
