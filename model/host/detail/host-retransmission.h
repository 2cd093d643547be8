// SPDX-License-Identifier: GPL-2.0-only

#ifndef HOST_RETRANSMISSION_H
#define HOST_RETRANSMISSION_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-host-message.h"
#include "ns3/wormhole-host-software.h"

#include <cstdint>
#include <functional>
#include <map>

namespace ns3
{

/// Resends a host's messages until they are acknowledged, and receives others' once and in order.
///
/// Messages from one host to another are numbered. The receiver acknowledges each when it has
/// arrived completely, by a message that occupies its interface but no process. A message that is
/// not acknowledged in time is sent again by the router's route at that time; a tree worm is sent
/// to each receiver separately. After MaxRetransmissions repetitions, the sender gives up all
/// messages that wait for that host; later messages tell the receiver.
class HostRetransmission
{
  public:
    explicit HostRetransmission(HostSoftware& host);
    ~HostRetransmission();

    HostRetransmission(const HostRetransmission&) = delete;            ///< events point to it
    HostRetransmission& operator=(const HostRetransmission&) = delete; ///< events point to it

    /// Hands a message over for the first time. @param outgoing the message @param time when
    void Send(HostSoftware::Outgoing outgoing, Time time);

    /// The last packet of a message or acknowledgement has arrived.
    /// @param take called with each message that is to be received now
    void Receive(const Ptr<const Worm>& worm,
                 const std::function<void(const Ptr<const Worm>&)>& take);

  private:
    /// A message to one host that is not acknowledged.
    struct Pending
    {
        HostSoftware::Outgoing outgoing; ///< the message
        Time handedOver;                 ///< when it was handed over first
        uint32_t nTimeouts{0};           ///< how often it was not acknowledged in time
        EventId timeout;                 ///< the next time-out
    };

    /// Messages to another host, and from it.
    struct Peer
    {
        uint64_t nSent{0};                        ///< number of the last message sent
        std::map<uint64_t, Pending> pending;      ///< by number
        uint64_t expected{1};                     ///< number of the next message to be received
        std::map<uint64_t, Ptr<const Worm>> held; ///< messages that came before the expected one
    };

    void StartTimer(uint32_t host, uint64_t number, Time wait);
    void TimeOut(uint32_t host, uint64_t number);
    void GiveUp(uint32_t host);
    void TakeAcknowledgement(uint32_t host, uint64_t number);
    void Acknowledge(uint32_t host, uint64_t number, const HostMessage& message);

    /// @return the current route between first interfaces @param host number of the receiver
    Ptr<const WormRoute> FindRoute(uint32_t host) const;

    HostSoftware& m_host;             ///< the host's software
    std::map<uint32_t, Peer> m_peers; ///< by number of the host
    uint64_t m_unacknowledged{0};     ///< flits of the messages that are pending
};

} // namespace ns3

#endif /* HOST_RETRANSMISSION_H */
