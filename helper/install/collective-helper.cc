// SPDX-License-Identifier: GPL-2.0-only

#include "collective-helper.h"

#include "wormhole-install-observer.h"

#include "ns3/collective-registry.h"
#include "ns3/group-schedules.h"
#include "ns3/names.h"
#include "ns3/ordering.h"
#include "ns3/string.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-linked-schedules.h"

#include <map>

namespace ns3
{

namespace
{

using Moves = CollectiveRegistry::Moves; ///< what an algorithm moves

void
TellObserver(Ptr<CollectiveDomain> domain)
{
    for (auto* observer : InstallObserver::GetAll())
    {
        observer->ObserveDomain(domain);
    }
}

DataKind
ParseKind(const std::string& kind)
{
    const auto name = CollectiveHelper::GetKindName(kind);
    const auto& all = DataKindInvariant::GetAll();
    const auto found =
        FindIn(all, [&](auto each) { return DataKindInvariant::GetName(each) == name; });
    return found == all.end() ? DataKind::BARRIER : *found;
}

DataKind
ParseDataKind(const std::string& kind)
{
    const auto parsed = ParseKind(kind);
    if (parsed == DataKind::BARRIER)
    {
        const auto& names = CollectiveHelper::GetKindNames();
        throw WormholeError("a barrier moves no data; expected " +
                            WordList::WithCommas({names.begin() + 1, names.end()}));
    }
    return parsed;
}

/// Refuses a graph unless a fabric was installed with it, or with one of the same cables.
void
CheckGraph(const WormholeFabric& fabric, const FabricGraph& graph)
{
    const std::string expected = "; expected the graph that the fabric was installed with";
    const auto nSwitches = fabric.GetNSwitches();
    WormholeError::ThrowIf(
        graph.GetNSwitches() != nSwitches || graph.GetNHosts() != fabric.GetNHosts(),
        "the graph has " + std::to_string(graph.GetNSwitches()) + " switches and " +
            std::to_string(graph.GetNHosts()) + " hosts, the fabric " + std::to_string(nSwitches) +
            " and " + std::to_string(fabric.GetNHosts()) + expected);
    const auto findCable = [&](uint32_t node, uint32_t port) {
        const auto isThere =
            !graph.IsSwitch(node) || port < fabric.GetSwitch(node)->GetNPorts(); // else it is made
        return isThere ? fabric.GetPort(node, port)->GetChannel() : nullptr;
    };
    for (FabricGraph::Node s = 0; s < nSwitches; ++s)
    {
        const auto nPorts = std::max(graph.GetNPorts(s), fabric.GetSwitch(s)->GetNPorts());
        for (uint32_t port = 0; port < nPorts; ++port)
        {
            const auto far = port < graph.GetNPorts(s)
                                 ? graph.Peer(s, static_cast<FabricGraph::Port>(port))
                                 : FabricGraph::End{FabricGraph::NONE, 0};
            const auto cable = findCable(s, port);
            if (far.node == FabricGraph::NONE ? bool(cable)
                                              : !cable || cable != findCable(far.node, far.port))
            {
                throw WormholeError(graph.GetName(s) + ":" + std::to_string(port) +
                                    " has another cable in the graph than in the fabric" +
                                    expected);
            }
        }
    }
}

} // namespace

CollectiveHelper::CollectiveHelper()
{
    m_softwareFactory.SetTypeId("ns3::HostSoftware");
    m_unitFactory.SetTypeId("ns3::CollectiveUnit");
    m_addOnFactory.SetTypeId("ns3::AddOnNetwork");
}

void
CollectiveHelper::AddAddOnNetworks(CollectiveDomain& domain) const
{
    for (const auto& type : AddOnNetwork::GetTypes())
    {
        auto network = m_addOnFactory.Create<AddOnNetwork>();
        network->SetAttribute("Type", StringValue(type));
        domain.AddAddOnNetwork(network);
    }
}

Ptr<CollectiveDomain>
CollectiveHelper::Install(Ptr<WormholeFabric> fabric, const FabricGraph& graph) const
{
    WormholeError::ThrowIf(!fabric || fabric->GetNHosts() == 0,
                           "collectives need a fabric with hosts; expected what "
                           "WormholeHelper::Install returns");
    CheckGraph(*fabric, graph);
    WormholeError::ThrowIf(bool(fabric->GetHost(0)->GetObject<HostSoftware>()),
                           "the fabric has collectives already; expected one domain for each "
                           "fabric, which all its groups share");
    auto domain = CreateObject<CollectiveDomain>();
    domain->SetFabric(fabric, graph);
    for (uint32_t h = 0; h < graph.GetNFirstInterfaces(); ++h)
    {
        auto software = m_softwareFactory.Create<HostSoftware>();
        software->Install(fabric->GetHost(h));
        const auto found = graph.GetInterfaces().find(h);
        for (std::size_t i = 1; found != graph.GetInterfaces().end() && i < found->second.size();
             ++i)
        {
            software->AddInterface(fabric->GetHost(found->second[i]));
        }
        domain->AddSoftware(software);
    }
    for (uint32_t s = 0; s < fabric->GetNSwitches(); ++s)
    {
        auto unit = m_unitFactory.Create<CollectiveUnit>();
        unit->Install(fabric->GetSwitch(s));
        domain->AddUnit(unit);
    }
    AddAddOnNetworks(*domain);
    TellObserver(domain);
    return domain;
}

std::vector<uint32_t>
CollectiveHelper::FindHosts(Ptr<CollectiveDomain> domain, const NodeContainer& nodes)
{
    std::map<Ptr<Node>, uint32_t> numbers;
    for (uint32_t host = 0; host < domain->GetNHosts(); ++host)
    {
        const auto software = domain->GetSoftware(host);
        for (uint32_t i = 0; software->GetDevice() && i < software->GetNInterfaces(); ++i)
        {
            numbers[software->GetDevice(i)->GetNode()] = host;
        }
    }
    std::vector<uint32_t> hosts;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto found = numbers.find(*node);
        if (found == numbers.end())
        {
            const auto name = Names::FindName(*node);
            throw WormholeError("node " + std::to_string((*node)->GetId()) +
                                (name.empty() ? "" : ", '" + name + "',") +
                                " is no host of the fabric; expected nodes of its " +
                                std::to_string(numbers.size()) + " hosts");
        }
        hosts.push_back(found->second);
    }
    return hosts;
}

