/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_ERROR_H
#define WORMHOLE_ERROR_H

#include <stdexcept>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A request that the module refuses: bad input, an impossible fabric, a deadlock.
 *
 * Thrown, never printed: programs print what() as their one line and exit with status 1, Python
 * sees an exception. The message names the value, its place and what would be accepted.
 */
class WormholeError : public std::runtime_error
{
  public:
    /// @param message one line without a line break at its end; what it quotes may hold anything,
    /// so line breaks and other control characters are written as escapes
    explicit WormholeError(const std::string& message);
};

} // namespace ns3

#endif /* WORMHOLE_ERROR_H */
