// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_LATENCY_CAUSE_H
#define WORMHOLE_LATENCY_CAUSE_H

#include "ns3/nstime.h"

#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole @brief Causes of latency; each interval of a latency breakdown has one cause.
enum class LatencyCause : uint8_t
{
    // At hosts
    MEMBER_LATE,      ///< a member has not arrived yet
    START_UP,         ///< a host's software prepares a message to be sent (start-up)
    SEND_OVERHEAD,    ///< overhead of a send, including its descriptor
    COPY,             ///< a process copies a message's bytes
    RECEIVE_POST,     ///< a process posts a receive
    RECEIVE_OVERHEAD, ///< overhead of receiving a message, including matching
    UNEXPECTED_COPY,  ///< a message is copied since it came before its receive was posted
    POLL,             ///< a process polls for a remote write, or waits until it polls again
    JITTER,           ///< random extra time of a send or receive
    INTERRUPT,        ///< a computing process is interrupted
    COMPUTE,          ///< a process computes
    FLAG,             ///< a flag in shared memory is written or detected
    COMBINE,          ///< a process or a switch combines values
    BYTE_OVERHEAD,    ///< LogGOPS model: overhead O per byte of a message
    REGISTER_MEMORY,  ///< a host's software serves a barrier register in the host's memory
    ADAPTER,          ///< a process hands its adapter a collective, or sees the collective's end
    PAUSE,            ///< an algorithm waits as its schedule prescribes
    MEMORY_BUSY,      ///< the host's memory is busy: another process copies or combines
    SEND_RETURN,      ///< a process waits for a send to return: its message has not left yet
    // At interfaces
    RETRANSMISSION,  ///< a message was not acknowledged, and is sent again
    MESSAGE_LATENCY, ///< part of a message's latency that keeps nothing busy
    INTERFACE_BUSY,  ///< the interface is busy with another message or worm
    INTERFACE,       ///< the interface processes this message
    INTERFACE_DELAY, ///< delay t_r of an interface
    IN_TRANSIT,      ///< a host that relays a worm (rule S13) has not queued the worm yet
    // In the fabric
    WIRE,          ///< flits are transmitted, one per flit time
    PROPAGATION,   ///< propagation delay of a cable
    SWITCH_DELAY,  ///< delay t_r of a switch
    ROUTE_READ,    ///< a switch reads the last route byte of a flit
    OUTPUT,        ///< the worm's next output is held by another worm
    TURN,          ///< the output is free for this worm, but another worm goes first
    BUFFER_QUEUE,  ///< another worm is ahead in the buffer
    CREDIT,        ///< the next buffer is full of another worm's flits
    CREDIT_RETURN, ///< the credit for a slot that the worm's own flits used is on its way back
    OUTAGE,        ///< part of the fabric was down, or routes changed (rule S14)
    // Outside the fabric
    IDEAL_NETWORK,  ///< latency of an ideal network
    GAP,            ///< LogGOPS model: gap g between messages at an interface
    BYTE_GAP,       ///< LogGOPS model: gap G per byte of a message
    ADD_ON_NETWORK, ///< latency of an add-on network
    REGISTER,       ///< a barrier register or reduction slot waits for another child
    // No cause
    UNEXPLAINED, ///< no recorded cause
    N_CAUSES     ///< number of causes
};

/// @ingroup wormhole @brief Groups of causes; the latencies of a group's causes are summed.
enum class LatencyGroup : uint8_t
{
    HOST,      ///< hosts' software
    INTERFACE, ///< hosts' interfaces
    WIRE,      ///< transmission and propagation
    SWITCH,    ///< switch delays
    WAITING,   ///< waiting, for example for other worms or members
    OTHER      ///< networks other than the fabric; time without a recorded cause
};

/// @ingroup wormhole
/// @return the group of a cause @param cause the cause
LatencyGroup GetGroup(LatencyCause cause);

/// @ingroup wormhole
/// @return a cause's name, such as "output" @param cause the cause
const std::string& GetName(LatencyCause cause);

/// @ingroup wormhole
/// @return a description of a cause, such as "waiting for an output" @param cause the cause
const std::string& Describe(LatencyCause cause);

/// @ingroup wormhole
/// @brief Costs that keep a process busy, in order, with the causes that latency breakdowns name.
class LatencyCosts
{
  public:
    /// One cost.
    struct Cost
    {
        LatencyCause cause{LatencyCause::UNEXPLAINED}; ///< cause
        Time time;                                     ///< duration
    };

    LatencyCosts() = default; ///< No cost.

    /// A single cost without a known cause. @param time its duration
    LatencyCosts(Time time)
        : LatencyCosts(LatencyCause::UNEXPLAINED, time)
    {
    }

    /// A single cost. @param cause its cause @param time its duration
    LatencyCosts(LatencyCause cause, Time time)
    {
        Add(cause, time);
    }

    /// Appends a cost, unless it is zero. @param cause its cause @param time its duration
    /// @return this
    LatencyCosts& Add(LatencyCause cause, Time time)
    {
        if (!time.IsZero())
        {
            m_costs.push_back({cause, time});
        }
        return *this;
    }

    /// Appends costs. @param more the costs @return this
    LatencyCosts& Add(const LatencyCosts& more)
    {
        for (const auto& cost : more)
        {
            Add(cost.cause, cost.time);
        }
        m_memoryTime += more.m_memoryTime;
        return *this;
    }

    /// @return the time for which the costs occupy the memory that the host's processes share
    Time GetMemoryTime() const
    {
        return m_memoryTime;
    }

    /// @param time how long the costs occupy the memory that the host's processes share
    /// @return this
    LatencyCosts& SetMemoryTime(Time time)
    {
        m_memoryTime = time;
        return *this;
    }

    /// @return the sum of the costs @throws WormholeError if the sum exceeds TimeLimit::LATEST
    Time GetTotal() const;

    /// @return the first cost
    const Cost* begin() const
    {
        return m_costs.data();
    }

    /// @return the end of the costs: one past the last cost
    const Cost* end() const
    {
        return m_costs.data() + m_costs.size();
    }

  private:
    static constexpr std::size_t MOST = 8; ///< space for costs; in fact, seven occur at most

    boost::container::static_vector<Cost, MOST> m_costs; ///< in order
    Time m_memoryTime; ///< time for which the costs occupy the host's memory
};

} // namespace ns3

#endif /* WORMHOLE_LATENCY_CAUSE_H */
