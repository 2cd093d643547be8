// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/software-collective.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

namespace
{

/// A barrier by dissemination: in step k every member tells the one 2^k ranks on, and waits
/// for the one 2^k ranks back; so many steps that 2 to their power is the number of members
/// or more.
///
/// Unless the number of members is a power of two, some values come twice, so that ADD is refused.
class DisseminationBarrier : public SoftwareBarrier
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;
    bool UsesRoot() const override;
};

TypeId
DisseminationBarrier::GetTypeId()
{
    static TypeId tid = MakeTypeId<DisseminationBarrier>("Dissemination");
    return tid;
}

std::vector<CommunicationSchedule>
DisseminationBarrier::MakeSchedules(const ScheduleRequest& request) const
{
    const auto n = request.members;
    if (request.operation == CollectiveOperation::ADD && (n & (n - 1)) != 0)
    {
        throw WormholeError("dissemination can't ADD the values of " + std::to_string(n) +
                            " members, since some would count twice; expected powers of two, "
                            "or the operations AND, OR, MIN and MAX");
    }
    std::vector<CommunicationSchedule> schedules(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        uint32_t step = 0;
        for (uint64_t distance = 1; distance < n; distance *= 2)
        {
            schedules[rank].Send(static_cast<uint32_t>((rank + distance) % n), step);
            schedules[rank].Receive(ScheduleStep::COMBINE,
                                    static_cast<uint32_t>((rank + n - distance) % n),
                                    step);
            ++step;
        }
    }
    return schedules;
}

bool
DisseminationBarrier::UsesRoot() const
{
    return false;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(DisseminationBarrier);

} // namespace ns3
