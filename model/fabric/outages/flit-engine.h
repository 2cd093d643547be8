// SPDX-License-Identifier: GPL-2.0-only

#ifndef FLIT_ENGINE_H
#define FLIT_ENGINE_H

#include "flit-hop.h"

#include "ns3/event-impl.h"
#include "ns3/lane-engine.h"
#include "ns3/wormhole-outage.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace ns3
{

class ForwardingEngine;
class WormholeRouteManager;

/// A fabric's attributes, for FlitEngine.
struct FlitSettings
{
    LaneSettings lanes;   ///< lanes, and their priorities
    bool whole{false};    ///< whether outputs are granted to whole worms (S11)
    bool sync{false};     ///< whether tree worms advance on all branches together (S9)
    int64_t detection{0}; ///< DetectionDelay, ns-3 time units
    std::function<void(const WormholeLoss&)> onLoss; ///< called for each loss; may be empty
    std::function<void(const WormholeCut&)> onCut;   ///< called for each cut; may be empty
    WormholeRouteManager* manager{nullptr};          ///< gives starting worms their routes; or null
};

/// Moves worms flit by flit through fabrics with outages, exactly by rules S1 to S14 and S1b.
///
/// RunEngine and LaneEngine fix the times of flits far in advance, from all that is known by then.
/// An outage changes what they fixed. This engine fixes nothing: it knows only the present instant,
/// so an outage may be announced as late as the flits that it hits start. For each flit and
/// channel, it has a few events in a queue of its own; for each instant at which something happens,
/// it has one event of ns-3.
///
/// Order within an instant: first arrivals (flits, credits, tails that have left, worms that are
/// handed over); then outages; then worms that end by a mark, or in a switch, leave; then requests,
/// grants, and flits that start. All these take effect at other nodes later, so that nodes don't
/// affect each other within an instant.
class FlitEngine
{
  public:
    /// @param hops tells how many flits the routes of worms take (S1b)
    /// @param transit relays worms at hosts (S13); null: no host relays
    /// @param ports ports of the fabric, started, in pairs: both ends of each cable
    FlitEngine(EngineRounds& rounds,
               const WormHops& hops,
               ForwardingEngine* transit,
               FlitSettings settings,
               const std::vector<Ptr<WormholePort>>& ports);

    /// Takes a cable down for a time. @param port a port at one of its ends
    void AddCableOutage(const WormholePortState& port, OutageList::Interval outage);

    /// Takes a switch or host down for a time; its cables need AddCableOutage, too.
    void AddNodeOutage(const WormholeNodeState& state, OutageList::Interval outage)
    {
        auto& node = NodeOf(state);
        node.outages.Add(outage);
        AddOutageEvent(outage.from, {ERASE, nullptr, &node});
    }

    /// Starts a worm at a host.
    /// @param time when it requests the channel: the interface's delay after it is handed over
    void Inject(const Ptr<Worm>& worm, WormholeNodeState& host, int64_t time);

    void Originate(const Ptr<Worm>& worm, WormholeNodeState& node);

    uint8_t GetLane(const WormholePortState& port) const
    {
        return OutputOf(port).lane;
    }

    /// Stops a host from starting worms, or lets it resume with the routes that are valid now.
    void Hold(const WormholeNodeState& host, bool isHeld);

    /// @return whether a node holds worms (a host: with all grants) other than ManagementWorms
    /// @param isMeant whether a worm counts, by the number of its set of routes
    /// @param port input port of the worms that count; -1: any
    bool Holds(const WormholeNodeState& state,
               const std::function<bool(uint32_t)>& isMeant,
               int32_t port = -1) const;

    void Wake(const WormholeNodeState& node); ///< Worms there that could not pass may pass now.

    /// Waiting worms will be allowed to pass (begins), or have been: until then they are not stuck.
    void Await(bool begins);

    bool HasOwnLanes() const ///< @return whether short messages have lanes of their own
    {
        return m_settings.lanes.longestOwnFlits > 0;
    }

    /// @return whether a cable is down now @param port a port at one of its ends
    /// @param isKnown whether it counts as down only once its ends have noticed
    bool IsDown(const WormholePortState& port, bool isKnown) const;
    bool IsDown(const WormholeNodeState& node) const;

    /// Ends the program if a flit was lost without a reason or came from nowhere.
    void CheckConservation() const;

    /// @return worms that wait for each other for ever; none while outages have yet to begin or end
    /// @param hasQueues whether to include worms behind the first in sending queues
    Deadlock FindDeadlock(bool hasQueues, uint64_t longestTreeWorm);

  private:
    enum Kind : uint8_t
    {
        ENTER,  ///< a worm is put into a sending queue
        WAKE,   ///< something at a node may move
        CREDIT, ///< credits come back
        TAIL,   ///< a worm's tail has left by a branch
        MARK,   ///< the mark that ends a worm arrives
        PASS,   ///< a host puts a worm that it relays into its sending queue
        TOLD,   ///< a host has got a ManagementWorm
        DOWN,   ///< a cable goes down
        NOTICE, ///< a cable's ends notice that it is down
        UP,     ///< a cable comes up
        ERASE   ///< a switch or host goes down
    };

    struct Event
    {
        Kind kind;                   ///< what
        Ptr<FlitHop> hop{};          ///< the worm, if the event has one
        FlitNode* node{nullptr};     ///< the node, if the event has one
        FlitOutput* output{nullptr}; ///< the output, or one of the cable's
        uint8_t lane{0};             ///< lane of the output
        uint64_t count{0};           ///< number of credits, or index of the branch
        int64_t time{0};             ///< when, ns-3 time units
        uint64_t number{0};          ///< number of earlier events

        bool operator>(const Event& other) const
        {
            return std::tie(time, number) > std::tie(other.time, other.number);
        }
    };

    struct First
    {
        /// Time of the request, input port and lane, and FlitHop::order.
        std::tuple<int64_t, int32_t, uint8_t, uint64_t> order;
        FlitHop* hop;             ///< the worm
        FlitBranch* branch;       ///< its branch
        const FlitOption* option; ///< the lane of an output that it requests
    };

    FlitNode& AddNode(WormholeNodeState& state);

    FlitNode& NodeOf(const WormholeNodeState& state) const
    {
        return *m_nodeOf.at(&state);
    }

    FlitOutput& OutputOf(const WormholePortState& port) const
    {
        return NodeOf(*port.input.node).outputs[static_cast<std::size_t>(port.input.number)];
    }

    /// Adds an event.
    void Push(int64_t time, Event event)
    {
        event.time = time;
        event.number = m_nEvents++;
        m_events.push_back(std::move(event));
        std::push_heap(m_events.begin(), m_events.end(), std::greater<>());
        ScheduleInstant();
    }

    void ScheduleInstant(); ///< Ensures that OnInstant runs at the next event's time.
    void ReturnCredits(FlitHop& hop, uint64_t flits); ///< Slots of a worm are free (S6).
    void OnInstant();                                 ///< Handles all that happens now.
    void HandleEvents();                              ///< Handles arrivals of now, then outages.
    void HandOver(const Ptr<FlitHop>& hop);           ///< Queues a worm that starts.

    void SetDirty(FlitNode& node)
    {
        if (!node.isDirty)
        {
            node.isDirty = true;
            m_dirty.push_back(&node);
        }
    }

    Ptr<FlitHop> Start(const Ptr<Worm>& worm, WormholeNodeState& node, int64_t time);

    Ptr<FlitHop> MakeHop(const Ptr<const Worm>& worm,
                         const Ptr<const WormRoute>& route,
                         FlitNode& node,
                         WormRoute::Stop stop,
                         uint64_t flits);

    // Steps of an instant, each for one node.
    void EndMarked(FlitNode& node);
    bool EndByMark(FlitHop& hop); ///< @return whether no part of the worm continues
    bool Consume(FlitHop& hop);   ///< @return whether a worm that ends here was taken
    void Ask(FlitNode& node);

    bool MayPass(const FlitHop& hop) const; ///< @return whether a worm may request its outputs
    /// Gives a worm that is to start the route that is valid now. @return whether there is one
    bool Renew(FlitHop& hop);
    void DropRouteFlit(FlitHop& hop); ///< Drops a worm's first flit (S1b).
    void Arbitrate(FlitNode& node);
    void FindFirsts(FlitHop& hop);
    void Send(FlitHop& hop);
    void SendFlit(FlitHop& hop, FlitBranch& branch);
    void Arrive(FlitHop& hop, FlitBranch& branch); ///< A flit that has started will arrive.
    /// A worm's first flit will arrive. @param ready when it is ready at the far end
    void Enter(const FlitHop& hop, FlitBranch& branch, FlitInput& far, int64_t ready);
    void Leave(FlitHop& hop, FlitBranch& branch); ///< A worm has left by a branch.
    void Pass(const Ptr<FlitHop>& hop); ///< Puts a relayed worm into the sending queue (S13).
    void Remove(FlitHop& hop);          ///< Removes a worm from its place.

    // Outages.
    void AddOutageEvent(int64_t time, Event event);
    void HandleOutages();
    void CutOff(FlitOutput& output); ///< A channel's far end notices an outage.
    void Erase(FlitNode& node);
    void Lose(FlitHop& hop); ///< A worm is lost with its node.
    /// No more flits of a worm come. @param isHere whether the cable by which it comes is down
    void Cut(const Ptr<FlitHop>& hop, bool isHere);
    void Drop(const Ptr<FlitHop>& hop, bool isHere); ///< Flits that have come end here.
    void GiveUp(const FlitHop& hop, const FlitBranch& branch);
    void TellLoss(const FlitHop& hop,
                  const FlitOutput* output,
                  uint64_t flits,
                  WormholeLoss::Why why);
    void TellCut(const FlitHop& hop, bool isHere, bool isEnd);
    void TellNotSent(const FlitHop& hop); ///< Tells a host of a worm that it does not send.

    /// Records that flits of a worm are lost. @param stop where they are, or would have come
    void RecordCut(const FlitHop& hop, WormRoute::Stop stop) const;

    void RecordEnd(const FlitHop& hop) const; ///< Records that a worm ends where it is.

    /// @return whether a worm advances on all branches together (S9)
    bool GoesInStep(const FlitHop& hop) const
    {
        return m_settings.sync && hop.branches.size() > 1;
    }

    uint32_t GetNLanes() const
    {
        return static_cast<uint32_t>(m_settings.lanes.priorities.size());
    }

    EngineRounds& m_rounds;                         ///< what engines share
    const WormHops& m_hops;                         ///< tells how many flits routes take
    ForwardingEngine* m_transit;                    ///< relays worms at hosts; null: no host relays
    FlitSettings m_settings;                        ///< the fabric's attributes
    std::vector<std::unique_ptr<FlitNode>> m_nodes; ///< the nodes
    std::vector<std::unique_ptr<FlitCable>> m_cables;                 ///< the cables
    std::unordered_map<const WormholeNodeState*, FlitNode*> m_nodeOf; ///< by the node's state
    std::vector<Event> m_events;                                      ///< events to come, a heap
    uint64_t m_nEvents{0};                                            ///< number of events so far
    uint64_t m_nOutages{0}; ///< beginnings and ends of outages to come
    int64_t m_firstOutage{std::numeric_limits<int64_t>::max()}; ///< when the first one begins
    uint64_t m_nMade{0};                                        ///< worms that switches have made
    int64_t m_now{0};                                           ///< present time
    Ptr<EventImpl> m_instant;                                   ///< OnInstant, as an event of ns-3
    std::vector<int64_t> m_instants;        ///< times of m_instant, latest first
    std::vector<Ptr<FlitHop>> m_handedOver; ///< worms handed over now; relayed ones go first
    std::vector<FlitNode*> m_dirty;         ///< where something may move now
    std::vector<First> m_firsts;            ///< by requested output and lane
    std::vector<Event> m_outages;           ///< beginnings and ends of outages of now
};

} // namespace ns3

#endif /* FLIT_ENGINE_H */
