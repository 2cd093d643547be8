/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What members of collectives of data are given: by all that have to give or by none, and shared
// by who passes it on.

#include "../test-case.h"
#include "../test-fabrics.h"
#include "data-names.h"

#include "ns3/wormhole-data-contents.h"

using namespace ns3;

namespace
{

constexpr uint32_t MEMBERS = 5; ///< of groups, on different hosts where algorithms are in switches

/// A group whose members have 8 elements, or that many of each part, all of the value rank + 1.
class Group
{
  public:
    Group(DataKind kind, const std::string& name, Ptr<CollectiveDomain> domain, uint32_t tasks)
        : m_collective(CollectiveHelper::MakeData(DataKindInvariant::GetName(kind), name))
    {
        const bool isVector = kind == DataKind::REDUCE_SCATTER;
        m_collective->SetAttribute("Bytes", UintegerValue(isVector ? 32 * MEMBERS : 32));
        std::vector<uint32_t> hosts;
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            hosts.push_back(rank / tasks);
            m_collective->SetLeaveCallback(rank, CallbackOf([this](uint64_t) { ++m_nLeft; }));
        }
        m_collective->Create(domain, hosts);
        Simulator::Run();
    }

    ~Group()
    {
        m_collective->Dispose();
    }

    DataCollective& Get() const
    {
        return *m_collective;
    }

    std::vector<uint32_t> ListGivers() const
    {
        std::vector<uint32_t> givers;
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            if (!m_collective->GetInputParts(rank).empty())
            {
                givers.push_back(rank);
            }
        }
        return givers;
    }

    /// Gives a member its data.
    void Give(uint32_t rank) const
    {
        std::vector<uint8_t> bytes(32 * m_collective->GetInputParts(rank).size());
        for (std::size_t i = 0; i < bytes.size(); i += 4)
        {
            bytes[i] = static_cast<uint8_t>(rank + 1);
        }
        m_collective->SetInput(rank, bytes);
    }

    uint32_t GetNLeft() const
    {
        return m_nLeft;
    }

    /// @return whether all have left with as many bytes as they must, none of which are all 0
    bool HasOutputs() const
    {
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            const auto bytes = m_collective->GetOutput(rank);
            const auto wanted = 32 * m_collective->GetOutputParts(rank).size();
            for (std::size_t i = 0; i < bytes.size(); i += 4)
            {
                if (bytes[i] == 0)
                {
                    return false;
                }
            }
            if (bytes.size() != wanted)
            {
                return false;
            }
        }
        return true;
    }

  private:
    Ptr<DataCollective> m_collective; ///< the collective
    uint32_t m_nLeft{0};              ///< how many have left
};

/// All algorithms of all kinds, of which one member is given nothing.
class MissingInputTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(MissingInputTestCase, "A member without contents among others that have them");

    void DoRun() override
    {
        for (const auto kind : DataKindInvariant::GetAll())
        {
            StartAnew();
            const auto domain = InstallDomain(MakeTopology("torus:4x4"));
            for (const auto& name :
                 CollectiveHelper::GetDataNames(DataKindInvariant::GetName(kind)))
            {
                const auto made =
                    CollectiveHelper::MakeData(DataKindInvariant::GetName(kind), name);
                if (!dynamic_cast<const ScheduleMaker*>(PeekPointer(made)))
                {
                    Try(kind, name, domain, 1);
                    continue;
                }
                Try(kind, name, domain, 1 + (name == "smp"));
                Try(kind, name + "[Transport=rdma]", domain, 1);
                Try(kind, name + "[SegmentBytes=8]", domain, 2);
            }
            Simulator::Destroy();
        }
    }

    /// Tries an algorithm.
    void Try(DataKind kind,
             const std::string& name,
             const Ptr<CollectiveDomain>& domain,
             uint32_t tasks)
    {
        const auto what = DataKindInvariant::GetName(kind) + " " + name;
        Group group(kind, name, domain, tasks);
        const auto givers = group.ListGivers();
        const auto last = givers.back();
        for (const auto rank : givers)
        {
            if (rank != last || givers.size() == 1)
            {
                group.Give(rank);
            }
        }
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            if (rank == last && givers.size() > 1)
            {
                const auto error = ErrorOf([&] { group.Get().Enter(rank); });
                Says(error, "rank " + std::to_string(rank) + " has no contents in round 1");
                group.Give(rank); // it may come when it has
            }
            group.Get().Enter(rank);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(group.GetNLeft(), MEMBERS, what << ": who left");
        NS_TEST_EXPECT_MSG_EQ(group.HasOutputs(), true, what << ": outputs");
    }
};

