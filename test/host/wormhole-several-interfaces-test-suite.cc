// SPDX-License-Identifier: GPL-2.0-only

#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-several-interfaces", UNIT);

namespace
{

/// Delay of a cable of the second rail, ps; of the first one it is a tenth.
constexpr int64_t SECOND_DELAY = 100000;

/// Two switches, joined by a cable, and computers with an interface on either: a rail each. The
/// last computer has the first one alone. @return the fabric, further interfaces last
FabricGraph
MakeRails(uint32_t nComputers)
{
    const auto nSecond = nComputers - 1;
    FabricGraph graph(2, nComputers + nSecond, nComputers + 1);
    graph.Connect(0, 0, 1, 0);
    CableProperties fast;
    fast.delay = PicoSeconds(SECOND_DELAY / 10);
    CableProperties slow;
    slow.delay = PicoSeconds(SECOND_DELAY);
    graph.SetCable(0, 0, fast);
    for (uint32_t i = 0; i < nComputers; ++i)
    {
        graph.Connect(graph.HostAt(i), 0, 0, static_cast<uint16_t>(i + 1));
        graph.SetCable(graph.HostAt(i), 0, fast);
    }
    for (uint32_t i = 0, host = nComputers; i < nSecond; ++i, ++host)
    {
        graph.Connect(graph.HostAt(host), 0, 1, static_cast<uint16_t>(i + 1));
        graph.SetCable(graph.HostAt(host), 0, slow);
        graph.GroupInterfaces({i, host});
    }
    return graph;
}

TEST_CASE(RuleTestCase, "Rules of interfaces: closed form of one message to each computer")
{
    auto draw = MakeRandom(57);
    for (uint32_t i = 0; i < 60; ++i)
    {
        const uint32_t n = draw->GetInteger(3, 9);
        const int64_t startUp = draw->GetInteger(1, 999999);
        const int64_t occupied = draw->GetInteger(500000, 2999999);
        const int64_t received = draw->GetInteger(0, 1) * draw->GetInteger(1, 999999);
        for (const std::string rule : {"first", "round-robin", "by-destination"})
        {
            StartAnew();
            const auto software = WithSoftware({{"StartUp", InPs(startUp)},
                                                {"InterfaceSendTime", InPs(occupied)},
                                                {"InterfaceReceiveTime", InPs(received)},
                                                {"InterfaceRule", rule}});
            const auto domain = InstallDomain(MakeRails(n), software);
            const auto fabric = domain->GetFabric();
            NS_TEST_ASSERT_MSG_EQ(domain->GetNHosts(), n, "computers, not interfaces");
            const std::string name = "tree[Tree=sequential|Root=0|MessageBytes=64]";
            const auto left = CrossOnce(domain, "broadcast", name, MakeRange(n));

            const auto tau = fabric->GetFlitTime().GetPicoSeconds();
            const auto t_r = fabric->GetSwitch(0)->GetDelay().GetPicoSeconds();
            const auto interfaceDelay = fabric->GetHost(0)->GetDelay().GetPicoSeconds();
            const auto flits = static_cast<int64_t>(fabric->GetFlits(64));
            std::array<int64_t, 2> free{0, 0}; // when either interface is through with what it has
            for (uint32_t k = 1; k < n; ++k)
            {
                const uint32_t interface = rule == "first"         ? 0
                                           : rule == "round-robin" ? (k - 1) % 2
                                                                   : k % 2;
                free[interface] = std::max(free[interface], k * startUp) + occupied;
                // The last computer has no second interface: from switch 1 to switch 0, and to it.
                const bool crosses = interface == 1 && k == n - 1;
                const int64_t links = crosses ? 3 : 2;
                const int64_t slow = interface == 0 ? 0 : crosses ? 1 : 2; // cables
                const auto cables = slow * SECOND_DELAY + (links - slow) * SECOND_DELAY / 10;
                const auto flight =
                    cables + (links - 1) * (tau + t_r) + flits * tau + 2 * interfaceDelay;
                const auto wanted = free[interface] + flight + received;
                NS_TEST_EXPECT_MSG_EQ(left[k], wanted, rule << ", computer " << k << " of " << n);
            }
        }
    }
}

TEST_CASE(LawsTestCase, "All algorithms on hosts of two interfaces, by every rule, with handshakes")
{
    for (const std::string rule : {"round-robin", "by-destination"})
    {
        for (const auto& [kind, name] :
             ListAlgorithms(Words("barrier broadcast reduction allreduction")))
        {
            StartAnew();
            auto random = MakeRandom(58);
            const auto software = Attributes("InterfaceReceiveTime=300ns|MessageGap=100ns|"
                                             "EagerLimit=1|MaxPacketBytes=7|InterfaceRule=" +
                                             rule);
            const auto domain = InstallDomain(MakeRails(9), WithSoftware(software));
            for (const uint32_t n : {2, 5, 9})
            {
                const auto group = CollectiveHelper::MakeCollective(kind, name);
                const auto hosts = InvariantChecker::DrawHosts(n, 9, 1, random);
                const auto trouble = RunByLaws(group, domain, hosts, 3, random, 20'000'000);
                NS_TEST_EXPECT_MSG_EQ(trouble, "", kind << " " << name << " of " << n);
            }
        }
    }
}

TEST_CASE(FileTestCase, "Groups of interfaces in fabric files; members on further interfaces")
{
    const auto write = [&](const std::string& interfaces) -> std::string {
        return WriteTemporary("rails.json", R"({"hosts": ["a", "b", "a2"],
"links": [["a", 0, "s", 0], ["b", 0, "s", 1], ["a2", 0, "s", 2]],
"interfaces": )" + interfaces + "\n}\n");
    };
    const auto graph = ReadFabricFile(write(R"([["a", "a2"]])"));
    NS_TEST_EXPECT_MSG_EQ(graph.GetNFirstInterfaces(), 2, "two computers");
    const auto again = CreateTempDirFilename("again.json");
    WriteFabricFile(graph, again);
    const bool isEqual = ReadFabricFile(again).GetInterfaces() == graph.GetInterfaces();
    NS_TEST_EXPECT_MSG_EQ(isEqual, true, "written and read again");

    const auto refuses = [&](const std::string& interfaces, const std::string& part) {
        Refuses([&] { ReadFabricFile(write(interfaces)); }, part);
        Refuses([&] { ReadFabricFile(write(interfaces)); }, "rails.json:3: ");
    };
    refuses(R"([["a", "s"]])", "is no host");
    refuses(R"([["a", "c"]])", "is no host");
    refuses(R"([["a"]])", "two hosts or more");
    refuses("[[]]", "two hosts or more");
    refuses(R"([["a", "a"]])", "each host once");
    refuses(R"([["a", "a2"], ["b", "a2"]])", "each host once");
    refuses(R"([["a", "b"]])", "further interfaces last");
    refuses(R"([["a2", "a"]])", "expected that order");
    refuses(R"(["a", "a2"])", "array");
    refuses("7", "array");

    auto mixed = MakeStar(3);
    mixed.GroupInterfaces({0, 1});
    Refuses([&] { mixed.Validate(); }, "further interface of h0");

    Simulator::Destroy();
    const auto domain = InstallDomain(graph);
    const auto barrier = CollectiveHelper::MakeBarrier("dissemination");
    Refuses([&] { barrier->Create(domain, {0, 2}); }, "further interface of a");
    barrier->Dispose();
}

} // namespace
