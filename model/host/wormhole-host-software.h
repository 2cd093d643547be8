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
/// @brief What a host's software costs, and whom arriving messages are for.
///
/// A host runs one process or more (an SMP node's tasks), each on a processor of its own; they
/// share the interface. Sending a message keeps its process busy for the start-up time t_s, which
/// covers buffers, copies and setting up the interface, and the send overhead; receiving one for
/// the receive overhead. What a transport adds is told by GetMeanSendTime and GetMeanReceiveTime:
///
/// - send/receive: a descriptor for each message on either side, matching, and a copy where the
///   message came before its receive was posted;
/// - RDMA: posting at the sender; the target pays only for the poll that sees the write;
/// - flags in memory that processes of one host share, each on a cache line of its own.
///
/// While a process computes, Progress says how it does what it owes to collectives.
///
/// A message of b bytes keeps its sender busy for 8 b / SendDataRate longer and its receiver for
/// 8 b / ReceiveDataRate; in the memory of one host, both for 8 b / CopyDataRate. A rate of 0 costs
/// nothing. A send/receive message longer than EagerLimit begins with a handshake (rendezvous): a
/// request and its answer, messages of RendezvousBytes that cost what those of no length do. Into
/// the fabric a message goes as packets of at most MaxPacketBytes, each one worm with a header of
/// PacketHeaderBytes; where the fabric grants outputs to whole worms (S11), as long as fit the
/// buffers if MaxPacketBytes is 0.
///
/// A message occupies the interface, which is the host's, for InterfaceSendTime when it is sent and
/// for InterfaceReceiveTime when it has come, one at a time, in the order in which they ask. What
/// is sent also waits until MessageGap after the last message that was. Times are those of whole
/// messages, into however many packets they are cut.
///
/// A host may have several interfaces, each a host of the fabric; InterfaceRule says which of them
/// a message takes. It goes from the sender's k-th to the receiver's k-th, or to its first if it
/// has fewer. Tree worms, messages within the host and those to registers use the first.
///
/// With Retransmission, messages between hosts survive losses (HostRetransmission). The network
/// adapter has a processor of its own, GetAdapter, which can run collectives and shares the host's
/// interfaces. Aggregated to the host's interface; a host of an ideal network has none.
class HostSoftware : public Object, public HostCosts, public HostProcesses, public HostInterfaces
{
  public:
    /// How processes of one host exchange messages.
    enum class WithinHost : uint8_t
    {
        FLAGS,     ///< by flags in shared memory, without any message
        MEMORY,    ///< by messages whose software costs what it does between hosts
        INTERFACE, ///< as between hosts, through the interface and back
    };

    HostSoftware();
    ~HostSoftware() override;

    static TypeId GetTypeId(); ///< @brief Get the type ID. @return the object TypeId

    /// Runs on a host. @param device the host's interface, the first if it has several
    void Install(Ptr<WormholeNetDevice> device);

    /// @param number the host's number, for names where there is no interface
    void SetNumber(uint32_t number)
    {
        m_number = number;
    }

    std::string GetProcessName(uint32_t task) const override;

    /// @return what the network adapter's processor costs, once asked for: its messages and
    /// steps by the attributes Adapter...; it has no interface of its own
    HostSoftware& GetAdapter();

    /// @return how long a process takes to hand a collective over to the adapter
    Time GetDoorbellTime() const
    {
        return m_doorbellTime;
    }

    /// @return how long a process takes to see that the adapter has completed a collective
    Time GetCompletionTime() const
    {
        return m_completionTime;
    }

    /// Sends a message of the first process, after its start-up. @param worm the message
    /// @return how long until the start-up is over and the interface has it
    Time Send(Ptr<Worm> worm);

    /// Has the first process pay for a message that its interface will cut and send by itself.
    /// @param bytes length of the message, 0 where it is not known
    /// @return how long until the start-up is over and the interface has it
    Time OccupySend(uint64_t bytes = 0)
    {
        const auto now = Simulator::Now();
        return Occupy(0, now, DrawSendCosts(bytes), Activity::SEND) - now;
    }

    /// Has the first process take a message that has come.
    /// @param bytes length of the message, 0 where it is not known
    /// @return how long until it is done, the receive overhead and jitter at least
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

    /// Hands a message to the interface at a time. What others send until then goes first.
    /// @param worm the message
    /// @param time when, as simulated time; not in the past
    /// @param interface number of the interface
    void HandOver(Ptr<Worm> worm, Time time, uint32_t interface = 0);

    /// A message for an interface.
    struct Outgoing
    {
        HostMessage message;           ///< the message, with its length, at least 1
        uint32_t addressBytes;         ///< what the addresses of a tree worm add to each packet
        Ptr<const WormRoute> route;    ///< its route
        uint32_t interface;            ///< number of the interface
        uint32_t destination;          ///< number of the receiver's host; ANYONE of a tree worm
        std::function<void()> left;    ///< called when its last tail has left; may be empty
        ActivityRecorder::Id cause{0}; ///< what has led to it, where that is recorded
        /// Retransmission: of a tree worm, its receivers; null: the destination.
        Ptr<const Transmission> transmission{};
    };

    /// @return whether messages are sent again until they are acknowledged
    bool Retransmits() const
    {
        return m_retransmits;
    }

