// SPDX-License-Identifier: GPL-2.0-only

// Shortest routes in layers of lanes.

#include "up-down-order.h"

#include "ns3/new-type.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t MAX_LAYERS = 255;           ///< that an engine may be given
using WayTurn = std::pair<uint32_t, uint32_t>; ///< two channels that follow each other
using WaysOfTurns = std::map<WayTurn, std::vector<uint32_t>>; ///< that make a turn, in a layer

/// @return turns of a circle; empty if there is none
std::vector<WayTurn>
FindCircle(const WaysOfTurns& turns, uint32_t nChannels)
{
    enum State : uint8_t
    {
        NEW,
        OPEN,
        DONE
    };

    std::vector<State> states(nChannels, NEW);
    std::vector<std::pair<uint32_t, WaysOfTurns::const_iterator>> way; // channel, its next turn
    const auto first = [&](uint32_t channel) { return turns.lower_bound({channel, 0}); };
    for (uint32_t root = 0; root < nChannels; ++root)
    {
        if (states[root] != NEW)
        {
            continue;
        }
        states[root] = OPEN;
        way.assign(1, {root, first(root)});
        while (!way.empty())
        {
            auto& [channel, turn] = way.back();
            if (turn == turns.end() || turn->first.first != channel)
            {
                states[channel] = DONE;
                way.pop_back();
                continue;
            }
            const auto next = (turn++)->first.second;
            if (states[next] == OPEN)
            {
                std::vector<WayTurn> circle{{channel, next}};
                for (auto at = way.size() - 1; way[at].first != next; --at)
                {
                    circle.emplace_back(way[at - 1].first, way[at].first);
                }
                return circle;
            }
            if (states[next] == NEW)
            {
                states[next] = OPEN;
                way.emplace_back(next, first(next));
            }
        }
    }
    return {};
}

using Distance = std::pair<uint32_t, uint64_t>; ///< in cables, then load

/// A channel of the graph of switches, which Boost searches against its direction.
struct SearchedChannel
{
    uint32_t channel;
    Distance cost; ///< one cable, and its load
};

/// The switches and the channels between them, turned round.
using SearchGraph = boost::
    adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, SearchedChannel>;

/// Notes by which channel each switch was reached.
class ChannelRecorder : public boost::dijkstra_visitor<>
{
  public:
    explicit ChannelRecorder(std::vector<uint32_t>& next)
        : m_next(next)
    {
    }

    void edge_relaxed(const SearchGraph::edge_descriptor& edge, const SearchGraph& graph)
    {
        m_next[boost::target(edge, graph)] = graph[edge].channel;
    }

  private:
    std::vector<uint32_t>& m_next; ///< channels, by switch
};

/// Ways of fewest cables from all switches to one after the other, without regard to circles: what
/// layers of lanes are made of.
///
/// At each switch they go on by one channel, whatever switch they come from (by destination). Where
/// several are equally short, the sum of loads on the rest of the way decides, as in SSSP routing
/// (Hoefler, Schneider and Lumsdaine, Optimized Routing for Large-Scale InfiniBand Networks, HOTI
/// 2009): a channel's load is the number of pairs of hosts of ways that were made before.
class DestinationPaths
{
  public:
    using Node = SwitchChannels::Node;
    using Channel = SwitchChannels::Channel;

    /// @param channels the channels, which must outlive this object, as the hosts
    /// @param isBalanced whether loads decide between equally short ways; else the lowest channels
    DestinationPaths(const SwitchChannels& channels, const HostAttachment& hosts, bool isBalanced)
        : m_channels(channels),
          m_hosts(hosts),
          m_isBalanced(isBalanced),
          m_nCopies(StoredRoutes::Store::CountCopies(channels.GetNSwitches(), hosts)),
          m_loads(channels.GetNChannels(), 0)
    {
    }

    /// @return number of ways to each switch: as many as hosts at most, fewer on large fabrics
    uint32_t GetNCopies() const
    {
        return m_nCopies;
    }

