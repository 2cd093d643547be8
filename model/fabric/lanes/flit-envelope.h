/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLIT_ENVELOPE_H
#define FLIT_ENVELOPE_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief When the flits of a worm come that nothing holds up between its first flit and its last:
 *        the latest of some conditions, each of which lets flits follow each other evenly.
 *
 * A worm that was granted an output with credits for all of it starts there as it comes, a flit
 * time of the channel apart at least. So every channel on its way adds a condition, and takes the
 * place of those that are faster than it: there is one at most for each flit time. Times are in
 * ns-3 time units.
 */
class FlitEnvelope
{
  public:
    /// All flits can come. @param time the time of the first @param stride time between two flits
    explicit FlitEnvelope(int64_t time = 0, int64_t stride = 0)
        : m_line{time, stride}
    {
    }

    /// @return when a flit comes @param flit its number
    int64_t At(uint64_t flit) const
    {
        auto time = m_line.At(flit);
        for (const auto& line : m_others)
        {
            time = std::max(time, line.At(flit));
        }
        return time;
    }

    /// @return the same later @param delay by so much, ns-3 time units
    FlitEnvelope After(int64_t delay) const
    {
        auto later = *this;
        later.m_line.time += delay;
        for (auto& line : later.m_others)
        {
            line.time += delay;
        }
        return later;
    }

    /**
     * @param grant when the worm has the channel, not before its first flit is here
     * @param tau the channel's flit time
     * @return when flits that are here by these times start on the channel
     */
    FlitEnvelope Through(int64_t grant, int64_t tau) const
    {
        // What lets flits come faster than the channel takes them has let the first one come by
        // now, and is behind the channel's own condition from then on.
        FlitEnvelope starts(grant, tau);
        const auto add = [&](const Line& line) {
            if (line.stride >= tau)
            {
                starts.Add(line);
            }
        };
        add(m_line);
        for (const auto& line : m_others)
        {
            add(line);
        }
        return starts;
    }

    /**
     * Goes through flits that follow each other evenly.
     * @param flits number of flits
     * @param visit called with the first one of each such run, its time, and the time between two
     */
    template <typename VISIT>
    void VisitRuns(uint64_t flits, VISIT visit) const
    {
        for (uint64_t flit = 0; flit < flits;)
        {
            // Of the conditions that are the latest now, that which stays so.
            auto last = m_line;
            for (const auto& line : m_others)
            {
                if (std::make_pair(line.At(flit), line.stride) >
                    std::make_pair(last.At(flit), last.stride))
                {
                    last = line;
                }
            }
            visit(flit, last.At(flit), last.stride);
            auto next = flits;
            const auto end = [&](const Line& line) {
                if (line.stride > last.stride)
                {
                    const auto behind = (last.time - line.time) / (line.stride - last.stride);
                    next = std::min(next, static_cast<uint64_t>(behind) + 1);
                }
            };
            end(m_line);
            std::for_each(m_others.begin(), m_others.end(), end);
            flit = next;
        }
    }

    /// Flits come when both say so. @param other the other
    void Meet(const FlitEnvelope& other)
    {
        Add(other.m_line);
        for (const auto& line : other.m_others)
        {
            Add(line);
        }
    }

  private:
    /// One condition.
    struct Line
    {
        int64_t time;   ///< of flit 0
        int64_t stride; ///< time between two flits

        /// @return its time for a flit @param flit the flit's number
        int64_t At(uint64_t flit) const
        {
            return time + static_cast<int64_t>(flit) * stride;
        }
    };

    /// Adds a condition. @param added it
    void Add(const Line& added)
    {
        if (m_line.stride == added.stride)
        {
            m_line.time = std::max(m_line.time, added.time);
            return;
        }
        for (auto& line : m_others)
        {
            if (line.stride == added.stride)
            {
                line.time = std::max(line.time, added.time);
                return;
            }
        }
        m_others.push_back(added);
    }

    Line m_line;                ///< the first condition
    std::vector<Line> m_others; ///< others, each of another stride: none where all rates are equal
};

} // namespace ns3

#endif /* FLIT_ENVELOPE_H */
