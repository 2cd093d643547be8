/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_LOG_H
#define TIMELINE_LOG_H

#include "gzip-buffer.h"

#include "ns3/collective-domain.h"
#include "ns3/nstime.h"
#include "ns3/round-explainer.h"
#include "ns3/simple-ref-count.h"
#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-latency-interval.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Arguments of an event: a JSON object, member by member.
class TraceEventArguments
{
  public:
    /// Adds a number. @param name its name @param value the number @return this
    TraceEventArguments& Add(const std::string& name, uint64_t value);

    /// Adds a text. @param name its name @param value the text @return this
    TraceEventArguments& Add(const std::string& name, const std::string& value);

    /// Adds a time, in us with all digits. @param name its name, in the end _us
    /// @param value the time @return this
    TraceEventArguments& Add(const std::string& name, Time value);

    /// Adds what is JSON already. @param name its name @param json its value @return this
    TraceEventArguments& AddJson(const std::string& name, const std::string& json);

    /// @return the JSON object
    std::string ToJson() const
    {
        return "{" + m_members + "}";
    }

  private:
    std::string m_members; ///< all members
};

/**
 * @ingroup wormhole
 * @brief Writes events in Chrome's trace event format (the document "Trace Event Format" by the
 *        Chromium project), as JSON, each when it is told: nothing is kept.
 *
 * Perfetto and chrome://tracing read it. Times are us with six more digits, exact to the ps. A file
 * whose name ends in .gz is compressed.
 */
class TraceEventFile
{
  public:
    /// @param path name of the file
    /// @throws WormholeError if it can't be written, or has to be compressed and there is no zlib
    explicit TraceEventFile(const std::string& path);

    void Write(const TraceEventArguments& event); ///< Writes an event. @param event its members

    /// Writes the end, and gives the file its name. @throws WormholeError if not all could be
    /// written
    void Finish();

  private:
    AtomicFile m_file;                  ///< the file
    std::unique_ptr<GzipBuffer> m_gzip; ///< compresses it; may be null
    std::ostream m_os;                  ///< where events go
    bool m_isEmpty{true};               ///< whether there is no event yet
};

/**
 * @ingroup wormhole
 * @brief Explains the slices of a time line: why a worm came, and a member left, when it did.
 *
 * It records a simulation from its beginning on, and keeps that until its end.
 */
class TimelineExplainer : public SimpleRefCount<TimelineExplainer>
{
  public:
    /// Records a fabric's worms from now on. @param fabric the fabric; none is on its way there
    void Watch(Ptr<WormholeFabric> fabric);

    /// Records what hosts and switches do from now on. @param domain the collective domain
    void Watch(Ptr<CollectiveDomain> domain);

    void End(); ///< Forgets the simulation.

    /// Explains a worm that has come. @param fabric its fabric @param worm the worm
    /// @param host name of the host that it has come to
    /// @return what LatencyReport::WriteJson writes; an empty list if it is not recorded
    std::string ExplainWorm(const WormholeFabric& fabric,
                            const Worm& worm,
                            const std::string& host) const;

    /// Explains a member that leaves. @param collective the collective
    /// @param round the member's round, from 1 on @param rank the member
    /// @param entered when it has come @return as ExplainWorm
    std::string ExplainLeave(const Collective& collective,
                             uint64_t round,
                             uint32_t rank,
                             Time entered) const;

  private:
    std::string Print(LatencyIntervals intervals) const;

    std::vector<Ptr<WormholeFabric>> m_fabrics;                ///< whose worms are recorded
    std::vector<std::unique_ptr<RoundExplainer>> m_explainers; ///< by domain
};

class WormTimeline;

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

    /// @param path name of the file @param from what ends before is left out
    /// @param until what begins after is left out @param hosts names of those shown; empty: all
    /// @throws WormholeError as TraceEventFile
    TimelineLog(const std::string& path,
                Time from,
                Time until,
                const std::vector<std::string>& hosts);

    /// Begins a simulation, unless one is going on. @param name what is simulated
    void BeginSimulation(const std::string& name);

    /// Adds what is to be done at the end of the simulation. @param action writes what is not
    /// over by then
    void AtEnd(std::function<void()> action);

    void EndSimulation(); ///< Ends a simulation, if one is going on.
    void Close();         ///< Ends the file. @throws WormholeError if not all could be written

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

    /// An arrow from one slice to another. @param category what kind of thing
    /// @param from track of its beginning @param fromTime when, within a slice there
    /// @param to track of its end @param toTime when
    /// @param isWithin whether that is within a slice; else the next one that begins is meant
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

    /// Names a group or track in the file. @param kind process or thread, in the format's words
    void Name(const std::string& kind,
              uint32_t group,
              uint32_t track,
              const std::string& name,
              uint32_t order);

    uint32_t FindGroup(const LazyTrack& track); ///< @return a group's number

    /// @return an event on a track, with its time @param phase the format's letter for its kind
    TraceEventArguments MakeEvent(char phase, const LazyTrack& track, Time time);

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
    uint64_t m_nArrows{0};                                         ///< arrows so far
};

/// @ingroup wormhole
/// @brief Writes what processes do to a time line: rounds, what keeps them busy, and messages.
/// @param log where to write @param domain whose processes
/// @param explainer explains why members leave when they do; null: nobody asks
void WatchHosts(Ptr<TimelineLog> log,
                Ptr<CollectiveDomain> domain,
                Ptr<TimelineExplainer> explainer);

/// @ingroup wormhole
/// @brief Writes what collective units of switches do to a time line. @param log where to write
/// @param domain the domain, with a fabric @param worms what writes the fabric's worms
void WatchRegisters(Ptr<TimelineLog> log, Ptr<CollectiveDomain> domain, Ptr<WormTimeline> worms);

} // namespace ns3

#endif /* TIMELINE_LOG_H */
