/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of data in the switches: times against an oracle that moves every flit.

#include "../oracle/slot-oracle.h"
#include "../oracle/slot-run.h"
#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/collective-unit.h"
#include "ns3/data-rate.h"
#include "ns3/integer.h"
#include "ns3/reduction-slots.h"

using namespace ns3;

namespace
{

/// @return a group's collectives on a case's fabric
Ptr<CollectiveDomain>
InstallCase(const SlotCase& slotCase, uint32_t slots)
{
    WormholeHelper fabricHelper;
    fabricHelper.SetFabricAttribute("FlitTime", TimeValue(TimeStep(slotCase.flitTimePs)));
    fabricHelper.SetFabricAttribute("FlitSize", UintegerValue(slotCase.flitBytes));
    fabricHelper.SetSwitchAttribute("Delay", TimeValue(TimeStep(slotCase.switchDelayPs)));
    fabricHelper.SetDeviceAttribute("Delay", TimeValue(TimeStep(slotCase.deviceDelayPs)));
    fabricHelper.SetChannelAttribute("Delay", TimeValue(TimeStep(slotCase.linkDelayPs)));
    fabricHelper.SetPortAttribute("BufferDepth", UintegerValue(slotCase.depth));
    CollectiveHelper helper;
    helper.SetUnitAttribute("Slots", UintegerValue(slots));
    helper.SetUnitAttribute("SlotBytes", UintegerValue(slotCase.slotBytes));
    helper.SetUnitAttribute("CombineRate", DataRateValue(DataRate(slotCase.combineBps)));
    helper.SetSoftwareAttribute("StartUp", TimeValue(TimeStep(slotCase.startUpPs)));
    helper.SetSoftwareAttribute("ReceiveOverhead", TimeValue(TimeStep(slotCase.receivePs)));
    auto fabric = fabricHelper.Install(slotCase.graph);
    return helper.Install(fabric, slotCase.graph);
}

Ptr<DataCollective>
MakeCollective(const SlotCase& slotCase)
{
    auto group = CollectiveHelper::MakeData(DataKindInvariant::GetName(slotCase.kind), "btin");
    group->SetAttribute("Bytes", UintegerValue(slotCase.bytes));
    group->SetAttribute("Window", UintegerValue(slotCase.window));
    group->SetAttribute("HeaderBytes", UintegerValue(slotCase.headerBytes));
    group->SetAttribute("AdmissionBytes", UintegerValue(1));
    if (DataKindInvariant::HasRoot(slotCase.kind))
    {
        group->SetAttribute("Root", IntegerValue(slotCase.root));
    }
    return group;
}

std::string
Print(const std::vector<std::vector<int64_t>>& times, int64_t start)
{
    std::ostringstream text;
    for (const auto& rounds : times)
    {
        for (const auto time : rounds)
        {
            text << time - start << " ";
        }
        text << "| ";
    }
    return text.str();
}

/// All members leave when the oracle says, to the ps, and no slot is left in use.
class SlotOracleTestCase : public SimulationTestCase
{
  public:
    SlotOracleTestCase(DataKind kind, uint32_t nCases)
        : SimulationTestCase("Flit by flit: " + DataKindInvariant::GetName(kind)),
          m_kind(kind),
          m_nCases(nCases)
    {
    }

  private:
    void DoRun() override
    {
        auto rng = MakeRandom(40 + static_cast<int64_t>(m_kind));
        for (uint32_t i = 0; i < m_nCases; ++i)
        {
            const auto slotCase = MakeRandomSlotCase(rng, m_kind);
            UseScheduler(i % 2 ? "Map" : "Wormhole");
            const auto n = static_cast<uint32_t>(slotCase.hosts.size());
            const bool isByMember = m_kind == DataKind::GATHER || m_kind == DataKind::ALL_TO_ALL;
            const auto slots = slotCase.window * (isByMember ? n : 1);
            auto domain = InstallCase(slotCase, slots);
            auto group = MakeCollective(slotCase);
            SlotRun run(group, slotCase.gaps);
            group->Create(domain, slotCase.hosts);
            const auto top = group->GetTree().GetRootSwitch();
            Simulator::Run();
            const auto wanted = MoveSegmentsFlitByFlit(slotCase, top, run.start);
            NS_TEST_ASSERT_MSG_EQ(Print(run.leaves, run.start),
                                  Print(wanted, run.start),
                                  "case " << i << " of " << DataKindInvariant::GetName(m_kind));
            group->Release();
            Simulator::Run();
            for (uint32_t s = 0; s < slotCase.graph.GetNSwitches(); ++s)
            {
                const auto unit = domain->GetUnit(s);
                NS_TEST_ASSERT_MSG_EQ(unit->GetNFreeSlots(), slots, "case " << i);
                if (const auto held = unit->GetSlots())
                {
                    NS_TEST_ASSERT_MSG_EQ(held->GetNHeld(), 0, "case " << i);
                    NS_TEST_ASSERT_MSG_GT(held->GetMaxHeld(), 0, "case " << i);
                }
            }
            group->Dispose();
            Simulator::Destroy();
        }
    }

    DataKind m_kind;   ///< the kind
    uint32_t m_nCases; ///< how many
};

static ListedTestSuite g_reductionSlotTestSuite(
    "wormhole-reduction-slot",
    {new SlotOracleTestCase(DataKind::ALL_REDUCTION, 500),
     new SlotOracleTestCase(DataKind::REDUCTION, 100),
     new SlotOracleTestCase(DataKind::BROADCAST, 100),
     new SlotOracleTestCase(DataKind::GATHER, 100),
     new SlotOracleTestCase(DataKind::ALL_TO_ALL, 100)},
    {new SlotOracleTestCase(DataKind::ALL_REDUCTION, 20'000),
     new SlotOracleTestCase(DataKind::REDUCTION, 300),
     new SlotOracleTestCase(DataKind::BROADCAST, 300),
     new SlotOracleTestCase(DataKind::GATHER, 300),
     new SlotOracleTestCase(DataKind::ALL_TO_ALL, 300)});

} // namespace
