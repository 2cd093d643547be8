/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OUTAGE_LIST_H
#define OUTAGE_LIST_H

#include <cstdint>
#include <deque>

namespace ns3
{

/// @ingroup wormhole
/// @brief When one part is down (S14): intervals in order of time that don't meet.
class OutageList
{
  public:
    /// From one time on, until another one.
    struct Interval
    {
        int64_t from;  ///< the first time, ns-3 time units
        int64_t until; ///< the first time after it; INT64_MAX: never
    };

    /// Adds an interval, and joins those that meet. @param added it
    void Add(Interval added);

    /// Forgets what was over by a time. @param time the time
    void DropBefore(int64_t time);

    /// @param time a time @param end a later one
    /// @return the first interval with some of the time between them; null: none
    const Interval* Find(int64_t time, int64_t end) const;

    /// @param time a time @return the interval that it is in; null: none
    const Interval* At(int64_t time) const
    {
        return Find(time, time + 1);
    }

    /// @param time a time @return whether an interval begins then
    bool BeginsAt(int64_t time) const
    {
        const auto found = At(time);
        return found && found->from == time;
    }

    /// @param time a time @return whether an interval ends then
    bool EndsAt(int64_t time) const
    {
        const auto found = time > 0 ? At(time - 1) : nullptr;
        return found && found->until == time;
    }

  private:
    std::deque<Interval> m_intervals; ///< in order
};

} // namespace ns3

#endif /* OUTAGE_LIST_H */
