// SPDX-License-Identifier: GPL-2.0-only

#include "tree-shapes.h"

#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/// Reads a name that ends in numbers, each behind a hyphen. @return the numbers, if so
std::optional<std::vector<uint64_t>>
ReadNumbers(const std::string& name, const std::string& stem, std::size_t n)
{
    if (name.compare(0, stem.size(), stem) != 0)
    {
        return std::nullopt;
    }
    std::vector<uint64_t> numbers(n);
    const char* at = name.data() + stem.size();
    const char* end = name.data() + name.size();
    for (auto& number : numbers)
    {
        if (at == end || *at != '-')
        {
            return std::nullopt;
        }
        const auto [behind, error] = std::from_chars(at + 1, end, number);
        if (error != std::errc())
        {
            return std::nullopt;
        }
        at = behind;
    }
    return at == end ? std::make_optional(numbers) : std::nullopt;
}

CommunicationTree
MakeFiboTreeOfTimes(uint32_t processes, Time s, Time r)
{
    if (!s.IsStrictlyPositive() || r.IsStrictlyNegative())
    {
        std::ostringstream message;
        message << "tree 'fibo' for s = " << s.As(Time::US) << ", r = " << r.As(Time::US)
                << ": expected s above 0 and r of 0 and above";
        throw WormholeError(message.str());
    }
    const auto unit = std::gcd(s.GetTimeStep(), r.GetTimeStep());
    return MakeFiboTree(processes, s.GetTimeStep() / unit, r.GetTimeStep() / unit);
}

/// Divides processes among subtrees.
struct FiboDivision
{
    int64_t s;                                   ///< steps that a sender is busy
    int64_t r;                                   ///< steps from then to the receiver's activity
    FiboSequence sequence;                       ///< sizes of full subtrees
    std::vector<std::vector<uint32_t>> children; ///< by process

    /// Divides a subtree. Its depth is about log f, so that recursion does no harm.
    void Divide(uint32_t root, uint32_t processes, int64_t time)
    {
        auto surplus = sequence.GetPopulation(time) - processes;
        auto child = root + 1;
        for (auto left = time - s - r; left >= 0 && child < root + processes; left -= s)
        {
            const auto fewer = std::min(surplus, sequence.GetGrowth(left));
            surplus -= fewer;
            const auto size = static_cast<uint32_t>(sequence.GetPopulation(left) - fewer);
            if (size > 0)
            {
                children[root].push_back(child);
                Divide(child, size, left);
                child += size;
            }
        }
    }
};

} // namespace

FiboSequence::FiboSequence(uint64_t s, uint64_t r)
    : m_s(static_cast<int64_t>(s)),
      m_r(static_cast<int64_t>(r))
{
    constexpr uint64_t largest = 1'000'000'000'000'000;
    WormholeError::ThrowIf(s == 0 || s > largest || r > largest,
                           "Fibonacci sequence of s = " + std::to_string(s) +
                               ", r = " + std::to_string(r) + ": expected s of 1 to " +
                               std::to_string(largest) + " and r of 0 to that");
    m_steps.push_back({0, 1, 1});
    m_coming[m_s + m_r] = 1;
}

void
FiboSequence::Advance()
{
    const auto [time, growth] = *m_coming.begin();
    m_coming.erase(m_coming.begin());
    const auto population = m_steps.back().population + growth;
    if (population >= uint64_t{1} << 62)
    {
        throw WormholeError("Fibonacci sequence: f(" + std::to_string(time) +
                            ") is too large: expected populations below 2^62");
    }
    m_steps.push_back({time, growth, population});
    // Those who get the message now each have a next sibling, and a first child.
    m_coming[time + m_s] += growth;
    m_coming[time + m_s + m_r] += growth;
}

const FiboSequence::Step&
FiboSequence::Find(int64_t t)
{
    while (m_coming.begin()->first <= t)
    {
        Advance();
    }
    const auto next = std::partition_point(m_steps.begin(), m_steps.end(), [t](const Step& step) {
        return step.time <= t;
    });
    return *(next - 1);
}

int64_t
FiboSequence::GetSteps(uint64_t processes)
{
    while (m_steps.back().population < processes)
    {
        Advance();
    }
    return std::partition_point(
               m_steps.begin(),
               m_steps.end(),
               [processes](const Step& step) { return step.population < processes; })
        ->time;
}

double
FiboSequence::GetLambda(double s, double r)
{
    if (!(s > 0 && r >= 0 && std::isfinite(s) && std::isfinite(r)))
    {
        std::ostringstream message;
        message << "lambda of s = " << s << ", r = " << r
                << ": expected s above 0 and r of 0 and above";
        throw WormholeError(message.str());
    }
    // With y the logarithm of x^s, and q = r / s: y is at most that of r = 0, log 2.
    const double q = r / s;
    const auto excess = [q](double y) { return std::exp(-y) + std::exp(-y * (1 + q)) - 1; };
    std::uintmax_t nIterations = 200;
    const auto [low, high] =
        boost::math::tools::toms748_solve(excess,
                                          0.0,
                                          1.0,
                                          boost::math::tools::eps_tolerance<double>(),
                                          nIterations);
    return std::exp((low + high) / 2 / s);
}

