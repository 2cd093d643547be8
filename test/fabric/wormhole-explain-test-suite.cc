// SPDX-License-Identifier: GPL-2.0-only

#include "../oracle/flit-oracle.h"
#include "explained-worms-test-case.h"

using namespace ns3;

SUITE("wormhole-explain", UNIT);

namespace
{

class FlitJudge : public IntervalJudge
{
  public:
    using IntervalJudge::IntervalJudge;

    std::string FindUntruth() const
    {
        const bool isChannel = m_interval.place.find(':') != std::string::npos;
        if (m_interval.cause == LatencyCause::OUTAGE && (!isChannel || !IsByOutage()))
        {
            return IsByOutage() ? "" : "no part had been down";
        }
        const auto [node, port] = m_of.Find(isChannel ? m_interval.place : m_interval.place + ":0");
        const auto& its = m_of.worms.worms[m_worm];
        std::string problem = "the worm does not pass there";
        // A worm that hosts pass on may come to a switch several times.
        for (WormRoute::Stop stop = 0; stop < its.stopNodes.size() && !problem.empty(); ++stop)
        {
            if (its.stopNodes[stop] != node)
            {
                continue;
            }
            if (!isChannel)
            {
                problem = IsTrueAt(stop) ? "" : "not so at that node";
            }
            const auto branches = its.route.At(stop);
            for (std::size_t b = 0; isChannel && b < branches.size(); ++b)
            {
                if (branches[b].port == port)
                {
                    problem = IsTrueAt(stop, b) ? "" : "not so at that channel";
                }
            }
        }
        return problem;
    }

  private:
    bool IsTrueAt(WormRoute::Stop stop) const
    {
        const auto& its = m_of.worms.worms[m_worm];
        const auto node = its.stopNodes[stop];
        const bool isSwitch = m_of.worms.graph.IsSwitch(node);
        switch (m_interval.cause)
        {
        case LatencyCause::SWITCH_DELAY:
            return isSwitch && m_length == m_of.delays.GetSwitchDelay(node);
        case LatencyCause::INTERFACE_DELAY:
            return !isSwitch && m_length == m_of.worms.hostDelayPs;
        case LatencyCause::INTERFACE_BUSY:
            return !isSwitch && IsBehind(stop);
        case LatencyCause::IN_TRANSIT: {
            const auto passing = m_of.log.passings.find({m_worm, stop});
            return passing != m_of.log.passings.end() && passing->second.ready == m_interval.from &&
                   passing->second.put == m_interval.to;
        }
        case LatencyCause::ROUTE_READ: {
            const auto read = m_of.log.reads.find({m_worm, stop});
            const auto before = its.route.At(stop - 1)[0]; // no tree worm
            return read != m_of.log.reads.end() && read->second == m_interval.from &&
                   m_length == m_of.delays.GetFlitTime(its.stopNodes[stop - 1], before.port);
        }
        default:
            return false;
        }
    }

    /// @return whether the interval, at a channel, is true @param stop the worm's stop before it
    bool IsTrueAt(WormRoute::Stop stop, std::size_t b) const
    {
        const auto& its = m_of.worms.worms[m_worm];
        const auto branch = its.route.At(stop)[b];
        const auto linkDelay = m_of.delays.GetLinkDelay(its.stopNodes[stop], branch.port);
        const auto isOwnedBy = [b](const FlitWaiting& waiting, std::size_t worm) {
            return b < waiting.outputs.size() && waiting.outputs[b].owner == worm;
        };
        switch (m_interval.cause)
        {
        case LatencyCause::WIRE:
            return IsOnWire(stop, branch);
        case LatencyCause::PROPAGATION:
            return m_length == linkDelay;
        case LatencyCause::BUFFER_QUEUE:
            return IsBehind(branch.next);
        case LatencyCause::OUTPUT:
            return m_worm != m_other && IsSo(stop, m_interval.to, [&](const FlitWaiting& waiting) {
                       return isOwnedBy(waiting, m_other);
                   });
        case LatencyCause::OUTAGE:
            return !IsSo(stop, m_interval.to, [&](const FlitWaiting& waiting) {
                return b < waiting.outputs.size() &&
                       waiting.outputs[b].owner.value_or(m_worm) != m_worm;
            });
        case LatencyCause::CREDIT:
            // A credit that is on its way back, the other has given: it was there before.
            return m_worm != m_other && Came(m_other, m_interval.place) &&
                   IsSo(stop,
                        m_interval.to,
                        [&](const FlitWaiting& waiting) {
                            return isOwnedBy(waiting, m_worm) && waiting.outputs[b].credits == 0;
                        }) &&
                   IsSo(stop, m_interval.to - linkDelay, [&](const FlitWaiting& waiting) {
                       return waiting.outputs[b].beyond.count(m_other) > 0;
                   });
        case LatencyCause::CREDIT_RETURN: {
            const auto read = m_of.log.reads.find({m_worm, branch.next});
            bool isFreed = read != m_of.log.reads.end() && read->second == m_interval.from;
            for (const auto beyond : its.route.At(branch.next))
            {
                const auto& starts = StartsTo(beyond.next);
                isFreed |= std::binary_search(starts.begin(), starts.end(), m_interval.from);
            }
            return isFreed && m_length == linkDelay;
        }
        default:
            return false;
        }
    }

