// SPDX-License-Identifier: GPL-2.0-only

#include "sync-machine.h"

#include "ns3/barrier-model.h"
#include "ns3/collective-application.h"
#include "ns3/collective-helper.h"
#include "ns3/communication-tree.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/ordering.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/study-hosts.h"
#include "ns3/text-tools.h"
#include "ns3/tree-shapes.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace ns3
{

namespace
{

using Event = SyncWorkload::Event;

constexpr int64_t INTERFACE_NS = 300; ///< delay of an interface of the data fabric, ns

struct EventTraits
{
    bool hasHost;                        ///< whether the host takes part
    uint32_t widthBits;                  ///< width of its values
    const char* operation;               ///< how values are combined
    const char* kind;                    ///< kind of the collective
    AddOnNetwork::Service service;       ///< what an add-on network does
    Time SyncMachine::Costs::* overhead; ///< o of a message in a butterfly
};

const EventTraits&
TraitsOf(Event event)
{
    using Service = AddOnNetwork::Service;
    using Costs = SyncMachine::Costs;
    static const std::array<EventTraits, SyncWorkload::EVENTS> all{
        {{false, 1, "AND", "barrier", Service::TO_ALL, &Costs::barrierOverhead},
         {false, 1, "AND", "barrier", Service::TO_ALL, &Costs::reductionOverhead},
         {false, 32, "ADD", "barrier", Service::TO_ALL, &Costs::reductionOverhead},
         {false, 64, "MAX", "barrier", Service::TO_ALL, &Costs::wideOverhead},
         {true, 32, "ADD", "reduction", Service::TO_ONE, &Costs::reductionOverhead},
         {true, 32, "AND", "broadcast", Service::BROADCAST, &Costs::reductionOverhead},
         {false, 32, "AND", "barrier", Service::TO_ALL, &Costs::reductionOverhead}}};
    return all.at(event);
}

/// Adds to a list all ways to write a number as a product of falling factors.
void
ListFactorisations(uint32_t number,
                   uint32_t most,
                   std::vector<uint32_t>& radices,
                   std::vector<std::vector<uint32_t>>& all)
{
    if (number == 1)
    {
        all.push_back(radices);
        return;
    }
    for (uint32_t factor = 2; factor <= std::min(number, most); ++factor)
    {
        if (number % factor == 0)
        {
            radices.push_back(factor);
            ListFactorisations(number / factor, factor, radices, all);
            radices.pop_back();
        }
    }
}

} // namespace

SyncMachine::SyncMachine(const Parameters& parameters)
    : m_parameters(parameters)
{
    const auto& [nodes, hardware, delay, costs, way, sums, window, gap, startUp, topology, places] =
        m_parameters;
    WormholeError::ThrowIf(!IsIn(GetHardwareNames(), hardware),
                           "there is no synchronisation hardware '" + hardware +
                               "'; expected none, hw-1, hw-all, in-switch");
    WormholeError::ThrowIf(nodes < 2,
                           "a network of " + std::to_string(nodes) +
                               " nodes has nothing to synchronise; expected 2 or more");
    WormholeError::ThrowIf(!costs.treeS.IsStrictlyPositive(),
                           "in trees from and to the host, s is 0; expected a time above 0");
    WormholeError::ThrowIf(way != "auto" && way != "acks" && way != "add",
                           "Network-Done by '" + way + "'; expected auto, acks, add");
    WormholeError::ThrowIf(sums == 0, "a Network-Done of 0 sums; expected 1 or more");
    const auto isInSwitch = hardware == "in-switch";
    WormholeError::ThrowIf(
        isInSwitch && !topology && nodes >= UINT16_MAX,
        "one switch can't serve " + std::to_string(nodes) +
            " nodes and a host, since it has at most " + std::to_string(UINT16_MAX) +
            " ports; expected a fabric of several (--topology), or no in-switch");
    const auto nHosts = topology ? topology->graph.GetNFirstInterfaces() : 0;
    WormholeError::ThrowIf(
        isInSwitch && topology && nHosts <= nodes,
        "the fabric has " + std::to_string(nHosts) + " hosts, but " + std::to_string(nodes) +
            " nodes and the host in front of them, which starts programs, take " +
            std::to_string(nodes + 1) + "; expected a larger fabric, or fewer nodes (--nodes)");
}

bool
SyncMachine::IsByHardware(Event event) const
{
    return m_parameters.hardware == "hw-1"
               ? event == SyncWorkload::BARRIER || event == SyncWorkload::AND
               : m_parameters.hardware != "none";
}

Time
SyncMachine::GetOverhead(Event event) const
{
    return m_parameters.costs.*TraitsOf(event).overhead;
}

std::string
SyncMachine::GetTreeName() const
{
    const auto& costs = m_parameters.costs;
    return StudyHosts::NameFiboTree(costs.treeS, costs.treeR + m_parameters.delay);
}

std::vector<uint32_t>
SyncMachine::ChooseRadices(uint32_t members, Time overhead, Time latency)
{
    std::vector<std::vector<uint32_t>> all;
    std::vector<uint32_t> radices;
    for (auto product = members; product > members / 2; --product)
    {
        ListFactorisations(product, product, radices, all);
    }
    return *std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
        return GetButterflyTime(members, a, overhead, latency) <
               GetButterflyTime(members, b, overhead, latency);
    });
}

