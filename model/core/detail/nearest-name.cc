/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nearest-name.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>

namespace ns3
{

namespace
{

/// @return insertions, deletions and replacements that make one text of another
std::size_t
GetDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        auto diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j)
        {
            const auto replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

} // namespace

std::string
NearestName::Plain(const std::string& name)
{
    std::string plain;
    for (const unsigned char letter : name)
    {
        if (letter != '-' && letter != '_')
        {
            plain += static_cast<char>(std::tolower(letter));
        }
    }
    return plain;
}

std::string
NearestName::Find(const std::string& name, const std::vector<std::string>& names)
{
    constexpr std::size_t LONGEST = 64; // letters; longer ones are not mistyped names
    const auto given = Plain(name);
    if (given.find_first_not_of("0123456789.") == std::string::npos)
    {
        return ""; // a number is rarely mistyped
    }
    std::string nearest;
    std::string longer; // the only one that begins with what was given
    std::size_t nLonger = 0;
    std::size_t nNearest = 0;
    std::size_t min = 0;
    for (const auto& one : names)
    {
        const auto plain = Plain(one);
        if (given.size() > 1 && plain.size() > given.size() && plain.rfind(given, 0) == 0)
        {
            longer = one;
            ++nLonger;
        }
        const auto allowed = std::max<std::size_t>(2, plain.size() / 3);
        if (given.size() > LONGEST || plain.size() <= 1)
        {
            continue;
        }
        const auto distance = GetDistance(given, plain);
        if (distance > allowed || distance >= plain.size() || (nNearest > 0 && distance > min))
        {
            continue;
        }
        nNearest = nNearest > 0 && distance == min ? nNearest + 1 : 1;
        nearest = one;
        min = distance;
    }
    // Of several that are as near, each would be a guess.
    return nNearest == 1 ? nearest : nLonger == 1 ? longer : "";
}

std::string
NearestName::Hint(const std::string& name, const std::vector<std::string>& names)
{
    const auto nearest = Find(name, names);
    return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

} // namespace ns3
