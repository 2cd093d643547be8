/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_LOG_H
#define TIMELINE_LOG_H

#include "timeline-settings.h"
#include "trace-event-file.h"

#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Where the parts of a Timeline write to: names tracks when they are first used, leaves out
 *        what nobody wants to see, and lays simulations one after the other.
 *
 * Times given are those of the current simulation. Once closed, it ignores whatever comes.
 */
class TimelineLog : public SimpleRefCount<TimelineLog>
{
  public:
    using Track = TraceEventFile::Track; ///< a row of the picture

    /// A track that gets its number, and its name in the file, when something is written there.
    struct LazyTrack
    {
        std::string group;      ///< name of the node
        uint32_t groupOrder{0}; ///< place of the node among nodes
        std::string name;       ///< what it is of the node
        uint32_t order{0};      ///< place of the track at its node
    };

    /// Place of the first switch among nodes: behind all hosts.
    static constexpr uint32_t FIRST_SWITCH = 1U << 24;

    /// @param settings what is written @throws WormholeError as TraceEventFile
    explicit TimelineLog(const TimelineSettings& settings);

    /// Begins a simulation, unless one is going on. @param name what is simulated
    void BeginSimulation(const std::string& name);

    /// Adds what is to be done at the end of the simulation. @param action writes what is not
    /// over by then
    void AtEnd(std::function<void()> action);

    /// Ends a simulation, if one is going on.
    void EndSimulation();

    /// Ends the file. @throws WormholeError if not all could be written
    void Close();

    /// @return whether the file is not ended yet
    bool IsOpen() const
    {
        return m_file != nullptr;
    }

    /// @return whether there has been a simulation
    bool HasBegun() const
    {
        return m_nSimulations > 0;
    }

    /// @return whether a host is to be shown @param host its name
    bool Shows(const std::string& host) const
    {
        return m_hosts.empty() || m_hosts.count(host) > 0;
    }

    /// @return what to tell somebody who finds nothing in the file; empty: there is something
    std::string DescribeEmpty() const;

    /// Refuses hosts to be shown that there are none of. @param nHosts number of hosts
    /// @param name returns a host's name @throws WormholeError if there is one
    void CheckHosts(uint32_t nHosts, const std::function<std::string(uint32_t)>& name) const;

    /// Something takes its time. @param track where @param category what kind of thing
    /// @param name its name @param from when it begins @param until when it ends
    /// @param arguments further members
    void AddSlice(const LazyTrack& track,
                  const std::string& category,
                  const std::string& name,
                  Time from,
                  Time until,
                  const TraceEventArguments& arguments = {});

    /// An arrow. @param category what kind of thing @param from track of its beginning
    /// @param fromTime when @param to track of its end @param toTime when
    /// @param isWithin as TraceEventFile::WriteArrow
    void AddArrow(const std::string& category,
                  const LazyTrack& from,
                  Time fromTime,
                  const LazyTrack& to,
                  Time toTime,
                  bool isWithin);

    /// A number changes. @param track whose group it belongs to @param name its name
    /// @param unit what is counted @param time when @param value from then on
    void AddCount(const LazyTrack& track,
                  const std::string& name,
                  const std::string& unit,
                  Time time,
                  uint64_t value);

    /// @return the latest time of this simulation that was written of, or left out
    Time GetLatest() const
    {
        return m_latest;
    }

    /// @return whether anything within these times is to be written @param from when it begins
    /// @param until when it ends
    bool IsWanted(Time from, Time until) const;

  private:
    /// @return whether anything within these times is to be written, and notes the latest
    bool IsWithin(Time from, Time until);

    /// @return a group's number
    uint32_t FindGroup(const LazyTrack& track);

    /// @return a track's number
    Track Find(const LazyTrack& track);

    std::unique_ptr<TraceEventFile> m_file;   ///< the file; null once closed
    Time m_from;                              ///< what ends before is left out
    Time m_until;                             ///< what begins after is left out
    std::set<std::string> m_hosts;            ///< hosts shown; empty: all
    bool m_isRunning{false};                  ///< whether a simulation is going on
    std::string m_name;                       ///< what it simulates
    uint64_t m_nSimulations{0};               ///< simulations begun
    Time m_offset{0};                         ///< when it began, on the time line
    Time m_latest{0};                         ///< latest time in it
    std::vector<std::function<void()>> m_end; ///< to be done at its end
    std::map<std::string, uint32_t> m_groups; ///< numbers of groups, by name
    std::map<std::pair<uint32_t, std::string>, uint32_t> m_tracks; ///< numbers by group and name
};

} // namespace ns3

#endif /* TIMELINE_LOG_H */
