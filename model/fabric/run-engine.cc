/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-engine.h"

#include "wormhole-port.h"
#include "wormhole-scheduler.h"

#include "ns3/exact-time.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeRunEngine");

void
RunEngine::RefuseTime(const WormholeOutput& output)
{
    throw WormholeError("a flit is to start at " + output.GetPort().GetName() + " after " +
                        ExactTime::Print(TimeStep(MAX_TIME)) +
                        ", the last time that fabrics know: shorten what is simulated, or choose a "
                        "longer unit of time with Time::SetResolution");
}

void
RunEngine::Configure(int64_t tau, bool sync)
{
    m_tau = tau;
    m_sync = sync;
}

void
RunEngine::Inject(Ptr<Worm> worm, WormholeInput& input, int64_t time)
{
    m_now = Simulator::Now().GetTimeStep();
    RefuseIfClosed(input.node->name);
    RefuseWorm(*worm, input.node->name, time);
    if (m_decidedTo >= m_now + m_reach)
    {
        throw WormholeError(input.node->name + " sends a worm for a time whose grants are made " +
                            "already: a WormholeScheduler may be replaced only while no worms " +
                            "are on their way");
    }
    auto visit = Start(worm, input.node, time);
    input.Push(visit);
    if (input.front == visit)
    {
        Wake(visit);
        Propagate();
    }
}

void
RunEngine::Originate(Ptr<Worm> worm, WormholeCrossbar& node)
{
    m_now = Simulator::Now().GetTimeStep();
    RefuseIfClosed(node.name);
    if (m_ahead > 0 || m_now < m_decidedTo)
    {
        throw WormholeError(node.name + " is to send a worm of its own, but without a collective " +
                            "unit, or so soon after it got one that grants of now are made: "
                            "install units before worms are on their way");
    }
    RefuseWorm(*worm, node.name, m_now);
    AskOutputs(Start(worm, &node, m_now), m_now, -1);
    Propagate();
}

WormVisit*
RunEngine::Start(const Ptr<Worm>& worm, WormholeCrossbar* node, int64_t time)
{
    const auto& route = *worm->GetRoute();
    const auto nEnds = route.GetNEnds();
    auto visit =
        NewVisit(worm, &route, worm->GetFlits(), 0, node, node->ports.data(), node->ports.size());
    worm->SetInjected(m_counts.worms++, node); // its first port is there
    m_counts.endsLeft += nEnds;
    if (nEnds > 1)
    {
        m_counts.longestTreeWorm = std::max(m_counts.longestTreeWorm, worm->GetFlits());
    }
    visit->isStream = !m_buffersCover && nEnds == 1;
    visit->arrivals.Append(visit->flits, time, m_tau);
    return visit;
}

WormVisit*
RunEngine::NewVisit(Ptr<const Worm> worm,
                    const WormRoute* route,
                    uint64_t flits,
                    WormRoute::Stop stop,
                    WormholeCrossbar* node,
                    WormholePortState* ports,
                    uint32_t nPorts)
{
    if (m_spare.empty())
    {
        m_visits.emplace_back();
        m_spare.push_back(&m_visits.back());
    }
    auto visit = m_spare.back();
    m_spare.pop_back();
    visit->node = node;
    visit->input = nullptr;
    visit->flits = flits;
    visit->stop = stop;
    visit->asked = false;
    visit->arrivals.Clear();
    visit->room = 0;
    visit->freed = 0;
    visit->worm = std::move(worm);
    visit->route = route;

    const auto branches = route->At(stop);
    const auto nLanes = branches.size();
    visit->inStep = m_sync && nLanes > 1;
    if (visit->lanes.size() != nLanes)
    {
        visit->lanes.resize(nLanes);
    }
    for (std::size_t i = 0; i < nLanes; ++i)
    {
        auto& lane = visit->lanes[i];
        const auto branch = branches[i];
        lane.output = ports + branch.port;
        if (branch.port >= nPorts || !lane.output->farPorts)
        {
            node->RefusePort(branch.port);
        }
        lane.far = nullptr;
        lane.visit = visit;
        lane.next = branch.next;
        lane.flow.missing = static_cast<uint32_t>(visit->GetFlowSize());
        lane.flow.earliest = 0;
        lane.flow.sent = 0;
        lane.flow.allowed.Clear();
    }
    visit->flowsLeft = static_cast<uint32_t>(visit->GetNFlows());
    return visit;
}

