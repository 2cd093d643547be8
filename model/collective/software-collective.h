/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOFTWARE_COLLECTIVE_H
#define SOFTWARE_COLLECTIVE_H

#include "collective-kinds.h"
#include "group-schedules.h"
#include "wormhole-data-contents.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class GroupContents;
class LinkedSchedules;
class ScheduleRunner;

/**
 * @ingroup wormhole
 * @brief A collective by the hosts' software alone: derived classes make the schedules
 *        (ScheduleMaker), and a ScheduleRunner runs them. Sets nothing up in the fabric.
 *
 * The group is ready at once. With the attribute AddressExchange, which collectives of a value
 * have, members that write into others' memory register a buffer first, and tell each other where
 * it is.
 *
 * Where members hold one value, all messages are as long as MessageBytes says, and take and combine
 * it at no cost. Messages of data have the lengths of their blocks; what belongs to each packet
 * besides is the host's (HostSoftware::PacketHeaderBytes). A message without any bytes is not sent.
 */
class SoftwareCollective : public Collective, public ScheduleMaker
{
  public:
    /// @return the type of all of a form, such as ns3::SoftwareBarrier @param form the form
    static TypeId GetFormTypeId(const CollectiveForm& form);

    SoftwareCollective();
    ~SoftwareCollective() override;

    /// @return the members' schedules; the group must have been made
    const LinkedSchedules& GetSchedules() const;

    /// @return what an algorithm is asked for; the group must have been made
    ScheduleRequest MakeRequest() const;

    /// @return whether schedules depend on s, r or paths; of data, unless overridden, they do not
    bool UsesCosts() const override
    {
        return !MovesData();
    }

    /// @return another algorithm that the group is served by, with the reason; empty: there is none
    std::string GetFallback() const override;

    /// @copydoc Collective::HasLongMessages
    bool HasLongMessages() const override
    {
        return !MovesData();
    }

    /// A message has come. @param host where @param worm the message
    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;

    /// For algorithms' types.
    /// @tparam ALGORITHM the algorithm's class, which derives from this one
    /// @param name the algorithm, such as Tree; the type is ns3::TreeBarrier, if this is a barrier
    /// @param form the form
    /// @return the type, to which attributes may be added
    template <class ALGORITHM>
    static TypeId MakeFormTypeId(const std::string& name, const CollectiveForm& form)
    {
        return form.MakeTypeId(name, GetFormTypeId(form)).AddConstructor<ALGORITHM>();
    }

  protected:
    /// Forgets all that it points to.
    void DoDispose() override;

  private:
    /// A collective that is not by software, which those CALL that exchange messages with other
    /// hosts.
    /// @return the collective, without a group; null if there is none
    virtual Ptr<Collective> MakeInner(const ScheduleRequest& request) const;

    /// Sets up what the fabric needs before members may enter; calls NotifyReady.
    virtual void SetUp(const ScheduleRequest& request);

    virtual void TakeDown(); ///< Gives back what SetUp has set up; calls NotifyReleased.

    /// Those that exchange messages with other hosts: with Transport rdma, whose memory others
    /// write into, and who write.
    /// @return their ranks; all, unless this is overridden
    virtual std::vector<uint32_t> FindWriters(const ScheduleRequest& request) const;

    void ExchangeAddresses(const std::vector<uint32_t>& writers);
    void HasAddresses(uint32_t, uint64_t);

    void CreateInner(const std::vector<uint32_t>& ranks); ///< Makes the inner collective's group.

    void PartsReleased() override;
    void DoCreate() override;
    void DoEnter(uint32_t rank, uint64_t value) override;
    void DoRelease() override;

    bool CarriesContents() const override
    {
        return MovesData();
    }

    std::vector<uint8_t> ReadOutput(uint32_t rank) const override;

    std::string m_transport;                   ///< attribute
    std::string m_withinHost;                  ///< attribute
    std::string m_addressExchange;             ///< attribute
    uint64_t m_segmentBytes{0};                ///< attribute
    uint32_t m_segmentsUnderWay{1};            ///< attribute
    ScheduleRequest m_request;                 ///< the group, while addresses are exchanged
    Ptr<ScheduleRunner> m_runner;              ///< runs the schedules
    Ptr<ScheduleRunner> m_exchange;            ///< exchanges addresses; null but while it does
    uint32_t m_nExchanging{0};                 ///< members that do not have all addresses
    Ptr<Collective> m_inner;                   ///< called by the schedules; mostly null
    std::unique_ptr<GroupContents> m_contents; ///< members' data, if they were given any
    std::string m_fallback;                    ///< see GetFallback
};

/// @ingroup wormhole @brief What algorithms of one form derive from, see SoftwareCollective.
/// @tparam KIND the kind
/// @tparam IS_DATA whether they move data
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

/// A barrier, or all-reduction, by software.
using SoftwareBarrier = SoftwareOf<DataKind::BARRIER, false>;
/// A broadcast by software.
using SoftwareBroadcast = SoftwareOf<DataKind::BROADCAST, false>;
/// A reduction by software.
using SoftwareReduction = SoftwareOf<DataKind::REDUCTION, false>;
/// A collective of data by software.
template <DataKind KIND>
using SoftwareData = SoftwareOf<KIND, true>;

/// @ingroup wormhole @brief Registers an algorithm that does several forms, as
/// NS_OBJECT_ENSURE_REGISTERED does a class of one.
/// @tparam ALGORITHM its class; AddTo adds its attributes to a type
template <class ALGORITHM>
class RegisteredAlgorithm
{
  public:
    /// @param name the algorithm, as in a TypeId: Ring for ns3::RingDataScan
    /// @param ofValue kinds that it does of a value
    /// @param ofData kinds that it does of data
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

/// @ingroup wormhole
/// @brief Makes the schedules of a group, see ScheduleMaker.
using MakeSchedulesFunction = GroupSchedules (*)(const ScheduleRequest&);

/// @ingroup wormhole @brief An algorithm that has no attributes of its own: all there is to it are
/// its name and its schedules, which depend on the root if the kind has one.
/// @tparam MAKE makes the schedules
/// @tparam KINDS the kinds that it does: BARRIER, or others of data
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

/// @ingroup wormhole @brief Has another algorithm of data serve.
/// @param request the group
/// @param name the other algorithm's name
/// @param reason why the one that was asked for can't do it
/// @return the other's schedules
GroupSchedules FallBackOn(const ScheduleRequest& request,
                          const std::string& name,
                          const std::string& reason);

} // namespace ns3

#endif /* SOFTWARE_COLLECTIVE_H */
