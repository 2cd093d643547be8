// SPDX-License-Identifier: GPL-2.0-only

#include "../oracle/plain-paths.h"
#include "../test-case.h"

#include "ns3/broadcast-plans.h"
#include "ns3/collective-helper.h"
#include "ns3/tree-shapes.h"
#include "ns3/wormhole-linked-schedules.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

using namespace ns3;

SUITE("wormhole-smp-broadcast", UNIT);

namespace
{

/// @brief SwitchBroadcastPlan by its plain definition: all ways are asked for beforehand, all
///        arrivals found anew after each move.
class PlainSwitchPlan
{
  public:
    PlainSwitchPlan(const WorkingSwitches& switches,
                    const SwitchBroadcastPlan::Heuristics& heuristics)
        : m_switches(switches),
          m_heuristics(heuristics),
          m_paths(switches.GetSize(), std::vector<SwitchPath>(switches.GetSize())),
          m_children(switches.GetSize()),
          m_arrivals(switches.GetSize())
    {
        for (const auto& [from, to] : ListPairs(switches.GetSize()))
        {
            m_paths[from][to] = switches.GetPath(from, to);
        }
        FindShortestPaths();
        if (heuristics.downToUp)
        {
            SortChildren();
        }
        FindArrivals();
        if (heuristics.upToDown)
        {
            VisitAll(false);
            VisitAll(true);
        }
    }

    const std::vector<std::vector<uint32_t>>& GetChildren() const
    {
        return m_children;
    }

    const std::vector<Time>& GetArrivals() const
    {
        return m_arrivals;
    }

  private:
    void FindShortestPaths()
    {
        using Weight = boost::property<boost::edge_weight_t, int64_t>;
        using Graph = boost::
            adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Weight>;
        const auto n = m_switches.GetSize();
        Graph graph(n);
        for (const auto& [from, to] : ListPairs(n))
        {
            const auto& way = m_paths[from][to];
            if (m_switches.IsEdge(way))
            {
                boost::add_edge(from, to, (m_switches.GetSendTime() + way.r).GetTimeStep(), graph);
            }
        }
        std::vector<std::size_t> parents(n);
        boost::dijkstra_shortest_paths(graph, 0, boost::predecessor_map(parents.data()));
        for (uint32_t child = 1; child < n; ++child)
        {
            m_children[parents[child]].push_back(child);
            Use(m_paths[parents[child]][child], 1);
        }
    }

    std::vector<uint32_t> GetOrder() const
    {
        std::vector<uint32_t> order{0};
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            const auto& children = m_children[order[i]];
            order.insert(order.end(), children.begin(), children.end());
        }
        return order;
    }

    void SortChildren()
    {
        std::vector<Time> longest(m_children.size()); // w
        const auto order = GetOrder();
        for (auto parent = order.rbegin(); parent != order.rend(); ++parent)
        {
            auto& children = m_children[*parent];
            const auto& ways = m_paths[*parent];
            std::sort(children.begin(), children.end(), [&](uint32_t a, uint32_t b) {
                return std::make_tuple(longest[b], ways[b].r, a) <
                       std::make_tuple(longest[a], ways[a].r, b);
            });
            for (const auto child : children)
            {
                const auto below = longest[child] + m_switches.GetSendTime() + ways[child].r;
                longest[*parent] = std::max(longest[*parent], below);
            }
        }
    }

    void FindArrivals()
    {
        for (const auto parent : GetOrder())
        {
            auto turn = m_arrivals[parent];
            for (const auto child : m_children[parent])
            {
                turn += m_switches.GetSendTime();
                m_arrivals[child] = turn + m_paths[parent][child].r;
            }
        }
    }

    void VisitAll(bool depthFirst)
    {
        std::deque<uint32_t> waiting{0};
        std::vector<uint32_t> holding;
        while (!waiting.empty())
        {
            const auto parent = waiting.front();
            waiting.pop_front();
            auto next = Parallel(parent, holding);
            next.insert(next.begin(), m_children[parent].begin(), m_children[parent].end());
            waiting.insert(depthFirst ? waiting.begin() : waiting.end(), next.begin(), next.end());
            holding.push_back(parent);
        }
    }

