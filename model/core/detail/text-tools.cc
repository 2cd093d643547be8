// SPDX-License-Identifier: GPL-2.0-only

#include "text-tools.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <locale>
#include <map>
#include <numeric>
#include <regex>
#include <sstream>

namespace ns3
{

namespace
{

std::string
Join(const std::vector<std::string>& words, const std::string& last)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        text += (i == 0 ? "" : i + 1 < words.size() ? ", " : last) + words[i];
    }
    return text;
}

/// @return insertions, deletions, replacements and swaps that make one text of another
std::size_t
GetDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> before; // of two letters less of a
    std::vector<std::size_t> last;   // of one
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        before = std::move(last);
        last = row;
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j)
        {
            row[j + 1] = std::min({last[j] + (a[i] != b[j]), row[j] + 1, last[j + 1] + 1});
            if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
            {
                row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
            }
        }
    }
    return row.back();
}

} // namespace

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
    const bool isRead = stream >> number && stream.peek() == std::istringstream::traits_type::eof();
    return isRead && std::isfinite(number) ? number : none;
}

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
    WormholeError::ThrowIf(
        whole < static_cast<double>(least) || whole > static_cast<double>(greatest) ||
            std::abs(bytes - whole) > 1e-6,
        "'" + text + "' is not accepted; expected whole numbers of bytes, " +
            std::to_string(least) + " to " + std::to_string(greatest) +
            ", such as 65536, 64kB and 1.5MB (of 1000), 64KiB and 1MiB (of 1024)");
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
        WormholeError::ThrowIf(colon == std::string::npos,
                               "'" + entry +
                                   "' is not LENGTH:VALUE; expected such entries with commas "
                                   "between, as 0:1us,4KiB:3us");
        const auto bytes = ParseByteSize(entry.substr(0, colon), 0, MAX_BYTES_BY_LENGTH);
        WormholeError::ThrowIf(!values.empty() && bytes < values.back().first,
                               "'" + entry +
                                   "' is below the length before it; expected "
                                   "lengths in ascending order");
        values.emplace_back(bytes, entry.substr(colon + 1));
    }
    return values;
}

std::string
WordList::WithCommas(const std::vector<std::string>& words)
{
    return Join(words, ", ");
}

std::string
WordList::WithOr(const std::vector<std::string>& words)
{
    return Join(words, " or ");
}

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

} // namespace ns3
