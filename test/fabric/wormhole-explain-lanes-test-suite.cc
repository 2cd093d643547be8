/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Explanations of worms in lanes (S11) and with choices (S12), judged by an oracle that writes down
// at each instant what every worm waits for.

#include "../oracle/flit-oracle.h"
#include "../oracle/worm-cases.h"
#include "explained-worms-test-case.h"

using namespace ns3;

SUITE("wormhole-explain-lanes", UNIT);

namespace
{

/// Says by the oracle whether intervals are true.
class LaneJudge : public IntervalJudge
{
  public:
    using IntervalJudge::IntervalJudge;

    /// @return what is wrong with the interval, or nothing
    std::string FindUntruth() const
    {
        const auto& place = m_interval.place;
        const auto wrong = [](bool isTrue, const char* what) { return isTrue ? "" : what; };
        const bool isOnChannel = m_interval.cause != LatencyCause::SWITCH_DELAY;
        if ((m_of.worms.lanes > 1 && isOnChannel) == (m_interval.lane == LatencyInterval::NO_LANE))
        {
            return "no lane, or one where there is but one";
        }
        switch (m_interval.cause)
        {
        case LatencyCause::WIRE: {
            const auto& legs = m_of.oracle.worms[m_worm].legs;
            const auto leg = legs.find(NameOf(m_interval));
            return wrong(leg != legs.end() && leg->second.headStart <= m_interval.from &&
                             leg->second.tailEnd.value_or(INT64_MAX) >= m_interval.to,
                         "the worm was not on that wire, in that lane");
        }
        case LatencyCause::PROPAGATION:
            return wrong(m_length == TimingOf(place).linkDelayPs, "not the cable's delay");
        case LatencyCause::SWITCH_DELAY:
            return wrong(m_length == m_of.worms.timing.switchDelayPs, "not the switch's delay");
        case LatencyCause::INTERFACE_BUSY:
            return wrong(GetLeft(m_other, 0) == m_interval.to, "the other did not leave then");
        case LatencyCause::BUFFER_QUEUE: {
            const auto stop = StopOf(m_other, NameOf(m_interval)).first;
            return wrong(stop > 0 && GetLeft(m_other, stop) == m_interval.to,
                         "the other did not leave that lane of the buffer then");
        }
        case LatencyCause::CREDIT_RETURN:
            return wrong(!m_of.worms.whole, "a whole worm does not wait for its own credits");
        case LatencyCause::OUTPUT:
        case LatencyCause::TURN:
        case LatencyCause::CREDIT:
            return m_of.worms.whole ? FindUntrueWait() : FindUntrueFlitWait();
        default:
            return "a cause that worms of cases do not have";
        }
    }

  private:
    /// @return name of the channel, with its lane if there are several, to a stop
    std::string Name(std::size_t worm, WormRoute::Stop from, const WormRoute::Branch& branch) const
    {
        const auto& its = m_of.worms.worms[worm];
        const auto name =
            m_of.worms.graph.GetName(its.stopNodes[from]) + ":" + std::to_string(branch.port);
        return m_of.worms.lanes > 1 ? name + ":" + std::to_string(its.route.GetLane(branch.next))
                                    : name;
    }

    /// @return what the oracle says of a worm on a channel, in any lane; null if it was not there
    const ReplayOutcome::Leg* Leg(std::size_t worm, const std::string& place) const
    {
        for (const auto& [name, leg] : m_of.oracle.worms[worm].legs)
        {
            if (name == place || (m_of.worms.lanes > 1 && name.substr(0, name.rfind(':')) == place))
            {
                return &leg;
            }
        }
        return nullptr;
    }

    std::string NameOf(const LatencyInterval& interval) const
    {
        return m_of.worms.lanes > 1 ? interval.place + ":" + std::to_string(interval.lane)
                                    : interval.place;
    }

    std::pair<WormRoute::Stop, WormRoute::Stop> StopOf(std::size_t worm,
                                                       const std::string& name) const
    {
        const auto& route = m_of.worms.worms[worm].route;
        for (WormRoute::Stop stop = 0; stop < route.GetNStops(); ++stop)
        {
            for (const auto branch : route.At(stop))
            {
                if (Name(worm, stop, branch) == name)
                {
                    return {branch.next, stop};
                }
            }
        }
        return {0, 0};
    }

