// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

#include "ns3/data-contents.h"
#include "ns3/schedule-invariants.h"

using namespace ns3;

// What members of collectives of data are given: by all that have to give or by none, and shared
// by who passes it on.
SUITE("wormhole-data-input", UNIT);

namespace
{

constexpr uint32_t MEMBERS = 5; ///< of groups, on different hosts where algorithms are in switches

/// A group whose members have 8 elements, or that many of each part, all of the value rank + 1.
class Group
{
  public:
    Group(DataKind kind, const std::string& name, Ptr<CollectiveDomain> domain, uint32_t tasks)
        : m_collective(MakeData(kind, name))
    {
        const bool isVector = kind == DataKind::REDUCE_SCATTER;
        m_collective->SetAttribute("Bytes", UintegerValue(isVector ? 32 * MEMBERS : 32));
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            m_collective->SetLeaveCallback(rank, CallbackOf([this](uint64_t) { ++m_nLeft; }));
        }
        SetUp(m_collective, domain, MadeOfNumbers(MEMBERS, [=](auto rank) {
                  return rank / tasks;
              }));
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
        return ThoseOf(MakeRange(MEMBERS), [this](uint32_t rank) {
            return !m_collective->GetInputParts(rank).empty();
        });
    }

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
        bool areRight = true;
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            const auto bytes = m_collective->GetOutput(rank);
            areRight &= bytes.size() == 32 * m_collective->GetOutputParts(rank).size();
            for (std::size_t i = 0; i < bytes.size(); i += 4)
            {
                areRight &= bytes[i] != 0;
            }
        }
        return areRight;
    }

  private:
    Ptr<DataCollective> m_collective; ///< the collective
    uint32_t m_nLeft{0};              ///< how many have left
};

TEST_CASE(MissingInputTestCase, "A member without contents among others that have them")
{
    const auto tryOne = [&](DataKind kind,
                            const std::string& name,
                            const Ptr<CollectiveDomain>& domain,
                            uint32_t tasks) {
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
    };
    for (const auto kind : DataKindInvariant::GetAll())
    {
        StartAnew();
        const auto domain = InstallDomain(MakeTopology("torus:4x4"));
        for (const auto& name : ListDataNames(kind))
        {
            if (!dynamic_cast<const ScheduleMaker*>(PeekPointer(MakeData(kind, name))))
            {
                tryOne(kind, name, domain, 1);
                continue;
            }
            tryOne(kind, name, domain, 1 + (name == "smp"));
            tryOne(kind, name + "[Transport=rdma]", domain, 1);
            tryOne(kind, name + "[SegmentBytes=8]", domain, 2);
        }
    }
}

TEST_CASE(LaterInputTestCase, "Contents in a later round, and too late")
{
    for (const std::string name : {"ring", "recursive-doubling", "tree", "two-trees", "btin"})
    {
        const auto make = [&name = name] {
            StartAnew();
            const auto domain = InstallDomain(MakeTopology("torus:4x4"));
            return std::make_unique<Group>(DataKind::ALL_REDUCTION, name, domain, 1);
        };
        // The first to come has no contents, the second has.
        auto its = make();
        its->Get().Enter(3);
        its->Give(1);
        Refuses([&] { its->Get().Enter(1); },
                "rank 3 has no contents in round 1, but rank 1 has; expected");
        its = nullptr;
        // Members leave a round without contents one after the other, and enter one with them.
        its = make();
        auto& group = *its;
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
        Equals(std::accumulate(rounds.begin(), rounds.end(), 0U), 2 * MEMBERS, name + ": rounds");
        NS_TEST_EXPECT_MSG_EQ(group.HasOutputs(), true, name << ": outputs");
        for (uint32_t rank = 0; rank < MEMBERS; ++rank)
        {
            const auto bytes = group.Get().GetOutput(rank);
            NS_TEST_ASSERT_MSG_EQ(bytes.size(), 32U, name << ": length");
            NS_TEST_EXPECT_MSG_EQ(static_cast<uint32_t>(bytes[0]), 1U + 2 + 3 + 4 + 5, name);
        }
        its = nullptr;
    }
}

TEST_CASE(ListedPartsTestCase, "Parts that members have, listed and one by one")
{
    for (const auto& [kind, n] :
         Combine<DataKind, uint32_t>(DataKindInvariant::GetAll(), {1, 2, 3, 7}))
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            std::vector<uint64_t> parts(DataKindInvariant::GetNParts(kind, n));
            std::iota(parts.begin(), parts.end(), 0);
            const auto first = ThoseOf(parts, [&, kind = kind, n = n](uint64_t part) {
                return DataKindInvariant::HoldsInitially(kind, n, n / 2, rank, part);
            });
            const auto last = ThoseOf(parts, [&, kind = kind, n = n](uint64_t part) {
                return !DataKindInvariant::GetFinal(kind, n, n / 2, rank, part).empty();
            });
            const auto what = Text(DataKindInvariant::GetName(kind), ", rank ", rank, " of ", n);
            Same(DataKindInvariant::ListInitial(kind, n, n / 2, rank), first, what);
            Same(DataKindInvariant::ListFinal(kind, n, n / 2, rank), last, what);
        }
    }
}

