/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORM_RECORDER_H
#define WORM_RECORDER_H

#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

class FlitEnvelope;
class FlitTimes;
class WormholeNodeState;
class WormholeOutput;
struct FlitPart;
struct LaneHop;
struct LaneRequest;
struct WormBranch;
struct WormHop;

/// What worms did on every channel: when they asked, got it, started and left.
///
/// A fabric that is given one (WormholeFabric::SetRecorder) writes down all that WormExplainer
/// needs to tell why a worm took as long as it did. It costs memory for each worm and channel, and
/// the shortcuts of FlitStream; a fabric without one pays nothing. Times are in ns-3 time units.
/// What is recorded is copied, so that it may be read when the fabric is gone.
class WormRecorder : public SimpleRefCount<WormRecorder>
{
  public:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::min();
    /// Number of a worm that there is none.
    static constexpr uint64_t NO_WORM = std::numeric_limits<uint64_t>::max();
    /// Number of a channel that there is none.
    static constexpr uint32_t NO_CHANNEL = std::numeric_limits<uint32_t>::max();

    /// A worm at a stop of its route.
    struct Place
    {
        uint64_t worm{NO_WORM};
        WormRoute::Stop stop{0};
    };

    /// A worm on a channel.
    struct Use
    {
        uint64_t base; ///< flits that had gone through the channel before it
        Place place;   ///< the worm, at the channel's far end
    };

    /// A request that was withdrawn, since its worm took another of its choices (S12).
    struct Withdrawn
    {
        Place place; ///< the worm, where it asked
        int64_t until;
    };

    /// A lane of a channel whose output is granted to whole worms (S11).
    struct Lane
    {
        int32_t priority{0};   ///< of it, of which higher ones go first
        std::vector<Use> uses; ///< worms that were granted it; base counts its flits only
        std::vector<Withdrawn> withdrawn; ///< requests for it that were, in order of time
    };

    /// A channel that worms have used.
    struct Channel
    {
        std::string name; ///< its output, such as "s3:4"
        std::string far;  ///< node at its far end
        int64_t tau{0};
        int64_t delay{0};
        int64_t hopLatency{0};   ///< start of a flit until it is ready at the far end
        uint32_t depth{0};       ///< of the buffer at the far end, flits
        bool isEjection{false};  ///< whether a host is at the far end
        std::vector<Use> uses;   ///< worms that it was granted to, in that order
        std::vector<Lane> lanes; ///< its lanes; none where flits are granted (S5)
    };

    /// Flits that follow each other.
    struct Run
    {
        uint64_t first; ///< first flit
        int64_t time;
        int64_t stride;
    };

    /// A worm at a stop, and on the channel that leads there.
    struct Stop
    {
        uint32_t channel{NO_CHANNEL}; ///< that channel; none at the first stop
        WormRoute::Stop parent{0};
        uint64_t flits{0};
        uint64_t base{0};       ///< flits that had gone through it before
        int64_t granted{NEVER}; ///< when the worm got it
        int64_t left{NEVER};    ///< when its tail had left it
        std::vector<Run> starts;
        int64_t asked{NEVER}; ///< when it asked for the next channels here
        int32_t number{-1};   ///< port that it came by here; -1: made here, or a host's
        int16_t lane{0};      ///< lane of the channel that leads here
        int16_t inputLane{0};
        int64_t taken{NEVER};     ///< when the switch took all of it, where it ends in one
        int64_t routeFlit{NEVER}; ///< S1b: when the flit in front was read here
        int64_t passed{NEVER};    ///< S13: when the host here put it into its sending queue
        uint64_t awaited{0};      ///< S13: flit that had to be ready here before
        bool inStep{false};       ///< whether its branches from here go in step
        Place ahead;              ///< worm before it in the buffer here

        /// @return when a flit started on the channel; NEVER if that is not recorded
        int64_t GetStart(uint64_t flit) const;

