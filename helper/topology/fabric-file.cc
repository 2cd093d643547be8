// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-topology-factory.h"

#include "ns3/cable-text.h"
#include "ns3/fabric-graph.h"
#include "ns3/graph-walk.h"
#include "ns3/json-file.h"
#include "ns3/ordering.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-route-spread.h"
#include "ns3/wormhole-route-table.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/join.hpp>
#include <boost/pending/disjoint_sets.hpp>
#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/// Reads own properties of cables, switches and hosts from a fabric file; see ReadFabricFile.
///
/// Every function throws a WormholeError for any error: one line with file, line, place, value and
/// what is expected.
class FabricPropertiesReader
{
  public:
    void ReadDefaults(const JsonValue& value, FabricProperties& properties)
    {
        auto names = CableText::GetNames();
        names.insert(names.end(), {"switch_delay", "delay_per_metre"});
        value.CheckKeys({}, names);
        if (value.Has("delay_per_metre"))
        {
            const auto pace = ReadDelay(value.Get("delay_per_metre"));
            value.Get("delay_per_metre")
                .RefuseIf(pace.IsZero(), "is no time", "a time above 0, such as 5ns");
            m_text = CableText(pace);
        }
        if (value.Has("switch_delay"))
        {
            properties.switchDelay = ReadDelay(value.Get("switch_delay"));
        }
        for (const auto& name : CableText::GetNames())
        {
            if (value.Has(name))
            {
                ReadOne(value.Get(name), name, properties.cables);
            }
        }
    }

    CableProperties ReadCable(const JsonValue& value) const
    {
        auto names = CableText::GetNames();
        names.emplace_back("link_delay"); // as cases of worms have it
        value.CheckKeys({}, names);
        CableProperties cable;
        for (const auto& member : value.GetMembers())
        {
            ReadOne(member, member.GetKey(), cable);
        }
        return cable;
    }

    /// Reads which hosts are interfaces of one computer. @param value the array in the file
    /// @param graph the fabric, which receives them
    static void ReadInterfaces(const JsonValue& value, FabricGraph& graph)
    {
        for (const auto& group : value.GetItems())
        {
            std::vector<uint32_t> hosts;
            for (const auto& name : group.GetItems())
            {
                const auto node = graph.Find(name.GetString());
                name.RefuseIf(node == FabricGraph::NONE || graph.IsSwitch(node),
                              "is no host",
                              "a name that is in hosts");
                hosts.push_back(node - graph.GetNSwitches());
            }
            try
            {
                graph.GroupInterfaces(hosts);
            }
            catch (const WormholeError& error)
            {
                const auto [what, accepted] = Split(error);
                group.Refuse("is no group of interfaces, " + what, accepted);
            }
        }
        const auto nFirst = graph.GetNFirstInterfaces();
        for (const auto& group : value.GetItems())
        {
            const auto names = group.GetItems();
            for (std::size_t i = 1; i < names.size(); ++i)
            {
                names[i].RefuseIf(graph.FindHost(names[i].GetString()) < nFirst,
                                  "stands in hosts before a host that is no further interface",
                                  "hosts with all further interfaces last");
            }
        }
    }

    /// @param root the object that may hold "lanes", "priorities" and "grant"
    static void ReadLanes(const JsonValue& root, LaneProperties& lanes)
    {
        if (root.Has("lanes"))
        {
            lanes.lanes =
                static_cast<uint32_t>(root.Get("lanes").GetUnsigned(1, WormholeFabric::MAX_LANES));
        }
        if (root.Has("grant"))
        {
            const auto value = root.Get("grant");
            lanes.grant = value.GetString();
            value.RefuseIf(*lanes.grant != "flit" && *lanes.grant != "worm",
                           "is unknown",
                           "flit or worm");
        }
        const auto count = lanes.lanes.value_or(1);
        if (root.Has("priorities"))
        {
            lanes.priorities = MadeOf(root.Get("priorities").GetItems(), [](const auto& value) {
                return static_cast<uint32_t>(value.GetUnsigned(0, LaneText::MAX_PRIORITY));
            });
            if (lanes.priorities.size() != count)
            {
                root.Get("priorities")
                    .Refuse("are of " + std::to_string(lanes.priorities.size()) + " lanes",
                            "one for each of " + std::to_string(count));
            }
        }
        if (count > 1 && lanes.grant.value_or("flit") != "worm")
        {
            root.Get("lanes").Refuse("are several", "1, or grant worm");
        }
    }

