/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "irregular-topology-draw.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <numeric>

namespace ns3
{

namespace
{

/// Takes an element out of a list, the last one taking its place.
/// @param list the list @param index the element's index
void
Drop(std::vector<uint32_t>& list, std::size_t index)
{
    list[index] = list.back();
    list.pop_back();
}

} // namespace

IrregularTopologyDraw::IrregularTopologyDraw(const IrregularTopologyHelper::Parameters& parameters,
                                             uint32_t nLinks,
                                             UniformRandomVariable& random)
    : m_parameters(parameters),
      m_nLinks(nLinks),
      m_random(random),
      m_hosts(parameters.switches, 0),
      m_free(parameters.switches, parameters.ports),
      m_neighbours(parameters.switches)
{
    m_links.reserve(nLinks);
}

uint32_t
IrregularTopologyDraw::Below(std::size_t n)
{
    return m_random.GetInteger(0, static_cast<uint32_t>(n - 1));
}

void
IrregularTopologyDraw::Shuffle(std::vector<uint32_t>& list, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        std::swap(list[i], list[i + Below(list.size() - i)]);
    }
}

bool
IrregularTopologyDraw::Run()
{
    DrawHosts();
    switch (m_parameters.law)
    {
    case IrregularTopologyHelper::Law::RECURSIVE:
        return JoinRecursively() && AddLinks();
    case IrregularTopologyHelper::Law::WALK:
        return JoinByWalk() && AddLinks();
    default:
        return PairPorts();
    }
}

void
IrregularTopologyDraw::DrawHosts()
{
    std::vector<uint32_t> slots(std::size_t{m_parameters.switches} * (m_parameters.ports - 1));
    std::iota(slots.begin(), slots.end(), 0);
    Shuffle(slots, m_parameters.hosts);
    for (uint32_t i = 0; i < m_parameters.hosts; ++i)
    {
        const auto node = slots[i] / (m_parameters.ports - 1);
        ++m_hosts[node];
        --m_free[node];
    }
}

bool
IrregularTopologyDraw::MayLink(Node a, Node b) const
{
    const auto& known = m_neighbours[a];
    return a != b &&
           (m_parameters.parallelLinks || std::find(known.begin(), known.end(), b) == known.end());
}

void
IrregularTopologyDraw::Link(Node a, Node b)
{
    m_links.emplace_back(a, b);
    m_neighbours[a].push_back(b);
    m_neighbours[b].push_back(a);
    --m_free[a];
    --m_free[b];
}

bool
IrregularTopologyDraw::JoinRecursively()
{
    std::vector<Node> order(m_parameters.switches);
    std::iota(order.begin(), order.end(), 0);
    Shuffle(order, order.size());
    std::vector<Node> open{order[0]}; // earlier switches with free ports
    for (std::size_t i = 1; i < order.size(); ++i)
    {
        if (open.empty())
        {
            return false;
        }
        const auto at = Below(open.size());
        Link(open[at], order[i]);
        if (m_free[open[at]] == 0)
        {
            Drop(open, at);
        }
        if (m_free[order[i]] > 0)
        {
            open.push_back(order[i]);
        }
    }
    return true;
}

bool
IrregularTopologyDraw::JoinByWalk()
{
    std::vector<bool> entered(m_parameters.switches, false);
    auto here = Below(m_parameters.switches);
    entered[here] = true;
    uint32_t left = m_parameters.switches - 1; // switches not entered yet
    uint64_t free = m_free[here];              // free ports of those entered
    while (left > 0)
    {
        if (free == 0)
        {
            return false;
        }
        const auto next = Below(m_parameters.switches);
        if (!entered[next] && m_free[here] == 0)
        {
            continue; // no cable could be laid: the walk takes another step
        }
        if (!entered[next])
        {
            free = free + m_free[next] - 2;
            Link(here, next);
            entered[next] = true;
            --left;
        }
        here = next;
    }
    return true;
}

bool
IrregularTopologyDraw::AnyMayLink(const std::vector<Node>& open) const
{
    for (std::size_t i = 0; i < open.size(); ++i)
    {
        for (std::size_t j = 0; j < i; ++j)
        {
            if (MayLink(open[i], open[j]))
            {
                return true;
            }
        }
    }
    return false;
}

