// SPDX-License-Identifier: GPL-2.0-only

#ifndef ENGINE_ROUNDS_H
#define ENGINE_ROUNDS_H

#include "decision-queue.h"
#include "engine-observer.h"

#include "ns3/event-impl.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>

namespace ns3
{

/// Determines when the engines of one fabric make their decisions (doc/design/engine.rst,
/// Lookahead), and holds what these engines share: the present time, flit times, counts, the
/// observer, and the events that decisions lead to. Times are in ns-3 time units.
///
/// All news takes effect later than it is scheduled. So requests are known before their time comes,
/// and decisions are made in order of time, many at once, in a round: one event of ns-3, or no
/// event with WormholeScheduler.
class EngineRounds
{
  public:
    typedef Callback<void> Watcher; ///< Looks for worms that never move again.

    class Client
    {
      public:
        virtual ~Client() = default;
        virtual void Decide(WormholeOutput& output, int64_t time) = 0;

        virtual void Inject(Ptr<Worm> worm, WormholeInput& input, int64_t time) = 0;
        virtual void PassOn(const WormholeNodeState& node) = 0;
    };

    explicit EngineRounds(Client& client);
    ~EngineRounds();

    /// @param lookahead minimum time that a head takes from a host to a switch, at least 1: for
    /// that long, no switch gets a request of a worm that a host starts from now on
    void SetLookahead(int64_t lookahead, bool switchesSend)
    {
        m_hostLookahead = lookahead;
        m_lookahead = switchesSend ? 0 : lookahead;
        // From one switch to the next, seen from the one before.
        m_decisions.SetHorizon(2 * lookahead);
    }

    void LetSwitchesSend()
    {
        m_lookahead = 0;
    }

    /// @param interval minimum time between calls of watch while worms move; 0: never call it
    /// @param minEvents minimum number of events between these calls, to limit their share of time
    /// @param noProgress called when nothing moves although worms have not reached their ends
    void SetWatch(int64_t interval, uint64_t minEvents, Watcher noProgress, Watcher watch)
    {
        m_eventsToWatch = minEvents;
        m_watchInterval = interval;
        m_noProgress = noProgress;
        m_watch = watch;
    }

    void Update(); ///< Notes the present time.

    void PushDecision(WormholeOutput& output, int64_t time)
    {
        if (time < output.decisionAt)
        {
            output.decisionAt = time;
            m_decisions.Push(time, &output);
            ScheduleRound(time);
        }
    }

    bool HasDecisions() const
    {
        return !m_decisions.IsEmpty();
    }

    int64_t GetDecisionTime() const
    {
        return m_decisions.GetTime();
    }

    /// Makes the decisions that neither ns-3's next event nor another fabric's engine can change.
    /// @param others time before which no other engine decides between events
    bool DecideBetweenEvents(const WormholeScheduler& scheduler, int64_t others);

    void ScheduleDecisions();

    /// @param worm the worm; null: the host relays what is due then
    void ScheduleArrival(int64_t time,
                         WormholeNodeState* node,
                         uint32_t port,
                         boost::intrusive_ptr<const Worm> worm);

    void ScheduleDelivery(int64_t time, WormholeNodeState* node);

    /// Injects a worm after a wait, behind the worms injected by then.
    /// @param delay time from the injection until the worm's head requests the channel
    void ScheduleInjection(Ptr<Worm> worm, WormholeInput& input, Time wait, int64_t delay);

    void CountStart(const Ptr<Worm>& worm, const WormholeNodeState& node);

    /// Looks for deadlocked worms: at once if no worm moves, otherwise from time to time.
    void CheckProgress();

    /// A worm was added. If no worm moves, the next round reports it, rather than the sender.
    void CheckStart()
    {
        if (IsStuck())
        {
            ScheduleRound(std::max(m_decidedTo, now));
        }
    }

    /// @return whether decisions were made for a time at which a worm sent now can reach a switch
    bool HasDecidedForHosts() const
    {
        return m_decidedTo >= now + m_hostLookahead;
    }

    /// @return whether decisions of now are made, or will be before a switch can send a worm
    bool HasDecidedForSwitches() const
    {
        return m_lookahead > 0 || now < m_decidedTo;
    }

    void Close(const std::string& why); ///< Ends all decisions.

    /// Calls a function, and closes if the function throws.
    template <class CALL>
    void CloseOnError(CALL call)
    {
        try
        {
            call();
        }
        catch (...)
        {
            Close("was ended by an earlier error");
            throw;
        }
    }

    bool IsClosed() const
    {
        return !m_closed.empty();
    }

    void RefuseIfClosed(const std::string& name) const
    {
        if (IsClosed())
        {
            throw WormholeError(name + " is to send a worm, but its fabric " + m_closed +
                                ": build another");
        }
    }

    /// @throws WormholeError if a flit would start after the last time
    static void CheckTime(const WormholeOutput& output, int64_t time)
    {
        if (time > TimeLimit::LATEST)
        {
            RefuseTime(output);
        }
    }

    [[noreturn]] static void RefuseTime(const WormholeOutput& output);

    int64_t now{0};
    FabricCounts counts;
    FlitTimes times;
    EngineObserver observer{times}; ///< receives what happens to worms

  private:
    class Arrival;
    struct PendingDeliveries;
    struct PendingInjections;

    /// Makes the decisions of the present time, and later ones that can no longer change.
    void OnRound();
    void OnArrival(Arrival& arrival);
    void OnDeliveries(Ptr<PendingDeliveries> deliveries);
    void OnInjections(Ptr<PendingInjections> injections);

    /// Makes decisions in order of time. @param end gives their end, which each decision may change
    template <class END>
    bool Decide(END end);

    void ScheduleRound(int64_t time); ///< Ensures a round at a time or before.

    bool IsStuck() const
    {
        return counts.eventsPending == 0 && !HasDecisions() && counts.pendingDestinations > 0 &&
               !m_noProgress.IsNull();
    }

    Client& m_client;            ///< makes the decisions
    int64_t m_decidedTo{0};      ///< up to when decisions are made, perhaps in the future
    int64_t m_hostLookahead{0};  ///< minimum time of a head from a host to a switch
    int64_t m_lookahead{0};      ///< how far ahead decisions may be made
    int64_t m_watchInterval{0};  ///< minimum time between calls of m_watch; 0: never
    int64_t m_nextWatch{0};      ///< earliest time of the next call
    uint64_t m_eventsToWatch{0}; ///< minimum number of events between two calls
    uint64_t m_eventsLeft{0};    ///< events before the next call
    Watcher m_noProgress;        ///< called when nothing moves
    Watcher m_watch;             ///< called from time to time
    std::vector<Ptr<Arrival>> m_spareArrivals; ///< events for reuse
    Ptr<PendingDeliveries> m_deliveries;       ///< the last ones scheduled, until they are due
    Ptr<PendingInjections> m_injections;       ///< the last ones scheduled, until they are due
    DecisionQueue m_decisions;
    Ptr<EventImpl> m_round;
    std::vector<int64_t> m_rounds; ///< times for which m_round is scheduled, latest first
    bool m_deciding{false};        ///< whether decisions are being made
    std::string m_closed;          ///< why no decisions are made any more, or empty
};

} // namespace ns3

#endif /* ENGINE_ROUNDS_H */
