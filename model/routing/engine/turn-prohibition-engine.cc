// SPDX-License-Identifier: GPL-2.0-only

// Routes by any turns that close no circle.

#include "up-down-search.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace ns3
{

namespace
{

/// A turn: a channel, another one that begins where it ends, and how much that is wanted.
struct Turn
{
    uint32_t from;
    uint32_t to;
    uint64_t wanted; ///< pairs of hosts that would take it, times 1024
};

/// Lanes of the turns that leave ways free: a way has a lane more than the last with each channel.
constexpr uint32_t FREE_LANES = 16;

/// Switches up to which all sets are tried that are asked for; beyond, fewer by the square of their
/// number, as each takes so much longer.
constexpr uint64_t MAX_SWITCHES_ALL_SETS = 192;

/// @return the turns of a tree, then as many of all as close no circle, those most wanted first
TurnSet
ChooseTurns(std::vector<Turn> all, const SwitchTree& tree, uint32_t nChannels)
{
    const auto key = [&](const Turn& turn) {
        return std::tuple(!(tree.Has(turn.from) && tree.Has(turn.to)),
                          UINT64_MAX - turn.wanted,
                          turn.from,
                          turn.to);
    };
    SortBy(all, key);
    TurnSet turns(nChannels);
    for (const auto& turn : all)
    {
        turns.Add(turn.from, turn.to);
    }
    return turns;
}

/// @return all turns, in lanes that increase along every way: there are no circles
TurnSet
MakeFreeTurns(const std::vector<Turn>& all, uint32_t nChannels)
{
    TurnSet turns(NumbersBy(std::size_t{nChannels} * FREE_LANES,
                            [](uint32_t vertex) { return vertex % FREE_LANES; }));
    for (const auto& turn : all)
    {
        for (uint32_t lane = 0; lane + 1 < FREE_LANES; ++lane)
        {
            turns.Add(turn.from * FREE_LANES + lane, turn.to * FREE_LANES + lane + 1);
        }
    }
    return turns;
}

/// Has turns wanted as much as new counts say, beside what they were.
/// @param share part of the new ones, of 1024
void
Want(const std::vector<std::vector<uint64_t>>& counts,
     const SwitchChannels& channels,
     uint64_t share,
     std::vector<Turn>& all)
{
    for (auto& turn : all)
    {
        const auto count = counts[turn.from][turn.to - channels.First(channels.From(turn.to))];
        turn.wanted = (turn.wanted * (1024 - share) + count * 1024 * share) / 1024;
    }
}

} // namespace

/// Routes that keep to turns which close no circle, chosen by what the routes would take if all
/// were allowed.
///
/// Up/down routing forbids turns by an order of the switches. Any other set of turns without a
/// circle will do as well, if its ways lead everywhere (Starobinski, Karpovsky and Zakrevski,
/// Application of Network Calculus to General Topologies Using Turn-Prohibition, INFOCOM 2002).
/// Here the turns of a spanning tree are in the set, which lead everywhere, and then all others
/// that close no circle, those first that most pairs of hosts want. What they want is found again
/// and again: which shortest ways they would take by the load of channels that the last set led to,
/// if they might take any. The best of all sets is taken. With several lanes it is the same in
/// each, and a route may take any other turn where it goes on to the next lane.
class TurnProhibitionRoutingEngine : public TreeRoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = AddRounds(
            AddCandidates(
                NewType::Of<TurnProhibitionRoutingEngine, RoutingEngine>(
                    "ns3::TurnProhibitionRoutingEngine")
                    .Add("Sets",
                         "Number of sets of turns tried; fewer on fabrics of more than 192 "
                         "switches, to bound the time.",
                         Sets::Number(&TurnProhibitionRoutingEngine::m_sets, 60, 1, 1000))
                    .Add("Lanes",
                         "Number of lanes; at a turn that is not in the best set, a route "
                         "continues in the next lane.",
                         Sets::Number(&TurnProhibitionRoutingEngine::m_lanes, 1, 1, 255)),
                " of the spanning tree"),
            24,
            "all routes are recomputed with the best set");
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        constexpr uint64_t COST = RouteBalance::ANY_LENGTH;
        constexpr uint32_t TRIAL_ROUNDS = 4;
        constexpr uint32_t SETS_OF_ROOT = 20; // then the next best root has its turn
        constexpr uint64_t NEW_SHARE = 205;   // a fifth
        UpDownSearch search(graph, UpDownSearch::Order::DEPTH_FIRST, COST);
        const auto& channels = search.GetChannels();
        const auto& hosts = search.GetHosts();
        const auto roots = search.FindBest(m_candidates);
        const auto nChannels = channels.GetNChannels();
        std::vector<Turn> all;
        channels.ForEachTurn(
            [&](uint32_t channel, uint32_t next) { all.push_back({channel, next, 0}); });
        const auto freeTurns = MakeFreeTurns(all, nChannels);
        // Up/down turns below the best root are the first set.
        auto tree = search.MakeTree(roots.front());
        auto turns = UpDownOrder(channels, tree.GetRanks()).MakeTurns();
        auto bestTurns = turns;
        auto bestLoad = UINT64_MAX;
        const auto nSets = CountSets(channels.GetNSwitches());
        std::optional<RoutingProgress> progress(std::in_place,
                                                "rounds that try sets of turns",
                                                nSets * TRIAL_ROUNDS);
        for (uint32_t set = 0; set < nSets; ++set)
        {
            RouteBalance balance(channels, hosts, turns, 1, COST);
            balance.Run(TRIAL_ROUNDS, *progress);
            if (balance.GetMaxLoad() < bestLoad)
            {
                bestLoad = balance.GetMaxLoad();
                bestTurns = turns;
            }
            Want(balance.CountTurns(freeTurns, FREE_LANES),
                 channels,
                 set == 0 ? 1024 : NEW_SHARE,
                 all);
            if (set > 0 && set % SETS_OF_ROOT == 0)
            {
                tree = search.MakeTree(roots[set / SETS_OF_ROOT % roots.size()]);
            }
            turns = ChooseTurns(all, tree, nChannels);
        }
        const auto laneTurns =
            MakeLaneTurns(channels, bestTurns, m_lanes, [](uint32_t) { return true; });
        RouteBalance balance(channels, hosts, laneTurns, m_lanes, COST);
        progress.emplace("rounds of balancing", m_rounds);
        balance.Run(m_rounds, *progress);
        return Create<StoredRoutes>(graph, m_lanes, balance.TakeBest(), laneTurns);
    }

    uint32_t CountSets(uint64_t nSwitches) const
    {
        constexpr auto MAX = MAX_SWITCHES_ALL_SETS;
        return nSwitches <= MAX
                   ? m_sets
                   : std::max<uint64_t>(m_sets * MAX * MAX / (nSwitches * nSwitches), 1);
    }

    uint32_t m_sets; ///< sets of turns tried
    uint32_t m_lanes;
};

NS_OBJECT_ENSURE_REGISTERED(TurnProhibitionRoutingEngine);

} // namespace ns3