    /// The paralleling procedure. @return children that got another parent which has been visited
    std::vector<uint32_t> Parallel(uint32_t parent, const std::vector<uint32_t>& holding)
    {
        auto candidates = holding;
        std::stable_sort(candidates.begin(), candidates.end(), [this](uint32_t a, uint32_t b) {
            return m_arrivals[a] < m_arrivals[b];
        });
        std::vector<uint32_t> moved;
        const auto children = m_children[parent];
        for (const auto child : children)
        {
            auto best = parent;
            auto soonest = m_arrivals[child];
            for (auto other = candidates.rbegin();
                 child != children.front() && other != candidates.rend();
                 ++other)
            {
                const auto turn = static_cast<int64_t>(m_children[*other].size()) + 1;
                const auto& way = m_paths[*other][child];
                const auto arrival = m_arrivals[*other] + m_switches.GetSendTime() * turn + way.r;
                if (arrival < soonest && HasChannels(way, m_paths[parent][child]))
                {
                    best = *other;
                    soonest = arrival;
                }
            }
            if (best != parent)
            {
                auto& siblings = m_children[parent];
                siblings.erase(std::find(siblings.begin(), siblings.end(), child));
                Use(m_paths[parent][child], -1);
                m_children[best].push_back(child);
                Use(m_paths[best][child], 1);
                FindArrivals();
                if (IsIn(holding, best))
                {
                    moved.push_back(child);
                }
            }
            if (m_heuristics.siblings)
            {
                candidates.push_back(child);
            }
        }
        return moved;
    }

    /// @return whether links have channels for one more way @param present another one, which is
    /// given up
    bool HasChannels(const SwitchPath& way, const SwitchPath& present) const
    {
        return !m_heuristics.channelCaps || AllOf(way.links, [&](const auto& link) {
            const auto used = m_used.find(link);
            return (used == m_used.end() ? 0 : used->second) -
                       std::count(present.links.begin(), present.links.end(), link) <
                   m_switches.CountChannels(link);
        });
    }

    void Use(const SwitchPath& way, int number)
    {
        for (const auto& link : way.links)
        {
            m_used[link] += number;
        }
    }

    const WorkingSwitches& m_switches;             ///< the working switches
    SwitchBroadcastPlan::Heuristics m_heuristics;  ///< what is done
    std::vector<std::vector<SwitchPath>> m_paths;  ///< from each, to each
    std::vector<std::vector<uint32_t>> m_children; ///< of each switch, in the order served
    std::vector<Time> m_arrivals;                  ///< when each is active
    std::map<SwitchLink, int64_t> m_used;          ///< ways across each link
};

using Heuristics = SwitchBroadcastPlan::Heuristics; //!< short name

uint32_t
Steps(const std::string& name, const ScheduleRequest& request)
{
    const auto broadcast = CollectiveHelper::MakeBroadcast(name);
    const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(broadcast));
    return LinkedSchedules(maker->MakeSchedules(request)).CountOnePortSteps(request.hosts);
}

