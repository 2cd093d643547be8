// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-node-state.h"

#include "fabric-engine.h"

#include "ns3/wormhole-error.h"

#include <utility>

namespace ns3
{

void
WormholeNodeState::RefusePort(uint32_t port) const
{
    throw WormholeError(name + ": a route leaves by port " + std::to_string(port) +
                        ", which has no cable");
}

void
WormholeNodeState::DeliverAt(int64_t time, uint32_t port, Ptr<const Worm> worm)
{
    if (!sink)
    {
        throw WormholeError(name + ": worm " + std::to_string(worm->GetId()) +
                            " ends here, but this switch has no collective unit to take it");
    }
    Add({time, port, std::move(worm)});
}

void
WormholeNodeState::Add(Due&& due)
{
    engine->GetRounds().ScheduleDelivery(due.time, this);
    m_pending.push_back(std::move(due));
    std::push_heap(m_pending.begin(), m_pending.end(), Later);
}

void
WormholeNodeState::DeliverDue(int64_t now)
{
    while (HasDue(now))
    {
        std::pop_heap(m_pending.begin(), m_pending.end(), Later);
        Due due = std::move(m_pending.back());
        m_pending.pop_back();
        if (due.worm)
        {
            Deliver(due.port, due.worm);
        }
        else if (sink)
        {
            sink->Resume();
        }
    }
}

void
WormholeNodeState::Deliver(uint32_t port, Ptr<const Worm> worm)
{
    --engine->GetRounds().counts.pendingDestinations;
    if (sink)
    {
        sink->ConsumeWorm(worm, port);
    }
}

} // namespace ns3
