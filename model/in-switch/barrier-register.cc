// SPDX-License-Identifier: GPL-2.0-only

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
    const bool hasCome = m_arrived.Has(port);
    if (!m_setup.children.Has(port) || hasCome)
    {
        throw WormholeError(
            "group " + std::to_string(m_setup.group) + ": a reduction came by port " +
            std::to_string(port) + ", where " +
            (hasCome ? "one has come already in this round" : "the register expects none"));
    }
    m_data =
        m_arrived.IsEmpty() ? value : Combine(m_setup.operation, m_data, value, m_setup.widthBits);
    m_arrived.Add(port);
    if (m_arrived != m_setup.children)
    {
        return false;
    }
    m_arrived = PortSet();
    m_result = m_data;
    return true;
}

std::vector<uint16_t>
BarrierRegister::GetAwaited() const
{
    auto awaited = m_arrived.IsEmpty() ? PortSet() : m_setup.children;
    for (const auto port : m_arrived.GetPorts())
    {
        awaited.Remove(port);
    }
    return awaited.GetPorts();
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
    return m_setup.children.GetPorts();
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
    auto others = m_setup.children;
    if (m_setup.parent != CollectiveMessage::NO_PORT)
    {
        others.Add(m_setup.parent);
    }
    if (!others.Has(port))
    {
        throw WormholeError("group " + std::to_string(m_setup.group) +
                            ": a distribution came by port " + std::to_string(port) +
                            ", which is none of the group's tree");
    }
    others.Remove(port);
    return others.GetPorts();
}

} // namespace ns3
