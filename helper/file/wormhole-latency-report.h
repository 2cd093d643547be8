// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_LATENCY_REPORT_H
#define WORMHOLE_LATENCY_REPORT_H

#include "ns3/wormhole-worm.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief A latency breakdown as text, and as rows for tables and other programs.
class LatencyReport
{
  public:
    using Describer = std::function<std::string(const Worm& worm)>; ///< describes a worm

    /// An interval as text and numbers.
    struct Row
    {
        int64_t fromPs;    ///< start, ps
        int64_t toPs;      ///< end, ps
        std::string cause; ///< its cause, such as "output"
        std::string place; ///< where it is spent: output, buffer, switch or process
        std::string lane;  ///< lane, if the output or buffer has several; else empty
        std::string worm;  ///< worm whose latency is explained; empty for time spent in a host
        std::string other; ///< worm or message that causes the delay; empty: none
        std::string note;  ///< details
    };

    /// Reports a breakdown; `describe` describes its worms.
    LatencyReport(LatencyIntervals intervals, Describer describe)
        : m_intervals(std::move(intervals)),
          m_describe(std::move(describe))
    {
    }

    /// @return the intervals, in order of time
    std::vector<Row> GetRows() const;

    /// @return total time of each cause in ps, in the order of LatencyCause
    std::map<LatencyCause, int64_t> GetSums() const;

    /// @return total time for which background traffic causes delays, ps
    int64_t GetHeldByTraffic() const;

    /// Summarizes the intervals, longest first, in lines such as "37.2 % 9.138 us waiting for an
    /// output: s12:3, held by worm 8", with one more line for all other intervals; delays by
    /// background worms at one place are counted together; without intervals the text is empty.
    std::string ToText(std::size_t lines = 12) const;

    /// Writes the intervals as a JSON list of objects: from_ps, to_ps, cause, place, lane, worm,
    /// other and note; empty values are omitted.
    void WriteJson(std::ostream& os) const;

  private:
    LatencyIntervals m_intervals; ///< the breakdown
    Describer m_describe;         ///< describes worms
};

} // namespace ns3

#endif /* WORMHOLE_LATENCY_REPORT_H */
