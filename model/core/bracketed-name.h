/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BRACKETED_NAME_H
#define BRACKETED_NAME_H

#include "ns3/object-base.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A short name that may set attributes, as ns-3 writes them: tree[Tree=fibo|Root=3].
 *
 * Brackets may hold a name with brackets again: smp[Inner=tree[Tree=binary]].
 */
class BracketedName
{
  public:
    /// @param name the name
    /// @param example one that is accepted, for messages
    /// @throws WormholeError if a bracket is not closed, or something is behind the last one
    BracketedName(const std::string& name, const std::string& example);

    /// @return a word in small letters, with a dash before each digit and each but the first that
    /// was a capital: the short name of a class
    /// @param word the word
    static std::string Dashed(const std::string& word);

    /// @return the name without brackets
    const std::string& GetBare() const
    {
        return m_bare;
    }

    /// @return what its brackets enclose
    const std::string& GetText() const
    {
        return m_text;
    }

    /// @return the same in parts, such as Tree=fibo
    const std::vector<std::string>& GetSettings() const
    {
        return m_settings;
    }

    /// Sets the attributes.
    /// @param object whose
    /// @throws WormholeError if it has no such attribute, or does not accept the value
    void SetAttributes(ObjectBase& object) const;

  private:
    std::string m_name;                  ///< the name
    std::string m_bare;                  ///< without brackets
    std::string m_text;                  ///< what these enclose
    std::vector<std::string> m_settings; ///< the same in parts
};

} // namespace ns3

#endif /* BRACKETED_NAME_H */