void
RunEngine::Wake(WormVisit* visit)
{
    if (!visit->queued)
    {
        visit->queued = true;
        m_awake.push_back(visit);
    }
}

void
RunEngine::Propagate()
{
    if (m_propagating)
    {
        return;
    }
    m_propagating = true;
    try
    {
        while (!m_awake.empty())
        {
            auto visit = m_awake.back();
            m_awake.pop_back();
            m_current = visit;
            if (visit->flits > 0)
            {
                BringUpToDate(visit);
            }
            else
            {
                m_spare.push_back(visit);
            }
            visit->queued = false;
        }
    }
    catch (...)
    {
        Close(AFTER_ERROR);
        throw;
    }
    m_propagating = false;
}

void
RunEngine::CatchUp(const std::vector<Ptr<WormholePort>>& ports)
{
    if (!m_closed.empty())
    {
        return;
    }
    m_now = Simulator::Now().GetTimeStep();
    for (const auto& port : ports)
    {
        if (const auto owner = port->GetState().owner)
        {
            Wake(owner);
        }
    }
    m_catchingUp = true; // what follows matters, too
    Propagate();
    m_catchingUp = false;
}

void
RunEngine::RefuseIfClosed(const std::string& name) const
{
    if (!m_closed.empty())
    {
        throw WormholeError(name + " is to send a worm, but its fabric " + m_closed +
                            ": build another");
    }
}

void
RunEngine::RefuseWorm(const Worm& worm, const std::string& name, int64_t time) const
{
    const auto most = static_cast<uint64_t>(TimeLimit::LONGEST_LENGTH / m_tau);
    const auto refuse = [&](const std::string& what) {
        throw WormholeError(name + " is to send a worm " + what);
    };
    if (!worm.GetRoute() || worm.GetRoute()->At(0).size() == 0)
    {
        refuse("without a route; accepted is one with a port of the host's and one of each switch");
    }
    if (worm.GetFlits() < 1 || worm.GetFlits() > most)
    {
        refuse("of " + std::to_string(worm.GetFlits()) + " flits; accepted are 1 to " +
               std::to_string(most));
    }
    if (worm.GetKind() == Worm::FRAME && !worm.GetPacket())
    {
        refuse("of the kind FRAME without a packet; accepted is BARE where only times matter");
    }
    if (time < m_now)
    {
        refuse("at a time that has passed; accepted is a wait of 0 or more");
    }
    if (time > MAX_TIME)
    {
        refuse("too late; the last time that fabrics know is " +
               ExactTime::Print(TimeStep(MAX_TIME)));
    }
}

void
RunEngine::Close(const std::string& why)
{
    m_closed = why;
    m_decisions = {};
    m_watchInterval = 0;
    m_noProgress.Nullify();
    m_watch.Nullify();
    WormholeScheduler::Forget(*this);
}

void
RunEngine::BringUpToDate(WormVisit* visit)
{
    if (!visit->asked && !Ask(visit))
    {
        return;
    }
    if (visit->lanes.empty())
    {
        TakeWhole(visit);
    }
    else if (SettleWhole(visit))
    {
        return;
    }
    else if (!visit->isStream)
    {
        SettleParts(visit);
    }
    else if (visit->lanes.front().flow.missing == 0)
    {
        SettleStream(visit);
    }
}

