/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_CASE_H
#define SLOT_CASE_H

#include "ns3/data-kind.h"
#include "ns3/fabric-graph.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// A collective of data in the switches of a fabric whose switches form a tree, alone there.
struct SlotCase
{
    FabricGraph graph{0, 0, 0};             ///< the fabric
    int64_t flitTimePs{1};                  ///< tau of cables that have none of their own
    int64_t linkDelayPs{1};                 ///< p of cables that have none of their own
    int64_t switchDelayPs{0};               ///< t_r of switches that have none of their own
    int64_t deviceDelayPs{0};               ///< t_r of interfaces
    uint32_t depth{1};                      ///< D of cables that have none of their own
    uint32_t flitBytes{1};                  ///< bytes of a flit
    DataKind kind{DataKind::ALL_REDUCTION}; ///< what is done
    std::vector<uint32_t> hosts;            ///< members, by rank
    uint32_t root{0};                       ///< rank of the root
    uint64_t bytes{4};                      ///< of the vector, of each part or pair's
    uint32_t slotBytes{4};                  ///< longest segment
    uint32_t headerBytes{1};                ///< what a message is longer by
    uint32_t window{1};                     ///< segments under way
    uint64_t combineBps{0};                 ///< bit/s at which a switch combines; 0: at once
    int64_t startUpPs{0};                   ///< what sending costs
    int64_t receivePs{0};                   ///< what receiving costs
    std::vector<std::vector<int64_t>> gaps; ///< by rank, then round: before it enters, ps

    /// @return length of a message, flits @param segment bytes of the segment in it
    uint64_t GetFlits(uint64_t segment) const
    {
        return (headerBytes + segment + flitBytes - 1) / flitBytes;
    }
};

/// A random case of a kind: 1 to 6 switches, 2 to 12 hosts, up to 3 rounds.
SlotCase MakeRandomSlotCase(Ptr<UniformRandomVariable> rng, DataKind kind);

} // namespace ns3

#endif /* SLOT_CASE_H */
