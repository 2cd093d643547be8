// SPDX-License-Identifier: GPL-2.0-only

#ifndef PRINTABLE_TEXT_H
#define PRINTABLE_TEXT_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/// Decides which external texts may be names: those that every format can hold and every reader
/// displays unchanged.
///
/// A text is printable if it is UTF-8 without control characters (C0, DEL, C1), line and paragraph
/// separators, bidirectional marks, the byte order mark, and noncharacters such as U+FFFE.
/// python/ns3_wormhole/core/texts.py has the same rule.
struct PrintableText
{
    /// @return length in bytes of the UTF-8 sequence at an index; 0 if the sequence is invalid
    static std::size_t Decode(const std::string& text, std::size_t at, uint32_t& code);

    static bool IsPrintable(const std::string& text)
    {
        return Replace(text, "") == text;
    }

    /// @return the text with a mark in place of each character or byte that is not printable
    /// @param mark the mark; default U+FFFD
    static std::string Replace(const std::string& text, const std::string& mark = "\xef\xbf\xbd");

    /// What error messages name as the expected text.
    static constexpr const char* ACCEPTED =
        "printable text in UTF-8, without control characters, marks of direction and noncharacters";
};

} // namespace ns3

#endif /* PRINTABLE_TEXT_H */
