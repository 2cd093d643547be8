// SPDX-License-Identifier: GPL-2.0-only

// What Python needs and ns-3's headers don't have. The loader compiles this in memory.

#include "ns3/barrier-tree.h"
#include "ns3/callback.h"
#include "ns3/channel-dependency.h"
#include "ns3/collective-bench.h"
#include "ns3/collective-helper.h"
#include "ns3/config.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/job-placement.h"
#include "ns3/object-base.h"
#include "ns3/string.h"
#include "ns3/study-definition.h"
#include "ns3/up-down-routing.h"
#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-route-spread.h"
#include "ns3/wormhole-route-table.h"
#include "ns3/wormhole-topology-factory.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace ns3_wormhole
{

/// What EndOnInterrupt tells.
inline std::string&
GetLastWords()
{
    static std::string words;
    return words;
}

inline void
EndNow(int signal)
{
    ns3::AtomicFile::RemoveParts();
    const auto& words = GetLastWords();
    const auto written = write(STDERR_FILENO, words.data(), words.size());
    _exit(128 + signal + 0 * static_cast<int>(written));
}

/// Has Ctrl-C end this process at once, in the middle of C++ too, where Python's own handler would
/// have to wait.
inline void
EndOnInterrupt(const std::string& words)
{
    GetLastWords() = words;
    std::signal(SIGINT, EndNow);
}

/// The callback of a trace source whose typedef is a pointer to a function.
template <typename T>
struct Sink;

/// @copydoc Sink
template <typename... Args>
struct Sink<void (*)(Args...)>
{
    /// Whether all arguments can be copied with what they hold: a bare pointer's object may be
    /// gone.
    static constexpr bool KEEPABLE = ((std::is_copy_constructible_v<std::decay_t<Args>> &&
                                       !std::is_pointer_v<std::decay_t<Args>>) &&
                                      ...);

    /// Connects a function. Returns whether there is such a trace source.
    static bool Connect(ns3::ObjectBase& object,
                        const std::string& source,
                        std::function<void(std::decay_t<Args>...)> function)
    {
        return object.TraceConnectWithoutContext(source, ns3::Callback<void, Args...>(function));
    }
};

// Of a method with several forms, constructors among them, cppyy tries each and tells of all their
// exceptions together. The functions below have one form, so that a WormholeError stays one.

/// A graph without cables.
inline ns3::FabricGraph
MakeGraph(uint32_t switches, uint32_t hosts, uint32_t ports)
{
    return ns3::FabricGraph(switches, hosts, ports);
}

inline ns3::FabricGraph
DrawIrregular(const ns3::IrregularTopologyHelper::Parameters& parameters, int64_t stream)
{
    ns3::IrregularTopologyHelper helper(parameters);
    helper.AssignStreams(stream);
    return helper.Create();
}

inline ns3::Ptr<ns3::CollectiveDomain>
Install(const ns3::WormholeHelper& fabrics,
        const ns3::CollectiveHelper& collectives,
        const ns3::FabricGraph& graph)
{
    return collectives.Install(fabrics.Install(graph), graph);
}

/// What is called while rounds are simulated, with how often members have left and of how often,
/// and while routes are computed, with what is counted; returns whether to go on.
using Listener = bool (*)(const char* what, uint64_t done, uint64_t whole);

/// The address of a function of Python's that is called as one of C++, and raises in it what it
/// raises. cppyy takes a third of a second to compile that, see bars.py.
inline uint64_t
AddressOf(Listener listener)
{
    return reinterpret_cast<uint64_t>(listener);
}

/// What is called in rounds; null: nobody asks.
inline Listener&
GetBeat()
{
    static Listener beat;
    return beat;
}

/// Names what is called in rounds of groups that are made from now on, by its address.
inline void
SetBeat(uint64_t beat)
{
    GetBeat() = reinterpret_cast<Listener>(beat);
}

/// Names what is called while routes are computed, from some time on, by its address.
inline void
SetRoutesListener(uint64_t address, double seconds)
{
    ns3::RoutingProgress::SetListener(reinterpret_cast<Listener>(address), seconds);
}

template <class BENCH>
void
AddBeat(BENCH& bench)
{
    constexpr double SECONDS = 0.2; // between two calls
    bench.SetProgress(GetBeat(), SECONDS);
}

inline std::unique_ptr<ns3::CollectiveBench>
MakeCollectiveBench(ns3::Ptr<ns3::Collective> collective,
                    ns3::Ptr<ns3::CollectiveDomain> domain,
                    const std::vector<uint32_t>& hosts)
{
    auto bench = std::make_unique<ns3::CollectiveBench>(collective, domain, hosts);
    AddBeat(*bench);
    return bench;
}

/// @return hosts by rank @param graph the fabric @param law a placement @param hosts how many; 0:
/// all
inline std::vector<uint32_t>
PlaceMembers(const ns3::FabricGraph& graph, const std::string& law, uint32_t hosts)
{
    return ns3::JobPlacement(graph, {law, hosts}).Draw(1, 1);
}

inline ns3::BarrierTree
GrowTree(const ns3::FabricGraph& graph, const std::vector<uint32_t>& nodes, bool isDeepest)
{
    using Leaves = ns3::BarrierTree::Leaves;
    return ns3::BarrierTree(graph, nodes, isDeepest ? Leaves::DEEPEST : Leaves::ALL);
}

/// A router of a graph: of its own routes, or up/down below a root.
inline ns3::Ptr<ns3::WormholeRouter>
MakeRouter(const ns3::FabricGraph& graph, const std::string& root)
{
    if (root.empty())
    {
        return ns3::MakeRouter(graph);
    }
    auto routes = graph.GetRoutes();
    routes.routing = "up-down";
    routes.root = root;
    auto routed = graph;
    routed.SetRoutes(routes);
    return ns3::MakeRouter(routed);
}

inline void
FollowTable(ns3::FabricGraph& graph, const std::shared_ptr<const ns3::RouteTable>& table)
{
    auto routes = graph.GetRoutes();
    routes.routing = "table";
    routes.table = table;
    graph.SetRoutes(routes);
}

/// Gives a graph routes by a table: by switch a row, see RouteTable::SetRow.
inline void
SetTable(ns3::FabricGraph& graph, const std::vector<std::string>& rows)
{
    auto table = std::make_shared<ns3::RouteTable>(graph.GetNSwitches(), graph.GetNHosts());
    for (uint32_t node = 0; node < rows.size(); ++node)
    {
        table->SetRow(node, rows[node]);
    }
    FollowTable(graph, table);
}

/// The same by ports: of each switch that for each host, RouteTable::NONE for none.
inline void
SetPorts(ns3::FabricGraph& graph, const uint16_t* ports, std::size_t size)
{
    const auto nHosts = graph.GetNHosts();
    auto table = std::make_shared<ns3::RouteTable>(graph.GetNSwitches(), nHosts);
    for (std::size_t i = 0; i < size; ++i)
    {
        table->Set(i / nHosts, i % nHosts, ports[i]);
    }
    FollowTable(graph, table);
}

/// Reads a line of a forwarding table such as 0x0014 001 : (...). Returns whether it is one.
inline bool
ReadEntry(const uint8_t* line, const uint8_t* end, uint16_t& lid, uint16_t& port)
{
    const auto text = reinterpret_cast<const char*>(line);
    const auto isRead = [](const char* begin, const char* end, uint16_t& number, int base) {
        return std::from_chars(begin, end, number, base).ptr == end;
    };
    const auto isUpper = [](char code) { return code >= 'A' && code <= 'F'; };
    if (end - line < 10 || line[6] != ' ' || std::any_of(text + 2, text + 6, isUpper) ||
        !isRead(text + 2, text + 6, lid, 16) || !isRead(text + 7, text + 10, port, 10))
    {
        return false;
    }
    const auto is = [](uint8_t code, std::string_view codes) {
        return codes.find(static_cast<char>(code)) != std::string_view::npos;
    };
    return line[10] == ' ' ? is(line[11], " :#\r\n") : is(line[10], "\t\r\n");
}

/// Of the routes of a host to all others a line each: the other's number, then switches, the ports
/// by which they are left, and the lanes there, with blanks between.
inline std::string
ListRoutes(const ns3::FabricGraph& graph, ns3::Ptr<ns3::WormholeRouter> router, uint32_t from)
{
    std::string text;
    for (uint32_t to = 0; to < graph.GetNHosts(); ++to)
    {
        if (to == from)
        {
            continue;
        }
        const auto route = router->GetPath(from, to);
        text += std::to_string(to);
        auto node = graph.HostAt(from);
        for (ns3::WormRoute::Stop stop = 0; stop + 1 < route->GetNStops(); ++stop)
        {
            const auto port = route->At(stop)[0].port;
            const auto lane = std::to_string(route->GetLane(route->At(stop)[0].next));
            if (stop > 0)
            {
                text += ' ' + std::to_string(node) + ' ' + std::to_string(port) + ' ' + lane;
            }
            node = graph.Peer(node, port).node;
        }
        text += '\n';
    }
    return text;
}

/// How routes use parallel cables, in one line; empty if there are none.
inline std::string
DescribeBundles(const ns3::FabricGraph& graph, ns3::Ptr<ns3::WormholeRouter> router)
{
    return ns3::CableUse::Describe(graph, [&] { return router; });
}

/// Refuses routes of all pairs that can deadlock; with those of a group's tree worms, from each
/// member to all others, and of its messages to their switches. What a switch sends to the next one
/// ends there, and waits for nothing beyond. Returns the cycle that closes if tree worms are longer
/// than buffers.
inline std::string
CheckDeadlockFree(const ns3::FabricGraph& graph,
                  ns3::Ptr<ns3::WormholeRouter> router,
                  const std::vector<uint32_t>& members)
{
    const auto check = [&](ns3::ChannelDependency::Branches branches) {
        ns3::ChannelDependency dependency(graph, branches, router->GetNLanes());
        dependency.AddAllPairs(*router);
        for (const auto member : members)
        {
            auto others = members;
            others.erase(std::find(others.begin(), others.end(), member));
            const auto host = graph.HostAt(member);
            if (!others.empty())
            {
                dependency.Add(host, *router->GetTreeRoute(member, others));
            }
            for (const auto other : members)
            {
                const auto to = graph.SwitchOf(graph.HostAt(other)).node;
                dependency.Add(host, *router->GetRouteToSwitch(member, to));
            }
        }
        dependency.CheckDeadlockFree();
    };
    std::string cycle;
    try
    {
        check(ns3::ChannelDependency::Branches::COUPLED);
    }
    catch (const ns3::WormholeError& error)
    {
        if (members.empty())
        {
            throw;
        }
        cycle = error.what();
        check(ns3::ChannelDependency::Branches::INDEPENDENT);
    }
    return cycle;
}

inline void
GiveFabric(ns3::OptionValues& values,
           const ns3::FabricGraph& graph,
           ns3::Ptr<ns3::WormholeRouter> router,
           const std::string& label)
{
    values.SetTopology(std::make_shared<const ns3::WormholeTopology>(
                           ns3::WormholeTopology{"given", "given", graph, router}),
                       label);
}

/// Defaults of attributes for a while: those before come back with Restore, or in the end.
class AttributeDefaults
{
  public:
    ~AttributeDefaults()
    {
        Restore();
    }

    /// Sets a default.
    void Set(const std::string& name, const std::string& value)
    {
        ns3::CheckAttributeText(name, value);
        const auto end = name.rfind("::");
        auto type = ns3::TypeId::LookupByName(name.substr(0, end));
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto attribute = type.GetAttribute(i);
            if (attribute.name == name.substr(end + 2))
            {
                m_before.push_back({type, i, attribute.initialValue});
            }
        }
        ns3::Config::SetDefault(name, ns3::StringValue(value));
    }

    /// Brings back what was before.
    void Restore()
    {
        for (; !m_before.empty(); m_before.pop_back())
        {
            auto& before = m_before.back();
            before.type.SetAttributeInitialValue(before.index, before.value);
        }
    }

  private:
    /// A default that there was.
    struct Before
    {
        ns3::TypeId type;                          ///< type that has the attribute
        std::size_t index;                         ///< its index there
        ns3::Ptr<const ns3::AttributeValue> value; ///< its default
    };

    std::vector<Before> m_before; ///< defaults that there were, in the order in which they went
};

