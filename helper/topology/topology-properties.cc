/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-properties.h"

#include "cable-text.h"

#include "ns3/exact-time.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

namespace
{

/// What the names of properties of cables between switches begin with.
const char* const UPLINK = "uplink-";

/// Key of the delay of all switches.
const char* const SWITCH_DELAY = "switch-delay";

/// @return properties of cables, as a text has them by one name each
const std::vector<std::string>&
GetNames()
{
    static const std::vector<std::string> names{"rate", "delay", "length", "depth"};
    return names;
}

/**
 * @param text the topology
 * @param prefix what keys begin with
 * @return what it says of cables
 */
CableProperties
ReadCables(const TopologyText& text, const std::string& prefix)
{
    CableProperties cables;
    for (const auto& name : GetNames())
    {
        const auto key = prefix + name;
        if (text.Has(key))
        {
            try
            {
                CableText().Read(name, text.Get(key, ""), cables);
            }
            catch (const WormholeError& error)
            {
                throw WormholeError(key + ": " + error.what());
            }
        }
    }
    return cables;
}

} // namespace

const std::vector<std::string>&
TopologyProperties::GetKeys()
{
    static const auto keys = [] {
        std::vector<std::string> made = GetNames();
        for (const auto& name : GetNames())
        {
            made.push_back(UPLINK + name);
        }
        made.emplace_back(SWITCH_DELAY);
        return made;
    }();
    return keys;
}

void
TopologyProperties::Read(const TopologyText& text, FabricGraph& graph)
{
    auto& properties = graph.ChangeProperties();
    properties.cables.Take(ReadCables(text, ""));
    if (text.Has(SWITCH_DELAY))
    {
        try
        {
            properties.switchDelay = ExactTime::Parse(text.Get(SWITCH_DELAY, ""));
        }
        catch (const WormholeError& error)
        {
            throw WormholeError(std::string(SWITCH_DELAY) + ": " + error.what());
        }
    }
    const auto uplinks = ReadCables(text, UPLINK);
    for (FabricGraph::Node node = 0; !uplinks.IsEmpty() && node < graph.GetNSwitches(); ++node)
    {
        for (const auto port : graph.PortsToSwitches(node))
        {
            auto cable = CableProperties();
            if (const auto own = properties.FindCable({node, port}))
            {
                cable = *own;
            }
            cable.Take(uplinks);
            graph.SetCable(node, port, cable);
        }
    }
}

} // namespace ns3
