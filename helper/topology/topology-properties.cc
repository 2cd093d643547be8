/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-properties.h"

#include "cable-text.h"
#include "lane-text.h"

#include "ns3/exact-time.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// What the names of properties of cables between switches begin with.
const char* const UPLINK = "uplink-";

/// Key of the rates of cables in turn.
const char* const RATES = "rates";

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

/// Gives cables rates in turn. @param texts the rates, with + between @param graph gets them
void
SetRates(const std::string& texts, FabricGraph& graph)
{
    std::vector<DataRate> rates;
    for (std::size_t begin = 0; begin <= texts.size();)
    {
        const auto end = std::min(texts.find('+', begin), texts.size());
        rates.push_back(CableText::ReadRate(texts.substr(begin, end - begin)));
        begin = end + 1;
    }
    std::size_t cables = 0;
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        for (uint32_t number = 0; number < graph.GetNPorts(node); ++number)
        {
            const auto port = static_cast<FabricGraph::Port>(number);
            const auto far = graph.Peer(node, port);
            if (far.node == FabricGraph::NONE || far.node < node)
            {
                continue; // open, or had its turn at the other end
            }
            const auto own = graph.GetProperties().FindCable({node, port});
            auto cable = own ? *own : CableProperties();
            cable.rate = rates[cables++ % rates.size()];
            graph.SetCable(node, port, cable);
        }
    }
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
        made.insert(made.end(), {RATES, SWITCH_DELAY});
        made.insert(made.end(), LaneText::GetNames().begin(), LaneText::GetNames().end());
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
    for (const auto& name : LaneText::GetNames())
    {
        if (text.Has(name))
        {
            try
            {
                LaneText::Read(name, text.Get(name, ""), properties.lanes);
            }
            catch (const WormholeError& error)
            {
                throw WormholeError(name + ": " + error.what());
            }
        }
    }
    LaneText::Check(properties.lanes);
    if (text.Has(RATES))
    {
        for (const std::string other : {"rate", "uplink-rate"})
        {
            if (text.Has(other))
            {
                throw WormholeError(std::string(RATES) + " and " + other + ": accepted is one");
            }
        }
        try
        {
            SetRates(text.Get(RATES, ""), graph);
        }
        catch (const WormholeError& error)
        {
            throw WormholeError(std::string(RATES) + ": " + error.what());
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