/// Calls a function with each attribute whose default is not the one that its class gave it.
inline void
ForEachChangedDefault(const std::function<void(ns3::TypeId, std::size_t)>& function)
{
    for (uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        for (std::size_t j = 0; j < type.GetAttributeN(); ++j)
        {
            const auto attribute = type.GetAttribute(j);
            if (attribute.initialValue != attribute.originalInitialValue)
            {
                function(type, j);
            }
        }
    }
}

/// Defaults that are not those that their classes gave them: names with those of their classes, and
/// texts.
inline std::map<std::string, std::string>
GetChangedDefaults()
{
    std::map<std::string, std::string> changed;
    ForEachChangedDefault([&](ns3::TypeId type, std::size_t index) {
        const auto attribute = type.GetAttribute(index);
        changed[type.GetAttributeFullName(index)] =
            attribute.initialValue->SerializeToString(attribute.checker);
    });
    return changed;
}

/// Has all attributes have the defaults that their classes gave them.
inline void
ResetDefaults()
{
    ForEachChangedDefault([](ns3::TypeId type, std::size_t index) {
        type.SetAttributeInitialValue(index, type.GetAttribute(index).originalInitialValue);
    });
}

/// What ReadEntries has read of a forwarding table.
struct ForwardingEntries
{
    std::size_t bytes{0}; //!< how long that is
    std::size_t lines{0}; //!< how many lines and entries that is
    std::string wrong;    //!< what is wrong with the entry that follows; empty: none follows
};

