// SPDX-License-Identifier: GPL-2.0-only

#ifndef GROUP_MESSAGES_H
#define GROUP_MESSAGES_H

#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-host-message.h"
#include "ns3/wormhole-host-software.h"

namespace ns3
{

/// @ingroup wormhole @brief Transfers messages between processes of a group over the network.
///
/// On the fabric the hosts' software divides messages into packets; on an ideal network messages
/// wait only for the hosts' interfaces. If a message needs a handshake, a request precedes it. The
/// receiver answers when ready (Answer). As soon as the sending process is idle, it handles the
/// answer and sends the message. Processes of one host can also use its memory: PassInMemory.
class GroupMessages : public SimpleRefCount<GroupMessages>
{
  public:
    virtual ~GroupMessages() = default;

    /// Receives a message of the group. @param host number of the host @param message the message
    void Receive(uint32_t host, const HostMessage& message);

    /// Detaches from the group: further messages are ignored.
    virtual void Stop()
    {
        m_group = nullptr;
    }

  protected:
    using Transport = HostSoftware::Transport; ///< how hosts' software exchanges messages
    using Direction = HostSoftware::Direction; ///< direction at an interface
    using Path = HostSoftware::Path;           ///< path between processes

    /// A message to be sent over the network.
    struct Parcel
    {
        HostMessage message{};        ///< the message, with its length
        uint32_t addressBytes{0};     ///< bytes that a tree worm's addresses add to each packet
        uint32_t nReceivers{1};       ///< number of receivers
        Ptr<const WormRoute> route{}; ///< route between interfaces 0 of hosts; null: ideal network
        Time flight{};                ///< flight time on an ideal network
        bool tellsLeft{false};        ///< whether the send returns once the message has left
        Ptr<const Transmission> transmission{}; ///< as in HostSoftware::Outgoing
    };

    /// @param group the group @param transport how its members exchange messages over the network
    GroupMessages(Collective& group, Transport transport);

    /// Sends a message. @param parcel the message
    /// @param end when the sender has finished its work on the message (handshake: on the request)
    /// @return number of calls of EndSend until the send returns; 0: it returns at `end`
    uint32_t SendParcel(Parcel parcel, Time end);

    /// Called when a process receives a message whose send returns only on receipt (isAwaited).
    /// @param message the message; only its sender and the fields that EndSend reads must be set
    /// @param rank the receiving member @param end when that member has received the message
    void NotifyTaken(const HostMessage& message, uint32_t rank, Time end)
    {
        GetSoftware(rank).ScheduleAt(GetTask(rank), end, this, &GroupMessages::ReturnSend, message);
    }

    /// Passes a message to the network, without a handshake.
    /// @param parcel the message @param leaves when the message leaves its sender's software
    void Carry(const Parcel& parcel, Time leaves);

    /// Passes a message to a process of the same host through its memory.
    /// @param message the message @param arrival when the message arrives
    void PassInMemory(const HostMessage& message, Time arrival);

    /// Answers a handshake's request. @param rank,to the answering and the requesting member
    /// @param request the request's number @param start when the member can start
    /// @return when the member has completed the answer
    Time Answer(uint32_t rank, uint32_t to, uint64_t request, Time start);

    /// @return value of the message that waits for a request's answer @param request the request
    uint64_t GetPendingValue(uint64_t request) const
    {
        return m_pending.at(request).parcel.message.value;
    }

    /// @return a member's costs, with jitter, of sending a message (handshake: only the request)
    /// @param rank the member @param bytes length of the message
    LatencyCosts DrawSendCosts(uint32_t rank, uint64_t bytes) const
    {
        auto& software = GetSoftware(rank);
        const auto now = software.NeedsHandshake(m_transport, bytes) ? 0 : bytes;
        return software.DrawSendCosts(m_transport, now);
    }

    /// @return the route between two members on a fabric; within a host: to its switch and back
    /// @param from,to sending and receiving member @param interface number of the interface at both
    Ptr<const WormRoute> FindRoute(uint32_t from, uint32_t to, uint32_t interface = 0) const;

    /// @return whether two members are on the same host @param a,b the members
    bool AreNeighbours(uint32_t a, uint32_t b) const
    {
        return m_processes[a].software == m_processes[b].software;
    }

    /// @return software that sends and receives a member's messages @param rank the member
    HostSoftware& GetSoftware(uint32_t rank) const
    {
        return *m_processes[rank].software;
    }

    /// @return a member's number on its host @param rank the member
    uint32_t GetTask(uint32_t rank) const
    {
        return m_processes[rank].task;
    }

    /// @return the group; null once Stop was called
    Collective* GetGroup() const
    {
        return m_group;
    }

    /// @return whether messages use the ideal network
    bool IsIdeal() const
    {
        return m_ideal;
    }

  private:
    struct Process
    {
        HostSoftware* software; ///< software that sends and receives the process's messages
        HostSoftware* host;     ///< software of the process's host, with the host's interfaces
        uint32_t task;          ///< number of the process on the host
    };

    /// A message that waits until its receivers have answered the handshake's request.
    struct Pending
    {
        Parcel parcel;
        uint32_t nMissing; ///< receivers that have not answered
    };

    virtual void Arrive(uint32_t host, const HostMessage& message) = 0;

    HostSoftware::SendReturn GetReturn(const HostMessage& message) const
    {
        return GetSoftware(message.from).GetSendReturn(message.bytes);
    }

    /// Called once a message, handed to its sender's interface at `start`, has left that interface.
    void NotifyLeft(const HostMessage& message, Time start, ActivityRecorder::Id cause);

    /// Makes a send return now, unless Stop was called.
    void ReturnSend(HostMessage message)
    {
        if (m_group)
        {
            EndSend(message, Simulator::Now());
        }
    }

    /// Called when a member's send returns (see SendParcel); the current activity is the cause.
    virtual void EndSend([[maybe_unused]] const HostMessage& message, [[maybe_unused]] Time end)
    {
    }

    /// @return software of a member's host, with the host's interfaces @param rank the member
    HostSoftware& GetInterfaces(uint32_t rank) const
    {
        return *m_processes[rank].host;
    }

    void TakeAnswer(uint32_t rank, uint64_t request);
    Time SendNow(const Parcel& parcel, Time start, uint64_t bytes); ///< @return end of the send

    uint32_t ChooseInterface(const HostMessage& message) const
    {
        auto& software = GetInterfaces(message.from);
        const bool takesFirst = software.GetNInterfaces() == 1 ||
                                message.to == HostMessage::ANYONE ||
                                AreNeighbours(message.from, message.to);
        return takesFirst ? 0 : software.ChooseInterface(m_group->GetHost(message.to));
    }

    // Stages on an ideal network: at the sender's interface, at the receiver's, and past it.
    void Pass(HostMessage message, Time flight, bool tellsLeft);
    void Reach(HostMessage message);

    void Deliver(HostMessage message)
    {
        if (m_group)
        {
            Receive(m_group->GetHost(message.to), message);
        }
    }

    Collective* m_group; ///< the group; null once Stop was called
    Transport m_transport;
    bool m_ideal;
    std::vector<Process> m_processes;      ///< by rank
    std::map<uint64_t, Pending> m_pending; ///< waiting messages, by request's number
    uint64_t m_nRequests{0};
};

} // namespace ns3

#endif /* GROUP_MESSAGES_H */
