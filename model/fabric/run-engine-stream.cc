/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-engine.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * Tells a stream what a line knows.
 * @param queue where to
 * @param line the line
 * @param from first flit by the line's count that matters
 * @param base the line's count of flit 0
 * @param tau flit time
 * @param cursor reader's place, moved on to the first flit's run
 */
void
Copy(RunQueue& queue,
     const FlitLine& line,
     uint64_t from,
     uint64_t base,
     int64_t tau,
     FlitLine::Cursor& cursor)
{
    queue.Clear(from - base);
    if (from < line.GetEnd())
    {
        auto time = line.At(from, tau, cursor);
        auto reader = cursor;
        auto end = line.GetRunEnd(reader);
        queue.Push(end - base, time, tau);
        while (end < line.GetEnd())
        {
            time = line.At(end, tau, reader);
            end = line.GetRunEnd(reader);
            queue.Push(end - base, time, tau);
        }
    }
}

/**
 * Adds flits to a line that nobody reads any more.
 * @param line the line
 * @param end first flit after them
 * @param tau flit time
 */
void
Extend(FlitLine& line, uint64_t end, int64_t tau)
{
    if (line.GetEnd() < end)
    {
        line.Append(end, line.GetEnd() > 0 ? line.GetLastTime(tau) + tau : 0, tau);
    }
}

/**
 * Adds what a stream has found and not used to a line, as far as it is new there.
 * @param line the line
 * @param queue what was found
 * @param base the line's count of flit 0
 * @param tau flit time
 */
void
AddRest(FlitLine& line, const RunQueue& queue, uint64_t base, int64_t tau)
{
    for (std::size_t i = 0; i < queue.GetNRuns(); ++i)
    {
        const auto& run = queue.GetRun(i);
        const auto first = std::max(run.first + base, line.GetEnd());
        const auto end = queue.GetRunEnd(i) + base;
        if (first < end)
        {
            line.Append(end, run.time + static_cast<int64_t>(first - base - run.first) * tau, tau);
        }
    }
}

} // namespace

void
RunEngine::SettleStream(WormVisit* visit)
{
    auto head = visit;
    for (auto far = head->lanes.front().far;
         far && !far->lanes.empty() && far->lanes.front().flow.missing == 0;
         far = far->lanes.front().far)
    {
        head = far;
    }
    m_chain.assign(1, head);
    // Once its head has started, a worm is only woken here if its tail may move. Before that,
    // flits between can wait: all that anybody else depends on is where its head goes.
    const auto& lane = head->lanes.front();
    const auto& output = *lane.output;
    if (head != visit || lane.flow.sent > 0 || output.toHost ||
        output.credits.GetEnd() + head->room >= lane.base + head->flits)
    {
        const auto before = [this] {
            const auto input = m_chain.back()->input;
            const auto upstream = input ? input->upstream : nullptr;
            const auto owner = upstream ? upstream->owner : nullptr;
            return owner && owner->lanes.front().far == m_chain.back() ? owner : nullptr;
        };
        for (auto owner = before(); owner; owner = before())
        {
            m_chain.push_back(owner);
        }
        std::reverse(m_chain.begin(), m_chain.end());
    }
    m_stream.Clear(m_chain.size(), head->flits, m_tau);
    for (std::size_t i = 0; i < m_chain.size(); ++i)
    {
        PutIntoStream(*m_chain[i], m_stream.At(i));
    }
    m_stream.Run();
    if (m_stream.IsLate())
    {
        RefuseTime(*head->lanes.front().output);
    }
    TakeFromStream();
}

void
RunEngine::PutIntoStream(WormVisit& visit, FlitStream::Hop& hop)
{
    auto& lane = visit.lanes.front();
    auto& flow = lane.flow;
    auto& output = *lane.output;
    hop.end = flow.sent;
    hop.next = flow.earliest;
    hop.toReady = output.toReady;
    hop.depth = output.depth;
    hop.allHere = !visit.input || !visit.input->upstream;
    hop.creditsMatter = !output.toHost;
    if (hop.allHere)
    {
        hop.next = std::max(hop.next, visit.arrivals.GetFirstTime());
    }
    else
    {
        if (flow.sent == 0)
        {
            flow.arrivalsToSend = 0;
        }
        hop.creditDelay = visit.input->creditDelay;
        Copy(hop.arrivals, visit.arrivals, flow.sent, 0, m_tau, flow.arrivalsToSend);
    }
    if (hop.creditsMatter)
    {
        Copy(hop.credits,
             output.credits,
             lane.base + flow.sent,
             lane.base,
             m_tau,
             output.creditsRead);
    }
}

