/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_ENGINE_H
#define RUN_ENGINE_H

#include "decision-queue.h"
#include "engine-observer.h"
#include "fabric-counts.h"
#include "flit-stream.h"
#include "record-pool.h"
#include "wormhole-buffers.h"
#include "wormhole-node-state.h"

#include "ns3/callback.h"
#include "ns3/ptr.h"
#include "ns3/time-limit.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class LaneEngine;
class TransitEngine;
enum class InTransit : uint8_t;
struct LaneSettings;
class WormholePort;
class WormholeScheduler;

/**
 * @ingroup wormhole
 * @brief Moves worms through buffers and channels by runs of flits, exact to rules S1 to S9, S1b.
 *
 * Once a worm's outputs are granted, the times of its flits follow from what is known already:
 * starts upstream, credits downstream. The engine schedules them at once, as far ahead as they are
 * certain, and hands every node the news with the time from which it holds. What cannot be known
 * ahead is who gets an output, since another request may still come; so a grant is the one thing
 * that has to wait for its time, once for each worm and switch on its way, however long the worm.
 *
 * Where buffers don't cover their cables' round trip, a flit's start depends on credits for which
 * earlier flits have to start further on, and so round and round. There a unicast worm is scheduled
 * on all its way at once (FlitStream), when that matters to others or its head has reached the end.
 *
 * All news takes effect at least a link's delay (credits) or a flit time and more (flits) after it
 * is scheduled. A request is therefore always known before its time comes, and the order in which
 * decisions of an instant are made does not matter.
 *
 * So the engine keeps its decisions in a queue of its own and makes them in order of time, many at
 * once, in a round. Where worms start at hosts alone, what happens in ns-3 from now on can reach a
 * switch only after the time that a head takes from a host to there. A round makes all decisions of
 * that time at once; in fabrics whose switches send worms themselves, those of the present instant.
 * A round is an event of ns-3; or, with WormholeScheduler, which knows when the next event comes,
 * no event, and goes on as far beyond that one. Whatever follows is told at its own time.
 *
 * Where outputs are granted to whole worms (S11), LaneEngine moves them, in the same rounds. Worms
 * that hosts pass on (S13) TransitEngine puts into their queues.
 */
class RunEngine
{
  public:
    /// The last time at which a flit may start, ns-3 time units. Sums of it, of a worm's length and
    /// of the way to the next node fit into 64 bits.
    static constexpr int64_t MAX_TIME = TimeLimit::LATEST;

    /// Looks for worms that never move again.
    typedef Callback<void> Watcher;

    RunEngine();
    ~RunEngine();

    /// @param sync whether tree worms advance on all branches together (S9)
    /// @param routeBytes bytes of a worm's route that a flit holds (S1b); 0: worms bring no route
    void Configure(bool sync, uint32_t routeBytes);

    /// Tells of a flit time (S10). @param tau the flit time of a channel, ns-3 time units
    /// @return its number; nothing if there are too many different ones
    std::optional<FlitPace> AddFlitTime(int64_t tau)
    {
        return m_times.Add(tau);
    }

    /// Has worms that start from now on recorded, by shortcuts left out that skip over flits.
    /// @param recorder where to; null: no longer
    void SetRecorder(Ptr<WormRecorder> recorder)
    {
        m_observer.SetRecorder(std::move(recorder));
    }

    /// @return where worms are recorded; null: nowhere
    const Ptr<WormRecorder>& GetRecorder() const
    {
        return m_observer.GetRecorder();
    }

    /// @return flit times of the fabric's channels
    const FlitTimes& GetFlitTimes() const
    {
        return m_times;
    }

    /// @param covers whether all buffers of switches cover their cables' round trip
    void SetBuffersCover(bool covers)
    {
        m_buffersCover = covers && m_times.IsOne();
    }

    /// @param lookahead least time that a head takes from a host to a switch, ns-3 time units, at
    /// least 1: for so long from now on no switch gets a request of a host's worm that has not
    /// started yet @param switchesSend whether switches send worms of their own
    void SetLookahead(int64_t lookahead, bool switchesSend)
    {
        m_hostLookahead = lookahead;
        m_lookahead = switchesSend ? 0 : lookahead;
        m_decisions.SetHorizon(2 *
                               lookahead); // from one switch to the next, seen from the one before
    }

