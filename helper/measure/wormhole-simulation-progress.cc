// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-simulation-progress.h"

#include "ns3/simulator.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

void
SimulationProgress::Begin(const std::string& what,
                          const std::function<uint64_t()>& done,
                          uint64_t all)
{
    End();
    if (m_listener)
    {
        m_what = what;
        m_done = done;
        m_all = all;
        m_interval = TimeStep(1);
        m_told = m_looked = Clock::now();
        m_event = Simulator::ScheduleNow(&SimulationProgress::Look, this);
    }
}

void
SimulationProgress::End()
{
    Simulator::Remove(m_event); // time would go on to an event that is only cancelled
    m_event = EventId();
}

void
SimulationProgress::Look()
{
    m_event = EventId(); // so that there is nothing to remove if the listener throws
    const auto now = Clock::now();
    const auto since = [now](Clock::time_point start) {
        return std::chrono::duration<double>(now - start).count();
    };
    // Often enough for the lines to come in time, seldom enough to cost nothing.
    const auto taken = since(m_looked) / std::max(m_seconds, 1.0);
    m_looked = now;
    if (taken < 0.01)
    {
        m_interval = m_interval * 2;
    }
    else if (taken > 0.1)
    {
        m_interval = std::max(TimeStep(1), TimeStep(m_interval.GetTimeStep() / 2));
    }
    if (since(m_told) >= m_seconds)
    {
        m_told = now;
        std::ostringstream what;
        what << m_what;
        if (!m_what.empty())
        {
            what << ", at a simulated time of " << Simulator::Now().As(Time::US);
        }
        if (!m_listener(what.str().c_str(), m_done(), m_all))
        {
            Simulator::Stop();
        }
    }
    const auto left = TimeLimit::LATEST - Simulator::Now().GetTimeStep();
    m_interval = std::min(m_interval, TimeStep(left));
    if (!Simulator::IsFinished() && left > 0)
    {
        m_event = Simulator::Schedule(m_interval, &SimulationProgress::Look, this);
    }
}

} // namespace ns3
