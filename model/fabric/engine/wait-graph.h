// SPDX-License-Identifier: GPL-2.0-only

#ifndef WAIT_GRAPH_H
#define WAIT_GRAPH_H

#include "ns3/wormhole-worm.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

class Worm;
class WormholeNodeState;
class WormholeOutput;
class WormholePort;

/// @ingroup wormhole
/// @brief What the worms of a fabric wait for at one moment, and who of them waits for ever.
///
/// A vertex is something of a worm that is to move. An edge is a condition that has to come true
/// before. What can happen without a further condition has no edges. All edges of a vertex have to
/// go; of a vertex of choices (S12), one.
///
/// Reduction (R. C. Holt, Some Deadlock Properties of Computer Systems, ACM Computing Surveys 4(3),
/// 1972): vertices that wait for nothing move, and the edges to them go. Those that are left in the
/// end never move: each of them waits for one that is left, and with choices all of these lead to
/// such, so there is a cycle among them that no choice leads out of, a knot.
///
/// Each edge has the time from which it holds. It follows from grants and flits that have been, so
/// neither the time of this look nor what other worms do changes it. The first time by which edges
/// leave vertices over that never move is that at which the first cycle closed.
class WaitGraph
{
  public:
    virtual ~WaitGraph() = default;

    /// @param longestTreeWorm length of the longest async tree worm so far, flits; 0: there was
    ///        none
    /// @return the worms that wait for ever, and the first cycle that closed among them; empty if
    ///         all worms can move
    Deadlock FindDeadlock(uint64_t longestTreeWorm) const;

  protected:
    /// Index of a vertex.
    using Vertex = std::size_t;

    /// A condition that a vertex waits for.
    struct Edge
    {
        Vertex to;                    ///< whose move it is
        int64_t since;                ///< from when on it is waited for, ns-3 time units
        Deadlock::Cause cause;        ///< what is missing
        const WormholeOutput* output; ///< the output that it is missing at; null: an input
        int lane{-1};                 ///< lane there; -1: it has none
    };

    /// Something of a worm that is to move.
    struct Member
    {
        const Worm* worm{nullptr};              ///< the worm
        const WormholeNodeState* node{nullptr}; ///< where it is
        const WormholePort* port{nullptr};      ///< by which it came there; null: made there
        bool isAny{false};                      ///< whether one of its edges has to go, not all
        std::vector<Edge> edges{};              ///< what it waits for
    };

    /// @param left by vertex, whether it never moves
    /// @param longestTreeWorm length of the longest async tree worm so far, flits
    /// @return that length if buffers of it at every port help; else 0
    virtual uint64_t FindHelpfulDepth(const std::vector<bool>& left,
                                      uint64_t longestTreeWorm) const = 0;

    std::vector<Member> m_members; ///< by vertex, in an order that no earlier event changes

  private:
    /// @return by vertex, whether it never moves by edges that hold at a time
    /// @param since the time, ns-3 time units
    std::vector<bool> Reduce(int64_t since) const;

    /// @param left by vertex, whether it never moves by edges that hold at a time
    /// @param since the time, ns-3 time units
    /// @return a shortest cycle of these edges, from its vertex that is the first in order; empty
    ///         if there is none
    std::vector<Vertex> FindCycle(const std::vector<bool>& left, int64_t since) const;

    /// @return what a vertex waits for @param from the vertex @param edge the edge
    Deadlock::Wait Describe(Vertex from, const Edge& edge) const;
};

} // namespace ns3

#endif /* WAIT_GRAPH_H */
