/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "table-router.h"

#include "channel-dependency.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace ns3
{

TableRouter::TableRouter(const FabricGraph& graph)
    : RankedRouter(graph, "routes by table"),
      m_table(graph.GetRoutes().table)
{
    if (!m_table || m_table->GetNSwitches() != graph.GetNSwitches() ||
        m_table->GetNHosts() != graph.GetNHosts())
    {
        throw WormholeError(
            "routing table: " +
            (m_table ? "the table is of " + std::to_string(m_table->GetNSwitches()) +
                           " switches and " + std::to_string(m_table->GetNHosts()) + " hosts"
                     : std::string("the fabric has no table")) +
            "; accepted is one of its " + std::to_string(graph.GetNSwitches()) + " switches and " +
            std::to_string(graph.GetNHosts()) + " hosts");
    }
    const auto nPorts = graph.GetNSwitches() ? graph.GetNPorts(0) : 0;
    const auto nChannels = std::size_t{graph.GetNSwitches()} * nPorts;
    Use use{std::vector<bool>(nChannels, false), std::vector<std::vector<uint32_t>>(nChannels)};
    std::vector<uint32_t> done(graph.GetNSwitches(), UINT32_MAX);
    for (uint32_t to = 0; to < graph.GetNHosts(); ++to)
    {
        FollowAllTo(to, done, use);
    }
    Rank(use);
}

FabricGraph::End
TableRouter::Next(Node node, uint32_t to) const
{
    return GetGraph().Peer(node, m_table->Get(node, to));
}

void
TableRouter::Refuse(Node node, uint32_t to, const std::string& trouble) const
{
    throw WormholeError("routes to " + GetGraph().GetName(GetGraph().HostAt(to)) + ": " +
                        GetGraph().GetName(node) + " " + trouble +
                        "; accepted are ports that lead there from every host");
}

void
TableRouter::FollowAllTo(uint32_t to, std::vector<uint32_t>& done, Use& use) const
{
    const auto own = GetGraph().HostAt(to);
    std::vector<Node> way;
    for (uint32_t from = 0; from < GetGraph().GetNHosts(); ++from)
    {
        auto node = EndOf(from).node;
        if (from == to || done[node] == to)
        {
            continue;
        }
        way.clear();
        for (auto before = UINT32_MAX;;)
        {
            const auto port = m_table->Get(node, to);
            if (port == RouteTable::NONE || port >= GetGraph().GetNPorts(node))
            {
                Refuse(node,
                       to,
                       port == RouteTable::NONE ? "has no port for it"
                                                : "has no port " + std::to_string(port));
            }
            const auto far = GetGraph().Peer(node, port).node;
            if (far == FabricGraph::NONE || (!GetGraph().IsSwitch(far) && far != own))
            {
                Refuse(node,
                       to,
                       "leaves by port " + std::to_string(port) + ", which leads to " +
                           (far == FabricGraph::NONE ? "nothing" : GetGraph().GetName(far)));
            }
            const auto out = static_cast<uint32_t>(IndexOf(node, port));
            use.used[out] = true;
            if (before != UINT32_MAX && far != own)
            {
                auto& next = use.turns[before];
                if (std::find(next.begin(), next.end(), out) == next.end())
                {
                    next.push_back(out);
                }
            }
            if (done[node] == to) // known from here on, unless this route came here before
            {
                if (const auto again = std::find(way.begin(), way.end(), node); again != way.end())
                {
                    std::string circle;
                    for (auto each = again; each != way.end(); ++each)
                    {
                        circle += GetGraph().GetName(*each) + " -> ";
                    }
                    Refuse(node, to, "leads in a circle, " + circle + GetGraph().GetName(node));
                }
                break;
            }
            done[node] = to;
            way.push_back(node);
            if (far == own)
            {
                break;
            }
            before = out;
            node = far;
        }
    }
}

std::vector<uint32_t>
TableRouter::FindDepths() const
{
    const auto nSwitches = GetGraph().GetNSwitches();
    std::vector<uint32_t> depths(nSwitches, UINT32_MAX);
    std::vector<Node> order;
    for (uint32_t host = 0; host < GetGraph().GetNHosts(); ++host)
    {
        const auto node = EndOf(host).node;
        if (depths[node] != 0)
        {
            depths[node] = 0;
            order.push_back(node);
        }
    }
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        for (uint32_t port = 0; port < GetGraph().GetNPorts(order[i]); ++port)
        {
            const auto far = GetGraph().Peer(order[i], static_cast<Port>(port)).node;
            if (far < nSwitches && depths[far] == UINT32_MAX)
            {
                depths[far] = depths[order[i]] + 1;
                order.push_back(far);
            }
        }
    }
    return depths;
}

