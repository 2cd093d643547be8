/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Fibo-trees over hierarchies against the best of all trees, by dynamic programming over sets of
// processes, and c, the time when sender and receiver are busy, against its definition.

#include "../asked-study.h"
#include "../test-case.h"

#include "ns3/collective-helper.h"
#include "ns3/collective-invariants.h"
#include "ns3/fibo-levels.h"
#include "ns3/study-hosts.h"
#include "ns3/tree-cost.h"
#include "ns3/tree-shapes.h"
#include "ns3/tree-study.h"

#include <limits>
#include <numeric>
#include <random>

using namespace ns3;

namespace
{

/// Random hierarchies.
class Draw
{
  public:
    /// @param seed seed of the random numbers
    explicit Draw(uint32_t seed)
        : m_random(seed)
    {
    }

    /// @return a number of least to most
    uint32_t Number(uint32_t least, uint32_t most)
    {
        return least + static_cast<uint32_t>(m_random() % (most - least + 1));
    }

    /// @param isDearer whether each level costs as much as the one before at least
    std::vector<MessageCost> Costs(uint32_t nLevels, bool isDearer)
    {
        std::vector<MessageCost> costs;
        int64_t s = 0;
        int64_t r = 0;
        for (uint32_t level = 0; level < nLevels; ++level)
        {
            s = (isDearer ? s : 0) + Number(s == 0 || !isDearer, 4);
            r = (isDearer ? r : 0) + Number(0, 8);
            costs.push_back({Time(s), Time(r), Time(Number(0, 2))});
        }
        for (std::size_t level = 1; isDearer && level < costs.size(); ++level)
        {
            costs[level].c = std::max(costs[level].c, costs[level - 1].c);
        }
        return costs;
    }

    /// @return groups of equal sizes @param mostPerGroup most groups within one, and of the last
    /// level @param most most processes
    ProcessHierarchy Regular(uint32_t mostPerGroup, uint32_t most, bool isDearer)
    {
        for (;;)
        {
            const auto nLevels = Number(2, 3);
            std::vector<uint32_t> sizes;
            uint32_t size = 1;
            for (uint32_t level = 1; level < nLevels; ++level)
            {
                size *= Number(2, mostPerGroup);
                sizes.push_back(size);
            }
            size *= Number(1, mostPerGroup);
            if (size <= most)
            {
                return ProcessHierarchy::Regular(size, sizes, Costs(nLevels, isDearer));
            }
        }
    }

    /// @return groups of any sizes @param most most processes
    ProcessHierarchy Irregular(uint32_t most, bool isDearer)
    {
        const auto size = Number(2, most);
        const auto nLevels = Number(2, 3);
        std::vector<std::vector<uint32_t>> groups(nLevels - 1, std::vector<uint32_t>(size));
        for (uint32_t process = 0; process < size; ++process)
        {
            auto place = Number(0, size);
            for (auto& group : groups)
            {
                group[process] = place;
                place /= 3;
            }
        }
        return ProcessHierarchy(size, Costs(nLevels, isDearer), groups);
    }

