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
 * The group is ready at once. With the attribute AddressExchange, members that write into others'
 * memory register a buffer first, and tell each other where it is.
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

    /// Sets up what the fabric needs before members may enter; calls BeReady. @param request the
    /// group
    virtual void SetUp(const ScheduleRequest& request);

    /// Gives back what SetUp has set up; calls BeReleased.
    virtual void TakeDown();

    /**
     * Those whose memory others write into, and who write, with Transport rdma.
     * @param request the group
     * @return their ranks; all, unless this is overridden
     */
    virtual std::vector<uint32_t> FindWriters(const ScheduleRequest& request) const;

    /// Has writers register buffers and exchange addresses. @param writers their ranks
    void ExchangeAddresses(const std::vector<uint32_t>& writers);

    /// A member has all addresses.
    void HasAddresses(uint32_t, uint64_t);

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

    std::string m_transport;        ///< attribute
    std::string m_withinHost;       ///< attribute
    std::string m_addressExchange;  ///< attribute
    ScheduleRequest m_request;      ///< the group, while addresses are exchanged
    Ptr<ScheduleRunner> m_runner;   ///< runs the schedules
    Ptr<ScheduleRunner> m_exchange; ///< exchanges addresses; null but while it does
    uint32_t m_nExchanging{0};      ///< members that do not have all addresses
    Ptr<Collective> m_inner;        ///< called by the schedules; mostly null
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
