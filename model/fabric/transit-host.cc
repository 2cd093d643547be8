/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transit-host.h"

#include <algorithm>

namespace ns3
{

void
TransitHost::Add(Pending pending)
{
    const auto place = std::upper_bound(m_pending.begin(),
                                        m_pending.end(),
                                        pending,
                                        [](const Pending& a, const Pending& b) {
                                            return std::make_pair(a.time, a.isOwn) <
                                                   std::make_pair(b.time, b.isOwn);
                                        });
    m_pending.insert(place, std::move(pending));
}

std::optional<TransitHost::Pending>
TransitHost::TakeDue(int64_t now)
{
    if (m_pending.empty() || m_pending.front().time > now)
    {
        return std::nullopt;
    }
    auto due = std::move(m_pending.front());
    m_pending.pop_front();
    return due;
}

void
TransitHost::NoteEntry(int64_t time, uint64_t flits)
{
    m_entries.emplace_back(time, flits);
}

void
TransitHost::NoteExit(int64_t time, uint64_t flits)
{
    m_exits.emplace_back(time, flits);
}

uint64_t
TransitHost::GetMaxFlits(int64_t now)
{
    // Both are known ahead, each in its own order. A slot is free when the tail has left.
    while (!m_entries.empty() && m_entries.front().first <= now)
    {
        const auto [time, flits] = m_entries.front();
        while (!m_exits.empty() && m_exits.front().first <= time)
        {
            m_flits -= m_exits.front().second;
            m_exits.pop_front();
        }
        m_flits += flits;
        m_maxFlits = std::max(m_maxFlits, m_flits);
        m_entries.pop_front();
    }
    return m_maxFlits;
}

} // namespace ns3
