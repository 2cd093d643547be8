/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FORWARDING_ENGINE_H
#define FORWARDING_ENGINE_H

#include "engine-rounds.h"
#include "flit-pace.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/wormhole-router.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

namespace ns3
{

class WormholeInput;
class WormholeNodeState;
struct WormHop;

/// One host that passes worms on (rule S13): what is to be put into its sending queue, and what it
/// holds.
class InTransitBuffer
{
  public:
    /// A worm that is to be put into the sending queue.
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

    /// @return the first worm whose time has come, taken out; none if there is none
    std::optional<Pending> TakeDue(int64_t now);

    /// A worm begins to be here.
    void NoteEntry(int64_t time, uint64_t flits);

    /// A worm is here no more.
    void NoteExit(int64_t time, uint64_t flits);

    uint64_t GetMaxFlits(int64_t now);

  private:
    std::deque<Pending> m_pending;                      ///< by time
    std::deque<std::pair<int64_t, uint64_t>> m_entries; ///< those to count, in order of time
    std::deque<std::pair<int64_t, uint64_t>> m_exits;   ///< those to count, in order of time
    uint64_t m_flits{0};
    uint64_t m_maxFlits{0}; ///< the greatest number so far
};

class RunEngine;
struct WormBranch;

/// Has hosts pass worms on whose route goes on beyond them, exact to rule S13.
///
/// A worm is put into the sending queue of a host by an event at its time, as whatever a host sends
/// is, so decisions are made as far ahead as without. That time is known before it comes. So a worm
/// that is passed on goes before what the host sends at the same instant, whichever event comes
/// first: whoever puts a worm into the queue puts in first what is due.
///
/// As it comes: the worm has a record at the host as soon as its head is on the way there, and that
/// gets the times of flits as they become known, as one in a switch does. There is no credit, and
/// a worm whose head is here owns all outputs behind it, so nothing there waits for what is ahead.
class ForwardingEngine
{
  public:
    ForwardingEngine(EngineRounds& rounds, RunEngine& engine, InTransit mode);

    bool IsAsItComes() const
    {
        return m_mode == InTransit::AS_IT_COMES;
    }

    /// @param delay from when a worm is ready until it is put there, ns-3 time units
    void AddHost(WormholeInput& queue, int64_t delay);

    /// Starts a worm at a host that may pass others on before.
    /// @param wait how long until it is put into the sending queue
    void InjectAhead(Ptr<Worm> worm, WormholeNodeState& node, Time wait);

    /// Puts into a host's sending queue what is due.
    void PutDue(const WormholeNodeState& node);

    /// @return how long a worm is ready there until it is put into the queue
    int64_t GetDelay(const WormholeNodeState& node) const
    {
        return m_hosts.at(&node).delay;
    }

    /// A worm begins to be at a host.
    void NoteEntry(const WormholeNodeState& node, int64_t time, uint64_t flits)
    {
        m_hosts.at(&node).NoteEntry(time, flits);
    }

    /// A worm is at a host no more.
    void NoteExit(const WormholeNodeState& node, int64_t time, uint64_t flits)
    {
        m_hosts.at(&node).NoteExit(time, flits);
    }

    /// @param transit what has hosts pass worms on; null: none does
    /// @throws WormholeError if hosts do not pass on such worms
    static void CheckRoute(const ForwardingEngine* transit,
                           const WormholeNodeState& node,
                           const WormRoute& route);

    void OnTime(const WormholeNodeState& node); ///< PutDue, by an event.

    /// Flits of a worm come to a host, which is to pass it on.
    /// @param transit what has hosts pass worms on; null: none does
    /// @throws WormholeError if hosts do not pass on such worms
    static void Receive(ForwardingEngine* transit,
                        const WormHop& hop,
                        const WormBranch& branch,
                        uint64_t first,
                        const FlitPart& arrivals);

    void ReceiveTail(const WormHop& hop, const WormBranch& branch, int64_t ready);

    uint64_t GetMaxFlits(const WormholeNodeState& node);

  private:
    void OnAhead(const WormholeNodeState& node); ///< The time of a worm of InjectAhead has come.
    void ReceiveHead(const WormHop& hop, const WormBranch& branch, int64_t ready);

    EngineRounds& m_rounds; ///< when decisions are made
    RunEngine& m_engine;    ///< moves the worms
    InTransit m_mode;
    std::unordered_map<const WormholeNodeState*, InTransitBuffer> m_hosts; ///< by node
};

} // namespace ns3

#endif /* FORWARDING_ENGINE_H */
