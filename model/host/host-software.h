/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_SOFTWARE_H
#define HOST_SOFTWARE_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/wormhole-net-device.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a host's software costs, and whom arriving messages are for.
 *
 * A host runs one process or more (an SMP node's tasks), each on a processor of its own; they
 * share the interface. Sending a message keeps its process busy for the start-up time t_s, which
 * covers buffers, copies and setting up the interface, and the send overhead; receiving one for
 * the receive overhead. What a transport adds is told by SendTime and ReceiveTime:
 *
 * - send/receive: a descriptor for each message on either side, matching, and a copy where the
 *   message came before its receive was posted;
 * - RDMA: posting at the sender; the target pays only for the poll that sees the write;
 * - flags in memory that processes of one host share, each on a cache line of its own.
 *
 * Every host has attributes of its own. Random extra delays are drawn from SendJitter and
 * ReceiveJitter. Aggregated to the host's interface; a host of an ideal network has none.
 */
class HostSoftware : public Object
{
  public:
    /// Takes the messages of one group; argument: the worm.
    typedef Callback<void, Ptr<const Worm>> Receiver;

    /// How processes of different hosts exchange messages.
    enum class Transport : uint8_t
    {
        SEND_RECEIVE, ///< by messages that are matched with receives
        RDMA,         ///< by writes into the receiver's memory, which it polls
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Runs on a host.
     * @param device the host's interface
     */
    void Install(Ptr<WormholeNetDevice> device);

    /**
     * Sends a message of the first process, after its start-up.
     * @param worm the message
     * @return how long until the start-up is over and the interface has it
     */
    Time Send(Ptr<Worm> worm);

    /**
     * Keeps the first process busy with something else than sending.
     * @param duration how long it takes, once what was begun before is done
     * @return how long until it is done
     */
    Time Occupy(Time duration);

    /**
     * Has the first process take a message that has come.
     * @return how long until it is done, the receive overhead and jitter at least
     */
    Time OccupyReceive();

    /**
     * Keeps a process busy.
     * @param task number of the process on this host
     * @param from when it could begin, as simulated time
     * @param duration how long it takes, once what was begun before is done
     * @return when it is done, as simulated time
     */
    Time Occupy(uint32_t task, Time from, Time duration);

    /// @return until when a process is busy, as simulated time @param task number of the process
    Time GetBusyUntil(uint32_t task) const;

    /// Has room for one more process. @param task its number
    void AddTask(uint32_t task);

    /**
     * Hands a message to the interface; in order of time, whichever processes they are from.
     * @param worm the message
     * @param time when, as simulated time; not in the past
     */
    void HandOver(Ptr<Worm> worm, Time time);

    /**
     * Draws how long a send keeps its process busy.
     * @param transport how it is sent
     * @return s, jitter included
     */
    Time SendTime(Transport transport);

    /**
     * Draws how long taking a message keeps its process busy.
     * @param transport how it was sent
     * @param unexpected whether it came before its receive was posted
     * @return the host's part of r, jitter included
     */
    Time ReceiveTime(Transport transport, bool unexpected);

    /// @return time to post a receive @param transport how messages are sent
    Time GetReceivePostTime(Transport transport) const;

    /// @return time between the starts of two polls; 0: one poll follows the other
    Time GetPollInterval() const;

    /// @return time to write or see a flag in shared memory
    Time GetFlagTime() const;

    /// @return how many sends of a process may be in progress at once
    uint32_t GetPorts() const;

    /// @return the start-up time t_s
    Time GetStartUp() const;

    /// @return the time that a send keeps its process busy, without jitter @param transport how
    Time GetMeanSendTime(Transport transport) const;

    /// @return the time that an expected message keeps its receiver busy, without jitter
    /// @param transport how it was sent
    Time GetMeanReceiveTime(Transport transport) const;

    /// @return the host's interface; null on an ideal network
    Ptr<WormholeNetDevice> GetDevice() const;

    /**
     * Names who takes the messages of a kind that arrive at this host.
     * @param kind Worm::MESSAGE or Worm::COLLECTIVE
     * @param receiver who takes them
     */
    void SetReceiver(Worm::Kind kind, Receiver receiver);

    /**
     * Names who takes the messages of a kind, as WormholeNetDevice::SetHostReceiver.
     * @param kind Worm::MESSAGE or Worm::COLLECTIVE
     * @param receiver who takes them, from this and other hosts
     */
    void SetHostReceiver(Worm::Kind kind, WormholeNetDevice::HostReceiver receiver);

    /**
     * Fixes the streams of the jitter's random numbers.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /// @return a delay drawn @param jitter where from; may be null
    static Time Draw(const Ptr<RandomVariableStream>& jitter);

    Time m_startUp;                            ///< attribute
    Time m_sendOverhead;                       ///< attribute
    Time m_receiveOverhead;                    ///< attribute
    Time m_matchingTime;                       ///< attribute
    Time m_descriptorTime;                     ///< attribute
    Time m_unexpectedTime;                     ///< attribute
    Time m_postTime;                           ///< attribute
    Time m_pollInterval;                       ///< attribute
    Time m_pollTime;                           ///< attribute
    Time m_flagTime;                           ///< attribute
    uint32_t m_ports{1};                       ///< attribute
    Ptr<RandomVariableStream> m_sendJitter;    ///< attribute
    Ptr<RandomVariableStream> m_receiveJitter; ///< attribute

    std::vector<Time> m_busyUntil{Time(0)}; ///< by process
    Time m_lastHandOver;                    ///< when the interface got its last message
    Ptr<WormholeNetDevice> m_device;        ///< the host's interface
};

} // namespace ns3

#endif /* HOST_SOFTWARE_H */
