/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What the log components print.

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/log.h"

#include <iostream>

using namespace ns3;

/// @return what a worm of two flits logs
static std::string
Log(LogLevel level)
{
    std::ostringstream text;
    const auto before = std::clog.rdbuf(text.rdbuf());
    LogComponentEnable("WormholeRunEngine", level);
    auto fabric = WormholeHelper().Install(MakeLine(2));
    const auto route = Create<WormRoute>(WormRoute::Path({0, 1, 2}));
    fabric->GetHost(0)->SendWorm(Create<Worm>(Worm::RAW, nullptr, 2, route));
    Simulator::Run();
    Simulator::Destroy();
    LogComponentDisable("WormholeRunEngine", LOG_LEVEL_ALL);
    std::clog.rdbuf(before);
    return text.str();
}

/// One worm over two switches: every step is logged at its own time, and nothing at lower levels.
TEST_CASE(EngineLogTestCase, "The engine logs requests, grants, heads, tails and credits")
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
    Contains(logic, "worm 0 is granted s0:1");
    NS_TEST_EXPECT_MSG_EQ(logic.find("credits"), std::string::npos, logic);
#endif
    NS_TEST_EXPECT_MSG_EQ(Log(LOG_LEVEL_WARN), "", "nothing to warn of");
}

static ListedTestSuite g_wormholeLogTestSuite("wormhole-log", {new EngineLogTestCase});
