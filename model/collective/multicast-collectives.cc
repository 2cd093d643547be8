/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Barriers and broadcasts whose root sends one tree worm to all others; switches replicate it.

#include "software-collective.h"

#include "ns3/uinteger.h"

namespace ns3
{

namespace
{

/**
 * A collective by a tree worm. In a barrier every member first sends to the root (Moh et al. 2001,
 * section 4: "multicast").
 *
 * @tparam SOFTWARE SoftwareBarrier or SoftwareBroadcast
 */
template <class SOFTWARE>
class MulticastCollective : public SOFTWARE
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            SOFTWARE::template MakeTypeId<MulticastCollective>("Multicast")
                .AddAttribute("AddressSize",
                              "Bytes that each destination takes in the header of the tree worm.",
                              UintegerValue(2),
                              MakeUintegerAccessor(&MulticastCollective::m_addressSize),
                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    /// @return the members' schedules @param request the group
    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override
    {
        std::vector<CommunicationSchedule> schedules(request.members);
        auto& root = schedules[request.root];
        for (uint32_t rank = 0; rank < request.members; ++rank)
        {
            if (rank == request.root)
            {
                continue;
            }
            if constexpr (std::is_same_v<SOFTWARE, SoftwareBarrier>)
            {
                root.Receive(ScheduleStep::COMBINE, rank);
                schedules[rank].Send(request.root);
            }
            schedules[rank].Receive(ScheduleStep::REPLACE,
                                    request.root,
                                    ScheduleStep::MULTICAST_TAG);
        }
        if (request.members > 1)
        {
            root.Multicast(m_addressSize * (request.members - 1));
        }
        return schedules;
    }

  private:
    uint32_t m_addressSize; ///< attribute; bytes
};

/// A barrier by a tree worm.
using MulticastBarrier = MulticastCollective<SoftwareBarrier>;
/// A broadcast by a tree worm.
using MulticastBroadcast = MulticastCollective<SoftwareBroadcast>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(MulticastBarrier);
NS_OBJECT_ENSURE_REGISTERED(MulticastBroadcast);

} // namespace ns3
