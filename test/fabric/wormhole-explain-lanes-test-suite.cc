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

/// A case, and what the oracle says of it.
struct ExplainedLanes : public RecordedCase
{
    FlitLog log; ///< what its worms waited for

    explicit ExplainedLanes(const WormCase& theWorms)
        : RecordedCase(theWorms)
    {
        oracle = MoveFlitByFlit(worms, FabricDelays(worms, false), &log);
        Record([](WormholeFabric&) {});
    }

    /// @return name of the channel, with its lane if there are several, to a stop
    std::string Name(std::size_t worm, WormRoute::Stop from, const WormRoute::Branch& branch) const
    {
        const auto& its = worms.worms[worm];
        const auto name =
            worms.graph.GetName(its.stopNodes[from]) + ":" + std::to_string(branch.port);
        return worms.lanes > 1 ? name + ":" + std::to_string(its.route.GetLane(branch.next)) : name;
    }

    /// @return what the oracle says of a worm on a channel, in any lane; null if it was not there
    const ReplayOutcome::Leg* Leg(std::size_t worm, const std::string& place) const
    {
        for (const auto& [name, leg] : oracle.worms[worm].legs)
        {
            if (name == place || (worms.lanes > 1 && name.substr(0, name.rfind(':')) == place))
            {
                return &leg;
            }
        }
        return nullptr;
    }

    std::string NameOf(const LatencyInterval& interval) const
    {
        return worms.lanes > 1 ? interval.place + ":" + std::to_string(interval.lane)
                               : interval.place;
    }

    std::pair<WormRoute::Stop, WormRoute::Stop> StopOf(std::size_t worm,
                                                       const std::string& name) const
    {
        const auto& route = worms.worms[worm].route;
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
        for (const auto branch : worms.worms[worm].route.At(stop))
        {
            const auto& legs = oracle.worms[worm].legs;
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
        const auto [node, port] = Find(name);
        return worms.GetTiming({node, port});
    }
};

/// Says by the oracle whether intervals are true.
class Judge
{
  public:
    Judge(const ExplainedLanes& of, const LatencyInterval& interval)
        : m_of(of),
          m_interval(interval),
          m_worm(of.Of(interval.worm)),
          m_other(interval.other ? of.Of(interval.other) : m_worm)
    {
    }

