// SPDX-License-Identifier: GPL-2.0-only

#include "barrier-model.h"

#include "ns3/software-collective.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-linked-schedules.h"
#include "ns3/wormhole-node-state.h"

#include <algorithm>
#include <vector>

namespace ns3
{

FabricTimes
FabricTimes::Of(const CollectiveDomain& domain)
{
    auto fabric = domain.GetFabric();
    auto device = fabric->GetHost(0);
    return {domain.GetSoftware(0)->GetStartUp(0),
            device->GetPort()->GetChannel()->GetDelay(),
            fabric->GetSwitch(0)->GetDelay(),
            device->GetDelay(),
            fabric->GetFlitTime(*device->GetPort()->GetChannel())};
}

Time
FabricTimes::Message(uint32_t links) const
{
    const auto cables = TimeLimit::Multiply(linkDelay, links);
    const auto nodes = TimeLimit::Add(TimeLimit::Multiply(switchDelay, links - 1),
                                      TimeLimit::Multiply(interfaceDelay, 2));
    return TimeLimit::Add(startUp, TimeLimit::Add(cables, nodes));
}

uint32_t
GetLongestMessageBytes(const Barrier& barrier)
{
    uint32_t header = 0;
    if (const auto software = dynamic_cast<const SoftwareCollective*>(&barrier))
    {
        const auto& schedules = software->GetSchedules();
        for (uint32_t i = 0; i < schedules.GetFirst(schedules.GetNMembers()); ++i)
        {
            header = std::max(header, schedules.At(i).extraBytes);
        }
    }
    return barrier.GetMessageBytes() + header;
}

uint32_t
GetRouteDepth(const WormRoute& route)
{
    // Every stop comes after the one that leads to it, in paths and trees alike.
    std::vector<uint32_t> depths(route.GetNStops());
    for (WormRoute::Stop stop = 0; stop < route.GetNStops(); ++stop)
    {
        for (const auto& branch : route.At(stop))
        {
            depths[branch.next] = depths[stop] + 1;
        }
    }
    return *std::max_element(depths.begin(), depths.end());
}

BarrierModel::BarrierModel(const CollectiveDomain& domain, const Barrier& barrier, bool exact)
    : m_fabric(domain.GetFabric()),
      m_times(FabricTimes::Of(domain))
{
    const auto n = barrier.GetNMembers();
    const auto root = barrier.GetRoot();
    const auto type = barrier.GetInstanceTypeId().GetName();
    const bool isMulticast = type == "ns3::MulticastBarrier";
    WormholeError::ThrowIf(!isMulticast && type != "ns3::UnicastBarrier",
                           "what " + type +
                               " takes without contention is not known; expected "
                               "ns3::MulticastBarrier and ns3::UnicastBarrier");
    if (n == 1)
    {
        return;
    }
    const auto& output = m_fabric->GetHost(0)->GetPort()->GetState();
    m_depth = output.coversRoundTrip || !exact ? 0 : output.depth;

    auto router = m_fabric->GetRouter();
    Phase reduction;
    Phase distribution;
    std::vector<uint32_t> others;
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        if (rank == root)
        {
            continue;
        }
        AddWorm(*router->GetSwitchPath(barrier.GetHost(rank), barrier.GetHost(root)),
                barrier.GetMessageFlits(),
                Time(0),
                reduction);
        if (!isMulticast)
        {
            AddWorm(*router->GetSwitchPath(barrier.GetHost(root), barrier.GetHost(rank)),
                    barrier.GetMessageFlits(),
                    TimeLimit::Multiply(m_times.startUp, others.size()),
                    distribution);
        }
        others.push_back(barrier.GetHost(rank));
    }
    if (isMulticast)
    {
        AddWorm(*router->GetTreeRoute(barrier.GetHost(root), others),
                domain.GetFabric()->GetFlits(GetLongestMessageBytes(barrier)),
                Time(0),
                distribution);
    }
    latency = TimeLimit::Add(reduction.latency, distribution.latency);
    model = TimeLimit::Add(reduction.model, distribution.model);
}

void
BarrierModel::AddWorm(const WormRoute& route, uint64_t flits, Time wait, Phase& phase)
{
    const auto links = GetRouteDepth(route);
    for (WormRoute::Stop stop = 0; stop < route.GetNChannels(); ++stop)
    {
        flitHops += flits + m_fabric->GetRouteFlits(route, stop);
    }
    flits += m_fabric->GetRouteFlits(route);
    if (m_depth > 0 && flits > m_depth && links > 1)
    {
        throw WormholeError("reduction ideal: buffers of " + std::to_string(m_depth) +
                            " flits slow even a lone worm of " + std::to_string(flits) +
                            "; expected a WormholePort::BufferDepth of 0, which covers a "
                            "cable's round trip, or that depth and more");
    }
    phase.latency = std::max(phase.latency, TimeLimit::Add(wait, m_times.LoneWorm(links, flits)));
    phase.model = std::max(phase.model, TimeLimit::Add(wait, m_times.Message(links)));
    ++startUps;
    messageHops += route.GetNChannels();
}

} // namespace ns3
