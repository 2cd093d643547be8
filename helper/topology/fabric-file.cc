// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-topology-factory.h"

#include "ns3/fabric-properties-file.h"
#include "ns3/graph-walk.h"
#include "ns3/ordering.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-route-spread.h"
#include "ns3/wormhole-route-table.h"

#include <algorithm>
#include <array>
#include <boost/pending/disjoint_sets.hpp>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

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
        refuseIf(!IsIn(RouteSpread::GetNames(), routes.spread),
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
