/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-laws.h"

#include "ns3/collective-helper.h"
#include "ns3/collective-watch.h"
#include "ns3/data-collective.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/nstime.h"
#include "ns3/schedule-laws.h"
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

/// @return whether a refusal is of what an algorithm may refuse, see doc/design/write-your-own.rst
bool
MayRefuse(const std::string& refusal)
{
    return refusal.find("can't ADD") != std::string::npos;
}

std::string
NameMembers(uint32_t members)
{
    return std::to_string(members) + (members == 1 ? " member" : " members");
}

/// @return why a law of schedules does not hold; empty: all hold
std::string
CheckRequest(const ScheduleMaker& maker,
             const ScheduleRequest& request,
             Ptr<UniformRandomVariable> rng = nullptr)
{
    try
    {
        return ScheduleLaws::Check(maker, request, rng);
    }
    catch (const WormholeError& error)
    {
        return NameMembers(request.members) + ": " + error.what();
    }
}

/// @return why a law of schedules of one value does not hold; empty: all hold
std::string
CheckValueSchedules(DataKind kind, const ScheduleMaker& maker)
{
    std::vector<uint32_t> sizes(40);
    std::iota(sizes.begin(), sizes.end(), 1);
    sizes.insert(sizes.end(), {64, 65, 127, 128});
    const auto rng = MakeRandom();
    for (const auto n : sizes)
    {
        ScheduleRequest request;
        request.kind = kind;
        request.members = n;
        request.root = rng->GetInteger(0, n - 1);
        request.s = MicroSeconds(rng->GetInteger(1, 5));
        request.r = MicroSeconds(rng->GetInteger(0, 20));
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            request.hosts.push_back(rng->GetInteger(0, n / 2));
        }
        const auto trouble = CheckRequest(maker, request, rng);
        if (!trouble.empty())
        {
            return trouble;
        }
    }
    return "";
}

/// Runs groups of an algorithm on a fabric.
class FabricLaws
{
  public:
    explicit FabricLaws(const std::string& name)
        : m_hasOneBit(name.find("hw-1") != std::string::npos),
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

    /// @return why a law does not hold in one group that has values; empty: all hold
    std::string Check(Ptr<Collective> collective,
                      const std::string& kind,
                      uint32_t n,
                      const std::string& operation)
    {
        constexpr uint32_t ROUNDS = 3;
        constexpr uint32_t LATEST = 20'000'000; // ps
        if (!m_hasOneBit)
        {
            collective->SetAttribute("Operation", StringValue(operation));
            collective->SetAttribute("WidthBits", UintegerValue(32));
        }
        const auto hosts = CollectiveWatch::DrawHosts(n, m_domain->GetNHosts(), 1, m_rng);
        CollectiveWatch watch(collective, kind, ROUNDS, m_rng, LATEST);
        try
        {
            collective->Create(m_domain, hosts);
        }
        catch (const WormholeError& error)
        {
            if (operation != "ADD" || !MayRefuse(error.what()))
            {
                throw;
            }
            collective->SetAttribute("Operation", StringValue("MAX"));
            collective->Create(m_domain, hosts);
        }
        Simulator::Run();
        return End(collective, watch.GetTrouble());
    }

    /// @return why a law does not hold in one group that has data; empty: all hold
    std::string CheckData(Ptr<DataCollective> collective, uint32_t n)
    {
        constexpr uint32_t LATEST = 20'000'000; // ps
        collective->SetAttribute("Bytes", UintegerValue(sizeof(int32_t) * 3 * n));
        collective->Create(m_domain,
                           CollectiveWatch::DrawHosts(n, m_domain->GetNHosts(), 1, m_rng));
        Simulator::Run();
        if (!collective->IsReady())
        {
            collective->Dispose();
            return "the group was never set up: " + collective->GetFallback();
        }
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            GiveInput(*collective, rank);
        }
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            Simulator::Schedule(PicoSeconds(m_rng->GetInteger(0, LATEST)),
                                &Collective::Enter,
                                Ptr<Collective>(collective),
                                rank,
                                0);
        }
        Simulator::Run();
        std::string trouble;
        for (uint32_t rank = 0; rank < n && trouble.empty(); ++rank)
        {
            trouble = CheckOutput(*collective, rank);
        }
        return End(collective, trouble);
    }

  private:
    static int32_t GetElement(uint32_t rank, uint64_t part, uint64_t index)
    {
        return static_cast<int32_t>(1 + rank * 1009 + part * 31 + index);
    }

    static void GiveInput(DataCollective& collective, uint32_t rank)
    {
        std::vector<int32_t> elements;
        for (const auto part : collective.GetInputParts(rank))
        {
            for (uint64_t i = 0; i < collective.GetParts()[part] / sizeof(int32_t); ++i)
            {
                elements.push_back(GetElement(rank, part, i));
            }
        }
        std::vector<uint8_t> bytes(elements.size() * sizeof(int32_t));
        std::copy_n(reinterpret_cast<const uint8_t*>(elements.data()), bytes.size(), bytes.data());
        collective.SetInput(rank, bytes);
    }

    /// @return why what a member left with is wrong; empty: it is right
    static std::string CheckOutput(const DataCollective& collective, uint32_t rank)
    {
        const auto kind = collective.GetKind();
        const auto root = DataKindLaw::HasRoot(kind) ? collective.GetRoot() : 0;
        std::vector<int32_t> wanted;
        for (const auto part : collective.GetOutputParts(rank))
        {
            const auto from =
                DataKindLaw::GetAtLast(kind, collective.GetNMembers(), root, rank, part);
            for (uint64_t i = 0; i < collective.GetParts()[part] / sizeof(int32_t); ++i)
            {
                wanted.push_back(0);
                for (const auto other : from)
                {
                    wanted.back() += GetElement(other, part, i);
                }
            }
        }
        const auto bytes = collective.GetOutput(rank);
        const bool isRight =
            bytes.size() == wanted.size() * sizeof(int32_t) &&
            std::equal(bytes.begin(), bytes.end(), reinterpret_cast<const uint8_t*>(wanted.data()));
        return isRight ? ""
                       : "rank " + std::to_string(rank) + " leaves with " +
                             (bytes.empty() ? "nothing" : "wrong data");
    }

    std::string End(Ptr<Collective> collective, std::string trouble)
    {
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

    bool m_hasOneBit;                 ///< whether it has AND of a bit only, as hw-1
    Ptr<UniformRandomVariable> m_rng; ///< random numbers
    Ptr<CollectiveDomain> m_domain;   ///< the fabric's collectives
};

} // namespace