TEST_CASE(SharedContentsTestCase, "Contents are shared until they are combined")
{
    LinkedSchedules linked; // the members' schedules
    const auto make = [&](DataKind kind) -> std::unique_ptr<DataContents> {
        const auto schedules = MakeDataSchedules("ring", MakeDataRequest(kind, 2, 8));
        linked = LinkedSchedules(schedules.members, schedules.layout);
        return std::make_unique<DataContents>(linked, DataType::INT32, DataOperation::SUM);
    };
    const auto pass = [&](DataContents& contents, uint32_t from, uint32_t to) {
        auto send = linked.GetFirst(from);
        for (; !linked.At(send).IsSend(); ++send)
        {
        }
        auto receive = linked.GetFirst(to);
        for (; !linked.At(receive).IsReceive(); ++receive)
        {
        }
        contents.PutDown(to, linked.At(receive), contents.PickUp(from, linked.At(send), 1));
    };
    const auto shared = std::make_shared<std::vector<uint8_t>>(std::vector<uint8_t>(8, 1));
    auto contents = make(DataKind::ALL_GATHER);
    contents->Set(0, 0, {shared, 0});
    pass(*contents, 0, 1);
    NS_TEST_ASSERT_MSG_NE(contents->Find(1, 0), nullptr, "received");
    NS_TEST_EXPECT_MSG_EQ((contents->Find(1, 0)->bytes == shared), true, "passed on");

    contents = make(DataKind::ALL_REDUCTION);
    const auto own = std::make_shared<std::vector<uint8_t>>(std::vector<uint8_t>(8, 2));
    for (uint32_t block = 0; block < 2; ++block)
    {
        contents->Set(0, block, {shared, 4 * block});
        contents->Set(1, block, {own, 4 * block});
    }
    pass(*contents, 0, 1);
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

// Collectives of data: schedules of all algorithms are run on symbols, for all numbers of members.
SUITE("wormhole-data-laws", UNIT);

TEST_CASE_WITH(DataLawsTestCase,
               (DataKind kind, bool isEvery),
               "Laws of data: " + DataKindInvariant::GetName(kind) +
                   (isEvery ? ", every size" : ""))
{
    // All algorithms, with several trees; a hierarchy of leaders with each of the others between
    // the leaders.
    auto names = ListSoftwareNames(kind);
    if (IsIn(names, "tree"))
    {
        for (const std::string tree : {"sequential", "kary-3", "block-3", "fibo", "fibo-levels"})
        {
            names.push_back("tree[Tree=" + tree + "]");
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
    for (const auto& name : names)
    {
        const auto made = MakeData(kind, name);
        const auto& maker = dynamic_cast<const ScheduleMaker&>(*made);
        for (const auto members : ListGroupSizes(isEvery))
        {
            const auto trouble =
                CollectiveInvariants::CheckSchedules(maker, {kind, true}, members, nullptr);
            NS_TEST_EXPECT_MSG_EQ(trouble, "", DataKindInvariant::GetName(kind) << " " << name);
        }
    }
}

/// @return the trouble of a reduction to rank 0 @param keepsOrder whether order is kept
/// @param waits whether rank 0 takes one after the other
std::string
Check(bool keepsOrder, bool waits, ScheduleStep::Kind kind)
{
    auto request = MakeDataRequest(DataKind::REDUCTION, 3, 4);
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

TEST_CASE(DataRaceTestCase, "Laws of data: results that depend on the order in which messages come")
{
    NS_TEST_EXPECT_MSG_EQ(Check(false, false, ScheduleStep::COMBINE), "", "in any order");
    NS_TEST_EXPECT_MSG_EQ(Check(true, true, ScheduleStep::COMBINE), "", "in turn");
    const std::string race = "3 members, root 0, 4 bytes: rank 0 takes block 0 of ranks 1 and 2 "
                             "in the order in which they come";
    NS_TEST_EXPECT_MSG_EQ(Check(true, false, ScheduleStep::COMBINE), race, "combined");
    NS_TEST_EXPECT_MSG_EQ(Check(false, false, ScheduleStep::REPLACE), race, "replaced");
}

ADD_CASES()
{
    for (const auto kind : DataKindInvariant::GetAll())
    {
        AddQuick<DataLawsTestCase>(kind, false);
        AddExtensive<DataLawsTestCase>(kind, true);
    }
}

} // namespace
