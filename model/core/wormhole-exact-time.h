/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_EXACT_TIME_H
#define WORMHOLE_EXACT_TIME_H

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Times that are whole numbers of ns-3 time units, or are refused.
 *
 * ns-3 rounds a time to its resolution (1 ns by default) without a word, which would make a
 * fabric's times wrong by as much at every flit and hop.
 */
class ExactTime
{
  public:
    /// Reads a time such as "6.25ns", or as ns3::Time prints it, such as "+1e+06ns".
    /// @param text number and unit; the units are those of ns3::Time
    /// @return the time
    /// @throws WormholeError if the text is no time, or if the time is no whole number of time
    /// units; the message then names the Time::SetResolution that it needs
    static Time Parse(const std::string& text);

    /// @param time a time
    /// @return it with all its digits, in the longest unit that it has one of: "24.565us"
    static std::string Print(Time time);

    /// @param bits number of bits
    /// @param rate data rate
    /// @return how long they take
    /// @throws WormholeError if that is no whole number of time units, as Parse
    static Time Transmission(uint64_t bits, DataRate rate);

    /// @param bytes number of bytes
    /// @param rate data rate; 0: nothing takes time
    /// @return how long they take, rounded to ns-3's unit of time, half up
    /// @throws WormholeError if that is later than the latest time, see TimeLimit
    static Time RoundTransmission(uint64_t bytes, DataRate rate);

    /// @param rate data rate, above 0
    /// @return least number of bytes that take a whole number of time units; its multiples do, too
    static uint64_t GetMinBytes(DataRate rate);

    /// A checker for attributes of type Time that reads text by Parse. It throws a WormholeError
    /// where a time is too short, since ns-3 would end the program.
    /// @param least least value allowed, ns-3 time units
    /// @return the checker
    static Ptr<const AttributeChecker> MakeChecker(int64_t least = 0);

  private:
    static Time FromFemtoseconds(uint64_t numerator, uint64_t denominator, const std::string& what);
};

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

#endif /* WORMHOLE_EXACT_TIME_H */
