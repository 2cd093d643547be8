/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SYNC_TIMES_H
#define SYNC_TIMES_H

#include "sync-machine.h"
#include "sync-workload.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace ns3
{

/// What synchronisation takes, and applications with it, by the model and simulated, each found
/// once.
class SyncTimes
{
  public:
    /// Modelled and simulated value.
    struct Values
    {
        double model{0};     ///< by formulas
        double simulated{0}; ///< simulated
    };

    /// @param machine the machine, but for hardware and delay
    /// @param supersteps how many of an application are simulated
    /// @param told called when one has been
    SyncTimes(SyncMachine::Parameters machine, uint32_t supersteps, std::function<void()> told);

    SyncMachine MakeMachine(const std::string& hardware, Time delay) const;

    /// @return what computing takes of a workload's second with its reference hardware, and waiting
    /// for messages that are delayed, s
    /// @throws WormholeError if it synchronises for the whole second
    double GetComputeTime(const SyncWorkload& workload, Time delay);

    /// @return how long an event takes, s
    Values GetEvent(SyncWorkload::Event event, const std::string& hardware, Time delay);

    /// @return an application's speedup, or if that is not known with any hardware, how much faster
    /// it is than with its reference hardware and no delay
    Values GetSpeedup(const SyncWorkload& workload, const std::string& hardware, Time delay);

  private:
    /// @return what synchronisation takes of a workload's second, by the model, in s
    double GetSyncTime(const SyncWorkload& workload, const SyncMachine& machine);

    SyncMachine::Parameters m_machine;
    uint32_t m_supersteps;
    std::function<void()> m_told;
    std::map<std::string, Values> m_events;   ///< what events take, once known
    std::map<std::string, Values> m_speedups; ///< speedups, once known
};

} // namespace ns3

#endif /* SYNC_TIMES_H */
