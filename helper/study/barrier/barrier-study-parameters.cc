/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study-parameters.h"

#include "ns3/own-simulation.h"
#include "ns3/word-list.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

/// @return whether it is among some words @param words the words @param word what to look for
bool
Contains(const std::vector<std::string>& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Refuses words that are there twice. @param what what they are @param words the words
void
CheckOnce(const std::string& what, const std::vector<std::string>& words)
{
    std::set<std::string> seen;
    for (const auto& word : words)
    {
        if (!seen.insert(word).second)
        {
            throw WormholeError(what + " '" + word + "' is there twice; accepted is each once");
        }
    }
}

/**
 * Refuses words that are not accepted, or there twice.
 * @param what what they are
 * @param words the words
 * @param accepted words accepted
 */
void
CheckList(const std::string& what,
          const std::vector<std::string>& words,
          const std::vector<std::string>& accepted)
{
    for (const auto& word : words)
    {
        if (!Contains(accepted, word))
        {
            throw WormholeError(what + " '" + word + "': accepted are " +
                                WordList::WithCommas(accepted));
        }
    }
    CheckOnce(what, words);
}

} // namespace

FabricGraph
BarrierStudyParameters::Fabric::WithoutCables() const
{
    return given ? *given : FabricGraph(drawn.switches, drawn.hosts, drawn.ports);
}

double
BarrierStudyParameters::Fabric::GetConnectivity() const
{
    if (!given)
    {
        return drawn.connectivity;
    }
    return IrregularTopologyHelper::GetConnectivity(*given);
}

std::vector<std::string>
BarrierStudyParameters::GetSchemes()
{
    return {"btin", "multicast", "unicast"};
}

bool
BarrierStudyParameters::IsOfPaper(const std::string& scheme)
{
    return Contains(GetSchemes(), scheme);
}

std::vector<std::string>
BarrierStudyParameters::GetReductions()
{
    return {"simulated", "ideal", "paper-inferred"};
}

std::vector<std::string>
BarrierStudyParameters::GetBtinTimings()
{
    return {"flits", "paper"};
}

std::vector<std::string>
BarrierStudyParameters::TimingsOf(const std::string& scheme, const std::string& reduction) const
{
    if (scheme == "btin")
    {
        return btinTimings;
    }
    return {reduction == "paper-inferred" ? "paper" : "flits"};
}

std::vector<std::string>
BarrierStudyParameters::ReductionsOf(const std::string& scheme) const
{
    if (scheme == "btin")
    {
        return {"in-switch"};
    }
    auto list = reductions;
    if (!IsOfPaper(scheme))
    {
        return Contains(reductions, "simulated") ? std::vector<std::string>{"simulated"}
                                                 : std::vector<std::string>();
    }
    if (scheme == "unicast")
    {
        list.erase(std::remove(list.begin(), list.end(), "paper-inferred"), list.end());
    }
    return list;
}

bool
BarrierStudyParameters::Wants(const std::string& scheme, const std::string& reduction) const
{
    return Contains(schemes, scheme) && Contains(ReductionsOf(scheme), reduction);
}

bool
BarrierStudyParameters::WantsBtin(const std::string& timing) const
{
    return Contains(schemes, "btin") && Contains(btinTimings, timing);
}

std::vector<uint32_t>
BarrierStudyParameters::SizesFor(const Fabric& fabric) const
{
    if (!groupSizes.empty())
    {
        return groupSizes;
    }
    if (!members.empty())
    {
        return {static_cast<uint32_t>(members.size())};
    }
    const auto hosts = fabric.WithoutCables().GetNFirstInterfaces();
    std::vector<uint32_t> sizes;
    for (uint32_t size = 2; size < hosts; size *= 2)
    {
        sizes.push_back(size);
    }
    sizes.push_back(hosts);
    return sizes;
}

