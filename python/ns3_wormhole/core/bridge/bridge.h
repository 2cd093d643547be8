/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What Python needs and ns-3's headers don't have. The loader compiles this in memory.

#include "ns3/attribute-text.h"
#include "ns3/barrier-tree.h"
#include "ns3/cable-text.h"
#include "ns3/cable-use.h"
#include "ns3/callback.h"
#include "ns3/channel-bound.h"
#include "ns3/channel-dependency.h"
#include "ns3/collective-bench.h"
#include "ns3/collective-helper.h"
#include "ns3/collective-laws.h"
#include "ns3/config.h"
#include "ns3/equal-split.h"
#include "ns3/exact-time.h"
#include "ns3/fabric-benchmark.h"
#include "ns3/group-schedules.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/lane-text.h"
#include "ns3/machine-file.h"
#include "ns3/message-bench.h"
#include "ns3/object-base.h"
#include "ns3/route-table.h"
#include "ns3/scale-benchmark.h"
#include "ns3/software-collective.h"
#include "ns3/string.h"
#include "ns3/study-forms.h"
#include "ns3/topology-factory.h"
#include "ns3/up-down-routing.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace ns3_wormhole
{

/// @return what EndOnInterrupt tells
inline std::string&
GetLastWords()
{
    static std::string words;
    return words;
}

/// Ends this process. @param signal why
inline void
EndNow(int signal)
{
    ns3::WholeFile::RemoveParts();
    const auto& words = GetLastWords();
    const auto written = write(STDERR_FILENO, words.data(), words.size());
    _exit(128 + signal + 0 * static_cast<int>(written));
}

/// Has Ctrl-C end this process at once, in the middle of C++ too, where Python's own handler would
/// have to wait. @param words what is told then
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

    /// Connects a function. @return whether there is such a trace source
    /// @param object whose @param source name of the trace source @param function the function
    static bool Connect(ns3::ObjectBase& object,
                        const std::string& source,
                        std::function<void(Args...)> function)
    {
        return object.TraceConnectWithoutContext(source, ns3::Callback<void, Args...>(function));
    }
};

/// @return the typedef of a trace source's callback; empty if there is no such source
/// @param object whose @param source name of the trace source
inline std::string
GetSinkType(ns3::Object& object, const std::string& source)
{
    ns3::TypeId::TraceSourceInformation information;
    const auto accessor = object.GetInstanceTypeId().LookupTraceSourceByName(source, &information);
    return accessor ? information.callback : "";
}

// Of a method with several forms, constructors among them, cppyy tries each and tells of all their
// exceptions together. The functions below have one form, so that a WormholeError stays one.

/// @return a graph without cables @param switches, hosts numbers of these
/// @param ports ports of each switch
inline ns3::FabricGraph
MakeGraph(uint32_t switches, uint32_t hosts, uint32_t ports)
{
    return ns3::FabricGraph(switches, hosts, ports);
}

/// @return an irregular fabric @param parameters what is drawn @param stream of random numbers
inline ns3::FabricGraph
DrawIrregular(const ns3::IrregularTopologyHelper::Parameters& parameters, int64_t stream)
{
    ns3::IrregularTopologyHelper helper(parameters);
    helper.AssignStreams(stream);
    return helper.Create();
}

/// @return the collective domain of a new fabric @param fabrics builds it
/// @param collectives gives it software @param graph its graph
inline ns3::Ptr<ns3::CollectiveDomain>
Install(const ns3::WormholeHelper& fabrics,
        const ns3::CollectiveHelper& collectives,
        const ns3::FabricGraph& graph)
{
    return collectives.Install(fabrics.Install(graph), graph);
}

/// @return two processes that exchange messages @param domain where
/// @param first host of the first @param second host of the second
inline std::unique_ptr<ns3::MessageBench>
MakeMessageBench(ns3::Ptr<ns3::CollectiveDomain> domain, uint32_t first, uint32_t second)
{
    return std::make_unique<ns3::MessageBench>(domain, first, second);
}

/// What is called while rounds are simulated: how often members have left, of how often; returns
/// whether to go on.
using Beat = std::function<bool(uint64_t left, uint64_t due)>;

/// @return what is called; empty: nobody asks
inline Beat&
GetBeat()
{
    static Beat beat;
    return beat;
}

/// Names what is called in rounds of groups that are made from now on. @param beat what
inline void
SetBeat(const Beat& beat)
{
    GetBeat() = beat;
}

/// Has a bench call it. @param bench a CollectiveBench or LoadedBench
template <class BENCH>
void
AddBeat(BENCH& bench)
{
    constexpr double SECONDS = 0.2; // between two calls
    if (GetBeat())
    {
        bench.SetProgress(GetBeat(), SECONDS);
    }
}

