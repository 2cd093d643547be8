// SPDX-License-Identifier: GPL-2.0-only

#ifndef NETWORK_DONE_BARRIER_H
#define NETWORK_DONE_BARRIER_H

#include "data-messages.h"

#include "ns3/wormhole-collective.h"

#include <utility>

namespace ns3
{

/// @ingroup wormhole
/// @brief Network-Done of Hyder and Wood (1996), section 3.2: a barrier that no member leaves while
///        a data message between its members is in flight.
///
/// Members send each other data by Send, before they enter. A message is in flight from Send until
/// the receiver's software has processed it. Other traffic of the fabric does not count.
///
/// With Method=counters, each member counts how many more messages it has sent than received. An
/// all-reduction sums these differences, and is repeated until the sum is 0. Without the attribute
/// Answers, members that have entered send nothing: their counts of sent messages are final, and a
/// sum of 0 means that every message was received. With Answers, a sum can include the receipt of
/// an answer but not its sending, if the sender's counters were read before the sending. Such a
/// sum may be 0 while another message is in flight. So each sum also includes the number of members
/// that have received a message since the previous sum (the first sum: all members). If the sum is
/// 0, no member has received a message or sent an answer since the previous sum, and all counters
/// are valid at one instant (Mattern 1987; Dijkstra, Feijen and van Gasteren 1983).
///
/// With Method=acks, a member enters the inner barrier (attribute Inner) when all messages that it
/// sent are acknowledged. With Answers, answers to a message are acknowledged before the message.
///
/// The inner barrier comes last and combines values; with Method=counters, Inner=none omits it.
class NetworkDoneBarrier : public Barrier, public DataMessages::Client
{
  public:
    static TypeId GetTypeId(); ///< @return the object TypeId

    ~NetworkDoneBarrier() override;

    /// Called when a member has processed a message; arguments: ranks of member and sender, bytes.
    typedef Callback<void, uint32_t, uint32_t, uint32_t> DataCallback;

    /// Sends a data message. @param from,to ranks of its sender and receiver
    /// @param bytes length on the wire, including the header
    /// @throws WormholeError if the group is not ready, a rank or length is invalid, CountBits are
    ///         too few, or the sender has entered (with Answers, it may still send answers)
    void Send(uint32_t from, uint32_t to, uint32_t bytes);

    /// Sets a callback for received messages, in addition to the trace source Received. Messages
    /// that the member sends in the callback are answers.
    /// @param callback the callback
    void SetDataCallback(DataCallback callback)
    {
        m_dataCallback = callback;
    }

    /// @return number of messages that a member has sent @param rank the member
    uint64_t GetSent(uint32_t rank) const
    {
        return m_data->GetSent(rank);
    }

    /// @return number of messages that a member has received @param rank the member
    uint64_t GetReceived(uint32_t rank) const
    {
        return m_data->GetReceived(rank);
    }

    /// @return number of messages in flight between members
    uint64_t GetNUnderWay() const
    {
        return m_data ? m_data->GetNUnderWay() : 0;
    }

    /// @return number of sums of counters in a member's latest round @param rank the member
    uint32_t GetNSums(uint32_t rank) const
    {
        return m_members.at(rank).nSums;
    }

    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override
    {
        const auto data = m_data; // it may be disposed of meanwhile
        data->Receive(host, static_cast<const HostMessageWorm&>(*worm).GetMessage());
    }

    /// Callback of the trace source Sent. @param from,to ranks @param bytes length of the message
    typedef void (*SentTracedCallback)(uint32_t from, uint32_t to, uint32_t bytes);

    /// Callback of the trace source Received. @param to,from ranks @param bytes length in bytes
    /// @param latency time since the message was sent
    typedef void (*ReceivedTracedCallback)(uint32_t to,
                                           uint32_t from,
                                           uint32_t bytes,
                                           Time latency);

    /// Callback of the trace source Counted. @param rank the member
    /// @param nSums number of sums in the member's round so far, including this one
    /// @param done whether the sum shows that no message is in flight
    typedef void (*CountedTracedCallback)(uint32_t rank, uint32_t nSums, bool done);

