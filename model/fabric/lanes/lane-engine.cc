/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lane-engine.h"

#include "ns3/abort.h"
#include "ns3/run-engine.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-port.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// Bits of LaneInput::source that the lane takes.
constexpr uint32_t LANE_BITS = 8;

} // namespace

LaneEngine::LaneEngine(RunEngine& engine,
                       LaneSettings settings,
                       const std::vector<Ptr<WormholePort>>& ports)
    : m_engine(engine),
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
        m_hasCable[PlaceOf(state)] = true;
        shared.hopLatency = state.hopLatency;
        shared.tau = m_engine.m_times[state.pace];
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
    m_ports.resize(nPorts);
    m_portTimes.resize(nPorts);
    m_hasCable.resize(nPorts);
    for (auto& node : m_nodes)
    {
        node.outputs = m_outputs.data() + std::size_t{node.begin} * GetNLanes();
        node.times = m_portTimes.data() + node.begin;
    }
}

LaneNode&
LaneEngine::NodeOf(const WormholeNodeState& node)
{
    return m_nodes[node.laneNode];
}

std::size_t
LaneEngine::PlaceOf(const WormholePortState& port) const
{
    return m_nodes[port.input.node->laneNode].begin + static_cast<uint32_t>(port.input.number);
}

std::size_t
LaneEngine::IndexOf(const WormholePortState& port) const
{
    return PlaceOf(port) * GetNLanes();
}

uint8_t
LaneEngine::GetLane(const WormholePortState& port) const
{
    return m_ports[PlaceOf(port)].last;
}

const LaneOutput&
LaneEngine::GetOutput(const WormholePortState& port, uint32_t lane) const
{
    return m_outputs[IndexOf(port) + lane];
}

const LaneInput&
LaneEngine::GetInput(const WormholePortState& port, uint32_t lane) const
{
    return m_inputs[IndexOf(port) + lane];
}

uint32_t
LaneEngine::GetNWaiting(const WormholePortState& port, uint32_t lane, int64_t time) const
{
    uint32_t count = 0;
    for (auto request = GetOutput(port, lane).requests; request; request = request->behind)
    {
        count += request->since <= time;
    }
    for (const auto& asking : m_nodes[port.input.node->laneNode].asking)
    {
        for (const auto& request : asking.hop->requests)
        {
            count += request.output == &GetOutput(port, lane) && asking.turn.since <= time;
        }
    }
    return count;
}

LaneHop*
LaneEngine::NewHop(const WormRoute::Reader& route,
                   WormRoute::Stop stop,
                   const WormRoute::Exits& exits,
                   uint8_t firstLane,
                   uint64_t flits,
                   const LaneNode& node)
{
    if (m_spare.empty())
    {
        m_hops.emplace_back();
        m_spare.push_back(&m_hops.back());
    }
    auto hop = m_spare.back();
    m_spare.pop_back();
    hop->route = route;
    hop->flits = flits;
    hop->input = nullptr;
    hop->stop = stop;
    hop->next = exits.begin + 1;
    hop->firstLane = firstLane;
    hop->hasChoices = exits.size > 1 && exits.areChoices;
    hop->asked = false;
    hop->requests.clear();
    hop->requests.reserve(exits.size);
    WormRoute::Channel made;
    for (uint32_t i = 0; i < exits.size; ++i)
    {
        const auto& channel = route.GetChannel(exits, i, made);
        if (channel.port >= node.nPorts || !m_hasCable[node.begin + channel.port])
        {
            node.input.node->RefusePort(channel.port);
        }
        const auto lane = std::size_t{channel.port} * GetNLanes() + firstLane + channel.lane;
        hop->requests.emplace_back(hop, node.outputs + lane, channel, hop->hasChoices ? i : 0);
    }
    if (exits.size > 0)
    {
        route.Prefetch(hop->requests.front().exits); // most take their first choice
    }
    hop->missing = hop->hasChoices ? 1 : static_cast<uint32_t>(exits.size);
    if (hop->missing > 1)
    {
        hop->left = WormholeOutput::ALWAYS;
    }
    return hop;
}

LaneHop*
LaneEngine::Start(const Ptr<Worm>& worm, WormholeNodeState& node, int64_t time)
{
    m_engine.CountStart(worm, node);
    const WormRoute::Reader route(*worm->GetRoute());
    const auto firstLane = static_cast<uint8_t>(GetFirstLane(*worm));
    auto& here = NodeOf(node);
    auto hop = NewHop(route, 0, route.GetExits(0), firstLane, worm->GetFlits(), here);
    hop->worm = worm;
    hop->maker = &here;
    hop->arrivals = FlitEnvelope(time);
    if (!m_hasChoices && worm->GetRoute()->HasChoices())
    {
        UseChoices();
    }
    if (m_engine.m_isObserved)
    {
        ObserveStart(*hop, time);
    }
    return hop;
}

