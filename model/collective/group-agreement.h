// SPDX-License-Identifier: GPL-2.0-only

#ifndef GROUP_AGREEMENT_H
#define GROUP_AGREEMENT_H

#include "wormhole-collective.h"

#include <optional>

namespace ns3
{

/// @ingroup wormhole
/// @brief An agreement of the living members of a group, even if others die meanwhile: like
///        MPI_Comm_agree of User-Level Failure Mitigation (Bland and others, Post-failure recovery
///        of MPI communication capability, IJHPCA 27(3), 2013).
///
/// Every member enters with flags. All members that complete the agreement get the same results:
/// the bitwise AND of the flags (perhaps including a dead member's), and former members' hosts.
///
/// An agreement takes two rounds of the group, by any algorithm, also in switches: the first round
/// combines flags; the second confirms that all know the result. When a member fails, the group
/// shrinks. Then all remaining members that have ever entered an agreement do a repair round. If it
/// shows that all had completed the same first round, the result of that first round stands, since
/// a member may have got the result before. Otherwise the repair round counts as a new first round.
///
/// Nothing else may use the group. While members are in an agreement, no member may join, and only
/// the agreement may shrink the group. The agreement and the group keep each other alive until the
/// agreement is disposed of, the group is released or the simulator ends.
class GroupAgreement : public Object
{
  public:
    static TypeId GetTypeId(); ///< @return the object TypeId

    /// Sets the group. @param group a barrier that combines values by AND (Create may be called
    ///        later); the agreement uses 19 of its WidthBits for members' progress
    /// @throws WormholeError if the group is not such a barrier, or has too few bits
    void Attach(Ptr<Collective> group);

    /// Enters a member; it leaves when the trace source Agreed fires for it.
    /// @param rank its present rank @param flags its flags
    /// @throws WormholeError if rank does not exist or is in an agreement, or flags are too large
    void Enter(uint32_t rank, uint64_t flags);

    /// @return number, from 0, of the agreement that a member is in or, if in none, enters next
    /// @param rank the member @throws WormholeError if it is not a member
    uint64_t GetNumber(uint32_t rank)
    {
        return FindMember(rank).number;
    }

    /// @return hosts of former members, each host once, in the order in which the members went
    const std::vector<uint32_t>& GetGone() const
    {
        return m_gone;
    }

    /// Callback of the trace source Agreed. @param rank the member @param flags AND of the flags
    /// @param gone hosts of former members, in the order in which the members went
    typedef void (*AgreedTracedCallback)(uint32_t rank,
                                         uint64_t flags,
                                         const std::vector<uint32_t>& gone);

  protected:
    void DoDispose() override
    {
        m_group = nullptr; // its callbacks do nothing any more
        Object::DoDispose();
    }

  private:
    struct Member
    {
        uint64_t number{0};   ///< number of its current or next agreement
        uint64_t flags{0};    ///< flags with which it entered
        uint64_t result{0};   ///< result of the first round, once complete
        std::size_t nGone{0}; ///< number of m_gone's entries when the first round was complete
        /// How often the group had been set up when the result was found, modulo 256: equal for
        /// all members with the same result; empty: this member has no result yet
        std::optional<uint64_t> stamp;
        bool isInside{false};    ///< whether the member has entered and not left
        bool isComplete{false};  ///< whether the first round is complete for the member
        bool isInRound{false};   ///< whether the member is in a round of the group
        bool isAnswering{false}; ///< whether the member's round belongs to its previous agreement
    };

    /// Sets m_maxFlags by the WidthBits. @throws WormholeError if agreements can't use the group
    void Check(const Collective& group);
    Member& FindMember(uint32_t rank); ///< @throws WormholeError if the rank is not a member's

    void OnReleased(Time)
    {
        m_group = nullptr;
    }

    void Contribute(uint32_t rank); ///< Enters a round, or waits until the group is ready.
    void OnLeave(uint32_t rank, uint64_t result);
    void OnFailed(uint32_t rank, const std::vector<uint32_t>& hosts, const std::string& reason);
    void OnReady(Time duration);
    void FollowGroup(); ///< Updates the members if those of the group have changed.

    /// Continues the group without the missing members.
    void Repair()
    {
        m_isRepairing = false;
        if (m_group && m_group->HasFailed() && !m_group->IsReleasing())
        {
            m_group->Shrink();
        }
    }

    Ptr<Collective> m_group;
    std::vector<Member> m_members; ///< by rank
    std::vector<uint32_t> m_hosts; ///< hosts of the members, by rank
    std::vector<uint32_t> m_gone;
    uint32_t m_attempts{0};  ///< how often in a row the group may fail before an agreement
    uint32_t m_nAttempts{0}; ///< how often the group has failed since the last agreement
    uint64_t m_nReady{0};    ///< how often the group was set up
    bool m_isRepairing{false};
    uint64_t m_maxFlags{0};
    TracedCallback<uint32_t, uint64_t, const std::vector<uint32_t>&> m_agreedTrace;
};

} // namespace ns3

#endif /* GROUP_AGREEMENT_H */
