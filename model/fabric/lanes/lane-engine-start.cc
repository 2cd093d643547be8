// SPDX-License-Identifier: GPL-2.0-only

// How an engine of lanes is set up, and how worms start.

#include "lane-engine.h"

#include "ns3/engine-rounds.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

namespace
{

constexpr uint32_t LANE_BITS = 8;
constexpr std::size_t CACHE_BYTES = 1 << 19; ///< of a small cache of level 2, half

} // namespace

LaneEngine::LaneEngine(EngineRounds& rounds,
                       LaneSettings settings,
                       const std::vector<Ptr<WormholePort>>& ports)
    : m_rounds(rounds),
      m_settings(std::move(settings)),
      m_minDepth(std::numeric_limits<uint64_t>::max())
{
    AddNodes(ports);
    for (const auto& port : ports)
    {
        auto& state = port->GetState();
        if (!state.isEjection)
        {
            m_minDepth = std::min<uint64_t>(m_minDepth, state.depth);
        }
        auto& shared = m_ports[PlaceOf(state)];
        auto& node = NodeOf(*state.input.node);
        shared.port = &state;
        shared.node = &node;
        shared.times = &m_portTimes[PlaceOf(state)];
        shared.outputs = &m_outputs[IndexOf(state)];
        shared.traced = state.traced;
        m_isTraced = m_isTraced || state.traced;
        shared.times->freeAt = 0;
        shared.hopLatency = state.hopLatency;
        shared.tau = m_rounds.times[state.pace];
        for (uint32_t lane = 0; lane < GetNLanes(); ++lane)
        {
            auto& output = shared.outputs[lane];
            output.SetUp(state, shared, static_cast<uint8_t>(lane));
            auto& input = m_inputs[IndexOf(state) + lane];
            input.port = &state;
            input.node = &node;
            input.creditDelay = state.input.creditDelay;
            input.lane = static_cast<uint8_t>(lane);
            input.source = input.upstream ? input.source : lane;
            if (!state.isEjection)
            {
                auto& far = m_inputs[IndexOf(state.GetFar()) + lane];
                output.far = &far;
                output.farNode = &NodeOf(*state.GetFar().input.node);
                far.upstream = &output;
                // What a switch makes itself comes before all, then what a host sends.
                far.source = static_cast<uint32_t>(state.farNumber + 1) << LANE_BITS | lane;
            }
        }
    }
}

void
LaneEngine::AddNodes(const std::vector<Ptr<WormholePort>>& ports)
{
    const auto isAdded = [this](const WormholeNodeState& node) {
        return node.laneNode < m_nodes.size() && m_nodes[node.laneNode].input.node == &node;
    };
    uint32_t nPorts = 0;
    for (const auto& port : ports)
    {
        const auto node = port->GetNode();
        if (!isAdded(*node))
        {
            node->laneNode = static_cast<uint32_t>(m_nodes.size());
            m_nodes.emplace_back();
            auto& added = m_nodes.back();
            added.input.node = node;
            added.begin = nPorts;
            added.nPorts = static_cast<uint32_t>(node->ports.size());
            nPorts += added.nPorts;
        }
    }
    m_outputs.resize(std::size_t{nPorts} * GetNLanes());
    m_inputs.resize(m_outputs.size());
    m_isLarge = m_outputs.size() * sizeof(LaneOutput) > CACHE_BYTES;
    m_ports.resize(nPorts);
    m_portTimes.resize(nPorts);
    for (auto& node : m_nodes)
    {
        node.outputs = m_outputs.data() + std::size_t{node.begin} * GetNLanes();
        node.times = m_portTimes.data() + node.begin;
    }
}

void
LaneEngine::MakeRequests(LaneHop& hop)
{
    hop.requests = m_requests.Take();
    hop.requests->left = WormholeOutput::ALWAYS;
    auto& list = hop.requests->list;
    list.clear();
    list.reserve(hop.exits.size);
    for (uint32_t i = 0; i < hop.exits.size; ++i)
    {
        list.emplace_back(hop, FindOutput(hop, i), i); // in place: it is read again at once
    }
}

LaneOutput&
LaneEngine::FindOutput(const LaneHop& hop, uint32_t index) const
{
    const auto& channel = hop.channels[index];
    const auto& node = hop.input ? *hop.input->node : *hop.maker;
    GetFreeAt(channel, node); // or there is no such output
    return OutputOf(hop, channel, node);
}

LaneHop*
LaneEngine::Start(const Ptr<Worm>& worm, WormholeNodeState& node, int64_t time)
{
    m_rounds.CountStart(worm, node);
    WormRoute::Reader route(*worm->GetRoute());
    const auto firstLane = m_settings.GetFirstLane(*worm);
    auto& here = NodeOf(node);
    auto hop = NewHop(route, 0, route.GetExits(0), firstLane, worm->GetFlits());
    hop->worm = PeekPointer(worm);
    hop->maker = &here;
    hop->arrivals = FlitEnvelope(time);
    if (!m_hasChoices && worm->GetRoute()->HasChoices())
    {
        UseChoices();
    }
    m_rounds.observer.Record(
        [&](auto& recorder) { recorder.Begin(worm, node, time, GetNLanes()); });
    return hop;
}

void
LaneEngine::Inject(const Ptr<Worm>& worm, WormholeNodeState& host, int64_t time)
{
    auto hop = Start(worm, host, time);
    const auto& first = FindOutput(*hop, 0);
    auto& input = m_inputs[IndexOf(*first.port) + first.lane];
    input.Push(hop);
    if (input.front == hop)
    {
        OnFront(hop);
    }
}

void
LaneEngine::Originate(const Ptr<Worm>& worm, WormholeNodeState& node)
{
    Ask(Start(worm, node, m_rounds.now), m_rounds.now);
}

void
LaneEngine::RefuseWorm(const Worm& worm, const WormholeNodeState& node) const
{
    const auto& route = *worm.GetRoute();
    const auto refuse = [&](const std::string& what) {
        throw WormholeError(node.name + " is to send a worm " + what);
    };
    if (route.GetMaxLane() >= m_settings.nRouteLanes)
    {
        refuse("in lane " + std::to_string(route.GetMaxLane()) +
               "; expected lanes below WormholeFabric::Lanes, which is " +
               std::to_string(m_settings.nRouteLanes));
    }
    if (worm.GetFlits() <= m_minDepth)
    {
        return;
    }
    std::vector<const WormholeNodeState*> nodes(route.GetNStops(), nullptr);
    nodes[0] = &node;
    for (WormRoute::Stop stop = 0; stop < nodes.size(); ++stop)
    {
        for (const auto branch : route.At(stop))
        {
            const auto output = nodes[stop]->GetOutput(branch.port);
            nodes[branch.next] = output->GetFar().input.node;
            if (!output->isEjection && worm.GetFlits() > output->depth)
            {
                refuse("of " + std::to_string(worm.GetFlits()) + " flits over " +
                       output->GetPort().GetName() + ", where a lane's buffer holds " +
                       std::to_string(output->depth) +
                       "; with WormholeFabric::Grant = worm it must hold all of it, as by "
                       "WormholePort::BufferDepth=" +
                       std::to_string(worm.GetFlits()));
            }
        }
    }
}

} // namespace ns3
