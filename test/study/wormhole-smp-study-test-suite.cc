// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../test-fabrics.h"

#include "ns3/schedule-costs.h"
#include "ns3/study-hosts.h"

using namespace ns3;

SUITE("wormhole-smp-study", UNIT);

namespace
{

std::string
MakeOptions(const std::string& hosts, const std::string& algorithms)
{
    return "job=" + hosts + " hosts=" + hosts + " algorithms=" + algorithms + " bytes=200000";
}

TEST_CASE(RoadrunnerTestCase, "Fabric of Roadrunner, and routes spread over parallel cables")
{
    // Judges routes between all hosts. used: how many cables between switches 0 and 1 they use; 0:
    // any
    const auto checkRoutes = [&](const WormholeTopology& topology, uint32_t used) {
        const auto& graph = topology.graph;
        UpDownRouter plain(graph, "first", "first");
        std::set<uint16_t> ports;
        for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
        {
            const auto route = topology.router->GetRoute(from, to);
            const auto nodes = graph.Walk(graph.HostAt(from), *route);
            const auto nStops = plain.GetRoute(from, to)->GetNStops();
            NS_TEST_ASSERT_MSG_EQ(nodes.size(), nStops, "as short as the first of them");
            for (WormRoute::Stop stop = 1; stop + 2 < nodes.size(); ++stop)
            {
                if (nodes[stop] == 0 && nodes[stop + 1] == 1)
                {
                    ports.insert(route->At(stop)[0].port);
                }
            }
        }
        if (used > 0)
        {
            NS_TEST_EXPECT_MSG_EQ(ports.size(), used, "cables in use");
        }
    };
    const auto make = [](const std::string& wiring, uint32_t cables) {
        return MakeTopology("roadrunner:wiring=" + wiring + ",cables=" + std::to_string(cables))
            .graph;
    };
    const std::vector<std::pair<std::string, uint32_t>> pairs{{"mesh", 6},
                                                              {"ring", 4},
                                                              {"line", 3},
                                                              {"star", 3}};
    for (const auto& [wiring, nPairs] : pairs)
    {
        for (const uint32_t cables : {1, 2})
        {
            const auto graph = make(wiring, cables);
            graph.Validate();
            NS_TEST_EXPECT_MSG_EQ(graph.GetNHosts(), 64, wiring);
            NS_TEST_EXPECT_MSG_EQ(graph.GetNPorts(0), 24, wiring);
            NS_TEST_EXPECT_MSG_EQ(graph.GetNSwitchLinks(), nPairs * cables, wiring);
            NS_TEST_EXPECT_MSG_EQ(graph.PortsToHosts(3).size(), 16, wiring);
        }
        checkRoutes(MakeTopology("roadrunner:wiring=" + wiring + ",cables=2"), 2);
        checkRoutes(MakeTopology("roadrunner:spread=first,wiring=" + wiring), 1);
    }
    checkRoutes(MakeTopology("irregular:switches=6,hosts=20,f=0.9,parallel=yes,spread=in-turn"), 0);
    Refuses([&] { make("mesh", 3); }, "expected 1 to 2");
    Refuses([&] { make("ring", 5); }, "expected 1 to 4");
    Refuses([&] { make("mesh", 0); }, "expected 1 to 2");
    Refuses([&] { make("tree", 1); }, "mesh, ring, line, star");
    Refuses([] { MakeTopology("roadrunner:wires=mesh"); }, "wires");
    Refuses([] { MakeTopology("full:4,spread=hash"); }, "one route between");
}

TEST_CASE(LongMessageTestCase,
          "200,000 bytes at 1.2 gigabits a second, and lengths that are refused")
{
    constexpr double MESSAGE_US = 200000 * 8 / 1.2e3;
    constexpr double FLIT_US = 0.02;
    // Start-up, two cables of 20 ns, a switch and two interfaces of 300 ns, the message, and a
    // flit for the second cable: nothing else.
    const AskedStudy two("smp-broadcast", MakeOptions("2", "sss-mst"));
    NS_TEST_EXPECT_MSG_EQ_TOL(MESSAGE_US, 1333.3, 0.05, "1.3333 ms a message");
    Within(two.Get(0, "time_us"), 2 + 0.04 + 0.9 + MESSAGE_US + FLIT_US, FLIT_US, "one message");

    const auto fabrics = WithFabric({{"DataRate", "1.2Gbps"}, {"FlitSize", "3"}});
    auto domain = InstallDomain(MakeTopology("roadrunner"), {}, fabrics);
    auto group = CollectiveHelper::MakeBroadcast("sss-mst[MessageBytes=200000]");
    group->Create(domain, {0, 1, 16, 40});
    const FabricPaths ways(*group, HostSoftware::Transport::SEND_RECEIVE, group->GetMessageBytes());
    const auto busy = ways.GetSendTime(0).ToDouble(Time::US);
    Within(busy, MESSAGE_US, FLIT_US, "the interface is busy for the message");
    NS_TEST_EXPECT_MSG_EQ(ways.GetPath(0, 1).links.size(), 0, "within a switch");
    NS_TEST_EXPECT_MSG_EQ(ways.GetPath(0, 16).links.size(), 1, "to another");
    NS_TEST_EXPECT_MSG_EQ(ways.CountChannels({0, 1}), 2, "two cables");
    NS_TEST_EXPECT_MSG_EQ((ways.GetPath(0, 16).r > ways.GetPath(0, 1).r), true, "longer");

    auto shortOne = CollectiveHelper::MakeBroadcast("sss-mst");
    shortOne->SetAttribute("MessageBytes", UintegerValue(1));
    Refuses([&] { shortOne->Create(domain, {0, 1}); }, "expected 0, or 2 or more");
    auto registers = CollectiveHelper::MakeBarrier("btin");
    registers->SetAttribute("MessageBytes", UintegerValue(100));
    Refuses([&] { registers->Create(domain, {0, 1}); }, "MessageBytes is 100");
    auto masters = CollectiveHelper::MakeBarrier("smp[Inner=btin]");
    masters->SetAttribute("MessageBytes", UintegerValue(100));
    Refuses([&] { masters->Create(domain, {0, 1}); }, "MessageBytes is 100");
    group->Dispose();
}

TEST_CASE(SimulatedStepsTestCase, "Broadcasts simulated, against steps at unit cost")
{
    const std::vector<std::string> all =
        Words("sss-mst sss-mst[Siblings=false] mpich[BlockSize=1] mpich[BlockSize=3]");
    const auto names = all[0] + "," + all[1] + "," + all[2] + "," + all[3];
    const std::vector<std::pair<uint32_t, std::vector<uint32_t>>> known{{16, {4, 4, 4, 5}},
                                                                        {64, {6, 7, 6, 7}}};
    for (const auto& [hosts, steps] : known)
    {
        const AskedStudy study("smp-broadcast", MakeOptions(std::to_string(hosts), names));
        NS_TEST_ASSERT_MSG_EQ(study.GetNRows(), all.size(), "a row each");
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(study.Get(i, "steps"), steps[i], all[i]);
            NS_TEST_EXPECT_MSG_EQ(study.Get(i, "switches"), hosts / 16, all[i]);
            // Where no message waits for another, what is not transmission is little.
            NS_TEST_EXPECT_MSG_EQ_TOL(study.Get(i, "time_us") / 1333.34, steps[i], 0.03, all[i]);
        }
    }