void
LaneEngine::Inject(const Ptr<Worm>& worm, WormholeNodeState& host, int64_t time)
{
    auto hop = Start(worm, host, time);
    const auto& first = *hop->requests.front().output;
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
    const auto now = m_engine.m_now;
    Ask(Start(worm, node, now), now);
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
               "; accepted are lanes below WormholeFabric::Lanes, which is " +
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
                       "; with WormholeFabric::Grant = worm it must hold all of it: a "
                       "WormholePort::BufferDepth of " +
                       std::to_string(worm.GetFlits()) + " would do");
            }
        }
    }
}

void
LaneEngine::OnFront(LaneHop* hop)
{
    if (hop->requests.empty())
    {
        Consume(hop);
    }
    else
    {
        Ask(hop, std::max(hop->input->left, hop->arrivals.At(0)));
    }
}

void
LaneEngine::Ask(LaneHop* hop, int64_t time)
{
    const auto source = hop->input ? hop->input->source : 0;
    for (auto& request : hop->requests)
    {
        if (m_isTraced && request.output->shared->traced)
        {
            request.output->port->GetPort().NotifyRequest(hop->worm, time);
        }
        if (m_engine.m_isObserved)
        {
            ObserveRequest(request, time);
        }
        request.since = time;
        request.source = source;
    }
    // As long as nothing speaks against one of them.
    if (m_asksLate && hop->input && hop->missing == 1 && IsSomeFree(*hop, time))
    {
        AskLater(hop, time);
    }
    else
    {
        AddRequests(hop);
    }
}

void
LaneEngine::AddRequests(LaneHop* hop)
{
    hop->asked = true;
    for (auto& request : hop->requests)
    {
        request.output->AddRequest(request);
    }
    for (const auto& request : hop->requests)
    {
        Arm(*request.output);
    }
}

bool
LaneEngine::IsSomeFree(const LaneHop& hop, int64_t time)
{
    const auto times = hop.input->node->times;
    return std::any_of(hop.requests.begin(), hop.requests.end(), [&](const LaneRequest& request) {
        return times[request.port].freeAt <= time;
    });
}

LaneRequest*
LaneEngine::FindGrantable(LaneHop& hop, int64_t time)
{
    const auto times = hop.input->node->times;
    for (auto& request : hop.requests)
    {
        if (times[request.port].freeAt <= time && request.output->CanGrant(request, time))
        {
            return &request;
        }
    }
    return nullptr;
}

void
LaneEngine::AskLater(LaneHop* hop, int64_t time)
{
    auto& node = *hop->input->node;
    const LaneTurn turn{time, hop->input->source};
    auto place = node.asking.begin();
    while (place != node.asking.end() && turn.IsBefore(place->turn))
    {
        ++place;
    }
    node.asking.insert(place, {turn, hop});
    PushDecision(node, time);
}

void
LaneEngine::AskNow(LaneHop* hop, int64_t time)
{
    const auto request = FindGrantable(*hop, time);
    if (!request)
    {
        AddRequests(hop);
        return;
    }
    auto& shared = *request->output->shared;
    Grant(*request, time);
    if (shared.asked)
    {
        AddDue(shared); // those who are behind it in order have to wait
    }
}

void
LaneEngine::Consume(LaneHop* hop)
{
    auto& input = *hop->input;
    const auto flits = hop->GetFlits();
    const auto time = std::max(input.left, hop->arrivals.At(flits - 1));
    input.port->input.node->DeliverAt(time, static_cast<uint32_t>(input.GetNumber()), hop->worm);
    m_engine.m_counts.flitsOut += flits;
    if (m_engine.m_isObserved)
    {
        ObserveEnd(*hop, time);
    }
    Leave(hop, time, FlitEnvelope(time));
}

void
LaneEngine::Leave(LaneHop* hop, int64_t time, const FlitEnvelope& departures)
{
    const auto input = hop->input;
    if (input && input->upstream)
    {
        auto& upstream = *input->upstream;
        if (upstream.AddCredits(hop->flits, departures.After(input->creditDelay)))
        {
            Arm(upstream);
        }
    }
    hop->worm = nullptr;
    m_spare.push_back(hop);
    if (input)
    {
        input->left = time;
        input->front = hop->behind;
        if (input->front)
        {
            OnFront(input->front);
        }
    }
}

void
LaneEngine::Arm(const LaneOutput& lane)
{
    ArmAt(*lane.shared, std::max(lane.readyAt, lane.shared->times->freeAt));
}

