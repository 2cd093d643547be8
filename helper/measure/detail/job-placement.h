/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_PLACEMENT_H
#define JOB_PLACEMENT_H

#include "ns3/fabric-graph.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Which hosts of a fabric a batch system gives to a job.
 *
 * - `block`: the fabric's first hosts
 * - `random`: hosts drawn uniformly out of all, in the order of their numbers
 * - `shuffled`: the same, in random order
 *
 * If the job is to have hosts on so many switches, that many switches are drawn, and hosts out of
 * those; a draw that leaves one of them out is drawn again.
 */
class JobPlacement
{
  public:
    /// What is placed.
    struct Parameters
    {
        std::string law{"block"}; ///< block, random or shuffled
        uint32_t hosts{1};        ///< number of hosts
        uint32_t switches{0};     ///< number of their switches; 0: as it comes
    };

    /// @param graph the fabric @param parameters what is placed
    /// @throws WormholeError if no hosts of the fabric are so
    JobPlacement(const FabricGraph& graph, const Parameters& parameters);

    /// @return names of all laws, the default first
    static std::vector<std::string> GetRules();

    /// Sets the stream of random numbers, started anew with ns-3's current seed and run.
    /// @param stream number of the stream
    /// @return number of streams used: 1
    int64_t AssignStreams(int64_t stream);

    /// Places the next job.
    /// @return indices of its hosts, by rank
    /// @throws WormholeError if a thousand draws left a switch out
    std::vector<uint32_t> Draw();

  private:
    /// @return indices of hosts drawn; empty if a switch was left out
    std::vector<uint32_t> TryDraw();

    /// Puts a few of a list in front, in random order.
    void Shuffle(std::vector<uint32_t>& list, std::size_t few);

    Parameters m_parameters;                      ///< what is placed
    std::vector<std::vector<uint32_t>> m_hostsAt; ///< of each switch that has some
    Ptr<UniformRandomVariable> m_random;          ///< where random numbers come from
};

} // namespace ns3

#endif /* JOB_PLACEMENT_H */
