/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-shapes.h"

#include "fibo-levels.h"
#include "fibo-tree.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/// Reads a name that ends in numbers, each behind a hyphen. @return the numbers; nothing if the
/// name is another
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

} // namespace

CommunicationTree
MakeKaryTree(uint32_t processes, uint32_t k)
{
    if (k == 0)
    {
        throw WormholeError("tree with 0 children a process: expected 1 or more");
    }
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
    if (block == 0)
    {
        throw WormholeError("tree of blocks of 0 processes: expected 1 or more");
    }
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
    if (name == "sequential")
    {
        return MakeKaryTree(processes, std::max(processes, 2U) - 1);
    }
    if (name == "chain")
    {
        return MakeKaryTree(processes, 1);
    }
    if (name == "binary")
    {
        return MakeKaryTree(processes, 2);
    }
    if (const auto numbers = ReadNumbers(name, "kary", 1))
    {
        return MakeKaryTree(processes,
                            static_cast<uint32_t>(std::min<uint64_t>(numbers->at(0), UINT32_MAX)));
    }
    if (name == "binomial")
    {
        return MakeBinomialTree(processes);
    }
    if (const auto numbers = ReadNumbers(name, "block", 1))
    {
        return MakeBlockTree(processes,
                             static_cast<uint32_t>(std::min<uint64_t>(numbers->at(0), UINT32_MAX)));
    }
    if (name == "fibo" || IsTreeOfLevels(name))
    {
        return MakeFiboTreeOfTimes(processes, s, r);
    }
    if (const auto numbers = ReadNumbers(name, "fibo", 2))
    {
        return MakeFiboTree(processes, numbers->at(0), numbers->at(1));
    }
    std::string names;
    for (const auto& accepted : GetCommunicationTreeNames())
    {
        names += (names.empty() ? "" : ", ") + accepted;
    }
    throw WormholeError("unknown tree '" + name + "': expected " + names +
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
