/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Lanes that fabric files and topology texts tell of.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/wormhole-topology-factory.h"

using namespace ns3;

namespace
{

/// @return what attributes of a fabric's lanes say, with blanks between
std::string
InstallLanes(const FabricGraph& graph)
{
    auto fabric = WormholeHelper().Install(graph);
    UintegerValue lanes;
    StringValue priorities;
    StringValue grant;
    fabric->GetAttribute("Lanes", lanes);
    fabric->GetAttribute("Priorities", priorities);
    fabric->GetAttribute("Grant", grant);
    Simulator::Destroy();
    return std::to_string(lanes.Get()) + " " + priorities.Get() + " " + grant.Get();
}

/// @return a fabric file @param entries what it holds besides hosts and links
std::string
FileOf(const std::string& entries)
{
    return "{" + entries + R"("hosts": ["h0", "h1"],
 "links": [["h0", 0, "s0", 0], ["h1", 0, "s0", 1]]})";
}

} // namespace

/// Lanes, priorities and grant of a fabric file become the fabric's, and stay through writing and
/// reading; mistakes are refused with their place.
SIMULATION_TEST_CASE(LaneFilesTestCase, "Lanes in fabric files")
{
    // Checks a file, and what is written of it.
    const auto check = [&](const std::string& entries, const std::string& attributes) {
        const auto path = WriteTemporary("lanes.json", FileOf(entries));
        const auto again = CreateTempDirFilename("again.json");
        const auto twice = CreateTempDirFilename("twice.json");
        WriteFabricFile(ReadFabricFile(path), again);
        WriteFabricFile(ReadFabricFile(again), twice);
        for (const auto& file : {path, again, twice})
        {
            NS_TEST_EXPECT_MSG_EQ(InstallLanes(ReadFabricFile(file)), attributes, entries);
        }
    };
    // Checks a refusal.
    const auto refuseFile = [&](const std::string& entries, const std::string& part) {
        const auto path = WriteTemporary("wrong.json", FileOf("\n" + entries));
        const auto message = ErrorOf([&] { ReadFabricFile(path); });
        Says(message, part);
        Says(message, path + ":2");
    };
    check("", "1  flit");
    check(R"("lanes": 4, "grant": "worm",)", "4  worm");
    check(R"("lanes": 2, "priorities": [0, 7], "grant": "worm",)", "2 0,7 worm");
    check(R"("grant": "worm",)", "1  worm");
    check(R"("lanes": 1,)", "1  flit");
    refuseFile(R"("lanes": 0, "grant": "worm",)", "256");
    refuseFile(R"("lanes": 257, "grant": "worm",)", "256");
    refuseFile(R"("lanes": 2,)", "are several: expected 1, or grant worm");
    refuseFile(R"("lanes": 2, "grant": "flit",)", "are several");
    refuseFile(R"("grant": "frame",)", "expected flit or worm");
    refuseFile(R"("lanes": 2, "grant": "worm", "priorities": [1],)",
               "are of 1 lanes: expected one for each of 2");
    refuseFile(R"("lanes": 2, "grant": "worm", "priorities": [1, 256],)", "255");
}

/// @return attributes of a fabric
static std::string
Lanes(const std::string& entries)
{
    return InstallLanes(MakeTopology("torus:4x4" + entries).graph);
}

SIMULATION_TEST_CASE(LaneTextsTestCase, "Lanes in topology texts, beside routes of several lanes")
{
    NS_TEST_EXPECT_MSG_EQ(Lanes(",lanes=3,priorities=0+2+1,grant=worm"), "3 0,2,1 worm", "all");
    NS_TEST_EXPECT_MSG_EQ(Lanes(",grant=worm"), "1  worm", "one lane");
    NS_TEST_EXPECT_MSG_EQ(Lanes(",routing=dateline"), "2  worm", "the routes' own");
    NS_TEST_EXPECT_MSG_EQ(Lanes(",routing=dateline,lanes=4,grant=worm"), "4  worm", "more");
    NS_TEST_EXPECT_MSG_EQ(Lanes(",routing=dateline,grant=worm"), "2  worm", "the routes' own");
    const auto file = CreateTempDirFilename("torus.json");
    const auto text = "torus:4x4,lanes=2,priorities=1+0,grant=worm,routing=dateline";
    WriteFabricFile(MakeTopology(text).graph, file);
    NS_TEST_EXPECT_MSG_EQ(InstallLanes(ReadFabricFile(file)), "2 1,0 worm", "through a file");
    const auto refuse = [this](const std::string& entries, const std::string& part) {
        Refuses([&] { Lanes(entries); }, part);
    };
    refuse(",lanes=2", "lanes: 2 without grant worm; expected 1, or grant worm");
    refuse(",lanes=257,grant=worm", "lanes: '257' is not accepted; expected whole numbers");
    refuse(",lanes=two,grant=worm", "lanes: 'two'");
    refuse(",grant=frame", "grant: 'frame' is not accepted; expected flit or worm");
    refuse(",priorities=0+1", "expected one for each of 1");
    refuse(",priorities=0+", "priorities: '' is not accepted");
    refuse(",routing=dateline,grant=flit",
           "the fabric's grant is flit, but its routes take 2 lanes; expected grant worm");
}

static ListedTestSuite g_laneFilesTestSuite("wormhole-lane-files",
                                            {new LaneFilesTestCase(), new LaneTextsTestCase()});