CommunicationTree
MakeFiboTree(uint32_t processes, uint64_t s, uint64_t r)
{
    FiboDivision division{static_cast<int64_t>(s),
                          static_cast<int64_t>(r),
                          FiboSequence(s, r),
                          std::vector<std::vector<uint32_t>>(processes)};
    if (processes > 0)
    {
        division.Divide(0, processes, division.sequence.GetSteps(processes));
    }
    return CommunicationTree(std::move(division.children));
}

CommunicationTree
MakeKaryTree(uint32_t processes, uint32_t k)
{
    WormholeError::ThrowIf(k == 0, "tree with 0 children a process: expected 1 or more");
    std::vector<std::vector<uint32_t>> children(processes);
    for (uint32_t child = 1; child < processes; ++child)
    {
        children[(child - 1) / k].push_back(child);
    }
    return CommunicationTree(std::move(children));
}

CommunicationTree
MakeBinomialTree(uint32_t processes)
{
    std::vector<std::vector<uint32_t>> children(processes);
    for (uint32_t child = 1; child < processes; ++child)
    {
        children[child & (child - 1)].push_back(child); // without its lowest one
    }
    for (auto& subtrees : children)
    {
        std::reverse(subtrees.begin(), subtrees.end());
    }
    return CommunicationTree(std::move(children)).LargestFirst();
}

CommunicationTree
MakeBlockTree(uint32_t processes, uint32_t block)
{
    WormholeError::ThrowIf(block == 0, "tree of blocks of 0 processes: expected 1 or more");
    const auto nBlocks = processes / block + (processes % block > 0);
    const auto firsts = MakeBinomialTree(nBlocks);
    std::vector<std::vector<uint32_t>> children(processes);
    for (uint32_t number = 0; number < nBlocks; ++number)
    {
        const auto first = number * block;
        for (const auto child : firsts.GetChildren(number))
        {
            children[first].push_back(child * block);
        }
        for (auto other = first + 1; other < processes && other - first < block; ++other)
        {
            children[first].push_back(other);
        }
    }
    return CommunicationTree(std::move(children));
}

CommunicationTree
MakeCommunicationTree(const std::string& name, uint32_t processes, Time s, Time r)
{
    if (name == "sequential" || name == "chain" || name == "binary")
    {
        const auto all = std::max(processes, 2U) - 1;
        return MakeKaryTree(processes, name == "sequential" ? all : name == "chain" ? 1 : 2);
    }
    const auto atMost = [](uint64_t number) {
        return static_cast<uint32_t>(std::min<uint64_t>(number, UINT32_MAX));
    };
    if (const auto numbers = ReadNumbers(name, "kary", 1))
    {
        return MakeKaryTree(processes, atMost(numbers->at(0)));
    }
    if (name == "binomial")
    {
        return MakeBinomialTree(processes);
    }
    if (const auto numbers = ReadNumbers(name, "block", 1))
    {
        return MakeBlockTree(processes, atMost(numbers->at(0)));
    }
    if (name == "fibo" || IsTreeOfLevels(name))
    {
        return MakeFiboTreeOfTimes(processes, s, r);
    }
    if (const auto numbers = ReadNumbers(name, "fibo", 2))
    {
        return MakeFiboTree(processes, numbers->at(0), numbers->at(1));
    }
    throw WormholeError("unknown tree '" + name + "': expected " +
                        WordList::WithCommas(GetCommunicationTreeNames()) +
                        " (K, B, S and R whole numbers)");
}

CommunicationTree
MakeCommunicationTree(const std::string& name, const ProcessHierarchy& hierarchy)
{
    if (name == "fibo-levels")
    {
        return MakeHierarchicalFiboTree(hierarchy);
    }
    if (name == "fibo-composed")
    {
        return MakeComposedFiboTree(hierarchy);
    }
    const auto& cost = hierarchy.GetCost(hierarchy.GetNLevels());
    return MakeCommunicationTree(name, hierarchy.GetSize(), cost.Busy(), cost.r);
}

bool
IsTreeOfLevels(const std::string& name)
{
    return name == "fibo-levels" || name == "fibo-composed";
}

std::vector<std::string>
GetCommunicationTreeNames()
{
    return {"sequential",
            "chain",
            "binary",
            "kary-K",
            "binomial",
            "block-B",
            "fibo",
            "fibo-S-R",
            "fibo-levels",
            "fibo-composed"};
}

} // namespace ns3
