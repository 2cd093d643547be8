// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_HOST_COSTS_H
#define WORMHOLE_HOST_COSTS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/wormhole-cost-by-length.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-latency-cause.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief What messages cost a host's processes, as a list of costs with their causes: a process is
///        busy for the sum, and latency breakdowns show the list.
///
/// Its parameters are attributes of HostSoftware.
class HostCosts
{
  public:
    /// How processes of different hosts exchange messages.
    enum class Transport : uint8_t
    {
        SEND_RECEIVE, ///< by messages that are matched with receives
        RDMA,         ///< by writes into the receiver's memory, which the receiver polls
    };

    /// How a message gets from one process to another.
    enum class Path : uint8_t
    {
        NETWORK, ///< through the hosts' interfaces
        MEMORY,  ///< through the memory of one host
    };

    /// When a send returns to its process.
    enum class SendReturn : uint8_t
    {
        COPIED,   ///< when the process has finished its work on the message
        LEFT,     ///< when, in addition to COPIED, the last worm's tail has left its interface
        RECEIVED, ///< when, in addition to COPIED, the receiving process has the message
    };

    /// @return what the attribute SendReturn accepts: copied, left and received
    static const std::vector<std::string>& GetSendReturnNames()
    {
        static const std::vector<std::string> names{"copied", "left", "received"};
        return names;
    }

    /// @return when the send of a message returns @param bytes length of the message
    SendReturn GetSendReturn(uint64_t bytes) const
    {
        auto last = m_sendReturn.front().second; // for shorter messages, too
        for (const auto& [from, when] : m_sendReturn)
        {
            last = from <= bytes ? when : last;
        }
        return last;
    }

    /// Draws the costs of a send: the sender is busy for their sum.
    /// @param transport how the message is sent
    /// @param bytes length of the message; 0 for a message of a handshake
    /// @param path whether the message passes the network
    /// @return the costs, including jitter
    LatencyCosts DrawSendCosts(Transport transport, uint64_t bytes, Path path = Path::NETWORK);

    /// @return cost of a send to a switch, or of a set-up message: start-up, overhead and jitter
    /// @param bytes length of the message; 0 if unknown
    LatencyCosts DrawSendCosts(uint64_t bytes);

    /// Draws the costs of receiving a message: the receiver is busy for their sum.
    /// @param transport,bytes,path as for DrawSendCosts
    /// @param unexpected whether the message came before its receive was posted
    /// @return the costs, including jitter
    LatencyCosts DrawReceiveCosts(Transport transport,
                                  bool unexpected,
                                  uint64_t bytes,
                                  Path path = Path::NETWORK);

    /// @return cost of receiving a message that isn't matched with a receive: overhead and jitter
    /// @param bytes length of the message; 0 if unknown
    LatencyCosts DrawReceiveCosts(uint64_t bytes);

    /// @return the time that a send keeps its process busy, without jitter
    /// @param transport,bytes as for DrawSendCosts
    Time GetMeanSendTime(Transport transport, uint64_t bytes) const
    {
        return GetSendCosts(transport, bytes, Path::NETWORK, Time(0)).GetTotal();
    }

    /// @return the time that an expected message keeps its receiver busy, without jitter
    /// @param transport,bytes as for DrawSendCosts
    Time GetMeanReceiveTime(Transport transport, uint64_t bytes) const
    {
        return GetReceiveCosts(transport, bytes, Path::NETWORK, Time(0)).GetTotal();
    }

    /// @return cost of writing or detecting a flag that processes of one host share, and of copying
    ///         the data that the flag announces @param bytes length of the data
    LatencyCosts GetFlagCosts(uint64_t bytes = 0) const
    {
        return LatencyCosts(LatencyCause::FLAG, m_flagTime).Add(GetCopyCosts(bytes));
    }

    /// @return time to write or detect a flag in shared memory
    Time GetFlagTime() const
    {
        return m_flagTime;
    }

    /// @return a process's cost of copying a message within the host
    /// @param bytes its length
    LatencyCosts GetCopyCosts(uint64_t bytes) const
    {
        return GetMemoryCosts(LatencyCause::COPY, bytes, m_copyTime, m_copyDataRate);
    }

    /// @return a process's cost of combining two vectors @param bytes length of each
    LatencyCosts GetCombineCosts(uint64_t bytes) const
    {
        return GetMemoryCosts(LatencyCause::COMBINE, bytes, m_combineTime, m_combineDataRate);
    }

    /// @return the attribute TransferTime, for a message of given length
    /// @param transport how the message is sent; for RDMA, the result is 0
    /// @param bytes its length; 0 for a message of a handshake
    Time GetTransferTime(Transport transport, uint64_t bytes) const
    {
        return transport == Transport::SEND_RECEIVE ? m_transferTime.At(bytes) : Time(0);
    }

