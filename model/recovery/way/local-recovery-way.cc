// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/ordering.h"
#include "ns3/recovery-way.h"
#include "ns3/switch-channels.h"
#include "ns3/up-down-routing.h"
#include "ns3/wormhole-error.h"

#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t NO_WAY = UINT32_MAX; ///< no legal way leads there
constexpr std::size_t MOST_CHOICES = 3; ///< each is a place at every switch of a route

/// Routes with other channels for each switch that a worm comes to, which it takes where the first
/// one's cable is known to be down.
class FallbackRouter : public DerivedRouter
{
  public:
    /// @param router the fabric's routes, which are paths by switches
    FallbackRouter(const FabricGraph& graph, Ptr<WormholeRouter> router)
        : DerivedRouter(router),
          m_graph(graph),
          m_channels(m_graph),
          m_hosts(m_graph),
          m_nLanes(router->GetNLanes())
    {
        // Up/down ways are what most routes follow, and the order leaves others as many as it can.
        const UpDownRouting levels(m_graph);
        const auto key = [&](Vertex vertex) {
            const auto channel = vertex / m_nLanes;
            const auto from = m_channels.From(channel);
            const auto isDown = !levels.LeadsUp(from, m_channels.To(channel));
            const auto level = static_cast<int64_t>(levels.GetLevel(from));
            const auto number = static_cast<int64_t>(from);
            return isDown ? std::make_tuple(true, level, number)
                          : std::make_tuple(false, -level, -number);
        };
        TurnSet turns(NumbersBy(std::size_t{m_channels.GetNChannels()} * m_nLanes, key));
        for (uint32_t from = 0; from < m_graph.GetNHosts(); ++from)
        {
            for (uint32_t to = 0; to < m_graph.GetNHosts(); ++to)
            {
                if (from != to && !turns.AddPath(GetWay(from, *m_router->GetRoute(from, to))))
                {
                    throw WormholeError("recovery local: the routes close a cycle of channels; "
                                        "expected others, such as up-down");
                }
            }
        }
        m_ranks = MadeOfNumbers(turns.GetNVertices(),
                                [&](Vertex vertex) { return turns.GetRank(vertex); });
        m_order = PlacesIn(m_ranks);
    }

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override
    {
        const auto way = GetWay(from, *m_router->GetRoute(from, to));
        const auto first = m_hosts.SwitchOf(from);
        const auto last = m_hosts.SwitchOf(to);
        const auto& distances = GetDistances(last);
        // By rank: choices lead further down the list. A worm comes to a switch by a vertex; first
        // of all by none.
        std::map<uint32_t, std::vector<Vertex>> choicesAfter;
        const auto choose = [&](FabricGraph::Node node, const Vertex* came) {
            std::vector<Vertex> found;
            const auto at = came ? std::find(way.begin(), way.end(), *came) : way.begin();
            const auto preferred = came && at != way.end() ? at + 1 : at;
            for (auto next = m_channels.First(node) * m_nLanes;
                 node != last && next < m_channels.First(node + 1) * m_nLanes;
                 ++next)
            {
                if (distances[next] != NO_WAY && (!came || m_ranks[next] > m_ranks[*came]))
                {
                    found.push_back(next);
                }
            }
            SortBy(found, [&](Vertex vertex) { // found in their order
                return std::pair(preferred == way.end() || vertex != *preferred, distances[vertex]);
            });
            found.resize(std::min(found.size(), MOST_CHOICES));
            for (const auto next : found)
            {
                choicesAfter.try_emplace(m_ranks[next]);
            }
            return found;
        };
        const auto begin = choose(first, nullptr);
        for (auto at = choicesAfter.begin(); at != choicesAfter.end(); ++at)
        {
            const auto vertex = m_order[at->first];
            at->second = choose(m_channels.To(vertex / m_nLanes), &vertex);
        }
        // The host, its switch, the vertices, the receiver.
        std::map<uint32_t, uint32_t> places;
        for (const auto& [rank, choices] : choicesAfter)
        {
            places.emplace(rank, static_cast<uint32_t>(places.size() + 2));
        }
        const auto end = static_cast<uint32_t>(places.size() + 2);
        std::vector<std::vector<WormRoute::Choice>> nodes{{{0, 0, 1}}};
        const auto receiver = m_graph.SwitchOf(m_graph.HostAt(to));
        const auto add = [&](FabricGraph::Node node, const std::vector<Vertex>& choices) {
            nodes.emplace_back();
            for (const auto next : choices)
            {
                nodes.back().push_back({m_channels.PortOf(next / m_nLanes),
                                        static_cast<uint8_t>(next % m_nLanes),
                                        places.at(m_ranks[next])});
            }
            if (node == last)
            {
                nodes.back().push_back({receiver.port, 0, end});
            }
        };
        add(first, begin);
        for (const auto& [rank, choices] : choicesAfter)
        {
            add(m_channels.To(m_order[rank] / m_nLanes), choices);
        }
        nodes.emplace_back();
        return Create<WormRoute>(WormRoute::Adaptive(nodes));
    }