Time
SyncMachine::GetInSwitchTime(Event event) const
{
    auto group = MakeGroup(event);
    const auto times = FabricTimes::Of(*group.domain);
    Time time;
    if (event == SyncWorkload::BROADCAST)
    {
        auto fabric = group.domain->GetFabric();
        fabric->Start();
        const auto router = fabric->GetRouter();
        const auto links = GreatestOf(0U, NumbersBelow(m_parameters.nodes), [&](uint32_t node) {
            return router->GetSwitchPath(GetPlace(m_parameters.nodes), GetPlace(node))
                ->GetNChannels();
        });
        time = times.Message(links);
    }
    else
    {
        time = times.Message(group.collective->GetTree().DistanceLinks()) * 2;
    }
    group.collective->Dispose();
    group.domain->Dispose();
    Simulator::Destroy();
    return time;
}

Time
SyncMachine::GetModelTime(Event event) const
{
    const auto& costs = m_parameters.costs;
    if (IsByHardware(event))
    {
        if (m_parameters.hardware == "in-switch")
        {
            return GetInSwitchTime(event);
        }
        AddOnNetwork::Request request;
        request.service = TraitsOf(event).service;
        request.widthBits = TraitsOf(event).widthBits;
        request.hosts = GetHosts(TraitsOf(event).hasHost);
        return CreateObject<AddOnNetwork>()->GetLatency(request);
    }
    if (!TraitsOf(event).hasHost)
    {
        const auto overhead = GetOverhead(event);
        const auto latency = costs.flight + m_parameters.delay;
        return GetButterflyTime(m_parameters.nodes,
                                ChooseRadices(m_parameters.nodes, overhead, latency),
                                overhead,
                                latency);
    }
    const auto r = costs.treeR + m_parameters.delay;
    const auto tree = MakeCommunicationTree(GetTreeName(), m_parameters.nodes + 1, costs.treeS, r);
    const auto time = TreeCost(costs.treeS, r).GetFinish(tree);
    return event == SyncWorkload::ADD_TO_HOST ? time + costs.hostOverhead : time;
}

std::string
SyncMachine::GetCollectiveName(Event event) const
{
    if (IsByHardware(event))
    {
        const auto inSwitch = event == SyncWorkload::BROADCAST ? "multicast" : "btin";
        return m_parameters.hardware == "in-switch" ? inSwitch : m_parameters.hardware;
    }
    if (TraitsOf(event).hasHost)
    {
        const auto tree = "tree[Tree=" + GetTreeName() + "]";
        const auto window = m_parameters.broadcastWindow;
        const auto gap = m_parameters.broadcastGap;
        if (event != SyncWorkload::BROADCAST || (window == 0 && gap.IsZero()))
        {
            return tree;
        }
        return "throttled[Inner=" + tree + "|Acks=" + tree + "|Window=" + std::to_string(window) +
               "|Gap=" + std::to_string(gap.GetPicoSeconds()) + "ps]";
    }
    const auto latency = m_parameters.costs.flight + m_parameters.delay;
    const auto radices = ChooseRadices(m_parameters.nodes, GetOverhead(event), latency);
    return "butterfly[Radices=" + PrintNumbers(radices, ",") + "]";
}

std::vector<uint32_t>
SyncMachine::GetHosts(bool hasHost) const
{
    std::vector<uint32_t> hosts(m_parameters.nodes + hasHost, m_parameters.nodes);
    std::iota(hosts.begin() + hasHost, hosts.end(), 0);
    return hosts;
}

