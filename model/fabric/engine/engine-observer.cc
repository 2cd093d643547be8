// SPDX-License-Identifier: GPL-2.0-only

#include "engine-observer.h"

#include "ns3/lane-buffers.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-exact-time.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeRunEngine");

bool
EngineObserver::IsLogged()
{
#ifdef NS3_LOG_ENABLE
    return g_log.IsEnabled(LOG_LOGIC) || g_log.IsEnabled(LOG_DEBUG);
#else
    return false;
#endif
}

void
EngineObserver::TellListeners(WormholePort::Trace event,
                              const WormholeOutput& output,
                              const Worm& worm,
                              int64_t time) const
{
    if (output.traced)
    {
        output.GetPort().Notify(event, Ptr<const Worm>(&worm), time);
    }
    if (m_isOn)
    {
        Log(event, output, worm, time);
    }
}

void
EngineObserver::Log([[maybe_unused]] WormholePort::Trace event,
                    [[maybe_unused]] const WormholeOutput& output,
                    [[maybe_unused]] const Worm& worm,
                    [[maybe_unused]] int64_t time)
{
    [[maybe_unused]] constexpr const char* WORDS[] = {" asks for ",
                                                      " is granted ",
                                                      " starts on ",
                                                      " has left by "};
    NS_LOG_LOGIC(ExactTime::Print(TimeStep(time))
                 << ": worm " << worm.GetId() << WORDS[event] << output.GetPort().GetName());
}

void
EngineObserver::LogCredits([[maybe_unused]] const WormholeOutput& output,
                           [[maybe_unused]] uint64_t credits,
                           [[maybe_unused]] int64_t time)
{
    NS_LOG_DEBUG(ExactTime::Print(TimeStep(time))
                 << ": " << output.GetPort().GetName() << " gets " << credits
                 << (credits == 1 ? " credit" : " credits"));
}

void
EngineObserver::Ask(const LaneHop& hop, int64_t time) const
{
    for (const auto& request : hop.requests->list)
    {
        Tell(WormholePort::REQUEST, *request.output->port, hop, time);
    }
    Record([&](auto& recorder) { recorder.Ask(hop, time, m_times); });
}

void
EngineObserver::Grant(const LaneRequest& request,
                      int64_t time,
                      int64_t now,
                      const FlitEnvelope& starts,
                      const std::vector<int32_t>& priorities) const
{
    const auto& hop = *request.hop;
    const auto& port = *request.output->port;
    const auto left = starts.At(hop.flits - 1) + m_times[port.pace];
    if (request.output->shared->traced)
    {
        const Ptr<WormholePort> traced(&port.GetPort());
        const auto worm = hop.GetWorm();
        if (request.since < time || time > now)
        {
            traced->Notify(WormholePort::GRANT, worm, time);
            traced->Notify(WormholePort::HEAD_START, worm, time);
        }
        else
        {
            // The trace of the request is an event of now, which comes first.
            const auto context = hop.GetNode()->context;
            for (const auto trace : {WormholePort::GRANT, WormholePort::HEAD_START})
            {
                Simulator::ScheduleWithContext(context,
                                               Time(0),
                                               &WormholePort::Notify,
                                               traced,
                                               trace,
                                               worm,
                                               time);
            }
        }
        traced->Notify(WormholePort::TAIL_LEFT, worm, left);
    }
    if (m_isOn)
    {
        Log(WormholePort::GRANT, port, *hop.worm, time);
        Log(WormholePort::HEAD_START, port, *hop.worm, time);
        Log(WormholePort::TAIL_LEFT, port, *hop.worm, left);
        Record([&](auto& recorder) { recorder.Grant(request, time, starts, m_times, priorities); });
    }
}

void
ObservePort(WormholePort& port,
            std::initializer_list<WormholePort::Trace> traces,
            const PortObserver& observer)
{
    constexpr const char* NAMES[] = {"Request", "Grant", "HeadStart", "TailLeft", "Delivered"};
    for (const auto trace : traces)
    {
        auto bound = observer;
        port.TraceConnectWithoutContext(NAMES[trace], bound.Bind(trace));
    }
}

} // namespace ns3
