// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_HOST_INTERFACE_H
#define WORMHOLE_HOST_INTERFACE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-cost-by-length.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-net-device.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief A host's interfaces and their selection. Each interface serves one message at a time.
///
/// The interfaces' parameters are attributes of HostSoftware.
class HostInterfaces
{
  public:
    /// Directions of a message at an interface.
    enum class Direction : uint8_t
    {
        SENT,     ///< the message leaves the host
        RECEIVED, ///< the message has arrived
    };

    /// @return whether sent messages take turns at an interface, worm by worm (timing rule S15)
    bool IsInTurn() const
    {
        return m_isInTurn;
    }

    /// Adds another interface to the host. @param device the interface, in the host's fabric
    void AddInterface(Ptr<WormholeNetDevice> device)
    {
        m_interfaces.push_back({std::move(device), {}, {}});
    }

    /// @return number of interfaces
    uint32_t GetNInterfaces() const
    {
        return static_cast<uint32_t>(m_interfaces.size());
    }

    /// @return one of the host's interfaces; null on an ideal network @param interface its number
    const Ptr<WormholeNetDevice>& GetDevice(uint32_t interface = 0) const
    {
        return m_interfaces[interface].device;
    }

    /// Chooses the interface for the next message, by InterfaceRule.
    /// @param receiver number of the receiver's host
    /// @return the interface's number, 0 for the first
    uint32_t ChooseInterface(uint32_t receiver)
    {
        const auto n = GetNInterfaces();
        switch (m_rule)
        {
        case Rule::ROUND_ROBIN:
            m_next = (m_next + 1) % n;
            return (m_next + n - 1) % n;
        case Rule::BY_DESTINATION:
            return receiver % n;
        case Rule::FIRST:
            break;
        }
        return 0;
    }

    /// Sets the receiver of messages of a kind, see WormholeNetDevice::SetHostReceiver.
    /// @param kind Worm::MESSAGE or Worm::COLLECTIVE
    /// @param receiver gets what arrives at this host; the same receiver may serve other hosts, too
    void SetHostReceiver(Worm::Kind kind, WormholeNetDevice::HostReceiver receiver)
    {
        for (const auto& interface : m_interfaces)
        {
            interface.device->SetHostReceiver(kind, receiver);
        }
    }

    /// @return how long a message occupies the interface
    /// @param direction whether the message is sent or has arrived
    /// @param bytes the message's length
    Time GetInterfaceTime(Direction direction, uint64_t bytes) const
    {
        return (direction == Direction::SENT ? m_interfaceSendTime : m_interfaceReceiveTime)
            .At(bytes);
    }

    /// @return the minimum time from the start of a sent message to the start of the next one
    /// @param bytes length of the sent message
    Time GetMessageGap(uint64_t bytes) const
    {
        return std::max(m_messageGap.At(bytes),
                        ExactTime::RoundTransmission(bytes, m_interfaceDataRate));
    }

    /// @return whether messages pass the interface without any wait
    /// @param direction whether they are sent or have arrived
    bool PassesAtOnce(Direction direction) const
    {
        return direction == Direction::RECEIVED
                   ? m_interfaceReceiveTime.IsZero()
                   : m_interfaceSendTime.IsZero() && m_messageGap.IsZero() &&
                         m_interfaceDataRate.GetBitRate() == 0;
    }

    /// Lets a message request an interface now. @param direction whether it is sent or has arrived
    /// @param bytes the message's length
    /// @param interface number of the interface
    /// @return how long until the interface is done with the message
    Time PassInterface(Direction direction, uint64_t bytes, uint32_t interface = 0)
    {
        if (PassesAtOnce(direction))
        {
            return Time(0);
        }
        auto& its = m_interfaces[interface];
        const auto now = Simulator::Now();
        const auto duration = GetInterfaceTime(direction, bytes);
        auto start = duration.IsStrictlyPositive() ? std::max(now, its.until) : now;
        if (direction == Direction::SENT)
        {
            start = std::max(start, its.nextStart);
            its.nextStart = TimeLimit::Add(start, GetMessageGap(bytes));
        }
        if (duration.IsStrictlyPositive())
        {
            its.until = start = TimeLimit::Add(start, duration);
        }
        return start - now;
    }

  protected:
    /// How messages select an interface.
    enum class Rule : uint8_t
    {
        FIRST,          ///< always the first interface
        ROUND_ROBIN,    ///< each interface in turn
        BY_DESTINATION, ///< number of the receiver's host modulo number of interfaces
    };

    /// Makes an interface the host's first and only one. @param device its device
    void SetFirst(Ptr<WormholeNetDevice> device)
    {
        m_interfaces.assign(1, {std::move(device), {}, {}});
    }

    CostByLength m_interfaceSendTime;    ///< attribute InterfaceSendTime
    CostByLength m_interfaceReceiveTime; ///< attribute InterfaceReceiveTime
    DataRate m_interfaceDataRate;        ///< attribute InterfaceDataRate
    CostByLength m_messageGap;           ///< attribute MessageGap
    uint32_t m_messageSegments{16};      ///< attribute MessageSegments
    Rule m_rule{Rule::FIRST};            ///< attribute InterfaceRule
    bool m_isInTurn{false};              ///< attribute Sharing; true: in-turn

  private:
    struct Interface
    {
        Ptr<WormholeNetDevice> device; ///< the interface's device; null on an ideal network
        Time until;                    ///< until when messages occupy the interface
        Time nextStart;                ///< earliest start of the next message, by gap and rate
    };

    std::vector<Interface> m_interfaces{1}; ///< interfaces by number
    uint32_t m_next{0};                     ///< interface whose turn it is
};

} // namespace ns3

#endif /* WORMHOLE_HOST_INTERFACE_H */
