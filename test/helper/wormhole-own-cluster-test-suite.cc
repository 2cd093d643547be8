// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../test-fabrics.h"

#include "ns3/text-tools.h"

#include <filesystem>

using namespace ns3;

SUITE("wormhole-own-cluster", UNIT);

namespace
{

void
WithOptions(const std::vector<std::string>& arguments,
            const std::function<void(ProgramOptions&)>& add,
            const std::function<void(const ProgramOptions&)>& use)
{
    ProgramOptions options(__FILE__, "A test.");
    add(options);
    const auto parse = [&](int n, char** words) { options.Parse(n, words); };
    CallWithArguments(Join({"test"}, arguments), parse);
    use(options);
}

TEST_CASE(CollectiveNameTestCase, "Names of collectives: brackets, and what inner ones may not set")
{
    const auto create = [&](const std::string& kind, const std::string& name) {
        auto domain = InstallDomain(MakeTopology("full:2,hosts=2").graph);
        auto group = CollectiveHelper::MakeCollective(kind, name);
        group->Create(domain, {0, 0, 1, 2, 3, 3});
        Simulator::Destroy();
    };
    const auto refusesInner =
        [&](const std::string& kind, const std::string& inner, const std::string& part) {
            Refuses([&] { create(kind, "smp[Inner=" + inner + "]"); }, part);
        };
    const auto settings =
        CollectiveRegistry::GetSettings("smp[Inner=tree[Tree=fibo|Root=2]|Transport=rdma]");
    NS_TEST_ASSERT_MSG_EQ(settings.size(), 2, "the outermost ones alone");
    NS_TEST_EXPECT_MSG_EQ(settings.at("Inner"), "tree[Tree=fibo|Root=2]", "with its own");
    NS_TEST_EXPECT_MSG_EQ(settings.at("Transport"), "rdma", "of smp");
    NS_TEST_EXPECT_MSG_EQ(CollectiveRegistry::GetSettings("tree").size(), 0, "none");

    const auto refuses = [this](const std::string& broadcast, const std::string& part) {
        Refuses([&] { CollectiveHelper::MakeBroadcast(broadcast); }, part);
    };
    refuses("tree[Tree=fibo",
            "'tree[Tree=fibo': a bracket is not closed; expected 'tree[Tree=fibo]'");
    refuses("smp[Inner=tree[Tree=fibo",
            "2 brackets are not closed; expected 'smp[Inner=tree[Tree=fibo]]'");
    refuses("tree[Tree=fibo]]", "']' is behind the last bracket");
    refuses("tree[]", "sets no attribute");
    refuses("tree[MessageBytes=64kB]",
            "ns3::TreeBroadcast::MessageBytes=64kB: expected a whole number from 0 to 1073741824");
    refuses("mpich[BlockSize=0]", "BlockSize=0: expected a whole number from 1 to ");
    refuses("sss-mst[Siblings=maybe]", "Siblings=maybe: expected true or false");
    Refuses([] { CollectiveHelper::MakeReduction("btin[Depth=1]"); }, "'Depth=1' sets no");

    SaysAll(ErrorOf([&] { create("broadcast", "smp[Inner=sss-mst[MessageBytes=64]]"); }),
            {"MessageBytes has no effect",
             "use it beside Inner, as in smp[MessageBytes=64|Inner=sss-mst]"});
    refusesInner("broadcast", "tree[Transport=rdma]", "Transport has no effect");
    refusesInner("broadcast", "tree[Root=1]", "Root has no effect");
    refusesInner("reduction", "tree[Operation=ADD]", "Operation has no effect");
    refusesInner("barrier", "btin[WidthBits=8]", "WidthBits has no effect");
    refusesInner("barrier", "dissemination[GroupIdBits=9]", "GroupIdBits has no effect");
    refusesInner("broadcast", "smp[Inner=tree[MessageBytes=64]]", "MessageBytes has no effect");
    const auto takesInner = [&](const std::string& kind, const std::string& inner) {
        const auto error = ErrorOf([&] { create(kind, "smp[Inner=" + inner + "]"); });
        NS_TEST_EXPECT_MSG_EQ(error, "", kind << " " << inner);
    };
    for (const std::string kind : {"barrier", "broadcast", "reduction"})
    {
        takesInner(kind, "tree[Tree=binary]");
    }
    const auto movesData = [](const std::string& kind, const std::string& inner) {
        return CollectiveHelper::MovesData(kind, "smp[Inner=" + inner + "]");
    };
    NS_TEST_EXPECT_MSG_EQ(movesData("broadcast", "scatter-allgather"), true, "for data alone");
    NS_TEST_EXPECT_MSG_EQ(movesData("broadcast", "smp[Inner=scatter-allgather]"), true, "deeper");
    NS_TEST_EXPECT_MSG_EQ(movesData("broadcast", "binomial"), false, "for both");
    NS_TEST_EXPECT_MSG_EQ(movesData("broadcast", "no-such"), false, "refused later");
    NS_TEST_EXPECT_MSG_EQ(movesData("reduction", "btin"), false, "for a value alone");
    takesInner("barrier", "btin[Root=1]"); // in the switches, which has a root of its own
}

TEST_CASE(OwnClusterBytesTestCase, "Options of all programs: bytes")
{
    constexpr uint32_t MOST = 1U << 30;
    const std::vector<std::pair<std::string, uint32_t>> good{{"64", 64},
                                                             {"64B", 64},
                                                             {"64kB", 64000},
                                                             {"64KiB", 65536},
                                                             {"1.5MB", 1500000},
                                                             {"0.5KiB", 512},
                                                             {"1MiB", 1048576},
                                                             {"1GB", 1000000000},
                                                             {"1GiB", MOST}};
    for (const auto& [text, bytes] : good)
    {
        NS_TEST_EXPECT_MSG_EQ(ParseByteSize(text, 2, MOST), bytes, text);
    }
    for (const std::string text :
         {"64KB", "64k", "64 kB", "0.5", "1.0001kB", "-4", "", "kB", "2GB", "1e3", "1", "0x10"})
    {
        SaysAll(ErrorOf([&] { ParseByteSize(text, 2, MOST); }),
                {"'" + text + "' is not accepted; expected whole numbers of bytes",
                 "2 to 1073741824, such as 65536, 64kB and 1.5MB (of 1000), 64KiB"});
    }
    const auto read = [](const std::string& text) {
        std::vector<uint32_t> sizes;
        WithOptions(
            {"--bytes=" + text},
            [](ProgramOptions& options) { options.Add("bytes", "64", "Sizes"); },
            [&](const ProgramOptions& options) { sizes = options.GetByteSizes("bytes", 2, MOST); });
        return sizes;
    };
    Same(read("64,1kB,1KiB"), {64, 1000, 1024}, "a list");
    Refuses([&] { read("64,1K"); }, "--bytes=64,1K: '1K' is not accepted");
    Refuses([&] { read("1000,1kB"); }, "'1kB' is 1000 bytes, which is given twice");
    WithOptions(
        {"--names=butterfly[Radices=4,2],tree"},
        [](ProgramOptions& options) { options.Add("names", "tree", "Names"); },
        [this](const ProgramOptions& options) {
            const auto names = options.GetWords("names");
            NS_TEST_ASSERT_MSG_EQ(names.size(), 2, "commas in brackets are no ends");
            NS_TEST_EXPECT_MSG_EQ(names[0], "butterfly[Radices=4,2]", "whole");
        });
}

TEST_CASE(OwnClusterFabricsTestCase, "Options of all programs: --fabric and --topology")
{
    const auto path = CreateTempDirFilename("a,b.json");
    WriteFabricFile(MakeTopology("full:3,hosts=2").graph, path);
    const auto plain = CreateTempDirFilename("cluster.txt");
    WriteFabricFile(MakeTopology("full:3,hosts=2").graph, plain);
    const auto read = [](const std::vector<std::string>& arguments, const std::string& text) {
        std::shared_ptr<const WormholeTopology> topology;
        WithOptions(
            arguments,
            [&](ProgramOptions& options) { FabricOptions::Add(options, "none", text); },
            [&](const ProgramOptions& options) { topology = FabricOptions::Read(options); });
        return topology;
    };
    NS_TEST_EXPECT_MSG_EQ((read({}, "") == nullptr), true, "none");
    NS_TEST_EXPECT_MSG_EQ(read({}, "torus:3x3")->graph.GetNHosts(), 9, "the default");
    NS_TEST_EXPECT_MSG_EQ(read({"--topology=torus:4x4"}, "")->graph.GetNHosts(), 16, "a text");
    const auto routed = [&](const std::string& option, const std::string& routing) {
        return read({option, "--routing=" + routing}, "")->routing;
    };
    const auto other = routed("--topology=torus:4x4,routing=up-down,root=center", "balanced");
    NS_TEST_EXPECT_MSG_EQ(other, "balanced", "in place of a text's routing and its root");
    NS_TEST_EXPECT_MSG_EQ(routed("--topology=torus:4x4", "nue"), "nue", "of a text without");
    NS_TEST_EXPECT_MSG_EQ(routed("--topology=roadrunner", "nue"), "nue", "without entries");
    Refuses([&] { routed("--topology=torus:4x4,root=center", "nue"); },
            "only routing=up-down has a root");
    const auto file = read({"--fabric=" + path}, "torus:3x3");
    NS_TEST_EXPECT_MSG_EQ(file->graph.GetNHosts(), 6, "a file, whatever its name");
    NS_TEST_EXPECT_MSG_EQ((file->router->GetRoute(0, 5) == nullptr), false, "with routes");
    Refuses([&] { read({"--fabric=" + path, "--topology=torus:4x4"}, ""); },
            "--topology=torus:4x4: has no effect with --fabric; expected one of the two");
    Refuses([&] { read({"--fabric=torus:4x4"}, ""); },
            "is no file; expected a file of a fabric, or --topology=torus:4x4");
    Refuses([&] { read({"--topology=" + plain}, ""); }, "or --fabric=" + plain);
    Refuses([&] { read({"--fabric=none.json"}, ""); }, "--fabric=none.json: none.json");
    Refuses([&] { read({"--topology=star:4"}, ""); }, "there is no family 'star'");
}

TEST_CASE(OwnClusterPlotsTestCase, "Options of all programs: plots")
{
    const auto folder = CreateTempDirFilename("plots");
    const auto plot = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--plots=" + folder, "--gnuplot=/bin/true"});
        NS_TEST_EXPECT_MSG_EQ(RunStudy(words).status, 0, words[0]);
    };
    const std::vector<std::string> rdma{"rdma-barrier", "--nodes=2", "--tasksPerNode=1"};
    plot({"smp-broadcast", "--hosts=2", "--bytes=64", "--algorithms=tree"});
    plot(rdma);
    auto mine = rdma;
    mine.emplace_back("--plotPrefix=mine-");
    plot(mine);
    for (const std::string name : {"smp-broadcast-time", "rdma-barrier-latency", "mine-latency"})
    {
        Holds(std::filesystem::exists(folder + "/" + name + ".plt"),
              "each has its own, unless it is told another: " + name);
    }
}

