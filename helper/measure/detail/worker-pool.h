// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORKER_POOL_H
#define WORKER_POOL_H

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

/// Distributes work items over several processes, with the same results as if one process handled
/// them in order.
///
/// ns-3 simulates in one thread, so each worker is a process, forked from this one. An item must
/// not depend on another one's side effects: it sets run number and streams itself and ends its
/// simulation.
class WorkerPool
{
  public:
    /// Processes an item. @param piece its number, from 0 @return its result, any bytes
    using Work = std::function<std::string(uint32_t piece)>;

    /// Receives the result of an item, in order of items.
    using Take = std::function<void(uint32_t piece, const std::string& result)>;

    /// @param jobs maximum number of workers; 0: the number of processors available to this
    ///        process. While simulations are observed (InstallObserver), there is only one
    explicit WorkerPool(uint32_t jobs);

    /// @return number of workers @param pieces number of items; 1: this process handles them itself
    uint32_t GetWorkers(uint32_t pieces) const;

    /// Processes items. With one worker, each is processed here and its result received at once.
    /// @throws WormholeError the error of the first failed item, in order; or if a worker ends
    /// without a result
    void Run(uint32_t pieces, const Work& work, const Take& take) const;

  private:
    uint32_t m_jobs; ///< maximum number of workers
};

} // namespace ns3

#endif /* WORKER_POOL_H */
