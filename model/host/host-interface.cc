/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-interface.h"

#include "ns3/simulator.h"
#include "ns3/time-limit.h"

#include <algorithm>
#include <utility>

namespace ns3
{

HostInterface::HostInterface(Ptr<WormholeNetDevice> device)
    : m_device(std::move(device))
{
}

Time
HostInterface::Receive(Time duration)
{
    return Occupy(Simulator::Now(), duration);
}

Time
HostInterface::Send(Time duration, Time gap)
{
    auto start = std::max(Simulator::Now(), m_nextStart);
    if (duration.IsStrictlyPositive())
    {
        start = std::max(start, m_until);
    }
    m_nextStart = TimeLimit::Add(start, gap);
    return Occupy(start, duration);
}

Time
HostInterface::Occupy(Time start, Time duration)
{
    const auto now = Simulator::Now();
    if (duration.IsZero())
    {
        return start - now;
    }
    m_until = TimeLimit::Add(std::max(m_until, start), duration);
    return m_until - now;
}

void
HostInterface::HandOver(Ptr<Worm> worm, Time wait) const
{
    if (wait.IsZero())
    {
        m_device->SendWorm(std::move(worm));
    }
    else
    {
        m_device->SendWormLater(std::move(worm), wait);
    }
}

const std::vector<std::string>&
HostInterfaces::GetRuleNames()
{
    static const std::vector<std::string> names{"first", "round-robin", "by-destination"};
    return names;
}

void
HostInterfaces::SetRule(const std::string& name)
{
    const auto& names = GetRuleNames();
    m_rule = static_cast<Rule>(std::find(names.begin(), names.end(), name) - names.begin());
}

uint32_t
HostInterfaces::Choose(uint32_t receiver)
{
    const auto n = GetN();
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

} // namespace ns3