void
LaneEngine::ArmAt(LanePort& port, int64_t time)
{
    if (time < port.times->decisionAt)
    {
        port.times->decisionAt = time;
        port.node->portsAt = std::min(port.node->portsAt, time);
        PushDecision(m_hasChoices ? *port.node : *port.port, time);
    }
}

void
LaneEngine::PushDecision(WormholePortState& port, int64_t time)
{
    if (time < port.decisionAt)
    {
        port.decisionAt = time;
        m_engine.m_decisions.Push(time, &port);
        m_engine.ScheduleRound(time);
    }
}

void
LaneEngine::UseChoices()
{
    m_hasChoices = true;
    for (const auto& port : m_ports)
    {
        if (port.port)
        {
            port.port->decisionAt = WormholeOutput::NEVER; // those of outputs stand no more
        }
    }
    for (auto& node : m_nodes)
    {
        node.FindPortsAt();
        PushDecision(node, node.portsAt);
    }
    const auto& priorities = m_settings.priorities;
    m_asksLate = std::all_of(priorities.begin(), priorities.end(), [&](int32_t priority) {
        return priority == priorities.front();
    });
}

void
LaneEngine::Decide(WormholePortState& port, int64_t time)
{
    m_due.clear();
    if (m_hasChoices)
    {
        DecideTogether(static_cast<LaneNode&>(port), time);
        return;
    }
    AddDue(m_ports[PlaceOf(port)]); // no output's grants matter to those of another
    GrantDue(nullptr, time);
}

void
LaneEngine::DecideTogether(LaneNode& node, int64_t time)
{
    // What is armed meanwhile is for later.
    node.decisionAt = time;
    if (!node.asking.empty())
    {
        const auto& hop = *node.asking.back().hop;
        hop.route.Prefetch(hop.requests.front().exits);
    }
    const bool hasDue = node.portsAt == time;
    for (uint32_t i = 0; hasDue && i < node.nPorts; ++i)
    {
        if (node.times[i].decisionAt == time)
        {
            AddDue(m_ports[node.begin + i]);
        }
    }
    GrantDue(&node, time);
    if (hasDue || !m_due.empty())
    {
        node.FindPortsAt();
    }
    const auto next = node.asking.empty() ? WormholeOutput::NEVER : node.asking.back().turn.since;
    node.decisionAt = WormholeOutput::NEVER;
    PushDecision(node, std::min(next, node.portsAt));
}

void
LaneEngine::GrantDue(LaneNode* node, int64_t time)
{
    while (true)
    {
        Due* best = nullptr;
        for (auto& due : m_due)
        {
            if (due.isStale)
            {
                Look(due, time);
            }
            if (due.request && (!best || due.order < best->order))
            {
                best = &due;
            }
        }
        if (node && !node->asking.empty() && node->asking.back().turn.since == time &&
            (!best || node->asking.back().turn.IsBefore(*best->request)))
        {
            const auto hop = node->asking.back().hop;
            node->asking.pop_back();
            AskNow(hop, time);
            continue;
        }
        if (!best)
        {
            break;
        }
        auto& request = *best->request;
        best->isStale = true;
        WatchOthers(*best->port, request, time);
        Grant(request, time);
    }
    for (const auto& due : m_due)
    {
        ArmAt(*due.port, due.next);
    }
}

void
LaneEngine::AddDue(LanePort& port)
{
    for (auto& due : m_due)
    {
        if (due.port == &port)
        {
            due.isStale = true;
            return;
        }
    }
    m_due.push_back({&port, true, nullptr, {}, WormholeOutput::NEVER});
    port.times->decisionAt = WormholeOutput::NEVER;
}

void
LaneEngine::Look(Due& due, int64_t time) const
{
    const auto& port = *due.port;
    due.isStale = false;
    due.request = nullptr;
    due.next = WormholeOutput::NEVER;
    for (auto lane = port.asked; lane; lane = lane->nextAsked)
    {
        const auto at = std::max(lane->readyAt, port.times->freeAt);
        if (at > time)
        {
            due.next = std::min(due.next, at);
            continue;
        }
        const auto first = lane->requests;
        const Order order{-int64_t{m_settings.priorities[lane->lane]},
                          first->since,
                          first->source,
                          static_cast<uint16_t>(first->rank),
                          &port - m_ports.data(),
                          lane->lane};
        if (!due.request || order < due.order)
        {
            due.request = first;
            due.order = order;
        }
    }
}

void
LaneEngine::Withdraw(const LaneRequest& granted)
{
    for (auto& other : granted.hop->requests)
    {
        auto& lane = *other.output;
        if (&other == &granted || !other.isWaiting)
        {
            continue;
        }
        const bool wasFirst = lane.requests == &other;
        lane.RemoveRequest(other);
        // Whoever was behind it may go now.
        if (wasFirst)
        {
            AddDue(*lane.shared);
        }
    }
}

