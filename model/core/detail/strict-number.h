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
/// @param text digits with optional sign, point and exponent; no blanks, hexadecimal digits or
///        "inf"
/// @return the number, or NaN if the text is not a finite number
double ParseStrictNumber(const std::string& text);

} // namespace ns3

#endif /* STRICT_NUMBER_H */