bool
IrregularTopologyDraw::AddLinks()
{
    std::vector<Node> open; // switches with free ports
    for (Node node = 0; node < m_parameters.switches; ++node)
    {
        if (m_free[node] > 0)
        {
            open.push_back(node);
        }
    }
    while (m_links.size() < m_nLinks)
    {
        // A switch with a free port has fewer than k neighbours: only few switches can be stuck.
        if (open.size() <= m_parameters.ports && !AnyMayLink(open))
        {
            return false;
        }
        auto i = Below(open.size());
        auto j = Below(open.size());
        if (!MayLink(open[i], open[j]))
        {
            continue;
        }
        Link(open[i], open[j]);
        for (auto at : {std::max(i, j), std::min(i, j)})
        {
            if (m_free[open[at]] == 0)
            {
                Drop(open, at);
            }
        }
    }
    return true;
}

bool
IrregularTopologyDraw::PairPorts()
{
    const auto n = m_parameters.switches;
    std::vector<Node> rank(n, 0);
    std::vector<Node> parent(n);
    std::iota(parent.begin(), parent.end(), 0);
    boost::disjoint_sets<Node*, Node*> parts(rank.data(), parent.data());
    std::vector<uint64_t> freeOf(m_free.begin(), m_free.end()); // free ports of each part
    std::vector<uint32_t> open;                                 // switch of each free port
    for (Node node = 0; node < n; ++node)
    {
        open.insert(open.end(), m_free[node], node);
    }
    uint32_t nParts = n;
    // Many refusals in a row tell that nothing is left to be drawn.
    const uint64_t patience = 1000 + 10 * uint64_t{n};
    for (uint64_t refused = 0; m_links.size() < m_nLinks && refused < patience;)
    {
        const auto i = Below(open.size());
        const auto j = Below(open.size());
        const auto a = parts.find_set(open[i]);
        const auto b = parts.find_set(open[j]);
        const bool needed = m_nLinks - m_links.size() < nParts; // every cable must join two parts
        if (!MayLink(open[i], open[j]) || (a == b && needed))
        {
            ++refused;
            continue;
        }
        refused = 0;
        Link(open[i], open[j]);
        Drop(open, std::max(i, j));
        Drop(open, std::min(i, j));
        if (a != b)
        {
            const auto free = freeOf[a] + freeOf[b];
            parts.link(a, b);
            freeOf[parts.find_set(a)] = free;
            --nParts;
        }
        auto& free = freeOf[parts.find_set(a)];
        free -= 2;
        if (open.empty() || (free == 0 && nParts > 1))
        {
            break;
        }
    }
    return m_links.size() == m_nLinks && nParts == 1;
}

FabricGraph
IrregularTopologyDraw::MakeGraph()
{
    const auto q = m_parameters.switches;
    const auto k = m_parameters.ports;
    FabricGraph graph(q, m_parameters.hosts, k);
    std::vector<std::vector<uint32_t>> ports(q); // of each switch, those for links left
    uint32_t host = 0;
    for (Node node = 0; node < q; ++node)
    {
        auto& mine = ports[node];
        mine.resize(k);
        std::iota(mine.begin(), mine.end(), 0);
        const auto used = m_hosts[node] + m_neighbours[node].size();
        Shuffle(mine, used);
        mine.resize(used);
        const auto links = mine.begin() + static_cast<std::ptrdiff_t>(m_neighbours[node].size());
        std::sort(links, mine.end());
        for (auto port = links; port != mine.end(); ++port)
        {
            graph.Connect(node, static_cast<FabricGraph::Port>(*port), graph.HostAt(host++), 0);
        }
        mine.erase(links, mine.end());
    }
    for (const auto& [a, b] : m_links)
    {
        graph.Connect(a,
                      static_cast<FabricGraph::Port>(ports[a].back()),
                      b,
                      static_cast<FabricGraph::Port>(ports[b].back()));
        ports[a].pop_back();
        ports[b].pop_back();
    }
    return graph;
}

} // namespace ns3
