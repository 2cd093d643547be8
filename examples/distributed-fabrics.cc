// SPDX-License-Identifier: GPL-2.0-only

// Several fabrics in a row, joined by point-to-point links. ns-3 simulates them on one processor,
// or on several with one fabric per rank. See doc/user/ip-networks.rst.
//
//   distributed-fabrics
//   mpiexec -n 2 distributed-fabrics --simulator=distributed
//   mpiexec -n 2 distributed-fabrics --simulator=null-message
//
// All three runs deliver the same data at the same times; a rank prints what its hosts receive.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mpi-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/wormhole-module.h"

#include <iostream>
#include <list>
#include <sstream>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

const uint32_t N_FABRICS = 2;                  ///< in the row
const uint32_t N_HOSTS = 8;                    ///< of each fabric
const uint16_t PORT = 4000;                    ///< of all receivers
const Time START = MilliSeconds(1);            ///< when applications begin to send
const DataRate WITHIN("200Mbps");              ///< what each host sends within its fabric
const DataRate BETWEEN("20Mbps");              ///< what some hosts send to another fabric by UDP
const std::string TOPOLOGY{"torus:4,hosts=2"}; ///< of each fabric

/// What has arrived from one flow.
struct Flow
{
    std::string name;    ///< who sends to whom
    uint64_t packets{0}; ///< number of packets; for TCP, of pieces that its socket gave
    uint64_t bytes{0};   ///< bytes of payload
    uint64_t digest{0};  ///< of all arrivals' times and lengths, in order
    Time last{};         ///< arrival of the last packet
};

void
Receive(Flow* flow, Ptr<const Packet> packet, const Address&)
{
    const auto now = Simulator::Now();
    ++flow->packets;
    flow->bytes += packet->GetSize();
    for (const auto part : {static_cast<uint64_t>(now.GetTimeStep()), uint64_t{packet->GetSize()}})
    {
        flow->digest = (flow->digest ^ part) * 0x100000001b3; // FNV-1a, by words
    }
    flow->last = now;
}

/// The network: every rank builds all nodes, but only the applications on the rank's own nodes.
class Network
{
  public:
    /// @param rank this rank @param nRanks number of ranks @param delay of links between fabrics
    Network(uint32_t rank, uint32_t nRanks, Time delay)
        : m_rank(rank)
    {
        WormholeHelper helper;
        helper.SetFabricAttribute("Buffers", StringValue("frame"));
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        link.SetChannelAttribute("Delay", TimeValue(delay));
        InternetStackHelper stack;
        Ipv4AddressHelper addresses;
        int64_t stream = 0;
        for (uint32_t f = 0; f < N_FABRICS; ++f)
        {
            NodeContainer hosts;
            hosts.Create(N_HOSTS, f * nRanks / N_FABRICS); // the rank of these nodes
            const auto devices = helper.Install(TOPOLOGY, hosts);
            stack.Install(hosts);
            stream += stack.AssignStreams(hosts, stream);
            addresses.SetBase(("10.1." + std::to_string(f) + ".0").c_str(), "255.255.255.0");
            m_addresses.push_back(addresses.Assign(devices));
            m_hosts.push_back(hosts);
        }
        for (uint32_t f = 1; f < N_FABRICS; ++f)
        {
            const auto devices = link.Install(m_hosts[f - 1].Get(N_HOSTS - 1), m_hosts[f].Get(0));
            addresses.SetBase(("10.2." + std::to_string(f) + ".0").c_str(), "255.255.255.0");
            addresses.Assign(devices);
        }
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }

    void AddFlows(Time end)
    {
        for (uint32_t f = 0; f < N_FABRICS; ++f)
        {
            const auto next = (f + 1) % N_FABRICS;
            for (uint32_t h = 0; h < N_HOSTS; ++h)
            {
                AddFlow("Udp", WITHIN, {f, h}, {f, (h + 3) % N_HOSTS}, PORT, end);
            }
            AddFlow("Udp", BETWEEN, {f, 1}, {next, 2}, PORT + 1, end);
            AddFlow("Tcp", BETWEEN, {f, 3}, {next, 4}, PORT + 2, end);
        }
    }

