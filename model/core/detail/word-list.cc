/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "word-list.h"

namespace ns3
{

namespace
{

std::string
Join(const std::vector<std::string>& words, const std::string& last)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        text += (i == 0 ? "" : i + 1 < words.size() ? ", " : last) + words[i];
    }
    return text;
}

} // namespace

std::string
WordList::WithCommas(const std::vector<std::string>& words)
{
    return Join(words, ", ");
}

std::string
WordList::WithOr(const std::vector<std::string>& words)
{
    return Join(words, " or ");
}

} // namespace ns3
