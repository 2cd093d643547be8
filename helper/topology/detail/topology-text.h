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
 * @ingroup wormhole
 * @brief A topology as a short text: family, colon, and entries with commas, as in
 *        "torus:8x8,hosts=2".
 *
 * An entry is key=value, each key once; the first one may be a value alone. Refusals name the
 * value and what is accepted, but not the whole text: who reads it knows where it came from.
 */
class TopologyText
{
  public:
    /// @param text the text
    /// @throws WormholeError if an entry is empty or there twice, or a value without a key is not
    /// the first entry
    explicit TopologyText(const std::string& text);

    /// @return the text without some entries, in an order of its own @param keys keys of these
    std::string Without(const std::vector<std::string>& keys) const;

    /// @return what is before the colon
    const std::string& GetFamily() const
    {
        return m_family;
    }

    /// Refuses entries that the family does not have.
    /// @param first what the value without a key is; empty if it has none
    /// @param keys keys that it has @param example a text that is accepted
    /// @throws WormholeError if there are others, or if the value without a key is missing
    void Accept(const std::string& first,
                const std::vector<std::string>& keys,
                const std::string& example) const;

    /// @return whether there is such an entry @param key its key
    bool Has(const std::string& key) const
    {
        return m_values.count(key) > 0;
    }

    /// @return the value without a key
    const std::string& GetFirst() const
    {
        return m_values.at("");
    }

    /// @return a value @param key its key @param fallback what it is without an entry
    std::string Get(const std::string& key, const std::string& fallback) const;

    /// @param key key of a value, or empty for the value without one
    /// @return the value, a whole number
    /// @throws WormholeError if it is missing, or no whole number of 32 bits
    uint32_t GetWhole(const std::string& key) const;

    /// @param key key of a value, or empty for the value without one
    /// @param fallback what it is without an entry @return the value, a whole number
    /// @throws WormholeError if it is no whole number of 32 bits
    uint32_t GetWhole(const std::string& key, uint32_t fallback) const;

    /// @param key key of a value, or empty for the value without one
    /// @return the value, whole numbers with x between them; empty if there is no entry
    /// @throws WormholeError if one is no whole number of 32 bits
    std::vector<uint32_t> GetWholes(const std::string& key) const;

    /// @param key key of a value @param fallback what it is without an entry
    /// @return the value, a number @throws WormholeError if it is no number
    double GetNumber(const std::string& key, double fallback) const;

    /// @param key key of a value
    /// @param words words accepted; the first is what it is without an entry
    /// @return the value, one of them @throws WormholeError if it is another
    std::string GetWord(const std::string& key, const std::vector<std::string>& words) const;

  private:
    std::string m_family;                        ///< what is before the colon
    std::map<std::string, std::string> m_values; ///< values by key; empty: the one without a key
};

/**
 * @ingroup wormhole
 * @brief What a topology's text says of its cables, switches (S10) and lanes, in any family.
 *
 * `rate`, `delay` or `length`, and `depth` are of all cables, as CableText reads them; with
 * `uplink-` in front, of cables between switches. `rates`, as 40Gbps+100Gbps, are of the cables in
 * turn, in the order of nodes and ports. `switch-delay` is that of all switches. `lanes`,
 * `priorities` and `grant` are those of all channels (S11), as LaneText reads them.
 */
class TopologyProperties
{
  public:
    /// @return the keys above
    static const std::vector<std::string>& GetKeys();

    /// Reads them. @param text the topology @param graph its graph, which gets them
    /// @throws WormholeError if a value is none
    static void Read(const TopologyText& text, FabricGraph& graph);
};

} // namespace ns3

#endif /* TOPOLOGY_TEXT_H */
