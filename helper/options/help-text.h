/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HELP_TEXT_H
#define HELP_TEXT_H

#include <cstddef>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Lays out help texts for a terminal of 80 columns.
 */
class HelpText
{
  public:
    static constexpr std::size_t COLUMNS = 80; ///< width of a terminal, characters

    /**
     * Breaks lines at blanks. A line that goes on is indented as its beginning is; below the text
     * of its second column if it has two, which two blanks part; and below nothing else if it is a
     * command, which two blanks precede.
     * @param text lines
     * @param indent blanks before each
     * @return lines of at most COLUMNS, except for words that are longer; each ends with a newline
     */
    static std::string Wrap(const std::string& text, std::size_t indent = 0);

    /**
     * @param head an option as it is given, such as --csv=FILE
     * @param text what it does
     * @return both, the text in a column of its own
     */
    static std::string FormatOption(const std::string& head, const std::string& text);
};

} // namespace ns3

#endif /* HELP_TEXT_H */
