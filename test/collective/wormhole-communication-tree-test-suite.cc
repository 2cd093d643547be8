// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../test-case.h"

#include "ns3/collective-helper.h"
#include "ns3/collective-invariants.h"
#include "ns3/communication-tree.h"
#include "ns3/study-hosts.h"
#include "ns3/tree-shapes.h"

#include <random>

using namespace ns3;

SUITE("wormhole-communication-tree", UNIT);

namespace
{

/// Times of a message, in steps or microseconds.
using Costs = std::pair<int64_t, int64_t>;

/// Some s and r, with either the larger, and without a common divisor.
const Costs SEVERAL_COSTS[] =
    {{1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 8}, {5, 1}, {2, 3}, {3, 2}, {7, 5}, {27, 88}, {2, 100}};

std::vector<int64_t>
Arrivals(const CommunicationTree& tree, Costs costs, uint32_t ports = 1)
{
    const TreeCost cost(Time(costs.first), Time(costs.second), ports);
    return MadeOf(cost.GetArrivals(tree), [](Time time) { return time.GetTimeStep(); });
}

int64_t
Finish(const std::string& name, uint32_t n, Costs costs)
{
    const Time s(costs.first);
    const Time r(costs.second);
    return TreeCost(s, r).GetFinish(MakeCommunicationTree(name, n, s, r)).GetTimeStep();
}

TEST_CASE(ShapeTestCase, "Shapes of trees")
{
    const auto make = [](const std::string& name, uint32_t n) {
        return MakeCommunicationTree(name, n, MicroSeconds(27), MicroSeconds(88));
    };
    for (uint32_t n = 1; n <= 130; ++n)
    {
        for (const std::string name :
             {"sequential", "chain", "binary", "kary-3", "kary-8", "binomial", "fibo", "fibo-2-1"})
        {
            const auto tree = make(name, n);
            NS_TEST_ASSERT_MSG_EQ(tree.GetSize(), n, "processes of " << name);
            NS_TEST_ASSERT_MSG_EQ(tree.GetParent(0), CommunicationTree::NO_PARENT, "root");
            const auto sizes = tree.GetSubtreeSizes();
            NS_TEST_ASSERT_MSG_EQ(sizes[0], n, "the root's subtree is all of " << name);
            for (uint32_t i = 0; i < n; ++i)
            {
                uint32_t below = 1;
                uint32_t before = n;
                for (auto child : tree.GetChildren(i))
                {
                    NS_TEST_ASSERT_MSG_EQ(tree.GetParent(child), i, "parent in " << name);
                    NS_TEST_ASSERT_MSG_LT(i, child, "parents have lower numbers in " << name);
                    NS_TEST_ASSERT_MSG_LT_OR_EQ(sizes[child], before, "largest first in " << name);
                    before = sizes[child];
                    below += before;
                }
                NS_TEST_ASSERT_MSG_EQ(sizes[i], below, "size of a subtree of " << name);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(make("sequential", n).GetHeight(), (n > 1 ? 1 : 0), "sequential");
        NS_TEST_EXPECT_MSG_EQ(make("chain", n).GetHeight(), n - 1, "chain");
    }
    Same(make("binary", 9).GetChildren(2), {5, 6}, "children");
    Same(make("kary-3", 9).GetChildren(1), {4, 5, 6}, "children");
    NS_TEST_EXPECT_MSG_EQ(make("kary-4294967296", 9).GetHeight(), 1, "more than there are");
    Same(make("binomial", 19).GetChildren(0), {8, 4, 16, 2, 1}, "subtrees of 8, 4, 3, 2 and 1");
    // Without time to receive, doubling is best; the subtrees are numbered otherwise.
    auto doubling = make("binomial", 64).GetSubtreeSizes();
    auto fibo = make("fibo-1-0", 64).GetSubtreeSizes();
    std::sort(doubling.begin(), doubling.end());
    std::sort(fibo.begin(), fibo.end());
    NS_TEST_EXPECT_MSG_EQ((fibo == doubling), true, "a Fibo-tree of r = 0 is binomial");
}

TEST_CASE(RefusalTestCase, "What is no tree is refused")
{
    Refuses([] { CommunicationTree({}); }, "0 processes");
    Refuses([] { CommunicationTree({{1, 2}, {}}); }, "child 2 of process 0: expected 1 to 1");
    Refuses([] { CommunicationTree({{1}, {0}}); }, "child 0 of process 1 is the root already");
    Refuses([] { CommunicationTree({{1, 2}, {2}, {}}); }, "child 2 of process 1 is a child of");
    Refuses([] { CommunicationTree({{}, {2}, {1}}); }, "process 1 is not below process 0");

    const auto make = [](const std::string& name, Time s, Time r) {
        return [=] { MakeCommunicationTree(name, 4, s, r); };
    };
    const auto us = MicroSeconds(1);
    for (const auto& name :
         {"", "fib", "kary", "kary-", "kary-3x", "kary--3", "fibo-1", "fibo-1-2-3"})
    {
        Refuses(make(name, us, us),
                "unknown tree '" + std::string(name) +
                    "': expected sequential, chain, binary, kary-K, binomial, block-B, fibo, "
                    "fibo-S-R");
    }
    Refuses(make("kary-0", us, us), "0 children");
    Refuses(make("kary-18446744073709551616", us, us), "unknown tree");
    Refuses(make("fibo", Time(0), us), "expected s above 0");
    Refuses(make("fibo", us, Time(-1)), "r of 0 and above");
    Refuses(make("fibo-0-1", us, us), "s = 0");
    Refuses([] { MakeCommunicationTree("binary", 0, Time(1), Time(1)); }, "0 processes");
    Refuses([] { TreeCost(Time(-1), Time(1)); }, "times of 0 and above");
    Refuses([] { TreeCost(Time(1), Time(1), 0); }, "1 port at least");
    Refuses([] { FiboSequence::GetLambda(0, 1); }, "s above 0");
    Refuses([] { FiboSequence::GetLambda(1, -1); }, "r of 0 and above");
    Refuses([] { FiboSequence(1, 0).GetPopulation(100); }, "too large");
}

/// No tree is faster than a Fibo-tree, and none of its processes could have the message earlier.
TEST_CASE(OptimumTestCase, "Fibo-trees against dynamic programming")
{
    const uint32_t most = 300;
    for (const auto& costs : SEVERAL_COSTS)
    {
        const auto least = LeastTreeTimes(most, costs.first, costs.second);
        FiboSequence sequence(costs.first, costs.second);
        for (uint32_t n = 1; n <= most; ++n)
        {
            const auto where =
                Text("s = ", costs.first, ", r = ", costs.second, ", ", n, " processes");
            auto arrivals = Arrivals(MakeFiboTree(n, costs.first, costs.second), costs);
            std::sort(arrivals.begin(), arrivals.end());
            for (uint32_t i = 0; i < n; ++i)
            {
                // So many processes are not reached earlier by a tree made for them alone.
                NS_TEST_ASSERT_MSG_EQ(arrivals[i], least[i + 1], i << ", " << where);
            }
            NS_TEST_ASSERT_MSG_EQ(sequence.GetSteps(n), least[n], "steps, " << where);
            for (const std::string name : {"sequential", "chain", "binary", "kary-5", "binomial"})
            {
                const auto finish = Finish(name, n, costs);
                NS_TEST_ASSERT_MSG_LT_OR_EQ(least[n], finish, name << " is no faster, " << where);
            }
        }
    }
}

TEST_CASE(SequenceTestCase, "Speed of distribution")
{
    // Cordsen et al., section 3.2, where 25 is printed for 26.
    const std::vector<uint64_t> printed{1, 1, 1, 1, 2, 3, 4, 5, 7, 10, 14, 19, 26, 36, 50, 69};
    FiboSequence published(1, 3);
    const auto f = [&](uint32_t t) { return published.GetPopulation(t); };
    Same(MadeOf(MakeRange(16), f), printed, "f(0) to f(15)");
    for (const auto& [s, r] : SEVERAL_COSTS)
    {
        FiboSequence sequence(s, r);
        NS_TEST_EXPECT_MSG_EQ(sequence.GetPopulation(-1), 0, "before it starts");
        NS_TEST_EXPECT_MSG_EQ(sequence.GetPopulation(s + r - 1), 1, "the root alone");
        for (int64_t t = s + r; t < 30 * s; ++t)
        {
            const auto population = sequence.GetPopulation(t);
            const auto sum = sequence.GetPopulation(t - s) + sequence.GetPopulation(t - s - r);
            NS_TEST_ASSERT_MSG_EQ(population, sum, "equation (2) at " << t);
            const auto growth = population - sequence.GetPopulation(t - 1);
            NS_TEST_ASSERT_MSG_EQ(sequence.GetGrowth(t), growth, "growth at " << t);
        }
    }
    const auto lambda = FiboSequence::GetLambda;
    NS_TEST_EXPECT_MSG_EQ_TOL(lambda(1, 0), 2, 1e-12, "r = 0");
    NS_TEST_EXPECT_MSG_EQ_TOL(lambda(1, 1), 1.61803, 5e-6, "r = s");
    NS_TEST_EXPECT_MSG_EQ_TOL(lambda(1, 2), 1.46557, 5e-6, "r = 2 s");
    NS_TEST_EXPECT_MSG_EQ_TOL(lambda(1, 3), 1.38028, 5e-6, "r = 3 s");
    // Published as below 1.2 at 8, which it is from 9 on.
    NS_TEST_EXPECT_MSG_EQ_TOL(lambda(1, 8), 1.21315, 5e-6, "r = 8 s");
    NS_TEST_EXPECT_MSG_LT(lambda(1, 9), 1.2, "r = 9 s");
    Within(lambda(20, 60), std::pow(lambda(1, 3), 1.0 / 20), 1e-12, "another unit");
    // Growth itself tends to it.
    const auto growth = static_cast<double>(published.GetPopulation(101)) /
                        static_cast<double>(published.GetPopulation(100));
    NS_TEST_EXPECT_MSG_EQ_TOL(growth, lambda(1, 3), 1e-9, "f(101) / f(100)");
}

/// What trees take: figures of Cordsen et al. and of their formulas.
TEST_CASE(FinishTestCase, "What trees take")
{
    const Costs steps{1, 3};
    NS_TEST_EXPECT_MSG_EQ(Finish("fibo", 64, steps), 15, "Fibo-tree of 64");
    NS_TEST_EXPECT_MSG_EQ(Finish("binomial", 64, steps), 24, "binomial tree of 64");
    NS_TEST_EXPECT_MSG_EQ(Finish("binary", 64, steps), 25, "binary tree of 64");
    NS_TEST_EXPECT_MSG_EQ(Finish("kary-8", 73, steps), 22, "8-ary tree of 73");
    const auto arrivals = Arrivals(MakeFiboTree(64, 1, 3), steps);
    const std::vector<std::pair<int64_t, int64_t>> last{{12, 7}, {13, 10}, {14, 14}, {15, 14}};
    for (const auto& [step, n] : last)
    {
        NS_TEST_EXPECT_MSG_EQ(std::count(arrivals.begin(), arrivals.end(), step), n, "at " << step);
    }

    const Costs measured{27, 88};
    NS_TEST_EXPECT_MSG_EQ(Finish("sequential", 19, measured), 574, "all by the root");
    NS_TEST_EXPECT_MSG_EQ(Finish("binomial", 19, measured), 460, "binomial tree");
    NS_TEST_EXPECT_MSG_EQ(Finish("fibo-1-3", 19, measured), 311, "Fibo-tree of 1 : 3");
    NS_TEST_EXPECT_MSG_EQ(Finish("fibo", 19, measured), 311, "Fibo-tree of 27 : 88");
    NS_TEST_EXPECT_MSG_EQ(Finish("fibo", 1, measured), 0, "nobody to send to");

    for (const auto& [s, r] : SEVERAL_COSTS)
    {
        NS_TEST_EXPECT_MSG_EQ(Finish("chain", 10, {s, r}), 9 * (s + r), "chain");
        NS_TEST_EXPECT_MSG_EQ(Finish("sequential", 10, {s, r}), 9 * s + r, "sequential");
        // Complete trees, equation (1) and what follows it.
        NS_TEST_EXPECT_MSG_EQ(Finish("binary", 127, {s, r}), 6 * (2 * s + r), "binary");
        NS_TEST_EXPECT_MSG_EQ(Finish("kary-5", 156, {s, r}), 3 * (5 * s + r), "5-ary");
        NS_TEST_EXPECT_MSG_EQ(Finish("binomial", 128, {s, r}), 7 * (s + r), "binomial");
    }
    // Three at a time: children 1 to 3, then 4 to 6, then 7.
    Same(Arrivals(MakeKaryTree(8, 7), {10, 5}, 3), {0, 15, 15, 15, 25, 25, 25, 35}, "three ports");
}

std::vector<uint32_t>
GetParents(const CommunicationTree& tree)
{
    return MadeOf(MakeRange(tree.GetSize()), [&](uint32_t i) { return tree.GetParent(i); });
}

TEST_CASE(RatioTestCase, "Ratio of s and r")
{
    for (uint32_t n : {1, 2, 19, 64, 300, 5000})
    {
        const auto parents = [n](Time s, Time r) {
            return GetParents(MakeCommunicationTree("fibo", n, s, r));
        };
        const auto same = GetParents(MakeFiboTree(n, 27, 88));
        NS_TEST_EXPECT_MSG_EQ((parents(MicroSeconds(27), MicroSeconds(88)) == same), true, "us");
        NS_TEST_EXPECT_MSG_EQ((parents(Seconds(54), Seconds(176)) == same), true, "s, doubled");
        // Prime to each other, and with steps by the million.
        const Costs large{27000017, 87999999};
        const auto steps = FiboSequence(large.first, large.second).GetSteps(n);
        NS_TEST_EXPECT_MSG_EQ(Finish("fibo", n, large), steps, "large steps");
    }
    const auto steps = FiboSequence(1, 3).GetSteps(100000);
    NS_TEST_EXPECT_MSG_EQ(Finish("fibo", 100000, {1, 3}), steps, "a hundred thousand processes");
}

// Fibo-trees over hierarchies against the best of all trees, by dynamic programming over sets of
// processes, and c, the time when sender and receiver are busy, against its definition.
SUITE("wormhole-fibo-levels", UNIT);

class Draw
{
  public:
    explicit Draw(uint32_t seed)
        : m_random(seed)
    {
    }

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
            const Time c(Number(0, 2));
            costs.push_back(
                {Time(s), Time(r), isDearer && level > 0 ? std::max(c, costs.back().c) : c});
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
        text += Text(", level ", level, ": s = ", cost.s, ", r = ", cost.r, ", c = ", cost.c);
        text += ", groups";
        for (uint32_t process = 0; process < hierarchy.GetSize(); ++process)
        {
            text += " " + std::to_string(hierarchy.GetGroup(level, process));
        }
    }
    return text;
}

TEST_CASE_WITH(LevelsOptimumTestCase, (bool isExtensive), "Against the best of all trees")
{
    const uint32_t most = isExtensive ? 11 : 9;
    const uint32_t n = isExtensive ? 2000 : 300;
    Draw draw(isExtensive ? 18 : 17);
    uint32_t nOptimal[2] = {0, 0};
    for (uint32_t i = 0; i < n; ++i)
    {
        // Groups of equal sizes, each level as dear as the one before at least: the optimum.
        const auto regular = draw.Regular(5, most, true);
        const auto best = MinTime(regular);
        const auto time = Finish(MakeHierarchicalFiboTree(regular), regular);
        NS_TEST_ASSERT_MSG_EQ(time, best, Show(regular));
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

TEST_CASE_WITH(BoundTestCase, (bool isExtensive), "Against the bound, and trees that know less")
{
    const auto compareWithOthers = [&](const ProcessHierarchy& hierarchy, int64_t found) {
        for (const std::string name : {"fibo", "fibo-composed"})
        {
            const auto other = Finish(MakeCommunicationTree(name, hierarchy), hierarchy);
            NS_TEST_ASSERT_MSG_LT_OR_EQ(found, other, name << ", " << Show(hierarchy));
        }
    };
    const uint32_t n = isExtensive ? 400 : 30;
    Draw draw(isExtensive ? 20 : 19);
    uint32_t nOptimal = 0;
    for (uint32_t i = 0; i < n; ++i)
    {
        const auto hierarchy = draw.Regular(12, 600, true);
        const auto bound = GetHierarchyBound(hierarchy).GetTimeStep();
        const auto found = Finish(MakeHierarchicalFiboTree(hierarchy), hierarchy);
        NS_TEST_ASSERT_MSG_GT_OR_EQ(found, bound, Show(hierarchy));
        nOptimal += found == bound;
        compareWithOthers(hierarchy, found);
        const auto any = draw.Irregular(100, false);
        compareWithOthers(any, Finish(MakeHierarchicalFiboTree(any), any));
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
                NS_TEST_EXPECT_MSG_EQ(Time(Finish(tree, levels)), least, name << " of " << size);
            }
            NS_TEST_EXPECT_MSG_EQ(GetHierarchyBound(levels), least, "bound");
        }
    }
}

TEST_CASE(SimulatedTestCase, "Simulated against the model")
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
            const auto model = TreeCost(levels).GetArrivals(MakeCommunicationTree(tree, levels));
            const auto simulated = ideal.SpreadByTree(tree, levels).front();
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
            const auto simulated = hosts->SpreadByTree("fibo", {n, {cost}}).front();
            NS_TEST_ASSERT_MSG_EQ((simulated == model), true, n << " processes with c");
        }
        // All send to the root at once, which is busy with each message c + r.
        auto reduction = CollectiveHelper::MakeReduction("tree[Tree=sequential|Root=0]");
        StudyHosts::Task task;
        task.hosts = MakeRange(n);
        task.s = cost.s;
        task.r = cost.r;
        task.c = cost.c;
        const auto times = ideal.Run(reduction, task).front();
        const auto last = cost.s + (cost.c + cost.r) * static_cast<int64_t>(n - 1);
        NS_TEST_ASSERT_MSG_EQ(times[0], last, "the root's");
        NS_TEST_ASSERT_MSG_EQ(times[1], cost.s + cost.c, "a sender's");
        task.levels = std::make_shared<ProcessHierarchy>(n, std::vector<MessageCost>{cost});
        reduction = CollectiveHelper::MakeReduction("tree[Tree=sequential|Root=0]");
        NS_TEST_ASSERT_MSG_EQ((ideal.Run(reduction, task).front() == times), true, "by levels");

