// SPDX-License-Identifier: GPL-2.0-only

#ifndef SOFTWARE_COLLECTIVE_H
#define SOFTWARE_COLLECTIVE_H

#include "group-schedules.h"
#include "wormhole-collective.h"

namespace ns3
{

class GroupContents;
class LinkedSchedules;
class ScheduleRunner;

/// @ingroup wormhole
/// @brief A collective in the hosts' software only: derived classes make each member's schedule of
///        sends and receives, run by a ScheduleRunner. By default, nothing is set up in the fabric.
///
/// The group is ready at once, unless SetUp or an inner collective takes time. In a collective of a
/// value with AddressExchange, RDMA writers first register buffers and exchange addresses.
///
/// In a collective of a value, all messages have GetMessageBytes bytes, and combining a received
/// value takes no extra time. In a collective of data, a message has the length of its blocks. All
/// messages have packet headers (HostSoftware::PacketHeaderBytes). Empty messages are not sent.
class SoftwareCollective : public Collective, public ScheduleMaker
{
  public:
    /// @return base type of a form's algorithms, such as ns3::SoftwareBarrier @param form the form
    static TypeId GetFormTypeId(const CollectiveForm& form);

    SoftwareCollective();
    ~SoftwareCollective() override;

    /// @return the members' schedules; the group must have been created
    const LinkedSchedules& GetSchedules() const;

    /// @return the algorithm's input; the group must have been created
    ScheduleRequest MakeRequest() const;

    /// @return whether schedules use the request's s, r or paths; default: true, but false for data
    bool UsesCosts() const override
    {
        return !MovesData();
    }

    std::string GetFallback() const override;

    bool HasLongMessages() const override
    {
        return !MovesData();
    }

    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;

    /// @return an algorithm's type, to which attributes may be added
    /// @tparam ALGORITHM its class, which derives from this one
    /// @param name the algorithm, such as Tree; a barrier's type is then ns3::TreeBarrier
    /// @param form the kind of collective, for a value or for data
    template <class ALGORITHM>
    static TypeId MakeFormTypeId(const std::string& name, const CollectiveForm& form)
    {
        return form.MakeTypeId(name, GetFormTypeId(form)).AddConstructor<ALGORITHM>();
    }

    std::pair<std::vector<uint32_t>, std::string> FindAwaited(uint32_t rank) const override;

  protected:
    void DoCreate() override;
    void DoEnter(uint32_t rank, uint64_t value) override;

    void DoDispose() override
    {
        Collective::DoDispose();
        m_inner = nullptr;
    }

  private:
    void DoStop() override;

    /// @return a new collective of the members that communicate with other hosts, to be called by
    ///         schedules (ScheduleStep::CALL); null: the algorithm has none
    virtual Ptr<Collective> MakeInner(const ScheduleRequest&) const
    {
        return nullptr;
    }

    /// Sets up the fabric before members may enter; then calls NotifyReady.
    virtual void SetUp(const ScheduleRequest&)
    {
        NotifyReady();
    }

    /// Reverts SetUp; then calls NotifyReleased.
    virtual void TakeDown()
    {
        NotifyReleased();
    }

    /// @return ranks of members that communicate with other hosts, also by RDMA; default: all
    virtual std::vector<uint32_t> FindWriters(const ScheduleRequest& request) const;

    void ExchangeAddresses(const std::vector<uint32_t>& writers);
    void HasAddresses(uint32_t, uint64_t);

    void CreateInner(const std::vector<uint32_t>& ranks); ///< Creates the inner collective's group.

    void PartsReleased() override;
    void DoRelease() override;

    bool CarriesContents() const override
    {
        return MovesData();
    }

    std::vector<uint8_t> ReadOutput(uint32_t rank) const override;

    /// Called when a member has completed its schedule; by default, the member leaves.
    virtual void Complete(uint32_t rank, uint64_t result)
    {
        Leave(rank, result);
    }