        const Run& FindRun(uint64_t flit) const;
    };

    /// All of a worm.
    struct Record
    {
        Ptr<const Worm> worm;    ///< the worm; null: it was there before
        std::string root;        ///< name of the node that sent it
        int64_t handedOver{0};   ///< when it was handed to the interface, or made by a switch
        int64_t injected{0};     ///< when its head was ready to ask there
        uint32_t nLanes{1};      ///< lanes of its fabric's channels
        std::vector<Stop> stops; ///< by stop of its route
    };

    /// Forgets the worms that have ended. Others are kept, since they may hold up worms to come,
    /// but are not explained themselves.
    void Clear();

    /// @return number after that of the last worm
    uint64_t GetNext() const
    {
        return m_first + m_records.size();
    }

    /// @return what a worm did; null if it is not recorded
    const Record* Find(uint64_t worm) const;

    bool IsWhole(uint64_t worm) const
    {
        return worm >= m_firstWhole;
    }

    /// @return a worm at a stop, which must be recorded
    const Stop& At(const Place& place) const
    {
        return Find(place.worm)->stops[place.stop];
    }

    /// @return the use of a channel, or lane, that a flit belongs to; end if none is recorded
    static std::vector<Use>::const_iterator FindUse(const std::vector<Use>& uses, uint64_t flit);

    const Channel& GetChannel(uint32_t number) const
    {
        return m_channels.at(number);
    }

    // What RunEngine tells.

    /// @param root host or switch that sends it
    void Begin(const Ptr<const Worm>& worm,
               const WormholeNodeState& root,
               int64_t time,
               uint32_t nLanes = 1);

    /// A worm asks for its outputs.
    void Ask(const WormHop& hop, int64_t time);

    void Grant(const WormBranch& branch, int64_t time, const FlitTimes& times);

    void Start(const WormBranch& branch, uint64_t first, const FlitPart& starts, int64_t stride);

    void Leave(const WormBranch& branch, int64_t left);

    /// A switch takes a worm that ends there.
    void Take(const Place& place, const void* input, int64_t time, int16_t lane = 0);

    /// The flit in front is read and goes no further.
    void ReadRoute(const WormHop& hop, int64_t time);

    void Pass(const WormHop& hop, int64_t time, bool isWhole);

    // What LaneEngine tells.

    void Ask(const LaneHop& hop, int64_t time);

    /// A worm is granted a lane of an output, and its other choices are withdrawn.
    void Grant(const LaneRequest& request,
               int64_t time,
               const FlitEnvelope& starts,
               const FlitTimes& times,
               const std::vector<int32_t>& priorities);

  private:
    /// @return when a worm has ended, with its last credits returned, and later than any time if it
    /// has not
    static int64_t GetEnd(const Record& record, int64_t delay);

    /// Forgets uses, up to the last one by a worm that is forgotten.
    void Forget(std::vector<Use>& uses) const;
    Stop* At(uint64_t worm, WormRoute::Stop stop);

    /// Notes who was in front of a buffer before.
    void Queue(const void* input, const Place& here, Stop& stop);

    /// Refuses to record what would take more memory than WormholeMemoryLimit: where a buffer does
    /// not cover its round trip, a long worm has a run every few flits.
    void CheckMemory(const WormBranch& branch);
    uint32_t NumberOf(const WormholeOutput& output, const FlitTimes& times);

    std::vector<Record> m_records;   ///< by number, m_first first
    uint64_t m_first{0};             ///< number of the first worm
    uint64_t m_firstWhole{0};        ///< of the first since Clear
    double m_expectedBytes{0};       ///< what runs in shallow buffers are to take, since Clear
    std::vector<Channel> m_channels; ///< channels, as first used
    std::unordered_map<const WormholeOutput*, uint32_t> m_numbers;
    std::unordered_map<const void*, Place> m_fronts; ///< last in front of a buffer
};

} // namespace ns3

#endif /* WORM_RECORDER_H */