void
TableRouter::Rank(const Use& use)
{
    const auto nChannels = static_cast<uint32_t>(use.used.size());
    std::vector<uint32_t> before(nChannels, 0); // channels that are to be ranked first
    for (const auto& next : use.turns)
    {
        for (const auto channel : next)
        {
            ++before[channel];
        }
    }
    std::vector<uint32_t> order;
    std::vector<uint32_t> others;
    for (uint32_t channel = 0; channel < nChannels; ++channel)
    {
        if (!use.used[channel])
        {
            others.push_back(channel);
        }
        else if (before[channel] == 0)
        {
            order.push_back(channel);
        }
    }
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        for (const auto channel : use.turns[order[i]])
        {
            if (--before[channel] == 0)
            {
                order.push_back(channel);
            }
        }
    }
    if (order.size() + others.size() < nChannels)
    {
        CheckDeadlockFree(use);
    }
    const auto depths = FindDepths();
    const auto nPorts = GetGraph().GetNSwitches() ? GetGraph().GetNPorts(0) : 1;
    std::stable_sort(others.begin(), others.end(), [&](uint32_t a, uint32_t b) {
        return depths[a / nPorts] < depths[b / nPorts];
    });
    order.insert(order.end(), others.begin(), others.end());
    std::vector<uint32_t> ranks(nChannels, 0);
    uint32_t rank = 0;
    for (const auto channel : order)
    {
        ranks[channel] = ++rank;
    }
    SetRanks(std::move(ranks), 1);
}

void
TableRouter::CheckDeadlockFree(const Use& use) const
{
    ChannelDependency dependency(GetGraph());
    const auto nPorts = GetGraph().GetNPorts(0);
    const auto channelAt = [nPorts](uint32_t index) {
        return ChannelDependency::Channel{index / nPorts, static_cast<Port>(index % nPorts)};
    };
    for (uint32_t channel = 0; channel < use.turns.size(); ++channel)
    {
        for (const auto next : use.turns[channel])
        {
            dependency.Add(channelAt(channel), channelAt(next));
        }
    }
    dependency.CheckDeadlockFree();
}

void
TableRouter::AppendExits(uint32_t from, uint32_t to, Exits& exits) const
{
    for (auto node = EndOf(from).node; GetGraph().IsSwitch(node); node = Next(node, to).node)
    {
        exits.push_back({m_table->Get(node, to), 0});
    }
}

bool
TableRouter::AreBySwitch() const
{
    return true;
}

bool
TableRouter::AddLoads(uint32_t to, const std::vector<double>& senders, Loads& loads) const
{
    // Routes to a host form a tree: each switch passes on what all before it have sent.
    const auto last = EndOf(to).node;
    std::vector<uint32_t> before(senders.size(), 0); // switches that pass on to each
    std::vector<bool> isKnown(senders.size(), false);
    std::vector<Node> nodes;
    for (Node start = 0; start < senders.size(); ++start)
    {
        if (senders[start] > 0)
        {
            for (auto node = start; node != last && !isKnown[node];)
            {
                isKnown[node] = true;
                nodes.push_back(node);
                node = Next(node, to).node;
                ++before[node];
            }
        }
    }
    auto sent = senders;
    std::vector<uint32_t> longest(senders.size(), 0);
    std::vector<Node> ready;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(ready), [&](Node node) {
        return before[node] == 0;
    });
    for (std::size_t i = 0; i < ready.size(); ++i)
    {
        const auto node = ready[i];
        const auto far = Next(node, to).node;
        loads.channels[IndexOf(node, m_table->Get(node, to))] += sent[node];
        sent[far] += sent[node];
        longest[far] = std::max(longest[far], longest[node] + 1);
        if (far == last)
        {
            loads.longest = std::max(loads.longest, longest[far]);
        }
        else if (--before[far] == 0)
        {
            ready.push_back(far);
        }
    }
    return true;
}

} // namespace ns3
