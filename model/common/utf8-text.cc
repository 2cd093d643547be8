/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "utf8-text.h"

namespace ns3
{

std::size_t
DecodeUtf8(const std::string& text, std::size_t at, uint32_t& code)
{
    const auto lead = static_cast<unsigned char>(text[at]);
    code = lead;
    if (lead < 0x80)
    {
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

} // namespace ns3
