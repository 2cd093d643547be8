/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "byte-size.h"

#include "ns3/wormhole-error.h"

#include <cmath>
#include <map>
#include <regex>

namespace ns3
{

uint32_t
ParseByteSize(const std::string& text, uint32_t least, uint32_t greatest)
{
    static const std::map<std::string, double> UNITS{{"", 1},
                                                     {"B", 1},
                                                     {"kB", 1e3},
                                                     {"MB", 1e6},
                                                     {"GB", 1e9},
                                                     {"KiB", 1024},
                                                     {"MiB", 1024.0 * 1024},
                                                     {"GiB", 1024.0 * 1024 * 1024}};
    // So few digits that a double holds the number.
    static const std::regex FORM("([0-9]{1,10}(\\.[0-9]{1,4})?)([A-Za-z]*)");
    std::smatch match;
    const auto isNumber = std::regex_match(text, match, FORM);
    const auto unit = isNumber ? UNITS.find(match[3]) : UNITS.end();
    const auto bytes = unit == UNITS.end() ? -1 : std::stod(match[1]) * unit->second;
    const auto whole = std::round(bytes);
    if (whole < least || whole > greatest || std::abs(bytes - whole) > 1e-6)
    {
        throw WormholeError("'" + text +
                            "' is not accepted; accepted are whole numbers of bytes, " +
                            std::to_string(least) + " to " + std::to_string(greatest) +
                            ", such as 65536, 64kB and 1.5MB (of 1000), 64KiB and 1MiB (of 1024)");
    }
    return static_cast<uint32_t>(whole);
}

} // namespace ns3
