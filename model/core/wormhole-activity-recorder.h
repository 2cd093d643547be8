// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_ACTIVITY_RECORDER_H
#define WORMHOLE_ACTIVITY_RECORDER_H

#include "wormhole-latency-cause.h"

#include "ns3/event-impl.h"
#include "ns3/make-event.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Records what hosts and switches did, when, and what enabled it: a graph of activities.
///
/// An activity has a start, an end, a cause, and a predecessor: the activity for which this one
/// waited last. Following predecessors back from the end of a collective's round gives the round's
/// critical path (RoundExplainer).
///
/// The current activity is the one that led to the event being executed: Schedule passes it on to
/// a new event, ScheduleAfter passes a given activity. All hosts and switches of a CollectiveDomain
/// share one recorder, which records only between Start and Stop. Times are in ns-3 time units.
class ActivityRecorder : public SimpleRefCount<ActivityRecorder>
{
  public:
    using Id = uint32_t;                            ///< Number of an activity.
    static constexpr Id NONE = 0;                   ///< Stands for no activity.
    static constexpr uint64_t NO_WORM = UINT64_MAX; ///< Stands for no worm.

    /// An activity.
    struct Activity
    {
        int64_t from{0};                               ///< start of the activity
        int64_t to{0};                                 ///< end of the activity
        LatencyCause cause{LatencyCause::UNEXPLAINED}; ///< what the activity's time was spent on
        Id before{NONE};                               ///< number of the predecessor
        std::string place{};                           ///< host, process or switch of the activity
        std::string note{};                            ///< details of the activity
        uint64_t worm{NO_WORM};                        ///< for a worm's flight: the worm's number
    };

    /// Identifies a process or interface: its host's software, and its number on that host.
    using Process = std::pair<const void*, uint32_t>;

    /// A passage: a member's arrival at a collective, or departure from the collective.
    struct Passage
    {
        const void* collective; ///< the collective
        uint32_t rank;          ///< the member's rank
        uint64_t round;         ///< number of the round, from 1
        int64_t time;           ///< when the member arrived or departed
        Id cause;               ///< activity that led to the passage
    };

    /// Arrivals and departures of a collective's round, in order of time.
    struct Round
    {
        std::vector<Passage> entries; ///< arrivals
        std::vector<Passage> leaves;  ///< departures
    };

    /// Starts recording, which continues until each caller of Start has called Stop.
    void Start()
    {
        ++m_nUsers;
    }

    void Stop(); ///< Cancels one call of Start; the last Stop discards everything.

    /// @return whether activities are being recorded now
    bool IsRecording() const
    {
        return m_nUsers > 0;
    }

    /// Discards all records; requires that no member is in a round and no message in flight.
    void Clear();

    /// Adds an activity. @param activity the activity @return its number
    Id Add(Activity activity)
    {
        m_activities.push_back(std::move(activity));
        return m_first + static_cast<Id>(m_activities.size() - 2);
    }

    /// Adds consecutive activities, one for each cost.
    /// @param costs the activities' causes and durations
    /// @param from start of the first activity
    /// @param before predecessor of the first activity
    /// @param place where the activities take place
    /// @return number of the last activity; `before` if there are no costs
    Id AddCosts(const LatencyCosts& costs, int64_t from, Id before, const std::string& place);

    /// Adds a successor of the current activity, if recording. @param cause,place as in Activity
    /// @param from the successor's start @param duration the successor's duration
    /// @return the successor's number; NONE if not recording
    Id AddNext(LatencyCause cause, Time from, Time duration, const std::string& place = "")
    {
        return IsRecording() ? Add({from.GetTimeStep(),
                                    (from + duration).GetTimeStep(),
                                    cause,
                                    m_current,
                                    place})
                             : NONE;
    }

    /// @return an activity @param id its number
    const Activity& At(Id id) const
    {
        return m_activities.at(id < m_first ? NONE : id - m_first + 1);
    }

    /// @return the current activity; NONE if not recording
    Id GetCurrent() const
    {
        return m_current;
    }

