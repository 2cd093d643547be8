// SPDX-License-Identifier: GPL-2.0-only

#ifndef RUN_ENGINE_H
#define RUN_ENGINE_H

#include "engine-rounds.h"
#include "flit-stream.h"

namespace ns3
{

class RunEngine;
class ForwardingEngine;

/// Decides which worm gets an output, and when, if Grant is flit (rules S4, S5 and S12).
class OutputArbiter
{
  public:
    OutputArbiter(EngineRounds& rounds, RunEngine& engine)
        : m_rounds(rounds),
          m_engine(engine)
    {
    }

    /// From now on worms have choices, and a switch's grants are made in the order of S12.
    void UseChoices()
    {
        m_hasChoices = true;
    }

    bool Ask(WormHop* hop); ///< S4: requests the outputs if the time of the request is known.

    void AskOutputs(WormHop* hop, int64_t time, int32_t number);

    /// Ensures that a free output is granted when it is requested.
    /// @param known time up to which all requests are known, ns-3 time units
    void Arm(WormholeOutput& output, int64_t known);

    void Decide(WormholeOutput& output, int64_t time);

  private:
    void GrantInOrder(WormholeNodeState& node, int64_t time); ///< S12: of a switch, at an instant.

    /// S12: a worm withdraws all its requests but one, and goes on as if it had had no choice.
    WormBranch& TakeChoice(WormBranch& branch);

    void Grant(WormholeOutput& output, WormBranch& branch, int64_t time);

    EngineRounds& m_rounds;
    RunEngine& m_engine;
    bool m_hasChoices{false}; ///< whether a worm with choices was ever sent
};

/// Schedules unicast worms, as far as possible, on their whole route at once (FlitStream), where
/// buffers don't cover the round trip.
class StreamScheduler
{
  public:
    StreamScheduler(EngineRounds& rounds, RunEngine& engine)
        : m_rounds(rounds),
          m_engine(engine)
    {
    }

    void Schedule(WormHop* hop);

  private:
    /// @return flits dropped since the first hop of m_chain (S1b), which m_stream still counts
    uint64_t GetDropped(const WormHop& hop) const
    {
        return m_stream.GetFlits() - hop.flits;
    }

    void PutIn(WormHop& hop, uint64_t dropped, FlitStream::Channel& channel);
    void TakeOut(); ///< Passes on m_stream's results for the worm in m_chain.
    void Send(WormHop& hop, WormBranch& branch, const FlitStream::Channel& channel);
    void End(WormHop* hop, const FlitStream::Channel& channel);

    EngineRounds& m_rounds;
    RunEngine& m_engine;
    FlitStream m_stream;           ///< of the worm that is scheduled
    std::vector<WormHop*> m_chain; ///< its hops, in order of its route
};

/// Moves worms through buffers and channels in runs of flits, exactly by rules S1 to S9 and S1b.
///
/// Once a worm's outputs are granted (OutputArbiter), the times of its flits follow from what is
/// known already. The engine schedules them at once, as far ahead as they are certain, and tells
/// every node the news, with the time from which it holds. Only a grant has to wait for its
/// time (EngineRounds): once for each worm and switch, however long the worm.
///
/// Where buffers don't cover their cables' round trip, a unicast worm is scheduled on its whole
/// route at once (StreamScheduler), when that matters to others or its head has reached the end.
class RunEngine
{
  public:
    explicit RunEngine(EngineRounds& rounds)
        : m_rounds(rounds),
          m_arbiter(rounds, *this),
          m_streams(rounds, *this)
    {
    }

    void Configure(bool sync, uint32_t routeBytes, ForwardingEngine* transit)
    {
        m_hops.Configure(sync, routeBytes);
        m_transit = transit;
    }

    /// @param covers whether all buffers of switches cover their cables' round trip
    void SetBuffersCover(bool covers)
    {
        m_buffersCover = covers && m_rounds.times.IsOne();
    }

    const WormHops& GetHops() const
    {
        return m_hops;
    }

    WormHop* Start(const Ptr<Worm>& worm, WormholeNodeState* node, int64_t time);
    WormHop* StartFrom(const Ptr<const Worm>& worm, WormholeNodeState* node, WormRoute::Stop stop);
    void PutIntoQueue(WormHop* hop, WormholeInput& input); ///< Puts a worm into a sending queue.

