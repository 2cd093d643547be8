// SPDX-License-Identifier: GPL-2.0-only

#ifndef FABRIC_GRAPH_H
#define FABRIC_GRAPH_H

#include "fabric-properties.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

class RouteTable;
class WormRoute;

/// @ingroup wormhole
/// @brief The routes that a fabric uses unless a program selects others. They are part of the
///        fabric, so that its text, file and cable-by-cable forms mean the same.
struct FabricRoutes
{
    std::string routing{"up-down"}; ///< name of the routes; see MakeTopology
    std::string root{"first"};      ///< root of up/down routes, as for UpDownRouting::RootByName
    std::string spread{"hash"};     ///< how routes share equally good paths; see RouteSpread
    std::string family;             ///< text of the topology whose rule regular routes follow
    std::shared_ptr<const RouteTable> table; ///< table that routes "table" use
};

/// @ingroup wormhole @brief Which node is cabled to which, port by port: the fabric as a value.
///
/// Switches are nodes 0 to q - 1, hosts are nodes q to q + p - 1. A switch has numbered ports, some
/// of which may be open; a host has port 0 only. Cables are full duplex. Every algorithm that has a
/// choice considers nodes and ports in numerical order, so results do not depend on the machine.
///
/// A computer with several interfaces is represented by as many hosts, which GroupInterfaces joins.
/// Processes run on first interfaces only, which therefore have the lowest numbers.
class FabricGraph
{
  public:
    /// Number of a node: switches first, then hosts.
    using Node = uint32_t;
    /// Number of a port at its node.
    using Port = uint16_t;

    /// No node: the far end of an open port.
    static constexpr Node NONE = UINT32_MAX;

    /// One end of a cable.
    struct End
    {
        Node node{NONE}; ///< node where the cable ends
        Port port{0};    ///< port there
    };

    /// A fabric without cables.
    /// @param nSwitches number of switches
    /// @param nHosts number of hosts
    /// @param nPorts number of ports of each switch, at most 65535
    /// @throws WormholeError if nodes or ports are too many for their numbers or for the memory
    FabricGraph(uint32_t nSwitches, uint32_t nHosts, uint32_t nPorts);

    /// Connects two open ports by a cable.
    /// @param a a node
    /// @param portA its port
    /// @param b another node
    /// @param portB its port
    /// @throws WormholeError if a node or port does not exist, a port is taken already, or a == b
    void Connect(Node a, Port portA, Node b, Port portB);

    /// Names a node; the default names are s0, s1, ... for switches and h0, h1, ... for hosts.
    /// Nodes can be named in any order: a name that is another node's default name is accepted
    /// here, but not by Validate unless the other node is renamed.
    /// @param node the node
    /// @param name its name
    /// @throws WormholeError if the name is empty, not printable, or has been given to another node
    void SetName(Node node, const std::string& name);

    /// Sets a cable's own properties (S10).
    /// @param node a node
    /// @param port a port of it that has a cable
    /// @param properties its properties, where they differ from those of all cables
    /// @throws WormholeError if there is no cable
    void SetCable(Node node, Port port, const CableProperties& properties);

    /// @return the far end of a cable
    /// @param node a node
    /// @param port a port of it
    /// @throws WormholeError if there is no cable
    End RequireCable(Node node, Port port) const;

    /// @return properties of single cables and switches
    const FabricProperties& GetProperties() const
    {
        return m_properties;
    }

    /// @return these properties, modifiable; for a single cable, use SetCable
    FabricProperties& ChangeProperties()
    {
        return m_properties;
    }

    /// Declares several hosts to be interfaces of one computer. For cables and routes, each remains
    /// a host; further interfaces have higher numbers than all first interfaces, see Validate.
    /// @param hosts indexes of at least two hosts, increasing; the first one is the first interface
    /// @throws WormholeError if not so, if there is no such host, or if it is in a group already
    void GroupInterfaces(const std::vector<uint32_t>& hosts);

    /// @return the interfaces of each computer with several, by the first interface's index
    const std::map<uint32_t, std::vector<uint32_t>>& GetInterfaces() const
    {
        return m_interfaces;
    }

