/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_MESSAGE_H
#define COLLECTIVE_MESSAGE_H

#include "ns3/wormhole-worm.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief A set of ports of a switch, a bit each; only those from 64 on take memory besides.
class PortSet
{
  public:
    void Add(uint16_t port);       ///< Adds a port. @param port the port
    void Remove(uint16_t port);    ///< Removes a port, if it is there. @param port the port
    bool Has(uint16_t port) const; ///< @return whether a port is there @param port the port

    /// @return whether there is none
    bool IsEmpty() const
    {
        return m_first == 0 && m_others.empty();
    }

    std::vector<uint16_t> GetPorts() const; ///< @return the ports, lowest first

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

/// @ingroup wormhole @brief Writes a set as one hexadecimal number.
/// @param os where to
/// @param ports the set
/// @return os
std::ostream& operator<<(std::ostream& os, const PortSet& ports);

/// @ingroup wormhole
/// @brief How a register combines the values of two arrivals.
enum class CollectiveOperation : uint8_t
{
    AND, ///< bit by bit
    OR,  ///< bit by bit
    ADD, ///< sum, modulo 2 to the power of the width
    MIN, ///< less of the two, unsigned
    MAX, ///< greater of the two, unsigned
};

/// @param name AND, OR, ADD, MIN or MAX, in capitals or not
/// @return the operation
/// @throws WormholeError if there is no such operation
CollectiveOperation ParseCollectiveOperation(const std::string& name);

/// @param operation how to combine
/// @param a a value
/// @param b another value
/// @param widthBits width of both, 1 to 64 bits
/// @return both combined, of the same width
uint64_t Combine(CollectiveOperation operation, uint64_t a, uint64_t b, uint32_t widthBits);

/**
 * @ingroup wormhole
 * @brief A message to or from the collective unit of a switch (BTIN paper, Figures 4 and 5).
 *
 * How long it is on the wire is the sender's business, see InSwitchCollective.
 */
struct CollectiveMessage
{
    /// Type name of its header.
    static constexpr const char* HEADER_NAME = "ns3::CollectiveMessageHeader";

    /// What a message is.
    enum Type : uint8_t
    {
        REDUCTION,    ///< a member or all below a switch have arrived
        DISTRIBUTION, ///< all have arrived; or a broadcast's value
        SETUP,        ///< write a register
        RELEASE,      ///< free a register
        SAVE,         ///< keep a register that another group's takes the place of
        FETCH,        ///< give it back
        RESTORE,      ///< write it again
        SLOT,         ///< of a reduction slot, see SlotMessage
    };

    /// Where a message is on its way, where a host's memory holds the register or has held it.
    enum Stage : uint8_t
    {
        PLAIN,       ///< to a register in a switch, or from there
        TO_MEMORY,   ///< passed on to the host that holds the register
        FROM_MEMORY, ///< from there to the register's switch, which sends it on by its children
        RETURNED,    ///< from there: the switch has the register again
    };

    /// No port: what a register's parent is before it is set up.
    static constexpr uint16_t NO_PORT = UINT16_MAX;

    Type type{REDUCTION};                                    ///< what it is
    uint16_t group{0};                                       ///< group identifier
    CollectiveOperation operation{CollectiveOperation::AND}; ///< SETUP: how to combine
    uint8_t widthBits{1};                                    ///< SETUP: width of the values
    uint16_t parent{NO_PORT}; ///< SETUP: port towards the root; else: port it came by
    PortSet children;         ///< SETUP: ports that arrivals come by
    PortSet arrived;          ///< SAVE, RESTORE: those that arrivals have come by
    uint64_t value{0};        ///< value reduced or distributed
    Stage stage{PLAIN};       ///< where it is on its way
    uint32_t place{0};        ///< TO_MEMORY: number of the switch whose register it is for

    uint32_t GetHeaderBytes() const;          ///< @return length of its header, bytes
    void Write(Buffer::Iterator start) const; ///< Writes all fields. @param start where to
    void Read(Buffer::Iterator start);        ///< Reads all fields. @param start where from
};

/// @ingroup wormhole @brief Writes a message in words.
/// @param os where to
/// @param message the message
/// @return os
std::ostream& operator<<(std::ostream& os, const CollectiveMessage& message);

/// @ingroup wormhole
/// @brief Such a message as a header: all fields in full bytes, 1 + 2 + 1 + 1 + 2 + 8 + 8 + 8 + 1 +
/// 4 = 36; with ports from 64 on their number of words of 64 ports, 2, and those of both sets.
using CollectiveMessageHeader = MessageHeader<CollectiveMessage>;

/// @ingroup wormhole
/// @brief A worm that is such a message.
using CollectiveWorm = MessageWorm<CollectiveMessage, Worm::COLLECTIVE>;

} // namespace ns3

#endif /* COLLECTIVE_MESSAGE_H */
