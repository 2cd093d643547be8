// SPDX-License-Identifier: GPL-2.0-only

#ifndef UP_DOWN_SEARCH_H
#define UP_DOWN_SEARCH_H

#include "up-down-order.h"

#include "ns3/abort.h"
#include "ns3/new-type.h"
#include "ns3/text-tools.h"
#include "ns3/up-down-routing.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-route-set.h"
#include "ns3/wormhole-routing-engine.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// Balances the routes between all hosts over the channels, with the turns that a set allows, to
/// minimise the load of the busiest channel under uniform traffic.
///
/// In every round the routes of each switch are removed and recomputed by Dijkstra's algorithm over
/// lanes of channels. A channel costs as much as a cable, plus an amount that grows with the eighth
/// power of the ratio of its load to that of the busiest channel so far: routes avoid full
/// channels, and are not much longer elsewhere. The best round is kept. Costs are integers, so
/// routes are the same on every machine.
///
/// The search does not continue to a switch that its path has passed. This leaves no switch
/// unreached, since the set contains all turns of a spanning tree and is closed: if turns lead from
/// one channel to another that begins where the first ends, the turn between the two is in the set.
/// (Where the search does not follow the tree's channel, its path has already passed the next
/// switch, by a channel that the tree's channel after that may thus follow.)
class RouteBalance
{
  public:
    using Node = SwitchChannels::Node;
    using Vertex = TurnSet::Vertex; ///< number of a lane of a channel

    static constexpr uint64_t SHORTEST = uint64_t{1} << 32; ///< cost of a cable: fewest cables
    static constexpr uint64_t ANY_LENGTH = 50; ///< longer routes, too; the busiest adds 1024

    /// @param channels the channels, which must outlive this object, like hosts and turns
    /// @param turns the turns allowed, closed as above. Up/down turns are closed, and so is any set
    /// to which no turn can be added without a cycle; this holds for several lanes, too, with all
    /// turns from each lane to the next
    /// @param nLanes number of lanes of the turns; routes begin in any lane
    RouteBalance(const SwitchChannels& channels,
                 const HostAttachment& hosts,
                 const TurnSet& turns,
                 uint32_t nLanes,
                 uint64_t cableCost)
        : m_channels(channels),
          m_hosts(hosts),
          m_turns(turns),
          m_nLanes(nLanes),
          m_cableCost(cableCost),
          m_nCopies(StoredRoutes::Store::CountCopies(channels.GetNSwitches(), hosts)),
          m_loads(channels.GetNChannels(), 0),
          m_costs(channels.GetNChannels(), 0),
          m_full(std::max<uint64_t>(1, uint64_t{hosts.GetNHosts()} * hosts.GetMaxAt())),
          m_ways(channels.GetNSwitches(), m_nCopies),
          m_best(channels.GetNSwitches(), m_nCopies)
    {
    }

    /// Permits missing routes, if turns are not closed; a missing route is stored without channels.
    void AllowGaps()
    {
        m_hasGaps = true;
    }

    void Run(uint32_t nRounds, RoutingProgress& progress)
    {
        for (uint32_t round = 0; round < nRounds; ++round)
        {
            for (uint32_t copy = 0; copy < m_nCopies; ++copy)
            {
                for (const auto source : m_hosts.FindSwitches())
                {
                    Renew(source, copy);
                }
            }
            const auto max =
                m_loads.empty() ? 0 : *std::max_element(m_loads.begin(), m_loads.end());
            if (max < m_maxLoad)
            {
                m_maxLoad = max;
                m_best = m_ways;
            }
            m_full = std::max<uint64_t>(1, m_maxLoad);
            progress.Step();
        }
    }

    /// @return load of the busiest channel in the best round, in pairs of hosts
    uint64_t GetMaxLoad() const
    {
        return m_maxLoad;
    }

    StoredRoutes::Store TakeBest()
    {
        return std::move(m_best);
    }

