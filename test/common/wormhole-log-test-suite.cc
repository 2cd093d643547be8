/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What the log components print.

#include "../line-graph.h"

#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/wormhole-compat.h"
#include "ns3/wormhole-helper.h"

#include <iostream>
#include <sstream>
#include <string>

using namespace ns3;

/**
 * @ingroup wormhole-tests
 * One worm over two switches: every step is logged at its own time, and nothing at lower levels.
 */
class EngineLogTestCase : public TestCase
{
  public:
    EngineLogTestCase()
        : TestCase("The engine logs requests, grants, heads, tails and credits")
    {
    }

  private:
    /// @return what a worm of two flits logs @param level the component's level
    static std::string Log(LogLevel level)
    {
        std::ostringstream text;
        const auto before = std::clog.rdbuf(text.rdbuf());
        LogComponentEnable("WormholeRunEngine", level);
        auto fabric = WormholeHelper().Install(MakeLine(2));
        const auto route = Create<WormRoute>(WormRoute::Path({0, 1, 2}));
        fabric->GetHost(0)->SendWorm(Create<Worm>(Worm::BARE, nullptr, 2, route));
        Simulator::Run();
        Simulator::Destroy();
        LogComponentDisable("WormholeRunEngine", LOG_LEVEL_ALL);
        std::clog.rdbuf(before);
        return text.str();
    }

    void DoRun() override
    {
        Time::SetResolution(Time::PS);
#ifdef NS3_LOG_ENABLE
        const auto all = Log(LOG_LEVEL_ALL);
        for (const char* line : {"worm 0 asks for h0:0",
                                 "worm 0 is granted h0:0",
                                 "worm 0 starts on h0:0",
                                 "worm 0 has left by h0:0",
                                 "h0:0 gets 2 credits",
                                 "worm 0 asks for s0:1",
                                 "worm 0 is granted s0:1",
                                 "worm 0 starts on s0:1",
                                 "worm 0 has left by s0:1"})
        {
            NS_TEST_EXPECT_MSG_NE(all.find(line), std::string::npos, line << " in\n" << all);
        }
        const auto logic = Log(LOG_LOGIC); // versions of ns-3 order their levels in two ways
        NS_TEST_EXPECT_MSG_NE(logic.find("worm 0 is granted s0:1"), std::string::npos, logic);
        NS_TEST_EXPECT_MSG_EQ(logic.find("credits"), std::string::npos, logic);
#endif
        NS_TEST_EXPECT_MSG_EQ(Log(LOG_LEVEL_WARN), "", "nothing to warn of");
    }
};

/**
 * @ingroup wormhole-tests
 * Suite of logs.
 */
class WormholeLogTestSuite : public TestSuite
{
  public:
    WormholeLogTestSuite()
        : TestSuite("wormhole-log", TestSuite::Type::UNIT)
    {
        AddTestCase(new EngineLogTestCase, WORMHOLE_TEST_QUICK);
    }
};

/// The suite.
static WormholeLogTestSuite g_wormholeLogTestSuite;
