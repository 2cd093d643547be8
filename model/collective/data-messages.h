/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_MESSAGES_H
#define DATA_MESSAGES_H

#include "group-messages.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Messages of data between the members of a group, each of which counts those that it has
 *        sent and received; acknowledged by the receiver's software, if asked for.
 *
 * Between members of one host a message is a flag in memory, and is copied at either end. It counts
 * as sent when Send is called, and as received when the receiver's software is through with it.
 * Sending and receiving cost the two processes what their hosts' software says; so does an
 * acknowledgement.
 *
 * A message is acknowledged when it has been taken and all answers to it, which its receiver sends
 * while it takes the message, have been acknowledged (Dijkstra and Scholten, 1980). So a process
 * whose own messages are acknowledged knows that nothing that followed from them is under way.
 */
class DataMessages : public GroupMessages
{
  public:
    /// Who is told.
    class Client
    {
      public:
        virtual ~Client() = default;

        /// A member has taken a message; what it sends meanwhile are answers.
        /// @param to the member
        /// @param from the sender
        /// @param bytes length of the message
        /// @param latency time since it was sent
        virtual void ReceiveData(uint32_t to, uint32_t from, uint32_t bytes, Time latency) = 0;

        /// All messages of a member have been acknowledged. @param rank the member
        virtual void ReceiveLastAcknowledgement(uint32_t rank) = 0;

        virtual void NotifyQuiet() = 0; ///< There is no message and no acknowledgement on its way.
    };

    /// What is asked for.
    struct Setting
    {
        HostSoftware::Transport transport; ///< how members of different hosts exchange messages
        bool acknowledged;                 ///< whether messages are acknowledged
        bool answers;                      ///< whether answers are acknowledged first
        uint32_t ackBytes;                 ///< length of an acknowledgement
    };

    /// @param group the group; it calls Stop at its disposal at the latest
    /// @param client who is told, the group itself
    /// @param setting what is asked for
    DataMessages(Collective& group, Client& client, const Setting& setting);

    /// Sends a message.
    /// @param from the sender's rank
    /// @param to the receiver's rank, another one
    /// @param bytes its length, header included, 1 to MAX_BYTES
    void Send(uint32_t from, uint32_t to, uint32_t bytes);

    /// @return number of messages that a member has sent @param rank the member
    uint64_t GetSent(uint32_t rank) const;

    /// @return number of messages that a member has received @param rank the member
    uint64_t GetReceived(uint32_t rank) const;

    /// @return number of a member's messages, answers left out, that are not acknowledged
    /// @param rank the member
    uint64_t GetUnacknowledged(uint32_t rank) const;

    /// @return number of messages sent and not received
    uint64_t GetNUnderWay() const
    {
        return m_nSent - m_nReceived;
    }

    bool IsQuiet() const; ///< @return whether no message and no acknowledgement is on its way

    /// @return the member that is taking a message; NOBODY if none is
    uint32_t GetReceiver() const
    {
        return m_taker;
    }

    static constexpr uint32_t NOBODY = UINT32_MAX;        ///< no member
    static constexpr uint32_t MAX_BYTES = (1U << 31) - 1; ///< greatest length of a message

  private:
    struct Member
    {
        uint64_t sent{0};           ///< messages sent
        uint64_t received{0};       ///< messages received
        uint64_t unacknowledged{0}; ///< messages not acknowledged, but for answers
    };

    /// What both ends keep of a message until it is acknowledged.
    struct Record
    {
        uint32_t from{0};     ///< sender
        uint32_t to{0};       ///< receiver
        uint64_t answered{0}; ///< sender's: number of the message that this one answers; 0: none
        uint32_t open{0};     ///< receiver's: answers to it that are not acknowledged
        bool isTaken{false};  ///< receiver's: whether it has been taken
    };

    /// Sends a message or acknowledgement by the sender's software.
    void Launch(const HostMessage& message);

    void Arrive(uint32_t host, const HostMessage& message) override;
    void ArriveInMemory(HostMessage message);
    uint32_t GetBytes(const HostMessage& message) const;

    /// The receiver's software is through with a message or acknowledgement.
    void Take(HostMessage message);

    /// Acknowledges a message, unless it or an answer to it is waited for.
    void Acknowledge(uint64_t id);

    void TakeAcknowledgement(uint64_t id);

    Client* m_client;                     ///< who is told
    Setting m_setting;                    ///< what is asked for
    std::vector<Member> m_members;        ///< by rank
    uint64_t m_nSent{0};                  ///< messages sent, and the last one's number
    uint64_t m_nReceived{0};              ///< messages received
    std::map<uint64_t, Record> m_records; ///< messages not acknowledged, by number
    uint32_t m_taker{NOBODY};             ///< who is taking a message
    uint64_t m_taken{0};                  ///< that message's number
};

} // namespace ns3

#endif /* DATA_MESSAGES_H */
