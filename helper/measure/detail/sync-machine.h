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

/// A network of workstations as Hyder and Wood (1996) emulate it: nodes, a host, a data network
/// whose messages may be delayed, and a synchronisation hardware or none.
///
/// Node i is host i of every network, the host is the one after the last node. Which collective
/// serves an event is a matter of its name alone:
///
/// - none: butterflies with the fastest radices, and Fibo-trees from and to the host;
/// - hw-1: hw-1 for barriers and the AND of one bit, the rest as none;
/// - hw-all: hw-all for everything;
/// - in-switch: btin on a data fabric, and tree worms for broadcasts.
class SyncMachine
{
  public:
    /// What software and messages cost; defaults: see doc/studies/sync-hardware.rst.
    struct Costs
    {
        Time barrierOverhead{PicoSeconds(10'375'000)};   ///< o of a barrier's message
        Time reductionOverhead{PicoSeconds(11'775'000)}; ///< o of a message with up to 32 bits
        Time wideOverhead{PicoSeconds(13'975'000)};      ///< o of a message with 64 bits
        Time flight{PicoSeconds(1'625'000)};             ///< L0, without the delay
        Time treeS{NanoSeconds(4200)};                   ///< s in trees from and to the host
        Time treeR{NanoSeconds(7300)};                   ///< r there, without the delay
        Time hostOverhead{MicroSeconds(75)}; ///< of the host, after a reduction by software
    };

    struct Parameters
    {
        uint32_t nodes{32};              ///< number of nodes, 2 at least
        std::string hardware{"none"};    ///< one of GetHardwareNames
        Time delay{};                    ///< what is added to every message of the data network
        Costs costs;                     ///< what software costs
        std::string networkDone{"auto"}; ///< acks, add, or auto: add with hw-all alone
        uint32_t networkDoneSums{1};     ///< ADDs of a Network-Done by ADD, 1 at least
        uint32_t broadcastWindow{0};     ///< software broadcasts outstanding at once; 0: any number
        Time broadcastGap{};             ///< least time between two of them
        Time inSwitchStartUp{PicoSeconds(10'375'000)};    ///< in-switch: start-up of a message
        std::shared_ptr<const WormholeTopology> topology; ///< in-switch: fabric; null: one switch
        std::vector<uint32_t> places{}; ///< in-switch: hosts of nodes and of the host; empty: first
    };

    /// A collective that serves an event, with its group made.
    struct Group
    {
        Ptr<Collective> collective;   ///< the collective
        Ptr<CollectiveDomain> domain; ///< what it runs on, its own
        bool hasHost{false};          ///< whether the host is its rank 0, before the nodes
        Time hostAfter{};             ///< what the host does after each round
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

    /// @return whether NETWORK_DONE waits for acknowledgements, else repeats ADD
    bool UsesAcks() const
    {
        return m_parameters.networkDone == "auto" ? m_parameters.hardware != "hw-all"
                                                  : m_parameters.networkDone == "acks";
    }

    /// @return what waiting for acknowledgements adds: a message more in turn
    Time GetAckTime() const
    {
        const auto& costs = m_parameters.costs;
        return costs.barrierOverhead + costs.flight + m_parameters.delay;
    }

    bool IsByHardware(SyncWorkload::Event event) const;

    /// @param event an event, not NETWORK_DONE
    /// @return what it takes by the closed forms: phases of butterflies, the (s, r) model of trees,
    /// the add-on network's attributes, the model of Moh et al. (2001) in the switches; with
    /// in-switch, it ends the simulation
    Time GetModelTime(SyncWorkload::Event event) const;

    Group MakeGroup(SyncWorkload::Event event) const;

    /// @return a group by which the host sees for nothing that all nodes have come
    Group MakeFreeGroup() const;

    /// Runs an event, all members coming at once. Ends the simulation.
    /// @return until the last member leaves
    Time RunEvent(SyncWorkload::Event event) const;

    /// Runs a workload: a process on every node, and one on the host. Ends the simulation.
    ///
    /// In each superstep the host broadcasts what there is to broadcast, one after the other; the
    /// nodes take it, compute, wait until messages have arrived, reduce and meet in a barrier, as
    /// the workload's rates say: rates that are no multiple of the superstep's are spread evenly.
    /// Then the host begins the next one. How it learns that the nodes are through, the paper does
    /// not say; here it costs nothing.
    /// @param computePerSecond what its nodes compute in a second of the run that its rates are of,
    /// in s; at least 0
    /// @return how long that second takes, in s
    double RunWorkload(const SyncWorkload& workload,
                       double computePerSecond,
                       uint32_t supersteps) const;

    /// @param members number of members, 1 at least @param overhead o of a message @param latency
    /// from a message's being sent until it is there
    /// @return falling radices of the fastest butterfly by GetButterflyTime; of several, those with
    /// the greatest product and the most phases
    static std::vector<uint32_t> ChooseRadices(uint32_t members, Time overhead, Time latency);

    /// Phases of (k - 1) o + latency for each radix k, and where members beyond the radices'
    /// product fold in, two more of o + latency.
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

    /// @return the fabric's host of a node or of the host, on the data fabric
    uint32_t GetPlace(uint32_t node) const
    {
        return m_parameters.places.empty() ? node : m_parameters.places.at(node);
    }

    Parameters m_parameters; ///< what the machine is
};

} // namespace ns3

#endif /* SYNC_MACHINE_H */