void
RunEngine::SettleParts(WormVisit* visit)
{
    // Where the buffer covers the round trip, a slot's credit never comes too late because its
    // flit arrived late: the sender, which knows when it sent that flit, is D flit times on by
    // then. So starvation need not be told upstream, and a slot counts as free when its flit is
    // allowed to start.
    const auto upstream = visit->input ? visit->input->upstream : nullptr;
    const bool freeAsAllowed = upstream && upstream->covers && visit->GetNFlows() == 1;
    for (std::size_t i = 0; i < visit->GetNFlows(); ++i)
    {
        auto& flow = visit->lanes[i].flow;
        if (flow.missing == 0 && flow.allowed.GetEnd() < visit->flits)
        {
            SettleAllowed(visit, i, freeAsAllowed);
        }
        if (flow.sent < std::min(flow.allowed.GetEnd(), visit->arrivals.GetEnd()))
        {
            SettleStarts(visit, i);
        }
    }
    if (upstream && !freeAsAllowed)
    {
        SettleFreed(visit);
    }
    if (visit->flowsLeft == 0)
    {
        Leave(visit, visit->left);
    }
}

bool
RunEngine::SettleWhole(WormVisit* visit)
{
    const auto flits = visit->flits;
    auto& lane = visit->lanes.front();
    auto& flow = lane.flow;
    auto& output = *lane.output;
    if (visit->lanes.size() > 1 || flow.missing > 0 || flow.allowed.GetEnd() > 0 ||
        visit->arrivals.GetEnd() < flits || !visit->arrivals.IsOneRun())
    {
        return false;
    }
    auto allowed = flow.earliest;
    if (!output.toHost)
    {
        if (output.credits.GetEnd() < lane.base + flits)
        {
            return false;
        }
        allowed = std::max(allowed, output.credits.At(lane.base, m_tau, output.creditsRead));
        if (output.credits.GetRunEnd(output.creditsRead) < lane.base + flits)
        {
            return false;
        }
    }
    const auto start = std::max(allowed, visit->arrivals.GetFirstTime());
    if (visit->input && visit->input->upstream)
    {
        Credit(visit->input, flits, visit->input->upstream->covers ? allowed : start);
        visit->freed = flits;
    }
    Send(visit, lane, 0, flits, start);
    flow.sent = flits;
    const auto left = start + static_cast<int64_t>(flits) * m_tau;
    SettleTail(visit, lane, left);
    Leave(visit, left);
    return true;
}

void
RunEngine::TakeWhole(WormVisit* visit)
{
    const auto flits = visit->flits;
    if (visit->arrivals.GetEnd() == flits)
    {
        const auto time = std::max(visit->input->left, visit->arrivals.GetLastTime(m_tau));
        visit->node->TakeAt(time, visit->input->number, visit->worm);
        m_counts.flitsOut += flits;
        // All slots are free at once. As flits that use them are a flit time apart anyway, it
        // makes no difference to tell of them a flit time apart.
        Credit(visit->input, flits, time);
        Leave(visit, time);
    }
}

void
RunEngine::SettleAllowed(WormVisit* visit, std::size_t first, bool free)
{
    auto& flow = visit->lanes[first].flow;
    const auto flits = visit->flits;
    auto flit = flow.allowed.GetEnd();
    if (flit == 0)
    {
        // Nobody has read it yet.
        flow.allowedToSend = flow.allowedToFree = flow.arrivalsToSend = 0;
        visit->arrivalsToFree = 0;
    }
    while (flit < flits)
    {
        auto time = flow.earliest;
        auto end = flits;
        for (auto i = first; i < first + visit->GetFlowSize(); ++i)
        {
            const auto& lane = visit->lanes[i];
            auto& output = *lane.output;
            if (output.toHost)
            {
                continue;
            }
            if (lane.base + flit >= output.credits.GetEnd())
            {
                return;
            }
            time = std::max(time, output.credits.At(lane.base + flit, m_tau, output.creditsRead));
            end = std::min(end, output.credits.GetRunEnd(output.creditsRead) - lane.base);
        }
        CheckTime(*visit->lanes[first].output, time);
        flow.allowed.Append(end, time, m_tau);
        flow.earliest = time + static_cast<int64_t>(end - flit) * m_tau;
        if (free)
        {
            Credit(visit->input, end - flit, time);
            visit->freed = end;
        }
        flit = end;
    }
}

