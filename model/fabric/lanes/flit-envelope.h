/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLIT_ENVELOPE_H
#define FLIT_ENVELOPE_H

#include <algorithm>
#include <cstdint>
#include <memory>
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
 *
 * It is small where all rates are equal, since short worms come by the thousand, and what a hop
 * costs is mostly memory.
 */
class FlitEnvelope
{
  public:
    /// All flits can come. @param time the time of the first @param stride time between two flits
    explicit FlitEnvelope(int64_t time = 0, int64_t stride = 0)
        : m_line{time, stride}
    {
    }

    /// As another one, later. @param other the other @param delay by so much, ns-3 time units
    FlitEnvelope(const FlitEnvelope& other, int64_t delay = 0)
        : m_line{other.m_line.time + delay, other.m_line.stride},
          m_others(other.m_others ? std::make_unique<Lines>(*other.m_others) : nullptr)
    {
        for (std::size_t i = 0; m_others && i < m_others->size(); ++i)
        {
            (*m_others)[i].time += delay;
        }
    }

    /// Takes what another one says. @param other the other, of no use from then on
    FlitEnvelope(FlitEnvelope&& other) noexcept = default;

    /// As above. @param other the other @return this
    FlitEnvelope& operator=(FlitEnvelope other) noexcept
    {
        m_line = other.m_line;
        m_others = std::move(other.m_others);
        return *this;
    }

    ~FlitEnvelope() = default;

    /// @return when a flit comes @param flit its number
    int64_t At(uint64_t flit) const
    {
        auto time = m_line.At(flit);
        VisitOthers([&](const Line& line) { time = std::max(time, line.At(flit)); });
        return time;
    }

    /// @param grant when the worm has the channel, not before its first flit is here
    /// @param tau the channel's flit time
    /// @return when flits that are here by these times start on the channel
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
        VisitOthers(add);
        return starts;
    }

    /// Goes through flits that follow each other evenly. @param flits number of flits
    /// @param visit called with the first one of each such run, its time, and the time between two
    template <typename VISIT>
    void VisitRuns(uint64_t flits, VISIT visit) const
    {
        for (uint64_t flit = 0; flit < flits;)
        {
            // Of the conditions that are the latest now, that which stays so.
            auto last = m_line;
            VisitOthers([&](const Line& line) {
                if (std::make_pair(line.At(flit), line.stride) >
                    std::make_pair(last.At(flit), last.stride))
                {
                    last = line;
                }
            });
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
            VisitOthers(end);
            flit = next;
        }
    }

    /// Flits come when both say so. @param other the other
    void Meet(const FlitEnvelope& other)
    {
        Add(other.m_line);
        other.VisitOthers([this](const Line& line) { Add(line); });
    }

  private:
    struct Line
    {
        int64_t time;   ///< of flit 0
        int64_t stride; ///< time between two flits

        int64_t At(uint64_t flit) const
        {
            return time + static_cast<int64_t>(flit) * stride;
        }
    };

    using Lines = std::vector<Line>;

    template <typename VISIT>
    void VisitOthers(VISIT visit) const
    {
        if (m_others)
        {
            std::for_each(m_others->begin(), m_others->end(), visit);
        }
    }

    void Add(const Line& added)
    {
        if (m_line.stride == added.stride)
        {
            m_line.time = std::max(m_line.time, added.time);
            return;
        }
        if (!m_others)
        {
            m_others = std::make_unique<Lines>();
        }
        for (auto& line : *m_others)
        {
            if (line.stride == added.stride)
            {
                line.time = std::max(line.time, added.time);
                return;
            }
        }
        m_others->push_back(added);
    }

    Line m_line;                     ///< the first condition
    std::unique_ptr<Lines> m_others; ///< others, each of another stride; null where there are none
};

} // namespace ns3

#endif /* FLIT_ENVELOPE_H */