    /// @return what is wrong with the interval, or nothing
    std::string FindUntruth() const
    {
        const auto& place = m_interval.place;
        const auto length = m_interval.to - m_interval.from;
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
            const auto leg = legs.find(m_of.NameOf(m_interval));
            return wrong(leg != legs.end() && leg->second.headStart <= m_interval.from &&
                             leg->second.tailEnd.value_or(INT64_MAX) >= m_interval.to,
                         "the worm was not on that wire, in that lane");
        }
        case LatencyCause::PROPAGATION:
            return wrong(length == m_of.TimingOf(place).linkDelayPs, "not the cable's delay");
        case LatencyCause::SWITCH_DELAY:
            return wrong(length == m_of.worms.timing.switchDelayPs, "not the switch's delay");
        case LatencyCause::INTERFACE_BUSY:
            return wrong(m_of.GetLeft(m_other, 0) == m_interval.to, "the other did not leave then");
        case LatencyCause::BUFFER_QUEUE: {
            const auto stop = m_of.StopOf(m_other, m_of.NameOf(m_interval)).first;
            return wrong(stop > 0 && m_of.GetLeft(m_other, stop) == m_interval.to,
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
    /// @return what is wrong with a wait where flits are granted, or nothing
    std::string FindUntrueFlitWait() const
    {
        const auto* other = m_of.Leg(m_other, m_interval.place);
        const auto* own = m_of.Leg(m_worm, m_interval.place);
        if (!other || !own || m_worm == m_other)
        {
            return "one of them was not there";
        }
        if (m_interval.cause == LatencyCause::OUTPUT)
        {
            return other->tailEnd == m_interval.to ? "" : "the other did not leave then";
        }
        const auto stop = m_of.StopOf(m_other, m_of.NameOf(m_interval)).first;
        const auto freed = m_interval.to - m_of.TimingOf(m_interval.place).linkDelayPs;
        return m_interval.cause == LatencyCause::CREDIT && other->tailEnd <= own->headStart &&
                       m_of.GetLeft(m_other, stop) > freed
                   ? ""
                   : "the other was not in that buffer then";
    }

    /// @return what is wrong with a wait where whole worms are, or nothing
    std::string FindUntrueWait() const
    {
        const auto lane = m_of.NameOf(m_interval);
        const auto [next, stop] = m_of.StopOf(m_worm, lane);
        const auto log = m_of.log.lanes.find({m_worm, next});
        const auto end = m_interval.to;
        if (m_worm == m_other || log == m_of.log.lanes.end())
        {
            return "it did not wait for that lane of the output";
        }
        const auto* other = m_of.Leg(m_other, m_interval.place);
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
        const auto beyond = m_of.StopOf(m_other, lane).first;
        const auto freed = m_interval.to - m_of.TimingOf(m_interval.place).linkDelayPs;
        return credits < static_cast<int64_t>(m_of.worms.worms[m_worm].flits) &&
               leg != legs.end() && leg->second.headStart <= m_interval.from &&
               m_of.GetLeft(m_other, beyond) > freed;
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
            const auto its = m_of.StopOf(m_other, name).first;
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

    const ExplainedLanes& m_of;        ///< the case
    const LatencyInterval& m_interval; ///< the interval
    std::size_t m_worm;                ///< the worm that is explained
    std::size_t m_other;               ///< the other one
};

std::string
FindUntruth(const ExplainedLanes& of, const LatencyInterval& interval)
{
    return Judge(of, interval).FindUntruth();
}

class ExplainedLanesTestCase : public ExplainedTestCase<ExplainedLanes>
{
  public:
    /// @param nRerun how many of them are rerun without a worm that is named
    ExplainedLanesTestCase(const std::string& name,
                           LaneCaseOptions options,
                           uint32_t nCases,
                           uint32_t nRerun)
        : ExplainedTestCase(name, 13, nCases, nRerun),
          m_options(options)
    {
    }

  private:
    WormCase Draw(Ptr<UniformRandomVariable> rng) override
    {
        return MakeLaneCase(rng, m_options);
    }

    ExplainedLanes Play(const WormCase& worms) const override
    {
        return ExplainedLanes(worms);
    }

    void CheckCauses() override
    {
        if (m_options.whole)
        {
            std::set<LatencyCause> wanted{LatencyCause::OUTPUT, LatencyCause::CREDIT};
            if (m_options.lanes > 1)
            {
                wanted.insert(
                    {LatencyCause::TURN, LatencyCause::BUFFER_QUEUE, LatencyCause::INTERFACE_BUSY});
            }
            for (const auto cause : wanted)
            {
                NS_TEST_EXPECT_MSG_GT(m_causes[cause],
                                      0,
                                      "nobody waits by " << ns3::GetName(cause));
            }
        }
    }

    void Note(const ExplainedLanes&, std::size_t, const LatencyInterval& interval) override
    {
        ++m_causes[interval.cause];
    }

    LaneCaseOptions m_options;                 ///< kind of cases
    std::map<LatencyCause, uint32_t> m_causes; ///< intervals by cause
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
    const auto add = [this](const std::string& name, LaneCaseOptions options) {
        AddQuick<ExplainedLanesTestCase>("Worms: " + name, options, 30, 10);
        AddExtensive<ExplainedLanesTestCase>("Worms, many: " + name, options, 400, 40);
    };
    LaneCaseOptions options;
    options.choices = true;
    add("choices", options);
    options.rates = true;
    options.ring = true;
    add("choices, several rates, in a ring", options);
    options = {};
    options.whole = true;
    options.lanes = 1;
    options.ring = true;
    add("whole worms in a ring", options);
    options.ring = false;
    options.lanes = 3;
    add("lanes", options);
    options.rates = true;
    add("lanes, several rates", options);
    options.choices = true;
    add("lanes and choices, several rates", options);
    options.ring = true;
    options.lanes = 2;
    add("lanes and choices in a ring", options);
}
