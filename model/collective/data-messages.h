// SPDX-License-Identifier: GPL-2.0-only

#ifndef DATA_MESSAGES_H
#define DATA_MESSAGES_H

#include "group-messages.h"

namespace ns3
{

/// @ingroup wormhole
/// @brief Data messages between the members of a group: counts the messages that each member has
///        sent and received; optionally, the receiver's software acknowledges each message.
///
/// A message between members on one host is a flag in memory, and both processes copy its data. A
/// message counts as sent when Send is called, and as received when the receiver's software has
/// processed it. Each process spends the times of HostSoftware on messages and acknowledgements.
///
/// A message is acknowledged when its receiver has processed it. With Setting::answers, the answers
/// that the receiver sends while processing it must be acknowledged first (Dijkstra and Scholten,
/// 1980). When all messages of a process are acknowledged, no answer that they caused is in flight.
class DataMessages : public GroupMessages
{
  public:
    /// Is notified when messages are processed or acknowledged.
    class Client
    {
      public:
        virtual ~Client() = default;

        /// Called when a member processes a message; messages that it sends meanwhile are answers.
        /// @param to,from ranks of the member and the sender @param bytes length of the message
        /// @param latency time since the message was sent
        virtual void ReceiveData(uint32_t to, uint32_t from, uint32_t bytes, Time latency) = 0;

        /// Called when GetUnacknowledged becomes 0 for a member. @param rank the member
        virtual void ReceiveLastAcknowledgement(uint32_t rank) = 0;

        virtual void NotifyQuiet() = 0; ///< Called when no message or acknowledgement is in flight.
    };

    /// Parameters.
    struct Setting
    {
        HostSoftware::Transport transport; ///< how members on different hosts exchange messages
        bool acknowledged;                 ///< whether messages are acknowledged
        bool answers;      ///< whether a message is acknowledged only after its answers are
        uint32_t ackBytes; ///< length of an acknowledgement, bytes
    };

    /// @param group the group, which must call Stop by the time that the group is disposed of
    /// @param client the client, usually the group itself
    /// @param setting parameters
    DataMessages(Collective& group, Client& client, const Setting& setting);

    /// Sends a message. @param from,to ranks of the sender and receiver, which differ
    /// @param bytes length including header, 1 to MAX_BYTES
    void Send(uint32_t from, uint32_t to, uint32_t bytes);

    /// @return number of messages that a member has sent @param rank the member
    uint64_t GetSent(uint32_t rank) const
    {
        return m_members.at(rank).sent;
    }

    /// @return number of messages that a member has received @param rank the member
    uint64_t GetReceived(uint32_t rank) const
    {
        return m_members.at(rank).received;
    }

    /// @return number of a member's unacknowledged messages, except answers @param rank the member
    uint64_t GetUnacknowledged(uint32_t rank) const
    {
        return m_members.at(rank).unacknowledged;
    }

    /// @return number of messages that were sent but are not yet received
    uint64_t GetNUnderWay() const
    {
        return m_nSent - m_nReceived;
    }

    /// @return whether no message or acknowledgement is in flight
    bool IsQuiet() const
    {
        return GetNUnderWay() == 0 && m_records.empty();
    }

    /// @return the member that is processing a message; NOBODY if none
    uint32_t GetReceiver() const
    {
        return m_taker;
    }

    static constexpr uint32_t NOBODY = UINT32_MAX;        ///< no member
    static constexpr uint32_t MAX_BYTES = (1U << 31) - 1; ///< maximum length of a message, bytes

  private:
    /// The bit of a message's tag that marks an acknowledgement; the other bits hold a length.
    static constexpr uint32_t ACK = 1U << 31;

    struct Member
    {
        uint64_t sent{0};
        uint64_t received{0};
        uint64_t unacknowledged{0}; ///< unacknowledged messages, except answers
    };

    /// The state of a message at both ends until it is acknowledged.
    struct Record
    {
        uint32_t from{0};
        uint32_t to{0};
        uint64_t answered{0}; ///< at the sender: number of the message that it answers; 0: none
        uint32_t open{0};     ///< at the receiver: number of unacknowledged answers
        bool isTaken{false};  ///< at the receiver: whether it was processed
    };

    void Launch(const HostMessage& message); ///< Sends a message or acknowledgement.
    void Arrive(uint32_t host, const HostMessage& message) override;

    uint32_t GetBytes(const HostMessage& message) const
    {
        return message.tag & ACK ? m_setting.ackBytes : message.tag;
    }

    void Take(HostMessage message); ///< The receiver's software has processed a message.

    /// Acknowledges a message, unless it is unprocessed or has unacknowledged answers.
    void Acknowledge(uint64_t id);
    void TakeAcknowledgement(uint64_t id);

    Client* m_client;
    Setting m_setting;
    std::vector<Member> m_members; ///< by rank
    uint64_t m_nSent{0};           ///< messages sent; also the number of the last one
    uint64_t m_nReceived{0};
    std::map<uint64_t, Record> m_records; ///< unacknowledged messages, by number
    uint32_t m_taker{NOBODY};             ///< the member that is processing a message
    uint64_t m_taken{0};
};

} // namespace ns3

#endif /* DATA_MESSAGES_H */
