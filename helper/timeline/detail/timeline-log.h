// SPDX-License-Identifier: GPL-2.0-only

#ifndef TIMELINE_LOG_H
#define TIMELINE_LOG_H

#include "gzip-buffer.h"

#include "ns3/collective-domain.h"
#include "ns3/csv-file.h"
#include "ns3/fabric-graph.h"
#include "ns3/json-file.h"
#include "ns3/nstime.h"
#include "ns3/round-explainer.h"
#include "ns3/simple-ref-count.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-worm.h"

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

/// Arguments of an event: a JSON object, built member by member.
class TraceEventArguments
{
  public:
    TraceEventArguments& Add(const std::string& name, uint64_t value)
    {
        return AddJson(name, std::to_string(value));
    }

    TraceEventArguments& Add(const std::string& name, const std::string& value)
    {
        return AddJson(name, JsonFile::Quote(value));
    }

    /// Adds a time, in us with all digits. @param name ends in _us
    TraceEventArguments& Add(const std::string& name, Time value)
    {
        return AddJson(name, CsvFile::PrintUs(value));
    }

    TraceEventArguments& AddJson(const std::string& name, const std::string& json)
    {
        m_members += (m_members.empty() ? "" : ",") + JsonFile::Quote(name) + ":" + json;
        return *this;
    }

    std::string ToJson() const
    {
        return "{" + m_members + "}";
    }

  private:
    std::string m_members; ///< all members
};

/// Explains the slices of a timeline: why a worm arrived, or a member left, when it did. It records
/// a simulation from its start to its end.
class TimelineExplainer : public SimpleRefCount<TimelineExplainer>
{
  public:
    /// Records a fabric's worms from now on. @param fabric the fabric; no worm may be in flight
    void Watch(Ptr<WormholeFabric> fabric);

    void Watch(Ptr<CollectiveDomain> domain);

    void End(); ///< Discards the records.

    /// Explains a delivered worm. @param host name of the receiving host
    /// @return LatencyReport::WriteJson's output; an empty list if it is not recorded
    std::string ExplainWorm(const WormholeFabric& fabric,
                            const Worm& worm,
                            const std::string& host) const;

    /// Explains a member's departure. @param round from 1 @return as ExplainWorm
    std::string ExplainLeave(const Collective& collective,
                             uint64_t round,
                             uint32_t rank,
                             Time entered) const;

  private:
    std::string Print(LatencyIntervals intervals) const;

    std::vector<Ptr<WormholeFabric>> m_fabrics;                ///< fabrics whose worms are recorded
    std::vector<std::unique_ptr<RoundExplainer>> m_explainers; ///< by domain
};

/// The output of the parts of a Timeline: names tracks on first use, omits what is not selected,
/// and concatenates simulations. It writes events immediately, as JSON in Chrome's trace event
/// format (the document "Trace Event Format" by the Chromium project), which Perfetto and
/// chrome://tracing read. Times given are those of the current simulation; those written are us
/// with six decimals, exact to the ps. Once closed, it ignores all input.
class TimelineLog : public SimpleRefCount<TimelineLog>
{
  public:
    /// A track that gets its number, and its name in the file, on first use.
    struct LazyTrack
    {
        std::string group;      ///< name of the node
        uint32_t groupOrder{0}; ///< position of the node
        std::string name;       ///< name of the track at the node
        uint32_t order{0};      ///< position of the track at its node
    };

    /// Position of the first switch among nodes: after all hosts.
    static constexpr uint32_t FIRST_SWITCH = 1U << 24;

    /// @throws WormholeError as GzipFile
    TimelineLog(const std::string& path,
                Time from,
                Time until,
                const std::vector<std::string>& hosts);

    void BeginSimulation(const std::string& name);

    /// @param action writes what has not ended at the simulation's end
    void AtEnd(const std::function<void()>& action)
    {
        m_end.push_back(action);
    }

    void EndSimulation(); ///< Ends the simulation in progress, if any.
    void Close();         ///< Completes the file. @throws WormholeError if not all could be written

    bool IsOpen() const
    {
        return m_file != nullptr;
    }

    bool HasBegun() const
    {
        return m_nSimulations > 0;
    }

