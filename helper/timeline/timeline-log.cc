/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-log.h"

#include "ns3/exact-time.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// Name of the track of simulations, and of what is above it.
const std::string SIMULATIONS = "simulations";

} // namespace

TimelineLog::TimelineLog(const TimelineSettings& settings)
    : m_file(std::make_unique<TraceEventFile>(settings.path)),
      m_from(settings.from),
      m_until(settings.until),
      m_hosts(settings.hosts.begin(), settings.hosts.end())
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

} // namespace ns3
