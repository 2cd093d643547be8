/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "routing-engine.h"

#include "lane-routes.h"

#include "ns3/bracketed-name.h"
#include "ns3/named-types.h"
#include "ns3/nearest-name.h"
#include "ns3/route-request.h"
#include "ns3/word-list.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoutingEngine);

namespace
{

/// An engine's name with attributes, for messages.
const std::string EXAMPLE = "balanced[Root=center]";

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
    const auto list = NamedTypes::List(GetTypeId());
    const auto found = list.find(parts.GetBare());
    if (found == list.end())
    {
        const auto names = NamedTypes::GetNames(list);
        throw WormholeError("there is no routing '" + name + "'; there are " +
                            WordList::WithCommas(names) +
                            NearestName::Hint(parts.GetBare(), names));
    }
    auto engine = NamedTypes::Make<RoutingEngine>(found->second, parts);
    engine->m_text = name;
    engine->m_settings = parts.GetSettings();
    return engine;
}

std::vector<std::string>
RoutingEngine::GetNames()
{
    return NamedTypes::GetNames(NamedTypes::List(GetTypeId()));
}

bool
RoutingEngine::Has(const std::string& name)
{
    return NamedTypes::List(GetTypeId()).count(name.substr(0, name.find('['))) > 0;
}

void
RoutingEngine::Follow(const FabricRoutes&)
{
}

void
RoutingEngine::RefuseRule(const std::string& accepted) const
{
    throw WormholeError("routing " + GetName() + ": the fabric was not made as " + accepted +
                        "; for any fabric there are up-down, balanced, adaptive and nue");
}

std::string
RoutingEngine::GetName() const
{
    return NamedTypes::ShortName(GetInstanceTypeId(), GetTypeId());
}

Ptr<WormholeRouter>
RoutingEngine::MakeRouter(const FabricGraph& graph, const RegularTopology* rule) const
{
    auto router = DoMakeRouter(RouteRequest::CheckFabric(graph), rule);
    if (const auto routes = DynamicCast<LaneRoutes>(router))
    {
        routes->SetName("routing " + GetName());
    }
    return router;
}

} // namespace ns3
