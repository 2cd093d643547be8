/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "route-spread.h"

#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// 2^64 divided by the golden ratio, odd: it sets apart numbers that follow each other.
constexpr uint64_t GOLDEN = 0x9e3779b97f4a7c15;

} // namespace

const std::vector<std::string>&
RouteSpread::GetNames()
{
    static const std::vector<std::string> names{"hash", "in-turn", "first"};
    return names;
}

RouteSpread::Rule
RouteSpread::ByName(const std::string& name)
{
    const auto& names = GetNames();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
    {
        throw WormholeError("spread '" + name + "': accepted are hash, in-turn, first");
    }
    return static_cast<Rule>(found - names.begin());
}

const std::string&
RouteSpread::NameOf(Rule rule)
{
    return GetNames().at(static_cast<std::size_t>(rule));
}

RouteSpread::RouteSpread(Rule rule, uint32_t from, uint32_t to)
    : m_rule(rule),
      m_number(rule == Rule::HASH      ? Mix((uint64_t{from} << 32 | to) + GOLDEN)
               : rule == Rule::IN_TURN ? to
                                       : 0)
{
}

uint32_t
RouteSpread::Choose(uint32_t place, uint32_t count) const
{
    switch (m_rule)
    {
    case Rule::HASH:
        // The upper half of the bits as a fraction of 1.
        return static_cast<uint32_t>((Mix(m_number + (place + 1) * GOLDEN) >> 32) * count >> 32);
    case Rule::IN_TURN:
        return static_cast<uint32_t>(m_number % count);
    default:
        return 0;
    }
}

uint64_t
RouteSpread::Mix(uint64_t number)
{
    // The last steps of SplitMix64 (Steele, Lea and Flood 2014), with the constants of Stafford's
    // Mix13, as in Vigna's public-domain splitmix64.c.
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
    number = (number ^ number >> 27) * 0x94d049bb133111eb;
    return number ^ number >> 31;
}

} // namespace ns3
