// SPDX-License-Identifier: GPL-2.0-only

#ifndef COLLECTIVE_DOMAIN_H
#define COLLECTIVE_DOMAIN_H

#include "wormhole-process-hierarchy.h"

#include "ns3/add-on-network.h"
#include "ns3/collective-unit.h"
#include "ns3/fabric-graph.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/wormhole-activity-recorder.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-host-software.h"

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace ns3
{

class GroupFailures;

/// @ingroup wormhole
/// @brief A group's interface to a CollectiveDomain: receives what arrives for the group.
class CollectiveClient
{
  public:
    virtual ~CollectiveClient() = default;

    /// A message of the group has arrived at a host. @param host number of the host
    /// @param worm the message, a HostMessageWorm or a CollectiveWorm
    virtual void ReceiveAt(uint32_t host, Ptr<const Worm> worm) = 0;

    /// A switch's register of the group has been written, freed, or restored from a host.
    /// @param fabricSwitch number of the switch @param type SETUP, RELEASE or RESTORE
    virtual void RegisterChanged([[maybe_unused]] uint32_t fabricSwitch,
                                 [[maybe_unused]] CollectiveMessage::Type type)
    {
    }

    /// @return what the group knows of dead hosts and lost messages
    virtual GroupFailures& GetFailures() = 0;

    /// @return who delays a round, such as "group 3 waits for h4 (1 of 16 members)"; or ""
    virtual std::string ExplainMissing() const = 0;

    /// @param fabricSwitch number of a switch with a register of the group
    /// @return route from the switch to the host that may take over the register; null: no host may
    virtual Ptr<const WormRoute> GetRouteToKeeper([[maybe_unused]] uint32_t fabricSwitch) const
    {
        return nullptr;
    }

    /// @return whether a switch keeps the group's register although no KEEP_ALIVE messages arrive,
    ///         since the group is at rest @param fabricSwitch number of the switch
    virtual bool IsKept([[maybe_unused]] uint32_t fabricSwitch) const
    {
        return false;
    }
};

/// @ingroup wormhole
/// @brief The collectives' view of a fabric: its graph, the software of its hosts, the collective
///        engines of its switches, and group identifiers.
///
/// With the attribute Network=ideal, messages between hosts do not use the fabric, but arrive a
/// fixed time (Latency) after they leave their host, and wait only for hosts' interfaces. This is
/// the network of the (s, r) model: a send occupies its process for s; r is Latency plus the
/// receiver's software time. A domain with Network=ideal needs no fabric.
///
/// The fabric counts each interface as a host; here, a host has the number of its first interface.
class CollectiveDomain : public Object
{
  public:
    CollectiveDomain();

    static TypeId GetTypeId(); ///< @return the object TypeId

    /// @param fabric the fabric @param graph its graph
    void SetFabric(Ptr<WormholeFabric> fabric, const FabricGraph& graph);

    /// @return whether messages between hosts use the ideal network
    bool IsIdeal() const
    {
        return m_ideal || !m_fabric;
    }

    /// @return flight time of messages on the ideal network
    Time GetLatency() const
    {
        return m_latency;
    }

    /// On the ideal network, replaces Latency and the costs of a schedule's sends and receives by
    /// the costs of each message's level, see ProcessHierarchy.
    /// @param levels the levels @throws WormholeError if they have fewer hosts than the domain
    void SetLevels(const ProcessHierarchy& levels);

    /// @return the levels of the ideal network's hosts; null without SetLevels
    std::shared_ptr<const ProcessHierarchy> GetLevels() const
    {
        return m_levels;
    }

    /// @return number of hosts
    uint32_t GetNHosts() const
    {
        return static_cast<uint32_t>(m_software.size());
    }

    /// @return the activity recorder of the domain's hosts and switches, for RoundExplainer
    ActivityRecorder& GetActivities() const
    {
        return *m_activities;
    }

    /// @return a host's name @param host its number
    std::string GetHostName(uint32_t host) const
    {
        return m_fabric ? m_graph.GetName(m_graph.HostAt(host)) : "h" + std::to_string(host);
    }

    /// Adds the next host's software, including its interfaces. @param software the software
    void AddSoftware(Ptr<HostSoftware> software);

    /// Adds the collective engine of the switch with the next number. @param unit the engine
    void AddUnit(Ptr<CollectiveUnit> unit)
    {
        const auto number = static_cast<uint32_t>(m_units.size());
        unit->SetChangeCallback(m_changed, number);
        unit->SetKept([this, number](uint16_t group) {
            const auto client = FindClient(group);
            return client && client->IsKept(number);
        });
        unit->SetActivities(m_activities);
        m_units.push_back(unit);
    }

    /// Adds an add-on network, replacing one of the same type. @param network the network
    void AddAddOnNetwork(Ptr<AddOnNetwork> network)
    {
        network->SetActivities(m_activities);
        m_addOnNetworks[network->GetType()] = network;
    }

    /// @return an add-on network @param setting its type, hw-1 or hw-all
    /// @throws WormholeError if there is none
    Ptr<AddOnNetwork> GetAddOnNetwork(const std::string& setting) const;

    /// @return number that the fabric gives a host's interface; if the host has no such interface,
    ///         number of its first one @param host,interface numbers of host and interface
    uint32_t GetInterfaceHost(uint32_t host, uint32_t interface) const
    {
        const auto found = m_graph.GetInterfaces().find(host);
        return found == m_graph.GetInterfaces().end() || interface >= found->second.size()
                   ? host
                   : found->second[interface];
    }

    /// @return number of an interface's host @param host the interface's number in the fabric
    uint32_t FindFirstInterface(uint32_t host) const
    {
        return FindOwner(host).host;
    }

    /// @return the fabric
    Ptr<WormholeFabric> GetFabric() const
    {
        return m_fabric;
    }

    /// @return the fabric's graph
    const FabricGraph& GetGraph() const
    {
        return m_graph;
    }

    /// @return graph of what outages leave of the fabric; null if recovery has not changed routes
    ///         @param hosts the group's hosts, see RouteRecovery::FindLeft
    std::unique_ptr<const FabricGraph> FindGraphLeft(const std::vector<uint32_t>& hosts) const;

    /// Returns the mean time that worms wait for a channel, given the output that sends on it.
    using ChannelWait = std::function<Time(FabricGraph::End)>;

    /// @return number of the host at the root of the quickest tree (BarrierTree::FindQuickest), for
    ///         Collective::Move; a channel costs flit time + delay + next switch's delay + `wait`
    /// @param hosts numbers of members' hosts, each once
    /// @param wait gives the wait for a channel between switches, see ChannelRecord::TakeWaits
    /// @throws WormholeError on an ideal network, or as BarrierTree does
    uint32_t FindRootHost(const std::vector<uint32_t>& hosts, const ChannelWait& wait) const;

    /// @return route from a host to a switch, which may be the host's own
    /// @param host,fabricSwitch their numbers
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t host, uint32_t fabricSwitch) const;

    /// @return route from a switch to a host, the reverse of GetRouteToSwitch: it keeps the rule of
    ///         up/down routes, but not dimension order @param fabricSwitch,host numbers
    Ptr<const WormRoute> GetRouteFromSwitch(uint32_t fabricSwitch, uint32_t host) const;

    /// @return route of a switch's answer to a host: that of messages from the switch's first host,
    ///         or GetRouteFromSwitch if the switch has no host @param fabricSwitch,host numbers
    Ptr<const WormRoute> GetAnswerRoute(uint32_t fabricSwitch, uint32_t host) const;

    /// @return whether an outage currently cuts a host off @param host its number
    bool IsCutOff(uint32_t host) const;

    /// @return a host's software @param host its number @throws WormholeError if it has none
    Ptr<HostSoftware> GetSoftware(uint32_t host) const;
    /// @return a switch's collective engine @param fabricSwitch its number
    Ptr<CollectiveUnit> GetUnit(uint32_t fabricSwitch) const;

    /// @return the lowest free identifier, which is then assigned to the group
    /// @param client the group @param idBits width of identifiers in messages
    /// @throws WormholeError if all identifiers of that width are in use
    uint16_t Join(CollectiveClient* client, uint32_t idBits);

    /// @return CollectiveClient::GetRouteToKeeper of a group; null if the group no longer exists
    /// @param group,fabricSwitch numbers of the group and of the switch
    Ptr<const WormRoute> GetRouteToKeeper(uint16_t group, uint32_t fabricSwitch) const
    {
        const auto client = FindClient(group);
        return client ? client->GetRouteToKeeper(fabricSwitch) : nullptr;
    }

    /// Frees a group's identifier. @param group the identifier
    void Leave(uint16_t group)
    {
        m_clients.erase(group);
    }

    /// Retires the identifier of a group that no longer exists, but still has registers or messages
    /// in flight: no group gets it again; a message for it is an error. @param group the identifier
    void Abandon(uint16_t group)
    {
        m_clients[group] = nullptr;
    }

    /// Like Abandon, for a failed group: ignores the group's messages, and frees its registers.
    /// @param group the identifier
    void Drop(uint16_t group);

    /// @return whether members detect dead hosts by heartbeats
    bool UsesHeartbeats() const
    {
        return m_detector == "heartbeat" && !IsIdeal();
    }

    /// @return one line with every group's ExplainMissing, for deadlock reports and simulations
    ///         that ended early; empty if no group waits
    std::string ExplainMissing() const;

    /// Fires the trace source Sent. @param group,message,receivers,start see SentTracedCallback
    void NotifySent(uint16_t group, const HostMessage& message, uint32_t receivers, Time start)
    {
        if (!m_sentTrace.IsEmpty())
        {
            m_sentTrace(group, message, receivers, start);
        }
    }

    /// Fires the trace source Received. @param group,message,host see ReceivedTracedCallback
    void NotifyReceived(uint16_t group, const HostMessage& message, uint32_t host)
    {
        if (!m_receivedTrace.IsEmpty())
        {
            m_receivedTrace(group, message, host);
        }
    }

    /// Callback of the trace source Failed. @param group the group @param rank the member
    /// @param hosts hosts that were missing, ascending @param reason why the member failed
    typedef void (*FailedTracedCallback)(uint16_t group,
                                         uint32_t rank,
                                         const std::vector<uint32_t>& hosts,
                                         const std::string& reason);

    /// Callback of the trace source Joined. @param group the identifier @param client the group
    typedef void (*JoinedTracedCallback)(uint16_t group, CollectiveClient* client);

    /// Callback of the trace source Sent. @param group the group
    /// @param message the message; its field group need not be set
    /// @param receivers number of receivers
    /// @param start when the message leaves its sender's software: now, or at a later time
    typedef void (*SentTracedCallback)(uint16_t group,
                                       const HostMessage& message,
                                       uint32_t receivers,
                                       Time start);

    /// Callback of the trace source Received. @param group the group
    /// @param message the message; its field group need not be set @param host number of the host
    typedef void (*ReceivedTracedCallback)(uint16_t group,
                                           const HostMessage& message,
                                           uint32_t host);

  protected:
    void DoDispose() override;

  private:
    friend class GroupFailures;

    /// Receives a message; it may have to wait for the host's interface.
    void Receive(uint32_t host, Ptr<const Worm> worm);
    void Deliver(uint32_t host, Ptr<const Worm> worm); ///< Delivers a message to its group.
    void DeliverNow(uint32_t host, const Ptr<const Worm>& worm);
    void NotifyOutage(const WormholeOutage& outage);
    void NotifyDead(std::vector<uint32_t> hosts); ///< The fabric has found hosts dead.

    /// @return whether all of a host's cables are among the given ones
    bool IsCutOff(uint32_t host, const std::set<Ptr<WormholeChannel>>& cables) const;
    void GiveUp(uint32_t from, const HostMessage& message, uint32_t to);

    void Change(uint32_t fabricSwitch, uint16_t group, CollectiveMessage::Type type);

    /// @return a group; null if it does not exist, or no longer exists
    CollectiveClient* FindClient(uint16_t group) const
    {
        const auto found = m_clients.find(group);
        return found == m_clients.end() ? nullptr : found->second;
    }

    CollectiveClient& ClientOf(uint16_t group) const;

    struct InterfaceOwner
    {
        uint32_t host; ///< number of the host, which is that of its first interface
        uint32_t interface;
    };

    InterfaceOwner FindOwner(uint32_t host) const
    {
        const auto found = m_owners.find(host);
        return found == m_owners.end() ? InterfaceOwner{host, 0} : found->second;
    }

    std::string m_detector;                        ///< attribute FailureDetector
    Time m_heartbeatInterval;                      ///< attribute HeartbeatInterval
    Time m_failureDelay;                           ///< attribute FailureDelay
    std::set<uint16_t> m_dropped;                  ///< identifiers of groups that have failed
    std::multimap<Time, WormholeOutage> m_outages; ///< outages reported, by the time of their end
    /// Recorder shared by hosts, collective engines and add-on networks.
    const Ptr<ActivityRecorder> m_activities{Create<ActivityRecorder>()};
    bool m_ideal{false}; ///< attribute Network
    Time m_latency;
    std::shared_ptr<const ProcessHierarchy> m_levels; ///< levels of the ideal network; may be null
    Ptr<WormholeFabric> m_fabric;                     ///< null on an ideal network without a fabric
    FabricGraph m_graph{0, 0, 0};
    WormholeNetDevice::HostReceiver m_receiver;
    CollectiveUnit::ChangeCallback m_changed;    ///< called on changes of all switches' registers
    std::vector<Ptr<HostSoftware>> m_software;   ///< by host
    std::map<uint32_t, InterfaceOwner> m_owners; ///< owners of interfaces other than the first
    std::vector<Ptr<CollectiveUnit>> m_units;    ///< by switch
    std::map<std::string, Ptr<AddOnNetwork>> m_addOnNetworks; ///< by type
    std::map<uint16_t, CollectiveClient*> m_clients;          ///< by identifier; null: abandoned

    TracedCallback<uint16_t, CollectiveClient*> m_joinedTrace;
    TracedCallback<uint16_t, uint32_t, const std::vector<uint32_t>&, const std::string&>
        m_failedTrace;
    TracedCallback<uint16_t, const HostMessage&, uint32_t, Time> m_sentTrace;
    TracedCallback<uint16_t, const HostMessage&, uint32_t> m_receivedTrace;
};

} // namespace ns3

#endif /* COLLECTIVE_DOMAIN_H */
