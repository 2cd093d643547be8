/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../oracle/flit-oracle.h"
#include "../oracle/worm-cases.h"
#include "explained-worms-test-case.h"

using namespace ns3;

SUITE("wormhole-explain", UNIT);

namespace
{

/// Says by the oracle's log of each instant whether an interval is true.
class FlitJudge : public IntervalJudge
{
  public:
    using IntervalJudge::IntervalJudge;

    std::string FindUntruth() const
    {
        const bool isChannel = m_interval.place.find(':') != std::string::npos;
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

    /// @return when flits started on the channel to a stop
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

} // namespace

ADD_CASES()
{
    const auto addCases = [this](const std::string& name, const ExplainedCases& cases) {
        AddQuick<ExplainedTestCase<FlitJudge>>("Worms: " + name, cases);
        auto many = cases;
        many.nCases *= 25;
        many.nRerun *= 6;
        AddExtensive<ExplainedTestCase<FlitJudge>>("Worms, many: " + name, many);
    };
    const auto add = [&](const std::string& name, RandomCaseOptions options) {
        const auto draw = [options](auto rng) { return MakeRandomCase(rng, options); };
        addCases(name, {11, draw, 8, 5, {}, options.uneven});
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
            addCases(name + ", passed on " + NameInTransit(mode),
                     {11,
                      draw,
                      options.circles ? 4U : 8U, // those take long
                      options.circles ? 3U : 5U,
                      {LatencyCause::IN_TRANSIT, LatencyCause::INTERFACE_BUSY}});
        }
    };
    addTransit("by hosts", {});
    addTransit("by hosts, source routes", {{}, false, false, true});
    addTransit("by hosts, longer worms, source routes", {{}, false, true, true});
    addTransit("by hosts, longer worms, cables that differ", {{}, true, true});
    addTransit("by hosts, in a ring", {{}, false, true, false, true});
}
