/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flit-oracle.h"
#include "interval-text.h"
#include "random-cases.h"
#include "test-tools.h"

#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/worm-explainer.h"
#include "ns3/wormhole-compat.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>

using namespace ns3;

namespace
{

/// A case, what became of its worms by the oracle, and the fabric's records of it.
struct ExplainedCase
{
    WormCase worms;                    ///< the case
    FabricDelays delays;               ///< of its fabric
    ReplayOutcome oracle;              ///< by the flit oracle
    Ptr<WormRecorder> recorder;        ///< by the fabric
    bool isEqual;                      ///< whether the fabric gave the oracle's times
    std::vector<std::size_t> order;    ///< worms of the case by number in the fabric
    std::map<std::string, int> number; ///< nodes by name

    /// @param theWorms the case @param uneven whether cables, switches and buffers differ
    ExplainedCase(const WormCase& theWorms, bool uneven)
        : worms(theWorms),
          delays(worms, uneven),
          oracle(MoveFlitByFlit(worms, delays)),
          recorder(Create<WormRecorder>()),
          order(worms.worms.size())
    {
        const auto outcome = ReplayWorms(worms, [&](WormholeFabric& fabric) {
            delays.Apply(fabric);
            fabric.SetRecorder(recorder);
        });
        std::ostringstream wanted;
        PrintReplay(wanted, worms, oracle);
        std::ostringstream got;
        PrintReplay(got, worms, outcome);
        isEqual = got.str() == wanted.str();
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
            return worms.worms[a].timePs < worms.worms[b].timePs;
        });
        for (FabricGraph::Node node = 0; node < worms.graph.GetNNodes(); ++node)
        {
            number[worms.graph.GetName(node)] = static_cast<int>(node);
        }
    }

    /// @return what the oracle says of a worm on a channel; null if it was not there
    /// @param worm the worm @param name the channel
    const ReplayOutcome::Leg* Leg(const Ptr<const Worm>& worm, const std::string& name) const
    {
        const auto& legs = oracle.worms[order[worm->GetId()]].legs;
        const auto found = legs.find(name);
        return found == legs.end() ? nullptr : &found->second;
    }

    /// @return the channels by which a worm leaves the node that a channel leads to
    /// @param worm the worm @param name the channel; a host's name: those by which it leaves that
    std::vector<std::string> Next(const Ptr<const Worm>& worm, const std::string& name) const
    {
        const auto& its = worms.worms[order[worm->GetId()]];
        std::vector<std::string> names;
        for (WormRoute::Stop stop = 0; stop < its.route.GetNStops(); ++stop)
        {
            for (const auto branch : its.route.At(stop))
            {
                const auto port = Name(its.stopNodes[stop], branch.port);
                if (port == name)
                {
                    for (const auto next : its.route.At(branch.next))
                    {
                        names.push_back(Name(its.stopNodes[branch.next], next.port));
                    }
                }
                else if (stop == 0 && worms.graph.GetName(its.root) == name)
                {
                    names.push_back(port);
                }
            }
        }
        return names;
    }

    /// @return name of an output @param node its node @param port its port
    std::string Name(FabricGraph::Node node, uint16_t port) const
    {
        return worms.graph.GetName(node) + ":" + std::to_string(port);
    }

    /// @return node and port of an output @param name its name
    std::pair<FabricGraph::Node, FabricGraph::Port> Find(const std::string& name) const
    {
        const auto colon = name.rfind(':');
        return {static_cast<FabricGraph::Node>(number.at(name.substr(0, colon))),
                static_cast<FabricGraph::Port>(std::stoi(name.substr(colon + 1)))};
    }
};

