// SPDX-License-Identifier: GPL-2.0-only

// Writes a barrier in the switches, or any other collective, as an animation for NetAnim: switches,
// hosts, cables (the barrier tree's with a name), and every message's head on every cable. See
// doc/user/ip-networks.rst.
//
// ns-3's AnimationInterface shows the heads by itself. It draws lines for point-to-point links
// only, so each cable gets such a link beside it, on which nothing is ever sent.

#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/netanim-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/wormhole-module.h"

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 gives this warning for boost::optional, wrongly.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/circle_layout.hpp>
#include <boost/graph/kamada_kawai_spring_layout.hpp>
#include <boost/graph/point_traits.hpp>
#include <boost/graph/topology.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

using namespace ns3;

namespace
{

const double EDGE = 15; ///< length of a cable in the picture, NetAnim's units

/// Ends a layout when it is good enough, or after too many steps, because springs may swing for
/// ever.
class LimitedTolerance
{
  public:
    explicit LimitedTolerance(std::size_t nNodes)
        : m_left(1000 + 1000 * nNodes)
    {
    }

    /// @return whether it is done @param delta energy that is left
    template <typename NODE, typename GRAPH>
    bool operator()(double delta, NODE node, const GRAPH& graph, bool isGlobal)
    {
        m_left -= m_left > 0;
        return m_left == 0 || m_tolerance(delta, node, graph, isGlobal);
    }

  private:
    std::size_t m_left;                            ///< steps left
    boost::layout_tolerance<double> m_tolerance{}; ///< what is good enough
};

/// A fabric with a collective, as NetAnim shows it.
class BarrierAnimation
{
  public:
    BarrierAnimation(const WormholeTopology& topology,
                     const std::vector<uint32_t>& members,
                     Ptr<Collective> collective,
                     bool hasTree)
        : m_graph(topology.graph),
          m_collective(collective),
          m_hasTree(hasTree),
          m_members(members)
    {
        WormholeHelper helper;
        helper.SetRouter(topology.router);
        m_fabric = helper.Install(m_graph);
        auto domain = CollectiveHelper().Install(m_fabric, m_graph);
        m_collective->TraceConnectWithoutContext("Ready",
                                                 MakeCallback(&BarrierAnimation::EnterAll, this));
        m_collective->TraceConnectWithoutContext("Leave",
                                                 MakeCallback(&BarrierAnimation::Left, this));
        PlaceNodes();
        ForEachCable([&](FabricGraph::End a, FabricGraph::End b) {
            PointToPointHelper().Install(NodeAt(a.node), NodeAt(b.node)); // draws the cable
            ++m_nCables;
        });
        Config::ConnectWithoutContext("/ChannelList/*/$ns3::WormholeChannel/TxRxPointToPoint",
                                      MakeCallback(&BarrierAnimation::Count, this));
        m_collective->Create(domain, m_members);
    }

    void Run(const std::string& file, const std::string& name)
    {
        {
            AnimationInterface animation(file);
            Paint(animation);
            Simulator::Run();
        }
        std::ifstream written(file);
        constexpr int TAIL = 16; // bytes that the last line is among
        written.seekg(-TAIL, std::ios::end);
        const std::string text(std::istreambuf_iterator<char>(written), {});
        if (text.find("</anim>") == std::string::npos)
        {
            throw WormholeError(file + " could not be written to its end; expected a place with "
                                       "room for it");
        }
        const auto& tree = m_collective->GetTree();
        std::cout << m_graph.GetNSwitches() << " switches, " << m_graph.GetNHosts() << " hosts, "
                  << m_nCables << " cables; the tree has " << tree.GetNEdges()
                  << " edges between switches and " << tree.GetNMembers() << " members\n"
                  << "setting up: " << m_setupMessages << " messages on cables, until "
                  << m_setup.As(Time::US) << "\n"
                  << name << ": " << m_messages - m_setupMessages << " messages on cables, until "
                  << m_left.As(Time::US) << std::endl;
    }

  private:
    Ptr<Node> NodeAt(FabricGraph::Node node) const
    {
        return m_graph.IsSwitch(node) ? m_fabric->GetSwitch(node)->GetObject<Node>()
                                      : m_fabric->GetHost(node - m_graph.GetNSwitches())->GetNode();
    }

