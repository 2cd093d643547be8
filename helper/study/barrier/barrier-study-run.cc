/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study-run.h"

#include "ns3/collective-bench.h"
#include "ns3/collective-helper.h"
#include "ns3/uinteger.h"
#include "ns3/uncontended-barrier.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return a time in us @param time the time
double
Us(Time time)
{
    return static_cast<double>(time.GetPicoSeconds()) / 1e6;
}

/// Does one barrier, and notes what it took. @param bench the group @param sample where to
void
Cross(CollectiveBench& bench, BarrierStudyRun::Sample& sample)
{
    sample.latencyUs = Us(bench.Cross({}, {}));
    sample.messageHops = bench.GetTraffic().messageHops;
    sample.flitHops = bench.GetTraffic().flitHops;
}

} // namespace

BarrierStudyRun::BarrierStudyRun(const FabricGraph& graph, const BarrierStudyParameters& parameters)
    : m_graph(graph),
      m_parameters(parameters)
{
    const bool inferred = parameters.Wants("multicast", "paper-inferred");
    const bool inSwitch = inferred || parameters.Wants("btin", "in-switch");
    const bool timeless = inSwitch && !parameters.btinTakesFlitTime;
    if (inferred && graph.GetNSwitchLinks() == 0)
    {
        throw WormholeError("reduction paper-inferred: no cable joins two switches of the fabric, "
                            "and their number is what it divides by; accepted are simulated and "
                            "ideal");
    }
    if (timeless)
    {
        auto helper = parameters.fabricHelper;
        helper.SetFabricAttribute("FlitTime", TimeValue(PicoSeconds(1)));
        m_inSwitchDomain = parameters.collectiveHelper.Install(helper.Install(graph), graph);
    }
    const auto& schemes = parameters.schemes;
    if (!timeless || std::any_of(schemes.begin(), schemes.end(), [](const auto& scheme) {
            return scheme != "btin";
        }))
    {
        m_domain =
            parameters.collectiveHelper.Install(parameters.fabricHelper.Install(graph), graph);
    }
    if (inSwitch && !timeless)
    {
        m_inSwitchDomain = m_domain;
    }
}

std::map<BarrierStudyRun::Key, BarrierStudyRun::Sample>
BarrierStudyRun::Measure(const std::vector<uint32_t>& hosts)
{
    std::map<Key, Sample> samples;
    Sample inSwitch;
    if (m_inSwitchDomain)
    {
        inSwitch = MeasureInSwitch(hosts);
        samples[{"btin", "in-switch"}] = inSwitch;
    }
    for (const auto& scheme : m_parameters.schemes)
    {
        if (scheme != "btin")
        {
            MeasureCentral(scheme, hosts, inSwitch, samples);
        }
    }
    return samples;
}

BarrierStudyRun::Sample
BarrierStudyRun::FromTree(const BarrierTree& tree) const
{
    Sample sample;
    sample.height = tree.GetHeight();
    sample.edges = tree.GetNEdges();
    sample.rootSwitch = m_graph.GetName(tree.GetRootSwitch());
    sample.rootHost = m_graph.GetName(tree.GetRootHost());
    return sample;
}

BarrierStudyRun::Sample
BarrierStudyRun::MeasureInSwitch(const std::vector<uint32_t>& hosts)
{
    auto barrier = CollectiveHelper::MakeBarrier("btin");
    CollectiveBench bench(barrier, m_inSwitchDomain, hosts);
    auto sample = FromTree(barrier->GetTree());
    Cross(bench, sample);
    if (hosts.size() > 1)
    {
        const auto times = FabricTimes::Of(*m_inSwitchDomain);
        sample.modelUs = 2 * Us(times.Message(barrier->GetTree().DistanceLinks()));
    }
    bench.Dissolve();
    barrier->Dispose();
    return sample;
}

void
BarrierStudyRun::MeasureCentral(const std::string& scheme,
                                const std::vector<uint32_t>& hosts,
                                const Sample& inSwitch,
                                std::map<Key, Sample>& samples)
{
    auto barrier = CollectiveHelper::MakeBarrier(scheme);
    if (scheme == "multicast")
    {
        barrier->SetAttribute("AddressSize", UintegerValue(m_parameters.addressSize));
    }
    CollectiveBench bench(barrier, m_domain, hosts);
    const bool contended = m_parameters.Wants(scheme, "simulated");
    const bool ideal = m_parameters.Wants(scheme, "ideal");
    const UncontendedBarrier uncontended(*m_domain, *barrier, ideal);

    auto sample = FromTree(barrier->GetTree());
    sample.modelUs = Us(uncontended.model);
    sample.latencyUs = Us(uncontended.latency);
    sample.messageHops = uncontended.messageHops;
    sample.flitHops = uncontended.flitHops;
    if (ideal)
    {
        samples[{scheme, "ideal"}] = sample;
    }
    if (m_parameters.Wants(scheme, "paper-inferred"))
    {
        const auto n = static_cast<double>(hosts.size());
        const auto linksPerSwitch = 2.0 * m_graph.GetNSwitchLinks() / m_graph.GetNSwitches();
        const auto added =
            hosts.size() > 1 ? n * Us(FabricTimes::Of(*m_domain).switchDelay) / linksPerSwitch : 0;
        auto& inferred = samples[{scheme, "paper-inferred"}] = sample;
        inferred.latencyUs = inSwitch.latencyUs + added;
        inferred.modelUs = inSwitch.modelUs + added;
    }
    if (contended)
    {
        Cross(bench, sample);
        samples[{scheme, "simulated"}] = sample;
    }
    bench.Dissolve();
    barrier->Dispose();
}

} // namespace ns3
