// SPDX-License-Identifier: GPL-2.0-only

// Traffic beside the collectives of studies, by --load and --pattern.

#include "../asked-study.h"
#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-traffic-beside", UNIT);

namespace
{

PrintedStudy
RunLoaded(const std::vector<std::string>& words, const std::vector<std::string>& more)
{
    auto output = RunStudy(Join(words, more));
    if (!output.errors.empty() && output.errors.back() == '\n')
    {
        output.errors.pop_back(); // a message is one line
    }
    return output;
}

struct LoadedStudy
{
    std::vector<std::string> words; ///< its program and arguments
    std::string mean;               ///< column of its mean time
    bool hasJobs;                   ///< whether processes may share its work
};

/// All of them, at a small size, by algorithms that use the fabric.
const std::vector<LoadedStudy> LOADED_STUDIES{
    {Words("btin-comparison --topology=torus:3x3 --groupSizes=4,9 --runs=2 --reduction=simulated "
           "--schemes=btin,dissemination"),
     "latency_us_mean",
     true},
    {Words("rdma-barrier --topology=torus:3x3 --nodes=3,9 --barriers=15"),
     "latency_us_mean",
     false},
    {Words("smp-broadcast --topology=torus:3x3 --hosts=9 --bytes=64,1kB"), "time_us", true},
    {Words("fibo-tree --network=fabric --topology=torus:3x3 --processes=9 --s=5us --r=9us"),
     "finish_us_simulated",
     false},
    {Words("split-barrier --topology=torus:3x3 --algorithms=dissemination,btin --compute=0us "
           "--imbalance=0 --progressBy=in-call"),
     "barrier_us",
     false}};

double
Sum(const std::string& csv, const std::string& column)
{
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    const auto before = line.substr(0, ("," + line + ",").find("," + column + ","));
    const auto place = std::count(before.begin(), before.end(), ',');
    if (before == line)
    {
        return -1;
    }
    double sum = 0;
    while (std::getline(lines, line))
    {
        std::istringstream fields(line);
        std::string field;
        for (auto i = place; i >= 0; --i)
        {
            std::getline(fields, field, ',');
        }
        sum += std::stod(field);
    }
    return sum;
}

TEST_CASE_WITH(LoadedStudiesTestCase,
               (bool isRepeated),
               std::string("studies beside traffic: no load changes no byte, times grow with the "
                           "load, ") +
                   (isRepeated ? "and are the same again" : "also in several processes"))
{
    for (const auto& study : LOADED_STUDIES)
    {
        const auto& name = study.words[0];
        const auto alone = RunLoaded(study.words, {});
        NS_TEST_ASSERT_MSG_EQ(alone.status, 0, name << ": " << alone.errors);
        NS_TEST_EXPECT_MSG_EQ(RunLoaded(study.words, {"--load=0"}).csv, alone.csv, name);
        NS_TEST_EXPECT_MSG_EQ(alone.csv.find("load"), std::string::npos, name);

        const std::vector<std::string> heavy{"--load=0.3", "--flits=128"};
        const auto low = RunLoaded(study.words, {"--load=0.05", "--flits=128"});
        const auto high = RunLoaded(study.words, heavy);
        NS_TEST_ASSERT_MSG_EQ(low.status, 0, name << ": " << low.errors);
        NS_TEST_ASSERT_MSG_EQ(high.status, 0, name << ": " << high.errors);
        const auto lowMean = Sum(low.csv, study.mean);
        const auto highMean = Sum(high.csv, study.mean);
        NS_TEST_EXPECT_MSG_GT(lowMean, Sum(alone.csv, study.mean), name);
        NS_TEST_EXPECT_MSG_GT(highMean, lowMean, name);
        const auto percentile = study.mean.substr(0, study.mean.find("_us") + 3) + "_p99";
        NS_TEST_EXPECT_MSG_GT(Sum(high.csv, percentile), highMean, name);
        NS_TEST_EXPECT_MSG_GT(Sum(high.csv, "load"), 0, name);

        if (isRepeated)
        {
            NS_TEST_EXPECT_MSG_EQ(RunLoaded(study.words, heavy).csv, high.csv, name);
            const auto hotspot = Join(heavy, {"--pattern=hotspot"});
            NS_TEST_EXPECT_MSG_NE(RunLoaded(study.words, hotspot).csv, high.csv, name);
        }
        if (study.hasJobs)
        {
            const auto shared = Join(heavy, {"--jobs=3"});
            NS_TEST_EXPECT_MSG_EQ(RunLoaded(study.words, shared).csv, high.csv, name);
        }
    }
}

TEST_CASE(LoadedPartsTestCase,
          "studies beside traffic: explained latencies are the same, and their parts make them")
{
    const auto names =
        Words("host_us_mean interface_us_mean wire_us_mean switch_us_mean waiting_us_mean "
              "elsewhere_us_mean");
    const std::vector<std::vector<std::string>> studies{
        Join(LOADED_STUDIES[0].words, {"--load=0.3"}),
        Words("barriers-under-load --topology=torus:4x4 --algorithms=btin,dissemination,hw-1 "
              "--loads=0.1,0.3 --rounds=10")};
    for (const auto& words : studies)
    {
        const auto& name = words[0];
        const auto plain = RunLoaded(words, {});
        const auto told = RunLoaded(words, {"--explain"});
        NS_TEST_ASSERT_MSG_EQ(told.status, 0, name << ": " << told.errors);
        NS_TEST_EXPECT_MSG_EQ(plain.csv.find("host_us"), std::string::npos, name);
        const auto mean = Sum(told.csv, "latency_us_mean");
        NS_TEST_EXPECT_MSG_EQ(mean, Sum(plain.csv, "latency_us_mean"), name);
        const auto sum = SumOf(names, [&](const auto& part) { return Sum(told.csv, part); });
        const auto nRows = std::count(told.csv.begin(), told.csv.end(), '\n') - 1;
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, mean, 0.0006 * static_cast<double>(nRows), name);
        const auto traffic = Sum(told.csv, "traffic_us_mean");
        NS_TEST_EXPECT_MSG_GT(traffic, 0, name);
        NS_TEST_EXPECT_MSG_LT(traffic, Sum(told.csv, "waiting_us_mean"), name);
    }
    const auto idle = RunLoaded(LOADED_STUDIES[0].words, {"--explain"});
    NS_TEST_EXPECT_MSG_EQ(idle.csv.find("traffic_us"), std::string::npos, "there is none");
}

