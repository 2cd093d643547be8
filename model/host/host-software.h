/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_SOFTWARE_H
#define HOST_SOFTWARE_H

#include "host-interface.h"
#include "host-message.h"

#include "ns3/activity-recorder.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/sparse-traced-callback.h"
#include "ns3/wormhole-net-device.h"

#include <cstdint>
#include <map>
#include <string>
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
 * the receive overhead. What a transport adds is told by GetMeanSendTime and GetMeanReceiveTime:
 *
 * - send/receive: a descriptor for each message on either side, matching, and a copy where the
 *   message came before its receive was posted;
 * - RDMA: posting at the sender; the target pays only for the poll that sees the write;
 * - flags in memory that processes of one host share, each on a cache line of its own.
 *
 * While a process computes, what it owes to collectives is done as Progress says: between its
 * computations only, by interrupting them, or by an engine that is no part of its processor.
 *
 * A message of b bytes keeps its sender busy for 8 b / SendDataRate longer and its receiver for
 * 8 b / ReceiveDataRate; in the memory of one host, both for 8 b / CopyDataRate. A rate of 0 costs
 * nothing. A send/receive message longer than EagerLimit begins with a handshake (rendezvous): a
 * request, which the receiver answers when it is ready, two messages of RendezvousBytes that cost
 * their processes what messages of no length do. Into the fabric a message goes as packets of at
 * most MaxPacketBytes, each one worm, and each with a header of PacketHeaderBytes; where the fabric
 * grants outputs to whole worms (S11), as long as fit the buffers if MaxPacketBytes is 0.
 *
 * The interface is the host's, not a process's: a message occupies it for InterfaceSendTime when
 * it is sent and for InterfaceReceiveTime when it has come, and it serves one message at a time, in
 * the order in which they ask. So messages of different processes wait for each other there. What
 * is sent also waits until MessageGap after the last message that was. Times at the interface are
 * those of whole messages, into however many packets they are cut.
 *
 * A host may have several interfaces, each a host of the fabric; InterfaceRule says which of them a
 * message takes. It goes from the sender's k-th to the receiver's k-th, or to its first if it has
 * fewer. Tree worms, messages within the host and what registers in switches are sent take the
 * first. Each interface serves messages on its own.
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

    /// How processes of one host exchange messages.
    enum class WithinHost : uint8_t
    {
        FLAGS,     ///< by flags in shared memory, without any message
        MEMORY,    ///< by messages whose software costs what it does between hosts
        INTERFACE, ///< as between hosts, through the interface and back
    };

    /// How a message gets from one process to another.
    enum class Path : uint8_t
    {
        NETWORK, ///< by the hosts' interfaces
        MEMORY,  ///< by the memory of one host
    };

    /// What a process is busy with.
    enum class Activity : uint8_t
    {
        SEND,    ///< sending messages
        RECEIVE, ///< taking a message
        POST,    ///< posting receives
        COPY,    ///< copying or combining data in memory
        COMPUTE, ///< what the program does besides
        OTHER,   ///< anything else that an algorithm has its host do
    };

    /// @return the name of an activity, such as "send" @param activity the activity
    static const std::string& GetActivityName(Activity activity);

    /// What a message does at an interface.
    enum class Direction : uint8_t
    {
        SENT,     ///< it leaves the host
        RECEIVED, ///< it has come
    };

    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    /// Runs on a host. @param device the host's interface, the first if it has several
    void Install(Ptr<WormholeNetDevice> device);

    /// Gives the host a further interface. @param device the interface, of the same fabric
    void AddInterface(Ptr<WormholeNetDevice> device)
    {
        m_interfaces.Add(std::move(device));
    }

    /// @return number of interfaces
    uint32_t GetNInterfaces() const
    {
        return m_interfaces.GetN();
    }

    /// Chooses the interface for the next message, by InterfaceRule.
    /// @param receiver number of the receiver's host
    /// @return its number, 0 for the first
    uint32_t ChooseInterface(uint32_t receiver)
    {
        return m_interfaces.Choose(receiver);
    }

    /// Sends a message of the first process, after its start-up.
    /// @param worm the message
    /// @return how long until the start-up is over and the interface has it
    Time Send(Ptr<Worm> worm);

    /// Has the first process pay for a message that its interface will cut and send by itself.
    /// @return how long until the start-up is over and the interface has it
    Time OccupySend();

    /// Keeps the first process busy with something else than sending.
    /// @param costs what it is, once what was begun before is done
    /// @return how long until it is done
    Time Occupy(const LatencyCosts& costs);

    /// Has the first process take a message that has come.
    /// @return how long until it is done, the receive overhead and jitter at least
    Time OccupyReceive();

    /// Keeps a process busy.
    /// @param task number of the process on this host
    /// @param from when it could begin, as simulated time
    /// @param costs what it is busy with, once what was begun before is done
    /// @param activity what it does
    /// @return when it is done, as simulated time
    Time Occupy(uint32_t task,
                Time from,
                const LatencyCosts& costs,
                Activity activity = Activity::OTHER);

    /**
     * Keeps a process busy with taking a message, which interrupts it if it computes and Progress
     * says so.
     * @param task number of the process on this host
     * @param from when it could begin, as simulated time
     * @param costs what taking it costs, the interrupt apart
     * @param activity what it does
     * @return when it is done, as simulated time
     */
    Time Take(uint32_t task, Time from, LatencyCosts costs, Activity activity = Activity::RECEIVE);

    /**
     * A process computes. In-call, it does nothing else meanwhile; interrupted, it takes longer by
     * what it does for collectives, see GetComputingUntil.
     * @param task number of the process on this host
     * @param duration how long it takes, once what was begun before is done
     * @return when it is done, if nothing interrupts it, as simulated time
     */
    Time Compute(uint32_t task, Time duration);

    /// @return what the attribute Progress accepts: in-call, interrupt and independent
    static const std::vector<std::string>& GetProgressNames();

    /// @return until when a process computes, or did, as simulated time @param task its number
    Time GetComputingUntil(uint32_t task) const
    {
        return m_computingUntil[task];
    }

    /// @param task number of the process on this host
    /// @return when a call for a collective made by now returns, unless another message comes
    /// before: at once, if an engine of its own does the rest, or else when the process has done
    /// what there is to do for now; as simulated time
    Time GetCallEnd(uint32_t task) const;

    /// @return until when a process is busy, as simulated time @param task number of the process
    Time GetBusyUntil(uint32_t task) const
    {
        return m_busyUntil[task];
    }

    /// @return number of what a process was busy with last, where that is recorded
    /// (ActivityRecorder)
    /// @param task number of the process on this host
    ActivityRecorder::Id GetLastActivity(uint32_t task = 0) const;

    /// Notes what a process was busy with last, if anything is recorded.
    /// @param task number of the process on this host
    /// @param id number of that
    void SetLastActivity(uint32_t task, ActivityRecorder::Id id) const;

    /// Notes that a process waits for a poll, if anything is recorded.
    /// @param task number of the process on this host
    /// @param from since when
    /// @param poll when the poll begins; nothing is noted where that is not later
    void WaitForPoll(uint32_t task, Time from, Time poll) const;

    /// @return name of a process, such as "h3", or "h3.1" for the second one
    /// @param task number of the process on this host
    std::string GetProcessName(uint32_t task) const;

    /// @param number the host's number, for names where there is no interface
    void SetNumber(uint32_t number)
    {
        m_number = number;
    }

    void AddTask(uint32_t task); ///< Has room for one more process. @param task its number

    /// Hands a message to the interface at a time. What others send until then goes first.
    /// @param worm the message
    /// @param time when, as simulated time; not in the past
    /// @param interface number of the interface
    void HandOver(Ptr<Worm> worm, Time time, uint32_t interface = 0);

    /**
     * Hands a message to the interface at a time, cut into packets. Those that wait for their times
     * are one event together, whatever their number.
     * @param message the message
     * @param bytes its length, at least 1
     * @param addressBytes what the addresses of a tree worm add to each packet
     * @param route its route
     * @param time when, as simulated time; not in the past
     * @param interface number of the interface
     * @throws WormholeError if it is cut into more than MAX_PACKETS
     */
    void HandOverMessage(const HostMessage& message,
                         uint64_t bytes,
                         uint32_t addressBytes,
                         const Ptr<const WormRoute>& route,
                         Time time,
                         uint32_t interface = 0);

    /// @param bytes length of a message
    /// @param addressBytes what the addresses of a tree worm add to each packet
    /// @return flits of all its packets together
    uint64_t GetFlits(uint64_t bytes, uint32_t addressBytes = 0) const;

    /// Most packets that a message may be cut into.
    static constexpr uint64_t MAX_PACKETS = 1U << 20;

    /// @param transport how a message is sent
    /// @param bytes its length
    /// @return whether it waits for its receiver before it goes
    bool NeedsHandshake(Transport transport, uint64_t bytes) const
    {
        return transport == Transport::SEND_RECEIVE && bytes > m_eagerLimit;
    }

    /// @return length of a handshake's messages, bytes
    uint32_t GetRendezvousBytes() const
    {
        return m_rendezvousBytes;
    }

    /// @return whether messages pass the interface without any wait
    /// @param direction whether they are sent or have come
    bool PassesAtOnce(Direction direction) const;

    /// @return how long a process takes to copy a message within the host @param bytes its length
    Time GetCopyTime(uint64_t bytes) const;

    /// @return how long a process takes to combine two vectors @param bytes length of one
    Time GetCombineTime(uint64_t bytes) const;

    /// A message asks for an interface now, behind those that asked before. One that does not
    /// occupy it waits for none.
    /// @param direction whether it is sent or has come
    /// @param interface number of the interface
    /// @return how long until the interface is through with it
    Time PassInterface(Direction direction, uint32_t interface = 0);

    /// As above; what leads to the end is recorded, if anything is.
    /// @param direction whether it is sent or has come
    /// @param message the message
    /// @param id set to the number of an activity that is over when the interface is through
    /// @param interface number of the interface
    /// @return how long until it is
    Time PassInterface(Direction direction,
                       const HostMessage& message,
                       ActivityRecorder::Id& id,
                       uint32_t interface = 0);

    /// As above.
    /// @param worm the message, which has come
    /// @param id set as above
    /// @param interface number of the interface
    /// @return as above
    Time PassInterface(const Worm& worm, ActivityRecorder::Id& id, uint32_t interface);

    /// @return how long a message occupies the interface
    /// @param direction whether it is sent or has come
    Time GetInterfaceTime(Direction direction) const
    {
        return direction == Direction::SENT ? m_interfaceSendTime : m_interfaceReceiveTime;
    }

    /// @return how long a process takes to register a buffer with the interface
    Time GetRegistrationTime() const
    {
        return m_registrationTime;
    }

    /// Draws what a send keeps its process busy with, s in all.
    /// @param transport how it is sent
    /// @param bytes length of the message; 0 for a message of a handshake
    /// @param path whether it goes by the network
    /// @return the costs, jitter included
    LatencyCosts DrawSendCosts(Transport transport, uint64_t bytes, Path path = Path::NETWORK);

    /**
     * Draws what taking a message keeps its process busy with, the host's part of r.
     * @param transport how it was sent
     * @param unexpected whether it came before its receive was posted
     * @param bytes length of the message; 0 for a message of a handshake
     * @param path whether it came by the network
     * @return the costs, jitter included
     */
    LatencyCosts DrawReceiveCosts(Transport transport,
                                  bool unexpected,
                                  uint64_t bytes,
                                  Path path = Path::NETWORK);

    /// @return what writing a flag that processes of one host share costs, or seeing it, and
    /// copying what goes with it
    /// @param bytes length of that
    LatencyCosts GetFlagCosts(uint64_t bytes = 0) const;

    /// @return how long a message keeps both its sender and its receiver busy
    /// @param transport how it is sent; an RDMA write is moved by the interfaces alone
    Time GetTransferTime(Transport transport) const
    {
        return transport == Transport::SEND_RECEIVE ? m_transferTime : Time(0);
    }

    /// @return time to post a receive @param transport how messages are sent
    Time GetReceivePostTime(Transport transport) const
    {
        return transport == Transport::SEND_RECEIVE ? m_descriptorTime : Time(0);
    }

    /// @param task number of the process on this host
    /// @param posted when it began to wait for a write
    /// @param from when the write could be seen
    /// @return when the poll begins that sees it
    Time GetNextPoll(uint32_t task, Time posted, Time from) const;

    /// @return time to write or see a flag in shared memory
    Time GetFlagTime() const
    {
        return m_flagTime;
    }

    /// @return how many sends of a process may be in progress at once
    uint32_t GetPorts() const
    {
        return m_ports;
    }

    /// @return messages sent over the network so far, each for a start-up
    uint64_t GetSends() const
    {
        return m_nSends;
    }

    /// @return messages from the network taken so far
    uint64_t GetReceives() const
    {
        return m_nReceives;
    }

    /// @return the start-up time t_s
    Time GetStartUp() const
    {
        return m_startUp;
    }

    /// @return the least time between the starts of two messages that the interface sends
    Time GetMessageGap() const
    {
        return m_messageGap;
    }

    /// @return the time that a send keeps its process busy, without jitter
    /// @param transport how
    /// @param bytes length of the message; 0 for a message of a handshake
    /// @param path whether it goes by the network
    Time GetMeanSendTime(Transport transport, uint64_t bytes, Path path = Path::NETWORK) const;

    /// @return the time that an expected message keeps its receiver busy, without jitter
    /// @param transport how it was sent
    /// @param bytes length of the message; 0 for a message of a handshake
    /// @param path whether it came by the network
    Time GetMeanReceiveTime(Transport transport, uint64_t bytes, Path path = Path::NETWORK) const;

    /// @return one of the host's interfaces; null on an ideal network @param interface its number
    Ptr<WormholeNetDevice> GetDevice(uint32_t interface = 0) const;

    /// Names who takes the messages of a kind that arrive at this host.
    /// @param kind Worm::MESSAGE or Worm::COLLECTIVE
    /// @param receiver who takes them
    void SetReceiver(Worm::Kind kind, Receiver receiver);

    /// Names who takes the messages of a kind, as WormholeNetDevice::SetHostReceiver.
    /// @param kind Worm::MESSAGE or Worm::COLLECTIVE
    /// @param receiver who takes them, from this and other hosts
    void SetHostReceiver(Worm::Kind kind, WormholeNetDevice::HostReceiver receiver);

    /// Fixes the streams of the jitter's random numbers.
    /// @param stream first stream to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// Callback of the trace source Busy.
    /// @param task number of the process on this host
    /// @param from when it begins, now or later
    /// @param until when it is done
    /// @param activity what it does
    typedef void (*BusyTracedCallback)(uint32_t task, Time from, Time until, Activity activity);

  protected:
    void DoDispose() override;

  private:
    /// Who does what a process that computes owes to collectives.
    enum class Progress : uint8_t
    {
        IN_CALL,     ///< the process, when it does not compute
        INTERRUPT,   ///< the process, which is interrupted
        INDEPENDENT, ///< an engine of its own
    };

    /// Sets the attribute InterfaceRule. @param name first, round-robin or by-destination
    void SetInterfaceRule(std::string name)
    {
        m_interfaces.SetRule(name);
    }

    /// @return the attribute InterfaceRule
    std::string GetInterfaceRule() const
    {
        return m_interfaces.GetRule();
    }

    /// Sets the attribute Progress. @param name in-call, interrupt or independent
    void SetProgress(std::string name);

    std::string GetProgress() const;

    /// @return how long a message's length keeps a process busy
    Time GetLengthTime(Transport transport, uint64_t bytes, Path path, DataRate rate) const;

    LatencyCosts GetSendCosts(Transport transport, uint64_t bytes, Path path, Time jitter) const;

    /// @return what taking an expected message costs
    LatencyCosts GetReceiveCosts(Transport transport, uint64_t bytes, Path path, Time jitter) const;

    /// A message with all that HandOverMessage is told of it, but for the time.
    struct LaterMessage
    {
        HostMessage message;        ///< the message
        uint64_t bytes;             ///< its length
        uint32_t addressBytes;      ///< what addresses add to each packet
        uint32_t interface;         ///< number of the interface
        Ptr<const WormRoute> route; ///< its route
        ActivityRecorder::Id cause; ///< what has led to it, where that is recorded
    };

    void HandOverNext(); ///< Hands messages over whose time has come.

    /// Hands a message, or its packets, to the interface now.
    void HandOverNow(const LaterMessage& message);

    /// Notes that a message asks for an interface now.
    /// @param wait how long until the interface is through with it
    /// @return number of an activity that is over then; NONE if nothing is recorded
    ActivityRecorder::Id RecordPassing(Direction direction,
                                       const std::string& message,
                                       uint32_t interface,
                                       Time from,
                                       Time wait) const;

    /// RecordPassing of a message to be sent. @param worm the message, or its first packet
    ActivityRecorder::Id RecordSending(const Worm& worm,
                                       uint32_t interface,
                                       Time from,
                                       Time wait) const;

    /// Notes that a worm is handed to an interface.
    static void RecordLaunch(const Worm& worm, ActivityRecorder::Id cause, Time time);

    /// @return most bytes of a message that a packet takes
    uint64_t GetPacketBytes(uint32_t addressBytes) const;

    /// @return number of packets that a message is cut into
    uint64_t GetNPackets(uint64_t bytes, uint32_t addressBytes) const;

    /// @return length of one of a message's packets, flits @param bytes the message's length
    uint64_t GetPacketFlits(uint64_t bytes, uint32_t addressBytes, uint64_t packet) const;

    static Time Draw(const Ptr<RandomVariableStream>& jitter); ///< @return a delay drawn

    Time m_startUp;                            ///< attribute
    Time m_sendOverhead;                       ///< attribute
    Time m_receiveOverhead;                    ///< attribute
    Time m_transferTime;                       ///< attribute
    Time m_matchingTime;                       ///< attribute
    Time m_descriptorTime;                     ///< attribute
    Time m_unexpectedTime;                     ///< attribute
    Time m_postTime;                           ///< attribute
    Time m_pollInterval;                       ///< attribute
    Time m_pollTime;                           ///< attribute
    Time m_flagTime;                           ///< attribute
    Time m_interfaceSendTime;                  ///< attribute
    Time m_interfaceReceiveTime;               ///< attribute
    Time m_registrationTime;                   ///< attribute
    DataRate m_sendDataRate;                   ///< attribute
    DataRate m_receiveDataRate;                ///< attribute
    DataRate m_copyDataRate;                   ///< attribute
    DataRate m_combineDataRate;                ///< attribute
    Time m_messageGap;                         ///< attribute
    uint32_t m_eagerLimit{UINT32_MAX};         ///< attribute
    uint32_t m_rendezvousBytes{1};             ///< attribute
    uint32_t m_maxPacketBytes{0};              ///< attribute
    uint32_t m_packetHeaderBytes{0};           ///< attribute
    uint32_t m_ports{1};                       ///< attribute
    Ptr<RandomVariableStream> m_sendJitter;    ///< attribute
    Ptr<RandomVariableStream> m_receiveJitter; ///< attribute

    Progress m_progress{Progress::IN_CALL}; ///< attribute
    Time m_interruptTime;                   ///< attribute

    std::vector<Time> m_busyUntil{Time(0)};      ///< by process; independent: its engine
    std::vector<Time> m_computingUntil{Time(0)}; ///< by process
    HostInterfaces m_interfaces;                 ///< the host's; attribute InterfaceRule
    std::multimap<Time, LaterMessage> m_later;   ///< messages to be handed over, by time
    EventId m_nextLater;                         ///< hands over the first of them
    Time m_lastAlone;                            ///< when the last one is due that is not there
    uint32_t m_number{0};                        ///< the host's number
    uint64_t m_nSends{0};                        ///< messages sent over the network
    uint64_t m_nReceives{0};                     ///< messages from the network taken

    SparseTracedCallback<uint32_t, Time, Time, Activity> m_busyTrace; ///< trace source Busy
};

} // namespace ns3

#endif /* HOST_SOFTWARE_H */
