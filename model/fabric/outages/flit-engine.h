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

/// What a fabric's attributes say of FlitEngine.
struct FlitSettings
{
    LaneSettings lanes;   ///< lanes, and their priorities
    bool whole{false};    ///< whether outputs are granted to whole worms (S11)
    bool sync{false};     ///< whether tree worms advance on all branches together (S9)
    int64_t detection{0}; ///< DetectionDelay, ns-3 time units
    std::function<void(const WormholeLoss&)> onLoss; ///< told of each loss; empty: nobody
    std::function<void(const WormholeCut&)> onCut;   ///< told of each cut; empty: nobody
    WormholeRouteManager* manager{nullptr}; ///< gives worms that start their ways; null: nobody
};

/// Moves worms flit by flit through fabrics that declare outages, exact to rules S1 to S14 and S1b.
///
/// RunEngine and LaneEngine settle the times of flits far ahead of the present, on all that is
/// known by then. An outage changes what was settled. This engine settles nothing: all that it
/// knows is what holds at the present instant, so an outage is told as late as the flits that it
/// catches start. It has a few events of a queue of its own for each flit and channel, and one
/// event of ns-3 for each instant at which something happens.
///
/// What happens at an instant: first, what comes (flits, credits, tails that have left, worms that
/// are handed over); then outages; then worms leave that end by a mark, or in a switch; then
/// requests, grants, and flits that start. These take effect at other nodes later, so that nodes
/// don't matter to each other within an instant.
class FlitEngine
{
  public:
    /// @param hops what routes of worms take (S1b)
    /// @param transit has hosts pass worms on (S13); null: none does
    /// @param ports ports of the fabric, started, in pairs: both ends of each cable
    FlitEngine(EngineRounds& rounds,
               const WormHops& hops,
               ForwardingEngine* transit,
               FlitSettings settings,
               const std::vector<Ptr<WormholePort>>& ports);

    /// A cable is down for a time. @param port a port at its end
    void AddCableOutage(const WormholePortState& port, OutageList::Interval outage);

    /// A switch or host is down for a time, which its cables are told of apart.
    void AddNodeOutage(const WormholeNodeState& state, OutageList::Interval outage)
    {
        auto& node = NodeOf(state);
        node.outages.Add(outage);
        AddOutageEvent(outage.from, {ERASE, nullptr, &node});
    }

    /// Starts a worm at a host.
    /// @param time when it asks for the channel, the interface's delay after it is handed over
    void Inject(const Ptr<Worm>& worm, WormholeNodeState& host, int64_t time);

    void Originate(const Ptr<Worm>& worm, WormholeNodeState& node);

    uint8_t GetLane(const WormholePortState& port) const
    {
        return OutputOf(port).lane;
    }

    /// Has a host start no worms, or go on with the routes that hold now.
    void Hold(const WormholeNodeState& host, bool isHeld);

    /// @return whether a node has worms: a switch any, a host such as leave it; no ManagementWorm
    /// @param isMeant whether worms count, by the number of their routes
    /// @param port that by which they come; -1: any
    bool Holds(const WormholeNodeState& state,
               const std::function<bool(uint32_t)>& isMeant,
               int32_t port = -1) const;

    void Wake(const WormholeNodeState& node); ///< Worms there may pass that could not before.

    /// Somebody will let worms pass that wait, or has done so: they are not stuck.
    void Await(bool begins);

    bool HasOwnLanes() const ///< @return whether short messages have lanes of their own
    {
        return m_settings.lanes.longestOwnFlits > 0;
    }

    /// @return whether a cable is down now @param port a port at its end
    /// @param isKnown whether only from when its ends have noticed
    bool IsDown(const WormholePortState& port, bool isKnown) const;
    bool IsDown(const WormholeNodeState& node) const;

    /// Ends the program if a flit was lost without a reason or came from nowhere.
    void CheckConservation() const;

    /// @return worms that wait for each other for ever; none while an outage is to begin or to end
    /// @param hasQueues whether worms behind the first in sending queues are part of it
    Deadlock FindDeadlock(bool hasQueues, uint64_t longestTreeWorm);

  private:
    enum Kind : uint8_t
    {
        ENTER,  ///< a worm is put into a sending queue
        WAKE,   ///< something at a node may move
        CREDIT, ///< credits come back
        TAIL,   ///< a worm's tail has left by a branch
        MARK,   ///< the mark that ends a worm comes
        PASS,   ///< a host puts a worm that it passes on into its sending queue
        TOLD,   ///< a host has got a ManagementWorm
        DOWN,   ///< a cable goes down
        NOTICE, ///< its ends take notice
        UP,     ///< it comes up
        ERASE   ///< a switch or host goes down
    };

    struct Event
    {
        Kind kind;                   ///< what
        Ptr<FlitHop> hop{};          ///< the worm, if it is of one
        FlitNode* node{nullptr};     ///< the node, if it is of one
        FlitOutput* output{nullptr}; ///< the output, or one of the cable's
        uint8_t lane{0};             ///< lane of it
        uint64_t count{0};           ///< number of credits, or of the branch
        int64_t time{0};             ///< when, ns-3 time units
        uint64_t number{0};          ///< how many were put in before

