// SPDX-License-Identifier: GPL-2.0-only

// What an engine of single flits does where parts go down and come up (rule S14).

#include "flit-engine.h"

#include "ns3/forwarding-engine.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-route-manager.h"

#include <iterator>

namespace ns3
{

void
OutageList::Add(Interval added)
{
    const auto isBefore = [](const Interval& a, int64_t time) { return a.until < time; };
    const auto first =
        std::lower_bound(m_intervals.begin(), m_intervals.end(), added.from, isBefore);
    auto last = first;
    for (; last != m_intervals.end() && last->from <= added.until; ++last)
    {
        added = {std::min(added.from, last->from), std::max(added.until, last->until)};
    }
    m_intervals.insert(m_intervals.erase(first, last), added);
}

const OutageList::Interval*
OutageList::Find(int64_t time, int64_t end) const
{
    // Those that are over are dropped.
    const auto found = std::find_if(m_intervals.begin(),
                                    m_intervals.end(),
                                    [time](const auto& interval) { return interval.until > time; });
    return found != m_intervals.end() && found->from < end ? &*found : nullptr;
}

NS_OBJECT_ENSURE_REGISTERED(WormholeRouteManager);

TypeId
WormholeRouteManager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WormholeRouteManager").SetParent<Object>().SetGroupName("Wormhole");
    return tid;
}

std::string
WormholeLoss::GetName(Why why)
{
    constexpr const char* NAMES[] = {"wire", "drain", "node", "handed-over"};
    return NAMES[why];
}

void
FlitEngine::AddOutageEvent(int64_t time, Event event)
{
    // Before the fabric starts there is nothing to lose.
    if (time < WormholeOutput::NEVER && time >= Simulator::Now().GetTimeStep())
    {
        ++m_nOutages;
        Push(time, std::move(event));
    }
}

void
FlitEngine::AddCableOutage(const WormholePortState& port, OutageList::Interval outage)
{
    auto& output = OutputOf(port);
    output.cable->outages.Add(outage);
    m_firstOutage = std::min(m_firstOutage, outage.from);
    m_rounds.observer.Record([this](auto& recorder) { recorder.NoteOutage(m_firstOutage); });
    AddOutageEvent(outage.from, {DOWN, nullptr, nullptr, &output});
    AddOutageEvent(outage.from + output.detection, {NOTICE, nullptr, nullptr, &output});
    AddOutageEvent(outage.until, {UP, nullptr, nullptr, &output});
}

void
FlitEngine::HandleOutages()
{
    m_nOutages -= m_outages.size();
    // An outage that was joined with another one begins and ends with that.
    const auto visit = [this](Kind kind, auto isMeant, auto call) {
        for (const auto& event : m_outages)
        {
            if (event.kind == kind && isMeant(event.output->cable->outages))
            {
                for (const auto output : event.output->cable->ends)
                {
                    call(*output);
                    SetDirty(*output->node);
                }
            }
        }
    };
    const auto ends = [this](const OutageList& list) {
        const auto found = m_now > 0 ? list.At(m_now - 1) : nullptr;
        return found && found->until == m_now;
    };
    visit(UP, ends, [this](FlitOutput& output) {
        for (uint32_t lane = 0; lane < GetNLanes(); ++lane)
        {
            output.credits[lane] += std::exchange(output.owed[lane], 0);
        }
    });
    visit(
        DOWN,
        [this](const OutageList& list) { return list.BeginsAt(m_now); },
        [this](FlitOutput& output) {
            if (output.owner && output.owner->GetBranch(output).sent > 0 &&
                output.losing == WormholeOutput::NEVER)
            {
                output.losing = m_now + output.detection;
            }
        });
    visit(
        NOTICE,
        [this](const OutageList& list) { return list.BeginsAt(m_now - m_settings.detection); },
        [this](FlitOutput& output) { CutOff(output); });
    for (const auto& event : m_outages)
    {
        if (event.kind == ERASE)
        {
            Erase(*event.node);
        }
    }
    visit(UP, ends, [this](FlitOutput& output) { output.cable->outages.DropBefore(m_now); });
    m_outages.clear();
}

