// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../test-case.h"

#include "ns3/communication-tree.h"
#include "ns3/study-hosts.h"
#include "ns3/tree-shapes.h"

#include <filesystem>

using namespace ns3;

SUITE("wormhole-software-study", UNIT);

namespace
{

StudyHosts
MakeHosts(const std::string& topology)
{
    return StudyHosts(topology.empty() ? nullptr
                                       : std::make_shared<WormholeTopology>(MakeTopology(topology)),
                      NanoSeconds(20),
                      NanoSeconds(300));
}

TEST_CASE(TreeMeasurementTestCase, "Trees simulated against the cost model")
{
    // s: how long a message keeps its sender busy; r: from then until the receiver is active;
    // exact: whether the network adds nothing
    const auto compare = [&](const StudyHosts& hosts, Time s, Time r, bool exact) {
        for (const auto& [n, tree] : Combine<uint32_t, std::string>(
                 {1, 2, 3, 7, 19, 40},
                 {"sequential", "chain", "binary", "kary-3", "binomial", "fibo", "fibo-1-3"}))
        {
            const auto shape = MakeCommunicationTree(tree, n, s, r);
            const auto model = TreeCost(s, r).GetArrivals(shape);
            const auto simulated = hosts.SpreadByTree(tree, {n, {{s, r}}}).front();
            NS_TEST_ASSERT_MSG_EQ(simulated.size(), n, "a time for each process");
            for (uint32_t i = 0; i < n; ++i)
            {
                const auto added = simulated[i] - model[i];
                NS_TEST_ASSERT_MSG_EQ(added.IsStrictlyNegative(), false, "not before " << i);
                // At most 2 links and switches more for each level, if nothing waits.
                const auto most = exact ? Time(0) : NanoSeconds(1000) * int64_t{shape.GetHeight()};
                NS_TEST_ASSERT_MSG_LT_OR_EQ(added, most, tree << " of " << n << ", process " << i);
            }
        }
    };
    const StudyHosts ideal;
    const auto star = MakeHosts("");
    const auto torus = MakeHosts("torus:3x3,hosts=5");
    for (const auto& [s, r] : {std::make_pair(27, 88), std::make_pair(3, 1)})
    {
        compare(ideal, MicroSeconds(s), MicroSeconds(r), true);
        compare(star, MicroSeconds(s), MicroSeconds(r), true);
        compare(torus, MicroSeconds(s), MicroSeconds(r), false);
    }
    // Without any time to receive, where only an ideal network can do it.
    compare(ideal, MicroSeconds(5), Time(0), true);
}

const std::string SMALL =
    "preset=manna processes=2,19 trees=sequential,binomial,fibo network=ideal";

TEST_CASE(TreeStudyTestCase, "Study of trees")
{
    uint32_t nTold = 0;
    const auto count = [&](const char* /* what */, uint64_t done, uint64_t all) {
        NS_TEST_EXPECT_MSG_EQ(done, ++nTold, "one more");
        NS_TEST_EXPECT_MSG_EQ(all, 6, "of all");
        return true;
    };
    const AskedStudy study("fibo-tree", SMALL, 1, count);
    const std::string csv = "tree,network,s_us,r_us,processes,finish_us_model,finish_us_simulated,"
                            "c_us,levels,bound_us_model\n"
                            "sequential,ideal,27.000,88.000,2,115.000,115.000,0.000,,115.000\n"
                            "binomial,ideal,27.000,88.000,2,115.000,115.000,0.000,,115.000\n"
                            "fibo,ideal,27.000,88.000,2,115.000,115.000,0.000,,115.000\n"
                            "sequential,ideal,27.000,88.000,19,574.000,574.000,0.000,,311.000\n"
                            "binomial,ideal,27.000,88.000,19,460.000,460.000,0.000,,311.000\n"
                            "fibo,ideal,27.000,88.000,19,311.000,311.000,0.000,,311.000\n";
    NS_TEST_EXPECT_MSG_EQ(study.GetCsv(), csv, "the CSV");
    const auto read = [this](const std::string& rows, const std::string& options = "") {
        return AskedStudy::Read("fibo-tree", WriteTemporary("rows.csv", rows), options);
    };
    NS_TEST_EXPECT_MSG_EQ(read(csv).GetCsv(), csv, "read and written again");
    const auto published =
        WriteTemporary("study.csv",
                       "id,quantity,tree,s_us,r_us,processes,time_us,value,unit,source,where,"
                       "reproducible,why\n"
                       "a,finish,fibo-1-3,27,88,19,,318,us,measured,Section 5,yes,\n"
                       "b,finish,fibo,27,88,64,,15,us,paper,Section 4,yes,\n"
                       "c,lambda,,27,88,,,1.4,,paper,Section 4,yes,\n");
    const auto directory = CreateTempDirFilename("plots");
    const std::string options = "published=" + published;
    const auto files = read(csv, options).WritePlots(directory, "a-");
    Same(files, {"a-finish.plt"}, "one picture, of this name");
    const auto data = ReadText(directory + "/a-finish-1.dat");
    Contains(data, "\n\n19 318\n", "what was measured, only");
    NS_TEST_EXPECT_MSG_EQ(data.find("64 15"), std::string::npos, "not what was calculated");
    const auto none = read(csv.substr(0, csv.find('\n') + 1), options).WritePlots(directory, "");
    NS_TEST_EXPECT_MSG_EQ(none.size(), 0, "no rows");
}

TEST_CASE(TreeRefusalsTestCase, "Study of trees: what is refused")
{
    const auto refuses = [this](const std::string& options, const std::string& part) {
        Refuses([&] { AskedStudy("fibo-tree", options); }, part);
    };
    refuses("trees=fibo,oak", "unknown tree 'oak'");
    refuses("processes=2,19 network=fabric topology=torus:3x3",
            "19 hosts are asked for, and the fabric has 9");
    refuses("s=27us,1us r=88us,500ns network=fabric", "r is +0.5us");
    refuses("s=0us r=1us", "s above 0");
    refuses("preset=cray", "manna, figure-4, steps");
    const std::string header =
        "tree,network,s_us,r_us,processes,finish_us_model,finish_us_simulated,"
        "c_us,levels,bound_us_model\n";
    const auto refusesRow = [&](const std::string& row, const std::string& part) {
        Refuses([&] { AskedStudy::Read("fibo-tree", WriteTemporary("rows.csv", header + row)); },
                part);
    };
    refusesRow("fibo,air,1,3,4,5,6,0,,5\n", "ideal or fabric");
    refusesRow("fibo,ideal,1,3,x,5,6,0,,5\n", "'x'");
}

TEST_CASE(TreeFurtherTestCase, "Study of trees: arrivals and speed of 64 processes in steps")
{
    const auto arrivals = CreateTempDirFilename("arrivals.csv");
    const auto speed = CreateTempDirFilename("speed.csv");
    AskedStudy("fibo-tree",
               "preset=steps processes=64 trees=fibo arrivals=" + arrivals + " speed=" + speed);
    for (const auto& row : Words("12.000,7,7 13.000,10,10 14.000,14,14 15.000,14,14"))
    {
        Contains(ReadText(arrivals), "\nfibo,ideal,1.000,3.000,64," + row + "\n", row);
    }
    for (const auto& row : Words("0.000,1 4.000,2 12.000,26 15.000,69"))
    {
        Contains(ReadText(speed), "\n1.000,3.000,1.38028," + row + "\n", row);
    }
    NS_TEST_EXPECT_MSG_EQ(ReadText(speed).find(",16.000,"), std::string::npos, "not beyond 64");
}

constexpr double FLAG = 0.5; ///< a flag on the paper's clusters, us

uint32_t
GetSteps(uint32_t n)
{
    const auto log = static_cast<uint32_t>(std::log2(n));
    return n == 1U << log ? log : log + 2;
}

std::string
CountTo(uint32_t last)
{
    return last == 1 ? "1" : CountTo(last - 1) + "," + std::to_string(last);
}

TEST_CASE(RdmaStepsTestCase, "rdma-barrier: number of steps")
{
    const std::vector<uint32_t> steps{0, 1, 3, 2, 4, 3, 5, 4, 5, 6};
    const AskedStudy study(
        "rdma-barrier",
        "nodes=1,2,3,4,5,8,9,16,32,64 tasksPerNode=1 transports=rdma barriers=1");
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(study.Get(i, "steps"), steps[i], study.GetText(i, "nodes"));
    }
}

