// SPDX-License-Identifier: GPL-2.0-only

#ifndef FLIT_HOP_H
#define FLIT_HOP_H

#include "ns3/wormhole-node-state.h"

namespace ns3
{

struct FlitHop;
struct FlitInput;
struct FlitNode;
struct FlitOutput;

/// When one part is down (S14): intervals in order of time, with gaps between them.
class OutageList
{
  public:
    /// An interval in ns-3 time units.
    struct Interval
    {
        int64_t from;
        int64_t until; ///< the first time after it; INT64_MAX: never
    };

    void Add(Interval added);

    void DropBefore(int64_t time)
    {
        while (!m_intervals.empty() && m_intervals.front().until <= time)
        {
            m_intervals.pop_front();
        }
    }

    const Interval* Find(int64_t time, int64_t end) const;

    const Interval* At(int64_t time) const
    {
        return Find(time, time + 1);
    }

    bool BeginsAt(int64_t time) const
    {
        const auto found = At(time);
        return found && found->from == time;
    }

  private:
    std::deque<Interval> m_intervals; ///< in order
};

/// A cable of FlitEngine.
struct FlitCable
{
    OutageList outages;                    ///< when it is down
    FlitOutput* ends[2]{nullptr, nullptr}; ///< its two channels
};

/// One channel of FlitEngine, seen from its sender.
struct FlitOutput
{
    WormholePortState* port{nullptr};      ///< the port
    FlitNode* node{nullptr};               ///< node of the port
    FlitCable* cable{nullptr};             ///< its cable
    FlitInput* far{nullptr};               ///< lane 0 at the far end; the others lie behind it
    int64_t tau{0};                        ///< flit time
    int64_t delay{0};                      ///< p
    int64_t detection{0};                  ///< DetectionDelay
    int64_t busyUntil{0};                  ///< until when the channel is busy (S2)
    int64_t losing{WormholeOutput::NEVER}; ///< from when on the owner's flits are discarded
    int64_t granted{0};                    ///< when the owner got it
    FlitHop* owner{nullptr};               ///< worm that holds it (S5)
    uint8_t lane{0};                       ///< the last owner's lane
    std::vector<int64_t> credits;          ///< by lane
    std::vector<int64_t> returning;        ///< credits on the way back, by lane
    std::vector<int64_t> owed;             ///< credits that return when the cable is up, by lane
    uint64_t sent{0};                      ///< flits that have started
    uint64_t lost{0};                      ///< number of these that were lost on the channel
    uint64_t left{0}; ///< flits that have left the far node, or were lost there

    bool IsDown(int64_t time) const
    {
        const auto outage = cable->outages.At(time);
        return outage && time - outage->from >= detection;
    }

    /// @return whether it takes flits without credits, and discards them
    bool Drains(int64_t time) const
    {
        return losing <= time || IsDown(time);
    }

