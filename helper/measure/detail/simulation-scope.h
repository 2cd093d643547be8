/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SIMULATION_SCOPE_H
#define SIMULATION_SCOPE_H

#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief The scope of a simulation of its own: the simulator is destroyed before and after.
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

/// @ingroup wormhole
/// @brief Restores ns-3's seed and run number.
class SeedKeeper
{
  public:
    /// Largest seed that ns-3's generator accepts.
    static constexpr uint32_t MAX_SEED = 4294944442;

    /// The seed, as a parameter of a study.
    static constexpr auto PARAMETER = "seed=1 (1) [1..4294944442]: Seed of random numbers";

    SeedKeeper() = default;

    ~SeedKeeper()
    {
        RngSeedManager::SetSeed(m_seed);
        RngSeedManager::SetRun(m_run);
    }

    SeedKeeper(const SeedKeeper&) = delete;            ///< it acts once
    SeedKeeper& operator=(const SeedKeeper&) = delete; ///< it acts once

    /// @throws WormholeError if ns-3's generator does not accept a seed @param seed the seed
    static void Check(uint32_t seed)
    {
        if (seed == 0 || seed > MAX_SEED)
        {
            throw WormholeError("seed " + std::to_string(seed) + ": expected 1 to " +
                                std::to_string(MAX_SEED));
        }
    }

  private:
    uint32_t m_seed{RngSeedManager::GetSeed()}; ///< the seed
    uint64_t m_run{RngSeedManager::GetRun()};   ///< the run number
};

} // namespace ns3

#endif /* SIMULATION_SCOPE_H */
