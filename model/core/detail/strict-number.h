/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRICT_NUMBER_H
#define STRICT_NUMBER_H

#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @param text digits, perhaps with sign, point and exponent, and nothing else: no blanks, no
/// hexadecimal digits, no "inf" @return the number, NaN if the text is none or is no finite number
double ParseStrictNumber(const std::string& text);

} // namespace ns3

#endif /* STRICT_NUMBER_H */