    /// @return channel by which each switch goes on; NONE at the switch itself
    std::vector<Channel> Make(Node to, uint32_t copy)
    {
        const auto nSwitches = m_channels.GetNSwitches();
        SearchGraph graph(nSwitches);
        for (Channel channel = 0; channel < m_channels.GetNChannels(); ++channel)
        {
            boost::add_edge(m_channels.To(channel),
                            m_channels.From(channel),
                            {channel, {1, m_isBalanced ? m_loads[channel] : 0}},
                            graph);
        }
        std::vector<Channel> next(nSwitches, SwitchChannels::NONE);
        std::vector<Distance> distances(nSwitches);
        const auto add = [](const Distance& a, const Distance& b) {
            return Distance(a.first + b.first, a.second + b.second);
        };
        boost::dijkstra_shortest_paths(graph,
                                       to,
                                       boost::weight_map(boost::get(&SearchedChannel::cost, graph))
                                           .distance_map(boost::make_iterator_property_map(
                                               distances.begin(),
                                               boost::get(boost::vertex_index, graph)))
                                           .distance_compare(std::less<Distance>())
                                           .distance_combine(add)
                                           .distance_inf(Distance(UINT32_MAX, 0))
                                           .distance_zero(Distance(0, 0))
                                           .visitor(ChannelRecorder(next)));
        for (Node from = 0; from < nSwitches; ++from)
        {
            const auto load =
                uint64_t{m_hosts.CountAt(from)} * m_hosts.CountAt(to, copy, m_nCopies);
            for (auto node = from; node != to && load > 0; node = m_channels.To(next[node]))
            {
                m_loads[next[node]] += load;
            }
        }
        return next;
    }

  private:
    const SwitchChannels& m_channels;
    const HostAttachment& m_hosts;
    bool m_isBalanced;             ///< whether loads decide
    uint32_t m_nCopies;            ///< ways to each switch
    std::vector<uint64_t> m_loads; ///< pairs of hosts, by channel
};

/// Puts every way into one lane, its layer, so that the ways of no layer close a circle.
class LaneLayers
{
  public:
    using Node = SwitchChannels::Node;
    using Channel = SwitchChannels::Channel;

    struct LayeredWay
    {
        Node from;     ///< switch where it begins
        Node to;       ///< switch where it ends
        uint32_t copy; ///< which of the ways between them
        std::vector<Channel> channels;
        uint32_t layer{0};
    };

    /// @param graph the fabric, which must outlive this object
    LaneLayers(const FabricGraph& graph,
               const std::string& engine,
               uint32_t maxLayers,
               bool isBalanced)
        : m_graph(graph),
          m_engine(engine),
          m_maxLayers(maxLayers),
          m_channels(graph),
          m_hosts(graph)
    {
        DestinationPaths ways(m_channels, m_hosts, isBalanced);
        m_nCopies = ways.GetNCopies();
        const auto add = [&](Node to, uint32_t copy) {
            const auto next = ways.Make(to, copy);
            for (const auto from : m_hosts.FindSwitches())
            {
                if (from != to)
                {
                    auto way = FollowChannels(m_channels, next, from, to);
                    m_ways.push_back({from, to, copy, std::move(way), 0});
                }
            }
        };
        ForEachCopy(m_channels.GetNSwitches(),
                    m_hosts,
                    m_nCopies,
                    "switches with ways to them",
                    add);
    }

    /// Puts each way into the first layer where it closes no circle, as LASH does.
    /// @throws WormholeError if that takes more layers than there are
    void PutFirst()
    {
        std::vector<TurnSet> layers(m_maxLayers, TurnSet(m_channels.GetNChannels()));
        RoutingProgress progress("ways with a lane", m_ways.size());
        for (auto& way : m_ways)
        {
            progress.Step();
            while (!layers[way.layer].AddPath(way.channels))
            {
                if (++way.layer == m_maxLayers)
                {
                    RefuseLayers();
                }
            }
        }
    }

    /// Puts all ways into the first layer, and as long as there is a circle in a layer those of its
    /// turn that has fewest into the next one, as DFSSSP does.
    /// @throws WormholeError if that takes more layers than there are
    void BreakCycles()
    {
        auto ways = NumbersBelow(m_ways.size());
        for (uint32_t layer = 0;; ++layer)
        {
            ways = BreakCyclesOf(ways);
            if (ways.empty())
            {
                return;
            }
            if (layer + 1 == m_maxLayers)
            {
                RefuseLayers();
            }
            for (const auto way : ways)
            {
                m_ways[way].layer = layer + 1;
            }
        }
    }

