/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lane-buffers.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

namespace
{

/// @return the order of requests for one lane (S11) @param request a request
std::tuple<int64_t, int32_t, uint8_t>
GetOrder(const LaneRequest& request)
{
    const auto input = request.hop->input;
    return {request.since, input ? input->GetNumber() : -1, input ? input->lane : 0};
}

} // namespace

int64_t
LaneOutput::GetCreditTime(uint64_t flits) const
{
    const auto needed = sent + flits; // slots that were used by then
    if (!far || needed <= port->depth + m_nHere)
    {
        return WormholeOutput::ALWAYS;
    }
    const auto freed = needed - port->depth;
    if (freed > m_nFreed)
    {
        return WormholeOutput::NEVER;
    }
    auto at = m_at;
    while (m_freed[at].end < freed)
    {
        ++at;
    }
    const auto& last = m_freed[at];
    return last.times.At(freed - 1 - (last.end - last.flits));
}

void
LaneOutput::AddCredits(uint64_t flits, const FlitEnvelope& times)
{
    m_nFreed += flits;
    m_freed.push_back({m_nFreed, flits, times});
}

void
LaneOutput::Take(uint64_t flits, int64_t time)
{
    sent += flits;
    granted = time;
    if (!far)
    {
        return;
    }
    // Short worms free deep buffers by hundreds of credits, most of which have come long ago.
    while (m_at < m_freed.size() && m_freed[m_at].times.At(m_freed[m_at].flits - 1) <= time)
    {
        m_nHere = m_freed[m_at].end;
        ++m_at;
    }
    constexpr std::size_t MANY = 16;
    if (m_at == m_freed.size() || (m_at >= MANY && 2 * m_at >= m_freed.size()))
    {
        m_freed.erase(m_freed.begin(), m_freed.begin() + static_cast<std::ptrdiff_t>(m_at));
        m_at = 0;
    }
}

void
LaneOutput::AddRequest(LaneRequest& request)
{
    auto place = &requests;
    if (!requests)
    {
        nextAsked = *firstAsked;
        *firstAsked = this;
    }
    else
    {
        const auto order = GetOrder(request);
        while (*place && GetOrder(**place) <= order)
        {
            place = &(*place)->behind;
        }
    }
    request.behind = *place;
    request.isWaiting = true;
    *place = &request;
}

void
LaneOutput::RemoveRequest(LaneRequest& request)
{
    auto place = &requests;
    while (*place != &request)
    {
        place = &(*place)->behind;
    }
    *place = request.behind;
    request.isWaiting = false;
    if (!requests)
    {
        auto asked = firstAsked;
        while (*asked != this)
        {
            asked = &(*asked)->nextAsked;
        }
        *asked = nextAsked;
    }
}

} // namespace ns3
