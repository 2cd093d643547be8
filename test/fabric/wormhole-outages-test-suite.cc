/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Rule S14: outages, judged by the flit oracle.

#include "../oracle/flit-oracle.h"
#include "../oracle/worm-cases.h"
#include "../test-fabrics.h"

using namespace ns3;

SUITE("wormhole-outages", UNIT);

namespace
{

/// Draws a case without outages.
using DrawCase = std::function<WormCase(Ptr<UniformRandomVariable>)>;

/// @return a case in which only the cables that no worm takes are down, always
WormCase
BreakUnused(WormCase worms)
{
    std::set<std::pair<FabricGraph::Node, FabricGraph::Port>> used;
    for (const auto& worm : worms.worms)
    {
        for (WormRoute::Stop stop = 0; stop < worm.route.GetNStops(); ++stop)
        {
            for (const auto branch : worm.route.At(stop))
            {
                const auto far = worms.graph.Peer(worm.stopNodes[stop], branch.port);
                used.insert({worm.stopNodes[stop], branch.port});
                used.insert({far.node, far.port});
            }
        }
    }
    worms.outages.clear();
    for (FabricGraph::Node node = 0; node < worms.graph.GetNNodes(); ++node)
    {
        for (uint32_t number = 0; number < worms.graph.GetNPorts(node); ++number)
        {
            const auto port = static_cast<FabricGraph::Port>(number);
            if (worms.graph.Peer(node, port).node != FabricGraph::NONE && !used.count({node, port}))
            {
                worms.outages.push_back({node, port, 0, {}});
            }
        }
    }
    return worms;
}

} // namespace

/// On random cases with outages the fabric tells the times, losses and cuts of the oracle, by any
/// scheduler, whether it knows of outages before or as late as they may be told. The oracle itself
/// accounts for all flits of unicast worms.
TEST_CASE_WITH(OutageOracleTestCase,
               ([[maybe_unused]] const std::string& name, const DrawCase& draw, uint32_t nCases),
               "Outages: " + name)
{
    uint32_t nCut = 0;  // worms that were cut
    uint32_t nLost = 0; // worms that lost flits
    // All flits of a unicast worm have arrived, or were cut short or lost.
    const auto checkFlits =
        [&](const WormCase& worms, const ReplayOutcome& oracle, const std::string& which) {
            for (std::size_t w = 0; w < worms.worms.size(); ++w)
            {
                const auto& worm = worms.worms[w];
                const auto& its = oracle.worms[w];
                auto flits = its.delivered.empty() ? 0 : worm.flits;
                for (const auto& entry : its.lost)
                {
                    flits += entry.second;
                }
                for (const auto& entry : its.cut)
                {
                    flits += entry.second.flits;
                }
                // Route flits (S1b) are lost, too, where no switch has read them before.
                const auto most = worm.flits + (worms.sourceRouted ? worm.stopNodes.size() : 0);
                if (!its.blocked && worm.route.GetNDestinations() == 1)
                {
                    NS_TEST_EXPECT_MSG_EQ((flits >= worm.flits && flits <= most),
                                          true,
                                          flits << " of " << worm.flits << " flits of worm " << w
                                                << ", " << which);
                }
                nCut += !its.cut.empty();
                nLost += !its.lost.empty();
            }
        };
    const auto compare = [&](const WormCase& worms,
                             const ReplayOutcome& oracle,
                             const std::string& which) {
        const auto blocked = ListBlocked(oracle);
        for (const auto& [scheduler, sending] :
             Combine<std::string, ReplaySending>({"Map", "Wormhole"},
                                                 {ReplaySending::AT_FIRST, ReplaySending::IN_TIME}))
        {
            const auto how = which + ", " + scheduler +
                             (sending == ReplaySending::IN_TIME ? ", told in time" : "");
            const auto outcome = ReplayBy(scheduler, worms, sending);
            // An outage that nobody knew of may change a deadlock that was reported before.
            const bool isChanged = sending == ReplaySending::IN_TIME &&
                                   (blocked.empty() || !GetReported(outcome).empty()) &&
                                   PrintOutcome(worms, outcome) == PrintOutcome(worms, oracle);
            const auto difference = isChanged ? "" : FindDifference(worms, oracle, outcome);
            NS_TEST_EXPECT_MSG_EQ(difference, "", how);
        }
    };
    auto rng = MakeRandom(21);
    for (uint32_t i = 0; i < nCases && !IsStatusFailure(); ++i)
    {
        auto worms = draw(rng);
        const auto which = "case " + std::to_string(i);
        const auto unused = BreakUnused(worms);
        NS_TEST_EXPECT_MSG_EQ(PrintOutcome(unused, AskOracle(unused)),
                              PrintOutcome(unused, AskOracle(worms)),
                              which << " without cables that no worm takes");
        AddOutages(rng, worms);
        const auto oracle = AskOracle(worms);
        checkFlits(worms, oracle, which);
        compare(worms, oracle, which);
    }
    NS_TEST_EXPECT_MSG_GT(nLost, 0, "no flit is lost");
    if (!IS_SANITIZED) // fewer cases then
    {
        NS_TEST_EXPECT_MSG_GT(nCut, 0, "no worm is cut");
    }
}

ADD_CASES()
{
    const auto add = [this](const std::string& name, const DrawCase& draw) {
        AddQuick<OutageOracleTestCase>(name, draw, FewIfSanitized(25));
        AddExtensive<OutageOracleTestCase>(name + ", many", draw, 500);
    };
    RandomCaseOptions random;
    random.rates = true;
    for (const auto& [multicast, sync] : Combine<double, bool>({0.0, 0.3}, {false, true}))
    {
        random.multicast = multicast;
        random.treeOfSwitches = !sync;
        random.sync = sync;
        add(std::string(multicast > 0 ? "tree worms among them" : "unicast") +
                (sync ? ", sync, general graphs" : ""),
            [random](auto rng) { return MakeRandomCase(rng, random); });
    }
    for (const auto& [lanes, choices, ring] :
         Combine<uint32_t, bool, bool>({1, 3}, {false, true}, {false, true}))
    {
        const LaneCaseOptions options{lanes, lanes > 1, choices, ring, true};
        add(std::to_string(lanes) + " lanes" + (choices ? ", choices" : "") +
                (ring ? ", a ring" : ""),
            [options](auto rng) { return MakeLaneCase(rng, options); });
    }
    random.treeOfSwitches = true;
    random.sync = false;
    random.sourceRouted = true;
    add("source routes", [random](auto rng) { return MakeRandomCase(rng, random); });
    for (const auto& [mode, circles] :
         Combine<InTransit, bool>({InTransit::WHOLE, InTransit::AS_IT_COMES}, {false, true}))
    {
        const TransitCaseOptions options{mode, true, false, !circles, circles};
        add("in transit, " + NameInTransit(mode) + (circles ? ", a ring" : ", source routes"),
            [options](auto rng) { return MakeTransitCase(rng, options); });
    }
}