TEST_CASE(TasksPerHostTestCase,
          "Broadcasts with several processes a host, their CSV, plots, refusals")
{
    const auto ask = [&](const std::string& more) -> AskedStudy {
        return AskedStudy("smp-broadcast", "hosts=2,16,64 bytes=64,4096,200000 " + more);
    };
    const std::string both = "algorithms=sss-mst,mpich[BlockSize=3]";
    const auto one = ask(both);
    const auto two = ask(both + " tasksPerHost=2 flag=500ns");
    NS_TEST_ASSERT_MSG_EQ(one.GetNRows(), two.GetNRows(), "as many rows");
    for (std::size_t i = 0; i < one.GetNRows(); ++i)
    {
        const auto steps = one.Get(i, "steps");
        const auto time = one.Get(i, "time_us");
        NS_TEST_EXPECT_MSG_EQ(two.Get(i, "hosts"), one.Get(i, "hosts"), "hosts, not processes");
        NS_TEST_EXPECT_MSG_EQ(two.Get(i, "tasks_per_host"), 2, "processes");
        if (two.GetText(i, "algorithm") == "sss-mst")
        {
            // The third level: the last host's first process sets a flag, the other sees it.
            NS_TEST_EXPECT_MSG_EQ(two.Get(i, "steps"), steps, "a flag is no step");
            NS_TEST_EXPECT_MSG_EQ_TOL(two.Get(i, "time_us") - time, 1.0, 1e-6, "two flags");
        }
        else
        {
            // Blocks of ranks fall across hosts.
            NS_TEST_EXPECT_MSG_GT(two.Get(i, "steps"), steps - 1, "no fewer steps");
            NS_TEST_EXPECT_MSG_GT(two.Get(i, "time_us"), time, "longer");
        }
    }

    const auto csv = two.GetCsv();
    NS_TEST_EXPECT_MSG_EQ(csv.substr(0, csv.find('\n')),
                          "algorithm,switches,hosts,bytes,steps,time_us,tasks_per_host",
                          "one column more");
    const auto read = [this](const std::string& text) {
        return AskedStudy::Read("smp-broadcast", WriteTemporary("smp.csv", text));
    };
    for (const auto& text : {one.GetCsv(), csv})
    {
        NS_TEST_EXPECT_MSG_EQ(read(text).GetCsv(), text, "as it was written");
    }
    const auto columns = std::string("algorithm,switches,hosts,bytes,steps,time_us");
    Refuses([&] { read(columns + ",tasks\n"); },
            "expected '" + columns +
                "', then any of 'tasks_per_host,placement,time_us_p99,load,pattern,flits' in this "
                "order");
    Refuses([&] { read(columns + "\na,1,2,3,4,5,2\n"); }, "there are 7 fields; expected 6");

    const auto folder = CreateTempDirFilename("plots");
    auto all = read(one.GetCsv());
    all.ReadCsv(WriteTemporary("two.csv", csv));
    const auto files = Words("a-time.plt a-factor.plt a-bytes.plt a-bytes-factor.plt");
    NS_TEST_EXPECT_MSG_EQ((all.WritePlots(folder, "a-") == files), true, "all plots");
    Holds(std::filesystem::exists(folder + "/a-bytes-2.dat"),
          "a panel for each number of processes");
    const auto refuses = [&](const std::string& algorithm, const std::string& part) {
        Refuses([&] { ask("algorithms=" + algorithm); }, part);
    };
    refuses("sss-mst[MessageBytes=64]",
            "MessageBytes=64 has no effect; expected --bytes=64, the study's list");
    refuses("smp[Inner=sss-mst[MessageBytes=64]]", "expected --bytes=64");
    refuses("sss-mst[Root=3]", "expected none: the root is the job's first process");
    refuses("tree[Tree=foo]", "broadcast 'tree[Tree=foo]': unknown tree 'foo'");
    refuses("tree[Transport=pigeon]", "expected sendrecv or rdma");
    Refuses([] { AskedStudy("smp-broadcast", "tasksPerHost=0"); }, "tasksPerHost=0");
}

