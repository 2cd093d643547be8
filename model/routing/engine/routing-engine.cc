/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "routing-engine.h"

#include "engine-router.h"

#include "ns3/bracketed-name.h"
#include "ns3/nearest-name.h"
#include "ns3/object-factory.h"
#include "ns3/routable-graph.h"
#include "ns3/wormhole-error.h"

#include <map>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoutingEngine);

namespace
{

/// An engine's name with attributes, for messages.
const std::string EXAMPLE = "balanced[Root=center]";

/// @return the short name of an engine's type @param type the type
std::string
ShortName(TypeId type)
{
    const std::string space = "ns3::";
    const std::string kind = "RoutingEngine";
    const auto name = type.GetName();
    return BracketedName::Dashed(
        name.substr(space.size(), name.size() - space.size() - kind.size()));
}

/// @return all engines by name
std::map<std::string, TypeId>
ListEngines()
{
    std::map<std::string, TypeId> list;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const auto type = TypeId::GetRegistered(i);
        if (type.IsChildOf(RoutingEngine::GetTypeId()) && type.HasConstructor())
        {
            list[ShortName(type)] = type;
        }
    }
    return list;
}

} // namespace

TypeId
RoutingEngine::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RoutingEngine").SetParent<Object>().SetGroupName("Wormhole");
    return tid;
}

Ptr<RoutingEngine>
RoutingEngine::Make(const std::string& name)
{
    const BracketedName parts(name, EXAMPLE);
    const auto list = ListEngines();
    const auto found = list.find(parts.GetBare());
    if (found == list.end())
    {
        std::string known;
        for (const auto& entry : list)
        {
            known += (known.empty() ? "" : ", ") + entry.first;
        }
        throw WormholeError("there is no routing '" + name + "'; there are " + known +
                            NearestName::Hint(parts.GetBare(), GetNames()));
    }
    ObjectFactory factory;
    factory.SetTypeId(found->second);
    auto engine = factory.Create<RoutingEngine>();
    parts.SetAttributes(*engine);
    return engine;
}

std::vector<std::string>
RoutingEngine::GetNames()
{
    std::vector<std::string> names;
    for (const auto& entry : ListEngines())
    {
        names.push_back(entry.first);
    }
    return names;
}

bool
RoutingEngine::Has(const std::string& name)
{
    return ListEngines().count(name.substr(0, name.find('['))) > 0;
}

std::string
RoutingEngine::GetName() const
{
    return ShortName(GetInstanceTypeId());
}

std::shared_ptr<const LaneRoutes>
RoutingEngine::Compute(const FabricGraph& graph, const RegularTopology* rule) const
{
    return DoCompute(CheckRoutable(graph), rule);
}

Ptr<WormholeRouter>
RoutingEngine::MakeRouter(const FabricGraph& graph, const RegularTopology* rule) const
{
    return DoMakeRouter(CheckRoutable(graph), rule);
}

Ptr<WormholeRouter>
RoutingEngine::DoMakeRouter(const FabricGraph& graph, const RegularTopology* rule) const
{
    return Create<EngineRouter>(graph, GetName(), DoCompute(graph, rule));
}

} // namespace ns3
