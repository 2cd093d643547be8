// SPDX-License-Identifier: GPL-2.0-only

// How an engine of single flits is set up, how worms start, and how its time goes on.

#include "flit-engine.h"

#include "ns3/abort.h"
#include "ns3/engine-rounds.h"
#include "ns3/make-event.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-route-manager.h"

namespace ns3
{

void
FlitHop::Advance(int64_t time, int64_t delay)
{
    const auto known = GetNKnown();
    while (arrived < known && arrivals[arrived - ready] <= time)
    {
        ++arrived;
    }
    while (ready < arrived && arrivals.front() + delay <= time)
    {
        since = ready == 0 ? arrivals.front() + delay : since;
        arrivals.pop_front();
        ++ready;
    }
}

FlitBranch&
FlitHop::GetBranch(const FlitOutput& output)
{
    return *std::find_if(branches.begin(), branches.end(), [&](const auto& branch) {
        return branch.taken && branch.taken->output == &output;
    });
}

FlitEngine::FlitEngine(EngineRounds& rounds,
                       const WormHops& hops,
                       ForwardingEngine* transit,
                       FlitSettings settings,
                       const std::vector<Ptr<WormholePort>>& ports)
    : m_rounds(rounds),
      m_hops(hops),
      m_transit(transit),
      m_settings(std::move(settings)),
      m_instant(MakeEvent(&FlitEngine::OnInstant, this), false)
{
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        auto& state = ports[i]->GetState();
        if (i % 2 == 0)
        {
            m_cables.push_back(std::make_unique<FlitCable>());
        }
        auto& node = AddNode(*ports[i]->GetNode());
        auto& output = node.outputs[ports[i]->GetNumber()];
        output.port = &state;
        output.node = &node;
        output.cable = m_cables.back().get();
        output.cable->ends[i % 2] = &output;
        output.tau = m_rounds.times[state.pace];
        output.delay = ports[i]->GetChannel()->GetDelay().GetTimeStep();
        output.detection = m_settings.detection;
        output.credits.assign(GetNLanes(), state.depth);
        output.returning.assign(GetNLanes(), 0);
        output.owed.assign(GetNLanes(), 0);
    }
    for (const auto& cable : m_cables)
    {
        for (const auto output : cable->ends)
        {
            const auto& far = output->port->GetFar().input;
            auto& node = NodeOf(*far.node);
            output->far = &node.inputs[far.number * GetNLanes()];
            for (uint32_t lane = 0; lane < GetNLanes(); ++lane)
            {
                output->far[lane] = {&node, output, far.number, static_cast<uint8_t>(lane), {}};
            }
        }
    }
}

FlitNode&
FlitEngine::AddNode(WormholeNodeState& state)
{
    auto& node = m_nodeOf[&state];
    if (!node)
    {
        m_nodes.push_back(std::make_unique<FlitNode>());
        node = m_nodes.back().get();
        node->state = &state;
        node->index = m_nodes.size();
        node->outputs.resize(state.ports.size());
        node->inputs.resize(state.ports.size() * GetNLanes());
        for (uint32_t lane = 0; node->IsHost() && lane < GetNLanes(); ++lane)
        {
            node->queues.push_back({node, nullptr, -1, static_cast<uint8_t>(lane), {}});
        }
    }
    return *node;
}

Ptr<FlitHop>
FlitEngine::MakeHop(const Ptr<const Worm>& worm,
                    const Ptr<const WormRoute>& way,
                    FlitNode& node,
                    WormRoute::Stop stop,
                    uint64_t flits)
{
    auto hop = Create<FlitHop>();
    hop->worm = worm;
    hop->route = way;
    hop->isManagement =
        m_settings.manager && dynamic_cast<const ManagementWorm*>(PeekPointer(worm));
    hop->node = &node;
    hop->stop = stop;
    hop->flits = flits;
    const auto& route = *way;
    const auto firstLane = m_settings.lanes.GetFirstLane(*worm);
    for (const auto branch : route.At(stop))
    {
        if (branch.port >= node.outputs.size() || !node.outputs[branch.port].cable)
        {
            node.state->RefusePort(branch.port);
        }
        const auto lane = static_cast<uint8_t>(firstLane + route.GetLane(branch.next));
        hop->options.push_back({&node.outputs[branch.port], lane, branch.next});
    }
    const auto nOptions = hop->options.size();
    const auto nBranches = route.HasChoices() ? std::min<std::size_t>(nOptions, 1) : nOptions;
    for (std::size_t i = 0; i < nBranches; ++i)
    {
        hop->branches.push_back(
            {i, route.HasChoices() ? nOptions : i + 1, nullptr, 0, false, nullptr});
    }
    hop->missing = nBranches;
    return hop;
}

Ptr<FlitHop>
FlitEngine::Start(const Ptr<Worm>& worm, WormholeNodeState& node, int64_t time)
{
    const auto flits = worm->GetFlits() + m_hops.GetRouteFlits(*worm->GetRoute(), 0);
    const auto hop = MakeHop(worm, worm->GetRoute(), NodeOf(node), 0, flits);
    m_rounds.CountStart(worm, node);
    m_rounds.observer.Record([&](auto& recorder) {
        recorder.Begin(worm, node, time, GetNLanes());
        recorder.CountHop(worm->GetId());
        recorder.NoteOutage(m_firstOutage);
    });
    hop->arrived = hop->ready = flits;
    hop->since = time;
    return hop;
}

void
FlitEngine::Inject(const Ptr<Worm>& worm, WormholeNodeState& host, int64_t time)
{
    const auto hop = Start(worm, host, time);
    hop->input = &hop->node->queues[hop->options.front().lane];
    Push(std::max(time - host.delay, m_rounds.now), {ENTER, hop}); // in turn, it has passed that
}

