// SPDX-License-Identifier: GPL-2.0-only

#ifndef SYNC_MACHINE_H
#define SYNC_MACHINE_H

#include "sync-workload.h"

#include "ns3/collective-domain.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-topology-factory.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// A network of workstations as Hyder and Wood (1996) emulate it: nodes, the host that starts
/// programs, a data network that may delay messages, and synchronisation hardware or none.
///
/// Node i has number i in every network, and the host has the number after the last node's. The
/// name of the hardware determines the algorithm that serves an event:
///
/// - none: butterflies with the fastest radices, and Fibo-trees from and to the host;
/// - hw-1: hw-1 for barriers and the AND of one bit, and the algorithms of none for other events;
/// - hw-all: hw-all for all events;
/// - in-switch: tree worms for broadcasts and btin for other events, on a data fabric.
class SyncMachine
{
  public:
    /// Costs of software and messages; for the defaults see doc/studies/sync-hardware.rst.
    struct Costs
    {
        Time barrierOverhead{PicoSeconds(10'375'000)};   ///< overhead o of a barrier's message
        Time reductionOverhead{PicoSeconds(11'775'000)}; ///< o of a message with up to 32 bits
        Time wideOverhead{PicoSeconds(13'975'000)};      ///< o of a message with 64 bits
        Time flight{PicoSeconds(1'625'000)};             ///< latency L0, without the delay
        Time treeS{NanoSeconds(4200)};                   ///< s in trees from and to the host
        Time treeR{NanoSeconds(7300)};                   ///< r in these trees, without the delay
        Time hostOverhead{MicroSeconds(75)}; ///< host's time after a reduction by software
    };

    struct Parameters
    {
        uint32_t nodes{32};              ///< number of nodes, at least 2
        std::string hardware{"none"};    ///< one of GetHardwareNames
        Time delay{};                    ///< delay of every message of the data network
        Costs costs;                     ///< costs of software
        std::string networkDone{"auto"}; ///< acks, add, or auto: add only with hw-all
        uint32_t networkDoneSums{1};     ///< number of ADDs of a Network-Done by ADD, at least 1
        uint32_t broadcastWindow{0};     ///< maximum outstanding software broadcasts; 0: no limit
        Time broadcastGap{};             ///< minimum time between two of these broadcasts
        Time inSwitchStartUp{PicoSeconds(10'375'000)};    ///< in-switch: start-up of a message
        std::shared_ptr<const WormholeTopology> topology; ///< in-switch: fabric; null: one switch
        std::vector<uint32_t> places{}; ///< in-switch: hosts of nodes and of the host; empty: first
    };

    /// A collective that serves an event, and whose group exists.
    struct Group
    {
        Ptr<Collective> collective;   ///< the collective
        Ptr<CollectiveDomain> domain; ///< its own domain
        bool hasHost{false};          ///< whether the host is a member, with rank 0
        Time hostAfter{};             ///< computing time of the host after each round
    };

    static const std::vector<std::string>& GetHardwareNames()
    {
        static const std::vector<std::string> names{"none", "hw-1", "hw-all", "in-switch"};
        return names;
    }

    explicit SyncMachine(const Parameters& parameters);

    const Parameters& GetParameters() const
    {
        return m_parameters;
    }

    /// @return whether NETWORK_DONE waits for acknowledgements; if not, it repeats ADD
    bool UsesAcks() const
    {
        return m_parameters.networkDone == "auto" ? m_parameters.hardware != "hw-all"
                                                  : m_parameters.networkDone == "acks";
    }

    /// @return time of waiting for acknowledgements: that of one more message
    Time GetAckTime() const
    {
        const auto& costs = m_parameters.costs;
        return costs.barrierOverhead + costs.flight + m_parameters.delay;
    }

    bool IsByHardware(SyncWorkload::Event event) const;

    /// @param event an event, not NETWORK_DONE
    /// @return its time by closed forms: phases of butterflies, the (s, r) model of trees, the
    /// add-on network's attributes, or the model of Moh et al. (2001) for in-switch, in which case
    /// it ends the simulation
    Time GetModelTime(SyncWorkload::Event event) const;

    Group MakeGroup(SyncWorkload::Event event) const;

    /// @return a group by which the host learns at no cost that all nodes have arrived
    Group MakeFreeGroup() const;

    /// Runs an event, at which all members arrive at once. Ends the simulation.
    /// @return time until the last member leaves
    Time RunEvent(SyncWorkload::Event event) const;

    /// Runs a workload: a process on every node, and one on the host. Ends the simulation.
    ///
    /// In each superstep the host performs its broadcasts one after the other. The nodes receive
    /// them, compute, wait until messages have arrived, reduce and meet in a barrier, all as often
    /// as the workload's rates require; rates that are no multiple of the superstep's are spread
    /// evenly. Then the host begins the next superstep. The paper does not say how the host learns
    /// that the nodes have finished; here that costs nothing.
    /// @param computePerSecond the nodes' computing time, in s, per second of the reference run, in
    /// which the rates were counted; at least 0
    /// @return how long the work of such a second takes here, in s
    double RunWorkload(const SyncWorkload& workload,
                       double computePerSecond,
                       uint32_t supersteps) const;

    /// @param members number of members, at least 1 @param overhead o of a message @param latency
    /// time from a message's sending until its arrival
    /// @return radices, in falling order, of the fastest butterfly by GetButterflyTime; if several
    /// are as fast, the one with the largest product, and then the most phases
    static std::vector<uint32_t> ChooseRadices(uint32_t members, Time overhead, Time latency);

    /// Time of a phase for each radix k, (k - 1) o + latency, and, if there are members beyond the
    /// radices' product, of two more phases of o + latency.
    /// @param overhead,latency as in ChooseRadices
    static Time GetButterflyTime(uint32_t members,
                                 const std::vector<uint32_t>& radices,
                                 Time overhead,
                                 Time latency)
    {
        Time time;
        uint32_t product = 1;
        for (const auto radix : radices)
        {
            time += overhead * static_cast<int64_t>(radix - 1) + latency;
            product *= radix;
        }
        return product == members ? time : time + (overhead + latency) * 2;
    }

  private:
    Time GetInSwitchTime(SyncWorkload::Event event) const;
    Time GetOverhead(SyncWorkload::Event event) const;
    std::string GetTreeName() const;
    std::string GetCollectiveName(SyncWorkload::Event event) const;
    Ptr<CollectiveDomain> MakeDomain(SyncWorkload::Event event) const;
    std::vector<uint32_t> GetHosts(bool hasHost) const;

    /// @return the number, in the data fabric, of a node or of the host that starts programs
    uint32_t GetPlace(uint32_t node) const
    {
        return m_parameters.places.empty() ? node : m_parameters.places.at(node);
    }

    Parameters m_parameters; ///< parameters of the machine
};

} // namespace ns3

#endif /* SYNC_MACHINE_H */
