// SPDX-License-Identifier: GPL-2.0-only

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

/// @ingroup wormhole
/// @brief A synchronisation network separate from the data fabric (Hyder and Wood, 1996, section
///        2.2): an interface in every host, and a tree that combines members' values.
///
/// It is divided into independent partitions, one per group, each with one Service. The attribute
/// Type selects what is available: hw-1 has only barriers and the AND of one bit, with the result
/// for all members; hw-all has every Service, and combines values of up to 64 bits by AND, OR, ADD,
/// MIN or MAX.
///
/// Interfaces queue results until processes fetch them, so a broadcast's root waits for no member.
///
/// Default latencies are from Table 1 of Hyder and Wood. A latency begins when the last awaited
/// member starts to hand over its value, and ends when an idle process has fetched the result.
/// Each combining stage of the tree adds one StageDelay on the way up, and one on the way down.
class AddOnNetwork : public Object
{
  public:
    /// The service of a partition.
    enum class Service : uint8_t
    {
        TO_ALL,    ///< barrier, or a reduction whose result goes to all members
        TO_ONE,    ///< reduction whose result goes to the root
        BROADCAST, ///< the root's value goes to all other members
    };

    /// A group's request.
    struct Request
    {
        Service service{Service::TO_ALL};                        ///< the service
        CollectiveOperation operation{CollectiveOperation::AND}; ///< how values are combined
        uint32_t widthBits{1};                                   ///< width of the values, 1 to 64
        uint32_t root{0};                                        ///< rank of the root
        std::vector<uint32_t> hosts; ///< members' hosts by rank, each host once
    };

    /// Called when a result reaches a member's interface; arguments: rank and result.
    typedef Callback<void, uint32_t, uint64_t> ResultCallback;

    static TypeId GetTypeId(); ///< @return the object TypeId

    /// @return possible values of the attribute Type
    static const std::vector<std::string>& GetTypes()
    {
        static const std::vector<std::string> types{"hw-1", "hw-all"};
        return types;
    }

    /// @return the attribute Type
    const std::string& GetType() const
    {
        return m_type;
    }

    /// @return number of free partitions
    uint32_t GetNFree() const
    {
        return m_nPartitions - static_cast<uint32_t>(m_partitions.size());
    }

    /// Opens a partition.
    /// @param group identifier of its group, which has no partition yet
    /// @param request the group's request
    /// @param result called for each result and each member that gets it
    /// @throws WormholeError as GetLatency, or if no partition is free, a host is not connected,
    ///         or hw-1 does not provide this service, operation or width
    void Open(uint16_t group, const Request& request, ResultCallback result);

    /// Closes a partition; values in progress are lost. @param group its group
    void Close(uint16_t group);

    /// Passes a member's value to the member's interface.
    /// @param group the group
    /// @param rank the member
    /// @param value its value
    void Arrive(uint16_t group, uint32_t rank, uint64_t value);

    /// @param activities the domain's activity recorder
    void SetActivities(Ptr<ActivityRecorder> activities)
    {
        m_activities = activities;
    }

    /// @return time for which a process is busy to hand over a value, or to fetch a result
    Time GetInterfaceTime() const
    {
        return m_interfaceTime;
    }

    /// @return time to open or close a partition
    Time GetPartitionTime() const
    {
        return m_partitionTime;
    }

    /// @param request a group's request
    /// @return the latency of a round if all members arrive at once
    /// @throws WormholeError if the service's latency attribute is below 2 InterfaceTime
    Time GetLatency(const Request& request) const;

    /// Callback of the trace source Combined.
    /// @param group the group
    /// @param result the combined value
    typedef void (*CombinedTracedCallback)(uint16_t group, uint64_t result);

  protected:
    void DoDispose() override
    {
        m_partitions.clear();
        Object::DoDispose();
    }

  private:
    /// A member's values that are not combined yet; a member may be rounds ahead of others.
    typedef std::vector<uint64_t> Waiting;

    struct Partition
    {
        Request request;
        ResultCallback result;
        Time flight;        ///< time from the last sender's interface to the receivers' interfaces
        uint64_t serial{0}; ///< distinguishes it from earlier partitions of the same group
        std::vector<Waiting> waiting; ///< by rank: values to be combined, oldest first
    };

    void Check(const Request& request) const;
    void Deliver(uint16_t group, uint64_t serial, uint64_t result);

    Ptr<ActivityRecorder> m_activities{Create<ActivityRecorder>()};
    std::string m_type;
    uint32_t m_nPartitions{0};
    uint32_t m_nPorts{0};
    uint32_t m_radix{0};
    Time m_interfaceTime;
    Time m_stageDelay;
    Time m_partitionTime;
    Time m_barrierTime;
    Time m_reductionTime;
    Time m_wideReductionTime;
    Time m_toOneTime;
    Time m_broadcastTime;
    uint64_t m_nOpened{0};                      ///< partitions opened so far
    std::map<uint16_t, Partition> m_partitions; ///< in use, by group

    TracedCallback<uint16_t, uint64_t> m_combinedTrace;
};

} // namespace ns3

#endif /* ADD_ON_NETWORK_H */