    Ptr<RouteSet> Make() const
    {
        const auto nLanes = GreatestOf(1U, m_ways, [](const auto& way) { return way.layer + 1; });
        TurnSet turns(m_channels.GetNChannels() * nLanes);
        StoredRoutes::Store store(m_channels.GetNSwitches(), m_nCopies);
        for (const auto& way : m_ways)
        {
            auto vertices = MadeOf(way.channels, [&](Channel channel) {
                return TurnSet::Vertex{channel * nLanes + way.layer};
            });
            turns.AddPath(vertices);
            store.Set(way.from, way.to, way.copy, std::move(vertices));
        }
        return Create<StoredRoutes>(m_graph, nLanes, std::move(store), turns);
    }

  private:
    std::vector<uint32_t> BreakCyclesOf(const std::vector<uint32_t>& ways)
    {
        WaysOfTurns turns;
        for (const auto way : ways)
        {
            const auto& channels = m_ways[way].channels;
            for (std::size_t i = 0; i + 1 < channels.size(); ++i)
            {
                turns[{channels[i], channels[i + 1]}].push_back(way);
            }
        }
        std::vector<uint32_t> left;
        RoutingProgress progress("cycles broken");
        for (auto circle = FindCircle(turns, m_channels.GetNChannels()); !circle.empty();
             circle = FindCircle(turns, m_channels.GetNChannels()))
        {
            progress.Step();
            const auto weakest =
                *std::min_element(circle.begin(), circle.end(), [&](const auto& a, const auto& b) {
                    return std::pair(turns[a].size(), a) < std::pair(turns[b].size(), b);
                });
            for (const auto way : std::vector<uint32_t>(turns[weakest]))
            {
                left.push_back(way);
                const auto& channels = m_ways[way].channels;
                for (std::size_t i = 0; i + 1 < channels.size(); ++i)
                {
                    const auto found = turns.find({channels[i], channels[i + 1]});
                    auto& users = found->second;
                    users.erase(std::find(users.begin(), users.end(), way));
                    if (users.empty())
                    {
                        turns.erase(found);
                    }
                }
            }
        }
        return left;
    }

    [[noreturn]] void RefuseLayers() const
    {
        throw WormholeError("routing " + m_engine + " needs more than " +
                            std::to_string(m_maxLayers) + (m_maxLayers == 1 ? " lane" : " lanes") +
                            " on this fabric; expected " +
                            (m_maxLayers < MAX_LAYERS ? m_engine + " with more Lanes, or " : "") +
                            "nue, which works with any number");
    }

    const FabricGraph& m_graph;
    std::string m_engine;
    uint32_t m_maxLayers;
    SwitchChannels m_channels;
    HostAttachment m_hosts;
    uint32_t m_nCopies; ///< ways of each pair of switches
    std::vector<LayeredWay> m_ways;
};

} // namespace

/// LASH: shortest routes, each in the first lane where it closes no circle (Skeie, Lysne and
/// Theiss, Layered Shortest Path (LASH) Routing in Irregular System Area Networks, IPDPS 2002).
///
/// DFSSSP: shortest routes spread by load, moved to further lanes until none has a circle (Domke,
/// Hoefler and Nagel, Deadlock-Free Oblivious Routing for Arbitrary Topologies, IPDPS 2011).
template <bool IS_DFSSSP>
class LayerRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = NewType::Of<LayerRoutingEngine, RoutingEngine>(
                                IS_DFSSSP ? "ns3::DfssspRoutingEngine" : "ns3::LashRoutingEngine")
                                .Add("Lanes",
                                     "Number of lanes available; routes may need fewer.",
                                     Sets::Number(&LayerRoutingEngine::m_lanes, 16, 1, 255));
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        LaneLayers layers(graph, GetName(), m_lanes, IS_DFSSSP);
        IS_DFSSSP ? layers.BreakCycles() : layers.PutFirst();
        return layers.Make();
    }

    uint32_t m_lanes;
};

using LashRoutingEngine = LayerRoutingEngine<false>;
using DfssspRoutingEngine = LayerRoutingEngine<true>;

NS_OBJECT_ENSURE_REGISTERED(LashRoutingEngine);
NS_OBJECT_ENSURE_REGISTERED(DfssspRoutingEngine);

} // namespace ns3