TEST_CASE(OwnWorkloadsTestCase, "Workloads without a speedup, tables they serve, prices below 0")
{
    const auto ask = [&](const std::string& table,
                         const std::string& hardware,
                         const std::string& rate = "{\"barrier\": 1000}",
                         const std::string& more = "") {
        const auto path = WriteTemporary(
            "own.json",
            R"({"comment": "mine", "workloads": [{"name": "a", "reference": "none", "comment": "rates", )" +
                more + "\"perSecond\": " + rate + "}]}");
        return AskedStudy("sync-hardware",
                          "table=" + table + " hardware=" + hardware +
                              " delays=0us supersteps=20 workloads=" + path);
    };
    const auto relative = ask("speedups,7", "none,hw-1");
    // A barrier takes 60 us by software and 2.5 us by HW-1: of each second, 57.5 ms.
    constexpr double GAIN = 1 / (1 - 1000 * 57.5e-6);
    NS_TEST_ASSERT_MSG_EQ(relative.GetNRows(), 4, "two speedups, a price, its aggregate");
    NS_TEST_EXPECT_MSG_EQ(relative.GetText(0, "unit"), "relative", "to its own run");
    NS_TEST_EXPECT_MSG_EQ_TOL(relative.Get(0, "model"), 1, 1e-9, "which is that by software");
    NS_TEST_EXPECT_MSG_EQ_TOL(relative.Get(1, "model"), GAIN, 1e-3, "with hardware");
    NS_TEST_EXPECT_MSG_EQ_TOL(relative.Get(2, "model"), 20000 * (GAIN - 1), 5, "price");
    const auto told = relative.GetRemarks();
    NS_TEST_ASSERT_MSG_EQ(told.size(), 1, "what relative means");
    Contains(told[0], "such as those of a");

    const auto absolute = ask("speedups,7", "none,hw-1", "{\"barrier\": 1000}", "\"speedup\": 8, ");
    for (std::size_t i = 0; i < absolute.GetNRows(); ++i)
    {
        const auto factor = absolute.GetText(i, "table") == "speedups" ? 8 : 1;
        const auto wanted = factor * relative.Get(i, "model");
        Within(absolute.Get(i, "model"), wanted, 1e-6, "a price needs no speedup");
    }
    NS_TEST_EXPECT_MSG_EQ(absolute.GetRemarks().size(), 0, "nothing to explain");

    CsvRow price(AskedStudy::GetTable("sync-hardware"));
    const auto explain = [&] {
        return AskedStudy::Read("sync-hardware", WriteTemporary("price.csv", ToCsv({price})))
            .GetRemarks();
    };
    price["row"] = "slow";
    price["hardware"] = "in-switch";
    price["unit"] = "dollars";
    price["model"] = -0.4;
    NS_TEST_EXPECT_MSG_EQ(explain().size(), 0, "printed as 0");
    price["model"] = 12;
    price["simulated"] = -17;
    const auto below = explain();
    NS_TEST_ASSERT_MSG_EQ(below.size(), 1, "once");
    Contains(below[0], "-17 of slow with in-switch");
    Contains(below[0], "even if it cost nothing");

    const auto refuses = [&](const std::string& table,
                             const std::string& hardware,
                             const std::string& part,
                             const std::string& rate = "{\"barrier\": 1000}",
                             const std::string& more = "") {
        Refuses([&] { ask(table, hardware, rate, more); }, part);
    };
    refuses("3",
            "none",
            "no workload has \"table\": 3; expected with these workloads: 1, 7, speedups");
    refuses("uniprocessor", "none", "no workload has a \"speedup\"");
    refuses("7", "none", "expected hardware hw-1, hw-all, in-switch");
    const std::string one = "{\"barrier\": 1000}";
    const std::string ofTable = "\"table\": 4, ";
    refuses("4", "hw-all", "table 4 would be empty: it has hw-all only as hw-1", one, ofTable);
    refuses("5", "none", "expected with these workloads: 1, 7, speedups, 4", one, ofTable);
    const std::string that = "per second of a run with that hardware and no delay";
    refuses("7", "hw-1", that, "{\"barrier\": 20000}");
    const std::string reference = "per second of a run with the reference hardware and no delay";
    refuses("7", "hw-1", "in events " + reference, "{}");
}

