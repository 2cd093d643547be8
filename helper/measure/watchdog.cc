/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "watchdog.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

Watchdog::Watchdog(std::function<Time()> last, Time limit)
    : m_last(std::move(last)),
      m_limit(limit)
{
    m_event = Simulator::Schedule(m_limit, &Watchdog::Look, this);
}

Watchdog::~Watchdog()
{
    m_event.Cancel();
}

void
Watchdog::Look()
{
    if (m_last() + m_limit > Simulator::Now())
    {
        m_event = Simulator::Schedule(m_limit, &Watchdog::Look, this);
        return;
    }
    Simulator::Stop();
}

} // namespace ns3
