// SPDX-License-Identifier: GPL-2.0-only

#ifndef TOPOLOGY_TEXT_H
#define TOPOLOGY_TEXT_H

#include "ns3/cable-text.h"
#include "ns3/fabric-graph.h"
#include "ns3/graph-walk.h"
#include "ns3/ordering.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <boost/algorithm/string.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <system_error>
#include <vector>

namespace ns3
{

/// A topology as a short text: family, colon, and comma-separated entries, as in
/// "torus:8x8,hosts=2". Functions that return a value throw a WormholeError if the value is
/// invalid.
///
/// An entry is key=value, where each key appears once; the first entry may be a value without key.
/// Messages name the value and what is expected, but not the whole text, which the caller knows.
class TopologyText
{
  public:
    /// @throws WormholeError if an entry is empty or repeated, or a value without a key is not the
    /// first entry
    explicit TopologyText(const std::string& text)
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
            WormholeError::ThrowIf(value.empty() || (hasKey && key.empty()) ||
                                       (!hasKey && !m_values.empty()),
                                   "entry '" + entry + "': expected key=value" +
                                       (m_values.empty() ? ", or a value" : ""));
            WormholeError::ThrowIf(!m_values.emplace(key, value).second,
                                   "entry '" + entry + "': " + key +
                                       " is there twice; expected one");
        }
    }

    /// @return the text without the entries of these keys, in a canonical order
    std::string Without(const std::vector<std::string>& keys) const
    {
        std::string text;
        for (const auto& [key, value] : m_values) // the one without a key is first
        {
            if (!IsIn(keys, key))
            {
                text += (text.empty() ? ":" : ",") + (key.empty() ? "" : key + "=") + value;
            }
        }
        return m_family + text;
    }

    const std::string& GetFamily() const
    {
        return m_family;
    }

    /// Refuses entries that the family does not have.
    /// @param first meaning of the value without a key; empty if there is none
    /// @throws WormholeError if there are other entries, or the value without a key is missing
    void Accept(const std::string& first,
                const std::vector<std::string>& keys,
                const std::string& example) const
    {
        for (const auto& [key, value] : m_values)
        {
            const bool known = key.empty() ? !first.empty() : IsIn(keys, key);
            WormholeError::ThrowIf(!known,
                                   "entry " + Entry(key, value) + ": " + m_family + " has " +
                                       (first.empty() ? "" : first + " first, and ") + "the keys " +
                                       WordList::WithCommas(keys));
        }
        WormholeError::ThrowIf(!first.empty() && !Has(""),
                               m_family + " without " + first + ": expected these first, as in " +
                                   example);
    }

    bool Has(const std::string& key) const
    {
        return m_values.count(key) > 0;
    }

    const std::string& GetFirst() const
    {
        return m_values.at("");
    }

    std::string Get(const std::string& key, const std::string& fallback) const
    {
        const auto found = m_values.find(key);
        return found == m_values.end() ? fallback : found->second;
    }

    uint32_t GetWhole(const std::string& key) const
    {
        WormholeError::ThrowIf(!Has(key),
                               m_family + " without " + key + ": expected a whole number, as " +
                                   key + "=4");
        return GetWhole(key, 0);
    }

    uint32_t GetWhole(const std::string& key, uint32_t fallback) const
    {
        const auto found = m_values.find(key);
        return found == m_values.end() ? fallback
                                       : ReadWhole(found->second, Entry(key, found->second));
    }

    /// @return the value, a list of whole numbers separated by x; empty if there is no entry
    std::vector<uint32_t> GetWholes(const std::string& key) const
    {
        std::vector<uint32_t> numbers;
        if (const auto found = m_values.find(key); found != m_values.end())
        {
            for (const auto& part : Split(found->second, "x"))
            {
                WormholeError::ThrowIf(part.empty(),
                                       Entry(key, found->second) + ": a number is missing " +
                                           (numbers.empty() ? "before" : "after") +
                                           " an x; expected whole numbers with x between them, as "
                                           "8x8");
                numbers.push_back(ReadWhole(part, Entry(key, found->second)));
            }
        }
        return numbers;
    }

    double GetNumber(const std::string& key, double fallback) const
    {
        const auto found = m_values.find(key);
        if (found == m_values.end())
        {
            return fallback;
        }
        const auto number = ParseStrictNumber(found->second);
        WormholeError::ThrowIf(std::isnan(number),
                               Entry(key, found->second) + ": expected a number, as 0.75");
        return number;
    }

    /// @param words allowed words; the first is the default
    /// @return the value @throws WormholeError if it is none of the words
    std::string GetWord(const std::string& key, const std::vector<std::string>& words) const
    {
        const auto word = Get(key, words.front());
        WormholeError::ThrowIf(!IsIn(words, word),
                               Entry(key, word) + ": expected " + WordList::WithCommas(words));
        return word;
    }

    static std::vector<std::string> Split(const std::string& text, const char* separator)
    {
        std::vector<std::string> parts;
        boost::split(parts, text, boost::is_any_of(separator));
        return parts;
    }

  private:
    static std::string Entry(const std::string& key, const std::string& value)
    {
        return "'" + (key.empty() ? "" : key + "=") + value + "'";
    }

    static uint32_t ReadWhole(const std::string& value, const std::string& entry)
    {
        uint32_t number = 0;
        const auto last = value.data() + value.size();
        const auto [end, error] = std::from_chars(value.data(), last, number);
        WormholeError::ThrowIf(error != std::errc() || end != last,
                               entry + ": '" + value +
                                   "' is not accepted; expected a whole number up to " +
                                   std::to_string(UINT32_MAX));
        return number;
    }

    std::string m_family;                        ///< the part before the colon
    std::map<std::string, std::string> m_values; ///< values by key; empty for the one without a key
};

