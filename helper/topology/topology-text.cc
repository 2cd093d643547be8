/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-text.h"

#include "ns3/plain-number.h"
#include "ns3/word-list.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ns3
{

namespace
{

/// @return parts of a text @param text the text @param separator what is between them
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at != std::string::npos;)
    {
        const auto end = text.find(separator, at);
        parts.push_back(text.substr(at, end - at));
        at = end == std::string::npos ? end : end + 1;
    }
    return parts;
}

/// @return an entry as written @param key its key @param value its value
std::string
Entry(const std::string& key, const std::string& value)
{
    return "'" + (key.empty() ? "" : key + "=") + value + "'";
}

/// @return a whole number @param value what it is read from @param entry the entry that has it
uint32_t
ReadWhole(const std::string& value, const std::string& entry)
{
    uint32_t number = 0;
    const auto last = value.data() + value.size();
    const auto [end, error] = std::from_chars(value.data(), last, number);
    if (error != std::errc() || end != last)
    {
        throw WormholeError(entry + ": '" + value +
                            "' is not accepted; accepted is a whole number up to " +
                            std::to_string(UINT32_MAX));
    }
    return number;
}

} // namespace

TopologyText::TopologyText(const std::string& text)
    : m_family(text.substr(0, text.find(':')))
{
    if (m_family.size() == text.size())
    {
        return;
    }
    for (const auto& entry : Split(text.substr(m_family.size() + 1), ','))
    {
        const auto equals = entry.find('=');
        const bool hasKey = equals != std::string::npos;
        const auto key = hasKey ? entry.substr(0, equals) : "";
        const auto value = hasKey ? entry.substr(equals + 1) : entry;
        if (value.empty() || (hasKey && key.empty()) || (!hasKey && !m_values.empty()))
        {
            throw WormholeError("entry '" + entry + "': accepted is key=value" +
                                (m_values.empty() ? ", or a value" : ""));
        }
        if (!m_values.emplace(key, value).second)
        {
            throw WormholeError("entry '" + entry + "': " + key +
                                " is there twice; accepted is one");
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

const std::string&
TopologyText::GetFamily() const
{
    return m_family;
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
        throw WormholeError(m_family + " without " + first + ": accepted are these first, as in " +
                            example);
    }
}

bool
TopologyText::Has(const std::string& key) const
{
    return m_values.count(key) > 0;
}

const std::string&
TopologyText::GetFirst() const
{
    return m_values.at("");
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
        throw WormholeError(m_family + " without " + key + ": accepted is a whole number, as " +
                            key + "=4");
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
        for (const auto& part : Split(found->second, 'x'))
        {
            if (part.empty())
            {
                throw WormholeError(Entry(key, found->second) + ": a number is missing " +
                                    (numbers.empty() ? "before" : "after") +
                                    " an x; accepted are whole numbers with x between them, as "
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
    const auto number = ParsePlainNumber(found->second);
    if (std::isnan(number))
    {
        throw WormholeError(Entry(key, found->second) + ": accepted is a number, as 0.75");
    }
    return number;
}

std::string
TopologyText::GetWord(const std::string& key, const std::vector<std::string>& words) const
{
    const auto word = Get(key, words.front());
    if (std::find(words.begin(), words.end(), word) == words.end())
    {
        throw WormholeError(Entry(key, word) + ": accepted are " + WordList::WithCommas(words));
    }
    return word;
}

} // namespace ns3