    void Print() const
    {
        std::ostringstream text;
        for (const auto& flow : m_flows)
        {
            text << flow.name << ": " << flow.packets << " packets, " << flow.bytes
                 << " bytes, the last at " << flow.last.GetTimeStep() << " ps, digest " << std::hex
                 << flow.digest << std::dec << "\n";
        }
        std::cout << text.str() << std::flush;
    }

  private:
    using Place = std::pair<uint32_t, uint32_t>; ///< a fabric, and the number of a host there

    /// Adds those ends of a flow that are on this rank. @param protocol Udp or Tcp @param rate of
    /// UDP; TCP sends what it can @param from,to its ends @param port of the receiver
    /// @param end when it ends
    void AddFlow(const std::string& protocol,
                 DataRate rate,
                 const Place& from,
                 const Place& to,
                 uint16_t port,
                 Time end)
    {
        const auto factory = "ns3::" + protocol + "SocketFactory";
        const auto sender = m_hosts[from.first].Get(from.second);
        const auto receiver = m_hosts[to.first].Get(to.second);
        if (receiver->GetSystemId() == m_rank)
        {
            const auto name = [](const Place& place) {
                return std::to_string(place.first) + "." + std::to_string(place.second);
            };
            m_flows.push_back({protocol + " " + name(from) + " -> " + name(to)});
            const auto sink =
                PacketSinkHelper(factory, InetSocketAddress(Ipv4Address::GetAny(), port))
                    .Install(receiver)
                    .Get(0);
            sink->TraceConnectWithoutContext("Rx", MakeBoundCallback(&Receive, &m_flows.back()));
        }
        if (sender->GetSystemId() == m_rank)
        {
            const InetSocketAddress there(m_addresses[to.first].GetAddress(to.second), port);
            ApplicationContainer application;
            if (protocol == "Tcp")
            {
                application = BulkSendHelper(factory, there).Install(sender);
            }
            else
            {
                OnOffHelper helper(factory, there);
                helper.SetConstantRate(rate, 1000);
                application = helper.Install(sender);
            }
            application.Start(START);
            application.Stop(end);
        }
    }

    uint32_t m_rank;                                 ///< this rank
    std::vector<NodeContainer> m_hosts;              ///< by fabric
    std::vector<Ipv4InterfaceContainer> m_addresses; ///< by fabric
    std::list<Flow> m_flows;                         ///< flows that end here
};

void
Run(ProgramOptions& options, int argc, char* argv[])
{
    const auto simulator =
        options.GetWord("simulator", {"sequential", "distributed", "null-message"});
    const auto time = options.GetTimeAboveZero("time");
    const auto delay = options.GetTimeAboveZero("delay");
    uint32_t rank = 0;
    uint32_t nRanks = 1;
    if (simulator != "sequential")
    {
        GlobalValue::Bind("SimulatorImplementationType",
                          StringValue(simulator == "distributed"
                                          ? "ns3::DistributedSimulatorImpl"
                                          : "ns3::NullMessageSimulatorImpl"));
        MpiInterface::Enable(&argc, &argv);
        rank = MpiInterface::GetSystemId();
        nRanks = MpiInterface::GetSize();
    }
    if (nRanks > N_FABRICS)
    {
        options.Refuse("simulator",
                       "there are " + std::to_string(nRanks) + " ranks, but a fabric takes one: " +
                           "expected " + std::to_string(N_FABRICS) + " at most");
    }
    Network network(rank, nRanks, delay);
    network.AddFlows(START + time);
    Simulator::Stop(START + time + MilliSeconds(10));
    Simulator::Run();
    network.Print();
    Simulator::Destroy();
    if (simulator != "sequential")
    {
        MpiInterface::Disable();
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    const auto addOptions = [](ProgramOptions& options) {
        options.Add("simulator",
                    "NAME",
                    "ns-3's simulator: sequential; under mpiexec, distributed or null-message",
                    "sequential");
        options.Add("time", "TIME", "time for which applications send", "50ms");
        options.Add("delay", "TIME", "delay of the link between the fabrics", "100us");
    };
    return OptionProgram{"distributed-fabrics",
                         __FILE__,
                         "Simulates two fabrics with a link between them, on one processor or, "
                         "under mpiexec -n 2, on two: one fabric per MPI rank.",
                         addOptions,
                         [&](ProgramOptions& options) { Run(options, argc, argv); },
                         false}
        .Main(argc, argv);
}