TEST_CASE(KnownStepsTestCase, "Steps at unit cost: one switch, meshed switches, blocks")
{
    const auto alone = UnitCost(MakeRange(16), nullptr);
    NS_TEST_EXPECT_MSG_EQ(Steps("mpich[BlockSize=1]", alone), 4, "binomial");
    NS_TEST_EXPECT_MSG_EQ(Steps("tree[Tree=binomial]", alone), 4, "the same as a tree");
    NS_TEST_EXPECT_MSG_EQ(Steps("mpich[BlockSize=3]", alone), 5, "blocks of 3");
    NS_TEST_EXPECT_MSG_EQ(Steps("mpich", alone), 5, "blocks of 3 are MPICH's");
    NS_TEST_EXPECT_MSG_EQ(Steps("tree[Tree=block-3]", alone), 5, "the same as a tree");
    NS_TEST_EXPECT_MSG_EQ(Steps("mpich[BlockSize=16]", alone), 15, "one block");
    NS_TEST_EXPECT_MSG_EQ(Steps("sss-mst", alone), 4, "within a switch");

    const auto meshed = UnitCost(MakeRange(64), std::make_shared<PlainPaths>(16, Mesh(4)));
    NS_TEST_EXPECT_MSG_EQ(Steps("sss-mst", meshed), 6, "siblings may be parents");
    NS_TEST_EXPECT_MSG_EQ(Steps("sss-mst[Siblings=false]", meshed), 7, "they may not");
    NS_TEST_EXPECT_MSG_EQ(Steps("sss-mst[UpToDown=false]", meshed), 7, "one after the other");
    NS_TEST_EXPECT_MSG_EQ(Steps("mpich[BlockSize=1]", meshed), 6, "binomial");
    NS_TEST_EXPECT_MSG_EQ(Steps("mpich[BlockSize=3]", meshed), 7, "22 blocks: 5 and 2");

    // Of a star, siblings make a binomial tree, however many there are.
    for (uint32_t n = 1; n <= 40; ++n)
    {
        const auto doublings = CeilLog2(n);
        const auto single =
            UnitCost(MakeRange(n), std::make_shared<PlainPaths>(1, Mesh(std::max(2U, n))));
        NS_TEST_EXPECT_MSG_EQ(Steps("sss-mst", single), doublings, n << " switches");
        NS_TEST_EXPECT_MSG_EQ(Steps("sss-mst[UpToDown=false]", single), n - 1, "n " << n);
        NS_TEST_EXPECT_MSG_EQ(Steps("mpich[BlockSize=1]", single), doublings, "n " << n);
    }

    // Two processes a host: flags within it take no step.
    auto pairs = UnitCost(MakeRange(64), std::make_shared<PlainPaths>(16, Mesh(4)));
    pairs.hosts = Join(pairs.hosts, MakeRange(64));
    pairs.members = 128;
    NS_TEST_EXPECT_MSG_EQ(Steps("sss-mst", pairs), 6, "a third level");
}

/// Longest path below a switch, by the plain definition.
struct PlainPlan
{
    const WorkingSwitches& switches; ///< the switches
    const CommunicationTree& tree;   ///< the tree

    Time Edge(uint32_t from, uint32_t to) const
    {
        return switches.GetSendTime() + switches.GetPath(from, to).r;
    }

    Time Longest(uint32_t at) const
    {
        return GreatestOf(Time(0), tree.GetChildren(at), [&](auto child) {
            return Longest(child) + Edge(at, child);
        });
    }

    /// @return length of the way from the root, without waiting for a port
    Time Path(uint32_t at) const
    {
        const auto parent = tree.GetParent(at);
        return parent == CommunicationTree::NO_PARENT ? Time(0) : Path(parent) + Edge(parent, at);
    }

    std::map<SwitchLink, uint32_t> CountUses() const
    {
        std::map<SwitchLink, uint32_t> uses;
        for (uint32_t child = 1; child < tree.GetSize(); ++child)
        {
            for (const auto& link : switches.GetPath(tree.GetParent(child), child).links)
            {
                ++uses[link];
            }
        }
        return uses;
    }
};

Time
FinishOf(const SwitchBroadcastPlan& plan)
{
    return *std::max_element(plan.GetArrivals().begin(), plan.GetArrivals().end());
}

