// SPDX-License-Identifier: GPL-2.0-only

#ifndef LANE_BUFFERS_H
#define LANE_BUFFERS_H

#include "ns3/wormhole-buffers.h"

#include <utility>

namespace ns3
{

/// When the flits of a worm arrive if nothing delays the worm between its first flit and its last:
/// the latest time of several conditions. In each condition, flits follow each other evenly.
///
/// A worm that was granted an output with credits for all of it starts there as it arrives, with at
/// least the channel's flit time between flits. So every channel of its route adds a condition, and
/// replaces faster ones: there is at most one for each flit time. Times are in ns-3 time units.
/// Objects are small where all rates are equal: the cost of a hop is mostly memory.
class FlitEnvelope
{
  public:
    explicit FlitEnvelope(int64_t time = 0, int64_t stride = 0)
        : m_line{time, stride}
    {
    }

    FlitEnvelope(const FlitEnvelope& other, int64_t delay = 0)
        : m_line{other.m_line.time + delay, other.m_line.stride},
          m_others(other.m_others ? std::make_unique<Lines>(*other.m_others) : nullptr)
    {
        for (std::size_t i = 0; m_others && i < m_others->size(); ++i)
        {
            (*m_others)[i].time += delay;
        }
    }

    FlitEnvelope(FlitEnvelope&& other) noexcept = default;

    FlitEnvelope& operator=(FlitEnvelope other) noexcept
    {
        m_line = other.m_line;
        m_others = std::move(other.m_others);
        return *this;
    }

    ~FlitEnvelope() = default;

    int64_t At(uint64_t flit) const
    {
        auto time = m_line.At(flit);
        VisitOthers([&](const Line& line) { time = std::max(time, line.At(flit)); });
        return time;
    }

