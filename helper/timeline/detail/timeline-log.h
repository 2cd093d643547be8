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
#include "ns3/simulator.h"
#include "ns3/worm-explainer.h"
#include "ns3/worm-recorder.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-latency-report.h"
#include "ns3/wormhole-worm.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
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

/// Explains the slices of a timeline: why a worm arrived, or a member left, when it did. For this
/// it records each simulation from its start to its end.
class TimelineExplainer : public SimpleRefCount<TimelineExplainer>
{
  public:
    /// Records a fabric's worms from now on. @param fabric the fabric; no worm may be in flight
    void Watch(Ptr<WormholeFabric> fabric)
    {
        if (!fabric->GetRecorder())
        {
            fabric->SetRecorder(Create<WormRecorder>());
            m_fabrics.push_back(std::move(fabric));
        }
    }

    void Watch(Ptr<CollectiveDomain> domain)
    {
        m_explainers.push_back(std::make_unique<RoundExplainer>(std::move(domain)));
    }

    /// Discards the records.
    void End()
    {
        m_explainers.clear();
        for (const auto& fabric : m_fabrics)
        {
            fabric->SetRecorder(nullptr);
        }
        m_fabrics.clear();
    }

    /// Explains a delivered worm. @param host name of the receiving host
    /// @return LatencyReport::WriteJson's output; an empty list if the worm was not recorded
    std::string ExplainWorm(const WormholeFabric& fabric,
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

    /// Explains a member's departure. @param round its number, from 1 @return as ExplainWorm
    std::string ExplainLeave(const Collective& collective,
                             uint64_t round,
                             uint32_t rank,
                             Time entered) const
    {
        LatencyIntervals intervals;
        for (const auto& explainer : m_explainers)
        {
            if (&explainer->GetDomain() == &collective.GetDomain())
            {
                intervals =
                    explainer->ExplainMember(collective, round, rank, entered.GetTimeStep());
            }
        }
        return Print(std::move(intervals));
    }

  private:
    std::string Print(LatencyIntervals intervals) const
    {
        std::ostringstream text;
        LatencyReport(std::move(intervals), [this](const Worm& worm) {
            return m_explainers.empty() ? "worm " + std::to_string(worm.GetId())
                                        : m_explainers.front()->Describe(worm);
        }).WriteJson(text);
        return text.str();
    }

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
                const std::vector<std::string>& hosts)
        : m_file(std::make_unique<GzipFile>(path)),
          m_from(from),
          m_until(until),
          m_hosts(hosts.begin(), hosts.end())
    {
        m_file->Get() << R"({"displayTimeUnit":"ns","traceEvents":[)";
    }

    void BeginSimulation(const std::string& name)
    {
        if (!m_isRunning && IsOpen())
        {
            m_isRunning = true;
            m_name = name;
            ++m_nSimulations;
            Simulator::ScheduleDestroy(&TimelineLog::EndSimulation, Ptr<TimelineLog>(this));
        }
    }

    /// @param action at the simulation's end, writes the slices that have not ended
    void AtEnd(const std::function<void()>& action)
    {
        m_end.push_back(action);
    }

    /// Ends the simulation in progress, if any.
    void EndSimulation()
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

    /// Completes the file. @throws WormholeError if not all could be written
    void Close()
    {
        EndSimulation();
        if (const auto file = std::move(m_file))
        {
            file->Get() << "\n]}\n";
            file->Finish();
        }
    }

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
    std::string DescribeEmpty() const
    {
        return m_groups.size() > m_groups.count(SIMULATIONS)
                   ? ""
                   : "nothing of what happened is in the window of time and of the hosts asked "
                     "for; "
                     "all ended by " +
                         ExactTime::Print(m_offset);
    }

    /// @param name returns a host's name @throws WormholeError if a selected host is unknown
    void CheckHosts(uint32_t nHosts, const std::function<std::string(uint32_t)>& name) const
    {
        auto missing = m_hosts;
        for (uint32_t host = 0; host < nHosts && !missing.empty(); ++host)
        {
            missing.erase(name(host));
        }
        if (!missing.empty())
        {
            throw WormholeError("hosts of the timeline: there is no host '" + *missing.begin() +
                                "'; expected names of hosts, such as " + name(0));
        }
    }

    void AddSlice(const LazyTrack& track,
                  const std::string& category,
                  const std::string& name,
                  Time from,
                  Time until,
                  const TraceEventArguments& arguments = {})
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

    /// Adds an arrow. @param fromTime its start, within a slice of its track
    /// @param isWithin whether toTime is within a slice; if not, it ends at the next slice's begin
    void AddArrow(const std::string& category,
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

    /// Adds a change of a counter. @param track any track of its group
    void AddCount(const LazyTrack& track,
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

    Time GetLatest() const
    {
        return m_latest;
    }

    bool IsWanted(Time from, Time until) const
    {
        return IsOpen() && m_offset + until >= m_from && m_offset + from <= m_until;
    }

  private:
    /// Name of the track that shows simulations, and of its group.
    static constexpr auto SIMULATIONS = "simulations";

    /// Perfetto rounds a slice's beginning and duration to ns separately, and then removes a slice
    /// that reaches into the next one from its track.
    /// @return a duration for which the rounded slice does not end later than the exact one
    static Time Shorten(Time from, Time until)
    {
        // Rounds as Perfetto does when it reads a number of us with six decimals.
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

    void Write(const TraceEventArguments& event)
    {
        m_file->Get() << (std::exchange(m_isEmpty, false) ? "\n" : ",\n") << event.ToJson();
    }

    /// @return whether an interval is to be written; also updates the latest time
    bool IsWithin(Time from, Time until)
    {
        m_latest = std::max(m_latest, until);
        return IsWanted(from, until);
    }

    /// Names a group or track in the file. @param kind process or thread, in the format's terms
    void Name(const std::string& kind,
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

    uint32_t FindGroup(const LazyTrack& track)
    {
        const auto [found, isNew] =
            m_groups.emplace(track.group, static_cast<uint32_t>(m_groups.size() + 1));
        if (isNew)
        {
            Name("process", found->second, 0, track.group, track.groupOrder);
        }
        return found->second;
    }

    /// @return an event on a track, with its time @param phase the format's letter for its kind
    TraceEventArguments MakeEvent(char phase, const LazyTrack& track, Time time)
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

    std::unique_ptr<GzipFile> m_file;         ///< the file; null once closed
    bool m_isEmpty{true};                     ///< whether no event was written yet
    Time m_from;                              ///< anything that ends earlier is omitted
    Time m_until;                             ///< anything that begins later is omitted
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

    /// A worm has ended in a switch. @param isWithin whether a slice there begins or continues
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

/// Writes a fabric's outages, and the flits that they take, to a timeline.
void WatchOutages(Ptr<TimelineLog> log, Ptr<WormholeFabric> fabric);

} // namespace ns3

#endif /* TIMELINE_LOG_H */
