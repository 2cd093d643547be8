/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REGULAR_TOPOLOGY_H
#define REGULAR_TOPOLOGY_H

#include "fabric-graph.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A fabric whose cables follow a rule: what is cabled to what is computed, not stored.
 *
 * Switches and hosts are numbered as in the FabricGraph that MakeGraph makes. Hosts are cabled in
 * order: so many to the first switch that has hosts, so many to the next. An object takes some
 * bytes, whatever the size of the fabric, and can be copied.
 */
class RegularTopology
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch
    using Port = FabricGraph::Port; ///< number of a port
    using End = FabricGraph::End;   ///< one end of a cable

    virtual ~RegularTopology() = default;

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
