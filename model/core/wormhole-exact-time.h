// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_EXACT_TIME_H
#define WORMHOLE_EXACT_TIME_H

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief Times that are whole numbers of ns-3 time units; other times are refused.
///
/// ns-3 silently rounds a time to its resolution (1 ns by default), which would shift every flit.
class ExactTime
{
  public:
    /// @param text number and unit, such as "6.25ns" or, as ns3::Time prints it, "+1e+06ns"
    /// @return the time
    /// @throws WormholeError if the text is not a time from 0 to an hour, or not a whole number of
    ///         time units; the message then states a resolution that would do, down to 1 fs
    static Time Parse(const std::string& text);

    /// @param time a time
    /// @return the time with all digits, in the largest unit that gives at least 1, as "24.565us"
    static std::string Print(Time time);

    /// @param bits number of bits @param rate data rate @return the transmission time
    /// @throws WormholeError if the time is no whole number of units or over 5 h, or the rate is 0
    static Time Transmission(uint64_t bits, DataRate rate);

    /// @param bytes number of bytes @param rate data rate; 0 stands for an infinite one
    /// @return the transmission time, rounded half up to ns-3's time unit
    /// @throws WormholeError if this time exceeds the latest time, see TimeLimit
    static Time RoundTransmission(uint64_t bytes, DataRate rate);

    /// @param rate data rate, above 0
    /// @return the smallest number of bytes whose transmission takes a whole number of time units
    static uint64_t GetMinBytes(DataRate rate);

    /// Makes a checker for Time attributes: it reads text by Parse, and throws a WormholeError for
    /// values below `least` or above an hour, where ns-3 would abort. @return the checker
    /// @param least smallest value allowed, in ns-3 time units
    static Ptr<const AttributeChecker> MakeChecker(int64_t least = 0);

  private:
    static Time FromFemtoseconds(uint64_t numerator, uint64_t denominator, const std::string& what);
};

/// @ingroup wormhole @brief The latest time allowed, and sums and products checked against it.
///
/// ns-3 counts time in 64 bits and does not check for overflow: beyond the largest number, times
/// are wrong or negative. Here the latest time is 2^61 units (26 days in ps, 73 years in ns), so
/// that the sum of any two valid times still fits and can be checked. A single cost or delay is at
/// most an hour (ExactTime::Parse); if the unit is fs, a Time attribute is at most 2^59 fs = 576 s.
class TimeLimit
{
  public:
    static constexpr int64_t LATEST = int64_t{1} << 61; ///< Latest time, in units of ns-3's time.

    static constexpr int64_t LONGEST_SECONDS = 3600; ///< Longest single delay or cost, in seconds.

    /// Longest time that the flits of a worm or buffer may take, in ns-3 time units.
    static constexpr int64_t LONGEST_LENGTH = LATEST / 4;

    /// @param what start of the error message, such as "a flit"
    /// @param length the time, in ns-3 time units
    /// @throws WormholeError if this time exceeds LONGEST_LENGTH
    static void CheckLength(const std::string& what, int64_t length);

    /// @param time a time, at most LATEST @param more a time to add to it, also at most LATEST
    /// @return their sum
    /// @throws WormholeError if the sum exceeds the latest time
    static Time Add(Time time, Time more);

    /// @param time a nonnegative time @param factor a factor @return their product
    /// @throws WormholeError if the product exceeds the latest time
    static Time Multiply(Time time, uint64_t factor);

    /// @param seconds a nonnegative duration
    /// @param what name of the duration, for the error message @return the duration
    /// @throws WormholeError if the duration is negative or exceeds the latest time
    static Time FromSeconds(double seconds, const std::string& what);

    /// @return the longest single delay or cost, in units of ns-3's time
    static int64_t GetLongest();

    /// @return the reason why a time beyond the latest one is refused
    static std::string Explain();
};

} // namespace ns3

#endif /* WORMHOLE_EXACT_TIME_H */
