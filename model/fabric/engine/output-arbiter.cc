// SPDX-License-Identifier: GPL-2.0-only

#include "run-engine.h"

namespace ns3
{

bool
OutputArbiter::Ask(WormHop* hop)
{
    auto input = hop->input;
    if (input->front != hop || hop->GetNArrivals() == 0)
    {
        return false;
    }
    const auto head = hop->DropsFlit() ? hop->routeFlit : hop->arrivals.GetFirstTime();
    const auto time = std::max(input->left, head);
    if (hop->DropsFlit())
    {
        m_engine.DropRouteFlit(*hop, time);
    }
    AskOutputs(hop, time, input->upstream ? input->number : -1);
    return true;
}

void
OutputArbiter::AskOutputs(WormHop* hop, int64_t time, int32_t number)
{
    hop->asked = true;
    m_rounds.observer.Ask(*hop, time);
    for (auto& branch : hop->branches)
    {
        auto& output = *branch.output;
        branch.since = time;
        branch.number = number;
        output.AddRequest(branch);
    }
    // A switch asks itself only when all other requests of the instant are there.
    // Grants of those with choices come in an order of their own (S12).
    const auto known = number < 0 && !m_hasChoices ? m_rounds.now : WormholeOutput::ALWAYS;
    for (const auto& branch : hop->branches)
    {
        Arm(*branch.output, known);
    }
}

void
OutputArbiter::Arm(WormholeOutput& output, int64_t known)
{
    if (output.owner || !output.requests)
    {
        return;
    }
    auto& first = *output.requests;
    const auto time = std::max(first.since, output.freeAt);
    if (!output.arbitrated || time <= known)
    {
        Grant(output, first, time);
    }
    else
    {
        m_rounds.PushDecision(output, time);
    }
}

void
OutputArbiter::Decide(WormholeOutput& output, int64_t time)
{
    if (m_hasChoices)
    {
        GrantInOrder(*static_cast<WormholePortState&>(output).input.node, time);
    }
    else
    {
        Arm(output, time);
    }
}

void
OutputArbiter::GrantInOrder(WormholeNodeState& node, int64_t time)
{
    using Order = std::tuple<int64_t, int32_t, std::ptrdiff_t, std::size_t>;
    while (true)
    {
        WormBranch* best = nullptr;
        Order bestOrder;
        for (auto& port : node.ports)
        {
            if (!port.requests || port.owner || port.freeAt > time)
            {
                continue;
            }
            auto& first = *port.requests;
            const auto& hop = *first.hop;
            const Order order{first.since,
                              first.number,
                              hop.route->HasChoices() ? &first - hop.branches.data() : 0,
                              static_cast<std::size_t>(&port - node.ports.data())};
            if (first.since <= time && (!best || order < bestOrder))
            {
                best = &first;
                bestOrder = order;
            }
        }
        if (!best)
        {
            break;
        }
        auto& granted = best->hop->branches.size() > 1 && best->hop->route->HasChoices()
                            ? TakeChoice(*best)
                            : *best;
        Grant(*granted.output, granted, time);
    }
    for (auto& port : node.ports)
    {
        if (port.decisionAt <= time)
        {
            port.decisionAt = WormholeOutput::NEVER;
        }
        Arm(port, WormholeOutput::ALWAYS);
    }
}

WormBranch&
OutputArbiter::TakeChoice(WormBranch& branch)
{
    auto& hop = *branch.hop;
    for (auto& other : hop.branches)
    {
        other.output->RemoveRequest(other);
    }
    auto& front = hop.branches.front();
    front.output = branch.output;
    front.since = branch.since;
    front.number = branch.number;
    front.next = branch.next;
    hop.branches.resize(1);
    hop.inStep = false;
    front.flow.missing = 1;
    hop.fits = hop.fits && front.output->CanHold(hop.flits);
    front.output->AddRequest(front);
    if (hop.input && hop.input->upstream)
    {
        hop.isCovered = RunEngine::IsCovered(hop, *hop.input->upstream, m_rounds.times);
    }
    return front;
}

void
OutputArbiter::Grant(WormholeOutput& output, WormBranch& branch, int64_t time)
{
    const auto hop = branch.hop;
    auto& flow = hop->inStep ? hop->branches.front().flow : branch.flow;
    output.RemoveRequest(branch);
    output.owner = hop;
    m_rounds.observer.Grant(branch, time);
    branch.nextDeparture = WormholeOutput::ALWAYS; // it waits no more
    branch.base = output.sent;
    branch.since = time;
    flow.nextStart = std::max(flow.nextStart, time);
    if (!output.credits.IsOneRun() && output.credits.GetLastTime(m_rounds.times) <= time)
    {
        // No flit starts earlier, so it makes no difference when they came.
        output.credits.Join(WormholeOutput::ALWAYS, output.pace);
        output.creditsRead = 0;
    }
    if (--flow.missing == 0)
    {
        m_engine.Wake(hop);
    }
}

} // namespace ns3
