/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORD_LIST_H
#define WORD_LIST_H

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Formats lists of words for messages.
class WordList
{
  public:
    /// @return "a, b, c" @param words the words
    static std::string WithCommas(const std::vector<std::string>& words);

    /// @return "a, b or c" @param words the words
    static std::string WithOr(const std::vector<std::string>& words);
};

} // namespace ns3

#endif /* WORD_LIST_H */
