/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_HELPER_H
#define WORMHOLE_HELPER_H

#include "ns3/fabric-graph.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/trace-helper.h"
#include "ns3/wormhole-fabric.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Builds a fabric of ns-3 objects from a FabricGraph, or of one switch for given nodes.
 *
 * Switch i of the graph becomes switch i of the fabric, host j (node q + j) becomes host j. Each
 * gets a Node: a WormholeSwitch is aggregated to the switch's, a WormholeNetDevice is added to the
 * host's. Routes are the graph's own (see FabricGraph::GetRoutes), which are up/down ones unless it
 * says otherwise, if no other router is set, here or on the fabric. A fabric lives until the
 * simulation ends, whether or not the program keeps it.
 *
 * A host's frames wait in a queue, by default of type ns3::DropTailQueue<Packet>, which tells the
 * node's traffic control when it is full. EnablePcap and EnableAscii, as ns-3's other helpers have
 * them, trace frames at hosts; EnablePcapSwitch traces all that leaves a switch.
 */
class WormholeHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    WormholeHelper();
    ~WormholeHelper() override = default;

    /// Sets an attribute of the fabric. @param name its name @param value its value
    void SetFabricAttribute(const std::string& name, const AttributeValue& value);
    /// Sets an attribute of every switch. @param name its name @param value its value
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);
    /// Sets an attribute of every host's interface. @param name its name @param value its value
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);
    /// Sets an attribute of every port. @param name its name @param value its value
    void SetPortAttribute(const std::string& name, const AttributeValue& value);
    /// Sets an attribute of every cable. @param name its name @param value its value
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /// Says whether a cable is meant. Arguments: the fabric's graph, and one end of the cable.
    using CableSelector = std::function<bool(const FabricGraph&, FabricGraph::End)>;

    /// Sets an attribute of some cables, in place of what all cables and the graph's have (S10).
    /// @param name its name
    /// @param value its value
    /// @param selector which cables; for each cable it is asked once, with the end of lower number
    void SetChannelAttribute(const std::string& name,
                             const AttributeValue& value,
                             const CableSelector& selector);

    /// Sets an attribute of some cables, in place of what all cables and the graph's have (S10).
    /// @param name its name
    /// @param value its value
    /// @param cables these cables, each by one of its ends; Install refuses ends without a cable
    void SetChannelAttribute(const std::string& name,
                             const AttributeValue& value,
                             const std::vector<FabricGraph::End>& cables);

    /// Chooses where hosts' frames wait for the interface.
    /// @param type a queue of packets, such as "ns3::DropTailQueue"; empty: nowhere, which saves
    /// memory where there are collectives only
    void SetQueue(const std::string& type);

    /// Chooses a queue and sets attributes of it, as ns-3's other helpers do.
    /// @param type as above
    /// @param name name of an attribute
    /// @param value its value
    /// @param more further names and values, in turn
    template <typename... More>
    void SetQueue(const std::string& type,
                  const std::string& name,
                  const AttributeValue& value,
                  const More&... more)
    {
        SetQueue(type, more...);
        SetQueueAttribute(name, value);
    }

    /// Sets an attribute of every host's queue. @param name its name @param value its value
    void SetQueueAttribute(const std::string& name, const AttributeValue& value);

    /// Does without telling traffic control when queues are full: they drop.
    void DisableFlowControl()
    {
        m_flowControl = false;
    }

    /// Writes all that leaves a switch to pcap files, PREFIX-NODE-PORT.pcap, of Ethernet's link
    /// type. What is no frame gets a header of zeros and the Ethernet type 0x88b5, which is for
    /// experiments. A packet's time is that of its head; files have whole microseconds.
    /// @param prefix of the files' names
    /// @param fabricSwitch a switch of a fabric, with all its cables
    static void EnablePcapSwitch(const std::string& prefix, Ptr<WormholeSwitch> fabricSwitch);

    /// Chooses up/down routes, and the switch on top of them.
    /// @param root "first", "degree", "center" or the name of a switch, see UpDownRouting::RootRule
    void SetRoutingRoot(const std::string& root)
    {
        m_routingRoot = root;
    }

    /// Chooses the routes, in place of the graph's own.
    /// @param router gives the routes of the graph that will be installed, such as
    /// WormholeTopology::router; null: the graph's own, as without this call
    void SetRouter(Ptr<WormholeRouter> router)
    {
        m_router = router;
    }

    /// Builds a fabric with new nodes for switches and hosts.
    /// @param graph the fabric's graph
    /// @return the fabric
    /// @throws WormholeError if the graph is not connected or a host has no cable; if a router was
    /// set that is not made for this graph, or a root of up/down routes besides; if a rate or delay
    /// is none that a fabric can have (see WormholeFabric::Check)
    Ptr<WormholeFabric> Install(const FabricGraph& graph) const;

    /// Builds a fabric upon nodes that exist.
    /// @param graph the fabric's graph
    /// @param switches nodes of the switches, in the graph's order
    /// @param hosts nodes of the hosts, in the graph's order
    /// @return the fabric
    /// @throws WormholeError as above, or if the numbers of nodes are not the graph's, or if the
    /// nodes are of different MPI ranks
    Ptr<WormholeFabric> Install(const FabricGraph& graph,
                                const NodeContainer& switches,
                                const NodeContainer& hosts) const;

    /// Joins nodes by a fabric of one switch, a port for each: what takes the place of a helper
    /// that installs one network for nodes, such as CsmaHelper or PointToPointHelper. The switch is
    /// on a new node of the hosts' MPI rank; the fabric is that of WormholeNetDevice::GetFabric.
    /// @param hosts nodes of the hosts; one that is there twice gets two interfaces
    /// @return their interfaces, in order
    /// @throws WormholeError if there is no node, if there are more than a switch has ports, or as
    ///         above
    NetDeviceContainer Install(const NodeContainer& hosts) const;

    /// Joins nodes by a fabric of several switches, which are on new nodes, of the hosts' MPI rank.
    /// The fabric is that of WormholeNetDevice::GetFabric.
    /// @param topology the fabric as a text, such as "torus:4x4,hosts=2"; see MakeTopology. Its
    ///                 routes are used unless others are set here
    /// @param hosts nodes of the hosts, as many as the topology has
    /// @return their interfaces, in order
    /// @throws WormholeError as above, or if the text is no topology
    NetDeviceContainer Install(const std::string& topology, const NodeContainer& hosts) const;

    /// Joins two nodes by a fabric of one switch.
    /// @param a a node
    /// @param b another node
    /// @return their interfaces, in order
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b) const;

    /// Joins two nodes by a fabric of one switch.
    /// @param a name of a node, by ns-3's Names
    /// @param b name of another node
    /// @return their interfaces, in order
    /// @throws WormholeError if there is no node of that name
    NetDeviceContainer Install(const std::string& a, const std::string& b) const;

    /// Assigns streams to random variables, as other helpers do. Interfaces and fabrics draw
    /// nothing, so there are none.
    /// @param devices interfaces
    /// @param stream first stream to use
    /// @return number of streams used: 0
    static int64_t AssignStreams([[maybe_unused]] const NetDeviceContainer& devices,
                                 [[maybe_unused]] int64_t stream)
    {
        return 0;
    }

    /// @return the hosts' interfaces, in order @param fabric a fabric
    static NetDeviceContainer GetDevices(Ptr<const WormholeFabric> fabric);

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> device,
                             bool explicitFilename) override;

    /// Lays a fabric's cables. @param graph where they are @param fabric its nodes are there
    void Connect(const FabricGraph& graph, Ptr<WormholeFabric> fabric) const;

    /// Gives a host its queue, if it is to have one. @param device the host's interface
    void AddQueue(Ptr<WormholeNetDevice> device) const;

    /// @return what will give the fabric's routes
    Ptr<WormholeRouter> MakeRouter(const FabricGraph& graph) const;

    ObjectFactory m_fabricFactory;  ///< makes fabrics
    ObjectFactory m_switchFactory;  ///< makes switches
    ObjectFactory m_deviceFactory;  ///< makes interfaces
    ObjectFactory m_channelFactory; ///< makes cables
    ObjectFactory m_queueFactory;   ///< makes hosts' queues
    bool m_queued{true};            ///< whether hosts have queues
    bool m_flowControl{true};       ///< whether queues tell traffic control that they are full
    std::string m_routingRoot;      ///< switch on top of the up/down routes; empty: not chosen
    Ptr<WormholeRouter> m_router;   ///< gives the routes; null: up/down ones are made

    struct CableAttribute
    {
        std::string name;                     ///< its name
        Ptr<const AttributeValue> value;      ///< its value
        CableSelector selector;               ///< which cables
        std::vector<FabricGraph::End> cables; ///< ends of which each must have a cable
    };

    std::vector<CableAttribute> m_cableAttributes; ///< attributes of some cables
    /// Attributes of ports, which switches and interfaces make themselves.
    std::vector<std::pair<std::string, Ptr<const AttributeValue>>> m_portAttributes;
};

} // namespace ns3

#endif /* WORMHOLE_HELPER_H */
