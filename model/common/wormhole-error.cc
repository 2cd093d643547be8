/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-error.h"

#include <array>
#include <cstdio>

namespace ns3
{

/// @return a text of one line @param text any text
static std::string
MakeOneLine(const std::string& text)
{
    std::string line;
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n')
        {
            line += "\\n";
        }
        else if (byte < 0x20 || byte == 0x7f)
        {
            std::array<char, 5> escape;
            std::snprintf(escape.data(), escape.size(), "\\x%02x", byte);
            line += escape.data();
        }
        else
        {
            line += c;
        }
    }
    return line;
}

WormholeError::WormholeError(const std::string& message)
    : std::runtime_error(MakeOneLine(message))
{
}

} // namespace ns3
