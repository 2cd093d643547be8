// SPDX-License-Identifier: GPL-2.0-only

#ifndef FLIT_LINE_H
#define FLIT_LINE_H

#include "flit-pace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief When the flits of a sequence come, as runs: what ports tell each other instead of flits.
///
/// Within a run, flits follow each other in one pace. The times of the flits 0 to GetEnd() - 1 are
/// known and final; nothing is said of later ones. So knowledge only grows, and nobody who acted
/// upon it has to be called back. Times are in ns-3 time units.
///
/// A reader keeps a cursor, the index of the run it reads in, and asks for ever later flits, so
/// that reading a line costs its number of runs and not of flits.
class FlitLine
{
  public:
    /// Reader's place: index of a run. Starts at 0.
    using Cursor = uint32_t;

    /// Forgets everything; the next flit appended is flit 0.
    void Clear()
    {
        if (m_runs > 2)
        {
            m_more->clear();
        }
        m_runs = 1;
        m_end = 0;
    }

    /// Flits GetEnd() to end - 1 come in one pace from a time on.
    /// @param end first flit that is still unknown afterwards
    /// @param time when flit GetEnd() comes
    /// @param pace their pace
    /// @param times the fabric's flit times
    template <class TIMES>
    void Append(uint64_t end, int64_t time, FlitPace pace, const TIMES& times)
    {
        if (m_end == 0)
        {
            m_few[0] = {0, time};
            m_paces[0] = pace;
        }
        else if (time != TimeInRun(Last(), m_end, pace, times) ||
                 (!TIMES::IS_ONE && pace != LastPace()))
        {
            AppendRun({m_end, time}, pace);
        }
        m_end = end;
    }

    /// Flits up to another one come in the pace of the last run. @param end first flit after them
    void Extend(uint64_t end)
    {
        if (m_end == 0)
        {
            m_few[0] = {0, 0};
            m_paces[0] = 0;
        }
        m_end = std::max(m_end, end);
    }

    /// @return first flit whose time is unknown
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// @param flit a flit below GetEnd(), not below the one asked with this cursor before
    /// @param times the fabric's flit times
    /// @param cursor reader's place, moved on to the run of this flit
    /// @return when the flit comes
    template <class TIMES>
    int64_t At(uint64_t flit, const TIMES& times, Cursor& cursor) const
    {
        return Read(flit, times, cursor).time;
    }

    /// @param flit a flit below GetEnd(), not below the one asked with this cursor before
    /// @param times the fabric's flit times
    /// @param cursor reader's place, moved on to the run of this flit
    /// @return the line from this flit to the end of its run
    template <class TIMES>
    FlitPart Read(uint64_t flit, const TIMES& times, Cursor& cursor) const
    {
        if (m_runs == 1)
        {
            return {TimeInRun(m_few[0], flit, m_paces[0], times), m_end, m_paces[0]};
        }
        auto end = GetRunEnd(cursor);
        while (end <= flit)
        {
            end = GetRunEnd(++cursor);
        }
        const auto pace = TIMES::IS_ONE ? FlitPace{0} : PaceAt(cursor);
        return {TimeInRun(RunAt(cursor), flit, pace, times), end, pace};
    }

    /// @return first flit after the run at a cursor @param cursor reader's place
    uint64_t GetRunEnd(Cursor cursor) const
    {
        return cursor + 1 < m_runs ? RunAt(cursor + 1).first : m_end;
    }

    /// @return whether all known flits follow each other
    bool IsOneRun() const
    {
        return m_runs == 1;
    }

    /// @return when the last known flit comes; there must be one @param times the flit times
    template <class TIMES>
    int64_t GetLastTime(const TIMES& times) const
    {
        return TimeInRun(Last(), m_end - 1, TIMES::IS_ONE ? FlitPace{0} : LastPace(), times);
    }

    /// @return when the first flit comes; only for lines that nothing was dropped from
    int64_t GetFirstTime() const
    {
        return m_few[0].time;
    }

    /// @return pace of the first run
    FlitPace GetFirstPace() const
    {
        return m_paces[0];
    }

    /// Makes one run of all known flits.
    /// @param time when flit 0 comes
    /// @param pace their pace
    void Join(int64_t time, FlitPace pace)
    {
        const auto end = m_end;
        Clear();
        m_few[0] = {0, time};
        m_paces[0] = pace;
        m_end = end;
    }

    /// Drops the runs that the only reader has passed, where that frees a good part of the memory.
    /// @param cursor that reader's place, set to where it is afterwards
    void DropBefore(Cursor& cursor)
    {
        if (cursor > 0 && 2 * cursor >= m_runs)
        {
            m_few[0] = RunAt(cursor);
            m_paces[0] = PaceAt(cursor);
            if (cursor + 1 < m_runs)
            {
                m_few[1] = RunAt(cursor + 1);
                m_paces[1] = PaceAt(cursor + 1);
            }
            if (m_runs > 2)
            {
                m_more->erase(m_more->begin(), m_more->begin() + std::min(cursor, m_runs - 2));
            }
            m_runs -= cursor;
            cursor = 0;
        }
    }

  private:
    /// Flits from one on, in one pace.
    struct Run
    {
        uint64_t first; ///< first flit
        int64_t time;   ///< when it comes
    };

    /// A run that brings its pace.
    struct PacedRun
    {
        Run run;       ///< the run
        FlitPace pace; ///< its pace
    };

    /// @param run a run
    /// @param flit a flit of it
    /// @param pace its pace
    /// @param times the fabric's flit times
    /// @return when the flit comes
    template <class TIMES>
    static int64_t TimeInRun(const Run& run, uint64_t flit, FlitPace pace, const TIMES& times)
    {
        return run.time + static_cast<int64_t>(flit - run.first) * times[pace];
    }

    /// @return a run @param i its place, below m_runs
    const Run& RunAt(std::size_t i) const
    {
        return i < 2 ? m_few[i] : (*m_more)[i - 2].run;
    }

    /// @return pace of a run @param i its place, below m_runs
    FlitPace PaceAt(std::size_t i) const
    {
        return i < 2 ? m_paces[i] : (*m_more)[i - 2].pace;
    }

    /// @return the last run
    const Run& Last() const
    {
        return RunAt(m_runs - 1);
    }

    /// @return pace of the last run
    FlitPace LastPace() const
    {
        return PaceAt(m_runs - 1);
    }

    /// Adds a run. @param run the run @param pace its pace
    void AppendRun(const Run& run, FlitPace pace)
    {
        if (++m_runs == 2)
        {
            m_few[1] = run;
            m_paces[1] = pace;
            return;
        }
        if (!m_more)
        {
            m_more = std::make_unique<std::vector<PacedRun>>();
        }
        m_more->push_back({run, pace});
    }

    // Most lines have one run or two, so these need no memory of their own.
    uint64_t m_end{0};            ///< first unknown flit
    Cursor m_runs{1};             ///< number of runs; 1 also while nothing is known
    FlitPace m_paces[2]{0, 0};    ///< of m_few
    Run m_few[2]{{0, 0}, {0, 0}}; ///< first and second run, if there are so many
    std::unique_ptr<std::vector<PacedRun>> m_more; ///< runs after these; null until needed
};

} // namespace ns3

#endif /* FLIT_LINE_H */
