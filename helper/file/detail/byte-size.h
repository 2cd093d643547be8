/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BYTE_SIZE_H
#define BYTE_SIZE_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * Reads a number of bytes: `200000`, `200000B`, `200kB`, `1.5MB`, `1GB`, which are decimal (a kB
 * has 1,000 bytes), or `64KiB`, `1MiB`, `1GiB`, which are not (a KiB has 1,024). k and KB, which
 * are used for both, are refused.
 *
 * @param text the number
 * @param least least number accepted
 * @param greatest greatest number accepted
 * @return number of bytes
 * @throws WormholeError if it is written otherwise, not whole or out of range
 */
uint32_t ParseByteSize(const std::string& text, uint32_t least, uint32_t greatest);

} // namespace ns3

#endif /* BYTE_SIZE_H */