    // No broadcast beats its steps, nor one switch's members the interface.
    const AskedStudy shuffled("smp-broadcast",
                              "job=64 hosts=2,3,17,33,64 algorithms=" + names +
                                  " bytes=200000 placement=shuffled placements=2");
    bool waits = false;
    for (std::size_t i = 0; i < shuffled.GetNRows(); ++i)
    {
        const auto time = shuffled.Get(i, "time_us");
        const auto steps = shuffled.Get(i, "steps");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(time, steps * 1333.34, shuffled.GetText(i, "algorithm"));
        waits = waits || time > (steps + 1) * 1333.34;
    }
    NS_TEST_EXPECT_MSG_EQ(waits, true, "with shuffled ranks, messages wait for others");
}

TEST_CASE(EverybodyTestCase, "Every number of hosts, any root, several fabrics, all heuristics")
{
    auto rng = MakeRandom(1);
    const std::vector<std::string> names{"DownToUp", "UpToDown", "Siblings", "ChannelCaps"};
    for (const std::string topology :
         {"roadrunner:wiring=ring,cables=1", "torus:4x4,hosts=4", "irregular:hosts=64"})
    {
        StudyHosts cluster(std::make_shared<WormholeTopology>(MakeTopology(topology)),
                           NanoSeconds(20),
                           NanoSeconds(300));
        cluster.SetRate("1.2Gbps", 3);
        JobPlacement placement(cluster.GetTopology()->graph, {"shuffled", 64, 0});
        placement.AssignStreams(3);
        for (uint32_t n = 1; n <= 64; ++n)
        {
            auto broadcast = CollectiveHelper::MakeBroadcast("sss-mst");
            const auto choice = rng->GetInteger(0, 15);
            for (uint32_t i = 0; i < names.size(); ++i)
            {
                broadcast->SetAttribute(names[i], StringValue(choice >> i & 1 ? "true" : "false"));
            }
            broadcast->SetAttribute("Root", IntegerValue(rng->GetInteger(0, n - 1)));
            StudyHosts::Task task;
            task.hosts = placement.Draw();
            task.hosts.resize(n);
            task.hosts.insert(task.hosts.end(), task.hosts.begin(), task.hosts.begin() + n / 3);
            task.rounds = 2;
            task.s = MicroSeconds(2);
            task.r = Time(0);
            task.isReceiversPart = true;
            const auto rounds = cluster.Run(broadcast, task); // throws if somebody is missing
            for (uint32_t rank = 0; n > 1 && rank < n; ++rank)
            {
                NS_TEST_EXPECT_MSG_EQ(rounds[0][rank].IsStrictlyPositive(), true, "takes time");
            }
        }
    }
}