void
RunEngine::SettleStarts(WormVisit* visit, std::size_t first)
{
    auto& flow = visit->lanes[first].flow;
    const auto flits = visit->flits;
    const auto known = std::min(flow.allowed.GetEnd(), visit->arrivals.GetEnd());
    while (flow.sent < known)
    {
        const auto time = std::max(flow.allowed.At(flow.sent, m_tau, flow.allowedToSend),
                                   visit->arrivals.At(flow.sent, m_tau, flow.arrivalsToSend));
        const auto end = std::min(known,
                                  std::min(flow.allowed.GetRunEnd(flow.allowedToSend),
                                           visit->arrivals.GetRunEnd(flow.arrivalsToSend)));
        for (auto i = first; i < first + visit->GetFlowSize(); ++i)
        {
            Send(visit, visit->lanes[i], flow.sent, end, time);
        }
        if (end == flits)
        {
            const auto left = time + static_cast<int64_t>(end - flow.sent) * m_tau;
            for (auto i = first; i < first + visit->GetFlowSize(); ++i)
            {
                SettleTail(visit, visit->lanes[i], left);
            }
            const bool isFirst = visit->flowsLeft == visit->GetNFlows();
            visit->left = isFirst ? left : std::max(visit->left, left);
            --visit->flowsLeft;
        }
        flow.sent = end;
    }
}

void
RunEngine::Send(WormVisit* visit, WormLane& lane, uint64_t first, uint64_t end, int64_t time)
{
    auto& output = *lane.output;
    CheckTime(output, time);
    m_counts.flitHops += end - first;
    if (first == 0)
    {
        if (output.traced)
        {
            output.GetPort().NotifyHeadStart(visit->worm, time);
        }
        if (!output.toHost)
        {
            // A worm that is wholly sent by one output leaves with this, so needs its worm no more.
            const bool all = end == visit->flits && visit->lanes.size() == 1;
            auto& input = output.GetFar().input;
            lane.far = NewVisit(all ? std::move(visit->worm) : visit->worm,
                                visit->route,
                                visit->flits,
                                lane.next,
                                input.node,
                                output.farPorts,
                                output.nFarPorts);
            lane.far->room = visit->room + output.depth;
            lane.far->isStream = visit->isStream;
            input.Push(lane.far);
            if (lane.far->lanes.empty() && visit->flits > output.depth)
            {
                throw WormholeError(input.node->name + ": a worm of " +
                                    std::to_string(visit->flits) +
                                    " flits ends in this switch, whose buffer holds " +
                                    std::to_string(output.depth) + "; BufferDepth must hold it");
            }
        }
    }
    if (output.toHost)
    {
        if (first == 0 && visit->route->At(lane.next).size() > 0)
        {
            throw WormholeError(output.GetFar().input.node->name +
                                ": a route goes on beyond this host; " +
                                "accepted are routes that end at hosts");
        }
        return;
    }
    auto& far = *lane.far;
    far.arrivals.Append(end, time + output.toReady, m_tau);
    if (output.GetFar().input.front == &far)
    {
        TellFront(far, output.covers);
    }
}

void
RunEngine::TellFront(WormVisit& visit, bool covers)
{
    if (!visit.asked && !visit.lanes.empty())
    {
        Ask(&visit); // whoever grants an output wakes it
    }
    else if (CanUseArrivals(visit, covers))
    {
        Wake(&visit);
    }
}

bool
RunEngine::CanUseArrivals(const WormVisit& visit, bool covers)
{
    if (visit.lanes.empty())
    {
        return true;
    }
    if (visit.isStream)
    {
        return false; // whoever settles more of it settles all of it
    }
    if (!covers)
    {
        return true;
    }
    for (std::size_t i = 0; i < visit.GetNFlows(); ++i)
    {
        const auto& flow = visit.lanes[i].flow;
        if (flow.sent < flow.allowed.GetEnd())
        {
            return true;
        }
    }
    return false;
}

