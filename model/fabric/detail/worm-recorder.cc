// SPDX-License-Identifier: GPL-2.0-only

#include "worm-recorder.h"

#include "ns3/flit-hop.h"
#include "ns3/lane-buffers.h"
#include "ns3/memory-limit.h"
#include "ns3/ordering.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-port.h"

#include <iterator>
#include <utility>

namespace ns3
{

int64_t
WormRecorder::Stop::GetStart(uint64_t flit) const
{
    if (starts.empty() || flit < starts.front().first || flit >= nStarted)
    {
        return NEVER;
    }
    const auto& run = FindRun(flit);
    return run.time + static_cast<int64_t>(flit - run.first) * run.stride;
}

const WormRecorder::Run&
WormRecorder::Stop::FindRun(uint64_t flit) const
{
    const auto after =
        std::upper_bound(starts.begin(), starts.end(), flit, [](uint64_t f, const Run& run) {
            return f < run.first;
        });
    return *(after - 1);
}

void
WormRecorder::Clear()
{
    const auto delay =
        GreatestOf(int64_t{0}, m_channels, [](const auto& channel) { return channel.delay; });
    // Numbers follow each other: the oldest one under way keeps all that began after it.
    const auto now = Simulator::Now().GetTimeStep();
    const auto kept = FindIn(m_records, [&](const Record& record) {
        return record.worm && GetEnd(record, delay) > now;
    });
    m_firstWhole = m_first + m_records.size();
    m_expectedBytes = 0;
    m_first += static_cast<uint64_t>(kept - m_records.begin());
    m_records.erase(m_records.begin(), kept);
    for (auto front = m_fronts.begin(); front != m_fronts.end();)
    {
        front = front->second.worm < m_first ? m_fronts.erase(front) : std::next(front);
    }
    for (auto& channel : m_channels)
    {
        Forget(channel.uses);
        for (auto& lane : channel.lanes)
        {
            Forget(lane.uses);
            lane.withdrawn = ThoseOf(lane.withdrawn, [this](const auto& its) {
                return !(its.place.worm < m_first);
            });
        }
    }
}

int64_t
WormRecorder::GetEnd(const Record& record, int64_t delay)
{
    constexpr auto EVER = std::numeric_limits<int64_t>::max();
    if (record.nHops > 0 || record.gone != NEVER)
    {
        return record.nHops > 0 ? EVER : record.gone + delay;
    }
    const auto& route = *record.route;
    auto end = NEVER;
    for (WormRoute::Stop stop = 1; stop < route.GetNStops(); ++stop)
    {
        if (route.At(stop).size() == 0)
        {
            const auto& there = record.stops[stop];
            const auto time = std::max(there.left, there.taken);
            if (time == NEVER && !route.HasChoices())
            {
                return EVER;
            }
            end = std::max(end, time);
        }
    }
    return end == NEVER ? EVER : end + delay;
}

void
WormRecorder::Forget(std::vector<Use>& uses) const
{
    // Those before it were through before it.
    const auto last = std::find_if(uses.rbegin(), uses.rend(), [this](const Use& use) {
        return use.place.worm < m_first;
    });
    uses.erase(uses.begin(), last.base());
}

std::vector<WormRecorder::Use>::const_iterator
WormRecorder::FindUse(const std::vector<Use>& uses, uint64_t flit)
{
    const auto after =
        std::upper_bound(uses.begin(), uses.end(), flit, [](uint64_t number, const Use& use) {
            return number < use.base;
        });
    return after == uses.begin() ? uses.end() : after - 1;
}

void
WormRecorder::Begin(const Ptr<const Worm>& worm,
                    const WormholeNodeState& root,
                    int64_t time,
                    uint32_t nLanes)
{
    const auto id = worm->GetId();
    if (m_records.empty())
    {
        m_first = id;
    }
    m_records.resize(id - m_first + 1);
    auto& record = m_records.back();
    record.worm = worm;
    record.route = worm->GetRoute();
    record.root = root.name;
    record.injected = time;
    record.nLanes = nLanes;
    record.handedOver = root.device ? time - root.delay : time;
    record.stops.resize(worm->GetRoute()->GetNStops());
}

void
WormRecorder::Queue(const void* input, const Place& here, Stop& stop)
{
    if (input)
    {
        auto& front = m_fronts[input];
        if (front.worm != here.worm || front.stop != here.stop) // else it asks once more
        {
            stop.ahead = std::exchange(front, here);
        }
    }
}

void
WormRecorder::Ask(const WormHop& hop, int64_t time, const FlitTimes& times)
{
    const auto id = hop.worm->GetId();
    if (auto* here = At(id, hop.stop))
    {
        here->asked = time;
        here->inStep = hop.inStep && !hop.route->HasChoices();
        Queue(hop.input, {id, hop.stop}, *here);
        for (const auto& branch : hop.branches)
        {
            auto& next = *At(id, branch.next);
            next.parent = hop.stop;
            next.flits = hop.flits;
            next.channel = hop.route->HasChoices() ? NO_CHANNEL : NumberOf(*branch.output, times);
        }
    }
}

void
WormRecorder::CheckMemory(const WormholeOutput& output, uint64_t flits)
{
    constexpr double RUN = 48; // bytes, in a list that grows
    if (output.isEjection || output.coversRoundTrip || flits <= output.depth)
    {
        return;
    }
    m_expectedBytes += RUN * (flits / output.depth);
    MemoryLimit::Check(m_expectedBytes, [&] {
        return "to record worms such as one of " + std::to_string(flits) + " flits at " +
               output.GetPort().GetName() + ", where a buffer of " + std::to_string(output.depth) +
               " is shorter than the cable's round trip, takes";
    });
}

void
WormRecorder::Grant(const WormBranch& branch, int64_t time, const FlitTimes& times)
{
    const auto id = branch.hop->worm->GetId();
    if (auto* next = At(id, branch.next))
    {
        CheckMemory(*branch.output, branch.hop->flits);
        next->channel = NumberOf(*branch.output, times);
        next->granted = time;
        next->base = branch.output->sent;
        m_channels[next->channel].uses.push_back({next->base, {id, branch.next}});
    }
}

void
WormRecorder::Start(const WormBranch& branch,
                    uint64_t first,
                    const FlitPart& starts,
                    int64_t stride)
{
    const auto& worm = branch.far && !branch.hop->worm ? branch.far->worm : branch.hop->worm;
    if (auto* next = At(worm->GetId(), branch.next))
    {
        auto& runs = next->starts;
        const bool follows =
            !runs.empty() && runs.back().stride == stride &&
            runs.back().time + static_cast<int64_t>(first - runs.back().first) * stride ==
                starts.time;
        if (!follows)
        {
            runs.push_back({first, starts.time, stride});
        }
        next->nStarted = starts.end;
    }
}

void
WormRecorder::Leave(const WormBranch& branch, int64_t left)
{
    const auto& worm = branch.far && !branch.hop->worm ? branch.far->worm : branch.hop->worm;
    if (auto* next = At(worm->GetId(), branch.next))
    {
        next->left = left;
    }
}

uint32_t
WormRecorder::NumberOf(const WormholeOutput& output, const FlitTimes& times)
{
    const auto [found, isNew] =
        m_numbers.emplace(&output, static_cast<uint32_t>(m_channels.size()));
    if (isNew)
    {
        const auto& far = output.GetFar().input;
        Channel channel;
        channel.name = output.GetPort().GetName();
        channel.far = far.node->name;
        channel.tau = times[output.pace];
        channel.hopLatency = output.hopLatency;
        channel.delay = output.hopLatency - channel.tau - far.node->delay;
        channel.depth = output.depth;
        channel.isEjection = output.isEjection;
        m_channels.push_back(std::move(channel));
    }
    return found->second;
}

void
WormRecorder::Ask(const LaneHop& hop, int64_t time, const FlitTimes& times)
{
    const auto id = hop.worm->GetId();
    if (auto* here = At(id, hop.stop))
    {
        here->asked = time;
        if (hop.input)
        {
            here->number = hop.input->GetNumber();
            here->inputLane = hop.input->lane;
        }
        Queue(hop.input, {id, hop.stop}, *here);
        for (const auto& request : hop.requests->list)
        {
            auto& next = *At(id, request.GetNext());
            next.parent = hop.stop;
            next.flits = hop.flits;
            next.lane = request.output->lane;
            next.channel = hop.hasChoices ? NO_CHANNEL : NumberOf(*request.output->port, times);
        }
    }
}

WormRecorder::Lane&
WormRecorder::LaneOf(const WormholeOutput& output,
                     std::size_t lane,
                     const FlitTimes& times,
                     const std::vector<int32_t>& priorities)
{
    auto& lanes = m_channels[NumberOf(output, times)].lanes;
    for (auto number = lanes.size(); number < priorities.size(); ++number)
    {
        lanes.emplace_back();
        lanes.back().priority = priorities[number];
    }
    return lanes[lane];
}

void
WormRecorder::Grant(const LaneRequest& request,
                    int64_t time,
                    const FlitEnvelope& starts,
                    const FlitTimes& times,
                    const std::vector<int32_t>& priorities)
{
    const auto& hop = *request.hop;
    const auto id = hop.worm->GetId();
    auto* next = At(id, request.GetNext());
    if (!next)
    {
        return;
    }
    const auto laneOf = [&](const LaneOutput& output) -> Lane& {
        return LaneOf(*output.port, output.lane, times, priorities);
    };
    const auto& output = *request.output;
    const auto flits = hop.flits; // counted there by now
    const Place place{id, request.GetNext()};
    laneOf(output).uses.push_back({output.sent - flits, place});
    next->channel = NumberOf(*output.port, times);
    next->granted = time;
    uint64_t sent = 0;
    for (std::size_t lane = 0; lane < priorities.size(); ++lane)
    {
        sent += output.shared->outputs[lane].sent;
    }
    next->base = sent - flits;
    m_channels[next->channel].uses.push_back({next->base, place});
    starts.VisitRuns(flits, [next](uint64_t first, int64_t start, int64_t stride) {
        next->starts.push_back({first, start, stride});
    });
    next->left = starts.At(flits - 1) + times[output.port->pace];
    if (hop.hasChoices && hop.requests) // null: it asked when nobody recorded
    {
        for (const auto& other : hop.requests->list)
        {
            if (other.index != request.index)
            {
                laneOf(*other.output).withdrawn.push_back({{id, hop.stop}, time});
            }
        }
    }
}

void
WormRecorder::Ask(const FlitHop& hop, int64_t time, bool inStep, const FlitTimes& times)
{
    const auto id = hop.worm->GetId();
    if (auto* here = At(id, hop.stop))
    {
        here->asked = time;
        here->inStep = inStep;
        here->number = hop.input ? hop.input->number : here->number;
        here->inputLane = hop.input ? hop.input->lane : here->inputLane;
        Queue(hop.input, {id, hop.stop}, *here);
        for (const auto& option : hop.options)
        {
            auto& next = *At(id, option.next);
            next.parent = hop.stop;
            next.flits = hop.flits;
            next.lane = option.lane;
            next.channel =
                hop.route->HasChoices() ? NO_CHANNEL : NumberOf(*option.output->port, times);
        }
    }
}

void
WormRecorder::Grant(const FlitHop& hop,
                    const FlitBranch& branch,
                    int64_t time,
                    const FlitTimes& times,
                    const std::vector<int32_t>& priorities)
{
    const auto id = hop.worm->GetId();
    const auto& taken = *branch.taken;
    auto* next = At(id, taken.next);
    if (!next)
    {
        return;
    }
    CheckMemory(*taken.output->port, hop.flits);
    const Place place{id, taken.next};
    next->channel = NumberOf(*taken.output->port, times);
    next->granted = time;
    next->nStarted = 0;
    if (!priorities.empty())
    {
        auto& lane = LaneOf(*taken.output->port, taken.lane, times, priorities);
        lane.uses.push_back({lane.nSlots, place});
        for (auto i = branch.first; i < branch.end; ++i)
        {
            if (const auto& other = hop.options[i]; &other != &taken)
            {
                auto& its = LaneOf(*other.output->port, other.lane, times, priorities);
                its.withdrawn.push_back({{id, hop.stop}, time});
            }
        }
    }
    auto& channel = m_channels[next->channel];
    next->base = channel.nSlots;
    channel.uses.push_back({next->base, place});
}

void
WormRecorder::Start(const FlitHop& hop, const FlitBranch& branch, int64_t time, bool takesSlot)
{
    auto* next = At(hop.worm->GetId(), branch.taken->next);
    if (!next)
    {
        return;
    }
    auto& channel = m_channels[next->channel];
    const auto flit = next->nStarted++;
    auto& runs = next->starts;
    if (!runs.empty() && runs.back().first + 1 == flit)
    {
        runs.back().stride = time - runs.back().time;
    }
    else if (runs.empty() || next->GetStart(flit) != time)
    {
        runs.push_back({flit, time, channel.tau});
    }
    channel.nSlots += takesSlot;
    if (!channel.lanes.empty())
    {
        channel.lanes[branch.taken->lane].nSlots += takesSlot;
    }
}

void
WormRecorder::Leave(const FlitHop& hop, const FlitBranch& branch, int64_t left)
{
    if (auto* next = At(hop.worm->GetId(), branch.taken->next))
    {
        next->left = left;
        next->isCut = next->isCut || branch.sent < hop.flits;
    }
}

void
WormRecorder::Reroute(uint64_t worm, const Ptr<const WormRoute>& route)
{
    if (Find(worm))
    {
        auto& record = m_records[worm - m_first];
        record.route = route;
        record.stops.assign(route->GetNStops(), {});
    }
}

} // namespace ns3
