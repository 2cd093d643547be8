// SPDX-License-Identifier: GPL-2.0-only

#include "collective-invariants.h"

#include "ns3/collective-helper.h"
#include "ns3/invariant-checker.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/nstime.h"
#include "ns3/ordering.h"
#include "ns3/schedule-invariants.h"
#include "ns3/simulation-scope.h"
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

Ptr<UniformRandomVariable>
MakeRandom()
{
    auto rng = CreateObject<UniformRandomVariable>();
    rng->SetStream(7);
    return rng;
}

std::string
NameMembers(uint32_t members)
{
    return std::to_string(members) + (members == 1 ? " member" : " members");
}

std::vector<ScheduleRequest>
DrawValueRequests(ScheduleRequest request, Ptr<UniformRandomVariable> rng)
{
    const auto n = request.members;
    request.root = rng->GetInteger(0, n - 1);
    request.s = MicroSeconds(rng->GetInteger(1, 5));
    request.r = MicroSeconds(rng->GetInteger(0, 20));
    request.hosts = MadeOfNumbers(n, [&](uint32_t) { return rng->GetInteger(0, n / 2); });
    return {request};
}

std::vector<ScheduleRequest>
ListDataRequests(ScheduleRequest request)
{
    std::vector<ScheduleRequest> requests;
    const auto members = request.members;
    request.root = (members * 7) / 11;
    request.elementBytes = 4;
    for (const uint64_t bytes : {4, 12, 64, 200})
    {
        if (members > 16 && (bytes == 12 || bytes == 200) == (members % 2 == 0))
        {
            continue; // half of the lengths each
        }
        const auto tasks = 1 + (members + bytes) % 3;
        // With 12 bytes, neighbours are on different hosts.
        request.hosts = MadeOfNumbers(members, [&](uint32_t rank) -> uint32_t {
            return bytes == 12 ? rank % ((members + tasks - 1) / tasks) : rank / tasks;
        });
        for (const uint64_t segment : {0, 16})
        {
            for (const bool keepsOrder : {false, true})
            {
                if (keepsOrder && !DataKindInvariant::Combines(request.kind))
                {
                    continue;
                }
                request.parts.assign(DataKindInvariant::GetNParts(request.kind, members), bytes);
                request.segmentBytes = segment;
                request.keepsOrder = keepsOrder;
                requests.push_back(request);
                for (std::size_t part = 0; part < request.parts.size(); ++part)
                {
                    request.parts[part] = (part * 12 + bytes) % 40 / 4 * 4;
                }
                if (request.parts.size() > 1 && request.GetBytes() > 0)
                {
                    requests.push_back(request);
                }
            }
        }
    }
    return requests;
}

class FabricInvariants
{
  public:
    explicit FabricInvariants(const std::string& name)
        : m_hasOneBit(name.find("hw-1") != std::string::npos),
          m_rng(MakeRandom())
    {
        IrregularTopologyHelper::Parameters parameters;
        parameters.switches = 24;
        parameters.hosts = 64;
        IrregularTopologyHelper drawn(parameters);
        drawn.AssignStreams(1);
        const auto graph = drawn.Create();
        m_domain = CollectiveHelper().Install(WormholeHelper().Install(graph), graph);
        CollectiveHelper::AssignStreams(m_domain, 100);
    }

    std::string Check(Ptr<Collective> collective, uint32_t n, const std::string& operation)
    {
        constexpr uint32_t ROUNDS = 3;          // of values
        constexpr uint32_t LATEST = 20'000'000; // ps
        const bool isData = collective->MovesData();
        if (isData)
        {
            collective->SetAttribute("Bytes", UintegerValue(sizeof(int32_t) * 3 * n));
        }
        else if (!m_hasOneBit)
        {
            collective->SetAttribute("Operation", StringValue(operation));
            collective->SetAttribute("WidthBits", UintegerValue(32));
        }
        const auto hosts = InvariantChecker::DrawHosts(n, m_domain->GetNHosts(), 1, m_rng);
        InvariantChecker watch(collective, isData ? 1 : ROUNDS, m_rng, LATEST);
        try
        {
            collective->Create(m_domain, hosts);
        }
        catch (const WormholeError& error)
        {
            // What an algorithm may refuse, see doc/design/write-your-own.rst.
            const std::string refusal = error.what();
            if (isData || operation != "ADD" || refusal.find("can't ADD") == std::string::npos)
            {
                throw;
            }
            collective->SetAttribute("Operation", StringValue("MAX"));
            collective->Create(m_domain, hosts);
        }
        Simulator::Run();
        auto trouble = watch.GetTrouble();
        if (trouble.empty())
        {
            collective->Release();
            Simulator::Run();
        }
        else if (isData && !collective->IsReady())
        {
            trouble = "the group was never set up: " + collective->GetFallback();
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
    bool m_hasOneBit;                 ///< whether it has AND of a bit only, as hw-1
    Ptr<UniformRandomVariable> m_rng; ///< random numbers
    Ptr<CollectiveDomain> m_domain;   ///< the fabric's collectives
    const SimulationScope m_scope;    ///< ends before them
};

} // namespace

std::string
CollectiveInvariants::CheckSchedules(const ScheduleMaker& maker,
                                     const CollectiveForm& form,
                                     uint32_t members,
                                     Ptr<UniformRandomVariable> rng)
{
    ScheduleRequest group;
    group.kind = form.kind;
    group.members = members;
    for (const auto& request :
         form.isData ? ListDataRequests(group) : DrawValueRequests(group, rng))
    {
        std::string trouble;
        try
        {
            trouble = ScheduleInvariants::Check(maker, request, form.isData ? nullptr : rng);
        }
        catch (const WormholeError& error)
        {
            trouble = NameMembers(members) + ": " + error.what();
        }
        if (!trouble.empty())
        {
            const auto& parts = request.parts;
            const bool areEqual = std::equal(parts.begin() + 1, parts.end(), parts.begin());
            return trouble + (areEqual ? "" : " (lengths by part)");
        }
    }
    return "";
}

std::string
CollectiveInvariants::Check(const std::string& kind, const std::string& name, uint32_t maxMembers)
{
    constexpr uint32_t MOST = 64;
    WormholeError::ThrowIf(maxMembers == 0 || maxMembers > MOST,
                           std::to_string(maxMembers) + " members: expected 1 to " +
                               std::to_string(MOST));
    auto known = CollectiveHelper::GetKindName(kind);
    const auto make = [&] { return CollectiveHelper::MakeCollective(known, name); };
    const auto first = make();
    const auto& form = first->GetForm();
    const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(first));
    std::vector<uint32_t> sizes(40); // of groups that are not simulated
    std::iota(sizes.begin(), sizes.end(), 1);
    if (!form.isData)
    {
        sizes.insert(sizes.end(), {64, 65, 127, 128});
    }
    const auto rng = MakeRandom();
    const std::vector<std::string> operations{"ADD", "AND", "OR", "MIN", "MAX"};
    uint32_t members = 1;
    try
    {
        for (const auto n : maker ? sizes : std::vector<uint32_t>())
        {
            const auto trouble = CheckSchedules(*maker, form, n, rng);
            if (!trouble.empty())
            {
                return trouble;
            }
        }
        FabricInvariants fabric(name);
        for (; members <= maxMembers; ++members)
        {
            const auto& operation = operations[members % operations.size()];
            const auto trouble = fabric.Check(make(), members, operation);
            if (!trouble.empty())
            {
                return "on a fabric, " + NameMembers(members) +
                       (form.isData ? "" : ", " + operation) + ": " + trouble;
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
