/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOFTWARE_DATA_COLLECTIVE_H
#define SOFTWARE_DATA_COLLECTIVE_H

#include "data-collective.h"
#include "data-contents.h"
#include "data-schedules.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A collective of data by the hosts' software alone: derived classes make schedules of
 *        blocks (DataScheduleMaker), and a ScheduleRunner runs them. Sets nothing up in the fabric.
 *
 * Messages have the lengths of their blocks; what belongs to each packet besides is the host's
 * (HostSoftware::PacketHeaderBytes). A message without any bytes is not sent.
 *
 * @tparam KIND the kind
 */
template <DataKind KIND>
class SoftwareData : public DataCollectiveOf<KIND>, public DataScheduleMaker
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return the members' schedules; the group must have been made
    const LinkedSchedules& GetSchedules() const;

    /// @return another algorithm that the group is served by, with the reason; empty: there is none
    std::string GetFallback() const override;

    /// @return what an algorithm is asked for; the group must have been made
    DataRequest MakeRequest() const;

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
     * @param name the algorithm, such as Ring; the type is ns3::RingDataScan, if this is a scan
     * @return the type, to which attributes may be added
     */
    template <class ALGORITHM>
    static TypeId MakeTypeId(const std::string& name)
    {
        const auto kind =
            DataCollectiveOf<KIND>::GetTypeId().GetName().substr(std::string("ns3::").size());
        return TypeId(("ns3::" + name + kind).c_str()) // no std::string until ns-3.36
            .template SetParent<SoftwareData>()
            .SetGroupName("Wormhole")
            .template AddConstructor<ALGORITHM>();
    }

    /// Forgets all that it points to.
    void DoDispose() override;

  private:
    void CreateData() override;
    bool CarriesContents() const override;
    std::vector<uint8_t> ReadOutput(uint32_t rank) const override;

    /// A member comes. @param rank the member
    void EnterData(uint32_t rank) override;

    /// Gives back what the group has.
    void DoRelease() override;

    /// @return the blocks that cut each part
    std::vector<BlockRange> FindBlocks() const;

    /// Gives a member's input to the contents. @param rank the member
    void LoadInput(uint32_t rank);

    std::string m_transport;                  ///< attribute
    std::string m_withinHost;                 ///< attribute
    uint64_t m_segmentBytes{0};               ///< attribute
    uint32_t m_segmentsUnderWay{1};           ///< attribute
    Ptr<ScheduleRunner> m_runner;             ///< runs the schedules
    std::unique_ptr<DataContents> m_contents; ///< members' data, if they were given any
    std::vector<BlockRange> m_blocks;         ///< of each part, if members were given data
    std::string m_fallback;                   ///< see GetFallback
};

/// @cond
#define WORMHOLE_DATA_KIND(KIND) extern template class SoftwareData<DataKind::KIND>;
WORMHOLE_DATA_KINDS(WORMHOLE_DATA_KIND)
#undef WORMHOLE_DATA_KIND
/// @endcond

} // namespace ns3

#endif /* SOFTWARE_DATA_COLLECTIVE_H */