void
RunEngine::TakeFromStream()
{
    const auto nHops = m_chain.size();
    const auto flits = m_chain.front()->flits;
    // First what the worm's own visits are to know, then what others may ask for.
    for (std::size_t i = 0; i < nHops; ++i)
    {
        auto& visit = *m_chain[i];
        auto& lane = visit.lanes.front();
        auto& flow = lane.flow;
        const auto& hop = m_stream.At(i);
        if (i + 1 == nHops)
        {
            SendFromStream(visit, lane, hop);
        }
        else
        {
            m_counts.flitHops += hop.end - flow.sent;
            auto& arrivals = m_chain[i + 1]->arrivals;
            const auto& next = m_stream.At(i + 1);
            Extend(arrivals, next.end, m_tau);
            AddRest(arrivals, next.arrivals, 0, m_tau);
        }
        flow.sent = hop.end;
        flow.earliest = hop.next;
        Extend(flow.allowed, hop.end, m_tau);
        visit.freed = hop.end;
        if (!lane.output->toHost)
        {
            auto& credits = lane.output->credits;
            Extend(credits, lane.base + hop.end, m_tau);
            if (hop.end < flits)
            {
                AddRest(credits, hop.credits, lane.base, m_tau);
            }
            else
            {
                credits.At(lane.base + flits - 1, m_tau, lane.output->creditsRead);
            }
        }
    }
    if (const auto input = m_chain.front()->input; input && input->upstream)
    {
        const auto& back = m_stream.GetCreditsBack();
        for (std::size_t i = 0; i < back.GetNRuns(); ++i)
        {
            // The stream has added the credits' delay already.
            const auto& run = back.GetRun(i);
            Credit(input, back.GetRunEnd(i) - run.first, run.time - input->creditDelay);
        }
    }
    for (std::size_t i = 0; i < nHops && m_stream.At(i).end == flits; ++i)
    {
        EndFromStream(m_chain[i], m_stream.At(i));
    }
}

void
RunEngine::SendFromStream(WormVisit& visit, WormLane& lane, const FlitStream::Hop& hop)
{
    const auto sent = lane.flow.sent;
    if (hop.end == sent)
    {
        return;
    }
    if (lane.output->toHost)
    {
        Send(&visit, lane, sent, hop.end, hop.firstStart);
        return;
    }
    const auto& ahead = m_stream.GetArrivalsAhead();
    for (std::size_t i = 0; i < ahead.GetNRuns(); ++i)
    {
        const auto& run = ahead.GetRun(i);
        Send(&visit, lane, run.first, ahead.GetRunEnd(i), run.time - hop.toReady);
    }
}

void
RunEngine::EndFromStream(WormVisit* visit, const FlitStream::Hop& hop)
{
    auto& lane = visit->lanes.front();
    auto& output = *lane.output;
    const auto base = lane.base;
    const auto far = lane.far;
    SettleTail(visit, lane, hop.next);
    if (far && far->input)
    {
        // Whoever has the output next needs to know of the slots that this worm's tail is to free.
        for (std::size_t i = 0; i < hop.credits.GetNRuns(); ++i)
        {
            const auto& run = hop.credits.GetRun(i);
            const auto first = std::max(run.first + base, output.credits.GetEnd());
            const auto end = hop.credits.GetRunEnd(i) + base;
            if (first < end)
            {
                const auto later = static_cast<int64_t>(first - base - run.first) * m_tau;
                Credit(far->input, end - first, run.time + later - far->input->creditDelay);
            }
        }
    }
    Leave(visit, hop.next);
}

} // namespace ns3