TEST_CASE(PlacementTestCase, "Placements of jobs")
{
    const auto graph = MakeTopology("roadrunner:wiring=mesh").graph;
    std::set<std::vector<uint32_t>> different;
    for (const auto& [law, switches] :
         Combine<std::string, uint32_t>({"random", "shuffled"}, {0, 1, 3, 4}))
    {
        const uint32_t hosts = switches == 1 ? 16 : 44;
        JobPlacement one(graph, {law, hosts, switches});
        JobPlacement other(graph, {law, hosts, switches});
        one.AssignStreams(7);
        other.AssignStreams(7);
        for (int draw = 0; draw < 5; ++draw)
        {
            const auto job = one.Draw();
            NS_TEST_EXPECT_MSG_EQ((job == other.Draw()), true, "same stream, same job");
            different.insert(job);
            const auto used = ToSet(MadeOf(job, [](uint32_t host) { return host / 16; }));
            NS_TEST_EXPECT_MSG_EQ(ToSet(job).size(), hosts, "distinct hosts");
            Holds(switches == 0 || used.size() == switches, "on so many switches");
            NS_TEST_EXPECT_MSG_EQ(std::is_sorted(job.begin(), job.end()), (law == "random"), law);
        }
    }
    NS_TEST_EXPECT_MSG_GT(different.size(), 30, "they differ");
    const auto block = JobPlacement(graph, {"block", 20, 2}).Draw();
    NS_TEST_EXPECT_MSG_EQ((block.front() == 0 && block.back() == 19), true, "the first");
    using Hosts = std::vector<uint32_t>;
    const auto place = [&](const std::string& law) { return JobPlacement(graph, {law}).Draw(); };
    NS_TEST_EXPECT_MSG_EQ((place("h7,h0,h33") == Hosts{7, 0, 33}), true, "by name");
    const auto file = WriteTemporary("hosts.txt", "h5 # the first\nh2,h9 h8\n");
    NS_TEST_EXPECT_MSG_EQ((place(file) == Hosts{5, 2, 9, 8}), true, "a file's");
    const auto bad = WriteTemporary("bad.txt", "h5\nh2 h5\n");
    Refuses([&] { place(bad); }, "bad.txt:2: 'h5' is there twice");
    Refuses([&] { place("h1,h64"); }, "'h64' is no host of the fabric; expected its 64 hosts, h0");
    Refuses([&] { JobPlacement(graph, {"h1,h2", 3}); }, "names 2 hosts; expected 3 or more");
    // Around a switch in the middle of a row, not at its end; of full switches rather.
    const auto row = MakeTopology("mesh:5,hosts=2").graph;
    const auto near = JobPlacement(row, {"best", 6}).Draw();
    NS_TEST_EXPECT_MSG_EQ((near == Hosts{0, 1, 2, 3, 4, 5}), true, "three switches in a row");
    NS_TEST_EXPECT_MSG_EQ(JobPlacement::CountSwitches(row, near), 3, "are three");
    Refuses([&] { JobPlacement(graph, {"block", 65, 0}); }, "expected at most 64 hosts");
    Refuses([&] { JobPlacement(graph, {"random", 33, 2}); }, "at most 32 hosts");
    Refuses([&] { JobPlacement(graph, {"random", 3, 4}); }, "each with a host at least");
    Refuses([&] { JobPlacement(graph, {"random", 10, 5}); }, "at most 4 switches");
    Refuses([&] { JobPlacement(graph, {"block", 20, 4}); }, "are not on 4 switches");
    Refuses([&] { JobPlacement(graph, {"pbs", 20, 0}); }, "first, random, shuffled, best, names");
}