    HostSoftware::Transport m_transport{HostSoftware::Transport::SEND_RECEIVE};
    HostSoftware::WithinHost m_withinHost{HostSoftware::WithinHost::FLAGS};
    std::string m_addressExchange;
    uint64_t m_segmentBytes{0};
    uint32_t m_segmentsUnderWay{1};
    ScheduleRequest m_request; ///< the group, kept during the exchange of addresses
    Ptr<ScheduleRunner> m_runner;
    Ptr<ScheduleRunner> m_exchange;            ///< exchanges addresses; null: not exchanging
    uint32_t m_nExchanging{0};                 ///< members that lack addresses
    Ptr<Collective> m_inner;                   ///< the collective of CALL steps; usually null
    std::unique_ptr<GroupContents> m_contents; ///< members' data, if given
    std::string m_fallback;
};

/// @ingroup wormhole @brief Base class of all algorithms of one form (CollectiveForm).
/// @tparam KIND the kind of collective
/// @tparam IS_DATA whether the algorithms move data; false: one value
template <DataKind KIND, bool IS_DATA>
class SoftwareOf : public SoftwareCollective
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        return GetFormTypeId({KIND, IS_DATA});
    }

  protected:
    /// @return the type of an algorithm, to which attributes may be added
    /// @tparam ALGORITHM its class @param name its name, as for MakeFormTypeId
    template <class ALGORITHM>
    static TypeId MakeTypeId(const std::string& name)
    {
        return MakeFormTypeId<ALGORITHM>(name, {KIND, IS_DATA});
    }
};

/// A software barrier, or an all-reduction of one value.
using SoftwareBarrier = SoftwareOf<DataKind::BARRIER, false>;
/// A software broadcast of one value.
using SoftwareBroadcast = SoftwareOf<DataKind::BROADCAST, false>;
/// A software reduction of one value.
using SoftwareReduction = SoftwareOf<DataKind::REDUCTION, false>;

/// @ingroup wormhole @brief Registers an algorithm with several forms, like
/// NS_OBJECT_ENSURE_REGISTERED for a single class.
/// @tparam ALGORITHM the algorithm's class, whose AddTo adds the algorithm's attributes to a type
template <class ALGORITHM>
class RegisteredAlgorithm
{
  public:
    /// @param name the algorithm, as in a TypeId: Ring for ns3::RingDataScan
    /// @param ofValue,ofData the kinds that the algorithm supports for a value, and for data
    RegisteredAlgorithm(const std::string& name,
                        const std::vector<DataKind>& ofValue,
                        const std::vector<DataKind>& ofData)
    {
        for (const bool isData : {false, true})
        {
            for (const auto kind : isData ? ofData : ofValue)
            {
                auto type = SoftwareCollective::MakeFormTypeId<ALGORITHM>(name, {kind, isData});
                ALGORITHM::AddTo(type, kind);
                type.SetSize(sizeof(ALGORITHM));
            }
        }
    }
};

/// @ingroup wormhole @brief Makes the schedules of a group, see ScheduleMaker.
using MakeSchedulesFunction = GroupSchedules (*)(const ScheduleRequest&);

/// @ingroup wormhole @brief An algorithm without attributes of its own, defined by its name and
/// schedules, which depend on the root if the kind has one.
///
/// Many of them are described by Thakur, Rabenseifner and Gropp, Optimization of collective
/// communication operations in MPICH, 2005 (Thakur et al., 2005). In formulas for their times, a
/// message of S bytes takes alpha + beta S, combining it takes gamma S, there are n members, and
/// m is the length in bytes of the vector or of each part.
/// @tparam MAKE makes the schedules
/// @tparam KINDS the supported kinds: BARRIER is for a value, all other kinds are for data
template <MakeSchedulesFunction MAKE, DataKind... KINDS>
class SoftwareAlgorithm
{
  public:
    /// @param name the algorithm, as for RegisteredAlgorithm
    explicit SoftwareAlgorithm(const std::string& name)
    {
        for (const auto kind : {KINDS...})
        {
            const bool isData = kind != DataKind::BARRIER;
            SoftwareCollective::MakeFormTypeId<Algorithm>(name, {kind, isData})
                .SetSize(sizeof(Algorithm));
        }
    }

  private:
    class Algorithm : public SoftwareCollective
    {
      public:
        GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
        {
            return MAKE(request);
        }

        bool UsesRoot() const override
        {
            return DataKindInvariant::HasRoot(GetKind());
        }
    };
};

/// @ingroup wormhole
/// @return the schedules of another algorithm for data @param request the group
/// @param name the other algorithm's name
/// @param reason why the selected algorithm can't be used
GroupSchedules FallBackOn(const ScheduleRequest& request,
                          const std::string& name,
                          const std::string& reason);

} // namespace ns3

#endif /* SOFTWARE_COLLECTIVE_H */