  protected:
    void DoDispose() override
    {
        m_dataCallback = DataCallback();
        Barrier::DoDispose();
        m_data = nullptr;
        m_reductionPart = m_innerPart = nullptr;
    }

    /// @param sum sum of all members' contributions
    /// @param nSums number of sums in this round so far, including this one
    /// @return whether the sum shows that no message is in flight; the same for all members
    virtual bool IsDone(uint64_t sum, [[maybe_unused]] uint32_t nSums) const
    {
        return sum == 0;
    }

    /// @return width in bits of a sum's low part: the number of members that have new receipts
    uint32_t GetReceiptBits() const
    {
        uint32_t bits = 0;
        for (auto n = GetNMembers(); m_answers && n > 0; n /= 2)
        {
            ++bits;
        }
        return bits;
    }

  private:
    void DoCreate() override;
    void DoEnter(uint32_t rank, uint64_t value) override;

    void DoRelease() override
    {
        m_isReleasing = true;
        ReleaseParts();
    }

    void DoStop() override
    {
        if (m_data)
        {
            m_data->Stop();
        }
    }

    bool HoldsRegisters() const override
    {
        return m_data && !m_data->IsQuiet();
    }

    void ReceiveData(uint32_t to, uint32_t from, uint32_t bytes, Time latency) override
    {
        m_receivedTrace(to, from, bytes, latency);
        if (!m_dataCallback.IsNull())
        {
            m_dataCallback(to, from, bytes);
        }
    }

    void ReceiveLastAcknowledgement(uint32_t rank) override
    {
        if (std::exchange(m_members[rank].waits, false))
        {
            EnterInner(rank);
        }
    }

    /// Completes Release, if this barrier's inner collectives are released and no message is left.
    void NotifyQuiet() override
    {
        // Messages still in flight need the group's identifier.
        if (m_isReleasing && m_areReleased && m_data->IsQuiet())
        {
            m_isReleasing = false;
            NotifyReleased();
        }
    }

    /// @return a collective for this barrier to use, whose Create has not been called
    /// @throws WormholeError if the name is unknown, or sets an attribute that this barrier sets
    Ptr<Collective> MakePart(const std::string& attribute, const std::string& name);

    void LeavePart(const Collective& part, uint32_t rank, uint64_t result) override;

    void PartsReleased() override
    {
        m_areReleased = true;
        NotifyQuiet();
    }

    void Contribute(uint32_t rank); ///< A member enters the all-reduction of counters.
    void Count(uint32_t rank, uint64_t sum);

    /// A member enters the inner barrier.
    void EnterInner(uint32_t rank)
    {
        m_innerPart ? m_innerPart->Enter(rank, m_members[rank].value) : End(rank, 0);
    }

    void End(uint32_t rank, uint64_t result)
    {
        if (m_data)
        {
            m_members[rank].isInside = false;
            Leave(rank, result);
        }
    }

    struct Member
    {
        bool isInside{false}; ///< whether the member has entered and not left
        bool waits{false};
        uint64_t value{0};
        uint64_t counted{0}; ///< number of messages received when the member last contributed
        uint32_t nSums{0};
    };

    std::string m_method;
    std::string m_reduction;
    std::string m_inner;
    HostSoftware::Transport m_transport{HostSoftware::Transport::SEND_RECEIVE};
    uint32_t m_countBits{0};
    uint32_t m_ackBytes{0};
    bool m_answers{false};

    std::vector<Member> m_members; ///< by rank
    Ptr<DataMessages> m_data;
    Ptr<Collective> m_reductionPart; ///< sums the counters; null with Method=acks
    Ptr<Collective> m_innerPart;     ///< inner barrier; null if none
    bool m_isReleasing{false};       ///< whether Release was called
    bool m_areReleased{false};
    DataCallback m_dataCallback; ///< called when a message is received

    TracedCallback<uint32_t, uint32_t, uint32_t> m_sentTrace;
    TracedCallback<uint32_t, uint32_t, uint32_t, Time> m_receivedTrace;
    TracedCallback<uint32_t, uint32_t, bool> m_countedTrace;
};

} // namespace ns3

#endif /* NETWORK_DONE_BARRIER_H */