    /// @return a switch's delay @param value the object in the file, or a number of ps
    static Time ReadSwitch(const JsonValue& value)
    {
        if (value.IsNumber())
        {
            return TimeStep(value.GetInteger(0, MAX_DELAY));
        }
        value.CheckKeys({"delay"});
        return ReadDelay(value.Get("delay"));
    }

  private:
    /// Longest delay, ps.
    static constexpr int64_t MAX_DELAY = TimeLimit::LONGEST_SECONDS * 1'000'000'000'000;

    /// @return what is wrong, and what is expected; the latter is empty if that is not said
    static std::pair<std::string, std::string> Split(const WormholeError& error)
    {
        const std::string what = error.what();
        const std::string expected = "; expected ";
        const auto at = what.find(expected);
        return {what.substr(0, at),
                at == std::string::npos ? "" : what.substr(at + expected.size())};
    }

    /// Has a text read, and refuses it where it stands.
    /// @param read reads it, and throws a WormholeError if it is none
    template <class READ>
    static void ReadText(const JsonValue& value, READ read)
    {
        const auto& text = value.GetString();
        try
        {
            read(text);
        }
        catch (const WormholeError& error)
        {
            const auto [what, accepted] = Split(error);
            value.Refuse(accepted.empty() ? "is refused, " + what : "is not accepted",
                         accepted.empty() ? "another value" : accepted);
        }
    }

    static Time ReadDelay(const JsonValue& value)
    {
        Time delay;
        ReadText(value, [&](const std::string& text) { delay = ExactTime::Parse(text); });
        return delay;
    }

    void ReadOne(const JsonValue& value, const std::string& name, CableProperties& cable) const
    {
        const bool isNumber = value.IsNumber();
        if (name == "link_delay" || (name == "flit_time" && isNumber))
        {
            // Whole picoseconds, as cases of worms have them.
            const auto time = TimeStep(value.GetInteger(1, MAX_DELAY));
            (name == "link_delay" ? cable.delay : cable.flitTime) = time;
        }
        else if (name == "depth" && isNumber)
        {
            cable.depth = static_cast<uint32_t>(value.GetUnsigned(1, WormholePort::MAX_DEPTH));
        }
        else
        {
            ReadText(value, [&](const std::string& text) { m_text.Read(name, text, cable); });
        }
    }

    CableText m_text; ///< reads texts
};

class FabricPropertiesWriter
{
  public:
    static void WriteParts(std::ostream& out, const FabricGraph& graph)
    {
        const auto& properties = graph.GetProperties();
        const auto& lanes = properties.lanes;
        if (lanes.lanes)
        {
            out << ",\n \"lanes\": " << *lanes.lanes;
        }
        const auto print = [](uint32_t priority) { return std::to_string(priority); };
        out << Enclose(",\n \"priorities\": [", MadeOf(lanes.priorities, print), ", ", "]");
        if (lanes.grant)
        {
            out << ",\n \"grant\": " << JsonFile::Quote(*lanes.grant);
        }
        out << Enclose(",\n \"outages\": [", MadeOf(lanes.outages, JsonFile::Quote), ", ", "]");
        auto defaults = CableText::Print(properties.cables);
        if (properties.switchDelay)
        {
            defaults.emplace_back("switch_delay", ExactTime::Print(*properties.switchDelay));
        }
        if (!defaults.empty())
        {
            out << ",\n \"defaults\": " << Print(defaults);
        }
        const auto switches = MadeOf(properties.GetSwitchDelays(), [&graph](const auto& each) {
            return JsonFile::Quote(graph.GetName(each.first)) + ": " +
                   Print({{"delay", ExactTime::Print(each.second)}});
        });
        out << Enclose(",\n \"switches\": {\n  ", switches, ",\n  ", "\n }");
        const auto quote = [&graph](uint32_t host) {
            return JsonFile::Quote(graph.GetName(graph.HostAt(host)));
        };
        const auto interfaces = MadeOf(graph.GetInterfaces(), [&quote](const auto& each) {
            return Enclose("[", MadeOf(each.second, quote), ", ", "]");
        });
        out << Enclose(",\n \"interfaces\": [\n  ", interfaces, ",\n  ", "\n ]");
    }

