// SPDX-License-Identifier: GPL-2.0-only

#ifndef TREE_DEPENDENCIES_H
#define TREE_DEPENDENCIES_H

#include "ns3/fabric-graph.h"
#include "ns3/worm-route.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief The wait-for graph in which ChannelDependency looks for a cycle.
///
/// A channel's vertices stand for blocked worms that hold the channel. Other vertices are relays:
/// they stand for no worm, and keep the number of edges low. An edge leads to what is awaited.
class ChannelWaitGraph
{
  public:
    using Vertex = uint32_t; ///< number of a vertex

    static constexpr uint32_t NO_CHANNEL = UINT32_MAX; ///< channel of a relay: none

    /// @return a new vertex @param channel number of the channel held there, NO_CHANNEL for a relay
    Vertex AddVertex(uint32_t channel = NO_CHANNEL)
    {
        m_channels.push_back(channel);
        return static_cast<Vertex>(m_channels.size()) - 1;
    }

    /// Adds an edge from a waiting vertex to the vertex for which it waits.
    void AddEdge(Vertex from, Vertex to)
    {
        m_edges.emplace_back(from, to);
    }

    /// Finds a cycle that contains channels of at least two nodes: at a single node, worms are
    /// served in order, and cannot wait for each other in a cycle.
    /// @param nodeOf node that sends on each channel, by the channel's number
    /// @return numbers of the channels on the cycle, the lowest first; empty if there is none
    std::vector<uint32_t> FindCycle(const std::vector<FabricGraph::Node>& nodeOf) const;

  private:
    std::vector<uint32_t> m_channels;
    std::vector<std::pair<Vertex, Vertex>> m_edges;
};

/// @ingroup wormhole
/// @brief The waits of tree worms whose branches wait for each other; see ChannelDependency.
///
/// Each channel of each route has four vertices in the wait graph:
///
/// - *stuck*: the worm has reached the channel's buffer and may be blocked anywhere in its tree;
/// - *past*: as *stuck*, but its tail has left the switch that sends on the channel, so that the
///   worm can only be blocked beyond that switch;
/// - *wants* (a relay): the worm waits for this channel, or for one farther down its tree;
/// - *beside* (a relay): the worm waits on a branch that parts from the way to this channel.
///
/// A channel that a worm wants is held by another worm. If this holder came to the switch by the
/// same input channel as the waiting worm, the holder is *past*; otherwise it may be *stuck*. The
/// worms that share a channel and an input form a list. Relays lead from each of them to the worms
/// before it in the list, and other relays to those after it, so that no worm waits for itself.
class TreeDependencies
{
  public:
    using Vertex = ChannelWaitGraph::Vertex; ///< number of a vertex

    /// Adds a route, with the numbers of the channels of its branches, stop by stop.
    void Add(const WormRoute& route, const std::vector<uint32_t>& channels);

    /// @return whether there are no routes
    bool IsEmpty() const
    {
        return m_places.empty();
    }

    /// Adds all vertices and edges of tree worms to a graph in which each channel's vertex stands
    /// for unicast worms; `next` lists the channels that follow each channel on some unicast route.
    void AddTo(ChannelWaitGraph& graph, const std::vector<std::vector<uint32_t>>& next);

  private:
    struct Place
    {
        uint32_t channel;
        uint32_t input;       ///< number of the channel before; NO_CHANNEL at the source
        uint32_t parent;      ///< index of the place before, or its own at the source
        uint32_t firstBranch; ///< index of the first place of the stop where the channel begins
        uint32_t lastBranch;  ///< index past the last place of that stop
        Vertex stuck{0};      ///< a worm whose head is in the buffer; it waits anywhere
        Vertex past{0};       ///< a worm whose head is in the buffer; it waits farther on
        Vertex wants{0};      ///< relay of waits for this channel, or for one farther down
        Vertex beside{0};     ///< relay of waits on branches off the way to this channel
    };

    /// The places of worms that reach one channel by the same input.
    struct Group
    {
        uint32_t channel;
        uint32_t input; ///< number of the channel before
        Vertex stuck;
        Vertex past; ///< relay of the *past* of all these places
    };

    void AddWorms(ChannelWaitGraph& graph);

    void AddGroup(ChannelWaitGraph& graph, std::size_t first, std::size_t last);

    std::pair<std::size_t, std::size_t> GroupsOf(uint32_t channel) const;

    std::vector<Place> m_places;    ///< channels of all routes, route by route
    std::vector<uint32_t> m_sorted; ///< indices of places, by channel, then input
    std::vector<Group> m_groups;    ///< groups by channel, then input
};

} // namespace ns3

#endif /* TREE_DEPENDENCIES_H */