TEST_CASE(PlanTestCase,
          "Plans between switches of random networks: laws, and what each heuristic does")
{
    auto rng = MakeRandom(1);
    std::map<std::string, uint32_t> better; // plans that a heuristic makes faster
    std::map<std::string, uint32_t> worse;  // and slower
    for (uint32_t number = 0; number < 300; ++number)
    {
        const auto n = rng->GetInteger(2, 14);
        std::vector<SwitchLink> links;
        for (uint32_t at = 1; at < n; ++at)
        {
            links.emplace_back(rng->GetInteger(0, at - 1), at);
        }
        for (auto more = rng->GetInteger(0, n); more > 0; --more)
        {
            const auto a = rng->GetInteger(0, n - 1);
            const auto b = rng->GetInteger(0, n - 1);
            if (a != b)
            {
                links.emplace_back(a, b);
            }
        }
        // One after the other: compilers differ in which argument is drawn first.
        const auto channels = rng->GetInteger(1, 2);
        const Time perLink(rng->GetInteger(0, 3));
        auto request =
            UnitCost(MakeRange(n), std::make_shared<PlainPaths>(1, links, channels, perLink));
        // Some switches don't work: their hosts are not in the group.
        while (request.members > 2 && rng->GetInteger(0, 3) > 0)
        {
            request.hosts.erase(request.hosts.begin() + rng->GetInteger(0, --request.members));
        }
        request.root = rng->GetInteger(0, request.members - 1);
        request.s = Time(rng->GetInteger(1, 3));
        const WorkingSwitches switches(request);
        const auto make = [&](const Heuristics& heuristics) {
            SwitchBroadcastPlan plan(switches, heuristics);
            const auto tree = plan.GetTree(); // which refuses what is no tree
            const PlainSwitchPlan expected(switches, heuristics);
            for (uint32_t at = 0; at < tree.GetSize(); ++at)
            {
                Same(tree.GetChildren(at), expected.GetChildren()[at], "as by the definition");
            }
            Same(plan.GetArrivals(), expected.GetArrivals(), "arrivals");
            return plan;
        };
        const auto bare = make({false, false, false, false});
        const auto sorted = make({true, false, false, false});
        const auto noSiblings = make({true, true, false, true});
        const auto free = make({true, true, true, false});
        const auto full = make({true, true, true, true});
        make({false, true, true, true});
        const auto unsorted = bare.GetTree();
        const auto nWorking = switches.GetSize();
        std::vector<Time> shortest(nWorking, Time(INT32_MAX));
        shortest[0] = Time(0);
        for (uint32_t round = 0; round < nWorking; ++round)
        {
            for (const auto& [from, to] : ListPairs(nWorking))
            {
                const auto path = switches.GetPath(from, to);
                if (switches.IsEdge(path))
                {
                    const auto by = shortest[from] + switches.GetSendTime() + path.r;
                    shortest[to] = std::min(shortest[to], by);
                }
            }
        }
        for (uint32_t at = 0; at < nWorking; ++at)
        {
            const auto path = PlainPlan{switches, unsorted}.Path(at);
            NS_TEST_ASSERT_MSG_EQ(path, shortest[at], "shortest");
        }

        const auto first = sorted.GetTree();
        const PlainPlan plain{switches, first};
        for (uint32_t at = 0; at < first.GetSize(); ++at)
        {
            const auto& children = first.GetChildren(at);
            const auto isLonger = [&](uint32_t a, uint32_t b) {
                return plain.Longest(a) > plain.Longest(b);
            };
            const bool isSorted = std::is_sorted(children.begin(), children.end(), isLonger);
            NS_TEST_ASSERT_MSG_EQ(isSorted, true, "descending w");
            const auto time = sorted.GetArrivals()[at];
            NS_TEST_ASSERT_MSG_LT_OR_EQ(full.GetArrivals()[at], time, "no switch is later");
            NS_TEST_ASSERT_MSG_LT_OR_EQ(noSiblings.GetArrivals()[at], time, "no switch is later");
        }
        better["down-to-up"] += FinishOf(sorted) < FinishOf(bare);
        better["up-to-down"] += FinishOf(noSiblings) < FinishOf(sorted);
        worse["up-to-down"] += FinishOf(noSiblings) > FinishOf(sorted);
        better["siblings"] += FinishOf(full) < FinishOf(noSiblings);

        auto before = plain.CountUses();
        const auto crowds = [&](const SwitchBroadcastPlan& plan) {
            return CountIf(PlainPlan{switches, plan.GetTree()}.CountUses(), [&](const auto& use) {
                return use.second > std::max(before[use.first], switches.CountChannels(use.first));
            });
        };
        worse["caps"] += crowds(full);
        better["caps"] += crowds(free);
    }
    for (const std::string name : {"down-to-up", "up-to-down", "siblings"})
    {
        NS_TEST_EXPECT_MSG_GT(better[name], 0, name << " makes some broadcast faster");
    }
    NS_TEST_EXPECT_MSG_EQ(worse["up-to-down"], 0, "up-to-down makes none slower");
    NS_TEST_EXPECT_MSG_GT(better["caps"], 0, "channel caps keep some link free");
    NS_TEST_EXPECT_MSG_EQ(worse["caps"], 0, "they crowd none");
}