    void Originate(const Ptr<Worm>& worm, WormholeNodeState& node)
    {
        m_arbiter.AskOutputs(Start(worm, &node, m_rounds.now), m_rounds.now, -1);
        Propagate();
    }

    void Decide(WormholeOutput& output, int64_t time)
    {
        m_arbiter.Decide(output, time);
        Propagate();
    }

    /// Schedules all that follows from what is known, including news that the engine has left alone
    /// because it matters to no worm yet (MattersToOwner): each worm comes as far as it can.
    void CatchUp(const std::vector<Ptr<WormholePort>>& ports);

    /// Tells a worm at the front of its buffer that it is there, or that more flits will come.
    void NotifyFront(WormHop& hop);

  private:
    friend class OutputArbiter;   // asks and grants for the same worms
    friend class StreamScheduler; // tells others what follows, as this does

    void DropRouteFlit(WormHop& hop, int64_t time);

    void Wake(WormHop* hop) ///< Has a hop updated soon, since there is news for it.
    {
        if (!hop->queued)
        {
            hop->queued = true;
            m_awake.push_back(hop);
        }
    }

    void Propagate(); ///< Updates hops until there is no news left.

    template <class TIMES>
    void BringAllUpToDate(const TIMES& times);

    template <class TIMES>
    void BringUpToDate(WormHop* hop, const TIMES& times);

    /// Schedules a whole unicast worm at once, if none of it is scheduled yet, and its flits and
    /// its credits are known in one run each. Most worms that fit the buffers are such;
    /// ScheduleEarliestStarts and ScheduleDepartures would find the same times.
    template <class TIMES>
    bool ScheduleWhole(WormHop* hop, const TIMES& times);

    template <class TIMES>
    void ScheduleParts(WormHop* hop, const TIMES& times);

    /// @return whether upstream need not know that flits came late: if a buffer covers the round
    /// trip, and outputs are no slower than the channel that fills it, a late flit's credit is
    /// never too late, since the sender needs it D flit times later.
    template <class TIMES>
    static bool IsCovered(const WormHop& hop, const WormholeOutput& upstream, const TIMES& times);

    FlitPace GetSlower(FlitPace a, FlitPace b) const
    {
        return m_rounds.times[b] > m_rounds.times[a] ? b : a;
    }

    /// @return the pace at which a flow's flits may follow each other: that of its slowest output
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

    template <class TIMES>
    void ConsumeWhole(WormHop* hop, const TIMES& times);

    /// Schedules when flits could start if all of them were here: after the grants, a flit time
    /// apart, each with a credit, as far as credits are known.
    /// @param first first branch of a flow whose outputs are all granted
    /// @param free whether to tell upstream that the flits' slots are free then
    template <class TIMES>
    void ScheduleEarliestStarts(WormHop* hop, std::size_t first, bool free, const TIMES& times);

    /// Schedules when flits start: when they are here and allowed to start.
    template <class TIMES>
    void ScheduleDepartures(WormHop* hop, std::size_t first, const TIMES& times);

    template <class TIMES>
    void Send(WormBranch& branch, uint64_t first, const FlitPart& starts, const TIMES& times);

    template <class TIMES>
    void ScheduleTail(WormHop* hop, WormBranch& branch, int64_t left, const TIMES& times);

    /// S6: schedules when slots become free: when the flits have left by all branches.
    template <class TIMES>
    void ReturnCredits(WormHop* hop, const TIMES& times);

    template <class TIMES>
    void Credit(WormholeInput* input,
                uint64_t flits,
                int64_t time,
                FlitPace pace,
                const TIMES& times);

    /// @return whether new credits of an output matter to the worm that owns the output
    bool MattersToOwner(const WormholeOutput& output) const;

    void Leave(WormHop* hop, int64_t left); ///< Takes a worm out of its buffer.

    EngineRounds& m_rounds; ///< when decisions are made, and what engines share
    WormHops m_hops;
    OutputArbiter m_arbiter;
    StreamScheduler m_streams;            ///< schedules worms on whole routes
    ForwardingEngine* m_transit{nullptr}; ///< relays worms at hosts; null: no host relays
    bool m_buffersCover{false};           ///< whether all buffers cover their round trip
    WormHop* m_current{nullptr};          ///< hop that Propagate updates
    bool m_propagating{false};
    bool m_catchingUp{false};      ///< whether news that can wait is used, too
    std::vector<WormHop*> m_awake; ///< hops to update
};

} // namespace ns3

#endif /* RUN_ENGINE_H */