    bool Shows(const std::string& host) const
    {
        return m_hosts.empty() || m_hosts.count(host) > 0;
    }

    /// @return a hint for the user if the file is empty; else empty
    std::string DescribeEmpty() const;

    /// @param name returns a host's name @throws WormholeError if a selected host is unknown
    void CheckHosts(uint32_t nHosts, const std::function<std::string(uint32_t)>& name) const;

    void AddSlice(const LazyTrack& track,
                  const std::string& category,
                  const std::string& name,
                  Time from,
                  Time until,
                  const TraceEventArguments& arguments = {});

    /// Adds an arrow. @param fromTime its start, within a slice there
    /// @param isWithin whether its end is; else it ends at the next slice that begins
    void AddArrow(const std::string& category,
                  const LazyTrack& from,
                  Time fromTime,
                  const LazyTrack& to,
                  Time toTime,
                  bool isWithin);

    /// Adds a change of a counter. @param track one of its group
    void AddCount(const LazyTrack& track,
                  const std::string& name,
                  const std::string& unit,
                  Time time,
                  uint64_t value);

    Time GetLatest() const
    {
        return m_latest;
    }

    bool IsWanted(Time from, Time until) const;

  private:
    void Write(const TraceEventArguments& event);

    /// @return whether an interval is to be written; also updates the latest time
    bool IsWithin(Time from, Time until);

    /// Names a group or track in the file. @param kind process or thread, in the format's terms
    void Name(const std::string& kind,
              uint32_t group,
              uint32_t track,
              const std::string& name,
              uint32_t order);

    uint32_t FindGroup(const LazyTrack& track); ///< @return a group's number

    /// @return an event on a track, with its time @param phase the format's letter for its kind
    TraceEventArguments MakeEvent(char phase, const LazyTrack& track, Time time);

    std::unique_ptr<GzipFile> m_file;         ///< the file; null once closed
    bool m_isEmpty{true};                     ///< whether no event was written yet
    Time m_from;                              ///< anything that ends before is omitted
    Time m_until;                             ///< anything that begins after is omitted
    std::set<std::string> m_hosts;            ///< hosts shown; empty: all
    bool m_isRunning{false};                  ///< whether a simulation is in progress
    std::string m_name;                       ///< its name
    uint64_t m_nSimulations{0};               ///< simulations begun
    Time m_offset{0};                         ///< its start on the timeline
    Time m_latest{0};                         ///< latest time in it
    std::vector<std::function<void()>> m_end; ///< actions for its end
    std::map<std::string, uint32_t> m_groups; ///< numbers of groups, by name
    std::map<std::pair<uint32_t, std::string>, uint32_t> m_tracks; ///< numbers by group and name
    uint64_t m_nArrows{0};                                         ///< number of arrows so far
};

/// A writer of a fabric's worms to a timeline.
class WormTimeline : public SimpleRefCount<WormTimeline>
{
  public:
    virtual ~WormTimeline() = default;

    /// Observes a fabric. @param explainer may be null
    static Ptr<WormTimeline> Watch(Ptr<TimelineLog> log,
                                   Ptr<WormholeFabric> fabric,
                                   const FabricGraph& graph,
                                   Ptr<TimelineExplainer> explainer);

    /// A worm has ended in a switch. @param isWithin whether a slice there begins or continues now
    virtual void EndAt(const Ptr<const Worm>& worm,
                       const TimelineLog::LazyTrack& track,
                       bool isWithin) = 0;

    static std::string NameKind(const Worm& worm);
};

/// Writes processes' activities to a timeline: rounds, what keeps them busy, and messages.
void WatchHosts(Ptr<TimelineLog> log,
                Ptr<CollectiveDomain> domain,
                Ptr<TimelineExplainer> explainer);

/// Writes the activities of switches' collective engines to a timeline. @param domain with a fabric
void WatchRegisters(Ptr<TimelineLog> log, Ptr<CollectiveDomain> domain, Ptr<WormTimeline> worms);

/// Writes a fabric's outages to a timeline, and what they take.
void WatchOutages(Ptr<TimelineLog> log, Ptr<WormholeFabric> fabric);

} // namespace ns3

#endif /* TIMELINE_LOG_H */