/// @return what is wrong with an interval by the oracle, or nothing @param of the case
/// @param interval the interval
std::string
FindUntruth(const ExplainedCase& of, const LatencyInterval& interval)
{
    const auto& place = interval.place;
    const auto length = interval.to - interval.from;
    const auto wrong = [](bool isTrue, const char* what) { return isTrue ? "" : what; };
    const auto leavesAt = [&](const std::vector<std::string>& names) {
        int64_t left = -1;
        for (const auto& name : names)
        {
            const auto* leg = of.Leg(interval.other, name);
            left = std::max(left, leg && leg->tailEnd ? *leg->tailEnd : -1);
        }
        return left;
    };
    switch (interval.cause)
    {
    case LatencyCause::WIRE: {
        const auto* leg = of.Leg(interval.worm, place);
        return wrong(leg && leg->headStart <= interval.from &&
                         (!leg->tailEnd || *leg->tailEnd >= interval.to),
                     "the worm was not on that wire");
    }
    case LatencyCause::PROPAGATION: {
        const auto [node, port] = of.Find(place);
        return wrong(length == of.delays.GetLinkDelay(node, port), "not the cable's delay");
    }
    case LatencyCause::SWITCH_DELAY:
        return wrong(
            length == of.delays.GetSwitchDelay(static_cast<FabricGraph::Node>(of.number.at(place))),
            "not the switch's delay");
    case LatencyCause::OUTPUT: {
        const auto* leg = of.Leg(interval.other, place);
        return wrong(leg && leg->tailEnd == interval.to && interval.other != interval.worm,
                     "the other did not leave that output then");
    }
    case LatencyCause::INTERFACE_BUSY:
    case LatencyCause::BUFFER_QUEUE:
        return wrong(leavesAt(of.Next(interval.other, place)) == interval.to,
                     "the other did not leave that buffer then");
    case LatencyCause::CREDIT: {
        const auto* before = of.Leg(interval.other, place);
        const auto* own = of.Leg(interval.worm, place);
        const auto [node, port] = of.Find(place);
        const auto freed = interval.to - of.delays.GetLinkDelay(node, port);
        bool isOnItsWay = false;
        for (const auto& name : of.Next(interval.other, place))
        {
            const auto* leg = of.Leg(interval.other, name);
            // The slot of a flit that was read was free before the head went on.
            isOnItsWay |= leg && (of.worms.sourceRouted || leg->headStart <= freed) &&
                          (!leg->tailEnd || *leg->tailEnd > freed);
        }
        return wrong(before && own && before->tailEnd && *before->tailEnd <= own->headStart &&
                         isOnItsWay,
                     "the other did not leave that buffer then");
    }
    case LatencyCause::CREDIT_RETURN:
    case LatencyCause::ROUTE_READ:
        return "";
    default:
        return "a cause that worms of cases do not have";
    }
}

} // namespace

/**
 * @ingroup wormhole-tests
 * Every worm of random cases is explained without a gap, and the oracle confirms each interval.
 * Some are explained once more without a worm that was named.
 */
class ExplainedWormsTestCase : public TestCase
{
  public:
    /// @param name name of the test @param options kind of cases @param nCases how many
    /// @param nRerun how many of them are rerun without a worm that is named
    ExplainedWormsTestCase(const std::string& name,
                           RandomCaseOptions options,
                           uint32_t nCases,
                           uint32_t nRerun)
        : TestCase(name),
          m_options(options),
          m_nCases(nCases),
          m_nRerun(nRerun)
    {
    }

  private:
    /// An interval that names another worm.
    struct Named
    {
        std::size_t worm;         ///< the worm that is explained, of the case
        WormRoute::Stop end;      ///< its end
        LatencyInterval interval; ///< the interval
        int64_t latency;          ///< the whole latency
    };

    void DoRun() override
    {
        StartAnew();
        auto rng = CreateObject<UniformRandomVariable>();
        rng->SetStream(11);
        for (uint32_t i = 0; i < m_nCases; ++i)
        {
            const ExplainedCase explained(MakeRandomCase(rng, m_options), m_options.uneven);
            NS_TEST_ASSERT_MSG_EQ(explained.isEqual, true, "times differ while recorded, " << i);
            std::vector<Named> named;
            const auto problem = CheckAll(explained, named);
            NS_TEST_ASSERT_MSG_EQ(problem, "", "case " << i);
            if (m_reruns < m_nRerun && !named.empty())
            {
                const auto last = static_cast<uint32_t>(named.size()) - 1;
                NS_TEST_ASSERT_MSG_EQ(Rerun(explained, named[rng->GetInteger(0, last)]),
                                      "",
                                      "case " << i << " without a worm that is named");
            }
        }
        NS_TEST_EXPECT_MSG_GT(m_explained, m_nCases, "hardly any worm was explained");
        NS_TEST_EXPECT_MSG_EQ(m_reruns, m_nRerun, "reruns");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(2 * m_shorter, m_reruns, "seldom shorter without them");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(3 * m_vanished, m_reruns, "the wait seldom vanishes");
    }

