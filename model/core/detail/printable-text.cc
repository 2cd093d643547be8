// SPDX-License-Identifier: GPL-2.0-only

#include "printable-text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3
{

namespace
{

/// First and last of code points that are not printable; but for the last two of each plane.
constexpr std::pair<uint32_t, uint32_t> UNPRINTABLE[] = {{0x0, 0x1f},
                                                         {0x7f, 0x9f},
                                                         {0x61c, 0x61c},
                                                         {0x200e, 0x200f},
                                                         {0x2028, 0x202e},
                                                         {0x2066, 0x2069},
                                                         {0xfdd0, 0xfdef},
                                                         {0xfeff, 0xfeff}};

bool
IsPrintableCode(uint32_t code)
{
    return (code & 0xfffe) != 0xfffe &&
           std::none_of(std::begin(UNPRINTABLE), std::end(UNPRINTABLE), [code](const auto& range) {
               return range.first <= code && code <= range.second;
           });
}

} // namespace

std::size_t
PrintableText::Decode(const std::string& text, std::size_t at, uint32_t& code)
{
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80)
    {
        code = lead;
        return 1;
    }
    const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
    if (n == 0 || lead > 0xf4 || at + n > text.size())
    {
        return 0;
    }
    code = lead & (0x7fU >> n);
    for (std::size_t i = 1; i < n; ++i)
    {
        const auto next = static_cast<unsigned char>(text[at + i]);
        if ((next & 0xc0) != 0x80)
        {
            return 0;
        }
        code = (code << 6) | (next & 0x3fU);
    }
    const bool isShortest = n == 2 || code >= (n == 3 ? 0x800U : 0x10000U);
    return isShortest && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? n : 0;
}

std::string
PrintableText::Replace(const std::string& text, const std::string& mark)
{
    std::string printable;
    uint32_t code = 0;
    for (std::size_t at = 0; at < text.size();)
    {
        const auto n = Decode(text, at, code);
        printable += n > 0 && IsPrintableCode(code) ? text.substr(at, n) : mark;
        at += n > 0 ? n : 1;
    }
    return printable;
}

} // namespace ns3
