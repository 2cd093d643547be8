// SPDX-License-Identifier: GPL-2.0-only

#include "barrier-tree.h"

#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"

#include <map>
#include <optional>
#include <utility>

namespace ns3
{

std::vector<BarrierTreeSearch::Step>
BarrierTreeSearch::FindBest()
{
    CenterSearch centers(m_adjacency, m_members);
    Score best{SwitchAdjacency::UNREACHED, 0, 0, FabricGraph::NONE};
    while (const auto search = centers.Next())
    {
        if (!search->IsComplete())
        {
            return {};
        }
        if (search->GetDepth() <= best.height)
        {
            const auto score = Prune(*search);
            const auto isEqual = score.height == best.height && score.edges == best.edges;
            const auto isBetter = !isEqual && score < best;
            m_nEqual = isBetter ? 1 : m_nEqual + static_cast<uint32_t>(isEqual);
            best = std::min(best, score);
        }
    }
    m_nSearches = centers.GetNSearches();
    return FindFrom(best.root);
}

std::vector<BarrierTreeSearch::Step>
BarrierTreeSearch::FindFrom(Node root)
{
    SwitchSearch search(m_adjacency, m_members);
    if (!search.Run(root))
    {
        return {};
    }
    Prune(search);
    return ListSteps(search);
}

BarrierTreeSearch::Score
BarrierTreeSearch::Prune(const SwitchSearch& search)
{
    Score score{search.GetDepth(), 0, 0, search.At(0)};
    const auto counted = m_leaves == Leaves::DEEPEST ? search.FirstAt(score.height) : 0;
    std::fill(m_inner.begin(), m_inner.begin() + search.GetNFound(), 0);
    for (auto i = search.GetNFound() - 1; i > 0; --i)
    {
        const uint8_t inner = m_inner[i];
        const uint8_t kept = inner | static_cast<uint8_t>(search.IsTarget(search.At(i)));
        m_inner[search.Above(i)] |= kept;
        score.edges += kept;
        score.leaves += i >= counted ? kept - inner : 0;
    }
    score.leaves += m_inner[0] == 0;
    return score;
}

std::vector<BarrierTreeSearch::Step>
BarrierTreeSearch::ListSteps(const SwitchSearch& search) const
{
    std::vector<Step> steps{{search.At(0), NONE, 0, 0}};
    std::vector<uint32_t> places{0}; // of what was found, in the list
    for (uint32_t depth = 1; depth <= search.GetDepth(); ++depth)
    {
        for (auto i = search.FirstAt(depth); i < search.FirstAt(depth + 1); ++i)
        {
            const auto node = search.At(i);
            places.push_back(static_cast<uint32_t>(steps.size()));
            if (m_inner[i] == 0 && !search.IsTarget(node))
            {
                continue;
            }
            auto link = m_adjacency.Of(search.At(search.Above(i))).begin();
            while (*link.to != node)
            {
                ++link;
            }
            steps.push_back({node, places[search.Above(i)], *link.port, depth});
        }
    }
    return steps;
}

BarrierTree::BarrierTree(const FabricGraph& graph,
                         const std::vector<Node>& members,
                         Leaves leaves,
                         Node root)
    : m_ports(std::make_shared<std::vector<Port>>()),
      m_nMembers(static_cast<uint32_t>(members.size()))
{
    const auto places = PlaceMembers(graph, members);
    const auto tree = FindBest(graph, places, leaves, root);
    m_ports->reserve(tree.size() - 1 + places.size());
    m_switches.reserve(tree.size());
    std::vector<Port> childPorts;
    uint32_t child = 1; // children of one switch lie side by side, in the order of their parents
    for (uint32_t i = 0; i < tree.size(); ++i)
    {
        childPorts.clear();
        for (; child < tree.size() && tree[child].above == i; ++child)
        {
            childPorts.push_back(tree[child].port);
        }
        std::sort(childPorts.begin(), childPorts.end());
        AddEntry(graph, tree[i], places, childPorts);
    }
    m_byNumber = NumbersBy(tree.size(), [this](uint32_t i) { return m_switches[i].node; });
}

BarrierTree
BarrierTree::FindQuickest(const FabricGraph& graph,
                          const std::vector<Node>& members,
                          const ChannelCost& cost)
{
    std::optional<BarrierTree> best;
    std::tuple<double, double, uint32_t> least;
    Node last = FabricGraph::NONE;
    for (const auto& place : PlaceMembers(graph, members)) // by switch
    {
        if (std::exchange(last, place.node) == place.node)
        {
            continue;
        }
        BarrierTree tree(graph, members, Leaves::DEEPEST, place.node);
        std::map<Node, double> ways; // from the root and back
        double longest = 0;
        double total = 0;
        for (const auto& entry : tree.m_switches)
        {
            const auto both = entry.IsRoot() ? 0
                                             : cost({entry.node, entry.parentPort}) +
                                                   cost(graph.Peer(entry.node, entry.parentPort));
            total += both;
            ways[entry.node] = both + (entry.IsRoot() ? 0 : ways[entry.parent]);
            longest = std::max(longest, ways[entry.node]);
        }
        const std::tuple its{longest, total, tree.m_height};
        if (!best || its < least)
        {
            best = std::move(tree);
            least = its;
        }
    }
    return *best;
}

BarrierTree::Places
BarrierTree::PlaceMembers(const FabricGraph& graph, const std::vector<Node>& members)
{
    WormholeError::ThrowIf(members.empty(),
                           "a barrier group of no members: expected one host or more");
    auto hosts = members;
    std::sort(hosts.begin(), hosts.end());
    if (const auto twice = std::adjacent_find(hosts.begin(), hosts.end()); twice != hosts.end())
    {
        throw WormholeError("member " + std::to_string(*twice) +
                            " of a barrier group is there twice: expected each host once");
    }
    Places places;
    places.reserve(hosts.size());
    for (auto host : hosts)
    {
        if (host >= graph.GetNNodes() || graph.IsSwitch(host))
        {
            throw WormholeError("member " + std::to_string(host) +
                                " of a barrier group: expected a host, nodes " +
                                std::to_string(graph.GetNSwitches()) + " to " +
                                std::to_string(graph.GetNNodes() - 1) + " of this fabric");
        }
        const auto end = graph.SwitchOf(host);
        if (!graph.IsSwitch(end.node))
        {
            throw WormholeError("member " + graph.GetName(host) +
                                " of a barrier group has no switch: expected a host cabled to one");
        }
        places.push_back(end);
    }
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return std::tie(a.node, a.port) < std::tie(b.node, b.port);
    });
    return places;
}

