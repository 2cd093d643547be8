// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-route-table.h"

#include "ns3/memory-limit.h"
#include "ns3/wormhole-error.h"

#include <charconv>

namespace ns3
{

RouteTable::RouteTable(uint32_t nSwitches, uint32_t nHosts)
    : m_nSwitches(nSwitches),
      m_nHosts(nHosts)
{
    MemoryLimit::Check(1.0 * sizeof(m_ports[0]) * nSwitches * nHosts, [&] {
        return "a table of routes from " + std::to_string(nSwitches) + " switches to " +
               std::to_string(nHosts) + " hosts takes";
    });
    m_ports.resize(std::size_t{nSwitches} * nHosts, NONE);
}

void
RouteTable::SetRow(uint32_t node, const std::string& text)
{
    const auto end = text.data() + text.size();
    uint32_t host = 0;
    for (auto at = text.data(); at != end; ++at)
    {
        if (*at == ' ')
        {
            continue;
        }
        auto next = at;
        while (next != end && *next != ' ')
        {
            ++next;
        }
        Port port = NONE;
        const auto [last, error] = std::from_chars(at, next, port);
        const bool isNone = next - at == 1 && *at == '-';
        if (!isNone && (error != std::errc() || last != next || port == NONE))
        {
            throw WormholeError("'" + std::string(at, next) + "' is no port; expected 0 to " +
                                std::to_string(NONE - 1) + ", and - for none");
        }
        if (host < m_nHosts)
        {
            Set(node, host, isNone ? NONE : port);
        }
        ++host;
        at = next - 1;
    }
    WormholeError::ThrowIf(host != m_nHosts,
                           "a list of " + std::to_string(host) + " ports; expected " +
                               std::to_string(m_nHosts) + ", one for each host, - for none");
}

std::string
RouteTable::GetRow(uint32_t node) const
{
    std::string text;
    for (uint32_t host = 0; host < m_nHosts; ++host)
    {
        const auto port = Get(node, host);
        text += host ? " " : "";
        text += port == NONE ? "-" : std::to_string(port);
    }
    return text;
}

} // namespace ns3
