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
 * The hosts that a batch system allocates to a job.
 *
 * - `block`: the fabric's first hosts
 * - `random`: hosts drawn uniformly from all, in the order of their numbers
 * - `shuffled`: the same, in random order
 *
 * If the number of switches is given, that many switches are drawn, and hosts from these; a draw
 * that leaves a switch without a host is repeated.
 */
class JobPlacement
{
  public:
    struct Parameters
    {
        std::string law{"block"}; ///< block, random or shuffled
        uint32_t hosts{1};        ///< number of hosts
        uint32_t switches{0};     ///< number of their switches; 0: any
    };

    /// @throws WormholeError if the fabric has no such hosts
    JobPlacement(const FabricGraph& graph, const Parameters& parameters);

    /// @return names of the placements, the default first
    static std::vector<std::string> GetRules();

    /// Sets the random stream, reset with ns-3's current seed and run.
    /// @param stream index of the stream
    /// @return number of streams assigned: 1
    int64_t AssignStreams(int64_t stream);

    /// Places another job.
    /// @return indices of its hosts, by rank
    /// @throws WormholeError if a thousand draws left a switch without a host
    std::vector<uint32_t> Draw();

  private:
    /// @return indices of hosts drawn; empty if a switch has none
    std::vector<uint32_t> TryDraw();

    /// Moves randomly drawn elements to the front of a list.
    void Shuffle(std::vector<uint32_t>& list, std::size_t few);

    Parameters m_parameters;
    std::vector<std::vector<uint32_t>> m_hostsAt; ///< of each switch with hosts
    Ptr<UniformRandomVariable> m_random;          ///< source of random numbers
};

} // namespace ns3

#endif /* JOB_PLACEMENT_H */
