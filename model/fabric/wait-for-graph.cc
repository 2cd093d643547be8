/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wait-for-graph.h"

#include "wormhole-node-state.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <set>
#include <tuple>

namespace ns3
{

namespace
{

/// Waits of those that are left.
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// Notes the tree of a breadth-first search.
struct ParentRecorder : public boost::default_bfs_visitor
{
    std::vector<std::size_t>* parents; ///< by vertex, where the search came from

    /// An edge leads to a vertex seen for the first time. @param e the edge @param g the graph
    void tree_edge(Graph::edge_descriptor e, const Graph& g)
    {
        (*parents)[boost::target(e, g)] = boost::source(e, g);
    }
};

/// Which channel comes after which on the routes of worms.
class ChannelOrder
{
  public:
    /**
     * Adds the channels of a worm's route.
     * @param worm the worm
     * @param depth a depth, flits
     * @return whether a buffer on its way is less deep
     */
    bool Add(const Worm& worm, uint64_t depth)
    {
        m_isShallow = false;
        AddStop(worm.GetRoute()->At(0), *worm.GetRoute(), *worm.GetRoot(), nullptr, depth);
        return m_isShallow;
    }

    /// Adds the ways on which worms have come to a channel. @param output the channel
    void AddPast(const WormholePortState& output)
    {
        if (output.cameBy == 0)
        {
            return;
        }
        const auto& ports = output.input.node->ports;
        for (uint32_t number = 0; number < ports.size(); ++number)
        {
            if (output.HasNoted(number) && ports[number].input.upstream)
            {
                boost::add_edge(GetVertex(ports[number].input.upstream),
                                GetVertex(&output),
                                m_graph);
            }
        }
    }

    /// @return whether no channel comes after itself
    bool IsAcyclic() const
    {
        std::vector<std::size_t> component(boost::num_vertices(m_graph));
        const auto nComponents = boost::strong_components(
            m_graph,
            boost::make_iterator_property_map(component.begin(),
                                              boost::get(boost::vertex_index, m_graph)));
        return nComponents == component.size();
    }

  private:
    /**
     * @param branches branches of a stop
     * @param route their route
     * @param node node there
     * @param before channel that leads to it; null at the root
     * @param depth a depth, flits
     */
    void AddStop(const WormRoute::Branches& branches,
                 const WormRoute& route,
                 const WormholeNodeState& node,
                 const WormholeOutput* before,
                 uint64_t depth)
    {
        for (const auto branch : branches)
        {
            const auto output = node.GetOutput(branch.port);
            if (before)
            {
                boost::add_edge(GetVertex(before), GetVertex(output), m_graph);
            }
            m_isShallow = m_isShallow || (!output->isEjection && output->depth < depth);
            AddStop(route.At(branch.next), route, *output->GetFar().input.node, output, depth);
        }
    }

    /// @return its vertex @param output a channel
    std::size_t GetVertex(const WormholeOutput* output)
    {
        const auto [entry, isNew] = m_vertexOf.emplace(output, m_vertexOf.size());
        return isNew ? boost::add_vertex(m_graph) : entry->second;
    }

