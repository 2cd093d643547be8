// SPDX-License-Identifier: GPL-2.0-only

#include "tree-dependencies.h"

#include "ns3/ordering.h"

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

constexpr Vertex NO_VERTEX = UINT32_MAX; ///< where a search started

/// Breadth-first search within one strong component, which it need not search whole.
/// @return the shortest way from the start to a goal of its component, both included
template <class Goal>
std::vector<Vertex>
FindWay(const Graph& graph, const std::vector<uint32_t>& component, Vertex start, Goal isGoal)
{
    std::vector<Vertex> from(boost::num_vertices(graph), NO_VERTEX);
    std::vector<Vertex> queue{start};
    std::size_t i = 0;
    for (; !isGoal(queue[i]); ++i)
    {
        auto range = boost::out_edges(queue[i], graph);
        for (; range.first != range.second; ++range.first)
        {
            const auto to = boost::target(*range.first, graph);
            if (component[to] == component[start] && to != start && from[to] == NO_VERTEX)
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

} // namespace

void
TreeDependencies::Add(const WormRoute& route, const std::vector<uint32_t>& channels)
{
    const auto base = static_cast<uint32_t>(m_places.size());
    std::vector<uint32_t> before(route.GetNStops(), ChannelWaitGraph::NO_CHANNEL); // place, by stop
    uint32_t at = base;
    for (WormRoute::Stop stop = 0; stop < route.GetNStops(); ++stop)
    {
        const auto first = at;
        const auto last = at + static_cast<uint32_t>(route.At(stop).size());
        for (const auto& branch : route.At(stop))
        {
            const bool atSource = stop == 0;
            const auto input =
                atSource ? ChannelWaitGraph::NO_CHANNEL : m_places[before[stop]].channel;
            const auto parent = atSource ? at : before[stop];
            m_places.push_back({channels[at - base], input, parent, first, last});
            before[branch.next] = at++;
        }
    }
}

void
TreeDependencies::AddTo(ChannelWaitGraph& graph, const std::vector<std::vector<uint32_t>>& next)
{
    AddWorms(graph);
    m_groups.clear();
    m_sorted = NumbersBy(m_places.size(), [this](uint32_t i) {
        return std::pair(m_places[i].channel, m_places[i].input);
    });
    for (std::size_t first = 0, last = 0; first < m_sorted.size(); first = last)
    {
        const auto& place = m_places[m_sorted[first]];
        while (last < m_sorted.size() && m_places[m_sorted[last]].channel == place.channel &&
               m_places[m_sorted[last]].input == place.input)
        {
            ++last;
        }
        AddGroup(graph, first, last);
    }
    for (const auto& place : m_places)
    {
        const auto [first, last] = GroupsOf(place.channel);
        for (auto i = first; i < last; ++i)
        {
            if (m_groups[i].input != place.input)
            {
                graph.AddEdge(place.wants, m_groups[i].stuck);
            }
        }
    }
    for (uint32_t channel = 0; channel < next.size(); ++channel)
    {
        for (auto wanted : next[channel])
        {
            const auto [first, last] = GroupsOf(wanted);
            for (auto i = first; i < last; ++i)
            {
                const bool behind = m_groups[i].input == channel;
                graph.AddEdge(channel, behind ? m_groups[i].past : m_groups[i].stuck);
            }
        }
    }
}

void
TreeDependencies::AddWorms(ChannelWaitGraph& graph)
{
    for (auto& place : m_places)
    {
        place.stuck = graph.AddVertex(place.channel);
        place.past = graph.AddVertex(place.channel);
        place.wants = graph.AddVertex();
        place.beside = graph.AddVertex();
    }
    for (uint32_t i = 0; i < m_places.size(); ++i)
    {
        const auto& place = m_places[i];
        const auto& parent = m_places[place.parent];
        if (place.parent != i)
        {
            graph.AddEdge(parent.stuck, place.wants);
            graph.AddEdge(parent.past, place.wants);
            graph.AddEdge(parent.wants, place.wants);
            graph.AddEdge(place.beside, parent.beside);
        }
        graph.AddEdge(place.stuck, place.beside);
        graph.AddEdge(place.wants, place.channel);
        for (auto sibling = place.firstBranch; sibling < place.lastBranch; ++sibling)
        {
            if (sibling != i)
            {
                graph.AddEdge(place.beside, m_places[sibling].wants);
            }
        }
    }
}

void
TreeDependencies::AddGroup(ChannelWaitGraph& graph, std::size_t first, std::size_t last)
{
    const auto& front = m_places[m_sorted[first]];
    // Worms that a switch sends itself do not come behind one another by an input.
    const bool fromSource = front.input == ChannelWaitGraph::NO_CHANNEL;
    const auto allStuck = graph.AddVertex();
    Vertex upTo = graph.AddVertex(); // the places before
    Vertex from = graph.AddVertex(); // the places after
    const auto add = [&](const Place& place, Vertex& others) {
        graph.AddEdge(place.wants, others);
        const auto wider = graph.AddVertex();
        graph.AddEdge(wider, others);
        graph.AddEdge(wider, fromSource ? place.stuck : place.past);
        others = wider;
    };
    for (auto i = first; i < last; ++i)
    {
        graph.AddEdge(allStuck, m_places[m_sorted[i]].stuck);
        add(m_places[m_sorted[i]], upTo);
    }
    for (auto i = last; i-- > first;)
    {
        add(m_places[m_sorted[i]], from);
    }
    m_groups.push_back({front.channel, front.input, allStuck, upTo});
}

std::pair<std::size_t, std::size_t>
TreeDependencies::GroupsOf(uint32_t channel) const
{
    const auto first =
        std::lower_bound(m_groups.begin(), m_groups.end(), channel, [](const Group& g, uint32_t c) {
            return g.channel < c;
        });
    const auto last = std::find_if(first, m_groups.end(), [channel](const Group& group) {
        return group.channel != channel;
    });
    return {first - m_groups.begin(), last - m_groups.begin()};
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
    const auto node = nodeOf[m_channels[start]];
    const auto out = FindWay(graph, component, start, [this, &nodeOf, node](Vertex v) {
        return m_channels[v] != NO_CHANNEL && nodeOf[m_channels[v]] != node;
    });
    const auto before = std::find_if(out.rbegin() + 1, out.rend(), [this](Vertex v) {
        return m_channels[v] != NO_CHANNEL;
    });
    const auto back =
        FindWay(graph, component, out.back(), [before](Vertex v) { return v == *before; });
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
