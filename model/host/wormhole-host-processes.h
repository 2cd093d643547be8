// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_HOST_PROCESSES_H
#define WORMHOLE_HOST_PROCESSES_H

#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-activity-recorder.h"
#include "ns3/wormhole-latency-cause.h"
#include "ns3/wormhole-sparse-traced-callback.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Until when each process of a host is busy, what with, and its progress while it computes.
///
/// Its values are attributes of HostSoftware.
class HostProcesses
{
  public:
    /// What a process is busy with.
    enum class Activity : uint8_t
    {
        SEND,    ///< sending messages
        RECEIVE, ///< taking a message
        POST,    ///< posting receives
        COPY,    ///< copying or combining data in memory
        COMPUTE, ///< what the program does besides
        OTHER,   ///< anything else that an algorithm has its host do
    };

    /// @return the name of an activity, such as "send" @param activity the activity
    static const std::string& GetActivityName(Activity activity);

    /// @return what the attribute Progress accepts: in-call, interrupt and independent
    static const std::vector<std::string>& GetProgressNames()
    {
        static const std::vector<std::string> names{"in-call", "interrupt", "independent"};
        return names;
    }

    /// Has costs wait for the host's memory, which serves one process at a time, as they ask.
    /// @param from when they begin @param costs the costs; wait for their GetMemoryTime
    void ShareMemory(Time from, LatencyCosts& costs);

    /// Has room for one more process. @param task its number
    void AddTask(uint32_t task)
    {
        if (task >= m_busyUntil.size())
        {
            m_busyUntil.resize(task + 1, Time(0));
            m_computingUntil.resize(task + 1, Time(0));
        }
    }

    /// Keeps a process busy.
    /// @param task number of the process on this host
    /// @param from when it could begin, as simulated time
    /// @param costs what it is busy with, once what was begun before is done
    /// @param activity what it does
    /// @return when it is done, as simulated time
    Time Occupy(uint32_t task,
                Time from,
                const LatencyCosts& costs,
                Activity activity = Activity::OTHER);

    /// Keeps the first process busy with something else than sending.
    /// @param costs what it is, once what was begun before is done
    /// @return how long until it is done
    Time Occupy(const LatencyCosts& costs)
    {
        const auto now = Simulator::Now();
        return ChargeReceive(0, now, costs, Activity::OTHER) - now;
    }

    /// Keeps a process busy with taking a message, by an interrupt if it computes (Progress).
    /// @param task,from,activity as of Occupy
    /// @param costs what taking it costs, the interrupt apart
    /// @return when it is done, as simulated time
    Time ChargeReceive(uint32_t task,
                       Time from,
                       LatencyCosts costs,
                       Activity activity = Activity::RECEIVE);

    /// A process computes. In-call, it does nothing else meanwhile; interrupted, it takes longer by
    /// what it does for collectives, see GetComputingUntil.
    /// @param task number of the process on this host
    /// @param duration how long it takes, once what was begun before is done
    /// @return when it is done, if nothing interrupts it, as simulated time
    Time Compute(uint32_t task, Time duration);

    /// @return until when a process computes, or did, as simulated time @param task its number
    Time GetComputingUntil(uint32_t task) const
    {
        return m_computingUntil[task];
    }

    /// @return until when a process is busy, as simulated time @param task number of the process
    Time GetBusyUntil(uint32_t task) const
    {
        return m_busyUntil[task];
    }

    /// @param task number of the process on this host
    /// @return when a call for a collective made by now returns, unless another message comes
    /// before: at once, if an engine of its own does the rest, or else when the process has done
    /// what there is to do for now; as simulated time
    Time GetCallEnd(uint32_t task) const
    {
        const auto now = Simulator::Now();
        return m_progress == Progress::INDEPENDENT ? now : std::max(now, m_busyUntil[task]);
    }

    /// @param task number of the process on this host
    /// @param posted when it began to wait for a write
    /// @param from when the write could be seen
    /// @return when the poll begins that sees it
    Time GetNextPoll(uint32_t task, Time posted, Time from) const;

    /// Notes that a process waits for a poll, if anything is recorded.
    /// @param task number of the process @param from since when
    /// @param poll when the poll begins; nothing is noted where that is not later
    void WaitForPoll(uint32_t task, Time from, Time poll) const
    {
        if (poll > from)
        {
            Record(task, from, {LatencyCause::POLL, poll - from});
        }
    }

    /// @return the record of what the host does, which its domain has for all hosts
    ActivityRecorder& GetActivities() const
    {
        return *m_activities;
    }

    /// @param activities where what the host does is recorded
    void SetActivities(Ptr<ActivityRecorder> activities)
    {
        m_activities = std::move(activities);
    }

    /// @return number of what a process was busy with last, where that is recorded
    /// @param task number of the process on this host
    ActivityRecorder::Id GetLastActivity(uint32_t task = 0) const
    {
        return m_activities->GetLast({this, task});
    }

    /// Notes what a process was busy with last, if anything is recorded.
    /// @param task number of the process @param id number of that
    void SetLastActivity(uint32_t task, ActivityRecorder::Id id) const
    {
        if (m_activities->IsRecording())
        {
            m_activities->SetLast({this, task}, id);
        }
    }

    /// Schedules a method for when a process is through with what it did last.
    /// @param task,end number of the process, and when that is
    /// @param object,method,arguments whose method, which, and its arguments
    template <class OBJECT, class METHOD, class... ARGUMENTS>
    void ScheduleAt(uint32_t task, Time end, OBJECT* object, METHOD method, ARGUMENTS... arguments)
    {
        m_activities->ScheduleAfter(GetLastActivity(task),
                                    end - Simulator::Now(),
                                    method,
                                    Ptr<OBJECT>(object),
                                    arguments...);
    }

    /// As ScheduleAt, but calls the method at once if there is no wait.
    /// @param task,wait number of the process, and how long what it did last takes from now
    /// @param object,method,arguments as of ScheduleAt
    template <class OBJECT, class METHOD, class... ARGUMENTS>
    void InvokeAfter(uint32_t task,
                     Time wait,
                     OBJECT* object,
                     METHOD method,
                     ARGUMENTS... arguments)
    {
        m_activities->InvokeAfter(GetLastActivity(task),
                                  wait,
                                  method,
                                  Ptr<OBJECT>(object),
                                  arguments...);
    }

    /// @return name of a process, such as "h3", or "h3.1" for the second one
    /// @param task number of the process on this host
    virtual std::string GetProcessName(uint32_t task) const = 0;

  protected:
    ~HostProcesses() = default;

    /// Who does what a process that computes owes to collectives.
    enum class Progress : uint8_t
    {
        IN_CALL,     ///< the process, when it does not compute
        INTERRUPT,   ///< the process, which is interrupted
        INDEPENDENT, ///< an engine of its own
    };

    Progress m_progress{Progress::IN_CALL}; ///< attribute
    Time m_pollInterval;                    ///< attribute
    Time m_interruptTime;                   ///< attribute

    /// Trace source Busy.
    SparseTracedCallback<uint32_t, Time, Time, Activity> m_busyTrace;

  private:
    void Record(uint32_t task, Time from, const LatencyCosts& costs) const;

    std::vector<Time> m_busyUntil{Time(0)};      ///< by process; independent: its engine
    std::vector<Time> m_computingUntil{Time(0)}; ///< by process
    Time m_memoryUntil;                          ///< until when the host's memory is busy

    /// That of the domain.
    Ptr<ActivityRecorder> m_activities{Create<ActivityRecorder>()};
};

} // namespace ns3

#endif /* WORMHOLE_HOST_PROCESSES_H */
