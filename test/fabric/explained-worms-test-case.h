// SPDX-License-Identifier: GPL-2.0-only

#ifndef EXPLAINED_WORMS_TEST_CASE_H
#define EXPLAINED_WORMS_TEST_CASE_H

// What explanations of worms have in common, whatever of the oracle's log confirms them.

#include "../oracle/flit-oracle.h"
#include "../oracle/worm-cases.h"
#include "../test-fabrics.h"

#include "ns3/worm-explainer.h"

namespace ns3
{

/// A case, what the oracle says of its worms, and the fabric's records of it.
struct RecordedCase
{
    WormCase worms;                                  ///< the case
    FabricDelays delays;                             ///< of its fabric
    FlitLog log;                                     ///< what its worms did, by the oracle
    ReplayOutcome oracle;                            ///< what became of its worms, by the oracle
    Ptr<WormRecorder> recorder;                      ///< by the fabric
    bool isEqual{false};                             ///< whether the fabric gave the oracle's times
    std::vector<std::size_t> order;                  ///< worms of the case by number in the fabric
    std::map<std::string, FabricGraph::Node> number; ///< nodes by name

    /// @param uneven whether cables, switches and buffers differ
    /// @param ready whether the fabric is ready for outages, which has an engine of its own
    RecordedCase(const WormCase& theWorms, bool uneven, bool ready)
        : worms(theWorms),
          delays(worms, uneven),
          oracle(MoveFlitByFlit(worms, delays, &log)),
          recorder(Create<WormRecorder>()),
          order(worms.worms.size())
    {
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
            return worms.worms[a].timePs < worms.worms[b].timePs;
        });
        for (FabricGraph::Node node = 0; node < worms.graph.GetNNodes(); ++node)
        {
            number[worms.graph.GetName(node)] = node;
        }
        const auto outcome = ReplayWorms(worms, [&](WormholeFabric& fabric) {
            delays.Apply(fabric);
            fabric.SetAttribute("Outages", BooleanValue(ready));
            fabric.SetRecorder(recorder);
        });
        isEqual = PrintOutcome(worms, outcome) == PrintOutcome(worms, oracle);
    }

    RecordedCase(const RecordedCase&) = delete; // delays are of this case's worms

    std::size_t Of(const Ptr<const Worm>& worm) const
    {
        return order[worm->GetId()];
    }

    std::pair<FabricGraph::Node, FabricGraph::Port> Find(const std::string& name) const
    {
        const auto colon = name.rfind(':');
        return {number.at(name.substr(0, colon)),
                static_cast<FabricGraph::Port>(std::stoi(name.substr(colon + 1)))};
    }
};

/// Says by the oracle whether an interval is true; what says so derives from it.
struct IntervalJudge
{
    const RecordedCase& m_of;          ///< the case
    const LatencyInterval& m_interval; ///< the interval
    std::size_t m_worm;                ///< the worm that is explained
    std::size_t m_other;               ///< the other one
    int64_t m_length;                  ///< how long the interval is

    IntervalJudge(const RecordedCase& of, const LatencyInterval& interval)
        : m_of(of),
          m_interval(interval),
          m_worm(of.Of(interval.worm)),
          m_other(interval.other ? of.Of(interval.other) : m_worm),
          m_length(interval.to - interval.from)
    {
    }

    /// @return whether the channel of the interval was down in it; where it is of a node, whether
    /// some part was down by its end @param before whether it is enough that it was before
    bool IsByOutage(bool before = false) const
    {
        const auto& outages = m_of.worms.outages;
        return AnyOf(outages, [&](const WormCase::Outage& outage) {
            return outage.fromPs < m_interval.to &&
                   (m_interval.place.find(':') == std::string::npos ||
                    (IsOf(outage) &&
                     (before || outage.toPs.value_or(INT64_MAX) >= m_interval.from)));
        });
    }

