/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_ENGINE_H
#define RUN_ENGINE_H

#include "wormhole-buffers.h"
#include "wormhole-crossbar.h"

#include "ns3/callback.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Moves worms through buffers and channels by runs of flits, exact to rules S1 to S9.
 *
 * Once a worm's outputs are granted, the times of its flits follow from what is known already:
 * starts upstream, credits downstream. The engine settles them at once, as far ahead as they are
 * certain, and hands every node the news with the time from which it holds. What cannot be known
 * ahead is who gets an output, since another request may still come; so a grant is the one thing
 * that costs an event, one for each worm and switch on its way, however long the worm.
 *
 * All news takes effect at least a link's delay (credits) or a flit time and more (flits) after it
 * is settled. A request is therefore always known before its time comes, and the order in which
 * ns-3 runs the events of an instant does not matter.
 */
class RunEngine
{
  public:
    /// What the engine has done so far.
    struct Counts
    {
        uint64_t worms{0};     ///< worms started
        uint64_t wormHops{0};  ///< worms times channels, counted when the tail is settled
        uint64_t endsLeft{0};  ///< ends of worms that have not been reached
        uint64_t flitsIn{0};   ///< flits started by hosts and switches, copies of tree worms included
        uint64_t flitsOut{0};  ///< flits that arrived at hosts or were taken by a switch
        uint64_t flitHops{0};  ///< flits times channels
    };

    /// Looks after worms that might never move again.
    typedef Callback<void> Watcher;

    /**
     * @param tau flit time, ns-3 time units
     * @param sync whether tree worms advance on all branches together (S9)
     */
    void Configure(int64_t tau, bool sync);

    /**
     * @param interval how often to call watch, ns-3 time units; 0: never
     * @param standstill called when nothing moves although worms have not reached their ends
     * @param watch called now and then while worms move
     */
    void SetWatch(int64_t interval, Watcher standstill, Watcher watch);

    /**
     * Starts a worm at a sending interface.
     * @param worm the worm
     * @param input the interface's queue
     * @param time when its head asks for the channel; not before now nor before worms queued there
     */
    void Inject(Ptr<Worm> worm, WormholeInput& input, int64_t time);

    /**
     * Starts a worm at a switch, which holds all of it: asks for its outputs now, as port -1.
     * @param worm the worm
     * @param node the switch
     */
    void Originate(Ptr<Worm> worm, WormholeCrossbar& node);

    /**
     * Has a switch take what has ended there.
     * @param time when
     * @param node the switch
     */
    void ScheduleTake(int64_t time, WormholeCrossbar* node);

    /// Notes that a worm has reached one of its ends.
    void CountEnd()
    {
        --m_counts.endsLeft;
    }

    /// @return what was done so far
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    /// @return flit time, ns-3 time units
    int64_t GetFlitTime() const
    {
        return m_tau;
    }

  private:
    class Decision;

    WormVisit* NewVisit(Ptr<const Worm> worm, WormRoute::Stop stop, WormholeCrossbar* node);
    void Wake(WormVisit* visit);
    void Propagate();
    void BringUpToDate(WormVisit* visit);
    bool Ask(WormVisit* visit);
    void AskOutputs(WormVisit* visit, int64_t time, int32_t number);
    void TakeWhole(WormVisit* visit);
    void SettleAllowed(WormVisit* visit, WormFlow& flow, bool free);
    void SettleStarts(WormVisit* visit, WormFlow& flow);
    void Send(WormVisit* visit, WormLane& lane, uint64_t first, uint64_t end, int64_t time);
    void SettleTail(WormVisit* visit, WormLane& lane, int64_t left);
    static bool CanUseArrivals(const WormVisit& visit, bool covers);
    void SettleFreed(WormVisit* visit);
    void Credit(WormholeInput* input, uint64_t flits, int64_t time);
    void Leave(WormVisit* visit, int64_t left);
    void Arm(WormholeOutput& output, bool allAsked);
    void Grant(WormholeOutput& output, int64_t time);
    void OnDecision(WormholeOutput& output);
    void OnTake(WormholeCrossbar* node);
    void OnArrival(WormholeOutput* output, Ptr<const Worm> worm);
    void CheckProgress();

    int64_t m_tau{1};                     ///< flit time
    int64_t m_now{0};                     ///< present time, of the event at work
    bool m_sync{false};                   ///< replication
    int64_t m_watchInterval{0};           ///< how often to call m_watch; 0: never
    int64_t m_nextWatch{0};               ///< when to call it again
    Watcher m_standstill;                 ///< called when nothing moves
    Watcher m_watch;                      ///< called now and then
    Counts m_counts;                      ///< what was done
    uint64_t m_requests{0};               ///< requests so far
    uint64_t m_pending{0};                ///< events under way
    bool m_propagating{false};            ///< whether Propagate is at work
    std::vector<WormVisit*> m_awake;      ///< visits to bring up to date
    std::deque<WormVisit> m_visits;       ///< all visits ever made
    std::vector<WormVisit*> m_spare;      ///< those that can be used again
};

} // namespace ns3

#endif /* RUN_ENGINE_H */
