// SPDX-License-Identifier: GPL-2.0-only

#include "worm-explainer.h"

#include "ns3/lane-block-times.h"
#include "ns3/ordering.h"

#include <utility>

namespace ns3
{

namespace
{

constexpr auto NEVER = WormRecorder::NEVER;

int64_t
Add(int64_t time, int64_t by)
{
    return time == NEVER ? NEVER : time + by;
}

/// The way back from a worm's end to its start.
class Walk
{
  public:
    Walk(const WormRecorder& recorder, const WormRecorder::Record& record, uint64_t worm)
        : m_recorder(recorder),
          m_record(record),
          m_worm(worm)
    {
    }

    LatencyIntervals Run(WormRoute::Stop end)
    {
        const auto& last = m_record.stops[end];
        const auto& channel = m_recorder.GetChannel(last.channel);
        if (channel.isEjection)
        {
            m_time = last.left + channel.hopLatency - channel.tau;
        }
        else
        {
            m_time = last.taken;
            GoToFront(end, GetReady(end, last.flits - 1));
        }
        GoToStart(end, last.flits - 1);
        while (!m_isDone)
        {
            Step();
        }
        Emit(LatencyCause::INTERFACE_DELAY, m_record.handedOver, m_record.root);
        std::reverse(m_intervals.begin(), m_intervals.end());
        return std::move(m_intervals);
    }

  private:
    struct Slot
    {
        int64_t freed;
        WormRecorder::Place place; ///< worm whose flit left it, at the channel it left by
        uint64_t flit;             ///< that flit, by the count there
        bool isRead;               ///< whether it was read and went no further (S1b)
    };

    void Emit(LatencyCause cause,
              int64_t from,
              const std::string& place,
              Ptr<const Worm> other = nullptr,
              int32_t lane = LatencyInterval::NO_LANE,
              const std::string& note = "")
    {
        if (from >= m_time)
        {
            return;
        }
        if (cause == LatencyCause::UNEXPLAINED && m_time > m_recorder.GetFirstOutage())
        {
            cause = LatencyCause::OUTAGE; // all else is recorded
        }
        if (!m_intervals.empty() && m_intervals.back().cause == cause &&
            m_intervals.back().place == place && m_intervals.back().other == other &&
            m_intervals.back().note == note)
        {
            m_intervals.back().from = from;
        }
        else
        {
            m_intervals.push_back({from, m_time, cause, place, m_record.worm, other, note, lane});
        }
        m_time = from;
    }

    void EmitAt(LatencyCause cause,
                int64_t from,
                WormRoute::Stop stop,
                Ptr<const Worm> other = nullptr,
                const std::string& note = "")
    {
        const auto& there = m_record.stops[stop];
        Emit(cause,
             from,
             m_recorder.GetChannel(there.channel).name,
             std::move(other),
             m_record.nLanes > 1 ? there.lane : LatencyInterval::NO_LANE,
             note);
    }

    Ptr<const Worm> WormOf(uint64_t worm) const
    {
        const auto record = m_recorder.Find(worm);
        return record ? record->worm : nullptr;
    }

    int64_t GetReady(WormRoute::Stop stop, uint64_t flit) const
    {
        const auto& there = m_record.stops[stop];
        return Add(there.GetStart(flit), m_recorder.GetChannel(there.channel).hopLatency);
    }

    /// A flit that is ready at a stop now: goes back to its start on the channel there.
    void GoToStart(WormRoute::Stop stop, uint64_t flit)
    {
        const auto& channel = m_recorder.GetChannel(m_record.stops[stop].channel);
        const auto start = m_record.stops[stop].GetStart(flit);
        Emit(channel.isEjection ? LatencyCause::INTERFACE_DELAY : LatencyCause::SWITCH_DELAY,
             start + channel.tau + channel.delay,
             channel.far);
        EmitAt(LatencyCause::PROPAGATION, start + channel.tau, stop);
        EmitAt(LatencyCause::WIRE, start, stop);
        m_stop = stop;
        m_flit = flit;
    }

