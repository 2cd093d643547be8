/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fibo-tree.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// Divides processes among subtrees.
class FiboDivision
{
  public:
    FiboDivision(uint32_t processes, uint64_t s, uint64_t r)
        : m_s(static_cast<int64_t>(s)),
          m_r(static_cast<int64_t>(r)),
          m_sequence(s, r),
          m_children(processes)
    {
        if (processes > 0)
        {
            Divide(0, processes, m_sequence.GetSteps(processes));
        }
    }

    CommunicationTree TakeTree()
    {
        return CommunicationTree(std::move(m_children));
    }

  private:
    /// Divides a subtree. Its depth is about log f, so that recursion does no harm.
    void Divide(uint32_t root, uint32_t processes, int64_t time)
    {
        auto surplus = m_sequence.GetPopulation(time) - processes;
        auto child = root + 1;
        for (auto left = time - m_s - m_r; left >= 0 && child < root + processes; left -= m_s)
        {
            const auto fewer = std::min(surplus, m_sequence.GetGrowth(left));
            surplus -= fewer;
            const auto size = static_cast<uint32_t>(m_sequence.GetPopulation(left) - fewer);
            if (size > 0)
            {
                m_children[root].push_back(child);
                Divide(child, size, left);
                child += size;
            }
        }
    }

    int64_t m_s;                                   ///< steps that a sender is busy
    int64_t m_r;                                   ///< steps from then to the receiver's activity
    FiboSequence m_sequence;                       ///< sizes of full subtrees
    std::vector<std::vector<uint32_t>> m_children; ///< by process
};

} // namespace

FiboSequence::FiboSequence(uint64_t s, uint64_t r)
    : m_s(static_cast<int64_t>(s)),
      m_r(static_cast<int64_t>(r))
{
    constexpr uint64_t largest = 1'000'000'000'000'000;
    if (s == 0 || s > largest || r > largest)
    {
        throw WormholeError("Fibonacci sequence of s = " + std::to_string(s) +
                            ", r = " + std::to_string(r) + ": expected s of 1 to " +
                            std::to_string(largest) + " and r of 0 to that");
    }
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
    const auto next =
        std::upper_bound(m_steps.begin(), m_steps.end(), t, [](int64_t time, const Step& a) {
            return time < a.time;
        });
    return *(next - 1);
}

uint64_t
FiboSequence::GetGrowth(int64_t t)
{
    if (t < 0)
    {
        return 0;
    }
    const auto& step = Find(t);
    return step.time == t ? step.growth : 0;
}

int64_t
FiboSequence::GetSteps(uint64_t processes)
{
    while (m_steps.back().population < processes)
    {
        Advance();
    }
    const auto step = std::lower_bound(
        m_steps.begin(),
        m_steps.end(),
        processes,
        [](const Step& a, uint64_t population) { return a.population < population; });
    return step->time;
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
    return FiboDivision(processes, s, r).TakeTree();
}

} // namespace ns3
