/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../test-case.h"

#include "ns3/rdma-study.h"
#include "ns3/tree-cost.h"
#include "ns3/tree-shapes.h"
#include "ns3/tree-study.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

using namespace ns3;

namespace
{

/// @return a fabric's hosts @param topology its text; empty: one switch
StudyHosts
MakeHosts(const std::string& topology)
{
    return StudyHosts(topology.empty() ? nullptr
                                       : std::make_shared<WormholeTopology>(MakeTopology(topology)),
                      NanoSeconds(20),
                      NanoSeconds(300));
}

/// What is simulated is what the cost model tells, where the network adds nothing to it.
class TreeMeasurementTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(TreeMeasurementTestCase, "Trees simulated against the cost model");

    void DoRun() override
    {
        const StudyHosts ideal;
        const auto star = MakeHosts("");
        const auto torus = MakeHosts("torus:3x3,hosts=5");
        for (const auto& [s, r] : {std::make_pair(27, 88), std::make_pair(3, 1)})
        {
            Compare(ideal, MicroSeconds(s), MicroSeconds(r), true);
            Compare(star, MicroSeconds(s), MicroSeconds(r), true);
            Compare(torus, MicroSeconds(s), MicroSeconds(r), false);
        }
        // Without any time to receive, where only an ideal network can do it.
        Compare(ideal, MicroSeconds(5), Time(0), true);
    }

    /// @param s how long a message keeps its sender busy @param r from then until the receiver is
    /// active @param exact whether the network adds nothing
    void Compare(const StudyHosts& hosts, Time s, Time r, bool exact)
    {
        for (uint32_t n : {1, 2, 3, 7, 19, 40})
        {
            for (const std::string tree :
                 {"sequential", "chain", "binary", "kary-3", "binomial", "fibo", "fibo-1-3"})
            {
                const auto shape = MakeCommunicationTree(tree, n, s, r);
                const auto model = TreeCost(s, r).GetArrivals(shape);
                const auto simulated = MeasureTree(hosts, tree, {n, {{s, r}}}).front();
                NS_TEST_ASSERT_MSG_EQ(simulated.size(), n, "a time for each process");
                for (uint32_t i = 0; i < n; ++i)
                {
                    const auto added = simulated[i] - model[i];
                    NS_TEST_ASSERT_MSG_EQ(added.IsStrictlyNegative(), false, "not before " << i);
                    // At most 2 links and switches more for each level, if nothing waits.
                    const auto most =
                        exact ? Time(0) : NanoSeconds(1000) * int64_t{shape.GetHeight()};
                    NS_TEST_ASSERT_MSG_LT_OR_EQ(added,
                                                most,
                                                tree << " of " << n << ", process " << i);
                }
            }
        }
    }
};

