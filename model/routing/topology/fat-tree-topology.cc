/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fat-tree-topology.h"

#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return a list as text, 4x4x8
std::string
Join(const std::vector<uint32_t>& numbers)
{
    std::string text;
    for (auto number : numbers)
    {
        text += (text.empty() ? "" : "x") + std::to_string(number);
    }
    return text.empty() ? "none" : text;
}

std::string
Describe(const FatTreeTopology::Parameters& parameters)
{
    const auto& [down, up, cables] = parameters;
    return "fat tree of down = " + Join(down) + ", up = " + Join(up) +
           ", cables = " + (cables.empty() ? "1" : Join(cables));
}

/// Levels that a tree may have: with more, 32 bits can't number the hosts.
constexpr uint32_t MAX_LEVELS = 32;

} // namespace

FatTreeTopology::FatTreeTopology(const Parameters& parameters)
    : FatTreeTopology(parameters, Describe(parameters), 0)
{
}

FatTreeTopology::FatTreeTopology(const Parameters& parameters,
                                 const std::string& what,
                                 double nPorts)
    : RegularFamily("nearest-ancestor", true, 2) // kinds: down and up
{
    const auto& [down, up, cables] = parameters;
    const auto nLevels = down.size();
    if (nLevels == 0 || nLevels > MAX_LEVELS || up.size() != nLevels - 1 ||
        (!cables.empty() && cables.size() != nLevels - 1))
    {
        throw WormholeError(what + ": expected a number down for each of 1 to " +
                            std::to_string(MAX_LEVELS) +
                            " levels, and one up and of cables for each but the first");
    }
    const auto cablesUpTo = [&, &cables = cables](std::size_t level) {
        return cables.empty() ? 1 : cables[level - 1];
    };
    double nHosts = 1;
    double nSwitches = 0; // of all levels so far, in what is one block of the latest
    double row = 1;
    for (std::size_t l = 0; l < nLevels; ++l)
    {
        const auto level = " of level " + std::to_string(l);
        CheckRange("down" + level, down[l], 1, UINT16_MAX);
        CheckRange("up" + level, l ? up[l - 1] : 1, 1, UINT16_MAX);
        CheckRange("cables" + level, l ? cablesUpTo(l) : 1, 1, UINT16_MAX);
        nHosts *= down[l];
        row *= l ? up[l - 1] : 1;
        nSwitches = (l ? nSwitches * down[l] : 0) + row;
        nPorts = std::max(nPorts,
                          1.0 * down[l] * (l ? cablesUpTo(l) : 1) +
                              (l + 1 < nLevels ? 1.0 * up[l] * cablesUpTo(l + 1) : 0));
    }
    SetSize(what, nSwitches, nHosts, nPorts);

    auto nBlocks = GetNHosts();
    auto first = GetNSwitches();
    for (std::size_t l = 0; l < nLevels; ++l)
    {
        const bool top = l + 1 == nLevels;
        const auto rowLength = l ? m_levels[l - 1].row * up[l - 1] : 1;
        nBlocks /= down[l];
        first -= nBlocks * rowLength;
        m_levels.push_back({down[l],
                            down[l] * (l ? cablesUpTo(l) : 1),
                            top ? 0 : up[l],
                            top ? 0 : cablesUpTo(l + 1),
                            rowLength,
                            first});
    }
    SetHosts({m_levels.front().first, 0}, down.front());
}

FatTreeTopology
FatTreeTopology::KAryNTree(uint32_t k, uint32_t n)
{
    CheckRange("arity k of a k-ary n-tree", k, 2, UINT16_MAX / 2);
    CheckRange("levels n of a k-ary n-tree", n, 1, MAX_LEVELS);
    return FatTreeTopology({std::vector<uint32_t>(n, k), std::vector<uint32_t>(n - 1, k), {}},
                           std::to_string(k) + "-ary " + std::to_string(n) + "-tree",
                           2.0 * k);
}

FatTreeTopology
FatTreeTopology::Clos(uint32_t ports, uint32_t levels)
{
    CheckRange("ports of a Clos network's switch", ports, 2, UINT16_MAX);
    CheckRange("levels of a Clos network", levels, 2, MAX_LEVELS);
    if (ports % 2 != 0)
    {
        throw WormholeError("ports of a Clos network's switch = " + std::to_string(ports) +
                            ": expected an even number, half down and half up");
    }
    Parameters parameters{std::vector<uint32_t>(levels, ports / 2),
                          std::vector<uint32_t>(levels - 1, ports / 2),
                          {}};
    parameters.down.back() = ports;
    return FatTreeTopology(parameters);
}

FatTreeTopology::End
FatTreeTopology::Peer(Node node, Port port) const
{
    const auto [level, block, row] = GetPlace(node);
    const auto& here = m_levels[level];
    if (port < here.downPorts)
    {
        if (level == 0)
        {
            return {};
        }
        const auto& below = m_levels[level - 1];
        const auto far =
            GetSwitch({level - 1, block * here.down + port / below.upCables, row % below.row});
        return {far, PortUp(level - 1, row / below.row, port % below.upCables)};
    }
    const uint32_t above = port - here.downPorts;
    if (above >= here.up * here.upCables)
    {
        return {};
    }
    const auto nBlocks = m_levels[level + 1].down;
    const auto far =
        GetSwitch({level + 1, block / nBlocks, above / here.upCables * here.row + row});
    return {far, PortDown(level + 1, block % nBlocks, above % here.upCables)};
}

FatTreeTopology::Place
FatTreeTopology::GetPlace(Node node) const
{
    auto level = static_cast<uint32_t>(m_levels.size()) - 1;
    while (level > 0 && m_levels[level - 1].first <= node)
    {
        --level;
    }
    const auto inLevel = node - m_levels[level].first;
    return {level, inLevel / m_levels[level].row, inLevel % m_levels[level].row};
}

FatTreeTopology::Node
FatTreeTopology::GetSwitch(const Place& place) const
{
    const auto& level = m_levels[place.level];
    return level.first + place.block * level.row + place.row;
}

FatTreeTopology::Spread
FatTreeTopology::Choose(uint32_t level, uint32_t choice) const
{
    const auto& below = m_levels[level];
    const auto cable = choice / below.row % (below.up * below.upCables);
    return {cable % below.up, cable / below.up};
}

void
FatTreeTopology::AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const
{
    const auto source = GetPlace(from);
    const auto target = GetPlace(to);
    std::vector<uint32_t> blocks(target.level + 1, target.block); // the target's, by level
    auto block = source.block;
    auto level = source.level;
    for (; level < target.level || block != blocks[level]; ++level)
    {
        auto [copy, cable] = Choose(level, choice);
        if (level < target.level) // the way to the target's row
        {
            copy = target.row / m_levels[level].row % m_levels[level].up;
        }
        ports.push_back(PortUp(level, copy, cable));
        block /= m_levels[level + 1].down;
        if (level >= target.level)
        {
            blocks.push_back(blocks[level] / m_levels[level + 1].down);
        }
    }
    for (; level > target.level; --level)
    {
        const auto below = blocks[level - 1] % m_levels[level].down;
        ports.push_back(PortDown(level, below, Choose(level - 1, choice).cable));
    }
}

bool
FatTreeTopology::MayFollow(uint32_t kind, uint32_t next) const
{
    return kind >= next; // none goes up after going down
}

} // namespace ns3
