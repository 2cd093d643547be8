/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXPLAINED_WORMS_TEST_CASE_H
#define EXPLAINED_WORMS_TEST_CASE_H

// What explanations of worms have in common, whichever oracle confirms them.

#include "../test-fabrics.h"

#include "ns3/worm-explainer.h"
#include "ns3/worm-replay.h"

namespace ns3
{

/// A case, what became of its worms by an oracle, and the fabric's records of it.
struct RecordedCase
{
    WormCase worms;                                  ///< the case
    ReplayOutcome oracle;                            ///< what became of its worms, by the oracle
    Ptr<WormRecorder> recorder;                      ///< by the fabric
    bool isEqual{false};                             ///< whether the fabric gave the oracle's times
    std::vector<std::size_t> order;                  ///< worms of the case by number in the fabric
    std::map<std::string, FabricGraph::Node> number; ///< nodes by name

    explicit RecordedCase(const WormCase& theWorms)
        : worms(theWorms),
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
    }

    /// Runs the case in a fabric. @param prepare gives the fabric what the case does not have
    void Record(const std::function<void(WormholeFabric&)>& prepare)
    {
        const auto outcome = ReplayWorms(worms, [&](WormholeFabric& fabric) {
            prepare(fabric);
            fabric.SetRecorder(recorder);
        });
        std::ostringstream wanted;
        PrintReplay(wanted, worms, oracle);
        std::ostringstream got;
        PrintReplay(got, worms, outcome);
        isEqual = got.str() == wanted.str();
    }

    /// @return number of a worm in the case
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

/// Every worm of random cases is explained without a gap, and the oracle confirms each interval.
/// Some are explained once more without a worm that was named. CASE is a RecordedCase.
template <typename CASE>
class ExplainedTestCase : public ModuleTestCase
{
  protected:
    /// @param stream that draws cases @param nRerun how many of them are rerun without a worm that
    /// is named
    ExplainedTestCase(const std::string& name, int64_t stream, uint32_t nCases, uint32_t nRerun)
        : ModuleTestCase(name),
          m_nCases(nCases),
          m_stream(stream),
          m_nRerun(nRerun)
    {
    }

    /// An interval that names another worm.
    struct Named
    {
        std::size_t worm;         ///< the worm that is explained, of the case
        std::string host;         ///< its end
        LatencyInterval interval; ///< the interval
        int64_t latency;          ///< the whole latency
    };

    /// @return a random case
    virtual WormCase Draw(Ptr<UniformRandomVariable> rng) = 0;

    /// @return what becomes of a case
    virtual CASE Play(const WormCase& worms) const = 0;

    /// @return what is wrong with a case's explanations, or nothing
    virtual std::string CheckAll(const CASE& of, std::vector<Named>& named) = 0;

    /// Checks what was explained in all cases.
    virtual void CheckCauses() = 0;

    uint32_t m_nCases;       ///< how many cases
    uint32_t m_explained{0}; ///< worms explained

  private:
    void DoRun() override
    {
        auto rng = MakeRandom(m_stream);
        for (uint32_t i = 0; i < m_nCases; ++i)
        {
            const auto explained = Play(Draw(rng));
            NS_TEST_ASSERT_MSG_EQ(explained.isEqual, true, "times differ while recorded, " << i);
            std::vector<Named> named;
            NS_TEST_ASSERT_MSG_EQ(CheckAll(explained, named), "", "case " << i);
            if (m_reruns < m_nRerun && !named.empty())
            {
                const auto last = static_cast<uint32_t>(named.size()) - 1;
                NS_TEST_ASSERT_MSG_EQ(Rerun(explained, named, rng->GetInteger(0, last)),
                                      "",
                                      "case " << i << " without a worm that is named");
            }
        }
        NS_TEST_EXPECT_MSG_GT(m_explained, m_nCases, "hardly any worm was explained");
        NS_TEST_EXPECT_MSG_EQ(m_reruns, m_nRerun, "reruns");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(2 * m_shorter, m_reruns, "seldom shorter without them");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(3 * m_less, m_reruns, "the wait is seldom shorter");
        CheckCauses();
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
    std::string Rerun(const CASE& of, const std::vector<Named>& all, std::size_t which)
    {
        const auto& named = all[which];
        auto worms = of.worms;
        const auto blocker = of.Of(named.interval.other);
        worms.worms.erase(worms.worms.begin() + static_cast<std::ptrdiff_t>(blocker));
        const auto worm = named.worm - (blocker < named.worm);
        const auto again = Play(worms);
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

    int64_t m_stream;      ///< stream that draws cases
    uint32_t m_nRerun;     ///< how many are rerun
    uint32_t m_reruns{0};  ///< cases rerun
    uint32_t m_shorter{0}; ///< of these, with a latency shorter than before
    uint32_t m_less{0};    ///< of these, with less of that wait there
};

} // namespace ns3

#endif /* EXPLAINED_WORMS_TEST_CASE_H */