    /// Finds routes by other turns at the latest round's costs, and counts the turns that they use.
    /// @param nLanes number of lanes of these turns; routes begin in the first lane
    /// @return number of pairs of hosts that would use each turn, by its first channel, then by its
    /// second in the order of their switch's channels
    std::vector<std::vector<uint64_t>> CountTurns(const TurnSet& turns, uint32_t nLanes)
    {
        std::vector<std::vector<uint64_t>> counts(m_channels.GetNChannels());
        for (uint32_t channel = 0; channel < m_channels.GetNChannels(); ++channel)
        {
            const auto node = m_channels.To(channel);
            counts[channel].assign(m_channels.First(node + 1) - m_channels.First(node), 0);
        }
        SetCosts();
        for (const auto source : m_hosts.FindSwitches())
        {
            Search(turns, nLanes, 1, source);
            for (Node to = 0; to < m_channels.GetNSwitches(); ++to)
            {
                const auto way = GetPathTo(to);
                for (std::size_t i = 0; i + 1 < way.size(); ++i)
                {
                    const auto next = way[i + 1] / nLanes;
                    counts[way[i] / nLanes][next - m_channels.First(m_channels.From(next))] +=
                        uint64_t{m_hosts.CountAt(source)} * m_hosts.CountAt(to);
                }
            }
        }
        return counts;
    }

  private:
    static constexpr uint32_t NO_VERTEX = UINT32_MAX;

    /// @return eighth power of a quotient of loads, times 1024
    static uint64_t EighthPower(uint64_t load, uint64_t full)
    {
        constexpr uint64_t ONE = 1024;
        auto power = std::min(load * ONE / full, 4 * ONE);
        for (int i = 0; i < 3; ++i)
        {
            power = power * power / ONE;
        }
        return power;
    }

    void Search(const TurnSet& turns, uint32_t nLanes, uint32_t nFirst, Node source)
    {
        m_distances.assign(turns.GetNVertices(), UINT64_MAX);
        m_before.assign(turns.GetNVertices(), NO_VERTEX);
        m_last.assign(m_channels.GetNSwitches(), NO_VERTEX);
        m_heap.clear();
        const std::greater<std::pair<uint64_t, Vertex>> later;
        const auto push = [&](uint64_t distance, Vertex vertex) {
            m_distances[vertex] = distance;
            m_heap.emplace_back(distance, vertex);
            std::push_heap(m_heap.begin(), m_heap.end(), later);
        };
        for (const auto channel : m_channels.Out(source))
        {
            for (uint32_t lane = 0; lane < nFirst; ++lane)
            {
                push(m_costs[channel], channel * nLanes + lane);
            }
        }
        // Costs are above 0, so the vertex at the front of the heap is final, as are all before it.
        auto nMissing = m_hosts.FindSwitches().size() - (m_hosts.CountAt(source) > 0);
        while (nMissing > 0 && !m_heap.empty())
        {
            std::pop_heap(m_heap.begin(), m_heap.end(), later);
            const auto [distance, vertex] = m_heap.back();
            m_heap.pop_back();
            if (distance > m_distances[vertex])
            {
                continue;
            }
            const auto node = m_channels.To(vertex / nLanes);
            if (m_last[node] == NO_VERTEX)
            {
                m_last[node] = vertex;
                nMissing -= m_hosts.CountAt(node) > 0;
            }
            for (const auto next : turns.After(vertex))
            {
                const auto further = distance + m_costs[next / nLanes];
                const auto to = m_channels.To(next / nLanes);
                if (further < m_distances[next] && to != source && !Passes(vertex, nLanes, to))
                {
                    m_before[next] = vertex;
                    push(further, next);
                }
            }
        }
    }

    /// @return the route to a switch that the latest search found; empty if it found none
    std::vector<Vertex> GetPathTo(Node to) const
    {
        std::vector<Vertex> way;
        for (auto vertex = m_last[to]; vertex != NO_VERTEX; vertex = m_before[vertex])
        {
            way.push_back(vertex);
        }
        std::reverse(way.begin(), way.end());
        return way;
    }

    bool Passes(Vertex vertex, uint32_t nLanes, Node node) const
    {
        while (vertex != NO_VERTEX && m_channels.To(vertex / nLanes) != node)
        {
            vertex = m_before[vertex];
        }
        return vertex != NO_VERTEX;
    }