/// @return a group that does a collective @param collective what it does @param domain where
/// @param hosts of its members
inline std::unique_ptr<ns3::CollectiveBench>
MakeCollectiveBench(ns3::Ptr<ns3::Collective> collective,
                    ns3::Ptr<ns3::CollectiveDomain> domain,
                    const std::vector<uint32_t>& hosts)
{
    auto bench = std::make_unique<ns3::CollectiveBench>(collective, domain, hosts);
    AddBeat(*bench);
    return bench;
}

/// @return a group that does a collective of data, see MakeCollectiveBench
/// @param collective what it does @param domain where @param hosts of its members
inline std::unique_ptr<ns3::CollectiveBench>
MakeDataBench(ns3::Ptr<ns3::DataCollective> collective,
              ns3::Ptr<ns3::CollectiveDomain> domain,
              const std::vector<uint32_t>& hosts)
{
    return MakeCollectiveBench(collective, domain, hosts);
}

/// @return an ideal network @param collectives gives hosts their software @param hosts number of
/// hosts @param latency flight time of messages
inline ns3::Ptr<ns3::CollectiveDomain>
InstallIdeal(const ns3::CollectiveHelper& collectives, uint32_t hosts, ns3::Time latency)
{
    return collectives.InstallIdeal(hosts, latency);
}

/// @return the barrier tree of some hosts @param graph the fabric @param nodes the hosts
/// @param isDeepest whether only the deepest leaves count
inline ns3::BarrierTree
GrowTree(const ns3::FabricGraph& graph, const std::vector<uint32_t>& nodes, bool isDeepest)
{
    using Leaves = ns3::BarrierTree::Leaves;
    return ns3::BarrierTree(graph, nodes, isDeepest ? Leaves::DEEPEST : Leaves::ALL);
}

/// @return a router of a graph @param graph the graph @param root of up/down routes; empty: the
/// graph's own routes
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

/// @return a graph with routes of a name in place of its own @param graph the graph @param routing
/// name of a routing engine
inline ns3::FabricGraph
WithRouting(const ns3::FabricGraph& graph, const std::string& routing)
{
    auto routed = graph;
    ns3::SetRouting(routed, routing);
    return routed;
}

/// Has a graph follow a table. @param graph the graph @param table the table
inline void
FollowTable(ns3::FabricGraph& graph, const std::shared_ptr<const ns3::RouteTable>& table)
{
    auto routes = graph.GetRoutes();
    routes.routing = "table";
    routes.table = table;
    graph.SetRoutes(routes);
}

/// Gives a graph routes by a table. @param graph the graph @param rows ports by switch, see
/// RouteTable::SetRow
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

/// Gives a graph routes by a table. @param graph the graph @param ports of each switch the port for
/// each host, RouteTable::NONE for none @param size how many
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

/// Reads a line of a forwarding table such as 0x0014 001 : (...). @return whether it is one
/// @param line its first character @param end the end of the line @param lid is set
/// @param port is set
inline bool
ReadEntry(const uint8_t* line, const uint8_t* end, uint16_t& lid, uint16_t& port)
{
    if (end - line < 10 || line[6] != ' ')
    {
        return false;
    }
    lid = port = 0;
    for (int i = 2; i < 6; ++i)
    {
        const auto isDigit = line[i] >= '0' && line[i] <= '9';
        if (!isDigit && (line[i] < 'a' || line[i] > 'f'))
        {
            return false;
        }
        lid = lid * 16 + (isDigit ? line[i] - '0' : line[i] - 'a' + 10);
    }
    for (int i = 7; i < 10; ++i)
    {
        if (line[i] < '0' || line[i] > '9')
        {
            return false;
        }
        port = port * 10 + line[i] - '0';
    }
    const auto is = [](uint8_t code, std::string_view codes) {
        return codes.find(static_cast<char>(code)) != std::string_view::npos;
    };
    return line[10] == ' ' ? is(line[11], " :#\r\n") : is(line[10], "\t\r\n");
}

/// @return the row of a switch, see RouteTable::GetRow @param graph a graph with a table
/// @param node the switch
inline std::string
GetRow(const ns3::FabricGraph& graph, uint32_t node)
{
    return graph.GetRoutes().table->GetRow(node);
}

/// @return properties as "rate=100Gbps,delay=15ns"; empty: none @param cable the properties
inline std::string
PrintCable(const ns3::CableProperties& cable)
{
    std::string text;
    for (const auto& [name, value] : ns3::CableText::Print(cable))
    {
        text += (text.empty() ? "" : ",") + name + "=" + value;
    }
    return text;
}

