// SPDX-License-Identifier: GPL-2.0-only

#include "flit-stream.h"

#include "wormhole-buffers.h"

#include "ns3/wormhole-exact-time.h"

#include <limits>

namespace ns3
{

void
FlitStream::Clear(std::size_t nChannels, uint64_t flits)
{
    if (m_channels.size() < nChannels + 2)
    {
        m_channels.resize(nChannels + 2);
    }
    m_nChannels = nChannels;
    m_flits = flits;
    m_isLate = false;
    m_channels.front().depth = 0;
}

void
FlitStream::Run(const FlitTimes& times)
{
    m_channels.front().credits.Clear(m_channels[1].end);
    m_channels[m_nChannels + 1].arrivals.Clear(m_channels[m_nChannels].end);
    m_maxDepth = 0;
    for (std::size_t i = 1; i <= m_nChannels; ++i)
    {
        auto& channel = m_channels[i];
        channel.firstStart = std::numeric_limits<int64_t>::max();
        m_maxDepth = std::max(m_maxDepth, channel.creditsMatter ? channel.depth : 0);
    }
    if (m_nChannels > 1 && IsCovered(times))
    {
        RunCovered(times);
        return;
    }
    // R. P. Brent's way to find a period: a state is compared to one of half its age or more.
    bool seeks = m_channels[1].allHere && !m_channels[m_nChannels].creditsMatter && m_nChannels > 1;
    uint64_t sweep = 0;
    uint64_t nextNote = 1;
    bool moved = true;
    while (moved)
    {
        moved = false;
        for (std::size_t i = 1; i <= m_nChannels; ++i)
        {
            moved = Advance(i, times) || moved;
        }
        seeks = seeks && m_channels[1].end + m_maxDepth < m_flits;
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
FlitStream::IsCovered(const FlitTimes& times) const
{
    for (std::size_t i = 1; i < m_nChannels; ++i)
    {
        const auto& channel = m_channels[i];
        const auto roundTrip = channel.hopLatency + m_channels[i + 1].creditDelay;
        if (static_cast<int64_t>(channel.depth) * times[channel.pace] < roundTrip)
        {
            return false;
        }
    }
    return true;
}

void
FlitStream::FindStarts(std::size_t i, Conditions& conditions, const FlitTimes& times)
{
    const auto& channel = m_channels[i];
    const auto known = m_known[i];
    m_found.Clear(channel.end);
    auto next = channel.next;
    for (auto flit = channel.end; flit < known;)
    {
        FlitPart part{WormholeOutput::ALWAYS, known, channel.pace};
        for (auto& condition : conditions)
        {
            condition.Meet(part, flit, channel.pace, times);
        }
        part = part.MeetAny(flit, {next, known, channel.pace}, channel.pace, times);
        m_isLate = m_isLate || part.time > TimeLimit::LATEST;
        m_found.Push(part.end, part.time, part.pace, times);
        next = part.After(part.end - flit - 1, times) + times[channel.pace];
        flit = part.end;
    }
    std::swap(m_found, m_starts[i]);
}

bool
FlitStream::DelayStarts(std::size_t i, const RunReader& condition, const FlitTimes& times)
{
    if (condition.AreMet(m_starts[i], times))
    {
        return false;
    }
    Conditions both{{m_starts[i], 0, 0}, condition};
    FindStarts(i, both, times);
    return true;
}

void
FlitStream::RunCovered(const FlitTimes& times)
{
    const auto& first = m_channels[1];
    const auto& last = m_channels[m_nChannels];
    m_known.assign(m_nChannels + 2,
                   first.allHere ? m_flits : std::min(m_flits, first.arrivals.GetEnd()));
    if (last.creditsMatter)
    {
        m_known[m_nChannels] = std::min(m_known[m_nChannels], last.credits.GetEnd());
    }
    for (auto i = m_nChannels - 1; i >= 1; --i)
    {
        m_known[i] = std::min(m_known[i], m_known[i + 1] + m_channels[i].depth);
    }
    if (m_starts.size() < m_nChannels + 2)
    {
        m_starts.resize(m_nChannels + 2);
    }
    for (std::size_t i = 1; i <= m_nChannels; ++i)
    {
        // What came long ago is no condition.
        const auto& channel = m_channels[i];
        m_soonest.Clear(channel.end);
        m_soonest.Push(m_known[i], channel.next, channel.pace, times);
        Conditions conditions;
        const auto add = [&](const RunReader& condition) {
            if (!condition.AreMet(m_soonest, times))
            {
                conditions.push_back(condition);
            }
        };
        if (!channel.allHere)
        {
            add({channel.arrivals, 0, 0});
        }
        if (channel.creditsMatter)
        {
            add({channel.credits, 0, 0});
        }
        if (i > 1)
        {
            add({m_starts[i - 1], 0, m_channels[i - 1].hopLatency});
        }
        FindStarts(i, conditions, times);
    }
    m_isLater.assign(m_nChannels + 1, false);
    for (auto i = m_nChannels - 1; i >= 1; --i)
    {
        const RunReader credits(m_starts[i + 1],
                                m_channels[i].depth,
                                m_channels[i + 1].creditDelay);
        m_isLater[i] = DelayStarts(i, credits, times);
    }
    for (std::size_t i = 2; i <= m_nChannels; ++i)
    {
        if (m_isLater[i - 1])
        {
            const RunReader arrivals(m_starts[i - 1], 0, m_channels[i - 1].hopLatency);
            m_isLater[i] = DelayStarts(i, arrivals, times) || m_isLater[i];
        }
    }
    if (!m_isLate)
    {
        TakeStarts(times);
    }
}

void
FlitStream::TakeStarts(const FlitTimes& times)
{
    for (std::size_t i = 1; i <= m_nChannels; ++i)
    {
        auto& channel = m_channels[i];
        const auto known = m_known[i];
        const auto rest = [&](RunQueue& queue, std::size_t of, uint64_t flits, int64_t delay) {
            m_found.Clear(known);
            m_found.PushRest(queue, 0, 0, times);
            if (of >= 1 && of <= m_nChannels)
            {
                m_found.PushRest(m_starts[of], flits, delay, times);
            }
            std::swap(m_found, queue);
        };
        if (!channel.allHere)
        {
            rest(channel.arrivals, i - 1, 0, m_channels[i - 1].hopLatency);
        }
        if (channel.creditsMatter)
        {
            rest(channel.credits, i + 1, channel.depth, m_channels[i + 1].creditDelay);
        }
        if (known > channel.end)
        {
            const auto& starts = m_starts[i];
            const auto& last = *(starts.end() - 1);
            const FlitPart part{last.time, known, last.pace};
            channel.firstStart = starts.begin()->time;
            channel.next = part.After(known - last.first - 1, times) + times[channel.pace];
            channel.end = known;
        }
    }
    if (!m_channels[1].allHere)
    {
        m_channels.front().credits.PushRest(m_starts[1], 0, m_channels[1].creditDelay, times);
    }
    if (const auto& last = m_channels[m_nChannels]; last.creditsMatter)
    {
        auto& ahead = m_channels[m_nChannels + 1].arrivals;
        ahead.PushRest(m_starts[m_nChannels], 0, last.hopLatency, times);
    }
}

bool
FlitStream::Advance(std::size_t i, const FlitTimes& times)
{
    auto& channel = m_channels[i];
    const auto begin = channel.end;
    while (channel.end < m_flits)
    {
        FlitPart part{WormholeOutput::ALWAYS, m_flits, channel.pace};
        const auto meet = [&](const RunQueue& queue) {
            const auto run = queue.begin();
            const FlitPart other{run->time, queue.EndOf(run), run->pace};
            part = part.Meet(channel.end, other, channel.pace, times);
        };
        if (!channel.allHere)
        {
            if (channel.arrivals.IsEmpty())
            {
                break;
            }
            meet(channel.arrivals);
        }
        if (channel.creditsMatter)
        {
            if (channel.credits.IsEmpty())
            {
                break;
            }
            meet(channel.credits);
        }
        part = part.Meet(channel.end, {channel.next, m_flits, channel.pace}, channel.pace, times);
        if (part.time > TimeLimit::LATEST)
        {
            m_isLate = true;
            break;
        }
        const auto flits = part.end - channel.end;
        if (!channel.allHere)
        {
            channel.arrivals.Pop(flits, times);
            auto& back = m_channels[i - 1];
            back.credits.Push(part.end + back.depth,
                              part.time + channel.creditDelay,
                              part.pace,
                              times);
        }
        if (channel.creditsMatter)
        {
            channel.credits.Pop(flits, times);
            m_channels[i + 1].arrivals.Push(part.end,
                                            part.time + channel.hopLatency,
                                            part.pace,
                                            times);
        }
        channel.firstStart = std::min(channel.firstStart, part.time);
        channel.end = part.end;
        channel.next = part.After(flits - 1, times) + times[channel.pace];
    }
    return channel.end > begin;
}

void
FlitStream::Note(std::vector<Mark>& marks) const
{
    const auto add = [&marks](const RunQueue& queue, int64_t time) {
        marks.push_back({queue.GetEnd(), time, queue.GetNRuns()});
        for (const auto& run : queue)
        {
            marks.push_back({run.first, run.time, run.pace});
        }
    };
    marks.clear();
    for (std::size_t i = 1; i <= m_nChannels; ++i)
    {
        const auto& channel = m_channels[i];
        marks.push_back({channel.end, channel.next, 0});
        if (!channel.allHere)
        {
            add(channel.arrivals, channel.next);
        }
        if (channel.creditsMatter)
        {
            add(channel.credits, channel.next);
        }
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
    const auto most = static_cast<uint64_t>((TimeLimit::LATEST - m_channels[1].next) / time) + 1;
    const auto periods = std::min(most, (m_flits - m_maxDepth - m_channels[1].end) / flits);
    for (std::size_t i = 1; i <= m_nChannels; ++i)
    {
        auto& channel = m_channels[i];
        channel.end += periods * flits;
        channel.next += static_cast<int64_t>(periods) * time;
        channel.arrivals.Shift(periods * flits, static_cast<int64_t>(periods) * time);
        channel.credits.Shift(periods * flits, static_cast<int64_t>(periods) * time);
    }
    return true;
}

} // namespace ns3
