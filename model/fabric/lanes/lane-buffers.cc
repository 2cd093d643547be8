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
    if (!far || needed <= port->depth)
    {
        return WormholeOutput::ALWAYS;
    }
    const auto freed = needed - port->depth;
    if (freed > m_nFreed)
    {
        return WormholeOutput::NEVER;
    }
    auto at = m_at;
    while (at + 1 < m_freed.size() && m_freed[at + 1].first < freed)
    {
        ++at;
    }
    return m_freed[at].times.At(freed - 1 - m_freed[at].first);
}

void
LaneOutput::AddCredits(uint64_t flits, const FlitEnvelope& times)
{
    m_freed.push_back({m_nFreed, times});
    m_nFreed += flits;
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
    // Whoever comes next needs one more slot at least.
    while (m_at + 1 < m_freed.size() && m_freed[m_at + 1].first + port->depth <= sent)
    {
        ++m_at;
    }
    constexpr std::size_t MANY = 16;
    if (m_at >= MANY && 2 * m_at >= m_freed.size())
    {
        m_freed.erase(m_freed.begin(), m_freed.begin() + static_cast<std::ptrdiff_t>(m_at));
        m_at = 0;
    }
}

void
LaneOutput::AddRequest(LaneRequest& request)
{
    const auto order = GetOrder(request);
    auto place = &requests;
    while (*place && GetOrder(**place) <= order)
    {
        place = &(*place)->behind;
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
}

} // namespace ns3
