/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-registry.h"

#include "collective-kinds.h"
#include "communication-schedule.h"

#include "ns3/attribute-text.h"
#include "ns3/data-schedules.h"
#include "ns3/nearest-name.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cctype>

namespace ns3
{

namespace
{

/// @return a word in small letters, with a dash before each digit and each but the first that was a
/// capital @param word the word
std::string
Dashed(const std::string& word)
{
    std::string text;
    for (const char letter : word)
    {
        const auto code = static_cast<unsigned char>(letter);
        if ((std::isupper(code) || std::isdigit(code)) && !text.empty())
        {
            text += '-';
        }
        text += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return text;
}

/// @return a type's name without ns3:: @param type the type
std::string
BareName(const TypeId& type)
{
    return type.GetName().substr(std::string("ns3::").size());
}

/// A name in its parts.
struct NameParts
{
    std::string bare;                  ///< the name without brackets
    std::string text;                  ///< what its brackets enclose
    std::vector<std::string> settings; ///< the same in parts, such as Tree=fibo
};

/// @return a name in its parts @param name the name, such as smp[Inner=tree[Tree=binary]]
NameParts
Split(const std::string& name)
{
    NameParts parts;
    const auto bracket = name.find('[');
    parts.bare = name.substr(0, bracket);
    if (bracket == std::string::npos)
    {
        return parts;
    }
    std::size_t begin = bracket + 1;
    int depth = 0;
    for (std::size_t i = bracket; i < name.size(); ++i)
    {
        depth += (name[i] == '[') - (name[i] == ']');
        const bool isLast = depth == 0;
        if (isLast || (depth == 1 && name[i] == '|'))
        {
            parts.settings.push_back(name.substr(begin, i - begin));
            begin = i + 1;
        }
        if (isLast && i + 1 < name.size())
        {
            throw WormholeError("'" + name + "': '" + name.substr(i + 1) +
                                "' is behind the last bracket; accepted is a name such as "
                                "smp[Inner=tree[Tree=fibo]]");
        }
    }
    if (depth > 0)
    {
        throw WormholeError(
            "'" + name +
            "': " + (depth == 1 ? "a bracket is" : std::to_string(depth) + " brackets are") +
            " not closed; accepted is '" + name + std::string(depth, ']') + "'");
    }
    parts.text = name.substr(bracket + 1, name.size() - bracket - 2);
    return parts;
}

/**
 * Sets attributes.
 * @param object whose
 * @param parts the name that they are part of, in its parts
 * @param name the same, for messages
 */
void
SetAttributes(Collective& object, const NameParts& parts, const std::string& name)
{
    for (const auto& part : parts.settings)
    {
        const auto type = object.GetInstanceTypeId();
        const auto equals = part.find('=');
        const auto attribute = part.substr(0, equals);
        TypeId::AttributeInformation information;
        if (equals == std::string::npos || !type.LookupAttributeByName(attribute, &information))
        {
            throw WormholeError("'" + name + "': '" + part + "' sets no attribute of " +
                                type.GetName() +
                                "; accepted is Attribute=value, with | between several");
        }
        const auto value = part.substr(equals + 1);
        try
        {
            CheckAttributeText(type.GetName() + "::" + attribute, value);
        }
        catch (const WormholeError& error)
        {
            throw WormholeError("'" + name + "': " + error.what());
        }
        object.SetAttribute(attribute, StringValue(value));
    }
}

} // namespace

std::map<std::string, TypeId>
CollectiveRegistry::List(TypeId kind)
{
    std::map<std::string, TypeId> list;
    const auto kindName = BareName(kind);
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (!type.IsChildOf(kind) || !type.HasConstructor())
        {
            continue;
        }
        auto name = BareName(type);
        if (name.size() > kindName.size() &&
            name.compare(name.size() - kindName.size(), kindName.size(), kindName) == 0)
        {
            name.resize(name.size() - kindName.size());
        }
        list[name == "InSwitch" ? "btin" : Dashed(name)] = type;
    }
    return list;
}

Ptr<Collective>
CollectiveRegistry::Make(TypeId kind, const std::string& name)
{
    static const std::map<std::string, std::string> ALIASES{
        {"central", "unicast"},
        {"pairwise", "pairwise-exchange"},
        {"recursive-doubling", "pairwise-exchange"},
        {"in-switch", "btin"}};
    static const std::map<std::string, std::string> TREES{{"binary", "binary"},
                                                          {"binomial", "binomial"},
                                                          {"fibo", "fibo"},
                                                          {"linear", "sequential"}};
    // Segments of a segmented-ring, as Open MPI's.
    static const std::string SEGMENT_BYTES = "1048576";
    const auto parts = Split(name);
    const auto list = List(kind);
    const auto alias = ALIASES.find(parts.bare);
    const bool isAlias = alias != ALIASES.end() && list.count(parts.bare) == 0;
    const auto bare = isAlias ? alias->second : parts.bare;

    const auto further = (parts.text.empty() ? "" : "|" + parts.text) + "]";
    if (kind == Reduction::GetTypeId() && bare == "btin")
    {
        return Make(kind, "smp[Inner=btin" + further);
    }
    if (const auto tree = TREES.find(bare); tree != TREES.end() && list.count(bare) == 0)
    {
        return Make(kind, "tree[Tree=" + tree->second + further);
    }

    if (bare == "segmented-ring" && list.count(bare) == 0 && list.count("ring") > 0)
    {
        return Make(kind, "ring[SegmentBytes=" + SEGMENT_BYTES + further);
    }

    const auto found = list.find(bare);
    TypeId type;
    if (found != list.end())
    {
        type = found->second;
    }
    else if (!TypeId::LookupByNameFailSafe(bare, &type) || !type.IsChildOf(kind) ||
             !type.HasConstructor())
    {
        std::string known;
        for (const auto& entry : list)
        {
            known += (known.empty() ? "" : ", ") + entry.first;
        }
        auto names = GetNames(kind);
        for (const auto& [usual, own] : ALIASES)
        {
            names.push_back(usual);
        }
        for (const auto& [usual, own] : TREES)
        {
            names.push_back(usual);
        }
        throw WormholeError("there is no " + Dashed(BareName(kind)) + " '" + name +
                            "'; there are " + known + " and the TypeIds that derive from " +
                            kind.GetName() + NearestName::Hint(parts.bare, names));
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    auto collective = factory.Create<Collective>();
    SetAttributes(*collective, parts, name);
    return collective;
}

Ptr<Collective>
CollectiveRegistry::MakeInner(TypeId kind, const std::string& name)
{
    auto inner = Make(kind, name);
    std::vector<std::string> outer{"Operation",
                                   "WidthBits",
                                   "GroupIdBits",
                                   "MessageBytes",
                                   "TreeLeaves"};
    if (dynamic_cast<const ScheduleMaker*>(PeekPointer(inner)))
    {
        outer.insert(outer.end(), {"Transport", "WithinHost", "AddressExchange", "Root"});
    }
    if (dynamic_cast<const DataScheduleMaker*>(PeekPointer(inner)))
    {
        outer = {"Bytes",
                 "Lengths",
                 "DataType",
                 "DataOperation",
                 "KeepsOrder",
                 "Transport",
                 "WithinHost",
                 "SegmentBytes",
                 "SegmentsUnderWay",
                 "Root"};
    }
    for (const auto& [attribute, value] : GetSettings(name))
    {
        if (std::find(outer.begin(), outer.end(), attribute) != outer.end())
        {
            throw WormholeError("Inner is '" + name + "', where " + attribute +
                                " has no effect; accepted is it beside Inner, as in smp[" +
                                attribute + "=" + value + "|Inner=" + Split(name).bare + "]");
        }
    }
    return inner;
}

std::map<std::string, std::string>
CollectiveRegistry::GetSettings(const std::string& name)
{
    std::map<std::string, std::string> settings;
    for (const auto& part : Split(name).settings)
    {
        const auto equals = std::min(part.find('='), part.size());
        settings[part.substr(0, equals)] = part.substr(std::min(equals + 1, part.size()));
    }
    return settings;
}

std::vector<std::string>
CollectiveRegistry::GetNames(TypeId kind)
{
    std::vector<std::string> names;
    for (const auto& entry : List(kind))
    {
        names.push_back(entry.first);
    }
    return names;
}

} // namespace ns3
