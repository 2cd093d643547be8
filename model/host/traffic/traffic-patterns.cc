/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traffic-patterns.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TrafficPattern);

TypeId
TrafficPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TrafficPattern").SetParent<Object>().SetGroupName("Wormhole");
    return tid;
}

TrafficPattern::TrafficPattern()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
TrafficPattern::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
TrafficPattern::Prepare(const FabricGraph& graph)
{
    if (graph.GetNHosts() < 2)
    {
        throw WormholeError("traffic between " + std::to_string(graph.GetNHosts()) +
                            " hosts: expected at least 2");
    }
    m_nHosts = graph.GetNHosts();
    DoPrepare(graph);
    if (GetNSenders() == 0)
    {
        throw WormholeError("all of the " + std::to_string(m_nHosts) +
                            " hosts would send to themselves; expected more hosts");
    }
}

uint32_t
TrafficPattern::GetNSenders() const
{
    uint32_t senders = 0;
    for (uint32_t host = 0; host < m_nHosts; ++host)
    {
        senders += !IsSilent(host);
    }
    return senders;
}

bool
TrafficPattern::IsSilent(uint32_t) const
{
    return false;
}

std::vector<TrafficPattern::Share>
TrafficPattern::GetShares(uint32_t) const
{
    return {};
}

uint32_t
TrafficPattern::DrawOther(uint32_t source)
{
    const auto host = DrawInteger(0, m_nHosts - 2);
    return host + (host >= source);
}

void
TrafficPattern::DoPrepare(const FabricGraph&)
{
}

NS_OBJECT_ENSURE_REGISTERED(UniformPattern);
NS_OBJECT_ENSURE_REGISTERED(HotspotPattern);
NS_OBJECT_ENSURE_REGISTERED(NearestSwitchPattern);
NS_OBJECT_ENSURE_REGISTERED(FixedPattern);
NS_OBJECT_ENSURE_REGISTERED(PermutationPattern);
NS_OBJECT_ENSURE_REGISTERED(TransposePattern);
NS_OBJECT_ENSURE_REGISTERED(BitReversalPattern);

namespace
{

template <class PATTERN, class PARENT>
TypeId
MakeType(const std::string& name)
{
    return TypeId("ns3::" + name + "Pattern")
        .SetParent<PARENT>()
        .SetGroupName("Wormhole")
        .template AddConstructor<PATTERN>();
}

/// @return where worms go that a host sends to one host with a probability, else to any other
std::vector<TrafficPattern::Share>
ShareAmongOthers(uint32_t source, uint32_t nHosts, uint32_t hotHost = 0, double fraction = 0)
{
    std::vector<TrafficPattern::Share> shares;
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        if (host != source)
        {
            shares.emplace_back(host,
                                (1 - fraction) / (nHosts - 1) + (host == hotHost ? fraction : 0));
        }
    }
    return shares;
}

