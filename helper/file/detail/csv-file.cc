// SPDX-License-Identifier: GPL-2.0-only

#include "csv-file.h"

#include "ns3/file-name.h"
#include "ns3/printable-text.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <boost/algorithm/string.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>

namespace ns3
{

namespace
{

/// @return whether Quote writes a text with ' before it @param field the text
bool
LooksLikeFormula(const std::string& field)
{
    const auto first = field.find_first_not_of('\'');
    if (first == std::string::npos || !std::strchr("=+-@\t\r\n", field[first]))
    {
        return false;
    }
    // A number is none, but for one behind ', which would be taken away.
    return std::isnan(ParseStrictNumber(field));
}

} // namespace

CsvFile::CsvFile(const std::string& path,
                 const std::vector<std::string>& columns,
                 const std::vector<std::string>& optional)
    : m_path(path),
      m_columns(columns)
{
    std::istringstream file(FileName::Read(path));
    const auto header = boost::join(columns, ",");
    const auto others =
        optional.empty() ? "" : ", then any of '" + boost::join(optional, ",") + "' in this order";
    std::size_t line = 0;
    for (std::string text; std::getline(file, text);)
    {
        ++line;
        if (!text.empty() && text.back() == '\r')
        {
            text.pop_back();
        }
        if (line == 1)
        {
            WormholeError::ThrowIf(!TakeHeader(text, header, optional),
                                   path + ":1: '" + text + "' is not the header; expected '" +
                                       header + "'" + others);
            continue;
        }
        m_rows.push_back({line, Split(text, line)});
        WormholeError::ThrowIf(m_rows.back().fields.size() != m_columns.size(),
                               path + ":" + std::to_string(line) + ": there are " +
                                   std::to_string(m_rows.back().fields.size()) +
                                   " fields; expected " + std::to_string(m_columns.size()));
    }
    WormholeError::ThrowIf(line == 0, path + ": there is no header; expected '" + header + "'");
}

std::vector<std::string>
CsvFile::Split(const std::string& text, std::size_t line) const
{
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
        {
            fields.back() += text[i++];
        }
        else if (text[i] == '"')
        {
            quoted = !quoted;
        }
        else if (text[i] == ',' && !quoted)
        {
            fields.emplace_back();
        }
        else
        {
            fields.back() += text[i];
        }
    }
    WormholeError::ThrowIf(quoted,
                           m_path + ":" + std::to_string(line) +
                               ": the line ends within double quotes; expected pairs of them");
    for (auto& field : fields)
    {
        if (!PrintableText::IsPrintable(field))
        {
            throw WormholeError(m_path + ":" + std::to_string(line) + ": '" +
                                PrintableText::Replace(field, "?") + "': expected " +
                                PrintableText::ACCEPTED);
        }
        if (field.rfind('\'', 0) == 0 && LooksLikeFormula(field.substr(1)))
        {
            field.erase(0, 1);
        }
    }
    return fields;
}

bool
CsvFile::TakeHeader(const std::string& text,
                    const std::string& header,
                    const std::vector<std::string>& optional)
{
    if (text.compare(0, header.size(), header) != 0)
    {
        return false;
    }
    auto rest = text.substr(header.size());
    for (const auto& column : optional)
    {
        const auto next = "," + column;
        const auto isThere = rest.compare(0, next.size(), next) == 0 &&
                             (rest.size() == next.size() || rest[next.size()] == ',');
        if (isThere)
        {
            m_columns.push_back(column);
            rest.erase(0, next.size());
        }
    }
    return rest.empty();
}

double
CsvFile::GetNumber(std::size_t row, const std::string& column) const
{
    const auto& field = Get(row, column);
    const auto number = ParseStrictNumber(field);
    if (std::isnan(number) && field != "nan")
    {
        Refuse(row, column, "a number");
    }
    return number;
}

uint32_t
CsvFile::GetWhole(std::size_t row, const std::string& column) const
{
    const auto& field = Get(row, column);
    uint32_t number = 0;
    const auto last = field.data() + field.size();
    const auto [end, error] = std::from_chars(field.data(), last, number);
    if (error != std::errc() || end != last)
    {
        Refuse(row, column, "a whole number");
    }
    return number;
}

void
CsvFile::Refuse(std::size_t row, const std::string& column, const std::string& accepted) const
{
    throw WormholeError(m_path + ":" + std::to_string(m_rows.at(row).line) + ": " + column + " '" +
                        Get(row, column) + "': expected " + accepted);
}

std::string
CsvFile::Quote(const std::string& field)
{
    const auto plain = (LooksLikeFormula(field) ? "'" : "") + field;
    return plain.find_first_of(",\"\r\n") == std::string::npos
               ? plain
               : '"' + boost::replace_all_copy(plain, "\"", "\"\"") + '"';
}

std::string
CsvFile::Fixed(double value, int decimals)
{
    if (std::isnan(value))
    {
        return "nan";
    }
    char text[64];
    std::snprintf(text, sizeof(text), "%.*f", decimals, value);
    return text;
}

std::string
CsvFile::PrintUs(Time time)
{
    constexpr int64_t PER_US = 1000000;
    const auto ps = time.GetPicoSeconds();
    const auto digits = std::to_string(ps % PER_US);
    return std::to_string(ps / PER_US) + "." + std::string(6 - digits.size(), '0') + digits;
}

void
CsvFile::WriteHeader(std::ostream& os, const std::vector<std::string>& columns)
{
    os << boost::join(columns, ",") << '\n';
}

} // namespace ns3
