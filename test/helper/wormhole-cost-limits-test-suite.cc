// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../oracle/flit-oracle.h"
#include "../oracle/worm-cases.h"
#include "../test-fabrics.h"

#include "ns3/study-makers.h"
#include "ns3/worker-pool.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;

// No input costs memory without bound: what would is refused with the figure before it is made, or
// needs no more than its size says.
SUITE("wormhole-cost-limits", UNIT);

namespace
{

/// @return whether something can be done with so much more memory @param action what; it may throw
bool
DoesWithin(uint64_t bytes, const std::function<void()>& action)
{
    const auto child = fork();
    if (child == 0)
    {
        uint64_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlim_t most = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) + bytes;
        const rlimit limit{most, most};
        setrlimit(RLIMIT_AS, &limit);
        try
        {
            action();
        }
        catch (const std::bad_alloc&)
        {
            _exit(1);
        }
        _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_CASE(LargeFabricTestCase, "Fabrics that take too much memory are refused with the figure")
{
    for (const auto& text :
         Words("full:32767 full:20000,hosts=30000 torus:20000x20000 "
               "mesh:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2 full:6000 torus:3000x3000 "
               "torus:1000x1000,hosts=2000 kary-tree:k=32,n=5 clos:ports=30000,levels=2 "
               "clos:down=60000x1000,up=1,cables=30 dragonfly:a=200,h=20 "
               "dragonfly:a=2,h=30000,hosts=30000,g=2000 "
               "irregular:switches=100000,ports=10000,hosts=10,f=0.5 "
               "irregular:switches=100000,ports=10000,hosts=10,f=0.5,parallel=yes,law=pairing"))
    {
        std::string error;
        const auto isCheap = DoesWithin(uint64_t{100} << 20, [&] {
            error = ErrorOf([&] { MakeTopology(text); });
            if (error.find("GiB; expected up to 6 GiB") == std::string::npos)
            {
                throw std::bad_alloc();
            }
        });
        NS_TEST_EXPECT_MSG_EQ((isCheap || IS_SANITIZED), true, text << " is not refused");
    }
    Refuses([] { RouteTable(1'000'000, 1'000'000); }, "a table of routes from 1000000 switches");
    const auto limit = [](double gib) {
        GlobalValue::Bind("WormholeMemoryLimit", DoubleValue(gib));
    };
    limit(1e-6);
    Refuses([] { MakeTopology("full:8"); }, "topology 'full:8': a fabric of 8 switches and 8");
    const auto links = R"("hosts": ["h0", "h1"], "ports": 4000,
                          "links": [["h0", 0, "s0", 1], ["h1", 0, "s0", 2]]})";
    const auto path = WriteTemporary("wide.json", std::string("{") + links);
    Refuses([&] { ReadFabricFile(path); }, "a graph of 1 switches of 4000 ports and 2 hosts");
    limit(6);
    const auto rule =
        WriteTemporary("rule.json",
                       std::string(R"({"topology": "full:32000", "routing": "direct",)") + links);
    Refuses([&] { MakeTopology(rule); }, "instead of 32000 switches of 32000 ports");
}

TEST_CASE(LongChoicesTestCase, "Choices at 20,000 switches in a row")
{
    constexpr uint32_t N = 20'000;
    std::ostringstream links;
    std::ostringstream tree;
    for (uint32_t i = 0; i < N; ++i)
    {
        const auto next = i + 1 < N ? "s" + std::to_string(i + 1) : "h1";
        links << ", [\"s" << i << "\", 1, \"" << next << "\", 0]";
        tree << ", \"s" << i << R"(": [{"any": [1]}])";
    }
    const auto path = WriteTemporary("long.json",
                                     R"({"flit_time": 1, "link_delay": 1, "switch_delay": 0,
        "depth": 4, "hosts": ["h0", "h1"], "links": [["h0", 0, "s0", 0])" +
                                         links.str() +
                                         R"(], "worms": [{"time": 0, "flits": 1, "root": "h0",
        "tree": {"h0": [0])" + tree.str() +
                                         "}}]}");
    const auto worms = ReadWormCase(path);
    NS_TEST_EXPECT_MSG_EQ(ReplayWorms(worms).worms[0].delivered.at("h1"), 2 * (N + 1), "time");
}

