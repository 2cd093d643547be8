/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKER_POOL_H
#define WORKER_POOL_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Does pieces of work in several processes, with the results of one process that does them
 *        in order.
 *
 * ns-3 simulates in one thread, so each worker is a process, forked from this one. A piece must not
 * depend on what another one leaves behind: it sets run number and streams itself and ends its
 * simulation.
 */
class WorkerPool
{
  public:
    /// Does a piece. @param piece its number, from 0 @return its result, any bytes
    using Work = std::function<std::string(uint32_t piece)>;

    /// Takes the result of a piece, in order of pieces. @param piece its number @param result the
    /// result
    using Take = std::function<void(uint32_t piece, const std::string& result)>;

    /// @param jobs greatest number of workers; 0: as many as there are processors for this process.
    /// While simulations are observed (InstallObserver), there is one
    explicit WorkerPool(uint32_t jobs);

    /// @return number of workers @param pieces number of pieces; 1: this process does them itself
    uint32_t GetWorkers(uint32_t pieces) const;

    /// Does pieces. With one worker, each is done here and taken at once.
    /// @param pieces number of pieces @param work does one @param take takes its result
    /// @throws WormholeError what the first piece, in order, threw; or if a worker ends without a
    /// result
    void Run(uint32_t pieces, const Work& work, const Take& take) const;

  private:
    uint32_t m_jobs; ///< greatest number of workers
};

} // namespace ns3

#endif /* WORKER_POOL_H */
