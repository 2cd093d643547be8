// SPDX-License-Identifier: GPL-2.0-only

#ifndef LANE_BLOCK_TIMES_H
#define LANE_BLOCK_TIMES_H

#include "ns3/worm-recorder.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace ns3
{

struct GrantWait
{
    int64_t from;       ///< start, ns-3 time units
    LatencyCause cause; ///< OUTPUT, TURN or CREDIT; UNEXPLAINED if no cause is recorded
    uint64_t worm;      ///< number of the worm that delays this one
    std::string note;   ///< details
};

/// What a worm waited for between its request and its grant, where outputs are granted to whole
/// worms (S11).
///
/// At each instant in between, the output was another worm's, or the lane's credits did not suffice
/// for the whole worm, or worms that requested the lane earlier had not got it. If there are
/// several reasons, the one that lasts longest counts. If only the order of grants kept the worm
/// from the output, it waited for its turn. For a worm with choices (S12), this is about the output
/// granted.
class LaneBlockTimes
{
  public:
    /// @param place a worm, at the stop to which the granted channel leads
    LaneBlockTimes(const WormRecorder& recorder, const WormRecorder::Place& place);

    /// @return the last wait before a time @param time end of the wait, later than the request and
    ///         not later than the grant
    GrantWait FindBefore(int64_t time) const;

  private:
    /// A worm's position among the requests for one lane (S11): time of its request, its input port
    /// and lane.
    using Order = std::tuple<int64_t, int32_t, int16_t>;
    using Uses = std::vector<WormRecorder::Use>::const_iterator;

    /// A time in which a lane's credits did not suffice for a whole worm.
    struct Credits
    {
        int64_t from; ///< earliest start
        int64_t until;
        uint64_t worm; ///< the worm that held the last slot
    };

    struct Ahead
    {
        Order order; ///< its position
        uint64_t worm;
        int64_t until;                  ///< when it was granted the lane or took another choice
        std::optional<Credits> credits; ///< credits that it lacked while it was first
    };

    Order OrderOf(const WormRecorder::Place& place) const
    {
        const auto& stop = m_recorder.At(place);
        return {stop.asked, stop.number, stop.inputLane};
    }

    /// @return credits that a worm lacked, or may have lacked; nothing if it always had them
    /// @param base flits that went through the lane before it @param flits its length
    /// @param granted time of its grant; a later credit was replaced by others at an outage's end
    std::optional<Credits> FindCredits(uint64_t base, uint64_t flits, int64_t granted) const;

    void FindAhead(Uses use); ///< Finds all worms that were before this one.

    Uses FindGranted(Uses begin, Uses end, int64_t time) const
    {
        return std::lower_bound(begin,
                                end,
                                time,
                                [this](const WormRecorder::Use& use, int64_t then) {
                                    return m_recorder.At(use.place).granted < then;
                                });
    }

    GrantWait Hold(const WormRecorder::Use& use) const;

    const WormRecorder& m_recorder;
    const WormRecorder::Stop& m_there; ///< the worm, at the stop behind the output
    const WormRecorder::Channel& m_channel;
    const WormRecorder::Lane& m_lane;
    Order m_order; ///< the worm's position
    int64_t m_asked;
    std::optional<Credits> m_credits;
    std::vector<Ahead> m_ahead; ///< worms before it, in order
    int64_t m_first;            ///< since when it has been first
};

} // namespace ns3

#endif /* LANE_BLOCK_TIMES_H */
