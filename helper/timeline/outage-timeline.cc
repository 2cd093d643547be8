// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/ordering.h"
#include "ns3/route-recovery.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/timeline-log.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// Writes outages of a fabric (S14) to a timeline, the flits that they take at each place, and the
/// worms that end early.
struct OutageTimeline : SimpleRefCount<OutageTimeline>
{
    struct Loss
    {
        Ptr<const Worm> worm;  ///< the worm
        WormholeLoss::Why why; ///< why
        Time from;             ///< when the first flit was lost
        Time until;            ///< when the last one was
        uint64_t flits{0};     ///< how many were
    };

    void Outage(const WormholeOutage& outage)
    {
        m_outages.emplace_back(m_fabric->GetPartName(outage.part), outage);
    }

    void Lost(const WormholeLoss& loss)
    {
        auto& losses = m_losses[loss.GetPlace()];
        const auto now = Simulator::Now();
        if (losses.empty() || losses.back().worm != loss.worm || losses.back().why != loss.why)
        {
            losses.push_back({loss.worm, loss.why, now, now});
        }
        losses.back().until = now;
        losses.back().flits += loss.flits;
    }

    void Cut(const WormholeCut& cut)
    {
        if (m_log->IsOpen())
        {
            TraceEventArguments arguments;
            arguments.Add("worm", cut.worm->GetId()).Add("flits", cut.flits);
            const auto now = Simulator::Now();
            Write("cut at " + cut.input->GetName(),
                  cut.isHere ? "cut here" : "cut before",
                  now,
                  now,
                  arguments);
        }
    }

    void Hold(uint32_t host, bool isHeld, uint32_t)
    {
        if (isHeld)
        {
            m_held.emplace(host, Simulator::Now());
        }
        else if (const auto found = m_held.find(host); found != m_held.end())
        {
            Write("held " + m_fabric->GetHost(host)->GetName(),
                  "held",
                  found->second,
                  Simulator::Now(),
                  {});
            m_held.erase(found);
        }
    }

    /// Writes all, now that the end is known.
    void End()
    {
        const auto end = Simulator::Now();
        if (const auto recovery = m_fabric->GetObject<RouteRecovery>())
        {
            WriteChanges(*recovery, end);
        }
        while (!m_held.empty())
        {
            Hold(m_held.begin()->first, false, 0);
        }
        for (const auto& [part, outage] : m_outages)
        {
            if (outage.from < end)
            {
                Write(part, "down", outage.from, std::min(outage.until, end), {});
            }
        }
        for (const auto& [place, losses] : m_losses)
        {
            for (const auto& loss : losses)
            {
                TraceEventArguments arguments;
                arguments.Add("worm", loss.worm->GetId()).Add("flits", loss.flits);
                Write("lost at " + place,
                      WormholeLoss::GetName(loss.why),
                      loss.from,
                      loss.until,
                      arguments);
            }
        }
        m_outages.clear();
        m_losses.clear();
    }

    void WriteChanges(const RouteRecovery& recovery, Time end) const
    {
        std::vector<Time> free; // from when on, by track: pieces of a fabric change by themselves
        for (const auto& change : recovery.GetChanges())
        {
            const auto track =
                FindIn(free, [&](const Time& time) { return time <= change.noticed; }) -
                free.begin();
            free.resize(std::max<std::size_t>(free.size(), track + 1));
            const std::pair<const char*, Time> stages[] = {{"explore", change.explored},
                                                           {"compute", change.computed},
                                                           {"wait", change.begun},
                                                           {"distribute", change.done}};
            auto from = change.noticed;
            for (const auto& [name, time] : stages)
            {
                const auto until = time.IsZero() ? end : time; // it has not come
                Write("routes " + std::to_string(track + 1), name, from, until, {});
                from = until;
                if (time.IsZero())
                {
                    break;
                }
            }
            free[track] = from;
        }
    }

    void Write(const std::string& track,
               const std::string& name,
               Time from,
               Time until,
               const TraceEventArguments& arguments) const
    {
        m_log->AddSlice({"outages", 2 * TimelineLog::FIRST_SWITCH, track, 0},
                        "outage",
                        name,
                        from,
                        until,
                        arguments);
    }

    Ptr<TimelineLog> m_log;                                        ///< where to write
    Ptr<WormholeFabric> m_fabric;                                  ///< the fabric
    std::vector<std::pair<std::string, WormholeOutage>> m_outages; ///< by the part's name
    std::map<std::string, std::vector<Loss>> m_losses; ///< by place, one worm after the other
    std::map<uint32_t, Time> m_held;                   ///< hosts that start no worms, since when
};

} // namespace

void
WatchOutages(Ptr<TimelineLog> log, Ptr<WormholeFabric> fabric)
{
    const auto made = Create<OutageTimeline>();
    made->m_log = log;
    made->m_fabric = fabric;
    fabric->TraceConnectWithoutContext("Outage", MakeCallback(&OutageTimeline::Outage, made));
    fabric->TraceConnectWithoutContext("FlitsLost", MakeCallback(&OutageTimeline::Lost, made));
    fabric->TraceConnectWithoutContext("WormCut", MakeCallback(&OutageTimeline::Cut, made));
    if (const auto recovery = fabric->GetObject<RouteRecovery>())
    {
        recovery->TraceConnectWithoutContext("Host", MakeCallback(&OutageTimeline::Hold, made));
    }
    log->AtEnd([made] { made->End(); });
}

} // namespace ns3