/// What a LID is that is no host's.
enum ForwardingLid : int32_t
{
    SWITCH_LID = -1,  //!< a switch's
    STRANGE_LID = -2, //!< none that is known
    MET_LID = -3      //!< none that is known, and a table has a port for it
};

/// Reads the entries of a forwarding table up to the first line that is none. Returns what was
/// read.
inline ForwardingEntries
ReadEntries(const uint8_t* text, std::size_t size, int32_t* lids, uint16_t* row)
{
    constexpr uint16_t NOT_FORWARDED = 255;
    ForwardingEntries read;
    const auto end = text + size;
    for (auto at = text; end - at > 1 && at[0] == '0' && at[1] == 'x'; ++read.lines)
    {
        const auto lineEnd = static_cast<const uint8_t*>(std::memchr(at, '\n', end - at));
        uint16_t lid;
        uint16_t port;
        if (!ReadEntry(at, lineEnd, lid, port))
        {
            read.wrong = "form";
            break;
        }
        if (port != NOT_FORWARDED && lids[lid] >= 0)
        {
            auto& known = row[lids[lid]];
            if (port == 0 || known != ns3::RouteTable::NONE)
            {
                read.wrong = port == 0 ? "port" : "twice";
                break;
            }
            known = port;
        }
        else if (port != NOT_FORWARDED && lids[lid] == STRANGE_LID)
        {
            lids[lid] = MET_LID;
        }
        at = lineEnd + 1;
        read.bytes = at - text;
    }
    return read;
}

} // namespace ns3_wormhole