TEST_CASE(LargePlansTestCase,
          "Plans between 100 switches equal the plain definition, by few of the paths")
{
    class CountedPaths : public PlainPaths
    {
      public:
        using PlainPaths::PlainPaths;

        SwitchPath GetPath(uint32_t from, uint32_t to) const override
        {
            ++nAsked;
            return PlainPaths::GetPath(from, to);
        }

        mutable uint32_t nAsked{0}; // paths asked for
    };

    constexpr uint32_t SIDE = 10;
    std::vector<SwitchLink> torus;
    for (uint32_t at = 0; at < SIDE * SIDE; ++at)
    {
        torus.emplace_back(at, at / SIDE * SIDE + (at + 1) % SIDE);
        torus.emplace_back(at, (at + SIDE) % (SIDE * SIDE));
    }
    auto rng = MakeRandom(3);
    for (const uint32_t most : {0, 2, 5}) // how many tenths of the switches don't work
    {
        const auto paths = std::make_shared<CountedPaths>(1, torus, 1, Time(2));
        auto request = UnitCost(MakeRange(SIDE * SIDE), paths);
        request.s = Time(7);
        for (auto host = request.hosts.begin(); host != request.hosts.end();)
        {
            host = rng->GetInteger(0, 9) < most ? request.hosts.erase(host) : host + 1;
        }
        request.members = static_cast<uint32_t>(request.hosts.size());
        const WorkingSwitches switches(request);
        const auto tree = SwitchBroadcastPlan(switches, {}).GetTree();
        const auto asked = paths->nAsked;
        const PlainSwitchPlan expected(switches, {});
        const auto all = paths->nAsked - asked;
        NS_TEST_EXPECT_MSG_LT(asked, (most == 0 ? all / 2 : all), "fewer than all paths");
        for (uint32_t at = 0; at < tree.GetSize(); ++at)
        {
            NS_TEST_EXPECT_MSG_EQ((tree.GetChildren(at) == expected.GetChildren()[at]), true, at);
        }
    }
}