/// @return hosts of the nearest other switches that have some @param from a switch with one host
std::vector<uint32_t>
FindNearest(const FabricGraph& graph, FabricGraph::Node from)
{
    std::vector<bool> seen(graph.GetNSwitches());
    seen[from] = true;
    std::vector<uint32_t> found;
    for (std::vector<FabricGraph::Node> level{from}, next; found.empty(); level.swap(next))
    {
        next.clear();
        for (const auto node : level)
        {
            for (const auto port : graph.PortsToSwitches(node))
            {
                const auto far = graph.Peer(node, port).node;
                if (!seen[far])
                {
                    seen[far] = true;
                    next.push_back(far);
                    for (const auto hostPort : graph.PortsToHosts(far))
                    {
                        found.push_back(graph.Peer(far, hostPort).node - graph.GetNSwitches());
                    }
                }
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

TypeId
UniformPattern::GetTypeId()
{
    static TypeId tid = MakeType<UniformPattern, TrafficPattern>("Uniform");
    return tid;
}

uint32_t
UniformPattern::Draw(uint32_t source)
{
    return DrawOther(source);
}

std::vector<TrafficPattern::Share>
UniformPattern::GetShares(uint32_t source) const
{
    return ShareAmongOthers(source, GetNHosts());
}

TypeId
HotspotPattern::GetTypeId()
{
    static TypeId tid =
        MakeType<HotspotPattern, TrafficPattern>("Hotspot")
            .AddAttribute("Fraction",
                          "Fraction of the worms of every other host that goes to the hot host.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&HotspotPattern::m_fraction),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Host",
                          "Number of the hot host.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HotspotPattern::m_host),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
HotspotPattern::DoPrepare(const FabricGraph& graph)
{
    if (m_host >= graph.GetNHosts())
    {
        throw WormholeError("hot host " + std::to_string(m_host) + ": expected 0 to " +
                            std::to_string(graph.GetNHosts() - 1));
    }
}

uint32_t
HotspotPattern::Draw(uint32_t source)
{
    if (source != m_host && DrawRatio() < m_fraction)
    {
        return m_host;
    }
    return DrawOther(source);
}

std::vector<TrafficPattern::Share>
HotspotPattern::GetShares(uint32_t source) const
{
    return ShareAmongOthers(source, GetNHosts(), m_host, source == m_host ? 0 : m_fraction);
}

TypeId
NearestSwitchPattern::GetTypeId()
{
    static TypeId tid = MakeType<NearestSwitchPattern, TrafficPattern>("NearestSwitch");
    return tid;
}

void
NearestSwitchPattern::DoPrepare(const FabricGraph& graph)
{
    graph.Validate();
    m_switchOf.resize(graph.GetNHosts());
    std::vector<std::vector<uint32_t>> hosts(graph.GetNSwitches());
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        m_switchOf[host] = graph.SwitchOf(graph.HostAt(host)).node;
        hosts[m_switchOf[host]].push_back(host);
    }
    m_nearest = hosts;
    for (FabricGraph::Node node = 0; node < graph.GetNSwitches(); ++node)
    {
        if (hosts[node].size() == 1)
        {
            m_nearest[node] = FindNearest(graph, node);
        }
    }
}

uint32_t
NearestSwitchPattern::Draw(uint32_t source)
{
    const auto& hosts = m_nearest[m_switchOf[source]];
    const auto own = std::lower_bound(hosts.begin(), hosts.end(), source);
    const bool among = own != hosts.end() && *own == source;
    const auto last = static_cast<uint32_t>(hosts.size()) - 1 - among;
    const auto index = DrawInteger(0, last);
    return hosts[index + (among && index >= static_cast<uint32_t>(own - hosts.begin()))];
}

std::vector<TrafficPattern::Share>
NearestSwitchPattern::GetShares(uint32_t source) const
{
    std::vector<Share> shares;
    for (const auto host : m_nearest[m_switchOf[source]])
    {
        if (host != source)
        {
            shares.emplace_back(host, 1);
        }
    }
    for (auto& share : shares)
    {
        share.second /= static_cast<double>(shares.size());
    }
    return shares;
}

TypeId
FixedPattern::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FixedPattern").SetParent<TrafficPattern>().SetGroupName("Wormhole");
    return tid;
}

void
FixedPattern::DoPrepare(const FabricGraph& graph)
{
    m_destinations = MakeDestinations(graph.GetNHosts());
}

bool
FixedPattern::IsSilent(uint32_t source) const
{
    return m_destinations[source] == source;
}

uint32_t
FixedPattern::Draw(uint32_t source)
{
    return m_destinations[source];
}

std::vector<TrafficPattern::Share>
FixedPattern::GetShares(uint32_t source) const
{
    return {{m_destinations[source], 1.0}};
}

TypeId
PermutationPattern::GetTypeId()
{
    static TypeId tid = MakeType<PermutationPattern, FixedPattern>("Permutation");
    return tid;
}

std::vector<uint32_t>
PermutationPattern::MakeDestinations(uint32_t nHosts)
{
    std::vector<uint32_t> destinations(nHosts);
    bool fixedPoint = true;
    while (fixedPoint) // about e times, whatever the number of hosts
    {
        std::iota(destinations.begin(), destinations.end(), 0);
        for (uint32_t i = 0; i + 1 < nHosts; ++i)
        {
            std::swap(destinations[i], destinations[DrawInteger(i, nHosts - 1)]);
        }
        fixedPoint = false;
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            fixedPoint = fixedPoint || destinations[i] == i;
        }
    }
    return destinations;
}

TypeId
TransposePattern::GetTypeId()
{
    static TypeId tid = MakeType<TransposePattern, FixedPattern>("Transpose");
    return tid;
}

std::vector<uint32_t>
TransposePattern::MakeDestinations(uint32_t nHosts)
{
    const auto side = static_cast<uint32_t>(std::sqrt(nHosts));
    if (side * side != nHosts)
    {
        throw WormholeError("a transpose needs a square number of hosts, and there are " +
                            std::to_string(nHosts) + "; expected " +
                            (side > 1 ? std::to_string(side * side) + " or " : "") +
                            std::to_string((side + 1) * (side + 1)));
    }
    std::vector<uint32_t> destinations(nHosts);
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        destinations[i] = i % side * side + i / side;
    }
    return destinations;
}

TypeId
BitReversalPattern::GetTypeId()
{
    static TypeId tid = MakeType<BitReversalPattern, FixedPattern>("BitReversal");
    return tid;
}

std::vector<uint32_t>
BitReversalPattern::MakeDestinations(uint32_t nHosts)
{
    uint32_t bits = 0;
    while (uint64_t{2} << bits <= nHosts)
    {
        ++bits;
    }
    const auto below = uint64_t{1} << bits;
    if (below != nHosts)
    {
        throw WormholeError("a bit reversal needs a power of two of hosts, and there are " +
                            std::to_string(nHosts) + "; expected " +
                            (below > 2 ? std::to_string(below) + " or " : "") +
                            std::to_string(2 * below));
    }
    std::vector<uint32_t> destinations(nHosts);
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        for (uint32_t bit = 0; bit < bits; ++bit)
        {
            destinations[i] |= (i >> bit & 1) << (bits - 1 - bit);
        }
    }
    return destinations;
}

} // namespace ns3
