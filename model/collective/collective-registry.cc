/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-registry.h"

#include "collective-kinds.h"
#include "communication-schedule.h"

#include "ns3/bracketed-name.h"
#include "ns3/data-schedules.h"
#include "ns3/nearest-name.h"
#include "ns3/object-factory.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return a type's name without ns3:: @param type the type
std::string
BareName(const TypeId& type)
{
    return type.GetName().substr(std::string("ns3::").size());
}

/// @return a name in its parts @param name the name, such as smp[Inner=tree[Tree=binary]]
BracketedName
Split(const std::string& name)
{
    return {name, "smp[Inner=tree[Tree=fibo]]"};
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
        list[name == "InSwitch" ? "btin" : BracketedName::Dashed(name)] = type;
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
    const auto& bareName = parts.GetBare();
    const auto list = List(kind);
    const auto alias = ALIASES.find(bareName);
    const bool isAlias = alias != ALIASES.end() && list.count(bareName) == 0;
    const auto bare = isAlias ? alias->second : bareName;

    const auto further = (parts.GetText().empty() ? "" : "|" + parts.GetText()) + "]";
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
        throw WormholeError("there is no " + BracketedName::Dashed(BareName(kind)) + " '" + name +
                            "'; there are " + known + " and the TypeIds that derive from " +
                            kind.GetName() + NearestName::Hint(bareName, names));
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    auto collective = factory.Create<Collective>();
    parts.SetAttributes(*collective);
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
                                attribute + "=" + value + "|Inner=" + Split(name).GetBare() + "]");
        }
    }
    return inner;
}

std::map<std::string, std::string>
CollectiveRegistry::GetSettings(const std::string& name)
{
    std::map<std::string, std::string> settings;
    const auto parts = Split(name);
    for (const auto& part : parts.GetSettings())
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
