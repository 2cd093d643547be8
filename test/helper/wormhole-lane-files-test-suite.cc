/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Lanes that fabric files and topology texts tell of.

#include "../refusing-test-case.h"
#include "../test-tools.h"

#include "ns3/fabric-file.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/topology-factory.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-compat.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-helper.h"

#include <string>

using namespace ns3;

namespace
{

/// @return what attributes of a fabric's lanes say, with blanks between @param graph its graph
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

/**
 * @ingroup wormhole-tests
 * Lanes, priorities and grant of a fabric file become the fabric's, and stay through writing and
 * reading; mistakes are refused with their place.
 */
class LaneFilesTestCase : public RefusingTestCase
{
  public:
    LaneFilesTestCase()
        : RefusingTestCase("Lanes in fabric files")
    {
    }

  private:
    /// Checks a file, and what is written of it. @param entries of lanes @param attributes expected
    void Check(const std::string& entries, const std::string& attributes)
    {
        const auto path = WriteText("lanes.json", FileOf(entries));
        const auto again = CreateTempDirFilename("again.json");
        const auto twice = CreateTempDirFilename("twice.json");
        WriteFabricFile(ReadFabricFile(path), again);
        WriteFabricFile(ReadFabricFile(again), twice);
        for (const auto& file : {path, again, twice})
        {
            NS_TEST_EXPECT_MSG_EQ(InstallLanes(ReadFabricFile(file)), attributes, entries);
        }
    }

    /// Checks a refusal. @param entries of lanes @param part what it says
    void RefuseFile(const std::string& entries, const std::string& part)
    {
        const auto path = WriteText("wrong.json", FileOf("\n" + entries));
        const auto message = ErrorOf([&] { ReadFabricFile(path); });
        Says(message, part);
        Says(message, path + ":2");
    }

    void DoRun() override
    {
        StartAnew();
        Check("", "1  flit");
        Check(R"("lanes": 4, "grant": "worm",)", "4  worm");
        Check(R"("lanes": 2, "priorities": [0, 7], "grant": "worm",)", "2 0,7 worm");
        Check(R"("grant": "worm",)", "1  worm");
        Check(R"("lanes": 1,)", "1  flit");
        RefuseFile(R"("lanes": 0, "grant": "worm",)", "256");
        RefuseFile(R"("lanes": 257, "grant": "worm",)", "256");
        RefuseFile(R"("lanes": 2,)", "are several: expected 1, or grant worm");
        RefuseFile(R"("lanes": 2, "grant": "flit",)", "are several");
        RefuseFile(R"("grant": "frame",)", "expected flit or worm");
        RefuseFile(R"("lanes": 2, "grant": "worm", "priorities": [1],)",
                   "are of 1 lanes: expected one for each of 2");
        RefuseFile(R"("lanes": 2, "grant": "worm", "priorities": [1, 256],)", "255");
    }
};

/**
 * @ingroup wormhole-tests
 * The same in topology texts, and beside routes that take several lanes.
 */
class LaneTextsTestCase : public RefusingTestCase
{
  public:
    LaneTextsTestCase()
        : RefusingTestCase("Lanes in topology texts, beside routes of several lanes")
    {
    }

  private:
    /// @return attributes of a fabric @param entries of its text
    static std::string Lanes(const std::string& entries)
    {
        return InstallLanes(MakeTopology("torus:4x4" + entries).graph);
    }

    void DoRun() override
    {
        StartAnew();
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
        refuse(",lanes=2", "lanes: 2 without grant worm; accepted is 1, or grant worm");
        refuse(",lanes=257,grant=worm", "lanes: '257' is not accepted; accepted are whole numbers");
        refuse(",lanes=two,grant=worm", "lanes: 'two'");
        refuse(",grant=frame", "grant: 'frame' is not accepted; accepted are flit and worm");
        refuse(",priorities=0+1", "accepted is one for each of 1");
        refuse(",priorities=0+", "priorities: '' is not accepted");
        refuse(",routing=dateline,grant=flit",
               "the fabric's grant is flit, but its routes take 2 lanes; accepted is grant worm");
    }
};

/**
 * @ingroup wormhole-tests
 * The test suite.
 */
class LaneFilesTestSuite : public TestSuite
{
  public:
    LaneFilesTestSuite()
        : TestSuite("wormhole-lane-files", TestSuite::Type::UNIT)
    {
        AddTestCase(new LaneFilesTestCase(), WORMHOLE_TEST_QUICK);
        AddTestCase(new LaneTextsTestCase(), WORMHOLE_TEST_QUICK);
    }
};

static LaneFilesTestSuite g_laneFilesTestSuite; ///< registers the suite
