/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "self-congestion.h"
#include "software-collective.h"
#include "tree-schedules.h"
#include "tree-shapes.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <numeric>

namespace ns3
{

namespace
{

/**
 * The broadcast of early MPICH, which knows nothing of the network: see MakeBlockTree.
 *
 * Processes are counted from the root on, in the order of ranks, and from the last rank to rank 0.
 * Versions differ in the size of blocks; with 1 it is the binomial tree of later ones.
 */
class MpichBroadcast : public SoftwareBroadcast
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;

  private:
    uint32_t m_blockSize{3};      ///< attribute
    bool m_selfCongestion{false}; ///< attribute
};

TypeId
MpichBroadcast::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<MpichBroadcast>("Mpich")
            .AddAttribute("BlockSize",
                          "Members of a block, which its first member serves in turn; "
                          "MPIR_BCAST_BLOCK_SIZE. 1 makes a binomial tree.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&MpichBroadcast::m_blockSize),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "SelfCongestion",
                "Whether a message that would find too many others on a link waits at its sender, "
                "which knows when all others send; else in the network.",
                BooleanValue(false),
                MakeBooleanAccessor(&MpichBroadcast::m_selfCongestion),
                MakeBooleanChecker());
    return tid;
}

std::vector<CommunicationSchedule>
MpichBroadcast::MakeSchedules(const ScheduleRequest& request) const
{
    std::vector<uint32_t> ranks(request.members);
    std::iota(ranks.begin(), ranks.end(), request.root);
    for (auto& rank : ranks)
    {
        rank %= request.members;
    }
    const auto tree = MakeBlockTree(request.members, m_blockSize);
    const TreeSchedules schedules(tree, ranks);
    return m_selfCongestion
               ? schedules.MakeBroadcast(SelfCongestion(tree, ranks, request).GetWaits())
               : schedules.MakeBroadcast();
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(MpichBroadcast);

} // namespace ns3
