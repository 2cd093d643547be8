/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../asked-study.h"
#include "../test-case.h"

#include "ns3/barrier-study.h"
#include "ns3/latency-load-study.h"
#include "ns3/worker-pool.h"
#include "ns3/wormhole-topology-factory.h"

#include <cerrno>
#include <csignal>
#include <new>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;

namespace
{

/// Results are taken once each and in order, however long each piece takes; no process is left.
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
        NS_TEST_EXPECT_MSG_EQ((waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD),
                              true,
                              "a worker is left");
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(WorkerPool(0).GetWorkers(1000), 1, "");
    WorkerPool(4).Run(0, [](uint32_t) { return ""; }, [](uint32_t, const std::string&) {});
}

/// What a piece throws is thrown here: that of the first one, in order, that throws.
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
        NS_TEST_EXPECT_MSG_EQ((waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD),
                              true,
                              "a worker is left");
    }
}

std::string
Barriers(uint32_t jobs, uint32_t runs)
{
    BarrierStudy parameters;
    parameters.fabrics.resize(2);
    for (auto& fabric : parameters.fabrics)
    {
        fabric.drawn.switches = 10 + 5 * (&fabric - parameters.fabrics.data());
        fabric.drawn.hosts = 20;
    }
    parameters.groupSizes = {3, 8};
    parameters.runs = runs;
    parameters.jobs = jobs;
    return ToCsv(parameters.Run({}));
}

std::string
Broadcasts(uint32_t jobs)
{
    return AskedStudy("smp-broadcast",
                      {{"algorithms", "sss-mst,mpich"},
                       {"hosts", "4,9"},
                       {"bytes", "100"},
                       {"job", "12"},
                       {"jobSwitches", "3"},
                       {"placement", "random"},
                       {"placements", "4"}},
                      jobs)
        .GetCsv();
}

/// @return what LatencyLoadStudy finds @param progress gets loads as they are told
std::string
Loads(uint32_t jobs, std::multiset<double>& progress)
{
    LatencyLoadStudy parameters;
    parameters.drawn.switches = 6;
    parameters.drawn.hosts = 12;
    parameters.flits = {"4", "64"};
    parameters.worms = 32;
    parameters.allWorms = 32;
    parameters.runs = 2;
    parameters.jobs = jobs;
    return ToCsv(parameters.Run([&](const CsvRow& row) { progress.insert(row["load"]); }));
}

SIMULATION_TEST_CASE(StudyJobsTestCase, "same bytes with any number of jobs")
{
    const auto barriers = Barriers(1, 4);
    const auto roots = Barriers(1, 1);
    const auto broadcasts = Broadcasts(1);
    std::multiset<double> progress;
    const auto loads = Loads(1, progress);
    for (const uint32_t jobs : {2, 5})
    {
        NS_TEST_EXPECT_MSG_EQ(Barriers(jobs, 4), barriers, jobs << " jobs");
        NS_TEST_EXPECT_MSG_EQ(Barriers(jobs, 1), roots, jobs << " jobs");
        NS_TEST_EXPECT_MSG_EQ(Broadcasts(jobs), broadcasts, jobs << " jobs");
        std::multiset<double> told;
        NS_TEST_EXPECT_MSG_EQ(Loads(jobs, told), loads, jobs << " jobs");
        NS_TEST_EXPECT_MSG_EQ((told == progress), true, jobs << " jobs");
    }
}

/// Work shared by processes.
static ListedTestSuite g_wormholeWorkerPoolTestSuite("wormhole-worker-pool",
                                                     {new WorkerOrderTestCase,
                                                      new WorkerErrorTestCase,
                                                      new StudyJobsTestCase});

} // namespace
