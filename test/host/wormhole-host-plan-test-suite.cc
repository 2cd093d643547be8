// SPDX-License-Identifier: GPL-2.0-only

#include "../oracle/plain-paths.h"
#include "../test-case.h"

#include "ns3/broadcast-plans.h"
#include "ns3/collective-helper.h"
#include "ns3/collective-invariants.h"

using namespace ns3;

SUITE("wormhole-host-plan", UNIT);

namespace
{

std::vector<uint32_t>
GetSizes(const WorkingSwitches& switches)
{
    return MadeOf(MakeRange(switches.GetSize()), [&](uint32_t number) {
        return static_cast<uint32_t>(switches.GetRanks(number).size());
    });
}

/// What a plan does at unit cost, step by step.
struct Played
{
    uint32_t steps{0};  ///< until the last host has the message
    bool isWhole{true}; ///< whether each host gets it once, by one port
    uint32_t most{0};   ///< messages between two switches in one step, the most
};

/// Plays a plan by the definition: in each step, every host that has the message sends to its next
/// child, if it has one. Hosts wait for channels, as the plan had them wait, if so many are in use.
/// @param channels of each pair of switches
/// @param channelOf which of them leads to each process; empty: any does
Played
Play(const CommunicationTree& tree,
     const std::vector<uint32_t>& sizes,
     uint32_t channels,
     const std::vector<uint32_t>& channelOf = {})
{
    std::vector<uint32_t> switchOf; // by process
    for (uint32_t number = 0; number < sizes.size(); ++number)
    {
        switchOf.insert(switchOf.end(), sizes[number], number);
    }
    Played played;
    std::vector<uint32_t> next(tree.GetSize(), 0);
    std::vector<bool> has(tree.GetSize(), false);
    has[0] = true;
    for (uint32_t left = tree.GetSize() - 1; left > 0; ++played.steps)
    {
        std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> used;
        const auto before = has;
        for (uint32_t process = 0; process < tree.GetSize(); ++process)
        {
            const auto& children = tree.GetChildren(process);
            if (!before[process] || next[process] == children.size())
            {
                continue;
            }
            const auto child = children[next[process]];
            if (switchOf[process] != switchOf[child])
            {
                const auto channel = channelOf.empty() ? 0 : channelOf[child];
                auto& here = used[{switchOf[process], switchOf[child], channel}];
                if (here == (channelOf.empty() ? channels : 1))
                {
                    continue;
                }
                played.most = std::max(played.most, ++here);
            }
            ++next[process];
            played.isWhole = played.isWhole && !has[child];
            has[child] = true;
            --left;
        }
        if (before == has)
        {
            return {played.steps, false, played.most};
        }
    }
    return played;
}

/// An independent greedy schedule by counts alone: in each step, each host that has the message
/// serves its own switch, but for those that switches with more hosts left for each served can use,
/// as far as channels go. @param channels of each pair of switches
uint32_t
CountGreedySteps(std::vector<uint32_t> left, uint32_t channels)
{
    std::vector<uint32_t> has(left.size(), 0);
    has[0] = 1;
    --left[0];
    uint32_t steps = 0;
    while (std::accumulate(left.begin(), left.end(), 0U) > 0)
    {
        ++steps;
        auto senders = has;
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> used;
        for (bool goesOn = true; goesOn;)
        {
            goesOn = false;
            // The switch that has most left for each that has it.
            auto order = MakeRange(static_cast<uint32_t>(left.size()));
            std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
                return uint64_t{left[a]} * std::max(has[b], 1U) * (has[a] == 0 ? 1000 : 1) >
                       uint64_t{left[b]} * std::max(has[a], 1U) * (has[b] == 0 ? 1000 : 1);
            });
            for (const auto to : order)
            {
                // Its own sender, else the one of the switch with least left.
                auto from = order.rbegin();
                const auto can = [&](uint32_t number) {
                    return senders[number] > 0 &&
                           (number == to || used[std::make_pair(number, to)] < channels);
                };
                while (from != order.rend() && !can(*from))
                {
                    ++from;
                }
                if (left[to] == 0 || from == order.rend())
                {
                    continue;
                }
                const auto sender = left[*from] == 0 || !can(to) ? *from : to;
                --senders[sender];
                ++used[std::make_pair(sender, to)];
                --left[to];
                ++has[to];
                goesOn = true;
                break;
            }
        }
    }
    return steps;
}

