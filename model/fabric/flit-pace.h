/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLIT_PACE_H
#define FLIT_PACE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief How fast flits follow each other: the number of one of a fabric's flit times.
 *
 * Wherever flits follow each other, they do so in the flit time of a channel that they pass. So a
 * number says it all, and costs no memory where a time would.
 */
using FlitPace = uint8_t;

/**
 * @ingroup wormhole
 * @brief The flit times of a fabric's channels, by pace; ns-3 time units.
 */
class FlitTimes
{
  public:
    /// How many different flit times a fabric may have.
    static constexpr std::size_t MOST = std::size_t{1} << 8;

    /// @return a flit time @param pace its number
    int64_t operator[](FlitPace pace) const
    {
        return m_times[pace];
    }

    /// Forgets all flit times. @param tau that of numbers that there are none of
    void Reset(int64_t tau)
    {
        m_times.fill(tau);
        m_number = 0;
    }

    /// @return number of a flit time, added if it is new; nothing if there are too many
    /// @param tau the flit time
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
        }
        return static_cast<FlitPace>(found - m_times.begin());
    }

    /// @return whether all channels have one flit time
    bool IsOne() const
    {
        return m_number <= 1;
    }

    /// @return the longest flit time
    int64_t GetLongest() const
    {
        return *std::max_element(m_times.begin(), m_times.end());
    }

  private:
    std::array<int64_t, MOST> m_times{}; ///< by number
    std::size_t m_number{0};             ///< how many there are
};

/**
 * @ingroup wormhole
 * @brief When a flit comes, and for how long others follow it in one pace.
 */
struct FlitPart
{
    int64_t time;  ///< of the flit, ns-3 time units
    uint64_t end;  ///< first flit that does not follow so
    FlitPace pace; ///< of those that do

    /**
     * @param flits how many flits later
     * @param times the fabric's flit times
     * @return when that flit comes
     */
    int64_t After(uint64_t flits, const FlitTimes& times) const
    {
        return time + static_cast<int64_t>(flits) * times[pace];
    }

    /**
     * Of two conditions on when flits start on a channel, the one that holds longer. Each flit
     * waits for the one before it anyway, so what comes faster than the channel takes it comes as
     * fast as the channel takes it.
     * @param flit the first of these flits
     * @param other the other condition
     * @param channel the channel's pace; this condition comes no faster
     * @param times the fabric's flit times
     * @return when the flits can start, up to where one condition gives way to the other
     */
    FlitPart Meet(uint64_t flit,
                  const FlitPart& other,
                  FlitPace channel,
                  const FlitTimes& times) const
    {
        if (pace == other.pace)
        {
            return {std::max(time, other.time), std::min(end, other.end), pace};
        }
        auto held = other;
        held.pace = times[other.pace] < times[channel] ? channel : other.pace;
        const bool leads = time != held.time ? time > held.time : times[pace] >= times[held.pace];
        auto part = leads ? *this : held;
        const auto& second = leads ? held : *this;
        part.end = std::min(end, other.end);
        if (times[second.pace] > times[part.pace])
        {
            // The slower one is behind by now, and comes to the front.
            const auto gain = times[second.pace] - times[part.pace];
            const auto flits = static_cast<uint64_t>((part.time - second.time) / gain) + 1;
            part.end = std::min(part.end, flit + flits);
        }
        return part;
    }
};

} // namespace ns3

#endif /* FLIT_PACE_H */