/// The study of trees: figures of the paper, further outputs, files and refusals.
class TreeStudyTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(TreeStudyTestCase, "Study of trees");

    void DoRun() override
    {
        TreeStudy::Parameters parameters;
        parameters.costs = TreeStudy::GetPreset("manna");
        parameters.processes = {2, 19};
        parameters.trees = {"sequential", "binomial", "fibo"};
        parameters.networks = {"ideal"};
        uint32_t nTold = 0;
        const auto results = TreeStudy(parameters).Run([&](uint32_t done, uint32_t all) {
            NS_TEST_EXPECT_MSG_EQ(done, ++nTold, "one more");
            NS_TEST_EXPECT_MSG_EQ(all, 6, "of all");
        });
        std::vector<TreeStudyRow> rows;
        for (const auto& result : results)
        {
            rows.push_back(result.row);
        }
        std::ostringstream text;
        TreeStudyRow::GetTable().Write(text, rows);
        const std::string csv =
            "tree,network,s_us,r_us,processes,finish_us_model,finish_us_simulated,"
            "c_us,levels,bound_us_model\n"
            "sequential,ideal,27.000,88.000,2,115.000,115.000,0.000,,115.000\n"
            "binomial,ideal,27.000,88.000,2,115.000,115.000,0.000,,115.000\n"
            "fibo,ideal,27.000,88.000,2,115.000,115.000,0.000,,115.000\n"
            "sequential,ideal,27.000,88.000,19,574.000,574.000,0.000,,311.000\n"
            "binomial,ideal,27.000,88.000,19,460.000,460.000,0.000,,311.000\n"
            "fibo,ideal,27.000,88.000,19,311.000,311.000,0.000,,311.000\n";
        NS_TEST_EXPECT_MSG_EQ(text.str(), csv, "the CSV");
        std::ostringstream again;
        TreeStudyRow::GetTable().Write(
            again,
            TreeStudyRow::GetTable().Read(WriteTemporary("study.csv", csv)));
        NS_TEST_EXPECT_MSG_EQ(again.str(), csv, "read and written again");
        CheckFurther();
        CheckPlots(rows);
        CheckRefusals(parameters);
    }

    /// Arrivals and speed of 64 processes in steps.
    void CheckFurther()
    {
        TreeStudy::Parameters parameters;
        parameters.costs = TreeStudy::GetPreset("steps");
        parameters.processes = {64};
        parameters.trees = {"fibo"};
        parameters.networks = {"ideal"};
        const TreeStudy study(parameters);
        std::ostringstream arrivals;
        TreeStudy::WriteArrivals(arrivals, study.Run());
        for (const auto& row :
             {"12.000,7,7\n", "13.000,10,10\n", "14.000,14,14\n", "15.000,14,14\n"})
        {
            const auto whole = std::string("\nfibo,ideal,1.000,3.000,64,") + row;
            Contains(arrivals.str(), whole, row);
        }
        std::ostringstream speed;
        study.WriteSpeed(speed);
        for (const auto& row : {"0.000,1\n", "4.000,2\n", "12.000,26\n", "15.000,69\n"})
        {
            const auto whole = std::string("\n1.000,3.000,1.38028,") + row;
            Contains(speed.str(), whole, row);
        }
        NS_TEST_EXPECT_MSG_EQ(speed.str().find(",16.000,"), std::string::npos, "not beyond 64");
    }

    /// Pictures.
    void CheckPlots(const std::vector<TreeStudyRow>& rows)
    {
        const auto published = PublishedTree::Read(
            WriteTemporary("study.csv",
                           "id,quantity,tree,s_us,r_us,processes,time_us,value,unit,source,where,"
                           "reproducible,why\n"
                           "a,finish,fibo-1-3,27,88,19,,318,us,measured,Section 5,yes,\n"
                           "b,finish,fibo,1,3,64,,15,steps,paper,Section 4,yes,\n"
                           "c,lambda,,1,3,,,1.4,,paper,Section 4,yes,\n"));
        NS_TEST_ASSERT_MSG_EQ(published.size(), 1, "what was measured, only");
        NS_TEST_EXPECT_MSG_EQ(published[0].finishUs, 318, "its value");
        const auto directory = CreateTempDirFilename("plots");
        const auto files = StudyPlot::Write(MakeTreePlots(rows, published), directory, "a-");
        NS_TEST_ASSERT_MSG_EQ(files.size(), 1, "one picture");
        NS_TEST_EXPECT_MSG_EQ(files[0], "a-finish.plt", "its name");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(directory + "/a-finish-1.dat"), true, "data");
        NS_TEST_EXPECT_MSG_EQ(StudyPlot::Write(MakeTreePlots({}, published), directory, "").size(),
                              0,
                              "no rows");
    }

    void CheckRefusals(const TreeStudy::Parameters& good)
    {
        auto bad = good;
        bad.trees = {"fibo", "oak"};
        Refuses([&] { TreeStudy study(bad); }, "unknown tree 'oak'");
        bad = good;
        bad.processes.clear();
        Refuses([&] { TreeStudy study(bad); }, "one of each");
        bad = good;
        bad.networks = {"fabric"};
        bad.onFabric = MakeHosts("torus:3x3");
        Refuses([&] { TreeStudy study(bad); }, "19 hosts are asked for, and the fabric has 9");
        bad.onFabric = MakeHosts("");
        bad.costs.push_back({MicroSeconds(1), NanoSeconds(500)});
        Refuses([&] { TreeStudy study(bad); }, "r is +0.5us");
        bad.costs = {{Time(0), MicroSeconds(1)}};
        Refuses([&] { TreeStudy study(bad); }, "s above 0");
        Refuses([] { TreeStudy::GetPreset("cray"); }, "manna, figure-4, steps");
        const std::string header =
            "tree,network,s_us,r_us,processes,finish_us_model,finish_us_simulated,"
            "c_us,levels,bound_us_model\n";
        Refuses(
            [&] {
                TreeStudyRow::GetTable().Read(
                    WriteTemporary("study.csv", header + "fibo,air,1,3,4,5,6,0,,5\n"));
            },
            "ideal or fabric");
        Refuses(
            [&] {
                TreeStudyRow::GetTable().Read(
                    WriteTemporary("study.csv", header + "fibo,ideal,1,3,x,5,6,0,,5\n"));
            },
            "'x'");
    }
};