    /// The worm is in front of its buffer now: goes back to when it could have been.
    void GoToFront(WormRoute::Stop stop, int64_t ready)
    {
        const auto& here = m_record.stops[stop];
        auto ahead = here.ahead;
        const bool isHost = stop == 0 || here.passed != NEVER;
        const auto& place = stop == 0 ? m_record.root
                            : isHost  ? m_recorder.GetChannel(here.channel).far
                                      : m_recorder.GetChannel(here.channel).name;
        const auto lane = m_record.nLanes > 1 ? here.inputLane : LatencyInterval::NO_LANE;
        while (m_time > ready)
        {
            // One after the other: each was in front once the one before it had left.
            const auto record = m_recorder.Find(ahead.worm);
            if (const auto left = record ? GetLeft(ahead) : NEVER;
                left < m_time &&
                m_time > m_recorder.GetFirstOutage()) // of one that was lost, or held back
            {
                Emit(LatencyCause::UNEXPLAINED, std::max(left, ready), place, nullptr, lane);
                continue;
            }
            const auto before = record ? record->stops[ahead.stop].ahead : WormRecorder::Place();
            const auto from = m_recorder.Find(before.worm) ? GetLeft(before) : ready;
            Emit(isHost ? LatencyCause::INTERFACE_BUSY : LatencyCause::BUFFER_QUEUE,
                 std::max(from, ready),
                 place,
                 WormOf(ahead.worm),
                 lane);
            ahead = before;
        }
    }

    /// The head asks at a stop now: goes back to its start on the channel there.
    void GoBehindRequest(WormRoute::Stop stop)
    {
        const auto& here = m_record.stops[stop];
        if (stop == 0)
        {
            GoToFront(stop, m_record.injected);
            m_isDone = true;
            return;
        }
        // S13: passed on by a host as it comes, it waits in front for the first flit that goes on.
        const bool isPassed = here.passed != NEVER;
        auto flit = isPassed ? GetDropped(stop, m_record.route->At(stop)[0].next) : 0;
        const auto ready = GetReady(stop, flit);
        GoToFront(stop, std::max(here.passed, ready));
        if (isPassed && m_time != ready)
        {
            flit = here.awaited;
            Emit(LatencyCause::IN_TRANSIT,
                 GetReady(stop, flit),
                 m_recorder.GetChannel(here.channel).far);
        }
        GoToStart(stop, flit);
    }

    /// @return flits that come to a stop and go no further (S1b)
    uint64_t GetDropped(WormRoute::Stop stop, WormRoute::Stop next) const
    {
        return m_record.stops[stop].flits - m_record.stops[next].flits;
    }

    /// The output to a stop is granted now: goes back to the request.
    void GoToRequest(WormRoute::Stop stop)
    {
        const auto& there = m_record.stops[stop];
        const auto& channel = m_recorder.GetChannel(there.channel);
        const auto asked = m_record.stops[there.parent].asked;
        if (!channel.lanes.empty() && m_time > asked)
        {
            const LaneBlockTimes waits(m_recorder, {m_worm, stop});
            while (m_time > asked)
            {
                const auto wait = waits.FindBefore(m_time);
                EmitAt(wait.cause, wait.from, stop, WormOf(wait.worm), wait.note);
            }
        }
        auto use = WormRecorder::FindUse(channel.uses, there.base); // the worm itself
        while (m_time > asked && use != channel.uses.begin())
        {
            --use;
            const auto& owner = m_recorder.At(use->place);
            Emit(LatencyCause::UNEXPLAINED, std::max(owner.left, asked), channel.name);
            Emit(LatencyCause::OUTPUT,
                 std::max(owner.granted, asked),
                 channel.name,
                 WormOf(use->place.worm));
        }
        Emit(LatencyCause::UNEXPLAINED, asked, channel.name);
        GoBehindRequest(there.parent);
    }

