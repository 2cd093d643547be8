/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

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

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief A group's side of a CollectiveDomain: is told what comes for it.
class CollectiveClient
{
  public:
    virtual ~CollectiveClient() = default;

    /// A message of the group has arrived at a host.
    /// @param host number of the host
    /// @param worm the message, a HostMessageWorm or a CollectiveWorm
    virtual void ReceiveAt(uint32_t host, Ptr<const Worm> worm) = 0;

    /// A register of the group has been written, freed, or written again after a backup.
    /// @param fabricSwitch number of the switch
    /// @param type SETUP, RELEASE or RESTORE
    virtual void RegisterChanged([[maybe_unused]] uint32_t fabricSwitch,
                                 [[maybe_unused]] CollectiveMessage::Type type)
    {
    }

    /// Who holds up a round that has begun.
    /// @return one line, such as "group 3 waits for h4, h17 (2 of 16 members)"; empty when no
    /// member is inside
    virtual std::string ExplainMissing() const = 0;

    /// @param fabricSwitch number of a switch with a register of the group
    /// @return route from the switch to the host that would keep the register if another group
    /// needs its place; null: it cannot be moved
    virtual Ptr<const WormRoute> GetRouteToKeeper([[maybe_unused]] uint32_t fabricSwitch) const
    {
        return nullptr;
    }
};