/// The study of remote writes: steps, latencies, figures of the paper, files and refusals.
class RdmaStudyTestCase : public SimulationTestCase
{
    TEST_CASE_NAME(RdmaStudyTestCase, "Study of barriers by remote writes");

    void DoRun() override
    {
        const std::vector<std::pair<uint32_t, uint32_t>> steps{{1, 0},
                                                               {2, 1},
                                                               {3, 3},
                                                               {4, 2},
                                                               {5, 4},
                                                               {8, 3},
                                                               {9, 5},
                                                               {16, 4},
                                                               {32, 5},
                                                               {64, 6}};
        for (const auto& [n, expected] : steps)
        {
            NS_TEST_EXPECT_MSG_EQ(RdmaStudy::GetSteps(n), expected, "steps of " << n);
        }
        CheckLatencies();
        CheckPublished();
        CheckTwoTasks();
        CheckFiles();
        CheckRefusals();
    }

    static RdmaStudy::Parameters MakeParameters(const std::string& preset)
    {
        RdmaStudy::Parameters parameters;
        parameters.costs = RdmaStudy::GetPreset(preset);
        parameters.transports = RdmaStudyRow::GetTransports();
        parameters.tasksPerNode = {1};
        return parameters;
    }

    /// A barrier is as long as its steps, on an ideal network and on one switch.
    void CheckLatencies()
    {
        auto parameters = MakeParameters("cluster-1");
        parameters.nodes.resize(33);
        std::iota(parameters.nodes.begin(), parameters.nodes.end(), 1);
        parameters.tasksPerNode = {1, 2, 4};
        parameters.barriers = 5;
        const auto& costs = parameters.costs;
        for (const bool isIdeal : {true, false})
        {
            parameters.hosts = isIdeal ? StudyHosts() : MakeHosts("");
            for (const auto& row : RdmaStudy(parameters).Run())
            {
                const bool rdma = row.transport == "rdma";
                const auto where = row.transport + ", " + std::to_string(row.nodes) + " nodes, " +
                                   std::to_string(row.tasksPerNode) + " tasks";
                const auto exchanged = rdma ? row.nodes : row.nodes * row.tasksPerNode;
                NS_TEST_ASSERT_MSG_EQ(row.steps, RdmaStudy::GetSteps(exchanged), where);
                const auto step = (rdma ? costs.rdmaSend + costs.rdmaReceive
                                        : costs.messageSend + costs.messageReceive)
                                      .ToDouble(Time::US);
                // The master sees the others' flags, and sets theirs, one after the other.
                const auto flags = rdma && row.tasksPerNode > 1
                                       ? 2.0 * row.tasksPerNode * costs.flag.ToDouble(Time::US)
                                       : 0.0;
                const bool isPower = (exchanged & (exchanged - 1)) == 0;
                if (rdma || row.tasksPerNode == 1)
                {
                    // On a switch, two worms of a few flits may come to one host at once.
                    const auto waiting = isIdeal ? 1e-6 : 0.05;
                    NS_TEST_ASSERT_MSG_LT_OR_EQ(row.latencyUsMean,
                                                row.steps * step + flags + waiting,
                                                where);
                }
                if (isPower && row.tasksPerNode == 1)
                {
                    NS_TEST_ASSERT_MSG_EQ_TOL(row.latencyUsMean, row.steps * step, 1e-6, where);
                }
                if (isPower && rdma && row.tasksPerNode == 2)
                {
                    NS_TEST_ASSERT_MSG_EQ_TOL(row.latencyUsMean,
                                              row.steps * step + flags,
                                              1e-6,
                                              where);
                }
                // A partner's message may be early, but not by more than it flies, in all steps.
                NS_TEST_ASSERT_MSG_LT_OR_EQ(0.7 * row.steps * step,
                                            row.latencyUsMean + row.tasksPerNode * step,
                                            where);
            }
        }
    }