TEST_CASE(RdmaLatenciesTestCase, "rdma-barrier: closed forms")
{
    const AskedStudy study("rdma-barrier",
                           "nodes=" + CountTo(33) + " tasksPerNode=1,2,4 barriers=5");
    for (const auto& row : study.GetRows())
    {
        const bool rdma = row["transport"].Text() == "rdma";
        const auto where = row["transport"].Text() + ", " + row.GetText("nodes") + " nodes, " +
                           row.GetText("tasks_per_node") + " tasks";
        const auto exchanged = row["nodes"].Whole() * (rdma ? 1 : row["tasks_per_node"].Whole());
        NS_TEST_ASSERT_MSG_EQ(row["steps"], GetSteps(exchanged), where);
        const auto step = (rdma ? 31.88 : 45.14) / 3;
        // The master sees the others' flags, and sets theirs, one after the other.
        const auto flags =
            rdma && row["tasks_per_node"] > 1 ? 2.0 * row["tasks_per_node"] * FLAG : 0.0;
        const auto wanted = row["steps"] * step + flags;
        const bool isPower = (exchanged & (exchanged - 1)) == 0;
        if (rdma || row["tasks_per_node"] == 1)
        {
            // Two worms of a few flits may come to one host at once.
            constexpr double WAITING = 0.05;
            NS_TEST_ASSERT_MSG_LT_OR_EQ(row["latency_us_mean"], wanted + WAITING, where);
        }
        if (isPower && (row["tasks_per_node"] == 1 || (rdma && row["tasks_per_node"] == 2)))
        {
            NS_TEST_ASSERT_MSG_EQ_TOL(row["latency_us_mean"], wanted, 1e-5, where);
        }
        // A partner's message may be early, but not by more than it flies, in all steps.
        NS_TEST_ASSERT_MSG_LT_OR_EQ(0.7 * row["steps"] * step,
                                    row["latency_us_mean"] + row["tasks_per_node"] * step,
                                    where);
    }
}

