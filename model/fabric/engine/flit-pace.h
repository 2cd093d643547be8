// SPDX-License-Identifier: GPL-2.0-only

#ifndef FLIT_PACE_H
#define FLIT_PACE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3
{

/// How fast flits follow each other: the index of one of a fabric's flit times.
///
/// Flits that follow each other are always apart by the flit time of a channel that they pass. So
/// an index suffices, and costs no memory where a time would.
using FlitPace = uint8_t;

/// The flit times of a fabric's channels, by pace; ns-3 time units.
class FlitTimes
{
  public:
    static constexpr bool IS_ONE = false; ///< Whether there is only one flit time.

    static constexpr std::size_t MOST = std::size_t{1} << 8; ///< maximum number of flit times

    int64_t operator[](FlitPace pace) const
    {
        return m_times[pace];
    }

    void Reset()
    {
        m_number = 0;
        m_longest = 1;
    }

    /// @return index of a flit time, added if it is new; nothing if there are too many flit times
    std::optional<FlitPace> Add(int64_t tau)
    {
        const auto end = m_times.begin() + static_cast<std::ptrdiff_t>(m_number);
        const auto found = std::find(m_times.begin(), end, tau);
        if (found == end)
        {
            if (m_number == MOST)
            {
                return std::nullopt;
            }
            m_times[m_number++] = tau;
            m_longest = std::max(m_longest, tau);
        }
        return static_cast<FlitPace>(found - m_times.begin());
    }

    bool IsOne() const
    {
        return m_number <= 1;
    }

    int64_t GetLongest() const
    {
        return m_longest;
    }

  private:
    std::size_t m_number{0};
    int64_t m_longest{1};
    std::array<int64_t, MOST> m_times{}; ///< by index
};

/// The one flit time of all channels, in place of FlitTimes: most fabrics have only one, and the
/// compiler makes faster code for it.
class OneFlitTime
{
  public:
    static constexpr bool IS_ONE = true;

    explicit OneFlitTime(const FlitTimes& times)
        : m_tau(times[0])
    {
    }

    int64_t operator[](FlitPace /* pace */) const
    {
        return m_tau;
    }

  private:
    int64_t m_tau;
};

/// When a flit comes, and how many flits follow it at one pace.
struct FlitPart
{
    int64_t time; ///< time of the flit, ns-3 time units
    uint64_t end; ///< first flit that no longer follows at this pace
    FlitPace pace;

    template <class TIMES>
    int64_t After(uint64_t flits, const TIMES& times) const
    {
        return time + static_cast<int64_t>(flits) * times[pace];
    }

    /// Combines two conditions on when flits start on a channel, into the one that binds. Each flit
    /// waits for the flit before it anyway, so a condition faster than the channel counts as one at
    /// the channel's pace. The condition of the channel itself is combined last: no other condition
    /// overtakes it twice.
    /// @param channel the channel's pace; this condition is no faster
    /// @return when the flits can start, up to where one condition gives way to the other
    template <class TIMES>
    FlitPart Meet(uint64_t flit, const FlitPart& other, FlitPace channel, const TIMES& times) const
    {
        if constexpr (!TIMES::IS_ONE)
        {
            if (pace != other.pace)
            {
                return MeetOther(flit, *this, other, channel, times);
            }
        }
        return {std::max(time, other.time), std::min(end, other.end), pace};
    }

    /// Meet, where paces are expected to differ.
    FlitPart MeetAny(uint64_t flit,
                     const FlitPart& other,
                     FlitPace channel,
                     const FlitTimes& times) const
    {
        const auto otherPace = times[other.pace] < times[channel] ? channel : other.pace;
        const auto gain = times[otherPace] - times[pace]; // of this one over the other, per flit
        const auto lead = time - other.time;              // of the other one over this
        FlitPart part{time, std::min(end, other.end), pace};
        int64_t behind = lead;
        int64_t approach = gain;
        if (lead < 0 || (lead == 0 && gain > 0))
        {
            part.time = other.time;
            part.pace = otherPace;
            behind = -lead;
            approach = -gain;
        }
        // A slower condition that is now behind may overtake; divided only where that matters.
        if (approach > 0 && behind < approach * static_cast<int64_t>(part.end - flit - 1))
        {
            part.end = flit + static_cast<uint64_t>(behind / approach) + 1;
        }
        return part;
    }

  private:
    /// MeetAny, where paces differ. Takes its conditions by value, so that those of callers can
    /// stay in registers.
    /// @param one the condition whose flits come no faster than the channel takes them
    [[gnu::cold, gnu::noinline]] static FlitPart MeetOther(uint64_t flit,
                                                           FlitPart one,
                                                           FlitPart other,
                                                           FlitPace channel,
                                                           const FlitTimes& times)
    {
        return one.MeetAny(flit, other, channel, times);
    }
};

} // namespace ns3

#endif /* FLIT_PACE_H */
