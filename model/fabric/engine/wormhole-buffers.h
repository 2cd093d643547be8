// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_BUFFERS_H
#define WORMHOLE_BUFFERS_H

#include "worm-hop.h"

namespace ns3
{

class WormholePort;

/// The input side of a port: one FIFO that all worms of a channel pass, rule S4.
class alignas(64) WormholeInput
{
  public:
    WormholeNodeState* node{nullptr};  ///< switch or interface it belongs to
    WormHop* front{nullptr};           ///< first worm that has not wholly left, as far as is known
    WormHop* back{nullptr};            ///< last worm; meaningful where there is a first
    int64_t left{0};                   ///< when the previous worm at the front has left
    int64_t creditDelay{0};            ///< time that credits take to the sender, p
    WormholeOutput* upstream{nullptr}; ///< channel that fills it; null at a sending host
    int32_t number{-1};                ///< port number, for arbitration; -1 at a sending host
    bool traced{false};                ///< whether the port's trace sources are connected
    WormholePort* port{nullptr};       ///< port it belongs to; null: the sending side of a host

    void Push(WormHop* hop)
    {
        hop->input = this;
        hop->behind = nullptr;
        (front ? back->behind : front) = hop;
        back = hop;
    }

    void Pop(int64_t time)
    {
        left = time;
        front = front->behind;
    }
};

/// The output side of a port: arbiter, channel and the credits of the buffer at its end.
///
/// Rules S2, S3, S5 and S6. Credits are counted along the buffer, not per worm: flit i of all that
/// go through this output needs credit i, and credit i + D comes when the slot of flit i is free.
///
/// It takes two cache lines, the first one for what every hop needs.
class alignas(64) WormholeOutput
{
  public:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();
    static constexpr int64_t ALWAYS = std::numeric_limits<int64_t>::min() / 4;

    static constexpr uint32_t NOTED_INPUTS = 24; ///< Bits of cameBy.

    WormHop* owner{nullptr};       ///< worm that holds it until its tail is scheduled
    WormBranch* requests{nullptr}; ///< waiting requests, the next one first (S5)
    int64_t freeAt{0};             ///< when it is free; meaningful if no worm owns it
    int64_t decisionAt{NEVER};
    WormholePortState* farPorts{nullptr}; ///< the far node's ports; null: there is no cable
    int64_t hopLatency{0}; ///< time from a flit's start until it is ready there, tau + p + t_r
    uint64_t sent{0};      ///< flits of all worms whose tail is scheduled
    uint16_t farNumber{0}; ///< number of the port at the far end
    uint16_t nFarPorts{0};
    uint32_t depth : 28;
    uint32_t isEjection : 1;      ///< whether a host is at the far end, which takes all (S7)
    uint32_t coversRoundTrip : 1; ///< D tau >= hopLatency + p: then it does not slow a lone worm
    uint32_t arbitrated : 1;      ///< whether several inputs can ask; not at a host
    uint32_t traced : 1;          ///< whether the port's trace sources are connected

    FlitLine credits;
    FlitLine::Cursor creditsRead{0};
    uint32_t cameBy : 24; ///< inputs of worms that have started here, see NoteInput
    FlitPace pace{0};     ///< number of tau in the fabric's FlitTimes

    WormholeOutput()
        : depth(0),
          isEjection(false),
          coversRoundTrip(true),
          arbitrated(true),
          traced(false),
          cameBy(0)
    {
    }

    WormholePortState& GetFar() const; ///< @return the port at the far end; there must be a cable
    WormholePort& GetPort() const;

    bool CanHold(uint64_t flits) const
    {
        return isEjection || flits <= depth;
    }

    void NoteInput(const WormholeInput& input)
    {
        cameBy |= uint32_t{1} << GetBit(static_cast<uint32_t>(input.number));
    }

    /// @return whether a worm from an input has started here; inputs from number 23 on share a bit,
    /// so for these perhaps a worm from another of them
    bool HasNoted(uint32_t number) const
    {
        return cameBy >> GetBit(number) & 1;
    }

    /// @return bit of cameBy for an input; the last bit is for all inputs from number 23 on
    static uint32_t GetBit(uint32_t number)
    {
        return std::min(number, NOTED_INPUTS - 1);
    }

    /// Adds a branch to the waiting requests: before later ones and those made at the same time by
    /// a port of a higher number (S5).
    void AddRequest(WormBranch& branch)
    {
        auto place = &requests;
        while (*place && ((*place)->since < branch.since ||
                          ((*place)->since == branch.since && (*place)->number <= branch.number)))
        {
            place = &(*place)->nextRequest;
        }
        branch.nextRequest = *place;
        *place = &branch;
    }

    void RemoveRequest(const WormBranch& branch)
    {
        auto place = &requests;
        while (*place != &branch)
        {
            place = &(*place)->nextRequest;
        }
        *place = branch.nextRequest;
    }
};

static_assert(sizeof(WormholeOutput) <= 128, "an output takes two cache lines");

/// Both sides of a port.
///
/// Ports of a node are consecutive in memory, by number: so an output leads to the input at its far
/// end, and to the outputs of the node there.
class WormholePortState : public WormholeOutput
{
  public:
    WormholeInput input;
};

inline WormholePortState&
WormholeOutput::GetFar() const
{
    return farPorts[farNumber];
}

inline WormholePort&
WormholeOutput::GetPort() const
{
    return *static_cast<const WormholePortState*>(this)->input.port;
}

} // namespace ns3

#endif /* WORMHOLE_BUFFERS_H */