/// Properties of cables, switches (S10) and lanes in a topology's text, in any family.
///
/// `rate`, `delay` or `length`, and `depth` apply to all cables, as read by CableText; with the
/// prefix `uplink-`, they apply to cables between switches. `rates`, such as 40Gbps+100Gbps, apply
/// to cables in turn, in the order of nodes and ports. `switch-delay` applies to all switches.
/// `lanes`, `priorities` and `grant` apply to all channels (S11), as read by LaneText.
class TopologyProperties
{
  public:
    static const std::vector<std::string>& GetKeys()
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

    static void Read(const TopologyText& text, FabricGraph& graph)
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
            WormholeError::ThrowIf(text.Has(RATES) && text.Has(other),
                                   std::string(RATES) + " and " + other + ": expected one");
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

  private:
    static constexpr auto UPLINK = "uplink-"; ///< prefix for cables between switches
    static constexpr auto RATES = "rates";
    static constexpr auto SWITCH_DELAY = "switch-delay";

    /// @return names of the cables' properties in a text
    static const std::vector<std::string>& GetNames()
    {
        static const std::vector<std::string> names{"rate", "delay", "length", "depth"};
        return names;
    }

    /// Reads an entry, if there is one; errors name its key.
    template <typename READ>
    static void ReadEntry(const TopologyText& text, const std::string& key, READ read)
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

    static CableProperties ReadCables(const TopologyText& text, const std::string& prefix)
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

    /// Assigns rates to cables in turn. @param texts rates separated by + @param graph the fabric
    static void SetRates(const std::string& texts, FabricGraph& graph)
    {
        const auto rates = MadeOf(TopologyText::Split(texts, "+"), CableText::ReadRate);
        std::size_t cables = 0;
        ForEachCable(graph, [&](FabricGraph::End end, FabricGraph::End) {
            const auto own = graph.GetProperties().FindCable({end.node, end.port});
            auto cable = own ? *own : CableProperties();
            cable.rate = rates[cables++ % rates.size()];
            graph.SetCable(end.node, end.port, cable);
        });
    }
};

} // namespace ns3

#endif /* TOPOLOGY_TEXT_H */
