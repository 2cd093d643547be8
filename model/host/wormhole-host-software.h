// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_HOST_SOFTWARE_H
#define WORMHOLE_HOST_SOFTWARE_H

#include "wormhole-host-costs.h"
#include "wormhole-host-interface.h"
#include "wormhole-host-message.h"
#include "wormhole-host-processes.h"

#include "ns3/event-id.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class HostRetransmission;
class InterfaceTurns;
class MessagePackets;

/// @ingroup wormhole
/// @brief The costs of a host's software, and which process receives each message.
///
/// A host runs one process or more, each on a processor of its own; they share the
/// interface. A send keeps its process busy for the attributes StartUp and SendOverhead; a
/// receive keeps its process busy for ReceiveOverhead (not with RDMA). How messages are exchanged
/// determines further costs:
///
/// - send/receive: a descriptor per message at sender and receiver; at the receiver also matching
///   and, if the message came before its receive was posted, a copy;
/// - RDMA: posting at the sender; at the receiver only the poll that sees the write;
/// - flags in memory that processes of one host share: writing or detecting each flag.
///
/// The attribute Progress determines how collectives progress while a process computes.
///
/// A message of b bytes sent by send/receive also costs its sender 8 b / SendDataRate and its
/// receiver 8 b / ReceiveDataRate; within a host, each end copies instead (CopyTime, CopyDataRate).
/// A rate of 0 adds no time. A send/receive message longer than EagerLimit follows a handshake
/// (rendezvous): a request and its answer have RendezvousBytes each, but cost as much as empty
/// messages. A message enters the fabric as packets of at most MaxPacketBytes, each a worm with a
/// header of PacketHeaderBytes. If MaxPacketBytes is 0 and the fabric grants outputs to whole worms
/// (rule S11), packets are as long as the buffers permit.
///
/// A sent message occupies the host's interface for InterfaceSendTime, an arrived message for
/// InterfaceReceiveTime; the interface serves one message at a time, in order of request. A message
/// is sent at least MessageGap after the previous one. InterfaceSendTime, InterfaceReceiveTime and
/// MessageGap apply once per message, however many packets it has.
///
/// A host may have several interfaces, each a host of the fabric; InterfaceRule selects one to send
/// a message. From interface k, the message goes to the receiver's interface k, or to its first if
/// it has no k. Tree worms, and messages within a host or to registers, use the first interface.
///
/// With Retransmission, hosts send lost messages again (HostRetransmission). The network adapter
/// has a processor (GetAdapter), which can run collectives and shares the host's interfaces.
/// This object is aggregated to the host's interface, if there is one.
class HostSoftware : public Object, public HostCosts, public HostProcesses, public HostInterfaces
{
  public:
    /// How processes of one host exchange messages.
    enum class WithinHost : uint8_t
    {
        FLAGS,     ///< by flags in shared memory, without any message
        MEMORY,    ///< by messages through memory; each end copies (CopyTime, CopyDataRate)
        INTERFACE, ///< by messages that go through the interface to the switch and back
    };

    HostSoftware();
    ~HostSoftware() override;

    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    /// Installs this on a host. @param device the host's interface, the first if it has several
    void Install(Ptr<WormholeNetDevice> device);

    /// @param number the host's number, which names the host if it has no interface
    void SetNumber(uint32_t number)
    {
        m_number = number;
    }

    std::string GetProcessName(uint32_t task) const override;

    /// @return the network adapter's processor, made on first use: from then on, changes of the
    ///         attributes AdapterMessageTime and AdapterStepTime have no effect
    HostSoftware& GetAdapter();

    /// @return how long a process takes to hand a collective over to the adapter
    Time GetDoorbellTime() const
    {
        return m_doorbellTime;
    }

    /// @return how long a process takes to detect that the adapter has completed a collective
    Time GetCompletionTime() const
    {
        return m_completionTime;
    }

    /// Sends a message of the first process, after the start-up. @param worm the message
    /// @return how long until the process has handed the message to the interface
    Time Send(Ptr<Worm> worm);

    /// Keeps the first process busy with sending a message that the interface itself divides.
    /// @param bytes length of the message; 0 if unknown
    /// @return how long until the process has handed the message to the interface
    Time OccupySend(uint64_t bytes = 0)
    {
        const auto now = Simulator::Now();
        return Occupy(0, now, DrawSendCosts(bytes), Activity::SEND) - now;
    }