    /// Records that a process is busy. @param process the process @param place the process's name
    /// @param busyUntil end of its previous activity @param from earliest start of new activities
    /// @param costs causes and durations of the new activities
    void Occupy(const Process& process,
                const std::string& place,
                int64_t busyUntil,
                int64_t from,
                const LatencyCosts& costs)
    {
        // The predecessor is the process's last activity if this delays the new one or, unlike the
        // current activity, ends as the new one starts. A process may be ahead of the present.
        const auto last = GetLast(process);
        const bool isLast =
            busyUntil > from || (At(m_current).to != from && last != NONE && At(last).to == from);
        SetLast(process,
                AddCosts(costs, std::max(busyUntil, from), isLast ? last : m_current, place));
    }

    /// @return the process's last activity @param process the process
    Id GetLast(const Process& process) const
    {
        const auto found = m_last.find(process);
        return found == m_last.end() ? NONE : found->second;
    }

    /// Sets a process's last activity. @param process the process @param id the activity
    void SetLast(const Process& process, Id id)
    {
        m_last[process] = id;
    }

    /// Records that a message passes an interface.
    /// @param interface the interface @param place the interface's name
    /// @param message description of the message
    /// @param cause activity that led to the message
    /// @param wait time from now until the interface is done with the message
    /// @param duration how long the message occupies the interface; this time ends with `wait`
    /// @return number of the activity that ends when `wait` is over
    Id PassInterface(const Process& interface,
                     const std::string& place,
                     const std::string& message,
                     Id cause,
                     Time wait,
                     Time duration);

    /// Records that a worm is handed to an interface, or created by a switch. @param worm the worm
    /// @param cause activity that led to this launch @param time when it happens
    void Launch(const void* worm, Id cause, int64_t time)
    {
        m_flights[worm] = {cause, time};
    }

    /// Records a worm's arrival. @param worm the worm @param number its number within the fabric
    /// @param place where the worm arrived @return number of the activity that is the worm's flight
    Id Land(const void* worm, uint64_t number, const std::string& place)
    {
        const auto found = m_flights.find(worm);
        const auto now = Simulator::Now().GetTimeStep();
        const auto [cause, time] = found == m_flights.end() ? Flight{NONE, now} : found->second;
        return Add({time, now, LatencyCause::WIRE, cause, place, "", number});
    }

    /// Records the arrival of a message for which a barrier register or reduction slot waits.
    /// @param holder,place the switch, and the switch's name
    /// @param key identifies the register or slot in the switch @param port input port
    /// @param isLast whether the register or slot now waits for no further message
    /// @return number of the activity that causes whatever follows the arrival
    Id Arrive(const void* holder,
              uint64_t key,
              const std::string& place,
              uint32_t port,
              bool isLast);

    /// Records a member's arrival. @param passage the arrival @param name the collective's name
    /// @param group its group @return number of a zero-length activity that stands for the arrival
    Id Enter(const Passage& passage, uint16_t group, const std::string& name)
    {
        m_groups[group] = name;
        const auto id = Add({passage.time, passage.time, LatencyCause::MEMBER_LATE, passage.cause});
        m_entryOf.emplace(id, passage);
        m_rounds[{passage.collective, passage.round}].entries.push_back(passage);
        return id;
    }

    /// Records a member's departure. @param passage the departure
    void Leave(const Passage& passage)
    {
        m_rounds[{passage.collective, passage.round}].leaves.push_back(passage);
    }

    /// @return the member's arrival that an activity stands for; null if it stands for none
    /// @param id number of the activity
    const Passage* FindEntry(Id id) const
    {
        const auto found = m_entryOf.find(id);
        return found == m_entryOf.end() ? nullptr : &found->second;
    }

    /// @return a round's arrivals and departures @param collective,number its collective and number
    const Round& GetRound(const void* collective, uint64_t number) const
    {
        static const Round NOBODY;
        const auto found = m_rounds.find({collective, number});
        return found == m_rounds.end() ? NOBODY : found->second;
    }

