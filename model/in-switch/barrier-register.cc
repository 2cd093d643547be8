/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-register.h"

#include "ns3/wormhole-error.h"

namespace ns3
{

BarrierRegister::BarrierRegister(const CollectiveMessage& setup)
    : m_setup(setup),
      m_arrived(setup.arrived),
      m_data(setup.value)
{
}

uint16_t
BarrierRegister::GetGroup() const
{
    return m_setup.group;
}

bool
BarrierRegister::Arrive(uint16_t port, uint64_t value)
{
    const auto bit = BitOf(port);
    if (!(m_setup.children & bit) || (m_arrived & bit))
    {
        throw WormholeError("group " + std::to_string(m_setup.group) +
                            ": a reduction came by port " + std::to_string(port) + ", where " +
                            ((m_arrived & bit) ? "one has come already in this round"
                                               : "the register expects none"));
    }
    m_data = m_arrived ? Combine(m_setup.operation, m_data, value, m_setup.widthBits) : value;
    m_arrived |= bit;
    if (m_arrived != m_setup.children)
    {
        return false;
    }
    m_arrived = 0;
    m_result = m_data;
    return true;
}

uint64_t
BarrierRegister::GetResult() const
{
    return m_result;
}

uint16_t
BarrierRegister::GetParent() const
{
    return m_setup.parent;
}

std::vector<uint16_t>
BarrierRegister::GetChildren() const
{
    return BitsOf(m_setup.children);
}

CollectiveMessage
BarrierRegister::Save(CollectiveMessage::Type type) const
{
    auto message = m_setup;
    message.type = type;
    message.stage = CollectiveMessage::PLAIN;
    message.arrived = m_arrived;
    message.value = m_data;
    return message;
}

std::vector<uint16_t>
BarrierRegister::GetOthers(uint16_t port) const
{
    const auto all = m_setup.children | BitOf(m_setup.parent);
    if (!(all & BitOf(port)))
    {
        throw WormholeError("group " + std::to_string(m_setup.group) +
                            ": a distribution came by port " + std::to_string(port) +
                            ", which is none of the group's tree");
    }
    return BitsOf(all & ~BitOf(port));
}

std::vector<uint16_t>
BarrierRegister::GetMissing() const
{
    return BitsOf(m_setup.children & ~m_arrived);
}

uint64_t
BarrierRegister::BitOf(uint16_t port)
{
    return port < MOST_PORTS ? uint64_t{1} << port : 0;
}

std::vector<uint16_t>
BarrierRegister::BitsOf(uint64_t bits)
{
    std::vector<uint16_t> ports;
    for (uint16_t port = 0; port < MOST_PORTS; ++port)
    {
        if (bits >> port & 1)
        {
            ports.push_back(port);
        }
    }
    return ports;
}

} // namespace ns3