    /// @return when a worm has left a buffer by all outputs, or was taken
    int64_t GetLeft(const WormRecorder::Place& place) const
    {
        const auto& record = *m_recorder.Find(place.worm);
        const auto leftBy = [&](const auto& branch) { return record.stops[branch.next].left; };
        return GreatestOf(record.stops[place.stop].taken, record.route->At(place.stop), leftBy);
    }

    /// @return who freed the slot that a flit takes; freed is NEVER where nobody had to
    Slot FindSlot(const WormRecorder::Channel& channel, uint64_t slot) const
    {
        const auto found = WormRecorder::FindUse(channel.uses, slot);
        if (found == channel.uses.end())
        {
            return {NEVER, {}, 0, false};
        }
        const auto& use = *found;
        const auto& record = *m_recorder.Find(use.place.worm);
        const auto& there = record.stops[use.place.stop];
        auto flit = slot - use.base;
        const auto branches = record.route->At(use.place.stop);
        if (there.taken != NEVER && branches.size() == 0)
        {
            return {there.taken, use.place, flit, false};
        }
        if (there.routeFlit != NEVER && flit == 0)
        {
            return {there.routeFlit, use.place, flit, true};
        }
        flit -= there.routeFlit != NEVER;
        Slot latest{NEVER, use.place, flit, false};
        for (const auto branch : branches)
        {
            const auto start = record.stops[branch.next].GetStart(flit);
            if (start > latest.freed)
            {
                latest = {start, {use.place.worm, branch.next}, flit, false};
            }
        }
        return latest;
    }

    /// Goes back from a start, or from where it could have been, to what bound it.
    void Step()
    {
        const auto& there = m_record.stops[m_stop];
        const auto parent = there.parent;
        const auto& here = m_record.stops[parent];
        const auto& channel = m_recorder.GetChannel(there.channel);
        const bool isHead = m_flit == 0;

        // Channels on which the flit starts at this instant: all if they go in step.
        const auto branches = m_record.route->At(parent);
        std::vector<WormRoute::Stop> stops{m_stop};
        for (std::size_t i = 0; here.inStep && i < branches.size(); ++i)
        {
            if (branches[i].next != m_stop)
            {
                stops.push_back(branches[i].next);
            }
        }

        // By the worm itself: the flit before, and its own arrival.
        int64_t stride = 0;
        auto grantedStop = m_stop;
        for (const auto stop : stops)
        {
            stride = std::max(stride, m_recorder.GetChannel(m_record.stops[stop].channel).tau);
            grantedStop = m_record.stops[stop].granted > m_record.stops[grantedStop].granted
                              ? stop
                              : grantedStop;
        }
        const auto wire = isHead ? NEVER : Add(there.GetStart(m_flit - 1), stride);
        if (wire == m_time)
        {
            const auto& run = there.FindRun(m_flit);
            // All of a run at once.
            const auto flits = run.stride == stride && run.first < m_flit ? m_flit - run.first : 1;
            m_flit -= flits;
            EmitAt(LatencyCause::WIRE, there.GetStart(m_flit), m_stop);
            return;
        }
        const auto dropped = parent > 0 ? GetDropped(parent, m_stop) : 0;
        const auto ready = parent > 0 ? GetReady(parent, m_flit + dropped)
                           : isHead   ? m_record.injected
                                      : NEVER;
        if (ready == m_time)
        {
            m_isDone = parent == 0;
            if (!m_isDone)
            {
                GoToStart(parent, m_flit + dropped);
            }
            return;
        }
        const auto read = isHead && here.routeFlit != NEVER
                              ? Add(here.routeFlit, m_recorder.GetChannel(here.channel).tau)
                              : NEVER;
        if (read == m_time)
        {
            Emit(LatencyCause::ROUTE_READ,
                 here.routeFlit,
                 channel.name.substr(0, channel.name.rfind(':')));
            GoBehindRequest(parent);
            return;
        }

        // Credits, of the worm's own flits or others'.
        struct Credit
        {
            int64_t time{NEVER};
            Slot slot{};
            WormRoute::Stop stop{0};
        };

        Credit own;
        Credit others;
        auto lackingStop = m_stop; // whose credit came by the end of an outage
        for (const auto stop : stops)
        {
            const auto& output = m_record.stops[stop];
            const auto& its = m_recorder.GetChannel(output.channel);
            const auto number = output.base + m_flit;
            // A whole worm's credits were there with the grant.
            if (its.isEjection || !its.lanes.empty() || number < its.depth)
            {
                continue;
            }
            const auto slot = FindSlot(its, number - its.depth);
            const auto time = Add(slot.freed, its.delay);
            lackingStop = time == NEVER || time > m_time ? stop : lackingStop;
            auto& latest = slot.place.worm == m_worm ? own : others;
            if (time > latest.time)
            {
                latest = {time, slot, stop};
            }
        }
        if (own.time == m_time)
        {
            const auto& slot = own.slot;
            Emit(LatencyCause::CREDIT_RETURN,
                 slot.freed,
                 m_recorder.GetChannel(m_record.stops[own.stop].channel).name);
            if (slot.isRead)
            {
                GoBehindRequest(slot.place.stop);
            }
            else
            {
                m_stop = slot.place.stop;
                m_flit = slot.flit;
            }
            return;
        }
        const auto granted = isHead ? m_record.stops[grantedStop].granted : NEVER;
        if (granted == m_time)
        {
            GoToRequest(grantedStop);
            return;
        }
        // The worm could have gone on earlier: when all that is before this time was there.
        auto earlier = NEVER;
        for (const auto time : {wire, ready, read, own.time, granted})
        {
            earlier = std::max(earlier, time < m_time ? time : NEVER);
        }
        earlier = std::max(earlier, m_record.injected);
        if (others.time == m_time)
        {
            Emit(LatencyCause::CREDIT,
                 earlier,
                 m_recorder.GetChannel(m_record.stops[others.stop].channel).name,
                 WormOf(others.slot.place.worm));
        }
        else
        {
            EmitAt(LatencyCause::UNEXPLAINED, earlier, lackingStop);
            m_isDone = m_time == m_record.injected;
        }
    }

