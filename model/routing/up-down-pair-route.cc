/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "up-down-pair-route.h"

#include <utility>

namespace ns3
{

UpDownPairRoute::UpDownPairRoute(const UpDownRouting& routing, Node from, Node to)
    : m_routing(routing),
      m_from(from)
{
    std::vector<State> forth{At(from, false)};
    std::vector<State> back{At(to, false), At(to, true)};
    m_gone[forth[0]] = 0;
    m_left[back[0]] = m_left[back[1]] = 0;
    bool forthIsNew = true;
    std::vector<State> met;
    while (!forth.empty() && !back.empty())
    {
        for (auto state : forthIsNew ? forth : back)
        {
            const auto& other = forthIsNew ? m_left : m_gone;
            if (other.find(state) != other.end())
            {
                met.push_back(state);
            }
        }
        if (!met.empty())
        {
            break;
        }
        forthIsNew = forth.size() < back.size();
        if (forthIsNew)
        {
            forth = Grow(forth, m_gone, &UpDownPairRoute::After);
        }
        else
        {
            back = Grow(back, m_left, &UpDownPairRoute::Before);
        }
    }
    MarkBack(std::move(met));
}

std::vector<UpDownPairRoute::State>
UpDownPairRoute::After(State state) const
{
    const auto node = static_cast<Node>(state / 2);
    const bool goneDown = state % 2;
    std::vector<State> states;
    for (const auto& link : m_routing.GetAdjacency().Of(node))
    {
        const bool up = m_routing.LeadsUp(node, link.to);
        if (!(up && goneDown))
        {
            states.push_back(At(link.to, !up));
        }
    }
    return states;
}

std::vector<UpDownPairRoute::State>
UpDownPairRoute::Before(State state) const
{
    const auto node = static_cast<Node>(state / 2);
    const bool goneDown = state % 2;
    std::vector<State> states;
    for (const auto& link : m_routing.GetAdjacency().Of(node))
    {
        if (m_routing.LeadsUp(link.to, node) == goneDown)
        {
            continue; // by that link a worm comes here in the other state
        }
        states.push_back(At(link.to, false));
        if (goneDown)
        {
            states.push_back(At(link.to, true));
        }
    }
    return states;
}

std::vector<UpDownPairRoute::State>
UpDownPairRoute::Grow(const std::vector<State>& level,
                      Distances& distances,
                      std::vector<State> (UpDownPairRoute::*step)(State) const) const
{
    std::vector<State> next;
    for (auto state : level)
    {
        const auto links = distances.at(state) + 1;
        for (auto found : (this->*step)(state))
        {
            if (distances.emplace(found, links).second)
            {
                next.push_back(found);
            }
        }
    }
    return next;
}

void
UpDownPairRoute::MarkBack(std::vector<State> met)
{
    while (!met.empty())
    {
        std::vector<State> before;
        for (auto state : met)
        {
            const auto gone = m_gone.at(state);
            const auto left = m_left.at(state);
            for (auto found : Before(state))
            {
                const auto at = m_gone.find(found);
                if (at != m_gone.end() && at->second + 1 == gone &&
                    m_left.emplace(found, left + 1).second)
                {
                    before.push_back(found);
                }
            }
        }
        met = std::move(before);
    }
}

std::vector<UpDownPairRoute::Port>
UpDownPairRoute::GetPorts() const
{
    std::vector<Port> ports;
    auto node = m_from;
    bool goneDown = false;
    for (auto links = m_left.at(At(node, false)); links > 0; --links)
    {
        for (const auto& link : m_routing.GetAdjacency().Of(node))
        {
            const bool up = m_routing.LeadsUp(node, link.to);
            const auto next = m_left.find(At(link.to, !up));
            if ((up && goneDown) || next == m_left.end() || next->second != links - 1)
            {
                continue;
            }
            ports.push_back(link.port);
            node = link.to;
            goneDown = !up;
            break;
        }
    }
    return ports;
}

} // namespace ns3
