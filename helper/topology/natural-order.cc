/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "natural-order.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{

namespace
{

/// @return whether the character is a digit @param c a character
bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

} // namespace

bool
NaturalLess(const std::string& a, const std::string& b)
{
    std::size_t i = 0;
    std::size_t k = 0;
    const auto takeNumber = [](const std::string& text, std::size_t& at) {
        const auto first = std::min(text.find_first_not_of('0', at), text.size());
        for (at = first; at < text.size() && IsDigit(text[at]); ++at)
        {
        }
        return text.substr(first, at - first);
    };
    while (i < a.size() && k < b.size())
    {
        if (IsDigit(a[i]) && IsDigit(b[k]))
        {
            const auto numberA = takeNumber(a, i);
            const auto numberB = takeNumber(b, k);
            if (numberA != numberB)
            {
                return numberA.size() != numberB.size() ? numberA.size() < numberB.size()
                                                        : numberA < numberB;
            }
        }
        else if (a[i] != b[k])
        {
            return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[k]);
        }
        else
        {
            ++i;
            ++k;
        }
    }
    const auto restA = a.size() - i;
    const auto restB = b.size() - k;
    return restA == 0 && restB == 0 ? a < b : restA < restB; // "s1" and "s01" differ, too
}

} // namespace ns3