    const std::vector<int64_t>& StartsTo(WormRoute::Stop stop) const
    {
        static const std::vector<int64_t> NONE;
        const auto found = m_of.log.starts.find({m_worm, stop});
        return found == m_of.log.starts.end() ? NONE : found->second;
    }

    /// @return whether one flit after the other started during the interval, a flit time apart
    /// @param stop the worm's stop before the channel
    bool IsOnWire(WormRoute::Stop stop, WormRoute::Branch branch) const
    {
        const auto& its = m_of.worms.worms[m_worm];
        const auto node = its.stopNodes[stop];
        auto tau = m_of.delays.GetFlitTime(node, branch.port);
        for (const auto other : its.route.At(stop))
        {
            // In step, they go as fast as the slowest.
            tau = m_of.worms.sync ? std::max(tau, m_of.delays.GetFlitTime(node, other.port)) : tau;
        }
        const auto& starts = StartsTo(branch.next);
        auto at = std::lower_bound(starts.begin(), starts.end(), m_interval.from);
        for (auto time = m_interval.from; time < m_interval.to; ++at)
        {
            const auto next =
                at + 1 < starts.end() ? std::min(*(at + 1), m_interval.to) : m_interval.to;
            if (at == starts.end() || *at != time || next > time + tau)
            {
                return false;
            }
            time = next;
        }
        return true;
    }

    /// @return whether the other is in front of the buffer that the worm is in, ready to ask,
    /// during the interval, and no longer
    bool IsBehind(WormRoute::Stop stop) const
    {
        const auto found = m_of.log.waiting.find({m_worm, stop});
        if (m_worm == m_other || !IsSo(stop, m_interval.to, [this](const FlitWaiting& waiting) {
                return waiting.front == m_other && waiting.isReady;
            }))
        {
            return false;
        }
        const auto after = found->second.find(m_interval.to);
        return after != found->second.end() && after->second.front != m_other;
    }

    /// @return whether it is so at each instant from the interval's beginning to a time
    bool IsSo(WormRoute::Stop stop,
              int64_t until,
              const std::function<bool(const FlitWaiting&)>& isSo) const
    {
        const auto found = m_of.log.waiting.find({m_worm, stop});
        if (found == m_of.log.waiting.end())
        {
            return false;
        }
        auto at = found->second.upper_bound(m_interval.from);
        if (at == found->second.begin())
        {
            return false; // it had not come there
        }
        for (--at; at != found->second.end() && at->first < until; ++at)
        {
            if (!isSo(at->second))
            {
                return false;
            }
        }
        return true;
    }

