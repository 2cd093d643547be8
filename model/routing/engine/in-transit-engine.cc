// SPDX-License-Identifier: GPL-2.0-only

// Shortest routes of up/down segments, by hosts that pass worms on.

#include "up-down-search.h"

#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Ways that go on up after a host has passed the worm on.
class InTransitRoutes : public RouteSet
{
  public:
    /// @param balanced ways that are spread by load, segments as lanes; none: by the rule
    InTransitRoutes(const FabricGraph& graph,
                    std::vector<uint32_t> ranks,
                    InTransit mode,
                    RouteSpread::Rule rule,
                    std::optional<StoredRoutes::Store> balanced)
        : RouteSet(graph, 1),
          m_order(GetChannels(), std::move(ranks)),
          m_mode(mode),
          m_rule(rule),
          m_balanced(std::move(balanced)),
          m_hostsAt(graph.GetNSwitches()),
          m_legal(graph.GetNSwitches()),
          m_passed(graph.GetNSwitches())
    {
        SetOrder(m_order.OrderChannels());
        for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
        {
            m_hostsAt[GetHosts().SwitchOf(host)].push_back(host);
        }
    }

    InTransit GetInTransit() const override
    {
        return m_mode;
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        way = std::move(Find(from, to, false).front().way);
    }

    std::vector<RouteSegment> MakeRouteSegments(uint32_t from, uint32_t to) const override
    {
        const auto& hosts = GetHosts();
        const auto stored =
            m_balanced ? &m_balanced->Get(hosts.SwitchOf(from),
                                          hosts.SwitchOf(to),
                                          hosts.GetIndexAtSwitch(to) % m_balanced->GetNCopies())
                       : nullptr;
        return stored && !stored->empty() ? Cut(from, to, *stored) : Find(from, to, true);
    }

    static constexpr uint32_t MAX_LEGS = 4;

  private:
    using State = uint32_t; ///< twice the switch's number, 1 more if it has gone down

    /// What is left of a way: channels, then how often a host is to pass the worm on.
    using Cost = std::pair<uint32_t, uint32_t>;

    static constexpr Cost NEVER{UINT32_MAX, 0}; ///< no way leads there

    const std::vector<Cost>& To(Node end, bool isPassed) const
    {
        auto& known = (isPassed ? m_passed : m_legal)[end];
        if (!known.empty())
        {
            return known;
        }
        const auto& channels = GetChannels();
        known.assign(2 * std::size_t{channels.GetNSwitches()}, NEVER);
        using Entry = std::pair<Cost, State>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> reached;
        const auto reach = [&](State state, Cost cost) {
            if (cost < known[state])
            {
                known[state] = cost;
                reached.emplace(cost, state);
            }
        };
        reach(2 * end, {0, 0});
        reach(2 * end + 1, {0, 0});
        while (!reached.empty())
        {
            const auto [cost, state] = reached.top();
            reached.pop();
            if (cost != known[state])
            {
                continue;
            }
            const auto node = state / 2;
            const bool isDown = state % 2;
            if (!isDown && isPassed && !m_hostsAt[node].empty())
            {
                reach(state + 1, {cost.first, cost.second + 1});
            }
            for (const auto out : channels.Out(node))
            {
                const auto channel = channels.Reverse(out);
                const auto before = channels.To(out);
                if (m_order.IsUp(channel) == isDown)
                {
                    continue; // it would come here in the other state
                }
                reach(2 * before, {cost.first + 1, cost.second});
                if (isDown)
                {
                    reach(2 * before + 1, {cost.first + 1, cost.second});
                }
            }
        }
        return known;
    }

    uint32_t HostAt(uint32_t from, uint32_t to, Node node) const
    {
        const auto& hosts = m_hostsAt[node];
        const RouteSpread spread(m_rule, from, to);
        return hosts[spread.Choose(node, static_cast<uint32_t>(hosts.size()))];
    }

    std::vector<RouteSegment> Cut(uint32_t from, uint32_t to, const std::vector<Vertex>& way) const
    {
        std::vector<RouteSegment> segments(1);
        for (std::size_t i = 0; i < way.size(); ++i)
        {
            const auto channel = way[i] / MAX_LEGS;
            if (i > 0 && way[i] % MAX_LEGS != way[i - 1] % MAX_LEGS)
            {
                segments.back().host = HostAt(from, to, GetChannels().From(channel));
                segments.emplace_back();
            }
            segments.back().way.push_back(channel);
        }
        segments.back().host = to;
        return segments;
    }