    /// Names a group. @param group its number @param name such as "job 1"
    void NameGroup(uint16_t group, const std::string& name)
    {
        m_names[group] = name;
    }

    /// @return the name set by NameGroup or, without one, the name of the group's collective, such
    /// as "InSwitchBarrier"; empty if no member has arrived @param group the group's number
    std::string GetGroupName(uint16_t group) const;

    /// Makes an activity the current one for the scope's lifetime; without effect if not recording.
    class Scope
    {
      public:
        /// @param recorder the recorder @param id number of the activity
        Scope(ActivityRecorder& recorder, Id id)
            : m_recorder(recorder.IsRecording() ? &recorder : nullptr)
        {
            if (m_recorder)
            {
                m_before = std::exchange(m_recorder->m_current, id);
            }
        }

        ~Scope()
        {
            if (m_recorder)
            {
                m_recorder->m_current = m_before;
            }
        }

        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        Ptr<ActivityRecorder> m_recorder; ///< the recorder; null: not recording
        Id m_before{NONE};                ///< activity that was current before the scope
    };

    /// Like Simulator::Schedule, but the event inherits the current activity. @return the event
    /// @tparam ARGUMENTS function or method, and its arguments
    /// @param wait,arguments as for ScheduleAfter
    template <typename... ARGUMENTS>
    EventId Schedule(Time wait, ARGUMENTS&&... arguments)
    {
        return ScheduleAfter(m_current, wait, std::forward<ARGUMENTS>(arguments)...);
    }

    /// Like Simulator::Schedule, for an event caused by an activity that ends at the event's time.
    /// @tparam ARGUMENTS function or method, and its arguments
    /// @param id number of the activity @param wait time from now to the event
    /// @param arguments function or method, and its arguments @return the event
    template <typename... ARGUMENTS>
    EventId ScheduleAfter(Id id, Time wait, ARGUMENTS&&... arguments)
    {
        if (!IsRecording())
        {
            return Simulator::Schedule(wait, std::forward<ARGUMENTS>(arguments)...);
        }
        return Simulator::Schedule(
            wait,
            Carry(id, Ptr<EventImpl>(MakeEvent(std::forward<ARGUMENTS>(arguments)...), false)));
    }

    /// Calls a method at once if the wait is not positive, else by ScheduleAfter.
    /// @param id number of the activity that ends after the wait
    /// @param wait duration of the wait, from now
    /// @param method the method
    /// @param object its object
    /// @param arguments its arguments
    template <typename METHOD, typename OBJECT, typename... ARGUMENTS>
    void InvokeAfter(Id id, Time wait, METHOD method, OBJECT object, ARGUMENTS... arguments)
    {
        if (wait.IsStrictlyPositive())
        {
            ScheduleAfter(id, wait, method, object, arguments...);
            return;
        }
        ((*object).*method)(arguments...);
    }

  private:
    struct Flight
    {
        Id cause;
        int64_t time; ///< when the worm was handed over
    };

    Ptr<EventImpl> Carry(Id id, Ptr<EventImpl> event);

    uint32_t m_nUsers{0};                  ///< number of calls of Start without a call of Stop yet
    std::vector<Activity> m_activities{1}; ///< activities by number; the first is NONE
    Id m_first{1};                         ///< number of m_activities[1]
    std::map<Process, Id> m_last;          ///< by process, its last activity
    std::map<std::pair<const void*, uint64_t>, int64_t> m_arrived; ///< by register, last arrival
    std::map<Process, std::string> m_passed;           ///< last message passed on, by interface
    Id m_current{NONE};                                ///< the current activity
    std::unordered_map<const void*, Flight> m_flights; ///< flights, by worm
    std::map<std::pair<const void*, uint64_t>, Round> m_rounds; ///< by collective and round number
    std::unordered_map<Id, Passage> m_entryOf;                  ///< by activity, a member's arrival
    std::map<uint16_t, std::string> m_groups;                   ///< by group, its collective's name
    std::map<uint16_t, std::string> m_names;                    ///< by group, its own name
};

} // namespace ns3

#endif /* WORMHOLE_ACTIVITY_RECORDER_H */
