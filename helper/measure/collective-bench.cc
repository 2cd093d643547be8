// SPDX-License-Identifier: GPL-2.0-only

#include "collective-bench.h"

#include "ns3/boolean.h"
#include "ns3/ordering.h"
#include "ns3/sample-summary.h"
#include "ns3/string.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <functional>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/// Simulated time between the end of one round and the start of the next: all channels are free.
constexpr int64_t PAUSE_US = 1000;

void
CheckSize(const std::string& what, std::size_t size, std::size_t members)
{
    WormholeError::ThrowIf(size != 0 && size != members,
                           std::to_string(size) + " " + what + " for " + std::to_string(members) +
                               " members; expected one for each, or none");
}

/// @return whether parts of a fabric may be down: no round may begin after outages that are to come
bool
HasOutages(const CollectiveDomain& domain)
{
    if (domain.IsIdeal())
    {
        return false;
    }
    StringValue schedule;
    BooleanValue told;
    domain.GetFabric()->GetAttribute("OutageSchedule", schedule);
    domain.GetFabric()->GetAttribute("Outages", told);
    return told.Get() || !schedule.Get().empty();
}

std::string
NameMissing(const Collective& collective)
{
    std::set<uint32_t> hosts;
    for (uint32_t rank = 0; rank < collective.GetNMembers(); ++rank)
    {
        const auto missing = collective.GetMissing(rank);
        hosts.insert(missing.begin(), missing.end());
    }
    const auto& domain = collective.GetDomain();
    const auto names = MadeOf(hosts, [&](uint32_t host) { return domain.GetHostName(host); });
    return names.empty() ? "" : " without " + WordList::WithCommas(names);
}

} // namespace

CollectiveBench::CollectiveBench(Ptr<Collective> collective,
                                 Ptr<CollectiveDomain> domain,
                                 const std::vector<uint32_t>& hosts)
    : m_collective(collective),
      m_domain(domain),
      m_stopsEarly(HasOutages(*domain)),
      m_leaves(hosts.size()),
      m_results(hosts.size())
{
    collective->TraceConnectWithoutContext("Ready", MakeCallback(&CollectiveBench::Ready, this));
    collective->TraceConnectWithoutContext("Leave", MakeCallback(&CollectiveBench::Leave, this));
    collective->TraceConnectWithoutContext("Released",
                                           MakeCallback(&CollectiveBench::Released, this));
    try
    {
        if (!domain->IsIdeal())
        {
            domain->GetFabric()->Start();
        }
        collective->Create(domain, hosts);
        RunUntilReady();
    }
    catch (...)
    {
        Disconnect();
        throw;
    }
}

CollectiveBench::~CollectiveBench()
{
    Disconnect();
    for (auto& entry : m_entries)
    {
        entry.Cancel();
    }
}

void
CollectiveBench::Disconnect()
{
    m_collective->TraceDisconnectWithoutContext("Ready",
                                                MakeCallback(&CollectiveBench::Ready, this));
    m_collective->TraceDisconnectWithoutContext("Leave",
                                                MakeCallback(&CollectiveBench::Leave, this));
    m_collective->TraceDisconnectWithoutContext("Released",
                                                MakeCallback(&CollectiveBench::Released, this));
}

Time
CollectiveBench::Cross(const std::vector<Time>& arrivals, const std::vector<uint64_t>& values)
{
    const auto members = m_leaves.size();
    CheckSize("arrivals", arrivals.size(), members);
    CheckSize("values", values.size(), members);
    Time last;
    for (const auto& arrival : arrivals)
    {
        WormholeError::ThrowIf(arrival.IsStrictlyNegative(),
                               "a member cannot arrive before now; expected times from 0 on");
        last = std::max(last, arrival);
    }
    const auto pause = MicroSeconds(PAUSE_US);
    m_begin = TimeLimit::Add(Simulator::Now(), pause);
    TimeLimit::Add(m_begin, last);
    m_nLeft = 0;
    m_loopRounds = 0;
    std::fill(m_results.begin(), m_results.end(), 0);
    m_values = values;
    if (m_explainer)
    {
        m_explainer->Clear();
    }
    if (arrivals.empty())
    {
        m_entries.push_back(Simulator::Schedule(pause, &CollectiveBench::EnterAll, this));
    }
    for (uint32_t rank = 0; rank < arrivals.size(); ++rank)
    {
        m_entries.push_back(
            Simulator::Schedule(pause + arrivals[rank], &CollectiveBench::Enter, this, rank));
    }
    RunUntilLeft(members);
    return *std::max_element(m_leaves.begin(), m_leaves.end()) - last;
}