    /// Has outputs granted when their lanes hold all of a worm (S11). Called once all ports are
    /// ready. @param settings what attributes say of lanes @param ports ports of the fabric
    void SetLanes(const LaneSettings& settings, const std::vector<Ptr<WormholePort>>& ports);

    /// @return what moves the worms then; null: this does
    const LaneEngine* GetLanes() const
    {
        return m_lanes.get();
    }

    /// Somebody listens to a port's trace sources from now on. @param port the port, started
    void OnTraced(WormholePortState& port);

    /// Has hosts pass on worms whose route goes on beyond them (S13). @param mode how
    void SetTransit(InTransit mode);

    /// @return what passes worms on then; null: no host does
    TransitEngine* GetTransit() const
    {
        return m_transit.get();
    }

    /// From now on, switches send worms of their own.
    void LetSwitchesSend()
    {
        m_lookahead = 0;
    }

    /**
     * @param interval how often to call watch at most, ns-3 time units; 0: never
     * @param minEvents events between two of these calls, so that they don't take most of the
     *        time where little happens
     * @param noProgress called when nothing moves although worms have not reached their ends
     * @param watch called now and then while worms move
     */
    void SetWatch(int64_t interval, uint64_t minEvents, Watcher noProgress, Watcher watch);

    /**
     * Starts a worm at a sending interface.
     * @param worm the worm
     * @param input the interface's queue
     * @param time when its head asks for the channel; not before now nor before worms queued there
     * @throws WormholeError if decisions were made for a time that the worm reaches
     */
    void Inject(Ptr<Worm> worm, WormholeInput& input, int64_t time);

    /**
     * Starts a worm at a sending interface later, behind those injected by then.
     * @param worm the worm
     * @param input the interface's queue
     * @param wait how long until it is injected
     * @param delay how long from then on until its head asks for the channel
     * @throws WormholeError as Inject
     */
    void InjectLater(Ptr<Worm> worm, WormholeInput& input, Time wait, int64_t delay);

    /// Starts a worm at a switch, which holds all of it: asks for its outputs now, as port -1.
    /// @param worm the worm @param node the switch
    /// @throws WormholeError if decisions are made ahead, or were until lately (SetLookahead)
    void Originate(Ptr<Worm> worm, WormholeNodeState& node);

    /// Has a worm arrive at a host. @param time when, the interface's delay included, ns-3 time
    /// units
    /// @param node the host's interface @param port number of the port that it comes by
    /// @param worm the worm; null: hosts pass on what is due then
    void ScheduleArrival(int64_t time,
                         WormholeNodeState* node,
                         uint32_t port,
                         boost::intrusive_ptr<const Worm> worm);

    /// Has a switch take what is due there. @param time when, ns-3 time units; later than now
    /// @param node the switch
    void ScheduleDelivery(int64_t time, WormholeNodeState* node);

    /// Notes that a worm has reached one of its ends.
    void CountEnd()
    {
        --m_counts.pendingDestinations;
    }

    /**
     * Makes the decisions that neither ns-3's next event can change nor anybody else.
     * @param scheduler who knows the next event
     * @param others time before which nobody else decides between events, ns-3 time units
     * @return whether a decision was made
     */
    bool DecideBetweenEvents(const WormholeScheduler& scheduler, int64_t others);

    /// Sees to it that the decisions, if there are any, are made in time, one way or the other.
    void ScheduleDecisions();

    /// @return whether there are decisions to make
    bool HasDecisions() const
    {
        return !m_decisions.IsEmpty();
    }

    /// @return time of the next decision, ns-3 time units; there must be one
    int64_t GetDecisionTime() const
    {
        return m_decisions.GetTime();
    }

    /// Schedules all that follows from what is known. The engine leaves news alone while it matters
    /// to nobody (MattersToOwner); afterwards, each worm has come as far as it can.
    /// @param ports ports of the fabric
    void CatchUp(const std::vector<Ptr<WormholePort>>& ports);

    /// Makes no decisions any more. @param why what has become of the fabric, for messages
    void Close(const std::string& why);

    /// @return what was done so far
    const FabricCounts& GetCounts() const
    {
        return m_counts;
    }