    Graph m_graph;                                                     ///< the channels
    std::unordered_map<const WormholeOutput*, std::size_t> m_vertexOf; ///< vertices of channels
    bool m_isShallow{false};                                           ///< what Add returns
};

/// @return number of conditions of its own that a worm has at a node @param hop the worm there
std::size_t
GetNConditions(const WormHop& hop)
{
    return std::max<std::size_t>(1, hop.GetNFlows()); // one that ends there has to be all there
}

} // namespace

WaitForGraph::WaitForGraph(const std::vector<Ptr<WormholePort>>& ports,
                           const FlitTimes& times,
                           bool hasQueues)
    : m_ports(ports),
      m_times(times),
      m_hasQueues(hasQueues)
{
    for (const auto& port : ports)
    {
        AddPort(*port);
    }
    NumberVertices();
    for (const auto hop : m_hops)
    {
        AddEdges(*hop);
    }
}

void
WaitForGraph::AddPort(const WormholePort& port)
{
    const auto& output = port.GetState();
    for (auto branch = output.requests; branch; branch = branch->nextRequest)
    {
        AddHop(branch->hop); // sending queues and worms made by switches are in no port's input
    }
    if (output.owner)
    {
        AddHop(output.owner);
    }
    if (output.input.front)
    {
        AddHop(output.input.front);
    }
}

void
WaitForGraph::AddHop(const WormHop* hop)
{
    if (m_ahead.count(hop))
    {
        return;
    }
    if (!m_hasQueues && hop->input && !hop->input->upstream)
    {
        m_hops.push_back(hop); // only the first one asks for outputs, or has them
        m_ahead[hop] = nullptr;
        return;
    }
    const WormHop* ahead = nullptr;
    for (auto next = hop->input ? hop->input->front : hop; next; next = next->behind)
    {
        m_hops.push_back(next);
        m_ahead[next] = ahead;
        ahead = next;
        if (!next->input)
        {
            break; // made by a switch, in no FIFO
        }
    }
}

void
WaitForGraph::NumberVertices()
{
    std::sort(m_hops.begin(), m_hops.end(), [](const WormHop* a, const WormHop* b) {
        return std::make_tuple(a->worm->GetId(), a->stop) <
               std::make_tuple(b->worm->GetId(), b->stop);
    });
    for (const auto hop : m_hops)
    {
        m_first[hop] = m_members.size();
        for (std::size_t flow = 0; flow <= GetNConditions(*hop); ++flow)
        {
            m_members.push_back({hop, flow, {}});
        }
    }
}

WaitForGraph::Vertex
WaitForGraph::GetOwner(const WormholeOutput& output) const
{
    const auto& owner = *output.owner;
    std::size_t flow = 0;
    while (!owner.inStep && owner.branches[flow].output != &output)
    {
        ++flow;
    }
    return m_first.at(&owner) + flow;
}

int64_t
WaitForGraph::GetNextStart(const WormHop& hop, std::size_t flow) const
{
    const auto& line = hop.branches[flow].flow;
    if (hop.isStream)
    {
        return line.nextStart; // its other times are not kept
    }
    if (line.sent == 0)
    {
        return hop.DropsFlit() ? std::max(hop.routeFlit + m_times[hop.input->upstream->pace],
                                          hop.branches[flow].since)
                               : WormholeOutput::ALWAYS;
    }
    return hop.branches[flow].nextDeparture;
}

void
WaitForGraph::AddEdges(const WormHop& hop)
{
    const auto first = m_first.at(&hop);
    const auto nConditions = GetNConditions(hop);
    auto& left = m_members[first + nConditions].edges;
    for (std::size_t i = 0; i < nConditions; ++i)
    {
        if (hop.branches.empty() || hop.branches[i].flow.sent < hop.flits)
        {
            left.push_back({first + i, WormholeOutput::ALWAYS, Deadlock::LEAVE, nullptr});
        }
    }
    const auto ahead = m_ahead.at(&hop);
    for (std::size_t i = 0; i < nConditions; ++i)
    {
        auto& edges = m_members[first + i].edges;
        if (ahead)
        {
            edges.push_back({m_first.at(ahead) + GetNConditions(*ahead),
                             hop.DropsFlit() ? hop.routeFlit : hop.arrivals.GetFirstTime(),
                             Deadlock::FIFO,
                             nullptr});
        }
        if (hop.branches.empty())
        {
            if (hop.arrivals.GetEnd() < hop.flits)
            {
                edges.push_back({GetOwner(*hop.input->upstream),
                                 hop.arrivals.GetLastTime(m_times),
                                 Deadlock::FLIT,
                                 nullptr});
            }
        }
        else if (hop.asked)
        {
            AddFlowEdges(hop, i);
        }
    }
}

void
WaitForGraph::AddFlowEdges(const WormHop& hop, std::size_t flow)
{
    const auto from = m_first.at(&hop) + flow;
    const auto& line = hop.branches[flow].flow;
    const auto end = flow + hop.GetFlowSize();
    if (line.sent == hop.flits)
    {
        return;
    }
    if (line.missing > 0)
    {
        for (auto i = flow; i < end; ++i)
        {
            const auto& branch = hop.branches[i];
            const auto& output = *branch.output;
            if (output.owner && output.owner != &hop)
            {
                const auto owner = GetOwner(output);
                const auto& held = output.owner->branches;
                const auto grant = std::find_if(held.begin(), held.end(), [&](const auto& b) {
                    return b.output == &output;
                });
                m_members[from].edges.push_back(
                    {owner, std::max(branch.since, grant->since), Deadlock::OUTPUT, &output});
            }
        }
        return;
    }
    const auto next = GetNextStart(hop, flow);
    if (line.sent == hop.arrivals.GetEnd())
    {
        m_members[from].edges.push_back(
            {GetOwner(*hop.input->upstream), next, Deadlock::FLIT, nullptr});
    }
    if (line.sent == line.earliestStarts.GetEnd())
    {
        for (auto i = flow; i < end; ++i)
        {
            AddCreditEdges(from, hop.branches[i], line.sent, std::max(line.nextStart, next));
        }
    }
}

void
WaitForGraph::AddCreditEdges(Vertex from, const WormBranch& branch, uint64_t flits, int64_t since)
{
    const auto& output = *branch.output;
    if (output.isEjection || branch.base + flits < output.credits.GetEnd())
    {
        return;
    }
    // Slots are freed in the order of the flits, so the next credit is that of the first worm
    // with a slot that is not free.
    auto holder = output.GetFar().input.front;
    while (holder && holder->credited == holder->flits)
    {
        holder = holder->behind;
    }
    if (!holder)
    {
        return;
    }
    const auto first = m_first.at(holder);
    for (std::size_t i = 0; i < GetNConditions(*holder); ++i)
    {
        if (holder->branches.empty() || holder->branches[i].flow.sent <= holder->credited)
        {
            m_members[from].edges.push_back({first + i, since, Deadlock::CREDIT, &output});
        }
    }
}

std::vector<bool>
WaitForGraph::Reduce() const
{
    std::vector<std::vector<Vertex>> waiters(m_members.size());
    std::vector<std::size_t> nEdges(m_members.size());
    std::vector<Vertex> movable;
    for (Vertex v = 0; v < m_members.size(); ++v)
    {
        nEdges[v] = m_members[v].edges.size();
        for (const auto& edge : m_members[v].edges)
        {
            waiters[edge.to].push_back(v);
        }
        if (nEdges[v] == 0)
        {
            movable.push_back(v);
        }
    }
    std::vector<bool> left(m_members.size(), true);
    while (!movable.empty())
    {
        const auto v = movable.back();
        movable.pop_back();
        left[v] = false;
        for (const auto waiter : waiters[v])
        {
            if (--nEdges[waiter] == 0)
            {
                movable.push_back(waiter);
            }
        }
    }
    return left;
}

std::vector<WaitForGraph::Vertex>
WaitForGraph::FindCycle(const std::vector<bool>& left, int64_t since) const
{
    const auto n = m_members.size();
    Graph graph(n);
    for (Vertex v = 0; v < n; ++v)
    {
        for (const auto& edge : m_members[v].edges)
        {
            if (left[v] && left[edge.to] && edge.since <= since)
            {
                boost::add_edge(v, edge.to, graph);
            }
        }
    }
    std::vector<std::size_t> component(n);
    const auto nComponents = boost::strong_components(
        graph,
        boost::make_iterator_property_map(component.begin(),
                                          boost::get(boost::vertex_index, graph)));
    std::vector<std::size_t> sizes(nComponents);
    for (const auto c : component)
    {
        ++sizes[c];
    }
    for (Vertex v = 0; v < n; ++v)
    {
        if (sizes[component[v]] == 1 && !boost::edge(v, v, graph).second)
        {
            continue;
        }
        std::vector<Vertex> parents(n, n);
        ParentRecorder recorder;
        recorder.parents = &parents;
        boost::breadth_first_search(graph, v, boost::visitor(recorder));
        // Of the vertices at the end of a shortest way back, the first one in order.
        std::vector<Vertex> best;
        for (Vertex last = 0; last < n; ++last)
        {
            if (component[last] != component[v] || !boost::edge(last, v, graph).second)
            {
                continue;
            }
            std::vector<Vertex> cycle{last};
            while (cycle.back() != v)
            {
                cycle.push_back(parents[cycle.back()]);
            }
            if (best.empty() || cycle.size() < best.size())
            {
                best.assign(cycle.rbegin(), cycle.rend());
            }
        }
        return best;
    }
    return {};
}

Deadlock::Wait
WaitForGraph::Describe(Vertex from, const Edge& edge) const
{
    const auto& hop = *m_members[from].hop;
    const auto input = hop.input && hop.input->port ? hop.input->port->GetName() : hop.node->name;
    return {hop.worm->GetId(),
            edge.cause,
            edge.output ? edge.output->GetPort().GetName() : input,
            m_members[edge.to].hop->worm->GetId()};
}

uint64_t
WaitForGraph::FindHelpfulDepth(const std::vector<bool>& left, uint64_t longestTreeWorm) const
{
    ChannelOrder order;
    bool isShallow = false;
    std::set<const Worm*> seen;
    for (Vertex v = 0; v < m_members.size(); ++v)
    {
        const auto worm = PeekPointer(m_members[v].hop->worm);
        if (left[v] && seen.insert(worm).second)
        {
            isShallow = order.Add(*worm, longestTreeWorm) || isShallow;
        }
    }
    for (const auto& port : m_ports)
    {
        order.AddPast(port->GetState());
    }
    return isShallow && order.IsAcyclic() ? longestTreeWorm : 0;
}

Deadlock
WaitForGraph::FindDeadlock(uint64_t longestTreeWorm) const
{
    Deadlock deadlock;
    const auto left = Reduce();
    std::set<uint64_t> worms;
    std::set<int64_t> times;
    for (Vertex v = 0; v < m_members.size(); ++v)
    {
        if (left[v])
        {
            worms.insert(m_members[v].hop->worm->GetId());
            for (const auto& edge : m_members[v].edges)
            {
                if (left[edge.to])
                {
                    times.insert(edge.since);
                }
            }
        }
    }
    if (worms.empty())
    {
        return deadlock;
    }
    deadlock.blocked.assign(worms.begin(), worms.end());
    const std::vector<int64_t> since(times.begin(), times.end());
    const auto closed = *std::partition_point(since.begin(), since.end(), [&](int64_t time) {
        return FindCycle(left, time).empty();
    });
    const auto cycle = FindCycle(left, closed);
    for (std::size_t i = 0; i < cycle.size(); ++i)
    {
        const auto& edges = m_members[cycle[i]].edges;
        const auto to = cycle[(i + 1) % cycle.size()];
        const auto edge = std::find_if(edges.begin(), edges.end(), [&](const Edge& e) {
            return e.to == to && e.since <= closed;
        });
        deadlock.cycle.push_back(Describe(cycle[i], *edge));
    }
    deadlock.closed = TimeStep(closed);
    deadlock.depth = longestTreeWorm > 0 ? FindHelpfulDepth(left, longestTreeWorm) : 0;
    return deadlock;
}

} // namespace ns3
