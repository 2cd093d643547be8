// SPDX-License-Identifier: GPL-2.0-only

// Collectives of data on an ideal network: times by closed forms, and numbers of messages and bytes
// by the literature, for powers of two; two trees by a recurrence; for other numbers, times by a
// plain evaluation of schedules.

#include "../ideal-data-run.h"

using namespace ns3;

SUITE("wormhole-data-formulas", UNIT);

namespace
{

/// The two trees of 2^q members, by number from the root on, as the documentation defines them.
class PlainTwoTrees
{
  public:
    explicit PlainTwoTrees(uint32_t q)
        : m_q(q),
          m_n(1U << q)
    {
    }

    /// @param tree 0 or 1 @param member from 1 on
    uint32_t Parent(uint32_t tree, uint32_t member) const
    {
        const auto others = m_n - 1;
        const auto own = tree == 0 ? member : (member + others - 2) % others + 1;
        const auto lowest = own & -own;
        const auto parent = (own - lowest) | 2 * lowest;
        return parent >= m_n ? 0 : tree == 0 ? parent : parent % others + 1;
    }

    uint32_t Colour(uint32_t tree, uint32_t member) const
    {
        uint32_t colour = 1 + tree;
        for (auto bits = (member - 1) >> (m_q % 2); bits > 0; bits /= 2)
        {
            colour += bits % 2;
        }
        return colour % 2;
    }

    /// @return first step of a broadcast in which a message comes to a member @param tree 0 or 1
    /// @param member from 1 on
    uint32_t First(uint32_t tree, uint32_t member) const
    {
        const auto parent = Parent(tree, member);
        const auto colour = Colour(tree, member);
        return parent == 0 ? colour
                           : First(tree, parent) + (colour == Colour(tree, parent) ? 2 : 1);
    }

  private:
    uint32_t m_q; ///< binary logarithm of the number of members
    uint32_t m_n; ///< number of members
};

struct PlainMessage
{
    uint32_t from; ///< sender
    uint32_t to;   ///< receiver
    bool isUp;     ///< whether it goes up, and is combined
};

/// @return messages by step, those of the first tree first, in each those up first
/// @param q binary logarithm of the number of members
std::vector<std::vector<PlainMessage>>
ListSteps(DataKind kind, uint32_t q, uint64_t k)
{
    const PlainTwoTrees trees(q);
    const auto last = 2 * q - 1;
    std::vector<std::vector<PlainMessage>> steps(2 * (last + 1) + 2 * k);
    for (uint32_t tree = 0; tree < 2; ++tree)
    {
        for (const bool isUp : {true, false})
        {
            if (kind == (isUp ? DataKind::BROADCAST : DataKind::REDUCTION))
            {
                continue;
            }
            for (uint32_t member = 1; member < 1U << q; ++member)
            {
                const auto parent = trees.Parent(tree, member);
                const auto first = trees.First(tree, member);
                const auto begin =
                    isUp ? last - first : (kind == DataKind::BROADCAST ? 0 : last + 1) + first;
                for (uint64_t segment = 0; segment < k; ++segment)
                {
                    steps[begin + 2 * segment].push_back(
                        {isUp ? member : parent, isUp ? parent : member, isUp});
                }
            }
        }
    }
    return steps;
}

/// Time of a collective along two trees on the ideal network, by the recurrence of the
/// documentation (Collectives of data, Two trees), which knows nothing of schedules.
/// @param kind BROADCAST, REDUCTION or ALL_REDUCTION
/// @param q as for ListSteps, at least 1 @return when the last member leaves, ns
double
PlainTwoTreesTime(DataKind kind, uint32_t q, uint64_t k, double bytes, const IdealCosts& costs)
{
    std::vector<double> done(1U << q, 0.);                           // when members are
    std::vector<std::vector<std::pair<double, bool>>> came(1U << q); // since a member's last send
    const auto takeAll = [&](uint32_t member) {
        std::sort(came[member].begin(), came[member].end());
        for (const auto& [time, isUp] : came[member])
        {
            done[member] = std::max(done[member], time) + costs.Take(bytes) +
                           (isUp ? costs.Combine(bytes) : 0);
        }
        came[member].clear();
    };
    for (const auto& messages : ListSteps(kind, q, k))
    {
        for (const auto& message : messages)
        {
            takeAll(message.from);
        }
        for (const auto& message : messages)
        {
            done[message.from] += costs.Send(bytes);
            came[message.to].emplace_back(done[message.from] + costs.latency, message.isUp);
        }
    }
    for (uint32_t member = 0; member < done.size(); ++member)
    {
        takeAll(member);
    }
    return Greatest(done);
}

struct Case
{
    IdealCosts costs; ///< what messages cost
    uint32_t q;       ///< binary logarithm of the number of members
    double n;         ///< number of members
    double m;         ///< length of the vector, or of a part, bytes
    double k;         ///< segments of the vector
    double S;         ///< length of a segment, bytes
    bool isReduced;   ///< whether vectors are combined