    static void WriteCable(std::ostream& out, const FabricGraph& graph, FabricGraph::End end)
    {
        if (const auto cable = graph.GetProperties().FindCable({end.node, end.port}))
        {
            out << ", " << Print(CableText::Print(*cable));
        }
    }

  private:
    /// @return nothing without any texts
    static std::string Enclose(const std::string& opening,
                               const std::vector<std::string>& texts,
                               const std::string& between,
                               const std::string& closing)
    {
        return texts.empty() ? "" : opening + boost::algorithm::join(texts, between) + closing;
    }

    static std::string Print(const std::vector<std::pair<std::string, std::string>>& members)
    {
        const auto texts = MadeOf(members, [](const auto& member) {
            const auto& [name, text] = member;
            const bool isNumber = text.find_first_not_of("0123456789") == std::string::npos;
            return JsonFile::Quote(name) + ": " + (isNumber ? text : JsonFile::Quote(text));
        });
        return "{" + boost::algorithm::join(texts, ", ") + "}";
    }
};

namespace
{

using GraphNode = FabricGraph::Node; ///< not ns3::Node
using Port = FabricGraph::Port;

constexpr uint64_t MAX_PORT = 4095; ///< a larger one is rather a slip than a switch

struct FileEnd
{
    JsonValue nameValue; ///< name of the node, in the file
    JsonValue portValue; ///< number of the port, in the file
    Port port;           ///< number of the port
    GraphNode node;      ///< number of the node, once the switches have theirs
};

using FileCable = std::array<FileEnd, 2>;

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// @return whether a name comes before another: runs of digits as numbers, all else character by
/// character
bool
NaturalLess(const std::string& a, const std::string& b)
{
    std::size_t i = 0;
    std::size_t k = 0;
    const auto takeNumber = [](const std::string& text, std::size_t& at) {
        const auto first = std::min(text.find_first_not_of('0', at), text.size());
        for (at = first; at < text.size() && IsDigit(text[at]); ++at)
        {
        }
        return text.substr(first, at - first);
    };
    while (i < a.size() && k < b.size())
    {
        if (IsDigit(a[i]) && IsDigit(b[k]))
        {
            const auto numberA = takeNumber(a, i);
            const auto numberB = takeNumber(b, k);
            if (numberA != numberB)
            {
                return numberA.size() != numberB.size() ? numberA.size() < numberB.size()
                                                        : numberA < numberB;
            }
        }
        else if (a[i] != b[k])
        {
            return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[k]);
        }
        else
        {
            ++i;
            ++k;
        }
    }
    const auto restA = a.size() - i;
    const auto restB = b.size() - k;
    return restA == 0 && restB == 0 ? a < b : restA < restB; // "s1" and "s01" differ, too
}

class FabricReader
{
  public:
    FabricReader(const JsonValue& root, bool isFile)
        : m_root(root),
          m_isFile(isFile)
    {
    }