TEST_CASE(SmpStudyOutputTestCase, "Output of the study of broadcasts, and refusals")
{
    const auto get = [](const std::string& more) {
        return AskedStudy("smp-broadcast", "job=16 algorithms=mpich,sss-mst " + more).GetCsv();
    };
    const std::string small = "hosts=1,8,16 bytes=64,200000";
    const auto csv = get(small);
    NS_TEST_EXPECT_MSG_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 12, "each of all");
    NS_TEST_EXPECT_MSG_EQ(get(small), csv, "the same again");
    NS_TEST_EXPECT_MSG_EQ(csv.substr(0, csv.find('\n')),
                          "algorithm,switches,hosts,bytes,steps,time_us",
                          "columns");
    const auto draw = [&](const std::string& stream) {
        return get("hosts=12 bytes=64,200000 placement=random placements=3 stream=" + stream);
    };
    const auto drawn = draw("0");
    NS_TEST_EXPECT_MSG_EQ(draw("0"), drawn, "the same stream, the same placements");
    NS_TEST_EXPECT_MSG_NE(draw("1"), drawn, "another stream, others");
    const auto read = AskedStudy::Read("smp-broadcast", WriteTemporary("smp.csv", csv));
    NS_TEST_EXPECT_MSG_EQ(read.GetCsv(), csv, "as it was written");

    const auto folder = CreateTempDirFilename("plots");
    const auto files = read.WritePlots(folder, "a-");
    NS_TEST_ASSERT_MSG_EQ(files.size(), 2, "times and factors");
    for (const auto& file : files)
    {
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(folder + "/" + file).good(), true, file);
    }
    const auto none = WriteTemporary("rows.csv", csv.substr(0, csv.find('\n') + 1));
    const auto nothing = AskedStudy::Read("smp-broadcast", none).WritePlots(folder, "b-");
    NS_TEST_EXPECT_MSG_EQ(nothing.size(), 0, "nothing to show");

    for (const std::string name : {"64", "44", "38", "28"})
    {
        const auto options = "case=" + name + " hosts=" + name + " algorithms=sss-mst";
        const AskedStudy whole("smp-broadcast", options);
        NS_TEST_EXPECT_MSG_EQ(whole.GetText(0, "hosts"), name, "a case");
    }
    const auto refuses = [&](const std::string& options, const std::string& part) {
        Refuses([&] { AskedStudy("smp-broadcast", options); }, part);
    };
    refuses("case=45", "64, 44, 38, 28");
    refuses("algorithms=nothing", "there is no broadcast 'nothing'");
    refuses("job=16 hosts=17", "from 1 to 16");
    refuses("job=16 hosts=0", "'0' is not accepted");
    refuses("bytes=1", "'1' is not accepted");
    refuses("job=100", "at most 64 hosts");
    StudyHosts hosts;
    Refuses([&] { hosts.SetRate("fast", 3); }, "a data rate above 0");
    Refuses([&] { hosts.SetRate("1.2Gbps", 1); }, "no whole number of femtoseconds");
}

} // namespace