    /// S1b: a unicast worm brings a byte for each switch that is to send it on.
    /// @param route its route @param stop a stop of it with a channel to the next one
    /// @return number of flits that these bytes take on that channel; 0 for tree worms
    uint64_t GetRouteFlits(const WormRoute& route, WormRoute::Stop stop) const
    {
        const uint64_t switches = route.GetNChannels() - 1 - stop;
        return m_routeBytes == 0 || route.GetNEnds() > 1
                   ? 0
                   : (switches + m_routeBytes - 1) / m_routeBytes;
    }

  private:
    /// Why no decisions are made any more where an error came up while they were made.
    static constexpr auto AFTER_ERROR = "was ended by an earlier error";

    friend class LaneEngine;    // makes decisions in the same rounds
    friend class TransitEngine; // passes worms on in the same queues

    class Arrival;
    class PendingDeliveries;
    class PendingInjections;
    class Round;

    /// Counts a worm that starts, and has all of it there. @param node host or switch that sends it
    WormHop* Start(const Ptr<Worm>& worm, WormholeNodeState* node, int64_t time);

    /// @return a fresh record of a worm that starts from a node, or from there on
    WormHop* StartFrom(const Ptr<const Worm>& worm, WormholeNodeState* node, WormRoute::Stop stop);

    void PutIntoQueue(WormHop* hop, WormholeInput& input);

    /// Counts a worm that starts. @param node host or switch that sends it
    void CountStart(const Ptr<Worm>& worm, const WormholeNodeState& node);

    /// @return a fresh record of the worm at that node
    WormHop* NewHop(boost::intrusive_ptr<const Worm> worm,
                    const WormRoute* route,
                    uint64_t flits,
                    WormRoute::Stop stop,
                    WormholeNodeState* node,
                    WormholePortState* ports,
                    uint32_t nPorts);

    /// S1b: makes a worm a flit shorter where its switch reads the last byte of its first flit.
    void FindRouteFlit(WormHop& hop, int64_t time) const;

    /// Tells a hop of flits that arrive, of which the first one goes no further (S1b).
    /// @param first first flit of a run, by the count of the node before
    void AppendBehindRouteFlit(WormHop& hop, uint64_t first, const FlitPart& arrivals);

    /// S1b: the flit in front is read, and goes no further.
    void DropRouteFlit(WormHop& hop, int64_t time);

    /// Has a hop brought up to date soon, since there is news for it.
    void Wake(WormHop* hop);

    /// Brings hops up to date until there is no news left.
    void Propagate();

    /// Propagate, with flit times.
    /// @param times flit times of the channels, OneFlitTime if there is one only
    template <class TIMES>
    void BringAllUpToDate(const TIMES& times);

    /// Schedules what follows from all that is known.
    template <class TIMES>
    void BringUpToDate(WormHop* hop, const TIMES& times);

    /// Schedules all of a unicast worm at once, if nothing of it is scheduled yet, and it is all
    /// here in one run and so are the credits for it: what most worms that fit the buffers come to,
    /// and what ScheduleEarliestStarts and ScheduleDepartures would find, too.
    template <class TIMES>
    bool ScheduleWhole(WormHop* hop, const TIMES& times);

    /// Schedules of a worm that has asked what can be, run by run.
    template <class TIMES>
    void ScheduleParts(WormHop* hop, const TIMES& times);

    /// Schedules of a unicast worm what can be, on all its way at once, where buffers don't cover
    /// the round trip. @param hop the worm, somewhere on its way, where its output is granted
    void ScheduleStream(WormHop* hop);

    /// m_stream counts all flits of the first hop of m_chain, a hop only those that it sends (S1b).
    /// @return number of flits that were dropped from the first hop of m_chain to here
    uint64_t GetDropped(const WormHop& hop) const
    {
        return m_stream.GetFlits() - hop.flits;
    }

    /// Tells m_stream of an output of a worm.
    /// @param dropped number of flits that were dropped since the first hop of m_chain
    void PutIntoStream(WormHop& hop, uint64_t dropped, FlitStream::Channel& channel);

    /// Notes what m_stream has found of the worm in m_chain.
    void TakeFromStream();

    /// Tells the next node of flits that m_stream has started on the last output.
    void SendFromStream(WormHop& hop, WormBranch& branch, const FlitStream::Channel& channel);

    /// Schedules that a tail leaves, by m_stream.
    void EndFromStream(WormHop* hop, const FlitStream::Channel& channel);