    const WormRecorder& m_recorder;
    const WormRecorder::Record& m_record;
    uint64_t m_worm;
    LatencyIntervals m_intervals; ///< what was found, the last first
    int64_t m_time{0};            ///< how far back we are
    WormRoute::Stop m_stop{0};
    uint64_t m_flit{0};
    bool m_isDone{false}; ///< whether we are at the worm's start
};

} // namespace

LatencyIntervals
WormExplainer::Explain(uint64_t worm, WormRoute::Stop end) const
{
    const auto record = m_recorder.Find(worm);
    if (!record || !m_recorder.IsWhole(worm) || end == 0 || end >= record->stops.size() ||
        record->stops[end].channel == WormRecorder::NO_CHANNEL)
    {
        return {};
    }
    const auto& last = record->stops[end];
    const bool isHost = m_recorder.GetChannel(last.channel).isEjection;
    if (record->route->At(end).size() > 0 || last.isCut ||
        (isHost ? last.left : last.taken) == NEVER)
    {
        return {};
    }
    return Walk(m_recorder, *record, worm).Run(end);
}

LatencyIntervals
WormExplainer::Explain(uint64_t worm, const std::string& place) const
{
    const auto record = m_recorder.Find(worm);
    if (!record)
    {
        return {};
    }
    const auto& route = *record->route;
    for (WormRoute::Stop stop = 1; stop < route.GetNStops(); ++stop)
    {
        const auto channel = record->stops[stop].channel;
        if (route.At(stop).size() == 0 && channel != WormRecorder::NO_CHANNEL &&
            m_recorder.GetChannel(channel).far == place)
        {
            return Explain(worm, stop);
        }
    }
    return {};
}

} // namespace ns3
