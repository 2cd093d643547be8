/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-done-study.h"

#include "network-done-rounds.h"

#include "ns3/backlog-limit.h"
#include "ns3/collective-helper.h"
#include "ns3/double.h"
#include "ns3/own-simulation.h"
#include "ns3/progress-watch.h"
#include "ns3/simulator.h"
#include "ns3/software-collective.h"
#include "ns3/string.h"
#include "ns3/study-sweep.h"
#include "ns3/sync-machine.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-traffic-helper.h"

#include <cmath>
#include <limits>

namespace ns3
{

namespace
{

/// @return a barrier @param name its name
/// @throws WormholeError if it is not known or no network-done barrier
Ptr<NetworkDoneBarrier>
MakeNetworkDone(const std::string& name)
{
    const auto barrier = DynamicCast<NetworkDoneBarrier>(CollectiveHelper::MakeBarrier(name));
    if (!barrier)
    {
        throw WormholeError("'" + name +
                            "' does not wait for messages of data; accepted are network-done and "
                            "such as network-done[Method=acks|Inner=hw-1]");
    }
    return barrier;
}

} // namespace

void
NetworkDoneStudy::CheckMethods(const std::vector<std::string>& methods)
{
    for (const auto& name : methods)
    {
        MakeNetworkDone(name);
    }
}

NetworkDoneStudy::NetworkDoneStudy(const Parameters& parameters)
    : m_parameters(parameters)
{
    const auto& p = m_parameters;
    if (!p.topology || p.methods.empty())
    {
        throw WormholeError("study of Network-Done without a fabric or methods: accepted are a "
                            "fabric and one method at least");
    }
    constexpr uint32_t LEAST = 4;
    if (p.rounds < LEAST)
    {
        throw WormholeError(std::to_string(p.rounds) +
                            " rounds, of which the first quarter is not measured; accepted are 4 "
                            "and more");
    }
    if (p.topology->graph.GetNFirstInterfaces() < 2)
    {
        throw WormholeError("a fabric of " +
                            std::to_string(p.topology->graph.GetNFirstInterfaces()) +
                            " hosts, where nobody can send to another; accepted are 2 and more");
    }
    if (!p.quantum.IsStrictlyPositive())
    {
        throw WormholeError("a quantum of " + std::to_string(p.quantum.GetNanoSeconds()) +
                            " ns; accepted is a time above 0");
    }
    CheckMethods(p.methods);
    WormLength::Parse(p.flits);
    // What parts of a method can't do is known when their group is made.
    for (const auto& name : p.methods)
    {
        const OwnSimulation ownSimulation;
        const auto domain = MakeDomain();
        NetworkDoneRounds::Setting setting;
        setting.rounds = p.rounds;
        const NetworkDoneRounds rounds(MakeNetworkDone(name), domain, setting);
    }
}

std::vector<NetworkDoneRow>
NetworkDoneStudy::Run(uint32_t jobs, const Progress& progress) const
{
    const auto& p = m_parameters;
    std::vector<double> numbers{0};
    numbers.insert(numbers.end(), p.messages.begin(), p.messages.end());
    NetworkDoneRow common;
    common.quantumUs = p.quantum.GetSeconds() * 1e6;
    common.bytes = p.bytes;
    common.trafficLoad = p.load;
    return StudySweep(common)
        .Over(&NetworkDoneRow::method, p.methods)
        .Over(&NetworkDoneRow::messages, numbers)
        .Measure([this](const auto& row) { return Measure(row); }, jobs, progress);
}

Ptr<CollectiveDomain>
NetworkDoneStudy::MakeDomain() const
{
    const auto& p = m_parameters;
    auto fabrics = p.fabrics;
    fabrics.SetRouter(p.topology->router);
    auto fabric = fabrics.Install(p.topology->graph);
    CollectiveHelper helper;
    helper.SetSoftwareAttribute("StartUp", TimeValue(p.startUp));
    helper.SetSoftwareAttribute("ReceiveOverhead", TimeValue(p.receive));
    helper.SetSoftwareAttribute("Progress", StringValue(p.progress));
    helper.SetSoftwareAttribute("InterruptTime", TimeValue(p.interrupt));
    auto domain = helper.Install(fabric, p.topology->graph);
    fabric->Start();
    return domain;
}

Time
NetworkDoneStudy::GetLimit(const CollectiveDomain& domain, double messages) const
{
    const auto& p = m_parameters;
    const auto fabric = domain.GetFabric();
    const auto message = fabric->GetFlitTime() * static_cast<int64_t>(fabric->GetFlits(p.bytes)) +
                         p.startUp + p.receive + p.interrupt;
    // All messages, their acknowledgements and those of some barriers, one after the other.
    const auto number = static_cast<int64_t>(domain.GetNHosts()) *
                        (100 + 4 * static_cast<int64_t>(std::ceil(messages)));
    return MilliSeconds(10) + p.quantum + message * number;
}

NetworkDoneRow
NetworkDoneStudy::Measure(NetworkDoneRow row) const
{
    const auto& p = m_parameters;
    const SeedKeeper seedKeeper;
    const OwnSimulation ownSimulation;
    RngSeedManager::SetSeed(p.seed);
    RngSeedManager::SetRun(1);
    const auto domain = MakeDomain();
    const auto fabric = domain->GetFabric();
    const auto nHosts = domain->GetNHosts();
    // Three streams of the traffic, two of each process, then those of hosts' software.
    constexpr int64_t FIRST = 4;
    CollectiveHelper::AssignStreams(domain, FIRST + 2 * int64_t{nHosts});
    const NetworkDoneRounds rounds(MakeNetworkDone(row.method),
                                   domain,
                                   {p.rounds, p.quantum, row.messages, p.bytes, FIRST});
    Ptr<WormholeTraffic> traffic;
    std::unique_ptr<ProgressWatch> watch;
    std::unique_ptr<BacklogLimit> backlog;
    if (p.load > 0)
    {
        WormholeTrafficHelper source;
        source.SetAttribute("Load", DoubleValue(p.load));
        traffic = source.Install(fabric, p.topology->graph, WormLength::Parse(p.flits), 1);
        backlog = std::make_unique<BacklogLimit>(fabric, traffic);
        traffic->Start();
        watch = std::make_unique<ProgressWatch>([&rounds] { return rounds.GetLastLeave(); },
                                                GetLimit(*domain, row.messages));
    }
    Simulator::Run();
    if (!rounds.AreOver())
    {
        throw WormholeError("barrier '" + row.method +
                            "' came to a stop: " + domain->ExplainMissing());
    }
    rounds.Report(row);
    const auto sendingUs = rounds.GetMeanMessages() *
                           static_cast<double>(fabric->GetFlits(p.bytes)) *
                           fabric->GetFlitTime().GetSeconds() * 1e6;
    row.messageLoad = sendingUs / row.stepUs;
    row.accountingUs =
        NetworkDoneAccounting::GetTimeUs(row.method, nHosts, rounds.GetCommunicates());
    return row;
}

namespace
{

/// @return the accounting's hardware for a barrier; empty: it has none @param name the barrier
std::string
FindHardware(const std::string& name)
{
    const auto stem = name.substr(0, name.find('['));
    if (stem == "hw-1" || stem == "hw-all")
    {
        return stem;
    }
    // Any algorithm by software is what the accounting calls none: its fastest butterfly.
    return DynamicCast<SoftwareBarrier>(CollectiveHelper::MakeBarrier(name)) ? "none" : "";
}

/// @return what the accounting has for a part, us; NaN if it does not know it
/// @param name name of a barrier @param nodes number of members @param event what it does
double
GetPartUs(const std::string& name, uint32_t nodes, SyncWorkload::Event event)
{
    SyncMachine::Parameters parameters;
    parameters.nodes = nodes;
    parameters.hardware = FindHardware(name);
    return parameters.hardware.empty()
               ? std::numeric_limits<double>::quiet_NaN()
               : SyncMachine(parameters).GetModelTime(event).GetSeconds() * 1e6;
}

} // namespace

double
NetworkDoneAccounting::GetTimeUs(const std::string& method, uint32_t nodes, double communicates)
{
    const auto barrier = CollectiveHelper::MakeBarrier(method);
    const auto get = [&](const std::string& attribute) {
        StringValue value;
        barrier->GetAttribute(attribute, value);
        return value.Get();
    };
    const auto inner = get("Inner");
    const auto innerUs = inner == "none" ? 0 : GetPartUs(inner, nodes, SyncWorkload::BARRIER);
    if (get("Method") == "acks")
    {
        return communicates * SyncMachine({}).GetAckTime().GetSeconds() * 1e6 + innerUs;
    }
    return GetPartUs(get("Reduction"), nodes, SyncWorkload::ADD) + innerUs;
}

} // namespace ns3
