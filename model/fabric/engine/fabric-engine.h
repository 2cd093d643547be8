// SPDX-License-Identifier: GPL-2.0-only

#ifndef FABRIC_ENGINE_H
#define FABRIC_ENGINE_H

#include "forwarding-engine.h"
#include "run-engine.h"

#include "ns3/flit-engine.h"

namespace ns3
{

/// Moves the worms of one fabric. It refuses impossible worms, and lets another engine move the
/// rest: LaneEngine if outputs are granted to whole worms (S11), FlitEngine if parts may be down
/// (S14), else RunEngine. ForwardingEngine puts worms that hosts relay (S13) into their queues.
class FabricEngine : private EngineRounds::Client
{
  public:
    FabricEngine()
        : m_rounds(*this),
          m_runs(m_rounds)
    {
    }

    /// Sets up the engine, before its ports. @param mode how hosts relay worms (S13)
    void Configure(bool sync, uint32_t routeBytes, InTransit mode);

    void SetLanes(const LaneSettings& settings, const std::vector<Ptr<WormholePort>>& ports)
    {
        m_lanes = std::make_unique<LaneEngine>(m_rounds, settings, ports);
    }

    /// Lets FlitEngine move worms; to be called once all ports are ready and lanes are set.
    void SetOutages(FlitSettings settings, const std::vector<Ptr<WormholePort>>& ports);

    EngineRounds& GetRounds()
    {
        return m_rounds;
    }

    /// @return null: another engine moves the worms
    const LaneEngine* GetLanes() const
    {
        return m_flits ? nullptr : m_lanes.get();
    }

    /// @return null: another engine moves the worms
    FlitEngine* GetFlits() const
    {
        return m_flits.get();
    }

    ForwardingEngine* GetTransit() const
    {
        return m_transit.get();
    }

    void OnTraced(WormholePortState& port)
    {
        port.traced = port.input.traced = true;
        if (m_lanes)
        {
            m_lanes->OnTraced(port);
        }
    }

    /// Starts a worm at an interface that gets it after a wait; called in order of these times.
    /// @throws WormholeError if the worm is impossible, or decisions that it may affect were made
    /// already
    void Inject(Ptr<Worm> worm, WormholeInput& input, Time wait);

    /// Calls Inject after a wait, behind worms injected by then.
    void InjectLater(Ptr<Worm> worm, WormholeInput& input, Time wait);

    /// Starts a worm that a switch holds as a whole: it requests its outputs now, as from port -1.
    /// @throws WormholeError if decisions are made ahead, or were made beyond now (SetLookahead)
    void Originate(Ptr<Worm> worm, WormholeNodeState& node);

    RunEngine& GetRuns()
    {
        return m_runs;
    }

  private:
    void Decide(WormholeOutput& output, int64_t time) override;
    void Inject(Ptr<Worm> worm, WormholeInput& input, int64_t time) override;

    void PassOn(const WormholeNodeState& node) override
    {
        m_transit->OnTime(node);
    }

    int64_t GetTime(Time wait) const;

    /// @param time when its head is to ask for the channel
    void RefuseWorm(const Worm& worm, const WormholeNodeState& node, int64_t time) const;

    EngineRounds m_rounds;
    RunEngine m_runs;
    std::unique_ptr<LaneEngine> m_lanes;         ///< moves worms instead of m_runs; null: not used
    std::unique_ptr<FlitEngine> m_flits;         ///< moves worms instead of both; null: not used
    std::unique_ptr<ForwardingEngine> m_transit; ///< relays worms at hosts; null: no host relays
};

} // namespace ns3

#endif /* FABRIC_ENGINE_H */
