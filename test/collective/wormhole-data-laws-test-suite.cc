/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of data: schedules of all algorithms are run on symbols, for all numbers of members.

#include "../test-case.h"
#include "data-names.h"

#include "ns3/collective-helper.h"
#include "ns3/collective-invariants.h"
#include "ns3/schedule-invariants.h"

using namespace ns3;

namespace
{

/// All algorithms of a kind, in groups of up to 40 members.
class DataLawsTestCase : public TestCase
{
  public:
    /// @param isEvery whether every size up to 40 is tried, not only some
    DataLawsTestCase(DataKind kind, bool isEvery)
        : TestCase("Laws of data: " + DataKindInvariant::GetName(kind) +
                   (isEvery ? ", every size" : "")),
          m_kind(kind),
          m_isEvery(isEvery)
    {
    }

  private:
    void DoRun() override
    {
        const auto& kind = DataKindInvariant::GetName(m_kind);
        for (const auto& name : ListNames())
        {
            const auto made = CollectiveHelper::MakeData(kind, name);
            const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(made));
            if (!maker)
            {
                continue;
            }
            for (const auto members : ListGroupSizes(m_isEvery))
            {
                const auto trouble =
                    CollectiveInvariants::CheckSchedules(*maker, {m_kind, true}, members, nullptr);
                NS_TEST_EXPECT_MSG_EQ(trouble, "", kind << " " << name);
            }
        }
    }

    /// @return all algorithms, with several trees; a hierarchy of leaders with each of the others
    /// between the leaders
    std::vector<std::string> ListNames() const
    {
        auto names = ListSoftwareNames(m_kind);
        if (std::find(names.begin(), names.end(), "tree") != names.end())
        {
            for (const auto* tree : {"sequential", "kary-3", "block-3", "fibo", "fibo-levels"})
            {
                names.push_back(std::string("tree[Tree=") + tree + "]");
            }
        }
        const auto smp = std::find(names.begin(), names.end(), "smp");
        if (smp != names.end())
        {
            names.erase(smp);
            for (std::size_t i = 0, n = names.size(); i < n; ++i)
            {
                names.push_back("smp[Inner=" + names[i] + "]");
            }
        }
        return names;
    }

    DataKind m_kind; ///< the kind
    bool m_isEvery;  ///< whether every size is tried
};

/// @return the trouble of a reduction to rank 0 @param keepsOrder whether order is kept
/// @param waits whether rank 0 takes one after the other
std::string
Check(bool keepsOrder, bool waits, ScheduleStep::Kind kind)
{
    ScheduleRequest request;
    request.kind = DataKind::REDUCTION;
    request.members = 3;
    request.elementBytes = 4;
    request.parts = {4};
    request.keepsOrder = keepsOrder;
    GroupSchedules schedules(request, request.MakeParts());
    for (const uint32_t from : {1, 2})
    {
        if (waits)
        {
            schedules.Wait(0);
        }
        schedules.Pass({from, 0, {{0, 1}}, kind});
    }
    return ScheduleInvariants::Check(schedules, request);
}

/// Receives that follow one another are taken in the order in which they come.
TEST_CASE(DataRaceTestCase, "Laws of data: results that depend on the order in which messages come")
{
    NS_TEST_EXPECT_MSG_EQ(Check(false, false, ScheduleStep::COMBINE), "", "in any order");
    NS_TEST_EXPECT_MSG_EQ(Check(true, true, ScheduleStep::COMBINE), "", "in turn");
    const std::string race = "3 members, root 0, 4 bytes: rank 0 takes block 0 of ranks 1 and 2 "
                             "in the order in which they come";
    NS_TEST_EXPECT_MSG_EQ(Check(true, false, ScheduleStep::COMBINE), race, "combined");
    NS_TEST_EXPECT_MSG_EQ(Check(false, false, ScheduleStep::REPLACE), race, "replaced");
}

TEST_SUITE(DataLawsTestSuite, "wormhole-data-laws", UNIT)
{
    AddTestCase(new DataRaceTestCase, WORMHOLE_TEST_QUICK);
    for (const auto kind : DataKindInvariant::GetAll())
    {
        AddTestCase(new DataLawsTestCase(kind, false), WORMHOLE_TEST_QUICK);
        AddTestCase(new DataLawsTestCase(kind, true), WORMHOLE_TEST_EXTENSIVE);
    }
}

} // namespace
