// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_ROUTE_TABLE_H
#define WORMHOLE_ROUTE_TABLE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief Forwarding tables: for each switch and receiving host, the output port.
///
/// InfiniBand switches hold forwarding tables: the output port depends only on the receiving host,
/// not on the sending host. An entry takes two bytes.
class RouteTable
{
  public:
    using Port = uint16_t;                   ///< number of a port
    static constexpr Port NONE = UINT16_MAX; ///< entry: no route to the host passes the switch

    /// Makes a table in which every entry is NONE.
    RouteTable(uint32_t nSwitches, uint32_t nHosts);

    /// @return number of switches
    uint32_t GetNSwitches() const
    {
        return m_nSwitches;
    }

    /// @return number of hosts
    uint32_t GetNHosts() const
    {
        return m_nHosts;
    }

    /// Gives the output port of a switch towards a receiving host.
    Port Get(uint32_t node, uint32_t host) const
    {
        return m_ports[std::size_t{node} * m_nHosts + host];
    }

    /// Sets a switch's entry for a receiving host to a port, or to NONE.
    void Set(uint32_t node, uint32_t host, Port port)
    {
        m_ports[std::size_t{node} * m_nHosts + host] = port;
    }

    /// Sets all entries of a switch from a text with one word for each host in order, a port or "-"
    /// (NONE), such as "0 3 - 1"; throws a WormholeError if the text is invalid.
    void SetRow(uint32_t node, const std::string& text);

    /// @return all entries of a switch, in the format of SetRow @param node the switch
    std::string GetRow(uint32_t node) const;

  private:
    uint32_t m_nSwitches;
    uint32_t m_nHosts;
    std::vector<Port> m_ports; ///< by switch, then host
};

} // namespace ns3

#endif /* WORMHOLE_ROUTE_TABLE_H */