    /// How often something was done since the beginning.
    struct RetransmissionCounts
    {
        uint64_t retransmitted{0}; ///< messages sent again
        uint64_t duplicates{0};    ///< messages dropped that had come before
        uint64_t gaveUp{0};        ///< messages never acknowledged
    };

    /// @return what this host has sent again, dropped and given up
    const RetransmissionCounts& GetRetransmissionCounts() const
    {
        return m_counts;
    }

    /// A message that is to be acknowledged has come, or an acknowledgement.
    /// @param worm the message
    /// @param take called with each message that is to be taken now
    void Acknowledge(const Ptr<const Worm>& worm,
                     const std::function<void(const Ptr<const Worm>&)>& take);

    /// @param gaveUp called when a message is given up, with the number of the receiver's host
    void SetGaveUpCallback(std::function<void(const HostMessage&, uint32_t)> gaveUp)
    {
        m_gaveUp = std::move(gaveUp);
    }

    /// Hands a message to the interface at a time, cut into packets. Those that wait for their
    /// times are one event together, whatever their number.
    /// @param outgoing the message; the present activity is its cause
    /// @param time when, as simulated time; not in the past
    /// @throws WormholeError if it is cut into too many packets
    void HandOverMessage(Outgoing outgoing, Time time);

    /// @param bytes length of a message
    /// @param addressBytes what the addresses of a tree worm add to each packet
    /// @return flits of all its packets together
    uint64_t GetFlits(uint64_t bytes, uint32_t addressBytes = 0) const;

    /// A message asks for an interface now, as HostInterfaces::PassInterface, and is recorded.
    /// @tparam MESSAGE HostMessage or Worm
    /// @param direction whether it is sent or has come
    /// @param message the message
    /// @param cause what has led to it; set to the activity that ends when the interface is through
    /// @param interface number of the interface
    /// @return how long until it is
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
    /// @param from when it begins, now or later
    /// @param until when it is done
    /// @param activity what it does
    typedef void (*BusyTracedCallback)(uint32_t task, Time from, Time until, Activity activity);

    /// Callback of the trace sources Retransmitted, Duplicate and GaveUp.
    /// @param message the message
    /// @param host number of the other host
    typedef void (*MessageTracedCallback)(const HostMessage& message, uint32_t host);

  protected:
    void DoDispose() override;

  private:
    friend class HostRetransmission;
    using NewsTrace = SparseTracedCallback<const HostMessage&, uint32_t>;

    HostRetransmission& GetRetransmission(); ///< @return what sends messages again
    void HandOverNext();                     ///< Hands messages over whose time has come.
    void HandOverNow(const Outgoing& outgoing);

    /// Has the worms of a message share an interface in turn, from now on.
    /// @param flits length of the first @param make makes one, with the bytes in it
    void AddInTurn(const Outgoing& outgoing,
                   uint64_t bytes,
                   uint64_t flits,
                   uint64_t nWorms,
                   std::function<std::pair<Ptr<Worm>, uint64_t>(uint64_t)> make);

    /// @return who knows of worms that leave an interface
    InterfaceTurns& WatchInterface(uint32_t interface);
    void NotifyLeft(Ptr<const Worm> worm); ///< A worm's tail has left.

    static uint64_t GetBytes(const HostMessage& message)
    {
        return message.bytes;
    }

    /// @return the worms of a message
    MessagePackets Cut(uint64_t bytes, uint32_t addressBytes) const;

    uint64_t GetBytes(const Worm& worm) const; ///< @return length of its message, bytes
    void Launch(Ptr<Worm> worm, Time wait, uint32_t interface, ActivityRecorder::Id cause) const;
    std::string Describe(const HostMessage& message) const;
    std::string Describe(const Worm& worm) const; ///< @return as above

    CostByLength m_adapterMessageTime; ///< attribute
    Time m_adapterStepTime;            ///< attribute
    Time m_doorbellTime;               ///< attribute
    Time m_completionTime;             ///< attribute
    Ptr<HostSoftware> m_adapter;       ///< the adapter's processor, once asked for
    std::string m_name;                ///< the adapter's name; empty: that of its port or number

    uint32_t m_maxPacketBytes{0};     ///< attribute
    uint32_t m_packetHeaderBytes{0};  ///< attribute
    uint32_t m_maxConcurrentSends{1}; ///< attribute

    std::vector<Ptr<InterfaceTurns>> m_turns; ///< by interface, those watched
    std::multimap<Time, Outgoing> m_later;    ///< messages to be handed over, by time
    EventId m_nextLater;                      ///< hands over the first of them
    Time m_lastAlone;                         ///< when the last one is due that is not there
    uint32_t m_number{0};                     ///< the host's number

    bool m_retransmits{false};                         ///< attribute Retransmission
    uint32_t m_maxRetransmissions{7};                  ///< attribute
    uint32_t m_acknowledgementBytes{8};                ///< attribute
    Time m_retransmissionTimeout;                      ///< attribute
    std::unique_ptr<HostRetransmission> m_reliability; ///< null: nothing was to be acknowledged
    RetransmissionCounts m_counts;                     ///< what it did
    std::function<void(const HostMessage&, uint32_t)> m_gaveUp; ///< told when a message is given up
    NewsTrace m_retransmittedTrace;                             ///< trace source
    NewsTrace m_duplicateTrace;                                 ///< trace source
    NewsTrace m_gaveUpTrace;                                    ///< trace source
};

} // namespace ns3

#endif /* WORMHOLE_HOST_SOFTWARE_H */