    void Renew(Node source, uint32_t copy)
    {
        const auto nSwitches = m_channels.GetNSwitches();
        const auto pairs = [&](Node to) {
            return static_cast<int64_t>(m_hosts.CountAt(source)) *
                   m_hosts.CountAt(to, copy, m_nCopies);
        };
        for (Node to = 0; to < nSwitches; ++to)
        {
            Put(m_ways.Get(source, to, copy), -pairs(to));
        }
        SetCosts();
        Search(m_turns, m_nLanes, m_nLanes, source);
        for (Node to = 0; to < nSwitches; ++to)
        {
            if (to == source || m_hosts.CountAt(to, copy, m_nCopies) == 0)
            {
                continue;
            }
            auto way = GetPathTo(to);
            NS_ABORT_MSG_IF(way.empty() && !m_hasGaps,
                            "no way from switch " << source << " to " << to);
            Put(way, pairs(to));
            m_ways.Set(source, to, copy, std::move(way));
        }
    }

    void Put(const std::vector<Vertex>& way, int64_t load)
    {
        for (const auto vertex : way)
        {
            m_loads[vertex / m_nLanes] += static_cast<uint64_t>(load);
        }
    }

    void SetCosts()
    {
        for (std::size_t channel = 0; channel < m_costs.size(); ++channel)
        {
            m_costs[channel] = m_cableCost + EighthPower(m_loads[channel], m_full);
        }
    }

    const SwitchChannels& m_channels;
    const HostAttachment& m_hosts;
    const TurnSet& m_turns;
    uint32_t m_nLanes;
    uint64_t m_cableCost;
    bool m_hasGaps{false};         ///< whether routes may be missing
    uint32_t m_nCopies;            ///< routes per pair of switches
    std::vector<uint64_t> m_loads; ///< pairs of hosts, by channel
    std::vector<uint64_t> m_costs; ///< by channel
    uint64_t m_full;               ///< load of a channel that counts as full
    StoredRoutes::Store m_ways;    ///< routes of the latest round
    StoredRoutes::Store m_best;
    uint64_t m_maxLoad{UINT64_MAX};    ///< busiest channel of the best round
    std::vector<uint64_t> m_distances; ///< of the latest search, by vertex
    std::vector<Vertex> m_before;      ///< predecessor of each vertex in the latest search
    std::vector<Vertex> m_last;        ///< last vertex of the route to each switch
    std::vector<std::pair<uint64_t, Vertex>> m_heap; ///< of the latest search
};

/// Balanced up/down routes below one root, or below the best of several.
class UpDownSearch
{
  public:
    using Node = SwitchChannels::Node;

    enum class Order
    {
        BREADTH_FIRST,
        DEPTH_FIRST
    };

    UpDownSearch(const FabricGraph& graph, Order order, uint64_t cableCost)
        : m_graph(graph),
          m_channels(graph),
          m_hosts(graph),
          m_order(order),
          m_cableCost(cableCost)
    {
    }

    SwitchTree MakeTree(Node root)
    {
        return m_order == Order::BREADTH_FIRST
                   ? SwitchTree::BreadthFirst(m_channels, root)
                   : SwitchTree::DepthFirst(m_channels, GetSumDistances(), root);
    }

    /// Tries roots, and compares them by the load of the busiest channel.
    /// @param nCandidates number of roots to try: the switches with the smallest mean distance to
    ///        all others; fewer on large fabrics
    /// @return the roots tried, the best first; ties by mean distance, then number
    std::vector<Node> FindBest(uint32_t nCandidates)
    {
        const auto nSwitches = m_channels.GetNSwitches();
        const auto& sums = GetSumDistances();
        auto roots = NumbersBy(nSwitches, [&](Node node) { return sums[node]; });
        roots.resize(std::clamp<std::size_t>(MAX_TRIALS / nSwitches,
                                             1,
                                             std::min(std::max(nCandidates, 1U), nSwitches)));
        if (roots.size() == 1)
        {
            return roots;
        }
        std::vector<uint64_t> loads(nSwitches, 0);
        RoutingProgress progress("rounds that try roots", roots.size() * TRIAL_ROUNDS);
        for (const auto root : roots)
        {
            const auto turns = UpDownOrder(m_channels, MakeTree(root).GetRanks()).MakeTurns();
            RouteBalance balance(m_channels, m_hosts, turns, 1, m_cableCost);
            balance.Run(TRIAL_ROUNDS, progress);
            loads[root] = balance.GetMaxLoad();
        }
        SortBy(roots, [&](Node root) { return loads[root]; });
        return roots;
    }