    bool CanTake(int64_t time) const
    {
        return busyUntil <= time && (port->isEjection || credits[lane] > 0 || Drains(time));
    }
};

/// An output that a worm requests at a node.
struct FlitOption
{
    FlitOutput* output;   ///< the output
    uint8_t lane;         ///< lane of the output
    WormRoute::Stop next; ///< stop of the route to which it leads
};

/// A branch by which a worm leaves a node: it has one option or, with choices (S12), several.
struct FlitBranch
{
    std::size_t first;       ///< its first option
    std::size_t end;         ///< past its last option
    const FlitOption* taken; ///< the granted option; null: none yet
    uint64_t sent;           ///< flits that have started
    bool isOver;             ///< whether the worm has left by it
    Ptr<FlitHop> far;        ///< the worm at the far end; null: no flit comes there
};

/// A worm at a node of FlitEngine: in a buffer or a sending queue, made by a switch, or coming to a
/// host.
struct FlitHop : SimpleRefCount<FlitHop>
{
    Ptr<const Worm> worm;       ///< the worm
    Ptr<const WormRoute> route; ///< its route: the worm's, or the one valid at its start
    uint32_t routesNumber{0};   ///< number of the set of routes that has its route
    bool isManagement{false};   ///< whether it is a ManagementWorm
    FlitNode* node{nullptr};    ///< the node
    FlitInput* input{nullptr};  ///< buffer or queue that it is in; null: made by the switch
    FlitInput* came{nullptr};   ///< input by which it came; null: it starts here
    WormRoute::Stop stop{0};    ///< stop of its route at this node
    uint64_t order{0};          ///< order among the worms that switches make
    int64_t since{WormholeOutput::NEVER};  ///< when its head is ready
    int64_t asked{WormholeOutput::NEVER};  ///< when it asked for its outputs
    int64_t nextStart{0};                  ///< S1b: when the flit behind a dropped one can start
    int64_t markAt{WormholeOutput::NEVER}; ///< when the mark that ends it is ready
    uint64_t flits{0};                     ///< its length from here on
    bool dropsFlit{false};                 ///< S1b: whether its first flit goes no further
    uint64_t dropped{0};                   ///< flits that were dropped
    uint64_t arrived{0};                   ///< flits that have come
    std::deque<int64_t> arrivals;          ///< when flits that are not ready come, or came
    uint64_t ready{0};                     ///< flits that are ready for their outputs
    uint64_t freed{0};                     ///< flits whose slots are free
    std::size_t missing{0};                ///< branches without a grant
    bool isGone{false};                    ///< whether it has left, or was lost
    boost::container::small_vector<FlitOption, 2> options;  ///< outputs that it asks for
    boost::container::small_vector<FlitBranch, 1> branches; ///< none where it ends

    Ptr<const Worm> GetWorm() const
    {
        return worm;
    }

    /// @return whether it is at a host that relays it (S13)
    bool IsPassed() const;

    uint64_t GetLength() const
    {
        return flits + dropsFlit;
    }

    uint64_t GetNKnown() const
    {
        return ready + arrivals.size();
    }

    /// Counts flits that have come. @param delay from when a flit comes until it is ready
    void Advance(int64_t time, int64_t delay);

    FlitBranch& GetBranch(const FlitOutput& output);
};

/// A lane of an input buffer, of a sending queue, or of a host's input.
struct FlitInput
{
    FlitNode* node{nullptr};        ///< its node
    FlitOutput* upstream{nullptr};  ///< channel that fills it; null: a sending queue
    int32_t number{-1};             ///< port number; -1: a sending queue
    uint8_t lane{0};                ///< its lane
    std::deque<Ptr<FlitHop>> queue; ///< worms here, in order; at a host those that come
};

/// A switch or a host of FlitEngine.
struct FlitNode
{
    WormholeNodeState* state{nullptr}; ///< the node
    std::size_t index{0};              ///< its number
    OutageList outages;                ///< when it itself is down
    std::vector<FlitOutput> outputs;   ///< by port, including ports without a cable
    std::vector<FlitInput> inputs;     ///< by port and lane
    std::vector<FlitInput> queues;     ///< sending queues of a host, by lane
    std::deque<Ptr<FlitHop>> made;     ///< worms that a switch has made
    bool isDirty{false};               ///< whether something may move at this instant
    bool isHeld{false};                ///< whether a host starts no worms of its own

    bool IsHost() const
    {
        return state->device != nullptr;
    }

    /// Visits every worm that is in front of a buffer or queue, or made here.
    template <class CALL>
    void VisitFronts(CALL call)
    {
        for (auto list : {&queues, &inputs})
        {
            for (auto& input : *list)
            {
                if (!input.queue.empty() && (list == &queues || !IsHost()))
                {
                    call(*input.queue.front());
                }
            }
        }
        for (std::size_t i = 0; i < made.size(); ++i) // call may change the list
        {
            call(*made[i]);
        }
    }
};

inline bool
FlitHop::IsPassed() const
{
    return came && !branches.empty() && node->IsHost();
}

} // namespace ns3

#endif /* FLIT_HOP_H */
