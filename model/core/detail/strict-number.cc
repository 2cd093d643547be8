/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strict-number.h"

#include <cmath>
#include <limits>
#include <locale>
#include <sstream>

namespace ns3
{

double
ParseStrictNumber(const std::string& text)
{
    constexpr auto none = std::numeric_limits<double>::quiet_NaN();
    if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string::npos)
    {
        return none;
    }
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    double number = 0;
    if (!(stream >> number) || stream.peek() != std::istringstream::traits_type::eof())
    {
        return none;
    }
    return std::isfinite(number) ? number : none;
}

} // namespace ns3
