// SPDX-License-Identifier: GPL-2.0-only

// Routes with choices, found on the way.

#include "up-down-search.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint16_t NO_WAY = UINT16_MAX;

/// Where a worm is on its way: first the least distance that it was at, the longest coming first;
/// whether it is on the escape, or in an order; and then the place of its channel in the order,
/// else its switch. In one number, since states are compared again and again.
using State = WormRoute::Finder::State;

constexpr uint32_t NUMBER_BITS = 32; ///< of the number of a channel or switch

State
MakeState(int32_t least, bool isEscape, uint32_t number)
{
    return (static_cast<State>(NO_WAY - least) << 1 | isEscape) << NUMBER_BITS | number;
}

/// What worms may choose on all ways to all switches, see AdaptiveRoutes.
///
/// What is needed of the ways to a switch is found when one is first asked for: two bytes for each
/// switch and each channel.
class AdaptiveWays : public SimpleRefCount<AdaptiveWays>
{
  public:
    using Node = SwitchChannels::Node;
    using Channel = SwitchChannels::Channel;
    using Vertex = RouteSet::Vertex;

    AdaptiveWays(const FabricGraph& graph, uint32_t nLanes, const std::vector<Channel>& order)
        : m_channels(graph),
          m_nLanes(nLanes),
          m_places(PlacesIn(order)),
          m_order(order),
          m_distances(graph.GetNSwitches())
    {
    }

    const SwitchChannels& GetChannels() const
    {
        return m_channels;
    }

    uint32_t GetNLanes() const
    {
        return m_nLanes;
    }

    void AppendEscape(Node node, Node end, const RouteSpread& spread, RouteSet::Way& way) const
    {
        const auto& distances = To(end);
        for (auto last = SwitchChannels::NONE; node != end; node = m_channels.To(last))
        {
            last = ChooseEscape(distances, node, last, spread);
            way.push_back(last * m_nLanes);
        }
    }

    /// @return where a worm begins: in an order, before all else
    State Begin(Node from, Node end) const
    {
        return from == end
                   ? WormRoute::Finder::AT_END
                   : MakeState(m_nLanes == 1 ? NO_WAY : To(end).bySwitch[from], false, from);
    }

    /// Finds choices.
    /// @param state where the worm is, not at the end
    /// @param take called with the lane of a channel, and the state that it leads to
    template <typename TAKE>
    void Visit(Node end, State state, const RouteSpread& spread, TAKE take) const
    {
        const auto& distances = To(end);
        const auto number = static_cast<uint32_t>(state);
        const bool isEscape = state >> NUMBER_BITS & 1;
        const auto least = NO_WAY - static_cast<int32_t>(state >> (NUMBER_BITS + 1));
        const auto last = isEscape ? m_order[number] : SwitchChannels::NONE;
        const auto node = isEscape ? m_channels.To(last) : number;
        const auto add = [&](Vertex vertex, State next) {
            const bool isEnd = m_channels.To(vertex / m_nLanes) == end;
            take(vertex, isEnd ? WormRoute::Finder::AT_END : next);
        };
        const auto rotate = [&](ChannelList& list) {
            const auto first = spread.Choose(node, static_cast<uint32_t>(list.size()));
            std::rotate(list.begin(), list.begin() + first, list.end());
        };
        if (m_nLanes == 1)
        {
            // What may follow depends on the channel by which a worm came.
            auto ways = ListEscapes(distances, node, last);
            rotate(ways);
            for (const auto channel : ways)
            {
                add(channel, MakeState(distances.byChannel[channel] - 1, true, m_places[channel]));
            }
            return;
        }
        const int32_t distance = distances.bySwitch[node];
        // Back from the escape where it is nearer than ever: so no worm goes round for ever.
        if (!isEscape || distance < least)
        {
            ChannelList nearer;
            for (const auto next : m_channels.Out(node))
            {
                if (distances.bySwitch[m_channels.To(next)] + 1 == distance)
                {
                    nearer.push_back(next);
                }
            }
            rotate(nearer);
            const auto firstLane = spread.Choose(end, m_nLanes - 1);
            for (uint32_t lane = 0; lane + 1 < m_nLanes; ++lane)
            {
                for (const auto channel : nearer)
                {
                    add(channel * m_nLanes + 1 + (firstLane + lane) % (m_nLanes - 1),
                        MakeState(distance - 1, false, m_channels.To(channel)));
                }
            }
        }
        const auto escape = ChooseEscape(distances, node, last, spread);
        add(escape * m_nLanes, MakeState(std::min(least, distance), true, m_places[escape]));
    }