Ptr<CollectiveDomain>
SyncMachine::MakeDomain(Event event) const
{
    const auto& costs = m_parameters.costs;
    const auto delay = m_parameters.delay;
    const auto nHosts = m_parameters.nodes + 1;
    CollectiveHelper helper;
    if (IsByHardware(event) && m_parameters.hardware == "in-switch")
    {
        helper.SetSoftwareAttribute("StartUp", TimeValue(m_parameters.inSwitchStartUp));
        WormholeHelper fabrics;
        // A message passes two interfaces, so that each has half of the delay.
        const auto interface = NanoSeconds(INTERFACE_NS) + Time(delay.GetTimeStep() / 2);
        fabrics.SetDeviceAttribute("Delay", TimeValue(interface));
        if (const auto& topology = m_parameters.topology)
        {
            fabrics.SetRouter(topology->router);
            return helper.Install(fabrics.Install(topology->graph), topology->graph);
        }
        const auto star = StudyHosts::MakeStar(nHosts);
        return helper.Install(fabrics.Install(star), star);
    }
    const bool isToHost = event == SyncWorkload::ADD_TO_HOST;
    const bool isByTree = isToHost || event == SyncWorkload::BROADCAST;
    const auto latency = (isByTree ? costs.treeR : costs.flight) + delay;
    if (isToHost)
    {
        // The broadcast's tree with time turned back: it is the receiver that is busy.
        helper.SetSoftwareAttribute("ReceiveOverhead", TimeValue(costs.treeS));
    }
    const auto startUp = isToHost ? Time(0) : isByTree ? costs.treeS : GetOverhead(event);
    helper.SetSoftwareAttribute("StartUp", TimeValue(startUp));
    return helper.InstallIdeal(nHosts, latency);
}

SyncMachine::Group
SyncMachine::MakeGroup(Event event) const
{
    Group group;
    group.hasHost = TraitsOf(event).hasHost;
    group.collective =
        CollectiveHelper::MakeCollective(TraitsOf(event).kind, GetCollectiveName(event));
    group.collective->SetAttribute("Operation", StringValue(TraitsOf(event).operation));
    group.collective->SetAttribute("WidthBits", UintegerValue(TraitsOf(event).widthBits));
    if (group.hasHost)
    {
        group.collective->SetAttribute("Root", IntegerValue(0));
    }
    if (event == SyncWorkload::ADD_TO_HOST && !IsByHardware(event))
    {
        group.hostAfter = m_parameters.costs.hostOverhead;
    }
    group.domain = MakeDomain(event);
    const auto hosts = MadeOf(GetHosts(group.hasHost), [this](uint32_t host) {
        return m_parameters.hardware == "in-switch" ? GetPlace(host) : host;
    });
    group.collective->Create(group.domain, hosts);
    return group;
}

SyncMachine::Group
SyncMachine::MakeFreeGroup() const
{
    CollectiveHelper helper;
    helper.SetAddOnNetworkAttribute("InterfaceTime", TimeValue(Time(0)));
    helper.SetAddOnNetworkAttribute("ToOneTime", TimeValue(Time(0)));
    Group group;
    group.hasHost = true;
    group.domain = helper.InstallIdeal(m_parameters.nodes + 1, Time(0));
    group.collective = CollectiveHelper::MakeReduction("hw-all");
    group.collective->SetAttribute("Root", IntegerValue(0));
    group.collective->Create(group.domain, GetHosts(true));
    return group;
}

namespace
{

class Processes
{
  public:
    /// Key of the host's wait for the nodes, which is free; NETWORK_DONE itself is never done.
    static constexpr auto FREE = SyncWorkload::NETWORK_DONE;

    explicit Processes(const SyncMachine& machine)
        : m_machine(machine),
          m_nodes(machine.GetParameters().nodes)
    {
        for (uint32_t i = 0; i <= m_nodes; ++i)
        {
            m_processes.push_back(CreateObject<CollectiveApplication>());
            m_processes[i]->TraceConnectWithoutContext("Done",
                                                       MakeCallback(&Processes::Done, this));
        }
    }

    void Compute(double seconds)
    {
        for (uint32_t node = 0; node < m_nodes; ++node)
        {
            AddComputation(node, seconds);
        }
    }

