/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_INTERFACE_H
#define HOST_INTERFACE_H

#include "ns3/nstime.h"
#include "ns3/wormhole-net-device.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief One of a host's interfaces, as messages occupy it: one at a time, in the order in which
/// they ask.
class HostInterface
{
  public:
    /// @param device its device; null on an ideal network
    explicit HostInterface(Ptr<WormholeNetDevice> device = nullptr);

    /// @return its device; null on an ideal network
    const Ptr<WormholeNetDevice>& GetDevice() const
    {
        return m_device;
    }

    /// A message that has come asks for it now.
    /// @param duration how long it occupies the interface; 0: it waits for none
    /// @return how long until the interface is through with it
    Time Receive(Time duration);

    /// A message to be sent asks for it now.
    /// @param duration how long it occupies the interface; 0: it waits for the gap alone
    /// @param gap least time between the starts of two that are sent
    /// @return how long until the interface is through with it
    Time Send(Time duration, Time gap);

    /// Hands a worm to the device. @param worm the worm @param wait how long from now
    void HandOver(Ptr<Worm> worm, Time wait) const;

  private:
    /// A message asks for it. @return how long from now until the interface is through with it
    Time Occupy(Time start, Time duration);

    Ptr<WormholeNetDevice> m_device; ///< its device
    Time m_until;                    ///< until when messages occupy it
    Time m_nextStart;                ///< when the gap lets the next one start
};

/// @ingroup wormhole
/// @brief All interfaces of one host, and which of them a message takes.
class HostInterfaces
{
  public:
    /// @return names of rules: first, round-robin and by-destination
    static const std::vector<std::string>& GetRuleNames();

    void SetRule(const std::string& name); ///< Chooses the rule. @param name its name

    /// @return the rule's name
    const std::string& GetRule() const
    {
        return GetRuleNames()[static_cast<std::size_t>(m_rule)];
    }

    /// Sets the first one. @param device its device; null on an ideal network
    void SetFirst(Ptr<WormholeNetDevice> device)
    {
        m_interfaces[0] = HostInterface(std::move(device));
    }

    /// Adds a further one. @param device its device
    void Add(Ptr<WormholeNetDevice> device)
    {
        m_interfaces.emplace_back(std::move(device));
    }

    /// @return how many there are, 1 at least
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_interfaces.size());
    }

    /// @return one of them @param number its number, 0 for the first
    HostInterface& At(uint32_t number)
    {
        return m_interfaces[number];
    }

    /// @return one of them @param number its number, 0 for the first
    const HostInterface& At(uint32_t number) const
    {
        return m_interfaces[number];
    }

    /// Chooses one for the next message.
    /// @param receiver number of the receiver's host
    /// @return its number
    uint32_t Choose(uint32_t receiver);

  private:
    /// Which one a message takes.
    enum class Rule : uint8_t
    {
        FIRST,          ///< the first
        ROUND_ROBIN,    ///< all in turn
        BY_DESTINATION, ///< the number of the receiver's host modulo that of interfaces
    };

    std::vector<HostInterface> m_interfaces{1}; ///< the first one first
    Rule m_rule{Rule::FIRST};                   ///< which one a message takes
    uint32_t m_next{0};                         ///< whose turn it is
};

} // namespace ns3

#endif /* HOST_INTERFACE_H */