void
LaneEngine::WatchOthers(LanePort& port, const LaneRequest& granted, int64_t time)
{
    for (auto lane = port.asked; lane; lane = lane->nextAsked)
    {
        auto& first = *lane->requests;
        if (lane->readyAt <= time && first.hop != granted.hop && !first.starves &&
            time - first.since >= m_settings.patience)
        {
            first.starves = true;
            m_settings.onStarvation({first.hop->worm,
                                     &port.port->GetPort(),
                                     lane->lane,
                                     granted.hop->worm,
                                     first.since,
                                     time});
        }
    }
}

void
LaneEngine::Grant(LaneRequest& request, int64_t time)
{
    auto& hop = *request.hop;
    auto& lane = *request.output;
    auto& shared = *lane.shared;
    auto& port = *shared.port;
    const auto upstream = hop.input ? hop.input->upstream : nullptr;
    hop.route.Prefetch(request.exits);
    if (request.isWaiting)
    {
        lane.GrantFirst(time);
    }
    else
    {
        lane.Use(hop.flits, time);
    }
    if (hop.hasChoices && hop.asked)
    {
        Withdraw(request);
    }
    auto starts = hop.arrivals.Through(time, shared.tau);
    const auto last = starts.At(hop.flits - 1);
    RunEngine::CheckTime(port, last);
    const auto left = last + shared.tau;
    shared.last = lane.lane;
    shared.times->freeAt = left;
    auto& counts = m_engine.m_counts;
    ++counts.wormHops;
    counts.flitHops += hop.flits;
    if (!upstream)
    {
        counts.flitsIn += hop.flits;
    }
    if (shared.traced)
    {
        NotifyGrant(port.GetPort(), request, time);
        port.GetPort().NotifyTailLeft(hop.worm, left);
    }
    if (m_engine.m_isObserved)
    {
        ObserveGrant(request, time, starts);
    }
    if (lane.far)
    {
        Enter(hop, request, starts.After(shared.hopLatency));
    }
    else
    {
        Eject(hop, request, left);
    }
    if (hop.requests.size() == 1 || hop.hasChoices)
    {
        Leave(&hop, left, starts);
        return;
    }
    if (hop.left == WormholeOutput::ALWAYS)
    {
        hop.departures = std::move(starts);
    }
    else
    {
        hop.departures.Meet(starts);
    }
    hop.left = std::max(hop.left, left);
    if (--hop.missing == 0)
    {
        Leave(&hop, hop.left, hop.departures);
    }
}

void
LaneEngine::Enter(LaneHop& hop, const LaneRequest& request, FlitEnvelope arrivals)
{
    auto& far = *request.output->far;
    auto next =
        NewHop(hop.route, request.GetNext(), request.exits, hop.firstLane, hop.flits, *far.node);
    if (hop.missing == 1)
    {
        next->worm = std::move(hop.worm);
    }
    else
    {
        next->worm = hop.worm;
    }
    next->arrivals = std::move(arrivals);
    far.Push(next);
    if (far.front == next)
    {
        OnFront(next);
    }
}

void
LaneEngine::Eject(const LaneHop& hop, const LaneRequest& request, int64_t left)
{
    const auto& port = *request.output->port;
    const auto& input = port.GetFar().input;
    if (request.exits.size > 0)
    {
        throw WormholeError(input.node->name + ": a route goes on beyond this host; " +
                            "accepted are routes that end at hosts");
    }
    m_engine.m_counts.flitsOut += hop.GetFlits();
    // The interface's delay is included.
    const auto time = left + port.hopLatency - m_engine.m_times[port.pace];
    if (input.traced)
    {
        input.port->NotifyDelivered(hop.worm, time - input.node->delay);
    }
    __builtin_prefetch(PeekPointer(hop.worm)); // nobody has looked at it on its way
    m_engine.ScheduleArrival(time, input.node, static_cast<uint32_t>(input.number), hop.worm);
}

void
LaneEngine::CheckConservation(const WormholePortState& port) const
{
    for (uint32_t lane = 0; lane < GetNLanes(); ++lane)
    {
        const auto& output = GetOutput(port, lane);
        auto accounted = output.GetNFreed();
        for (auto hop = output.far ? output.far->front : nullptr; hop; hop = hop->behind)
        {
            accounted += hop->GetFlits();
        }
        NS_ABORT_MSG_IF(output.far && output.sent != accounted,
                        "port " << port.GetPort().GetName() << " sent " << output.sent
                                << " flits in lane " << lane << ", but " << accounted
                                << " have left the next buffer or are in it");
    }
}

} // namespace ns3
