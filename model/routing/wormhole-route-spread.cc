/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-route-spread.h"

#include "ns3/word-list.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// 2^64 divided by the golden ratio, odd: it sets apart numbers that follow each other.
constexpr uint64_t GOLDEN = 0x9e3779b97f4a7c15;

/// @return bits that depend on all bits of a number @param number the number
uint64_t
Mix(uint64_t number)
{
    // The last steps of SplitMix64 (Steele, Lea and Flood 2014), with the constants of Stafford's
    // Mix13, as in Vigna's public-domain splitmix64.c.
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
    number = (number ^ number >> 27) * 0x94d049bb133111eb;
    return number ^ number >> 31;
}

} // namespace

const std::vector<std::string>&
RouteSpread::GetNames()
{
    static const std::vector<std::string> names{"hash", "in-turn", "first", "each"};
    return names;
}

RouteSpread::Rule
RouteSpread::ByName(const std::string& name)
{
    const auto& names = GetNames();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
    {
        throw WormholeError("spread '" + name + "': expected " + WordList::WithCommas(names));
    }
    return static_cast<Rule>(found - names.begin());
}

const std::string&
RouteSpread::NameOf(Rule rule)
{
    return GetNames().at(static_cast<std::size_t>(rule));
}

RouteSpread::RouteSpread(Rule rule, uint32_t from, uint32_t to, uint64_t worm)
    : m_rule(rule),
      m_number(0)
{
    const auto both = uint64_t{from} << 32 | to;
    switch (rule)
    {
    case Rule::HASH:
        m_number = Mix(both + GOLDEN);
        break;
    case Rule::EACH:
        m_number = Mix(Mix(both + GOLDEN) + worm * GOLDEN);
        break;
    case Rule::IN_TURN:
        m_number = to;
        break;
    case Rule::FIRST:
        break;
    }
}

uint32_t
RouteSpread::Choose(uint32_t place, uint32_t count) const
{
    switch (m_rule)
    {
    case Rule::HASH:
    case Rule::EACH:
        // The upper half of the bits as a fraction of 1.
        return static_cast<uint32_t>((Mix(m_number + (place + 1) * GOLDEN) >> 32) * count >> 32);
    case Rule::IN_TURN:
        return static_cast<uint32_t>(m_number % count);
    default:
        return 0;
    }
}

} // namespace ns3
