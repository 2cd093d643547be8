// SPDX-License-Identifier: GPL-2.0-only

#include "lane-engine.h"

#include "ns3/abort.h"
#include "ns3/engine-rounds.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

uint32_t
LaneEngine::GetNWaiting(const WormholePortState& port, uint32_t lane, int64_t time) const
{
    const auto& output = GetOutput(port, lane);
    uint32_t count = 0;
    for (auto request = output.requests; request; request = request->behind)
    {
        count += request->since <= time;
    }
    const auto& node = m_nodes[port.input.node->laneNode];
    for (const auto& asking : node.asking)
    {
        const auto& hop = *asking.hop;
        count += asking.turn.since <= time &&
                 std::any_of(hop.channels, hop.GetChannelsEnd(), [&](const auto& channel) {
                     return &OutputOf(hop, channel, node) == &output;
                 });
    }
    return count;
}

void
LaneEngine::OnFront(LaneHop* hop)
{
    auto& input = *hop->input;
    if (hop->exits.size > 0)
    {
        Ask(hop, std::max(input.left, hop->arrivals.At(0)));
        return;
    }
    // It ends in this switch, which takes it.
    const auto flits = hop->flits;
    const auto time = std::max(input.left, hop->arrivals.At(flits - 1));
    input.port->input.node->DeliverAt(time,
                                      static_cast<uint32_t>(input.GetNumber()),
                                      hop->GetWorm());
    m_rounds.counts.flitsOut += flits;
    m_rounds.observer.Record([&](auto& recorder) {
        recorder.Take({hop->worm->GetId(), hop->stop}, &input, time, input.lane);
    });
    Leave(hop, time, FlitEnvelope(time));
}

void
LaneEngine::Ask(LaneHop* hop, int64_t time)
{
    // As long as nothing speaks against one of its choices.
    const bool asksLate = m_asksLate && hop->input && hop->missing == 1 && IsSomeFree(*hop, time);
    if (m_isTraced || m_rounds.observer.IsOn())
    {
        MakeRequests(*hop);
        m_rounds.observer.Ask(*hop, time);
    }
    if (asksLate)
    {
        AskLater(hop, time);
    }
    else
    {
        AddRequests(hop, time);
    }
}

void
LaneEngine::AddRequests(LaneHop* hop, int64_t time)
{
    if (!hop->requests)
    {
        MakeRequests(*hop);
    }
    hop->asked = true;
    for (auto& request : hop->requests->list)
    {
        request.since = time;
        request.source = hop->input ? hop->input->source : 0;
        request.output->AddRequest(request);
    }
    for (const auto& request : hop->requests->list)
    {
        Arm(*request.output);
    }
}

bool
LaneEngine::IsSomeFree(const LaneHop& hop, int64_t time) const
{
    const auto& node = *hop.input->node;
    hop.route.Prefetch(hop.channels->exits); // most take their first choice
    // To look at all of them costs less than to stop where no processor foresees it.
    auto first = WormholeOutput::NEVER;
    for (auto channel = hop.channels; channel != hop.GetChannelsEnd(); ++channel)
    {
        first = std::min(first, GetFreeAt(*channel, node));
    }
    return first <= time;
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
    for (auto channel = hop->channels; m_isLarge && channel != hop->GetChannelsEnd(); ++channel)
    {
        OutputOf(*hop, *channel, node).Prefetch();
        __builtin_prefetch(&m_ports[node.begin + channel->port], 1);
    }
    m_rounds.PushDecision(node, time);
}

void
LaneEngine::AskNow(LaneHop* hop, int64_t time)
{
    const auto& node = *hop->input->node;
    const LaneTurn turn{time, hop->input->source};
    // IsSomeFree has found that there are such outputs.
    const auto canGrant = [&](const WormRoute::Channel& channel) {
        return node.times[channel.port].freeAt <= time &&
               OutputOf(*hop, channel, node).CanGrant(turn, hop->flits, time);
    };
    // Choices are few, and std::find_if is a long piece of code.
    uint32_t choice = 0;
    while (choice < hop->exits.size && !canGrant(hop->channels[choice]))
    {
        ++choice;
    }
    if (choice == hop->exits.size)
    {
        AddRequests(hop, time);
        return;
    }
    LaneRequest request(*hop, FindOutput(*hop, choice), choice);
    request.since = time;
    auto& shared = *request.output->shared;
    Grant(request, time);
    if (shared.asked)
    {
        AddDue(shared); // those who are behind it in order have to wait
    }
}

