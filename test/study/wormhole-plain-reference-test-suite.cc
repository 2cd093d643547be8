// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../oracle/plain-roots.h"
#include "../test-fabrics.h"

#include "ns3/communication-tree.h"
#include "ns3/sync-machine.h"
#include "ns3/tree-shapes.h"

using namespace ns3;

SUITE("wormhole-plain-reference", UNIT);

/// Moh et al. (2001): what the study prints of a barrier in the switches, on random fabrics and
/// groups, against a search done literally and the formulas of section 5.1.
TEST_CASE(PlainBarrierTestCase,
          "Barriers of any group on 99 random fabrics: tree, latency and traffic")
{
    const auto random = MakeRandom(99);
    const auto draw = [&](uint32_t number) {
        IrregularTopologyHelper::Parameters parameters;
        parameters.switches = random->GetInteger(5, 60);
        parameters.ports = random->GetInteger(6, 12);
        parameters.law = static_cast<IrregularTopologyHelper::TopologyModel>(number % 3);
        const auto slots = parameters.switches * parameters.ports;
        parameters.hosts = random->GetInteger(2, parameters.switches * (parameters.ports - 3));
        const auto tree = parameters.switches - 1;
        const auto spare = (slots - parameters.hosts) / 2 - tree;
        const auto links = tree + random->GetInteger(0, spare / 4);
        parameters.connectivity = (parameters.hosts + 2.0 * links) / slots;
        return DrawFabric(parameters, 3000 + number);
    };
    const auto check = [&](const FabricGraph& graph,
                           const std::vector<uint32_t>& members,
                           const std::string& leaves) {
        std::map<FabricGraph::Node, FabricGraph::Port> lowest; // of members, by switch
        std::string names;
        for (const auto host : members)
        {
            const auto place = graph.SwitchOf(graph.HostAt(host));
            const auto found = lowest.emplace(place.node, place.port).first;
            found->second = std::min(found->second, place.port);
            names += (names.empty() ? "" : ",") + graph.GetName(graph.HostAt(host));
        }
        const auto switches = ToSet(MadeOf(lowest, [](const auto& entry) { return entry.first; }));
        const auto [height, edges, counted, root] =
            PlainRoots(graph, leaves == "deepest").BestTree(switches).key;
        const auto other =
            std::get<3>(PlainRoots(graph, leaves != "deepest").BestTree(switches).key);

        const AskedStudy study("btin-comparison",
                               graph,
                               "members=" + names +
                                   " schemes=btin btinTiming=paper leaves=" + leaves);
        const auto& row = study.GetRows().front();
        const auto n = members.size();
        const auto where = std::to_string(graph.GetNSwitches()) + " switches, " +
                           std::to_string(n) + " members, " + leaves + " leaves";
        NS_TEST_ASSERT_MSG_EQ(row["root_switch"].Text(), graph.GetName(root), "root, " << where);
        const auto rootHost = graph.GetName(graph.Peer(root, lowest.at(root)).node);
        NS_TEST_ASSERT_MSG_EQ(row["root_host"].Text(), rootHost, "root host, " << where);
        NS_TEST_ASSERT_MSG_EQ(row["height_mean"], height, "height, " << where);
        NS_TEST_ASSERT_MSG_EQ(row["edges_mean"], edges, "edges, " << where);
        NS_TEST_ASSERT_MSG_EQ(row["leaves"].Text(), leaves, "which leaves count, " << where);
        const double mean = row[leaves == "deepest" ? "deepest_leaves_mean" : "leaves_mean"];
        NS_TEST_ASSERT_MSG_EQ(mean, counted, "leaves, " << where);
        NS_TEST_ASSERT_MSG_EQ(row["other_root_mean"], (root != other), "another root, " << where);
        // Where one tree alone is as high and has as many edges, leaves decide nothing.
        const bool isRight = row["other_root_mean"] == 0 || row["equal_trees_mean"] > 1;
        NS_TEST_ASSERT_MSG_EQ(isRight, true, where);
        // Section 5.1 in us, twice; a member alone waits for nobody.
        const auto links = height + 2.0;
        const auto latency = n > 1 ? 2 * (2 + links * 0.02 + (links + 1) * 0.3) : 0;
        const auto hops = n > 1 ? 2.0 * (edges + static_cast<double>(n)) : 0;
        NS_TEST_ASSERT_MSG_EQ_TOL(row["latency_us_model"], latency, 1e-9, "model, " << where);
        // Flits take 1 ps each.
        NS_TEST_ASSERT_MSG_EQ_TOL(row["latency_us_mean"], latency, 2e-4, "simulated, " << where);
        NS_TEST_ASSERT_MSG_EQ(row["message_hops_mean"], hops, "links crossed, " << where);
    };
    for (uint32_t i = 0; i < 99; ++i)
    {
        const auto graph = draw(i);
        auto members = MakeRange(graph.GetNHosts());
        const auto n = random->GetInteger(1, graph.GetNHosts());
        Shuffle(members, *random, n);
        members.resize(n);
        check(graph, members, "all");
        check(graph, members, "deepest");
    }
}

/// @return the least time of phases for so many members, in all orders and ways of factors, ps
static int64_t
Factorise(uint32_t members, int64_t overhead, int64_t latency)
{
    auto least = members == 1 ? 0 : std::numeric_limits<int64_t>::max();
    for (uint32_t radix = 2; radix <= members; ++radix)
    {
        if (members % radix == 0)
        {
            least = std::min(least,
                             (radix - 1) * overhead + latency +
                                 Factorise(members / radix, overhead, latency));
        }
    }
    return least;
}

