// SPDX-License-Identifier: GPL-2.0-only

#ifndef FLIT_STREAM_H
#define FLIT_STREAM_H

#include "flit-pace.h"

#include <boost/container/static_vector.hpp>
#include <vector>

namespace ns3
{

/// News from one port to another that is not used yet, in runs of flits.
///
/// Within a run, flits follow each other at one pace. Times are in ns-3 time units.
class RunQueue
{
  public:
    struct Run
    {
        uint64_t first; ///< first flit
        int64_t time;
        FlitPace pace;
    };

    void Clear(uint64_t first)
    {
        m_runs.clear();
        m_at = 0;
        m_end = first;
    }

    /// Adds that flits GetEnd() to end - 1 come at one pace, from a time on.
    /// @param end first flit that is still unknown afterwards
    void Push(uint64_t end, int64_t time, FlitPace pace, const FlitTimes& times)
    {
        if (IsEmpty())
        {
            m_runs.clear();
            m_at = 0;
            m_runs.push_back({m_end, time, pace});
        }
        else if (const auto& last = m_runs.back();
                 pace != last.pace ||
                 time != last.time + static_cast<int64_t>(m_end - last.first) * times[pace])
        {
            m_runs.push_back({m_end, time, pace});
        }
        m_end = end;
    }

    void Pop(uint64_t flits, const FlitTimes& times)
    {
        auto& run = m_runs[m_at];
        run.first += flits;
        run.time += static_cast<int64_t>(flits) * times[run.pace];
        if (run.first == EndOf(&run))
        {
            ++m_at;
            constexpr std::size_t MANY = 64;
            if (m_at > MANY && 2 * m_at > m_runs.size())
            {
                m_runs.erase(m_runs.begin(), m_runs.begin() + static_cast<std::ptrdiff_t>(m_at));
                m_at = 0;
            }
        }
    }

    void Shift(uint64_t flits, int64_t time)
    {
        for (auto run = m_runs.begin() + static_cast<std::ptrdiff_t>(m_at); run != m_runs.end();
             ++run)
        {
            run->first += flits;
            run->time += time;
        }
        m_end += flits;
    }

    bool IsEmpty() const
    {
        return begin() == end();
    }

    /// Visits what is known of the flits from a given one on, run by run.
    /// @param from the first of these flits, by numbers in which this queue's flit 0 is flit base
    /// @param visit called with a run's first flit and its FlitPart, by the same numbers
    template <class VISIT>
    void VisitFrom(uint64_t from, uint64_t base, const FlitTimes& times, VISIT visit) const
    {
        for (const auto& run : *this)
        {
            const auto first = std::max(run.first + base, from);
            const auto end = EndOf(&run) + base;
            if (first < end)
            {
                const FlitPart all{run.time, end, run.pace};
                visit(first, FlitPart{all.After(first - base - run.first, times), end, run.pace});
            }
        }
    }

    /// Adds what another queue knows of flits that this queue does not know yet.
    /// @param flits by how much the other queue's number of a flit is lower
    void PushRest(const RunQueue& other, uint64_t flits, int64_t delay, const FlitTimes& times)
    {
        other.VisitFrom(m_end, flits, times, [&](uint64_t, const FlitPart& part) {
            Push(part.end, part.time + delay, part.pace, times);
        });
    }

    std::size_t GetNRuns() const
    {
        return m_runs.size() - m_at;
    }

    /// @return the first run. To read run after run, this is faster than indices.
    const Run* begin() const
    {
        return m_runs.data() + m_at;
    }

    const Run* end() const
    {
        return m_runs.data() + m_runs.size();
    }

    uint64_t EndOf(const Run* run) const
    {
        return run + 1 < end() ? run[1].first : m_end;
    }

    uint64_t GetEnd() const
    {
        return m_end;
    }

  private:
    std::vector<Run> m_runs; ///< the runs; those before m_at were dropped
    std::size_t m_at{0};     ///< index of the first run that was not dropped
    uint64_t m_end{0};       ///< first flit that is unknown
};

/// Conditions that one RunQueue sets for the flits of another, read flit after flit.
class RunReader
{
  public:
    /// @param queue when flits can come; sets no condition for flits before its first one
    /// @param flits by how much the queue's number of a flit is lower
    RunReader(const RunQueue& queue, uint64_t flits, int64_t delay)
        : m_queue(&queue),
          m_flits(flits),
          m_delay(delay),
          m_at(queue.begin())
    {
    }

    /// Adds the condition for a flit and the flits behind it.
    /// @param flit the flit, not before that of the last call
    void Meet(FlitPart& part, uint64_t flit, FlitPace channel, const FlitTimes& times)
    {
        m_at = Find(m_at, flit);
        if (m_at == m_queue->end())
        {
            return;
        }
        const auto& run = *m_at;
        const auto first = run.first + m_flits;
        if (flit < first)
        {
            part.end = std::min(part.end, first);
            return;
        }
        FlitPart other{run.time + m_delay, m_queue->EndOf(m_at) + m_flits, run.pace};
        other.time = other.After(flit - first, times);
        part = part.MeetAny(flit, other, channel, times);
    }