    /// Calls with both ends of every cable. @param action what to do
    template <typename ACTION>
    void ForEachCable(ACTION action) const
    {
        for (FabricGraph::Node node = 0; node < m_graph.GetNNodes(); ++node)
        {
            for (FabricGraph::Port port = 0; port < m_graph.GetNPorts(node); ++port)
            {
                const auto far = m_graph.Peer(node, port);
                if (far.node != FabricGraph::NONE && node < far.node)
                {
                    action(FabricGraph::End{node, port}, far);
                }
            }
        }
    }

    /// Places all nodes so that cables are about equally long (Kamada and Kawai).
    void PlaceNodes()
    {
        using Layout = boost::adjacency_list<boost::vecS,
                                             boost::vecS,
                                             boost::undirectedS,
                                             boost::no_property,
                                             boost::property<boost::edge_weight_t, double>>;
        using Point = boost::square_topology<>::point_type;
        Layout layout(m_graph.GetNNodes());
        ForEachCable([&](FabricGraph::End a, FabricGraph::End b) {
            boost::add_edge(a.node, b.node, 1.0, layout);
        });
        std::vector<Point> points(m_graph.GetNNodes());
        auto places = boost::make_iterator_property_map(points.begin(),
                                                        boost::get(boost::vertex_index, layout));
        boost::circle_graph_layout(layout, places, EDGE * m_graph.GetNNodes() / 6);
        boost::kamada_kawai_spring_layout(layout,
                                          places,
                                          boost::get(boost::edge_weight, layout),
                                          boost::square_topology<>(),
                                          boost::edge_length(EDGE),
                                          LimitedTolerance(points.size()));
        if (std::any_of(points.begin(), points.end(), [](const Point& point) {
                return !std::isfinite(point[0]) || !std::isfinite(point[1]);
            }))
        {
            boost::circle_graph_layout(layout, places, EDGE * m_graph.GetNNodes() / 6);
        }
        auto left = points[0][0];
        auto top = points[0][1];
        for (const auto& point : points)
        {
            left = std::min(left, point[0]);
            top = std::min(top, point[1]);
        }
        for (FabricGraph::Node node = 0; node < m_graph.GetNNodes(); ++node)
        {
            AnimationInterface::SetConstantPosition(NodeAt(node),
                                                    points[node][0] - left,
                                                    points[node][1] - top);
        }
    }

    void Count(Ptr<const Packet>, Ptr<NetDevice>, Ptr<NetDevice>, Time, Time)
    {
        ++m_messages;
    }

    /// The group is set up: all members enter. @param setup how long the setup took
    void EnterAll(Time setup)
    {
        m_setup = setup;
        m_setupMessages = m_messages;
        for (uint32_t rank = 0; rank < m_collective->GetNMembers(); ++rank)
        {
            m_collective->Enter(rank);
        }
    }

    void Left(uint32_t, uint64_t)
    {
        m_left = Simulator::Now();
    }

    void Paint(AnimationInterface& animation) const
    {
        const auto& tree = m_collective->GetTree();
        for (FabricGraph::Node node = 0; node < m_graph.GetNNodes(); ++node)
        {
            const auto id = NodeAt(node)->GetId();
            animation.UpdateNodeDescription(id, m_graph.GetName(node));
            animation.UpdateNodeSize(id, m_graph.IsSwitch(node) ? 4 : 2.5, 4);
            if (m_graph.IsSwitch(node))
            {
                const auto entry = m_hasTree ? tree.Find(node) : nullptr;
                const uint8_t red = !entry ? 170 : entry->IsRoot() ? 200 : 0;
                const uint8_t green = !entry ? 170 : entry->IsRoot() ? 0 : 140;
                animation.UpdateNodeColor(id, red, green, entry ? 0 : 170);
            }
            else
            {
                const auto isIn =
                    std::count(m_members.begin(), m_members.end(), node - m_graph.GetNSwitches()) >
                    0;
                animation.UpdateNodeColor(id, isIn ? 0 : 210, isIn ? 60 : 210, isIn ? 220 : 210);
            }
        }
        if (!m_hasTree)
        {
            return;
        }
        for (const auto& entry : tree.GetSwitches())
        {
            const auto id = NodeAt(entry.node);
            if (!entry.IsRoot())
            {
                Label(animation, id, NodeAt(entry.parent));
            }
            for (const auto port : entry.memberPorts)
            {
                Label(animation, id, NodeAt(m_graph.Peer(entry.node, port).node));
            }
        }
    }

