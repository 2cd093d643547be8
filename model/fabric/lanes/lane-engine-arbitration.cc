// SPDX-License-Identifier: GPL-2.0-only

// Who is granted an output of an engine of lanes, and when that is decided.

#include "lane-engine.h"

#include "ns3/engine-rounds.h"

namespace ns3
{

void
LaneEngine::ArmAt(LanePort& port, int64_t time)
{
    if (time < port.times->decisionAt)
    {
        port.times->decisionAt = time;
        port.node->portsAt = std::min(port.node->portsAt, time);
        m_rounds.PushDecision(m_hasChoices ? *port.node : *port.port, time);
    }
}

void
LaneEngine::UseChoices()
{
    m_hasChoices = true;
    for (const auto& port : m_ports)
    {
        if (port.port)
        {
            port.port->decisionAt = WormholeOutput::NEVER; // those of outputs stand no more
        }
    }
    for (auto& node : m_nodes)
    {
        node.FindPortsAt();
        m_rounds.PushDecision(node, node.portsAt);
    }
    const auto& priorities = m_settings.priorities;
    m_asksLate = std::all_of(priorities.begin(), priorities.end(), [&](int32_t priority) {
        return priority == priorities.front();
    });
}

void
LaneEngine::Decide(WormholePortState& port, int64_t time)
{
    m_due.clear();
    if (!m_hasChoices)
    {
        AddDue(m_ports[PlaceOf(port)]); // no output's grants matter to those of another
        GrantDue(nullptr, time);
        return;
    }
    auto& node = static_cast<LaneNode&>(port);
    // What is armed meanwhile is for later.
    node.decisionAt = time;
    if (!node.asking.empty())
    {
        __builtin_prefetch(node.asking.back().hop->channels);
    }
    const bool hasDue = node.portsAt == time;
    for (uint32_t i = 0; hasDue && i < node.nPorts; ++i)
    {
        if (node.times[i].decisionAt == time)
        {
            AddDue(m_ports[node.begin + i]);
        }
    }
    GrantDue(&node, time);
    if (hasDue || !m_due.empty())
    {
        node.FindPortsAt();
    }
    const auto next = node.asking.empty() ? WormholeOutput::NEVER : node.asking.back().turn.since;
    node.decisionAt = WormholeOutput::NEVER;
    m_rounds.PushDecision(node, std::min(next, node.portsAt));
}

void
LaneEngine::GrantDue(LaneNode* node, int64_t time)
{
    while (true)
    {
        Due* best = nullptr;
        for (auto& due : m_due)
        {
            if (due.isStale)
            {
                Look(due, time);
            }
            if (due.request && (!best || due.order < best->order))
            {
                best = &due;
            }
        }
        if (node && !node->asking.empty() && node->asking.back().turn.since == time &&
            (!best || node->asking.back().turn.IsBefore(*best->request)))
        {
            const auto hop = node->asking.back().hop;
            node->asking.pop_back();
            AskNow(hop, time);
            continue;
        }
        if (!best)
        {
            break;
        }
        auto& request = *best->request;
        best->isStale = true;
        WatchOthers(*best->port, request, time);
        Grant(request, time);
    }
    for (const auto& due : m_due)
    {
        ArmAt(*due.port, due.next);
    }
}

void
LaneEngine::AddDue(LanePort& port)
{
    for (auto& due : m_due)
    {
        if (due.port == &port)
        {
            due.isStale = true;
            return;
        }
    }
    m_due.push_back({&port, true, nullptr, {}, WormholeOutput::NEVER});
    port.times->decisionAt = WormholeOutput::NEVER;
}

void
LaneEngine::Look(Due& due, int64_t time) const
{
    const auto& port = *due.port;
    due.isStale = false;
    due.request = nullptr;
    due.next = WormholeOutput::NEVER;
    for (auto lane = port.asked; lane; lane = lane->nextAsked)
    {
        const auto at = std::max(lane->readyAt, port.times->freeAt);
        if (at > time)
        {
            due.next = std::min(due.next, at);
            continue;
        }
        const auto first = lane->requests;
        const Order order{-int64_t{m_settings.priorities[lane->lane]},
                          first->since,
                          first->source,
                          static_cast<uint16_t>(first->rank),
                          &port - m_ports.data(),
                          lane->lane};
        if (!due.request || order < due.order)
        {
            due.request = first;
            due.order = order;
        }
    }
}

void
LaneEngine::Withdraw(const LaneRequest& granted)
{
    for (auto& other : granted.hop->requests->list)
    {
        auto& lane = *other.output;
        if (&other == &granted || !other.isWaiting)
        {
            continue;
        }
        const bool wasFirst = lane.requests == &other;
        lane.RemoveRequest(other);
        // Whoever was behind it may go now.
        if (wasFirst)
        {
            AddDue(*lane.shared);
        }
    }
}

void
LaneEngine::WatchOthers(LanePort& port, const LaneRequest& granted, int64_t time)
{
    for (auto lane = port.asked; lane; lane = lane->nextAsked)
    {
        auto& first = *lane->requests;
        if (lane->readyAt <= time && first.hop != granted.hop && !first.starves &&
            time - first.since >= m_settings.patience)
        {
            first.starves = true;
            m_settings.onStarvation({first.hop->GetWorm(),
                                     &port.port->GetPort(),
                                     lane->lane,
                                     granted.hop->GetWorm(),
                                     first.since,
                                     time});
        }
    }
}

} // namespace ns3