/// @return what a cable has, see PrintCable @param graph the fabric @param node a node
/// @param port a port with a cable
inline std::string
GetCable(const ns3::FabricGraph& graph, uint32_t node, uint16_t port)
{
    return PrintCable(graph.GetProperties().GetCable({node, port}));
}

/// @return what all cables have, see PrintCable @param graph the fabric
inline std::string
GetDefaults(const ns3::FabricGraph& graph)
{
    return PrintCable(graph.GetProperties().cables);
}

/// Adds something that a cable has of its own. @param graph the fabric @param node a node
/// @param port a port with a cable @param name what it is, see CableText @param value its value
inline void
SetCable(ns3::FabricGraph& graph,
         uint32_t node,
         uint16_t port,
         const std::string& name,
         const std::string& value)
{
    const auto own = graph.GetProperties().FindCable({node, port});
    auto cable = own ? *own : ns3::CableProperties();
    ns3::CableText().Read(name, value, cable);
    graph.SetCable(node, port, cable);
}

/// Says what all cables have. @param graph the fabric @param name what it is, see CableText
/// @param value its value
inline void
SetDefault(ns3::FabricGraph& graph, const std::string& name, const std::string& value)
{
    ns3::CableText().Read(name, value, graph.ChangeProperties().cables);
}

/// @return what a fabric has of lanes, as "lanes=2,priorities=0+1,grant=worm"; empty: nothing
/// @param graph the fabric
inline std::string
GetLanes(const ns3::FabricGraph& graph)
{
    std::string text;
    for (const auto& [name, value] : ns3::LaneText::Print(graph.GetProperties().lanes))
    {
        text += (text.empty() ? "" : ",") + name + "=" + value;
    }
    return text;
}

/// Says what a fabric has of lanes. @param graph the fabric @param name what it is, see LaneText
/// @param value its value
inline void
SetLanes(ns3::FabricGraph& graph, const std::string& name, const std::string& value)
{
    ns3::LaneText::Read(name, value, graph.ChangeProperties().lanes);
}

/// Refuses lanes that do not go together. @param graph the fabric
inline void
CheckLanes(const ns3::FabricGraph& graph)
{
    ns3::LaneText::Check(graph.GetProperties().lanes);
}

/// @return a switch's delay, such as "90ns"; empty: none of its own @param graph the fabric
/// @param node the switch
inline std::string
GetSwitchDelay(const ns3::FabricGraph& graph, uint32_t node)
{
    const auto delay = graph.GetProperties().GetSwitchDelay(node);
    return delay ? ns3::ExactTime::Print(*delay) : "";
}

/// Gives a switch a delay of its own. @param graph the fabric @param node the switch
/// @param delay such as "90ns"
inline void
SetSwitchDelay(ns3::FabricGraph& graph, uint32_t node, const std::string& delay)
{
    graph.ChangeProperties().SetSwitchDelay(node, ns3::ExactTime::Parse(delay));
}

/// @return of the routes of a host to all others a line each: the other's number, then switches,
/// the ports by which they are left, and the lanes there, with blanks between @param graph the
/// fabric @param router gives the routes @param from the host
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

/// @return how routes use parallel cables, in one line; empty if there are none @param graph the
/// fabric @param router gives the routes; null: the graph's own @param root see MakeRouter
inline std::string
DescribeBundles(const ns3::FabricGraph& graph,
                ns3::Ptr<ns3::WormholeRouter> router,
                const std::string& root)
{
    return ns3::CableUse::Describe(graph,
                                   [&] { return router ? router : MakeRouter(graph, root); });
}

/// @return the load at which the busiest channel is full, see ChannelBound @param graph the fabric
/// @param router gives its routes
inline double
GetBound(const ns3::FabricGraph& graph, ns3::Ptr<ns3::WormholeRouter> router)
{
    return ns3::ChannelBound::ComputeUniform(graph, *router);
}

/// @return what routes are like under uniform traffic, see ChannelBound @param graph the fabric
/// @param router gives its routes
inline ns3::ChannelBound::Figures
MeasureRoutes(const ns3::FabricGraph& graph, ns3::Ptr<ns3::WormholeRouter> router)
{
    return ns3::ChannelBound::MeasureUniform(graph, *router);
}

/// Refuses routes of all pairs that can deadlock. @param graph the fabric
/// @param router gives the routes; null: the graph's own @param root of up/down routes in place of
/// these; empty: none
inline void
CheckDeadlockFree(const ns3::FabricGraph& graph,
                  ns3::Ptr<ns3::WormholeRouter> router,
                  const std::string& root)
{
    router = router ? router : MakeRouter(graph, root);
    ns3::ChannelDependency dependency(graph,
                                      ns3::ChannelDependency::Branches::COUPLED,
                                      router->GetNLanes());
    dependency.AddAllPairs(*router);
    dependency.CheckDeadlockFree();
}

