// SPDX-License-Identifier: GPL-2.0-only

#include "wait-graph.h"

#include "wormhole-node-state.h"

#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-port.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <set>

namespace ns3
{

namespace
{

std::string
PrintCause(Deadlock::Cause cause, const std::string& place)
{
    constexpr const char* WORDS[][2] = {
        {"wants output ", " held by"},
        {"wants output ", " after"},
        {"at output ", " lacks room in the next buffer, taken by"},
        {"at ", " lacks its next flit, held up with"},
        {"at ", " is behind"},
        {"at ", " waits for another branch of"},
    };
    return WORDS[cause][0] + place + WORDS[cause][1];
}

} // namespace

std::string
Deadlock::Print() const
{
    const auto name = [](uint64_t worm) { return "worm " + std::to_string(worm); };
    std::set<uint64_t> members;
    for (const auto& wait : cycle)
    {
        members.insert(wait.worm);
    }
    std::string text;
    for (const auto& wait : cycle)
    {
        // That a worm waits for other parts of itself goes without saying.
        if (wait.worm != wait.forWorm || members.size() == 1)
        {
            text += (text.empty() ? "" : "; ") + name(wait.worm) + " " +
                    PrintCause(wait.cause, wait.place) + " " + name(wait.forWorm);
        }
    }
    text = "deadlock, " + std::to_string(members.size()) + " worms wait for each other since " +
           ExactTime::Print(closed) + ": " + text;
    constexpr std::size_t SHOWN = 64;
    text += "; blocked: ";
    for (std::size_t i = 0; i < std::min(SHOWN, blocked.size()); ++i)
    {
        text += (i ? ", " : "") + name(blocked[i]);
    }
    if (blocked.size() > SHOWN)
    {
        text += " and " + std::to_string(blocked.size() - SHOWN) + " more";
    }
    if (depth > 0)
    {
        text += "; the longest tree worm, such as a broadcast frame, has " + std::to_string(depth) +
                " flits: with a WormholePort::BufferDepth of that at every port no worm so far "
                "could deadlock";
    }
    return text;
}

std::vector<bool>
WaitGraph::Reduce(int64_t since) const
{
    std::vector<std::vector<Vertex>> waiters(m_members.size());
    std::vector<std::size_t> nEdges(m_members.size()); // that have to go
    std::vector<Vertex> movable;
    for (Vertex v = 0; v < m_members.size(); ++v)
    {
        const auto& member = m_members[v];
        std::size_t holding = 0;
        for (const auto& edge : member.edges)
        {
            if (edge.since <= since)
            {
                waiters[edge.to].push_back(v);
                ++holding;
            }
        }
        const auto isChoice = member.isAny && !member.edges.empty();
        nEdges[v] = isChoice ? std::size_t{holding == member.edges.size()} : holding;
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
            if (nEdges[waiter] > 0 && --nEdges[waiter] == 0)
            {
                movable.push_back(waiter);
            }
        }
    }
    return left;
}

std::vector<WaitGraph::Vertex>
WaitGraph::FindCycle(const std::vector<bool>& left, int64_t since) const
{
    const auto n = m_members.size();
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(n);
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
        const auto recorder = boost::record_predecessors(parents.data(), boost::on_tree_edge());
        boost::breadth_first_search(graph, v, boost::visitor(boost::make_bfs_visitor(recorder)));
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
WaitGraph::Describe(Vertex from, const Edge& edge) const
{
    const auto& member = m_members[from];
    const auto input = member.port ? member.port->GetName() : member.node->name;
    return {member.worm->GetId(),
            edge.cause,
            (edge.output ? edge.output->GetPort().GetName() : input) +
                (edge.lane < 0 ? std::string() : " lane " + std::to_string(edge.lane)),
            m_members[edge.to].worm->GetId()};
}

Deadlock
WaitGraph::FindDeadlock(uint64_t longestTreeWorm) const
{
    Deadlock deadlock;
    const auto left = Reduce(WormholeOutput::NEVER);
    std::set<uint64_t> worms;
    std::set<int64_t> times;
    for (Vertex v = 0; v < m_members.size(); ++v)
    {
        if (left[v])
        {
            worms.insert(m_members[v].worm->GetId());
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
        const auto byThen = Reduce(time);
        return std::find(byThen.begin(), byThen.end(), true) == byThen.end();
    });
    const auto cycle = FindCycle(Reduce(closed), closed);
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
