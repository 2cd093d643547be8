/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ADD_ON_NETWORK_H
#define ADD_ON_NETWORK_H

#include "collective-message.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/wormhole-activity-recorder.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A synchronisation network beside the data fabric (Hyder and Wood, 1996, section 2.2): an
 *        interface in every host, and a tree that combines what comes from them.
 *
 * It is divided into partitions, one for each group, which know nothing of each other. A partition
 * does one thing: a barrier or reduction to all, a reduction to one, or a broadcast. The attribute
 * Type tells what there is: hw-1 has barriers and the AND of one bit; hw-all has also AND, OR,
 * ADD, MIN and MAX of up to 64 bits, to all members or one, and broadcasts.
 *
 * Interfaces keep what has come, in order, until it is fetched, so that a root may be rounds ahead.
 *
 * Times are those of Table 1 there, from when the last member that is waited for hands its value
 * over until a member whose process is idle has the result: both interfaces are part of them. A
 * stage of the tree that combines adds StageDelay, going up and going down.
 */
class AddOnNetwork : public Object
{
  public:
    /// What a partition does.
    enum class Service : uint8_t
    {
        TO_ALL,    ///< barrier, or a reduction whose result goes to all members
        TO_ONE,    ///< reduction whose result goes to the root
        BROADCAST, ///< the root's value goes to all members
    };

    /// What a group asks for.
    struct Request
    {
        Service service{Service::TO_ALL};                        ///< what is done
        CollectiveOperation operation{CollectiveOperation::AND}; ///< how values are combined
        uint32_t widthBits{1};                                   ///< width of the values
        uint32_t root{0};                                        ///< rank of the root
        std::vector<uint32_t> hosts; ///< members' hosts by rank, each once
    };

    /// Is told that a result is at a member's interface; arguments: rank and result.
    typedef Callback<void, uint32_t, uint64_t> ResultCallback;

    static TypeId GetTypeId();                         ///< @return the object TypeId
    static const std::vector<std::string>& GetTypes(); ///< @return names of types

    /// @return the attribute Type
    const std::string& GetType() const
    {
        return m_type;
    }

    /// @return number of partitions that are not in use
    uint32_t GetNFree() const
    {
        return m_nPartitions - static_cast<uint32_t>(m_partitions.size());
    }

    /// Opens a partition.
    /// @param group identifier of its group, which has none yet
    /// @param request what the group asks for
    /// @param result whom to tell of results
    /// @throws WormholeError if no partition is left, a host is not connected, or the setting has
    /// no such service, operation or width
    void Open(uint16_t group, const Request& request, ResultCallback result);

    /// Closes a partition; what is under way there is lost. @param group its group
    void Close(uint16_t group);

    /// A value is at a member's interface.
    /// @param group the group
    /// @param rank the member
    /// @param value its value
    void Arrive(uint16_t group, uint32_t rank, uint64_t value);

    /// @param activities where what it does is recorded
    void SetActivities(Ptr<ActivityRecorder> activities)
    {
        m_activities = activities;
    }

    /// @return how long a process is busy to hand over a value, and as long to fetch a result
    Time GetInterfaceTime() const
    {
        return m_interfaceTime;
    }

    /// @return how long it takes to open or close a partition
    Time GetPartitionTime() const
    {
        return m_partitionTime;
    }

    /// @param request what a group asks for
    /// @return what it takes where all members come at once
    /// @throws WormholeError if the interfaces alone take longer
    Time GetLatency(const Request& request) const;

    /// Callback of the trace source Combined.
    /// @param group the group
    /// @param result all values combined
    typedef void (*CombinedTracedCallback)(uint16_t group, uint64_t result);

  protected:
    void DoDispose() override;

  private:
    /// One member's values that the network has not used yet; members may be rounds ahead.
    typedef std::vector<uint64_t> Waiting;

    struct Partition
    {
        Request request;              ///< what it does
        ResultCallback result;        ///< whom to tell
        Time flight;                  ///< from the last interface to the interfaces of receivers
        uint64_t serial{0};           ///< tells it from one of the same group before it
        std::vector<Waiting> waiting; ///< by rank: values not combined yet, oldest first
    };

    void Check(const Request& request) const;
    void Deliver(uint16_t group, uint64_t serial, uint64_t result);
    void SetType(std::string type);

    /// That of the domain.
    Ptr<ActivityRecorder> m_activities{Create<ActivityRecorder>()};
    std::string m_type;                         ///< attribute
    uint32_t m_nPartitions{0};                  ///< attribute
    uint32_t m_nPorts{0};                       ///< attribute
    uint32_t m_radix{0};                        ///< attribute
    Time m_interfaceTime;                       ///< attribute
    Time m_stageDelay;                          ///< attribute
    Time m_partitionTime;                       ///< attribute
    Time m_barrierTime;                         ///< attribute
    Time m_reductionTime;                       ///< attribute
    Time m_wideReductionTime;                   ///< attribute
    Time m_toOneTime;                           ///< attribute
    Time m_broadcastTime;                       ///< attribute
    uint64_t m_nOpened{0};                      ///< partitions opened so far
    std::map<uint16_t, Partition> m_partitions; ///< in use, by group

    TracedCallback<uint16_t, uint64_t> m_combinedTrace; ///< trace source Combined
};

} // namespace ns3

#endif /* ADD_ON_NETWORK_H */
