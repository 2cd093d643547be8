/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-orbits.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

bool
SwitchOrbits::IsSymmetry(const SwitchAdjacency& adjacency, Node block, Node step)
{
    std::vector<Node> moved;
    for (Node node = 0; node < adjacency.GetNSwitches(); ++node)
    {
        moved.clear();
        for (const auto& link : adjacency.Of(node))
        {
            moved.push_back(Shift(link.to, block, step));
        }
        const auto there = adjacency.Of(Shift(node, block, step));
        if (there.size() != moved.size())
        {
            return false;
        }
        std::sort(moved.begin(), moved.end());
        auto expected = moved.begin();
        for (const auto& link : there)
        {
            if (link.to != *expected++)
            {
                return false;
            }
        }
    }
    return true;
}

std::vector<SwitchOrbits::Node>
SwitchOrbits::FindFirst(const SwitchAdjacency& adjacency)
{
    const auto n = adjacency.GetNSwitches();
    std::vector<Node> first(n); // of a switch's orbit, or one nearer to that
    std::iota(first.begin(), first.end(), 0);
    const auto find = [&](Node node) {
        while (first[node] != node)
        {
            first[node] = first[first[node]];
            node = first[node];
        }
        return node;
    };
    std::vector<Node> steps;
    for (const auto& link : adjacency.Of(0))
    {
        steps.push_back(link.to);
    }
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    for (const auto step : steps) // none is 0: no cable joins a switch to itself
    {
        for (Node block = 2 * step; block <= n; block += step)
        {
            if (n % block != 0 || !IsSymmetry(adjacency, block, step))
            {
                continue;
            }
            for (Node node = 0; node < n; ++node)
            {
                const auto a = find(node);
                const auto b = find(Shift(node, block, step));
                first[std::max(a, b)] = std::min(a, b);
            }
        }
    }
    std::vector<Node> firsts;
    for (Node node = 0; node < n; ++node)
    {
        if (find(node) == node)
        {
            firsts.push_back(node);
        }
    }
    return firsts;
}

} // namespace ns3