    FabricGraph Read()
    {
        ReadHosts();
        ReadCables();
        const auto nPorts = ReadPorts();
        NumberNodes();
        FabricGraph graph(m_switches.size(), m_hosts.size(), nPorts);
        for (const auto& [name, node] : m_nodes)
        {
            graph.SetName(node, name); // in any order: no two of these names are equal
        }
        for (const auto& cable : m_cables)
        {
            Connect(graph, cable);
        }
        for (uint32_t i = 0; i < m_hosts.size(); ++i)
        {
            m_hosts[i].RefuseIf(graph.Peer(graph.HostAt(i), 0).node == FabricGraph::NONE,
                                "has no cable",
                                "a host that one of the links leads to");
        }
        CheckConnected(graph);
        ReadProperties(graph);
        if (m_root.Has("interfaces"))
        {
            FabricPropertiesReader::ReadInterfaces(m_root.Get("interfaces"), graph);
        }
        ReadRoutes(graph);
        return graph;
    }

  private:
    void ReadHosts()
    {
        const auto hosts = m_root.Get("hosts");
        m_hosts = hosts.GetItems();
        hosts.RefuseIf(m_hosts.empty(), "has no hosts", "one name at least");
        for (const auto& host : m_hosts)
        {
            const auto [old, isNew] =
                m_nodes.emplace(host.GetName("is no name of a node"), m_nodes.size());
            if (!isNew)
            {
                const auto& first = m_hosts[old->second];
                host.Refuse("is the name of " + first.GetPath() + " in line " +
                                std::to_string(first.GetLine()),
                            "every host once");
            }
        }
    }

    /// Reads all cables, without checking yet how they fit together.
    void ReadCables()
    {
        const auto links = m_root.Get("links");
        for (const auto& link : links.GetItems())
        {
            const auto items = link.GetItems();
            link.RefuseIf(items.size() != 4 && items.size() != 5,
                          "has " + std::to_string(items.size()) + " entries",
                          "[node, port, node, port], and what the cable has of its own");
            const auto end = [&items](std::size_t i) {
                items[i].GetName("is no name of a node");
                const auto port = static_cast<Port>(items[i + 1].GetUnsigned(0, MAX_PORT));
                return FileEnd{items[i], items[i + 1], port, FabricGraph::NONE};
            };
            m_cables.push_back({end(0), end(2)});
            if (items.size() == 5)
            {
                m_properties.emplace(m_cables.size() - 1, items[4]);
            }
        }
        links.RefuseIf(m_cables.empty(), "has no switch", "links from every host to a switch");
    }

    void NumberNodes()
    {
        auto isNew = m_nodes; // names that need no number any more
        for (const auto& cable : m_cables)
        {
            for (const auto& end : cable)
            {
                const auto& name = end.nameValue.GetString();
                if (isNew.emplace(name, 0).second)
                {
                    m_switches.push_back(name);
                }
            }
        }
        std::sort(m_switches.begin(), m_switches.end(), NaturalLess);
        for (auto& [name, index] : m_nodes)
        {
            index += m_switches.size();
        }
        for (GraphNode i = 0; i < m_switches.size(); ++i)
        {
            m_nodes.emplace(m_switches[i], i);
        }
        for (auto& cable : m_cables)
        {
            for (auto& end : cable)
            {
                end.node = m_nodes.at(end.nameValue.GetString());
            }
        }
    }

    uint32_t ReadPorts() const
    {
        if (m_root.Has("ports"))
        {
            return static_cast<uint32_t>(m_root.Get("ports").GetUnsigned(1, MAX_PORT + 1));
        }
        Port highest = 0;
        for (const auto& cable : m_cables)
        {
            for (const auto& end : cable)
            {
                const bool isHost = m_nodes.count(end.nameValue.GetString());
                highest = isHost ? highest : std::max(highest, end.port);
            }
        }
        return highest + 1u;
    }

    static GraphNode FindSwitch(const FabricGraph& graph, const JsonValue& member)
    {
        const auto node = graph.Find(member.GetKey());
        if (node == FabricGraph::NONE || !graph.IsSwitch(node))
        {
            member.RefuseKey("is no switch", "the name of a switch that one of the links leads to");
        }
        return node;
    }

