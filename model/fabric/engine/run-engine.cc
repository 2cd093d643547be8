// SPDX-License-Identifier: GPL-2.0-only

#include "run-engine.h"

#include "forwarding-engine.h"

#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <utility>

namespace ns3
{

WormHop*
RunEngine::Start(const Ptr<Worm>& worm, WormholeNodeState* node, int64_t time)
{
    auto hop = StartFrom(worm, node, 0);
    m_rounds.CountStart(worm, *node); // its first port is there
    if (hop->route->HasChoices())
    {
        m_arbiter.UseChoices();
    }
    hop->arrivals.Append(hop->flits, time, GetFlowPace<FlitTimes>(*hop, 0), m_rounds.times);
    m_rounds.observer.Record([&](auto& recorder) { recorder.Begin(worm, *node, time); });
    return hop;
}

WormHop*
RunEngine::StartFrom(const Ptr<const Worm>& worm, WormholeNodeState* node, WormRoute::Stop stop)
{
    const auto& route = *worm->GetRoute();
    const auto flits = worm->GetFlits() + m_hops.GetRouteFlits(route, stop);
    auto hop = m_hops.Make(PeekPointer(worm),
                           &route,
                           flits,
                           stop,
                           node,
                           node->ports.data(),
                           node->ports.size());
    // A stream keeps no times of the flits that come to a host.
    hop->isStream = !m_buffersCover && route.GetNDestinations() == 1 &&
                    !m_rounds.observer.GetRecorder() && !(m_transit && m_transit->IsAsItComes());
    return hop;
}

void
RunEngine::PutIntoQueue(WormHop* hop, WormholeInput& input)
{
    input.Push(hop);
    if (input.front == hop)
    {
        Wake(hop);
        Propagate();
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
    m_rounds.CloseOnError([this] {
        if (m_rounds.times.IsOne())
        {
            BringAllUpToDate(OneFlitTime(m_rounds.times));
        }
        else
        {
            BringAllUpToDate(m_rounds.times);
        }
    });
    m_propagating = false;
}

template <class TIMES>
void
RunEngine::BringAllUpToDate(const TIMES& times)
{
    while (!m_awake.empty())
    {
        auto hop = m_awake.back();
        m_awake.pop_back();
        m_current = hop;
        if (hop->flits > 0)
        {
            BringUpToDate(hop, times);
        }
        else
        {
            m_hops.Put(hop);
        }
        hop->queued = false;
    }
}

void
RunEngine::CatchUp(const std::vector<Ptr<WormholePort>>& ports)
{
    if (m_rounds.IsClosed())
    {
        return;
    }
    m_rounds.now = Simulator::Now().GetTimeStep();
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

template <class TIMES>
void
RunEngine::BringUpToDate(WormHop* hop, const TIMES& times)
{
    if (!hop->asked && !m_arbiter.Ask(hop))
    {
        return;
    }
    if (hop->branches.empty())
    {
        ConsumeWhole(hop, times);
    }
    else if (hop->fits && ScheduleWhole(hop, times))
    {
        return;
    }
    else if (!hop->isStream)
    {
        ScheduleParts(hop, times);
    }
    else if (hop->branches.front().flow.missing == 0)
    {
        m_streams.Schedule(hop);
    }
}

template <class TIMES>
void
RunEngine::ScheduleParts(WormHop* hop, const TIMES& times)
{
    // Where starvation need not be told upstream, a slot counts as free when its flit is allowed to
    // start.
    const auto upstream = hop->input ? hop->input->upstream : nullptr;
    if (upstream)
    {
        __builtin_prefetch(upstream); // gets credits back soon
        __builtin_prefetch(&upstream->credits);
    }
    const auto nFlows = hop->GetNFlows();
    const bool freeAsAllowed = upstream && hop->isCovered && nFlows == 1;
    for (std::size_t i = 0; i < nFlows; ++i)
    {
        auto& flow = hop->branches[i].flow;
        if (flow.missing == 0 && flow.earliestStarts.GetEnd() < hop->flits)
        {
            ScheduleEarliestStarts(hop, i, freeAsAllowed, times);
        }
        if (flow.sent < std::min(flow.earliestStarts.GetEnd(), hop->arrivals.GetEnd()))
        {
            ScheduleDepartures(hop, i, times);
        }
    }
    if (upstream && !freeAsAllowed)
    {
        ReturnCredits(hop, times);
    }
    if (hop->flowsLeft == 0)
    {
        auto left = WormholeOutput::ALWAYS;
        for (std::size_t i = 0; i < nFlows; ++i)
        {
            left = std::max(left, hop->branches[i].nextDeparture);
        }
        Leave(hop, left);
    }
    else
    {
        hop->DropReadRuns(upstream && !freeAsAllowed);
    }
}

template <class TIMES>
bool
RunEngine::IsCovered(const WormHop& hop, const WormholeOutput& upstream, const TIMES& times)
{
    return upstream.coversRoundTrip &&
           (TIMES::IS_ONE ||
            std::all_of(hop.branches.begin(), hop.branches.end(), [&](const WormBranch& branch) {
                return times[branch.output->pace] <= times[upstream.pace];
            }));
}

template <class TIMES>
bool
RunEngine::ScheduleWhole(WormHop* hop, const TIMES& times)
{
    const auto flits = hop->flits;
    auto& branch = hop->branches.front();
    auto& flow = branch.flow;
    auto& output = *branch.output;
    if (flow.missing > 0 || flow.earliestStarts.GetEnd() > 0 || hop->arrivals.GetEnd() < flits ||
        !hop->arrivals.IsOneRun())
    {
        return false;
    }
    FlitPart allowed{flow.nextStart, flits, output.pace};
    if (!output.isEjection)
    {
        if (output.credits.GetEnd() < branch.base + flits)
        {
            return false;
        }
        auto credits = output.credits.Read(branch.base, times, output.creditsRead);
        credits.end -= branch.base;
        allowed = allowed.Meet(0, credits, output.pace, times);
    }
    const FlitPart here{hop->arrivals.GetFirstTime(), flits, hop->arrivals.GetFirstPace()};
    const auto start = allowed.Meet(0, here, output.pace, times);
    if (start.end < flits)
    {
        return false;
    }
    if (hop->input && hop->input->upstream)
    {
        const auto& freed = hop->isCovered ? allowed : start;
        Credit(hop->input, flits, freed.time, freed.pace, times);
        hop->credited = flits;
    }
    Send(branch, 0, start, times);
    flow.sent = flits;
    const auto left = start.After(flits - 1, times) + times[output.pace];
    ScheduleTail(hop, branch, left, times);
    Leave(hop, left);
    return true;
}

template <class TIMES>
void
RunEngine::ConsumeWhole(WormHop* hop, const TIMES& times)
{
    const auto flits = hop->flits;
    if (hop->arrivals.GetEnd() == flits)
    {
        const auto time = std::max(hop->input->left, hop->arrivals.GetLastTime(times));
        m_rounds.observer.Record([&](auto& recorder) {
            recorder.Take({hop->worm->GetId(), hop->stop}, hop->input, time);
        });
        hop->node->DeliverAt(time, hop->input->number, hop->GetWorm());
        m_rounds.counts.flitsOut += flits;
        // All slots are free at once. As flits that use them are a flit time apart anyway, it
        // makes no difference to tell of them a flit time apart.
        Credit(hop->input, flits, time, hop->input->upstream->pace, times);
        Leave(hop, time);
    }
}

template <class TIMES>
void
RunEngine::ScheduleEarliestStarts(WormHop* hop, std::size_t first, bool free, const TIMES& times)
{
    const auto begin = &hop->branches[first];
    const auto end = begin + hop->GetFlowSize();
    auto& flow = begin->flow;
    const auto flits = hop->flits;
    auto flit = flow.earliestStarts.GetEnd();
    if (flit == 0)
    {
        // Nobody has read it yet.
        flow.startsToSend = flow.startsToCredit = flow.arrivalsToSend = 0;
        hop->arrivalsToCredit = 0;
    }
    // Flits whose credits are known on all branches: one test a run rather than one a branch.
    auto known = flits;
    const auto pace = GetFlowPace<TIMES>(*hop, first);
    for (auto branch = begin; branch < end; ++branch)
    {
        const auto& output = *branch->output;
        known = output.isEjection ? known : std::min(known, output.credits.GetEnd() - branch->base);
    }
    while (flit < known)
    {
        // Of conditions of one pace, the order does not matter (FlitPart::Meet).
        FlitPart part{TIMES::IS_ONE ? flow.nextStart : WormholeOutput::ALWAYS, known, pace};
        for (auto branch = begin; branch < end; ++branch)
        {
            auto& output = *branch->output;
            if (!output.isEjection)
            {
                auto credits = output.credits.Read(branch->base + flit, times, output.creditsRead);
                credits.end -= branch->base;
                part = part.Meet(flit, credits, pace, times);
            }
        }
        if constexpr (!TIMES::IS_ONE)
        {
            part = part.Meet(flit, {flow.nextStart, known, pace}, pace, times);
        }
        EngineRounds::CheckTime(*begin->output, part.time);
        flow.earliestStarts.Append(part.end, part.time, part.pace, times);
        flow.nextStart = part.After(part.end - flit - 1, times) + times[pace];
        if (free)
        {
            Credit(hop->input, part.end - flit, part.time, part.pace, times);
            hop->credited = part.end;
        }
        flit = part.end;
    }
}

template <class TIMES>
void
RunEngine::ScheduleDepartures(WormHop* hop, std::size_t first, const TIMES& times)
{
    const auto begin = &hop->branches[first];
    const auto end = begin + hop->GetFlowSize();
    auto& flow = begin->flow;
    const auto flits = hop->flits;
    const auto known = std::min(flow.earliestStarts.GetEnd(), hop->arrivals.GetEnd());
    const auto pace = GetFlowPace<TIMES>(*hop, first);
    auto& next = begin->nextDeparture;
    auto sent = flow.sent;
    while (sent < known)
    {
        const auto allowed = flow.earliestStarts.Read(sent, times, flow.startsToSend);
        const auto arrival = hop->arrivals.Read(sent, times, flow.arrivalsToSend);
        auto part = allowed.Meet(sent, arrival, pace, times);
        part.end = std::min(part.end, known);
        if constexpr (!TIMES::IS_ONE)
        {
            // With one pace, neither condition lets flits start too soon after one another.
            part = part.Meet(sent, {next, known, pace}, pace, times);
        }
        for (auto branch = begin; branch < end; ++branch)
        {
            Send(*branch, sent, part, times);
        }
        const auto tail = part.After(part.end - sent - 1, times);
        next = tail + times[pace];
        if (part.end == flits)
        {
            for (auto branch = begin; branch < end; ++branch)
            {
                ScheduleTail(hop, *branch, tail + times[branch->output->pace], times);
            }
            --hop->flowsLeft;
        }
        flow.sent = sent = part.end;
    }
}

template <class TIMES>
void
RunEngine::Send(WormBranch& branch, uint64_t first, const FlitPart& starts, const TIMES& times)
{
    const auto hop = branch.hop;
    auto& output = *branch.output;
    const auto time = starts.time;
    const auto end = starts.end;
    EngineRounds::CheckTime(output, time);
    m_rounds.counts.flitHops += end - first;
    m_rounds.observer.Start(branch, first, starts, times[starts.pace]);
    if (first == 0)
    {
        if (hop->input)
        {
            output.NoteInput(*hop->input);
        }
        if (!output.isEjection)
        {
            // A worm that is wholly sent by one output leaves with this, so needs its worm no more:
            // but for a stream, whose tail leaves several nodes then.
            const bool all = end == hop->flits && hop->branches.size() == 1 && !hop->isStream;
            auto& input = output.GetFar().input;
            branch.far = m_hops.Make(all ? std::move(hop->worm) : hop->worm,
                                     hop->route,
                                     hop->flits,
                                     branch.next,
                                     input.node,
                                     output.farPorts,
                                     output.nFarPorts);
            branch.far->pathCapacity = hop->pathCapacity + output.depth;
            branch.far->isStream = hop->isStream;
            branch.far->fits = branch.far->fits && output.CanHold(hop->flits);
            branch.far->isCovered = IsCovered(*branch.far, output, times);
            if (m_hops.BringRoutes())
            {
                m_hops.FindRouteFlit(*branch.far, time + output.hopLatency);
            }
            input.Push(branch.far);
            if (branch.far->branches.empty() && hop->flits > output.depth)
            {
                throw WormholeError(input.node->name + ": a worm of " + std::to_string(hop->flits) +
                                    " flits ends in this switch, whose buffer holds " +
                                    std::to_string(output.depth) + "; BufferDepth must hold it");
            }
        }
    }
    if (output.isEjection)
    {
        if (hop->route->At(branch.next).size() > 0)
        {
            ForwardingEngine::CheckRoute(m_transit, *output.GetFar().input.node, *hop->route);
            m_transit->Receive(branch, first, {time + output.hopLatency, end, starts.pace});
        }
        return;
    }
    auto& far = *branch.far;
    const FlitPart arrivals{time + output.hopLatency, end, starts.pace};
    if (!m_hops.BringRoutes() || !far.DropsFlit())
    {
        far.arrivals.Append(end, arrivals.time, arrivals.pace, times);
    }
    else if (end > 1) // the first one goes no further, and the hop does not count it (S1b)
    {
        far.arrivals.Append(end - 1,
                            arrivals.After(first == 0 ? 1 : 0, times),
                            arrivals.pace,
                            times);
    }
    if (output.GetFar().input.front == &far)
    {
        NotifyFront(far);
    }
}

void
RunEngine::NotifyFront(WormHop& hop)
{
    if (!hop.asked && !hop.branches.empty() && !hop.DropsFlit())
    {
        m_arbiter.Ask(&hop); // whoever grants an output wakes it
    }
    else if (!hop.asked || hop.CanUseArrivals())
    {
        Wake(&hop);
    }
}

template <class TIMES>
void
RunEngine::ScheduleTail(WormHop* hop, WormBranch& branch, int64_t left, const TIMES& times)
{
    auto& output = *branch.output;
    const auto flits = hop->flits;
    const auto& holder = hop->worm ? *hop : *branch.far;
    ++m_rounds.counts.wormHops;
    m_rounds.observer.Leave(branch, holder, left);
    output.sent += flits;
    output.owner = nullptr;
    output.freeAt = left;
    branch.far = nullptr; // goes on alone, and its record may be used again before this one's
    output.credits.DropBefore(output.creditsRead);
    if (!hop->input || !hop->input->upstream)
    {
        m_rounds.counts.flitsIn += flits;
        if (hop->stop > 0)
        {
            m_transit->GetHost(*hop->node).NoteExit(left, hop->flits);
        }
    }
    if (output.isEjection)
    {
        m_rounds.counts.flitsOut += flits;
        // The interface's delay is included.
        const auto time = left + output.hopLatency - times[output.pace];
        const auto& input = output.GetFar().input;
        if (hop->route->At(branch.next).size() > 0)
        {
            m_transit->ReceiveTail(*hop, branch, time);
        }
        else
        {
            EngineObserver::Deliver(input, *hop, time);
            m_rounds.ScheduleArrival(time,
                                     input.node,
                                     input.number,
                                     hop->branches.size() == 1 ? std::move(hop->worm) : hop->worm);
        }
    }
    m_arbiter.Arm(output, WormholeOutput::ALWAYS);
}

template <class TIMES>
void
RunEngine::ReturnCredits(WormHop* hop, const TIMES& times)
{
    auto input = hop->input;
    const bool covers = hop->isCovered;
    auto known = covers ? hop->flits : hop->arrivals.GetEnd();
    auto pace = input->upstream->pace;
    for (std::size_t i = 0; i < hop->branches.size() && !TIMES::IS_ONE; ++i)
    {
        pace = GetSlower(pace, hop->branches[i].output->pace);
    }
    for (std::size_t i = 0; i < hop->GetNFlows(); ++i)
    {
        known = std::min(known, hop->branches[i].flow.earliestStarts.GetEnd());
    }
    while (hop->credited < known)
    {
        FlitPart part{WormholeOutput::ALWAYS, known, input->upstream->pace};
        for (std::size_t i = 0; i < hop->GetNFlows(); ++i)
        {
            auto& flow = hop->branches[i].flow;
            part = part.Meet(hop->credited,
                             flow.earliestStarts.Read(hop->credited, times, flow.startsToCredit),
                             input->upstream->pace,
                             times);
        }
        if (!covers)
        {
            // Flits leave no faster than by the slowest output.
            const auto here = FlitPart{hop->nextFreed, known, pace}.Meet(
                hop->credited,
                hop->arrivals.Read(hop->credited, times, hop->arrivalsToCredit),
                pace,
                times);
            part = part.Meet(hop->credited, here, input->upstream->pace, times);
            hop->nextFreed = here.After(part.end - hop->credited - 1, times) + times[pace];
        }
        Credit(input, part.end - hop->credited, part.time, part.pace, times);
        hop->credited = part.end;
    }
}

template <class TIMES>
void
RunEngine::Credit(WormholeInput* input,
                  uint64_t flits,
                  int64_t time,
                  FlitPace pace,
                  const TIMES& times)
{
    auto& output = *input->upstream;
    auto& credits = output.credits;
    time += input->creditDelay;
    if (output.creditsRead > 0)
    {
        credits.DropBefore(output.creditsRead); // so that there are seldom more than two runs
    }
    credits.Append(credits.GetEnd() + flits, time, pace, times);
    m_rounds.observer.Credit(output, flits, time);
    if (output.owner && MattersToOwner(output))
    {
        Wake(output.owner);
    }
}

bool
RunEngine::MattersToOwner(const WormholeOutput& output) const
{
    const auto& owner = *output.owner;
    if ((m_buffersCover || owner.isStream) && owner.branches.size() == 1 && !m_catchingUp)
    {
        const auto& branch = owner.branches.front();
        const auto& flow = branch.flow;
        // While neither the worm's head nor, by what the buffers behind it hold, its tail anywhere
        // can move on, the news can wait: nobody else depends on the flits between. (The flits of
        // a route and the one behind them are heads somewhere.) Not so with tree worms in buffers
        // that don't cover the round trip, since their credits depend on arrivals; of others,
        // StreamScheduler schedules what was left once it matters.
        const auto known = flow.earliestStarts.GetEnd();
        return known < owner.flits &&
               (known == 0 ||
                (m_hops.BringRoutes() && known <= owner.flits - owner.worm->GetFlits()) ||
                output.credits.GetEnd() + owner.pathCapacity >= branch.base + owner.flits);
    }
    const auto begin = owner.branches.begin();
    return std::any_of(begin, begin + owner.GetNFlows(), [&](const WormBranch& branch) {
        return branch.flow.earliestStarts.GetEnd() < owner.flits;
    });
}

void
RunEngine::Leave(WormHop* hop, int64_t left)
{
    auto input = hop->input;
    if (hop->queued && hop != m_current)
    {
        hop->flits = 0; // who brings it up to date makes it spare
    }
    else
    {
        m_hops.Put(hop);
    }
    hop->worm = nullptr;
    if (input)
    {
        input->Pop(left);
        if (input->front)
        {
            NotifyFront(*input->front);
        }
    }
}

void
RunEngine::DropRouteFlit(WormHop& hop, int64_t time)
{
    hop.routeFlit = time;
    m_rounds.observer.Record(
        [&](auto& recorder) { recorder.ReadRoute({hop.worm->GetId(), hop.stop}, time); });
    const auto pace = hop.input->upstream->pace;
    hop.branches.front().flow.nextStart = time + m_rounds.times[pace];
    ++m_rounds.counts.flitsDropped;
    Credit(hop.input, 1, time, pace, m_rounds.times);
}

// What streams, which may have several flit times, tell others; and what choices ask.
template bool RunEngine::IsCovered(const WormHop&, const WormholeOutput&, const FlitTimes&);
template void RunEngine::Send(WormBranch&, uint64_t, const FlitPart&, const FlitTimes&);
template void RunEngine::ScheduleTail(WormHop*, WormBranch&, int64_t, const FlitTimes&);
template void RunEngine::Credit(WormholeInput*, uint64_t, int64_t, FlitPace, const FlitTimes&);

} // namespace ns3