    /// Whether starvation need not be told upstream: a slot's credit never comes too late because
    /// its flit arrived late, since the sender, which knows when it sent that flit, is D flit times
    /// on by then. That takes a buffer that covers the round trip, and outputs that are no slower
    /// than the channel that fills it. @param upstream channel that fills the buffer
    template <class TIMES>
    static bool IsCovered(const WormHop& hop, const WormholeOutput& upstream, const TIMES& times);

    FlitPace GetSlower(FlitPace a, FlitPace b) const
    {
        return m_times[b] > m_times[a] ? b : a;
    }

    /// @return how fast the flow's flits may follow each other: as the slowest of its outputs
    template <class TIMES>
    FlitPace GetFlowPace(const WormHop& hop, std::size_t first) const
    {
        if constexpr (TIMES::IS_ONE)
        {
            return 0;
        }
        auto pace = hop.branches[first].output->pace;
        for (std::size_t i = 1; hop.inStep && i < hop.branches.size(); ++i)
        {
            pace = GetSlower(pace, hop.branches[i].output->pace);
        }
        return pace;
    }

    /// S4: asks for the outputs if it is known when.
    bool Ask(WormHop* hop);

    /// Puts a worm's requests into the arbiters of its outputs.
    /// @param number number of the port that it came by; -1: made here, or at a sending host
    void AskOutputs(WormHop* hop, int64_t time, int32_t number);

    /// Takes a worm that ends in its switch, once its last flit is known.
    template <class TIMES>
    void ConsumeWhole(WormHop* hop, const TIMES& times);

    /// Schedules when flits could start if all of them were here: after the grants, a flit time
    /// apart, each with a credit. Goes as far as credits are known.
    /// @param first first branch of a flow whose outputs are all granted
    /// @param free whether to tell upstream that their slots are free by then
    template <class TIMES>
    void ScheduleEarliestStarts(WormHop* hop, std::size_t first, bool free, const TIMES& times);

    /// Schedules when flits start: when they are allowed to and here.
    /// @param first first branch of a flow whose outputs are all granted
    template <class TIMES>
    void ScheduleDepartures(WormHop* hop, std::size_t first, const TIMES& times);

    /// Tells the next node of flits that start on a channel.
    template <class TIMES>
    void Send(WormHop* hop,
              WormBranch& branch,
              uint64_t first,
              const FlitPart& starts,
              const TIMES& times);

    /// Schedules that a worm's tail leaves by an output, which is free then.
    template <class TIMES>
    void ScheduleTail(WormHop* hop, WormBranch& branch, int64_t left, const TIMES& times);

    /// The tail of a worm comes to a host. @param time when, the interface's delay included
    void Eject(WormHop& hop, const WormBranch& branch, int64_t time);

    /// Tells a worm in front of its buffer that it is there, or that more of it is known to arrive.
    void TellFront(WormHop& hop);

    /// @param hop a worm in front of its buffer, which has asked
    /// @return whether it matters to the worm that more of its flits are known to arrive
    static bool CanUseArrivals(const WormHop& hop);

    /// S6: schedules when slots are free that all branches have to leave.
    template <class TIMES>
    void ReturnCredits(WormHop* hop, const TIMES& times);

    /// Gives the sender of a buffer credits for its next slots.
    template <class TIMES>
    void Credit(WormholeInput* input,
                uint64_t flits,
                int64_t time,
                FlitPace pace,
                const TIMES& times);

    /// @param output an output that a worm owns, whose credits are known further than before
    /// @return whether the worm is to be brought up to date for it
    bool MattersToOwner(const WormholeOutput& output) const;

    /// Takes a worm out of its buffer.
    void Leave(WormHop* hop, int64_t left);

    /// Sees to it that a free output is granted when it is asked for.
    /// @param known until when all requests are there, ns-3 time units
    void Arm(WormholeOutput& output, int64_t known);

    /// S12: makes a switch's grants of an instant one after the other.
    void GrantInOrder(WormholeNodeState& node, int64_t time);

    /// S12: a worm withdraws all its requests but one.
    WormBranch& TakeChoice(WormBranch& branch);

    void Grant(WormholeOutput& output, WormBranch& branch, int64_t time);

    /// Makes the decisions of the present time, and those ahead of it that nobody can change.
    void OnRound();

    void RefuseIfClosed(const std::string& name) const;

