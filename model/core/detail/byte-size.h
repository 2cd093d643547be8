/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BYTE_SIZE_H
#define BYTE_SIZE_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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
uint64_t ParseByteSize(const std::string& text, uint64_t least, uint64_t greatest);

/// @ingroup wormhole
/// @return a number of bytes as ParseByteSize reads it: 64KiB, 1000 @param bytes the number
std::string PrintByteSize(uint64_t bytes);

/// @ingroup wormhole
/// Longest length that a value by length names: 1 TiB.
constexpr uint64_t MAX_BYTES_BY_LENGTH = uint64_t{1} << 40;

/**
 * @ingroup wormhole
 * Reads values by length: `0:copied,8KiB:received`.
 *
 * @param text lengths as ParseByteSize reads them, at most MAX_BYTES_BY_LENGTH and none below the
 * one before, each with a value
 * @return lengths in bytes with their values, at least one
 * @throws WormholeError if it is written otherwise
 */
std::vector<std::pair<uint64_t, std::string>> ParseByLength(const std::string& text);

} // namespace ns3

#endif /* BYTE_SIZE_H */
