// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORM_RECORDER_H
#define WORM_RECORDER_H

#include "ns3/wormhole-worm.h"

#include <limits>
#include <unordered_map>

namespace ns3
{

class FlitEnvelope;
class FlitTimes;
class WormholeOutput;
struct FlitBranch;
struct FlitHop;
struct FlitPart;
struct LaneHop;
struct LaneRequest;
struct WormBranch;
struct WormHop;

/// What worms did on every channel: when they requested it, got it, started on it and left it.
///
/// A fabric with a recorder (WormholeFabric::SetRecorder) records all that WormExplainer needs.
/// This costs memory for each worm and channel, and disables the shortcuts of FlitStream. Times are
/// in ns-3 time units. Records hold copies, so they may be read when the fabric is gone.
class WormRecorder : public SimpleRefCount<WormRecorder>
{
  public:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::min();
    static constexpr uint64_t NO_WORM = std::numeric_limits<uint64_t>::max();
    static constexpr uint32_t NO_CHANNEL = std::numeric_limits<uint32_t>::max();
    static constexpr uint64_t NOT_COUNTED = std::numeric_limits<uint64_t>::max(); ///< for nStarted

    struct Place
    {
        uint64_t worm{NO_WORM};
        WormRoute::Stop stop{0};
    };

    struct Use
    {
        uint64_t base; ///< flits that had passed the channel before the worm
        Place place;   ///< the worm, at the channel's far end
    };

    /// A request that was withdrawn, since its worm took another of its choices (S12).
    struct Withdrawn
    {
        Place place; ///< the worm, at the stop where it asked
        int64_t until;
    };

    /// A lane of a channel whose output is granted to whole worms (S11).
    struct Lane
    {
        int32_t priority{0};   ///< its priority; higher ones go first
        std::vector<Use> uses; ///< worms that got the lane; base counts this lane's flits only
        std::vector<Withdrawn> withdrawn; ///< withdrawn requests for the lane, in order of time
        uint64_t nSlots{0};               ///< flits that have taken a slot; only with outages
    };

    struct Channel
    {
        std::string name; ///< its output, such as "s3:4"
        std::string far;  ///< node at its far end
        int64_t tau{0};
        int64_t delay{0};
        int64_t hopLatency{0};   ///< time from a flit's start until it is ready at the far end
        uint32_t depth{0};       ///< of the buffer at the far end, flits
        bool isEjection{false};  ///< whether a host is at the far end
        std::vector<Use> uses;   ///< worms that got the channel, in this order
        std::vector<Lane> lanes; ///< its lanes; empty if Grant is flit (S5)
        uint64_t nSlots{0};      ///< flits that have taken a slot; only with outages
    };

    struct Run
    {
        uint64_t first; ///< first flit
        int64_t time;
        int64_t stride;
    };

    /// A worm at a stop, and on the channel that leads there.
    struct Stop
    {
        uint32_t channel{NO_CHANNEL}; ///< that channel, once asked for or, of choices, granted
        WormRoute::Stop parent{0};
        uint64_t flits{0};
        uint64_t base{0};       ///< flits before the worm on the channel that took slots beyond
        int64_t granted{NEVER}; ///< when the worm got the channel
        int64_t left{NEVER};    ///< when its tail had left the channel
        std::vector<Run> starts;
        uint64_t nStarted{NOT_COUNTED}; ///< flits known to start
        bool isCut{false};    ///< S14: whether the worm was cut or lost on the channel, or here
        int64_t asked{NEVER}; ///< when it asked for the next channels here
        int32_t number{-1};   ///< input port here; -1: made here, or at a sending host
        int16_t lane{0};      ///< lane of the channel that leads here
        int16_t inputLane{0};
        int64_t taken{NEVER};     ///< when the switch took all of it, if it ends in a switch
        int64_t routeFlit{NEVER}; ///< S1b: when the first flit was read here
        int64_t passed{NEVER};    ///< S13: when the host here put it into its sending queue
        uint64_t awaited{0};      ///< S13: flit for which the host waited before
        bool inStep{false};       ///< whether its branches from here advance in step
        Place ahead;              ///< worm before it in the buffer here

        /// @return when a flit started on the channel; NEVER if it did not, or is not recorded
        int64_t GetStart(uint64_t flit) const;

        const Run& FindRun(uint64_t flit) const;
    };

    struct Record
    {
        Ptr<const Worm> worm;       ///< the worm; null: it started before recording
        Ptr<const WormRoute> route; ///< its route
        std::string root;           ///< name of the node that sent it
        int64_t handedOver{0};      ///< when it was handed to the interface, or made by a switch
        int64_t injected{0};        ///< when its head was ready to request its first channel
        uint32_t nLanes{1};         ///< lanes of its fabric's channels
        int64_t lost{NEVER};        ///< S14: when the first of its lost flits started
        uint32_t nHops{0};          ///< S14: nodes where the worm is; only with outages
        int64_t gone{NEVER};        ///< S14: when it had left the last of these
        std::vector<Stop> stops;    ///< by stop of its route
    };

    /// Forgets worms up to the oldest one that has not ended. That worm and later ones are kept,
    /// since they may hold up worms to come, but are not explained themselves.
    void Clear();

    uint64_t GetNext() const
    {
        return m_first + m_records.size();
    }

    const Record* Find(uint64_t worm) const
    {
        const auto place = worm - m_first; // a huge number for a forgotten worm
        return place < m_records.size() && m_records[place].worm ? &m_records[place] : nullptr;
    }

    bool IsWhole(uint64_t worm) const
    {
        return worm >= m_firstWhole;
    }

