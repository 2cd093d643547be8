// SPDX-License-Identifier: GPL-2.0-only

#include "timeline-log.h"

#include "ns3/simulator.h"
#include "ns3/worm-explainer.h"
#include "ns3/worm-recorder.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-latency-report.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/// Perfetto rounds a slice's beginning and duration to ns, each by itself, and takes what reaches
/// into the next slice then off its track.
/// @return how long a slice is that it does not round to one that ends later
Time
Shorten(Time from, Time until)
{
    // As Perfetto reads and rounds a number of us with six more digits.
    const auto round = [](Time time) {
        constexpr int64_t PER_US = 1000000;
        const auto ps = time.GetPicoSeconds();
        const auto us =
            static_cast<double>(ps / PER_US) + static_cast<double>(ps % PER_US) / PER_US;
        return std::llround(us * 1000.0);
    };
    const auto most = round(until) - round(from);
    return round(until - from) <= most ? until - from : PicoSeconds(most * 1000 + 499);
}

/// Name of the track of simulations, and of what is above it.
const std::string SIMULATIONS = "simulations";

} // namespace

TimelineLog::TimelineLog(const std::string& path,
                         Time from,
                         Time until,
                         const std::vector<std::string>& hosts)
    : m_file(std::make_unique<GzipFile>(path)),
      m_from(from),
      m_until(until),
      m_hosts(hosts.begin(), hosts.end())
{
    m_file->Get() << R"({"displayTimeUnit":"ns","traceEvents":[)";
}

void
TimelineLog::Write(const TraceEventArguments& event)
{
    m_file->Get() << (std::exchange(m_isEmpty, false) ? "\n" : ",\n") << event.ToJson();
}

void
TimelineLog::BeginSimulation(const std::string& name)
{
    if (!m_isRunning && IsOpen())
    {
        m_isRunning = true;
        m_name = name;
        ++m_nSimulations;
        Simulator::ScheduleDestroy(&TimelineLog::EndSimulation, Ptr<TimelineLog>(this));
    }
}

void
TimelineLog::EndSimulation()
{
    if (!m_isRunning)
    {
        return;
    }
    for (const auto& action : std::exchange(m_end, {}))
    {
        action();
    }
    AddSlice({SIMULATIONS, 0, SIMULATIONS, 0},
             "simulation",
             "simulation " + std::to_string(m_nSimulations) + ": " + m_name,
             Time(0),
             m_latest);
    m_isRunning = false;
    m_offset += m_latest;
    m_latest = Time(0);
}

void
TimelineLog::Close()
{
    EndSimulation();
    if (const auto file = std::move(m_file))
    {
        file->Get() << "\n]}\n";
        file->Finish();
    }
}

std::string
TimelineLog::DescribeEmpty() const
{
    return m_groups.size() > m_groups.count(SIMULATIONS)
               ? ""
               : "nothing of what happened is in the window of time and of the hosts asked for; "
                 "all ended by " +
                     ExactTime::Print(m_offset);
}

void
TimelineLog::CheckHosts(uint32_t nHosts, const std::function<std::string(uint32_t)>& name) const
{
    auto missing = m_hosts;
    for (uint32_t host = 0; host < nHosts && !missing.empty(); ++host)
    {
        missing.erase(name(host));
    }
    if (!missing.empty())
    {
        throw WormholeError("hosts of the time line: there is no host '" + *missing.begin() +
                            "'; expected names of hosts, such as " + name(0));
    }
}

bool
TimelineLog::IsWithin(Time from, Time until)
{
    m_latest = std::max(m_latest, until);
    return IsWanted(from, until);
}

bool
TimelineLog::IsWanted(Time from, Time until) const
{
    return IsOpen() && m_offset + until >= m_from && m_offset + from <= m_until;
}

void
TimelineLog::Name(const std::string& kind,
                  uint32_t group,
                  uint32_t track,
                  const std::string& name,
                  uint32_t order)
{
    const auto write = [&](const std::string& what, const TraceEventArguments& arguments) {
        TraceEventArguments event;
        event.Add("ph", "M").Add("pid", uint64_t{group}).Add("tid", uint64_t{track});
        event.Add("name", kind + what).AddJson("args", arguments.ToJson());
        Write(event);
    };
    write("_name", TraceEventArguments().Add("name", name));
    write("_sort_index", TraceEventArguments().Add("sort_index", uint64_t{order}));
}