    /// @return whether a worm's tail had left by a channel before the interval's worm went there
    bool Came(std::size_t worm, const std::string& channel) const
    {
        const auto& legs = m_of.oracle.worms[worm].legs;
        const auto leg = legs.find(channel);
        return leg != legs.end() && leg->second.tailEnd &&
               *leg->second.tailEnd <= m_of.oracle.worms[m_worm].legs.at(channel).headStart;
    }
};

ADD_CASES()
{
    // Long worms take a second or more a case: QUICK has few of them. isQuick: whether it has any
    const auto addCases = [this](const std::string& name,
                                 const ExplainedCases& cases,
                                 bool few,
                                 bool isQuick = true) {
        auto quick = cases;
        quick.nCases = few ? 2 : cases.nCases;
        quick.nRerun = few ? 1 - cases.ready : cases.nRerun;
        quick.causes = cases.ready ? std::set<LatencyCause>() : cases.causes; // too few for all
        Add<ExplainedTestCase<FlitJudge>>(isQuick, "Worms: " + name, quick);
        auto many = cases;
        many.nCases *= few && cases.ready ? 5 : 25;
        many.nRerun *= 6;
        AddExtensive<ExplainedTestCase<FlitJudge>>("Worms, many: " + name, many);
    };
    const auto add = [&](const std::string& name, RandomCaseOptions options) {
        const auto draw = [options](auto rng) { return MakeRandomCase(rng, options); };
        addCases(name, {11, draw, 8, 5, {}, options.uneven}, options.longer);
        options.uneven = false;
        const auto drawEven = [options](auto rng) { return MakeRandomCase(rng, options); };
        addCases(name + ", with outages", {12, drawEven, 8, 5, {}, false, true}, options.longer);
    };
    add("unicast, tree of switches", {});
    add("unicast, general graphs", {0.0, false});
    add("uneven fabrics", {0.0, false, false, true});
    add("longer worms", {0.0, false, false, true, true});
    add("tree worms, async", {0.5, false, false, true});
    add("tree worms, sync", {0.5, true, true, true});
    add("longer tree worms", {0.3, false, false, true, true});
    RandomCaseOptions rates{0.3, false, false, true};
    rates.rates = true;
    add("cables that differ", rates);
    rates.sync = true;
    rates.treeOfSwitches = true;
    add("cables that differ, sync", rates);
    RandomCaseOptions routed{0.2, false, false, true};
    routed.sourceRouted = true;
    routed.rates = true;
    add("source routes", routed);
    const auto addTransit = [&](const std::string& name, TransitCaseOptions options) {
        for (const auto mode : {InTransit::WHOLE, InTransit::AS_IT_COMES})
        {
            options.mode = mode;
            const auto draw = [options](auto rng) {
                auto worms = MakeTransitCase(rng, options);
                if (rng->GetInteger(0, 1))
                {
                    AddTransitRivals(worms);
                }
                return worms;
            };
            const auto how = name + ", passed on " + NameInTransit(mode);
            const auto causes = {LatencyCause::IN_TRANSIT, LatencyCause::INTERFACE_BUSY};
            // QUICK has long worms without outages in one mode, and some with them in the other.
            const bool isWhole = mode == InTransit::WHOLE;
            const bool few = options.longer;
            addCases(how, {11, draw, 8, 5, causes}, few, !few || (isWhole && !options.rates));
            const ExplainedCases down{12, draw, 8, 2, causes, false, true};
            addCases(how + ", with outages", down, few, !few || (options.circles && !isWhole));
        }
    };
    addTransit("by hosts", {});
    addTransit("by hosts, source routes", {{}, false, false, true});
    addTransit("by hosts, longer worms, source routes", {{}, false, true, true});
    addTransit("by hosts, longer worms, cables that differ", {{}, true, true});
    addTransit("by hosts, in a ring", {{}, false, true, false, true});
}

// Explanations of worms in lanes (S11) and with choices (S12), judged by an oracle that writes down
// at each instant what every worm waits for.
SUITE("wormhole-explain-lanes", UNIT);

class LaneJudge : public IntervalJudge
{
  public:
    using IntervalJudge::IntervalJudge;

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
        case LatencyCause::OUTAGE:
            // Credits come back in another order once some were lost.
            return wrong(IsByOutage(true), "no part had been down");
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
                             options.ring ? 10U : 20U,
                             options.ring ? 4U : 10U, // of fewer than 5 no shares are judged
                             causes};
        auto many = cases;
        many.nCases = 400;
        many.nRerun = 40;
        for (const auto* how : {"", ", with outages"})
        {
            AddQuick<ExplainedTestCase<LaneJudge>>("Worms: " + name + how, cases);
            AddExtensive<ExplainedTestCase<LaneJudge>>("Worms, many: " + name + how, many);
            cases.ready = many.ready = true;
        }
    };
    add("choices", {1, false, true});
    add("choices, several rates, in a ring", {1, false, true, true, true});
    add("whole worms in a ring", {1, true, false, true});
    add("lanes", {3, true});
    add("lanes, several rates", {3, true, false, false, true});
    add("lanes and choices, several rates", {3, true, true, false, true});
    add("lanes and choices in a ring", {2, true, true, true, true});
}
