/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_ACTIVITY_RECORDER_H
#define WORMHOLE_ACTIVITY_RECORDER_H

#include "wormhole-latency-cause.h"

#include "ns3/event-impl.h"
#include "ns3/make-event.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What hosts and switches did, when, and what let each of it begin: a graph of activities.
 *
 * An activity takes from one time to another, for one cause, and has one activity before it: of all
 * that it had to wait for, the last. So whoever follows these from the end of a collective's round
 * finds its critical path (RoundExplainer).
 *
 * There is a current activity, that which has led to what is done now. An event carries it to when
 * it is invoked, if it is scheduled by Schedule or ScheduleAfter. All hosts and switches of a
 * CollectiveDomain share one recorder, which records only between Start and Stop. Times are in ns-3
 * time units.
 */
class ActivityRecorder : public SimpleRefCount<ActivityRecorder>
{
  public:
    using Id = uint32_t;                            ///< Number of an activity.
    static constexpr Id NONE = 0;                   ///< Number of no activity.
    static constexpr uint64_t NO_WORM = UINT64_MAX; ///< Number of no worm.

    /// An activity.
    struct Activity
    {
        int64_t from{0};                               ///< when it began
        int64_t to{0};                                 ///< when it was over
        LatencyCause cause{LatencyCause::UNEXPLAINED}; ///< what it was
        Id before{NONE};                               ///< what let it begin
        std::string place{};                           ///< host, process or switch
        std::string note{};                            ///< more about it
        uint64_t worm{NO_WORM}; ///< number of the worm whose flight to the place it was
    };

    /// A process, or an interface: its host's software, and its number there.
    using Process = std::pair<const void*, uint32_t>;

    /// A member of a collective that has come or left.
    struct Passage
    {
        const void* collective; ///< the collective
        uint32_t rank;          ///< the member
        uint64_t round;         ///< of the member, from 1 on
        int64_t time;           ///< when
        Id cause;               ///< what has led to it
    };

    /// Who has come to a collective's round, and who has left it, in order of time.
    struct Round
    {
        std::vector<Passage> entries; ///< who has come
        std::vector<Passage> leaves;  ///< who has left
    };

    void Start(); ///< Records from now on, until each caller has stopped it.
    void Stop();  ///< Ends one Start; after the last one, forgets everything.

    /// @return whether anything is recorded
    bool IsRecording() const
    {
        return m_nUsers > 0;
    }

    /// Forgets what was recorded. Members must be outside, and no messages under way.
    void Clear();

    /// Adds an activity. @param activity what was done @return its number
    Id Add(Activity activity);

    /// Adds activities that follow each other.
    /// @param costs what they are
    /// @param from when the first one begins
    /// @param before what lets it begin
    /// @param place where
    /// @return number of the last one, or of what was before if there is none
    Id AddCosts(const LatencyCosts& costs, int64_t from, Id before, const std::string& place);

    /// Adds an activity to which the current one has led, if anything is recorded.
    /// @param cause what it is
    /// @param from when it begins
    /// @param duration how long it takes
    /// @param place where
    /// @return its number; NONE if nothing is recorded
    Id AddNext(LatencyCause cause, Time from, Time duration, const std::string& place = "");

    /// @return an activity @param id its number
    const Activity& At(Id id) const
    {
        return m_activities.at(id < m_first ? NONE : id - m_first + 1);
    }

    /// @return what has led to what is done now; NONE if nothing is recorded
    Id GetCurrent() const
    {
        return m_current;
    }

    /// A process is busy.
    /// @param process the process
    /// @param place its name
    /// @param busyUntil until when it was busy before
    /// @param from when it could begin
    /// @param costs what it is busy with
    void Occupy(const Process& process,
                const std::string& place,
                int64_t busyUntil,
                int64_t from,
                const LatencyCosts& costs);

    /// @return what a process was busy with last @param process the process
    Id GetLast(const Process& process) const;

    /// Notes what a process was busy with last. @param process the process @param id number of it
    void SetLast(const Process& process, Id id)
    {
        m_last[process] = id;
    }

    /// A message passes an interface.
    /// @param interface the interface @param place its name
    /// @param message the message, in words
    /// @param cause what has led to it
    /// @param wait time until the interface is done with it
    /// @param duration how long of this it occupies the interface itself
    /// @return number of an activity that is over then
    Id PassInterface(const Process& interface,
                     const std::string& place,
                     const std::string& message,
                     Id cause,
                     Time wait,
                     Time duration);

