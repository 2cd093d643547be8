/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_COSTS_H
#define LATENCY_COSTS_H

#include "latency-cause.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

namespace ns3
{

/// @ingroup wormhole
/// @brief What keeps a process busy, cause by cause, in the order in which it is spent. The process
/// is charged their sum, and what explains a latency names each of them.
class LatencyCosts
{
  public:
    /// One cost.
    struct Cost
    {
        LatencyCause cause{LatencyCause::UNEXPLAINED}; ///< what it is
        Time time;                                     ///< how long it takes
    };

    /// Nothing at all.
    LatencyCosts() = default;

    /// A time of which nobody says what it is. @param time how long it takes
    LatencyCosts(Time time)
        : LatencyCosts(LatencyCause::UNEXPLAINED, time)
    {
    }

    /// A single cost. @param cause what it is @param time how long it takes
    LatencyCosts(LatencyCause cause, Time time)
    {
        Add(cause, time);
    }

    /// Adds a cost behind all others; none without time. @param cause what it is
    /// @param time how long it takes @return this
    LatencyCosts& Add(LatencyCause cause, Time time)
    {
        if (!time.IsZero())
        {
            assert(m_size < m_costs.size());
            m_costs[m_size++] = {cause, time};
        }
        return *this;
    }

    /// Adds a cost before all others; none without time. @param cause what it is
    /// @param time how long it takes @return this
    LatencyCosts& AddFirst(LatencyCause cause, Time time)
    {
        if (!time.IsZero())
        {
            Add(cause, time);
            std::rotate(m_costs.begin(), m_costs.begin() + m_size - 1, m_costs.begin() + m_size);
        }
        return *this;
    }

    /// @return their sum @throws WormholeError if it is later than the latest time
    Time GetTotal() const;

    /// @return the first cost
    const Cost* begin() const
    {
        return m_costs.data();
    }

    /// @return the end of all
    const Cost* end() const
    {
        return m_costs.data() + m_size;
    }

  private:
    static constexpr std::size_t MOST = 8; ///< a send has five, taking and combining six

    std::array<Cost, MOST> m_costs; ///< in order
    std::size_t m_size{0};          ///< how many there are
};

} // namespace ns3

#endif /* LATENCY_COSTS_H */
