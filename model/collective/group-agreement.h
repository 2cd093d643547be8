// SPDX-License-Identifier: GPL-2.0-only

#ifndef GROUP_AGREEMENT_H
#define GROUP_AGREEMENT_H

#include "wormhole-collective.h"

#include <optional>

namespace ns3
{

/// @ingroup wormhole
/// @brief An agreement of those members of a group that live, though others die meanwhile: as
///        MPI_Comm_agree of User-Level Failure Mitigation (Bland and others, Post-failure recovery
///        of MPI communication capability, IJHPCA 27(3), 2013).
///
/// Every member enters with flags, and leaves with the bitwise AND of the flags of members, and
/// with the hosts that have gone, the same for all that leave. Dead members may have contributed.
///
/// It takes two rounds of the group, whose algorithm may be any, also in switches: the first
/// combines flags, the second tells that all know the result. When a member fails the group
/// shrinks, and all that are in an agreement, or were in one before, do a round again with flags
/// and how far they are: where all have completed the same first round, its result stands, since
/// somebody may have left with it; else nobody has, and it is found anew.
///
/// The group is the agreement's alone. While members are in an agreement nobody joins, and only the
/// agreement shrinks it: members that stay are told apart by their order.
/// Until Dispose, its release or the simulator's end both keep each other.
class GroupAgreement : public Object
{
  public:
    static TypeId GetTypeId(); ///< @return the object TypeId

    /// @param group the group, created or not: a barrier that combines values by AND. Of its
    ///        WidthBits the agreement takes 19, for how far members are
    /// @throws WormholeError if it has another form or operation, or too few bits
    void Attach(Ptr<Collective> group);

    /// Enters a member, which leaves when the trace source Agreed tells.
    /// @param rank its present rank @param flags its flags
    /// @throws WormholeError if it is no member, is in the agreement, or has too many flags
    void Enter(uint32_t rank, uint64_t flags);

    /// @return number of the agreement that a member is in or enters next, from 0
    /// @param rank the member @throws WormholeError if it is no member
    uint64_t GetNumber(uint32_t rank)
    {
        return FindMember(rank).number;
    }

    /// @return numbers of hosts of which members have gone, each once, in the order of their going
    const std::vector<uint32_t>& GetGone() const
    {
        return m_gone;
    }

    /// Callback of the trace source Agreed. @param rank the member @param flags the AND of flags
    /// @param gone hosts of which members have gone, in the order of their going
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
    /// A member's part.
    struct Member
    {
        uint64_t number{0};   ///< of the agreement that it is in, or enters next
        uint64_t flags{0};    ///< those that it entered with
        uint64_t result{0};   ///< of the first round, once that is complete
        std::size_t nGone{0}; ///< how many hosts had gone then
        /// How often the group was set up before, modulo 256: a result that is found anew, since
        /// not all had it, has another one. None: it has no result
        std::optional<uint64_t> stamp;
        bool isInside{false};    ///< whether it has entered, and not left
        bool isComplete{false};  ///< whether it has completed the first round, also of the last one
        bool isInRound{false};   ///< whether it is in a round of the group
        bool isAnswering{false}; ///< whether it does that round for an agreement that it has left
    };

    /// Finds out how many flags there are. @throws WormholeError if the group can't agree
    void Check(const Collective& group);
    Member& FindMember(uint32_t rank); ///< @throws WormholeError if it is no member

    void OnReleased(Time)
    {
        m_group = nullptr;
    }

    void Contribute(uint32_t rank); ///< Does a round, or waits until the group is ready.
    void OnLeave(uint32_t rank, uint64_t result);
    void OnFailed(uint32_t rank, const std::vector<uint32_t>& hosts, const std::string& reason);
    void OnReady(Time duration);
    void FollowGroup(); ///< Learns of its present members.

    /// Has the group go on without those that are missed.
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
    std::vector<uint32_t> m_hosts; ///< of the members, by rank
    std::vector<uint32_t> m_gone;
    uint32_t m_attempts{0};  ///< how often the group may change before anybody agrees
    uint32_t m_nAttempts{0}; ///< how often it has
    uint64_t m_nReady{0};    ///< how often the group was set up
    bool m_isRepairing{false};
    uint64_t m_maxFlags{0};
    TracedCallback<uint32_t, uint64_t, const std::vector<uint32_t>&> m_agreedTrace;
};

} // namespace ns3

#endif /* GROUP_AGREEMENT_H */
