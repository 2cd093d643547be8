/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-properties.h"

namespace ns3
{

void
CableProperties::Take(const CableProperties& others)
{
    if (others.rate || others.flitTime)
    {
        rate = others.rate;
        flitTime = others.flitTime;
    }
    delay = others.delay ? others.delay : delay;
    if (others.depth || others.depthBytes)
    {
        depth = others.depth;
        depthBytes = others.depthBytes;
    }
}

void
FabricProperties::SetCable(Place place, const CableProperties& properties)
{
    if (properties.IsEmpty())
    {
        m_cables.erase(place);
    }
    else
    {
        m_cables[place] = properties;
    }
}

const CableProperties*
FabricProperties::FindCable(Place place) const
{
    const auto found = m_cables.find(place);
    return found == m_cables.end() ? nullptr : &found->second;
}

CableProperties
FabricProperties::GetCable(Place place) const
{
    auto all = cables;
    if (const auto own = FindCable(place))
    {
        all.Take(*own);
    }
    return all;
}

std::optional<Time>
FabricProperties::GetSwitchDelay(uint32_t node) const
{
    const auto found = m_switches.find(node);
    return found == m_switches.end() ? switchDelay : found->second;
}

} // namespace ns3
