// SPDX-License-Identifier: GPL-2.0-only

#ifndef FORWARDING_ENGINE_H
#define FORWARDING_ENGINE_H

#include "engine-rounds.h"

#include <utility>

namespace ns3
{

/// A host that passes worms on (S13): what is to be put into its sending queue, and what it holds.
class InTransitBuffer
{
  public:
    struct Pending
    {
        int64_t time;           ///< when, ns-3 time units
        bool isOwn;             ///< whether the host itself sends it, rather than passing it on
        Ptr<Worm> own;          ///< the worm, if it is the host's own
        Ptr<const Worm> passed; ///< the worm, if it is not
        WormRoute::Stop stop;
        WormHop* hop; ///< its record here, if it goes on as it comes
    };

    WormholeInput* queue{nullptr};
    int64_t delay{0};           ///< from when a worm is ready until it is put there
    WormHop* incoming{nullptr}; ///< of worms that go on as they come, the last to begin here

    /// Adds a worm to be put into the queue, behind those of the same time or earlier; but one that
    /// is passed on goes before the host's own of the same time.
    void Add(Pending pending);

    std::optional<Pending> TakeDue(int64_t now);

    void NoteEntry(int64_t time, uint64_t flits)
    {
        m_entries.emplace_back(time, flits);
    }

    void NoteExit(int64_t time, uint64_t flits)
    {
        m_exits.emplace_back(time, flits);
    }

    uint64_t GetMaxFlits(int64_t now);

  private:
    std::deque<Pending> m_pending;                      ///< by time
    std::deque<std::pair<int64_t, uint64_t>> m_entries; ///< those to count, in order of time
    std::deque<std::pair<int64_t, uint64_t>> m_exits;   ///< those to count, in order of time
    uint64_t m_flits{0};
    uint64_t m_maxFlits{0}; ///< the greatest number so far
};

class RunEngine;

/// Has hosts pass worms on whose route goes on beyond them, exact to rule S13.
///
/// A worm is put into the sending queue of a host by an event at its time, which is known before.
/// So a worm that is passed on goes before what the host sends at the same instant, whichever event
/// comes first: whoever puts a worm into the queue puts in first what is due.
///
/// As it comes: the worm has a record at the host as soon as its head is on the way there, as one
/// in a switch has. There is no credit, and a worm whose head is here owns all outputs behind it.
class ForwardingEngine
{
  public:
    ForwardingEngine(EngineRounds& rounds, RunEngine& engine, InTransit mode)
        : m_rounds(rounds),
          m_engine(engine),
          m_mode(mode)
    {
    }

    bool IsAsItComes() const
    {
        return m_mode == InTransit::AS_IT_COMES;
    }

    void AddHost(WormholeInput& queue, int64_t delay)
    {
        auto& host = m_hosts[queue.node];
        host.queue = &queue;
        host.delay = delay;
    }

    /// Puts a worm into the sending queue, after a wait, of a host that may pass others on before.
    void InjectAhead(Ptr<Worm> worm, WormholeNodeState& node, Time wait);

    void PutDue(const WormholeNodeState& node); ///< Puts into the sending queue what is due.

    InTransitBuffer& GetHost(const WormholeNodeState& node)
    {
        return m_hosts.at(&node);
    }

    /// @param transit what has hosts pass worms on; null: none does
    /// @throws WormholeError if hosts do not pass on such worms
    static void CheckRoute(const ForwardingEngine* transit,
                           const WormholeNodeState& node,
                           const WormRoute& route);

    void OnTime(const WormholeNodeState& node); ///< PutDue, by an event.

    /// Flits of a worm come to a host, which is to pass it on.
    void Receive(const WormBranch& branch, uint64_t first, const FlitPart& arrivals);
    void ReceiveTail(const WormHop& hop, const WormBranch& branch, int64_t ready);

  private:
    EngineRounds& m_rounds;
    RunEngine& m_engine;
    InTransit m_mode;
    std::unordered_map<const WormholeNodeState*, InTransitBuffer> m_hosts; ///< by node
};

} // namespace ns3

#endif /* FORWARDING_ENGINE_H */