std::string
CollectiveLaws::CheckSchedules(const ScheduleMaker& maker, DataKind kind, uint32_t members)
{
    for (const uint64_t bytes : {4, 12, 64, 200})
    {
        if (members > 16 && (bytes == 12 || bytes == 200) == (members % 2 == 0))
        {
            continue; // half of the lengths each
        }
        const auto tasks = 1 + (members + bytes) % 3;
        ScheduleRequest request;
        request.kind = kind;
        request.members = members;
        request.root = (members * 7) / 11;
        request.elementBytes = 4;
        for (uint32_t rank = 0; rank < members; ++rank)
        {
            // With 12 bytes, neighbours are on different hosts.
            request.hosts.push_back(bytes == 12 ? rank % ((members + tasks - 1) / tasks)
                                                : rank / tasks);
        }
        for (const uint64_t segment : {0, 16})
        {
            for (const bool keepsOrder : {false, true})
            {
                if (keepsOrder && !DataKindLaw::Combines(kind))
                {
                    continue;
                }
                request.parts.assign(DataKindLaw::GetNParts(kind, members), bytes);
                request.segmentBytes = segment;
                request.keepsOrder = keepsOrder;
                auto trouble = CheckRequest(maker, request);
                for (std::size_t part = 0; part < request.parts.size(); ++part)
                {
                    request.parts[part] = (part * 12 + bytes) % 40 / 4 * 4;
                }
                if (trouble.empty() && request.parts.size() > 1 && request.GetBytes() > 0)
                {
                    trouble = CheckRequest(maker, request);
                    trouble += trouble.empty() ? "" : " (lengths by part)";
                }
                if (!trouble.empty())
                {
                    return trouble;
                }
            }
        }
    }
    return "";
}

std::string
CollectiveLaws::Check(const std::string& kind, const std::string& name, uint32_t maxMembers)
{
    constexpr uint32_t MOST = 64;
    if (maxMembers == 0 || maxMembers > MOST)
    {
        throw WormholeError(std::to_string(maxMembers) + " members: accepted are 1 to " +
                            std::to_string(MOST));
    }
    auto known = CollectiveHelper::GetKindName(kind);
    const auto make = [&] { return CollectiveHelper::MakeCollective(known, name); };
    const auto first = make();
    const bool isData = DynamicCast<DataCollective>(first) != nullptr;
    const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(first));
    // An all-reduction of a value is a barrier.
    const auto kindOfValue = DataKindLaw::GetName(first->GetKind());
    const std::vector<std::string> operations{"ADD", "AND", "OR", "MIN", "MAX"};
    uint32_t members = 1;
    std::string trouble;
    try
    {
        constexpr uint32_t MOST_PURE = 40; // members of groups that are not simulated
        if (maker && !isData)
        {
            trouble = CheckValueSchedules(first->GetKind(), *maker);
        }
        for (uint32_t n = 1; maker && isData && trouble.empty() && n <= MOST_PURE; ++n)
        {
            trouble = CheckSchedules(*maker, first->GetKind(), n);
        }
        if (!trouble.empty())
        {
            return trouble;
        }
        FabricLaws fabric(name);
        for (; members <= maxMembers; ++members)
        {
            const auto& operation = operations[members % operations.size()];
            trouble = isData ? fabric.CheckData(StaticCast<DataCollective>(make()), members)
                             : fabric.Check(make(), kindOfValue, members, operation);
            if (!trouble.empty())
            {
                return "on a fabric, " + NameMembers(members) + (isData ? "" : ", " + operation) +
                       ": " + trouble;
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
