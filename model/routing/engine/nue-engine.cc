// SPDX-License-Identifier: GPL-2.0-only

// Routes for any number of lanes, by search in the channel dependency graph.

#include "up-down-order.h"

#include "ns3/new-type.h"
#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

class NueSearch
{
  public:
    using Node = SwitchChannels::Node;
    using Channel = SwitchChannels::Channel;

    NueSearch(const SwitchChannels& channels, const HostAttachment& hosts, uint32_t nLanes)
        : m_channels(channels),
          m_hosts(hosts),
          m_nLanes(nLanes),
          m_turns(channels.GetNChannels() * nLanes),
          m_tree(SwitchTree::BreadthFirst(channels, SwitchTree::FindCenter(channels))),
          m_loads(channels.GetNChannels(), 0),
          m_full(1)
    {
        channels.ForEachTurn([&](Channel channel, Channel next) {
            for (uint32_t lane = 0; lane < nLanes && m_tree.Has(channel) && m_tree.Has(next);
                 ++lane)
            {
                m_turns.Add(channel * nLanes + lane, next * nLanes + lane);
            }
        });
    }

    void Find(Node to, uint32_t copy, uint32_t nHosts, uint32_t lane, StoredRoutes::Store& store)
    {
        const auto next = Search(to, lane);
        for (const auto from : m_hosts.FindSwitches())
        {
            if (from == to)
            {
                continue;
            }
            auto way = next[from] == SwitchChannels::NONE
                           ? m_tree.Path(from, to)
                           : FollowChannels(m_channels, next, from, to);
            for (auto& channel : way)
            {
                m_loads[channel] += uint64_t{m_hosts.CountAt(from)} * nHosts;
                m_full = std::max(m_full, m_loads[channel]);
                channel = channel * m_nLanes + lane;
            }
            store.Set(from, to, copy, std::move(way));
        }
    }

    const TurnSet& GetTurns() const
    {
        return m_turns;
    }

  private:
    /// @return channel by which each switch goes on to one; NONE where the tree has to do
    std::vector<Channel> Search(Node to, uint32_t lane)
    {
        constexpr uint64_t CABLE = 256; // a full channel costs twice as much as an empty one
        using Candidate = std::tuple<uint64_t, Channel>; // distance of its sender, the channel
        std::priority_queue<Candidate, std::vector<Candidate>, std::greater<Candidate>> queue;
        std::vector<Channel> next(m_channels.GetNSwitches(), SwitchChannels::NONE);
        std::vector<bool> isDone(m_channels.GetNSwitches(), false);
        const auto reach = [&](Node node, uint64_t distance) {
            isDone[node] = true;
            for (const auto out : m_channels.Out(node))
            {
                const auto channel = m_channels.Reverse(out);
                if (!isDone[m_channels.From(channel)])
                {
                    queue.emplace(distance + CABLE + m_loads[channel] * CABLE / m_full, channel);
                }
            }
        };
        reach(to, 0);
        while (!queue.empty())
        {
            const auto [distance, channel] = queue.top();
            queue.pop();
            const auto from = m_channels.From(channel);
            const auto node = m_channels.To(channel);
            if (!isDone[from] && (node == to || m_turns.Add(channel * m_nLanes + lane,
                                                            next[node] * m_nLanes + lane)))
            {
                next[from] = channel;
                reach(from, distance);
            }
        }
        return next;
    }

    const SwitchChannels& m_channels;
    const HostAttachment& m_hosts;
    uint32_t m_nLanes;
    TurnSet m_turns;               ///< turns of all ways, and of the tree
    SwitchTree m_tree;             ///< ways that are always there
    std::vector<uint64_t> m_loads; ///< pairs of hosts, by channel
    uint64_t m_full;
};

} // namespace

/// Routes for any number of lanes, one among them, by search in the channel dependency graph
/// (Domke, Hoefler and Matsuoka, Routing on the Dependency Graph: A New Approach to Deadlock-Free
/// High-Performance Routing, HPDC 2016).
///
/// Destinations are dealt out to the lanes. Ways to each are found by Dijkstra's algorithm from
/// there, by channels that the lane's turns so far leave it without a circle; the turns of a
/// spanning tree are there from the beginning. A switch that is not reached takes the tree: routes
/// are carried by the worm, so, other than in the paper, only that switch does, and there is
/// nothing to search again.
class NueRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = NewType::Of<NueRoutingEngine, RoutingEngine>("ns3::NueRoutingEngine")
                                .Add("Lanes",
                                     "Number of lanes.",
                                     Sets::Number(&NueRoutingEngine::m_lanes, 1, 1, 255));
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        const SwitchChannels channels(graph);
        const HostAttachment hosts(graph);
        const auto nCopies = StoredRoutes::Store::CountCopies(channels.GetNSwitches(), hosts);
        NueSearch search(channels, hosts, m_lanes);
        StoredRoutes::Store store(channels.GetNSwitches(), nCopies);
        uint32_t dealt = 0;
        const auto find = [&](SwitchChannels::Node to, uint32_t copy) {
            search.Find(to, copy, hosts.CountAt(to, copy, nCopies), dealt++ % m_lanes, store);
        };
        ForEachCopy(channels.GetNSwitches(), hosts, nCopies, "switches with routes to them", find);
        return Create<StoredRoutes>(graph, m_lanes, std::move(store), search.GetTurns());
    }

    uint32_t m_lanes;
};

NS_OBJECT_ENSURE_REGISTERED(NueRoutingEngine);

} // namespace ns3