    /// Makes the first process receive a message that has arrived.
    /// @param bytes length of the message; 0 if unknown
    /// @return how long until the process is done, at least the receive overhead and jitter
    Time OccupyReceive(uint64_t bytes = 0)
    {
        const auto costs = DrawReceiveCosts(bytes);
        const auto now = Simulator::Now();
        const bool costsNothing = costs.GetTotal().IsZero() && m_interruptTime.IsZero();
        return costsNothing ? Time(0) : ChargeReceive(0, now, costs) - now;
    }

    /// @return how many sends of a process may be in progress at once
    uint32_t GetMaxConcurrentSends() const
    {
        return m_maxConcurrentSends;
    }

    /// Hands a message to an interface at a given time.
    /// @param worm the message
    /// @param time when, as simulated time; not in the past
    /// @param interface number of the interface
    void HandOver(Ptr<Worm> worm, Time time, uint32_t interface = 0);

    /// A message for an interface.
    struct Outgoing
    {
        HostMessage message;           ///< the message, whose length is at least 1 byte
        uint32_t addressBytes;         ///< bytes that a tree worm's addresses add to each packet
        Ptr<const WormRoute> route;    ///< the message's route
        uint32_t interface;            ///< number of the interface
        uint32_t destination;          ///< number of the receiver's host; ANYONE for a tree worm
        std::function<void()> left;    ///< called when the last worm's tail has left; may be empty
        ActivityRecorder::Id cause{0}; ///< activity that led to the message, if recorded
        /// Used by Retransmission only: a tree worm's receivers; null: only `destination` receives.
        Ptr<const Transmission> transmission{};
    };

    /// @return whether messages are sent again until acknowledged
    bool Retransmits() const
    {
        return m_retransmits;
    }

    /// Counts of messages since the start of the simulation.
    struct RetransmissionCounts
    {
        uint64_t retransmitted{0}; ///< messages sent again, counted each time
        uint64_t duplicates{0};    ///< messages dropped because they had arrived before
        uint64_t gaveUp{0};        ///< messages never acknowledged
    };

    /// @return the numbers of messages that this host sent again, dropped and gave up
    const RetransmissionCounts& GetRetransmissionCounts() const
    {
        return m_counts;
    }

    /// Called when a message to be acknowledged, or an acknowledgement, has arrived.
    /// @param worm the message
    /// @param take called with each message that is to be processed now
    void Acknowledge(const Ptr<const Worm>& worm,
                     const std::function<void(const Ptr<const Worm>&)>& take);

    /// @param gaveUp called with each message given up and the number of the receiver's host
    void SetGaveUpCallback(std::function<void(const HostMessage&, uint32_t)> gaveUp)
    {
        m_gaveUp = std::move(gaveUp);
    }

    /// Hands a message to its interface at a given time, divided into packets.
    /// @param outgoing the message; the current activity becomes its cause
    /// @param time when, as simulated time; not in the past
    /// @throws WormholeError if the message needs too many packets, or no packet fits into a lane
    void HandOverMessage(Outgoing outgoing, Time time);

    /// @param bytes length of a message
    /// @param addressBytes bytes that a tree worm's addresses add to each packet
    /// @return flits of all its packets together
    uint64_t GetFlits(uint64_t bytes, uint32_t addressBytes = 0) const;

    /// Like HostInterfaces::PassInterface; also records the activity, if activities are recorded.
    /// @tparam MESSAGE HostMessage or Worm
    /// @param direction whether it is sent or has arrived
    /// @param message the message
    /// @param cause activity that led to the message; set to the activity of passing the interface
    /// @param interface number of the interface
    /// @return how long until the interface is done
    template <typename MESSAGE>
    Time PassInterface(Direction direction,
                       const MESSAGE& message,
                       ActivityRecorder::Id& cause,
                       uint32_t interface = 0)
    {
        if (PassesAtOnce(direction))
        {
            return Time(0);
        }
        const auto bytes = GetBytes(message);
        const auto wait = HostInterfaces::PassInterface(direction, bytes, interface);
        if (GetActivities().IsRecording())
        {
            cause = GetActivities().PassInterface({this, interface},
                                                  GetProcessName(0),
                                                  Describe(message),
                                                  cause,
                                                  wait,
                                                  GetInterfaceTime(direction, bytes));
        }
        return wait;
    }

