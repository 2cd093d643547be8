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

/// @ingroup wormhole @brief A latency divided into intervals of one cause each, as text or rows.
class LatencyReport
{
  public:
    using Describer = std::function<std::string(const Worm& worm)>; ///< returns a description

    /// An interval as text and numbers.
    struct Row
    {
        int64_t fromPs;    ///< start, ps
        int64_t toPs;      ///< end, ps
        std::string cause; ///< name of its cause, such as "output", see LatencyCause
        std::string place; ///< where the time is spent: an output, buffer, switch or process
        std::string lane;  ///< lane of the output or buffer; empty if that has only one lane
        std::string worm;  ///< worm whose latency is explained; empty for time spent in a host
        std::string other; ///< worm or message that causes the delay; empty if there is none
        std::string note;  ///< further details, as text
    };

    /// Reports a latency's breakdown into intervals; `describe` returns the description of a worm.
    LatencyReport(LatencyIntervals intervals, Describer describe)
        : m_intervals(std::move(intervals)),
          m_describe(std::move(describe))
    {
    }

    /// @return the intervals as rows, in order of time
    std::vector<Row> GetRows() const;

    /// @return total time, in ps, of each cause that occurs, in the order of LatencyCause
    std::map<LatencyCause, int64_t> GetSums() const;

    /// @return total length, in ps, of the intervals in which a background worm causes the delay
    int64_t GetHeldByTraffic() const;

    /// Lists the delays, longest first, in at most `lines` lines such as "37.2 % 9.138000 us
    /// waiting for an output: s12:3, held by worm 8", then the sum of all other delays; a line for
    /// each register tells how late its last child was; without intervals, the text is empty.
    std::string ToText(std::size_t lines = 12) const;

    /// Writes the intervals as a JSON list of objects with the keys from_ps, to_ps, cause, place,
    /// lane, worm, other and note; keys whose values are empty are omitted.
    void WriteJson(std::ostream& os) const;

  private:
    LatencyIntervals m_intervals; ///< the breakdown
    Describer m_describe;         ///< describes worms
};

} // namespace ns3

#endif /* WORMHOLE_LATENCY_REPORT_H */
