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
/// @brief Suggests what a mistyped name may have been meant to be.
class NearestName
{
  public:
    /// @return a name in lower case without dashes and underscores @param name a name
    static std::string Plain(const std::string& name);

    /// @param name what was given @param names what is accepted
    /// @return the one of these that takes the fewest insertions, deletions and replacements of
    /// letters (Levenshtein), if these are at most a third of its letters or two; else empty
    static std::string Find(const std::string& name, const std::vector<std::string>& names);

    /// @copydoc Find @return "; did you mean ...?", or empty
    static std::string Hint(const std::string& name, const std::vector<std::string>& names);
};

} // namespace ns3

#endif /* NEAREST_NAME_H */
