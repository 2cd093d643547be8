// SPDX-License-Identifier: GPL-2.0-only

#ifndef FORWARDING_ENGINE_H
#define FORWARDING_ENGINE_H

#include "engine-rounds.h"

#include <utility>

namespace ns3
{

/// A host that relays worms (S13): worms for its sending queue, and flits that it holds.
class InTransitBuffer
{
  public:
    struct Pending
    {
        int64_t time;           ///< when, ns-3 time units
        bool isOwn;             ///< whether the host itself sends the worm, rather than relays it
        Ptr<Worm> own;          ///< the worm, if it is the host's own
        Ptr<const Worm> passed; ///< the worm, if it is not
        WormRoute::Stop stop;
        WormHop* hop; ///< its record here, with AS_IT_COMES
    };

    WormholeInput* queue{nullptr};
    int64_t delay{0};           ///< time from when a worm is ready until it enters the queue
    WormHop* incoming{nullptr}; ///< with AS_IT_COMES, the last worm to begin here

    /// Adds a worm to enter the queue, behind worms of the same or an earlier time; but a relayed
    /// worm goes before the host's own worms of the same time.
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
    std::deque<std::pair<int64_t, uint64_t>> m_entries; ///< flits still to count, in order of time
    std::deque<std::pair<int64_t, uint64_t>> m_exits;   ///< flits still to count, in order of time
    uint64_t m_flits{0};
    uint64_t m_maxFlits{0}; ///< maximum of m_flits so far
};

class RunEngine;

/// Lets hosts relay worms whose route continues beyond them, exactly by rule S13.
///
/// An event puts a worm into a host's sending queue at a time that is known in advance. A relayed
/// worm goes before what the host sends at the same instant, whichever event comes first: before a
/// worm is put into the queue, all worms that are due are put in.
///
/// With AS_IT_COMES, the worm has a record at the host as soon as its head is on the way there, as
/// in a switch. Hosts use no credits, and a worm whose head is here owns all outputs behind it.
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

    /// Puts a worm, after a wait, into the sending queue of a host that may relay others before.
    void InjectAhead(Ptr<Worm> worm, WormholeNodeState& node, Time wait);

    void PutDue(const WormholeNodeState& node); ///< Puts all that is due into the sending queue.

    InTransitBuffer& GetHost(const WormholeNodeState& node)
    {
        return m_hosts.at(&node);
    }

    /// @param transit relays worms at hosts; null: no host relays
    /// @throws WormholeError if hosts do not relay worms on such a route
    static void CheckRoute(const ForwardingEngine* transit,
                           const WormholeNodeState& node,
                           const WormRoute& route);

    void OnTime(const WormholeNodeState& node); ///< PutDue, by an event.

    /// Flits of a worm come to a host that is to relay it.
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
