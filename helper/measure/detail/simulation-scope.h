// SPDX-License-Identifier: GPL-2.0-only

#ifndef SIMULATION_SCOPE_H
#define SIMULATION_SCOPE_H

#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3
{

/// The scope of a separate simulation: the simulator is destroyed at its start and end.
struct SimulationScope
{
    SimulationScope()
    {
        Simulator::Destroy();
    }

    ~SimulationScope()
    {
        Simulator::Destroy();
    }

    SimulationScope(const SimulationScope&) = delete;            ///< there is one simulator
    SimulationScope& operator=(const SimulationScope&) = delete; ///< there is one simulator
};

/// Makes ns-3 use a seed; its destructor restores the earlier seed and run number.
class SeedKeeper
{
  public:
    /// The parameter seed of a study, with the greatest seed that ns-3's generator accepts.
    static constexpr auto PARAMETER = "seed=1 (1) [1..4294944442]: Seed of random numbers";

    /// Sets a seed, and run number 1.
    explicit SeedKeeper(uint32_t seed)
    {
        RngSeedManager::SetSeed(seed);
        RngSeedManager::SetRun(1);
    }

    ~SeedKeeper()
    {
        RngSeedManager::SetSeed(m_seed);
        RngSeedManager::SetRun(m_run);
    }

    SeedKeeper(const SeedKeeper&) = delete;            ///< it acts once
    SeedKeeper& operator=(const SeedKeeper&) = delete; ///< it acts once

  private:
    uint32_t m_seed{RngSeedManager::GetSeed()}; ///< the seed
    uint64_t m_run{RngSeedManager::GetRun()};   ///< the run number
};

} // namespace ns3

#endif /* SIMULATION_SCOPE_H */
