// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-simulation-progress.h"

#include "ns3/simulator.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>

namespace ns3
{

SimulationProgress::SimulationProgress(std::ostream& os,
                                       std::function<std::string()> describe,
                                       double seconds)
    : SimulationProgress(
          [&os, describe = std::move(describe)] {
              os << describe() << ", at a simulated time of " << Simulator::Now().As(Time::US)
                 << std::endl;
          },
          seconds)
{
}

SimulationProgress::SimulationProgress(std::function<void()> tell, double seconds)
    : m_tell(std::move(tell)),
      m_seconds(seconds),
      m_interval(TimeStep(1)),
      m_told(Clock::now()),
      m_looked(m_told)
{
    m_event = Simulator::ScheduleNow(&SimulationProgress::Look, this);
}

SimulationProgress::~SimulationProgress()
{
    Simulator::Remove(m_event); // time would go on to an event that is only cancelled
}

void
SimulationProgress::Look()
{
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
        m_tell();
    }
    const auto left = TimeLimit::LATEST - Simulator::Now().GetTimeStep();
    m_interval = std::min(m_interval, TimeStep(left));
    if (!Simulator::IsFinished() && left > 0)
    {
        m_event = Simulator::Schedule(m_interval, &SimulationProgress::Look, this);
    }
}

void
ProgressTeller::Begin(const std::function<uint64_t()>& done, uint64_t all)
{
    if (m_tell)
    {
        const auto look = [this, done, all] {
            if (!m_tell(done(), all))
            {
                Simulator::Stop();
            }
        };
        m_progress = std::make_unique<SimulationProgress>(look, m_seconds);
    }
}

} // namespace ns3
