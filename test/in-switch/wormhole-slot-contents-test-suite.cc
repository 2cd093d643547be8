// SPDX-License-Identifier: GPL-2.0-only

// Collectives of data in the switches: contents, groups side by side, and mistakes.

#include "../oracle/slot-oracle.h"
#include "../test-fabrics.h"

#include "ns3/slot-message.h"

using namespace ns3;

SUITE("wormhole-slot-contents", UNIT);

namespace
{

/// @return a small fabric whose buffers hold segments
Ptr<CollectiveDomain>
MakeSlotDomain(uint32_t slotBytes, uint32_t slots = 256)
{
    auto helper =
        WithUnits({{"SlotBytes", std::to_string(slotBytes)}, {"Slots", std::to_string(slots)}});
    return InstallDomain(DrawFabric(12, 20), helper, WithFabric({}, slotBytes + 16));
}

std::vector<uint32_t>
EvenHosts(uint32_t n)
{
    auto hosts = MakeRange(n, 2);
    std::rotate(hosts.begin(), hosts.begin() + n / 3, hosts.end());
    return hosts;
}

TEST_CASE(SlotSumTestCase, "A million integers; floats in the order of ports")
{
    constexpr uint32_t N = 8;
    auto rng = MakeRandom(3);
    StartAnew();
    {
        const auto domain = MakeSlotDomain(8192);
        auto group = CollectiveHelper::MakeData("allreduction", "in-switch[Bytes=4000000]");
        SetUp(group, domain, EvenHosts(N));
        std::vector<std::vector<uint8_t>> inputs;
        std::vector<int32_t> sum(1'000'000);
        for (uint32_t rank = 0; rank < N; ++rank)
        {
            std::vector<int32_t> values(sum.size());
            for (std::size_t i = 0; i < values.size(); ++i)
            {
                values[i] = static_cast<int32_t>(rng->GetInteger(0, 200'000'000)) - 100'000'000;
                sum[i] += values[i];
            }
            inputs.push_back(ToBytes(values));
        }
        EnterWith(group, inputs);
        for (uint32_t rank = 0; rank < N; ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ((group->GetOutput(rank) == ToBytes(sum)), true, "rank " << rank);
        }
        group->Dispose();
    }
    for (const std::string kind : {"allreduction", "reduction"})
    {
        constexpr uint32_t N = 10;
        Simulator::Destroy();
        const auto domain = MakeSlotDomain(40);
        auto group = CollectiveHelper::MakeData(kind, "btin[Bytes=1000|DataType=float32|Root=3]");
        SetUp(group, domain, EvenHosts(N));
        std::vector<std::vector<float>> values(N, std::vector<float>(250));
        std::vector<std::vector<uint8_t>> inputs;
        for (auto& mine : values)
        {
            for (auto& value : mine)
            {
                value = static_cast<float>(rng->GetValue(-1, 1) * std::exp(rng->GetValue(-9, 9)));
            }
            inputs.push_back(ToBytes(mine));
        }
        EnterWith(group, inputs);
        // Every switch from the top down: its ports in order, each the sum of what is below.
        const auto& graph = domain->GetGraph();
        const auto& tree = group->GetTree();
        const std::function<std::vector<float>(FabricGraph::Node, FabricGraph::Node)> sumOf =
            [&](FabricGraph::Node node, FabricGraph::Node above) {
                if (!graph.IsSwitch(node))
                {
                    return values[group->GetRank(node - graph.GetNSwitches())];
                }
                const auto& entry = *tree.Find(node);
                std::set<FabricGraph::Port> ports(entry.memberPorts.begin(),
                                                  entry.memberPorts.end());
                ports.insert(entry.childPorts.begin(), entry.childPorts.end());
                if (!entry.IsRoot())
                {
                    ports.insert(entry.parentPort);
                }
                std::vector<float> sum;
                for (const auto port : ports)
                {
                    const auto next = graph.Peer(node, port).node;
                    if (next == above)
                    {
                        continue;
                    }
                    const auto more = sumOf(next, node);
                    for (std::size_t i = 0; i < more.size() && !sum.empty(); ++i)
                    {
                        sum[i] = sum[i] + more[i];
                    }
                    sum = sum.empty() ? more : sum;
                }
                return sum;
            };
        const bool isAll = kind == "allreduction";
        const auto top =
            isAll ? tree.GetRootSwitch() : graph.SwitchOf(graph.HostAt(group->GetHost(3))).node;
        const auto wanted = ToBytes(sumOf(top, FabricGraph::NONE));
        for (uint32_t rank = 0; rank < N; ++rank)
        {
            const auto output = group->GetOutput(rank);
            const auto expected = isAll || rank == 3 ? wanted : std::vector<uint8_t>();
            NS_TEST_EXPECT_MSG_EQ((output == expected), true, kind << " of floats, rank " << rank);
        }
        group->Dispose();
    }
}

TEST_CASE(SlotContentsTestCase, "Contents of broadcasts, gathers and total exchanges")
{
    for (const auto& [kind, n] :
         Combine<std::string, uint32_t>({"broadcast", "gather", "alltoall", "allreduction"},
                                        {1, 2, 7}))
    {
        StartAnew();
        const auto domain = MakeSlotDomain(16);
        auto group = CollectiveHelper::MakeData(kind, "btin");
        group->SetAttribute("Root", IntegerValue(n / 2));
        if (kind == "gather" || kind == "alltoall")
        {
            std::string lengths;
            for (uint32_t part = 0; part < (kind == "gather" ? n : n * n); ++part)
            {
                lengths += (part ? "," : "") + std::to_string((part * 5 + 4) % 9 * 4);
            }
            group->SetAttribute("Lengths", StringValue(lengths));
        }
        else
        {
            group->SetAttribute("Bytes", UintegerValue(100));
        }
        SetUp(group, domain, EvenHosts(n));
        const auto& parts = group->GetParts();
        for (uint8_t round = 0; round < 3; ++round)
        {
            // Each byte tells its part, place and round.
            const auto whole = MadeOfNumbers(parts.size(), [&](uint32_t part) {
                return MadeOfNumbers(parts[part], [&](uint32_t at) {
                    return static_cast<uint8_t>(part * 31 + at * 3 + round * 91);
                });
            });
            const auto collect = [&](const std::vector<uint64_t>& list) {
                return JoinedOf(list, [&](uint64_t part) { return whole[part]; });
            };
            EnterWith(group, MadeOf(MakeRange(n), [&](uint32_t rank) {
                          return collect(group->GetInputParts(rank));
                      }));
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                auto wanted = collect(group->GetOutputParts(rank));
                if (kind == "allreduction")
                {
                    auto values = FromBytes<int32_t>(wanted);
                    for (auto& value : values)
                    {
                        value = static_cast<int32_t>(static_cast<uint32_t>(value) * n);
                    }
                    wanted = ToBytes(values);
                }
                const auto where = Text(kind, " of ", n, ", rank ", rank, ", round ", +round);
                Holds(group->GetOutput(rank) == wanted, where);
            }
        }
        group->Release();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(CountHeld(*domain), 0, kind);
        group->Dispose();
    }
}

