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
/// @brief Says which channel may follow which on routes, so that a fabric can be proved free of
///        deadlock without making its routes. Routes need not use every turn that the rule permits.
class TurnRule
{
  public:
    virtual ~TurnRule() = default;

    /// Tells whether the rule permits turns that form a cycle of channels in the fabric; if it does
    /// not, worms on routes that obey the rule cannot deadlock.
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

    /// Gives the kind of the channel that leaves a switch by a port towards another switch.
    virtual uint32_t GetKind(Node node, Port port) const = 0;

    /// Tells whether a route may use a channel of kind `next` directly after one of kind `kind`.
    virtual bool MayFollow(uint32_t kind, uint32_t next) const = 0;

    bool HasCycle(const FabricGraph& graph) const override;
};

/// @ingroup wormhole
/// @brief A channel dependency graph without cycles, which a routing engine builds: it says which
///        lane of a channel may follow which on routes.
///
/// Lanes of channels are the vertices: lane l of channel c has number c * (number of lanes) + l. An
/// edge is a turn, from one vertex to the next on a route. Every vertex has a rank; ranks increase
/// along every turn, and a turn that would close a cycle is rejected. So worms cannot deadlock if
/// their routes use only turns of the set (Dally and Seitz 1987).
///
/// Ranks are maintained by the algorithm of Pearce and Kelly (A Dynamic Topological Sort Algorithm
/// for Directed Acyclic Graphs, ACM JEA 11, 2006): to add a turn from a higher to a lower rank, it
/// examines only vertices of these two ranks and of ranks between them.
class TurnSet
{
  public:
    using Vertex = uint32_t; ///< number of a lane of a channel

    /// @param nVertices number of channels times number of lanes
    explicit TurnSet(uint32_t nVertices);

    /// Makes a set without turns; `order` lists all vertices by initial rank.
    explicit TurnSet(const std::vector<Vertex>& order);

    /// @return whether the turn between two vertices is in the set @param from,to the vertices
    bool Has(Vertex from, Vertex to) const
    {
        const auto& after = m_after[from];
        return std::find(after.begin(), after.end(), to) != after.end();
    }

    /// Adds a turn, unless it would close a cycle. @param from,to the two vertices of the turn
    /// @return whether the turn is in the set afterwards
    bool Add(Vertex from, Vertex to);

    /// Adds all turns of a path or, if one would close a cycle, none. @param path vertices in order
    /// @return whether all turns of the path are in the set afterwards
    bool AddPath(const std::vector<Vertex>& path);

    /// Lists the vertices to which turns lead from a vertex, in order of the turns' addition.
    const std::vector<Vertex>& After(Vertex vertex) const
    {
        return m_after[vertex];
    }

    /// Gives a vertex's rank, from 0; all ranks differ, and every turn leads to a higher rank.
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
    /// @return whether Add has already rejected the turn because it would close a cycle
    bool IsRefused(Vertex from, Vertex to) const
    {
        const auto refused = m_refused.find(from);
        return refused != m_refused.end() &&
               std::find(refused->second.begin(), refused->second.end(), to) !=
                   refused->second.end();
    }

    /// Adds a turn, unless it would close a cycle; unlike Add, does not record the rejection.
    bool Insert(Vertex from, Vertex to);

    void Erase(Vertex from, Vertex to);

    /// Finds the vertices that edges reach from a start, over vertices with ranks in a range only.
    template <typename Within>
    std::vector<Vertex> Reach(Vertex start,
                              const std::vector<std::vector<Vertex>>& edges,
                              Within isWithin);

    std::vector<std::vector<Vertex>> m_after;                  ///< by vertex, where turns lead
    std::vector<std::vector<Vertex>> m_before;                 ///< by vertex, where turns come from
    std::vector<uint32_t> m_ranks;                             ///< ranks, by vertex
    std::vector<bool> m_marked;                                ///< scratch of Reach: by vertex
    std::unordered_map<Vertex, std::vector<Vertex>> m_refused; ///< rejected turns, by first vertex
};

} // namespace ns3

#endif /* TURN_RULE_H */