    const Stop& At(const Place& place) const
    {
        return Find(place.worm)->stops[place.stop];
    }

    /// @return the use that includes a flit of a channel or lane; end if none is recorded
    static std::vector<Use>::const_iterator FindUse(const std::vector<Use>& uses, uint64_t flit);

    const Channel& GetChannel(uint32_t number) const
    {
        return m_channels.at(number);
    }

    /// @return when the first part went down (S14); later than any time if none has
    int64_t GetFirstOutage() const
    {
        return m_firstOutage;
    }

    // Called by all engines, or only by RunEngine.

    void Begin(const Ptr<const Worm>& worm,
               const WormholeNodeState& root,
               int64_t time,
               uint32_t nLanes = 1);

    void Ask(const WormHop& hop, int64_t time, const FlitTimes& times);
    void Grant(const WormBranch& branch, int64_t time, const FlitTimes& times);
    void Start(const WormBranch& branch, uint64_t first, const FlitPart& starts, int64_t stride);
    void Leave(const WormBranch& branch, int64_t left);

    void Take(const Place& place, const void* input, int64_t time, int16_t lane = 0)
    {
        if (auto* here = At(place.worm, place.stop))
        {
            here->taken = time;
            here->inputLane = lane;
            if (here->asked == NEVER) // it was queued then
            {
                Queue(input, place, *here);
            }
        }
    }

    void ReadRoute(const Place& place, int64_t time)
    {
        if (auto* here = At(place.worm, place.stop))
        {
            here->routeFlit = time;
        }
    }

    /// A host relays a worm. @param isWhole whether the host waits for all of it first
    void Pass(const Place& place, int64_t time, bool isWhole)
    {
        if (auto* here = At(place.worm, place.stop))
        {
            here->passed = time;
            here->awaited = isWhole ? here->flits - 1 : 0;
        }
    }

    // Called by LaneEngine.

    void Ask(const LaneHop& hop, int64_t time, const FlitTimes& times);

    void Grant(const LaneRequest& request,
               int64_t time,
               const FlitEnvelope& starts,
               const FlitTimes& times,
               const std::vector<int32_t>& priorities);

    // Called by FlitEngine.

    void Ask(const FlitHop& hop, int64_t time, bool inStep, const FlitTimes& times);

    /// @param branch the granted branch @param priorities priorities of lanes if outputs are
    /// granted to whole worms; else empty
    void Grant(const FlitHop& hop,
               const FlitBranch& branch,
               int64_t time,
               const FlitTimes& times,
               const std::vector<int32_t>& priorities);

    /// A flit starts. @param takesSlot whether it takes a slot of the next buffer
    void Start(const FlitHop& hop, const FlitBranch& branch, int64_t time, bool takesSlot);

    void Leave(const FlitHop& hop, const FlitBranch& branch, int64_t left);

    /// A worm was cut or lost on a channel or at its end. @param place the worm, at the far end
    void Cut(const Place& place, int64_t time)
    {
        if (auto* there = At(place.worm, place.stop))
        {
            there->isCut = true;
            auto& lost = m_records[place.worm - m_first].lost;
            lost = lost == NEVER ? time : lost;
        }
    }

    void CountHop(uint64_t worm) ///< A worm comes to a node.
    {
        if (Find(worm))
        {
            ++m_records[worm - m_first].nHops;
        }
    }

    void DropHop(uint64_t worm, int64_t time) ///< A worm leaves a node.
    {
        if (Find(worm) && --m_records[worm - m_first].nHops == 0)
        {
            m_records[worm - m_first].gone = time;
        }
    }

    /// A worm changes to another route before it has requested an output.
    void Reroute(uint64_t worm, const Ptr<const WormRoute>& route);

    void NoteOutage(int64_t time) ///< A part goes down.
    {
        m_firstOutage = std::min(m_firstOutage, time);
    }

  private:
    /// @return when a worm has ended and its last credits have returned; the maximum if it has not
    static int64_t GetEnd(const Record& record, int64_t delay);

    /// Forgets uses, up to and including the last one by a forgotten worm.
    void Forget(std::vector<Use>& uses) const;

    Stop* At(uint64_t worm, WormRoute::Stop stop)
    {
        return Find(worm) ? &m_records[worm - m_first].stops[stop] : nullptr;
    }

    Lane& LaneOf(const WormholeOutput& output,
                 std::size_t lane,
                 const FlitTimes& times,
                 const std::vector<int32_t>& priorities);

    /// Records which worm was at the front of a buffer before.
    void Queue(const void* input, const Place& here, Stop& stop);

    /// Throws if records would need more memory than WormholeMemoryLimit: where a buffer does not
    /// cover its round trip, a long worm needs one Run for every few flits.
    void CheckMemory(const WormholeOutput& output, uint64_t flits);
    uint32_t NumberOf(const WormholeOutput& output, const FlitTimes& times);

    std::vector<Record> m_records;                              ///< by worm number, from m_first
    uint64_t m_first{0};                                        ///< number of the first worm
    uint64_t m_firstWhole{0};                                   ///< number of the first since Clear
    int64_t m_firstOutage{std::numeric_limits<int64_t>::max()}; ///< when a part first went down
    double m_expectedBytes{0};       ///< expected memory of runs at shallow buffers, since Clear
    std::vector<Channel> m_channels; ///< in order of first use
    std::unordered_map<const WormholeOutput*, uint32_t> m_numbers;
    std::unordered_map<const void*, Place> m_fronts; ///< by buffer, the last worm at its front
};

} // namespace ns3

#endif /* WORM_RECORDER_H */