    static void Label(AnimationInterface& animation, Ptr<Node> a, Ptr<Node> b)
    {
        // NetAnim knows a link by its ends in order.
        animation.UpdateLinkDescription(std::min(a->GetId(), b->GetId()),
                                        std::max(a->GetId(), b->GetId()),
                                        "tree");
    }

    FabricGraph m_graph;             ///< the fabric's
    Ptr<WormholeFabric> m_fabric;    ///< the fabric
    Ptr<Collective> m_collective;    ///< what the group does
    bool m_hasTree;                  ///< whether it uses the barrier tree
    std::vector<uint32_t> m_members; ///< hosts of the members
    uint32_t m_nCables{0};           ///< number of cables
    uint32_t m_messages{0};          ///< messages that started on cables
    uint32_t m_setupMessages{0};     ///< messages of these that set up the barrier
    Time m_setup;                    ///< how long the setup took
    Time m_left;                     ///< when the last member so far has left
};

void
AddOptions(ProgramOptions& options)
{
    const std::string drawn = "irregular:switches=6,ports=6,hosts=12";
    FabricOptions::Add(options, drawn, drawn);
    options.Add("members", "N", "number of members (default if --placement names hosts: all)", "6");
    options.Add(FabricOptions::GetPlacement("evenly", "; evenly: spread over all hosts"));
    options.Add("kind", "KIND", "kind of collective, such as broadcast", "barrier");
    options.Add("algorithm", "NAME", "algorithm of the collective, such as dissemination", "btin");
    options.Add("out", "FILE", "the animation", "barrier.xml");
}

void
Run(const ProgramOptions& options)
{
    const auto topology = *FabricOptions::Read(options);
    const auto nNodes = topology.graph.GetNNodes();
    if (nNodes > 500)
    {
        options.Refuse(FabricOptions::GetName(options),
                       "it has " + std::to_string(nNodes) + " nodes; expected up to 500");
    }
    const auto nHosts = topology.graph.GetNFirstInterfaces();
    const auto& placement = options.Get("placement");
    const auto isNamed = !JobPlacement::IsRule(placement) && placement != "evenly";
    const auto nMembers =
        isNamed && !options.Has("members") ? 0 : options.GetWhole("members", 1, nHosts);
    std::vector<uint32_t> members;
    for (uint32_t rank = 0; placement == "evenly" && rank < nMembers; ++rank)
    {
        members.push_back(rank * nHosts / nMembers);
    }
    if (placement != "evenly")
    {
        options.Check("placement", [&] {
            members = JobPlacement(topology.graph, {placement, nMembers}).Draw(1, 1);
        });
    }
    options.CheckFile("out");
    std::error_code error;
    if (std::filesystem::exists(options.Get("out"), error) &&
        !std::filesystem::is_regular_file(options.Get("out"), error))
    {
        options.Refuse("out", "expected the name of a file that NetAnim can read");
    }
    Ptr<Collective> collective;
    options.Check("algorithm", [&] {
        collective =
            CollectiveHelper::MakeCollective(options.Get("kind"), options.Get("algorithm"));
    });
    const auto hasTree = options.Get("algorithm").rfind("btin", 0) == 0;
    BarrierAnimation(topology, members, collective, hasTree)
        .Run(options.Get("out"), CollectiveHelper::GetKindName(options.Get("kind")));
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    return OptionProgram{
        "barrier-animation",
        __FILE__,
        "Writes a barrier in the switches of a fabric, or any other collective, as an animation "
        "for NetAnim.\n\n"
        "Examples:\n"
        "  barrier-animation --topology=torus:3x3 --members=5 --out=/tmp/barrier.xml\n"
        "  barrier-animation --kind=broadcast --algorithm=multicast --out=/tmp/news.xml",
        AddOptions,
        Run}
        .Main(argc, argv);
}
