// SPDX-License-Identifier: GPL-2.0-only

// How an engine of single flits has worms ask for outputs, grants these, and moves flits.

#include "flit-engine.h"

#include "ns3/forwarding-engine.h"
#include "ns3/wormhole-route-manager.h"

namespace ns3
{

bool
FlitEngine::Renew(FlitHop& hop)
{
    const Ptr<FlitHop> kept(&hop);
    const auto [route, number] = m_settings.manager->Renew(*hop.node->state, *hop.worm);
    if (!route)
    {
        TellLoss(hop, nullptr, hop.flits, WormholeLoss::HANDED);
        RecordCut(hop, 0);
        m_rounds.counts.pendingDestinations -= hop.route->GetNDestinations();
        Remove(hop);
        TellNotSent(hop);
        return false;
    }
    hop.routesNumber = number;
    if (route != hop.route)
    {
        m_rounds.observer.Record(
            [&, &way = route](auto& recorder) { recorder.Reroute(hop.worm->GetId(), way); });
        const auto flits = hop.worm->GetFlits() + m_hops.GetRouteFlits(*route, 0);
        const auto made = MakeHop(hop.worm, route, *hop.node, 0, flits);
        hop.route = route;
        hop.flits = hop.arrived = hop.ready = flits;
        hop.options = made->options;
        hop.branches = made->branches;
    }
    return true;
}

bool
FlitEngine::MayPass(const FlitHop& hop) const
{
    const auto manager = m_settings.manager;
    return !manager || !hop.came || hop.node->IsHost() || hop.isManagement ||
           std::all_of(hop.options.begin(), hop.options.end(), [&](const FlitOption& option) {
               return manager->MayPass(option.output->port->GetPort(),
                                       option.lane,
                                       hop.routesNumber);
           });
}

void
FlitEngine::Ask(FlitNode& node)
{
    bool isLost = false;
    node.VisitFronts([this, &node, &isLost](FlitHop& hop) {
        hop.Advance(m_now, node.state->delay);
        if (hop.asked == WormholeOutput::NEVER && hop.since <= m_now && hop.ready > hop.dropped &&
            !hop.branches.empty())
        {
            if (!MayPass(hop))
            {
                return;
            }
            if (!hop.came && node.IsHost() && m_settings.manager && !hop.isManagement)
            {
                if (node.isHeld || !Renew(hop))
                {
                    isLost = isLost || !node.isHeld;
                    return;
                }
            }
            hop.asked = m_now;
            m_rounds.observer.Record(
                [&](auto& recorder) { recorder.Ask(hop, m_now, GoesInStep(hop), m_rounds.times); });
            if (hop.dropsFlit && !hop.IsPassed())
            {
                DropRouteFlit(hop);
            }
            for (const auto& option : hop.options)
            {
                m_rounds.observer.Tell(WormholePort::REQUEST, *option.output->port, hop, m_now);
            }
        }
    });
    if (isLost)
    {
        Ask(node); // those behind it
    }
}

void
FlitEngine::DropRouteFlit(FlitHop& hop)
{
    hop.dropped = 1;
    ++m_rounds.counts.flitsDropped;
    m_rounds.observer.Record(
        [&](auto& recorder) { recorder.ReadRoute({hop.worm->GetId(), hop.stop}, m_now); });
    hop.nextStart = m_now + hop.input->upstream->tau;
    Push(hop.nextStart, {WAKE, nullptr, hop.node});
    ReturnCredits(hop, 1);
}

void
FlitEngine::Arbitrate(FlitNode& node)
{
    while (true)
    {
        m_firsts.clear();
        node.VisitFronts([this](FlitHop& hop) { FindFirsts(hop); });
        const First* best = nullptr;
        const auto canGrant = [this](const First& first) {
            const auto& [output, lane, next] = *first.option;
            return !output->owner && output->busyUntil <= m_now &&
                   (!m_settings.whole || output->port->isEjection || output->IsDown(m_now) ||
                    output->credits[lane] >= static_cast<int64_t>(first.hop->flits));
        };
        const auto getKey = [this](const First& first) {
            return std::make_tuple(-m_settings.lanes.priorities[first.option->lane],
                                   first.order,
                                   first.option - &first.hop->options[first.branch->first],
                                   first.option->output);
        };
        for (const auto& first : m_firsts)
        {
            if (canGrant(first) && (!best || getKey(first) < getKey(*best)))
            {
                best = &first;
            }
        }
        if (!best)
        {
            return;
        }
        auto& output = *best->option->output;
        output.owner = best->hop;
        output.lane = best->option->lane;
        output.losing = WormholeOutput::NEVER;
        output.granted = m_now;
        best->branch->taken = best->option;
        --best->hop->missing;
        const auto priorities = m_settings.whole ? &m_settings.lanes.priorities : nullptr;
        m_rounds.observer.Grant(*best->hop, *best->branch, m_now, priorities);
    }
}

void
FlitEngine::FindFirsts(FlitHop& hop)
{
    if (hop.missing == 0 || hop.asked == WormholeOutput::NEVER)
    {
        return;
    }
    const auto input = hop.input;
    const auto number = input ? input->number : -1;
    const auto lane = input ? input->lane : uint8_t{0};
    const First own{{hop.asked, number, lane, hop.order}, &hop, nullptr, nullptr};
    const auto isDown = [this](const FlitOption& option) { return option.output->IsDown(m_now); };
    for (auto& branch : hop.branches)
    {
        if (branch.taken)
        {
            continue;
        }
        const auto begin = hop.options.begin() + static_cast<std::ptrdiff_t>(branch.first);
        const auto end = hop.options.begin() + static_cast<std::ptrdiff_t>(branch.end);
        const bool leavesOut = !std::all_of(begin, end, isDown);
        const bool inOrder =
            m_settings.manager && m_settings.manager->TakesFirstChoice() && hop.route->HasChoices();
        bool isFirst = true;
        for (auto option = begin; option != end; ++option)
        {
            if ((leavesOut && isDown(*option)) || (inOrder && !std::exchange(isFirst, false)))
            {
                continue;
            }
            auto found = std::find_if(m_firsts.begin(), m_firsts.end(), [&](const First& other) {
                return other.option->output == option->output && other.option->lane == option->lane;
            });
            if (found == m_firsts.end())
            {
                found = m_firsts.insert(found, own);
            }
            else if (found->order <= own.order)
            {
                continue;
            }
            *found = own;
            found->branch = &branch;
            found->option = &*option;
        }
    }
}

void
FlitEngine::Send(FlitHop& hop)
{
    const auto canSend = [&](const FlitBranch& branch) {
        return branch.taken && branch.sent + hop.dropped < hop.ready && hop.nextStart <= m_now &&
               branch.taken->output->owner == &hop && branch.taken->output->CanTake(m_now);
    };
    const bool inStep = GoesInStep(hop);
    if (inStep && !std::all_of(hop.branches.begin(), hop.branches.end(), canSend))
    {
        return;
    }
    for (auto& branch : hop.branches)
    {
        if (inStep || canSend(branch))
        {
            SendFlit(hop, branch);
        }
    }
}

void
FlitEngine::SendFlit(FlitHop& hop, FlitBranch& branch)
{
    auto& output = *branch.taken->output;
    const auto lane = branch.taken->lane;
    const auto left = m_now + output.tau;
    const bool drains = output.Drains(m_now);
    EngineRounds::CheckTime(*output.port, m_now);
    output.busyUntil = left;
    ++output.sent;
    ++branch.sent;
    auto& counts = m_rounds.counts;
    ++counts.flitHops;
    counts.flitsIn += !hop.came;
    m_rounds.observer.Start(hop, branch, m_now, !drains);
    if (branch.sent == hop.flits)
    {
        ++counts.wormHops;
        m_rounds.observer.Leave(hop, branch, left);
        const auto number = static_cast<uint64_t>(&branch - hop.branches.data());
        Push(left, {TAIL, &hop, nullptr, nullptr, 0, number});
    }
    else
    {
        Push(left, {WAKE, nullptr, hop.node});
    }
    const auto outage = output.cable->outages.Find(m_now, left + output.delay);
    if (!output.port->isEjection && !drains)
    {
        --output.credits[lane];
        output.owed[lane] += outage != nullptr;
    }
    if (outage || drains)
    {
        if (output.losing == WormholeOutput::NEVER)
        {
            output.losing = outage->from + output.detection;
        }
        ++output.lost;
        TellLoss(hop, &output, 1, drains ? WormholeLoss::DRAIN : WormholeLoss::WIRE);
        RecordCut(hop, branch.taken->next);
        if (branch.sent == 1)
        {
            GiveUp(hop, branch);
        }
    }
    else
    {
        Arrive(hop, branch);
    }
    const auto isFree = [&](const FlitBranch& other) { return other.sent >= branch.sent; };
    if (hop.missing == 0 && std::all_of(hop.branches.begin(), hop.branches.end(), isFree))
    {
        ReturnCredits(hop, 1);
    }
}

void
FlitEngine::RecordCut(const FlitHop& hop, WormRoute::Stop stop) const
{
    m_rounds.observer.Record(
        [&](auto& recorder) { recorder.Cut({hop.worm->GetId(), stop}, m_now); });
}

void
FlitEngine::RecordEnd(const FlitHop& hop) const
{
    m_rounds.observer.Record([&](auto& recorder) {
        recorder.Take({hop.worm->GetId(), hop.stop},
                      hop.input,
                      m_now,
                      hop.input ? hop.input->lane : 0);
    });
}

void
FlitEngine::ReturnCredits(FlitHop& hop, uint64_t flits)
{
    hop.freed += flits;
    if (const auto upstream = hop.input ? hop.input->upstream : nullptr)
    {
        upstream->left += flits;
        upstream->returning[hop.input->lane] += static_cast<int64_t>(flits);
        Push(m_now + upstream->delay, {CREDIT, nullptr, nullptr, upstream, hop.input->lane, flits});
    }
}

void
FlitEngine::Arrive(FlitHop& hop, FlitBranch& branch)
{
    auto& output = *branch.taken->output;
    auto& far = output.far[branch.taken->lane];
    const auto& state = *far.node->state;
    const auto time = m_now + output.tau + output.delay;
    const auto ready = time + state.delay;
    const bool isLast = branch.sent == hop.flits;
    if (branch.sent == 1)
    {
        Enter(hop, branch, far, ready);
    }
    auto& next = *branch.far;
    next.arrivals.push_back(time);
    if (!far.node->IsHost() || next.IsPassed())
    {
        Push(ready, {WAKE, nullptr, far.node});
    }
    output.left += far.node->IsHost();
    if (next.IsPassed())
    {
        if (m_transit->IsAsItComes() ? branch.sent == 1 : isLast)
        {
            Push(ready + m_transit->GetHost(state).delay, {PASS, branch.far});
        }
    }
    else if (far.node->IsHost() && isLast)
    {
        m_rounds.counts.flitsOut += hop.flits;
        EngineObserver::Deliver(output.port->GetFar().input, hop, ready);
        if (hop.isManagement)
        {
            Push(ready, {TOLD, branch.far});
        }
        else
        {
            m_rounds.ScheduleArrival(ready,
                                     far.node->state,
                                     static_cast<uint32_t>(far.number),
                                     PeekPointer(hop.worm));
        }
        Remove(next);
    }
}

void
FlitEngine::Enter(const FlitHop& hop, FlitBranch& branch, FlitInput& far, int64_t ready)
{
    const auto stop = branch.taken->next;
    branch.far = MakeHop(hop.worm, hop.route, *far.node, stop, hop.flits);
    auto& next = *branch.far;
    next.routesNumber = hop.routesNumber;
    next.input = next.came = &far;
    far.queue.push_back(branch.far);
    m_rounds.observer.Record([&](auto& recorder) { recorder.CountHop(hop.worm->GetId()); });
    const auto flits = hop.worm->GetFlits() + m_hops.GetRouteFlits(*hop.route, stop);
    next.dropsFlit = flits < hop.flits;
    next.flits -= next.dropsFlit;
    if (next.IsPassed())
    {
        ForwardingEngine::CheckRoute(m_transit, *far.node->state, *hop.route);
        next.dropped = next.dropsFlit;
        m_rounds.counts.flitsDropped += next.dropped;
        m_transit->GetHost(*far.node->state).NoteEntry(ready, flits);
    }
}

void
FlitEngine::Pass(const Ptr<FlitHop>& hop)
{
    hop->Advance(m_now, hop->node->state->delay);
    hop->since = m_now;
    m_rounds.observer.Record([&](auto& recorder) {
        recorder.Pass({hop->worm->GetId(), hop->stop}, m_now, !m_transit->IsAsItComes());
    });
    hop->input = &hop->node->queues.front();
    hop->input->queue.push_back(hop);
    SetDirty(*hop->node);
    if (hop->node->state->sink)
    {
        hop->node->state->sink->NotifyInTransit(hop->worm);
    }
}

void
FlitEngine::Leave(FlitHop& hop, FlitBranch& branch)
{
    branch.isOver = true;
    if (std::all_of(hop.branches.begin(), hop.branches.end(), [](const FlitBranch& other) {
            return other.isOver;
        }))
    {
        Remove(hop);
    }
    SetDirty(*hop.node);
}

void
FlitEngine::Remove(FlitHop& hop)
{
    const Ptr<FlitHop> removed(&hop);
    hop.isGone = true;
    m_rounds.observer.Record([&](auto& recorder) { recorder.DropHop(hop.worm->GetId(), m_now); });
    const auto removeFrom = [&](std::deque<Ptr<FlitHop>>& list) {
        list.erase(std::remove(list.begin(), list.end(), removed), list.end());
    };
    removeFrom(hop.input ? hop.input->queue : hop.node->made);
    if (hop.IsPassed())
    {
        removeFrom(hop.came->queue);
        m_transit->GetHost(*hop.node->state).NoteExit(m_now, hop.flits);
    }
}

void
FlitEngine::EndMarked(FlitNode& node)
{
    bool again = true;
    while (std::exchange(again, false))
    {
        node.VisitFronts([&](FlitHop& front) {
            const Ptr<FlitHop> hop(&front);
            hop->Advance(m_now, node.state->delay);
            if (hop->branches.empty())
            {
                again = Consume(*hop) || again;
            }
            else if (hop->markAt <= m_now)
            {
                again = EndByMark(*hop) || again;
            }
        });
    }
}

bool
FlitEngine::EndByMark(FlitHop& hop)
{
    if (hop.nextStart > m_now)
    {
        return false;
    }
    if (hop.arrived <= hop.dropped) // it ends here
    {
        auto& branch = hop.branches.front();
        if (branch.taken)
        {
            branch.taken->output->owner = nullptr;
            m_rounds.observer.Record([&](auto& recorder) { recorder.Leave(hop, branch, m_now); });
        }
        GiveUp(hop, branch);
        RecordEnd(hop);
        Leave(hop, branch);
        return true;
    }
    for (auto& branch : hop.branches)
    {
        const auto output = branch.taken ? branch.taken->output : nullptr;
        if (!output || branch.isOver || output->owner != &hop ||
            branch.sent + hop.dropped < hop.arrived || output->busyUntil > m_now)
        {
            continue;
        }
        output->owner = nullptr;
        m_rounds.observer.Leave(hop, branch, m_now);
        const auto time = m_now + output->delay;
        if (output->losing == WormholeOutput::NEVER && !output->cable->outages.Find(m_now, time))
        {
            Push(time, {MARK, branch.far});
        }
        Leave(hop, branch);
    }
    return false;
}

bool
FlitEngine::Consume(FlitHop& hop)
{
    const bool isWhole = hop.ready == hop.flits;
    if (!isWhole && hop.markAt > m_now)
    {
        return false;
    }
    const Ptr<FlitHop> taken(&hop);
    ReturnCredits(hop, hop.arrived);
    if (!isWhole)
    {
        Drop(taken, false);
        return true;
    }
    Remove(hop);
    m_rounds.counts.flitsOut += hop.flits;
    const auto port = static_cast<uint32_t>(hop.input->number);
    RecordEnd(hop);
    if (hop.isManagement)
    {
        --m_rounds.counts.pendingDestinations;
        m_settings.manager->Receive(*hop.node->state,
                                    port,
                                    StaticCast<const ManagementWorm>(hop.worm));
    }
    else
    {
        hop.node->state->Deliver(port, hop.worm);
    }
    return true;
}

} // namespace ns3
