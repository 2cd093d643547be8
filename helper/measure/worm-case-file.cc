// SPDX-License-Identifier: GPL-2.0-only

#include "worm-replay.h"

#include "ns3/json-file.h"
#include "ns3/ordering.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-topology-factory.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ns3
{

namespace
{

using GraphNode = FabricGraph::Node;

constexpr int64_t MAX_TIME = TimeLimit::LATEST;                               ///< ps
constexpr int64_t MAX_DELAY = TimeLimit::LONGEST_SECONDS * 1'000'000'000'000; ///< ps
constexpr uint64_t MAX_DEPTH = (uint64_t{1} << 28) - 1; ///< as WormholePort::BufferDepth accepts it
constexpr uint64_t MAX_FLIT_SIZE = UINT32_MAX; ///< bytes, as WormholeFabric::FlitSize accepts it
constexpr int64_t MAX_WORM = (int64_t{1} << 53) - 1; ///< flit times, as the fabric accepts them

class WormReader
{
  public:
    explicit WormReader(const WormCase& wormCase)
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

    WormCase::Worm Read(const JsonValue& value)
    {
        value.CheckKeys({"time", "flits", "root"}, {"tree", "path"});
        value.RefuseIf(value.Has("tree") == value.Has("path"),
                       value.Has("tree") ? "has a tree and a path" : "has no tree and no path",
                       "one of the two");
        WormCase::Worm worm;
        // The interface's delay is over when its head asks.
        worm.timePs = value.Get("time").GetInteger(m_case.hostDelayPs, MAX_TIME);
        worm.flits = value.Get("flits").GetUnsigned(1, MAX_WORM / m_longestFlit);
        const auto root = value.Get("root");
        const auto found = m_nodes.find(root.GetString());
        root.RefuseIf(found == m_nodes.end() || m_graph.IsSwitch(found->second),
                      found == m_nodes.end() ? "is no node of the fabric" : "is a switch",
                      "the name of a host");
        worm.root = found->second;
        if (value.Has("path"))
        {
            WalkPath(value.Get("path"), worm);
        }
        else
        {
            const auto tree = value.Get("tree");
            ReadTree(tree, worm.root);
            Walk(tree, worm);
            tree.RefuseIf(worm.route.HasChoices() && m_case.sourceRouted,
                          "has choices, but route_header is source",
                          "one port at each switch");
        }
        worm.stopNames =
            MadeOf(worm.stopNodes, [this](GraphNode node) { return m_graph.GetName(node); });
        CheckLanes(worm, value.Get("flits"));
        CheckArrival(worm, value.Get("flits"));
        return worm;
    }

  private:
    void ReadTree(const JsonValue& tree, GraphNode root)
    {
        m_tree.clear();
        for (const auto& ports : tree.GetMembers())
        {
            const auto found = m_nodes.find(ports.GetKey());
            const bool isNode = found != m_nodes.end();
            if (!isNode || (!m_graph.IsSwitch(found->second) && found->second != root))
            {
                ports.RefuseKey(isNode ? "is a host, where a worm ends"
                                       : "is no node of the fabric",
                                "the root or a switch");
            }
            ports.RefuseIf(ports.GetItems().empty(), "has no port", "one output port at least");
            m_tree.emplace(found->second, ports);
        }
        tree.RefuseIf(!m_tree.count(root),
                      "has no entry for the worm's root '" + m_graph.GetName(root) + "'",
                      "the root's port [0] there");
    }

    void Walk(const JsonValue& tree, WormCase::Worm& worm)
    {
        HasChoices() ? WalkChoices(worm) : WalkTree(worm);
        for (const auto& value : tree.GetMembers())
        {
            if (!m_passed.count(m_nodes.at(value.GetKey())))
            {
                value.RefuseKey("is never reached from '" + m_graph.GetName(worm.root) + "'",
                                "only nodes that the worm passes");
            }
        }
    }

    struct Out
    {
        uint16_t port;  ///< the port
        uint8_t lane;   ///< lane of it
        GraphNode next; ///< where it leads
    };

    void RefuseAgain(bool isAgain, const Out& out, const JsonValue& value) const
    {
        value.RefuseIf(isAgain,
                       "leads to '" + m_graph.GetName(out.next) + "', where the worm has been",
                       "a port to a node not passed before");
    }

    bool HasChoices() const
    {
        return AnyOf(m_tree, [](const auto& entry) {
            const auto items = entry.second.GetItems();
            return AnyOf(items, [](const JsonValue& item) { return item.Has("any"); });
        });
    }

    void WalkTree(WormCase::Worm& worm)
    {
        std::vector<std::vector<uint16_t>> ports;
        WormRoute::Lanes lanes;
        m_passed = {worm.root};
        worm.stopNodes = {worm.root};
        for (std::size_t stop = 0; stop < worm.stopNodes.size(); ++stop)
        {
            const auto node = worm.stopNodes[stop];
            ports.emplace_back();
            const auto entry = m_tree.find(node);
            if (entry == m_tree.end())
            {
                continue; // a host, where a branch of the worm ends
            }
            for (const auto& value : entry->second.GetItems())
            {
                const auto out = Follow(node, value);
                RefuseAgain(!m_passed.insert(out.next).second, out, value);
                ports[stop].push_back(out.port);
                lanes.push_back(out.lane);
                worm.stopNodes.push_back(out.next);
            }
        }
        Take(WormRoute::Tree(ports), lanes, worm);
    }

    void Take(const WormRoute& route, const WormRoute::Lanes& lanes, WormCase::Worm& worm) const
    {
        worm.route = m_case.lanes > 1 ? route.InLanes(lanes) : route;
    }

    void WalkChoices(WormCase::Worm& worm)
    {
        m_passed.clear();
        m_order.clear();
        m_outs.clear();
        m_end = FabricGraph::NONE;
        VisitFrom(worm.root);
        std::reverse(m_order.begin(), m_order.end());
        std::unordered_map<GraphNode, uint32_t> place;
        for (const auto node : m_order)
        {
            place.emplace(node, static_cast<uint32_t>(place.size()));
        }
        std::vector<std::vector<WormRoute::Choice>> nodes;
        worm.stopNodes = {worm.root};
        for (const auto node : m_order)
        {
            nodes.emplace_back();
            for (const auto& out : m_outs[node])
            {
                nodes.back().push_back({out.port, out.lane, place.at(out.next)});
                worm.stopNodes.push_back(out.next);
            }
        }
        worm.route = WormRoute::Adaptive(nodes);
    }

    /// @return ways out of a node of a worm that has choices, in the file; none out of a host where
    /// it ends
    std::vector<JsonValue> ListChoices(GraphNode node) const
    {
        const auto entry = m_tree.find(node);
        if (entry == m_tree.end())
        {
            return {};
        }
        const auto items = entry->second.GetItems();
        entry->second.RefuseIf(items.size() > 1,
                               "are several branches of a worm that has choices",
                               "one port, or {\"any\": [...]}, at each node");
        const auto isAny = items[0].Has("any");
        if (isAny)
        {
            items[0].CheckKeys({"any"});
        }
        auto choices = isAny ? items[0].Get("any").GetItems() : items;
        items[0].RefuseIf(choices.empty(), "has no port", "one choice at least");
        items[0].RefuseIf(!m_graph.IsSwitch(node) && choices.size() > 1,
                          "are choices at a host",
                          "its port 0");
        return choices;
    }

    /// Goes all ways of a worm that has choices: m_order, m_outs.
    void VisitFrom(GraphNode root)
    {
        // Depth first, without recursion: a way may be as long as a fabric has switches.
        struct Visit
        {
            GraphNode node;                 // where the worm is
            std::vector<JsonValue> choices; // ways out of it
            std::size_t next;               // the choice that is followed next
        };

        m_passed.insert(root);
        m_open.insert(root);
        std::vector<Visit> open{{root, ListChoices(root), 0}};
        while (!open.empty())
        {
            auto& [node, choices, next] = open.back();
            if (next == choices.size())
            {
                m_open.erase(node);
                m_order.push_back(node);
                open.pop_back();
                continue;
            }
            const auto value = choices[next++];
            const auto out = Follow(node, value);
            auto& outs = m_outs[node];
            const bool isThere = AnyOf(outs, [&](const Out& other) {
                return other.port == out.port && other.lane == out.lane;
            });
            value.RefuseIf(isThere, "is there twice", "each choice once");
            outs.push_back(out);
            RefuseAgain(m_open.count(out.next) > 0, out, value);
            if (m_passed.insert(out.next).second)
            {
                m_open.insert(out.next);
                open.push_back({out.next, ListChoices(out.next), 0});
                value.RefuseIf(open.back().choices.empty() &&
                                   std::exchange(m_end, out.next) != FabricGraph::NONE,
                               "leads to another host than other choices do",
                               "choices on routes to one host");
            }
        }
    }

    void WalkPath(const JsonValue& path, WormCase::Worm& worm)
    {
        WormRoute::Ports ports;
        WormRoute::Lanes lanes;
        std::set<std::pair<GraphNode, uint16_t>> taken;
        auto node = worm.root;
        worm.stopNodes = {node};
        for (const auto& value : path.GetItems())
        {
            value.RefuseIf(!ports.empty() && !m_graph.IsSwitch(node) &&
                               m_case.inTransit == InTransit::NONE,
                           "goes on beyond '" + m_graph.GetName(node) + "', a host",
                           "a path that ends there, unless transit is whole or as-it-comes");
            value.RefuseIf(value.Has("any"),
                           "are choices",
                           "a port or [port, lane], or a tree in place of the path");
            const auto out = Leave(node, value);
            value.RefuseIf(!taken.insert({node, out.port}).second,
                           "is a port of '" + m_graph.GetName(node) + "' that the worm has taken",
                           "each channel once");
            ports.push_back(out.port);
            lanes.push_back(out.lane);
            node = out.next;
            worm.stopNodes.push_back(node);
        }
        path.RefuseIf(ports.empty() || m_graph.IsSwitch(node),
                      "ends at '" + m_graph.GetName(node) + "'",
                      "output ports, the root's first, of a route to a host");
        Take(WormRoute::Path(std::move(ports)), lanes, worm);
    }

    Out Leave(GraphNode node, const JsonValue& value) const
    {
        Out out{};
        auto place = value;
        if (!value.IsNumber())
        {
            const auto pair = value.GetItems();
            value.RefuseIf(pair.size() != 2, "is no output", "a port, or [port, lane]");
            place = pair[0];
            out.lane = static_cast<uint8_t>(pair[1].GetUnsigned(0, m_case.lanes - 1));
        }
        out.port = static_cast<uint16_t>(place.GetUnsigned(0, m_graph.GetNPorts(node) - 1));
        out.next = m_graph.Peer(node, out.port).node;
        value.RefuseIf(out.next == FabricGraph::NONE,
                       "is an open port of '" + m_graph.GetName(node) + "'",
                       "a port with a cable");
        return out;
    }

    Out Follow(GraphNode node, const JsonValue& value) const
    {
        const auto out = Leave(node, value);
        value.RefuseIf(m_graph.IsSwitch(out.next) && !m_tree.count(out.next),
                       "leads to '" + m_graph.GetName(out.next) +
                           "', a switch that the tree has no entry for",
                       "a port to a host, or an entry for that switch");
        return out;
    }

    /// Refuses a worm that a lane's buffer does not hold (S11).
    void CheckLanes(const WormCase::Worm& worm, const JsonValue& flits) const
    {
        for (WormRoute::Stop stop = 0; m_case.whole && stop < worm.route.GetNStops(); ++stop)
        {
            for (const auto branch : worm.route.At(stop))
            {
                const auto from = worm.stopNodes[stop];
                const auto depth = m_case.GetTiming({from, branch.port}).depth;
                flits.RefuseIf(m_graph.IsSwitch(worm.stopNodes[branch.next]) && worm.flits > depth,
                               "is longer than the buffer behind '" + m_graph.GetName(from) +
                                   "' port " + std::to_string(branch.port) + ", but grant is worm",
                               "up to " + std::to_string(depth) + " flits");
            }
        }
    }

    /// @return flits that a worm starts with in front of its own (S1b)
    uint64_t CountRouteFlits(const WormCase::Worm& worm) const
    {
        const uint64_t switches = worm.route.GetNChannels() - 1;
        return m_case.sourceRouted && worm.route.GetNDestinations() == 1
                   ? (switches + m_case.flitBytes - 1) / m_case.flitBytes
                   : 0;
    }

    /// Refuses a worm that is too long with its route, or whose tail arrives too late even if
    /// nothing holds it up.
    void CheckArrival(const WormCase::Worm& worm, const JsonValue& flits) const
    {
        // Of the delays, the least there is: into a switch and out of it to a host. A flit goes
        // into the switch when that many before it have left its buffer. None of the products is
        // too large for the sum: a time is 2^61 at most, a delay 2^52.
        const auto delay = m_shortest.linkDelayPs + m_shortest.switchDelayPs;
        const auto loop = m_shortest.flitTimePs + delay + m_shortest.linkDelayPs;
        const auto first = worm.timePs + 2 * (m_shortest.flitTimePs + m_shortest.linkDelayPs) +
                           m_shortest.switchDelayPs; // its head's arrival
        const auto left = MAX_TIME - first;
        const auto route = CountRouteFlits(worm);
        const auto most = static_cast<uint64_t>(MAX_WORM / m_longestFlit);
        flits.RefuseIf(worm.flits + route > most,
                       "is too long a worm behind " + std::to_string(route) + " flits of its route",
                       "up to " + std::to_string(most) + " flits in all");
        const auto behind = static_cast<int64_t>(worm.flits + route) - 1;
        const auto loops = behind / m_shortest.depth;
        flits.RefuseIf(left < 0 || behind > left / m_shortest.flitTimePs || loops > left / loop,
                       "is too long a worm at " + std::to_string(worm.timePs) + " ps: its tail " +
                           "arrives later than 2^61 ps, the latest time there is",
                       "a shorter or earlier worm, or shorter times of the fabric");
    }

    const WormCase& m_case;      ///< the case
    WormCase::Timing m_shortest; ///< the shortest times and the deepest buffer
    int64_t m_longestFlit{1};    ///< the longest flit time, ps
    const FabricGraph& m_graph;  ///< its fabric
    std::unordered_map<std::string, GraphNode> m_nodes; ///< nodes by name
    std::unordered_map<GraphNode, JsonValue> m_tree;    ///< ports of the worm's nodes, in the file
    std::unordered_set<GraphNode> m_passed;             ///< nodes that the walk has come to
    std::unordered_set<GraphNode> m_open;               ///< those from which it is still going on
    std::vector<GraphNode> m_order;                     ///< those done, each before all to it
    std::unordered_map<GraphNode, std::vector<Out>> m_outs; ///< choices of these
    GraphNode m_end{FabricGraph::NONE};                     ///< host that they end at
};

/// @param words the words, of which the first one holds without the key
std::string
ReadWord(const JsonValue& root, const std::string& key, const std::vector<std::string>& words)
{
    if (!root.Has(key))
    {
        return words.front();
    }
    const auto value = root.Get(key);
    const auto word = value.GetString();
    value.RefuseIf(!IsIn(words, word), "is unknown", WordList::WithOr(words));
    return word;
}

/// Refuses what is not the only word that goes with outputs granted to whole worms (S11).
void
RefuseWhole(const JsonValue& root,
            const std::string& key,
            const std::string& accepted,
            const WormCase& wormCase)
{
    if (wormCase.whole && root.Has(key))
    {
        const auto word = root.Get(key).GetString();
        root.Get(key).RefuseIf(word != accepted, "is " + word + ", but grant is worm", accepted);
    }
}

/// Takes over how hosts pass worms on (S13). @param wormCase gets it; what it says of lanes is
/// known
void
ReadTransit(const JsonValue& root, WormCase& wormCase)
{
    const auto delay = [&root](const std::string& key) {
        return root.Has(key) ? root.Get(key).GetInteger(0, MAX_DELAY) : 0;
    };
    wormCase.inTransit = ReadInTransit(ReadWord(root, "transit", {"none", "whole", "as-it-comes"}));
    wormCase.inTransitDelayPs = delay("transit_delay");
    wormCase.hostDelayPs = delay("host_delay");
    RefuseWhole(root, "transit", "none", wormCase);
}

void
ReadLanes(const JsonValue& root, WormCase& wormCase)
{
    const auto& lanes = wormCase.graph.GetProperties().lanes;
    wormCase.lanes = lanes.lanes.value_or(1);
    wormCase.whole = lanes.grant.value_or("flit") == "worm";
    wormCase.priorities = lanes.priorities;
    wormCase.priorities.resize(wormCase.lanes, 0);
    RefuseWhole(root, "replication", "async", wormCase);
    RefuseWhole(root, "route_header", "none", wormCase);
}

WormCase::Outage
ReadOutagePart(const JsonValue& value, const FabricGraph& graph)
{
    value.CheckKeys({"from"}, {"cable", "switch", "host", "to"});
    const bool isCable = value.Has("cable");
    value.RefuseIf(isCable + value.Has("switch") + value.Has("host") != 1,
                   "is no part, or several",
                   "a cable, a switch or a host");
    const auto part = value.Get(isCable ? "cable" : value.Has("switch") ? "switch" : "host");
    const auto pair = isCable ? part.GetItems() : std::vector<JsonValue>{part};
    part.RefuseIf(isCable && pair.size() != 2, "is no end of a cable", "[node, port]");
    WormCase::Outage outage{graph.Find(pair[0].GetString()), {}, 0, {}};
    pair[0].RefuseIf(outage.node == FabricGraph::NONE ||
                         (!isCable && graph.IsSwitch(outage.node) != value.Has("switch")),
                     "is no such node",
                     "the name of one of the fabric");
    if (isCable)
    {
        outage.port = static_cast<FabricGraph::Port>(
            pair[1].GetUnsigned(0, graph.GetNPorts(outage.node) - 1));
        pair[1].RefuseIf(graph.Peer(outage.node, *outage.port).node == FabricGraph::NONE,
                         "is an open port",
                         "a port with a cable");
    }
    return outage;
}

/// Takes over which parts are down (S14). @param wormCase gets them; its graph and times are known
void
ReadOutages(const JsonValue& root, WormCase& wormCase)
{
    if (root.Has("detection_delay"))
    {
        wormCase.detectionDelayPs = root.Get("detection_delay").GetInteger(0, MAX_DELAY);
    }
    if (!root.Has("outages"))
    {
        return;
    }
    for (const auto& value : root.Get("outages").GetItems())
    {
        auto outage = ReadOutagePart(value, wormCase.graph);
        outage.fromPs = value.Get("from").GetInteger(0, MAX_TIME);
        if (value.Has("to"))
        {
            auto shortest = wormCase.detectionDelayPs;
            for (uint32_t port = 0; port < wormCase.graph.GetNPorts(outage.node); ++port)
            {
                const FabricGraph::End end{outage.node, static_cast<FabricGraph::Port>(port)};
                if (wormCase.graph.Peer(end.node, end.port).node != FabricGraph::NONE &&
                    outage.port.value_or(end.port) == end.port)
                {
                    shortest = std::max(shortest, wormCase.GetTiming(end).linkDelayPs);
                }
            }
            outage.toPs = value.Get("to").GetInteger(outage.fromPs + shortest, MAX_TIME);
        }
        wormCase.outages.push_back(outage);
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
                    "grant",
                    "transit",
                    "transit_delay",
                    "host_delay",
                    "outages",
                    "detection_delay"});
    WormCase wormCase{ReadFabric(root)};
    auto& timing = wormCase.timing;
    timing.flitTimePs = root.Get("flit_time").GetInteger(1, MAX_DELAY);
    timing.linkDelayPs = root.Get("link_delay").GetInteger(1, MAX_DELAY);
    timing.switchDelayPs = root.Get("switch_delay").GetInteger(0, MAX_DELAY);
    timing.depth = static_cast<uint32_t>(root.Get("depth").GetUnsigned(1, MAX_DEPTH));
    wormCase.sync = ReadWord(root, "replication", {"async", "sync"}) == "sync";
    wormCase.sourceRouted = ReadWord(root, "route_header", {"none", "source"}) == "source";
    if (root.Has("flit_size"))
    {
        wormCase.flitBytes =
            static_cast<uint32_t>(root.Get("flit_size").GetUnsigned(1, MAX_FLIT_SIZE));
    }
    ReadLanes(root, wormCase);
    ReadTransit(root, wormCase);
    ReadOutages(root, wormCase);
    WormReader reader(wormCase);
    wormCase.worms = MadeOf(root.Get("worms").GetItems(),
                            [&](const JsonValue& value) { return reader.Read(value); });
    return wormCase;
}

} // namespace ns3