TEST_CASE(RdmaPublishedTestCase, "rdma-barrier: 16 nodes from 8, and 64 tasks on 32 nodes")
{
    const AskedStudy study("rdma-barrier", "preset=cluster-2 nodes=8,16 tasksPerNode=1");
    const auto expect = [&](std::size_t row, double us, double tolerance) {
        NS_TEST_EXPECT_MSG_EQ_TOL(study.Get(row, "latency_us_mean"), us, tolerance, row);
    };
    expect(0, 29, 1e-5); // a fit, and what is predicted from it
    expect(1, 39.4, 0.042 * 39.4);
    expect(2, 40.5, 1e-5);
    expect(3, 56.3, 0.042 * 56.3);
    const AskedStudy many("rdma-barrier",
                          "preset=cluster-3 nodes=32 tasksPerNode=2 transports=rdma");
    NS_TEST_EXPECT_MSG_EQ_TOL(many.Get(0, "latency_us_mean"), 65, 1e-5, "fit");
}

TEST_CASE(RdmaTwoTasksTestCase,
          "rdma-barrier: steps within a node, interfaces that are occupied, and addresses")
{
    const AskedStudy study(
        "rdma-barrier",
        "preset=cluster-3 nodes=2,8,32 tasksPerNode=1,2 withinHost=flags,memory,interface "
        "interfacePercent=0,40,80 exchange=direct registration=7us");
    constexpr double RDMA_STEP = 63.0 / 5;
    constexpr double STEP = RDMA_STEP / 0.59;
    constexpr double EXACT = 1e-4;
    for (const auto& row : study.GetRows())
    {
        const auto where = row["transport"].Text() + ", " + row["within_host"].Text() + ", " +
                           row.GetText("nodes") + " nodes, " + row.GetText("interface_percent") +
                           " %";
        const auto between = GetSteps(row["nodes"].Whole());
        if (row["transport"].Text() == "rdma")
        {
            // Masters alone send, so that they wait for nobody; n - 1 messages go out and come.
            const auto flags = (row["tasks_per_node"] - 1) * 4 * FLAG;
            Within(row["latency_us_mean"], RDMA_STEP * between + flags, EXACT, where);
            NS_TEST_EXPECT_MSG_GT(row["set_up_us"],
                                  7 + (row["nodes"] - 1) * STEP / 2,
                                  "messages of half a step each, " << where);
            continue;
        }
        NS_TEST_EXPECT_MSG_EQ(row["set_up_us"], 0, "no addresses for messages");
        if (row["tasks_per_node"] == 1)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(row["latency_us_mean"], between * STEP, EXACT, where);
        }
        else if (row["interface_percent"] == 0)
        {
            // In memory no message passes the network, which is part of a step; then one of
            // two tasks waits for the other's two flits, of 6.25 ns, at their node's cable.
            constexpr double NETWORK = 0.95875; // two cables, a switch and two interfaces
            constexpr double FLITS = 2 * 0.00625;
            const auto& way = row["within_host"].Text();
            const auto within = way == "flags"    ? 2 * FLAG + FLITS
                                : way == "memory" ? STEP - NETWORK + FLITS
                                                  : STEP;
            Within(row["latency_us_mean"], between * STEP + within, EXACT, where);
        }
        else if (row["interface_percent"] > 50)
        {
            // Four messages a step pass an interface, which is what limits it.
            const auto busy = 2 * 0.01 * row["interface_percent"] * between * STEP;
            NS_TEST_EXPECT_MSG_GT(row["latency_us_mean"], busy - EXACT, where);
        }
    }
}