    /// @return when a worm had left a node by all channels; -1 if it never did
    int64_t GetLeft(std::size_t worm, WormRoute::Stop stop) const
    {
        int64_t left = -1;
        for (const auto branch : m_of.worms.worms[worm].route.At(stop))
        {
            const auto& legs = m_of.oracle.worms[worm].legs;
            const auto found = legs.find(Name(worm, stop, branch));
            if (found != legs.end())
            {
                left = std::max(left, found->second.tailEnd.value_or(INT64_MAX));
            }
        }
        return left;
    }

    WormCase::Timing TimingOf(const std::string& name) const
    {
        const auto [node, port] = m_of.Find(name);
        return m_of.worms.GetTiming({node, port});
    }

    /// @return what is wrong with a wait where flits are granted, or nothing
    std::string FindUntrueFlitWait() const
    {
        const auto* other = Leg(m_other, m_interval.place);
        const auto* own = Leg(m_worm, m_interval.place);
        if (!other || !own || m_worm == m_other)
        {
            return "one of them was not there";
        }
        if (m_interval.cause == LatencyCause::OUTPUT)
        {
            return other->tailEnd == m_interval.to ? "" : "the other did not leave then";
        }
        const auto stop = StopOf(m_other, NameOf(m_interval)).first;
        const auto freed = m_interval.to - TimingOf(m_interval.place).linkDelayPs;
        return m_interval.cause == LatencyCause::CREDIT && other->tailEnd <= own->headStart &&
                       GetLeft(m_other, stop) > freed
                   ? ""
                   : "the other was not in that buffer then";
    }

    /// @return what is wrong with a wait where whole worms are, or nothing
    std::string FindUntrueWait() const
    {
        const auto lane = NameOf(m_interval);
        const auto [next, stop] = StopOf(m_worm, lane);
        const auto log = m_of.log.lanes.find({m_worm, next});
        const auto end = m_interval.to;
        if (m_worm == m_other || log == m_of.log.lanes.end())
        {
            return "it did not wait for that lane of the output";
        }
        const auto* other = Leg(m_other, m_interval.place);
        const bool isHeld = m_interval.cause == LatencyCause::OUTPUT ||
                            (m_interval.cause == LatencyCause::TURN && other &&
                             other->headStart <= m_interval.from);
        if (m_interval.cause == LatencyCause::TURN && isHeld)
        {
            const auto problem = FindUntrueTurn(log->second, next);
            if (!problem.empty())
            {
                return problem;
            }
        }
        auto at = log->second.lower_bound(m_interval.from);
        if (at == log->second.end() || at->first != m_interval.from)
        {
            return "it did not wait from then on";
        }
        for (; at != log->second.end() && at->first < end; ++at)
        {
            const auto& waiting = at->second;
            if (isHeld ? waiting.owner != m_other
                : m_interval.cause == LatencyCause::TURN
                    ? waiting.before.empty() || waiting.before.front() != m_other
                    : !IsShort(waiting, lane))
            {
                return "at " + std::to_string(at->first) + " that was not why it waited";
            }
        }
        return "";
    }

    /// @return whether a lane's credits are too few for the worm, and some with the other
    bool IsShort(const LaneWaiting& waiting, const std::string& lane) const
    {
        auto credits = waiting.credits;
        for (const auto before : waiting.before)
        {
            // Those before it need theirs, if they are to be granted this lane.
            credits -= m_of.oracle.worms[before].legs.count(lane)
                           ? static_cast<int64_t>(m_of.worms.worms[before].flits)
                           : 0;
        }
        const auto& legs = m_of.oracle.worms[m_other].legs;
        const auto leg = legs.find(lane);
        const auto beyond = StopOf(m_other, lane).first;
        const auto freed = m_interval.to - TimingOf(m_interval.place).linkDelayPs;
        return credits < static_cast<int64_t>(m_of.worms.worms[m_worm].flits) &&
               leg != legs.end() && leg->second.headStart <= m_interval.from &&
               GetLeft(m_other, beyond) > freed;
    }

