/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "adaptive-routes.h"

#include "ns3/route-spread.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace ns3
{

namespace
{

/// No way leads there.
constexpr uint16_t NO_WAY = UINT16_MAX;

} // namespace

AdaptiveRoutes::AdaptiveRoutes(const FabricGraph& graph,
                               uint32_t nLanes,
                               const std::vector<Channel>& order)
    : LaneRoutes(graph, nLanes),
      m_places(order.size()),
      m_order(order),
      m_distances(graph.GetNSwitches())
{
    // The escape comes last: whatever holds another lane may wait for it.
    std::vector<Vertex> vertices;
    for (uint32_t lane = nLanes; lane-- > 0;)
    {
        for (const auto channel : order)
        {
            vertices.push_back(channel * nLanes + lane);
        }
    }
    SetOrder(vertices);
    for (std::size_t place = 0; place < order.size(); ++place)
    {
        m_places[order[place]] = static_cast<uint32_t>(place);
    }
}

bool
AdaptiveRoutes::HasChoices() const
{
    return true;
}

const AdaptiveRoutes::Distances&
AdaptiveRoutes::To(Node to) const
{
    auto& known = m_distances[to];
    if (known)
    {
        return *known;
    }
    const auto& channels = GetChannels();
    known = std::make_unique<Distances>();
    auto& bySwitch = known->bySwitch;
    bySwitch.assign(channels.GetNSwitches(), NO_WAY);
    bySwitch[to] = 0;
    std::vector<Node> reached{to};
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        const auto node = reached[i];
        for (auto out = channels.First(node); out < channels.First(node + 1); ++out)
        {
            // Each cable is two channels: there is one back.
            const auto before = channels.To(out);
            if (bySwitch[before] == NO_WAY)
            {
                bySwitch[before] = bySwitch[node] + 1;
                reached.push_back(before);
            }
        }
    }
    auto& byChannel = known->byChannel;
    byChannel.assign(channels.GetNChannels(), NO_WAY);
    for (auto channel = m_order.rbegin(); channel != m_order.rend(); ++channel)
    {
        const auto node = channels.To(*channel);
        byChannel[*channel] = node == to ? 1 : NO_WAY;
        for (auto next = channels.First(node); node != to && next < channels.First(node + 1);
             ++next)
        {
            if (m_places[next] > m_places[*channel] && byChannel[next] != NO_WAY)
            {
                byChannel[*channel] = std::min<uint16_t>(byChannel[*channel], byChannel[next] + 1);
            }
        }
    }
    return *known;
}

std::vector<AdaptiveRoutes::Channel>
AdaptiveRoutes::ListEscapes(const Distances& distances, Node node, Channel last) const
{
    const auto& channels = GetChannels();
    std::vector<Channel> found;
    for (auto next = channels.First(node); next < channels.First(node + 1); ++next)
    {
        const auto distance = distances.byChannel[next];
        const bool follows = last == SwitchChannels::NONE || m_places[next] > m_places[last];
        if (!follows || distance == NO_WAY)
        {
            continue;
        }
        if (!found.empty() && distance < distances.byChannel[found.front()])
        {
            found.clear();
        }
        if (found.empty() || distance == distances.byChannel[found.front()])
        {
            found.push_back(next);
        }
    }
    return found;
}

AdaptiveRoutes::Channel
AdaptiveRoutes::ChooseEscape(const Distances& distances,
                             Node node,
                             Channel last,
                             const RouteSpread& spread) const
{
    const auto ways = ListEscapes(distances, node, last);
    return ways[spread.Choose(node, static_cast<uint32_t>(ways.size()))];
}

void
AdaptiveRoutes::Append(uint32_t from, uint32_t to, Way& way) const
{
    const RouteSpread spread(RouteSpread::Rule::HASH, from, to);
    const auto end = GetHosts().SwitchOf(to);
    const auto& distances = To(end);
    auto last = SwitchChannels::NONE;
    for (auto node = GetHosts().SwitchOf(from); node != end; node = GetChannels().To(last))
    {
        last = ChooseEscape(distances, node, last, spread);
        way.push_back(last * GetNLanes());
    }
}