TEST_CASE(LoadedRefusedTestCase, "studies beside traffic: what is refused, and why")
{
    const auto refuses = [this](const std::vector<std::string>& words,
                                const std::vector<std::string>& parts) {
        const auto output = RunLoaded(words, {});
        NS_TEST_EXPECT_MSG_EQ(output.status, 1, words[0]);
        SaysAll(output.errors, parts);
    };
    for (const auto& study : LOADED_STUDIES)
    {
        const auto with = [&study](const std::vector<std::string>& more) {
            return Join(study.words, more);
        };
        refuses(with({"--load=2"}), {"--load=2: expected one number, 0 to 1"});
        refuses(with({"--load=x"}), {"--load=x: expected one number"});
        refuses(with({"--pattern=hotspot"}), {"--pattern=hotspot: has no effect without"});
        refuses(with({"--load=0.1", "--pattern=no"}), {"--pattern=no", "hotspot"});
        refuses(with({"--load=0.1", "--flits=no"}), {"--flits=no"});
        refuses(with({"--load=1", "--pattern=hotspot"}), {"is more than the fabric takes"});
    }
    const std::string ideal = "has no effect on an ideal network";
    refuses({"fibo-tree", "--load=0.1"}, {"--load=0.1: " + ideal, "--network=fabric"});
    refuses({"fibo-tree", "--load=0.1", "--network=ideal,fabric"}, {"--load=0.1: " + ideal});
    refuses({"sync-hardware", "--load=0.1"}, {"--load=0.1: " + ideal, "network-done"});
    refuses({"smp-broadcast", "--rounds=3"}, {"--rounds=3: has no effect without --load"});
    refuses({"btin-comparison", "--load=0.1", "--reduction=ideal"}, {"expected simulated"});
    refuses({"btin-comparison", "--load=0.1", "--btinTiming=paper"}, {"expected flits"});
}

TEST_CASE(LoadedBenchesTestCase,
          "messages and GOAL schedules beside traffic: without a load they take as long as "
          "alone, and longer with one")
{
    Time aloneTimes; // what rounds took without traffic
    const auto makeDomain = [] {
        StartAnew();
        return InstallDomain(MakeTopology("torus:4x4").graph);
    };
    const BackgroundTraffic::Parameters none;
    BackgroundTraffic::Parameters some;
    some.load = 0.4;
    const auto measure = [&](const BackgroundTraffic::Parameters& traffic) {
        return MessageBench(makeDomain(), 0, 15).MeasureUnderTraffic(800, 3, 4, 20, traffic);
    };
    const auto alone = MessageBench(makeDomain(), 0, 15).Stream(800, 3, 1);
    for (const auto& time : measure(none))
    {
        NS_TEST_EXPECT_MSG_EQ(time, alone, "nothing is in the way");
    }
    const auto sum = SumOf(measure(some), [](Time time) { return time; });
    NS_TEST_EXPECT_MSG_GT(sum, alone * 20, "traffic is");
    const auto job =
        std::make_shared<GoalSchedule>(GoalCollective::Make("allreduction", "ring", 4, 400, 0));
    for (const auto& traffic : {none, some})
    {
        GoalBench bench(makeDomain());
        bench.Add(job, {0, 5, 10, 15}, "sendrecv");
        bench.Add(job, {1, 5, 9, 13}, "rdma");
        bench.Run();
        bench.RunUnderTraffic(traffic, 6);
        Time sum;
        for (const auto number : {0, 1})
        {
            NS_TEST_EXPECT_MSG_EQ(bench.GetRounds(number).size(), 6, "rounds");
            for (const auto& round : bench.GetRounds(number))
            {
                const bool isSame = round == bench.GetFinishTimes(number);
                NS_TEST_EXPECT_MSG_EQ((traffic.IsThere() || isSame), true, "each as the other");
                sum += Greatest(round);
            }
        }
        aloneTimes = traffic.IsThere() ? aloneTimes : sum;
        NS_TEST_EXPECT_MSG_EQ((sum > aloneTimes), traffic.IsThere(), "traffic is in the way");
    }
}

ADD_CASES()
{
    AddQuick<LoadedStudiesTestCase>(false);
    AddExtensive<LoadedStudiesTestCase>(true);
}

} // namespace
