// SPDX-License-Identifier: GPL-2.0-only

#ifndef FAT_TREE_TOPOLOGY_H
#define FAT_TREE_TOPOLOGY_H

#include "regular-topology.h"

#include "ns3/text-tools.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// Fat trees: k-ary n-trees, Clos networks, and those in between.
///
/// Switches are arranged in levels; leaves are level 0. A *block* of level l contains everything
/// that its switches reach downwards: d_l blocks of level l - 1, or d_0 hosts on level 0. The
/// level-l switches of a block form its row, which consists of u_l copies of a row of level l - 1
/// and has the same length in all blocks of the level. A switch at some place of its copy is
/// connected, in every lower block, to the switch at the same place, by p_l cables each. So a
/// switch reaches one switch in each of its blocks, and every leaf has exactly one path up to it.
/// (Without parallel cables, Oehring et al. 1995 call these extended generalized fat trees, XGFT.)
///
/// Switches are numbered from the top level down, within a level by block, then by place. A
/// switch's ports lead down, block by block, then up, copy by copy; parallel cables have
/// consecutive ports.
///
/// Routes lead up to a nearest common ancestor, then down. They are shortest, and deadlock-free,
/// since no route goes up after going down. The path up selects one of the common ancestors, which
/// determines the path down. On level l, the output among the u upward ones is floor(c / r) mod u,
/// where c is a selecting number and r is the number of switches per block of that level. With
/// spread in-turn, c is the receiving host's number (d-mod-k, Zahavi 2010): in a k-ary n-tree or a
/// Clos network of equal switches, every downward channel then leads to a single host, so worms to
/// different hosts never meet after turning. A tree worm uses the paths selected by its sender's
/// number, so the trees of different senders are also spread.
class FatTreeTopology : public RegularFamily<FatTreeTopology>
{
  public:
    /// The parameters of the topology; by default a single leaf.
    struct Parameters
    {
        std::vector<uint32_t> down{
            1}; ///< by level from the leaves up: hosts or blocks below a switch, d_l
        std::vector<uint32_t> up;     ///< by level from 1 up: switches above each lower switch, u_l
        std::vector<uint32_t> cables; ///< by level from 1 up: parallel cables, p_l; empty: 1
    };

    /// @throws WormholeError if a number is out of range, a list has the wrong length, or the
    /// fabric is too large
    explicit FatTreeTopology(const Parameters& parameters)
        : FatTreeTopology(parameters, Describe(parameters), 0)
    {
    }

    /// A k-ary n-tree (Petrini and Vanneschi 1997): k^n hosts, n levels of k^(n-1) switches with 2
    /// k ports; the upper ports of the top level remain open.
    /// @param k arity, at least 2
    /// @throws WormholeError if a number is out of range, or the fabric is too large
    static FatTreeTopology KAryNTree(uint32_t k, uint32_t n)
    {
        CheckRange("arity k of a k-ary n-tree", k, 2, UINT16_MAX / 2);
        CheckRange("levels n of a k-ary n-tree", n, 1, MAX_LEVELS);
        return FatTreeTopology({std::vector<uint32_t>(n, k), std::vector<uint32_t>(n - 1, k), {}},
                               std::to_string(k) + "-ary " + std::to_string(n) + "-tree",
                               2.0 * k);
    }

    /// The largest folded Clos network of equal switches, as in Myrinet: switches of lower levels
    /// have half of their ports down and half up; switches of the top level have all ports down. So
    /// p ports and n levels give 2 (p/2)^n hosts.
    /// @param levels number of levels, at least 2
    /// @throws WormholeError if a number is out of range, or the fabric is too large
    static FatTreeTopology Clos(uint32_t ports, uint32_t levels)
    {
        CheckRange("ports of a Clos network's switch", ports, 2, UINT16_MAX);
        CheckRange("levels of a Clos network", levels, 2, MAX_LEVELS);
        WormholeError::ThrowIf(ports % 2 != 0,
                               "ports of a Clos network's switch = " + std::to_string(ports) +
                                   ": expected an even number, half down and half up");
        Parameters parameters{std::vector<uint32_t>(levels, ports / 2),
                              std::vector<uint32_t>(levels - 1, ports / 2),
                              {}};
        parameters.down.back() = ports;
        return FatTreeTopology(parameters);
    }

