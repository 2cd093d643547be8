/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_ENGINE_H
#define FABRIC_ENGINE_H

#include "engine-rounds.h"
#include "forwarding-engine.h"
#include "run-engine.h"

#include "ns3/flit-engine.h"
#include "ns3/lane-engine.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/// Moves the worms of one fabric: refuses those that can't be, and has RunEngine move the others;
/// or LaneEngine where outputs are granted to whole worms (S11); or FlitEngine where parts may be
/// down (S14). Worms that hosts pass on (S13) ForwardingEngine puts into their queues.
class FabricEngine : private EngineRounds::Client
{
  public:
    FabricEngine();
    ~FabricEngine() override;

    /// Sets it up before its ports are. @param sync whether tree worms advance on all branches
    /// together (S9) @param routeBytes bytes of a worm's route that a flit holds (S1b); 0: worms
    /// bring no route @param mode how hosts pass worms on (S13)
    void Configure(bool sync, uint32_t routeBytes, InTransit mode);

    /// @param covers whether all buffers of switches cover their cables' round trip
    void SetBuffersCover(bool covers)
    {
        m_runs.SetBuffersCover(covers);
    }

    /// Has outputs granted when their lanes hold all of a worm (S11), once all ports are ready.
    void SetLanes(const LaneSettings& settings, const std::vector<Ptr<WormholePort>>& ports);

    /// Has worms moved flit by flit, since parts may be down (S14), once all ports are ready, and
    /// lanes are set.
    void SetOutages(FlitSettings settings, const std::vector<Ptr<WormholePort>>& ports);

    /// @return when decisions are made, and what engines share
    EngineRounds& GetRounds()
    {
        return m_rounds;
    }

    /// @return what moves the worms then; null: another engine does
    const LaneEngine* GetLanes() const
    {
        return m_flits ? nullptr : m_lanes.get();
    }

    /// @return what moves the worms where parts may be down; null: another engine does
    FlitEngine* GetFlits() const
    {
        return m_flits.get();
    }

    /// @return what passes worms on; null: no host does
    ForwardingEngine* GetTransit() const
    {
        return m_transit.get();
    }

    /// Somebody listens to a port's trace sources from now on.
    void OnTraced(WormholePortState& port);

    /// Starts a worm at a sending interface.
    /// @param wait how long until the interface gets it; worms are handed over in that order
    /// @throws WormholeError if the worm can't be, or decisions were made for a time that it
    /// reaches
    void Inject(Ptr<Worm> worm, WormholeInput& input, Time wait);

    /// Starts a worm at a sending interface later, behind those injected by then.
    /// @param wait how long until it is injected
    /// @throws WormholeError as Inject
    void InjectLater(Ptr<Worm> worm, WormholeInput& input, Time wait);

    /// Starts a worm at a switch, which holds all of it: asks for its outputs now, as port -1.
    /// @throws WormholeError if decisions are made ahead, or were until lately (SetLookahead)
    void Originate(Ptr<Worm> worm, WormholeNodeState& node);

    /// Schedules all that follows from what is known.
    void CatchUp(const std::vector<Ptr<WormholePort>>& ports)
    {
        m_runs.CatchUp(ports); // the other engines leave nothing
    }

    /// @return RunEngine's records of worms at nodes
    const WormHops& GetHops() const
    {
        return m_runs.GetHops();
    }

  private:
    void Decide(WormholeOutput& output, int64_t time) override;
    void Inject(Ptr<Worm> worm, WormholeInput& input, int64_t time) override;
    void PassOn(const WormholeNodeState& node) override;
    int64_t GetTime(Time wait) const;

    /// @param node host or switch that is to send it
    /// @param time when its head is to ask for the channel, ns-3 time units
    void RefuseWorm(const Worm& worm, const WormholeNodeState& node, int64_t time) const;
    void RefuseLanes(const Worm& worm, const WormholeNodeState& node) const;

    EngineRounds m_rounds;                       ///< when decisions are made
    RunEngine m_runs;                            ///< moves the worms
    std::unique_ptr<LaneEngine> m_lanes;         ///< moves them instead; null: it does not
    std::unique_ptr<FlitEngine> m_flits;         ///< moves them instead of both; null: it does not
    std::unique_ptr<ForwardingEngine> m_transit; ///< has hosts pass worms on; null: none does
};

} // namespace ns3

#endif /* FABRIC_ENGINE_H */
