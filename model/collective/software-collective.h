/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOFTWARE_COLLECTIVE_H
#define SOFTWARE_COLLECTIVE_H

#include "collective-kinds.h"
#include "communication-schedule.h"
#include "schedule-runner.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A collective by the hosts' software alone: derived classes make the schedules, and a
 *        ScheduleRunner runs them. Sets nothing up in the fabric.
 *
 * @tparam KIND Barrier, Broadcast or Reduction
 */
template <class KIND>
class SoftwareCollective : public KIND, public ScheduleMaker
{
  public:
    using Kind = KIND; ///< what it is, whoever does it

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return the members' schedules; the group must have been made
    const LinkedSchedules& GetSchedules() const;

    /// @copydoc Collective::HasLongMessages
    bool HasLongMessages() const override;

    /// A message for a member has arrived. @param host its host
    /// @param worm the message
    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;

    /// Never called, as it has no registers. @param fabricSwitch the switch
    /// @param type what has happened
    void RegisterChanged(uint32_t fabricSwitch, CollectiveMessage::Type type) override;

  protected:
    /**
     * For algorithms' own GetTypeId.
     * @tparam ALGORITHM the algorithm's class, which derives from this one
     * @param name the algorithm, such as Tree; the type is ns3::TreeBarrier, if this is a barrier
     * @return the type, to which attributes may be added
     */
    template <class ALGORITHM>
    static TypeId MakeTypeId(const std::string& name)
    {
        const auto kind = KIND::GetTypeId().GetName().substr(std::string("ns3::").size());
        return TypeId(("ns3::" + name + kind).c_str()) // no std::string until ns-3.36
            .template SetParent<SoftwareCollective>()
            .SetGroupName("Wormhole")
            .template AddConstructor<ALGORITHM>();
    }

    /// Forgets all that it points to.
    void DoDispose() override;

  private:
    /**
     * A collective that is not by software, which members' schedules CALL.
     * @param request the group
     * @param ranks ranks of those who CALL, in the order of their ranks there
     * @return the collective, without a group; null if there is none
     */
    virtual Ptr<Collective> MakeInner(const ScheduleRequest& request,
                                      std::vector<uint32_t>& ranks) const;

    /// Makes the inner collective's group. @param ranks ranks of those who CALL
    void CreateInner(const std::vector<uint32_t>& ranks);

    /// The inner collective is ready.
    void InnerReady(Time);

    /// The inner collective is released.
    void InnerReleased(Time);

    /// Makes what the group needs.
    void DoCreate() override;

    /// A member comes. @param rank the member @param value its value
    void DoEnter(uint32_t rank, uint64_t value) override;

    /// Gives back what the group has.
    void DoRelease() override;

    std::string m_transport;      ///< attribute
    Ptr<ScheduleRunner> m_runner; ///< runs the schedules
    Ptr<Collective> m_inner;      ///< called by them; mostly null
};

extern template class SoftwareCollective<Barrier>;
extern template class SoftwareCollective<Broadcast>;
extern template class SoftwareCollective<Reduction>;

/// A barrier, or all-reduction, by software.
using SoftwareBarrier = SoftwareCollective<Barrier>;
/// A broadcast by software.
using SoftwareBroadcast = SoftwareCollective<Broadcast>;
/// A reduction by software.
using SoftwareReduction = SoftwareCollective<Reduction>;

} // namespace ns3

#endif /* SOFTWARE_COLLECTIVE_H */