  private:
    bool IsOf(const WormCase::Outage& outage) const
    {
        const auto [node, port] = m_of.Find(m_interval.place);
        const auto far = m_of.worms.graph.Peer(node, port);
        return (outage.node == node && outage.port.value_or(port) == port) ||
               (outage.node == far.node && outage.port.value_or(far.port) == far.port);
    }
};

struct ExplainedCases
{
    int64_t stream;                                           ///< stream that draws them
    std::function<WormCase(Ptr<UniformRandomVariable>)> draw; ///< draws one
    uint32_t nCases;                                          ///< how many
    uint32_t nRerun;               ///< how many are rerun without a worm that is named
    std::set<LatencyCause> causes; ///< for which some must wait; in transit, more than cases
    bool uneven{false};            ///< whether their cables, switches and buffers differ
    bool ready{false};             ///< whether fabrics are ready for outages, and half have some
};

/// Every worm of random cases is explained without a gap, and the oracle confirms each interval.
/// Some are explained once more without a worm that was named. JUDGE is an IntervalJudge, whose
/// FindUntruth tells what is wrong with an interval.
template <typename JUDGE>
class ExplainedTestCase : public ModuleTestCase
{
  public:
    ExplainedTestCase(const std::string& name, const ExplainedCases& cases)
        : ModuleTestCase(name),
          m_cases(cases)
    {
    }

  private:
    /// An interval that names another worm.
    struct Named
    {
        std::size_t worm;         ///< the worm that is explained, of the case
        std::string host;         ///< its end
        LatencyInterval interval; ///< the interval
        int64_t latency;          ///< the whole latency
    };

