/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-log.h"

#include "ns3/collective.h"
#include "ns3/exact-time.h"
#include "ns3/json-file.h"
#include "ns3/latency-report.h"
#include "ns3/simulator.h"
#include "ns3/worm-explainer.h"
#include "ns3/worm-recorder.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3
{

void
TraceEventArguments::AddJson(const std::string& name, const std::string& json)
{
    m_members += (m_members.empty() ? "" : ",") + JsonFile::Quote(name) + ":" + json;
}

TraceEventArguments&
TraceEventArguments::Add(const std::string& name, uint64_t value)
{
    AddJson(name, std::to_string(value));
    return *this;
}

TraceEventArguments&
TraceEventArguments::Add(const std::string& name, const std::string& value)
{
    AddJson(name, JsonFile::Quote(value));
    return *this;
}

TraceEventArguments&
TraceEventArguments::Add(const std::string& name, Time value)
{
    AddJson(name, TraceEventFile::PrintTime(value));
    return *this;
}

TraceEventFile::TraceEventFile(const std::string& path)
    : m_file(path),
      m_os(m_file.Get().rdbuf())
{
    const std::string suffix = ".gz";
    if (path.size() > suffix.size() &&
        path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0)
    {
        m_gzip = std::make_unique<GzipBuffer>(m_file.Get());
        m_os.rdbuf(m_gzip.get());
    }
    m_os << R"({"displayTimeUnit":"ns","traceEvents":[)";
}

std::string
TraceEventFile::PrintTime(Time time)
{
    constexpr int64_t PER_US = 1000000;
    const auto ps = time.GetPicoSeconds();
    const auto digits = std::to_string(ps % PER_US);
    return std::to_string(ps / PER_US) + "." + std::string(6 - digits.size(), '0') + digits;
}

std::ostream&
TraceEventFile::Begin(char phase, uint32_t process)
{
    m_os << (m_isEmpty ? "\n" : ",\n") << R"({"ph":")" << phase << R"(","pid":)" << process;
    m_isEmpty = false;
    return m_os;
}

void
TraceEventFile::WriteMetadata(const std::string& what,
                              Track track,
                              const TraceEventArguments& arguments)
{
    Begin('M', track.process) << R"(,"tid":)" << track.thread << R"(,"name":")" << what
                              << R"(","args":)" << arguments.ToJson() << '}';
}

void
TraceEventFile::NameProcess(uint32_t process, const std::string& name, uint32_t order)
{
    WriteMetadata("process_name", {process, 0}, TraceEventArguments().Add("name", name));
    WriteMetadata("process_sort_index",
                  {process, 0},
                  TraceEventArguments().Add("sort_index", uint64_t{order}));
}

void
TraceEventFile::NameTrack(Track track, const std::string& name, uint32_t order)
{
    WriteMetadata("thread_name", track, TraceEventArguments().Add("name", name));
    WriteMetadata("thread_sort_index",
                  track,
                  TraceEventArguments().Add("sort_index", uint64_t{order}));
}

void
TraceEventFile::WriteSlice(Track track,
                           const std::string& category,
                           const std::string& name,
                           Time from,
                           Time until,
                           const TraceEventArguments& arguments)
{
    const auto exact = until - from;
    const auto shown = Shorten(from, until);
    auto more = arguments;
    if (shown < exact)
    {
        more.Add("dur_us", exact);
    }
    Begin('X', track.process) << R"(,"tid":)" << track.thread << R"(,"ts":)" << PrintTime(from)
                              << R"(,"dur":)" << PrintTime(shown) << R"(,"cat":")" << category
                              << R"(","name":)" << JsonFile::Quote(name) << R"(,"args":)"
                              << more.ToJson() << '}';
}

Time
TraceEventFile::Shorten(Time from, Time until)
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

void
TraceEventFile::WriteArrow(const std::string& category,
                           Track from,
                           Time fromTime,
                           Track to,
                           Time toTime,
                           bool isWithin)
{
    ++m_nArrows;
    const auto write = [&](char phase, Track track, Time time) {
        Begin(phase, track.process)
            << R"(,"tid":)" << track.thread << R"(,"ts":)" << PrintTime(time) << R"(,"cat":")"
            << category << R"(","name":")" << category << R"(","id":)" << m_nArrows;
        m_os << (phase == 'f' && isWithin ? R"(,"bp":"e"})" : "}");
    };
    write('s', from, fromTime);
    write('f', to, toTime);
}

void
TraceEventFile::WriteCount(uint32_t process,
                           const std::string& name,
                           const std::string& unit,
                           Time time,
                           uint64_t value)
{
    Begin('C', process) << R"(,"ts":)" << PrintTime(time) << R"(,"name":)" << JsonFile::Quote(name)
                        << R"(,"args":)" << TraceEventArguments().Add(unit, value).ToJson() << '}';
}

void
TraceEventFile::Finish()
{
    m_os << "\n]}\n";
    if (m_gzip)
    {
        m_gzip->Finish();
    }
    if (!m_os)
    {
        m_file.Get().setstate(std::ios::badbit);
    }
    m_file.Finish();
}

namespace
{

/// Name of the track of simulations, and of what is above it.
const std::string SIMULATIONS = "simulations";

} // namespace

TimelineLog::TimelineLog(const std::string& path,
                         Time from,
                         Time until,
                         const std::vector<std::string>& hosts)
    : m_file(std::make_unique<TraceEventFile>(path)),
      m_from(from),
      m_until(until),
      m_hosts(hosts.begin(), hosts.end())
{
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
TimelineLog::AtEnd(std::function<void()> action)
{
    m_end.push_back(std::move(action));
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
        file->Finish();
    }
}

std::string
TimelineLog::DescribeEmpty() const
{
    const bool isEmpty = m_groups.size() == m_groups.count(SIMULATIONS);
    return isEmpty
               ? "nothing of what happened is in the window of time and of the hosts asked for; "
                 "all ended by " +
                     ExactTime::Print(m_offset)
               : "";
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
                            "'; accepted are names of hosts, such as " + name(0));
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

uint32_t
TimelineLog::FindGroup(const LazyTrack& track)
{
    const auto [found, isNew] =
        m_groups.emplace(track.group, static_cast<uint32_t>(m_groups.size() + 1));
    if (isNew)
    {
        m_file->NameProcess(found->second, track.group, track.groupOrder);
    }
    return found->second;
}

TimelineLog::Track
TimelineLog::Find(const LazyTrack& track)
{
    const auto group = FindGroup(track);
    const auto [found, isNew] = m_tracks.emplace(std::make_pair(group, track.name),
                                                 static_cast<uint32_t>(m_tracks.size() + 1));
    const Track made{group, found->second};
    if (isNew)
    {
        m_file->NameTrack(made, track.name, track.order);
    }
    return made;
}

void
TimelineLog::AddSlice(const LazyTrack& track,
                      const std::string& category,
                      const std::string& name,
                      Time from,
                      Time until,
                      const TraceEventArguments& arguments)
{
    if (IsWithin(from, until))
    {
        m_file
            ->WriteSlice(Find(track), category, name, m_offset + from, m_offset + until, arguments);
    }
}

void
TimelineLog::AddArrow(const std::string& category,
                      const LazyTrack& from,
                      Time fromTime,
                      const LazyTrack& to,
                      Time toTime,
                      bool isWithin)
{
    if (IsWithin(fromTime, toTime))
    {
        m_file->WriteArrow(category,
                           Find(from),
                           m_offset + fromTime,
                           Find(to),
                           m_offset + toTime,
                           isWithin);
    }
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
        m_file->WriteCount(FindGroup(track), name, unit, m_offset + time, value);
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
