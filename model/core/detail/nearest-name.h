/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NEAREST_NAME_H
#define NEAREST_NAME_H

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Suggests the intended name for a mistyped one.
class NearestName
{
  public:
    /// @return a name in lower case without dashes and underscores @param name a name
    static std::string Plain(const std::string& name);

    /// @param name what was given @param names valid names
    /// @return the valid name with the smallest Levenshtein distance, if that is at most two or a
    ///         third of the name's letters; else empty
    static std::string Find(const std::string& name, const std::vector<std::string>& names);

    /// @copydoc Find @return "; did you mean ...?", or empty
    static std::string Hint(const std::string& name, const std::vector<std::string>& names);
};

} // namespace ns3

#endif /* NEAREST_NAME_H */
