// SPDX-License-Identifier: GPL-2.0-only

#ifndef GRAPH_WALK_H
#define GRAPH_WALK_H

#include "ns3/fabric-graph.h"

namespace ns3
{

/// Calls a function from either end of each cable, with this end and the other, by node and port.
template <typename VISIT>
void
ForEachEnd(const FabricGraph& graph, VISIT visit)
{
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        for (FabricGraph::Port port = 0; port < graph.GetNPorts(node); ++port)
        {
            if (const auto far = graph.Peer(node, port); far.node != FabricGraph::NONE)
            {
                visit(FabricGraph::End{node, port}, far);
            }
        }
    }
}

/// Calls a function once for each cable, with the end at the node of lower number first.
template <typename VISIT>
void
ForEachCable(const FabricGraph& graph, VISIT visit)
{
    ForEachEnd(graph, [&](FabricGraph::End end, FabricGraph::End far) {
        if (end.node < far.node)
        {
            visit(end, far);
        }
    });
}

} // namespace ns3

#endif /* GRAPH_WALK_H */
