// SPDX-License-Identifier: GPL-2.0-only

#ifndef SLOT_ORACLE_H
#define SLOT_ORACLE_H

#include "../test-tools.h"

#include "ns3/data-kind.h"
#include "ns3/fabric-graph.h"
#include "ns3/wormhole-collective.h"

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
    int64_t combinePs{0};                   ///< what each contribution takes besides
    int64_t startUpPs{0};                   ///< what sending costs
    int64_t receivePs{0};                   ///< what receiving costs
    std::vector<std::vector<int64_t>> gaps; ///< by rank, then round: before it enters, ps

    uint64_t GetFlits(uint64_t segment) const
    {
        return (headerBytes + segment + flitBytes - 1) / flitBytes;
    }
};

/// A random case of a kind: 1 to 6 switches, 2 to 12 hosts, up to 3 rounds.
SlotCase MakeRandomSlotCase(Ptr<UniformRandomVariable> rng, DataKind kind);

/// Moves every flit of every message on its own, by the rules S1 to S8 and by those of reduction
/// slots, without a line in common with what it judges. @param top root switch of the members'
/// tree, for kinds without a root @param start when members begin to wait for the gap before their
/// first round, ps @return when they leave, by rank, then round, ps
std::vector<std::vector<int64_t>> MoveSegmentsFlitByFlit(const SlotCase& slotCase,
                                                         FabricGraph::Node top,
                                                         int64_t start);

/// Enters members of a group again and again, and writes down when they leave.
class SlotRun
{
  public:
    /// @param gaps by rank, then round: before a member enters, ps
    SlotRun(Ptr<DataCollective> group, std::vector<std::vector<int64_t>> gaps)
        : leaves(gaps.size()),
          m_group(group),
          m_gaps(std::move(gaps))
    {
        Listen(m_group, "Ready", [this](Time) { Ready(); });
        Listen(m_group, "Leave", [this](uint32_t rank, uint64_t) { Left(rank); });
    }

    int64_t start{-1}; ///< when members begin to wait for their first gap, ps
    std::vector<std::vector<int64_t>> leaves; ///< by rank, then round, ps

  private:
    void Ready()
    {
        // By then the credits of what made the group are back, too.
        constexpr int64_t LATER = 1'000'000'000;
        start = Simulator::Now().GetTimeStep() + LATER;
        for (uint32_t rank = 0; rank < m_gaps.size(); ++rank)
        {
            Schedule(rank, 0, LATER);
        }
    }

    /// Has a member enter. @param later how much later than after the gap, ps
    void Schedule(uint32_t rank, std::size_t round, int64_t later = 0)
    {
        Simulator::Schedule(TimeStep(m_gaps[rank][round] + later),
                            [this, rank] { m_group->Enter(rank); });
    }

    void Left(uint32_t rank)
    {
        leaves[rank].push_back(Simulator::Now().GetTimeStep());
        if (leaves[rank].size() < m_gaps[rank].size())
        {
            Schedule(rank, leaves[rank].size());
        }
    }

    Ptr<DataCollective> m_group;              ///< the group
    std::vector<std::vector<int64_t>> m_gaps; ///< before members enter
};

} // namespace ns3

#endif /* SLOT_ORACLE_H */
