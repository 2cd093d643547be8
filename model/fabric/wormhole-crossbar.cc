/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-crossbar.h"

#include "run-engine.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
WormholeCrossbar::RefusePort(uint32_t port) const
{
    throw WormholeError(name + ": a route leaves by port " + std::to_string(port) +
                        ", which has no cable");
}

void
WormholeCrossbar::TakeAt(int64_t time, uint32_t port, Ptr<const Worm> worm)
{
    if (!taker)
    {
        throw WormholeError(name + ": worm " + std::to_string(worm->GetId()) +
                            " ends here, but this switch has no collective unit to take it");
    }
    m_due.push_back({time, port, std::move(worm)});
    std::push_heap(m_due.begin(), m_due.end(), Later);
    engine->ScheduleTaking(time, this);
}

bool
WormholeCrossbar::Later(const Due& a, const Due& b)
{
    return std::make_pair(a.time, a.port) > std::make_pair(b.time, b.port);
}

void
WormholeCrossbar::TakeDue(int64_t now)
{
    while (HasDue(now))
    {
        std::pop_heap(m_due.begin(), m_due.end(), Later);
        Due due = std::move(m_due.back());
        m_due.pop_back();
        Take(due.port, due.worm);
    }
}

void
WormholeCrossbar::Take(uint32_t port, Ptr<const Worm> worm)
{
    engine->CountEnd();
    if (taker)
    {
        taker->TakeWorm(worm, port);
    }
}

} // namespace ns3