    End Peer(Node node, Port port) const override
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

    void AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const override
    {
        const auto source = GetPlace(from);
        const auto target = GetPlace(to);
        std::vector<uint32_t> blocks(target.level + 1, target.block); // the target's, by level
        auto block = source.block;
        auto level = source.level;
        for (; level < target.level || block != blocks[level]; ++level)
        {
            auto [copy, cable] = Choose(level, choice);
            if (level < target.level) // the path to the target's row
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

    // Channels go down or up; no up channel follows a down channel.
    uint32_t GetKind(Node node, Port port) const override
    {
        return GetPlace(Peer(node, port).node).level > GetPlace(node).level;
    }

    bool MayFollow(uint32_t kind, uint32_t next) const override
    {
        return kind >= next; // no path goes up after going down
    }

  private:
    static constexpr uint32_t MAX_LEVELS = 32; ///< 32 bits can't number the hosts of more

    /// @return a list as text, 4x4x8
    static std::string Join(const std::vector<uint32_t>& numbers)
    {
        return numbers.empty() ? "none" : PrintNumbers(numbers, "x");
    }

    static std::string Describe(const Parameters& parameters)
    {
        const auto& [down, up, cables] = parameters;
        return "fat tree of down = " + Join(down) + ", up = " + Join(up) +
               ", cables = " + (cables.empty() ? "1" : Join(cables));
    }

    FatTreeTopology(const Parameters& parameters, const std::string& what, double nPorts)
        : RegularFamily("nearest-ancestor", true, 2) // kinds: down and up
    {
        const auto& [down, up, cables] = parameters;
        const auto nLevels = down.size();
        WormholeError::ThrowIf(nLevels == 0 || nLevels > MAX_LEVELS || up.size() != nLevels - 1 ||
                                   (!cables.empty() && cables.size() != nLevels - 1),
                               what + ": expected a number down for each of 1 to " +
                                   std::to_string(MAX_LEVELS) +
                                   " levels, and one up and of cables for each but the first");
        const auto cablesUpTo = [&, &cables = cables](std::size_t level) {
            return cables.empty() ? 1 : cables[level - 1];
        };
        double nHosts = 1;
        double nSwitches = 0; // of all levels so far, in one block of the latest
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

    struct Place
    {
        uint32_t level; ///< its level, 0 for leaves
        uint32_t block; ///< its block, among those of the level
        uint32_t row;   ///< its place in the block
    };

    Place GetPlace(Node node) const
    {
        auto level = static_cast<uint32_t>(m_levels.size()) - 1;
        while (level > 0 && m_levels[level - 1].first <= node)
        {
            --level;
        }
        const auto inLevel = node - m_levels[level].first;
        return {level, inLevel / m_levels[level].row, inLevel % m_levels[level].row};
    }

    Node GetSwitch(const Place& place) const
    {
        const auto& level = m_levels[place.level];
        return level.first + place.block * level.row + place.row;
    }

    Port PortDown(uint32_t level, uint32_t block, uint32_t cable) const
    {
        return static_cast<Port>(block * m_levels[level - 1].upCables + cable);
    }

    Port PortUp(uint32_t level, uint32_t copy, uint32_t cable) const
    {
        return static_cast<Port>(m_levels[level].downPorts + copy * m_levels[level].upCables +
                                 cable);
    }

    struct Spread
    {
        uint32_t copy; ///< index of the switch above
        uint32_t cable;
    };

    Spread Choose(uint32_t level, uint32_t choice) const
    {
        const auto& below = m_levels[level];
        const auto cable = choice / below.row % (below.up * below.upCables);
        return {cable % below.up, cable / below.up};
    }

    struct Level
    {
        uint32_t down; ///< blocks or hosts below a switch
        uint32_t downPorts;
        uint32_t up; ///< switches above a switch; 0 on top
        uint32_t upCables;
        uint32_t row; ///< switches per block
        Node first;   ///< number of the first switch
    };

    std::vector<Level> m_levels; ///< from the leaves up
};

} // namespace ns3

#endif /* FAT_TREE_TOPOLOGY_H */
