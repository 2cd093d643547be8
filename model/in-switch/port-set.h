/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_SET_H
#define PORT_SET_H

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A set of ports of a switch, a bit each; only those from 64 on take memory besides.
 */
class PortSet
{
  public:
    /// Adds a port. @param port the port
    void Add(uint16_t port);

    /// Removes a port, if it is there. @param port the port
    void Remove(uint16_t port);

    /// @return whether a port is there @param port the port
    bool Has(uint16_t port) const;

    /// @return whether there is none
    bool IsEmpty() const
    {
        return m_first == 0 && m_others.empty();
    }

    /// @return the ports, lowest first
    std::vector<uint16_t> GetPorts() const;

    /// @return number of words that hold a port, at least 1
    std::size_t GetNWords() const
    {
        return 1 + m_others.size();
    }

    /// @return ports 64 i to 64 i + 63, lowest bit first @param i number of the word
    uint64_t GetWord(std::size_t i) const
    {
        return i == 0 ? m_first : i <= m_others.size() ? m_others[i - 1] : 0;
    }

    /// Replaces a word. @param i its number @param bits ports 64 i to 64 i + 63
    void SetWord(std::size_t i, uint64_t bits);

    /// @return whether both have the same ports @param a,b the two
    friend bool operator==(const PortSet& a, const PortSet& b)
    {
        return a.m_first == b.m_first && a.m_others == b.m_others;
    }

    /// @return whether they differ @param a,b the two
    friend bool operator!=(const PortSet& a, const PortSet& b)
    {
        return !(a == b);
    }

  private:
    uint64_t m_first{0};            ///< ports 0 to 63
    std::vector<uint64_t> m_others; ///< the words of those from 64 on; the last is not 0
};

/// @ingroup wormhole
/// @brief Writes a set as one hexadecimal number. @param os where to @param ports the set
/// @return os
std::ostream& operator<<(std::ostream& os, const PortSet& ports);

} // namespace ns3

#endif /* PORT_SET_H */
