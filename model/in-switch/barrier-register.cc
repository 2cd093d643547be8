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
    : m_setup(setup)
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
    const uint64_t bit = port < 64 ? uint64_t{1} << port : 0;
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

std::vector<uint16_t>
BarrierRegister::GetMissing() const
{
    return BitsOf(m_setup.children & ~m_arrived);
}

std::vector<uint16_t>
BarrierRegister::BitsOf(uint64_t bits)
{
    std::vector<uint16_t> ports;
    for (uint16_t port = 0; port < 64; ++port)
    {
        if (bits >> port & 1)
        {
            ports.push_back(port);
        }
    }
    return ports;
}

} // namespace ns3