    /// @return number of hosts that are first interfaces and can run processes: 0 to this - 1
    uint32_t GetNFirstInterfaces() const;

    /// Sets the fabric's routes. @param routes the routes
    void SetRoutes(const FabricRoutes& routes);

    /// @return the fabric's routes
    const FabricRoutes& GetRoutes() const;

    /// @return the node's name @param node a node
    std::string GetName(Node node) const;

    /// @return the node with a name; NONE if there is none @param name the name
    Node Find(const std::string& name) const;

    uint32_t GetNSwitches() const; ///< @return number of switches, q
    uint32_t GetNHosts() const;    ///< @return number of hosts, p
    uint32_t GetNNodes() const;    ///< @return number of nodes, q + p
    /// @return number of ports of the node, including open ones @param node a node
    uint32_t GetNPorts(Node node) const;
    /// @return number of cables between switches
    uint32_t GetNSwitchLinks() const;

    /// @return whether the node is a switch @param node a node
    bool IsSwitch(Node node) const
    {
        return node < m_nSwitches;
    }

    /// @param index a host's index among the hosts, 0 to p - 1
    /// @return its node number
    /// @throws WormholeError if there is no such host
    Node HostAt(uint32_t index) const;

    /// The inverse of HostAt, by name.
    /// @param name name of a host
    /// @return its index among the hosts, 0 to p - 1, as barriers and fabrics number hosts
    /// @throws WormholeError if there is no such host
    uint32_t FindHost(const std::string& name) const;

    /// @param node a node
    /// @param port one of its ports
    /// @return the far end of the cable there; End::node is NONE if the port is open
    End Peer(Node node, Port port) const;

    /// @return the switch and port to which a host is cabled @param host a host
    End SwitchOf(Node host) const;

    /// @param node a switch
    /// @return its ports that lead to switches, ordered by the other switch's number, then by port
    std::vector<Port> PortsToSwitches(Node node) const;

    /// @return a switch's ports that lead to hosts, by increasing port number @param node a switch
    std::vector<Port> PortsToHosts(Node node) const;

    /// Follows a route through the fabric.
    /// @param source node of stop 0
    /// @param route a route from there
    /// @return the node at each stop
    /// @throws WormholeError if the route leaves by a port that has no cable
    std::vector<Node> Walk(Node source, const WormRoute& route) const;

    /// Throws for a fabric that no traffic could use.
    /// @throws WormholeError if a host is not cabled to a switch, the switches are not all
    ///         connected, two nodes have the same name, or a further interface has a lower number
    ///         than a first one; the message names the first host, the components or the nodes
    void Validate() const;

  private:
    /// Refuses a port that does not exist or is taken.
    /// @param node a node
    /// @param port its port
    void CheckOpen(Node node, Port port) const;

    /// Refuses switches that are not all connected.
    void CheckConnected() const;

    /// Refuses further interfaces among first ones.
    void CheckInterfaces() const;

    /// Refuses a node's given name that is the default name of an unnamed node.
    void CheckNames() const;

    /// @return the default name of a node @param node a node
    std::string DefaultName(Node node) const;

    /// @return index in m_ends @param node a node @param port one of its ports
    std::size_t IndexOf(Node node, Port port) const
    {
        return IsSwitch(node) ? std::size_t{node} * m_nPorts + port
                              : std::size_t{m_nSwitches} * m_nPorts + (node - m_nSwitches);
    }

    uint32_t m_nSwitches;                           ///< q
    uint32_t m_nHosts;                              ///< p
    uint32_t m_nPorts;                              ///< ports of each switch, k
    uint32_t m_nSwitchLinks{0};                     ///< cables between two switches
    std::vector<End> m_ends;                        ///< far ends: q k of switches, one per host
    std::vector<std::string> m_names;               ///< names by node; empty if none were given
    std::unordered_map<std::string, Node> m_nodeOf; ///< nodes by given names
    FabricRoutes m_routes;
    FabricProperties m_properties; ///< own properties of cables and switches
    std::map<uint32_t, std::vector<uint32_t>> m_interfaces; ///< of computers, by first interface
};

} // namespace ns3

#endif /* FABRIC_GRAPH_H */