void
BarrierStudyParameters::Check() const
{
    CheckWords();
    CheckTraffic();
    if (runs == 0)
    {
        throw WormholeError("0 runs: accepted are 1 and more");
    }
    SeedKeeper::Check(seed);
    if ((WantsBtin("paper") || Wants("multicast", "paper-inferred")) && PicoSeconds(1).IsZero())
    {
        throw WormholeError("a flit time of 1 ps is no whole number of ns-3 time units: call "
                            "Time::SetResolution(Time::PS) first");
    }
    for (const auto& fabric : fabrics)
    {
        if (fabric.given)
        {
            fabric.given->Validate();
        }
        else
        {
            const IrregularTopologyHelper check(fabric.drawn);
        }
        const auto graph = fabric.WithoutCables();
        CheckMembers(graph);
        CheckSizes(graph);
    }
}

void
BarrierStudyParameters::CheckSchemes() const
{
    CheckOnce("scheme", schemes);
    for (const auto& scheme : schemes)
    {
        if (!IsOfPaper(scheme))
        {
            CollectiveHelper::MakeBarrier(scheme)->Dispose();
        }
    }
}

void
BarrierStudyParameters::CheckWords() const
{
    CheckSchemes();
    CheckList("reduction", reductions, GetReductions());
    CheckList("btinTiming", btinTimings, GetBtinTimings());
    if (std::all_of(schemes.begin(), schemes.end(), [this](const auto& scheme) {
            return ReductionsOf(scheme).empty();
        }))
    {
        throw WormholeError("no scheme is asked for with a reduction that it has; accepted are "
                            "btin, multicast with simulated, ideal and paper-inferred, and unicast "
                            "with simulated and ideal");
    }
}

void
BarrierStudyParameters::CheckTraffic() const
{
    if (!traffic.IsThere())
    {
        return;
    }
    traffic.Check(fabrics.size() == 1 ? fabrics[0].given.get() : nullptr);
    if (rounds == 0)
    {
        throw WormholeError("0 rounds: accepted are 1 and more");
    }
    for (const auto& reduction : reductions)
    {
        if (reduction != "simulated")
        {
            throw WormholeError("reduction '" + reduction +
                                "' is computed as if no message waited, whatever traffic there is "
                                "beside it; accepted is simulated");
        }
    }
    if (WantsBtin("paper"))
    {
        throw WormholeError("btinTiming 'paper' is of a fabric whose flits take no time, so that "
                            "traffic would take none of it; accepted is flits");
    }
}

void
BarrierStudyParameters::CheckMembers(const FabricGraph& graph) const
{
    CheckOnce("members:", members);
    const auto n = graph.GetNFirstInterfaces();
    for (const auto& name : members)
    {
        const auto node = graph.Find(name);
        if (node == FabricGraph::NONE || graph.IsSwitch(node) || node >= graph.HostAt(0) + n)
        {
            const bool isHost = node != FabricGraph::NONE && !graph.IsSwitch(node);
            throw WormholeError(
                "members: '" + name +
                (isHost ? "' is a further interface of a host" : "' is no host of the fabric") +
                "; accepted are its " + std::to_string(n) + " hosts, " +
                graph.GetName(graph.HostAt(0)) + " to " + graph.GetName(graph.HostAt(n - 1)));
        }
    }
}

void
BarrierStudyParameters::CheckSizes(const FabricGraph& graph) const
{
    const auto most = members.empty() ? graph.GetNFirstInterfaces() : members.size();
    std::set<uint32_t> sizes;
    for (const auto size : groupSizes)
    {
        if (size == 0 || size > most)
        {
            throw WormholeError("groupSizes: " + std::to_string(size) +
                                " is not accepted; accepted are 1 to " + std::to_string(most) +
                                ", the number of " + (members.empty() ? "hosts" : "members named"));
        }
        if (!sizes.insert(size).second)
        {
            throw WormholeError("groupSizes: " + std::to_string(size) +
                                " is there twice; accepted is each once");
        }
    }
}

} // namespace ns3
