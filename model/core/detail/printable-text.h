/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRINTABLE_TEXT_H
#define PRINTABLE_TEXT_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Which texts from outside may be names: those that every format can hold and every reader
 * sees as they are.
 *
 * A text is printable if it is UTF-8 without control characters (C0, DEL, C1), separators of lines
 * and paragraphs, marks of text direction, the byte order mark, and noncharacters such as U+FFFE.
 * python/ns3_wormhole/core/texts.py has the same rule.
 */
struct PrintableText
{
    /// @param text a text @param at the place of a character there @param code gets its code point
    /// @return number of bytes of its UTF-8 sequence; 0: it is none
    static std::size_t Decode(const std::string& text, std::size_t at, uint32_t& code);

    /// @return whether a text is printable @param text the text
    static bool IsPrintable(const std::string& text);

    /// @return a text with a mark in place of each character or byte that is not printable
    /// @param text the text @param mark the mark; U+FFFD without it
    static std::string Replace(const std::string& text, const std::string& mark = "\xef\xbf\xbd");

    /// What a message says is accepted.
    static constexpr const char* ACCEPTED =
        "printable text in UTF-8, without control characters, marks of direction and noncharacters";
};

} // namespace ns3

#endif /* PRINTABLE_TEXT_H */