void
FlitEngine::CutOff(FlitOutput& output)
{
    for (uint32_t lane = 0; lane < GetNLanes(); ++lane)
    {
        auto& far = output.far[lane];
        const auto delay = far.node->state->delay;
        const auto worms = far.queue; // a host drops them
        for (const auto& hop : worms)
        {
            hop->Advance(m_now, delay);
            if (hop->arrived < hop->GetLength() && hop->markAt == WormholeOutput::NEVER)
            {
                Cut(hop, true);
            }
        }
    }
}

void
FlitEngine::Erase(FlitNode& node)
{
    std::vector<Ptr<FlitHop>> lost(node.made.begin(), node.made.end());
    for (auto list : {&node.queues, &node.inputs})
    {
        for (const auto& input : *list)
        {
            std::copy_if(input.queue.begin(),
                         input.queue.end(),
                         std::back_inserter(lost),
                         [&node](const auto& hop) { // a host has taken what ends there
                             return !node.IsHost() || !hop->branches.empty();
                         });
        }
    }
    node.outages.DropBefore(m_now);
    for (const auto& hop : lost)
    {
        if (!hop->isGone)
        {
            Lose(*hop);
            Remove(*hop);
        }
    }
    SetDirty(node);
    if (node.state->sink)
    {
        node.state->sink->NotifyDown();
    }
    if (m_settings.manager)
    {
        m_settings.manager->NotifyDown(*node.state);
    }
}

void
FlitEngine::Wake(const WormholeNodeState& node)
{
    Push(Simulator::Now().GetTimeStep(), {WAKE, nullptr, &NodeOf(node)});
}

void
FlitEngine::Await(bool begins)
{
    m_rounds.counts.eventsPending += begins ? 1 : -1;
    Wake(*m_nodes.front()->state); // at which it is looked whether worms are stuck
}

void
FlitEngine::Hold(const WormholeNodeState& host, bool isHeld)
{
    auto& node = NodeOf(host);
    if (std::exchange(node.isHeld, isHeld) != isHeld)
    {
        Await(isHeld);
    }
    node.VisitFronts([](FlitHop& hop) {
        if (!hop.came && hop.missing > 0)
        {
            hop.asked = WormholeOutput::NEVER;
        }
    });
    Wake(host);
}

bool
FlitEngine::Holds(const WormholeNodeState& state,
                  const std::function<bool(uint32_t)>& isMeant,
                  int32_t port) const
{
    const auto& node = NodeOf(state);
    const auto isThere = [&](const Ptr<FlitHop>& hop) {
        return !hop->isManagement && (!node.IsHost() || hop->missing == 0) &&
               isMeant(hop->routesNumber);
    };
    const auto holds = [&](const auto& inputs) {
        return std::any_of(inputs.begin(), inputs.end(), [&](const FlitInput& input) {
            return (port < 0 || port == input.number) &&
                   std::any_of(input.queue.begin(), input.queue.end(), isThere);
        });
    };
    return holds(node.queues) || (!node.IsHost() && holds(node.inputs)) ||
           (port < 0 && std::any_of(node.made.begin(), node.made.end(), isThere));
}

bool
FlitEngine::IsDown(const WormholePortState& port, bool isKnown) const
{
    const auto& output = OutputOf(port);
    const auto now = Simulator::Now().GetTimeStep();
    return isKnown ? output.IsDown(now) : output.cable->outages.At(now) != nullptr;
}

bool
FlitEngine::IsDown(const WormholeNodeState& node) const
{
    return NodeOf(node).outages.At(Simulator::Now().GetTimeStep()) != nullptr;
}