  private:
    std::mt19937 m_random; ///< random numbers
};

/// The least time for any tree. Someone who has the message and a set of others to inform sends to
/// one of them, who takes care of a part of the others; all choices are tried. @return when the
/// last one is active
int64_t
MinTime(const ProcessHierarchy& hierarchy)
{
    const auto n = hierarchy.GetSize();
    const uint32_t nSets = 1U << n;
    std::vector<std::vector<int64_t>> least(n, std::vector<int64_t>(nSets, 0));
    for (uint32_t set = 1; set < nSets; ++set)
    {
        for (uint32_t from = 0; from < n; ++from)
        {
            if (set >> from & 1)
            {
                continue;
            }
            auto& best = least[from][set];
            best = std::numeric_limits<int64_t>::max();
            for (uint32_t to = 0; to < n; ++to)
            {
                if (!(set >> to & 1))
                {
                    continue;
                }
                const auto& cost = hierarchy.GetCost(from, to);
                const auto busy = (cost.s + cost.c).GetTimeStep();
                const auto active = busy + cost.r.GetTimeStep();
                const auto others = set ^ 1U << to;
                for (auto part = others;; part = (part - 1) & others)
                {
                    best = std::min(
                        best,
                        std::max(active + least[to][part], busy + least[from][others ^ part]));
                    if (part == 0)
                    {
                        break;
                    }
                }
            }
        }
    }
    return least[0][(nSets - 1) ^ 1U];
}

/// @return when a tree is done
int64_t
Finish(const CommunicationTree& tree, const ProcessHierarchy& hierarchy)
{
    return TreeCost(hierarchy).GetFinish(tree).GetTimeStep();
}

std::string
Show(const ProcessHierarchy& hierarchy)
{
    auto text = std::to_string(hierarchy.GetSize()) + " processes";
    for (uint32_t level = 1; level <= hierarchy.GetNLevels(); ++level)
    {
        const auto& cost = hierarchy.GetCost(level);
        text += ", level " + std::to_string(level) +
                ": s = " + std::to_string(cost.s.GetTimeStep()) +
                ", r = " + std::to_string(cost.r.GetTimeStep()) +
                ", c = " + std::to_string(cost.c.GetTimeStep()) + ", groups";
        for (uint32_t process = 0; process < hierarchy.GetSize(); ++process)
        {
            text += " " + std::to_string(hierarchy.GetGroup(level, process));
        }
    }
    return text;
}

TEST_CASE_WITH(ModuleTestCase,
               OptimumTestCase,
               bool,
               m_isExtensive,
               "Against the best of all trees")
{
    const uint32_t most = m_isExtensive ? 11 : 9;
    const uint32_t n = m_isExtensive ? 2000 : 300;
    Draw draw(m_isExtensive ? 18 : 17);
    uint32_t nOptimal[2] = {0, 0};
    for (uint32_t i = 0; i < n; ++i)
    {
        // Groups of equal sizes, each level as dear as the one before at least: the optimum.
        const auto regular = draw.Regular(5, most, true);
        const auto best = MinTime(regular);
        NS_TEST_ASSERT_MSG_EQ(Finish(MakeHierarchicalFiboTree(regular), regular),
                              best,
                              Show(regular));
        NS_TEST_ASSERT_MSG_EQ(GetHierarchyBound(regular).GetTimeStep(), best, Show(regular));
        // Any sizes, and cheaper levels above dearer ones: the optimum, but for a few.
        for (const bool isDearer : {true, false})
        {
            const auto any = draw.Irregular(most, isDearer);
            const auto least = MinTime(any);
            const auto found = Finish(MakeHierarchicalFiboTree(any), any);
            NS_TEST_ASSERT_MSG_GT_OR_EQ(found, least, Show(any));
            NS_TEST_ASSERT_MSG_LT_OR_EQ(found * 2, least * 3, Show(any));
            NS_TEST_ASSERT_MSG_LT_OR_EQ(GetHierarchyBound(any).GetTimeStep(), least, Show(any));
            nOptimal[isDearer] += found == least;
        }
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(nOptimal[1] * 100, n * 96, "any sizes");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(nOptimal[0] * 100, n * 90, "any sizes and costs");
}

/// The tree against the bound and other trees, where not all can be tried.
class BoundTestCase : public TestCase
{
  public:
    /// @param isExtensive whether with more and larger cases
    explicit BoundTestCase(bool isExtensive)
        : TestCase("Against the bound, and trees that know less"),
          m_isExtensive(isExtensive)
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t n = m_isExtensive ? 400 : 30;
        Draw draw(m_isExtensive ? 20 : 19);
        uint32_t nOptimal = 0;
        for (uint32_t i = 0; i < n; ++i)
        {
            const auto hierarchy = draw.Regular(12, 600, true);
            const auto bound = GetHierarchyBound(hierarchy).GetTimeStep();
            const auto found = Finish(MakeHierarchicalFiboTree(hierarchy), hierarchy);
            NS_TEST_ASSERT_MSG_GT_OR_EQ(found, bound, Show(hierarchy));
            nOptimal += found == bound;
            CompareWithOthers(hierarchy, found);
            const auto any = draw.Irregular(100, false);
            CompareWithOthers(any, Finish(MakeHierarchicalFiboTree(any), any));
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(nOptimal * 100, n * 90, "as fast as the bound");

        // One level: a Fibo-tree, however many groups there are. What c adds, it adds to s.
        for (const uint32_t size : {1, 2, 19, 300})
        {
            const MessageCost cost{Time(20), Time(88), Time(7)};
            const auto fibo = MakeCommunicationTree("fibo", size, Time(27), Time(88));
            const auto least = TreeCost(Time(20), Time(88), 1, Time(7)).GetFinish(fibo);
            NS_TEST_EXPECT_MSG_EQ(TreeCost(Time(27), Time(88)).GetFinish(fibo), least, "c");
            for (const auto& levels : {ProcessHierarchy(size, {cost}),
                                       ProcessHierarchy::Regular(size, {4, 8}, {cost, cost, cost})})
            {
                for (const std::string name : {"fibo", "fibo-levels", "fibo-composed"})
                {
                    const auto tree = MakeCommunicationTree(name, levels);
                    NS_TEST_EXPECT_MSG_EQ(Time(Finish(tree, levels)),
                                          least,
                                          name << " of " << size);
                }
                NS_TEST_EXPECT_MSG_EQ(GetHierarchyBound(levels), least, "bound");
            }
        }
    }

    /// @param found when their tree is done
    void CompareWithOthers(const ProcessHierarchy& hierarchy, int64_t found)
    {
        for (const std::string name : {"fibo", "fibo-composed"})
        {
            NS_TEST_ASSERT_MSG_LT_OR_EQ(found,
                                        Finish(MakeCommunicationTree(name, hierarchy), hierarchy),
                                        name << ", " << Show(hierarchy));
        }
    }

    bool m_isExtensive; ///< whether with more and larger cases
};

class SimulatedTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(SimulatedTestCase, "Simulated against the model");

    void DoRun() override
    {
        const StudyHosts ideal;
        const StudyHosts star(nullptr, NanoSeconds(20), NanoSeconds(300));
        Draw draw(21);
        for (uint32_t i = 0; i < 20; ++i)
        {
            const auto levels = i % 2 ? draw.Regular(5, 40, true) : draw.Irregular(40, false);
            for (const std::string tree : {"fibo-levels", "fibo-composed", "fibo", "binomial"})
            {
                // The member's own tree is that of the levels, with s in units of ps.
                const auto model =
                    TreeCost(levels).GetArrivals(MakeCommunicationTree(tree, levels));
                const auto simulated = MeasureTree(ideal, tree, levels).front();
                NS_TEST_ASSERT_MSG_EQ((simulated == model), true, tree << ", " << Show(levels));
            }
            // One level with c, on an ideal network and on a switch.
            const MessageCost cost{MicroSeconds(draw.Number(1, 30)),
                                   MicroSeconds(draw.Number(2, 90)),
                                   MicroSeconds(draw.Number(0, 30))};
            const auto n = draw.Number(2, 30);
            const auto tree = MakeCommunicationTree("fibo", n, cost.Busy(), cost.r);
            const auto model = TreeCost(cost.s, cost.r, 1, cost.c).GetArrivals(tree);
            for (const auto* hosts : {&ideal, &star})
            {
                const auto simulated = MeasureTree(*hosts, "fibo", {n, {cost}}).front();
                NS_TEST_ASSERT_MSG_EQ((simulated == model), true, n << " processes with c");
            }
            Gather(ideal, cost, n);
        }
    }

    /// All send to the root at once, which is busy with each message c + r.
    void Gather(const StudyHosts& hosts, const MessageCost& cost, uint32_t n)
    {
        auto reduction = CollectiveHelper::MakeReduction("tree[Tree=sequential|Root=0]");
        StudyHosts::Task task;
        task.hosts = MakeRange(n);
        task.s = cost.s;
        task.r = cost.r;
        task.c = cost.c;
        const auto times = hosts.Run(reduction, task).front();
        NS_TEST_ASSERT_MSG_EQ(times[0],
                              cost.s + (cost.c + cost.r) * static_cast<int64_t>(n - 1),
                              "the root's");
        NS_TEST_ASSERT_MSG_EQ(times[1], cost.s + cost.c, "a sender's");
        task.levels = std::make_shared<ProcessHierarchy>(n, std::vector<MessageCost>{cost});
        reduction = CollectiveHelper::MakeReduction("tree[Tree=sequential|Root=0]");
        NS_TEST_ASSERT_MSG_EQ((hosts.Run(reduction, task).front() == times), true, "by levels");

        // Two processes of one host, by messages: c counts once on the way to the receiver.
        task.levels = nullptr;
        task.hosts = {0, 0};
        auto within = CollectiveHelper::MakeBroadcast("tree[Tree=chain|Root=0|WithinHost=memory]");
        NS_TEST_ASSERT_MSG_EQ(hosts.Run(within, task).front()[1],
                              cost.s + cost.c + cost.r,
                              "within a host");
    }
};

/// By name, over fabrics and from any root; and what is refused.
SIMULATION_TEST_CASE(CollectivesTestCase, "Collectives over hierarchies, and refusals")
{
    for (const std::string kind : {"barrier", "broadcast", "reduction"})
    {
        for (const std::string name : {"tree[Tree=fibo-levels]", "tree[Tree=fibo-composed]"})
        {
            NS_TEST_EXPECT_MSG_EQ(CollectiveInvariants::Check(kind, name), "", kind << " " << name);
        }
    }
    const auto us = [](int64_t n) { return MicroSeconds(n); };
    const MessageCost cost{us(1), us(1)};
    Refuses([] { ProcessHierarchy(0, {MessageCost{}}); }, "1 process at least");
    Refuses([&] { ProcessHierarchy(2, {cost, cost}); }, "groups of 0");
    Refuses([&] { ProcessHierarchy(2, {cost, cost}, {{0}}); }, "a group for each");
    Refuses([&] { ProcessHierarchy(2, {{us(-1), us(1)}}); }, "times of 0 and above");
    Refuses([&] { ProcessHierarchy(2, {cost, cost, cost}, {{0, 0}, {0, 1}}); }, "nested");
    Refuses([&] { ProcessHierarchy::Regular(8, {2, 3}, {cost, cost, cost}); }, "multiples of 2");
    Refuses([&] { ProcessHierarchy::Regular(8, {0}, {cost, cost}); }, "groups of 0");
    const auto free = ProcessHierarchy(3, {{us(0), us(1)}});
    Refuses([&] { MakeHierarchicalFiboTree(free); }, "s + c above 0");
    Refuses([&] { MakeComposedFiboTree(free); }, "s + c above 0");
    Refuses([&] { GetHierarchyBound(free); }, "s + c above 0");
    Refuses([&] { TreeCost(us(1), us(1), 1, us(-1)); }, "times of 0 and above");
    Refuses([&] { TreeCost(free).GetFinish(MakeKaryTree(2, 1)); }, "as many");
    CollectiveHelper helper;
    auto domain = helper.InstallIdeal(4, Time(0));
    Refuses([&] { domain->SetLevels(free); }, "as many at least");
    domain->Dispose();
    const AskedStudy::Options options{{"network", "fabric"}, {"levels", "2:1us:1us"}};
    Refuses([&] { AskedStudy("fibo-tree", options); }, "without --network=ideal");
}

static ListedTestSuite g_fiboLevelsTestSuite("wormhole-fibo-levels",
                                             {new OptimumTestCase(false),
                                              new BoundTestCase(false),
                                              new SimulatedTestCase,
                                              new CollectivesTestCase},
                                             {new OptimumTestCase(true), new BoundTestCase(true)});

} // namespace