TEST_CASE(HostPlanTestCase, "any host that has the message as a sender: 120 random placements")
{
    auto draw = MakeRandom(11);
    constexpr uint32_t PLACEMENTS = 120;
    constexpr uint32_t CHANNELS = 2;
    uint32_t over = 0;
    uint32_t greedyOver = 0;
    uint32_t leadersOver = 0;
    for (uint32_t i = 0; i < PLACEMENTS; ++i)
    {
        // As many hosts of four switches of 16 as a job of Roadrunner has.
        auto slots = MakeRange(64);
        Shuffle(slots, *draw);
        const uint32_t jobs[] = {28, 38, 44};
        const uint32_t most = jobs[i % 3];
        slots.resize(4 * draw->GetInteger(2, most / 4));
        std::sort(slots.begin(), slots.end());
        // A message takes any channel, or the one that its receiver's number says.
        const bool byReceiver = i % 2 == 1;
        const auto paths = std::make_shared<PlainPaths>(16, Mesh(4), CHANNELS, Time(0), byReceiver);
        const WorkingSwitches switches(UnitCost(slots, paths));
        const auto sizes = GetSizes(switches);
        const auto channelOf =
            MadeOf(switches.GetAllRanks(), [&](uint32_t rank) { return slots[rank] % CHANNELS; });
        const auto played = Play(HostBroadcastPlan(switches, true).GetTree(),
                                 sizes,
                                 CHANNELS,
                                 byReceiver ? channelOf : std::vector<uint32_t>());
        const auto bound = CeilLog2(static_cast<uint32_t>(slots.size()));
        NS_TEST_ASSERT_MSG_EQ(played.isWhole, true, "each host once, placement " << i);
        NS_TEST_EXPECT_MSG_EQ((played.most <= CHANNELS), true, "channels, placement " << i);
        NS_TEST_EXPECT_MSG_EQ((played.steps >= bound), true, "placement " << i);
        over += played.steps > bound;
        greedyOver += CountGreedySteps(sizes, CHANNELS) > bound;

        const SwitchBroadcastPlan plan(switches, {});
        const auto tree = plan.GetTree();
        uint32_t leaders = 0;
        for (uint32_t number = 0; number < sizes.size(); ++number)
        {
            // Leaders serve other switches first, then their own.
            const auto there = static_cast<uint32_t>(plan.GetArrivals()[number].GetTimeStep());
            const auto others = static_cast<uint32_t>(tree.GetChildren(number).size());
            leaders = std::max(leaders, there + others + CeilLog2(sizes[number]));
        }
        leadersOver += leaders > bound;
    }
    // An independent greedy schedule needs more in hardly any, leaders alone in nearly half.
    NS_TEST_EXPECT_MSG_EQ((greedyOver * 100 <= 3 * PLACEMENTS), true, greedyOver);
    NS_TEST_EXPECT_MSG_EQ((over * 100 <= 3 * PLACEMENTS), true, over);
    NS_TEST_EXPECT_MSG_EQ((leadersOver * 5 >= 2 * PLACEMENTS), true, leadersOver);
}

TEST_CASE(HostPlanShapesTestCase, "any host as a sender: shapes, caps and laws")
{
    auto draw = MakeRandom(12);
    NeedPicoseconds();
    for (uint32_t i = 0; i < 400; ++i)
    {
        const auto count = draw->GetInteger(1, 9);
        const auto channels = draw->GetInteger(1, 4);
        constexpr uint32_t MOST = 20; // hosts of a switch
        std::vector<uint32_t> hosts;
        for (uint32_t number = 0; number < count; ++number)
        {
            const auto size = draw->GetInteger(1, 1 + i % MOST);
            for (uint32_t host = 0; host < size; ++host)
            {
                hosts.push_back(number * MOST + host);
            }
        }
        auto request = UnitCost(hosts, std::make_shared<PlainPaths>(MOST, Mesh(count), channels));
        request.root = draw->GetInteger(0, request.members - 1);
        request.s = Time(draw->GetInteger(1, 5));
        const WorkingSwitches switches(request);
        const auto bound = CeilLog2(request.members);
        const bool hasCaps = i % 2 == 0;
        const auto tree = HostBroadcastPlan(switches, hasCaps).GetTree();
        const auto played = Play(tree, GetSizes(switches), hasCaps ? channels : UINT32_MAX);
        NS_TEST_ASSERT_MSG_EQ(played.isWhole, true, "each host once, case " << i);
        NS_TEST_EXPECT_MSG_EQ((played.steps >= bound), true, "case " << i);
        NS_TEST_EXPECT_MSG_EQ((hasCaps || played.steps == bound), true, "case " << i);
    }
    Equals(CollectiveInvariants::Check("broadcast", "sss-mst[Senders=informed]"), "", "laws");
    Refuses([] { CollectiveHelper::MakeBroadcast("sss-mst[Senders=everybody]"); }, "leaders");
}

} // namespace
