// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../test-fabrics.h"

#include "ns3/barrier-model.h"
#include "ns3/communication-tree.h"
#include "ns3/csv-file.h"
#include "ns3/file-name.h"
#include "ns3/text-tools.h"
#include "ns3/tree-shapes.h"

#include <csignal>
#include <cstdio>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;

// What can't be is refused where it comes in: times that don't fit, names that are no files', texts
// that are no numbers.
SUITE("wormhole-limits", UNIT);

/// Comes before a unit of time is chosen.
class FirstTestCase : public ModuleTestCase
{
  public:
    using ModuleTestCase::ModuleTestCase;

  private:
    void DoSetup() override
    {
    }
};

/// A unit of time in which default delays are no whole numbers is refused. It can be chosen once
/// only, so that this is tried in a process of its own.
TEST_CASE_OF(FirstTestCase, CoarseUnitTestCase, "A unit of time that is too long is refused")
{
    if (Time::GetResolution() != Time::NS)
    {
        return; // other suites have run in this process
    }
    const auto child = fork();
    if (child == 0)
    {
        Time::SetResolution(Time::US);
        WormholeHelper helper;
        helper.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
        helper.SetFabricAttribute("DataRate", StringValue("1Mbps"));
        NodeContainer nodes(2);
        const auto error = ErrorOf([&] { helper.Install(nodes); });
        _exit(error.find("longer than a nanosecond") == std::string::npos);
    }
    int status = -1;
    NS_TEST_EXPECT_MSG_EQ(waitpid(child, &status, 0), child, "it ends");
    NS_TEST_EXPECT_MSG_EQ(status, 0, "it is refused");
}

