// SPDX-License-Identifier: GPL-2.0-only

#ifndef TEXT_TOOLS_H
#define TEXT_TOOLS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @param text digits with optional sign, point and exponent; no blanks, hexadecimal or "inf"
/// @return the number, or NaN if the text is not a finite number
double ParseStrictNumber(const std::string& text);

/// Reads a number of bytes, in decimal units such as `200000`, `200000B`, `200kB`, `1.5MB` or `1GB`
/// (a kB has 1,000 bytes), or in binary units: `64KiB`, `1MiB` or `1GiB` (a KiB has 1,024 bytes).
/// Refuses k and KB, which have both meanings.
/// @throws WormholeError if the text has another form, or the number is not whole or out of range
uint64_t ParseByteSize(const std::string& text, uint64_t least, uint64_t greatest);

/// @return a number of bytes as ParseByteSize reads it, such as 64KiB or 1000
std::string PrintByteSize(uint64_t bytes);

/// Maximum length in a list of values by length: 1 TiB.
constexpr uint64_t MAX_BYTES_BY_LENGTH = uint64_t{1} << 40;

/// Reads values by length: `0:copied,8KiB:received`.
///
/// @param text lengths as ParseByteSize reads them, at most MAX_BYTES_BY_LENGTH and none below the
/// one before, each with a value
/// @return lengths in bytes with their values, at least one
/// @throws WormholeError if the text has another form
std::vector<std::pair<uint64_t, std::string>> ParseByLength(const std::string& text);

/// Formats lists of words for messages.
class WordList
{
  public:
    static std::string WithCommas(const std::vector<std::string>& words);
    static std::string WithOr(const std::vector<std::string>& words);
};

/// @return numbers as text @param between separator between two numbers
template <typename Range>
std::string
PrintNumbers(const Range& numbers, const std::string& between)
{
    std::string text;
    for (const auto number : numbers)
    {
        text += (text.empty() ? "" : between) + std::to_string(number);
    }
    return text;
}

/// Suggests the intended name for a mistyped one.
class NearestName
{
  public:
    /// @return a name in lower case without dashes and underscores
    static std::string Plain(const std::string& name);

    /// @return the one nearest valid name within a Levenshtein distance of two letters or a third
    /// of its length; else the only name that begins with the given text; else empty
    static std::string Find(const std::string& name, const std::vector<std::string>& names);

    /// @copydoc Find @return "; did you mean ...?", or empty
    static std::string Hint(const std::string& name, const std::vector<std::string>& names)
    {
        const auto nearest = Find(name, names);
        return nearest.empty() ? "" : "; did you mean " + nearest + "?";
    }
};

} // namespace ns3

#endif /* TEXT_TOOLS_H */
