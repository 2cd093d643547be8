// SPDX-License-Identifier: GPL-2.0-only

#ifndef TURN_RULE_H
#define TURN_RULE_H

#include "fabric-graph.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Which channels may follow each other on routes: can prove a fabric free of deadlock
///        without making all of its routes. Routes need not use every turn that the rule permits.
class TurnRule
{
  public:
    virtual ~TurnRule() = default;

    /// Tells whether the rule permits a cycle of channels of the fabric; if it does not, worms on
    /// the rule's routes cannot deadlock.
    virtual bool HasCycle(const FabricGraph& graph) const = 0;
};

/// @ingroup wormhole
/// @brief A rule by kinds of channels: every channel between switches has a kind, such as up or
///        down, and the kinds of two channels determine whether one may follow the other.
class ChannelKindRule : public TurnRule
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch
    using Port = FabricGraph::Port; ///< number of a port

    /// @return number of kinds of channels
    virtual uint32_t GetNKinds() const = 0;

    /// Gives the kind of the channel from a switch's port to another switch.
    virtual uint32_t GetKind(Node node, Port port) const = 0;

    /// Tells whether a route may use a channel of kind `next` directly after one of kind `kind`.
    virtual bool MayFollow(uint32_t kind, uint32_t next) const = 0;

    bool HasCycle(const FabricGraph& graph) const override;
};

/// @ingroup wormhole
/// @brief Which lanes of channels may follow each other on routes, without a cycle: the channel
///        dependency graph while a routing engine builds it.
///
/// Lanes of channels are the vertices: lane l of channel c has number c * (number of lanes) + l. A
/// turn is an edge. Every vertex has a rank; ranks increase along every turn, and a turn that would
/// close a cycle is rejected. So worms on routes of these turns cannot deadlock (Dally and Seitz
/// 1987).
///
/// Ranks are maintained by the algorithm of Pearce and Kelly (A Dynamic Topological Sort Algorithm
/// for Directed Acyclic Graphs, ACM JEA 11, 2006): adding a turn against the order examines only
/// vertices with ranks in between.
class TurnSet
{
  public:
    using Vertex = uint32_t; ///< number of a lane of a channel

    /// @param nVertices number of channels times number of lanes
    explicit TurnSet(uint32_t nVertices);

    /// A set without turns, given an order of all vertices; turns along that order are added fast.
    explicit TurnSet(const std::vector<Vertex>& order);

    /// @return whether the turn is in the set @param from,to two vertices
    bool Has(Vertex from, Vertex to) const
    {
        const auto& after = m_after[from];
        return std::find(after.begin(), after.end(), to) != after.end();
    }

    /// Adds a turn, unless it would close a cycle. @param from,to two vertices
    /// @return whether the turn is in the set afterwards
    bool Add(Vertex from, Vertex to);

    /// Adds all turns of a path, or none of them. @param path consecutive vertices
    /// @return whether the turns are in the set afterwards
    bool AddPath(const std::vector<Vertex>& path);

    /// Lists the vertices that may follow a vertex, in the order in which the turns were added.
    const std::vector<Vertex>& After(Vertex vertex) const
    {
        return m_after[vertex];
    }

    /// Gives a vertex's rank; ranks count from 0, and all differ.
    uint32_t GetRank(Vertex vertex) const
    {
        return m_ranks[vertex];
    }

    /// @return number of vertices
    uint32_t GetNVertices() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

  private:
    /// @return whether Add has rejected the turn already, as one that would close a cycle
    bool IsRefused(Vertex from, Vertex to) const
    {
        const auto refused = m_refused.find(from);
        return refused != m_refused.end() &&
               std::find(refused->second.begin(), refused->second.end(), to) !=
                   refused->second.end();
    }

    /// Adds a turn, unless it would close a cycle; a rejection is not recorded.
    bool Insert(Vertex from, Vertex to);

    void Erase(Vertex from, Vertex to);

    /// Finds the vertices reached from a vertex, within a range of ranks.
    template <typename Within>
    std::vector<Vertex> Reach(Vertex start,
                              const std::vector<std::vector<Vertex>>& edges,
                              Within isWithin);

    std::vector<std::vector<Vertex>> m_after;                  ///< by vertex
    std::vector<std::vector<Vertex>> m_before;                 ///< by vertex
    std::vector<uint32_t> m_ranks;                             ///< by vertex
    std::vector<bool> m_marked;                                ///< scratch: vertices reached
    std::unordered_map<Vertex, std::vector<Vertex>> m_refused; ///< rejected turns, by first vertex
};

} // namespace ns3

#endif /* TURN_RULE_H */