    /// Notes what has led to a worm that is handed to an interface, or made by a switch.
    /// @param worm the worm
    /// @param cause what has led to it
    /// @param time when it is handed over
    void Launch(const void* worm, Id cause, int64_t time);

    /// A worm has come.
    /// @param worm the worm
    /// @param number its number within the fabric
    /// @param place where
    /// @return number of its flight there
    Id Land(const void* worm, uint64_t number, const std::string& place);

    /// What a register or slot waits for comes.
    /// @param holder the register's switch
    /// @param key which register or slot of it
    /// @param place the switch's name
    /// @param port port that it comes by
    /// @param isLast whether nothing else is waited for
    /// @return number of an activity that has led to what follows
    Id Arrive(const void* holder,
              uint64_t key,
              const std::string& place,
              uint32_t port,
              bool isLast);

    /// A member enters.
    /// @param passage which, when
    /// @param name what the collective is
    /// @param group its group
    /// @return number of an activity of no length
    Id Enter(const Passage& passage, uint16_t group, const std::string& name);

    void Leave(const Passage& passage); ///< A member leaves. @param passage which, when

    /// @return the member that an activity is the coming of; null if it is none
    /// @param id number of the activity
    const Passage* FindEntry(Id id) const;

    /// @return who has come and left
    /// @param collective the collective
    /// @param number the round, from 1 on
    const Round& GetRound(const void* collective, uint64_t number) const;

    /// Names a group, in place of what it is. @param group its number @param name such as "job 1"
    void NameGroup(uint16_t group, const std::string& name)
    {
        m_names[group] = name;
    }

    /// @return what a group is, such as "InSwitchBarrier"; empty if nobody has entered
    /// @param group its number
    std::string GetGroupName(uint16_t group) const;

    /// Makes an activity the current one while it lives; does nothing if nothing is recorded.
    class Scope
    {
      public:
        /// @param recorder who records @param id number of the activity
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
        Ptr<ActivityRecorder> m_recorder; ///< who records; null: nothing is recorded
        Id m_before{NONE};                ///< what was current before
    };

    /// Simulator::Schedule; the event has been led to by what leads to the present.
    /// @tparam ARGUMENTS what there is to invoke
    /// @param wait how long from now
    /// @param arguments what there is to invoke
    /// @return the event
    template <typename... ARGUMENTS>
    EventId Schedule(Time wait, ARGUMENTS&&... arguments)
    {
        return ScheduleAfter(m_current, wait, std::forward<ARGUMENTS>(arguments)...);
    }

    /// Simulator::Schedule; the event has been led to by an activity that will be over then.
    /// @tparam ARGUMENTS what there is to invoke
    /// @param id number of the activity
    /// @param wait how long from now
    /// @param arguments what there is to invoke
    /// @return the event
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

    /// Calls a method at once if there is nothing to wait for, else by ScheduleAfter.
    /// @param id number of the activity that will be over then
    /// @param wait how long from now
    /// @param method the method
    /// @param object whose
    /// @param arguments of the method
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
        Id cause;     ///< what has led to it
        int64_t time; ///< when it was handed over
    };

    Ptr<EventImpl> Carry(Id id, Ptr<EventImpl> event);

    uint32_t m_nUsers{0};                  ///< calls of Start without a Stop
    std::vector<Activity> m_activities{1}; ///< by number; the first one is none
    Id m_first{1};                         ///< number of the first one
    std::map<Process, Id> m_last;          ///< by process, what it did last
    std::map<std::pair<const void*, uint64_t>, int64_t> m_arrived; ///< by register, last arrival
    std::map<Process, std::string> m_passed;                    ///< by interface, its last message
    Id m_current{NONE};                                         ///< what has led to the present
    std::unordered_map<const void*, Flight> m_flights;          ///< by worm
    std::map<std::pair<const void*, uint64_t>, Round> m_rounds; ///< by collective and number
    std::unordered_map<Id, Passage> m_entryOf;                  ///< by activity, who has come
    std::map<uint16_t, std::string> m_groups;                   ///< by number, what groups are
    std::map<uint16_t, std::string> m_names;                    ///< by number, names of groups
};

} // namespace ns3

#endif /* WORMHOLE_ACTIVITY_RECORDER_H */