void
RunEngine::SettleTail(WormVisit* visit, WormLane& lane, int64_t left)
{
    auto& output = *lane.output;
    const auto flits = visit->flits;
    ++m_counts.wormHops;
    if (output.traced)
    {
        output.GetPort().NotifyTailLeft(lane.far ? lane.far->worm : visit->worm, left);
    }
    output.sent += flits;
    output.owner = nullptr;
    output.freeAt = left;
    lane.far = nullptr; // goes on alone, and its record may be used again before this one's
    output.credits.DropBefore(output.creditsRead);
    if (!visit->input || !visit->input->upstream)
    {
        m_counts.flitsIn += flits;
    }
    if (output.toHost)
    {
        m_counts.flitsOut += flits;
        const auto& input = output.GetFar().input;
        const auto time = left + output.toReady - m_tau; // the interface's delay included
        if (input.traced)
        {
            input.port->NotifyDelivered(visit->worm, time - input.node->delay);
        }
        ScheduleArrival(time, input.node, input.number, visit->worm);
    }
    Arm(output, WormholeOutput::ALWAYS);
}

void
RunEngine::SettleFreed(WormVisit* visit)
{
    auto input = visit->input;
    const bool covers = input->upstream->covers;
    auto known = covers ? visit->flits : visit->arrivals.GetEnd();
    for (std::size_t i = 0; i < visit->GetNFlows(); ++i)
    {
        const auto& flow = visit->lanes[i].flow;
        known = std::min(known, flow.allowed.GetEnd());
    }
    while (visit->freed < known)
    {
        auto time = WormholeOutput::ALWAYS;
        auto end = known;
        for (std::size_t i = 0; i < visit->GetNFlows(); ++i)
        {
            auto& flow = visit->lanes[i].flow;
            time = std::max(time, flow.allowed.At(visit->freed, m_tau, flow.allowedToFree));
            end = std::min(end, flow.allowed.GetRunEnd(flow.allowedToFree));
        }
        if (!covers)
        {
            time = std::max(time, visit->arrivals.At(visit->freed, m_tau, visit->arrivalsToFree));
            end = std::min(end, visit->arrivals.GetRunEnd(visit->arrivalsToFree));
        }
        Credit(input, end - visit->freed, time);
        visit->freed = end;
    }
}

void
RunEngine::Credit(WormholeInput* input, uint64_t flits, int64_t time)
{
    auto& output = *input->upstream;
    auto& credits = output.credits;
    // Switches grant in order of time, maybe ahead of now.
    const auto earliest = output.contested ? std::max(m_now, m_decidedTo) : m_now;
    if (!output.owner && credits.GetLastTime(m_tau) <= earliest)
    {
        // Whoever comes starts then at the earliest, and finds all these credits there.
        credits.Join(WormholeOutput::ALWAYS);
        output.creditsRead = 0;
    }
    credits.Append(credits.GetEnd() + flits, time + input->creditDelay, m_tau);
    if (output.owner && MattersToOwner(output))
    {
        Wake(output.owner);
    }
}

bool
RunEngine::MattersToOwner(const WormholeOutput& output) const
{
    const auto& owner = *output.owner;
    if ((m_buffersCover || owner.isStream) && owner.lanes.size() == 1 && !m_catchingUp)
    {
        const auto& lane = owner.lanes.front();
        const auto& flow = lane.flow;
        // While neither the worm's head nor, by what the buffers behind it hold, its tail anywhere
        // can move on, the news can wait: nobody else depends on the flits between. Not so with
        // tree worms in buffers that don't cover the round trip, since their credits depend on
        // arrivals; of others, SettleStream settles what was left once it matters.
        return flow.allowed.GetEnd() < owner.flits &&
               (flow.allowed.GetEnd() == 0 ||
                output.credits.GetEnd() + owner.room >= lane.base + owner.flits);
    }
    for (std::size_t i = 0; i < owner.GetNFlows(); ++i)
    {
        if (owner.lanes[i].flow.allowed.GetEnd() < owner.flits)
        {
            return true;
        }
    }
    return false;
}

void
RunEngine::Leave(WormVisit* visit, int64_t left)
{
    auto input = visit->input;
    if (visit->queued && visit != m_current)
    {
        visit->flits = 0; // who brings it up to date makes it spare
    }
    else
    {
        m_spare.push_back(visit);
    }
    visit->worm = nullptr;
    if (input)
    {
        input->Pop(left);
        if (input->front)
        {
            TellFront(*input->front, true);
        }
    }
}

} // namespace ns3
