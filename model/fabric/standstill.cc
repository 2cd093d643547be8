/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "standstill.h"

#include "wormhole-error.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>

namespace ns3
{

namespace
{

/// Waits between worms, as vertices 0, 1, ...
using WaitGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// Keeps the path of a depth-first search and stops at the first cycle.
struct CycleFinder : public boost::dfs_visitor<>
{
    std::vector<std::size_t>* path;  ///< vertices from the search's root to the present one
    std::vector<std::size_t>* cycle; ///< the first cycle found

    /// The search goes into a vertex. @param v the vertex
    void discover_vertex(std::size_t v, const WaitGraph&)
    {
        path->push_back(v);
    }

    /// The search leaves a vertex.
    void finish_vertex(std::size_t, const WaitGraph&)
    {
        path->pop_back();
    }

    /// An edge leads back onto the path. @param e the edge @param g the graph
    void back_edge(WaitGraph::edge_descriptor e, const WaitGraph& g)
    {
        if (cycle->empty())
        {
            cycle->assign(std::find(path->begin(), path->end(), boost::target(e, g)), path->end());
        }
    }
};

} // namespace

Standstill::Standstill(const std::vector<Ptr<WormholePort>>& ports)
{
    for (const auto& port : ports)
    {
        // Sending queues and worms made by switches stand in no port's input.
        const auto& output = port->GetOutput();
        for (auto lane = output.requests; lane; lane = lane->nextRequest)
        {
            AddWaits(*lane->visit, nullptr);
        }
        if (output.owner)
        {
            AddWaits(*output.owner, nullptr);
        }
    }
    for (const auto& port : ports)
    {
        const WormVisit* ahead = nullptr;
        for (auto visit = port->GetInput().front; visit; visit = visit->behind)
        {
            AddWaits(*visit, ahead);
            ahead = visit;
        }
    }
}

void
Standstill::AddWaits(const WormVisit& visit, const WormVisit* ahead)
{
    auto& waits = m_waits[visit.worm->GetId()];
    if (visit.worm->GetRoute()->GetNEnds() > 1)
    {
        m_treeFlits[visit.worm->GetId()] = visit.flits;
    }
    const auto add = [&waits, &visit](const WormVisit& other, std::string why) {
        const auto id = other.worm->GetId();
        const auto known = [&](const Wait& w) { return w.forWorm == id && w.why == why; };
        if (id != visit.worm->GetId() && std::none_of(waits.begin(), waits.end(), known))
        {
            waits.push_back({id, std::move(why)});
        }
    };
    if (ahead)
    {
        add(*ahead, "at " + visit.input->port->GetName() + " is behind");
        return;
    }
    for (const auto& lane : visit.lanes)
    {
        const auto& output = *lane.output;
        if (output.owner && output.owner != &visit)
        {
            add(*output.owner, "wants output " + output.port->GetName() + " held by");
        }
        else if (output.owner == &visit && !output.toHost && output.far->front)
        {
            add(*output.far->front, "has output " + output.port->GetName() + " but no room behind");
        }
    }
}

std::string
Standstill::ExplainCycle() const
{
    std::vector<uint64_t> ids;
    std::map<uint64_t, std::size_t> vertexOf;
    for (const auto& [id, waits] : m_waits)
    {
        vertexOf[id] = ids.size();
        ids.push_back(id);
    }
    WaitGraph graph(ids.size());
    for (const auto& [id, waits] : m_waits)
    {
        for (const auto& wait : waits)
        {
            if (vertexOf.count(wait.forWorm))
            {
                boost::add_edge(vertexOf[id], vertexOf[wait.forWorm], graph);
            }
        }
    }
    std::vector<std::size_t> path;
    std::vector<std::size_t> cycle;
    CycleFinder finder;
    finder.path = &path;
    finder.cycle = &cycle;
    boost::depth_first_search(graph, boost::visitor(finder));
    if (cycle.empty())
    {
        return "";
    }
    std::string text = "deadlock, " + std::to_string(cycle.size()) + " worms wait for each other: ";
    for (std::size_t i = 0; i < cycle.size(); ++i)
    {
        const auto next = ids[cycle[(i + 1) % cycle.size()]];
        const auto& waits = m_waits.at(ids[cycle[i]]);
        const auto wait = std::find_if(waits.begin(), waits.end(), [next](const Wait& w) {
            return w.forWorm == next;
        });
        text += (i ? "; worm " : "worm ") + std::to_string(ids[cycle[i]]) + " " + wait->why +
                " worm " + std::to_string(next);
    }
    const auto tree = std::find_if(cycle.begin(), cycle.end(), [&](std::size_t i) {
        return m_treeFlits.count(ids[i]) > 0;
    });
    if (tree != cycle.end())
    {
        const auto id = ids[*tree];
        text += "; worm " + std::to_string(id) + " is a tree worm, such as a broadcast frame, of " +
                std::to_string(m_treeFlits.at(id)) +
                " flits: with a BufferDepth of its length it holds up no others";
    }
    return text;
}

std::string
Standstill::Explain() const
{
    auto text = ExplainCycle();
    if (text.empty() && !m_waits.empty())
    {
        constexpr std::size_t SHOWN = 8;
        text = "standstill, " + std::to_string(m_waits.size()) + " worms cannot move: ";
        std::size_t shown = 0;
        for (const auto& [id, waits] : m_waits)
        {
            if (shown++ == SHOWN)
            {
                text += "; ...";
                break;
            }
            text += (shown > 1 ? "; worm " : "worm ") + std::to_string(id);
            for (const auto& wait : waits)
            {
                text += " " + wait.why + " worm " + std::to_string(wait.forWorm);
            }
        }
    }
    return text;
}

} // namespace ns3
