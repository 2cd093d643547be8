// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-traffic-helper.h"

#include "ns3/ordering.h"
#include "ns3/text-tools.h"
#include "ns3/traffic-patterns.h"
#include "ns3/wormhole-error.h"

#include <utility>

namespace ns3
{

namespace
{

/// Short names of patterns, and what their types are called.
const std::vector<std::pair<std::string, std::string>> SHORT_NAMES{
    {"uniform", "Uniform"},
    {"permutation", "Permutation"},
    {"transpose", "Transpose"},
    {"bit-reversal", "BitReversal"},
    {"hotspot", "Hotspot"},
    {"nearest-switch", "NearestSwitch"}};

} // namespace

void
WormholeTrafficHelper::SetPattern(const std::string& name)
{
    const auto found = FindIn(SHORT_NAMES, [&](const auto& each) { return each.first == name; });
    const auto type = found == SHORT_NAMES.end() ? name : "ns3::" + found->second + "Pattern";
    TypeId tid;
    WormholeError::ThrowIf(!TypeId::LookupByNameFailSafe(type, &tid) ||
                               !tid.IsChildOf(TrafficPattern::GetTypeId()) || !tid.HasConstructor(),
                           "there is no pattern '" + name + "'; there are " +
                               WordList::WithCommas(GetPatternNames()) +
                               ", and the TypeIds that derive from ns3::TrafficPattern");
    m_patternFactory = ObjectFactory();
    m_patternFactory.SetTypeId(tid);
}

Ptr<WormholeTraffic>
WormholeTrafficHelper::Install(Ptr<WormholeFabric> fabric,
                               const FabricGraph& graph,
                               const WormLength& length,
                               int64_t stream) const
{
    auto pattern = MakePattern(graph, stream);
    auto traffic = m_trafficFactory.Create<WormholeTraffic>();
    traffic->Install(fabric, pattern, length);
    traffic->AssignStreams(stream + 1);
    return traffic;
}

Ptr<TrafficPattern>
WormholeTrafficHelper::MakePattern(const FabricGraph& graph, int64_t stream) const
{
    auto pattern = m_patternFactory.Create<TrafficPattern>();
    pattern->AssignStreams(stream);
    pattern->Prepare(graph);
    return pattern;
}

std::vector<std::string>
WormholeTrafficHelper::GetPatternNames()
{
    return KeysOf(SHORT_NAMES);
}

} // namespace ns3