TEST_CASE(RdmaFilesTestCase, "rdma-barrier: files")
{
    const std::string csv = "transport,nodes,tasks_per_node,steps,latency_us_mean,within_host,"
                            "interface_percent,set_up_us\n"
                            "rdma,8,1,3,31.880,flags,0,0.000\n"
                            "send-receive,8,1,3,45.140,flags,0,0.000\n"
                            "rdma,8,2,3,33.880,flags,0,0.000\n";
    const auto rows = WriteTemporary("rows.csv", csv);
    const auto read = AskedStudy::Read("rdma-barrier", rows);
    NS_TEST_EXPECT_MSG_EQ(read.GetCsv(), csv, "read and written again");
    const auto figures = WriteTemporary(
        "study.csv",
        "id,quantity,cluster,transport,nodes,tasks_per_node,value,unit,use,where,why\n"
        "a,latency,cluster-1,rdma,8,1,31.88,us,fit,Section 7.1,\n"
        "b,steps,,rdma,8,1,3,steps,predicted,Section 5.1,\n");
    const auto directory = CreateTempDirFilename("plots");
    const auto files =
        AskedStudy::Read("rdma-barrier", rows, "published=" + figures).WritePlots(directory, "b-");
    Same(files, {"b-latency.plt"}, "one picture, of this name");
    Holds(std::filesystem::exists(directory + "/b-latency-2.dat"), "data of the second panel");
    NS_TEST_EXPECT_MSG_EQ(ReadText(directory + "/b-latency-1.dat"),
                          "8 45.14\n\n\n8 31.88\n\n\n8 31.88\n\n\n",
                          "rows, and what is published: latencies only");
}

TEST_CASE(RdmaRefusalsTestCase, "rdma-barrier: what is refused")
{
    const auto asks = [this](const std::string& options, const std::string& part) {
        Refuses([&] { AskedStudy("rdma-barrier", options); }, part);
    };
    asks("preset=cluster-4", "cluster-1, cluster-2, cluster-3");
    asks("nodes=10 topology=torus:3x3", "10 hosts are asked for");
    asks("nodes=9 rdmaReceive=100ns", "r is +0.1us");
    asks("nodes=9 interfacePercent=0,95", "of which it occupies the interface");
    const std::string header = "transport,nodes,tasks_per_node,steps,latency_us_mean,"
                               "within_host,interface_percent,set_up_us\n";
    const auto refuses = [&](const std::string& row, const std::string& part) {
        const auto path = WriteTemporary("study.csv", header + row);
        Refuses([&] { AskedStudy::Read("rdma-barrier", path); }, part);
    };
    refuses("tcp,8,1,3,31.880,flags,0,0\n", "rdma or send-receive");
    refuses("rdma,8,1,3,31.880,air,0,0\n", "flags, memory or interface");
}

TEST_CASE(RdmaTicsTestCase,
          "rdma-barrier: labels of powers of two, their halves, the greatest, and some")
{
    std::vector<CsvRow> rows;
    for (uint32_t nodes = 2; nodes < 20; ++nodes)
    {
        rows.emplace_back(AskedStudy::GetTable("rdma-barrier"));
        rows.back()["transport"] = "rdma";
        rows.back()["within_host"] = "flags";
        rows.back()["nodes"] = nodes;
        rows.back()["tasks_per_node"] = 1;
        rows.back()["latency_us_mean"] = 10.0 * nodes;
    }
    const auto directory = CreateTempDirFilename("plots");
    AskedStudy::Read("rdma-barrier", WriteTemporary("rows.csv", ToCsv(rows)))
        .WritePlots(directory, "t-");
    Contains(ReadText(directory + "/t-latency.plt"),
             "set xtics (2, 3, 4, 5, 6, \"\" 7 1, 8, \"\" 9 1, 10, "
             "\"\" 11 1, 12, \"\" 13 1, \"\" 14 1, \"\" 15 1, 16, "
             "\"\" 17 1, \"\" 18 1, 19)");
}

} // namespace