  private:
    using Vertex = TurnSet::Vertex; ///< a lane of a channel

    /// @return channels to a switch by those that begin with each vertex, it among them, or NO_WAY
    const std::vector<uint32_t>& GetDistances(FabricGraph::Node to)
    {
        auto& distances = m_distances[to];
        if (!distances.empty() || m_order.empty())
        {
            return distances;
        }
        distances.assign(m_order.size(), NO_WAY);
        for (auto at = m_order.rbegin(); at != m_order.rend(); ++at)
        {
            const auto node = m_channels.To(*at / m_nLanes);
            auto& distance = distances[*at];
            distance = node == to ? 1 : NO_WAY;
            for (auto next = m_channels.First(node) * m_nLanes;
                 node != to && next < m_channels.First(node + 1) * m_nLanes;
                 ++next)
            {
                if (m_ranks[next] > m_ranks[*at] && distances[next] != NO_WAY)
                {
                    distance = std::min(distance, distances[next] + 1);
                }
            }
        }
        return distances;
    }

    std::vector<Vertex> GetWay(uint32_t from, const WormRoute& route) const
    {
        std::vector<Vertex> way;
        const auto nodes = m_graph.Walk(m_graph.HostAt(from), route);
        for (WormRoute::Stop stop = 1; stop + 2 < nodes.size(); ++stop)
        {
            way.push_back(m_channels.At(nodes[stop], route.At(stop)[0].port) * m_nLanes +
                          route.GetLane(stop + 1));
        }
        return way;
    }

    FabricGraph m_graph;
    SwitchChannels m_channels;
    HostAttachment m_hosts;
    uint32_t m_nLanes;             ///< lanes of each channel
    std::vector<uint32_t> m_ranks; ///< by vertex; they increase along each way
    std::vector<Vertex> m_order;   ///< by rank
    std::map<FabricGraph::Node, std::vector<uint32_t>> m_distances; ///< see GetDistances
};

} // namespace

/// Where a cable is known to be down, the switch at it takes another legal port at once.
///
/// Every switch on a worm's way knows further channels that lead to its end, in order of distance.
/// They follow an order of all channels that the routes follow, too (TurnSet), so that worms by
/// them can't deadlock with others. Nobody computes anything; a worm with none left is lost. When
/// the cable is up again the first port is taken again.
class LocalRecoveryWay : public RecoveryWay
{
  public:
    static TypeId GetTypeId()
    {
        static const auto tid = MakeTypeId<LocalRecoveryWay>("ns3::LocalRecoveryWay");
        return tid;
    }

    bool TakesFirstChoice() const override
    {
        return true;
    }

    Ptr<WormholeRouter> Prepare(const FabricGraph& graph, Ptr<WormholeRouter> router) const override
    {
        WormholeError::ThrowIf(router->GetInTransit() != InTransit::NONE ||
                                   (graph.GetNHosts() > 1 && router->GetRoute(0, 1)->HasChoices()),
                               "recovery local adds choices to routes; expected routes "
                               "without choices and without host relays, or another recovery");
        return Create<FallbackRouter>(graph, router);
    }
};

NS_OBJECT_ENSURE_REGISTERED(LocalRecoveryWay);

} // namespace ns3
