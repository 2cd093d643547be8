/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Routes with choices, found on the way.

#include "up-down-order.h"
#include "up-down-search.h"

#include "ns3/checked-attribute.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-route-spread.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint16_t NO_WAY = UINT16_MAX;

/// Where a worm is on its way: first the least distance that it was at, the longest coming first;
/// whether it is on the escape; and then the place of its channel in the order, else its switch. In
/// one number, since states are compared again and again.
using State = uint64_t;

/// Bits of the number of a channel or switch.
constexpr uint32_t NUMBER_BITS = 32;

State
MakeState(int32_t least, bool isEscape, uint32_t number)
{
    return (static_cast<State>(NO_WAY - least) << 1 | isEscape) << NUMBER_BITS | number;
}

/// Routes with choices: all shortest ways, with an escape (Duato, A New Theory of Deadlock-Free
/// Adaptive Routing in Wormhole Networks, IEEE TPDS 4(12), 1993).
///
/// Lane 0 is the escape: its ways follow an order of the channels. In the other lanes a worm may go
/// on by any channel that leads nearer to its end, whatever circles these close, and at each switch
/// it may leave for the escape. It may come back from there where it is nearer to its end than it
/// ever was: since it waits in one buffer at a time, for the escape, too, that closes no circle.
/// With one lane the choices are between all shortest ways that follow the order.
///
/// What is needed of the ways to a switch is found when one is first asked for: two bytes for each
/// switch and each channel.
class AdaptiveRoutes : public RouteSet
{
  public:
    AdaptiveRoutes(const FabricGraph& graph, uint32_t nLanes, const std::vector<Channel>& order)
        : RouteSet(graph, nLanes),
          m_places(order.size()),
          m_order(order),
          m_distances(graph.GetNSwitches())
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
        for (std::size_t place = 0; place < order.size(); ++place)
        {
            m_places[order[place]] = static_cast<uint32_t>(place);
        }
    }

    /// Appends a shortest way of the escape. @copydetails RouteSet::Append
    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        const RouteSpread spread(RouteSpread::Rule::HASH, from, to);
        const auto end = GetHosts().SwitchOf(to);
        const auto& distances = To(end);
        auto last = SwitchChannels::NONE;
        for (auto node = GetHosts().SwitchOf(from); node != end; node = GetChannels().To(last))
        {
            last = ChooseEscape(distances, node, last, spread);
            way.push_back(last * GetNLanes());
        }
    }

    Choices MakeChoices(Node from, Node end) const override
    {
        const auto nLanes = GetNLanes();
        if (nLanes == 1)
        {
            return MakeOrdered(from, end);
        }
        const RouteSpread spread(RouteSpread::Rule::HASH, from, end);
        const auto& channels = GetChannels();
        const auto& distances = To(end);
        // In order; whatever a worm takes leads to a later one, so they grow behind the one that is
        // looked at. The end is last.
        std::vector<State> states{MakeState(distances.bySwitch[from], false, from)};
        const auto atEnd = MakeState(0, false, end);
        std::vector<std::pair<Vertex, State>> taken; // state by state
        std::vector<std::size_t> begins{0};          // of those of each state
        const auto firstLane = spread.Choose(end, nLanes - 1);
        const auto add = [&](Vertex vertex, State next) {
            const auto state = channels.To(vertex / nLanes) == end ? atEnd : next;
            taken.emplace_back(vertex, state);
            const auto place = std::lower_bound(states.begin(), states.end(), state);
            if (place == states.end() || *place != state)
            {
                states.insert(place, state);
            }
        };
        for (std::size_t i = 0; i < states.size(); ++i)
        {
            const auto number = static_cast<uint32_t>(states[i]);
            const bool isEscape = states[i] >> NUMBER_BITS & 1;
            const auto least = NO_WAY - static_cast<int32_t>(states[i] >> (NUMBER_BITS + 1));
            const auto last = isEscape ? m_order[number] : SwitchChannels::NONE;
            const auto node = isEscape ? channels.To(last) : number;
            const int32_t distance = distances.bySwitch[node];
            // Back from the escape where it is nearer than ever: so no worm goes round for ever.
            if (node != end && (!isEscape || distance < least))
            {
                ChannelList nearer;
                for (auto next = channels.First(node); next < channels.First(node + 1); ++next)
                {
                    if (distances.bySwitch[channels.To(next)] + 1 == distance)
                    {
                        nearer.push_back(next);
                    }
                }
                const auto first = spread.Choose(node, static_cast<uint32_t>(nearer.size()));
                std::rotate(nearer.begin(), nearer.begin() + first, nearer.end());
                for (uint32_t lane = 0; lane + 1 < nLanes; ++lane)
                {
                    for (const auto channel : nearer)
                    {
                        add(channel * nLanes + 1 + (firstLane + lane) % (nLanes - 1),
                            MakeState(distance - 1, false, channels.To(channel)));
                    }
                }
            }
            if (node != end)
            {
                const auto escape = ChooseEscape(distances, node, last, spread);
                add(escape * nLanes, MakeState(std::min(least, distance), true, m_places[escape]));
            }
            begins.push_back(taken.size());
        }
        Choices choices(states.size());
        for (std::size_t i = 0; i < states.size(); ++i)
        {
            choices[i].reserve(begins[i + 1] - begins[i]);
            for (auto at = begins[i]; at < begins[i + 1]; ++at)
            {
                const auto& [vertex, next] = taken[at];
                const auto place = std::lower_bound(states.begin(), states.end(), next);
                choices[i].push_back({vertex, static_cast<uint32_t>(place - states.begin())});
            }
        }
        return choices;
    }

    bool HasChoices() const override
    {
        return true;
    }

  private:
    /// Channels from a switch, most often few.
    using ChannelList = boost::container::small_vector<Channel, 8>;

    /// How far it is to a switch.
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
        const auto& channels = GetChannels();
        known = std::make_unique<Distances>();
        auto& bySwitch = known->bySwitch;
        for (const auto distance : channels.Distances(to)) // each cable is two channels
        {
            bySwitch.push_back(static_cast<uint16_t>(std::min<uint32_t>(distance, NO_WAY)));
        }
        auto& byChannel = known->byChannel;
        byChannel.assign(channels.GetNChannels(), NO_WAY);
        for (auto channel = m_order.rbegin(); channel != m_order.rend(); ++channel)
        {
            const auto node = channels.To(*channel);
            byChannel[*channel] = node == to ? 1 : NO_WAY;
            for (auto next = channels.First(node); node != to && next < channels.First(node + 1);
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
        const auto& channels = GetChannels();
        ChannelList found;
        for (auto next = channels.First(node); next < channels.First(node + 1); ++next)
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

    Choices MakeOrdered(Node from, Node end) const
    {
        const RouteSpread spread(RouteSpread::Rule::HASH, from, end);
        const auto& channels = GetChannels();
        const auto& distances = To(end);
        // What may follow depends on the channel by which a worm came. All ways are equally long,
        // so each place in the list comes before those that it leads to; the end is last.
        std::vector<std::pair<Node, Channel>> places{{from, SwitchChannels::NONE}};
        std::unordered_map<Channel, uint32_t> known;
        Choices choices;
        for (std::size_t i = 0; i < places.size(); ++i)
        {
            const auto [node, last] = places[i];
            choices.emplace_back();
            if (node == end)
            {
                continue;
            }
            auto ways = ListEscapes(distances, node, last);
            const auto first = spread.Choose(node, static_cast<uint32_t>(ways.size()));
            std::rotate(ways.begin(), ways.begin() + first, ways.end());
            for (const auto channel : ways)
            {
                // All that lead to the end share a place.
                const auto key = channels.To(channel) == end ? SwitchChannels::NONE : channel;
                const auto [place, isNew] =
                    known.emplace(key, static_cast<uint32_t>(places.size()));
                if (isNew)
                {
                    places.emplace_back(channels.To(channel), channel);
                }
                choices.back().push_back({channel, place->second});
            }
        }
        return choices;
    }

    std::vector<uint32_t> m_places; ///< place of each channel in the order
    std::vector<Channel> m_order;   ///< the order
    mutable std::vector<std::unique_ptr<Distances>> m_distances; ///< by switch; null: not yet found
};

} // namespace

