/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef READ_RUNS_H
#define READ_RUNS_H

#include "worm-hop.h"

#include <algorithm>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Drops the runs that all readers of a worm's lines at a node have passed.
 *
 * In shallow buffers a worm that is scheduled part by part has a run every few flits. Those that
 * are still to be read are as many as buffers hold flits, so memory does not grow with its length.
 */
class ReadRuns
{
  public:
    /// Drops them, where they are many. @param hop the worm @param returnsCredits whether slots are
    /// freed by what these lines tell
    static void Drop(WormHop& hop, bool returnsCredits)
    {
        auto passed = returnsCredits && !hop.isCovered ? hop.arrivalsToCredit : UINT32_MAX;
        for (std::size_t i = 0; i < hop.GetNFlows(); ++i)
        {
            auto& flow = hop.branches[i].flow;
            if (flow.earliestStarts.GetEnd() == 0)
            {
                return; // it begins to read from the first run on
            }
            passed = std::min(passed, flow.arrivalsToSend);
            auto& toSend = flow.startsToSend;
            auto& toCredit = flow.startsToCredit;
            const auto starts = returnsCredits ? std::min(toSend, toCredit) : toSend;
            if (const auto dropped = DropFrom(flow.earliestStarts, starts))
            {
                toSend -= dropped;
                toCredit -= returnsCredits ? dropped : 0;
            }
        }
        if (const auto dropped = DropFrom(hop.arrivals, passed))
        {
            for (std::size_t i = 0; i < hop.GetNFlows(); ++i)
            {
                hop.branches[i].flow.arrivalsToSend -= dropped;
            }
            hop.arrivalsToCredit -= std::min(hop.arrivalsToCredit, dropped);
        }
    }

  private:
    /// @return number of runs dropped from a line
    static FlitLine::Cursor DropFrom(FlitLine& line, FlitLine::Cursor passed)
    {
        constexpr FlitLine::Cursor MANY = 64;
        if (passed < MANY)
        {
            return 0;
        }
        auto left = passed;
        line.DropBefore(left);
        return passed - left;
    }
};

} // namespace ns3

#endif /* READ_RUNS_H */
