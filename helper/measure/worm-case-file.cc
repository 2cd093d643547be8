/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "worm-case-file.h"

#include "ns3/fabric-file.h"
#include "ns3/json-file.h"
#include "ns3/time-limit.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace ns3
{

namespace
{

using GraphNode = FabricGraph::Node; //!< short name

/// Latest time, in picoseconds.
constexpr int64_t MAX_TIME = TimeLimit::LATEST;

/// Longest delay, an hour in picoseconds.
constexpr int64_t MAX_DELAY = TimeLimit::LONGEST_SECONDS * 1'000'000'000'000;

/// Deepest buffer, as WormholePort::BufferDepth accepts it.
constexpr uint64_t MAX_DEPTH = (uint64_t{1} << 28) - 1;

/// Largest flit, bytes, as WormholeFabric::FlitSize accepts it.
constexpr uint64_t MAX_FLIT_SIZE = std::numeric_limits<uint32_t>::max();

/// Longest worm, in flit times: the fabric accepts no longer ones.
constexpr int64_t MAX_WORM = (int64_t{1} << 53) - 1;

/// Reads the worms of a case, one by one.
class WormReader
{
  public:
    /// @param wormCase the case, complete but for its worms
    explicit WormReader(const WormCase& wormCase);

    /// @return the worm @param value a worm in the file
    WormCase::Worm Read(const JsonValue& value);

  private:
    /**
     * Notes which nodes the worm's tree has ports for.
     * @param tree the tree
     * @param root the worm's root
     */
    void ReadTree(const JsonValue& tree, GraphNode root);

    /**
     * Walks the tree from its root.
     * @param tree the tree
     * @param worm the worm, its root known; gets its route and stops
     */
    void Walk(const JsonValue& tree, WormCase::Worm& worm);

    /**
     * Takes one branch of the tree.
     * @param node a node that the worm passes
     * @param value the port by which it leaves, in the file
     * @param port gets the port's number
     * @return the node that the branch leads to, not passed before
     */
    GraphNode Follow(GraphNode node, const JsonValue& value, uint16_t& port);

    /// @return flits that a worm starts with in front of its own (S1b) @param worm the worm
    uint64_t CountRouteFlits(const WormCase::Worm& worm) const;

    /**
     * Refuses a worm that is too long with its route, or whose tail arrives too late even if
     * nothing holds it up.
     * @param worm the worm
     * @param flits its length, in the file
     */
    void CheckArrival(const WormCase::Worm& worm, const JsonValue& flits) const;

    const WormCase& m_case;      ///< the case
    WormCase::Timing m_shortest; ///< the shortest times and the deepest buffer
    int64_t m_longestFlit{1};    ///< the longest flit time, ps
    const FabricGraph& m_graph;  ///< its fabric
    std::unordered_map<std::string, GraphNode> m_nodes; ///< nodes by name
    std::unordered_map<GraphNode, JsonValue> m_tree;    ///< ports of the worm's nodes, in the file
    std::unordered_set<GraphNode> m_passed;             ///< nodes that the walk has come to
};

WormReader::WormReader(const WormCase& wormCase)
    : m_case(wormCase),
      m_graph(wormCase.graph)
{
    m_shortest = wormCase.timing;
    for (GraphNode node = 0; node < m_graph.GetNNodes(); ++node)
    {
        m_nodes.emplace(m_graph.GetName(node), node);
        for (uint32_t port = 0; port < m_graph.GetNPorts(node); ++port)
        {
            const auto own = wormCase.GetTiming({node, static_cast<FabricGraph::Port>(port)});
            m_shortest.flitTimePs = std::min(m_shortest.flitTimePs, own.flitTimePs);
            m_shortest.linkDelayPs = std::min(m_shortest.linkDelayPs, own.linkDelayPs);
            m_shortest.switchDelayPs = std::min(m_shortest.switchDelayPs, own.switchDelayPs);
            m_shortest.depth = std::max(m_shortest.depth, own.depth);
            m_longestFlit = std::max(m_longestFlit, own.flitTimePs);
        }
    }
}

WormCase::Worm
WormReader::Read(const JsonValue& value)
{
    value.CheckKeys({"time", "flits", "root", "tree"});
    WormCase::Worm worm;
    worm.timePs = value.Get("time").GetInteger(0, MAX_TIME);
    worm.flits = value.Get("flits").GetUnsigned(1, MAX_WORM / m_longestFlit);
    const auto root = value.Get("root");
    const auto found = m_nodes.find(root.GetString());
    if (found == m_nodes.end() || m_graph.IsSwitch(found->second))
    {
        root.Refuse(found == m_nodes.end() ? "is no node of the fabric" : "is a switch",
                    "the name of a host");
    }
    worm.root = found->second;
    const auto tree = value.Get("tree");
    ReadTree(tree, worm.root);
    Walk(tree, worm);
    CheckArrival(worm, value.Get("flits"));
    return worm;
}

uint64_t
WormReader::CountRouteFlits(const WormCase::Worm& worm) const
{
    const uint64_t switches = worm.route.GetNChannels() - 1;
    return m_case.sourceRouted && worm.route.GetNEnds() == 1
               ? (switches + m_case.flitBytes - 1) / m_case.flitBytes
               : 0;
}

void
WormReader::CheckArrival(const WormCase::Worm& worm, const JsonValue& flits) const
{
    // Of the delays, the least there is: into a switch and out of it to a host. A flit goes into
    // the switch when that many before it have left its buffer. None of the products is too large
    // for the sum: a time is 2^61 at most, a delay 2^52.
    const auto delay = m_shortest.linkDelayPs + m_shortest.switchDelayPs;
    const auto loop = m_shortest.flitTimePs + delay + m_shortest.linkDelayPs;
    const auto first = worm.timePs + 2 * (m_shortest.flitTimePs + m_shortest.linkDelayPs) +
                       m_shortest.switchDelayPs; // its head's arrival
    const auto left = MAX_TIME - first;
    const auto route = CountRouteFlits(worm);
    const auto most = static_cast<uint64_t>(MAX_WORM / m_longestFlit);
    if (worm.flits + route > most)
    {
        flits.Refuse("is too long a worm behind " + std::to_string(route) + " flits of its route",
                     "up to " + std::to_string(most) + " flits in all");
    }
    const auto behind = static_cast<int64_t>(worm.flits + route) - 1;
    const auto loops = behind / m_shortest.depth;
    if (left < 0 || behind > left / m_shortest.flitTimePs || loops > left / loop)
    {
        flits.Refuse("is too long a worm at " + std::to_string(worm.timePs) + " ps: its tail " +
                         "arrives later than 2^61 ps, the latest time there is",
                     "a shorter or earlier worm, or shorter times of the fabric");
    }
}

void
WormReader::ReadTree(const JsonValue& tree, GraphNode root)
{
    m_tree.clear();
    for (const auto& ports : tree.GetMembers())
    {
        const auto found = m_nodes.find(ports.GetKey());
        if (found == m_nodes.end())
        {
            ports.RefuseKey("is no node of the fabric", "the root or a switch");
        }
        if (!m_graph.IsSwitch(found->second) && found->second != root)
        {
            ports.RefuseKey("is a host, where a worm ends", "the root or a switch");
        }
        if (ports.GetItems().empty())
        {
            ports.Refuse("has no port", "one output port at least");
        }
        m_tree.emplace(found->second, ports);
    }
    if (!m_tree.count(root))
    {
        tree.Refuse("has no entry for the worm's root '" + m_graph.GetName(root) + "'",
                    "the root's port [0] there");
    }
}

void
WormReader::Walk(const JsonValue& tree, WormCase::Worm& worm)
{
    std::vector<std::vector<uint16_t>> ports;
    m_passed = {worm.root};
    worm.stopNodes = {worm.root};
    for (std::size_t stop = 0; stop < worm.stopNodes.size(); ++stop)
    {
        const auto node = worm.stopNodes[stop];
        worm.stopNames.push_back(m_graph.GetName(node));
        ports.emplace_back();
        const auto entry = m_tree.find(node);
        if (entry == m_tree.end())
        {
            continue; // a host, where a branch of the worm ends
        }
        for (const auto& value : entry->second.GetItems())
        {
            ports[stop].emplace_back();
            worm.stopNodes.push_back(Follow(node, value, ports[stop].back()));
        }
    }
    for (const auto& value : tree.GetMembers())
    {
        if (!m_passed.count(m_nodes.at(value.GetKey())))
        {
            value.RefuseKey("is never reached from '" + m_graph.GetName(worm.root) + "'",
                            "only nodes that the worm passes");
        }
    }
    worm.route = WormRoute::Tree(ports);
}

GraphNode
WormReader::Follow(GraphNode node, const JsonValue& value, uint16_t& port)
{
    const auto last = m_graph.GetNPorts(node) - 1;
    port = static_cast<uint16_t>(value.GetUnsigned(0, last));
    const auto next = m_graph.Peer(node, port).node;
    if (next == FabricGraph::NONE)
    {
        value.Refuse("is an open port of '" + m_graph.GetName(node) + "'", "a port with a cable");
    }
    const auto where = "leads to '" + m_graph.GetName(next) + "'";
    if (!m_passed.insert(next).second)
    {
        value.Refuse(where + ", where the worm has been", "a port to a node not passed before");
    }
    if (m_graph.IsSwitch(next) && !m_tree.count(next))
    {
        value.Refuse(where + ", a switch that the tree has no entry for",
                     "a port to a host, or an entry for that switch");
    }
    return next;
}

/**
 * @param root the file's outermost object
 * @param key key of one of two words, the first of which holds without it
 * @param first the first word
 * @param second the second word
 * @return whether the second word is there
 */
bool
ReadWord(const JsonValue& root,
         const std::string& key,
         const std::string& first,
         const std::string& second)
{
    if (!root.Has(key))
    {
        return false;
    }
    const auto value = root.Get(key);
    const auto& word = value.GetString();
    if (word != first && word != second)
    {
        value.Refuse("is unknown", first + " or " + second);
    }
    return word == second;
}

/// Refuses what needs lanes. @param root the file's outermost object
void
RefuseLanes(const JsonValue& root)
{
    if (root.Has("lanes"))
    {
        root.Get("lanes").GetUnsigned(1, 1);
    }
    if (root.Has("priorities") && root.Get("priorities").GetItems().size() > 1)
    {
        root.Get("priorities").Refuse("are of several lanes", "one lane's");
    }
    if (root.Has("grant") && root.Get("grant").GetString() != "flit")
    {
        root.Get("grant").Refuse("is not supported", "flit");
    }
}

} // namespace

WormCase::Timing
WormCase::GetTiming(FabricGraph::End end) const
{
    auto own = timing;
    const auto& properties = graph.GetProperties();
    const auto cable = properties.GetCable({end.node, end.port});
    own.flitTimePs = cable.flitTime ? cable.flitTime->GetTimeStep() : own.flitTimePs;
    own.linkDelayPs = cable.delay ? cable.delay->GetTimeStep() : own.linkDelayPs;
    own.depth = cable.depth.value_or(own.depth);
    if (const auto delay = properties.GetSwitchDelay(end.node))
    {
        own.switchDelayPs = delay->GetTimeStep();
    }
    return own;
}

WormCase
ReadWormCase(const std::string& path)
{
    const JsonFile file(path);
    const auto root = file.GetRoot();
    root.CheckKeys({"flit_time", "link_delay", "switch_delay", "depth", "hosts", "links", "worms"},
                   {"replication",
                    "route_header",
                    "flit_size",
                    "ports",
                    "switch_delays",
                    "lanes",
                    "priorities",
                    "grant"});
    RefuseLanes(root);
    WormCase wormCase{ReadFabric(root)};
    auto& timing = wormCase.timing;
    timing.flitTimePs = root.Get("flit_time").GetInteger(1, MAX_DELAY);
    timing.linkDelayPs = root.Get("link_delay").GetInteger(1, MAX_DELAY);
    timing.switchDelayPs = root.Get("switch_delay").GetInteger(0, MAX_DELAY);
    timing.depth = static_cast<uint32_t>(root.Get("depth").GetUnsigned(1, MAX_DEPTH));
    wormCase.sync = ReadWord(root, "replication", "async", "sync");
    wormCase.sourceRouted = ReadWord(root, "route_header", "none", "source");
    if (root.Has("flit_size"))
    {
        wormCase.flitBytes =
            static_cast<uint32_t>(root.Get("flit_size").GetUnsigned(1, MAX_FLIT_SIZE));
    }
    WormReader reader(wormCase);
    for (const auto& value : root.Get("worms").GetItems())
    {
        wormCase.worms.push_back(reader.Read(value));
    }
    return wormCase;
}

} // namespace ns3