TEST_CASE(SlotNeighboursTestCase, "Groups of all kinds side by side, and a barrier among them")
{
    auto rng = MakeRandom(91);
    for (uint32_t number = 0; number < 40; ++number)
    {
        const auto what = "case " + std::to_string(number);
        const auto domain = MakeSlotDomain(24, 1000);
        const auto rates = Words("0bps 300Mbps 2Gbps");
        for (uint32_t s = 0; s < domain->GetGraph().GetNSwitches(); ++s)
        {
            const StringValue rate(rates[rng->GetInteger(0, 2)]);
            domain->GetUnit(s)->SetAttribute("CombineRate", rate);
        }
        const std::vector<std::string> kinds =
            Words("allreduction allreduction reduction broadcast gather alltoall");
        std::vector<Ptr<DataCollective>> groups;
        std::vector<std::unique_ptr<SlotRun>> runs;
        for (const auto& kind : kinds)
        {
            const auto n = rng->GetInteger(2, 10);
            auto group = CollectiveHelper::MakeData(kind, "btin");
            group->SetAttribute("Bytes", UintegerValue(4 * rng->GetInteger(1, 60)));
            group->SetAttribute("Window", UintegerValue(rng->GetInteger(1, 9)));
            std::vector<std::vector<int64_t>> gaps(n);
            for (auto& mine : gaps)
            {
                for (uint32_t round = 0; round < 3; ++round)
                {
                    mine.push_back(rng->GetInteger(0, 1'000'000));
                }
            }
            runs.push_back(std::make_unique<SlotRun>(group, gaps));
            group->Create(domain, EvenHosts(n));
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                const auto parts = group->GetInputParts(rank);
                const auto values =
                    parts.size() * (parts.empty() ? 0 : group->GetParts()[parts.front()]) / 4;
                if (!parts.empty())
                {
                    group->SetInput(rank, ToBytes(std::vector<int32_t>(values, 1)));
                }
            }
            groups.push_back(group);
        }
        auto barrier = CollectiveHelper::MakeBarrier("btin");
        uint32_t left = 0;
        Listen(barrier, "Leave", [&](uint32_t, uint64_t) { ++left; });
        Listen(barrier, "Ready", [&](Time) {
            for (uint32_t rank = 0; rank < 8; ++rank)
            {
                Simulator::Schedule(MicroSeconds(5), [&barrier, rank] { barrier->Enter(rank, 1); });
            }
        });
        barrier->Create(domain, EvenHosts(8));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(left, 8, what << ": the barrier");
        for (std::size_t i = 0; i < groups.size(); ++i)
        {
            const auto n = groups[i]->GetNMembers();
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                NS_TEST_ASSERT_MSG_EQ(runs[i]->leaves[rank].size(), 3, what << ", " << kinds[i]);
                const auto wanted = i <= 2 ? static_cast<int32_t>(n) : 1; // those that sum
                for (const auto value : FromBytes<int32_t>(groups[i]->GetOutput(rank)))
                {
                    NS_TEST_ASSERT_MSG_EQ(value, wanted, what << ", " << kinds[i] << " " << rank);
                }
            }
            groups[i]->Release();
        }
        barrier->Release();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(CountHeld(*domain), 0, what);
        for (const auto& group : groups)
        {
            group->Dispose();
        }
        barrier->Dispose();
        Simulator::Destroy();
    }
}