    void DoRun() override
    {
        const auto nCases = m_cases.nCases;
        const auto nRerun = m_cases.nRerun;
        auto rng = MakeRandom(m_cases.stream);
        // In some cases no worm names another: then there are more of them.
        for (uint32_t i = 0; i < nCases || (m_reruns < nRerun && i < 4 * nCases); ++i)
        {
            auto worms = m_cases.draw(rng);
            if (m_cases.ready && i % 2 == 1)
            {
                AddOutages(rng, worms);
            }
            const RecordedCase explained(worms, m_cases.uneven, m_cases.ready);
            NS_TEST_ASSERT_MSG_EQ(explained.isEqual, true, "times differ while recorded, " << i);
            std::vector<Named> named;
            NS_TEST_ASSERT_MSG_EQ(CheckAll(explained, named), "", "case " << i);
            if (m_reruns < nRerun && !named.empty() && worms.outages.empty())
            {
                const auto last = static_cast<uint32_t>(named.size()) - 1;
                NS_TEST_ASSERT_MSG_EQ(Rerun(explained, named, rng->GetInteger(0, last)),
                                      "",
                                      "case " << i << " without a worm that is named");
            }
        }
        NS_TEST_EXPECT_MSG_GT(m_explained, nCases, "hardly any worm was explained");
        NS_TEST_EXPECT_MSG_EQ(m_reruns, nRerun, "reruns");
        if (nRerun >= 5) // fewer have no shares
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(2 * m_shorter, m_reruns, "seldom shorter without them");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(3 * m_less, m_reruns, "the wait is seldom shorter");
        }
        const auto least = m_cases.causes.count(LatencyCause::IN_TRANSIT) ? nCases : 0;
        for (const auto cause : m_cases.causes)
        {
            NS_TEST_EXPECT_MSG_GT(m_causes[cause], least, "seldom " << ns3::GetName(cause));
        }
    }

    /// @return what is wrong with a case's explanations, or nothing @param named is given the
    /// intervals that name another worm
    std::string CheckAll(const RecordedCase& of, std::vector<Named>& named)
    {
        const WormExplainer explainer(*of.recorder);
        for (std::size_t id = 0; id < of.order.size(); ++id)
        {
            const auto number = of.order[id];
            const auto& worm = of.worms.worms[number];
            const auto& delivered = of.oracle.worms[number].delivered;
            std::set<std::string> hosts; // a worm with choices may come to one by several ways
            for (WormRoute::Stop end = 1; end < worm.route.GetNStops(); ++end)
            {
                if (worm.route.At(end).size() == 0)
                {
                    hosts.insert(of.worms.graph.GetName(worm.stopNodes[end]));
                }
                else if (!explainer.Explain(id, end).empty())
                {
                    return "explained what did not end there";
                }
            }
            for (const auto& host : hosts)
            {
                const auto intervals = explainer.Explain(id, host);
                const auto found = delivered.find(host);
                if (found == delivered.end())
                {
                    if (!intervals.empty())
                    {
                        return "explained what did not come";
                    }
                    continue;
                }
                ++m_explained;
                const auto delay = of.worms.hostDelayPs;
                auto problem = FindGap(intervals, worm.timePs - delay, found->second + delay);
                for (const auto& interval : intervals)
                {
                    if (const auto untruth = JUDGE(of, interval).FindUntruth(); !untruth.empty())
                    {
                        problem += untruth + ", from " + std::to_string(interval.from) + "; ";
                    }
                    // In transit, those count that wait where they were not sent.
                    m_causes[interval.cause] += interval.cause != LatencyCause::INTERFACE_BUSY ||
                                                of.worms.inTransit == InTransit::NONE ||
                                                interval.place != of.worms.graph.GetName(worm.root);
                    if (interval.other)
                    {
                        named.push_back({number, host, interval, found->second - worm.timePs});
                    }
                }
                if (!problem.empty())
                {
                    return problem + ": worm " + std::to_string(id) + " to " + host +
                           ToLines(intervals);
                }
            }
        }
        return "";
    }

    /// @return how long a worm waited at a place by a cause @param like one of such an end, cause
    /// and place
    static int64_t Sum(const std::vector<Named>& all, std::size_t worm, const Named& like)
    {
        int64_t sum = 0;
        for (const auto& each : all)
        {
            const bool isSuch = each.worm == worm && each.host == like.host &&
                                each.interval.cause == like.interval.cause &&
                                each.interval.place == like.interval.place;
            sum += isSuch ? each.interval.to - each.interval.from : 0;
        }
        return sum;
    }

    /// @return what is wrong if a worm that is named is taken away, or nothing
    std::string Rerun(const RecordedCase& of, const std::vector<Named>& all, std::size_t which)
    {
        const auto& named = all[which];
        auto worms = of.worms;
        const auto blocker = of.Of(named.interval.other);
        worms.worms.erase(worms.worms.begin() + static_cast<std::ptrdiff_t>(blocker));
        const auto worm = named.worm - (blocker < named.worm);
        const RecordedCase again(worms, m_cases.uneven, m_cases.ready);
        std::vector<Named> others;
        const auto problem = CheckAll(again, others);
        if (!problem.empty())
        {
            return problem;
        }
        const auto& delivered = again.oracle.worms[worm].delivered;
        const auto came = delivered.find(named.host);
        if (came == delivered.end())
        {
            return ""; // blocked for ever now
        }
        ++m_reruns;
        // What is left of the wait there is another's. The oracle has confirmed that just now.
        m_shorter += came->second - worms.worms[worm].timePs < named.latency;
        m_less += Sum(others, worm, named) < Sum(all, named.worm, named);
        return "";
    }

    ExplainedCases m_cases;                    ///< the cases
    uint32_t m_explained{0};                   ///< worms explained
    uint32_t m_reruns{0};                      ///< cases rerun
    uint32_t m_shorter{0};                     ///< of these, with a latency shorter than before
    uint32_t m_less{0};                        ///< of these, with less of that wait there
    std::map<LatencyCause, uint32_t> m_causes; ///< intervals by cause
};

} // namespace ns3

#endif /* EXPLAINED_WORMS_TEST_CASE_H */
