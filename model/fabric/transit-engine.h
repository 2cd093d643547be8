/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSIT_ENGINE_H
#define TRANSIT_ENGINE_H

#include "flit-pace.h"
#include "in-transit.h"
#include "transit-host.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <unordered_map>

namespace ns3
{

class RunEngine;
struct WormBranch;

/**
 * @ingroup wormhole
 * @brief Has hosts pass worms on whose route goes on beyond them, exact to rule S13.
 *
 * A worm is put into the sending queue of a host by an event at its time, as whatever a host sends
 * is, so decisions are made as far ahead as without. That time is known before it comes. So a worm
 * that is passed on goes before what the host sends at the same instant, whichever event comes
 * first: whoever puts a worm into the queue puts in first what is due.
 *
 * As it comes: the worm has a record at the host as soon as its head is on the way there, and that
 * gets the times of flits as they become known, as one in a switch does. There is no credit, and
 * a worm whose head is here owns all outputs behind it, so nothing there waits for what is ahead.
 */
class TransitEngine
{
  public:
    /// @param engine moves the worms, and holds this @param mode how hosts pass them on
    TransitEngine(RunEngine& engine, InTransit mode);

    /// @return whether worms go on as they come
    bool IsAsItComes() const
    {
        return m_mode == InTransit::AS_IT_COMES;
    }

    /// Tells of a host. @param queue its sending queue @param delay from when a worm is ready until
    /// it is put there, ns-3 time units
    void AddHost(WormholeInput& queue, int64_t delay);

    /// Starts a worm at a host that may pass others on before. @param worm the worm
    /// @param node the host @param wait how long until it is put into the sending queue
    /// @throws WormholeError as RunEngine::Inject
    void InjectAhead(Ptr<Worm> worm, WormholeNodeState& node, Time wait);

    /// Puts into a host's sending queue what is due. @param node the host
    void PutDue(const WormholeNodeState& node);

    /// PutDue, by an event. @param node the host
    void OnTime(const WormholeNodeState& node);

    /**
     * Flits of a worm come to a host, which is to pass it on.
     * @param transit what has hosts pass worms on; null: none does
     * @param hop the worm at the last switch
     * @param branch the output there
     * @param first the first of these flits
     * @param arrivals when they are ready at the host
     * @throws WormholeError if hosts do not pass on such worms
     */
    static void Receive(TransitEngine* transit,
                        const WormHop& hop,
                        const WormBranch& branch,
                        uint64_t first,
                        const FlitPart& arrivals);

    /// The tail of such a worm comes. @param hop,branch as for Receive @param ready when it is
    /// ready
    void ReceiveTail(const WormHop& hop, const WormBranch& branch, int64_t ready);

    /// Its tail leaves the host. @param hop the worm at the host @param left when it has left
    void NoteExit(const WormHop& hop, int64_t left);

    /// @return greatest number of flits so far of worms that were here at a time @param node a host
    uint64_t GetMaxFlits(const WormholeNodeState& node);

  private:
    /// The time of a worm of InjectAhead has come.
    void OnAhead(const WormholeNodeState& node);

    /// The head of a worm comes to a host.
    void ReceiveHead(const WormHop& hop, const WormBranch& branch, int64_t ready);

    RunEngine& m_engine;                                               ///< moves the worms
    InTransit m_mode;                                                  ///< how
    std::unordered_map<const WormholeNodeState*, TransitHost> m_hosts; ///< by node
};

} // namespace ns3

#endif /* TRANSIT_ENGINE_H */