    void ReadProperties(FabricGraph& graph) const
    {
        auto& properties = graph.ChangeProperties();
        FabricPropertiesReader::ReadLanes(m_root, properties.lanes);
        if (m_root.Has("outages") && m_isFile) // those of a case of worms are its reader's
        {
            properties.lanes.outages =
                MadeOf(m_root.Get("outages").GetItems(),
                       [](const JsonValue& value) { return value.GetString(); });
        }
        FabricPropertiesReader reader;
        if (m_root.Has("defaults"))
        {
            reader.ReadDefaults(m_root.Get("defaults"), properties);
        }
        for (const auto& [cable, value] : m_properties)
        {
            const auto& end = m_cables[cable][0];
            graph.SetCable(end.node, end.port, reader.ReadCable(value));
        }
        for (const std::string key : {"switches", "switch_delays"})
        {
            if (m_root.Has(key))
            {
                for (const auto& value : m_root.Get(key).GetMembers())
                {
                    properties.SetSwitchDelay(FindSwitch(graph, value),
                                              FabricPropertiesReader::ReadSwitch(value));
                }
            }
        }
    }

    void ReadRoutes(FabricGraph& graph) const
    {
        FabricRoutes routes;
        const auto read = [this](const char* key, std::string& text) {
            text = m_root.Has(key) ? m_root.Get(key).GetString() : text;
        };
        read("routing", routes.routing);
        read("topology", routes.family);
        read("root", routes.root);
        read("spread", routes.spread);
        const bool isTable = routes.routing == "table";
        Ptr<RoutingEngine> engine;
        if (RoutingEngine::Has(routes.routing))
        {
            try
            {
                engine = RoutingEngine::Make(routes.routing);
            }
            catch (const WormholeError& error)
            {
                m_root.Get("routing").Refuse(std::string("is no routing, ") + error.what(),
                                             "a name such as balanced[Root=center]");
            }
        }
        const auto refuseIf = [this](bool isWrong,
                                     const char* key,
                                     const std::string& trouble,
                                     const std::string& accepted) {
            if (isWrong)
            {
                m_root.Get(key).Refuse(trouble, accepted);
            }
        };
        refuseIf(isTable && !m_root.Has("routes"),
                 "routing",
                 "has no routes",
                 "\"routes\" beside it, the ports of each switch");
        refuseIf(!isTable && m_root.Has("routes"),
                 "routes",
                 "is a table, which routing " + routes.routing + " does not follow",
                 "\"routing\": \"table\" beside it");
        refuseIf((!engine || engine->UsesTopologyRule()) && !m_root.Has("topology"),
                 "routing",
                 "has no topology whose rule it follows",
                 WordList::WithCommas(RoutingEngine::GetNames()) +
                     ", or \"topology\" beside it, such as clos:ports=16,levels=2");
        refuseIf(isTable && m_root.Has("topology"),
                 "topology",
                 "has a rule that " + routes.routing + " routes do not follow",
                 "\"routing\" beside it, such as nearest-ancestor");
        refuseIf(m_root.Has("root") && !HaveRoot(routes),
                 "root",
                 "is a root, which routing " + routes.routing + " has not",
                 "routing up-down with it");
        const auto& root = routes.root;
        refuseIf(root != "first" && root != "degree" && root != "center" &&
                     !graph.IsSwitch(graph.Find(root)),
                 "root",
                 "is no root",
                 "first, degree, center, or the name of a switch");
        const auto& spreads = RouteSpread::GetNames();
        refuseIf(!IsIn(spreads, routes.spread),
                 "spread",
                 "is no way to share routes",
                 "hash, in-turn, first or each");
        if (isTable)
        {
            ReadTable(graph, routes);
        }
        graph.SetRoutes(routes);
        if (m_isFile && !m_root.Has("routing") && !m_root.Has("root") && !m_root.Has("spread"))
        {
            ChooseRouting(graph);
        }
    }

