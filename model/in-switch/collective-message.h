// SPDX-License-Identifier: GPL-2.0-only

#ifndef COLLECTIVE_MESSAGE_H
#define COLLECTIVE_MESSAGE_H

#include "ns3/wormhole-worm.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief A set of a switch's ports, as bits; memory is allocated only if a port is 64 or above.
class PortSet
{
  public:
    /// Adds a port. @param port the port
    void Add(uint16_t port)
    {
        SetWord(port / 64, GetWord(port / 64) | uint64_t{1} << port % 64);
    }

    /// Removes a port, if present. @param port the port
    void Remove(uint16_t port)
    {
        SetWord(port / 64, GetWord(port / 64) & ~(uint64_t{1} << port % 64));
    }

    /// @return whether a port is in the set @param port the port
    bool Has(uint16_t port) const
    {
        return GetWord(port / 64) >> port % 64 & 1;
    }

    /// @return whether the set is empty
    bool IsEmpty() const
    {
        return m_words.empty();
    }

    std::vector<uint16_t> GetPorts() const; ///< @return the ports, lowest first

    /// @return number of 64-bit words needed, at least 1
    std::size_t GetNWords() const
    {
        return std::max<std::size_t>(m_words.size(), 1);
    }

    /// @return a word, the lowest port as lowest bit @param i the word of ports 64 i to 64 i + 63
    uint64_t GetWord(std::size_t i) const
    {
        return i < m_words.size() ? m_words[i] : 0;
    }

    /// Replaces a word. @param i its number @param bits bits of the ports 64 i to 64 i + 63
    void SetWord(std::size_t i, uint64_t bits);

    /// @return whether the sets are equal @param a,b the sets
    friend bool operator==(const PortSet& a, const PortSet& b)
    {
        return a.m_words == b.m_words;
    }

    /// @return whether the sets differ @param a,b the sets
    friend bool operator!=(const PortSet& a, const PortSet& b)
    {
        return !(a == b);
    }

  private:
    boost::container::small_vector<uint64_t, 1> m_words; ///< words of 64 ports; the last is not 0
};

/// @ingroup wormhole @brief Writes a set as one hexadecimal number.
/// @param os output stream
/// @param ports the set
/// @return os
std::ostream& operator<<(std::ostream& os, const PortSet& ports);

/// @ingroup wormhole @brief How a register combines two values.
enum class CollectiveOperation : uint8_t
{
    AND, ///< bitwise
    OR,  ///< bitwise
    ADD, ///< sum, modulo 2^width
    MIN, ///< the smaller one, unsigned
    MAX, ///< the larger one, unsigned
};

/// @param name AND, OR, ADD, MIN or MAX, in upper or lower case
/// @return the operation
/// @throws WormholeError if there is no such operation
CollectiveOperation ParseCollectiveOperation(const std::string& name);

/// @param operation the operation
/// @param a a value
/// @param b another value
/// @param widthBits width of both, 1 to 64 bits
/// @return the combined value, of the same width
uint64_t Combine(CollectiveOperation operation, uint64_t a, uint64_t b, uint32_t widthBits);

/// @ingroup wormhole
/// @brief A message to or from the collective engine of a switch (BTIN paper, Figures 4 and 5).
///
/// The message's sender determines its length on the wire, see InSwitchCollective.
struct CollectiveMessage
{
    /// Type name of its header.
    static constexpr const char* HEADER_NAME = "ns3::CollectiveMessageHeader";

    /// Message types.
    enum Type : uint8_t
    {
        REDUCTION,    ///< a member, or all members below a switch, have arrived
        DISTRIBUTION, ///< all members have arrived, or a broadcast's value is distributed
        SETUP,        ///< write a register
        RELEASE,      ///< free a register
        SAVE,         ///< move a register to a host, to make room for another group's
        FETCH,        ///< ask a host for a register that was moved to it
        RESTORE,      ///< write a moved register to the switch again
        SLOT,         ///< for a reduction slot, see SlotMessage
        GRANTED,      ///< answer to a SETUP in stage REQUESTED: the register is written
        REFUSED,      ///< answer to a SETUP in stage REQUESTED: no register is free
        KEEP_ALIVE,   ///< the register's group still needs it, see CollectiveUnit::Lease
    };

    /// Stage of a message: most stages are for registers that are, or were, in a host's memory.
    enum Stage : uint8_t
    {
        PLAIN,       ///< to or from a register in a switch
        TO_MEMORY,   ///< forwarded to the host that holds the register
        FROM_MEMORY, ///< from the register's host; the switch sends it to the register's children
        RETURNED,    ///< from the register's former host: the switch has the register again
        REQUESTED,   ///< a SETUP that the switch answers
    };

    /// No port: the parent of a register that is not set up.
    static constexpr uint16_t NO_PORT = UINT16_MAX;

    Type type{REDUCTION};                                    ///< message type
    uint16_t group{0};                                       ///< group identifier
    CollectiveOperation operation{CollectiveOperation::AND}; ///< SETUP, SAVE, RESTORE: operation
    uint8_t widthBits{1};                                    ///< SETUP, SAVE, RESTORE: value width
    uint16_t parent{NO_PORT}; ///< SETUP, SAVE, RESTORE: port towards the root; else: input port
    PortSet children;         ///< SETUP, SAVE, RESTORE: children's ports; FROM_MEMORY: output ports
    PortSet arrived;          ///< SAVE, RESTORE: ports at which arrivals have occurred
    uint64_t value{0};        ///< reduced or distributed value; SAVE, RESTORE: combined so far
    Stage stage{PLAIN};       ///< stage of the message
    uint32_t place{0};        ///< TO_MEMORY, REQUESTED and answers: number of the register's switch

    /// @return a message @param type,group,value its fields
    static CollectiveMessage Of(Type type, uint16_t group, uint64_t value = 0)
    {
        CollectiveMessage message;
        message.type = type;
        message.group = group;
        message.value = value;
        return message;
    }

    uint32_t GetHeaderBytes() const;          ///< @return length of its header, bytes
    void Write(Buffer::Iterator start) const; ///< Writes all fields. @param start destination
    void Read(Buffer::Iterator start);        ///< Reads all fields. @param start source
};

/// @ingroup wormhole @brief Prints a message.
/// @param os output stream
/// @param message the message
/// @return os
std::ostream& operator<<(std::ostream& os, const CollectiveMessage& message);

/// @ingroup wormhole
/// @brief A CollectiveMessage as a header: all fields in full bytes, 1 + 2 + 1 + 1 + 2 + 8 + 8 + 8
///        + 1 + 4 = 36 bytes; if a port is 64 or above, 2 bytes for a count n
///        and, for each of the two port sets, n more words of 8 bytes.
using CollectiveMessageHeader = MessageHeader<CollectiveMessage>;

/// @ingroup wormhole @brief A worm that carries a CollectiveMessage.
using CollectiveWorm = MessageWorm<CollectiveMessage, Worm::COLLECTIVE>;

/// @ingroup wormhole @brief A SETUP message that the receiving switch answers.
class RegisterRequest : public CollectiveWorm
{
  public:
    using CollectiveWorm::CollectiveWorm;

    Ptr<const WormRoute> back; ///< route of the answer
};

} // namespace ns3

#endif /* COLLECTIVE_MESSAGE_H */