SIMULATION_TEST_CASE(LaterInputTestCase, "Contents in a later round, and too late")
{
    for (const std::string name : {"ring", "recursive-doubling", "tree", "two-trees", "btin"})
    {
        StartAnew();
        {
            // The first to come has no contents, the second has.
            const auto domain = InstallDomain(MakeTopology("torus:4x4"));
            Group group(DataKind::ALL_REDUCTION, name, domain, 1);
            group.Get().Enter(3);
            group.Give(1);
            Refuses([&] { group.Get().Enter(1); },
                    "rank 3 has no contents in round 1, but rank 1 has; expected");
        }
        // Members leave a round without contents one after the other, and enter one with them.
        StartAnew();
        {
            const auto domain = InstallDomain(MakeTopology("torus:4x4"));
            Group group(DataKind::ALL_REDUCTION, name, domain, 1);
            std::vector<uint32_t> rounds(MEMBERS, 0);
            for (uint32_t rank = 0; rank < MEMBERS; ++rank)
            {
                const auto leave = [&, rank](uint64_t) {
                    if (++rounds[rank] < 2)
                    {
                        group.Give(rank);
                        group.Get().Enter(rank);
                    }
                };
                group.Get().SetLeaveCallback(rank, CallbackOf(leave));
                Simulator::Schedule(MicroSeconds(rank), [&, rank] { group.Get().Enter(rank); });
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(std::accumulate(rounds.begin(), rounds.end(), 0U),
                                  2 * MEMBERS,
                                  name << ": rounds");
            NS_TEST_EXPECT_MSG_EQ(group.HasOutputs(), true, name << ": outputs");
            for (uint32_t rank = 0; rank < MEMBERS; ++rank)
            {
                const auto bytes = group.Get().GetOutput(rank);
                NS_TEST_ASSERT_MSG_EQ(bytes.size(), 32U, name << ": length");
                NS_TEST_EXPECT_MSG_EQ(static_cast<uint32_t>(bytes[0]), 1U + 2 + 3 + 4 + 5, name);
            }
        }
        Simulator::Destroy();
    }
}

TEST_CASE(ListedPartsTestCase, "Parts that members have, listed and one by one")
{
    // Checks a member.
    const auto check = [&](DataKind kind, uint32_t n, uint32_t root, uint32_t rank) {
        std::vector<uint64_t> first;
        std::vector<uint64_t> last;
        for (uint64_t part = 0; part < DataKindInvariant::GetNParts(kind, n); ++part)
        {
            if (DataKindInvariant::HoldsInitially(kind, n, root, rank, part))
            {
                first.push_back(part);
            }
            if (!DataKindInvariant::GetFinal(kind, n, root, rank, part).empty())
            {
                last.push_back(part);
            }
        }
        const auto what = DataKindInvariant::GetName(kind) + ", rank " + std::to_string(rank) +
                          " of " + std::to_string(n);
        NS_TEST_EXPECT_MSG_EQ((DataKindInvariant::ListInitial(kind, n, root, rank) == first),
                              true,
                              what);
        NS_TEST_EXPECT_MSG_EQ((DataKindInvariant::ListFinal(kind, n, root, rank) == last),
                              true,
                              what);
    };
    for (const auto kind : DataKindInvariant::GetAll())
    {
        for (const uint32_t n : {1, 2, 3, 7})
        {
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                check(kind, n, n / 2, rank);
            }
        }
    }
}

/// Bytes are passed on, not copied; those that change are the holder's own.
class SharedContentsTestCase : public ModuleTestCase
{
    TEST_CASE_NAME(SharedContentsTestCase, "Contents are shared until they are combined");

    void DoRun() override
    {
        const auto shared = std::make_shared<std::vector<uint8_t>>(std::vector<uint8_t>(8, 1));
        auto contents = Make(DataKind::ALL_GATHER);
        contents->Set(0, 0, {shared, 0});
        Pass(*contents, 0, 1);
        NS_TEST_ASSERT_MSG_NE(contents->Find(1, 0), nullptr, "received");
        NS_TEST_EXPECT_MSG_EQ((contents->Find(1, 0)->bytes == shared), true, "passed on");

        contents = Make(DataKind::ALL_REDUCTION);
        const auto own = std::make_shared<std::vector<uint8_t>>(std::vector<uint8_t>(8, 2));
        for (uint32_t block = 0; block < 2; ++block)
        {
            contents->Set(0, block, {shared, 4 * block});
            contents->Set(1, block, {own, 4 * block});
        }
        Pass(*contents, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(static_cast<uint32_t>((*own)[0]), 2U, "what was given stays");
        NS_TEST_EXPECT_MSG_EQ(static_cast<uint32_t>((*shared)[0]), 1U, "what was sent stays");
        uint32_t nCombined = 0;
        for (uint32_t block = 0; block < 2; ++block)
        {
            const auto held = contents->Find(1, block);
            nCombined += (*held->bytes)[held->offset] == 3;
        }
        NS_TEST_EXPECT_MSG_EQ(nCombined, 1U, "one block was sent and combined");
    }

    /// @return contents of two members of a ring
    std::unique_ptr<DataContents> Make(DataKind kind)
    {
        const auto made = CollectiveHelper::MakeData(DataKindInvariant::GetName(kind), "ring");
        const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(made));
        ScheduleRequest request;
        request.kind = kind;
        request.members = 2;
        request.hosts = {0, 1};
        request.parts.assign(DataKindInvariant::GetNParts(kind, 2), 8);
        request.elementBytes = 4;
        const auto schedules = maker->MakeGroupSchedules(request);
        m_schedules = LinkedSchedules(schedules.members, schedules.layout);
        return std::make_unique<DataContents>(m_schedules, DataType::INT32, DataOperation::SUM);
    }

    /// Passes a member's first message.
    void Pass(DataContents& contents, uint32_t from, uint32_t to)
    {
        auto index = m_schedules.GetFirst(from);
        while (!m_schedules.At(index).IsSend())
        {
            ++index;
        }
        const auto number = contents.PickUp(from, m_schedules.At(index), 1);
        index = m_schedules.GetFirst(to);
        while (!m_schedules.At(index).IsReceive())
        {
            ++index;
        }
        contents.PutDown(to, m_schedules.At(index), number);
    }

    LinkedSchedules m_schedules; ///< the members' schedules
};

static ListedTestSuite g_dataInputTestSuite("wormhole-data-input",
                                            {new MissingInputTestCase,
                                             new LaterInputTestCase,
                                             new ListedPartsTestCase,
                                             new SharedContentsTestCase});

} // namespace
