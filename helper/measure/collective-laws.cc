/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-laws.h"

#include "collective-watch.h"
#include "schedule-laws.h"

#include "ns3/collective-helper.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ns3
{

namespace
{

/// @return random numbers, the same in each run
Ptr<UniformRandomVariable>
MakeRandom()
{
    auto rng = CreateObject<UniformRandomVariable>();
    rng->SetStream(7);
    return rng;
}

/// @return whether a refusal is of what an algorithm may refuse, see doc/write-your-own.rst
/// @param refusal what was said
bool
MayRefuse(const std::string& refusal)
{
    return refusal.find("can't ADD") != std::string::npos;
}

/// @return how many members there are, in words @param members how many
std::string
NameMembers(uint32_t members)
{
    return std::to_string(members) + (members == 1 ? " member" : " members");
}

/// @return why a law of schedules does not hold; empty: all hold @param kind the kind
/// @param maker the algorithm
std::string
CheckSchedules(const std::string& kind, const ScheduleMaker& maker)
{
    std::vector<uint32_t> sizes(40);
    std::iota(sizes.begin(), sizes.end(), 1);
    sizes.insert(sizes.end(), {64, 65, 127, 128});
    const auto rng = MakeRandom();
    for (const auto n : sizes)
    {
        ScheduleRequest request;
        request.members = n;
        request.root = rng->GetInteger(0, n - 1);
        request.s = MicroSeconds(rng->GetInteger(1, 5));
        request.r = MicroSeconds(rng->GetInteger(0, 20));
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            request.hosts.push_back(rng->GetInteger(0, n / 2));
        }
        try
        {
            const auto trouble = ScheduleLaws::Check(kind, maker, request, rng);
            if (!trouble.empty())
            {
                return trouble;
            }
        }
        catch (const WormholeError& error)
        {
            return NameMembers(n) + ": " + error.what();
        }
    }
    return "";
}

/// Runs groups of an algorithm on a fabric.
class FabricLaws
{
  public:
    /// @param kind the kind @param name the algorithm
    FabricLaws(const std::string& kind, const std::string& name)
        : m_kind(kind == "allreduction" ? "barrier" : kind),
          m_name(name),
          m_rng(MakeRandom())
    {
        Simulator::Destroy();
        IrregularTopologyHelper::Parameters parameters;
        parameters.switches = 24;
        parameters.hosts = 64;
        IrregularTopologyHelper drawn(parameters);
        drawn.AssignStreams(1);
        const auto graph = drawn.Create();
        m_domain = CollectiveHelper().Install(WormholeHelper().Install(graph), graph);
        CollectiveHelper::AssignStreams(m_domain, 100);
    }

    ~FabricLaws()
    {
        Simulator::Destroy();
    }

    /// @return why a law does not hold in one group; empty: all hold @param n number of members
    /// @param operation how values are combined
    std::string Check(uint32_t n, const std::string& operation)
    {
        constexpr uint32_t ROUNDS = 3;
        constexpr uint32_t LATEST = 20'000'000; // ps
        auto collective = CollectiveHelper::MakeCollective(m_kind, m_name);
        if (m_name.find("hw-1") == std::string::npos) // which has AND of a bit only
        {
            collective->SetAttribute("Operation", StringValue(operation));
            collective->SetAttribute("WidthBits", UintegerValue(32));
        }
        CollectiveWatch watch(collective, m_kind, ROUNDS, m_rng, LATEST);
        try
        {
            collective->Create(m_domain,
                               CollectiveWatch::DrawHosts(n, m_domain->GetNHosts(), 1, m_rng));
        }
        catch (const WormholeError& error)
        {
            if (operation == "ADD" && MayRefuse(error.what()))
            {
                return Check(n, "MAX");
            }
            throw;
        }
        Simulator::Run();
        auto trouble = watch.GetTrouble();
        if (trouble.empty())
        {
            collective->Release();
            Simulator::Run();
        }
        else
        {
            const auto missing = m_domain->ExplainMissing();
            trouble += missing.empty() ? "" : "; " + missing;
        }
        collective->Dispose();
        return trouble;
    }

  private:
    std::string m_kind;               ///< the kind
    std::string m_name;               ///< the algorithm
    Ptr<UniformRandomVariable> m_rng; ///< random numbers
    Ptr<CollectiveDomain> m_domain;   ///< the fabric's collectives
};

} // namespace

std::string
CollectiveLaws::Check(const std::string& kind, const std::string& name, uint32_t maxMembers)
{
    constexpr uint32_t MOST = 64;
    if (maxMembers == 0 || maxMembers > MOST)
    {
        throw WormholeError(std::to_string(maxMembers) + " members: accepted are 1 to " +
                            std::to_string(MOST));
    }
    const auto known = CollectiveHelper::GetKindName(kind);
    const std::vector<std::string> kinds{"barrier", "allreduction", "broadcast", "reduction"};
    if (std::find(kinds.begin(), kinds.end(), known) == kinds.end())
    {
        throw WormholeError("the laws are of collectives of a value, not of '" + kind +
                            "'; accepted are barrier, allreduction, broadcast and reduction");
    }
    const auto collective = CollectiveHelper::MakeCollective(known, name);
    const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(collective));
    const std::vector<std::string> operations{"ADD", "AND", "OR", "MIN", "MAX"};
    uint32_t members = 1;
    try
    {
        const auto trouble = maker ? CheckSchedules(known, *maker) : "";
        if (!trouble.empty())
        {
            return trouble;
        }
        FabricLaws fabric(known, name);
        for (; members <= maxMembers; ++members)
        {
            const auto& operation = operations[members % operations.size()];
            const auto wrong = fabric.Check(members, operation);
            if (!wrong.empty())
            {
                return "on a fabric, " + NameMembers(members) + ", " + operation + ": " + wrong;
            }
        }
    }
    catch (const WormholeError& error)
    {
        return "on a fabric, " + NameMembers(members) + ": " + error.what();
    }
    return "";
}

} // namespace ns3