std::vector<Time>
CollectiveBench::CrossInLoop(uint32_t warmUp, uint32_t rounds)
{
    WormholeError::ThrowIf(rounds == 0, "0 rounds: expected 1 or more");
    const auto members = m_leaves.size();
    const auto pause = MicroSeconds(PAUSE_US);
    m_begin = TimeLimit::Add(Simulator::Now(), pause);
    m_nLeft = 0;
    m_values.clear();
    m_warmUp = warmUp;
    m_loopRounds = uint64_t{warmUp} + rounds;
    m_counts.assign(members, 0);
    m_starts.assign(members, Time(0));
    m_entries.resize(members);
    m_entries[0] = Simulator::Schedule(pause, &CollectiveBench::EnterAll, this);
    RunUntilLeft(members * m_loopRounds);
    return MadeOfNumbers(members,
                         [this](uint32_t rank) { return m_leaves[rank] - m_starts[rank]; });
}

void
CollectiveBench::RunUntilLeft(uint64_t due)
{
    m_nDue = due;
    const auto before = CountTraffic();
    EventId begin;
    if (m_progress.IsSet())
    {
        // Not before: the interval between two looks would grow in the pause.
        begin = Simulator::Schedule(MicroSeconds(PAUSE_US), [this, due] {
            m_progress.Begin("", [this] { return m_nLeft; }, due);
        });
    }
    Simulator::Run();
    m_loopRounds = 0;
    begin.Cancel();
    m_progress.End();
    m_entries.clear();
    if (m_nLeft < due)
    {
        const auto losses = DescribeLosses(*m_domain);
        throw WormholeError("only " + std::to_string(m_nLeft) + " of " + std::to_string(due) +
                            " members leave" + NameMissing(*m_collective) + ": " +
                            m_domain->ExplainMissing() + (losses.empty() ? "" : "; " + losses));
    }
    const auto after = CountTraffic();
    m_traffic = {after.messageHops - before.messageHops, after.flitHops - before.flitHops};
}

void
CollectiveBench::RunUntilReady()
{
    if (!m_stopsEarly || !m_collective->IsReady() || m_collective->IsChanging())
    {
        Simulator::Run();
    }
    if (!m_collective->IsReady() || m_collective->IsChanging())
    {
        const auto& fabric = m_domain->GetFabric();
        const auto reason = m_collective->GetFallback() + (fabric ? fabric->ExplainDeadlock() : "");
        throw WormholeError(
            "the group of " + std::to_string(m_collective->GetNMembers()) +
            " members was never set up: " + (reason.empty() ? DescribeLosses(*m_domain) : reason));
    }
}

Time
CollectiveBench::Change(const std::vector<uint32_t>& joining, const std::vector<uint32_t>& leaving)
{
    m_collective->Grow(joining); // before the others leave, so that somebody stays
    for (const auto rank : leaving)
    {
        m_collective->Leave(rank);
    }
    RunUntilReady();
    m_leaves.assign(m_collective->GetNMembers(), Time(0));
    m_results.assign(m_collective->GetNMembers(), 0);
    return m_setup;
}

CollectiveBench::Traffic
CollectiveBench::CountTraffic() const
{
    if (m_domain->IsIdeal())
    {
        return {};
    }
    const auto& counts = m_domain->GetFabric()->GetCounts();
    return {counts.wormHops, counts.flitHops};
}

