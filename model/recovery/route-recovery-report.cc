// SPDX-License-Identifier: GPL-2.0-only

// What RouteRecovery reports.

#include "route-recovery.h"

#include "ns3/recovery-node.h"
#include "ns3/simulator.h"

namespace ns3
{

void
RouteRecovery::OnLoss(const WormholeLoss& loss)
{
    if (!dynamic_cast<const RecoveryWorm*>(PeekPointer(loss.worm)) &&
        m_lost.insert(loss.worm->GetId()).second)
    {
        ++m_counts.wormsLost.at(loss.why);
    }
}

bool
RouteRecovery::IsWhole(uint32_t from, const WormRoute& route) const
{
    auto node = m_graph.HostAt(from);
    for (WormRoute::Stop stop = 0; route.At(stop).size() > 0;)
    {
        const auto branches = route.At(stop);
        std::size_t i = 0;
        while (i < branches.size() && IsDown({node, branches[i].port}, false))
        {
            ++i;
        }
        if (i == branches.size())
        {
            return false;
        }
        node = m_graph.Peer(node, branches[i].port).node;
        stop = branches[i].next;
    }
    return true;
}

void
RouteRecovery::ReviewHost(uint32_t from)
{
    const auto now = Simulator::Now();
    for (uint32_t to = 0; to < m_hosts.size(); ++to)
    {
        auto& pair = m_pairs[from][to];
        const auto route = from == to ? nullptr : FindRoute(from, to);
        const bool isCut = from != to && !(route && IsWhole(from, *route));
        pair.total += pair.isCut ? now - pair.since : Time(0);
        pair.isCut = isCut;
        pair.since = now;
    }
}

Time
RouteRecovery::GetTimeWithoutRoute(uint32_t from, uint32_t to) const
{
    const auto& pair = m_pairs.at(from).at(to);
    return pair.total + (pair.isCut ? Simulator::Now() - pair.since : Time(0));
}

std::pair<Time, Time>
RouteRecovery::GetTimesWithoutRoute() const
{
    Time sum;
    Time longest;
    for (uint32_t from = 0; from < m_pairs.size(); ++from)
    {
        for (uint32_t to = 0; to < m_pairs.size(); ++to)
        {
            const auto time = GetTimeWithoutRoute(from, to);
            sum += time;
            longest = std::max(longest, time);
        }
    }
    const auto nPairs = static_cast<int64_t>(m_pairs.size() * (m_pairs.size() - 1));
    return {nPairs > 0 ? sum / nPairs : Time(0), longest};
}

RecoveryCounts
RouteRecovery::GetCounts() const
{
    auto counts = m_counts;
    for (const auto& host : m_hosts)
    {
        counts.held += host.isHeld ? Simulator::Now() - host.since : Time(0);
    }
    return counts;
}

void
RouteRecovery::WriteCsv(std::ostream& out) const
{
    out << "noticed_us,explored_us,computed_us,begun_us,done_us,switches,hosts,routes_changed,"
           "pairs_cut_off,refused_overlap,tokens\n";
    for (const auto& change : m_changes)
    {
        for (const auto& time :
             {change.noticed, change.explored, change.computed, change.begun, change.done})
        {
            out << time.ToDouble(Time::US) << ',';
        }
        out << change.switches << ',' << change.hosts << ',' << change.changed << ','
            << change.cutOff << ",\"" << change.cycle << "\"," << change.tokens << "\n";
    }
}

} // namespace ns3
