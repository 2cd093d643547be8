// SPDX-License-Identifier: GPL-2.0-only

#include "run-engine.h"

namespace ns3
{

namespace
{

/// Tells a stream what a line knows. @param from first flit by the line's count that matters
/// @param cursor reader's place, moved on to the first flit's run
void
Copy(RunQueue& queue,
     const FlitLine& line,
     uint64_t from,
     uint64_t base,
     const FlitTimes& times,
     FlitLine::Cursor& cursor)
{
    queue.Clear(from - base);
    if (from < line.GetEnd())
    {
        auto part = line.Read(from, times, cursor);
        auto reader = cursor;
        queue.Push(part.end - base, part.time, part.pace, times);
        while (part.end < line.GetEnd())
        {
            part = line.Read(part.end, times, reader);
            queue.Push(part.end - base, part.time, part.pace, times);
        }
    }
}

void
AddRest(FlitLine& line, const RunQueue& queue, uint64_t base, const FlitTimes& times)
{
    queue.VisitFrom(line.GetEnd(), base, times, [&](uint64_t, const FlitPart& part) {
        line.Append(part.end, part.time, part.pace, times);
    });
}

} // namespace

void
StreamScheduler::Schedule(WormHop* hop)
{
    auto head = hop;
    for (auto far = head->branches.front().far;
         far && !far->branches.empty() && far->branches.front().flow.missing == 0;
         far = far->branches.front().far)
    {
        head = far;
    }
    m_chain.assign(1, head);
    // Once its head has started, a worm is only woken here if its tail may move. Before that,
    // flits between can wait: all that anybody else depends on is where its head goes.
    const auto& branch = head->branches.front();
    const auto& output = *branch.output;
    if (head != hop || branch.flow.sent > 0 || output.isEjection ||
        output.credits.GetEnd() + head->pathCapacity >= branch.base + head->flits)
    {
        const auto before = [this] {
            const auto input = m_chain.back()->input;
            const auto upstream = input ? input->upstream : nullptr;
            const auto owner = upstream ? upstream->owner : nullptr;
            return owner && owner->branches.front().far == m_chain.back() ? owner : nullptr;
        };
        for (auto owner = before(); owner; owner = before())
        {
            m_chain.push_back(owner);
        }
        std::reverse(m_chain.begin(), m_chain.end());
    }
    m_stream.Clear(m_chain.size(), m_chain.front()->flits);
    for (std::size_t i = 0; i < m_chain.size(); ++i)
    {
        PutIn(*m_chain[i], GetDropped(*m_chain[i]), m_stream.At(i));
    }
    m_stream.Run(m_rounds.times);
    if (m_stream.IsLate())
    {
        EngineRounds::RefuseTime(*head->branches.front().output);
    }
    TakeOut();
}

void
StreamScheduler::PutIn(WormHop& hop, uint64_t dropped, FlitStream::Channel& channel)
{
    auto& branch = hop.branches.front();
    auto& flow = branch.flow;
    auto& output = *branch.output;
    channel.end = flow.sent + dropped;
    channel.next = flow.nextStart;
    channel.hopLatency = output.hopLatency;
    channel.depth = output.depth;
    channel.pace = output.pace;
    channel.allHere = !hop.input || !hop.input->upstream;
    channel.creditsMatter = !output.isEjection;
    if (channel.allHere)
    {
        channel.next = std::max(channel.next, hop.arrivals.GetFirstTime());
    }
    else
    {
        if (flow.sent == 0)
        {
            flow.arrivalsToSend = 0;
        }
        channel.creditDelay = hop.input->creditDelay;
        Copy(channel.arrivals,
             hop.arrivals,
             flow.sent,
             -dropped,
             m_rounds.times,
             flow.arrivalsToSend);
    }
    if (channel.creditsMatter)
    {
        Copy(channel.credits,
             output.credits,
             branch.base + flow.sent,
             branch.base - dropped,
             m_rounds.times,
             output.creditsRead);
    }
}

void
StreamScheduler::TakeOut()
{
    const auto nChannels = m_chain.size();
    const auto flits = m_chain.front()->flits;
    // First what the worm's own hops are to know, then what others may ask for.
    for (std::size_t i = 0; i < nChannels; ++i)
    {
        auto& hop = *m_chain[i];
        auto& branch = hop.branches.front();
        auto& flow = branch.flow;
        const auto& channel = m_stream.At(i);
        const auto dropped = GetDropped(hop);
        const auto sent = channel.end - dropped;
        if (i + 1 == nChannels)
        {
            Send(hop, branch, channel);
        }
        else
        {
            m_rounds.counts.flitHops += sent - flow.sent;
            auto& arrivals = m_chain[i + 1]->arrivals;
            const auto& next = m_stream.At(i + 1);
            const auto droppedNext = GetDropped(*m_chain[i + 1]);
            arrivals.Extend(next.end - droppedNext);
            AddRest(arrivals, next.arrivals, -droppedNext, m_rounds.times);
        }
        flow.sent = sent;
        flow.nextStart = channel.next;
        flow.earliestStarts.Extend(sent);
        hop.credited = sent;
        if (!branch.output->isEjection)
        {
            auto& credits = branch.output->credits;
            credits.Extend(branch.base + sent);
            if (channel.end < flits)
            {
                AddRest(credits, channel.credits, branch.base - dropped, m_rounds.times);
            }
            else
            {
                credits.At(branch.base + sent - 1, m_rounds.times, branch.output->creditsRead);
            }
        }
    }
    if (const auto input = m_chain.front()->input; input && input->upstream)
    {
        const auto& back = m_stream.GetCreditsBack();
        for (const auto& run : back)
        {
            // The stream has added the credits' delay already.
            const auto time = run.time - input->creditDelay;
            m_engine.Credit(input, back.EndOf(&run) - run.first, time, run.pace, m_rounds.times);
        }
    }
    for (std::size_t i = 0; i < nChannels && m_stream.At(i).end == flits; ++i)
    {
        End(m_chain[i], m_stream.At(i));
    }
}

void
StreamScheduler::Send(WormHop& hop, WormBranch& branch, const FlitStream::Channel& channel)
{
    const auto sent = branch.flow.sent;
    const auto dropped = GetDropped(hop);
    if (channel.end == sent + dropped)
    {
        return;
    }
    if (branch.output->isEjection)
    {
        const FlitPart starts{channel.firstStart, channel.end - dropped, channel.pace};
        m_engine.Send(branch, sent, starts, m_rounds.times);
        return;
    }
    const auto& ahead = m_stream.GetArrivalsAhead();
    for (const auto& run : ahead)
    {
        const FlitPart starts{run.time - channel.hopLatency, ahead.EndOf(&run) - dropped, run.pace};
        m_engine.Send(branch, run.first - dropped, starts, m_rounds.times);
    }
}

void
StreamScheduler::End(WormHop* hop, const FlitStream::Channel& channel)
{
    auto& branch = hop->branches.front();
    auto& output = *branch.output;
    const auto base = branch.base - GetDropped(*hop);
    const auto far = branch.far;
    const auto& times = m_rounds.times;
    m_engine.ScheduleTail(hop, branch, channel.next, times);
    if (far && far->input)
    {
        // Whoever has the output next needs to know of the slots that this worm's tail is to free.
        const auto known = output.credits.GetEnd();
        channel.credits.VisitFrom(known, base, times, [&](uint64_t first, const FlitPart& part) {
            m_engine.Credit(far->input,
                            part.end - first,
                            part.time - far->input->creditDelay,
                            part.pace,
                            times);
        });
    }
    m_engine.Leave(hop, channel.next);
}

} // namespace ns3
