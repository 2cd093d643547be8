// SPDX-License-Identifier: GPL-2.0-only

#include "worm-hop.h"

#include "wormhole-node-state.h"

#include <utility>

namespace ns3
{

namespace
{

FlitLine::Cursor
DropFrom(FlitLine& line, FlitLine::Cursor passed)
{
    constexpr FlitLine::Cursor MANY = 64;
    if (passed < MANY)
    {
        return 0;
    }
    auto left = passed;
    line.DropBefore(left);
    return passed - left;
}

} // namespace

void
WormHop::DropReadRuns(bool returnsCredits)
{
    auto passed = returnsCredits && !isCovered ? arrivalsToCredit : UINT32_MAX;
    for (std::size_t i = 0; i < GetNFlows(); ++i)
    {
        auto& flow = branches[i].flow;
        if (flow.earliestStarts.GetEnd() == 0)
        {
            return; // it begins to read from the first run on
        }
        passed = std::min(passed, flow.arrivalsToSend);
        auto& toSend = flow.startsToSend;
        auto& toCredit = flow.startsToCredit;
        const auto starts = returnsCredits ? std::min(toSend, toCredit) : toSend;
        if (const auto dropped = DropFrom(flow.earliestStarts, starts))
        {
            toSend -= dropped;
            toCredit -= returnsCredits ? dropped : 0;
        }
    }
    if (const auto dropped = DropFrom(arrivals, passed))
    {
        for (std::size_t i = 0; i < GetNFlows(); ++i)
        {
            branches[i].flow.arrivalsToSend -= dropped;
        }
        arrivalsToCredit -= std::min(arrivalsToCredit, dropped);
    }
}

bool
WormHop::CanUseArrivals() const
{
    // Whoever schedules more of a stream schedules all of it.
    const auto lags = [](const WormBranch& branch) {
        return branch.flow.sent < branch.flow.earliestStarts.GetEnd();
    };
    return branches.empty() ||
           (!isStream &&
            (!isCovered || std::any_of(branches.begin(), branches.begin() + GetNFlows(), lags)));
}

WormHop*
WormHops::Make(boost::intrusive_ptr<const Worm> worm,
               const WormRoute* route,
               uint64_t flits,
               WormRoute::Stop stop,
               WormholeNodeState* node,
               WormholePortState* ports,
               uint32_t nPorts)
{
    auto hop = m_hops.Take();
    hop->node = node;
    hop->input = nullptr;
    hop->flits = flits;
    hop->stop = stop;
    hop->asked = false;
    hop->arrivals.Clear();
    hop->pathCapacity = 0;
    hop->isCovered = true;
    hop->nextFreed = WormholeOutput::ALWAYS;
    hop->credited = 0;
    hop->routeFlit = WormHop::NONE;
    hop->worm = std::move(worm);
    hop->route = route;

    const auto exits = route->At(stop);
    const auto nBranches = exits.size();
    hop->inStep = nBranches > 1 && (m_sync || route->HasChoices()); // until it takes one of these
    if (hop->branches.size() != nBranches)
    {
        hop->branches.resize(nBranches);
    }
    for (std::size_t i = 0; i < nBranches; ++i)
    {
        auto& branch = hop->branches[i];
        const auto exit = exits[i];
        branch.output = ports + exit.port;
        if (exit.port >= nPorts || !branch.output->farPorts)
        {
            node->RefusePort(exit.port);
        }
        branch.far = nullptr;
        branch.hop = hop;
        branch.next = exit.next;
        branch.flow.missing = static_cast<uint32_t>(hop->GetFlowSize());
        branch.flow.nextStart = 0;
        branch.flow.sent = 0;
        branch.flow.earliestStarts.Clear();
    }
    hop->flowsLeft = static_cast<uint16_t>(hop->GetNFlows());
    hop->fits = nBranches == 1 ? hop->branches.front().output->CanHold(flits) : route->HasChoices();
    return hop;
}

} // namespace ns3
