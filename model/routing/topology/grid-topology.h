// SPDX-License-Identifier: GPL-2.0-only

#ifndef GRID_TOPOLOGY_H
#define GRID_TOPOLOGY_H

#include "regular-topology.h"

#include "ns3/channel-dependency.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// Mesh or torus of any number of dimensions, with the same number of hosts at every switch.
///
/// A switch has a coordinate in each dimension. Switches whose coordinates differ by one in one
/// dimension are neighbours; in a torus, so are the first and the last of a dimension. In a
/// dimension of length 2 these are neighbours anyway, by one cable, so that a torus of length 2 in
/// all dimensions is a hypercube. The first dimension's coordinate changes fastest with the
/// switch's number. Port 2 i leads upwards in dimension i, port 2 i + 1 downwards; the ports after
/// these lead to hosts.
///
/// Routes are in dimension order: along dimension 0, then 1, ... They are shortest; if both
/// directions of a torus dimension are equally long, the route goes upwards. On a mesh, worms on
/// these routes cannot deadlock: a channel waits for a channel further on in the same dimension and
/// direction, or for a channel of a later dimension. On a torus, worms can wait for each other
/// around a dimension of length 4 or more; virtual channels prevent this (Dally and Seitz 1987),
/// see the engine dateline. With lengths up to 3, a worm makes at most one step per dimension, and
/// a torus is as safe as a mesh.
class GridTopology : public RegularFamily<GridTopology>
{
  public:
    /// How the ends of a dimension are connected.
    enum class Ends
    {
        OPEN,  ///< not at all: a mesh
        JOINED ///< by a cable: a torus
    };

    /// @param lengths number of switches along each dimension, at least 2
    /// @throws WormholeError if a number is out of range, or the fabric is too large
    GridTopology(const std::vector<uint32_t>& lengths, Ends ends, uint32_t hosts = 1)
        : RegularFamily("dimension-order", false, static_cast<uint32_t>(2 * lengths.size())),
          m_lengths(lengths),
          m_ends(ends),
          m_hosts(hosts)
    {
        WormholeError::ThrowIf(lengths.empty(),
                               "a mesh or torus of no dimensions: expected one length or more");
        CheckRange("hosts a switch", hosts, 1, UINT16_MAX);
        double nSwitches = 1;
        std::string what = ends == Ends::JOINED ? "torus of " : "mesh of ";
        for (uint32_t i = 0; i < lengths.size(); ++i)
        {
            CheckRange("length of dimension " + std::to_string(i), lengths[i], 2, INT32_MAX);
            nSwitches *= lengths[i];
            what += (i ? "x" : "") + std::to_string(lengths[i]);
        }
        SetSize(what, nSwitches, nSwitches * hosts, 2.0 * lengths.size() + hosts);
        SetHosts({0, static_cast<Port>(2 * lengths.size())}, hosts);
        Node stride = 1;
        for (auto length : lengths)
        {
            m_strides.push_back(stride);
            stride *= length;
        }
    }

    End Peer(Node node, Port port) const override
    {
        const uint32_t dimension = port / 2;
        if (dimension >= m_lengths.size())
        {
            return {};
        }
        const auto length = m_lengths[dimension];
        const auto stride = m_strides[dimension];
        const auto at = GetCoordinate(node, dimension);
        const bool up = port % 2 == 0;
        const auto last = up ? length - 1 : 0;
        const auto back = static_cast<Port>(up ? port + 1 : port - 1);
        if (at != last)
        {
            return {up ? node + stride : node - stride, back};
        }
        if (m_ends == Ends::OPEN || length == 2)
        {
            return {};
        }
        const auto around = (length - 1) * stride;
        return {up ? node - around : node + around, back};
    }

    void AppendPorts(Node from, Node to, uint32_t, WormRoute::Ports& ports) const override
    {
        for (uint32_t i = 0; i < m_lengths.size(); ++i)
        {
            const auto length = m_lengths[i];
            const auto a = GetCoordinate(from, i);
            const auto b = GetCoordinate(to, i);
            bool up = b > a;
            auto steps = up ? b - a : a - b;
            const auto around = length - steps;
            if (m_ends == Ends::JOINED && length > 2 &&
                (around < steps || (around == steps && !up)))
            {
                up = !up;
                steps = around;
            }
            ports.insert(ports.end(), steps, static_cast<Port>(up ? 2 * i : 2 * i + 1));
        }
    }

    void CheckDeadlockFree(const FabricGraph& graph, RouteSpread::Rule) const override
    {
        for (uint32_t i = 0; i < m_lengths.size(); ++i)
        {
            const auto length = m_lengths[i];
            if (m_ends == Ends::JOINED && length > 3) // else no path makes two steps round an end
            {
                ChannelDependency ring(graph);
                for (uint32_t at = 0; at < length; ++at)
                {
                    const auto from = at * m_strides[i];
                    WormRoute::Ports ports{0};
                    AppendPorts(from, (at + 2) % length * m_strides[i], 0, ports);
                    ring.Add(graph.HostAt(from * m_hosts), WormRoute::Path(std::move(ports)));
                }
                ring.CheckDeadlockFree();
            }
        }
    }

    // Kinds are output ports.
    uint32_t GetKind(Node, Port port) const override
    {
        return port;
    }

    bool MayFollow(uint32_t kind, uint32_t next) const override
    {
        const auto dimension = kind / 2;
        const bool goesOn = m_lengths[dimension] > (m_ends == Ends::JOINED ? 3 : 2);
        return next / 2 > dimension || (next == kind && goesOn);
    }

    uint32_t GetNDimensions() const
    {
        return static_cast<uint32_t>(m_lengths.size());
    }

    Ends GetEnds() const
    {
        return m_ends;
    }

    uint32_t GetLength(uint32_t dimension) const
    {
        return m_lengths[dimension];
    }

    uint32_t GetCoordinate(Node node, uint32_t dimension) const
    {
        return node / m_strides[dimension] % m_lengths[dimension];
    }

  private:
    std::vector<uint32_t> m_lengths; ///< switches along each dimension
    std::vector<Node> m_strides;     ///< difference in number between neighbours, by dimension
    Ends m_ends;
    uint32_t m_hosts; ///< hosts per switch
};

} // namespace ns3

#endif /* GRID_TOPOLOGY_H */
