/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-bench.h"

#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

namespace
{

/// Notes when members leave.
struct LeaveRecorder
{
    uint32_t nLeft{0}; ///< members that have left
    Time last;         ///< when the last of them did

    /// A member leaves.
    void Leave(uint32_t, uint64_t)
    {
        ++nLeft;
        last = Simulator::Now();
    }
};

/// Simulated time between the end of one thing and the start of the next: all channels are free.
constexpr int64_t PAUSE_US = 1000;

} // namespace

BarrierBench::BarrierBench(const FabricGraph& graph,
                           const WormholeHelper& fabrics,
                           const CollectiveHelper& collectives)
    : m_domain(collectives.Install(fabrics.Install(graph), graph))
{
    m_domain->GetFabric()->Start();
}

Ptr<CollectiveDomain>
BarrierBench::GetDomain() const
{
    return m_domain;
}

void
BarrierBench::CreateGroup(Ptr<Barrier> barrier, const std::vector<uint32_t>& hosts)
{
    barrier->Create(m_domain, hosts);
    Simulator::Run();
    if (!barrier->IsReady())
    {
        throw WormholeError(
            "group " + std::to_string(barrier->GetGroup()) + " of " + std::to_string(hosts.size()) +
            " members was never set up: " + m_domain->GetFabric()->ExplainDeadlock());
    }
}

BarrierBench::Crossing
BarrierBench::Cross(Ptr<Barrier> barrier)
{
    const auto before = m_domain->GetFabric()->GetCounts();
    const auto start = Simulator::Now() + MicroSeconds(PAUSE_US);
    LeaveRecorder recorder;
    const auto leave = MakeCallback(&LeaveRecorder::Leave, &recorder);
    barrier->TraceConnectWithoutContext("Leave", leave);
    Simulator::Schedule(MicroSeconds(PAUSE_US), &BarrierBench::EnterAll, barrier);
    Simulator::Run();
    barrier->TraceDisconnectWithoutContext("Leave", leave);
    if (recorder.nLeft != barrier->GetNMembers())
    {
        throw WormholeError("only " + std::to_string(recorder.nLeft) + " of " +
                            std::to_string(barrier->GetNMembers()) + " members left the barrier: " +
                            m_domain->GetFabric()->ExplainDeadlock());
    }
    const auto& after = m_domain->GetFabric()->GetCounts();
    return {recorder.last - start,
            after.wormHops - before.wormHops,
            after.flitHops - before.flitHops};
}

void
BarrierBench::Dissolve(Ptr<Barrier> barrier)
{
    barrier->Release();
    Simulator::Run();
}

void
BarrierBench::EnterAll(Ptr<Barrier> barrier)
{
    for (uint32_t rank = 0; rank < barrier->GetNMembers(); ++rank)
    {
        barrier->Enter(rank);
    }
}

} // namespace ns3
