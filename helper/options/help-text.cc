/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "help-text.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

std::string
HelpText::Wrap(const std::string& text, std::size_t indent)
{
    constexpr std::size_t COMMAND = 10; // blanks before what goes on with a command
    std::string wrapped;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        const auto own = std::min(line.find_first_not_of(' '), line.size());
        std::string margin(indent + own, ' ');
        line.erase(0, own);
        const auto gap = line.find("  ");
        const auto column = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
        const auto further = column != std::string::npos ? column : own == 2 ? COMMAND : 0;
        while (margin.size() + line.size() > COLUMNS)
        {
            auto end = line.rfind(' ', COLUMNS - margin.size());
            if (end == std::string::npos)
            {
                end = line.find(' '); // a long word has a line of its own
            }
            if (end == std::string::npos)
            {
                break;
            }
            wrapped += margin + line.substr(0, end) + "\n";
            line.erase(0, line.find_first_not_of(' ', end));
            margin.resize(indent + own + further, ' ');
        }
        wrapped += (line.empty() ? "" : margin) + line + "\n";
    }
    return wrapped;
}

std::string
HelpText::FormatOption(const std::string& head, const std::string& text)
{
    constexpr std::size_t TEXT_COLUMN = 26;
    const auto body = Wrap(text, TEXT_COLUMN);
    const auto begin = "  " + head;
    return begin.size() + 2 > TEXT_COLUMN ? begin + "\n" + body : begin + body.substr(begin.size());
}

} // namespace ns3
