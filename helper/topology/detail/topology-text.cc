/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-text.h"

#include "ns3/cable-text.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <charconv>
#include <cmath>

namespace ns3
{

namespace
{

std::vector<std::string>
Split(const std::string& text, const char* separator)
{
    std::vector<std::string> parts;
    boost::split(parts, text, boost::is_any_of(separator));
    return parts;
}

/// Reads an entry, if there is one, so that what is wrong with it names its key.
template <typename READ>
void
ReadEntry(const TopologyText& text, const std::string& key, READ read)
{
    if (text.Has(key))
    {
        try
        {
            read(text.Get(key, ""));
        }
        catch (const WormholeError& error)
        {
            throw WormholeError(key + ": " + error.what());
        }
    }
}

/// @return an entry as written @param key its key @param value its value
std::string
Entry(const std::string& key, const std::string& value)
{
    return "'" + (key.empty() ? "" : key + "=") + value + "'";
}

uint32_t
ReadWhole(const std::string& value, const std::string& entry)
{
    uint32_t number = 0;
    const auto last = value.data() + value.size();
    const auto [end, error] = std::from_chars(value.data(), last, number);
    if (error != std::errc() || end != last)
    {
        throw WormholeError(entry + ": '" + value +
                            "' is not accepted; expected a whole number up to " +
                            std::to_string(UINT32_MAX));
    }
    return number;
}

/// What the names of properties of cables between switches begin with.
const char* const UPLINK = "uplink-";

const char* const RATES = "rates";

const char* const SWITCH_DELAY = "switch-delay";

/// @return properties of cables, as a text has them by one name each
const std::vector<std::string>&
GetNames()
{
    static const std::vector<std::string> names{"rate", "delay", "length", "depth"};
    return names;
}

CableProperties
ReadCables(const TopologyText& text, const std::string& prefix)
{
    CableProperties cables;
    for (const auto& name : GetNames())
    {
        ReadEntry(text, prefix + name, [&](const std::string& value) {
            CableText().Read(name, value, cables);
        });
    }
    return cables;
}

/// Gives cables rates in turn. @param texts the rates, with + between @param graph gets them
void
SetRates(const std::string& texts, FabricGraph& graph)
{
    std::vector<DataRate> rates;
    for (const auto& text : Split(texts, "+"))
    {
        rates.push_back(CableText::ReadRate(text));
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

TopologyText::TopologyText(const std::string& text)
    : m_family(text.substr(0, text.find(':')))
{
    if (m_family.size() == text.size())
    {
        return;
    }
    for (const auto& entry : Split(text.substr(m_family.size() + 1), ","))
    {
        const auto equals = entry.find('=');
        const bool hasKey = equals != std::string::npos;
        const auto key = hasKey ? entry.substr(0, equals) : "";
        const auto value = hasKey ? entry.substr(equals + 1) : entry;
        if (value.empty() || (hasKey && key.empty()) || (!hasKey && !m_values.empty()))
        {
            throw WormholeError("entry '" + entry + "': expected key=value" +
                                (m_values.empty() ? ", or a value" : ""));
        }
        if (!m_values.emplace(key, value).second)
        {
            throw WormholeError("entry '" + entry + "': " + key + " is there twice; expected one");
        }
    }
}

std::string
TopologyText::Without(const std::vector<std::string>& keys) const
{
    std::string text;
    for (const auto& [key, value] : m_values) // the one without a key is first
    {
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
        {
            text += (text.empty() ? ":" : ",") + (key.empty() ? "" : key + "=") + value;
        }
    }
    return m_family + text;
}

void
TopologyText::Accept(const std::string& first,
                     const std::vector<std::string>& keys,
                     const std::string& example) const
{
    for (const auto& [key, value] : m_values)
    {
        const bool known =
            key.empty() ? !first.empty() : std::find(keys.begin(), keys.end(), key) != keys.end();
        if (!known)
        {
            throw WormholeError("entry " + Entry(key, value) + ": " + m_family + " has " +
                                (first.empty() ? "" : first + " first, and ") + "the keys " +
                                WordList::WithCommas(keys));
        }
    }
    if (!first.empty() && !Has(""))
    {
        throw WormholeError(m_family + " without " + first + ": expected these first, as in " +
                            example);
    }
}

std::string
TopologyText::Get(const std::string& key, const std::string& fallback) const
{
    const auto found = m_values.find(key);
    return found == m_values.end() ? fallback : found->second;
}

uint32_t
TopologyText::GetWhole(const std::string& key) const
{
    if (!Has(key))
    {
        throw WormholeError(m_family + " without " + key + ": expected a whole number, as " + key +
                            "=4");
    }
    return GetWhole(key, 0);
}

uint32_t
TopologyText::GetWhole(const std::string& key, uint32_t fallback) const
{
    const auto found = m_values.find(key);
    return found == m_values.end() ? fallback : ReadWhole(found->second, Entry(key, found->second));
}

std::vector<uint32_t>
TopologyText::GetWholes(const std::string& key) const
{
    std::vector<uint32_t> numbers;
    if (const auto found = m_values.find(key); found != m_values.end())
    {
        for (const auto& part : Split(found->second, "x"))
        {
            if (part.empty())
            {
                throw WormholeError(Entry(key, found->second) + ": a number is missing " +
                                    (numbers.empty() ? "before" : "after") +
                                    " an x; expected whole numbers with x between them, as "
                                    "8x8");
            }
            numbers.push_back(ReadWhole(part, Entry(key, found->second)));
        }
    }
    return numbers;
}

double
TopologyText::GetNumber(const std::string& key, double fallback) const
{
    const auto found = m_values.find(key);
    if (found == m_values.end())
    {
        return fallback;
    }
    const auto number = ParseStrictNumber(found->second);
    if (std::isnan(number))
    {
        throw WormholeError(Entry(key, found->second) + ": expected a number, as 0.75");
    }
    return number;
}

std::string
TopologyText::GetWord(const std::string& key, const std::vector<std::string>& words) const
{
    const auto word = Get(key, words.front());
    if (std::find(words.begin(), words.end(), word) == words.end())
    {
        throw WormholeError(Entry(key, word) + ": expected " + WordList::WithCommas(words));
    }
    return word;
}

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
    ReadEntry(text, SWITCH_DELAY, [&](const std::string& value) {
        properties.switchDelay = ExactTime::Parse(value);
    });
    for (const auto& name : LaneText::GetNames())
    {
        ReadEntry(text, name, [&](const std::string& value) {
            LaneText::Read(name, value, properties.lanes);
        });
    }
    LaneText::Check(properties.lanes);
    for (const std::string other : {"rate", "uplink-rate"})
    {
        if (text.Has(RATES) && text.Has(other))
        {
            throw WormholeError(std::string(RATES) + " and " + other + ": expected one");
        }
    }
    ReadEntry(text, RATES, [&](const std::string& value) { SetRates(value, graph); });
    const auto uplinks = ReadCables(text, UPLINK);
    for (FabricGraph::Node node = 0; !uplinks.IsEmpty() && node < graph.GetNSwitches(); ++node)
    {
        for (const auto port : graph.PortsToSwitches(node))
        {
            const auto own = properties.FindCable({node, port});
            auto cable = own ? *own : CableProperties();
            cable.Take(uplinks);
            graph.SetCable(node, port, cable);
        }
    }
}

} // namespace ns3
