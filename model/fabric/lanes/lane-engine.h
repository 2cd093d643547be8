// SPDX-License-Identifier: GPL-2.0-only

#ifndef LANE_ENGINE_H
#define LANE_ENGINE_H

#include "lane-buffers.h"

#include "ns3/wormhole-node-state.h"

#include <functional>
#include <tuple>

namespace ns3
{

/// A worm that waits too long for its turn, while others get theirs.
struct LaneStarvation
{
    Ptr<const Worm> worm;
    Ptr<WormholePort> port; ///< output that it requests
    uint8_t lane;
    Ptr<const Worm> granted; ///< worm that was granted the output instead
    int64_t since;           ///< time of its request, ns-3 time units
    int64_t time;
};

/// The settings of lanes (S11) in a fabric's attributes.
struct LaneSettings
{
    /// Priority of each lane: first lanes of routes, then as many lanes of synchronisation
    /// messages, if these have their own.
    std::vector<int32_t> priorities;
    uint32_t nRouteLanes{1};
    uint64_t longestOwnFlits{0}; ///< longest message with lanes of its own, flits; 0: none
    int64_t patience{WormholeOutput::NEVER}; ///< wait after which a worm starves
    std::function<void(const LaneStarvation& starvation)> onStarvation;

    /// @return first of a worm's lanes: the route's, or that of its kind
    uint8_t GetFirstLane(const Worm& worm) const
    {
        return worm.GetFlits() <= longestOwnFlits &&
                       (worm.GetKind() == Worm::COLLECTIVE || worm.GetKind() == Worm::MESSAGE)
                   ? static_cast<uint8_t>(nRouteLanes)
                   : 0;
    }
};

class EngineRounds;

/// Moves worms through fabrics with `grant = worm`, whose channels may have several lanes: exact to
/// rules S1 to S4 and S6 to S12.
///
/// An output is granted to a worm when its lane's credits suffice for the whole worm, so nothing
/// delays the worm between its first flit and its last: the grant determines the times of all its
/// flits there (FlitEnvelope), of the credits that it returns, and of its next requests. So there
/// is one decision for each worm and output, whatever the length, and nothing else.
///
/// Decisions are made in EngineRounds, but not ahead of ns-3's events: a worm that is handed over
/// meanwhile may be in a lane that goes first.
class LaneEngine
{
  public:
    LaneEngine(EngineRounds& rounds,
               LaneSettings settings,
               const std::vector<Ptr<WormholePort>>& ports);

    uint32_t GetNLanes() const
    {
        return static_cast<uint32_t>(m_settings.priorities.size());
    }

    uint64_t GetMinDepth() const
    {
        return m_minDepth;
    }

    /// @param time of its request for the host's channel, not before earlier requests in its lane
    void Inject(const Ptr<Worm>& worm, WormholeNodeState& host, int64_t time);

    void Originate(const Ptr<Worm>& worm, WormholeNodeState& node);

    /// @throws WormholeError if a lane on its route can't hold it, or the fabric has too few lanes
    void RefuseWorm(const Worm& worm, const WormholeNodeState& node) const;

    /// Grants what a switch can grant at an instant (S12).
    /// @param port an output of the switch, or its LaneNode
    void Decide(WormholePortState& port, int64_t time);

    uint8_t GetLane(const WormholePortState& port) const
    {
        return m_ports[PlaceOf(port)].last;
    }

    const LaneOutput& GetOutput(const WormholePortState& port, uint32_t lane) const
    {
        return m_outputs[IndexOf(port) + lane];
    }

    /// @param port port of a switch, or of a host that sends
    const LaneInput& GetInput(const WormholePortState& port, uint32_t lane) const
    {
        return m_inputs[IndexOf(port) + lane];
    }

    uint32_t GetNWaiting(const WormholePortState& port, uint32_t lane, int64_t time) const;

    void OnTraced(const WormholePortState& port)
    {
        m_ports[PlaceOf(port)].traced = true;
        m_isTraced = true;
    }

    void CheckConservation(const WormholePortState& port) const;

  private:
    /// Negated priority; time of the request; input port and lane; rank; output port (S11, S12);
    /// and, for worms that the switch itself sends at one instant, the output's lane.
    using Order = std::tuple<int64_t, int64_t, uint32_t, uint16_t, std::ptrdiff_t, uint8_t>;

    struct Due
    {
        LanePort* port;
        bool isStale;         ///< whether the rest is unknown or outdated
        LaneRequest* request; ///< first request that can be granted now; null: none
        Order order;          ///< its position in the order of a switch's grants
        int64_t next;         ///< when the next one can be granted; NEVER: unknown
    };

    std::size_t PlaceOf(const WormholePortState& port) const
    {
        return m_nodes[port.input.node->laneNode].begin + static_cast<uint32_t>(port.input.number);
    }

