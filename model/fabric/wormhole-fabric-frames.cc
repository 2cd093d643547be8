/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Where the frames of a fabric's hosts go, by their addresses.

#include "wormhole-fabric.h"

#include "ns3/wormhole-error.h"

#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

Ptr<const WormRoute>
WormholeFabric::GetFrameRoute(uint32_t from, Mac48Address to)
{
    Start();
    if (!m_router)
    {
        throw WormholeError(GetHost(from)->GetName() + ", host " + std::to_string(from) +
                            ", sends a frame, but its fabric has no router: "
                            "WormholeFabric::SetRouter, or a helper's SetRouter");
    }
    const auto host = to.IsBroadcast() || to.IsGroup() ? GetNHosts() : FindHost(to);
    if (host == GetNHosts())
    {
        // For all, or for somebody behind a bridge.
        std::vector<uint32_t> others(GetNHosts());
        std::iota(others.begin(), others.end(), 0);
        others.erase(others.begin() + from);
        return others.empty() ? nullptr : m_router->GetTreeRoute(from, others);
    }
    return host == from ? nullptr : m_router->GetRoute(from, host);
}

bool
WormholeFabric::HasFrameRoute(uint32_t from, Mac48Address to)
{
    return GetNHosts() > 1 && (to.IsBroadcast() || to.IsGroup() || FindHost(to) != from);
}

void
WormholeFabric::ForgetAddresses()
{
    m_hostOf.clear();
}

uint32_t
WormholeFabric::FindHost(Mac48Address address)
{
    if (m_hostOf.empty())
    {
        for (const auto& host : m_hosts)
        {
            const auto own = Mac48Address::ConvertFrom(host->GetAddress());
            const auto [entry, isNew] = m_hostOf.emplace(own, host->GetHost());
            if (!isNew || own.IsGroup())
            {
                const auto other = GetHost(entry->second)->GetName();
                m_hostOf.clear();
                std::ostringstream text;
                text << (isNew ? host->GetName() + " has"
                               : other + " and " + host->GetName() + " both have")
                     << " the address " << own
                     << "; accepted is one of its own for each host (WormholeNetDevice::Address)";
                throw WormholeError(text.str());
            }
        }
    }
    const auto found = m_hostOf.find(address);
    return found == m_hostOf.end() ? GetNHosts() : found->second;
}

} // namespace ns3
