// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_COLLECTIVE_H
#define WORMHOLE_COLLECTIVE_H

#include "collective-domain.h"
#include "wormhole-collective-form.h"
#include "wormhole-data-values.h"

#include "ns3/barrier-tree.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ns3
{

class GroupFailures;

/// @ingroup wormhole
/// @brief A collective operation that a group's processes perform repeatedly, such as a barrier.
///
/// Every member enters a round with a value and leaves with a result (0 if it gets no result), and
/// may then enter the next round at once. The kind (Barrier, Broadcast, Reduction) defines when a
/// member may leave, and with what result; the algorithm defines how this is achieved.
///
/// In a form that moves data (CollectiveForm), members have vectors of any length; the values with
/// which they enter and leave are 0. A vector's contents are optional: SetInput sets them, and
/// GetOutput reads them. Without contents, only lengths are simulated, and nothing is computed. The
/// attribute Bytes is the length of each member's part in gather, scatter and all-gather, of each
/// pair's part in all-to-all, and of the whole vector in other kinds. The attribute Lengths sets
/// the length of each part separately. DataKindInvariant::GetFinal states the results.
///
/// If messages are lost or hosts die, a member may fail: it ends its round without a result, and
/// the trace source Failed tells which hosts are missing, and why the member failed. If Failed is
/// not connected, a failure is an error. A group with a failed member must be changed before its
/// next round, or released. Then the fabric's management frees the group's registers and slots,
/// without messages; but a change may keep the registers if members failed only between rounds.
///
/// The members of a group can change between rounds (Grow, Join, Leave, Shrink). If some members
/// have entered a round when a change is requested, the others may still enter it, but no member
/// may enter the next one. When this round has ended, or a failure has ended all rounds, the group
/// is set up anew, in simulated time. The set-up makes all changes requested by then; later ones
/// need another set-up. Members that stay keep order and callbacks; new members come last. All
/// members go on with the group's next round. If the member named by Root leaves, the root is the
/// next member of the changed group or, if no member follows, rank 0.
///
/// A member's rank is its index in the list given to Create. If a host is listed k times, it runs k
/// member processes: its tasks 0 to k - 1.
class Collective : public Object, public CollectiveClient
{
  public:
    static TypeId GetTypeId(); ///< @return the object TypeId

    /// @return the base type of a form, such as ns3::DataBroadcast @param form the form
    static TypeId GetFormTypeId(const CollectiveForm& form);

    Collective();
    ~Collective() override;

    /// Called when a member leaves; the argument is the member's result.
    typedef Callback<void, uint64_t> LeaveCallback;

    /// Creates the group. The trace source Ready fires at once, or after set-up in the fabric.
    /// @param domain the fabric's collective domain
    /// @param hosts numbers of the members' hosts, by rank
    /// @throws WormholeError if the group is impossible; the error names what is wrong
    void Create(Ptr<CollectiveDomain> domain, const std::vector<uint32_t>& hosts);

    /// Enters a member into its next round. @param rank the member
    /// @param value its value, of at most WidthBits bits; in a broadcast only the root's is used
    /// @throws WormholeError if the group is not ready, rank is in a round, or value is too wide
    void Enter(uint32_t rank, uint64_t value = 0);

    /// Ends the group: messages free its resources, then Released fires. @throws WormholeError
    /// unless a member has failed, or the group is ready and all members have left the same rounds
    void Release();

    /// Requests new members, which will have the last ranks. @param hosts numbers of their hosts
    void Grow(const std::vector<uint32_t>& hosts)
    {
        AskChange(hosts, {});
    }

    /// Requests a new member, which will have the last rank. @param host number of its host
    void Join(uint32_t host)
    {
        Grow({host});
    }

    /// Requests that a member leave the group. @param rank its present rank
    /// @throws WormholeError if the member is leaving already, or no member would be left
    void Leave(uint32_t rank);

    /// Requests that dead hosts' members leave; if a member has failed, all rounds end now.
    /// @param dead numbers of dead hosts, in addition to those that failed members found missing
    void Shrink(const std::vector<uint32_t>& dead = {});

    /// Requests another barrier tree for the group, rooted at a host's switch; later changes keep
    /// this root as long as the host has a member. If switches hold all registers of the group,
    /// only those with changed ports are rewritten. CollectiveDomain::FindRootHost suggests a host.
    /// @param host number of the host, which must have a member
    /// @throws WormholeError if the host has no member, or the network is ideal and so has no trees
    void Move(uint32_t host);

    /// @return whether a change is requested or under way
    bool IsChanging() const
    {
        return m_change || !m_formerHosts.empty();
    }

    /// @return whether a member may enter its next round now @param rank the member
    bool MayEnter(uint32_t rank) const
    {
        return m_state == READY && rank < GetNMembers() && !m_members[rank].inside &&
               (!m_change || m_members[rank].round < GetLastRound());
    }

    /// Sets a callback for when a member leaves, in addition to the trace source Leave.
    /// @param rank the member @param callback the callback
    void SetLeaveCallback(uint32_t rank, LeaveCallback callback)
    {
        if (rank >= m_leaveCallbacks.size())
        {
            m_leaveCallbacks.resize(rank + 1);
        }
        m_leaveCallbacks[rank] = callback;
    }

    /// @return whether the group is set up; MayEnter tells whether a given member may enter
    bool IsReady() const
    {
        return m_state == READY;
    }

    /// @return whether the group is being released, or taken down for a change
    bool IsReleasing() const
    {
        return m_state == RELEASED;
    }

    /// @return number of members
    uint32_t GetNMembers() const
    {
        return static_cast<uint32_t>(m_members.size());
    }

    /// @return number of a member's host @param rank the member
    uint32_t GetHost(uint32_t rank) const
    {
        return m_members.at(rank).host;
    }

    std::vector<uint32_t> GetHosts() const; ///< @return numbers of the members' hosts, by rank

    /// @return index of a member among its host's members @param rank the member
    uint32_t GetTask(uint32_t rank) const
    {
        return m_members.at(rank).task;
    }

    /// @return rank of the root: the attribute Root, if it is set; else, on an ideal network, 0;
    ///         else the first member on the root host of the group's barrier tree (even if the
    ///         algorithm uses no tree)
    uint32_t GetRoot() const;

    /// @return the group's barrier tree, built on first use; avoids outages known to RouteRecovery
    /// @throws WormholeError on an ideal network, or as BarrierTree does
    const BarrierTree& GetTree() const;

    /// @return the form of collective that this class performs
    const CollectiveForm& GetForm() const;

    /// @return the kind of collective
    DataKind GetKind() const
    {
        return GetForm().kind;
    }

    /// @return whether the collective moves data, rather than one value
    bool MovesData() const
    {
        return GetForm().isData;
    }

    /// @return the length of each part of the collective's data, bytes (a value is one part of 8
    ///         bytes); the group must have been created
    const std::vector<uint64_t>& GetParts() const
    {
        return m_partBytes;
    }

    uint64_t GetDataBytes() const; ///< @return the total length of all parts, bytes

    /// @return numbers of the parts that a member holds when it enters @param rank the member
    std::vector<uint64_t> GetInputParts(uint32_t rank) const
    {
        const auto root = DataKindInvariant::HasRoot(GetKind()) ? GetRoot() : 0;
        return DataKindInvariant::ListInitial(GetKind(), GetNMembers(), root, rank);
    }

    /// @return numbers of the parts that a member holds when it leaves @param rank the member
    std::vector<uint64_t> GetOutputParts(uint32_t rank) const
    {
        const auto root = DataKindInvariant::HasRoot(GetKind()) ? GetRoot() : 0;
        return DataKindInvariant::ListFinal(GetKind(), GetNMembers(), root, rank);
    }

    /// Sets a member's data for later rounds, until the group changes. Enter throws if some members
    /// with parts to contribute (see GetInputParts) were given data, and others were not.
    /// @param rank the member @param bytes its data: the parts of GetInputParts, concatenated
    /// @throws WormholeError if the length is wrong, or the algorithm does not carry contents
    void SetInput(uint32_t rank, const std::vector<uint8_t>& bytes);

    /// @param rank a member @return the member's data after its last round: the parts of
    ///        GetOutputParts, concatenated; empty without SetInput
    std::vector<uint8_t> GetOutput(uint32_t rank) const;

    /// @return type of the elements of data
    DataType GetDataType() const
    {
        return m_dataType;
    }

    /// @return how elements are combined
    DataOperation GetDataOperation() const
    {
        return m_dataOperation;
    }

    /// @return whether contributions are to be combined in order of ranks
    bool KeepsOrder() const
    {
        return m_keepsOrder;
    }

    /// @return the algorithm that replaces this one, with the reason; empty if none does
    virtual std::string GetFallback() const
    {
        return "";
    }

    /// @return whether the attribute MessageBytes may exceed GetFieldBytes
    virtual bool HasLongMessages() const
    {
        return false;
    }

    /// @return whether a member leaves with a value: if the group moves data, none does; in a
    ///         reduction of values, only the root does; else, all do @param rank the member
    virtual bool GetsResult(uint32_t rank) const
    {
        return !MovesData() && (GetKind() != DataKind::REDUCTION || rank == GetRoot());
    }

    /// Copies attributes to another collective. @param other the target @param names the attributes
    void CopyAttributes(Collective& other, const std::vector<std::string>& names) const;

    /// @return number of a member's last round @param rank the member
    uint64_t GetRound(uint32_t rank) const
    {
        return m_members.at(rank).round;
    }

    /// @return the collective domain
    CollectiveDomain& GetDomain() const
    {
        return *m_domain;
    }

    /// @return how values are combined
    CollectiveOperation GetOperation() const
    {
        return m_operation;
    }

    /// @return two values combined @param a,b the values
    uint64_t CombineValues(uint64_t a, uint64_t b) const
    {
        return Combine(m_operation, a, b, m_widthBits);
    }

    /// @return software of a member's host @param rank the member
    HostSoftware& GetSoftware(uint32_t rank) const
    {
        return *m_domain->GetSoftware(m_members[rank].host);
    }

    /// @return software that sends and receives a member's messages: by default, its host's
    /// @param rank the member
    virtual HostSoftware& GetProcessor(uint32_t rank) const
    {
        return GetSoftware(rank);
    }

    /// @return rank of the first member of a host @param host number of the host
    uint32_t GetRank(uint32_t host) const;

    /// Makes a member leave (for the algorithm). @param rank the member @param result its result
    void Leave(uint32_t rank, uint64_t result);

    /// Makes a member leave, unless its round has already ended.
    /// @param rank the member @param round the round's number @param result the member's result
    void EndRound(uint32_t rank, uint64_t round, uint64_t result)
    {
        if (IsInRound(rank, round))
        {
            Leave(rank, result);
        }
    }

    /// @return whether a member is in a round @param rank the member @param round the round
    bool IsInRound(uint32_t rank, uint64_t round) const
    {
        return rank < m_members.size() && m_members[rank].inside && m_members[rank].round == round;
    }

    /// @return group identifier
    uint16_t GetGroup() const
    {
        return m_group;
    }

    /// @return length of a message in bytes: the attribute MessageBytes, but at least GetFieldBytes
    uint32_t GetMessageBytes() const
    {
        return std::max(m_messageBytes, GetFieldBytes());
    }

    /// @return total length in bytes of a message's fields: type, group and value
    uint32_t GetFieldBytes() const
    {
        constexpr uint32_t TYPE_BITS = 2;
        constexpr uint32_t LEAST_DATA_BITS = 6;
        return (TYPE_BITS + m_groupIdBits + std::max(LEAST_DATA_BITS, m_widthBits) + 7) / 8;
    }

    /// @return length of a message in flits
    uint64_t GetMessageFlits() const
    {
        return m_domain->GetFabric()->GetFlits(GetMessageBytes());
    }

    std::string ExplainMissing() const override;

    /// @return what the group knows of dead hosts and lost messages
    GroupFailures& GetFailures() override;

    bool HasFailed() const; ///< @return whether a member has failed, so that all must fail

    /// @return hosts that a member found missing when it failed, ascending; empty if it has not
    ///         failed, or only messages were lost @param rank the member
    std::vector<uint32_t> GetMissing(uint32_t rank) const;

    /// @return the time limit of a round, set-up or release; 0: no limit
    const Time& GetTimeout() const
    {
        return m_timeout;
    }

    /// @return whether any member is in a round
    bool HasMembersInside() const
    {
        return m_nInside > 0;
    }

    /// @return the hosts for which a member waits, ascending, and details as text. By default, the
    ///         hosts are those of members that have entered fewer rounds, and the text says what
    ///         the group's registers and slots wait for @param rank the member
    virtual std::pair<std::vector<uint32_t>, std::string> FindAwaited(uint32_t rank) const;

    /// Callback of the trace sources Enter and Leave.
    /// @param rank the member @param value the value with which it enters, or the result
    typedef void (*MemberTracedCallback)(uint32_t rank, uint64_t value);

    /// Callback of the trace sources Ready and Released.
    /// @param duration time since Create, or since the members' change began; or since Release
    typedef void (*DurationTracedCallback)(Time duration);

    /// Callback of the trace source Changed.
    /// @param before,after hosts of the members before and after, by rank
    /// @param duration time since the change was requested
    typedef void (*ChangedTracedCallback)(const std::vector<uint32_t>& before,
                                          const std::vector<uint32_t>& after,
                                          Time duration);

    /// Callback of the trace source Failed. @param rank the member
    /// @param hosts hosts found missing, ascending; may be empty @param reason why it failed
    typedef void (*FailedTracedCallback)(uint32_t rank,
                                         const std::vector<uint32_t>& hosts,
                                         const std::string& reason);

  protected:
    void DoDispose() override;

    void NotifyReady();    ///< Declares the group ready.
    void NotifyReleased(); ///< Declares the group released.

    /// @return width of values in bits
    uint32_t GetWidthBits() const
    {
        return m_widthBits;
    }

    /// Throws if a host has several members. @param accepted text at the end of the error message
    void CheckOneMemberAHost(const std::string& accepted) const;

    /// Delegates part of the work to another collective: this group is ready when all parts are
    /// ready, releases parts by ReleaseParts, and disposes of them at its end.
    /// @param part the other collective, whose Create has not been called
    void AddPart(const Ptr<Collective>& part);

    /// Creates a part with this group's members; LeavePart runs when a member leaves the part.
    void CreatePart(const Ptr<Collective>& part);

    void ReleaseParts(); ///< Releases all parts; PartsReleased is called when that is done.

    /// Drops all parts.
    void ClearParts()
    {
        m_parts.clear();
        m_nPendingParts = 0;
    }

    /// Called when all parts have been released; by default calls NotifyReleased.
    virtual void PartsReleased()
    {
        NotifyReleased();
    }

    /// Sets up the algorithm for a new or changed group; then the algorithm calls NotifyReady.
    virtual void DoCreate() = 0;

    /// @return the tree before a change; null if the group has no registers left in its switches
    std::unique_ptr<const BarrierTree> TakeFormerTree()
    {
        return std::move(m_formerTree);
    }

    /// Starts a member's round. @param rank the member @param value its value
    virtual void DoEnter(uint32_t rank, uint64_t value) = 0;

    /// @return whether the algorithm supports contents, see SetInput
    virtual bool CarriesContents() const
    {
        return false;
    }

    /// @return a member's data for its round; null if it has none or 0 bytes @param rank the member
    SharedBytes GetInput(uint32_t rank) const
    {
        return m_inputs.empty() ? nullptr : m_inputs.at(rank);
    }

    /// @return whether any member was given data
    bool HasInput() const
    {
        return !m_inputs.empty();
    }

    /// @return a member's output of the last round, if contents are carried @param rank the member
    virtual std::vector<uint8_t> ReadOutput([[maybe_unused]] uint32_t rank) const
    {
        return {};
    }

  private:
    friend class GroupFailures;

    /// Called when a member leaves a part that CreatePart created.
    virtual void LeavePart(const Collective&, uint32_t, uint64_t)
    {
    }

    static void PartLeft(Collective* whole, Collective* part, uint32_t rank, uint64_t result)
    {
        whole->LeavePart(*part, rank, result);
    }

    bool EndFailed(uint32_t rank); ///< Ends a member's round. @return whether there was one
    /// Called when a member of a part fails; then the members on its host fail too.
    static void PartFailed(Collective* whole,
                           Collective* part,
                           uint32_t rank,
                           const std::vector<uint32_t>& hosts,
                           const std::string& reason);
    void Abort(); ///< Ends the group at once, without messages; or makes a change that has begun.
    void Drop();  ///< Stops the group, and returns all that it holds.
    void SetUp(); ///< Has the algorithm set the group up. @throws WormholeError if it is impossible

    /// Adds to the requested change. @param joining new hosts @param leaving members' ranks
    /// @param treeRoot host of the new tree's root; -1: as before
    void AskChange(const std::vector<uint32_t>& joining,
                   const std::set<uint32_t>& leaving,
                   int32_t treeRoot = -1);
    std::set<uint32_t> FindMissing() const; ///< @return hosts that any member found missing
    void TryChange();                       ///< Begins the change, if possible now.
    void Renew();                           ///< Continues with the new members.
    static void CheckHost(const CollectiveDomain& domain, uint32_t host); ///< Throws if unknown.

    /// @return whether a host has a member
    bool HasMemberAt(int64_t host) const
    {
        return std::any_of(m_members.begin(), m_members.end(), [host](const auto& member) {
            return member.host == host;
        });
    }

    /// @return whether all members have entered equally many rounds
    bool HasEvenRounds() const
    {
        return std::all_of(m_members.begin(), m_members.end(), [this](const auto& member) {
            return member.round == m_members.front().round;
        });
    }

    uint64_t GetLastRound() const; ///< @return the last round that any member has entered

    /// @return whether a change can keep what the group holds in switches, instead of releasing it
    virtual bool CanKeepTree() const
    {
        return false;
    }

    /// Stops the algorithm when the group is aborted or disposed of.
    virtual void DoStop()
    {
    }

    /// A round that some but not all members have entered.
    struct Round
    {
        uint32_t nEntered{0};
        int64_t giver{-1}; ///< first member that entered with data to contribute; -1: none yet
        bool hasContents{false};
    };

    /// @return the base type of all forms that move data, with their attributes
    static TypeId GetDataTypeId();

    void MeasureParts(); ///< Finds the length of each part. @throws WormholeError if it is unknown

    /// Throws if a member has contents and others in its round have none, or vice versa.
    void CheckContents(uint32_t rank) const;
    void NoteContents(uint32_t rank); ///< Records whether the round has contents.

    bool HasToGive(uint32_t rank) const
    {
        const auto parts = GetInputParts(rank);
        return std::any_of(parts.begin(), parts.end(), [this](uint64_t part) {
            return m_partBytes[part] > 0;
        });
    }

    std::vector<uint64_t> ParseLengths() const;

    virtual void DoRelease() = 0; ///< Tears down the algorithm, which calls NotifyReleased.

    /// @return whether the group holds resources in the switches until it is released
    virtual bool HoldsRegisters() const
    {
        return false;
    }

    enum State
    {
        NONE,     ///< before Create
        CREATING, ///< being set up
        READY,
        RELEASED, ///< being released, or released
    };

    std::string m_operationName;
    uint32_t m_widthBits{1};
    uint32_t m_groupIdBits{8};
    uint32_t m_messageBytes{0};
    int32_t m_treeRoot{-1}; ///< root host of the tree; -1: that of the best tree
    int64_t m_rootRank{-1};
    std::string m_treeLeaves;
    Time m_timeout;

    uint64_t m_bytes{0};
    std::string m_lengths;
    DataType m_dataType{DataType::INT32};
    DataOperation m_dataOperation{DataOperation::SUM};
    bool m_keepsOrder{false};

    void PartReady(Time)
    {
        if (--m_nPendingParts == 0)
        {
            NotifyReady();
        }
    }

    void PartReleased(Time)
    {
        if (--m_nPendingParts == 0)
        {
            PartsReleased();
        }
    }

    /// A requested change of members.
    struct Change
    {
        std::vector<uint32_t> joining; ///< hosts of new members
        std::set<uint32_t> leaving;    ///< ranks of members that leave
        Time since;                    ///< when it was first requested
        bool hasBegun{false};          ///< whether the former group is being taken down
        bool keepsTree{false};         ///< whether the group keeps what it holds in switches
        int32_t treeRoot{-1};          ///< host at the new tree's root; -1: as before
    };

    struct Member
    {
        uint32_t host{0};
        uint32_t task{0}; ///< index among the members of its host
        uint64_t round{0};
        bool inside{false}; ///< whether the member has entered and not left
    };

    void SetMembers(std::vector<Member> members); ///< Sets members and their tasks; resets m_root.

    mutable std::optional<CollectiveForm> m_form; ///< the form, once requested
    State m_state{NONE};
    Ptr<CollectiveDomain> m_domain;
    std::vector<Member> m_members; ///< by rank
    uint32_t m_nInside{0};
    std::vector<LeaveCallback> m_leaveCallbacks; ///< by rank, as far as set
    mutable std::vector<uint32_t> m_firstRanks;  ///< ranks of hosts' first members, once requested
    mutable std::unique_ptr<const BarrierTree> m_tree; ///< the barrier tree, once requested
    mutable int64_t m_root{-1};                        ///< rank of the root, once requested
    uint16_t m_group{0};
    CollectiveOperation m_operation{CollectiveOperation::AND}; ///< how values are combined
    std::vector<uint64_t> m_partBytes;                         ///< lengths of parts, once known
    uint64_t m_cutPart{0};              ///< length of a part with an incomplete element; 0: none
    std::vector<SharedBytes> m_inputs;  ///< by rank; empty if none was ever set
    std::map<uint64_t, Round> m_rounds; ///< by number, see Round
    Time m_since;                       ///< time of Create or Release
    std::vector<Ptr<Collective>> m_parts;
    std::size_t m_nPendingParts{0};      ///< number of parts not ready, or not released
    std::unique_ptr<Change> m_change;    ///< the next change; null: none
    std::vector<uint32_t> m_formerHosts; ///< former members' hosts, while a change is set up
    std::unique_ptr<const BarrierTree> m_formerTree; ///< see TakeFormerTree
    Time m_changeSince;                              ///< when the change in progress was requested
    bool m_isCut{false}; ///< whether a member's round has ended without result

    TracedCallback<uint32_t, uint64_t> m_enterTrace;
    TracedCallback<uint32_t, uint64_t> m_leaveTrace;
    TracedCallback<Time> m_readyTrace;
    TracedCallback<Time> m_releasedTrace;
    TracedCallback<const std::vector<uint32_t>&, const std::vector<uint32_t>&, Time> m_changedTrace;
    std::unique_ptr<GroupFailures> m_failures; ///< failures; null: none, and nothing is timed
    TracedCallback<uint32_t, const std::vector<uint32_t>&, const std::string&> m_failedTrace;
};

/// @ingroup wormhole
/// @brief A collective of form ns3::Barrier: no member leaves before all have arrived, and all
///        leave. It is also an all-reduction of a value: all members leave with the combination of
///        their values by the attribute Operation.
using Barrier = Collective;

/// @ingroup wormhole
/// @brief A collective of form ns3::Broadcast: in every round, each member leaves with the root's
///        value, after the root has arrived. Other members' values are ignored. The root may be
///        rounds ahead: its values wait for receivers. A member forwards the value, then leaves.
using Broadcast = Collective;

/// @ingroup wormhole
/// @brief A collective of form ns3::Reduction: the root leaves with all members' values combined,
///        after all have arrived. Other members leave with 0, as soon as they have done their part;
///        they may be rounds ahead of the root.
using Reduction = Collective;

/// @ingroup wormhole @brief A collective of a form that moves data, such as ns3::DataAllReduction.
using DataCollective = Collective;

} // namespace ns3

#endif /* WORMHOLE_COLLECTIVE_H */
