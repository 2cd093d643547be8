// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_HELPER_H
#define WORMHOLE_HELPER_H

#include "ns3/fabric-graph.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/trace-helper.h"
#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-fabric.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Builds a fabric of ns-3 objects from a FabricGraph, or a fabric of one switch that
///        connects given nodes.
///
/// Switches and hosts keep their numbers from the graph: if it has q switches, node i < q is switch
/// i, and node q + j is host j. Each of them has a Node: a switch's Node aggregates a
/// WormholeSwitch, a host's Node has a WormholeNetDevice. If no router is set, here or on the
/// fabric, routes are the graph's own (see FabricGraph::GetRoutes), by default up/down. A fabric
/// exists until the simulation ends, even if the program keeps no pointer to it.
///
/// A host's frames wait in a queue, by default ns3::DropTailQueue<Packet>, with flow control
/// towards the node's traffic control. EnablePcap and EnableAscii, as in ns-3's other helpers,
/// trace frames at hosts; EnablePcapSwitch traces frames and messages that leave a switch.
class WormholeHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    WormholeHelper();
    ~WormholeHelper() override = default;

    /// Sets attribute `name` of the fabric to `value`, unless the graph or the router sets it.
    void SetFabricAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_fabricFactory, name, value);
    }

    /// Sets attribute `name` of every switch to `value`, unless the graph sets it.
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_switchFactory, name, value);
    }

    /// Sets an attribute of every host's interface. @param name its name @param value its value
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /// Sets attribute `name` of every port to `value`, unless the graph sets it.
    void SetPortAttribute(const std::string& name, const AttributeValue& value)
    {
        CheckAttributeValue(WormholePort::GetTypeId(), name, value);
        m_portAttributes.emplace_back(name, value.Copy());
    }

    /// Sets attribute `name` of every cable to `value`, unless the graph sets it.
    void SetChannelAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_channelFactory, name, value);
    }

    /// Selects cables. Arguments: the fabric's graph, and one end of the cable.
    using CableSelector = std::function<bool(const FabricGraph&, FabricGraph::End)>;

    /// Sets an attribute of selected cables; this value overrides those set for all cables or in
    /// the graph; the selector is called once per cable, with the end of lower node number.
    void SetChannelAttribute(const std::string& name,
                             const AttributeValue& value,
                             const CableSelector& selector);

    /// Sets an attribute of the listed cables, each given by either of its ends; Install throws if
    /// there is no cable at a listed end.
    void SetChannelAttribute(const std::string& name,
                             const AttributeValue& value,
                             const std::vector<FabricGraph::End>& cables);

    /// Selects the queue in which hosts' frames wait for the interface.
    /// @param type a queue of packets, such as "ns3::DropTailQueue"; empty: no queues,
    ///        which saves memory if hosts send no frames
    void SetQueue(const std::string& type);

    /// Selects a queue and sets its attributes, given as alternating names and values.
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

    /// Disables flow control between hosts' queues and traffic control: full queues drop frames.
    void DisableFlowControl()
    {
        m_flowControl = false;
    }

    /// Writes frames and messages, but no RAW worms, that leave a switch to pcap files,
    /// PREFIX-NODE-PORT.pcap, with Ethernet link type. Messages get a header of zeros and the
    /// Ethernet type 0x88b5. A packet's time stamp tells, in whole us, when its head leaves.
    /// @param prefix prefix of the file names
    /// @param fabricSwitch the switch; all its cables must be connected before this call
    static void EnablePcapSwitch(const std::string& prefix, Ptr<WormholeSwitch> fabricSwitch);

    /// Selects up/down routes and their root.
    /// @param root "first", "degree", "center" or the name of a switch, see UpDownRouting::RootRule
    void SetRoutingRoot(const std::string& root)
    {
        m_routingRoot = root;
    }

    /// Selects routes for the graph to be installed, such as WormholeTopology::router; null selects
    /// the default, the graph's own routes.
    void SetRouter(Ptr<WormholeRouter> router)
    {
        m_router = router;
    }

    /// Builds a fabric with new nodes for switches and hosts; throws a WormholeError if the graph
    /// is not connected or too large, a host has no cable, the router's route from the first to the
    /// last host is wrong (others are not checked), both a router and a root of up/down routes are
    /// set, or a rate or delay is invalid (see WormholeFabric::Check).
    Ptr<WormholeFabric> Install(const FabricGraph& graph) const;

    /// Builds a fabric on existing nodes, in the graph's order; throws like Install(graph), and if
    /// nodes are missing, left over or of several MPI ranks, or a node would be a switch twice.
    Ptr<WormholeFabric> Install(const FabricGraph& graph,
                                const NodeContainer& switches,
                                const NodeContainer& hosts) const;

    /// Connects nodes, like CsmaHelper or PointToPointHelper, by a fabric of one switch, which gets
    /// a new node on their MPI rank. @param hosts nodes; a node listed twice gets two interfaces
    /// @return the nodes' interfaces; WormholeNetDevice::GetFabric gives the fabric
    /// @throws WormholeError like Install(graph), if there are no nodes, or too many for a switch
    NetDeviceContainer Install(const NodeContainer& hosts) const;

    /// Connects nodes by MakeTopology's fabric for a text such as "torus:4x4,hosts=2"; takes its
    /// routes, too, unless a router or root is set; throws like MakeTopology and Install above.
    NetDeviceContainer Install(const std::string& topology, const NodeContainer& hosts) const;

    /// Connects two nodes by a fabric of one switch, and returns their interfaces, in order.
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b) const
    {
        return Install(NodeContainer(a, b));
    }

    /// Connects two nodes, given by ns-3's Names; throws a WormholeError if a name is unknown.
    NetDeviceContainer Install(const std::string& a, const std::string& b) const;

    /// Assigns no random streams: interfaces and fabrics have no random variables.
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

    void Connect(const FabricGraph& graph, Ptr<WormholeFabric> fabric) const;

    void AddQueue(Ptr<WormholeNetDevice> device) const;

    Ptr<WormholeRouter> MakeRouter(const FabricGraph& graph) const;

    ObjectFactory m_fabricFactory;  ///< creates fabrics
    ObjectFactory m_switchFactory;  ///< creates switches
    ObjectFactory m_deviceFactory;  ///< creates interfaces
    ObjectFactory m_channelFactory; ///< creates cables
    ObjectFactory m_queueFactory;   ///< creates hosts' queues
    bool m_queued{true};            ///< whether hosts have queues
    bool m_flowControl{true};       ///< whether queues have flow control
    std::string m_routingRoot;      ///< root of up/down routes; empty: unset
    Ptr<WormholeRouter> m_router;   ///< provides the routes; null: unset

    struct CableAttribute
    {
        std::string name;
        Ptr<const AttributeValue> value;
        CableSelector selector;               ///< selects cables
        std::vector<FabricGraph::End> cables; ///< ends that must have a cable
    };

    std::vector<CableAttribute> m_cableAttributes; ///< attributes of some cables
    /// Attributes of ports; switches and interfaces create ports themselves.
    std::vector<std::pair<std::string, Ptr<const AttributeValue>>> m_portAttributes;
};

} // namespace ns3

#endif /* WORMHOLE_HELPER_H */
