// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-error.h"

#include "ns3/printable-text.h"

#include <array>
#include <cstdio>

namespace ns3
{

static std::string
MakeOneLine(const std::string& text)
{
    std::string line;
    for (std::size_t at = 0; at < text.size();)
    {
        uint32_t code = 0;
        const auto n = PrintableText::Decode(text, at, code);
        const auto byte = static_cast<unsigned char>(text[at]);
        if (n > 0 && code == '\n')
        {
            line += "\\n";
        }
        else if (n == 0 || !PrintableText::IsPrintable(text.substr(at, n)))
        {
            // What is no UTF-8, Python can't take; marks of direction show a name as another.
            std::array<char, 11> escape;
            const auto* form = n <= 1 ? "\\x%02x" : code <= 0xffff ? "\\u%04x" : "\\U%08x";
            std::snprintf(escape.data(), escape.size(), form, n == 0 ? byte : code);
            line += escape.data();
        }
        else
        {
            line.append(text, at, n);
        }
        at += n == 0 ? 1 : n;
    }
    return line;
}

WormholeError::WormholeError(const std::string& message)
    : std::runtime_error(MakeOneLine(message))
{
}

} // namespace ns3