    std::vector<RouteSegment> Find(uint32_t from, uint32_t to, bool isPassed) const
    {
        const RouteSpread spread(m_rule, from, to);
        const auto& channels = GetChannels();
        const auto end = GetHosts().SwitchOf(to);
        const auto& left = To(end, isPassed);
        std::vector<RouteSegment> segments(1);
        std::vector<Channel> next;
        for (State state = 2 * GetHosts().SwitchOf(from); state / 2 != end;)
        {
            const auto node = state / 2;
            const bool isDown = state % 2;
            const auto cost = left[state];
            next.clear();
            for (const auto out : channels.Out(node))
            {
                const auto after = left[2 * channels.To(out) + !m_order.IsUp(out)];
                if ((!isDown || !m_order.IsUp(out)) && after != NEVER &&
                    after.first + 1 == cost.first && after.second == cost.second)
                {
                    next.push_back(out);
                }
            }
            if (next.empty())
            {
                segments.back().host = HostAt(from, to, node);
                segments.emplace_back();
                --state;
                continue;
            }
            const auto out = next[spread.Choose(node, static_cast<uint32_t>(next.size()))];
            segments.back().way.push_back(out);
            state = 2 * channels.To(out) + !m_order.IsUp(out);
        }
        segments.back().host = to;
        return segments;
    }

    UpDownOrder m_order;
    InTransit m_mode;                                ///< how hosts pass worms on
    RouteSpread::Rule m_rule;                        ///< how routes share ways and hosts
    std::optional<StoredRoutes::Store> m_balanced;   ///< ways that are spread by load
    std::vector<std::vector<uint32_t>> m_hostsAt;    ///< by switch
    mutable std::vector<std::vector<Cost>> m_legal;  ///< by last switch; empty: not asked for yet
    mutable std::vector<std::vector<Cost>> m_passed; ///< the same where hosts pass worms on
};

constexpr uint32_t MAX_BALANCED = 1024; ///< switches for ways spread by load

} // namespace

/// In-transit buffers: shortest ways, cut into up/down segments by hosts that pass worms on (Flich,
/// Malumbres, Lopez and Duato, Improving the Performance of Regular Networks with Source Routing,
/// ICPP 2000; Boosting the Performance of Myrinet Networks, IEEE TPDS 13(7), 2002).
///
/// Where a shortest way goes down and then up, which up/down routes must not, the worm leaves the
/// fabric at a host of that switch, which sends it on (rule S13). Of the shortest ways that
/// switches with hosts allow, one is taken that is passed on least often. Where there are none as
/// short as the fabric's distance, the next longer ones are taken, up/down routes at worst.
///
/// With Spread = balanced, which holds for up to 1,024 switches, ways are spread by the load of
/// channels between switches as those of the engine balanced are, and by a hash beyond.
class InTransitRoutingEngine : public TreeRoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = AddRounds(
            AddTree(
                NewType::Of<InTransitRoutingEngine, RoutingEngine>("ns3::InTransitRoutingEngine")
                    .Add("Mode",
                         "When a host relays a worm: whole, when all of it has arrived; or "
                         "as-it-comes, when its head has.",
                         Sets::Word({"whole", "as-it-comes"},
                                    "as-it-comes",
                                    &InTransitRoutingEngine::m_mode)),
                "a channel",
                " of balanced up/down routes",
                "breadth-first")
                .Add("Spread",
                     "How routes share equally short paths, and a switch's hosts as relays: "
                     "balanced (hash; up to 1,024 switches paths by load), hash, in-turn, first.",
                     Sets::Word({"balanced", "hash", "in-turn", "first"},
                                "balanced",
                                &InTransitRoutingEngine::m_spread))
                .Add("Length",
                     "Which paths are taken with Spread balanced: the shortest, or any.",
                     Sets::Choice({"shortest", "any"},
                                  "shortest",
                                  &InTransitRoutingEngine::m_isAnyLength)),
            12,
            "all paths are recomputed with Spread balanced");
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        auto search = MakeSearch(graph);
        const auto tree = search.MakeTree(search.FindRoot(m_root, m_candidates));
        const bool isBalanced = m_spread == "balanced";
        std::optional<StoredRoutes::Store> ways;
        if (isBalanced && graph.GetNSwitches() <= MAX_BALANCED)
        {
            // Up/down turns in each segment, and from each to the next one all others that are made
            // at a switch with hosts, where one passes the worm on.
            const auto turns = MakeLaneTurns(
                search.GetChannels(),
                UpDownOrder(search.GetChannels(), tree.GetRanks()).MakeTurns(),
                InTransitRoutes::MAX_LEGS,
                [&](SwitchChannels::Node node) { return search.GetHosts().CountAt(node) > 0; });
            RouteBalance balance(search.GetChannels(),
                                 search.GetHosts(),
                                 turns,
                                 InTransitRoutes::MAX_LEGS,
                                 m_isAnyLength ? RouteBalance::ANY_LENGTH : RouteBalance::SHORTEST);
            balance.AllowGaps();
            RoutingProgress progress("rounds of balancing", m_rounds);
            balance.Run(m_rounds, progress);
            ways = balance.TakeBest();
        }
        return Create<InTransitRoutes>(graph,
                                       tree.GetRanks(),
                                       ReadInTransit(m_mode),
                                       RouteSpread::ByName(isBalanced ? "hash" : m_spread),
                                       std::move(ways));
    }

    std::string m_mode;   ///< when a host passes a worm on
    std::string m_spread; ///< how routes share ways and hosts
    bool m_isAnyLength;   ///< whether ways that are balanced may be longer
};

NS_OBJECT_ENSURE_REGISTERED(InTransitRoutingEngine);

} // namespace ns3
