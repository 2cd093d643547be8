/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_LATENCY_REPORT_H
#define WORMHOLE_LATENCY_REPORT_H

#include "ns3/wormhole-latency-interval.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief An explained latency for people, and as rows for tables and other programs.
class LatencyReport
{
  public:
    /// Gives a worm in words.
    using Describer = std::function<std::string(const Worm& worm)>;

    /// An interval, all of it in words and numbers.
    struct Row
    {
        int64_t fromPs;    ///< when it begins, ps
        int64_t toPs;      ///< when it ends, ps
        std::string cause; ///< its cause, such as "output"
        std::string place; ///< output, buffer, switch or process
        std::string lane;  ///< lane of an output or buffer, where there are several; else empty
        std::string worm;  ///< worm that is explained there; empty at hosts
        std::string other; ///< worm or message that holds it up; empty if none does
        std::string note;  ///< more about it
    };

    /// @param intervals the explanation @param describe gives worms in words
    LatencyReport(LatencyIntervals intervals, Describer describe);

    /// @return the intervals, in order of time
    std::vector<Row> GetRows() const;

    /// @return time of each cause that there is, ps, the causes in their order
    std::map<LatencyCause, int64_t> GetSums() const;

    /// @return in how much of the time worms of the traffic are in the way, ps
    int64_t GetHeldByTraffic() const;

    /// Sums up the intervals, what took longest first; worms of the traffic that hold others up at
    /// one place count as one.
    /// @param lines number of lines at most, besides one for the rest
    /// @return text of some lines, such as "37.2 % 9.138 us waiting for an output: s12:3, held by
    /// worm 8"; empty if nothing is explained
    std::string ToText(std::size_t lines = 12) const;

    /// Writes the intervals as a JSON list of objects: from_ps, to_ps, cause, place, lane, worm,
    /// other and note, those that are empty left out.
    /// @param os where to
    void WriteJson(std::ostream& os) const;

  private:
    LatencyIntervals m_intervals; ///< the explanation
    Describer m_describe;         ///< gives worms in words
};

} // namespace ns3

#endif /* WORMHOLE_LATENCY_REPORT_H */
