// SPDX-License-Identifier: GPL-2.0-only

#include "irregular-topology-helper.h"

#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

std::string
FourDecimals(double value)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.4f", value);
    return text;
}

/// Takes an element out of a list, the last one taking its place.
void
Drop(std::vector<uint32_t>& list, std::size_t index)
{
    list[index] = list.back();
    list.pop_back();
}

/// One draw of IrregularTopologyHelper, which may get stuck.
class IrregularTopologyDraw
{
  public:
    IrregularTopologyDraw(const IrregularTopologyHelper::Parameters& parameters,
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

    /// @return whether the draw went to the end
    bool Run()
    {
        DrawHosts();
        switch (m_parameters.law)
        {
        case IrregularTopologyHelper::TopologyModel::RECURSIVE:
            return JoinRecursively() && AddLinks();
        case IrregularTopologyHelper::TopologyModel::WALK:
            return JoinByWalk() && AddLinks();
        default:
            return PairPorts();
        }
    }

    FabricGraph MakeGraph()
    {
        const auto q = m_parameters.switches;
        const auto k = m_parameters.ports;
        FabricGraph graph(q, m_parameters.hosts, k);
        std::vector<std::vector<uint32_t>> ports(q); // of each switch, those for links left
        uint32_t host = 0;
        for (Node node = 0; node < q; ++node)
        {
            auto& mine = ports[node];
            mine = NumbersBelow(k);
            const auto used = m_hosts[node] + m_neighbours[node].size();
            Shuffle(mine, used);
            mine.resize(used);
            const auto links =
                mine.begin() + static_cast<std::ptrdiff_t>(m_neighbours[node].size());
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

  private:
    using Node = FabricGraph::Node; ///< number of a switch

    uint32_t Below(std::size_t n)
    {
        return m_random.GetInteger(0, static_cast<uint32_t>(n - 1));
    }

    /// Puts the first elements of a list into random order (Fisher and Yates).
    void Shuffle(std::vector<uint32_t>& list, std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            std::swap(list[i], list[i + Below(list.size() - i)]);
        }
    }

    void DrawHosts()
    {
        auto slots = NumbersBelow(std::size_t{m_parameters.switches} * (m_parameters.ports - 1));
        Shuffle(slots, m_parameters.hosts);
        for (uint32_t i = 0; i < m_parameters.hosts; ++i)
        {
            const auto node = slots[i] / (m_parameters.ports - 1);
            ++m_hosts[node];
            --m_free[node];
        }
    }

    bool JoinRecursively()
    {
        auto order = NumbersBelow(m_parameters.switches);
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

    bool JoinByWalk()
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

    bool AddLinks()
    {
        auto open = NumbersWith(m_parameters.switches, [this](Node at) { return m_free[at] > 0; });
        while (m_links.size() < m_nLinks)
        {
            // A switch with a free port has fewer than k neighbours: only few switches can be
            // stuck.
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

    bool PairPorts()
    {
        const auto n = m_parameters.switches;
        std::vector<Node> rank(n, 0);
        auto parent = NumbersBelow(n);
        boost::disjoint_sets<Node*, Node*> parts(rank.data(), parent.data());
        std::vector<uint64_t> freeOf(m_free.begin(), m_free.end()); // free ports of each part
        auto open = JoinedOf(NumbersBelow(n), [this](Node node) {   // switch of each free port
            return std::vector<uint32_t>(m_free[node], node);
        });
        uint32_t nParts = n;
        // Many refusals in a row tell that nothing is left to be drawn.
        const uint64_t patience = 1000 + 10 * uint64_t{n};
        for (uint64_t refused = 0; m_links.size() < m_nLinks && refused < patience;)
        {
            const auto i = Below(open.size());
            const auto j = Below(open.size());
            const auto a = parts.find_set(open[i]);
            const auto b = parts.find_set(open[j]);
            const bool needed =
                m_nLinks - m_links.size() < nParts; // every cable must join two parts
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

    bool MayLink(Node a, Node b) const
    {
        return a != b && (m_parameters.parallelLinks || !IsIn(m_neighbours[a], b));
    }

    void Link(Node a, Node b)
    {
        m_links.emplace_back(a, b);
        m_neighbours[a].push_back(b);
        m_neighbours[b].push_back(a);
        --m_free[a];
        --m_free[b];
    }

    bool AnyMayLink(const std::vector<Node>& open) const
    {
        return AnyOf(open,
                     [&](auto a) { return AnyOf(open, [&](auto b) { return MayLink(a, b); }); });
    }

    const IrregularTopologyHelper::Parameters& m_parameters; ///< what is drawn
    uint32_t m_nLinks;                                       ///< number of cables to lay
    UniformRandomVariable& m_random;                         ///< where random numbers come from
    std::vector<uint32_t> m_hosts;                           ///< number of hosts of each switch
    std::vector<uint32_t> m_free;                            ///< free ports of each switch
    std::vector<std::vector<Node>> m_neighbours;             ///< switches linked to each switch
    std::vector<std::pair<Node, Node>> m_links;              ///< cables in the order of laying
};

} // namespace

IrregularTopologyHelper::TopologyModel
IrregularTopologyHelper::ModelByName(const std::string& name)
{
    const auto names = GetModelNames();
    const auto found = std::find(names.begin(), names.end(), name);
    WormholeError::ThrowIf(found == names.end(),
                           "law '" + name + "': expected recursive, walk or pairing");
    return static_cast<TopologyModel>(found - names.begin());
}

uint32_t
IrregularTopologyHelper::GetNSwitchLinks() const
{
    const auto& [q, k, f, p, law, parallel] = m_parameters;
    const auto links = std::llround((f * k * q - p) / 2);
    return links > 0 ? static_cast<uint32_t>(links) : 0;
}

double
IrregularTopologyHelper::GetConnectivity(const FabricGraph& graph)
{
    const auto ports = SumOf(NumbersBelow(graph.GetNSwitches()),
                             [&](auto node) { return uint64_t{graph.GetNPorts(node)}; });
    return (graph.GetNHosts() + 2.0 * graph.GetNSwitchLinks()) / static_cast<double>(ports);
}

void
IrregularTopologyHelper::Check() const
{
    const auto& [q, k, f, p, law, parallel] = m_parameters;
    const auto text = [](auto value) { return std::to_string(value); };
    WormholeError::ThrowIf(q == 0 || uint64_t{q} * k > UINT32_MAX / 2,
                           text(q) + " switches of " + text(k) +
                               " ports: expected 1 switch or more, and " + text(UINT32_MAX / 2) +
                               " ports in all at most");
    WormholeError::ThrowIf(k < 2 || k > UINT16_MAX,
                           text(k) + " ports a switch: expected 2 to " + text(UINT16_MAX));
    const auto slots = q * (k - 1);
    WormholeError::ThrowIf(p == 0 || p > slots,
                           text(p) + " hosts on " + text(q) + " switches of " + text(k) +
                               " ports, each of which keeps one: expected 1 to " + text(slots));
    const auto what = "connectivity " + FourDecimals(f) + " with " + text(q) + " switches of " +
                      text(k) + " ports and " + text(p) + " hosts";
    const auto least = (p + 2.0 * (q - 1.0)) / (1.0 * k * q); // leaves q - 1 cables
    // Few hosts and k >= 2 leave enough ports, so that there are too many hosts.
    WormholeError::ThrowIf(least > 1,
                           what + ": too few ports are left to join the switches; expected " +
                               text(uint64_t{q} * k - 2 * (uint64_t{q} - 1)) + " hosts at most");
    const auto pairs = uint64_t{q} * (q - 1) / 2;
    const auto free = (uint64_t{q} * k - p) / 2;
    const auto most = q == 1 || !parallel ? std::min(pairs, free) : free;
    const auto greatest = std::min(1.0, (p + 2.0 * most) / (1.0 * k * q));
    const auto range = FourDecimals(least) + " to " + FourDecimals(greatest);
    WormholeError::ThrowIf(!(f > 0 && f <= 1),
                           what + ": a ratio of ports in use is above 0 and 1 at most; expected " +
                               range);
    const auto links = GetNSwitchLinks();
    WormholeError::ThrowIf(links < q - 1,
                           what + " leaves " + text(links) + " links to join the switches, and " +
                               text(q - 1) + " are needed; least feasible is " +
                               FourDecimals(least));
    WormholeError::ThrowIf(links > most,
                           what + " calls for " + text(links) + " links between switches, and " +
                               text(most) + " are possible; expected " + range);
}

FabricGraph
IrregularTopologyHelper::Create()
{
    const auto& [q, k, f, p, law, parallel] = m_parameters;
    const FabricGraph sized(q, p, k); // refuses what is too large before it is drawn
    constexpr uint32_t DRAWS = 1000;
    for (uint32_t i = 0; i < DRAWS; ++i)
    {
        IrregularTopologyDraw draw(m_parameters, GetNSwitchLinks(), *m_random);
        if (draw.Run())
        {
            auto graph = draw.MakeGraph();
            // The papers' figures are of routes that share nothing.
            graph.SetRoutes({"up-down", "first", "first", "", nullptr});
            return graph;
        }
    }
    throw WormholeError(std::to_string(DRAWS) + " draws of " + std::to_string(q) +
                        " switches with law " + NameOf(law) + " and connectivity " +
                        FourDecimals(f) +
                        " got stuck; expected a connectivity farther from its "
                        "bounds, or parallel links");
}

} // namespace ns3
