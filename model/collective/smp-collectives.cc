/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of hosts with several members: shared memory inside a host, another algorithm between
// the hosts (Gupta et al. 2002, sections 5.2 and 5.3).

#include "collective-registry.h"
#include "smp-schedules.h"
#include "software-collective.h"

#include "ns3/string.h"

namespace ns3
{

namespace
{

/// What a barrier is between hosts, and inside one.
struct SmpBarrierTraits
{
    using Software = SoftwareBarrier;                  ///< its base
    static constexpr auto KIND = "barrier";            ///< its kind
    static constexpr auto INNER = "pairwise-exchange"; ///< between hosts, unless said
    static constexpr bool UP = true;                   ///< masters wait for other members first
    static constexpr bool DOWN = true;                 ///< and set their flags in the end
};

/// What a broadcast is between hosts, and inside one.
struct SmpBroadcastTraits
{
    using Software = SoftwareBroadcast;       ///< its base
    static constexpr auto KIND = "broadcast"; ///< its kind
    static constexpr auto INNER = "tree";     ///< between hosts, unless said
    static constexpr bool UP = false;         ///< masters do not wait
    static constexpr bool DOWN = true;        ///< they set the others' flags
};

/// What a reduction is between hosts, and inside one.
struct SmpReductionTraits
{
    using Software = SoftwareReduction;       ///< its base
    static constexpr auto KIND = "reduction"; ///< its kind
    static constexpr auto INNER = "tree";     ///< between hosts, unless said
    static constexpr bool UP = true;          ///< masters wait for other members first
    static constexpr bool DOWN = false;       ///< only the root keeps the result
};

/**
 * A collective of hosts with several members: a host's master waits for the flags of the host's
 * other members, does the inner collective with the masters of other hosts, and sets or resets the
 * others' flags. The master is a host's first member, at the root's host the root. The inner
 * collective may be btin, by the registers in switches.
 *
 * @tparam TRAITS its base, inner collective and phases
 */
template <class TRAITS>
class SmpCollective : public TRAITS::Software
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        const std::string kind = TRAITS::KIND;
        static TypeId tid =
            TRAITS::Software::template MakeTypeId<SmpCollective>("Smp").AddAttribute(
                "Inner",
                "What the hosts' first members do among them: name "
                "of a " +
                    kind + ".",
                StringValue(TRAITS::INNER),
                MakeStringAccessor(&SmpCollective::m_inner),
                MakeStringChecker());
        return tid;
    }

    /// @return the members' schedules @param request the group
    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override
    {
        const auto inner = MakeInnerCollective();
        return MakeSmpSchedules(request,
                                dynamic_cast<const ScheduleMaker*>(PeekPointer(inner)),
                                TRAITS::UP,
                                TRAITS::DOWN);
    }

  private:
    /// @return what masters CALL, if it has no schedules @param request the group
    /// @param ranks the masters
    Ptr<Collective> MakeInner(const ScheduleRequest& request,
                              std::vector<uint32_t>& ranks) const override
    {
        return FindInnerCollective(MakeInnerCollective(), request, ranks);
    }

    /// @return the masters, who alone write to other hosts @param request the group
    std::vector<uint32_t> FindWriters(const ScheduleRequest& request) const override
    {
        return FindMasters(request);
    }

    /// @return what the attribute Inner names, without a group
    Ptr<Collective> MakeInnerCollective() const
    {
        // Switches reduce for all in a barrier; of its result, a reduction's root alone takes note.
        const auto bare = m_inner.substr(0, m_inner.find('['));
        const bool isInSwitch = bare == "btin" || bare == "in-switch";
        const bool isReduction = std::is_same_v<typename TRAITS::Software, SoftwareReduction>;
        return CollectiveRegistry::MakeInner(
            isInSwitch && isReduction ? Barrier::GetTypeId() : TRAITS::Software::Kind::GetTypeId(),
            m_inner);
    }

    std::string m_inner; ///< attribute
};

/// A barrier of hosts with several members.
using SmpBarrier = SmpCollective<SmpBarrierTraits>;
/// A broadcast of hosts with several members.
using SmpBroadcast = SmpCollective<SmpBroadcastTraits>;
/// A reduction of hosts with several members.
using SmpReduction = SmpCollective<SmpReductionTraits>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(SmpBarrier);
NS_OBJECT_ENSURE_REGISTERED(SmpBroadcast);
NS_OBJECT_ENSURE_REGISTERED(SmpReduction);

} // namespace ns3