AdaptiveRoutes::Choices
AdaptiveRoutes::MakeOrdered(Node from, Node end) const
{
    const RouteSpread spread(RouteSpread::Rule::HASH, from, end);
    const auto& channels = GetChannels();
    const auto& distances = To(end);
    // What may follow depends on the channel by which a worm came. All ways are equally long, so
    // each place in the list comes before those that it leads to; the end is last.
    std::vector<std::pair<Node, Channel>> places{{from, SwitchChannels::NONE}};
    std::unordered_map<Channel, uint32_t> known;
    Choices choices;
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        const auto [node, last] = places[i];
        choices.emplace_back();
        if (node == end)
        {
            continue;
        }
        auto ways = ListEscapes(distances, node, last);
        const auto first = spread.Choose(node, static_cast<uint32_t>(ways.size()));
        std::rotate(ways.begin(), ways.begin() + first, ways.end());
        for (const auto channel : ways)
        {
            // All that lead to the end share a place.
            const auto key = channels.To(channel) == end ? SwitchChannels::NONE : channel;
            const auto [place, isNew] = known.emplace(key, static_cast<uint32_t>(places.size()));
            if (isNew)
            {
                places.emplace_back(channels.To(channel), channel);
            }
            choices.back().push_back({channel, place->second});
        }
    }
    return choices;
}

AdaptiveRoutes::Choices
AdaptiveRoutes::MakeChoices(Node from, Node end) const
{
    const auto nLanes = GetNLanes();
    if (nLanes == 1)
    {
        return MakeOrdered(from, end);
    }
    const RouteSpread spread(RouteSpread::Rule::HASH, from, end);
    const auto& channels = GetChannels();
    const auto& distances = To(end);
    // Switches nearer and nearer, the end last, and the channel by which each is left for the
    // escape.
    std::vector<Node> nodes{from};
    std::unordered_map<Node, uint32_t> placeOf{{nodes.front(), 0}};
    std::vector<std::vector<Channel>> nearer;
    std::vector<Channel> leaves;
    std::map<uint32_t, uint32_t> escapes; // by place in the order: place in the list
    const auto escape = [&](Node node, Channel last) {
        return ChooseEscape(distances, node, last, spread);
    };
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        const auto node = nodes[i];
        nearer.emplace_back();
        leaves.push_back(node == end ? SwitchChannels::NONE : escape(node, SwitchChannels::NONE));
        if (node == end)
        {
            continue;
        }
        escapes.emplace(m_places[leaves.back()], 0);
        for (auto next = channels.First(node); next < channels.First(node + 1); ++next)
        {
            const auto far = channels.To(next);
            if (distances.bySwitch[far] + 1 == distances.bySwitch[node])
            {
                nearer.back().push_back(next);
                if (placeOf.emplace(far, static_cast<uint32_t>(nodes.size())).second)
                {
                    nodes.push_back(far);
                }
            }
        }
        const auto first = spread.Choose(node, static_cast<uint32_t>(nearer.back().size()));
        std::rotate(nearer.back().begin(), nearer.back().begin() + first, nearer.back().end());
    }
    // The escape goes on from there; what it takes comes later in the order, so the map grows
    // behind the place where it is looked at.
    auto place = static_cast<uint32_t>(nodes.size());
    std::vector<Channel> following; // on the escape, in the order of the list
    for (auto at = escapes.begin(); at != escapes.end(); ++at)
    {
        const auto channel = m_order[at->first];
        const bool isLast = channels.To(channel) == end;
        at->second = place++;
        following.push_back(isLast ? SwitchChannels::NONE : escape(channels.To(channel), channel));
        if (!isLast)
        {
            escapes.emplace(m_places[following.back()], 0);
        }
    }
    Choices choices(place);
    const auto first = spread.Choose(end, nLanes - 1);
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        for (uint32_t lane = 0; lane + 1 < nLanes; ++lane)
        {
            for (const auto channel : nearer[i])
            {
                choices[i].push_back({channel * nLanes + 1 + (first + lane) % (nLanes - 1),
                                      placeOf.at(channels.To(channel))});
            }
        }
        if (leaves[i] != SwitchChannels::NONE)
        {
            choices[i].push_back({leaves[i] * nLanes, escapes.at(m_places[leaves[i]])});
        }
    }
    for (std::size_t i = 0; i < following.size(); ++i)
    {
        if (following[i] != SwitchChannels::NONE)
        {
            choices[nodes.size() + i].push_back(
                {following[i] * nLanes, escapes.at(m_places[following[i]])});
        }
    }
    return choices;
}

} // namespace ns3
