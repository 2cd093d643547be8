/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "channel-wait-graph.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

namespace ns3
{

namespace
{

using Vertex = ChannelWaitGraph::Vertex; //!< short name

/// Boost's form of the graph.
using Graph = boost::compressed_sparse_row_graph<boost::directedS,
                                                 boost::no_property,
                                                 boost::no_property,
                                                 boost::no_property,
                                                 Vertex,
                                                 std::size_t>;

/// No vertex: where a search started.
constexpr Vertex NO_VERTEX = UINT32_MAX;

/// Breadth-first search within one strong component, which it need not search whole.
class ComponentSearch
{
  public:
    /**
     * @param graph the graph
     * @param component component of each vertex
     */
    ComponentSearch(const Graph& graph, const std::vector<uint32_t>& component)
        : m_graph(graph),
          m_component(component)
    {
    }

    /**
     * @param start a vertex
     * @param isGoal says whether the search ends at a vertex
     * @return the shortest way from the start to a goal of its component, both included
     */
    template <class Goal>
    std::vector<Vertex> Find(Vertex start, Goal isGoal)
    {
        std::vector<Vertex> from(boost::num_vertices(m_graph), NO_VERTEX);
        std::vector<Vertex> queue{start};
        std::size_t i = 0;
        for (; !isGoal(queue[i]); ++i)
        {
            auto range = boost::out_edges(queue[i], m_graph);
            for (; range.first != range.second; ++range.first)
            {
                const auto to = boost::target(*range.first, m_graph);
                if (m_component[to] == m_component[start] && to != start && from[to] == NO_VERTEX)
                {
                    from[to] = queue[i];
                    queue.push_back(to);
                }
            }
        }
        std::vector<Vertex> way{queue[i]};
        while (way.back() != start)
        {
            way.push_back(from[way.back()]);
        }
        std::reverse(way.begin(), way.end());
        return way;
    }

  private:
    const Graph& m_graph;                     ///< the graph
    const std::vector<uint32_t>& m_component; ///< component of each vertex
};

} // namespace

ChannelWaitGraph::Vertex
ChannelWaitGraph::AddVertex(uint32_t channel)
{
    m_channels.push_back(channel);
    return static_cast<Vertex>(m_channels.size()) - 1;
}

void
ChannelWaitGraph::AddEdge(Vertex from, Vertex to)
{
    m_edges.emplace_back(from, to);
}

std::vector<uint32_t>
ChannelWaitGraph::FindCycle(const std::vector<FabricGraph::Node>& nodeOf) const
{
    const Graph graph(boost::edges_are_unsorted_multi_pass,
                      m_edges.begin(),
                      m_edges.end(),
                      m_channels.size());
    std::vector<uint32_t> component(m_channels.size());
    const auto nComponents = boost::strong_components(
        graph,
        boost::make_iterator_property_map(component.begin(),
                                          boost::get(boost::vertex_index, graph)));

    // The first channel vertex of each component; the second one at another node shows a cycle.
    std::vector<Vertex> first(nComponents, NO_VERTEX);
    Vertex start = NO_VERTEX;
    for (Vertex v = 0; v < m_channels.size() && start == NO_VERTEX; ++v)
    {
        auto& seen = first[component[v]];
        if (m_channels[v] == NO_CHANNEL)
        {
            continue;
        }
        if (seen == NO_VERTEX)
        {
            seen = v;
        }
        else if (nodeOf[m_channels[v]] != nodeOf[m_channels[seen]])
        {
            start = seen;
        }
    }
    if (start == NO_VERTEX)
    {
        return {};
    }

    // From the start to the nearest channel of another node, and back to the channel before that.
    ComponentSearch search(graph, component);
    const auto node = nodeOf[m_channels[start]];
    const auto out = search.Find(start, [this, &nodeOf, node](Vertex v) {
        return m_channels[v] != NO_CHANNEL && nodeOf[m_channels[v]] != node;
    });
    const auto before = std::find_if(out.rbegin() + 1, out.rend(), [this](Vertex v) {
        return m_channels[v] != NO_CHANNEL;
    });
    const auto back = search.Find(out.back(), [before](Vertex v) { return v == *before; });
    std::vector<uint32_t> cycle{m_channels[*before]};
    for (auto v : back)
    {
        if (m_channels[v] != NO_CHANNEL && v != *before)
        {
            cycle.push_back(m_channels[v]);
        }
    }
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
}

} // namespace ns3