void
CollectiveBench::Leave(uint32_t rank, uint64_t result)
{
    m_leaves[rank] = Simulator::Now() - m_begin;
    m_results[rank] = result;
    if (++m_nLeft == m_nDue)
    {
        m_progress.End(); // so that no look makes the simulation longer
        StopEarly();
    }
    if (m_loopRounds == 0)
    {
        return;
    }
    const auto count = ++m_counts[rank];
    if (count == m_warmUp)
    {
        m_starts[rank] = m_leaves[rank];
    }
    if (count < m_loopRounds)
    {
        // The collective is not through with this leave yet.
        m_entries[rank] = Simulator::ScheduleNow(&CollectiveBench::Enter, this, rank);
    }
}

CollectiveTiming::CollectiveTiming(Ptr<Collective> collective)
    : m_collective(collective)
{
    collective->TraceConnectWithoutContext("Enter", MakeCallback(&CollectiveTiming::Enter, this));
    collective->TraceConnectWithoutContext("Leave", MakeCallback(&CollectiveTiming::Leave, this));
}

CollectiveTiming::~CollectiveTiming()
{
    m_collective->TraceDisconnectWithoutContext("Enter",
                                                MakeCallback(&CollectiveTiming::Enter, this));
    m_collective->TraceDisconnectWithoutContext("Leave",
                                                MakeCallback(&CollectiveTiming::Leave, this));
}

std::vector<Time>
CollectiveTiming::GetDurations() const
{
    const auto whole = ThoseOf(m_rounds, [&](const auto& round) {
        return round.nLeft == m_collective->GetNMembers();
    });
    return MadeOf(whole, [](const auto& round) { return round.lastLeave - round.lastEnter; });
}

std::string
CollectiveTiming::ToText(bool with99) const
{
    const auto durations = GetDurations();
    if (durations.empty())
    {
        return "no round";
    }
    SampleSummary summary;
    for (const auto& duration : durations)
    {
        summary.Add(duration.ToDouble(Time::US));
    }
    const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
    std::ostringstream text;
    text << "mean " << summary.GetMean() << " us, least " << least->ToDouble(Time::US)
         << ", greatest " << most->ToDouble(Time::US);
    if (with99)
    {
        text << ", 99 % within " << summary.GetPercentile99();
    }
    text << ", of " << durations.size() << " rounds";
    return text.str();
}

std::string
ExplainRounds(const RoundExplainer& explainer, const Ptr<Collective>& collective, uint64_t rounds)
{
    const auto describe = [&explainer](const Worm& worm) { return explainer.Describe(worm); };
    std::map<LatencyCause, int64_t> sums;
    LatencyIntervals slowest;
    uint64_t slowestRound = 0;
    int64_t longest = 0;
    int64_t all = 0;
    int64_t held = 0;
    for (uint64_t round = 1; round <= rounds; ++round)
    {
        auto intervals =
            explainer.Explain(*collective, round, explainer.GetEntries(*collective, round).second);
        if (intervals.empty())
        {
            continue;
        }
        const auto duration = intervals.back().to - intervals.front().from;
        all += duration;
        const LatencyReport report(intervals, describe);
        for (const auto& [cause, time] : report.GetSums())
        {
            sums[cause] += time;
        }
        held += report.GetHeldByTraffic();
        if (duration > longest)
        {
            longest = duration;
            slowestRound = round;
            slowest = std::move(intervals);
        }
    }
    if (all == 0)
    {
        return "no round took any time\n";
    }
    std::ostringstream text;
    text << "round " << slowestRound << ", the slowest:\n"
         << LatencyReport(std::move(slowest), describe).ToText() << "all rounds:\n";
    std::multimap<int64_t, LatencyCause, std::greater<>> order;
    for (const auto& [cause, time] : sums)
    {
        order.emplace(time, cause);
    }
    const auto ps = TimeStep(static_cast<uint64_t>(all)).GetPicoSeconds();
    const auto print = [&](int64_t time, const std::string& what) {
        if (time > 0)
        {
            text << std::fixed << std::setprecision(1) << std::setw(6)
                 << 100.0 * static_cast<double>(time) / static_cast<double>(ps) << " %  " << what
                 << "\n";
        }
    };
    for (const auto& [time, cause] : order)
    {
        print(time, Describe(cause));
    }
    print(held, "of that held up by the traffic");
    return text.str();
}

} // namespace ns3