/// @return the least time of a butterfly, ps; members beyond the product fold in and out
static int64_t
Butterfly(uint32_t members, int64_t overhead, int64_t latency)
{
    auto least = Factorise(members, overhead, latency);
    for (auto fewer = members - 1; 2 * fewer > members; --fewer)
    {
        least = std::min(least, Factorise(fewer, overhead, latency) + 2 * (overhead + latency));
    }
    return least;
}

/// Hyder and Wood (1996), Table 1: what software takes, with other numbers of nodes and costs,
/// against all butterflies and all trees there are.
TEST_CASE(PlainSoftwareTestCase,
          "Table 1 at 14 other sets of parameters: the fastest butterflies and trees")
{
    auto random = MakeRandom(14);
    const auto draw = [&](uint32_t low, uint32_t high) { // ns, as ps
        return PicoSeconds(1000 * static_cast<int64_t>(random->GetInteger(low, high)));
    };
    for (uint32_t i = 0; i < 14; ++i)
    {
        SyncMachine::Parameters parameters;
        auto& costs = parameters.costs;
        parameters.nodes = random->GetInteger(2, 70);
        const int64_t most = random->GetInteger(0, 150000);
        parameters.delay = draw(0, 1) * most;
        costs.barrierOverhead = draw(500, 20000);
        costs.reductionOverhead = draw(500, 20000);
        costs.wideOverhead = draw(500, 20000);
        costs.flight = draw(200, 8000);
        costs.treeS = draw(500, 9000);
        costs.treeR = draw(500, 20000);
        costs.hostOverhead = draw(0, 90000);
        const SyncMachine machine(parameters);
        const auto latency = (costs.flight + parameters.delay).GetPicoSeconds();
        const auto butterfly = [&](Time overhead) {
            return Butterfly(parameters.nodes, overhead.GetPicoSeconds(), latency);
        };
        const auto tree = LeastTreeTimes(parameters.nodes + 1,
                                         costs.treeS.GetPicoSeconds(),
                                         (costs.treeR + parameters.delay).GetPicoSeconds())
                              .back();
        const std::map<SyncWorkload::Event, int64_t> expected{
            {SyncWorkload::BARRIER, butterfly(costs.barrierOverhead)},
            {SyncWorkload::AND, butterfly(costs.reductionOverhead)},
            {SyncWorkload::ADD, butterfly(costs.reductionOverhead)},
            {SyncWorkload::MAX, butterfly(costs.wideOverhead)},
            {SyncWorkload::BROADCAST, tree},
            {SyncWorkload::ADD_TO_HOST, tree + costs.hostOverhead.GetPicoSeconds()}};
        for (const auto& [event, time] : expected)
        {
            const auto where = std::to_string(parameters.nodes) + " nodes, event " +
                               std::to_string(event) + ", set " + std::to_string(i);
            NS_TEST_ASSERT_MSG_EQ(machine.GetModelTime(event), Time(time), "model, " << where);
            NS_TEST_ASSERT_MSG_EQ(machine.RunEvent(event), Time(time), "simulated, " << where);
        }
    }
}

/// How many processes have the message when.
using Histogram = std::map<int64_t, uint32_t>;

static void
AddProcesses(int64_t s, int64_t r, int64_t processes, int64_t start, Histogram& histogram)
{
    ++histogram[start];
    std::vector<int64_t> population(s + r, 1);
    while (population.back() < processes)
    {
        const auto t = static_cast<int64_t>(population.size());
        population.push_back(population[t - s] + population[t - s - r]);
    }
    const auto first = FindIn(population, [&](auto reached) { return reached >= processes; });
    const auto steps = first - population.begin();
    auto surplus = population[steps] - processes;
    for (int64_t sent = s; steps - sent - r >= 0; sent += s)
    {
        const auto left = steps - sent - r;
        const auto last = left > 0 ? population[left] - population[left - 1] : 1;
        const auto removed = std::min(surplus, last);
        surplus -= removed;
        if (population[left] > removed)
        {
            AddProcesses(s, r, population[left] - removed, start + sent + r, histogram);
        }
    }
}

/// Cordsen et al. (1997), Figure 8, done literally, but for two mistakes: its line 7 must add
/// f(t - s - r), as equation (2) has it, and subtrees that are left without a process are none.
TEST_CASE(PlainFiboTestCase, "When processes of 45 Fibo-trees have the message, against Figure 8")
{
    auto random = MakeRandom(45);
    for (uint32_t i = 0; i < 45; ++i)
    {
        const auto s = random->GetInteger(1, 9);
        const auto r = random->GetInteger(0, 30);
        const auto processes = random->GetInteger(1, 400);
        Histogram expected;
        AddProcesses(s, r, processes, 0, expected);
        Histogram found;
        for (const auto& time :
             TreeCost(Time(s), Time(r)).GetArrivals(MakeFiboTree(processes, s, r)))
        {
            ++found[time.GetTimeStep()];
        }
        NS_TEST_ASSERT_MSG_EQ((found == expected),
                              true,
                              "s " << s << ", r " << r << ", " << processes << " processes");
    }
}