TEST_CASE(CollectiveTimingTestCase, "Rounds of a collective, timed from the last arrival")
{
    auto domain = WithSoftware({{"StartUp", "3us"}}).InstallIdeal(2, MicroSeconds(4));
    auto barrier = CollectiveHelper::MakeBarrier("dissemination");
    const CollectiveTiming timing(barrier);
    NS_TEST_EXPECT_MSG_EQ(timing.ToText(), "no round", "yet");
    CollectiveApplicationHelper program;
    program.SetAttribute("Repetitions", UintegerValue(3));
    program.AddComputation("ns3::UniformRandomVariable[Min=1e-5|Max=9e-5]");
    program.AddCollective(barrier);
    barrier->Create(domain, {0, 1});
    Refuses([&] { program.Install(domain, {1, 0}); }, "already");
    auto processes = program.Install(domain, {0, 1});
    CollectiveApplicationHelper::AssignStreams(processes, 1);
    processes.Start(Seconds(0));
    Simulator::Run();
    const auto durations = timing.GetDurations();
    NS_TEST_ASSERT_MSG_EQ(durations.size(), 3, "rounds");
    for (const auto& duration : durations)
    {
        // Whoever comes last sends at once, and the other waits for that message alone.
        NS_TEST_EXPECT_MSG_EQ(duration, MicroSeconds(7), "start-up and flight");
    }
    const std::string wanted = "mean 7 us, least 7, greatest 7, of 3 rounds";
    NS_TEST_EXPECT_MSG_EQ(timing.ToText(), wanted, "for people");
}

} // namespace
