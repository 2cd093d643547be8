/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLIT_ENVELOPE_H
#define FLIT_ENVELOPE_H

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>

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
        : m_lines(1, Line{time, stride})
    {
    }

    /// @return when a flit comes @param flit its number
    int64_t At(uint64_t flit) const
    {
        auto time = m_lines.front().At(flit);
        for (std::size_t i = 1; i < m_lines.size(); ++i)
        {
            time = std::max(time, m_lines[i].At(flit));
        }
        return time;
    }

    /// @return the same later @param delay by so much, ns-3 time units
    FlitEnvelope After(int64_t delay) const
    {
        auto later = *this;
        for (auto& line : later.m_lines)
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
        for (const auto& line : m_lines)
        {
            if (line.stride >= tau)
            {
                starts.Add(line);
            }
        }
        return starts;
    }

    /// Flits come when both say so. @param other the other
    void Meet(const FlitEnvelope& other)
    {
        for (const auto& line : other.m_lines)
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
        for (auto& line : m_lines)
        {
            if (line.stride == added.stride)
            {
                line.time = std::max(line.time, added.time);
                return;
            }
        }
        m_lines.push_back(added);
    }

    boost::container::small_vector<Line, 2> m_lines; ///< the conditions, each of another stride
};

} // namespace ns3

#endif /* FLIT_ENVELOPE_H */
