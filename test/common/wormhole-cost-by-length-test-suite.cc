// SPDX-License-Identifier: GPL-2.0-only

#include "../test-case.h"

#include "ns3/wormhole-attribute-text.h"
#include "ns3/wormhole-cost-by-length.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-host-software.h"

using namespace ns3;

SUITE("wormhole-cost-by-length", UNIT);

namespace
{

int64_t
At(const std::string& table, uint64_t bytes)
{
    return CostByLength::Parse(table).At(bytes).GetPicoSeconds();
}

TEST_CASE(WrittenTablesTestCase, "Tables with breaks, and their texts")
{
    const std::string table = "0:1us,4KiB:3us,1MiB:90us";
    NS_TEST_EXPECT_MSG_EQ(At(table, 0), 1000000, "first");
    NS_TEST_EXPECT_MSG_EQ(At(table, 1024), 1500000, "a quarter on");
    NS_TEST_EXPECT_MSG_EQ(At(table, 4096), 3000000, "second");
    NS_TEST_EXPECT_MSG_EQ(At(table, 1048576), 90000000, "last");
    NS_TEST_EXPECT_MSG_EQ(At(table, 2 * 1048576 - 4096), 177000000, "as far on again");
    NS_TEST_EXPECT_MSG_EQ(At("8:1us,16:2us", 3), 1000000, "below the first");
    const std::string broken = "0:0,8:8ns,8:20ns,16:28ns,16:1us";
    NS_TEST_EXPECT_MSG_EQ(At(broken, 7), 7000, "before a break");
    NS_TEST_EXPECT_MSG_EQ(At(broken, 8), 20000, "from a break on");
    NS_TEST_EXPECT_MSG_EQ(At(broken, 1 << 30), 1000000, "behind a break at the end");
    NS_TEST_EXPECT_MSG_EQ(At("0:2us,10:1us,20:1us", 5), 1500000, "a line that falls");
    NS_TEST_EXPECT_MSG_EQ(At("5us", 99), 5000000, "a single value");
    NS_TEST_EXPECT_MSG_EQ(At("7:5us", 99), 5000000, "a single entry");
    for (const auto& text : {table, broken, std::string("2us"), std::string("100:1ps,3GiB:1s")})
    {
        const auto printed = CostByLength::Parse(text).Print();
        NS_TEST_EXPECT_MSG_EQ(CostByLength::Parse(printed).Print(), printed, text);
        NS_TEST_EXPECT_MSG_EQ(At(printed, 12345), At(text, 12345), text << " printed");
    }
    NS_TEST_EXPECT_MSG_EQ(CostByLength::Parse("0:1us,4kB:3us").Print(), "0:1us,4000:3us", "units");
}

/// Judges a rounded time by what rounding half up means, not by how it is done.
TEST_CASE(DrawnTablesTestCase, "Random tables: the time between, half up to the ps")
{
    auto draw = MakeRandom(71);
    for (uint32_t i = 0; i < 2000; ++i)
    {
        const uint64_t from = draw->GetInteger(0, 1000);
        const uint64_t to = from + draw->GetInteger(1, i % 2 ? 100 : 1000000000);
        const int64_t least = draw->GetInteger(0, 1000000000);
        const int64_t most = least + draw->GetInteger(0, i % 3 ? 1000 : 1000000000);
        const uint64_t bytes = from + draw->GetInteger(0, 2000000000);
        const auto time = At(std::to_string(from) + ":" + std::to_string(least) + "ps," +
                                 std::to_string(to) + ":" + std::to_string(most) + "ps",
                             bytes);
        // (time - least) (to - from) is (most - least) (bytes - from), within half of (to - from).
        const auto given = static_cast<long double>(most - least) * (bytes - from);
        const auto got = static_cast<long double>(time - least) * (to - from);
        NS_TEST_ASSERT_MSG_EQ((2 * (given - got) < to - from), true, "case " << i << ": too early");
        NS_TEST_ASSERT_MSG_EQ((2 * (got - given) <= to - from), true, "case " << i << ": too late");
    }
}

TEST_CASE(RefusedTablesTestCase, "What is no table is refused in one line")
{
    for (const auto& [text, part] :
         {std::make_pair("0:1us,", "'' is not LENGTH:VALUE"),
          std::make_pair("0:1us,3us", "'3us' is not LENGTH:VALUE"),
          std::make_pair("8:1us,4:3us", "ascending order"),
          std::make_pair("0:1us,4k:3us", "'4k' is not accepted"),
          std::make_pair("0:1us,2000GiB:3us", "0 to 1099511627776"),
          std::make_pair("0:1us,8:-3us", "'-3us' is no time"),
          std::make_pair("0:1us,8:2us,8:3us,8:4us", "length 8 is there three times"),
          std::make_pair("0:2us,8:1us", "its last line falls"),
          std::make_pair("0:1us,8:1.00000001us", "no whole number of ps")})
    {
        Refuses([text = text] { CheckAttributeText("ns3::HostSoftware::SendOverhead", text); },
                part);
    }
    Refuses([] { CostByLength::Parse("0:0,1:1000s").At(uint64_t{1} << 60); },
            "the latest time that fits");
    Refuses([] { CheckAttributeText("ns3::HostSoftware::SendReturn", "0:copied,8KiB:gone"); },
            "expected copied, left or received, or by length as 0:copied,8KiB:received");
    Refuses([] { CheckAttributeText("ns3::HostSoftware::SendReturn", "8:copied,4:left"); },
            "ascending order");
}

TEST_CASE(AttributeTestCase, "Attributes take and give times, tables and their texts")
{
    auto software = CreateObject<HostSoftware>();
    TimeValue time;
    software->SetAttribute("SendOverhead", TimeValue(MicroSeconds(3)));
    NS_TEST_EXPECT_MSG_EQ(software->GetAttributeFailSafe("SendOverhead", time), true, "a time");
    NS_TEST_EXPECT_MSG_EQ(time.Get(), MicroSeconds(3), "a time");
    software->SetAttribute("SendOverhead", StringValue("0:1us,4KiB:3us"));
    CostByLengthValue costs;
    software->GetAttribute("SendOverhead", costs);
    NS_TEST_EXPECT_MSG_EQ(costs.Get().Print(), "0:1us,4KiB:3us", "a table");
    NS_TEST_EXPECT_MSG_EQ(TextOf(software, "SendOverhead"), "0:1us,4KiB:3us", "its text");
    Holds(!software->GetAttributeFailSafe("SendOverhead", time), "a table is no time");
    const TimeValue hour(Seconds(3601));
    Refuses([&] { software->SetAttribute("SendOverhead", hour); }, "too long");
    // Either may be set first.
    const std::vector<std::vector<std::string>> pairs{
        {"SendOverhead", "0:1us,8:2us", "SendDataRate", "1Gbps"},
        {"ReceiveOverhead", "0:1us,8:2us", "ReceiveDataRate", "1Gbps"},
        {"CopyTime", "0:1us,8:2us", "CopyDataRate", "1Gbps"},
        {"CombineTime", "0:1us,8:2us", "CombineDataRate", "1Gbps"},
        {"InterfaceSendTime", "0:1us,8:2us", "InterfaceDataRate", "1Gbps"},
        {"SendReturn", "0:copied,8:left", "EagerLimit", "4096"}};
    for (const auto& pair : pairs)
    {
        for (const std::size_t first : {0, 2})
        {
            auto both = CreateObject<HostSoftware>();
            const auto second = 2 - first;
            both->SetAttribute(pair[first], StringValue(pair[first + 1]));
            Refuses([&] { both->SetAttribute(pair[second], StringValue(pair[second + 1])); },
                    "HostSoftware::" + pair[second] + " beside " + pair[first] + "=");
        }
        auto single = CreateObject<HostSoftware>(); // a single value is added, or holds for all
        single->SetAttribute(pair[0], StringValue(pair[0] == "SendReturn" ? "left" : "1us"));
        single->SetAttribute(pair[2], StringValue(pair[3]));
    }
}

} // namespace
