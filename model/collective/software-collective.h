/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOFTWARE_COLLECTIVE_H
#define SOFTWARE_COLLECTIVE_H

#include "collective-kinds.h"
#include "data-collective.h"
#include "data-contents.h"
#include "group-schedules.h"
#include "schedule-runner.h"

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{

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
 *
 * @tparam KIND Barrier, Broadcast, Reduction, or a DataCollectiveOf
 */
template <class KIND>
class SoftwareCollective : public KIND, public ScheduleMaker
{
  public:
    using Kind = KIND; ///< what it is, whoever does it

    /// Whether members hold data of any length; else one value of up to 64 bits, or nothing.
    static constexpr bool IS_DATA = std::is_base_of_v<DataCollective, KIND>;

    static TypeId GetTypeId(); ///< @return the object TypeId

    /// @return the members' schedules; the group must have been made
    const LinkedSchedules& GetSchedules() const;

    /// @return what an algorithm is asked for; the group must have been made
    ScheduleRequest MakeRequest() const;

    /// @return whether schedules depend on s, r or paths; of data, unless overridden, they do not
    bool UsesCosts() const override
    {
        return !IS_DATA;
    }

    /// @return another algorithm that the group is served by, with the reason; empty: there is none
    std::string GetFallback() const override;

    /// @copydoc Collective::HasLongMessages
    bool HasLongMessages() const override
    {
        return !IS_DATA;
    }

    /// A message has come. @param host where @param worm the message
    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;

  protected:
    /// For algorithms' own GetTypeId.
    /// @tparam ALGORITHM the algorithm's class, which derives from this one
    /// @param name the algorithm, such as Tree; the type is ns3::TreeBarrier, if this is a barrier
    /// @return the type, to which attributes may be added
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
    /// A collective that is not by software, which those CALL that exchange messages with other
    /// hosts.
    /// @return the collective, without a group; null if there is none
    virtual Ptr<Collective> MakeInner(const ScheduleRequest& request) const;

    /// Sets up what the fabric needs before members may enter; calls BeReady.
    virtual void SetUp(const ScheduleRequest& request);

    virtual void TakeDown(); ///< Gives back what SetUp has set up; calls BeReleased.

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
        return IS_DATA;
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

/// A barrier, or all-reduction, by software.
using SoftwareBarrier = SoftwareCollective<Barrier>;
/// A broadcast by software.
using SoftwareBroadcast = SoftwareCollective<Broadcast>;
/// A reduction by software.
using SoftwareReduction = SoftwareCollective<Reduction>;
/// A collective of data by software.
template <DataKind KIND>
using SoftwareData = SoftwareCollective<DataCollectiveOf<KIND>>;

/// @cond
extern template class SoftwareCollective<Barrier>;
extern template class SoftwareCollective<Broadcast>;
extern template class SoftwareCollective<Reduction>;
#define WORMHOLE_DATA_KIND(KIND)                                                                   \
    extern template class SoftwareCollective<DataCollectiveOf<DataKind::KIND>>;
WORMHOLE_DATA_KINDS(WORMHOLE_DATA_KIND)
#undef WORMHOLE_DATA_KIND

/// @endcond

/// @ingroup wormhole @brief Registers an algorithm that is a template over the class of the kind,
/// as NS_OBJECT_ENSURE_REGISTERED does a class.
/// @tparam ALGORITHM the algorithm
/// @tparam KINDS the kinds that it does
template <template <class> class ALGORITHM, class... KINDS>
class RegisteredKinds
{
  public:
    RegisteredKinds()
    {
        (Register<ALGORITHM<KINDS>>(), ...);
    }

  private:
    template <class TYPE>
    static void Register()
    {
        auto tid = TYPE::GetTypeId();
        tid.SetSize(sizeof(TYPE));
        tid.GetParent();
    }
};

/// @ingroup wormhole
/// @brief Makes the schedules of a group, see ScheduleMaker.
using MakeSchedulesFunction = GroupSchedules (*)(const ScheduleRequest&);

/// @ingroup wormhole @brief An algorithm that has no attributes of its own: all there is to it are
/// its name and its schedules, which depend on the root if the kind has one.
/// @tparam MAKE makes the schedules
/// @tparam KINDS classes of the kinds that it does
template <MakeSchedulesFunction MAKE, class... KINDS>
class SoftwareAlgorithmOf
{
  public:
    /// @param name the algorithm, as in a TypeId: Ring for ns3::RingDataScan
    explicit SoftwareAlgorithmOf(const char* name)
    {
        s_name = name;
        const RegisteredKinds<Algorithm, KINDS...> registered;
    }

  private:
    template <class KIND>
    class Algorithm : public SoftwareCollective<KIND>
    {
      public:
        static TypeId GetTypeId()
        {
            static TypeId tid = SoftwareCollective<KIND>::template MakeTypeId<Algorithm>(s_name);
            return tid;
        }

        GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
        {
            return MAKE(request);
        }

        bool UsesRoot() const override
        {
            return DataKindLaw::HasRoot(KIND::THE_KIND);
        }
    };

    static inline const char* s_name{nullptr}; ///< the algorithm
};

/// @ingroup wormhole @brief Such an algorithm of data.
/// @tparam MAKE as above
/// @tparam KINDS the kinds
template <MakeSchedulesFunction MAKE, DataKind... KINDS>
using SoftwareAlgorithm = SoftwareAlgorithmOf<MAKE, DataCollectiveOf<KINDS>...>;

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