TEST_CASE(SlotRetryTestCase, "A refused group asks again when slots are free")
{
    const auto domain = MakeSlotDomain(32, 8);
    const auto make = [] {
        return DynamicCast<InSwitchDataAllReduction>(
            CollectiveHelper::MakeData("allreduction", "btin[Window=8|Bytes=64]"));
    };
    const auto first = SetUp(make(), domain, EvenHosts(8));
    const auto second = SetUp(make(), domain, EvenHosts(10));
    NS_TEST_EXPECT_MSG_EQ(first->IsReady(), true, "the first");
    NS_TEST_EXPECT_MSG_EQ(first->GetFallback(), "", "the first");
    NS_TEST_EXPECT_MSG_EQ(second->IsRefused(), true, "the second");
    NS_TEST_EXPECT_MSG_EQ(second->IsReady(), false, "the second");
    NS_TEST_EXPECT_MSG_EQ(second->GetFallback().substr(0, 16), "refused: switch ", "the second");
    NS_TEST_EXPECT_MSG_EQ(Refusal([&] { second->Enter(0); }).empty(), false, "it is not ready");
    first->Release();
    Simulator::Run();
    SetUp(second, domain, EvenHosts(10));
    NS_TEST_EXPECT_MSG_EQ(second->IsReady(), true, "the second, later");
    NS_TEST_EXPECT_MSG_EQ(second->GetFallback(), "", "the second, later");
    first->Dispose();
    second->Dispose();
}

TEST_CASE(SlotMistakesTestCase,
          "Buffers too shallow, slots too small, order of ranks, and fallbacks")
{
    const auto domain = MakeSlotDomain(64);
    const auto refusal = [&](const std::string& name,
                             std::vector<uint32_t> hosts,
                             const std::string& attribute = "Bytes",
                             const std::string& value = "1000") {
        return Refusal([&] {
            auto group = CollectiveHelper::MakeData("allreduction", name);
            group->SetAttribute(attribute, StringValue(value));
            group->Create(domain, hosts);
            group->Dispose();
        });
    };
    Contains(refusal("btin[HeaderBytes=200|Bytes=1000]", {0, 1}), "BufferDepth");
    Contains(refusal("btin", {0, 1, 0}), "is a member twice");
    Contains(refusal("btin", {0, 1, 2}, "KeepsOrder", "true"), "not of ranks (KeepsOrder)");
    Contains(refusal("btin[Fallback=btin]", {0, 1, 2}), "in the switches itself");
    Contains(refusal("btin[Fallback=no-such]", {0, 1, 2}), "no-such");
    Simulator::Destroy();
    const auto small = MakeSlotDomain(4);
    const auto wide = CollectiveHelper::MakeData("allreduction", "btin[DataType=float64]");
    Contains(Refusal([&] { wide->Create(small, {0, 1}); }), "CollectiveUnit::SlotBytes");
}

TEST_CASE(SlotPacketTestCase, "A segment as a packet")
{
    SlotMessage message;
    message.kind = SlotMessage::THROUGH;
    message.segment = 77;
    message.bytes = 5;
    message.from = 3;
    message.to = 4;
    const std::vector<uint8_t> segment{1, 2, 3, 4, 250};
    const SlotWorm worm(9,
                        message,
                        13,
                        Create<WormRoute>(WormRoute::Path({0})),
                        std::make_shared<const std::vector<uint8_t>>(segment));
    const auto packet = worm.GetPacket()->Copy();
    NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 36 + 25 + 5, "its length");
    CollectiveMessageHeader first;
    packet->RemoveHeader(first);
    NS_TEST_EXPECT_MSG_EQ(first.message.group, 9, "the group");
    NS_TEST_EXPECT_MSG_EQ(first.message.type, CollectiveMessage::SLOT, "the type");
    SlotMessageHeader second;
    packet->RemoveHeader(second);
    std::ostringstream text;
    second.Print(text);
    const std::string said = "through segment 77 of 5 bytes, 0 slots, from rank 3 to 4, switch 0";
    NS_TEST_EXPECT_MSG_EQ(text.str(), said, "what it says");
    std::vector<uint8_t> rest(packet->GetSize());
    packet->CopyData(rest.data(), packet->GetSize());
    Same(rest, segment, "the segment");
}

} // namespace