void
LaneEngine::Leave(LaneHop* hop, int64_t time, const FlitEnvelope& departures)
{
    const auto input = hop->input;
    if (input && input->upstream)
    {
        auto& upstream = *input->upstream;
        if (upstream.AddCredits(hop->flits, departures, input->creditDelay))
        {
            Arm(upstream);
        }
    }
    hop->worm = nullptr;
    if (hop->requests)
    {
        m_requests.Put(hop->requests);
    }
    m_hops.Put(hop);
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
LaneEngine::Grant(LaneRequest& request, int64_t time)
{
    auto& hop = *request.hop;
    auto& lane = *request.output;
    auto& shared = *lane.shared;
    auto& port = *shared.port;
    const auto upstream = hop.input ? hop.input->upstream : nullptr;
    hop.route.Prefetch(request.exits);
    if (m_isLarge)
    {
        lane.PrefetchFar();
    }
    if (request.isWaiting)
    {
        lane.Unlink(request);
    }
    lane.Use(hop.flits, time);
    if (hop.hasChoices && hop.asked)
    {
        Withdraw(request);
    }
    auto starts = hop.arrivals.Through(time, shared.tau);
    const auto last = starts.At(hop.flits - 1);
    EngineRounds::CheckTime(port, last);
    const auto left = last + shared.tau;
    shared.last = lane.lane;
    shared.times->freeAt = left;
    auto& counts = m_rounds.counts;
    ++counts.wormHops;
    counts.flitHops += hop.flits;
    counts.flitsIn += upstream ? 0 : hop.flits;
    if (shared.traced || m_rounds.observer.IsOn())
    {
        m_rounds.observer.Grant(request, time, m_rounds.now, starts, m_settings.priorities);
    }
    if (lane.far)
    {
        auto next = NewHop(hop.route, request.GetNext(), request.exits, hop.firstLane, hop.flits);
        next->worm = hop.missing == 1 ? std::move(hop.worm) : hop.worm; // needs it no more
        next->arrivals = FlitEnvelope(starts, shared.hopLatency);
        lane.far->Push(next);
        if (lane.far->front == next)
        {
            OnFront(next);
        }
    }
    else
    {
        Eject(hop, request, left);
    }
    if (hop.exits.size == 1 || hop.hasChoices)
    {
        Leave(&hop, left, starts);
        return;
    }
    auto& granted = *hop.requests;
    if (granted.left == WormholeOutput::ALWAYS)
    {
        granted.departures = std::move(starts);
    }
    else
    {
        granted.departures.Meet(starts);
    }
    granted.left = std::max(granted.left, left);
    if (--hop.missing == 0)
    {
        Leave(&hop, granted.left, granted.departures);
    }
}

void
LaneEngine::Eject(LaneHop& hop, const LaneRequest& request, int64_t left)
{
    const auto& port = *request.output->port;
    const auto& input = port.GetFar().input;
    if (request.exits.size > 0)
    {
        throw WormholeError(input.node->name + ": a route goes on beyond this host; " +
                            "expected routes that end at hosts");
    }
    m_rounds.counts.flitsOut += hop.flits;
    // The interface's delay is included.
    const auto time = left + port.hopLatency - m_rounds.times[port.pace];
    EngineObserver::Deliver(input, hop, time);
    // Nobody has looked at them on the way.
    hop.worm->Prefetch();
    hop.route.PrefetchRoute();
    m_rounds.ScheduleArrival(time,
                             input.node,
                             static_cast<uint32_t>(input.number),
                             hop.missing == 1 ? std::move(hop.worm) : hop.worm);
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
            accounted += hop->flits;
        }
        NS_ABORT_MSG_IF(output.far && output.sent != accounted,
                        "port " << port.GetPort().GetName() << " sent " << output.sent
                                << " flits in lane " << lane << ", but " << accounted
                                << " have left the next buffer or are in it");
    }
}

} // namespace ns3
