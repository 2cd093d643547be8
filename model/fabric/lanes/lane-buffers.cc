// SPDX-License-Identifier: GPL-2.0-only

#include "lane-buffers.h"

namespace ns3
{

int64_t
LaneOutput::GetCreditTime(uint64_t flits) const
{
    const auto needed = sent + flits; // credits that were used by then
    if (needed <= m_nHad)
    {
        return WormholeOutput::ALWAYS;
    }
    if (needed > m_nKnown)
    {
        return WormholeOutput::NEVER;
    }
    auto before = m_nHad;
    auto at = m_at;
    while (before + m_freed[at].flits < needed)
    {
        before += m_freed[at++].flits;
    }
    return m_freed[at].times.At(needed - 1 - before);
}

bool
LaneOutput::AddCredits(uint64_t flits, const FlitEnvelope& departures, int64_t delay)
{
    m_nKnown += flits;
    m_freed.emplace_back(flits, departures, delay); // in place: it is read again at once
    if (!requests || readyAt != WormholeOutput::NEVER)
    {
        return false;
    }
    FindReadyAt();
    return readyAt != WormholeOutput::NEVER;
}

void
LaneOutput::AddRequest(LaneRequest& request)
{
    auto place = &requests;
    if (!requests)
    {
        nextAsked = shared->asked;
        shared->asked = this;
    }
    while (*place && !request.IsBefore(**place))
    {
        place = &(*place)->behind;
    }
    request.behind = *place;
    request.isWaiting = true;
    *place = &request;
    if (requests == &request)
    {
        FindReadyAt();
    }
}

void
LaneOutput::RemoveRequest(LaneRequest& request)
{
    const bool wasFirst = requests == &request;
    Unlink(request);
    if (wasFirst)
    {
        FindReadyAt();
    }
}

void
LaneOutput::Use(uint64_t flits, int64_t time)
{
    sent += flits;
    granted = time;
    // Short worms free deep buffers by hundreds of credits, most of which have come long ago.
    while (m_at < m_freed.size() && m_freed[m_at].times.At(m_freed[m_at].flits - 1) <= time)
    {
        m_nHad += m_freed[m_at++].flits;
    }
    constexpr std::size_t MANY = 16;
    if (m_at == m_freed.size() || (m_at >= MANY && 2 * m_at >= m_freed.size()))
    {
        m_freed.erase(m_freed.begin(), m_freed.begin() + static_cast<std::ptrdiff_t>(m_at));
        m_at = 0;
    }
    if (requests || readyAt != WormholeOutput::NEVER)
    {
        FindReadyAt();
    }
}

void
LaneOutput::Unlink(LaneRequest& request)
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
        auto asked = &shared->asked;
        while (*asked != this)
        {
            asked = &(*asked)->nextAsked;
        }
        *asked = nextAsked;
    }
}

void
LaneOutput::FindReadyAt()
{
    readyAt = requests ? std::max(requests->since, GetCreditTime(requests->hop->flits))
                       : WormholeOutput::NEVER;
}

} // namespace ns3
