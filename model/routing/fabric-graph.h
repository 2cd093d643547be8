/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

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
/// @brief Which routes a fabric's hosts use unless a program chooses others: part of the fabric, so
///        that it means the same however it came here, as a text, a file or cable by cable.
struct FabricRoutes
{
    std::string routing{"up-down"}; ///< name of the routes; see MakeTopology
    std::string root{"first"};      ///< switch on top of up/down routes; UpDownRouting::RootByName
    std::string spread{"hash"};     ///< how routes share equally good paths; see RouteSpread
    std::string family;             ///< text of the topology whose rule other routes follow
    std::shared_ptr<const RouteTable> table; ///< table that routes "table" follow
};

/**
 * @ingroup wormhole
 * @brief Which node is cabled to which, port by port: the fabric as a value.
 *
 * Switches are nodes 0 to q - 1, hosts are nodes q to q + p - 1. A switch has numbered ports, of
 * which some may be open; a host has the one port 0. Cables are full duplex. Every algorithm that
 * has a choice takes nodes by number and ports by number, so results do not depend on the machine.
 *
 * A computer with several interfaces is as many hosts, which GroupInterfaces puts together.
 * Processes run on first interfaces only, which therefore have the least numbers.
 */
class FabricGraph
{
  public:
    /// Number of a node: switches first, then hosts.
    using Node = uint32_t;
    /// Number of a port at its node.
    using Port = uint16_t;

    /// No node: what an open port leads to.
    static constexpr Node NONE = UINT32_MAX;

    /// One end of a cable.
    struct End
    {
        Node node{NONE}; ///< node that the cable ends at
        Port port{0};    ///< port there
    };

    /// A fabric without cables.
    /// @param nSwitches number of switches
    /// @param nHosts number of hosts
    /// @param nPorts number of ports of each switch, 65535 at most
    /// @throws WormholeError if there are more nodes or ports than numbers for them
    FabricGraph(uint32_t nSwitches, uint32_t nHosts, uint32_t nPorts);

    /// Lays a cable between two ports that are open.
    /// @param a a node
    /// @param portA its port
    /// @param b another node
    /// @param portB its port
    /// @throws WormholeError if a node or port does not exist, a port is taken already, or a == b
    void Connect(Node a, Port portA, Node b, Port portB);

    /// Gives a node a name of its own; else a switch is called s0, s1, ... and a host h0, h1, ...
    /// Nodes can be named one after another in any order: a name that another node would have if
    /// none were given is accepted here, and Validate refuses it if that other node never gets one.
    /// @param node the node
    /// @param name its name
    /// @throws WormholeError if the name is empty, or given to another node
    void SetName(Node node, const std::string& name);

    /// Says what a cable has of its own (S10).
    /// @param node a node
    /// @param port a port of it that has a cable
    /// @param properties what the cable has besides what all have
    /// @throws WormholeError if there is no cable
    void SetCable(Node node, Port port, const CableProperties& properties);

    /// @return the far end of a cable
    /// @param node a node
    /// @param port a port of it
    /// @throws WormholeError if there is no cable
    End RequireCable(Node node, Port port) const;

    /// @return what cables and switches have of their own
    const FabricProperties& GetProperties() const
    {
        return m_properties;
    }

    /// @return what cables and switches have of their own, to be changed; for one cable, SetCable
    FabricProperties& ChangeProperties()
    {
        return m_properties;
    }

    /// Says that several hosts are interfaces of one computer. Each is a host as any other for
    /// cables and routes; further ones have greater numbers than all first ones, see Validate.
    /// @param hosts indexes of the hosts, two or more, in their order; the first interface is first
    /// @throws WormholeError if there is no such host, or it is in a group already
    void GroupInterfaces(const std::vector<uint32_t>& hosts);

    /// @return the interfaces of computers that have several, by the index of the first
    const std::map<uint32_t, std::vector<uint32_t>>& GetInterfaces() const
    {
        return m_interfaces;
    }

    /// @return number of hosts that are first interfaces, on which processes can be: 0 to this - 1
    uint32_t GetNFirstInterfaces() const;

    /// Chooses the routes of a fabric's own. @param routes the routes
    void SetRoutes(const FabricRoutes& routes);

    /// @return the fabric's own routes
    const FabricRoutes& GetRoutes() const;

    /// @return the node's name @param node a node
    std::string GetName(Node node) const;

    /// @return the node of that name, NONE where there is none @param name a name
    Node Find(const std::string& name) const;

    uint32_t GetNSwitches() const; ///< @return number of switches, q
    uint32_t GetNHosts() const;    ///< @return number of hosts, p
    uint32_t GetNNodes() const;    ///< @return number of nodes, q + p
    /// @return number of ports of the node, open ones included @param node a node
    uint32_t GetNPorts(Node node) const;
    /// @return number of cables that join two switches
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

    /// @return the switch and port that a host is cabled to @param host a host
    End SwitchOf(Node host) const;

    /// @param node a switch
    /// @return its ports that lead to switches, by increasing number of the switch there, then port
    std::vector<Port> PortsToSwitches(Node node) const;

    /// @return a switch's ports that lead to hosts, by increasing port number @param node a switch
    std::vector<Port> PortsToHosts(Node node) const;

    /// Follows a route through the fabric.
    /// @param source node of stop 0
    /// @param route a route from there
    /// @return the node at each stop
    /// @throws WormholeError if the route leaves by a port that has no cable
    std::vector<Node> Walk(Node source, const WormRoute& route) const;

    /// Refuses a fabric that no traffic could use.
    /// @throws WormholeError if a host is not cabled to a switch, the switches are not all
    /// connected, two nodes have one name, or a further interface has a lower number than a first
    /// one, naming the first host, the components or the nodes
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

    /// Refuses names given to one node that another has for want of a name.
    void CheckNames() const;

    /// @return the name of a node that was given none @param node a node
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
    std::vector<End> m_ends;                        ///< far ends: q k of switches, one a host
    std::vector<std::string> m_names;               ///< names by node; empty if none were given
    std::unordered_map<std::string, Node> m_nodeOf; ///< nodes by the names they were given
    FabricRoutes m_routes;                          ///< the fabric's own routes
    FabricProperties m_properties;                  ///< what cables and switches have
    std::map<uint32_t, std::vector<uint32_t>> m_interfaces; ///< of computers, by the first
};

} // namespace ns3

#endif /* FABRIC_GRAPH_H */