TEST_CASE(TimeLimitTestCase, "Times that don't fit are refused")
{
    const std::string late = "the latest time that fits";
    const auto last = TimeStep(TimeLimit::LATEST);
    NS_TEST_EXPECT_MSG_EQ(TimeLimit::Add(last - TimeStep(3), TimeStep(3)), last, "just fits");
    Refuses([&] { TimeLimit::Add(last - TimeStep(3), TimeStep(4)); }, late);
    Refuses([&] { TimeLimit::Add(last, last); }, late);
    NS_TEST_EXPECT_MSG_EQ(TimeLimit::Multiply(TimeStep(1), TimeLimit::LATEST), last, "fits");
    NS_TEST_EXPECT_MSG_EQ(TimeLimit::Multiply(Time(0), UINT64_MAX), Time(0), "fits");
    Refuses([&] { TimeLimit::Multiply(TimeStep(2), TimeLimit::LATEST); }, late);
    NS_TEST_EXPECT_MSG_EQ(TimeLimit::FromSeconds(2e6, "it"), Seconds(2'000'000), "fits");
    for (const auto seconds : {5e6, 1e300, -1.0, std::nan("")})
    {
        Refuses([&] { TimeLimit::FromSeconds(seconds, "it took"); }, "it took");
    }

    auto channel = CreateObject<WormholeChannel>();
    channel->SetAttribute("Delay", TimeValue(Seconds(3600)));
    Refuses([&] { channel->SetAttribute("Delay", TimeValue(Seconds(3601))); }, "is too long");

    // 7,200 s a process, of which 320 fit in 2^61 ps.
    const auto hour = Seconds(3600);
    const TreeCost cost(hour, hour);
    const auto chain = [&](uint32_t n) { return MakeCommunicationTree("chain", n, hour, hour); };
    NS_TEST_EXPECT_MSG_EQ(cost.GetFinish(chain(321)), Seconds(320 * 7200), "exact");
    Refuses([&] { cost.GetFinish(chain(322)); }, late);
    for (const auto* tree : {"chain", "sequential"})
    {
        const std::string options = std::string("s=3600s r=3600s processes=3000 trees=") + tree;
        Refuses([&] { AskedStudy("fibo-tree", options); }, late);
    }
    Simulator::Destroy();

    const FabricTimes times{hour, hour, hour, hour, hour};
    NS_TEST_EXPECT_MSG_EQ(times.LoneWorm(2, 10), hour * (1 + 2 + 1 + 2 + 1 + 10), "exact");
    Refuses([&] { times.LoneWorm(2, 1'000'000'000); }, late);
}

TEST_CASE(CaseLimitTestCase, "Limits of case files are those of the fabric")
{
    // Returns path of a case of one worm. delays: flit time, delay of cables and of switches; worm:
    // time and length of the worm
    const auto makeCase = [&](const std::string& delays,
                              const std::string& depth,
                              const std::string& worm) -> std::string {
        return WriteTemporary("limit.json",
                              "{\"hosts\": [\"a\", \"b\"], \"links\": [[\"a\", 0, \"s\", 0],\n"
                              "[\"b\", 0, \"s\", 1]],\n" +
                                  delays + ", \"depth\": " + depth + ",\n\"worms\": [{" + worm +
                                  ", \"root\": \"a\",\n\"tree\": {\"a\": [0], \"s\": [1]}}]}");
    };
    const std::string least = "\"flit_time\": 1, \"link_delay\": 1, \"switch_delay\": 0";
    const auto replay =
        [&](const std::string& delays, const std::string& depth, const std::string& worm) {
            const auto worms = ReadWormCase(makeCase(delays, depth, worm));
            return ReplayWorms(worms).worms.front().delivered.at("b");
        };
    const std::string one = "\"time\": 0, \"flits\": 1";
    NS_TEST_EXPECT_MSG_EQ(replay(least, "268435455", one), 4, "2 tau + 2 p");
    Refuses([&] { replay(least, "268435456", one); }, ":3: depth: '268435456' is out of range");
    const std::string longest = "\"time\": 0, \"flits\": 9007199254740991";
    NS_TEST_EXPECT_MSG_EQ(replay(least, "8", longest), 9007199254740991 + 3, "exact");
    Refuses([&] { replay(least, "8", "\"time\": 0, \"flits\": 9007199254740992"); },
            ":4: worms[0].flits: '9007199254740992' is out of range");
    const std::string late = "\"time\": 2305843009213693948, \"flits\": ";
    NS_TEST_EXPECT_MSG_EQ(replay(least, "8", late + "1"), TimeLimit::LATEST, "exact");
    Refuses([&] { replay(least, "8", late + "2"); }, ":4: worms[0].flits: '2' is too long");
    const std::string hours = "\"flit_time\": 1, \"link_delay\": 3600000000000000, "
                              "\"switch_delay\": 3600000000000000";
    constexpr int64_t HOUR = 3'600'000'000'000'000;
    NS_TEST_EXPECT_MSG_EQ(replay(hours, "8", one), 3 * HOUR + 2, "exact");
    // 3 h for each flit that waits for the only slot
    const auto end = replay(hours, "1", "\"time\": 0, \"flits\": 200");
    NS_TEST_EXPECT_MSG_EQ(end, 3 * HOUR + 2 + 199 * (3 * HOUR + 1), "exact");
    Refuses([&] { replay(hours, "1", "\"time\": 0, \"flits\": 230"); },
            ":4: worms[0].flits: '230' is too long a worm at 0 ps");
    auto longer = hours;
    longer.replace(longer.find("000, "), 3, "001");
    Refuses([&] { replay(longer, "8", one); }, ":3: link_delay: '3600000000000001'");
    Refuses([&] { replay("\"flit_time\": 3600000000000001" + least.substr(14), "8", one); },
            ":3: flit_time: '3600000000000001'");
}

TEST_CASE(FileNameTestCase, "Names that are no files' are refused")
{
    const auto pipe = CreateTempDirFilename("pipe");
    NS_TEST_ASSERT_MSG_EQ(mkfifo(pipe.c_str(), 0600), 0, "a pipe that nobody writes to");
    const auto folder = CreateTempDirFilename(".");
    const std::vector<std::pair<std::string, std::string>> names{
        {"-", "'-' is no file name"},
        {"", "'' is no file name"},
        {"  ", "'  ' is no file name"},
        {folder, folder + ": is a folder"},
        {"/dev/zero", "/dev/zero: is a device or a pipe"},
        {pipe, pipe + ": is a device or a pipe"}};
    for (const auto& [name, said] : names)
    {
        const auto path = name;
        Refuses([&] { ReadFabricFile(path); }, said);
        Refuses([&] { ReadWormCase(path); }, said);
        Refuses([&] { CsvFile(path, {"a"}); }, said);
    }
    const auto graph = MakeTopology("mesh:2").graph;
    for (std::size_t i = 0; i < 4; ++i)
    {
        const auto [name, said] = names[i];
        const auto path = name;
        Refuses([&] { WriteFabricFile(graph, path); }, said);
        Refuses([&] { AtomicFile file(path); }, said);
    }
    const auto path = WriteTemporary("text", "two\nlines");
    NS_TEST_EXPECT_MSG_EQ(FileName::Read(path), "two\nlines", "what is in a file");
    NS_TEST_EXPECT_MSG_EQ(FileName::Read(WriteTemporary("none", "")), "", "an empty file");
}

TEST_CASE(PlainTextTestCase, "Texts that are nothing are refused")
{
    const auto refusesArgument = [&](const std::string& argument, const std::string& said) {
        Refuses(
            [&] {
                ProgramOptions options(__FILE__, "usage");
                options.Add("loads", "0.1", "ratios");
                options.Add("plots", "DIR", "folder");
                const auto parse = [&](int n, char** words) { options.Parse(n, words); };
                CallWithArguments({"program", argument}, parse);
                options.GetRatios("loads");
                options.MakeFolder("plots");
            },
            said);
    };
    refusesArgument("-", "'-' is no option");
    refusesArgument("--", "'--' is no option");
    refusesArgument("--loads= ", "--loads has no value");
    refusesArgument("--loads=0.1\n0.2", "'--loads=0.1?0.2' has control characters");
    for (const std::string text : {"0x1p-1", "inf", "nan", " 0.5", "0.5 ", "1e", "", "1.2.3"})
    {
        NS_TEST_EXPECT_MSG_EQ(std::isnan(ParseStrictNumber(text)), true, "'" << text << "'");
        refusesArgument("--loads=0.5," + text, text.empty() ? "is empty" : "'" + text + "'");
    }
    NS_TEST_EXPECT_MSG_EQ(ParseStrictNumber("-2.5e1"), -25, "a number");
    refusesArgument("--plots=-", "--plots=-: '-' is no file name");
    const std::string line = WormholeError("a\nb\t\x7f \u03bc").what();
    NS_TEST_EXPECT_MSG_EQ(line, "a\\nb\\x09\\x7f \u03bc", "a message is one line");
    Refuses([] { ReadFabricFile("no\nfile"); }, "no\\nfile");
    Refuses([] { WormLength::Parse("0x10"); }, "0x10");
    Refuses([] { MakeTopology("irregular:f=0x1p-1"); }, "f=0x1p-1");
    Refuses([] { MakeTopology("clos:down=2x2,up=1,cables=x"); }, "'cables=x'");
    Refuses(
        [this] {
            const CsvFile file(WriteTemporary("a.csv", "a\ninf\n"), {"a"});
            file.GetNumber(0, "a");
        },
        ":2: a 'inf'");
}

TEST_CASE(ProgressTestCase, "A long simulation tells how far it is")
{
    std::ostringstream told;
    SimulationProgress progress(
        [&](const char* what, uint64_t done, uint64_t all) {
            told << done << " of " << all << " " << what << std::endl;
            return true;
        },
        0); // a line at each look
    progress.Begin("half", [] { return 1; }, 2);
    Time last; // when the last event was
    for (uint32_t us = 0; us <= 1000; ++us)
    {
        Simulator::Schedule(MicroSeconds(us), [&] { last = Simulator::Now(); });
    }
    Simulator::Run();
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(last, MicroSeconds(1000), "all has been done");
    Contains(told.str(), "1 of 2 half, at a simulated time of");
}

TEST_CASE(EndedWriterTestCase, "Files of a process that a signal ends")
{
    const auto path = CreateTempDirFilename("ended.csv");
    const auto own = WriteText(path + ".part", "somebody's own");
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    {
        const auto child = fork();
        if (child == 0)
        {
            std::signal(signal, SIG_DFL);
            AtomicFile first(CreateTempDirFilename("first.csv"));
            first.Finish();
            AtomicFile file(path);
            file.Get() << "half" << std::flush;
            raise(signal);
            _exit(1);
        }
        int status = 0;
        NS_TEST_EXPECT_MSG_EQ(waitpid(child, &status, 0), child, "it ends");
        Holds(WIFSIGNALED(status) && WTERMSIG(status) == signal, "by the signal");
        NS_TEST_EXPECT_MSG_NE(access((path + ".part2").c_str(), F_OK), 0, "no part of it");
        NS_TEST_EXPECT_MSG_NE(access(path.c_str(), F_OK), 0, "nor the file");
        NS_TEST_EXPECT_MSG_EQ(access(own.c_str(), F_OK), 0, "what is not its own");
    }
    struct sigaction before = {};
    struct sigaction after = {};
    sigaction(SIGTERM, nullptr, &before);
    {
        AtomicFile file(path);
        AtomicFile other(path);
        other.Finish();
    }
    sigaction(SIGTERM, nullptr, &after);
    NS_TEST_EXPECT_MSG_EQ((before.sa_handler == after.sa_handler), true, "as it was");
    std::remove(own.c_str());
}

SUITE("wormhole-log", UNIT);

static std::string
Log(LogLevel level)
{
    return PrintedBy(std::clog, [&] {
        LogComponentEnable("WormholeRunEngine", level);
        SendLoneWorm(WormholeHelper(), MakeLine(2), 2);
        LogComponentDisable("WormholeRunEngine", LOG_LEVEL_ALL);
    });
}

/// One worm over two switches: every step is logged at its own time, and nothing at lower levels.
TEST_CASE(EngineLogTestCase, "The engine logs requests, grants, heads, tails and credits")
{
#ifdef NS3_LOG_ENABLE
    ContainsAll(Log(LOG_LEVEL_ALL),
                {"worm 0 asks for h0:0",
                 "worm 0 is granted h0:0",
                 "worm 0 starts on h0:0",
                 "worm 0 has left by h0:0",
                 "h0:0 gets 2 credits",
                 "worm 0 asks for s0:1",
                 "worm 0 is granted s0:1",
                 "worm 0 starts on s0:1",
                 "worm 0 has left by s0:1"});
    const auto logic = Log(LOG_LOGIC); // versions of ns-3 order their levels in two ways
    Contains(logic, "worm 0 is granted s0:1");
    NS_TEST_EXPECT_MSG_EQ(logic.find("credits"), std::string::npos, logic);
#endif
    NS_TEST_EXPECT_MSG_EQ(Log(LOG_LEVEL_WARN), "", "nothing to warn of");
}
