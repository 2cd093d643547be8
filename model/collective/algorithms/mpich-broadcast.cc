/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/schedule-blocks.h"
#include "ns3/self-congestion.h"
#include "ns3/software-collective.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"
#include "ns3/uinteger.h"

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
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeTypeId<MpichBroadcast>("Mpich")
                .AddAttribute("BlockSize",
                              "Members of a block, which its first member serves in turn; "
                              "MPIR_BCAST_BLOCK_SIZE. 1 makes a binomial tree.",
                              UintegerValue(3),
                              MakeUintegerAccessor(&MpichBroadcast::m_blockSize),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("SelfCongestion",
                              "Whether a message that would find too many others on a link waits "
                              "at its sender, "
                              "which knows when all others send; else in the network.",
                              BooleanValue(false),
                              MakeBooleanAccessor(&MpichBroadcast::m_selfCongestion),
                              MakeBooleanChecker());
        return tid;
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        const auto ranks = MakeRanksFrom(request.members, request.root);
        const auto tree = MakeBlockTree(request.members, m_blockSize);
        const auto waits = m_selfCongestion ? SelfCongestion(tree, ranks, request).GetWaits()
                                            : SelfCongestion::Times();
        return TreeSchedules(tree, ranks).Make(request, waits);
    }

    bool UsesCosts() const override
    {
        return m_selfCongestion;
    }

  private:
    uint32_t m_blockSize{3};      ///< attribute
    bool m_selfCongestion{false}; ///< attribute
};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(MpichBroadcast);

} // namespace ns3
