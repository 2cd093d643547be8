// SPDX-License-Identifier: GPL-2.0-only

#ifndef FABRIC_PROPERTIES_FILE_H
#define FABRIC_PROPERTIES_FILE_H

#include "ns3/cable-text.h"
#include "ns3/fabric-graph.h"
#include "ns3/json-file.h"
#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-fabric.h"

#include <boost/algorithm/string/join.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// Reads properties of single cables, switches and hosts from a fabric file; see ReadFabricFile.
///
/// Every function throws a WormholeError for any error: one line with file, line, place, value and
/// what is expected.
class FabricPropertiesReader
{
  public:
    void ReadDefaults(const JsonValue& value, FabricProperties& properties)
    {
        auto names = CableText::GetNames();
        names.insert(names.end(), {"switch_delay", "delay_per_metre"});
        value.CheckKeys({}, names);
        if (value.Has("delay_per_metre"))
        {
            const auto pace = ReadDelay(value.Get("delay_per_metre"));
            value.Get("delay_per_metre")
                .RefuseIf(pace.IsZero(), "is no time", "a time above 0, such as 5ns");
            m_text = CableText(pace);
        }
        if (value.Has("switch_delay"))
        {
            properties.switchDelay = ReadDelay(value.Get("switch_delay"));
        }
        for (const auto& name : CableText::GetNames())
        {
            if (value.Has(name))
            {
                ReadOne(value.Get(name), name, properties.cables);
            }
        }
    }

    CableProperties ReadCable(const JsonValue& value) const
    {
        auto names = CableText::GetNames();
        names.emplace_back("link_delay"); // as in case files of worms
        value.CheckKeys({}, names);
        CableProperties cable;
        for (const auto& member : value.GetMembers())
        {
            ReadOne(member, member.GetKey(), cable);
        }
        return cable;
    }

    /// Reads which hosts are interfaces of the same computer. @param value the array in the file
    /// @param graph the fabric, which receives them
    static void ReadInterfaces(const JsonValue& value, FabricGraph& graph)
    {
        for (const auto& group : value.GetItems())
        {
            std::vector<uint32_t> hosts;
            for (const auto& name : group.GetItems())
            {
                const auto node = graph.Find(name.GetString());
                name.RefuseIf(node == FabricGraph::NONE || graph.IsSwitch(node),
                              "is no host",
                              "a name that is in hosts");
                hosts.push_back(node - graph.GetNSwitches());
            }
            try
            {
                graph.GroupInterfaces(hosts);
            }
            catch (const WormholeError& error)
            {
                const auto [what, accepted] = Split(error);
                group.Refuse("is no group of interfaces, " + what, accepted);
            }
        }
        const auto nFirst = graph.GetNFirstInterfaces();
        for (const auto& group : value.GetItems())
        {
            const auto names = group.GetItems();
            for (std::size_t i = 1; i < names.size(); ++i)
            {
                names[i].RefuseIf(graph.FindHost(names[i].GetString()) < nFirst,
                                  "stands in hosts before a host that is no further interface",
                                  "hosts with all further interfaces last");
            }
        }
    }

    /// @param root the object that may hold "lanes", "priorities" and "grant"
    static void ReadLanes(const JsonValue& root, LaneProperties& lanes)
    {
        if (root.Has("lanes"))
        {
            lanes.lanes =
                static_cast<uint32_t>(root.Get("lanes").GetUnsigned(1, WormholeFabric::MAX_LANES));
        }
        if (root.Has("grant"))
        {
            const auto value = root.Get("grant");
            lanes.grant = value.GetString();
            value.RefuseIf(*lanes.grant != "flit" && *lanes.grant != "worm",
                           "is unknown",
                           "flit or worm");
        }
        const auto count = lanes.lanes.value_or(1);
        if (root.Has("priorities"))
        {
            lanes.priorities = MadeOf(root.Get("priorities").GetItems(), [](const auto& value) {
                return static_cast<uint32_t>(value.GetUnsigned(0, LaneText::MAX_PRIORITY));
            });
            if (lanes.priorities.size() != count)
            {
                root.Get("priorities")
                    .Refuse("are of " + std::to_string(lanes.priorities.size()) + " lanes",
                            "one for each of " + std::to_string(count));
            }
        }
        if (count > 1 && lanes.grant.value_or("flit") != "worm")
        {
            root.Get("lanes").Refuse("are several", "1, or grant worm");
        }
    }

    /// @return a switch's delay @param value the object in the file, or a number of ps
    static Time ReadSwitch(const JsonValue& value)
    {
        if (value.IsNumber())
        {
            return TimeStep(value.GetInteger(0, MAX_DELAY));
        }
        value.CheckKeys({"delay"});
        return ReadDelay(value.Get("delay"));
    }

  private:
    /// Longest delay, ps.
    static constexpr int64_t MAX_DELAY = TimeLimit::LONGEST_SECONDS * 1'000'000'000'000;