    /// @return whether no flit in starts is earlier than the conditions allow
    bool AreMet(const RunQueue& starts, const FlitTimes& times) const
    {
        auto at = m_queue->begin();
        for (const auto& run : starts)
        {
            const auto end = starts.EndOf(&run);
            for (auto flit = run.first; flit < end;)
            {
                at = Find(at, flit);
                if (at == m_queue->end())
                {
                    return true;
                }
                const auto& condition = *at;
                const auto first = condition.first + m_flits;
                flit = std::max(flit, std::min(first, end));
                const auto to = std::min(end, m_queue->EndOf(at) + m_flits);
                if (flit < to)
                {
                    // If the first and the last flit meet the condition, so do those between.
                    const auto late = run.time - condition.time - m_delay +
                                      static_cast<int64_t>(flit - run.first) * times[run.pace] -
                                      static_cast<int64_t>(flit - first) * times[condition.pace];
                    const auto loss = times[condition.pace] - times[run.pace];
                    if (late < 0 || late < static_cast<int64_t>(to - flit - 1) * loss)
                    {
                        return false;
                    }
                    flit = to;
                }
            }
        }
        return true;
    }

  private:
    const RunQueue::Run* Find(const RunQueue::Run* run, uint64_t flit) const
    {
        while (run != m_queue->end() && m_queue->EndOf(run) + m_flits <= flit)
        {
            ++run;
        }
        return run;
    }

    const RunQueue* m_queue; ///< the queue, unchanged while this reader lives
    uint64_t m_flits;        ///< offset between the queues' numbers of a flit
    int64_t m_delay;
    const RunQueue::Run* m_at; ///< the run read last
};

/// Finds when flits start, for a unicast worm that owns several outputs in a row.
///
/// Where buffers don't cover the round trip, the starts of D flits can be known at a time, then
/// those of the next D: the channels advance in turn, over and over. Such max-plus linear systems
/// (F. Baccelli et al., Synchronization and Linearity, 1992) become periodic; from then on, where
/// neither the source nor the sink interferes, periods are skipped. So the number of steps does not
/// depend on the worm's length.
///
/// Where all buffers cover the round trip but channels differ, a flit's start is the longest path
/// to it over starts of other flits and at other channels. A detour over a buffer and back, by D
/// flits, is no longer than D flits at the channel before; so a longest path goes to one channel,
/// there from flit to flit, and then to its end. Three passes over the channels (forth, back,
/// forth) find all paths, each pass for all flits. The last two passes seldom change anything, and
/// then only read (RunReader::AreMet).
class FlitStream
{
  public:
    struct Channel
    {
        uint64_t end{0};        ///< number of flits that have started
        int64_t next{0};        ///< earliest start of the next flit
        int64_t firstStart{0};  ///< start of the first flit that Run has started
        int64_t hopLatency{0};  ///< time from a flit's start until it is ready at the next channel
        int64_t creditDelay{0}; ///< time from its start until the channel before has its credit
        uint64_t depth{0};      ///< depth of the next channel's buffer, flits
        FlitPace pace{0};
        bool allHere{false};      ///< whether all flits are here, so that arrivals don't matter
        bool creditsMatter{true}; ///< whether flits need credits; false towards a host
        RunQueue arrivals;        ///< flits that will be here and have not started
        RunQueue credits;         ///< flits for which there will be credits
    };

    void Clear(std::size_t nChannels, uint64_t flits);

    uint64_t GetFlits() const
    {
        return m_flits;
    }

    Channel& At(std::size_t i)
    {
        return m_channels[i + 1];
    }

    /// @return credits that the first channel gives to the one before it; by the flits that started
    const RunQueue& GetCreditsBack() const
    {
        return m_channels.front().credits;
    }

    const RunQueue& GetArrivalsAhead() const
    {
        return m_channels[m_nChannels + 1].arrivals;
    }

    /// Starts all flits whose start can be known, up to the latest time.
    void Run(const FlitTimes& times);

    bool IsLate() const
    {
        return m_isLate;
    }

  private:
    using Conditions = boost::container::static_vector<RunReader, 3>;

    struct Mark
    {
        uint64_t flit;
        int64_t time;
        std::size_t runs; ///< number of runs after it, or a run's pace
    };

    bool Advance(std::size_t i, const FlitTimes& times);
    bool IsCovered(const FlitTimes& times) const;
    void RunCovered(const FlitTimes& times);

    /// Finds m_starts: when flits start at a channel, as far as some conditions tell.
    void FindStarts(std::size_t i, Conditions& conditions, const FlitTimes& times);

    /// Delays the starts found before at a channel, if one more condition requires it.
    bool DelayStarts(std::size_t i, const RunReader& condition, const FlitTimes& times);

    void TakeStarts(const FlitTimes& times);   ///< Takes over RunCovered's results.
    void Note(std::vector<Mark>& marks) const; ///< Records the state.

    bool Skip(); ///< Skips as many periods as possible, if the state repeats m_before, but later.

    bool m_isLate{false}; ///< whether a flit would start after the last time
    std::vector<Channel>
        m_channels; ///< the channels, and one entry at each end for what leaves them
    std::size_t m_nChannels{0};
    uint64_t m_flits{0};            ///< length of the worm
    uint64_t m_maxDepth{0};         ///< depth of the deepest buffer, flits
    std::vector<RunQueue> m_starts; ///< RunCovered: when flits start, by index in m_channels
    std::vector<uint64_t> m_known;  ///< RunCovered: flits known at the end, by index in m_channels
    std::vector<bool> m_isLater;    ///< RunCovered: whether flits start later than first found
    RunQueue m_found;               ///< RunCovered: what FindStarts finds
    RunQueue m_soonest;             ///< RunCovered: starts if flits wait only for each other
    std::vector<Mark> m_before;     ///< an earlier state
    std::vector<Mark> m_present;
};

} // namespace ns3

#endif /* FLIT_STREAM_H */