std::vector<BarrierTreeSearch::Step>
BarrierTree::FindBest(const FabricGraph& graph, const Places& places, Leaves leaves, Node root)
{
    auto memberSwitches = MadeOf(places, [](const auto& place) { return place.node; });
    memberSwitches.erase(std::unique(memberSwitches.begin(), memberSwitches.end()),
                         memberSwitches.end());
    WormholeError::ThrowIf(
        root != FabricGraph::NONE &&
            !std::binary_search(memberSwitches.begin(), memberSwitches.end(), root),
        "a barrier tree with root " + std::to_string(root) +
            ", where no member is; expected a switch with a member, as " +
            graph.GetName(memberSwitches.front()));
    const SwitchAdjacency adjacency(graph);
    BarrierTreeSearch search(adjacency, memberSwitches, leaves);
    auto tree = root == FabricGraph::NONE ? search.FindBest() : search.FindFrom(root);
    m_nEqual = search.GetNEqual();
    WormholeError::ThrowIf(
        tree.empty(),
        "a barrier tree over " + std::to_string(memberSwitches.size()) + " member switches, " +
            graph.GetName(memberSwitches.front()) +
            " the first: no cables join them all; expected members that are joined");
    return tree;
}

void
BarrierTree::AddEntry(const FabricGraph& graph,
                      const BarrierTreeSearch::Step& step,
                      const Places& places,
                      const std::vector<Port>& childPorts)
{
    SwitchEntry entry;
    entry.node = step.node;
    entry.depth = step.depth;
    entry.childPorts = Hold(childPorts);
    const auto [first, last] =
        std::equal_range(places.begin(),
                         places.end(),
                         FabricGraph::End{step.node, 0},
                         [](const auto& a, const auto& b) { return a.node < b.node; });
    std::vector<Port> memberPorts;
    for (auto place = first; place != last; ++place)
    {
        memberPorts.push_back(place->port);
    }
    entry.memberPorts = Hold(memberPorts);
    if (entry.IsMember())
    {
        entry.representative = graph.Peer(entry.node, entry.memberPorts.front()).node;
        entry.installer = entry.representative;
    }
    if (step.above != BarrierTreeSearch::NONE)
    {
        const auto& above = m_switches[step.above];
        entry.parent = above.node;
        entry.parentPort = graph.Peer(above.node, step.port).port;
        if (!entry.IsMember())
        {
            entry.installer = above.installer;
        }
    }
    m_height = std::max(m_height, entry.depth);
    m_nLeaves += entry.childPorts.empty();
    m_switches.push_back(entry);
}

const BarrierTree::SwitchEntry*
BarrierTree::Find(Node node) const
{
    const auto found =
        std::lower_bound(m_byNumber.begin(),
                         m_byNumber.end(),
                         node,
                         [this](uint32_t i, Node wanted) { return m_switches[i].node < wanted; });
    const bool is = found != m_byNumber.end() && m_switches[*found].node == node;
    return is ? &m_switches[*found] : nullptr;
}

} // namespace ns3