    /// @return what is wrong, and what is expected, which is empty if the error does not say it
    static std::pair<std::string, std::string> Split(const WormholeError& error)
    {
        const std::string what = error.what();
        const std::string expected = "; expected ";
        const auto at = what.find(expected);
        return {what.substr(0, at),
                at == std::string::npos ? "" : what.substr(at + expected.size())};
    }

    /// Reads a text, or refuses it with its position in the file.
    /// @param read reads the text, and throws a WormholeError if it is invalid
    template <class READ>
    static void ReadText(const JsonValue& value, READ read)
    {
        const auto& text = value.GetString();
        try
        {
            read(text);
        }
        catch (const WormholeError& error)
        {
            const auto [what, accepted] = Split(error);
            value.Refuse(accepted.empty() ? "is refused, " + what : "is not accepted",
                         accepted.empty() ? "another value" : accepted);
        }
    }

    /// @return a delay @param value a text in the file, a time of 0 or more
    static Time ReadDelay(const JsonValue& value)
    {
        Time delay;
        ReadText(value, [&](const std::string& text) { delay = ExactTime::Parse(text); });
        return delay;
    }

    void ReadOne(const JsonValue& value, const std::string& name, CableProperties& cable) const
    {
        const bool isNumber = value.IsNumber();
        if (name == "link_delay" || (name == "flit_time" && isNumber))
        {
            // Whole picoseconds, as in case files of worms.
            const auto time = TimeStep(value.GetInteger(1, MAX_DELAY));
            (name == "link_delay" ? cable.delay : cable.flitTime) = time;
        }
        else if (name == "depth" && isNumber)
        {
            cable.depth = static_cast<uint32_t>(value.GetUnsigned(1, WormholePort::MAX_DEPTH));
        }
        else
        {
            ReadText(value, [&](const std::string& text) { m_text.Read(name, text, cable); });
        }
    }

    CableText m_text; ///< reads texts
};

class FabricPropertiesWriter
{
  public:
    static void WriteParts(std::ostream& out, const FabricGraph& graph)
    {
        const auto& properties = graph.GetProperties();
        const auto& lanes = properties.lanes;
        if (lanes.lanes)
        {
            out << ",\n \"lanes\": " << *lanes.lanes;
        }
        const auto print = [](uint32_t priority) { return std::to_string(priority); };
        out << Enclose(",\n \"priorities\": [", MadeOf(lanes.priorities, print), ", ", "]");
        if (lanes.grant)
        {
            out << ",\n \"grant\": " << JsonFile::Quote(*lanes.grant);
        }
        out << Enclose(",\n \"outages\": [", MadeOf(lanes.outages, JsonFile::Quote), ", ", "]");
        auto defaults = CableText::Print(properties.cables);
        if (properties.switchDelay)
        {
            defaults.emplace_back("switch_delay", ExactTime::Print(*properties.switchDelay));
        }
        if (!defaults.empty())
        {
            out << ",\n \"defaults\": " << Print(defaults);
        }
        const auto switches = MadeOf(properties.GetSwitchDelays(), [&graph](const auto& each) {
            return JsonFile::Quote(graph.GetName(each.first)) + ": " +
                   Print({{"delay", ExactTime::Print(each.second)}});
        });
        out << Enclose(",\n \"switches\": {\n  ", switches, ",\n  ", "\n }");
        const auto quote = [&graph](uint32_t host) {
            return JsonFile::Quote(graph.GetName(graph.HostAt(host)));
        };
        const auto interfaces = MadeOf(graph.GetInterfaces(), [&quote](const auto& each) {
            return Enclose("[", MadeOf(each.second, quote), ", ", "]");
        });
        out << Enclose(",\n \"interfaces\": [\n  ", interfaces, ",\n  ", "\n ]");
    }

    static void WriteCable(std::ostream& out, const FabricGraph& graph, FabricGraph::End end)
    {
        if (const auto cable = graph.GetProperties().FindCable({end.node, end.port}))
        {
            out << ", " << Print(CableText::Print(*cable));
        }
    }

  private:
    /// @return the joined texts, enclosed; empty if there are no texts
    static std::string Enclose(const std::string& opening,
                               const std::vector<std::string>& texts,
                               const std::string& between,
                               const std::string& closing)
    {
        return texts.empty() ? "" : opening + boost::algorithm::join(texts, between) + closing;
    }

    static std::string Print(const std::vector<std::pair<std::string, std::string>>& members)
    {
        const auto texts = MadeOf(members, [](const auto& member) {
            const auto& [name, text] = member;
            const bool isNumber = text.find_first_not_of("0123456789") == std::string::npos;
            return JsonFile::Quote(name) + ": " + (isNumber ? text : JsonFile::Quote(text));
        });
        return "{" + boost::algorithm::join(texts, ", ") + "}";
    }
};

} // namespace ns3

#endif /* FABRIC_PROPERTIES_FILE_H */
