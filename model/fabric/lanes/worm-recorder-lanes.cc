/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a recorder is told where outputs are granted to whole worms (S11).

#include "lane-buffers.h"

#include "ns3/worm-recorder.h"
#include "ns3/wormhole-node-state.h"
#include "ns3/wormhole-port.h"

#include <algorithm>

namespace ns3
{

void
WormRecorder::Begin(const LaneHop& hop, int64_t time, uint32_t nLanes)
{
    Begin(hop.GetWorm(), *hop.GetNode(), time);
    m_records.back().nLanes = nLanes;
}

void
WormRecorder::Ask(const LaneHop& hop, int64_t time)
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
            next.flits = hop.GetFlits();
            next.lane = request.output->lane;
        }
    }
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
        auto& channel = m_channels[NumberOf(*output.port, times)];
        if (channel.lanes.empty())
        {
            channel.lanes.resize(priorities.size());
            for (std::size_t lane = 0; lane < priorities.size(); ++lane)
            {
                channel.lanes[lane].priority = priorities[lane];
            }
        }
        return channel.lanes[output.lane];
    };
    const auto& output = *request.output;
    const auto flits = hop.GetFlits(); // counted there by now
    const Place place{id, request.GetNext()};
    laneOf(output).uses.push_back({output.sent - flits, place});
    next->channel = NumberOf(*output.port, times);
    next->granted = time;
    next->base = output.shared->CountSent(priorities.size()) - flits;
    m_channels[next->channel].uses.push_back({next->base, place});
    starts.VisitRuns(flits, [next](uint64_t first, int64_t start, int64_t stride) {
        next->starts.push_back({first, start, stride});
    });
    next->left = starts.At(flits - 1) + times[output.port->pace];
    if (hop.HasChoices() && hop.requests) // null: it asked when nobody recorded
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
WormRecorder::Take(const LaneHop& hop, int64_t time)
{
    const auto id = hop.worm->GetId();
    if (auto* here = At(id, hop.stop))
    {
        here->taken = time;
        here->inputLane = hop.input->lane;
        if (here->asked == NEVER) // it was queued then
        {
            Queue(hop.input, {id, hop.stop}, *here);
        }
    }
}

} // namespace ns3
