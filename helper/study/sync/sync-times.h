// SPDX-License-Identifier: GPL-2.0-only

#ifndef SYNC_TIMES_H
#define SYNC_TIMES_H

#include "ns3/sync-machine.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>

namespace ns3
{

/// Times of synchronisation events, and speedups of applications, by the model and by simulation;
/// each is computed once.
class SyncTimes
{
  public:
    struct Values
    {
        double model{0};     ///< by formulas
        double simulated{0}; ///< simulated
    };

    /// @param supersteps number of an application's supersteps that are simulated
    /// @param told called after the simulation of each application
    SyncTimes(SyncMachine::Parameters machine, uint32_t supersteps, std::function<void()> told)
        : m_machine(std::move(machine)),
          m_supersteps(supersteps),
          m_told(std::move(told))
    {
    }

    SyncMachine MakeMachine(const std::string& hardware,
                            Time delay,
                            const std::string& networkDone) const
    {
        auto parameters = m_machine;
        parameters.hardware = hardware;
        parameters.delay = delay;
        parameters.networkDone = networkDone;
        return SyncMachine(parameters);
    }

    /// @return time of computing in a second of a workload's run with its reference hardware, plus
    ///         the time of waiting for delayed messages, s
    /// @throws WormholeError if synchronisation takes the whole second
    double GetComputeTime(const SyncWorkload& workload, Time delay)
    {
        // Rates were counted with that machine's usual Network-Done, whatever is studied here.
        const auto reference = [&](Time added) {
            return MakeMachine(workload.reference, added, "auto");
        };
        const auto sync = GetSyncTime(workload, reference(Time(0)));
        if (sync >= 1)
        {
            std::ostringstream message;
            message << "workload " << workload.name << " synchronises for " << sync
                    << " s in a second with hardware " << workload.reference
                    << "; expected rates with which it is less, per second of a run with that "
                       "hardware and no delay (those of a run by software go with reference none)";
            throw WormholeError(message.str());
        }
        auto messages = workload.messageDelays;
        if (workload.delayedSpeedup > 0)
        {
            const auto slow = NanoSeconds(std::llround(workload.delayUs * 1000));
            const auto longer = workload.speedup / workload.delayedSpeedup - 1 + sync -
                                GetSyncTime(workload, reference(slow));
            messages = std::max(0.0, longer / slow.GetSeconds());
        }
        return 1 - sync + messages * delay.GetSeconds();
    }

    Values GetEvent(SyncWorkload::Event event, const std::string& hardware, Time delay)
    {
        const auto key = KeyOf(SyncWorkload::GetEventKeys()[event], hardware, delay);
        if (const auto found = m_events.find(key); found != m_events.end())
        {
            return found->second;
        }
        const auto machine = MakeMachine(hardware, delay, m_machine.networkDone);
        const auto simulated = machine.RunEvent(event).GetSeconds();
        return m_events[key] = {machine.GetModelTime(event).GetSeconds(), simulated};
    }

    /// @return an application's speedup or, if that is not known with any hardware, its speed
    ///         relative to its reference hardware without delay
    Values GetSpeedup(const SyncWorkload& workload, const std::string& hardware, Time delay)
    {
        const auto key = KeyOf(workload.name, hardware, delay);
        if (const auto found = m_speedups.find(key); found != m_speedups.end())
        {
            return found->second;
        }
        const auto compute = GetComputeTime(workload, delay);
        const auto machine = MakeMachine(hardware, delay, m_machine.networkDone);
        const auto speedup = workload.speedup > 0 ? workload.speedup : 1;
        const auto model = speedup / (compute + GetSyncTime(workload, machine));
        const auto simulated = speedup / machine.RunWorkload(workload, compute, m_supersteps);
        m_told();
        return m_speedups[key] = {model, simulated};
    }

  private:
    static std::string KeyOf(const std::string& name, const std::string& hardware, Time delay)
    {
        return name + "|" + hardware + "|" + std::to_string(delay.GetTimeStep());
    }

    /// @return a machine's model time, in s, for all synchronisation in one second of a workload
    double GetSyncTime(const SyncWorkload& workload, const SyncMachine& machine)
    {
        const auto& hardware = machine.GetParameters().hardware;
        const auto delay = machine.GetParameters().delay;
        double time = 0;
        for (std::size_t i = 0; i < SyncWorkload::EVENTS; ++i)
        {
            const auto rate = workload.perSecond[i];
            auto event = static_cast<SyncWorkload::Event>(i);
            if (rate == 0)
            {
                continue;
            }
            const bool isDone = event == SyncWorkload::NETWORK_DONE;
            if (isDone && machine.UsesAcks())
            {
                time += rate * workload.communicates * machine.GetAckTime().GetSeconds();
                continue;
            }
            event = isDone ? SyncWorkload::ADD : event;
            const auto repeats = isDone ? machine.GetParameters().networkDoneSums : 1;
            time += rate * repeats * GetEvent(event, hardware, delay).model;
        }
        return time;
    }

    SyncMachine::Parameters m_machine;
    uint32_t m_supersteps;
    std::function<void()> m_told;
    std::map<std::string, Values> m_events;   ///< times of events, once known
    std::map<std::string, Values> m_speedups; ///< speedups, once known
};

} // namespace ns3

#endif /* SYNC_TIMES_H */