    /// Has distances come near that are read where a worm comes to, which is soon.
    /// @param state of the worm there
    void Prefetch(Node end, State state) const
    {
        if (state == WormRoute::Finder::AT_END)
        {
            return;
        }
        const auto number = static_cast<uint32_t>(state);
        const auto node = state >> NUMBER_BITS & 1 ? m_channels.To(m_order[number]) : number;
        const auto& distances = To(end);
        __builtin_prefetch(distances.byChannel.data() + m_channels.First(node));
        for (const auto next : m_channels.Out(node))
        {
            __builtin_prefetch(distances.bySwitch.data() + m_channels.To(next));
        }
    }

  private:
    using ChannelList = boost::container::small_vector<Channel, 8>;

    struct Distances
    {
        std::vector<uint16_t> bySwitch;
        /// Channels of a way in the order that begins with each channel, that one among them.
        std::vector<uint16_t> byChannel;
    };

    const Distances& To(Node to) const
    {
        auto& known = m_distances[to];
        if (known)
        {
            return *known;
        }
        known = std::make_unique<Distances>();
        // Each cable is two channels.
        known->bySwitch = MadeOf(m_channels.Distances(to), [](uint32_t distance) {
            return static_cast<uint16_t>(std::min<uint32_t>(distance, NO_WAY));
        });
        auto& byChannel = known->byChannel;
        byChannel.assign(m_channels.GetNChannels(), NO_WAY);
        for (auto channel = m_order.rbegin(); channel != m_order.rend(); ++channel)
        {
            const auto node = m_channels.To(*channel);
            byChannel[*channel] = node == to ? 1 : NO_WAY;
            for (auto next = m_channels.First(node);
                 node != to && next < m_channels.First(node + 1);
                 ++next)
            {
                if (m_places[next] > m_places[*channel] && byChannel[next] != NO_WAY)
                {
                    byChannel[*channel] =
                        std::min<uint16_t>(byChannel[*channel], byChannel[next] + 1);
                }
            }
        }
        return *known;
    }

    /// Lists the channels that begin the shortest ways of the escape.
    /// @param last channel by which it came on the escape; NONE: it begins
    ChannelList ListEscapes(const Distances& distances, Node node, Channel last) const
    {
        ChannelList found;
        for (const auto next : m_channels.Out(node))
        {
            const auto distance = distances.byChannel[next];
            const bool follows = last == SwitchChannels::NONE || m_places[next] > m_places[last];
            if (!follows || distance == NO_WAY)
            {
                continue;
            }
            if (!found.empty() && distance < distances.byChannel[found.front()])
            {
                found.clear();
            }
            if (found.empty() || distance == distances.byChannel[found.front()])
            {
                found.push_back(next);
            }
        }
        return found;
    }

    Channel ChooseEscape(const Distances& distances,
                         Node node,
                         Channel last,
                         const RouteSpread& spread) const
    {
        const auto ways = ListEscapes(distances, node, last);
        return ways[spread.Choose(node, static_cast<uint32_t>(ways.size()))];
    }

    SwitchChannels m_channels;
    uint32_t m_nLanes;
    std::vector<uint32_t> m_places; ///< place of each channel in the order
    std::vector<Channel> m_order;   ///< the order
    mutable std::vector<std::unique_ptr<Distances>> m_distances; ///< by switch; null: not yet found
};

