/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "worm-log.h"

#include "worm.h"
#include "wormhole-node-state.h"
#include "wormhole-port.h"

#include "ns3/exact-time.h"
#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeRunEngine");

bool
WormLog::IsEnabled()
{
#ifdef NS3_LOG_ENABLE
    return g_log.IsEnabled(LOG_LOGIC) || g_log.IsEnabled(LOG_DEBUG);
#else
    return false;
#endif
}

void
WormLog::Print([[maybe_unused]] Event event,
               [[maybe_unused]] const WormholeOutput& output,
               [[maybe_unused]] const Worm& worm,
               [[maybe_unused]] int64_t time)
{
    [[maybe_unused]] constexpr const char* WORDS[] = {" asks for ",
                                                      " is granted ",
                                                      " starts on ",
                                                      " has left by "};
    NS_LOG_LOGIC(ExactTime::Print(TimeStep(time))
                 << ": worm " << worm.GetId() << WORDS[event] << output.GetPort().GetName());
}

void
WormLog::PrintCredits([[maybe_unused]] const WormholeOutput& output,
                      [[maybe_unused]] uint64_t credits,
                      [[maybe_unused]] int64_t time)
{
    NS_LOG_DEBUG(ExactTime::Print(TimeStep(time))
                 << ": " << output.GetPort().GetName() << " gets " << credits
                 << (credits == 1 ? " credit" : " credits"));
}

} // namespace ns3
