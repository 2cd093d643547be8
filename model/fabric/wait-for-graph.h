/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WAIT_FOR_GRAPH_H
#define WAIT_FOR_GRAPH_H

#include "wait-graph.h"
#include "wormhole-node-state.h"
#include "wormhole-port.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What the worms of a fabric wait for whose outputs are granted flit by flit (S5).
 *
 * A vertex is the next flit of one flow of a worm at one node: of one branch, or of all branches
 * of a sync tree worm. A worm's branches and its parts at different nodes wait each for
 * themselves, so the worm as a whole is no vertex. An edge is a condition that has to come true
 * before the flit can start: the tail of an output's owner (S5), the slot whose credit is missing
 * (S6), the flit itself, or the worm ahead in the FIFO (S4). A flow that has choices has a vertex
 * more for each (S12).
 *
 * Building it takes time in proportion to ports, worms and branches; the order in time a further
 * factor of a logarithm, for those that are left only.
 */
class WaitForGraph : public WaitGraph
{
  public:
    /**
     * @param ports ports of the fabric, both ends of every cable. Whatever follows from what their
     *        worms know must have been scheduled (RunEngine::CatchUp). They outlive this.
     * @param times flit times of its channels
     * @param hasQueues whether worms behind the first in sending interfaces are part of it. Nobody
     *        waits for these but those behind them, so that without them it takes as long as what
     *        is in the fabric, and finds no deadlock just if there is none; but not all who wait
     */
    WaitForGraph(const std::vector<Ptr<WormholePort>>& ports,
                 const FlitTimes& times,
                 bool hasQueues);

  private:
    /// Adds the worms of a port's input and output.
    void AddPort(const WormholePort& port);

    void AddHop(const WormHop* hop);

    /// Gives the worms vertices, in an order that no earlier event changes.
    void NumberVertices();

    /// Adds the conditions of a worm at a node.
    void AddEdges(const WormHop& hop);

    /// Adds the conditions of a flow that has not got all its outputs.
    void AddGrantEdges(const WormHop& hop, std::size_t flow);

    void AddFlowEdges(const WormHop& hop, std::size_t flow);

    /// Adds what a flow waits for at one output that it was granted.
    /// @param since from when on the next one could start, ns-3 time units
    void AddCreditEdges(Vertex from, const WormBranch& branch, uint64_t flits, int64_t since);

    /// @return the flow that owns an output
    Vertex GetOwner(const WormholeOutput& output) const;

    /// @return a flit time after the start of the last flit that started; if none has, when the
    /// first one could have behind a flit that went no further (S1b), else ALWAYS
    int64_t GetNextStart(const WormHop& hop, std::size_t flow) const;

    /// Buffers that hold a whole async tree worm let each of its branches go its own way: a worm
    /// then waits for channels further on its route only. So these buffers help where no channel
    /// comes after itself on the routes of the worms that wait and on the ways of all worms so far,
    /// since at another depth those may be late. @param left by vertex, whether it never moves
    /// @param longestTreeWorm length of the longest async tree worm so far, flits
    /// @return that length if buffers of it help; else 0
    uint64_t FindHelpfulDepth(const std::vector<bool>& left,
                              uint64_t longestTreeWorm) const override;

    const std::vector<Ptr<WormholePort>>& m_ports;              ///< ports of the fabric
    const FlitTimes& m_times;                                   ///< flit times of channels
    bool m_hasQueues;                                           ///< see the constructor
    std::vector<const WormHop*> m_hops;                         ///< worms at nodes
    std::unordered_map<const WormHop*, const WormHop*> m_ahead; ///< who is ahead in the FIFO
    std::unordered_map<const WormHop*, Vertex> m_first;         ///< vertex of the first flow
};

} // namespace ns3

#endif /* WAIT_FOR_GRAPH_H */