class AdaptiveFinder : public WormRoute::Finder
{
  public:
    AdaptiveFinder(Ptr<const AdaptiveWays> ways, RouteSet::Node from, RouteSet::Node end)
        : m_ways(std::move(ways)),
          m_spread(RouteSpread::Rule::HASH, from, end),
          m_end(end)
    {
    }

    void Find(State state, std::vector<Found>& found) const override
    {
        const auto nLanes = m_ways->GetNLanes();
        m_ways->Visit(m_end, state, m_spread, [&](RouteSet::Vertex vertex, State next) {
            found.push_back({m_ways->GetChannels().PortOf(vertex / nLanes),
                             static_cast<uint8_t>(vertex % nLanes),
                             next});
        });
        if (!found.empty())
        {
            m_ways->Prefetch(m_end, found.front().next); // most take their first choice
        }
    }

  private:
    Ptr<const AdaptiveWays> m_ways;
    RouteSpread m_spread;
    RouteSet::Node m_end;
};

/// Routes with choices: all shortest ways, with an escape (Duato, A New Theory of Deadlock-Free
/// Adaptive Routing in Wormhole Networks, IEEE TPDS 4(12), 1993).
///
/// Lane 0 is the escape: its ways follow an order of the channels. In the other lanes a worm may go
/// on by any channel that leads nearer to its end, whatever circles these close, and at each switch
/// it may leave for the escape. It may come back from there where it is nearer to its end than it
/// ever was: since it waits in one buffer at a time, for the escape, too, that closes no circle.
/// With one lane the choices are between all shortest ways that follow the order.
class AdaptiveRoutes : public RouteSet
{
  public:
    AdaptiveRoutes(const FabricGraph& graph, uint32_t nLanes, const std::vector<Channel>& order)
        : RouteSet(graph, nLanes),
          m_ways(Create<const AdaptiveWays>(graph, nLanes, order))
    {
        // The escape comes last: whatever holds another lane may wait for it.
        std::vector<Vertex> vertices;
        for (uint32_t lane = nLanes; lane-- > 0;)
        {
            for (const auto channel : order)
            {
                vertices.push_back(channel * nLanes + lane);
            }
        }
        SetOrder(vertices);
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        m_ways->AppendEscape(GetHosts().SwitchOf(from),
                             GetHosts().SwitchOf(to),
                             RouteSpread(RouteSpread::Rule::HASH, from, to),
                             way);
    }

    std::pair<Ptr<const WormRoute::Finder>, State> MakeFinder(Node from, Node end) const override
    {
        return {Create<AdaptiveFinder>(m_ways, from, end), m_ways->Begin(from, end)};
    }

    bool HasChoices() const override
    {
        return true;
    }

  private:
    Ptr<const AdaptiveWays> m_ways;
};

} // namespace

/// Minimal adaptive routing: at each switch a worm takes the first output that is granted to it of
/// all that lead nearer to its end (rule S12), see AdaptiveRoutes.
///
/// With several lanes these are all shortest ways, and up/down routes in lane 0 are the escape.
/// With one lane they are the shortest up/down routes.
class AdaptiveRoutingEngine : public TreeRoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            AddTree(NewType::Of<AdaptiveRoutingEngine, RoutingEngine>("ns3::AdaptiveRoutingEngine")
                        .Add("Lanes",
                             "Number of lanes; if several, the first is the escape channel.",
                             Sets::Number(&AdaptiveRoutingEngine::m_lanes, 2, 1, 255)),
                    "a channel of the escape",
                    "",
                    "depth-first");
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        auto search = MakeSearch(graph);
        const auto root = search.FindRoot(m_root, m_candidates);
        return Create<AdaptiveRoutes>(
            graph,
            m_lanes,
            UpDownOrder(search.GetChannels(), search.MakeTree(root).GetRanks()).OrderChannels());
    }

    uint32_t m_lanes;
};

NS_OBJECT_ENSURE_REGISTERED(AdaptiveRoutingEngine);

} // namespace ns3
