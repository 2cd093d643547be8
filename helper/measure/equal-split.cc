/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "equal-split.h"

#include "ns3/destination-loads.h"
#include "ns3/switch-channels.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

namespace
{

/// Switches with hosts times channels that are looked at, at most.
constexpr uint64_t MAX_SPLITS = uint64_t{1} << 32;

} // namespace

double
GetEqualSplitBound(const FabricGraph& graph)
{
    using Node = FabricGraph::Node;
    const SwitchChannels channels(graph);
    const HostPlaces hosts(graph);
    const auto nSwitches = graph.GetNSwitches();
    const auto first = FindFirstPorts(graph);
    const auto times = FindChannelTimes(graph);
    const auto timeOf = [&](Node node, FabricGraph::Port port) {
        return times.empty() ? 1 : times[first[node] + port];
    };
    std::vector<double> senders(nSwitches, 0); // what hosts send in a unit of time, by switch
    uint64_t nEnds = 0;
    double all = 0;
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        const auto sent = 1 / timeOf(graph.HostAt(host), 0);
        senders[hosts.SwitchOf(host)] += sent;
        all += sent;
    }
    for (Node node = 0; node < nSwitches; ++node)
    {
        nEnds += hosts.CountAt(node) > 0;
    }
    if (nEnds * channels.GetNChannels() > MAX_SPLITS)
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double nOthers = graph.GetNHosts() - 1.0;
    std::vector<double> loads(channels.GetNChannels(), 0);
    std::vector<uint32_t> distances(nSwitches);
    std::vector<double> counts(nSwitches); // of shortest paths
    std::vector<double> passing(nSwitches);
    std::vector<Node> queue;
    for (Node to = 0; to < nSwitches; ++to)
    {
        if (hosts.CountAt(to) == 0)
        {
            continue;
        }
        distances.assign(nSwitches, UINT32_MAX);
        counts.assign(nSwitches, 0);
        passing = senders;
        queue.assign(1, to);
        distances[to] = 0;
        counts[to] = 1;
        for (std::size_t i = 0; i < queue.size(); ++i)
        {
            const auto node = queue[i];
            for (auto out = channels.First(node); out < channels.First(node + 1); ++out)
            {
                const auto far = channels.To(out);
                if (distances[far] == UINT32_MAX)
                {
                    distances[far] = distances[node] + 1;
                    queue.push_back(far);
                }
                counts[far] += distances[far] == distances[node] + 1 ? counts[node] : 0;
            }
        }
        for (auto at = queue.rbegin(); *at != to; ++at)
        {
            if (passing[*at] == 0)
            {
                continue;
            }
            for (auto out = channels.First(*at); out < channels.First(*at + 1); ++out)
            {
                const auto far = channels.To(out);
                if (distances[far] + 1 == distances[*at])
                {
                    const auto part = passing[*at] * counts[far] / counts[*at];
                    passing[far] += part;
                    loads[out] += part * hosts.CountAt(to);
                }
            }
        }
    }
    double most = 1; // of the channel of a host that sends
    for (uint32_t channel = 0; channel < loads.size(); ++channel)
    {
        const auto time = timeOf(channels.From(channel), channels.PortOf(channel));
        most = std::max(most, loads[channel] * time / nOthers);
    }
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        const auto end = graph.SwitchOf(graph.HostAt(host));
        const auto sent = all - 1 / timeOf(graph.HostAt(host), 0);
        most = std::max(most, sent * timeOf(end.node, end.port) / nOthers);
    }
    return 1 / most;
}

} // namespace ns3
