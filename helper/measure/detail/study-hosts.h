// SPDX-License-Identifier: GPL-2.0-only

#ifndef STUDY_HOSTS_H
#define STUDY_HOSTS_H

#include "ns3/collective-domain.h"
#include "ns3/collective-helper.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-option-values.h"
#include "ns3/wormhole-process-hierarchy.h"
#include "ns3/wormhole-topology-factory.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * Hosts for studies of software collectives, whose costs are given as s and r: how long a message
 * keeps its sender busy, and from then until the receiver is active.
 *
 * On an ideal network, a message is at its receiver's when its sender is through with it, and r is
 * what the receiver's software takes. On a fabric, r is what it takes between two hosts of one
 * switch: the receiver's software takes r less the time of a lone worm over two cables, both
 * interfaces included, so that longer ways, and worms that wait for each other, add to it.
 */
class StudyHosts
{
  public:
    StudyHosts()
        : m_ideal(true)
    {
    }

    /// On a fabric.
    /// @param topology its graph and routes; null: as many hosts as are asked for, on one switch
    /// @param linkDelay propagation delay of a cable @param switchDelay delay of a switch and of an
    /// interface
    StudyHosts(std::shared_ptr<const WormholeTopology> topology, Time linkDelay, Time switchDelay);

    static StudyHosts Read(const OptionValues& options);

    /// @return name of the Fibo-tree that is the fastest for some s and r
    static std::string NameFiboTree(Time s, Time r);

    /// @return a fabric of one switch @param hosts number of its hosts
    static FabricGraph MakeStar(uint32_t hosts);

    /// @return the fabric's graph and routes; null: an ideal network, or all hosts on one switch
    std::shared_ptr<const WormholeTopology> GetTopology() const
    {
        return m_topology;
    }

    /// Sets the rate of the fabric's channels.
    /// @throws WormholeError if it is no rate, or a flit takes no whole number of time units
    void SetRate(const std::string& rate, uint32_t flitBytes);

    /// Has traffic beside what Run runs, on a fabric.
    void SetTraffic(const BackgroundTraffic::Parameters& traffic)
    {
        m_traffic = traffic;
    }

    const BackgroundTraffic::Parameters& GetTraffic() const
    {
        return m_traffic;
    }

    /// Places what tasks number as hosts. @param places the fabric's host of each number
    void SetPlaces(const std::vector<uint32_t>& places)
    {
        m_places = places;
    }

    void CheckNumber(uint32_t hosts) const;

    /// @param r from a message's being sent until the receiver is active @param interfaceReceive
    /// part of r in which it occupies the receiver's interface
    /// @throws WormholeError if the fabric's own times are above what is left of r
    void CheckReceiving(Time r, Time interfaceReceive = Time(0)) const;

    struct Task
    {
        std::vector<uint32_t> hosts;             ///< hosts of the members, by rank
        uint32_t rounds{1};                      ///< number of rounds
        Time s;                                  ///< how long a message keeps its sender busy
        Time r;                                  ///< from then until the receiver is active
        std::string receiver{"ReceiveOverhead"}; ///< HostSoftware's attribute for its part of r
        bool isReceiversPart{false}; ///< whether r is what the receiver's software takes, alone
        Time flag{};                 ///< to set or see a flag that a host shares
        Time interfaceSend{};    ///< part of s in which a message occupies its sender's interface
        Time interfaceReceive{}; ///< part of r in which it occupies its receiver's interface
        Time registration{};     ///< to register a buffer
        Time c{}; ///< how long a message keeps both its sender and its receiver busy, besides
        /// On an ideal network, in place of s, r and c; null: none.
        std::shared_ptr<const ProcessHierarchy> levels{};
        /// Whether all wait for the last one, and for BackgroundTraffic::Next, between rounds.
        bool hasPauses{false};
    };

    /**
     * Runs rounds of a collective on new hosts: every member enters the next one as soon as it
     * leaves one, or all do at once after a pause, see Task. Ends the simulation.
     * @return when members leave since they entered first, or with pauses since they entered that
     * round, by round and rank
     * @throws WormholeError if some member does not, or traffic is more than the fabric takes
     */
    std::vector<std::vector<Time>> Run(Ptr<Collective> collective, const Task& task) const;

    /**
     * Has processes spread messages over a tree, one after the other as BackgroundTraffic has
     * rounds begin; process i is at host i. Ends the simulation.
     * @param levels the processes, and what messages cost; several on an ideal network alone
     * @param rounds how many messages; of several levels one
     * @return when each process is active, by round and process, the root at 0
     */
    std::vector<std::vector<Time>> SpreadByTree(const std::string& tree,
                                                const ProcessHierarchy& levels,
                                                uint32_t rounds = 1) const;

    /// Makes a group on new hosts. Ends the simulation.
    /// @return how long it takes until the group is ready
    Time MeasureSetUp(Ptr<Collective> collective, const Task& task) const;

  private:
    Ptr<CollectiveDomain> Create(Ptr<Collective> collective, const Task& task) const;
    Ptr<CollectiveDomain> Install(uint32_t hosts, const Task& task) const;

    /// @return what is left of r when a message is through the network and the interface
    Time GetReceiveOverhead(const Collective& group, const Task& task) const;

    bool m_ideal;                                       ///< whether the network is ideal
    std::shared_ptr<const WormholeTopology> m_topology; ///< the fabric; may be null
    std::vector<uint32_t> m_places;          ///< its host of each number; empty: that itself
    WormholeHelper m_fabrics;                ///< makes it
    BackgroundTraffic::Parameters m_traffic; ///< what there is beside collectives
};

} // namespace ns3

#endif /* STUDY_HOSTS_H */
