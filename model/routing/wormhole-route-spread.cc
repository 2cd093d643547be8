// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-route-spread.h"

#include "switch-search.h"

#include "ns3/text-tools.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <random>
#include <utility>

namespace ns3
{

namespace
{

/// 2^64 divided by the golden ratio, odd: it sets apart numbers that follow each other.
constexpr uint64_t GOLDEN = 0x9e3779b97f4a7c15;

uint64_t
Mix(uint64_t number)
{
    // The last steps of SplitMix64 (Steele, Lea and Flood 2014), with the constants of Stafford's
    // Mix13, as in Vigna's public-domain splitmix64.c.
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
    number = (number ^ number >> 27) * 0x94d049bb133111eb;
    return number ^ number >> 31;
}

/// @return a range as text, such as 2 to 8
std::string
RangeText(const std::pair<uint32_t, uint32_t>& range)
{
    const auto& [least, most] = range;
    return std::to_string(least) + (most > least ? " to " + std::to_string(most) : "");
}

} // namespace

RouteSpread::Rule
RouteSpread::ByName(const std::string& name)
{
    const auto& names = GetNames();
    const auto found = std::find(names.begin(), names.end(), name);
    WormholeError::ThrowIf(found == names.end(),
                           "spread '" + name + "': expected " + WordList::WithCommas(names));
    return static_cast<Rule>(found - names.begin());
}

RouteSpread::RouteSpread(Rule rule, uint32_t from, uint32_t to, uint64_t worm)
    : m_rule(rule),
      m_number(0)
{
    const auto both = (uint64_t{from} << 32 | to) + GOLDEN;
    m_number = rule == Rule::HASH      ? Mix(both)
               : rule == Rule::EACH    ? Mix(Mix(both) + worm * GOLDEN)
               : rule == Rule::IN_TURN ? to
                                       : 0;
}

uint32_t
RouteSpread::Choose(uint32_t place, uint32_t count) const
{
    if (m_rule == Rule::HASH || m_rule == Rule::EACH)
    {
        // The upper half of the bits as a fraction of 1.
        return static_cast<uint32_t>((Mix(m_number + (place + 1) * GOLDEN) >> 32) * count >> 32);
    }
    return m_rule == Rule::IN_TURN ? static_cast<uint32_t>(m_number % count) : 0;
}

std::vector<std::size_t>
FindFirstPorts(const FabricGraph& graph)
{
    std::vector<std::size_t> first{0};
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        first.push_back(first.back() + graph.GetNPorts(node));
    }
    return first;
}

std::vector<double>
FindChannelTimes(const FabricGraph& graph)
{
    const auto& properties = graph.GetProperties();
    if (properties.IsEmpty())
    {
        return {};
    }
    const auto first = FindFirstPorts(graph);
    TypeId::AttributeInformation rate;
    TypeId::AttributeInformation size;
    WormholeFabric::GetTypeId().LookupAttributeByName("DataRate", &rate);
    WormholeFabric::GetTypeId().LookupAttributeByName("FlitSize", &size);
    const auto common = DynamicCast<const DataRateValue>(rate.initialValue)->Get();
    const auto bits = 8.0 * DynamicCast<const UintegerValue>(size.initialValue)->Get();
    std::vector<double> times(first.back(), 0);
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        for (uint32_t port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto cable = properties.GetCable({node, static_cast<FabricGraph::Port>(port)});
            times[first[node] + port] =
                cable.flitTime && !cable.flitTime->IsZero()
                    ? cable.flitTime->GetSeconds() / bits
                    : 1.0 / static_cast<double>(cable.rate.value_or(common).GetBitRate());
        }
    }
    return times;
}

std::vector<CableUse::Bundle>
CableUse::FindBundles(const FabricGraph& graph)
{
    const SwitchAdjacency adjacency(graph);
    std::vector<Bundle> bundles;
    for (Node from = 0; from < graph.GetNSwitches(); ++from)
    {
        Bundle bundle{from, FabricGraph::NONE, {}, 0};
        const auto close = [&](Node next) {
            if (bundle.ports.size() > 1)
            {
                bundles.push_back(bundle);
            }
            bundle.to = next;
            bundle.ports.clear();
        };
        for (const auto& link : adjacency.Of(from))
        {
            if (link.to != bundle.to)
            {
                close(link.to);
            }
            bundle.ports.push_back(link.port);
        }
        close(FabricGraph::NONE);
    }
    return bundles;
}

std::vector<CableUse::Bundle>
CableUse::Count(const FabricGraph& graph, WormholeRouter& router)
{
    auto bundles = FindBundles(graph);
    const auto nPorts = graph.GetNSwitches() > 0 ? graph.GetNPorts(0) : 0;
    std::vector<bool> isUsed(std::size_t{graph.GetNSwitches()} * nPorts, false);
    const auto use = [&](uint32_t from, uint32_t to) {
        const auto route = router.GetRoute(from, to);
        auto node = graph.SwitchOf(graph.HostAt(from)).node;
        for (WormRoute::Stop stop = 1; graph.IsSwitch(node) && route->At(stop).size() > 0;)
        {
            const auto branch = route->At(stop)[0];
            isUsed[std::size_t{node} * nPorts + branch.port] = true;
            node = graph.Peer(node, branch.port).node;
            stop = branch.next;
        }
    };
    const uint64_t nHosts = graph.GetNHosts();
    if (nHosts * nHosts <= MAX_PAIRS)
    {
        for (uint64_t pair = 0; pair < nHosts * nHosts; ++pair)
        {
            if (pair / nHosts != pair % nHosts)
            {
                use(static_cast<uint32_t>(pair / nHosts), static_cast<uint32_t>(pair % nHosts));
            }
        }
    }
    else
    {
        std::mt19937_64 random(1);
        for (uint64_t i = 0; i < MAX_PAIRS; ++i)
        {
            const auto from = static_cast<uint32_t>(random() % nHosts);
            const auto to = static_cast<uint32_t>(random() % (nHosts - 1));
            use(from, to + (to >= from)); // another host
        }
    }
    for (auto& bundle : bundles)
    {
        bundle.nUsed = std::count_if(bundle.ports.begin(), bundle.ports.end(), [&](Port port) {
            return isUsed[std::size_t{bundle.from} * nPorts + port];
        });
    }
    return bundles;
}

std::string
CableUse::Describe(const FabricGraph& graph, const std::function<Ptr<WormholeRouter>()>& makeRouter)
{
    if (FindBundles(graph).empty())
    {
        return "";
    }
    const auto bundles = Count(graph, *makeRouter());
    std::pair<uint32_t, uint32_t> cables{UINT32_MAX, 0};
    std::pair<uint32_t, uint32_t> used{UINT32_MAX, 0};
    for (const auto& bundle : bundles)
    {
        const auto n = static_cast<uint32_t>(bundle.ports.size());
        cables = {std::min(cables.first, n), std::max(cables.second, n)};
        used = {std::min(used.first, bundle.nUsed), std::max(used.second, bundle.nUsed)};
    }
    const uint64_t nHosts = graph.GetNHosts();
    return std::to_string(bundles.size() / 2) + " bundles of " + RangeText(cables) +
           " parallel cables: " + RangeText(used) + " of each used, each way" +
           (nHosts * nHosts > MAX_PAIRS
                ? ", by " + std::to_string(MAX_PAIRS) + " pairs of hosts that were looked at"
                : "");
}

} // namespace ns3
