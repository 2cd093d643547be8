// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/new-type.h"
#include "ns3/software-collective.h"

namespace ns3
{

namespace
{

/// Makes schedules of a tournament: in round i, of members whose ranks differ in digit i only, in
/// the number system of the radix, the lowest hears from the others, which are out; the champion,
/// rank 0, wakes those it has beaten, they wake those they have beaten before.
GroupSchedules
MakeTournament(const ScheduleRequest& request, uint32_t radix)
{
    const auto n = request.members;
    std::vector<CommunicationSchedule> schedules(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        auto& schedule = schedules[rank];
        // Who is beaten by whom is known: a rank plays until its lowest digit that is not 0.
        uint64_t distance = 1;
        for (; distance < n && rank / distance % radix == 0; distance *= radix)
        {
            for (uint64_t i = 1; i < radix && rank + i * distance < n; ++i)
            {
                schedule.Receive(ScheduleStep::COMBINE, static_cast<uint32_t>(rank + i * distance));
            }
        }
        if (rank > 0)
        {
            const auto winner = static_cast<uint32_t>(rank - rank / distance % radix * distance);
            schedule.Send(winner);
            schedule.Receive(ScheduleStep::REPLACE, winner);
        }
        while (distance > 1)
        {
            distance /= radix;
            for (uint64_t i = 1; i < radix && rank + i * distance < n; ++i)
            {
                schedule.Send(static_cast<uint32_t>(rank + i * distance));
            }
        }
    }
    return {request, schedules};
}

/// A barrier by a tournament, after Hyder and Wood (1996), section 2.1: "radix-2" combining and a
/// tree of the same radix to wake; higher radices pay where messages take long to arrive.
class TournamentBarrier : public SoftwareCollective
{
  public:
    static void AddTo(NewType type, DataKind)
    {
        type.Add("Radix",
                 "Number of members in a match: one wins, and receives from the others.",
                 Sets::Number(&TournamentBarrier::m_radix, 2, 2, 1U << 20));
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        return MakeTournament(request, m_radix);
    }

  private:
    uint32_t m_radix;
};

const RegisteredAlgorithm<TournamentBarrier> g_tournament{"Tournament", {DataKind::BARRIER}, {}};

} // namespace

} // namespace ns3
