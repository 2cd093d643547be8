/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "outage-list.h"

#include <algorithm>

namespace ns3
{

void
OutageList::Add(Interval added)
{
    const auto isBefore = [](const Interval& a, int64_t time) { return a.until < time; };
    const auto first =
        std::lower_bound(m_intervals.begin(), m_intervals.end(), added.from, isBefore);
    auto last = first;
    for (; last != m_intervals.end() && last->from <= added.until; ++last)
    {
        added = {std::min(added.from, last->from), std::max(added.until, last->until)};
    }
    m_intervals.insert(m_intervals.erase(first, last), added);
}

void
OutageList::DropBefore(int64_t time)
{
    while (!m_intervals.empty() && m_intervals.front().until <= time)
    {
        m_intervals.pop_front();
    }
}

const OutageList::Interval*
OutageList::Find(int64_t time, int64_t end) const
{
    // Few are to come soon, and those that are over are dropped.
    for (const auto& interval : m_intervals)
    {
        if (interval.from >= end)
        {
            break;
        }
        if (interval.until > time)
        {
            return &interval;
        }
    }
    return nullptr;
}

} // namespace ns3