/// Minimal adaptive routing: at each switch a worm takes the first output that is granted to it of
/// all that lead nearer to its end (rule S12), see AdaptiveRoutes.
///
/// With several lanes these are all shortest ways, and up/down routes in lane 0 are the escape.
/// With one lane they are the shortest up/down routes.
class AdaptiveRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static const AttributeKeywords ORDERS("Order", {"breadth-first", "depth-first"});
        static TypeId tid =
            MakeTypeId<AdaptiveRoutingEngine>("ns3::AdaptiveRoutingEngine")
                .AddAttribute("Lanes",
                              "Number of lanes; with several the first is the escape.",
                              UintegerValue(2),
                              MakeUintegerAccessor(&AdaptiveRoutingEngine::m_lanes),
                              MakeUintegerChecker<uint32_t>(1, 255))
                .AddAttribute("Root",
                              "Switch where the search begins by whose order a channel of the "
                              "escape is up or down: best, the one of several with the least load "
                              "of the busiest channel; first, degree, center or the name of a "
                              "switch.",
                              StringValue("best"),
                              MakeStringAccessor(&AdaptiveRoutingEngine::m_root),
                              MakeStringChecker())
                .AddAttribute("Candidates",
                              "Switches tried as the best root.",
                              UintegerValue(24),
                              MakeUintegerAccessor(&AdaptiveRoutingEngine::m_candidates),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "Order",
                    "How that search goes on: breadth-first or depth-first.",
                    StringValue("depth-first"),
                    MakeKeywordAccessor(ORDERS,
                                        MakeStringAccessor(&AdaptiveRoutingEngine::m_order)),
                    MakeKeywordChecker(ORDERS));
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        UpDownSearch search(graph,
                            m_order == "depth-first" ? UpDownSearch::Order::DEPTH_FIRST
                                                     : UpDownSearch::Order::BREADTH_FIRST,
                            RouteBalance::SHORTEST);
        const auto root = search.FindRoot(m_root, m_candidates);
        return Create<AdaptiveRoutes>(
            graph,
            m_lanes,
            UpDownOrder(search.GetChannels(), search.MakeTree(root).GetRanks()).OrderChannels());
    }

    uint32_t m_lanes;
    std::string m_root;    ///< switch where the search begins
    uint32_t m_candidates; ///< switches tried
    std::string m_order;   ///< how the search goes on
};

NS_OBJECT_ENSURE_REGISTERED(AdaptiveRoutingEngine);

} // namespace ns3
