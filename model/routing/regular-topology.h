/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REGULAR_TOPOLOGY_H
#define REGULAR_TOPOLOGY_H

#include "fabric-graph.h"
#include "route-spread.h"
#include "turn-rule.h"

#include "ns3/worm-route.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A fabric whose cables follow a rule, and routes by that rule: what is cabled to what, and
 *        which ports lead from one switch to another, is computed, not stored.
 *
 * Switches and hosts are numbered as in the FabricGraph that MakeGraph makes. Hosts are cabled in
 * order: so many to the first switch that has hosts, so many to the next. An object takes some
 * bytes, whatever the size of the fabric, and can be copied.
 *
 * Where several ways are equally good, a number chooses, so that they are all used; but for a fixed
 * number, the ways from one switch to all that have hosts form a tree. As a KindRule it says by
 * which channels these ways go on. RegularRouter makes routes of them.
 */
class RegularTopology : public KindRule
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch
    using Port = FabricGraph::Port; ///< number of a port
    using End = FabricGraph::End;   ///< one end of a cable

    /// @return a copy
    virtual std::shared_ptr<const RegularTopology> Copy() const = 0;

    uint32_t GetNSwitches() const; ///< @return number of switches
    uint32_t GetNHosts() const;    ///< @return number of hosts
    uint32_t GetNPorts() const;    ///< @return number of ports of each switch, open ones included

    /**
     * @param node a switch
     * @param port one of its ports
     * @return the far end of the cable there, if that is a switch; End::node is NONE if the port
     *         is open or leads to a host
     */
    virtual End Peer(Node node, Port port) const = 0;

    /// @return the switch and port that a host is cabled to @param host its index among the hosts
    virtual End SwitchOf(uint32_t host) const = 0;

    /// @return the fabric, cable by cable
    FabricGraph MakeGraph() const;

    /// @return name of the routing engine of its own routes, such as dimension-order
    virtual std::string GetRouting() const = 0;

    /**
     * Appends the ports of the way between two switches.
     * @param from a switch with hosts
     * @param to a switch; none is appended if it is the same
     * @param choice a number to choose by among several ways
     * @param ports list to append to
     */
    virtual void AppendPorts(Node from,
                             Node to,
                             uint32_t choice,
                             WormRoute::Ports& ports) const = 0;

    /// @return whether there may be several ways to choose from between two switches
    virtual bool HasSeveralWays() const = 0;

    /**
     * Refuses a fabric on which worms on these routes can deadlock.
     * @param graph the fabric's graph
     * @param spread how ways are shared
     * @throws WormholeError if worms can wait for each other in a circle, naming the channels of
     *         it; or if there are too many switches to prove that they cannot
     */
    virtual void CheckDeadlockFree(const FabricGraph& graph, RouteSpread::Rule spread) const;

  protected:
    RegularTopology() = default;
    RegularTopology(const RegularTopology&) = default; ///< copied as part of a whole only
    /// Copied as part of a whole only. @return this object
    RegularTopology& operator=(const RegularTopology&) = default;

    /**
     * Sets the numbers of nodes and ports, for a constructor. They may be rounded, so that a number
     * that no fabric can have is recognised without an overflow.
     * @param what the family and its parameters, for messages
     * @param nSwitches number of switches
     * @param nHosts number of hosts
     * @param nPorts number of ports of each switch
     * @throws WormholeError if they are more than a FabricGraph can hold
     */
    void SetSize(const std::string& what, double nSwitches, double nHosts, double nPorts);

    /**
     * Refuses a parameter out of its range, for a constructor.
     * @param what name of the parameter
     * @param value its value
     * @param least least value accepted
     * @param greatest greatest value accepted
     * @throws WormholeError if it is out of its range
     */
    static void CheckRange(const std::string& what,
                           uint32_t value,
                           uint32_t least,
                           uint32_t greatest);

  private:
    uint32_t m_nSwitches{0}; ///< number of switches
    uint32_t m_nHosts{0};    ///< number of hosts
    uint32_t m_nPorts{0};    ///< ports of each switch
};

} // namespace ns3

#endif /* REGULAR_TOPOLOGY_H */