        bool operator>(const Event& other) const
        {
            return std::tie(time, number) > std::tie(other.time, other.number);
        }
    };

    struct First
    {
        /// When it asked, input port and lane, and which of those that a switch makes.
        std::tuple<int64_t, int32_t, uint8_t, uint64_t> order;
        FlitHop* hop;             ///< the worm
        FlitBranch* branch;       ///< its branch
        const FlitOption* option; ///< what it asks for
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

    /// Has something happen.
    void Push(int64_t time, Event event)
    {
        event.time = time;
        event.number = m_nEvents++;
        m_events.push_back(std::move(event));
        std::push_heap(m_events.begin(), m_events.end(), std::greater<>());
        ScheduleInstant();
    }

    void ScheduleInstant(); ///< Sees to it that OnInstant comes in time for the next event.
    void ReturnCredits(FlitHop& hop, uint64_t flits); ///< Slots of a worm are free (S6).
    void OnInstant();                                 ///< Has all happen that happens now.
    void HandleEvents();                    ///< Has come what comes now, and then outages.
    void HandOver(const Ptr<FlitHop>& hop); ///< A worm that starts is there.

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

    // Of an instant, for one node each.
    void EndMarked(FlitNode& node);
    bool EndByMark(FlitHop& hop); ///< @return whether nothing of it goes on
    bool Consume(FlitHop& hop);   ///< @return whether a worm that ends here was taken
    void Ask(FlitNode& node);

    bool MayPass(const FlitHop& hop) const; ///< @return whether it may ask for its outputs
    /// Gives a worm that is to start the way that holds now. @return whether it has one
    bool Renew(FlitHop& hop);
    void DropRouteFlit(FlitHop& hop); ///< Its first flit goes no further (S1b).
    void Arbitrate(FlitNode& node);
    void FindFirsts(FlitHop& hop);
    void Send(FlitHop& hop);
    void SendFlit(FlitHop& hop, FlitBranch& branch);
    void Arrive(FlitHop& hop, FlitBranch& branch); ///< A flit that has started will come.
    /// The first one does. @param ready when it is ready there
    void Enter(const FlitHop& hop, FlitBranch& branch, FlitInput& far, int64_t ready);
    void Leave(FlitHop& hop, FlitBranch& branch); ///< It has left by a branch.
    void Pass(const Ptr<FlitHop>& hop); ///< Puts a worm that is passed on into the queue (S13).
    void Remove(FlitHop& hop);          ///< Takes it out of where it is.

    // Outages.
    void AddOutageEvent(int64_t time, Event event);
    void HandleOutages();
    void CutOff(FlitOutput& output); ///< Its far end takes notice.
    void Erase(FlitNode& node);
    void Lose(FlitHop& hop); ///< It is lost with its node.
    /// No more comes of a worm. @param isHere whether the cable that it comes by is down
    void Cut(const Ptr<FlitHop>& hop, bool isHere);
    void Drop(const Ptr<FlitHop>& hop, bool isHere); ///< What has come of it ends here.
    void GiveUp(const FlitHop& hop, const FlitBranch& branch);
    void TellLoss(const FlitHop& hop,
                  const FlitOutput* output,
                  uint64_t flits,
                  WormholeLoss::Why why);
    void TellCut(const FlitHop& hop, bool isHere, bool isEnd);
    void TellNotSent(const FlitHop& hop); ///< Tells a host of a worm that it does not send.

    /// Records that flits of a worm are lost. @param stop where they are, or were to come
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

    EngineRounds& m_rounds;                           ///< what engines share
    const WormHops& m_hops;                           ///< what routes of worms take
    ForwardingEngine* m_transit;                      ///< has hosts pass worms on; null: none does
    FlitSettings m_settings;                          ///< what attributes say
    std::vector<std::unique_ptr<FlitNode>> m_nodes;   ///< the nodes
    std::vector<std::unique_ptr<FlitCable>> m_cables; ///< the cables
    std::unordered_map<const WormholeNodeState*, FlitNode*> m_nodeOf; ///< by what they stand for
    std::vector<Event> m_events;                                      ///< what is to happen, a heap
    uint64_t m_nEvents{0};                                            ///< how many ever were put in
    uint64_t m_nOutages{0}; ///< beginnings and ends of outages to come
    int64_t m_firstOutage{std::numeric_limits<int64_t>::max()}; ///< when the first one begins
    uint64_t m_nMade{0};                                        ///< worms that switches have made
    int64_t m_now{0};                                           ///< present time
    Ptr<EventImpl> m_instant;                                   ///< OnInstant, as an event of ns-3
    std::vector<int64_t> m_instants;                            ///< its times, the latest first
    std::vector<Ptr<FlitHop>> m_handedOver; ///< worms of now, behind those that are passed on
    std::vector<FlitNode*> m_dirty;         ///< where something may move now
    std::vector<First> m_firsts;            ///< by output and lane that is asked for
    std::vector<Event> m_outages;           ///< beginnings and ends of outages of now
};

} // namespace ns3

#endif /* FLIT_ENGINE_H */
