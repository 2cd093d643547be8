/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flit-stream.h"

#include "run-engine.h"

#include <algorithm>
#include <limits>

namespace ns3
{

void
FlitStream::Clear(std::size_t nHops, uint64_t flits, int64_t tau)
{
    if (m_hops.size() < nHops + 2)
    {
        m_hops.resize(nHops + 2);
    }
    m_nHops = nHops;
    m_flits = flits;
    m_tau = tau;
    m_isLate = false;
    m_hops.front().depth = 0;
}

void
FlitStream::Run()
{
    m_hops.front().credits.Clear(m_hops[1].end);
    m_hops[m_nHops + 1].arrivals.Clear(m_hops[m_nHops].end);
    m_mostDepth = 0;
    for (std::size_t i = 1; i <= m_nHops; ++i)
    {
        auto& hop = m_hops[i];
        hop.firstStart = std::numeric_limits<int64_t>::max();
        m_mostDepth = std::max(m_mostDepth, hop.creditsMatter ? hop.depth : 0);
    }
    // R. P. Brent's way to find a period: a state is compared to one of half its age or more.
    bool seeks = m_hops[1].allHere && !m_hops[m_nHops].creditsMatter && m_nHops > 1;
    uint64_t sweep = 0;
    uint64_t nextNote = 1;
    bool moved = true;
    while (moved)
    {
        moved = false;
        for (std::size_t i = 1; i <= m_nHops; ++i)
        {
            moved = Advance(i) || moved;
        }
        seeks = seeks && m_hops[1].end + m_mostDepth < m_flits;
        if (seeks && ++sweep == nextNote)
        {
            nextNote *= 2;
            Note(m_before);
        }
        else if (seeks)
        {
            Note(m_present);
            seeks = !Skip();
        }
    }
}

bool
FlitStream::Advance(std::size_t i)
{
    auto& hop = m_hops[i];
    const auto begin = hop.end;
    while (hop.end < m_flits)
    {
        auto end = m_flits;
        auto time = hop.next;
        if (!hop.allHere)
        {
            if (hop.arrivals.IsEmpty())
            {
                break;
            }
            end = std::min(end, hop.arrivals.GetRunEnd());
            time = std::max(time, hop.arrivals.GetRun().time);
        }
        if (hop.creditsMatter)
        {
            if (hop.credits.IsEmpty())
            {
                break;
            }
            end = std::min(end, hop.credits.GetRunEnd());
            time = std::max(time, hop.credits.GetRun().time);
        }
        if (time > RunEngine::MAX_TIME)
        {
            m_isLate = true;
            break;
        }
        const auto flits = end - hop.end;
        if (!hop.allHere)
        {
            hop.arrivals.Pop(flits, m_tau);
            auto& back = m_hops[i - 1];
            back.credits.Push(end + back.depth, time + hop.creditDelay, m_tau);
        }
        if (hop.creditsMatter)
        {
            hop.credits.Pop(flits, m_tau);
            m_hops[i + 1].arrivals.Push(end, time + hop.toReady, m_tau);
        }
        hop.firstStart = std::min(hop.firstStart, time);
        hop.end = end;
        hop.next = time + static_cast<int64_t>(flits) * m_tau;
    }
    return hop.end > begin;
}

void
FlitStream::Note(std::vector<Mark>& marks) const
{
    marks.clear();
    for (std::size_t i = 1; i <= m_nHops; ++i)
    {
        const auto& hop = m_hops[i];
        marks.push_back({hop.end, hop.next, 0});
        if (!hop.allHere)
        {
            NoteQueue(marks, hop.arrivals, hop.next);
        }
        if (hop.creditsMatter)
        {
            NoteQueue(marks, hop.credits, hop.next);
        }
    }
}

void
FlitStream::NoteQueue(std::vector<Mark>& marks, const RunQueue& queue, int64_t time)
{
    marks.push_back({queue.GetEnd(), time, queue.GetNRuns()});
    for (std::size_t i = 0; i < queue.GetNRuns(); ++i)
    {
        const auto& run = queue.GetRun(i);
        marks.push_back({run.first, run.time, 0});
    }
}

bool
FlitStream::Skip()
{
    // The worm's last flits are not skipped: the next worm needs to know when their slots are free.
    const auto flits = m_present.front().flit - m_before.front().flit;
    const auto time = m_present.front().time - m_before.front().time;
    const auto isLater = [flits, time](const Mark& before, const Mark& now) {
        return now.flit - before.flit == flits && now.time - before.time == time &&
               now.runs == before.runs;
    };
    if (flits == 0 || m_present.size() != m_before.size() ||
        !std::equal(m_before.begin(), m_before.end(), m_present.begin(), isLater))
    {
        return false;
    }
    const auto most = static_cast<uint64_t>((RunEngine::MAX_TIME - m_hops[1].next) / time) + 1;
    const auto periods = std::min(most, (m_flits - m_mostDepth - m_hops[1].end) / flits);
    for (std::size_t i = 1; i <= m_nHops; ++i)
    {
        auto& hop = m_hops[i];
        hop.end += periods * flits;
        hop.next += static_cast<int64_t>(periods) * time;
        hop.arrivals.Shift(periods * flits, static_cast<int64_t>(periods) * time);
        hop.credits.Shift(periods * flits, static_cast<int64_t>(periods) * time);
    }
    return true;
}

} // namespace ns3