    /// 16 nodes from 8, and 64 tasks on 32 nodes.
    void CheckPublished()
    {
        auto parameters = MakeParameters("cluster-2");
        parameters.hosts = MakeHosts("");
        parameters.nodes = {8, 16};
        const auto rows = RdmaStudy(parameters).Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(rows[0].latencyUsMean, 29, 1e-5, "fit");
        NS_TEST_EXPECT_MSG_EQ_TOL(rows[1].latencyUsMean, 39.4, 0.042 * 39.4, "predicted");
        NS_TEST_EXPECT_MSG_EQ_TOL(rows[2].latencyUsMean, 40.5, 1e-5, "fit");
        NS_TEST_EXPECT_MSG_EQ_TOL(rows[3].latencyUsMean, 56.3, 0.042 * 56.3, "predicted");
        auto many = MakeParameters("cluster-3");
        many.hosts = MakeHosts("");
        many.nodes = {32};
        many.tasksPerNode = {2};
        many.transports = {"rdma"};
        NS_TEST_EXPECT_MSG_EQ_TOL(RdmaStudy(many).Run()[0].latencyUsMean, 65, 1e-5, "fit");
    }

    /// Two tasks a node: steps within a node, interfaces that are occupied, and addresses.
    void CheckTwoTasks()
    {
        auto parameters = MakeParameters("cluster-3");
        parameters.hosts = StudyHosts();
        parameters.nodes = {2, 8, 32};
        parameters.tasksPerNode = {1, 2};
        parameters.withinHost = RdmaStudyRow::GetWithinHost();
        parameters.interfacePercents = {0, 40, 90};
        parameters.exchange = "direct";
        parameters.registration = MicroSeconds(7);
        const auto& costs = parameters.costs;
        const auto step = (costs.messageSend + costs.messageReceive).ToDouble(Time::US);
        const auto flag = costs.flag.ToDouble(Time::US);
        constexpr double EXACT = 1e-4;
        for (const auto& row : RdmaStudy(parameters).Run())
        {
            const auto where = row.transport + ", " + row.withinHost + ", " +
                               std::to_string(row.nodes) + " nodes, " +
                               std::to_string(row.interfacePercent) + " %";
            const auto between = RdmaStudy::GetSteps(row.nodes);
            if (row.transport == "rdma")
            {
                // Masters alone send, so that they wait for nobody; n - 1 messages go out and come.
                const auto one = (costs.rdmaSend + costs.rdmaReceive).ToDouble(Time::US) * between;
                NS_TEST_EXPECT_MSG_EQ_TOL(row.latencyUsMean,
                                          one + (row.tasksPerNode - 1) * 4 * flag,
                                          EXACT,
                                          where);
                NS_TEST_EXPECT_MSG_GT(row.setUpUs,
                                      7 + (row.nodes - 1) * step / 2,
                                      "messages of half a step each, " << where);
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(row.setUpUs, 0, "no addresses for messages");
            if (row.tasksPerNode == 1)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(row.latencyUsMean, between * step, EXACT, where);
            }
            else if (row.interfacePercent == 0)
            {
                const auto within = row.withinHost == "flags" ? 2 * flag : step;
                NS_TEST_EXPECT_MSG_EQ_TOL(row.latencyUsMean, between * step + within, EXACT, where);
            }
            else if (row.interfacePercent > 50)
            {
                // Four messages a step pass an interface, which is what limits it.
                const auto busy = 2 * 0.01 * row.interfacePercent * between * step;
                NS_TEST_EXPECT_MSG_GT(row.latencyUsMean, busy - EXACT, where);
            }
        }
    }

