/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_LATENCY_CAUSE_H
#define WORMHOLE_LATENCY_CAUSE_H

#include "ns3/nstime.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief What a latency is spent on, one interval after the other.
enum class LatencyCause : uint8_t
{
    // At hosts
    MEMBER_LATE,      ///< a member had not come yet
    START_UP,         ///< start-up of a send
    SEND_OVERHEAD,    ///< overhead of a send, its descriptor included
    COPY,             ///< a message's bytes are copied by a process
    RECEIVE_POST,     ///< a receive is posted
    RECEIVE_OVERHEAD, ///< overhead of taking a message, matching included
    UNEXPECTED_COPY,  ///< a message came before its receive was posted
    POLL,             ///< the poll that sees a write, or the wait for it
    JITTER,           ///< random extra time of a send or a receive
    INTERRUPT,        ///< a process that computes is interrupted
    COMPUTE,          ///< a process computes, or searches
    FLAG,             ///< a flag in shared memory is written or seen
    COMBINE,          ///< a process or a switch combines values
    BYTE_OVERHEAD,    ///< LogGOPS: overhead of a message's bytes, O
    REGISTER_MEMORY,  ///< a host's software serves a register in its memory
    PAUSE,            ///< an algorithm waits by its own schedule
    MEMORY_BUSY,      ///< the host's memory copies or combines for another process
    SEND_RETURN,      ///< a send has not returned: its message has not left
    // At interfaces
    MESSAGE_LATENCY, ///< a message's latency that occupies nobody
    INTERFACE_BUSY,  ///< the interface is busy with another message or worm
    INTERFACE,       ///< the interface is occupied by this message
    INTERFACE_DELAY, ///< delay of an interface, t_r
    IN_TRANSIT,      ///< a host passes a worm on (S13): until it is put into the queue
    // In the fabric
    WIRE,          ///< flits start one after the other, each for a flit time
    PROPAGATION,   ///< propagation delay of a cable
    SWITCH_DELAY,  ///< delay of a switch, t_r
    ROUTE_READ,    ///< a switch reads the last route byte of a flit
    OUTPUT,        ///< an output is held by another worm
    TURN,          ///< another worm has its turn first at an output that is free for this one
    BUFFER_QUEUE,  ///< another worm is before it in the buffer
    CREDIT,        ///< the next buffer is full of another worm
    CREDIT_RETURN, ///< a credit of the worm's own flits comes back
    // Beside the fabric
    IDEAL_NETWORK,  ///< an ideal network takes its latency
    GAP,            ///< LogGOPS: a message keeps an interface busy, g
    BYTE_GAP,       ///< LogGOPS: its bytes do, G
    ADD_ON_NETWORK, ///< an add-on network does
    REGISTER,       ///< a register or slot waits for another child
    // None
    UNEXPLAINED, ///< nothing that is recorded
    N_CAUSES     ///< number of causes
};

/// @ingroup wormhole
/// @brief Causes that are summed up together.
enum class LatencyGroup : uint8_t
{
    HOST,      ///< hosts' software
    INTERFACE, ///< hosts' interfaces
    WIRE,      ///< flits and propagation
    SWITCH,    ///< delays of switches
    WAITING,   ///< for other worms and members
    OTHER,     ///< networks that are no fabric
    N_GROUPS   ///< number of groups
};

/// @ingroup wormhole
/// @return the group that a cause belongs to
/// @param cause the cause
LatencyGroup GetGroup(LatencyCause cause);

/// @ingroup wormhole
/// @return a cause's name, such as "output"
/// @param cause the cause
const std::string& GetName(LatencyCause cause);

/// @ingroup wormhole
/// @return a cause in words, such as "waiting for an output"
/// @param cause the cause
const std::string& Describe(LatencyCause cause);

/// @ingroup wormhole
/// @brief What keeps a process busy, cause by cause, in the order in which it is spent. The process
/// is charged their sum, and what explains a latency names each of them.
class LatencyCosts
{
  public:
    /// One cost.
    struct Cost
    {
        LatencyCause cause{LatencyCause::UNEXPLAINED}; ///< what it is
        Time time;                                     ///< how long it takes
    };

    LatencyCosts() = default; ///< Nothing at all.

    /// A time of which nobody says what it is. @param time how long it takes
    LatencyCosts(Time time)
        : LatencyCosts(LatencyCause::UNEXPLAINED, time)
    {
    }

    /// A single cost. @param cause what it is @param time how long it takes
    LatencyCosts(LatencyCause cause, Time time)
    {
        Add(cause, time);
    }

    /// Adds a cost behind all others; none without time.
    /// @param cause what it is
    /// @param time how long it takes
    /// @return this
    LatencyCosts& Add(LatencyCause cause, Time time)
    {
        if (!time.IsZero())
        {
            assert(m_size < m_costs.size());
            m_costs[m_size++] = {cause, time};
        }
        return *this;
    }

    /// Adds a cost before all others; none without time.
    /// @param cause what it is
    /// @param time how long it takes
    /// @return this
    LatencyCosts& AddFirst(LatencyCause cause, Time time)
    {
        if (!time.IsZero())
        {
            Add(cause, time);
            std::rotate(m_costs.begin(), m_costs.begin() + m_size - 1, m_costs.begin() + m_size);
        }
        return *this;
    }

    /// Adds costs behind all others. @param more these @return this
    LatencyCosts& Add(const LatencyCosts& more)
    {
        for (const auto& cost : more)
        {
            Add(cost.cause, cost.time);
        }
        m_memoryTime += more.m_memoryTime;
        return *this;
    }

    /// @return how long they take of the memory that the host's processes share
    Time GetMemoryTime() const
    {
        return m_memoryTime;
    }

    /// @param time how long they take of the memory that the host's processes share
    /// @return this
    LatencyCosts& SetMemoryTime(Time time)
    {
        m_memoryTime = time;
        return *this;
    }

    /// @return their sum @throws WormholeError if it is later than the latest time
    Time GetTotal() const;

    /// @return the first cost
    const Cost* begin() const
    {
        return m_costs.data();
    }

    /// @return the end of all
    const Cost* end() const
    {
        return m_costs.data() + m_size;
    }

  private:
    static constexpr std::size_t MOST = 8; ///< a send has five, taking and combining seven

    std::array<Cost, MOST> m_costs; ///< in order
    std::size_t m_size{0};          ///< how many there are
    Time m_memoryTime;              ///< how long they take of the host's memory
};

} // namespace ns3

#endif /* WORMHOLE_LATENCY_CAUSE_H */