    /// @return what is wrong with that another's lane was granted the output first, or nothing
    std::string FindUntrueTurn(const std::map<int64_t, LaneWaiting>& log,
                               WormRoute::Stop next) const
    {
        for (const auto& [name, leg] : m_of.oracle.worms[m_other].legs)
        {
            if (name.substr(0, name.rfind(':')) != m_interval.place)
            {
                continue;
            }
            const auto its = StopOf(m_other, name).first;
            const auto priority = [&](std::size_t worm, WormRoute::Stop to) {
                return m_of.worms.priorities[m_of.worms.worms[worm].route.GetLane(to)];
            };
            const auto own = priority(m_worm, next);
            const auto others = priority(m_other, its);
            const auto since = m_of.log.asked.at({m_worm, next});
            if (others < own || (others == own && m_of.log.asked.at({m_other, its}) > since))
            {
                return "the other's turn was later";
            }
            // Just before that grant, or with it, this worm was there, first, and had credits.
            const auto at = log.find(leg.headStart);
            return since <= leg.headStart && at != log.end() && at->second.before.empty() &&
                           at->second.credits >=
                               static_cast<int64_t>(m_of.worms.worms[m_worm].flits)
                       ? ""
                       : "it could not have been granted the output then";
        }
        return "the other was not there";
    }
};

} // namespace

/// Text and JSON tell lanes, and who has its turn first; waits in two lanes of an output are two.
TEST_CASE(LaneReportTestCase, "Reports tell lanes")
{
    const auto worm = Create<Worm>(Worm::RAW, nullptr, 1, nullptr);
    const auto other = Create<Worm>(Worm::RAW, nullptr, 2, nullptr);
    const std::string why = "lane 1 has a higher priority";
    const LatencyReport report(
        {{0, 20'000, LatencyCause::TURN, "s0:2", worm, other, why, 0},
         {20'000, 50'000, LatencyCause::OUTPUT, "s0:2", worm, other, "", 0},
         {50'000, 60'000, LatencyCause::OUTPUT, "s0:2", worm, other, "", 1},
         {60'000, 100'000, LatencyCause::WIRE, "s0:3", worm, nullptr}},
        [](const Worm& its) { return "worm " + std::to_string(its.GetFlits()); });
    NS_TEST_EXPECT_MSG_EQ(report.ToText(),
                          "  40.0 %      0.040000 us  flits on the wire: s0:3\n"
                          "  30.0 %      0.030000 us  waiting for an output: s0:2 lane 0, held by "
                          "worm 2\n"
                          "  20.0 %      0.020000 us  waiting for its turn: s0:2 lane 0, behind "
                          "worm 2\n"
                          "  10.0 %      0.010000 us  waiting for an output: s0:2 lane 1, held by "
                          "worm 2\n",
                          "text");
    NS_TEST_EXPECT_MSG_EQ(report.GetRows()[0].lane, "0", "a lane");
    NS_TEST_EXPECT_MSG_EQ(report.GetRows()[3].lane, "", "no lane");
    std::ostringstream json;
    report.WriteJson(json);
    Contains(json.str(), "\"place\": \"s0:2\", \"lane\": 1, \"worm\"");
}

ADD_CASES()
{
    const auto add = [this](const std::string& name, const LaneCaseOptions& options) {
        std::set<LatencyCause> causes;
        if (options.whole)
        {
            causes = {LatencyCause::OUTPUT, LatencyCause::CREDIT};
        }
        if (options.lanes > 1)
        {
            causes.insert(
                {LatencyCause::TURN, LatencyCause::BUFFER_QUEUE, LatencyCause::INTERFACE_BUSY});
        }
        ExplainedCases cases{13,
                             [options](auto rng) { return MakeLaneCase(rng, options); },
                             30,
                             10,
                             causes};
        AddQuick<ExplainedTestCase<LaneJudge>>("Worms: " + name, cases);
        cases.nCases = 400;
        cases.nRerun = 40;
        AddExtensive<ExplainedTestCase<LaneJudge>>("Worms, many: " + name, cases);
    };
    add("choices", {1, false, true});
    add("choices, several rates, in a ring", {1, false, true, true, true});
    add("whole worms in a ring", {1, true, false, true});
    add("lanes", {3, true});
    add("lanes, several rates", {3, true, false, false, true});
    add("lanes and choices, several rates", {3, true, true, false, true});
    add("lanes and choices in a ring", {2, true, true, true, true});
}