    /// @param name a root's name: best, or one that UpDownRouting::RootByName knows
    /// @throws WormholeError if there is no such root
    Node FindRoot(const std::string& name,
                  uint32_t nCandidates,
                  const std::vector<std::string>& others = {})
    {
        if (name == "best")
        {
            return FindBest(nCandidates).front();
        }
        const std::vector<std::string> rules{"first", "degree", "center"};
        if (std::find(rules.begin(), rules.end(), name) == rules.end() &&
            !m_graph.IsSwitch(m_graph.Find(name)))
        {
            auto known = others;
            known.emplace_back("best");
            known.insert(known.end(), rules.begin(), rules.end());
            throw WormholeError("root '" + name + "': expected " + WordList::WithCommas(known) +
                                ", or the name of a switch");
        }
        return UpDownRouting::RootByName(m_graph, name);
    }

    Ptr<RouteSet> Compute(Node root, uint32_t nRounds)
    {
        const auto turns = UpDownOrder(m_channels, MakeTree(root).GetRanks()).MakeTurns();
        RouteBalance balance(m_channels, m_hosts, turns, 1, m_cableCost);
        RoutingProgress progress("rounds of balancing", nRounds);
        balance.Run(nRounds, progress);
        return Create<StoredRoutes>(m_graph, 1, balance.TakeBest(), turns);
    }

    const std::vector<uint64_t>& GetSumDistances()
    {
        if (m_sums.empty())
        {
            m_sums = SwitchTree::SumDistances(m_channels);
        }
        return m_sums;
    }

    const SwitchChannels& GetChannels() const
    {
        return m_channels;
    }

    const HostAttachment& GetHosts() const
    {
        return m_hosts;
    }

  private:
    static constexpr uint32_t TRIAL_ROUNDS = 3;  ///< rounds of balancing for each root tried
    static constexpr uint32_t MAX_TRIALS = 8192; ///< roots times switches, to bound the time

    const FabricGraph& m_graph;
    SwitchChannels m_channels;
    HostAttachment m_hosts;
    Order m_order;
    uint64_t m_cableCost;
    std::vector<uint64_t> m_sums; ///< sums of distances, by switch; empty: not computed yet
};

/// An engine whose routes follow the order of a spanning tree.
class TreeRoutingEngine : public RoutingEngine
{
  protected:
    /// Adds the attributes Root, Candidates and Order.
    /// @param channel,load texts for the help: what is up or down, and whose load is meant
    static NewType AddTree(NewType type,
                           const std::string& channel,
                           const std::string& load,
                           const std::string& order)
    {
        type.Add("Root",
                 "Root of the search whose order decides whether " + channel +
                     " is up or down: best (of several, the switch with the least load of the "
                     "busiest channel" +
                     load + "); first, degree, center or the name of a switch.",
                 Sets::Text(&TreeRoutingEngine::m_root, "best"));
        return AddCandidates(type).Add(
            "Order",
            "Order of that search: breadth-first or depth-first.",
            Sets::Choice({"breadth-first", "depth-first"}, order, &TreeRoutingEngine::m_order));
    }

    static NewType AddCandidates(NewType type, const std::string& of = "")
    {
        return type.Add("Candidates",
                        "Maximum number of switches tried as the best root" + of + ".",
                        Sets::Number(&TreeRoutingEngine::m_candidates, 24, 1));
    }

    /// @param what what the engine does that often, for the help text
    static NewType AddRounds(NewType type, uint32_t rounds, const std::string& what)
    {
        return type.Add("Rounds",
                        "Number of times that " + what + ".",
                        Sets::Number(&TreeRoutingEngine::m_rounds, rounds, 1, 1000));
    }

    UpDownSearch MakeSearch(const FabricGraph& graph) const
    {
        return UpDownSearch(graph, m_order, RouteBalance::SHORTEST);
    }

    std::string m_root;          ///< switch on top, where the search begins
    uint32_t m_candidates;       ///< switches tried as the best root
    UpDownSearch::Order m_order; ///< how the search goes on
    uint32_t m_rounds;
};

} // namespace ns3

#endif /* UP_DOWN_SEARCH_H */