TEST_CASE(LongShallowTestCase,
          "Long worms in shallow buffers take no memory by length, and exact times")
{
    // Returns a worm to two hosts, one of them a switch further on. sync: whether its branches
    // advance together
    const auto makeCase = [&](uint32_t depth, bool sync, uint64_t flits) -> WormCase {
        WormCase worms{FabricGraph(2, 3, 3)};
        auto& graph = worms.graph;
        ConnectAll(graph, {{2, 0, 0, 0}, {3, 0, 1, 1}, {4, 0, 0, 2}, {0, 1, 1, 0}});
        worms.timing = {7, 3, 300'000, depth};
        worms.sync = sync;
        WormCase::Worm worm;
        worm.flits = flits;
        worm.root = graph.HostAt(0);
        worm.route = WormRoute::Tree({{0}, {1, 2}, {1}, {}, {}});
        worm.stopNodes = {worm.root, 0, 1, graph.HostAt(2), graph.HostAt(1)};
        worm.stopNames =
            MadeOf(worm.stopNodes, [&](GraphNode node) { return graph.GetName(node); });
        worms.worms = {worm, worm};
        return worms;
    };
    const auto checkOracle = [&](const WormCase& worms, const std::string& what) {
        const auto found = PrintOutcome(worms, ReplayWorms(worms));
        NS_TEST_EXPECT_MSG_EQ(found, PrintOutcome(worms, AskOracle(worms)), what);
    };
    for (const auto& [sync, depth] : Combine<bool, uint32_t>({false, true}, {1, 2, 5}))
    {
        const auto what = "depth " + std::to_string(depth) + (sync ? ", sync" : "");
        checkOracle(makeCase(depth, sync, 1000), what);
        const auto worms = makeCase(depth, sync, 1'000'000);
        const auto isCheap = DoesWithin(uint64_t{24} << 20, [&] { ReplayWorms(worms); });
        NS_TEST_EXPECT_MSG_EQ((isCheap || IS_SANITIZED), true, what);
    }
    const auto error = ErrorOf([&] { ExplainWorms(makeCase(2, false, 2'000'000)); });
    Contains(error, "some 7.5 GiB; expected up to 6 GiB");
    const auto rng = MakeRandom(31);
    RandomCaseOptions options;
    options.multicast = 0.6;
    options.maxWorms = 6;
    for (uint32_t i = 0; i < 30; ++i)
    {
        options.rates = i % 2 == 1;
        options.sync = i % 3 == 1;
        options.uneven = i % 4 > 1;
        auto worms = MakeRandomCase(rng, options);
        worms.timing.depth = 1 + i % 3;
        for (auto& worm : worms.worms)
        {
            worm.flits *= i % 5 == 0 ? 1 : 20;
        }
        checkOracle(worms, "case " + std::to_string(i));
    }
}

TEST_CASE(ForeignErrorTestCase, "Exceptions of the standard library end a program in one line")
{
    int status = 0;
    const auto end = [&](const std::function<void()>& action) {
        const auto run = [&](ProgramOptions&) { action(); };
        const auto addNone = [](ProgramOptions&) {};
        const std::string name = "some-program";
        const OptionProgram program{name, __FILE__, "Does something.", addNone, run, false};
        const auto main = [&](int n, char** words) { status = program.Main(n, words); };
        return PrintedBy(std::cerr, [&] { CallWithArguments({name}, main); });
    };
    NS_TEST_EXPECT_MSG_EQ(end([] { throw std::out_of_range("no\nplace"); }),
                          "some-program: no\\nplace\n",
                          "one line");
    NS_TEST_EXPECT_MSG_EQ(status, 1, "status");
    const std::string longName(5000, 'x');
    const auto told = end([&] { static_cast<void>(std::filesystem::file_size(longName)); });
    NS_TEST_EXPECT_MSG_EQ(told.find('\n'), told.size() - 1, told);
    NS_TEST_EXPECT_MSG_EQ(status, 1, "status");
    Contains(end([] { throw std::bad_alloc(); }), "too little memory", "memory");
    NS_TEST_EXPECT_MSG_EQ(end([] {}), "", "nothing to tell");
    NS_TEST_EXPECT_MSG_EQ(status, 0, "status");
}

SUITE("wormhole-worker-pool", UNIT);

TEST_CASE(WorkerOrderTestCase, "results are taken in order")
{
    constexpr uint32_t PIECES = 60;
    for (const uint32_t jobs : {1, 2, 3, 7, 100})
    {
        std::string all;
        std::string expected;
        const WorkerPool pool(jobs);
        const auto self = getpid();
        bool isHere = true;
        const auto work = [&](uint32_t piece) {
            usleep(piece % 5 == 0 ? 3000 : 0);
            isHere = isHere && getpid() == self;
            return std::string(piece * 1000, 'x') + std::to_string(piece) +
                   (getpid() == self ? "here" : "");
        };
        const auto take = [&](uint32_t piece, const std::string& result) {
            all += std::to_string(result.size()) + result.substr(piece * 1000) + ' ';
        };
        pool.Run(PIECES, work, take);
        for (uint32_t piece = 0; piece < PIECES; ++piece)
        {
            const auto text = std::to_string(piece) + (jobs == 1 ? "here" : "");
            expected += std::to_string(piece * 1000 + text.size()) + text + ' ';
        }
        NS_TEST_EXPECT_MSG_EQ(all, expected, jobs << " jobs");
        NS_TEST_EXPECT_MSG_EQ(pool.GetWorkers(PIECES), std::min(jobs, PIECES), "");
        Holds(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD, "a worker is left");
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(WorkerPool(0).GetWorkers(1000), 1, "");
    WorkerPool(4).Run(0, [](uint32_t) { return ""; }, [](uint32_t, const std::string&) {});
}

TEST_CASE(WorkerErrorTestCase, "errors arrive, the first in order")
{
    for (const uint32_t jobs : {1, 2, 5})
    {
        uint32_t taken = 0;
        const auto run = [&](const WorkerPool::Work& work) {
            taken = 0;
            WorkerPool(jobs).Run(20, work, [&](uint32_t, const std::string&) { ++taken; });
        };
        const auto message = ErrorOf([&] {
            run([](uint32_t piece) -> std::string {
                if (piece == 3)
                {
                    usleep(20000); // later ones fail before
                }
                if (piece >= 3)
                {
                    throw WormholeError("piece " + std::to_string(piece));
                }
                return "";
            });
        });
        NS_TEST_EXPECT_MSG_EQ(message, "piece 3", jobs << " jobs");
        NS_TEST_EXPECT_MSG_EQ(taken, 3, jobs << " jobs");
        bool isMemory = false;
        try
        {
            run([](uint32_t piece) -> std::string {
                if (piece == 5)
                {
                    throw std::bad_alloc();
                }
                return "";
            });
        }
        catch (const std::bad_alloc&)
        {
            isMemory = true;
        }
        NS_TEST_EXPECT_MSG_EQ(isMemory, true, jobs << " jobs");
        if (jobs > 1)
        {
            const auto killed = ErrorOf([&] {
                run([](uint32_t piece) -> std::string {
                    if (piece == 4)
                    {
                        raise(SIGKILL);
                    }
                    return "";
                });
            });
            Contains(killed, "signal 9");
        }
        Holds(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD, "a worker is left");
    }
}

std::string
Barriers(uint32_t jobs, uint32_t runs)
{
    return AskedStudy("btin-comparison",
                      "switches=10,15 hosts=20 groupSizes=3,8 runs=" + std::to_string(runs),
                      jobs)
        .GetCsv();
}

std::string
Broadcasts(uint32_t jobs)
{
    return AskedStudy("smp-broadcast",
                      "algorithms=sss-mst,mpich hosts=4,9 bytes=100 job=12 jobSwitches=3 "
                      "placement=random placements=4",
                      jobs)
        .GetCsv();
}

std::string
Loads(uint32_t jobs, uint32_t& told)
{
    return AskedStudy(MakeLatencyLoadStudy(32),
                      "switches=6 hosts=12 flits=4,64 worms=32 runs=2",
                      nullptr,
                      jobs,
                      [&](const char*, uint64_t done, uint64_t) {
                          told = done;
                          return true;
                      })
        .GetCsv();
}

TEST_CASE(StudyJobsTestCase, "same bytes with any number of jobs")
{
    const auto barriers = Barriers(1, 4);
    const auto roots = Barriers(1, 1);
    const auto broadcasts = Broadcasts(1);
    uint32_t progress = 0;
    const auto loads = Loads(1, progress);
    for (const uint32_t jobs : {2, 5})
    {
        NS_TEST_EXPECT_MSG_EQ(Barriers(jobs, 4), barriers, jobs << " jobs");
        NS_TEST_EXPECT_MSG_EQ(Barriers(jobs, 1), roots, jobs << " jobs");
        NS_TEST_EXPECT_MSG_EQ(Broadcasts(jobs), broadcasts, jobs << " jobs");
        uint32_t told = 0;
        NS_TEST_EXPECT_MSG_EQ(Loads(jobs, told), loads, jobs << " jobs");
        NS_TEST_EXPECT_MSG_EQ(told, progress, jobs << " jobs");
    }
}

} // namespace
