/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-registry.h"

#include "collective-kinds.h"
#include "group-schedules.h"

#include "ns3/bracketed-name.h"
#include "ns3/data-collective.h"
#include "ns3/named-types.h"
#include "ns3/nearest-name.h"
#include "ns3/word-list.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// @return a name in its parts @param name the name, such as smp[Inner=tree[Tree=binary]]
BracketedName
Split(const std::string& name)
{
    return {name, "smp[Inner=tree[Tree=fibo]]"};
}

/// Usual names of algorithms that have another here.
const std::map<std::string, std::string> ALIASES{{"central", "unicast"},
                                                 {"pairwise", "pairwise-exchange"},
                                                 {"recursive-doubling", "pairwise-exchange"},
                                                 {"in-switch", "btin"}};

/// Usual names of trees.
const std::map<std::string, std::string> TREES{{"binary", "binary"},
                                               {"binomial", "binomial"},
                                               {"fibo", "fibo"},
                                               {"linear", "sequential"}};

} // namespace

std::map<std::string, TypeId>
CollectiveRegistry::List(TypeId kind)
{
    auto list = NamedTypes::List(kind);
    if (auto inSwitch = list.extract("in-switch"))
    {
        inSwitch.key() = "btin";
        list.insert(std::move(inSwitch));
    }
    return list;
}

Ptr<Collective>
CollectiveRegistry::Make(TypeId kind, const std::string& name, const std::string& kindName)
{
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
        return Make(kind, "smp[Inner=btin" + further, kindName);
    }
    if (const auto tree = TREES.find(bare);
        tree != TREES.end() && list.count(bare) == 0 && list.count("tree") > 0)
    {
        return Make(kind, "tree[Tree=" + tree->second + further, kindName);
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
        throw WormholeError("there is no " + (kindName.empty() ? NameKind(kind) : kindName) + " '" +
                            name + "'; there are " +
                            WordList::WithCommas(NamedTypes::GetNames(list)) +
                            NearestName::Hint(bareName, ListUsualNames(kind)));
    }
    return NamedTypes::Make<Collective>(type, parts);
}

std::vector<std::string>
CollectiveRegistry::ListUsualNames(TypeId kind)
{
    const auto list = List(kind);
    auto names = NamedTypes::GetNames(list);
    for (const auto& [usual, own] : ALIASES)
    {
        if (list.count(own) > 0)
        {
            names.push_back(usual);
        }
    }
    for (const auto& [usual, own] : TREES)
    {
        if (list.count("tree") > 0)
        {
            names.push_back(usual);
        }
    }
    return names;
}

std::string
CollectiveRegistry::NameKind(TypeId kind)
{
    for (const auto each : DataKindLaw::GetAll())
    {
        if (GetDataKindType(each) == kind)
        {
            return DataKindLaw::GetName(each);
        }
    }
    return BracketedName::Dashed(NamedTypes::BareName(kind));
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
    const bool isData = DynamicCast<DataCollective>(inner) != nullptr;
    if (isData)
    {
        outer = {"Bytes", "Lengths", "DataType", "DataOperation", "KeepsOrder"};
    }
    if (dynamic_cast<const ScheduleMaker*>(PeekPointer(inner)))
    {
        outer.insert(outer.end(), {"Transport", "WithinHost", "Root"});
        const std::vector<std::string> own =
            isData ? std::vector<std::string>{"SegmentBytes", "SegmentsUnderWay"}
                   : std::vector<std::string>{"AddressExchange"};
        outer.insert(outer.end(), own.begin(), own.end());
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
    return NamedTypes::GetNames(List(kind));
}

} // namespace ns3