Ptr<CollectiveDomain>
CollectiveHelper::InstallIdeal(uint32_t hosts, Time latency) const
{
    auto domain = CreateObject<CollectiveDomain>();
    domain->SetAttribute("Network", StringValue("ideal"));
    domain->SetAttribute("Latency", TimeValue(latency));
    for (uint32_t h = 0; h < hosts; ++h)
    {
        domain->AddSoftware(m_softwareFactory.Create<HostSoftware>());
    }
    AddAddOnNetworks(*domain);
    TellObserver(domain);
    return domain;
}

Ptr<Barrier>
CollectiveHelper::MakeBarrier(const std::string& name)
{
    return CollectiveRegistry::Make(DataKind::BARRIER, name, Moves::VALUE);
}

Ptr<Broadcast>
CollectiveHelper::MakeBroadcast(const std::string& name)
{
    return CollectiveRegistry::Make(DataKind::BROADCAST, name, Moves::VALUE);
}

Ptr<Reduction>
CollectiveHelper::MakeReduction(const std::string& name)
{
    return CollectiveRegistry::Make(DataKind::REDUCTION, name, Moves::VALUE);
}

Ptr<Collective>
CollectiveHelper::MakeCollective(const std::string& kind, const std::string& name)
{
    return CollectiveRegistry::Make(ParseKind(kind), name);
}

std::vector<std::string>
CollectiveHelper::GetNames(const std::string& kind)
{
    const auto parsed = ParseKind(kind);
    const auto names = CollectiveRegistry::GetNames(parsed, Moves::VALUE);
    return names.empty() ? CollectiveRegistry::GetNames(parsed, Moves::DATA) : names;
}

bool
CollectiveHelper::MovesData(const std::string& kind, const std::string& name)
{
    return CollectiveForm::Of(CollectiveRegistry::Find(ParseKind(kind), name)).isData;
}

uint32_t
CollectiveHelper::CountSteps(const std::string& kind, const std::string& name, uint32_t members)
{
    const auto collective = MakeCollective(kind, name);
    const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(collective));
    WormholeError::ThrowIf(!maker || members == 0,
                           "steps of " + kind + " '" + name + "' with " + std::to_string(members) +
                               " members: expected algorithms by software, and one member or more");
    ScheduleRequest request;
    request.kind = collective->GetKind();
    request.members = members;
    return LinkedSchedules(maker->MakeSchedules(request)).CountSteps();
}

int64_t
CollectiveHelper::AssignStreams(Ptr<CollectiveDomain> domain, int64_t stream)
{
    int64_t used = 0;
    for (uint32_t host = 0; host < domain->GetNHosts(); ++host)
    {
        used += domain->GetSoftware(host)->AssignStreams(stream + used);
    }
    return used;
}

std::string
CollectiveHelper::GetKindName(const std::string& kind)
{
    // MPI's names besides the module's.
    static const std::map<std::string, std::string> OTHERS{
        {"allreduce", "allreduction"},
        {"bcast", "broadcast"},
        {"reduce", "reduction"},
        {"reducescatterblock", "reduce-scatter"}};
    std::map<std::string, std::string> kinds{{"barrier", "barrier"}};
    for (const auto each : DataKindInvariant::GetAll())
    {
        const auto& name = DataKindInvariant::GetName(each);
        kinds[NearestName::Plain(name)] = name;
    }
    kinds.insert(OTHERS.begin(), OTHERS.end());
    auto plain = NearestName::Plain(kind);
    plain = plain.rfind("mpi", 0) == 0 ? plain.substr(3) : plain;
    // MPI's variants with lengths by member, as in allgatherv.
    auto found = kinds.find(plain);
    if (found == kinds.end() && !plain.empty() && plain.back() == 'v')
    {
        found = kinds.find(plain.substr(0, plain.size() - 1));
    }
    if (found != kinds.end())
    {
        return found->second;
    }
    const auto& names = GetKindNames();
    throw WormholeError("there is no kind of collective '" + kind + "'; there are " +
                        WordList::WithCommas(names) +
                        ", or MPI's allreduce, bcast, reduce and reduce_scatter_block" +
                        NearestName::Hint(kind, names));
}

const std::vector<std::string>&
CollectiveHelper::GetKindNames()
{
    static const std::vector<std::string> names{"barrier",
                                                "allreduction",
                                                "broadcast",
                                                "reduction",
                                                "gather",
                                                "scatter",
                                                "allgather",
                                                "reduce-scatter",
                                                "alltoall",
                                                "scan"};
    return names;
}

Ptr<DataCollective>
CollectiveHelper::MakeData(const std::string& kind, const std::string& name)
{
    return CollectiveRegistry::Make(ParseDataKind(kind), name, Moves::DATA);
}

std::vector<std::string>
CollectiveHelper::GetDataNames(const std::string& kind)
{
    return CollectiveRegistry::GetNames(ParseDataKind(kind), Moves::DATA);
}

} // namespace ns3
