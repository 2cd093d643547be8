/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-set.h"

#include <iomanip>
#include <sstream>

namespace ns3
{

void
PortSet::Add(uint16_t port)
{
    SetWord(port / 64, GetWord(port / 64) | uint64_t{1} << port % 64);
}

void
PortSet::Remove(uint16_t port)
{
    SetWord(port / 64, GetWord(port / 64) & ~(uint64_t{1} << port % 64));
}

bool
PortSet::Has(uint16_t port) const
{
    return GetWord(port / 64) >> port % 64 & 1;
}

std::vector<uint16_t>
PortSet::GetPorts() const
{
    std::vector<uint16_t> ports;
    for (std::size_t word = 0; word < GetNWords(); ++word)
    {
        const auto bits = GetWord(word);
        for (uint32_t bit = 0; bit < 64; ++bit)
        {
            if (bits >> bit & 1)
            {
                ports.push_back(static_cast<uint16_t>(64 * word + bit));
            }
        }
    }
    return ports;
}

void
PortSet::SetWord(std::size_t i, uint64_t bits)
{
    if (i == 0)
    {
        m_first = bits;
        return;
    }
    if (i > m_others.size() && bits != 0)
    {
        m_others.resize(i, 0);
    }
    if (i <= m_others.size())
    {
        m_others[i - 1] = bits;
    }
    while (!m_others.empty() && m_others.back() == 0)
    {
        m_others.pop_back();
    }
}

std::ostream&
operator<<(std::ostream& os, const PortSet& ports)
{
    std::ostringstream text;
    text << "0x" << std::hex << ports.GetWord(ports.GetNWords() - 1);
    for (auto word = ports.GetNWords() - 1; word-- > 0;)
    {
        text << std::setw(16) << std::setfill('0') << ports.GetWord(word);
    }
    return os << text.str();
}

} // namespace ns3