uint32_t
TimelineLog::FindGroup(const LazyTrack& track)
{
    const auto [found, isNew] =
        m_groups.emplace(track.group, static_cast<uint32_t>(m_groups.size() + 1));
    if (isNew)
    {
        Name("process", found->second, 0, track.group, track.groupOrder);
    }
    return found->second;
}

TraceEventArguments
TimelineLog::MakeEvent(char phase, const LazyTrack& track, Time time)
{
    const auto group = FindGroup(track);
    const auto [found, isNew] = m_tracks.emplace(std::make_pair(group, track.name),
                                                 static_cast<uint32_t>(m_tracks.size() + 1));
    if (isNew)
    {
        Name("thread", group, found->second, track.name, track.order);
    }
    TraceEventArguments event;
    event.Add("ph", std::string(1, phase)).Add("pid", uint64_t{group});
    return event.Add("tid", uint64_t{found->second}).Add("ts", m_offset + time);
}

void
TimelineLog::AddSlice(const LazyTrack& track,
                      const std::string& category,
                      const std::string& name,
                      Time from,
                      Time until,
                      const TraceEventArguments& arguments)
{
    if (!IsWithin(from, until))
    {
        return;
    }
    const auto exact = until - from;
    const auto shown = Shorten(m_offset + from, m_offset + until);
    auto more = arguments;
    if (shown < exact)
    {
        more.Add("dur_us", exact);
    }
    auto event = MakeEvent('X', track, from);
    event.Add("dur", shown).Add("cat", category).Add("name", name);
    Write(event.AddJson("args", more.ToJson()));
}

void
TimelineLog::AddArrow(const std::string& category,
                      const LazyTrack& from,
                      Time fromTime,
                      const LazyTrack& to,
                      Time toTime,
                      bool isWithin)
{
    if (!IsWithin(fromTime, toTime))
    {
        return;
    }
    auto end = MakeEvent('f', to, toTime);
    auto begin = MakeEvent('s', from, fromTime);
    ++m_nArrows;
    for (auto* event : {&begin, &end})
    {
        event->Add("cat", category).Add("name", category).Add("id", m_nArrows);
    }
    if (isWithin)
    {
        end.Add("bp", "e");
    }
    Write(begin);
    Write(end);
}

void
TimelineLog::AddCount(const LazyTrack& track,
                      const std::string& name,
                      const std::string& unit,
                      Time time,
                      uint64_t value)
{
    if (IsWithin(time, time))
    {
        TraceEventArguments event;
        event.Add("ph", "C").Add("pid", uint64_t{FindGroup(track)}).Add("ts", m_offset + time);
        event.Add("name", name);
        Write(event.AddJson("args", TraceEventArguments().Add(unit, value).ToJson()));
    }
}

void
TimelineExplainer::Watch(Ptr<WormholeFabric> fabric)
{
    if (!fabric->GetRecorder())
    {
        fabric->SetRecorder(Create<WormRecorder>());
        m_fabrics.push_back(std::move(fabric));
    }
}

void
TimelineExplainer::Watch(Ptr<CollectiveDomain> domain)
{
    m_explainers.push_back(std::make_unique<RoundExplainer>(std::move(domain)));
}

void
TimelineExplainer::End()
{
    m_explainers.clear();
    for (const auto& fabric : m_fabrics)
    {
        fabric->SetRecorder(nullptr);
    }
    m_fabrics.clear();
}

std::string
TimelineExplainer::ExplainWorm(const WormholeFabric& fabric,
                               const Worm& worm,
                               const std::string& host) const
{
    LatencyIntervals intervals;
    if (const auto recorder = fabric.GetRecorder())
    {
        intervals = WormExplainer(*recorder).Explain(worm.GetId(), host);
    }
    return Print(std::move(intervals));
}

std::string
TimelineExplainer::ExplainLeave(const Collective& collective,
                                uint64_t round,
                                uint32_t rank,
                                Time entered) const
{
    LatencyIntervals intervals;
    for (const auto& explainer : m_explainers)
    {
        if (&explainer->GetDomain() == &collective.GetDomain())
        {
            intervals = explainer->ExplainMember(collective, round, rank, entered.GetTimeStep());
        }
    }
    return Print(std::move(intervals));
}

std::string
TimelineExplainer::Print(LatencyIntervals intervals) const
{
    std::ostringstream text;
    LatencyReport(std::move(intervals), [this](const Worm& worm) {
        return m_explainers.empty() ? "worm " + std::to_string(worm.GetId())
                                    : m_explainers.front()->Describe(worm);
    }).WriteJson(text);
    return text.str();
}

} // namespace ns3
