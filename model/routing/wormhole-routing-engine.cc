// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-routing-engine.h"

#include "wormhole-route-set.h"

#include "ns3/bracketed-name.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/route-request.h"
#include "ns3/text-tools.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoutingEngine);

TypeId
RoutingEngine::GetTypeId()
{
    static TypeId tid =
        NewType::Of<RoutingEngine, Object>("ns3::RoutingEngine")
            .Add("FreeLanes",
                 "Number of lanes in place of each lane of a route; at each node, a worm takes the "
                 "one of these lanes that is granted first.",
                 Sets::Number(&RoutingEngine::m_freeLanes, 1, 1, 256));
    return tid;
}

Ptr<RoutingEngine>
RoutingEngine::Make(const std::string& name)
{
    const BracketedName parts(name, "balanced[Root=center]");
    const auto list = NamedTypes::List(GetTypeId());
    const auto found = list.find(parts.GetBaseName());
    if (found == list.end())
    {
        const auto names = KeysOf(list);
        throw WormholeError("there is no routing '" + name + "'; there are " +
                            WordList::WithCommas(names) +
                            NearestName::Hint(parts.GetBaseName(), names));
    }
    auto engine = NamedTypes::Make<RoutingEngine>(found->second, parts);
    engine->m_text = name;
    engine->m_settings = parts.GetSettings();
    return engine;
}

std::vector<std::string>
RoutingEngine::GetNames()
{
    return KeysOf(NamedTypes::List(GetTypeId()));
}

bool
RoutingEngine::Has(const std::string& name)
{
    return NamedTypes::List(GetTypeId()).count(name.substr(0, name.find('['))) > 0;
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
    if (const auto routes = DynamicCast<RouteSet>(router))
    {
        routes->SetName("routing " + GetName());
    }
    return m_freeLanes > 1 ? MakeFreeLanes(router) : router;
}

} // namespace ns3
