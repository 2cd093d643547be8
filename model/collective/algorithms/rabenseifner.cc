// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"

namespace ns3
{

namespace
{

/// Recursive halving and its opposite, recursive doubling, of a vector of a share for each member.
///
/// In step b = 0, 1, ..., q - 1 of a halving, member i exchanges with i XOR 2^b: each keeps that
/// half of what it still cares for which is its own by bit b of i, and combines it with the
/// other's. As partners' ranks get farther, what has been combined is always an interval of ranks,
/// and order is kept. A doubling goes the same steps backwards.
class RecursiveHalving
{
  public:
    explicit RecursiveHalving(const ScheduleRequest& request)
        : m_request(request),
          m_ranks(request.members,
                  request.kind == DataKind::REDUCTION ? request.root : FoldedRanks::NO_ROOT),
          m_schedules(request, request.MakeSegments(m_ranks.GetSize(), m_firsts))
    {
        m_ranks.AddFolding(m_schedules, request);
        for (uint32_t bit = 0; bit < m_ranks.GetLog(); ++bit)
        {
            Exchange(m_ranks.GetSize(), [&](uint32_t place) {
                const auto other = place ^ (1U << bit);
                auto message = Pass(place, other, GetKept(other, bit + 1));
                message.kind = ScheduleStep::COMBINE;
                message.isLeft = place < other;
                return message;
            });
        }
        if (request.kind == DataKind::REDUCTION)
        {
            Gather(m_ranks.FindPlace(request.root));
            return;
        }
        for (auto steps = m_ranks.GetLog(); steps > 0; --steps)
        {
            Exchange(m_ranks.GetSize(), [&](uint32_t place) {
                return Pass(place, place ^ (1U << (steps - 1)), GetKept(place, steps));
            });
        }
        m_ranks.AddUnfolding(m_schedules, request);
    }

    const GroupSchedules& GetSchedules() const
    {
        return m_schedules;
    }

  private:
    /// Adds a gather to one member, by a binomial tree.
    void Gather(uint32_t place)
    {
        for (auto steps = m_ranks.GetLog(); steps > 0; --steps)
        {
            const auto bit = 1U << (steps - 1);
            Exchange(bit, [&](uint32_t low) {
                // Those that have what is still to come differ from the root in lower bits alone.
                const auto receiver = (place & ~(bit - 1)) | low;
                return Pass(receiver ^ bit, receiver, GetKept(receiver ^ bit, steps));
            });
        }
    }

    /// @return the blocks that a member cares for after some steps of halving
    BlockRange GetKept(uint32_t place, uint32_t steps) const
    {
        uint32_t first = 0;
        auto size = m_ranks.GetSize();
        for (uint32_t bit = 0; bit < steps; ++bit)
        {
            size /= 2;
            first += place >> bit & 1 ? size : 0;
        }
        return {m_firsts[first], m_firsts[first + size] - m_firsts[first]};
    }

    BlockMessage Pass(uint32_t from, uint32_t to, const BlockRange& blocks) const
    {
        return {m_ranks.GetRank(from), m_ranks.GetRank(to), {blocks}};
    }

    template <typename MAKE>
    void Exchange(uint32_t n, MAKE make)
    {
        AddExchange(m_schedules, m_request, ListMessages(n, make));
    }

    const ScheduleRequest& m_request; ///< the group and its data
    FoldedRanks m_ranks;
    std::vector<uint32_t> m_firsts; ///< number of each share's first block, and of all blocks
    GroupSchedules m_schedules;
};

/// Rabenseifner's algorithm for long vectors: a reduce-scatter by recursive halving, and then an
/// all-gather by recursive doubling, or a gather to the root by a binomial tree (Rabenseifner,
/// Optimization of collective reduction operations, 2004; Thakur et al., 2005). See
/// RecursiveHalving. Members beyond a power of two are folded.
///
/// Time: 2 log2(n) alpha + 2 (n - 1) / n beta m + (n - 1) / n gamma m. An all-reduction has 2 n
/// log2(n) messages, a reduction n log2(n) + n - 1. SegmentBytes cuts each into segments.
///
/// Order is kept: what has been combined is an interval of ranks, and the lower one is the left.
GroupSchedules
MakeRabenseifner(const ScheduleRequest& request)
{
    return RecursiveHalving(request).GetSchedules();
}

const SoftwareAlgorithm<MakeRabenseifner, DataKind::REDUCTION, DataKind::ALL_REDUCTION>
    g_rabenseifner{"Rabenseifner"};

} // namespace

} // namespace ns3
