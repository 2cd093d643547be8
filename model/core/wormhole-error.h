// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_ERROR_H
#define WORMHOLE_ERROR_H

#include <stdexcept>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief A request that the module refuses: invalid input, an impossible fabric, a deadlock.
///
/// The module prints no errors: programs print what() as one line and exit with status 1; Python
/// raises an exception. The message names the wrong value, its place and what is expected instead.
class WormholeError : public std::runtime_error
{
  public:
    /// @param message one line without a newline; control characters are written as escapes
    explicit WormholeError(const std::string& message);

    /// @param isWrong whether to refuse a request @param message as for the constructor
    /// @throws WormholeError with the message, if the request is refused
    static void ThrowIf(bool isWrong, const std::string& message)
    {
        if (isWrong)
        {
            throw WormholeError(message);
        }
    }
};

} // namespace ns3

#endif /* WORMHOLE_ERROR_H */