    /// @return time from when a message leaves its process until it reaches the host's interface
    /// @param bytes its length
    Time GetLatency(uint64_t bytes) const
    {
        return m_latency.At(bytes);
    }

    /// @return time to post a receive @param transport how messages are sent
    Time GetReceivePostTime(Transport transport) const
    {
        return transport == Transport::SEND_RECEIVE ? m_descriptorTime : Time(0);
    }

    /// @return an adapter's cost of a schedule's step, without the step's messages; 0 for a host
    Time GetStepTime() const
    {
        return m_stepTime;
    }

    /// @return time that a process takes to register a buffer with the interface
    Time GetRegistrationTime() const
    {
        return m_registrationTime;
    }

    /// @return the start-up time t_s of a message @param bytes its length
    Time GetStartUp(uint64_t bytes) const
    {
        return m_startUp.At(bytes);
    }

    /// @param transport how a message is sent
    /// @param bytes its length
    /// @return whether the message is sent only after a handshake with its receiver
    bool NeedsHandshake(Transport transport, uint64_t bytes) const
    {
        return transport == Transport::SEND_RECEIVE && bytes > m_eagerLimit;
    }

    /// @return length of each message of a handshake, bytes
    uint32_t GetRendezvousBytes() const
    {
        return m_rendezvousBytes;
    }

    /// @return number of sends, over the network or through memory
    uint64_t GetSends() const
    {
        return m_nSends;
    }

    /// @return number of messages received, over the network or through memory
    uint64_t GetReceives() const
    {
        return m_nReceives;
    }

    /// Fixes the streams of the jitter's random numbers.
    /// @param stream first stream to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

  protected:
    /// Sets attribute SendReturn. @param text a name, or a list such as "0:copied,8KiB:received"
    void SetSendReturn(std::string text);

    std::string PrintSendReturn() const; ///< @return the attribute SendReturn

    // The attributes of the same names.
    CostByLength m_startUp;                    ///< attribute
    CostByLength m_sendOverhead;               ///< attribute
    CostByLength m_receiveOverhead;            ///< attribute
    CostByLength m_transferTime;               ///< attribute
    CostByLength m_matchingTime;               ///< attribute
    CostByLength m_latency;                    ///< attribute
    CostByLength m_copyTime;                   ///< attribute
    CostByLength m_combineTime;                ///< attribute
    Time m_descriptorTime;                     ///< attribute
    CostByLength m_unexpectedTime;             ///< attribute
    CostByLength m_postTime;                   ///< attribute
    CostByLength m_pollTime;                   ///< attribute
    Time m_flagTime;                           ///< attribute
    Time m_registrationTime;                   ///< attribute
    Time m_stepTime;                           ///< see GetStepTime
    DataRate m_sendDataRate;                   ///< attribute
    DataRate m_receiveDataRate;                ///< attribute
    DataRate m_copyDataRate;                   ///< attribute
    DataRate m_combineDataRate;                ///< attribute
    DataRate m_memoryDataRate;                 ///< attribute
    uint32_t m_eagerLimit{UINT32_MAX};         ///< attribute
    uint32_t m_rendezvousBytes{1};             ///< attribute
    Ptr<RandomVariableStream> m_sendJitter;    ///< attribute
    Ptr<RandomVariableStream> m_receiveJitter; ///< attribute

  private:
    void AddLength(LatencyCosts& costs,
                   Transport transport,
                   uint64_t bytes,
                   Path path,
                   DataRate rate) const;

    LatencyCosts GetSendCosts(Transport transport, uint64_t bytes, Path path, Time jitter) const;
    LatencyCosts GetReceiveCosts(Transport transport, uint64_t bytes, Path path, Time jitter) const;

    LatencyCosts GetMemoryCosts(LatencyCause cause,
                                uint64_t bytes,
                                const CostByLength& costs,
                                DataRate rate) const
    {
        const auto time = ExactTime::RoundTransmission(bytes, rate);
        return LatencyCosts(cause, costs.IsZero() ? time : TimeLimit::Add(costs.At(bytes), time))
            .SetMemoryTime(ExactTime::RoundTransmission(bytes, m_memoryDataRate));
    }

    /// Attribute SendReturn: minimum message lengths, ascending, with the values that apply there.
    std::vector<std::pair<uint64_t, SendReturn>> m_sendReturn{{0, SendReturn::COPIED}};
    uint64_t m_nSends{0};    ///< messages sent, see GetSends
    uint64_t m_nReceives{0}; ///< messages received, see GetReceives
};

} // namespace ns3

#endif /* WORMHOLE_HOST_COSTS_H */