    /// @param grant when the worm gets the channel, not before its first flit is here
    /// @return when flits that are here by these times start on the channel
    FlitEnvelope Through(int64_t grant, int64_t tau) const
    {
        // The first flit has met a condition faster than the channel by now; from then on, the
        // channel's own condition is later.
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

    /// Visits runs of flits that follow each other evenly.
    /// @param visit called with each run's first flit, its time, and the time between two flits
    template <typename VISIT>
    void VisitRuns(uint64_t flits, VISIT visit) const
    {
        for (uint64_t flit = 0; flit < flits;)
        {
            // Of the conditions that are latest now, the one that stays latest.
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
    std::unique_ptr<Lines> m_others; ///< the others, each of another stride; null: none
};

class LaneInput;
class LaneOutput;
struct LaneHop;
struct LaneRequests;

/// Times of an output. A node's times are consecutive in memory, since choices need all of them.
struct LanePortTimes
{
    int64_t decisionAt{WormholeOutput::NEVER};
    int64_t freeAt{WormholeOutput::NEVER}; ///< When the output is free; NEVER: no cable.
};

/// A worm's turn among the requests (S11).
struct LaneTurn
{
    int64_t since{0};   ///< time of the request, perhaps in the future
    uint32_t source{0}; ///< LaneInput::source of the worm's lane; 0: made by the switch

    bool IsBefore(const LaneTurn& other) const
    {
        return since < other.since || (since == other.since && source < other.source);
    }
};

/// What all outputs of a node share.
///
/// Where worms have choices, decisions are made for a node as a whole. It is in the queue of
/// decisions as if it were itself an output, so that the data of a decision are in one place.
struct alignas(64) LaneNode : WormholePortState
{
    struct Asking
    {
        LaneTurn turn;
        LaneHop* hop;
    };

    int64_t portsAt{WormholeOutput::NEVER}; ///< time of the next decision for one of its ports,
                                            ///< once worms have choices
    LaneOutput* outputs{nullptr};           ///< lanes of its ports, by port and lane
    LanePortTimes* times{nullptr};          ///< times of its ports, by port
    std::vector<Asking> asking;             ///< worms that will make requests, the next one last
    uint32_t nPorts{0};
    uint32_t begin{0}; ///< number of ports of nodes before it

    void FindPortsAt()
    {
        portsAt = WormholeOutput::NEVER;
        for (uint32_t i = 0; i < nPorts; ++i)
        {
            portsAt = std::min(portsAt, times[i].decisionAt);
        }
    }
};

/// A worm at one node: in a lane of an input buffer or of a sending interface, or made by a switch.
///
/// A hop exists until all its outputs are granted. It holds what every hop needs to know about its
/// worm, so that the worm itself is seldom read; what few hops need is elsewhere.
struct alignas(64) LaneHop
{
    boost::intrusive_ptr<const Worm> worm;
    WormRoute::Reader route;
    uint64_t flits{0};
    LaneInput* input{nullptr}; ///< lane of a buffer where it is; null: made by the switch
    LaneHop* behind{nullptr};  ///< next worm in that lane
    WormRoute::Stop stop{0};
    WormRoute::Exits exits; ///< branches of the stop where it is
    uint32_t missing{0};    ///< grants still missing: for all branches, or for one choice
    WormRoute::Channel own; ///< its only branch, if the route has another form of it
    uint8_t firstLane{0};   ///< first of its lanes
    bool hasChoices{false}; ///< whether it takes only one of its requests (S12)
    bool asked{false};      ///< whether its requests were made
    const WormRoute::Channel* channels{nullptr}; ///< branches of the stop where it is
    FlitEnvelope arrivals;
    LaneRequests* requests{nullptr}; ///< its requests, made or to be made; null: none, or unknown
    LaneNode* maker{nullptr};        ///< the node, if the worm is in no lane

    Ptr<const Worm> GetWorm() const
    {
        return Ptr<const Worm>(worm.get());
    }

    WormholeNodeState* GetNode() const;

    const WormRoute::Channel* GetChannelsEnd() const
    {
        return channels + exits.size;
    }
};

/// A worm's request for one lane of an output (S11), perhaps one of several choices (S12).
struct LaneRequest : LaneTurn
{
    WormRoute::Exits exits; ///< branches of the stop to which it leads
    uint16_t rank : 14;     ///< index among the choices; 0 if there are none
    uint16_t isWaiting : 1; ///< whether it is made, or will be at `since`
    uint16_t starves : 1;   ///< whether its long wait was reported
    uint16_t index;         ///< index of the branch among those of the stop
    LaneHop* hop;
    LaneOutput* output;
    LaneRequest* behind{nullptr}; ///< the next one in order

    LaneRequest(LaneHop& worm, LaneOutput& asked, uint32_t place)
        : exits(worm.channels[place].exits),
          rank(static_cast<uint16_t>(worm.hasChoices ? place : 0)),
          isWaiting(false),
          starves(false),
          index(static_cast<uint16_t>(place)),
          hop(&worm),
          output(&asked)
    {
    }

    WormRoute::Stop GetNext() const
    {
        return hop->exits.begin + 1 + index;
    }
};

static_assert(sizeof(LaneRequest) == 48, "three requests take hardly more than two cache lines");

/// A worm's requests at a node, and the grants if it requests several outputs.
struct LaneRequests
{
    boost::container::small_vector<LaneRequest, 3> list; ///< one per output, or choice
    int64_t left{WormholeOutput::ALWAYS}; ///< when the worm has left by the granted outputs
    FlitEnvelope departures;
};

/// A lane of an input buffer, or of a host's sending interface: a FIFO (S4, S11).
class alignas(64) LaneInput
{
  public:
    WormholePortState* port{nullptr};
    LaneNode* node{nullptr};
    LaneOutput* upstream{nullptr}; ///< lane that fills it; null at a sending host
    LaneHop* front{nullptr};       ///< first worm that lacks a grant
    LaneHop* back{nullptr};        ///< last worm; valid if there is a first
    int64_t left{0};               ///< when the previous first worm has left
    int64_t creditDelay{0};        ///< time for which credits travel to the sender
    uint32_t source{0};            ///< position in the order of requests: by port, then lane
    uint8_t lane{0};

    int32_t GetNumber() const
    {
        return upstream ? port->input.number : -1;
    }

    void Push(LaneHop* hop)
    {
        hop->input = this;
        hop->behind = nullptr;
        (front ? back->behind : front) = hop;
        back = hop;
    }
};

inline WormholeNodeState*
LaneHop::GetNode() const
{
    return (input ? input->node : maker)->input.node;
}

static_assert(sizeof(LaneHop) == 128, "a worm at a node takes two cache lines");

static_assert(sizeof(LaneInput) == 64, "a lane of an input takes one cache line");

/// What all lanes of an output share.
struct alignas(64) LanePort
{
    WormholePortState* port{nullptr}; ///< the output; null: there is no cable
    LaneNode* node{nullptr};
    LaneOutput* outputs{nullptr};
    LaneOutput* asked{nullptr}; ///< first in a list of the lanes with requests, in any order
    LanePortTimes* times{nullptr};
    int64_t tau{0};
    int64_t hopLatency{0}; ///< time from a flit's start until it is ready at the far end
    uint8_t last{0};       ///< the lane granted last
    bool traced{false};    ///< whether the port's trace sources are connected
};

/// A lane of an output: its requests, and the credits of the lane's buffer at the far end.
///
/// It occupies three cache lines: for what every decision needs, for credits, and for a grant.
class alignas(64) LaneOutput
{
  public:
    LaneRequest* requests{nullptr}; ///< requests, first the one whose turn it is
    LaneOutput* nextAsked{nullptr}; ///< next lane of the output with requests
    /// When the first request can be granted, as far as is known, apart from grants of other lanes;
    /// NEVER: unknown.
    int64_t readyAt{WormholeOutput::NEVER};
    LanePort* shared{nullptr};
    uint64_t sent{0}; ///< flits of all worms to which it was granted

    /// @return when the lane's credits suffice for all flits, ns-3 time units; NEVER: not as far as
    ///         is known; ALWAYS: by the last grant or earlier
    int64_t GetCreditTime(uint64_t flits) const;

    /// Slots of its buffer are freed.
    /// @return whether only this tells when the first request can be granted
    bool AddCredits(uint64_t flits, const FlitEnvelope& departures, int64_t delay);

    /// @return whether a worm without a request can be granted it once the output is free, as far
    ///         as is known
    /// @param time when, not before the last grant
    bool CanGrant(const LaneTurn& turn, uint64_t flits, int64_t time) const
    {
        return (!requests || turn.IsBefore(*requests)) && GetCreditTime(flits) <= time;
    }

    void Use(uint64_t flits, int64_t time);   ///< A worm that is granted it uses credits.
    void AddRequest(LaneRequest& request);    ///< Adds a request, in order.
    void RemoveRequest(LaneRequest& request); ///< Removes a request that is not granted.
    void Unlink(LaneRequest& request);        ///< Removes a request before Use.

  private:
    struct Freed
    {
        uint64_t flits;
        FlitEnvelope times; ///< when their credits arrive

        Freed(uint64_t number, const FlitEnvelope& departures, int64_t delay)
            : flits(number),
              times(departures, delay)
        {
        }
    };

    void FindReadyAt(); ///< Finds when the first request can be granted.

    // Both include the buffer's slots, which are free at first.
    uint64_t m_nHad{0};   ///< credits that had arrived by the last grant, or earlier
    uint64_t m_nKnown{0}; ///< credits that have arrived or will, as far as is known

  public:
    uint8_t lane{0};

  private:
    /// Credits of worms, in order; the first are not needed. Long worms have one entry at a time.
    boost::container::small_vector<Freed, 1> m_freed;
    std::size_t m_at{0}; ///< index of the first one needed, behind the m_nHad credits

  public:
    LaneInput* far{nullptr};                 ///< the lane's buffer at the far end; null: a host
    int64_t granted{WormholeOutput::ALWAYS}; ///< time of its last grant
    WormholePortState* port{nullptr};        ///< the output of this lane
    const LaneNode* farNode{nullptr};        ///< the node there; null: a host

    void Prefetch() const
    {
        __builtin_prefetch(this, 1);
        __builtin_prefetch(&m_freed, 1);
        __builtin_prefetch(&far, 1);
    }

    void PrefetchFar() const
    {
        if (far)
        {
            __builtin_prefetch(far, 1);
            __builtin_prefetch(farNode, 1);
            __builtin_prefetch(&farNode->portsAt, 1);
        }
    }

    uint64_t GetNFreed() const
    {
        return far ? m_nKnown - port->depth : 0;
    }

    void SetUp(WormholePortState& state, LanePort& its, uint8_t number)
    {
        port = &state;
        shared = &its;
        lane = number;
        // A host takes all that comes.
        m_nHad = state.isEjection ? std::numeric_limits<uint64_t>::max() : state.depth;
        m_nKnown = m_nHad;
    }
};

static_assert(sizeof(LaneOutput) == 192, "a lane of an output takes three cache lines");

} // namespace ns3

#endif /* LANE_BUFFERS_H */
