// SPDX-License-Identifier: GPL-2.0-only

#ifndef BARRIER_MODEL_H
#define BARRIER_MODEL_H

#include "ns3/nstime.h"
#include "ns3/software-collective.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-linked-schedules.h"
#include "ns3/wormhole-node-state.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

/// Length of the longest message of a barrier with a group, in bytes: the message's fields, and a
/// tree worm's header.
inline uint32_t
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

/// Maximum number of channels between a route's start and one of its ends.
inline uint32_t
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

/// The times of a homogeneous fabric, and of a message without contention.
struct FabricTimes
{
    Time startUp;        ///< t_s, start-up of a message
    Time linkDelay;      ///< t_p, propagation delay of a cable
    Time switchDelay;    ///< t_r, delay of a switch
    Time interfaceDelay; ///< delay of an interface, t_r in the model of Moh et al. (2001)
    Time flitTime;       ///< tau, time of a flit

    static FabricTimes Of(const CollectiveDomain& domain)
    {
        auto fabric = domain.GetFabric();
        auto device = fabric->GetHost(0);
        return {domain.GetSoftware(0)->GetStartUp(0),
                device->GetPort()->GetChannel()->GetDelay(),
                fabric->GetSwitch(0)->GetDelay(),
                device->GetDelay(),
                fabric->GetFlitTime(*device->GetPort()->GetChannel())};
    }

    /// The model of Moh et al. (2001), t_s + d t_p + (d + 1) t_r, for d cables, d - 1 switches and
    /// two interfaces, without the time of flits.
    /// @return time from the beginning of the start-up until the receiving software has the message
    Time Message(uint32_t links) const
    {
        const auto cables = TimeLimit::Multiply(linkDelay, links);
        const auto nodes = TimeLimit::Add(TimeLimit::Multiply(switchDelay, links - 1),
                                          TimeLimit::Multiply(interfaceDelay, 2));
        return TimeLimit::Add(startUp, TimeLimit::Add(cables, nodes));
    }

    /// The time of a lone worm of L flits, also of a tree worm's longest branch, by the fabric's
    /// timing rules, if buffers cover a cable's round trip or hold the whole worm: the head takes
    /// tau + t_p + t_r per channel, and the tail follows L - 1 flit times later, which adds
    /// (d - 1 + L) tau to Message.
    /// @return time from the beginning of the start-up until the receiving software has the worm
    Time LoneWorm(uint32_t links, uint64_t flits) const
    {
        return TimeLimit::Add(Message(links), TimeLimit::Multiply(flitTime, links - 1 + flits));
    }
};

/// The time of a central barrier without contention.
///
/// All members but the root send a message to the root at once; the last to arrive is the message
/// with the longest path. Then the root sends either a tree worm (multicast), which has reached all
/// members at the end of its longest branch, or a message to each member in turn (unicast), in the
/// order of ranks, with one start-up after the other.
struct BarrierModel
{
    Time latency;            ///< including the time of flits, by FabricTimes::LoneWorm
    Time model;              ///< without the time of flits, by FabricTimes::Message
    uint64_t messageHops{0}; ///< worms times channels
    uint64_t flitHops{0};    ///< flits times channels
    uint64_t startUps{0};    ///< number of messages, each with a start-up, to or from the root

    /// @param barrier a multicast or unicast barrier, with a group
    /// @param exact whether latency is required; if not, buffers may have any depth
    /// @throws WormholeError if it is a different barrier, or if short buffers would slow a lone
    ///         worm, so that latency would be wrong
    BarrierModel(const CollectiveDomain& domain, const Barrier& barrier, bool exact = true)
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

  private:
    struct Phase
    {
        Time latency; ///< including the time of flits
        Time model;   ///< without the time of flits
    };

    /// @param wait time from the start of the phase to that of the worm's start-up
    void AddWorm(const WormRoute& route, uint64_t flits, Time wait, Phase& phase)
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
        phase.latency =
            std::max(phase.latency, TimeLimit::Add(wait, m_times.LoneWorm(links, flits)));
        phase.model = std::max(phase.model, TimeLimit::Add(wait, m_times.Message(links)));
        ++startUps;
        messageHops += route.GetNChannels();
    }

    Ptr<WormholeFabric> m_fabric; ///< the fabric
    FabricTimes m_times;          ///< its times
    uint64_t m_depth{0};          ///< maximum length of worms that buffers don't slow; 0: any
};

} // namespace ns3

#endif /* BARRIER_MODEL_H */