    /// Callback of the trace source Busy.
    /// @param task number of the process on this host
    /// @param from when the activity begins, now or later
    /// @param until when the activity ends
    /// @param activity what the process does
    typedef void (*BusyTracedCallback)(uint32_t task, Time from, Time until, Activity activity);

    /// Callback of the trace sources Retransmitted, Duplicate and GaveUp.
    /// @param message the message
    /// @param host number of the host at the message's other end
    typedef void (*MessageTracedCallback)(const HostMessage& message, uint32_t host);

  protected:
    void DoDispose() override;

  private:
    friend class HostRetransmission;
    using NewsTrace = SparseTracedCallback<const HostMessage&, uint32_t>;

    HostRetransmission& GetRetransmission(); ///< @return what retransmits messages
    void HandOverNext();                     ///< Hands over messages that are due.
    void HandOverNow(const Outgoing& outgoing);

    /// From now on, lets a message's worms take turns with other messages at an interface.
    /// @param flits length of the first worm @param make makes a worm, given its number from 0
    void AddInTurn(const Outgoing& outgoing,
                   uint64_t bytes,
                   uint64_t flits,
                   uint64_t nWorms,
                   std::function<std::pair<Ptr<Worm>, uint64_t>(uint64_t)> make);

    /// @return object to be notified of worms that leave an interface
    InterfaceTurns& WatchInterface(uint32_t interface);
    void NotifyLeft(Ptr<const Worm> worm); ///< A worm's tail has left.

    static uint64_t GetBytes(const HostMessage& message)
    {
        return message.bytes;
    }

    /// @return the packets into which a message is divided
    MessagePackets Cut(uint64_t bytes, uint32_t addressBytes) const;

    uint64_t GetBytes(const Worm& worm) const; ///< @return length of its message
    void Launch(Ptr<Worm> worm, Time wait, uint32_t interface, ActivityRecorder::Id cause) const;
    std::string Describe(const HostMessage& message) const;
    std::string Describe(const Worm& worm) const; ///< @return a worm's description

    CostByLength m_adapterMessageTime; ///< attribute AdapterMessageTime
    Time m_adapterStepTime;            ///< attribute AdapterStepTime
    Time m_doorbellTime;               ///< attribute DoorbellTime
    Time m_completionTime;             ///< attribute CompletionTime
    Ptr<HostSoftware> m_adapter;       ///< the adapter's processor, made on first use
    std::string m_name;                ///< the adapter's name; empty: named by port or number

    uint32_t m_maxPacketBytes{0};     ///< attribute MaxPacketBytes
    uint32_t m_packetHeaderBytes{0};  ///< attribute PacketHeaderBytes
    uint32_t m_maxConcurrentSends{1}; ///< attribute MaxConcurrentSends

    std::vector<Ptr<InterfaceTurns>> m_turns; ///< turns at watched interfaces, by interface
    std::multimap<Time, Outgoing> m_later;    ///< messages to be handed over, by time
    EventId m_nextLater;                      ///< hands over the first message of m_later
    Time m_lastAlone;                         ///< latest due time of messages not in m_later
    uint32_t m_number{0};                     ///< the host's number

    bool m_retransmits{false};                         ///< attribute Retransmission
    uint32_t m_maxRetransmissions{7};                  ///< attribute MaxRetransmissions
    uint32_t m_acknowledgementBytes{8};                ///< attribute AcknowledgementBytes
    Time m_retransmissionTimeout;                      ///< attribute RetransmissionTimeout
    std::unique_ptr<HostRetransmission> m_reliability; ///< null: nothing to acknowledge so far
    RetransmissionCounts m_counts;                     ///< counts of m_reliability
    std::function<void(const HostMessage&, uint32_t)> m_gaveUp; ///< called on giving up a message
    NewsTrace m_retransmittedTrace;                             ///< trace source Retransmitted
    NewsTrace m_duplicateTrace;                                 ///< trace source Duplicate
    NewsTrace m_gaveUpTrace;                                    ///< trace source GaveUp
};

} // namespace ns3

#endif /* WORMHOLE_HOST_SOFTWARE_H */
