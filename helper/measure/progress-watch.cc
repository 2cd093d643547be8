/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "progress-watch.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

ProgressWatch::ProgressWatch(std::function<Time()> last, Time limit)
    : m_last(std::move(last)),
      m_limit(limit)
{
    m_event = Simulator::Schedule(m_limit, &ProgressWatch::Look, this);
}

ProgressWatch::~ProgressWatch()
{
    m_event.Cancel();
}

void
ProgressWatch::Look()
{
    if (m_last() + m_limit > Simulator::Now())
    {
        m_event = Simulator::Schedule(m_limit, &ProgressWatch::Look, this);
        return;
    }
    Simulator::Stop();
}

} // namespace ns3