void
FlitEngine::Originate(const Ptr<Worm>& worm, WormholeNodeState& node)
{
    const auto hop = Start(worm, node, m_rounds.now);
    hop->order = m_nMade++;
    hop->input = hop->node->IsHost() ? &hop->node->queues[hop->options.front().lane] : nullptr;
    Push(m_rounds.now, {ENTER, hop});
}

void
FlitEngine::ScheduleInstant()
{
    if (!m_events.empty() && (m_instants.empty() || m_events.front().time < m_instants.back()))
    {
        m_instants.push_back(m_events.front().time);
        ++m_rounds.counts.eventsPending;
        Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                       TimeStep(m_instants.back()) - Simulator::Now(),
                                       GetPointer(m_instant));
    }
}

void
FlitEngine::OnInstant()
{
    --m_rounds.counts.eventsPending;
    if (m_rounds.IsClosed())
    {
        return;
    }
    m_rounds.Update();
    m_now = m_rounds.now;
    m_rounds.CloseOnError([this] {
        // What a switch sends because of what it takes asks for its outputs at the same instant.
        while (!m_events.empty() && m_events.front().time <= m_now)
        {
            HandleEvents();
            std::sort(m_dirty.begin(), m_dirty.end(), [](const auto a, const auto b) {
                return a->index < b->index;
            });
            for (const auto node : m_dirty)
            {
                EndMarked(*node);
                node->state->DeliverDue(m_now);
            }
        }
        for (const auto node : m_dirty)
        {
            Ask(*node);
            Arbitrate(*node);
            node->VisitFronts([this](FlitHop& hop) { Send(hop); });
            node->isDirty = false;
        }
        m_dirty.clear();
    });
    m_instants.pop_back();
    ScheduleInstant();
    m_rounds.CheckProgress();
}

void
FlitEngine::HandleEvents()
{
    while (!m_events.empty() && m_events.front().time <= m_now)
    {
        std::pop_heap(m_events.begin(), m_events.end(), std::greater<>());
        const auto event = std::move(m_events.back());
        m_events.pop_back();
        const auto& hop = event.hop;
        switch (event.kind)
        {
        case ENTER:
            m_handedOver.push_back(hop);
            break;
        case PASS:
            if (!hop->isGone)
            {
                Pass(hop);
            }
            break;
        case TOLD:
            --m_rounds.counts.pendingDestinations;
            m_settings.manager->Receive(*hop->node->state,
                                        0,
                                        StaticCast<const ManagementWorm>(hop->worm));
            break;
        case WAKE:
            SetDirty(*event.node);
            break;
        case CREDIT:
            event.output->credits[event.lane] += event.count;
            event.output->returning[event.lane] -= event.count;
            SetDirty(*event.output->node);
            break;
        case TAIL:
            if (!hop->isGone)
            {
                auto& branch = hop->branches[event.count];
                branch.taken->output->owner = nullptr;
                Leave(*hop, branch);
            }
            break;
        case MARK:
            if (!hop->isGone)
            {
                Cut(hop, false);
            }
            break;
        default:
            m_outages.push_back(event);
        }
    }
    for (const auto& hop : m_handedOver)
    {
        HandOver(hop);
    }
    m_handedOver.clear();
    if (!m_outages.empty())
    {
        HandleOutages();
    }
}

void
FlitEngine::HandOver(const Ptr<FlitHop>& hop)
{
    if (hop->node->outages.At(m_now))
    {
        TellLoss(*hop, nullptr, hop->flits, WormholeLoss::HANDED);
        RecordCut(*hop, 0);
        m_rounds.observer.Record(
            [&](auto& recorder) { recorder.DropHop(hop->worm->GetId(), m_now); });
        m_rounds.counts.pendingDestinations -= hop->worm->GetRoute()->GetNDestinations();
        TellNotSent(*hop);
        return;
    }
    auto& queue = hop->input ? hop->input->queue : hop->node->made;
    const auto waits = [](const auto& other) { return other->missing > 0; };
    const bool goesAhead = hop->input && hop->isManagement;
    queue.insert(goesAhead ? std::find_if(queue.begin(), queue.end(), waits) : queue.end(), hop);
    SetDirty(*hop->node);
    Push(hop->since, {WAKE, nullptr, hop->node}); // it may ask later
}

void
FlitEngine::CheckConservation() const
{
    if (m_rounds.IsClosed())
    {
        return; // an error may have come up while a flit moved
    }
    for (const auto& cable : m_cables)
    {
        for (const auto output : cable->ends)
        {
            auto accounted = output->lost + output->left;
            for (uint32_t lane = 0; lane < GetNLanes() && !output->port->isEjection; ++lane)
            {
                uint64_t held = 0;
                for (const auto& hop : output->far[lane].queue)
                {
                    held += hop->GetNKnown() - hop->freed;
                }
                accounted += held;
                const auto slots = output->credits[lane] + output->returning[lane] +
                                   output->owed[lane] + static_cast<int64_t>(held);
                NS_ABORT_MSG_IF(slots != int64_t{output->port->depth},
                                "port " << output->port->GetPort().GetName() << " knows of "
                                        << slots << " slots of " << output->port->depth
                                        << " in lane " << lane);
            }
            NS_ABORT_MSG_IF(output->sent != accounted,
                            "port " << output->port->GetPort().GetName() << " sent " << output->sent
                                    << " flits, but " << accounted
                                    << " were lost, have left the next node or are in it");
        }
    }
}

} // namespace ns3
