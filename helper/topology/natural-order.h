/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NATURAL_ORDER_H
#define NATURAL_ORDER_H

#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Orders names as people do.
 * @param a a name
 * @param b another name
 * @return whether a comes first: runs of digits as numbers, all else character by character
 */
bool NaturalLess(const std::string& a, const std::string& b);

} // namespace ns3

#endif /* NATURAL_ORDER_H */
