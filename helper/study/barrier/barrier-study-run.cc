/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study-run.h"

#include "ns3/collective-bench.h"
#include "ns3/collective-helper.h"
#include "ns3/loaded-bench.h"
#include "ns3/sample-summary.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/uncontended-barrier.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <limits>

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

/// @return messages that hosts have sent so far @param domain the hosts
uint64_t
CountStartUps(const CollectiveDomain& domain)
{
    uint64_t count = 0;
    for (uint32_t host = 0; host < domain.GetNHosts(); ++host)
    {
        count += domain.GetSoftware(host)->GetSends();
    }
    return count;
}

/// Does one barrier, and notes what it took; beside traffic, several more, whose latencies count.
/// @param bench the group @param barrier its barrier @param parameters what is asked for
/// @param sample where to
void
Cross(CollectiveBench& bench,
      Ptr<Barrier> barrier,
      const BarrierStudyParameters& parameters,
      BarrierStudyRun::Sample& sample)
{
    if (parameters.isExplained)
    {
        bench.Record();
    }
    const auto& domain = barrier->GetDomain();
    const auto root = domain.GetSoftware(barrier->GetHost(barrier->GetRoot()));
    const auto startUps = CountStartUps(domain);
    const auto rootMessages = root->GetSends() + root->GetReceives();
    const auto latency = bench.Cross({}, {});
    sample.latencyUsMean = Us(latency);
    if (parameters.isExplained)
    {
        sample.Set(0);
        sample.Add(bench.GetReport(), 1);
        bench.EndRecording();
    }
    sample.startUpsMean = static_cast<double>(CountStartUps(domain) - startUps);
    sample.rootMessagesMean =
        static_cast<double>(root->GetSends() + root->GetReceives() - rootMessages);
    sample.messageHopsMean = static_cast<double>(bench.GetTraffic().messageHops);
    sample.flitHopsMean = static_cast<double>(bench.GetTraffic().flitHops);
    if (parameters.traffic.IsThere())
    {
        SampleSummary summary;
        LoadedBench loaded(barrier, latency, parameters.traffic);
        if (parameters.isExplained)
        {
            loaded.Record();
        }
        for (const auto& round : loaded.Cross(parameters.rounds))
        {
            sample.roundsUs.push_back(Us(round));
            summary.Add(sample.roundsUs.back());
        }
        if (parameters.isExplained)
        {
            sample.Set(0);
            sample.AddRounds(loaded, parameters.rounds);
        }
        sample.latencyUsMean = summary.GetMean();
    }
}

} // namespace

BarrierStudyRun::BarrierStudyRun(const FabricGraph& graph, const BarrierStudyParameters& parameters)
    : m_graph(graph),
      m_parameters(parameters)
{
    const bool inferred = parameters.Wants("multicast", "paper-inferred");
    if (inferred && graph.GetNSwitchLinks() == 0)
    {
        throw WormholeError("reduction paper-inferred: no cable joins two switches of the fabric, "
                            "and their number is what it divides by; accepted are simulated and "
                            "ideal");
    }
    if (inferred || parameters.WantsBtin("paper"))
    {
        auto helper = parameters.fabricHelper;
        helper.SetFabricAttribute("FlitTime", TimeValue(PicoSeconds(1)));
        m_flitlessDomain = parameters.collectiveHelper.Install(helper.Install(graph), graph);
    }
    const auto& schemes = parameters.schemes;
    if (parameters.WantsBtin("flits") ||
        std::any_of(schemes.begin(), schemes.end(), [](const auto& scheme) {
            return scheme != "btin";
        }))
    {
        m_domain =
            parameters.collectiveHelper.Install(parameters.fabricHelper.Install(graph), graph);
    }
}

std::map<BarrierStudyRun::Key, BarrierStudyRun::Sample>
BarrierStudyRun::Measure(const std::vector<uint32_t>& hosts)
{
    std::map<Key, Sample> samples;
    Sample inSwitch;
    if (m_flitlessDomain)
    {
        inSwitch = MeasureInSwitch(m_flitlessDomain, hosts);
        samples[{"btin", "in-switch", "paper"}] = inSwitch;
    }
    for (const auto& scheme : m_parameters.schemes)
    {
        try
        {
            Measure(scheme, hosts, inSwitch, samples);
        }
        catch (const WormholeError& error)
        {
            if (!m_parameters.traffic.IsThere())
            {
                throw;
            }
            // One of them may be more than the fabric takes, or deadlock.
            throw WormholeError(scheme + " of " + std::to_string(hosts.size()) +
                                " hosts: " + error.what());
        }
    }
    return samples;
}

void
BarrierStudyRun::Measure(const std::string& scheme,
                         const std::vector<uint32_t>& hosts,
                         const Sample& inSwitch,
                         std::map<Key, Sample>& samples)
{
    if (!BarrierStudyParameters::IsOfPaper(scheme))
    {
        samples[{scheme, "simulated", "flits"}] = MeasureOther(scheme, hosts);
    }
    else if (scheme != "btin")
    {
        MeasureCentral(scheme, hosts, inSwitch, samples);
    }
    else if (m_parameters.WantsBtin("flits"))
    {
        samples[{"btin", "in-switch", "flits"}] = MeasureInSwitch(m_domain, hosts);
    }
}