/// Has a study use a fabric. @param values what it reads @param graph the fabric
/// @param router gives the routes; null: see MakeRouter @param root see MakeRouter
/// @param label its name in results
inline void
GiveFabric(ns3::OptionValues& values,
           const ns3::FabricGraph& graph,
           ns3::Ptr<ns3::WormholeRouter> router,
           const std::string& root,
           const std::string& label)
{
    if (!router)
    {
        router = MakeRouter(graph, root);
    }
    values.SetTopology(std::make_shared<const ns3::WormholeTopology>(
                           ns3::WormholeTopology{"given", "given", graph, router}),
                       label);
}

/// @return rows of a study as CSV @param form the study, which has read what is asked
/// @param progress is told how far it is
inline std::string
RunStudy(ns3::StudyForm& form, const std::function<void(uint32_t, uint32_t)>& progress)
{
    form.Measure(progress);
    std::ostringstream os;
    form.WriteCsv(os);
    return os.str();
}

/// @return the parameters of a study, as JSON @param form the study
inline std::string
PrintStudy(const ns3::StudyForm& form)
{
    std::ostringstream os;
    ns3::StudyForms::PrintJson(os, form);
    return os.str();
}

/// What a prototype's function returns: all schedules, a line for each rank, of steps such as
/// "S 3 0"; or a message after an exclamation mark.
using PrototypeFunction = std::function<std::string(uint32_t members, uint32_t root)>;

/// @return functions of prototypes, by name of their class
inline std::map<std::string, PrototypeFunction>&
GetPrototypes()
{
    static std::map<std::string, PrototypeFunction> prototypes;
    return prototypes;
}

/// Defines a prototype. @param name name of its class @param function makes its schedules
inline void
DefinePrototype(const std::string& name, PrototypeFunction function)
{
    GetPrototypes()[name] = std::move(function);
}

/// @return the schedules of a prototype @param name name of its class @param request the group
/// @throws WormholeError if its function says so
inline std::vector<ns3::CommunicationSchedule>
CallPrototype(const std::string& name, const ns3::ScheduleRequest& request)
{
    const auto text = GetPrototypes().at(name)(request.members, request.root);
    if (text[0] == '!')
    {
        throw ns3::WormholeError(text.substr(1));
    }
    std::vector<ns3::CommunicationSchedule> schedules(request.members);
    std::istringstream lines(text);
    for (auto& schedule : schedules)
    {
        std::string line;
        std::getline(lines, line);
        std::istringstream steps(line);
        char kind = 0;
        uint32_t peer = 0;
        uint32_t tag = 0;
        while (steps >> kind >> peer >> tag)
        {
            if (kind == 'S')
            {
                schedule.Send(peer, tag);
                continue;
            }
            schedule.Receive(kind == 'C'   ? ns3::ScheduleStep::COMBINE
                             : kind == 'R' ? ns3::ScheduleStep::REPLACE
                                           : ns3::ScheduleStep::IGNORE,
                             peer,
                             tag);
        }
    }
    return schedules;
}

/// Defaults of attributes for a while: those before come back with Restore, or in the end.
class AttributeDefaults
{
  public:
    ~AttributeDefaults()
    {
        Restore();
    }

    /// Sets a default. @param name as ns3::Class::Attribute @param value its value
    /// @throws WormholeError if there is no such attribute, or it does not accept the value
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

/// @return what a function writes of rows @param write the function @param rows the rows
template <typename Row>
std::string
WriteRows(void (*write)(std::ostream&, const std::vector<Row>&), const std::vector<Row>& rows)
{
    std::ostringstream os;
    write(os, rows);
    return os.str();
}

/// @return rows of traffic as CSV @param rows the rows
inline std::string
WriteTraffic(const std::vector<ns3::FabricBenchmark::TrafficRow>& rows)
{
    return WriteRows(&ns3::FabricBenchmark::WriteTraffic, rows);
}

/// @return rows of barriers as CSV @param rows the rows
inline std::string
WriteBarriers(const std::vector<ns3::FabricBenchmark::BarrierRow>& rows)
{
    return WriteRows(&ns3::FabricBenchmark::WriteBarriers, rows);
}

/// @return rows of large fabrics as CSV @param rows the rows
inline std::string
WriteScale(const std::vector<ns3::ScaleBenchmark::Row>& rows)
{
    return WriteRows(&ns3::ScaleBenchmark::Write, rows);
}

} // namespace ns3_wormhole