    void ReadTable(const FabricGraph& graph, FabricRoutes& routes) const
    {
        auto table = std::make_shared<RouteTable>(graph.GetNSwitches(), graph.GetNHosts());
        const auto member = m_root.Get("routes");
        for (const auto& row : member.GetMembers())
        {
            const auto node = FindSwitch(graph, row);
            const auto& text = row.GetString();
            try
            {
                table->SetRow(node, text);
            }
            catch (const WormholeError& error)
            {
                row.Refuse(std::string("is no row of a table, ") + error.what(),
                           "the port for each host, with blanks between");
            }
        }
        routes.table = table;
        auto routed = graph;
        routed.SetRoutes(routes);
        try
        {
            RoutingEngine::Make(routes.routing)->MakeRouter(routed);
        }
        catch (const WormholeError& error)
        {
            member.Refuse(std::string("is no table for these links, ") + error.what(),
                          "a table like that, or \"routing\": \"up-down\" without one");
        }
    }

    void Connect(FabricGraph& graph, const FileCable& cable) const
    {
        const auto& [a, b] = cable;
        b.nameValue.RefuseIf(a.node == b.node, "is linked to itself", "another node");
        b.nameValue.RefuseIf(IsHost(a.node) && IsHost(b.node),
                             "is a host, like '" + a.nameValue.GetString() + "'",
                             "a switch at one end at least");
        for (const auto& end : cable)
        {
            const auto last = graph.GetNPorts(end.node) - 1;
            const auto owner = "'" + end.nameValue.GetString() + "'";
            if (end.port > last)
            {
                const auto accepted = IsHost(end.node) ? "0" : "0 to " + std::to_string(last);
                end.portValue.Refuse("is no port of " + owner, accepted);
            }
            if (graph.Peer(end.node, end.port).node != FabricGraph::NONE)
            {
                const auto trouble = "is taken " + Sink(end.node, end.port);
                end.nameValue.RefuseIf(IsHost(end.node), trouble, "one cable for every host");
                end.portValue.Refuse(trouble, "an open port of " + owner);
            }
        }
        graph.Connect(a.node, a.port, b.node, b.port);
    }

    /// Refuses a fabric, all of whose cables are laid, in which some node can't be reached.
    void CheckConnected(const FabricGraph& graph) const
    {
        const auto nNodes = graph.GetNNodes();
        std::vector<GraphNode> rank(nNodes, 0);
        auto parent = NumbersBelow(nNodes);
        boost::disjoint_sets<GraphNode*, GraphNode*> parts(rank.data(), parent.data());
        std::unordered_map<GraphNode, uint32_t> links; // of each node
        for (const auto& [a, b] : m_cables)
        {
            parts.union_set(a.node, b.node);
            ++links[a.node];
            ++links[b.node];
        }
        std::vector<uint32_t> sizes(nNodes, 0); // by set
        for (GraphNode node = 0; node < nNodes; ++node)
        {
            ++sizes[parts.find_set(node)];
        }
        auto smallest = parts.find_set(GraphNode{0});
        if (sizes[smallest] == nNodes)
        {
            return;
        }
        for (GraphNode node = 0; node < nNodes; ++node)
        {
            const auto part = parts.find_set(node);
            smallest = sizes[part] < sizes[smallest] ? part : smallest;
        }
        // A mistyped name is a switch that few links lead to.
        const FileEnd* odd = nullptr;
        for (const auto& cable : m_cables)
        {
            for (const auto& end : cable)
            {
                if (!IsHost(end.node) && parts.find_set(end.node) == smallest &&
                    (!odd || links[end.node] < links[odd->node]))
                {
                    odd = &end;
                }
            }
        }
        GraphNode other = 0;
        while (parts.find_set(other) == smallest)
        {
            ++other;
        }
        odd->nameValue.Refuse("can't be reached from '" + m_switches[other] + "'",
                              "a fabric in which every node reaches every other; a name that is "
                              "not in hosts is a switch, mistyped or not");
    }

    /// @return the place of that cable, as "by links[3] in line 7"
    std::string Sink(GraphNode node, Port port) const
    {
        const auto has = [node, port](const FileCable& cable) {
            return (cable[0].node == node && cable[0].port == port) ||
                   (cable[1].node == node && cable[1].port == port);
        };
        const auto first = FindIn(m_cables, has);
        return "by links[" + std::to_string(first - m_cables.begin()) + "] in line " +
               std::to_string((*first)[0].nameValue.GetLine());
    }