Ptr<Barrier>
BarrierStudyRun::MakeBarrier(const std::string& scheme) const
{
    auto barrier = CollectiveHelper::MakeBarrier(scheme);
    barrier->SetAttribute("TreeLeaves", StringValue(m_parameters.leaves));
    return barrier;
}

BarrierStudyRun::Sample
BarrierStudyRun::FromTree(const BarrierTree& tree, const std::vector<uint32_t>& hosts) const
{
    Sample sample;
    sample.Set(std::numeric_limits<double>::quiet_NaN()); // nothing is explained yet
    sample.heightMean = tree.GetHeight();
    sample.edgesMean = tree.GetNEdges();
    if (m_parameters.leaves == "deepest")
    {
        std::vector<FabricGraph::Node> nodes;
        for (const auto host : hosts)
        {
            nodes.push_back(m_graph.HostAt(host));
        }
        sample.leavesMean = tree.GetNLeaves();
        sample.deepestMean = tree.GetNDeepest();
        sample.otherRootMean = BarrierTree(m_graph, nodes).GetRootSwitch() != tree.GetRootSwitch();
    }
    sample.rootSwitch = m_graph.GetName(tree.GetRootSwitch());
    sample.rootHost = m_graph.GetName(tree.GetRootHost());
    return sample;
}

BarrierStudyRun::Sample
BarrierStudyRun::MeasureInSwitch(const Ptr<CollectiveDomain>& domain,
                                 const std::vector<uint32_t>& hosts)
{
    auto barrier = MakeBarrier("btin");
    CollectiveBench bench(barrier, domain, hosts);
    auto sample = FromTree(barrier->GetTree(), hosts);
    sample.messageBytesMean = GetLongestMessageBytes(*barrier);
    sample.setupUsMean = Us(bench.GetSetup());
    Cross(bench, barrier, m_parameters, sample);
    if (hosts.size() > 1)
    {
        const auto times = FabricTimes::Of(*domain);
        sample.latencyUsModel = 2 * Us(times.Message(barrier->GetTree().DistanceLinks()));
    }
    bench.Dissolve();
    barrier->Dispose();
    return sample;
}

BarrierStudyRun::Sample
BarrierStudyRun::MeasureOther(const std::string& scheme, const std::vector<uint32_t>& hosts)
{
    auto barrier = MakeBarrier(scheme);
    CollectiveBench bench(barrier, m_domain, hosts);
    Sample sample;
    sample.Set(std::numeric_limits<double>::quiet_NaN()); // nothing is explained yet
    sample.latencyUsModel = std::numeric_limits<double>::quiet_NaN();
    sample.messageBytesMean = GetLongestMessageBytes(*barrier);
    sample.setupUsMean = Us(bench.GetSetup());
    Cross(bench, barrier, m_parameters, sample);
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
    auto barrier = MakeBarrier(scheme);
    if (scheme == "multicast")
    {
        barrier->SetAttribute("AddressSize", UintegerValue(m_parameters.addressSize));
        barrier->SetAttribute("HeaderEncoding", StringValue(m_parameters.headerEncoding));
    }
    CollectiveBench bench(barrier, m_domain, hosts);
    const bool contended = m_parameters.Wants(scheme, "simulated");
    const bool ideal = m_parameters.Wants(scheme, "ideal");
    const UncontendedBarrier uncontended(*m_domain, *barrier, ideal);

    auto sample = FromTree(barrier->GetTree(), hosts);
    sample.latencyUsModel = Us(uncontended.model);
    sample.latencyUsMean = Us(uncontended.latency);
    sample.messageHopsMean = static_cast<double>(uncontended.messageHops);
    sample.flitHopsMean = static_cast<double>(uncontended.flitHops);
    sample.startUpsMean = static_cast<double>(uncontended.startUps);
    sample.rootMessagesMean = static_cast<double>(uncontended.startUps);
    sample.messageBytesMean = GetLongestMessageBytes(*barrier);
    sample.setupUsMean = Us(bench.GetSetup());
    if (ideal)
    {
        samples[{scheme, "ideal", "flits"}] = sample;
    }
    if (m_parameters.Wants(scheme, "paper-inferred"))
    {
        const auto n = static_cast<double>(hosts.size());
        const auto linksPerSwitch = 2.0 * m_graph.GetNSwitchLinks() / m_graph.GetNSwitches();
        const auto added =
            hosts.size() > 1 ? n * Us(FabricTimes::Of(*m_domain).switchDelay) / linksPerSwitch : 0;
        auto& inferred = samples[{scheme, "paper-inferred", "paper"}] = sample;
        inferred.latencyUsMean = inSwitch.latencyUsMean + added;
        inferred.latencyUsModel = inSwitch.latencyUsModel + added;
    }
    if (contended)
    {
        Cross(bench, barrier, m_parameters, sample);
        samples[{scheme, "simulated", "flits"}] = sample;
    }
    bench.Dissolve();
    barrier->Dispose();
}

} // namespace ns3
