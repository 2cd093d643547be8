/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-pair-route.h"

#include <algorithm>

namespace ns3
{

UpDownPairRoute::UpDownPairRoute(const UpDownRouting& routing)
    : m_routing(routing)
{
    const auto& adjacency = routing.GetAdjacency();
    const auto nSwitches = adjacency.GetNSwitches();
    m_firstAbove.reserve(std::size_t{nSwitches} + 1);
    for (Node node = 0; node < nSwitches; ++node)
    {
        m_levels.push_back(routing.GetLevel(node));
        const auto first = m_above.size();
        m_firstAbove.push_back(static_cast<uint32_t>(first));
        for (const auto& link : adjacency.Of(node))
        {
            const bool isNew = m_above.size() == first || m_above.back() != link.to;
            if (isNew && routing.LeadsUp(node, link.to))
            {
                m_above.push_back(link.to);
            }
        }
    }
    m_firstAbove.push_back(static_cast<uint32_t>(m_above.size()));
    for (auto* search : {&m_gone, &m_left})
    {
        search->run.assign(nSwitches, 0);
        search->links.resize(nSwitches);
    }
    m_isWay.assign(nSwitches, 0);
}

void
UpDownPairRoute::Begin(Search& search, Node end)
{
    search.found.assign(1, end);
    search.next = 0;
    search.level = 0;
    search.run[end] = m_run;
    search.links[end] = 0;
}

uint32_t
UpDownPairRoute::MinAbove(const Search& search, const Search& other, Node node) const
{
    const auto far = m_levels[other.found.front()];
    return search.links[node] + 1 + (far > m_levels[node] ? far - m_levels[node] : 0);
}

void
UpDownPairRoute::Grow(Search& search, const Search& other)
{
    const auto levelEnd = search.found.size();
    ++search.level;
    for (; search.next < levelEnd; ++search.next)
    {
        const auto node = search.found[search.next];
        if (MinAbove(search, other, node) > m_best)
        {
            continue;
        }
        for (auto i = m_firstAbove[node]; i < m_firstAbove[node + 1]; ++i)
        {
            const auto above = m_above[i];
            if (Has(search, above))
            {
                continue;
            }
            search.run[above] = m_run;
            search.links[above] = search.level;
            search.found.push_back(above);
            if (Has(other, above))
            {
                m_best = std::min(m_best, search.level + other.links[above]);
            }
        }
    }
}

void
UpDownPairRoute::Append(Node from, Node to, const RouteSpread& spread, WormRoute::Ports& ports)
{
    if (from == to)
    {
        return;
    }
    if (++m_run == 0) // the numbers are used up: all begins anew
    {
        m_run = 1;
        for (auto* runs : {&m_gone.run, &m_left.run, &m_isWay})
        {
            std::fill(runs->begin(), runs->end(), 0);
        }
    }
    Begin(m_gone, from);
    Begin(m_left, to);
    m_best = UINT32_MAX;
    // A top may be at either end itself, so each search has to go on until it has come as far as
    // the shortest route known.
    for (bool goes = true; goes;)
    {
        goes = false;
        for (auto* search : {&m_gone, &m_left})
        {
            if (search->next < search->found.size() && search->level < m_best)
            {
                Grow(*search, search == &m_gone ? m_left : m_gone);
                goes = true;
            }
        }
    }
    MarkPaths();
    const auto& adjacency = m_routing.GetAdjacency();
    bool goneDown = false;
    for (auto node = from; node != to;)
    {
        uint32_t nEqual = 0;
        SwitchAdjacency::Link taken{};
        for (const auto& link : adjacency.Of(node))
        {
            if (IsOnRoute(node, link, goneDown))
            {
                taken = nEqual++ == 0 ? link : taken;
                if (spread.IsFirst())
                {
                    break;
                }
            }
        }
        auto skip = spread.Choose(node, nEqual);
        for (const auto& link : adjacency.Of(node))
        {
            if (skip == 0)
            {
                break;
            }
            if (IsOnRoute(node, link, goneDown) && link.port != taken.port)
            {
                --skip;
                taken = link;
            }
        }
        ports.push_back(taken.port);
        goneDown = !m_routing.LeadsUp(node, taken.to);
        node = taken.to;
    }
}

void
UpDownPairRoute::MarkPaths()
{
    uint32_t highest = 0; // links up to the farthest top
    for (auto i = m_gone.found.size(); i-- > 0;)
    {
        const auto node = m_gone.found[i];
        const auto links = m_gone.links[node];
        bool isWay = Has(m_left, node) && links + m_left.links[node] == m_best;
        highest = isWay ? std::max(highest, links) : highest;
        const auto last = links < highest ? m_firstAbove[node + 1] : m_firstAbove[node];
        for (auto k = m_firstAbove[node]; !isWay && k < last; ++k)
        {
            const auto above = m_above[k];
            isWay = m_isWay[above] == m_run && m_gone.links[above] == links + 1;
        }
        if (isWay)
        {
            m_isWay[node] = m_run;
        }
    }
}

bool
UpDownPairRoute::IsOnRoute(Node node, const SwitchAdjacency::Link& link, bool goneDown) const
{
    if (m_routing.LeadsUp(node, link.to))
    {
        return !goneDown && m_isWay[link.to] == m_run &&
               m_gone.links[link.to] == m_gone.links[node] + 1;
    }
    if (!Has(m_left, link.to))
    {
        return false;
    }
    const auto left = goneDown ? m_left.links[node] : m_best - m_gone.links[node];
    return m_left.links[link.to] + 1 == left;
}

} // namespace ns3