void
FlitEngine::Lose(FlitHop& hop)
{
    hop.Advance(m_now, hop.node->state->delay);
    auto sent = hop.missing < hop.branches.size() ? hop.flits : 0; // by all outputs granted
    for (const auto& branch : hop.branches)
    {
        if (branch.taken && branch.taken->output->owner == &hop)
        {
            branch.taken->output->owner = nullptr;
            if (branch.sent > 0 && branch.sent < hop.flits)
            {
                m_rounds.observer.Leave(hop, branch, m_now);
            }
        }
        if (branch.sent == 0)
        {
            GiveUp(hop, branch);
        }
        sent = branch.taken ? std::min(sent, branch.sent) : sent;
    }
    m_rounds.counts.pendingDestinations -= hop.branches.empty();
    const auto upstream = hop.came && !hop.IsPassed() ? hop.came->upstream : nullptr;
    const auto held =
        hop.arrived - (upstream ? hop.freed : sent + std::min(hop.dropped, hop.ready));
    if (upstream)
    {
        upstream->left += held;
        upstream->owed[hop.input->lane] += static_cast<int64_t>(held);
    }
    if (held > 0)
    {
        TellLoss(hop, nullptr, held, WormholeLoss::NODE);
    }
    RecordCut(hop, hop.stop);
    RecordEnd(hop);
    if (!hop.came && sent == 0)
    {
        TellNotSent(hop);
    }
}

void
FlitEngine::TellNotSent(const FlitHop& hop)
{
    if (const auto sink = hop.node->state->sink)
    {
        sink->NotifyNotSent(hop.worm);
    }
}

void
FlitEngine::Cut(const Ptr<FlitHop>& hop, bool isHere)
{
    const auto delay = hop->node->state->delay;
    hop->Advance(m_now, delay);
    const bool isEnd = hop->node->IsHost() && !(hop->IsPassed() && m_transit->IsAsItComes());
    if (isEnd)
    {
        Drop(hop, isHere);
        return;
    }
    hop->markAt = m_now + delay;
    Push(hop->markAt, {WAKE, nullptr, hop->node});
    if (isHere)
    {
        TellCut(*hop, true, false);
    }
}

void
FlitEngine::Drop(const Ptr<FlitHop>& hop, bool isHere)
{
    m_rounds.counts.flitsCut += hop->arrived;
    RecordCut(*hop, hop->stop);
    RecordEnd(*hop);
    --m_rounds.counts.pendingDestinations;
    Remove(*hop);
    TellCut(*hop, isHere, true);
}

void
FlitEngine::GiveUp(const FlitHop& hop, const FlitBranch& branch)
{
    const auto& route = *hop.route;
    std::vector<WormRoute::Stop> stops{hop.options[branch.first].next};
    while (!stops.empty())
    {
        const auto exits = route.At(stops.back());
        stops.pop_back();
        m_rounds.counts.pendingDestinations -= exits.size() == 0 || route.HasChoices();
        for (std::size_t i = 0; i < exits.size() && !route.HasChoices(); ++i)
        {
            stops.push_back(exits[i].next);
        }
    }
}

void
FlitEngine::TellLoss(const FlitHop& hop,
                     const FlitOutput* output,
                     uint64_t flits,
                     WormholeLoss::Why why)
{
    m_rounds.counts.flitsLost += flits;
    if (m_settings.onLoss)
    {
        const auto port = output ? &output->port->GetPort() : nullptr;
        m_settings.onLoss({hop.worm, hop.node->state->name, Ptr<WormholePort>(port), flits, why});
    }
}

void
FlitEngine::TellCut(const FlitHop& hop, bool isHere, bool isEnd)
{
    if (m_settings.onCut)
    {
        const auto number = static_cast<std::size_t>(hop.came->number);
        const auto port = hop.node->outputs[number].port->input.port;
        m_settings.onCut({hop.worm, Ptr<WormholePort>(port), hop.arrived, isHere, isEnd});
    }
}

} // namespace ns3
