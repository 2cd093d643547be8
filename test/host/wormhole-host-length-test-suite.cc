// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-host-length", UNIT);

namespace
{

using Settings = std::map<std::string, std::string>;

/// @return when members of a broadcast by a root that sends to each other member leave, ps
/// @param hosts of members, the root's first @param more attributes of the broadcast, each after a
/// | @param late when all but the root come
std::vector<int64_t>
CrossBroadcast(Ptr<CollectiveDomain> domain,
               const std::vector<uint32_t>& hosts,
               uint64_t bytes,
               const std::string& more = "",
               int64_t late = 0)
{
    const auto name = Text("tree[Tree=sequential|Root=0|MessageBytes=", bytes, more, "]");
    std::vector<int64_t> come(hosts.size(), late);
    come[0] = 0;
    const auto left = CrossOnce(domain, "broadcast", name, hosts, come);
    domain->Dispose();
    Simulator::Destroy();
    return left;
}

TEST_CASE(OneMessageTestCase, "One message: closed forms of costs by length and of the handshake")
{
    auto draw = MakeRandom(41);
    for (uint32_t i = 0; i < 300; ++i)
    {
        const uint64_t b = draw->GetInteger(8, 99999);
        const int64_t s = draw->GetInteger(0, 9999);
        const int64_t r = draw->GetInteger(0, 9999);
        const int64_t flight = draw->GetInteger(1, 9999);
        const int64_t copies = draw->GetInteger(0, 9999);
        const auto rate = [&] {
            return draw->GetInteger(0, 4) == 0 ? 0 : draw->GetInteger(1, 2000000000);
        };
        const uint64_t out = rate();
        const uint64_t in = rate();
        const uint64_t copy = rate();
        const uint64_t limit = draw->GetInteger(0, 1) == 0 ? b : b - 1;
        // Late ones come when whatever is sent at once has been there for long.
        const int64_t late =
            draw->GetInteger(0, 1) == 0 ? 0 : 2 * (s + flight + r + GetLengthPs(b, out)) + 12345;
        const Settings settings{{"StartUp", InPs(s)},
                                {"ReceiveOverhead", InPs(r)},
                                {"UnexpectedTime", InPs(copies)},
                                {"SendDataRate", std::to_string(out) + "bps"},
                                {"ReceiveDataRate", std::to_string(in) + "bps"},
                                {"CopyDataRate", std::to_string(copy) + "bps"},
                                {"FlagTime", InPs(r)},
                                {"EagerLimit", std::to_string(limit)}};
        const auto what = "case " + std::to_string(i);
        const auto make = [&] {
            return WithSoftware(settings).InstallIdeal(2, PicoSeconds(flight));
        };
        auto sent = s + GetLengthPs(b, out);
        auto taken = sent + flight + r + GetLengthPs(b, in);
        if (limit < b)
        {
            // The request; the answer, as soon as the receiver is there; the message.
            const auto answered = std::max(late, s + flight) + r + s;
            sent = answered + flight + r + s + GetLengthPs(b, out);
            taken = sent + flight + r + GetLengthPs(b, in);
        }
        else if (late > 0)
        {
            taken = late + r + GetLengthPs(b, in) + copies + GetLengthPs(b, copy);
        }
        const auto left = CrossBroadcast(make(), {0, 1}, b, "", late);
        NS_TEST_ASSERT_MSG_EQ(left[0], sent, what << ": its sender");
        NS_TEST_ASSERT_MSG_EQ(left[1], taken, what << ": its receiver");

        // A write costs no length, and needs no handshake.
        const auto written = CrossBroadcast(make(), {0, 1}, b, "|Transport=rdma");
        NS_TEST_ASSERT_MSG_EQ(written[1], s + flight, what << ": a write");

        // Within the host there is no handshake: the receiver waits for it there.
        const auto inMemory = CrossBroadcast(make(), {0, 0}, b, "|WithinHost=memory");
        NS_TEST_ASSERT_MSG_EQ(inMemory[0], s + GetLengthPs(b, copy), what << ": copied");
        NS_TEST_ASSERT_MSG_EQ(inMemory[1], s + 2 * GetLengthPs(b, copy) + r, what << ": both copy");
        const auto byFlags = CrossBroadcast(make(), {0, 0}, b)[1];
        NS_TEST_ASSERT_MSG_EQ(byFlags, 2 * (r + GetLengthPs(b, copy)), what << ": beside a flag");
    }
}

TEST_CASE(LargeLengthTestCase,
          "Lengths whose bits times units exceed 64 bits; what does not fit is refused")
{
    const auto round = [](uint64_t bytes, uint64_t rate) {
        return ExactTime::RoundTransmission(bytes, DataRate(rate)).GetPicoSeconds();
    };
    const uint64_t gib = uint64_t{1} << 30;
    NS_TEST_EXPECT_MSG_EQ(round(4 * gib, 8 * gib), 4'000'000'000'000, "4 GiB");
    // 8e12 / 3 = 2,666,666,666,666.67; 8e12 / 16 bit/s is a whole number.
    NS_TEST_EXPECT_MSG_EQ(round(1, 3), 2666666666667, "rounded up");
    // 8e12 / 16e12 = 0.5 ps, up; a bit more a second, down.
    NS_TEST_EXPECT_MSG_EQ(round(1, 16000000000000), 1, "half up");
    NS_TEST_EXPECT_MSG_EQ(round(1, 16000000000001), 0, "below half");
    Refuses([&] { round(4 * gib, 1); }, "4294967296 bytes at 1bps");
}

/// A root sends to k others: its interface starts a message MessageGap after the last at the least,
/// whichever process of the host sends.
TEST_CASE(MessageGapTestCase, "The gap between messages: recurrence by hand")
{
    auto draw = MakeRandom(42);
    for (uint32_t i = 0; i < 100; ++i)
    {
        const uint32_t n = draw->GetInteger(2, 12);
        const int64_t s = draw->GetInteger(1, 999);
        const int64_t gap = draw->GetInteger(0, 1999);
        const int64_t pass = draw->GetInteger(0, 1) * draw->GetInteger(1, 1999);
        const int64_t flight = draw->GetInteger(1, 999);
        const Settings settings{{"StartUp", InPs(s)},
                                {"MessageGap", InPs(gap)},
                                {"InterfaceSendTime", InPs(pass)}};
        const auto domain = WithSoftware(settings).InstallIdeal(n, PicoSeconds(flight));
        auto left = CrossBroadcast(domain, MakeRange(n), 8);
        int64_t free = 0; // when the interface may start the next
        std::vector<int64_t> expected;
        for (uint32_t k = 1; k < n; ++k)
        {
            const auto start = std::max(k * s, free);
            expected.push_back(start + pass + flight);
            free = start + std::max(gap, pass);
        }
        left.erase(left.begin());
        std::sort(left.begin(), left.end());
        Same(left, expected, "case " + std::to_string(i));
    }
}

TEST_CASE(FabricMessageTestCase,
          "On the fabric: packets in a pipeline, and two crossings of a handshake")
{
    const auto cross = [](uint32_t nSwitches, uint64_t bytes, Settings settings = {}) {
        StartAnew();
        settings["StartUp"] = "1us";
        const auto domain = InstallDomain(MakeLine(nSwitches), WithSoftware(settings));
        return CrossBroadcast(domain, {0, 1}, bytes)[1];
    };
    auto draw = MakeRandom(43);
    StartAnew();
    const auto fabric = WormholeHelper().Install(MakeLine(2));
    const auto flitTime = fabric->GetFlitTime().GetPicoSeconds();
    uint32_t flitBytes = 1;
    for (; fabric->GetFlits(flitBytes + 1) == 1; ++flitBytes)
    {
    }
    Simulator::Destroy();
    for (uint32_t i = 0; i < 60; ++i)
    {
        const uint32_t n = draw->GetInteger(2, 5);
        const uint64_t b = draw->GetInteger(8, 3000);
        const uint64_t mtu = draw->GetInteger(1, 700);
        const uint64_t header = draw->GetInteger(0, 20);
        // By hand: a flit is a rounded-up share of each packet.
        uint64_t flits = 0;
        for (uint64_t rest = b; rest > 0; rest -= std::min(rest, mtu))
        {
            flits += (std::min(rest, mtu) + header + flitBytes - 1) / flitBytes;
        }
        const auto one = cross(n, 8 * flitBytes);
        const Settings packets{{"MaxPacketBytes", std::to_string(mtu)},
                               {"PacketHeaderBytes", std::to_string(header)}};
        const auto cut = cross(n, b, packets);
        // A worm has every delay once; each further flit comes a flit time later.
        const auto wanted = one + (static_cast<int64_t>(flits) - 8) * flitTime;
        NS_TEST_ASSERT_MSG_EQ(cut, wanted, "case " << i << ": " << b << " bytes by " << mtu);

        const uint64_t control = draw->GetInteger(8, 99);
        const auto whole = cross(n, b);
        const Settings handshake{{"EagerLimit", std::to_string(b - 1)},
                                 {"RendezvousBytes", std::to_string(control)}};
        const auto crossings = whole + 2 * cross(n, control);
        const auto what = "case " + std::to_string(i) + ": a handshake of ";
        NS_TEST_ASSERT_MSG_EQ(cross(n, b, handshake), crossings, what << control << " bytes");
        const auto atLimit = cross(n, b, {{"EagerLimit", std::to_string(b)}});
        NS_TEST_ASSERT_MSG_EQ(atLimit, whole, "case " << i << ": no handshake at the limit");
    }
    Refuses([&] { cross(2, 2000000, {{"MaxPacketBytes", "1"}}); },
            "2000000 bytes makes 2000000 packets of 1 bytes");
}

/// @return when a message of data has been taken, ps @param limit of those that are sent at once
int64_t
Send(uint32_t bytes, uint32_t limit)
{
    StartAnew();
    const auto costs = Attributes("StartUp=3us|ReceiveOverhead=2us|SendDataRate=80Mbps|"
                                  "ReceiveDataRate=40Mbps|EagerLimit=" +
                                  std::to_string(limit));
    const auto domain = WithSoftware(costs).InstallIdeal(2, MicroSeconds(7));
    auto barrier = CreateObject<NetworkDoneBarrier>();
    int64_t at = -1;
    barrier->SetDataCallback(
        CallbackOf([&](uint32_t, uint32_t, uint32_t) { at = Simulator::Now().GetPicoSeconds(); }));
    barrier->Create(domain, {0, 1});
    barrier->Send(0, 1, bytes);
    Simulator::Run();
    barrier->Dispose();
    domain->Dispose();
    return at;
}

TEST_CASE(DataMessageTestCase, "A message of data: closed forms at once and after a handshake")
{
    constexpr int64_t CROSSING = 12000000; // 3 + 7 + 2 us
    for (const uint32_t bytes : {9, 100, 4000})
    {
        const int64_t length = bytes * 300000; // 100 + 200 ns a byte
        NS_TEST_EXPECT_MSG_EQ(Send(bytes, bytes), CROSSING + length, bytes << " at once");
        NS_TEST_EXPECT_MSG_EQ(Send(bytes, bytes - 1), 3 * CROSSING + length, "after a handshake");
    }
}

} // namespace