    void CheckFiles()
    {
        const std::string csv = "transport,nodes,tasks_per_node,steps,latency_us_mean,within_host,"
                                "interface_percent,set_up_us\n"
                                "rdma,8,1,3,31.880,flags,0,0.000\n"
                                "send-receive,8,1,3,45.140,flags,0,0.000\n"
                                "rdma,8,2,3,33.880,flags,0,0.000\n";
        const auto rows = RdmaStudyRow::GetTable().Read(WriteTemporary("study.csv", csv));
        std::ostringstream again;
        RdmaStudyRow::GetTable().Write(again, rows);
        NS_TEST_EXPECT_MSG_EQ(again.str(), csv, "read and written again");
        const auto published = PublishedBarrier::Read(WriteTemporary(
            "study.csv",
            "id,quantity,cluster,transport,nodes,tasks_per_node,value,unit,use,where,why\n"
            "a,latency,cluster-1,rdma,8,1,31.88,us,fit,Section 7.1,\n"
            "b,steps,,rdma,8,1,3,steps,predicted,Section 5.1,\n"));
        NS_TEST_ASSERT_MSG_EQ(published.size(), 1, "latencies only");
        NS_TEST_EXPECT_MSG_EQ(published[0].latencyUs, 31.88, "its value");
        const auto directory = CreateTempDirFilename("plots");
        const auto files =
            StudyPlot::Write(MakeRdmaPlots(rows, "cluster-1", published), directory, "b-");
        NS_TEST_ASSERT_MSG_EQ(files.size(), 1, "one picture");
        NS_TEST_EXPECT_MSG_EQ(files[0], "b-latency.plt", "its name");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(directory + "/b-latency-2.dat"),
                              true,
                              "data of the second panel");
        CheckTics(directory);
    }

    /// What an axis labels.
    void CheckTics(const std::string& directory)
    {
        std::vector<RdmaStudyRow> rows;
        for (uint32_t nodes = 2; nodes < 20; ++nodes)
        {
            rows.push_back({{}, "rdma", nodes, 1, 1, 10.0 * nodes});
        }
        StudyPlot::Write(MakeRdmaPlots(rows, "", {}), directory, "t-");
        std::ifstream file(directory + "/t-latency.plt");
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        NS_TEST_EXPECT_MSG_NE(text.find("set xtics (2, 3, 4, 5, 6, \"\" 7 1, 8, \"\" 9 1, 10, "
                                        "\"\" 11 1, 12, \"\" 13 1, \"\" 14 1, \"\" 15 1, 16, "
                                        "\"\" 17 1, \"\" 18 1, 19)"),
                              std::string::npos,
                              "labels of powers of two, their halves, the greatest, and some: "
                                  << text.substr(0, 400));
    }

    void CheckRefusals()
    {
        Refuses([] { RdmaStudy::GetPreset("cluster-4"); }, "cluster-1, cluster-2, cluster-3");
        auto parameters = MakeParameters("cluster-1");
        Refuses([&] { RdmaStudy study(parameters); }, "one of each");
        parameters.nodes = {10};
        parameters.hosts = MakeHosts("torus:3x3");
        Refuses([&] { RdmaStudy study(parameters); }, "10 hosts are asked for");
        parameters.nodes = {9};
        parameters.costs.rdmaReceive = NanoSeconds(100);
        Refuses([&] { RdmaStudy study(parameters); }, "r is +0.1us");
        const std::string header = "transport,nodes,tasks_per_node,steps,latency_us_mean,"
                                   "within_host,interface_percent,set_up_us\n";
        const auto refuses = [&](const std::string& row, const std::string& part) {
            Refuses(
                [&] { RdmaStudyRow::GetTable().Read(WriteTemporary("study.csv", header + row)); },
                part);
        };
        refuses("tcp,8,1,3,31.880,flags,0,0\n", "rdma or send-receive");
        refuses("rdma,8,1,3,31.880,air,0,0\n", "flags, memory or interface");
        parameters.costs = RdmaStudy::GetPreset("cluster-1");
        parameters.interfacePercents = {0, 95};
        Refuses([&] { RdmaStudy study(parameters); }, "of which it occupies the interface");
    }
};

static ListedTestSuite g_wormholeSoftwareStudyTestSuite("wormhole-software-study",
                                                        {new TreeMeasurementTestCase,
                                                         new TreeStudyTestCase,
                                                         new RdmaStudyTestCase});

} // namespace
