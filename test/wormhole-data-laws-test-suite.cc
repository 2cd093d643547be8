/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of data: schedules of all algorithms are run on symbols, for all numbers of members.

#include "data-names.h"
#include "test-tools.h"

#include "ns3/collective-helper.h"
#include "ns3/data-laws.h"
#include "ns3/object-factory.h"
#include "ns3/test.h"
#include "ns3/wormhole-compat.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return what an algorithm is asked for @param kind the kind @param members how many
/// @param bytes of each part, or of the vector; with 12, neighbours are on different hosts
/// @param tasks members of a host
ScheduleRequest
MakeRequest(DataKind kind, uint32_t members, uint64_t bytes, uint32_t tasks)
{
    ScheduleRequest request;
    request.kind = kind;
    request.members = members;
    request.root = (members * 7) / 11;
    request.elementBytes = 4;
    for (uint32_t rank = 0; rank < members; ++rank)
    {
        request.hosts.push_back(bytes == 12 ? rank % ((members + tasks - 1) / tasks)
                                            : rank / tasks);
    }
    request.parts.assign(DataKindLaw::GetNParts(kind, members), bytes);
    return request;
}

/// All algorithms of a kind, in groups of 1 to 40 members.
class DataLawsTestCase : public TestCase
{
  public:
    /// @param kind the kind
    explicit DataLawsTestCase(DataKind kind)
        : TestCase("Laws of data: " + DataKindLaw::GetName(kind)),
          m_kind(kind)
    {
    }

  private:
    void DoRun() override
    {
        const auto& kind = DataKindLaw::GetName(m_kind);
        for (const auto& name : ListNames())
        {
            const auto made = CollectiveHelper::MakeData(kind, name);
            const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(made));
            for (uint32_t members = 1; maker && members <= 40; members += IS_SANITIZED ? 7 : 1)
            {
                CheckGroup(name, *maker, members);
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

    /// Checks a group. @param name name of the algorithm @param maker the algorithm
    /// @param members how many
    void CheckGroup(const std::string& name, const ScheduleMaker& maker, uint32_t members)
    {
        for (const uint64_t bytes : {4, 12, 64, 200})
        {
            if (members > 16 && (bytes == 12 || bytes == 200) == (members % 2 == 0))
            {
                continue; // half of the lengths each
            }
            for (const uint64_t segment : {0, 16})
            {
                for (const bool keepsOrder : {false, true})
                {
                    if (keepsOrder && !DataKindLaw::Combines(m_kind))
                    {
                        continue;
                    }
                    const auto tasks = 1 + (members + bytes) % 3;
                    auto request = MakeRequest(m_kind, members, bytes, tasks);
                    request.segmentBytes = segment;
                    request.keepsOrder = keepsOrder;
                    CheckRequest(name, maker, request);
                    for (std::size_t part = 0; part < request.parts.size(); ++part)
                    {
                        request.parts[part] = (part * 12 + bytes) % 40 / 4 * 4;
                    }
                    if (request.parts.size() > 1 && request.GetBytes() > 0)
                    {
                        CheckRequest(name + ", lengths by part", maker, request);
                    }
                }
            }
        }
    }

    /// Checks a group with its data. @param what what is checked @param maker the algorithm
    /// @param request the group and its data
    void CheckRequest(const std::string& what,
                      const ScheduleMaker& maker,
                      const ScheduleRequest& request)
    {
        std::string trouble;
        try
        {
            trouble = DataLaws::Check(maker, request);
        }
        catch (const WormholeError& error)
        {
            trouble = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(trouble, "", DataKindLaw::GetName(m_kind) << " " << what);
    }

    DataKind m_kind; ///< the kind
};

/// Receives that follow one another are taken in the order in which they come.
class DataRaceTestCase : public TestCase
{
  public:
    DataRaceTestCase()
        : TestCase("Laws of data: results that depend on the order in which messages come")
    {
    }

  private:
    /// @return the trouble of a reduction to rank 0 @param keepsOrder whether order is kept
    /// @param waits whether rank 0 takes one after the other @param kind what it does
    static std::string Check(bool keepsOrder, bool waits, ScheduleStep::Kind kind)
    {
        auto request = MakeRequest(DataKind::REDUCTION, 3, 4, 1);
        request.root = 0;
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
        return DataLaws::Check(schedules, request);
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Check(false, false, ScheduleStep::COMBINE), "", "in any order");
        NS_TEST_EXPECT_MSG_EQ(Check(true, true, ScheduleStep::COMBINE), "", "in turn");
        const std::string race =
            "3 members, root 0, 4 bytes: rank 0 takes block 0 of ranks 1 and 2 "
            "in the order in which they come";
        NS_TEST_EXPECT_MSG_EQ(Check(true, false, ScheduleStep::COMBINE), race, "combined");
        NS_TEST_EXPECT_MSG_EQ(Check(false, false, ScheduleStep::REPLACE), race, "replaced");
    }
};

/// Laws of collectives of data.
class DataLawsTestSuite : public TestSuite
{
  public:
    DataLawsTestSuite()
        : TestSuite("wormhole-data-laws", Type::UNIT)
    {
        AddTestCase(new DataRaceTestCase, WORMHOLE_TEST_QUICK);
        for (const auto kind : DataKindLaw::GetAll())
        {
            AddTestCase(new DataLawsTestCase(kind), WORMHOLE_TEST_QUICK);
        }
    }
};

/// The suite.
DataLawsTestSuite g_dataLawsTestSuite;

} // namespace