TEST_CASE(SmallPlansTestCase, "Plans between few switches, by hand")
{
    // Returns the steps; switches have a host each
    const auto finish = [&](const std::vector<SwitchLink>& links,
                            uint32_t switches,
                            const Heuristics& heuristics,
                            uint32_t root = 0,
                            uint32_t channels = 2) -> int64_t {
        auto request =
            UnitCost(MakeRange(switches), std::make_shared<PlainPaths>(1, links, channels));
        request.root = root;
        const WorkingSwitches working(request);
        return FinishOf(SwitchBroadcastPlan(working, heuristics)).GetTimeStep();
    };
    // A leaf, and a chain of two: whoever is served first decides.
    const std::vector<SwitchLink> line{{0, 1}, {0, 2}, {2, 3}};
    NS_TEST_EXPECT_MSG_EQ(finish(line, 4, {false, false, false, false}), 3, "leaf first");
    NS_TEST_EXPECT_MSG_EQ(finish(line, 4, {true, false, false, false}), 2, "chain first");

    // The root's only child has three: the root, which is done, takes one of them over.
    const std::vector<SwitchLink> star{{0, 1}, {1, 2}, {1, 3}, {1, 4}};
    NS_TEST_EXPECT_MSG_EQ(finish(star, 5, {true, false, false, false}), 4, "by itself");
    NS_TEST_EXPECT_MSG_EQ(finish(star, 5, {true, true, false, true}), 3, "with the root");
    NS_TEST_EXPECT_MSG_EQ(finish(star, 5, {true, true, true, true}), 3, "and siblings");
    // With one channel, the root's second way across the link to its child is refused.
    NS_TEST_EXPECT_MSG_EQ(finish(star, 5, {true, true, false, true}, 0, 1), 4, "one channel");
    NS_TEST_EXPECT_MSG_EQ(finish(star, 5, {true, true, false, false}, 0, 1), 3, "no caps");

    // Switch 2 has seven children, and waits behind a chain of three. Visited breadth-first,
    // the root and switch 1 take two each, which leaves the last one at step 5. The chain's
    // second switch is visited before only depth-first, and serves that one at step 4.
    std::vector<SwitchLink> brush{{0, 1}, {0, 2}, {1, 3}, {3, 4}};
    for (uint32_t leaf = 5; leaf < 12; ++leaf)
    {
        brush.emplace_back(2, leaf);
    }
    NS_TEST_EXPECT_MSG_EQ(finish(brush, 12, {true, false, false, false}), 9, "by itself");
    NS_TEST_EXPECT_MSG_EQ(finish(brush, 12, {true, true, false, false}), 4, "two rounds");

    // A parent that would be no sooner takes nobody.
    const auto meshed = UnitCost(MakeRange(4), std::make_shared<PlainPaths>(1, Mesh(4)));
    const WorkingSwitches four(meshed);
    const auto tree = SwitchBroadcastPlan(four, {}).GetTree();
    Same(tree.GetChildren(0), {1, 2}, "two");
    Same(tree.GetChildren(1), {3}, "one");

    // A way that passes a working switch is no edge: the chain is a chain.
    const std::vector<SwitchLink> twoLinks{{0, 1}, {1, 2}};
    auto request = UnitCost(MakeRange(3), std::make_shared<PlainPaths>(1, twoLinks));
    const WorkingSwitches chain(request);
    NS_TEST_EXPECT_MSG_EQ(chain.IsEdge(chain.GetPath(0, 2)), false, "it passes switch 1");
    NS_TEST_EXPECT_MSG_EQ(chain.GetPath(0, 2).links.size(), 2, "over two links");
    request.hosts = {0, 2};
    request.members = 2;
    const WorkingSwitches ends(request);
    NS_TEST_EXPECT_MSG_EQ(ends.IsEdge(ends.GetPath(0, 1)), true, "switch 1 does not work");
    request.root = 1;
    NS_TEST_EXPECT_MSG_EQ(WorkingSwitches(request).GetRanks(0)[0], 1, "the root leads");
}

TEST_CASE(BlockTreeTestCase, "Trees of blocks")
{
    for (uint32_t n = 1; n <= 40; ++n)
    {
        const auto binomial = MakeBinomialTree(n);
        const auto ones = MakeBlockTree(n, 1);
        const auto whole = MakeBlockTree(n, n);
        NS_TEST_EXPECT_MSG_EQ(whole.GetChildren(0).size(), n - 1, "the first serves all");
        for (uint32_t process = 0; process < n; ++process)
        {
            Same(ones.GetChildren(process), binomial.GetChildren(process), "a binomial tree");
        }
        for (uint32_t block = 1; block <= n + 1; ++block)
        {
            const auto tree = MakeBlockTree(n, block);
            for (uint32_t process = 0; process < n; ++process)
            {
                if (const auto place = process % block; place > 0)
                {
                    NS_TEST_EXPECT_MSG_EQ(tree.GetParent(process), process - place, "the first");
                }
            }
        }
    }
    // Ranks are counted from the root on.
    auto request = UnitCost(MakeRange(7), nullptr);
    request.root = 5;
    const auto broadcast = CollectiveHelper::MakeBroadcast("mpich[BlockSize=3]");
    const auto schedules = dynamic_cast<const ScheduleMaker&>(*broadcast).MakeSchedules(request);
    NS_TEST_EXPECT_MSG_EQ(schedules[6].GetSteps().front().peer, 5, "first block: 5, 6, 0");
    NS_TEST_EXPECT_MSG_EQ(schedules[0].GetSteps().front().peer, 5, "first block: 5, 6, 0");
    NS_TEST_EXPECT_MSG_EQ(schedules[2].GetSteps().front().peer, 1, "second block: 1, 2, 3");
    Refuses([] { MakeBlockTree(4, 0); }, "tree of blocks of 0 processes: expected 1 or more");
}

} // namespace