    /// @return what is wrong with a case's explanations, or nothing @param of the case
    /// @param named intervals that name others
    std::string CheckAll(const ExplainedCase& of, std::vector<Named>& named)
    {
        const WormExplainer explainer(*of.recorder);
        for (std::size_t id = 0; id < of.order.size(); ++id)
        {
            const auto& worm = of.worms.worms[of.order[id]];
            const auto& delivered = of.oracle.worms[of.order[id]].delivered;
            for (WormRoute::Stop end = 1; end < worm.route.GetNStops(); ++end)
            {
                const auto intervals = explainer.Explain(id, end);
                const auto host = of.worms.graph.GetName(worm.stopNodes[end]);
                const auto found = delivered.find(host);
                if (worm.route.At(end).size() > 0 || found == delivered.end())
                {
                    if (!intervals.empty())
                    {
                        return "explained what did not come";
                    }
                    continue;
                }
                ++m_explained;
                auto problem = FindGap(intervals, worm.timePs, found->second);
                for (const auto& interval : intervals)
                {
                    problem = problem.empty() ? FindUntruth(of, interval) : problem;
                    if (interval.other)
                    {
                        named.push_back({of.order[id], end, interval, found->second - worm.timePs});
                    }
                }
                if (!problem.empty())
                {
                    return problem + ": worm " + std::to_string(id) + " to " + host + "\n" +
                           ToLines(intervals);
                }
            }
        }
        return "";
    }

    /// @return what is wrong if a worm that is named is taken away, or nothing @param of the case
    /// @param named where it is named
    std::string Rerun(const ExplainedCase& of, const Named& named)
    {
        auto worms = of.worms;
        const auto blocker = of.order[named.interval.other->GetId()];
        worms.worms.erase(worms.worms.begin() + static_cast<std::ptrdiff_t>(blocker));
        const auto worm = named.worm - (blocker < named.worm);
        const ExplainedCase again(worms, m_options.uneven);
        std::vector<Named> others;
        const auto problem = CheckAll(again, others);
        if (!problem.empty())
        {
            return problem;
        }
        const auto host = worms.graph.GetName(worms.worms[worm].stopNodes[named.end]);
        const auto& delivered = again.oracle.worms[worm].delivered;
        const auto came = delivered.find(host);
        if (came == delivered.end())
        {
            return ""; // blocked for ever now
        }
        ++m_reruns;
        // What is left of the wait there is another's. The oracle has confirmed that just now.
        int64_t left = 0;
        for (const auto& other : others)
        {
            left += other.worm == worm && other.end == named.end &&
                            other.interval.cause == named.interval.cause &&
                            other.interval.place == named.interval.place
                        ? other.interval.to - other.interval.from
                        : 0;
        }
        const auto latency = came->second - worms.worms[worm].timePs;
        m_shorter += latency < named.latency;
        m_vanished += left == 0;
        return "";
    }

    RandomCaseOptions m_options; ///< kind of cases
    uint32_t m_nCases;           ///< how many
    uint32_t m_nRerun;           ///< how many are rerun
    uint32_t m_explained{0};     ///< worms explained
    uint32_t m_reruns{0};        ///< cases rerun
    uint32_t m_shorter{0};       ///< of these, with a latency shorter than before
    uint32_t m_vanished{0};      ///< of these, with no wait at that place
};

/**
 * @ingroup wormhole-tests
 * Tests of explanations.
 */
class WormholeExplainTestSuite : public TestSuite
{
  public:
    WormholeExplainTestSuite()
        : TestSuite("wormhole-explain", TestSuite::Type::UNIT)
    {
        const auto add = [this](const std::string& name, RandomCaseOptions options) {
            AddTestCase(new ExplainedWormsTestCase("Worms: " + name, options, 20, 3),
                        WORMHOLE_TEST_QUICK);
            AddTestCase(new ExplainedWormsTestCase("Worms, many: " + name, options, 200, 15),
                        WORMHOLE_TEST_EXTENSIVE);
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
    }
};

/// The suite.
static WormholeExplainTestSuite g_wormholeExplainTestSuite;