    std::size_t IndexOf(const WormholePortState& port) const
    {
        return PlaceOf(port) * GetNLanes();
    }

    void AddNodes(const std::vector<Ptr<WormholePort>>& ports);

    LaneNode& NodeOf(const WormholeNodeState& node)
    {
        return m_nodes[node.laneNode];
    }

    void WatchOthers(LanePort& port, const LaneRequest& granted, int64_t time);

    LaneHop* NewHop(const WormRoute::Reader& route,
                    WormRoute::Stop stop,
                    const WormRoute::Exits& told,
                    uint8_t firstLane,
                    uint64_t flits)
    {
        auto hop = m_hops.Take();
        hop->route = route;
        const auto exits = hop->route.Open(stop, told);
        hop->flits = flits;
        hop->input = nullptr;
        hop->stop = stop;
        hop->exits = exits;
        hop->channels = hop->route.GetChannels(exits, hop->own);
        hop->firstLane = firstLane;
        hop->hasChoices = exits.size > 1 && exits.areChoices;
        hop->asked = false;
        hop->requests = nullptr;
        hop->missing = hop->hasChoices ? 1 : static_cast<uint32_t>(exits.size);
        return hop;
    }

    static int64_t GetFreeAt(const WormRoute::Channel& channel, const LaneNode& node)
    {
        if (channel.port >= node.nPorts || node.times[channel.port].freeAt == WormholeOutput::NEVER)
        {
            node.input.node->RefusePort(channel.port);
        }
        return node.times[channel.port].freeAt;
    }

    LaneOutput& OutputOf(const LaneHop& hop,
                         const WormRoute::Channel& channel,
                         const LaneNode& node) const
    {
        const auto lane = std::size_t{hop.firstLane} + channel.lane;
        return node.outputs[channel.port * GetNLanes() + lane];
    }

    void MakeRequests(LaneHop& hop); ///< Prepares a worm's requests.

    LaneOutput& FindOutput(const LaneHop& hop, uint32_t index) const;
    LaneHop* Start(const Ptr<Worm>& worm, WormholeNodeState& node, int64_t time);

    void OnFront(LaneHop* hop);           ///< A worm is first in its lane now.
    void Ask(LaneHop* hop, int64_t time); ///< Makes a worm's requests.
    void AddRequests(LaneHop* hop, int64_t time);

    /// @return whether any output that a worm requests is free by a time, as far as is known
    bool IsSomeFree(const LaneHop& hop, int64_t time) const;

    void AskLater(LaneHop* hop, int64_t time); ///< Makes a worm's requests at a time.

    /// Grants a worm one of its choices if that is possible at once, else makes its requests; thus
    /// outputs that it does not take are not touched.
    /// @param time the instant; what precedes the worm in the order of grants is granted
    void AskNow(LaneHop* hop, int64_t time);

    void Leave(LaneHop* hop, int64_t time, const FlitEnvelope& departures);

    void Arm(const LaneOutput& lane)
    {
        ArmAt(*lane.shared, std::max(lane.readyAt, lane.shared->times->freeAt));
    }

    void ArmAt(LanePort& port, int64_t time); ///< Schedules a decision for an output.

    /// From now on worms have choices, and a node's outputs are decided on together.
    void UseChoices();

    /// Grants what can be granted of the outputs due, and of the requests made at the instant.
    /// @param node the requesting worms' node; null: none
    void GrantDue(LaneNode* node, int64_t time);

    void AddDue(LanePort& port);             ///< Adds an output to m_due.
    void Look(Due& due, int64_t time) const; ///< Finds which request can be granted.
    void Withdraw(const LaneRequest& granted);
    void Grant(LaneRequest& request, int64_t time);

    void Eject(LaneHop& hop, const LaneRequest& request, int64_t left);

    EngineRounds& m_rounds;
    LaneSettings m_settings;
    std::vector<LaneNode> m_nodes;
    std::vector<LaneOutput> m_outputs;      ///< by node, port and lane
    std::vector<LaneInput> m_inputs;        ///< by node, port and lane; of hosts, the sending side
    std::vector<LanePort> m_ports;          ///< by node and port
    std::vector<LanePortTimes> m_portTimes; ///< by node and port
    bool m_isTraced{false};                 ///< whether any port's trace source is connected
    uint64_t m_minDepth{0};                 ///< least depth of a switch's buffer, flits
    bool m_isLarge{false};                  ///< whether all lanes exceed a processor's own cache
    bool m_hasChoices{false};               ///< whether a worm with choices was ever handed over
    bool m_asksLate{false};                 ///< the same, and lanes have one priority: see AskNow
    RecordPool<LaneHop> m_hops;             ///< worms at nodes
    RecordPool<LaneRequests> m_requests;    ///< requests of worms
    std::vector<Due> m_due;                 ///< outputs for which Decide decides
};

} // namespace ns3

#endif /* LANE_ENGINE_H */