    bool IsHost(GraphNode node) const
    {
        return node >= m_switches.size();
    }

    const JsonValue m_root;         ///< the object that holds the fabric
    const bool m_isFile;            ///< whether it is a file of its own, whose routes may be chosen
    std::vector<JsonValue> m_hosts; ///< the hosts' names, in the file
    std::vector<FileCable> m_cables;               ///< all cables
    std::map<std::size_t, JsonValue> m_properties; ///< what cables have of their own
    std::vector<std::string> m_switches;           ///< the switches' names, in the switches' order
    std::unordered_map<std::string, GraphNode>
        m_nodes; ///< nodes by name; first hosts by their index
};

} // namespace

FabricGraph
ReadFabricFile(const std::string& path)
{
    const JsonFile file(path);
    file.GetRoot().CheckKeys(
        {"hosts", "links"},
        {"ports",        "routing",  "topology",      "root",         "spread",    "routes",
         "defaults",     "switches", "switch_delays", "interfaces",   "flit_time", "link_delay",
         "switch_delay", "depth",    "replication",   "route_header", "flit_size", "lanes",
         "priorities",   "grant",    "outages",       "worms"});
    return FabricReader(file.GetRoot(), true).Read();
}

FabricGraph
ReadFabric(const JsonValue& root)
{
    return FabricReader(root, false).Read();
}

void
WriteFabricFile(const FabricGraph& graph, const std::string& path)
{
    graph.Validate();
    WormholeError::ThrowIf(graph.GetNHosts() == 0 || graph.GetNPorts(0) > MAX_PORT + 1,
                           path + ": a fabric with " + std::to_string(graph.GetNHosts()) +
                               " hosts and " + std::to_string(graph.GetNPorts(0)) +
                               " ports a switch: expected one host at least and " +
                               std::to_string(MAX_PORT + 1) + " ports at most");
    AtomicFile file(path);
    auto& out = file.Get();
    const auto& routes = graph.GetRoutes();
    const bool isTable = routes.routing == "table";
    out << "{\n \"routing\": " << JsonFile::Quote(routes.routing);
    if (!isTable && !routes.family.empty())
    {
        out << ",\n \"topology\": " << JsonFile::Quote(routes.family);
    }
    if (HaveRoot(routes))
    {
        out << ",\n \"root\": " << JsonFile::Quote(routes.root);
    }
    if (RoutesAreShared(graph))
    {
        out << ",\n \"spread\": " << JsonFile::Quote(routes.spread);
    }
    FabricPropertiesWriter::WriteParts(out, graph);
    out << ",\n \"ports\": " << graph.GetNPorts(0) << ",\n \"hosts\": [";
    for (uint32_t i = 0; i < graph.GetNHosts(); ++i)
    {
        out << (i ? ",\n  " : "\n  ") << JsonFile::Quote(graph.GetName(graph.HostAt(i)));
    }
    out << "\n ],\n \"links\": [";
    const char* separator = "\n  ";
    ForEachCable(graph, [&](FabricGraph::End a, FabricGraph::End b) {
        out << separator << '[' << JsonFile::Quote(graph.GetName(a.node)) << ", " << a.port << ", "
            << JsonFile::Quote(graph.GetName(b.node)) << ", " << b.port;
        FabricPropertiesWriter::WriteCable(out, graph, a);
        out << ']';
        separator = ",\n  ";
    });
    out << "\n ]";
    if (isTable && routes.table)
    {
        out << ",\n \"routes\": {";
        for (GraphNode node = 0; node < graph.GetNSwitches(); ++node)
        {
            out << (node ? ",\n  " : "\n  ") << JsonFile::Quote(graph.GetName(node)) << ": \""
                << routes.table->GetRow(node) << '"';
        }
        out << "\n }";
    }
    out << "\n}\n";
    file.Finish();
}

} // namespace ns3