        // Two processes of one host, by messages: c counts once on the way to the receiver.
        task.levels = nullptr;
        task.hosts = {0, 0};
        auto within = CollectiveHelper::MakeBroadcast("tree[Tree=chain|Root=0|WithinHost=memory]");
        const auto came = ideal.Run(within, task).front()[1];
        NS_TEST_ASSERT_MSG_EQ(came, cost.s + cost.c + cost.r, "within a host");
    }
}

TEST_CASE(CollectivesTestCase, "Collectives over hierarchies, and refusals")
{
    for (const auto& [kind, tree] :
         Combine(Words("barrier broadcast reduction"), Words("fibo-levels fibo-composed")))
    {
        const auto name = "tree[Tree=" + tree + "]";
        NS_TEST_EXPECT_MSG_EQ(CollectiveInvariants::Check(kind, name), "", kind << " " << name);
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
    const std::string options = "network=fabric levels=2:1us:1us";
    Refuses([&] { AskedStudy("fibo-tree", options); }, "without --network=ideal");
}

ADD_CASES()
{
    AddQuick<LevelsOptimumTestCase>(false);
    AddQuick<BoundTestCase>(false);
    AddExtensive<LevelsOptimumTestCase>(true);
    AddExtensive<BoundTestCase>(true);
}

} // namespace
