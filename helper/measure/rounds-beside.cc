/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rounds-beside.h"

#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

RoundsBeside::RoundsBeside(const CollectiveDomain& domain, const TrafficBeside::Parameters& traffic)
    : m_domain(domain),
      m_traffic(domain, traffic)
{
}

void
RoundsBeside::Run(const std::string& what,
                  uint32_t rounds,
                  Time unloaded,
                  const std::function<void()>& enter)
{
    if (rounds == 0)
    {
        throw WormholeError("0 rounds: accepted is 1 and more");
    }
    m_left = rounds;
    m_round = [this, enter] {
        m_begin = Simulator::Now();
        enter();
    };
    m_traffic.Begin(m_round);
    m_watch = std::make_unique<ProgressWatch>([this] { return m_traffic.GetLastLook(); },
                                              m_traffic.GetLimit(unloaded));
    Simulator::Run();
    if (m_left > 0)
    {
        throw WormholeError(what + " beside traffic came to a stop: " + m_domain.ExplainMissing());
    }
}

bool
RoundsBeside::End()
{
    if (--m_left > 0)
    {
        m_traffic.Next(Simulator::Now() - m_begin, m_round);
        return false;
    }
    m_traffic.Stop();
    m_watch.reset();
    return true;
}

bool
RoundsBeside::AreLeft() const
{
    return m_left > 0;
}

Time
RoundsBeside::GetBegin() const
{
    return m_begin;
}

} // namespace ns3
