// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-routing-engine.h"

#include "wormhole-route-set.h"

#include "ns3/bracketed-name.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/route-request.h"
#include "ns3/text-tools.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoutingEngine);

namespace
{

/// Who is told, and when.
struct Telling
{
    ProgressListener listener; ///< who; empty: nobody
    double patience{2};        ///< when a part is first told of, s after its begin
};

Telling&
GetTelling()
{
    static Telling telling;
    return telling;
}

constexpr std::chrono::milliseconds INTERVAL{200}; ///< between two calls

} // namespace

TypeId
RoutingEngine::GetTypeId()
{
    static TypeId tid =
        NewType::Of<RoutingEngine, Object>("ns3::RoutingEngine")
            .Add("FreeLanes",
                 "Lanes for each lane of the routes: at each node, a worm takes the one "
                 "that is granted first.",
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

ProgressListener
RoutingProgress::SetListener(ProgressListener listener, double patience)
{
    auto& telling = GetTelling();
    telling.patience = patience;
    return std::exchange(telling.listener, std::move(listener));
}

RoutingProgress::RoutingProgress(const std::string& what, uint64_t all)
    : m_what(what),
      m_all(all),
      m_next(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(GetTelling().patience)))
{
}

RoutingProgress::~RoutingProgress()
{
    if (!m_isTold || !GetTelling().listener)
    {
        return;
    }
    try
    {
        GetTelling().listener(m_what.c_str(), m_done, m_done);
    }
    catch (...)
    {
        // Routes are there, or an error is under way already.
    }
}

void
RoutingProgress::Step()
{
    ++m_done;
    if (!GetTelling().listener || m_done == m_all)
    {
        return;
    }
    if (const auto now = Clock::now(); now >= m_next)
    {
        m_next = now + INTERVAL;
        m_isTold = true;
        TellProgress(GetTelling().listener, m_what.c_str(), m_done, m_all);
    }
}

} // namespace ns3
