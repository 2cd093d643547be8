/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_TEXT_H
#define TOPOLOGY_TEXT_H

#include "ns3/fabric-graph.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * A topology as a short text: family, colon, and comma-separated entries, as in
 * "torus:8x8,hosts=2".
 *
 * An entry is key=value, each key once; the first one may be a value without a key. Messages name
 * the value and what is expected, but not the whole text, whose source the caller knows.
 */
class TopologyText
{
  public:
    /// @throws WormholeError if an entry is empty or repeated, or a value without a key is not the
    /// first entry
    explicit TopologyText(const std::string& text);

    /// @return the text without some entries, in a canonical order
    std::string Without(const std::vector<std::string>& keys) const;

    /// @return the part before the colon
    const std::string& GetFamily() const
    {
        return m_family;
    }

    /// Refuses entries that the family does not have.
    /// @param first meaning of the value without a key; empty if there is none
    /// @throws WormholeError if there are others, or the value without a key is missing
    void Accept(const std::string& first,
                const std::vector<std::string>& keys,
                const std::string& example) const;

    bool Has(const std::string& key) const
    {
        return m_values.count(key) > 0;
    }

    /// @return the value without a key
    const std::string& GetFirst() const
    {
        return m_values.at("");
    }

    std::string Get(const std::string& key, const std::string& fallback) const;

    /// @param key key of a value, or empty for the value without a key
    /// @return the value, a whole number
    /// @throws WormholeError if it is missing, or not a whole number of 32 bits
    uint32_t GetWhole(const std::string& key) const;

    /// @param key key of a value, or empty for the value without a key
    /// @return the value, a whole number
    /// @throws WormholeError if it is not a whole number of 32 bits
    uint32_t GetWhole(const std::string& key, uint32_t fallback) const;

    /// @param key key of a value, or empty for the value without a key
    /// @return the value, whole numbers separated by x; empty if there is no entry
    /// @throws WormholeError if one is not a whole number of 32 bits
    std::vector<uint32_t> GetWholes(const std::string& key) const;

    /// @param key key of a value
    /// @return the value, a number
    /// @throws WormholeError if it is not a number
    double GetNumber(const std::string& key, double fallback) const;

    /// @param key key of a value
    /// @param words allowed words; the first is the default
    /// @return the value, one of them @throws WormholeError if it is not
    std::string GetWord(const std::string& key, const std::vector<std::string>& words) const;

  private:
    std::string m_family;                        ///< the part before the colon
    std::map<std::string, std::string> m_values; ///< values by key; empty for the one without a key
};

/**
 * Properties of cables, switches (S10) and lanes in a topology's text, in any family.
 *
 * `rate`, `delay` or `length`, and `depth` apply to all cables, as read by CableText; with the
 * prefix `uplink-`, to cables between switches. `rates`, as 40Gbps+100Gbps, apply to cables in
 * turn, in the order of nodes and ports. `switch-delay` applies to all switches. `lanes`,
 * `priorities` and `grant` apply to all channels (S11), as read by LaneText.
 */
class TopologyProperties
{
  public:
    /// @return the keys above
    static const std::vector<std::string>& GetKeys();

    /// Reads them.
    /// @param graph its graph, which receives them
    /// @throws WormholeError if a value is invalid
    static void Read(const TopologyText& text, FabricGraph& graph);
};

} // namespace ns3

#endif /* TOPOLOGY_TEXT_H */