    /// @return sum over the steps of a halving or doubling: of messages of m / 2, m / 4, ..., m / n
    /// @param step time of a step by its message's length
    double Halving(const std::function<double(double)>& step) const
    {
        return SumOf(MakeRange(q), [&](uint32_t i) { return step(m / std::pow(2., i + 1)); });
    }

    double Step(double bytes) const
    {
        return costs.Hop(bytes) + (isReduced ? costs.Combine(bytes) : 0);
    }

    double Take(double bytes) const
    {
        return costs.Take(bytes) + (isReduced ? costs.Combine(bytes) : 0);
    }
};

double
ChainTime(const Case& c)
{
    const auto send = c.costs.Send(c.S);
    // A member between does both for each segment; of two members each does one thing.
    const auto period = c.n > 2 ? send + c.Take(c.S) : std::max(send, c.Take(c.S));
    return (c.n - 1) * c.Step(c.S) + (c.k - 1) * period;
}

/// @return time of a broadcast along a binary tree that is filled level by level
double
BinaryBroadcastTime(const Case& c)
{
    if (c.q == 1)
    {
        return ChainTime(c);
    }
    const auto send = c.costs.Send(c.S);
    const auto take = c.costs.Take(c.S);
    const auto rest = c.costs.latency + take;
    // To the last of the last full level, each time second; or on to the one member below the
    // first.
    const auto last = (c.q - 1) * (2 * send + rest);
    const auto below = c.q * (send + rest);
    // Between the root and them there is a member with two children, if there are levels enough.
    const auto period = c.q > 2 ? 2 * send + take : 2 * send;
    const auto periodBelow = c.q > 2 ? 2 * send + take : std::max(2 * send, send + take);
    return std::max(last + (c.k - 1) * period, below + (c.k - 1) * periodBelow);
}

/// @return time of a reduction along a binary tree that is filled level by level, without segments
double
BinaryReductionTime(const Case& c)
{
    // Up to the parent of the one below, whose only child it is; from there on two children each.
    const auto take = c.Take(c.m);
    const auto way = c.costs.Send(c.m) + c.costs.latency;
    auto first = c.Step(c.m); // when the leftmost of each level is ready
    auto other = 0.;          // when the others of that level are
    for (uint32_t level = 1; level < c.q; ++level)
    {
        // Both come, one maybe before the other.
        first = std::max(other + way + take, first + way) + take;
        other = other + way + 2 * take;
    }
    return first;
}

/// @return time of a broadcast in the (s, r) model along the best tree, a Fibo-tree
double
FiboTime(const Case& c)
{
    constexpr double UNIT = 100; // of s and r, ns
    const auto s = std::llround(c.costs.Send(c.m) / UNIT);
    const auto r = std::llround((c.costs.latency + c.costs.Take(c.m)) / UNIT);
    return UNIT * static_cast<double>(LeastTreeTimes(1U << c.q, s, r).back());
}

using Formula = std::function<double(const Case&)>;

struct Row
{
    std::string kind; ///< kind of collective
    std::string name; ///< the algorithm
    bool isCut;       ///< whether its formulas hold with segments, too
    Formula time;     ///< its time, ns
    Formula messages; ///< number of messages of all members
    Formula bytes;    ///< bytes of all messages
};

std::vector<Row>
MakeRows()
{
    const auto edges = [](const Case& c) { return c.k * (c.n - 1); };
    const auto pairs = [](const Case& c) { return c.n * (c.n - 1); };
    const auto logs = [](const Case& c) { return c.n * c.q; };
    const auto vectors = [](const Case& c) { return c.m * (c.n - 1); };
    const auto subtrees = [](const Case& c) { return c.m * c.n / 2 * c.q; };
    const auto wholes = [](const Case& c) { return c.m * c.n * c.q; };
    const auto halves = [](const Case& c) { return c.m * (c.n - 1) + c.m / 2 * c.q; };
    const auto twice = [](const Formula& formula) {
        return [formula](const Case& c) { return 2 * formula(c); };
    };
    const auto andEdges = [edges](const Formula& formula) {
        return [edges, formula](const Case& c) { return formula(c) + edges(c); };
    };
    const auto binomial = [](const Case& c) { return c.q * c.Step(c.m); };
    const auto reduceBroadcast = [](const Case& c) {
        return c.q * (2 * c.costs.Hop(c.m) + c.costs.Combine(c.m));
    };
    const auto scatterAllGather = [](const Case& c) {
        return c.Halving([&](double bytes) { return c.costs.Hop(bytes); }) +
               (c.n - 1) * c.costs.Hop(c.m / c.n);
    };
    const auto rabenseifner = [](const Case& c) {
        return c.Halving(
            [&](double bytes) { return 2 * c.costs.Hop(bytes) + c.costs.Combine(bytes); });
    };
    const auto ring = [](const Case& c) {
        return (c.n - 1) * (2 * c.costs.Hop(c.m / c.n) + c.costs.Combine(c.m / c.n));
    };
    const auto linearScatter = [](const Case& c) {
        return (c.n - 1) * c.costs.Send(c.m) + c.costs.latency + c.costs.Take(c.m);
    };
    const auto linearGather = [](const Case& c) {
        return c.costs.Send(c.m) + c.costs.latency + (c.n - 1) * c.costs.Take(c.m);
    };
    const auto binomialScatter = [](const Case& c) {
        return SumOf(MakeRange(c.q),
                     [&](uint32_t i) { return c.costs.Hop(c.m * std::pow(2., i)); });
    };
    std::vector<Row> rows{
        {"broadcast", "tree[Tree=fibo]", false, FiboTime, edges, vectors},
        {"broadcast", "scatter-allgather", false, scatterAllGather, andEdges(pairs), halves},
        {"reduction", "rabenseifner", false, rabenseifner, andEdges(logs), halves},
        {"allreduction", "rabenseifner", false, rabenseifner, twice(logs), twice(vectors)},
        {"allreduction", "recursive-doubling", false, binomial, logs, wholes},
        {"allreduction", "ring", false, ring, twice(pairs), twice(vectors)},
        {"scatter", "tree[Tree=sequential]", false, linearScatter, edges, vectors},
        {"gather", "tree[Tree=sequential]", false, linearGather, edges, vectors}};
    for (const auto* kind : {"broadcast", "reduction"})
    {
        for (const auto* name : {"binomial", "bine", "tree[Tree=binomial]"})
        {
            rows.push_back({kind, name, false, binomial, edges, vectors});
        }
        for (const auto* name : {"chain", "tree[Tree=chain]"})
        {
            rows.push_back({kind, name, true, ChainTime, edges, vectors});
        }
    }
    for (const auto* name : {"binary", "tree[Tree=binary]"})
    {
        rows.push_back({"broadcast", name, true, BinaryBroadcastTime, edges, vectors});
        rows.push_back({"reduction", name, false, BinaryReductionTime, edges, vectors});
    }
    for (const auto* name : {"reduce-broadcast", "tree[Tree=binomial]"})
    {
        rows.push_back(
            {"allreduction", name, false, reduceBroadcast, twice(edges), twice(vectors)});
    }
    for (const auto* kind : {"scatter", "gather"})
    {
        rows.push_back({kind, "tree", false, binomialScatter, edges, subtrees});
    }
    return rows;
}

/// Costs of a usual host, of one that is slow to take messages, and of one far away.
const std::vector<IdealCosts> COSTS{{600, 1, 400, 0.5, 0.25, 300},
                                    {200, 0.5, 900, 2, 1, 100},
                                    {300, 0.25, 200, 0.25, 0.5, 9000}};

TEST_CASE(DataFormulasTestCase,
          "Algorithms of data: times by formulas, numbers and bytes of messages")
{
    constexpr uint64_t m = 4096 * 4;
    for (const auto& row : MakeRows())
    {
        for (const auto& [q, segments, costs] :
             Combine<uint32_t, uint32_t, IdealCosts>({1, 2, 3, 4, 5, 6}, {1, 4, 32}, COSTS))
        {
            if (segments > 1 && !row.isCut)
            {
                continue;
            }
            const auto members = 1U << q;
            const Case c{costs,
                         q,
                         static_cast<double>(members),
                         static_cast<double>(m),
                         static_cast<double>(segments),
                         static_cast<double>(m) / segments,
                         row.kind == "reduction" || row.kind == "allreduction"};
            const auto result =
                RunIdeal(row.kind, row.name, members, m, segments == 1 ? 0 : m / segments, costs);
            const auto what = row.kind + " " + row.name + " of " + std::to_string(members) +
                              " members, " + std::to_string(segments) + " segments";
            Near(result.time, row.time(c), 1e-3, what + ": its time");
            NS_TEST_EXPECT_MSG_EQ(result.nMessages, row.messages(c), what << ": messages");
            NS_TEST_EXPECT_MSG_EQ(result.bytes, row.bytes(c), what << ": bytes");
        }
    }
}

/// Two trees: times equal the recurrence of the documentation. In the one-port model, where a step
/// sends one message and taking it costs nothing, a broadcast takes 2 k + 2 (log2 n - 1) steps for
/// 2 k segments; a reduction is no slower, nor is each half of an all-reduction, since both begin
/// with members that have nothing to wait for.
TEST_CASE(TwoTreesTestCase, "Two trees of data: steps, numbers and bytes of messages")
{
    const auto checkTimes = [&](uint32_t q, uint64_t k, const IdealCosts& costs) {
        const uint64_t m = 65536;
        const auto segment = m / 2 / k;
        for (const auto kind : {DataKind::BROADCAST, DataKind::REDUCTION, DataKind::ALL_REDUCTION})
        {
            const auto& name = DataKindInvariant::GetName(kind);
            const auto time = RunIdeal(name, "two-trees", 1U << q, m, segment, costs).time;
            const auto plain = PlainTwoTreesTime(kind, q, k, static_cast<double>(segment), costs);
            Near(time, plain, 1e-3, name + ", 2^" + std::to_string(q) + ", " + std::to_string(k));
        }
    };
    for (const auto& [q, k] : Combine<uint32_t, uint64_t>({1, 2, 3, 4, 5, 6, 7}, {1, 4, 16}))
    {
        const IdealCosts costs{1000, 1, 0, 0, 0, 0.001};
        const uint64_t m = 65536;
        const auto segment = m / 2 / k;
        checkTimes(q, k, costs);
        const auto n = 1U << q;
        const auto step = costs.Send(static_cast<double>(segment));
        const auto most = 2. * k + 2 * (q - 1);
        const auto what = std::to_string(n) + " members, " + std::to_string(k) + " segments";
        const auto broadcast = RunIdeal("broadcast", "two-trees", n, m, segment, costs);
        NS_TEST_EXPECT_MSG_EQ_TOL(broadcast.time / step, most, most * 1e-3, what);
        const auto reduction = RunIdeal("reduction", "two-trees", n, m, segment, costs);
        NS_TEST_EXPECT_MSG_LT(reduction.time / step, most * 1.001, what);
        NS_TEST_EXPECT_MSG_GT(reduction.time / step, 2. * k * 0.999, what);
        for (const auto& half : {broadcast, reduction})
        {
            NS_TEST_EXPECT_MSG_EQ(half.nMessages, 2 * k * (n - 1), what << ": messages");
            NS_TEST_EXPECT_MSG_EQ(half.bytes, m * (n - 1), what << ": bytes");
            NS_TEST_EXPECT_MSG_EQ(half.most, m, what << ": bytes of a member");
        }
        const auto both = RunIdeal("allreduction", "two-trees", n, m, segment, costs);
        NS_TEST_EXPECT_MSG_LT(both.time / step, 2.002 * most, what);
        NS_TEST_EXPECT_MSG_EQ(both.nMessages, 4 * k * (n - 1), what << ": messages");
        NS_TEST_EXPECT_MSG_EQ(both.bytes, 2 * m * (n - 1), what << ": bytes");
        for (const auto& costs : COSTS)
        {
            checkTimes(q, k, costs);
        }
    }
}

TEST_CASE(FallbackTestCase, "Algorithms of data: fallbacks, and other names")
{
    const auto domain = CollectiveHelper().InstallIdeal(6, MicroSeconds(1));
    const auto check =
        [&](const std::string& kind, const std::string& name, const std::string& fallback) {
            const auto group = SetUp(CollectiveHelper::MakeData(kind, name), domain, MakeRange(6));
            NS_TEST_EXPECT_MSG_EQ(group->GetFallback(), fallback, kind << " " << name);
            group->Dispose();
        };
    const std::string why = " does not combine in order of ranks";
    check("allreduction", "ring[KeepsOrder=true]", "recursive-doubling: a ring" + why);
    check("reduction", "bine[KeepsOrder=true]", "binomial: a Bine tree" + why);
    check("reduction", "tree[KeepsOrder=true|Tree=fibo-levels]", "binomial: fibo-levels" + why);
    for (const std::string name : {"binomial", "chain", "binary", "two-trees", "rabenseifner"})
    {
        check("reduction", name + "[KeepsOrder=true]", "");
    }
    check("allreduction", "ring", "");
    const auto segmented = CollectiveHelper::MakeData("allreduction", "segmented-ring");
    NS_TEST_EXPECT_MSG_EQ(TextOf(segmented, "SegmentBytes"), "1048576", "a segmented ring");
    const auto type = segmented->GetInstanceTypeId().GetName();
    NS_TEST_EXPECT_MSG_EQ(type, "ns3::RingDataAllReduction", "is a ring");
    domain->Dispose();
}

TEST_CASE(DataPlainTimeTestCase,
          "Algorithms of data: times of any number of members, by a plain evaluation")
{
    for (const auto kind : DataKindInvariant::GetAll())
    {
        const auto& kindName = DataKindInvariant::GetName(kind);
        for (const auto& [name, members, segment] :
             Combine<std::string, uint32_t, uint64_t>(ListSoftwareNames(kind),
                                                      {1, 2, 3, 6, 8, 13, 24},
                                                      {0, 256}))
        {
            const auto& costs = COSTS[(members + segment) % COSTS.size()];
            const auto result = RunIdeal(kindName, name, members, 2000, segment, costs);
            const auto what = kindName + " " + name + ", " + std::to_string(members) + " members";
            Near(result.time, result.plain, 1e-3, what);
        }
    }
}

} // namespace
