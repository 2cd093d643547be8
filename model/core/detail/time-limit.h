/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIME_LIMIT_H
#define TIME_LIMIT_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The latest time there is, and sums that never pass it unnoticed.
 *
 * ns-3 counts time in 64 bits and does not look whether a sum fits: past the end, times are wrong
 * or negative. Here the latest time is 2^61 units, so that the sum of any two times that are
 * accepted still fits and can be judged: 26 days in ps, 73 years in ns. A single cost or delay
 * is an hour at most, as ExactTime::Parse reads it.
 */
class TimeLimit
{
  public:
    static constexpr int64_t LATEST = int64_t{1} << 61; ///< Latest time, in units of ns-3's time.

    static constexpr int64_t LONGEST_SECONDS = 3600; ///< Longest single delay or cost, in seconds.

    /// Longest time of a worm's or a buffer's flits, in units of ns-3's time.
    static constexpr int64_t LONGEST_LENGTH = LATEST / 4;

    /// @param what what takes so long, for the message
    /// @param length how long it takes, in units of ns-3's time
    /// @throws WormholeError if that is more than LONGEST_LENGTH
    static void CheckLength(const std::string& what, int64_t length);

    /// @param time a time, not after the latest one @param more what comes after it, likewise
    /// @return their sum @throws WormholeError if the sum is later than the latest time
    static Time Add(Time time, Time more);

    /// @param time a time, not negative @param factor how often it comes @return their product
    /// @throws WormholeError if the product is later than the latest time
    static Time Multiply(Time time, uint64_t factor);

    /// @param seconds a duration that somebody drew or gave, not negative
    /// @param what what it is, for the message @return the duration
    /// @throws WormholeError if it is longer than until the latest time
    static Time FromSeconds(double seconds, const std::string& what);

    /// @return the longest single delay or cost, in units of ns-3's time
    static int64_t GetLongest();

    /// @return why a time is refused that would be later than the latest one
    static std::string Explain();
};

} // namespace ns3

#endif /* TIME_LIMIT_H */
