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
/// @brief Tracks when each process of a host is busy, with what, and how far it has computed.
///
/// Its parameters are attributes of HostSoftware.
class HostProcesses
{
  public:
    /// What a process is busy with.
    enum class Activity : uint8_t
    {
        SEND,    ///< sending messages
        RECEIVE, ///< receiving a message
        POST,    ///< posting receives
        COPY,    ///< copying or combining data in memory
        COMPUTE, ///< the program's own computation
        OTHER,   ///< other work of an algorithm
    };

    /// @return the name of an activity, such as "send" @param activity the activity
    static const std::string& GetActivityName(Activity activity);

    /// @return what the attribute Progress accepts: in-call, interrupt and independent
    static const std::vector<std::string>& GetProgressNames()
    {
        static const std::vector<std::string> names{"in-call", "interrupt", "independent"};
        return names;
    }

    /// Adds to costs a wait for the host's memory, which serves processes one at a time, in order.
    /// @param from start of the costs @param costs the costs
    void ShareMemory(Time from, LatencyCosts& costs);

    /// Adds state for one more process. @param task its number
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
    /// @param from earliest start, as simulated time
    /// @param costs the costs, charged after the process's earlier activities
    /// @param activity what the process does
    /// @return when the process is done, as simulated time
    Time Occupy(uint32_t task,
                Time from,
                const LatencyCosts& costs,
                Activity activity = Activity::OTHER);

    /// Like ChargeReceive for the first process, from now on and with Activity::OTHER.
    /// @param costs the costs, charged after the process's earlier activities
    /// @return how long until the process is done
    Time Occupy(const LatencyCosts& costs)
    {
        const auto now = Simulator::Now();
        return ChargeReceive(0, now, costs, Activity::OTHER) - now;
    }

    /// Keeps a process busy receiving a message, after an interrupt if it computes (see Progress).
    /// @param task,from,activity as for Occupy
    /// @param costs cost of receiving the message, without the interrupt
    /// @return when the process is done, as simulated time
    Time ChargeReceive(uint32_t task,
                       Time from,
                       const LatencyCosts& costs,
                       Activity activity = Activity::RECEIVE);

    /// Lets a process compute. With Progress=in-call, the process does nothing else meanwhile; with
    /// interrupt, its work for collectives prolongs the computation (GetComputingUntil).
    /// @param task number of the process on this host
    /// @param duration duration of the computation, which starts after the process's earlier work
    /// @return when the computation ends unless it is interrupted, as simulated time
    Time Compute(uint32_t task, Time duration);

    /// @return simulated end of a process's current or latest computation @param task its number
    Time GetComputingUntil(uint32_t task) const
    {
        return m_computingUntil[task];
    }

    /// @return end of a process's work (computing: only if Progress=in-call) @param task its number
    Time GetBusyUntil(uint32_t task) const
    {
        return m_busyUntil[task];
    }

    /// @param task number of the process on this host
    /// @return simulated time at which the process returns from its calls for collectives, if no
    ///         message arrives before: now with Progress=independent, else the end of all the work
    ///         that the process has so far
    Time GetCallEnd(uint32_t task) const
    {
        const auto now = Simulator::Now();
        return m_progress == Progress::INDEPENDENT ? now : std::max(now, m_busyUntil[task]);
    }

    /// @param task number of the process on this host
    /// @param posted when the process began to wait for a write into its memory
    /// @param from when the process can first see the write
    /// @return when the poll that sees the write begins
    Time GetNextPoll(uint32_t task, Time posted, Time from) const;

    /// Records a process's wait for a poll, if activities are recorded.
    /// @param task number of the process @param from start of the wait
    /// @param poll start of the poll; if not later than `from`, nothing is recorded
    void WaitForPoll(uint32_t task, Time from, Time poll) const
    {
        if (poll > from)
        {
            Record(task, from, {LatencyCause::POLL, poll - from});
        }
    }

    /// @return the recorder of activities, which all hosts of a domain share
    ActivityRecorder& GetActivities() const
    {
        return *m_activities;
    }

    /// @param activities where the host's activities are recorded
    void SetActivities(Ptr<ActivityRecorder> activities)
    {
        m_activities = std::move(activities);
    }

    /// @return number of a process's last activity, if activities are recorded
    /// @param task number of the process on this host
    ActivityRecorder::Id GetLastActivity(uint32_t task = 0) const
    {
        return m_activities->GetLast({this, task});
    }

    /// Sets a process's last activity, if activities are recorded.
    /// @param task number of the process @param id number of the activity
    void SetLastActivity(uint32_t task, ActivityRecorder::Id id) const
    {
        if (m_activities->IsRecording())
        {
            m_activities->SetLast({this, task}, id);
        }
    }

    /// Schedules a method for the end of a process's last activity.
    /// @param task,end number of the process, and the time at which that activity ends
    /// @param object,method,arguments the object, its method and the arguments
    template <class OBJECT, class METHOD, class... ARGUMENTS>
    void ScheduleAt(uint32_t task, Time end, OBJECT* object, METHOD method, ARGUMENTS... arguments)
    {
        m_activities->ScheduleAfter(GetLastActivity(task),
                                    end - Simulator::Now(),
                                    method,
                                    Ptr<OBJECT>(object),
                                    arguments...);
    }

    /// Like ScheduleAt, but calls the method at once if `wait` is 0.
    /// @param task,wait number of the process, and time until its last activity ends
    /// @param object,method,arguments as for ScheduleAt
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

    /// Who does a process's work for collectives while the process computes.
    enum class Progress : uint8_t
    {
        IN_CALL,     ///< nobody; the process does it after the computation
        INTERRUPT,   ///< the process, which interrupts its computation
        INDEPENDENT, ///< a separate engine
    };

    Progress m_progress{Progress::IN_CALL}; ///< attribute Progress
    Time m_pollInterval;                    ///< attribute PollInterval
    Time m_interruptTime;                   ///< attribute InterruptTime

    /// Trace source Busy.
    SparseTracedCallback<uint32_t, Time, Time, Activity> m_busyTrace;

  private:
    void Record(uint32_t task, Time from, const LatencyCosts& costs) const;

    std::vector<Time> m_busyUntil{Time(0)};      ///< end of work, by process (or its engine)
    std::vector<Time> m_computingUntil{Time(0)}; ///< end of each process's computation
    Time m_memoryUntil;                          ///< until when the host's memory is busy

    /// The domain's recorder of activities.
    Ptr<ActivityRecorder> m_activities{Create<ActivityRecorder>()};
};

} // namespace ns3

#endif /* WORMHOLE_HOST_PROCESSES_H */