    /// Ends the fabric where a flit would start too late.
    static void CheckTime(const WormholeOutput& output, int64_t time)
    {
        if (time > MAX_TIME)
        {
            RefuseTime(output);
        }
    }

    /// Ends the fabric, since a flit would start too late.
    [[noreturn]] static void RefuseTime(const WormholeOutput& output);

    /// @param node host or switch that is to send it
    /// @param time when its head is to ask for the channel, ns-3 time units
    void RefuseWorm(const Worm& worm, const WormholeNodeState& node, int64_t time) const;

    /// RefuseWorm, as to lanes and choices.
    void RefuseLanes(const Worm& worm, const WormholeNodeState& node) const;

    /// Makes decisions in order of time, as long as there are any before an end.
    /// @param end gets that end, which may change with every decision
    /// @return whether a decision was made
    template <class END>
    bool DecideAll(END end);

    /// DecideAll, by a way of granting.
    template <class END, class GRANT>
    bool Decide(END end, GRANT grant);

    /// Sees to it that there is a round at a time or before.
    void ScheduleRound(int64_t time);

    /// What ScheduleArrival announced has come. @param arrival the event, free to be used again
    void OnArrival(Arrival& arrival);

    /// What ScheduleDelivery announced has come.
    void OnDeliveries(PendingDeliveries& deliveries);

    /// Injects worms whose time has come.
    void OnInjections(PendingInjections& injections);

    /// @return whether worms are there, and somebody wants to know, but none will move
    bool IsStuck() const
    {
        return m_counts.eventsPending == 0 && !HasDecisions() && m_counts.pendingDestinations > 0 &&
               !m_noProgress.IsNull();
    }

    /// Has somebody look for worms that wait for each other: if none moves, or now and then.
    void CheckProgress();

    int64_t m_now{0};                          ///< present time
    int64_t m_decidedTo{0};                    ///< until when decisions are made; maybe ahead
    int64_t m_hostLookahead{0};                ///< least time from a host to a switch
    int64_t m_lookahead{0};                    ///< how far they may be made ahead
    bool m_sync{false};                        ///< replication
    uint32_t m_routeBytes{0};                  ///< route bytes in a flit; 0: worms bring no route
    bool m_buffersCover{false};                ///< whether all buffers cover their round trip
    int64_t m_watchInterval{0};                ///< how often to call m_watch; 0: never
    int64_t m_nextWatch{0};                    ///< when to call it again
    uint64_t m_eventsToWatch{0};               ///< events between two calls
    uint64_t m_eventsLeft{0};                  ///< events until the next call
    Watcher m_noProgress;                      ///< called when nothing moves
    Watcher m_watch;                           ///< called now and then
    FabricCounts m_counts;                     ///< what was done
    FlitTimes m_times;                         ///< flit times of the channels
    FlitStream m_stream;                       ///< of the worm that ScheduleStream schedules
    std::vector<WormHop*> m_chain;             ///< its hops, in order of its way
    WormHop* m_current{nullptr};               ///< hop that Propagate brings up to date
    bool m_propagating{false};                 ///< whether Propagate is at work
    bool m_catchingUp{false};                  ///< whether news that can wait is used, too
    std::vector<WormHop*> m_awake;             ///< hops to bring up to date
    RecordPool<WormHop> m_hops;                ///< what worms are at nodes
    std::vector<Ptr<Arrival>> m_spareArrivals; ///< events that can be used again
    Ptr<PendingDeliveries> m_deliveries;       ///< the last one scheduled, while it is to come
    Ptr<PendingInjections> m_injections;       ///< the last one scheduled, while it is to come
    DecisionQueue m_decisions;                 ///< decisions to make
    Ptr<Round> m_round;                        ///< the event that makes them
    std::vector<int64_t> m_rounds;             ///< times for which it is scheduled, latest first
    EngineObserver m_observer{m_times};        ///< is told what happens to worms
    bool m_deciding{false};                    ///< whether decisions are being made
    bool m_hasChoices{false};                  ///< whether a worm with choices was ever sent
    std::unique_ptr<LaneEngine> m_lanes;       ///< moves the worms; null: this does
    std::unique_ptr<TransitEngine> m_transit;  ///< has hosts pass worms on; null: none does
    std::string m_closed;                      ///< why no decisions are made any more, or empty
};

} // namespace ns3

#endif /* RUN_ENGINE_H */
