/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-host-interface.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

const std::vector<std::string>&
HostInterfaces::GetRuleNames()
{
    static const std::vector<std::string> names{"first", "round-robin", "by-destination"};
    return names;
}

const std::vector<std::string>&
HostInterfaces::GetSharingNames()
{
    static const std::vector<std::string> names{"in-order", "in-turn"};
    return names;
}

void
HostInterfaces::SetSharing(std::string name)
{
    m_isInTurn = name == GetSharingNames().back();
}

std::string
HostInterfaces::GetSharing() const
{
    return GetSharingNames()[m_isInTurn];
}

void
HostInterfaces::SetRule(std::string name)
{
    const auto& names = GetRuleNames();
    m_rule = static_cast<Rule>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::string
HostInterfaces::GetRule() const
{
    return GetRuleNames()[static_cast<std::size_t>(m_rule)];
}

uint32_t
HostInterfaces::ChooseInterface(uint32_t receiver)
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

void
HostInterfaces::SetHostReceiver(Worm::Kind kind, WormholeNetDevice::HostReceiver receiver)
{
    for (const auto& interface : m_interfaces)
    {
        interface.device->SetHostReceiver(kind, receiver);
    }
}

Time
HostInterfaces::PassInterface(Direction direction, uint64_t bytes, uint32_t interface)
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

} // namespace ns3
