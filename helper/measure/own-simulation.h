/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OWN_SIMULATION_H
#define OWN_SIMULATION_H

#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Destroys the simulator before and after what has a simulation of its own.
 */
struct OwnSimulation
{
    OwnSimulation()
    {
        Simulator::Destroy();
    }

    ~OwnSimulation()
    {
        Simulator::Destroy();
    }

    OwnSimulation(const OwnSimulation&) = delete;            ///< there is one simulator
    OwnSimulation& operator=(const OwnSimulation&) = delete; ///< there is one simulator
};

/**
 * @ingroup wormhole
 * @brief Puts ns-3's seed and run number back to what they were.
 */
class SeedKeeper
{
  public:
    SeedKeeper() = default;

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

#endif /* OWN_SIMULATION_H */
