/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UTF8_TEXT_H
#define UTF8_TEXT_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/// @return number of bytes of the UTF-8 sequence at a place; 0: it is none
/// @param text the text @param at the place @param code gets its code point
std::size_t DecodeUtf8(const std::string& text, std::size_t at, uint32_t& code);

} // namespace ns3

#endif /* UTF8_TEXT_H */