/**
 * @ingroup wormhole
 * @brief What collectives need of a fabric: its graph, the software of its hosts, the collective
 *        units of its switches, and group identifiers.
 *
 * With the attribute Network ideal, messages between hosts do not use the fabric, but arrive
 * Latency after their send is over, whatever else is on its way: the network of the (s, r) model,
 * in which r is Latency and what the receiver's software takes. Such a domain needs no fabric.
 *
 * Where hosts have several interfaces, the fabric has a host for each; here hosts are counted, and
 * have the numbers of their first interfaces.
 */
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

    /// Has messages between hosts of the ideal network cost what the level at which these part
    /// does, in place of Latency and of the times of their software.
    /// @param levels the hosts
    /// @throws WormholeError if they are fewer than the domain has
    void SetLevels(const ProcessHierarchy& levels);

    /// @return the levels of the ideal network's hosts; null if there are none
    std::shared_ptr<const ProcessHierarchy> GetLevels() const
    {
        return m_levels;
    }

    /// @return number of hosts
    uint32_t GetNHosts() const
    {
        return static_cast<uint32_t>(m_software.size());
    }

    /// @return the record of what its hosts and switches do, for RoundExplainer
    ActivityRecorder& GetActivities() const
    {
        return *m_activities;
    }

    /// @return name of a host @param host number of the host
    std::string GetHostName(uint32_t host) const;

    /// Adds the software of the next host, which has its interfaces. @param software the software
    void AddSoftware(Ptr<HostSoftware> software);

    /// Adds the collective unit of the next switch. @param unit the unit
    void AddUnit(Ptr<CollectiveUnit> unit);

    /// Adds an add-on network, in place of one of the same setting. @param network the network
    void AddAddOnNetwork(Ptr<AddOnNetwork> network);

    /// @param setting what it has, hw-1 or hw-all
    /// @return the add-on network
    /// @throws WormholeError if there is none
    Ptr<AddOnNetwork> GetAddOnNetwork(const std::string& setting) const;

    /// @param host number of a host
    /// @param interface number of one of its interfaces
    /// @return which host of the fabric that is; its first interface if it has fewer
    uint32_t GetInterfaceHost(uint32_t host, uint32_t interface) const;

    /// @return the host that a host of the fabric is an interface of; itself if of no other
    /// @param host number of a host of the fabric
    uint32_t FindFirstInterface(uint32_t host) const;

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

    /// @return way from a host to a switch, which may be its own
    /// @param host number of the host
    /// @param fabricSwitch number of the switch
    Ptr<const WormRoute> GetRouteToSwitch(uint32_t host, uint32_t fabricSwitch) const;

    /// @return way from a switch to a host, by the cables of GetRouteToSwitch: what is up and then
    /// down from one end is so from the other
    /// @param fabricSwitch number of the switch
    /// @param host number of the host
    Ptr<const WormRoute> GetRouteFromSwitch(uint32_t fabricSwitch, uint32_t host) const;

    /// @return a host's software
    /// @param host number of the host
    /// @throws WormholeError if it has none
    Ptr<HostSoftware> GetSoftware(uint32_t host) const;
    /// @return a switch's collective unit @param fabricSwitch number of the switch
    Ptr<CollectiveUnit> GetUnit(uint32_t fabricSwitch) const;

    /// Gives a group the least identifier that is free.
    /// @param client the group
    /// @param idBits width of identifiers in messages
    /// @return the identifier
    /// @throws WormholeError if all identifiers of that width are in use
    uint16_t Join(CollectiveClient* client, uint32_t idBits);

    /// @return as CollectiveClient::GetRouteToKeeper, of a group; null if the group is gone
    /// @param group the identifier
    /// @param fabricSwitch number of the switch
    Ptr<const WormRoute> GetRouteToKeeper(uint16_t group, uint32_t fabricSwitch) const;

    void Leave(uint16_t group); ///< Frees a group's identifier. @param group the identifier

    /// A group is gone that still has messages on their way or registers in switches, so that its
    /// identifier is not given to another: a message for it is an error.
    /// @param group the identifier
    void Abandon(uint16_t group);

    /// Whom the groups wait for; worth a look when a simulation has ended early. It is also part of
    /// the report of a deadlock.
    /// @return one line with what ExplainMissing says of every group; empty if nobody waits
    std::string ExplainMissing() const;

    /// A message between members leaves its sender's software.
    /// @param group the group
    /// @param message the message, whose group need not be set
    /// @param receivers number of receivers
    /// @param start when it leaves, now or later
    void NotifySent(uint16_t group, const HostMessage& message, uint32_t receivers, Time start)
    {
        if (!m_sentTrace.IsEmpty())
        {
            m_sentTrace(group, message, receivers, start);
        }
    }

    /// A message between members has come to its receiver's software.
    /// @param group the group
    /// @param message the message, whose group need not be set
    /// @param host number of the host
    void NotifyReceived(uint16_t group, const HostMessage& message, uint32_t host)
    {
        if (!m_receivedTrace.IsEmpty())
        {
            m_receivedTrace(group, message, host);
        }
    }

    /// Callback of the trace source Joined. @param group the identifier @param client the group
    typedef void (*JoinedTracedCallback)(uint16_t group, CollectiveClient* client);

    /// Callback of the trace source Sent.
    /// @param group the group
    /// @param message the message; its field group need not be set
    /// @param receivers number of receivers
    /// @param start when it leaves its sender's software, now or later
    typedef void (*SentTracedCallback)(uint16_t group,
                                       const HostMessage& message,
                                       uint32_t receivers,
                                       Time start);

    /// Callback of the trace source Received.
    /// @param group the group
    /// @param message the message; its field group need not be set
    /// @param host number of the host
    typedef void (*ReceivedTracedCallback)(uint16_t group,
                                           const HostMessage& message,
                                           uint32_t host);

  protected:
    void DoDispose() override;

  private:
    /// A message has come; it may have to wait for the host's interface.
    void Receive(uint32_t host, Ptr<const Worm> worm);

    void Deliver(uint32_t host, Ptr<const Worm> worm); ///< Hands a message to its group.

    void Change(uint32_t fabricSwitch, uint16_t group, CollectiveMessage::Type type);
    CollectiveClient& ClientOf(uint16_t group) const;

    struct InterfaceOwner
    {
        uint32_t host;      ///< number of the host, which is that of its first interface
        uint32_t interface; ///< number of the interface
    };

    InterfaceOwner FindOwner(uint32_t host) const;
    void SetNetwork(std::string name);
    std::string GetNetwork() const;

    /// Shared by hosts, units and networks.
    const Ptr<ActivityRecorder> m_activities{Create<ActivityRecorder>()};
    bool m_ideal{false};                              ///< attribute Network
    Time m_latency;                                   ///< attribute
    std::shared_ptr<const ProcessHierarchy> m_levels; ///< of the ideal network; may be null
    Ptr<WormholeFabric> m_fabric;                ///< the fabric; null on an ideal network alone
    FabricGraph m_graph{0, 0, 0};                ///< its graph
    WormholeNetDevice::HostReceiver m_receiver;  ///< takes messages at all hosts
    CollectiveUnit::ChangeCallback m_changed;    ///< told of the registers of all switches
    std::vector<Ptr<HostSoftware>> m_software;   ///< by host
    std::map<uint32_t, InterfaceOwner> m_owners; ///< of interfaces that are not their hosts' first
    std::vector<Ptr<CollectiveUnit>> m_units;    ///< by switch
    std::map<std::string, Ptr<AddOnNetwork>> m_addOnNetworks; ///< by setting
    std::map<uint16_t, CollectiveClient*> m_clients;          ///< by identifier; null: abandoned

    TracedCallback<uint16_t, CollectiveClient*> m_joinedTrace; ///< trace source Joined
    /// Trace source Sent.
    TracedCallback<uint16_t, const HostMessage&, uint32_t, Time> m_sentTrace;
    /// Trace source Received.
    TracedCallback<uint16_t, const HostMessage&, uint32_t> m_receivedTrace;
};

} // namespace ns3

#endif /* COLLECTIVE_DOMAIN_H */
