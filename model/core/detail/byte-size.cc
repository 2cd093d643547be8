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
#include <sstream>

namespace ns3
{

uint64_t
ParseByteSize(const std::string& text, uint64_t least, uint64_t greatest)
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
    if (whole < static_cast<double>(least) || whole > static_cast<double>(greatest) ||
        std::abs(bytes - whole) > 1e-6)
    {
        throw WormholeError("'" + text + "' is not accepted; expected whole numbers of bytes, " +
                            std::to_string(least) + " to " + std::to_string(greatest) +
                            ", such as 65536, 64kB and 1.5MB (of 1000), 64KiB and 1MiB (of 1024)");
    }
    return static_cast<uint64_t>(whole);
}

std::string
PrintByteSize(uint64_t bytes)
{
    for (const auto& [unit, size] : {std::make_pair("GiB", uint64_t{1} << 30),
                                     std::make_pair("MiB", uint64_t{1} << 20),
                                     std::make_pair("KiB", uint64_t{1} << 10)})
    {
        if (bytes >= size && bytes % size == 0)
        {
            return std::to_string(bytes / size) + unit;
        }
    }
    return std::to_string(bytes);
}

std::vector<std::pair<uint64_t, std::string>>
ParseByLength(const std::string& text)
{
    std::vector<std::pair<uint64_t, std::string>> values;
    std::istringstream entries(text + (text.empty() || text.back() == ',' ? "," : ""));
    for (std::string entry; std::getline(entries, entry, ',');)
    {
        const auto colon = entry.find(':');
        if (colon == std::string::npos)
        {
            throw WormholeError("'" + entry +
                                "' is not LENGTH:VALUE; expected are such entries with commas "
                                "between, as 0:1us,4KiB:3us");
        }
        const auto bytes = ParseByteSize(entry.substr(0, colon), 0, MAX_BYTES_BY_LENGTH);
        if (!values.empty() && bytes < values.back().first)
        {
            throw WormholeError("'" + entry +
                                "' is below the length before it; expected are "
                                "lengths in ascending order");
        }
        values.emplace_back(bytes, entry.substr(colon + 1));
    }
    return values;
}

} // namespace ns3