    /// All who have a part in an event do it.
    void Do(Event event)
    {
        auto& group = m_groups[event];
        if (!group.collective)
        {
            group = event == FREE ? m_machine.MakeFreeGroup() : m_machine.MakeGroup(event);
        }
        for (uint32_t node = 0; node < m_nodes; ++node)
        {
            m_processes[node]->AddCollective(group.collective, node + (group.hasHost ? 1 : 0));
            m_hasSteps[node] = true;
        }
        if (group.hasHost)
        {
            m_processes[m_nodes]->AddCollective(group.collective, 0);
            m_hasSteps[m_nodes] = true;
            if (group.hostAfter.IsStrictlyPositive())
            {
                AddComputation(m_nodes, group.hostAfter.GetSeconds());
            }
        }
    }

    /// @return what the last one's part took
    Time Run()
    {
        Simulator::Run(); // groups are set up
        const auto start = Simulator::Now();
        for (uint32_t i = 0; i <= m_nodes; ++i)
        {
            m_expected += m_hasSteps[i];
            Simulator::ScheduleNow(&Application::Initialize, m_processes[i]);
        }
        Simulator::Run();
        std::string missing;
        for (const auto& [event, group] : m_groups)
        {
            missing += event == FREE ? "" : group.domain->ExplainMissing();
        }
        for (auto& process : m_processes)
        {
            process->Dispose();
        }
        for (auto& [event, group] : m_groups)
        {
            group.collective->Dispose();
            group.domain->Dispose();
        }
        Simulator::Destroy();
        WormholeError::ThrowIf(m_nDone != m_expected,
                               "not all processes came to their ends: " + missing);
        return m_end - start;
    }

  private:
    void AddComputation(uint32_t process, double seconds)
    {
        auto constant = CreateObject<ConstantRandomVariable>();
        constant->SetAttribute("Constant", DoubleValue(seconds));
        m_processes[process]->AddComputation(constant);
        m_hasSteps[process] = true;
    }

    void Done(uint64_t)
    {
        ++m_nDone;
        m_end = Simulator::Now();
    }

    const SyncMachine& m_machine;                        ///< the machine
    uint32_t m_nodes;                                    ///< number of nodes
    std::vector<Ptr<CollectiveApplication>> m_processes; ///< nodes' and the host's
    std::map<uint32_t, bool> m_hasSteps;                 ///< whether a process has any
    std::map<Event, SyncMachine::Group> m_groups;        ///< groups made so far
    uint32_t m_expected{0};                              ///< processes that have steps
    uint32_t m_nDone{0};                                 ///< processes that have come to their ends
    Time m_end;                                          ///< when the last one did
};

} // namespace

Time
SyncMachine::RunEvent(Event event) const
{
    Processes processes(*this);
    processes.Do(event);
    return processes.Run();
}

double
SyncMachine::RunWorkload(const SyncWorkload& workload,
                         double computePerSecond,
                         uint32_t supersteps) const
{
    const auto rate = workload.GetSuperstepRate();
    const auto& perSecond = workload.perSecond;
    uint32_t superstep = 0;
    // How many events of a rate there are in the superstep.
    const auto count = [&](double eventRate) {
        return static_cast<uint64_t>(std::floor((superstep + 1) * eventRate / rate + 1e-9) -
                                     std::floor(superstep * eventRate / rate + 1e-9));
    };
    Processes processes(*this);
    const auto repeat = [&](Event event, double eventRate) {
        for (auto left = count(eventRate); left > 0; --left)
        {
            processes.Do(event);
        }
    };
    const auto ack = GetAckTime().GetSeconds();
    const auto done = perSecond[SyncWorkload::NETWORK_DONE];
    const bool hasHost =
        perSecond[SyncWorkload::BROADCAST] > 0 || perSecond[SyncWorkload::ADD_TO_HOST] > 0;
    for (; superstep < supersteps; ++superstep)
    {
        repeat(SyncWorkload::BROADCAST, perSecond[SyncWorkload::BROADCAST]);
        processes.Compute(computePerSecond / rate);
        if (!UsesAcks())
        {
            repeat(SyncWorkload::ADD, done * m_parameters.networkDoneSums);
        }
        else if (const auto waits = count(done * workload.communicates))
        {
            processes.Compute(ack * static_cast<double>(waits));
        }
        for (const auto event : {SyncWorkload::ADD,
                                 SyncWorkload::AND,
                                 SyncWorkload::MAX,
                                 SyncWorkload::ADD_TO_HOST,
                                 SyncWorkload::BARRIER})
        {
            repeat(event, perSecond[event]);
        }
        if (hasHost)
        {
            processes.Do(Processes::FREE);
        }
    }
    return processes.Run().GetSeconds() * rate / supersteps;
}

} // namespace ns3
