// SPDX-License-Identifier: GPL-2.0-only

// What Python needs of members' data, of rounds beside traffic, of timelines, and of GOAL
// schedules. The loader compiles this in memory, behind bridge.h.

#include "ns3/collective-domain.h"
#include "ns3/double.h"
#include "ns3/goal-bench.h"
#include "ns3/goal-file.h"
#include "ns3/group-schedules.h"
#include "ns3/loaded-bench.h"
#include "ns3/log-gops.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-latency-report.h"
#include "ns3/wormhole-timeline.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3_wormhole
{

/// Where a collective is, for cppyy.bind_object.
inline uintptr_t
GetAddress(ns3::Ptr<ns3::DataCollective> collective)
{
    return reinterpret_cast<uintptr_t>(ns3::PeekPointer(collective));
}

inline void
SetInput(ns3::Ptr<ns3::DataCollective> collective,
         uint32_t rank,
         uintptr_t address,
         std::size_t size)
{
    const auto* bytes = reinterpret_cast<const uint8_t*>(address);
    collective->SetInput(rank, {bytes, bytes + size});
}

inline void
CopyOutput(ns3::Ptr<ns3::DataCollective> collective,
           uint32_t rank,
           uintptr_t address,
           std::size_t size)
{
    const auto bytes = collective->GetOutput(rank);
    if (bytes.size() != size)
    {
        throw ns3::WormholeError("rank " + std::to_string(rank) + " has left with " +
                                 std::to_string(bytes.size()) + " bytes, not " +
                                 std::to_string(size));
    }
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<uint8_t*>(address));
}

/// Length of what members have together, bytes, by rank.
inline std::vector<uint64_t>
CountBytes(ns3::Ptr<ns3::DataCollective> collective, bool isOutput)
{
    std::vector<uint64_t> lengths(collective->GetNMembers());
    for (uint32_t rank = 0; rank < lengths.size(); ++rank)
    {
        for (const auto part :
             isOutput ? collective->GetOutputParts(rank) : collective->GetInputParts(rank))
        {
            lengths[rank] += collective->GetParts()[part];
        }
    }
    return lengths;
}

/// Whether hosts' software does all of a collective of data.
inline bool
IsBySoftware(ns3::Ptr<ns3::DataCollective> collective)
{
    return dynamic_cast<const ns3::ScheduleMaker*>(ns3::PeekPointer(collective)) != nullptr;
}

/// A critical path, which needs the bench no longer.
struct CriticalPath
{
    std::vector<ns3::LatencyReport::Row> rows; ///< its intervals, in order of time
    std::string text;                          ///< their sums
};

/// Rounds beside traffic.
struct LoadedRounds
{
    std::vector<ns3::Time> times;    ///< by round, until the last member left
    std::vector<ns3::Time> sums;     ///< by rank, of all rounds until it left
    std::vector<CriticalPath> paths; ///< by round, why it took so long; none unless that is asked
};

inline LoadedRounds
Cross(ns3::LoadedBench& bench, uint32_t rounds, bool explains)
{
    AddBeat(bench);
    if (explains)
    {
        bench.Record();
    }
    LoadedRounds found;
    found.times = bench.Cross(rounds);
    found.sums = bench.GetSums();
    for (uint32_t round = 1; round <= bench.GetPaths().size(); ++round)
    {
        const auto report = bench.GetReport(round);
        found.paths.push_back({report.GetRows(), report.ToText()});
    }
    return found;
}

inline LoadedRounds
CrossUnderLoad(ns3::Ptr<ns3::Collective> collective,
               ns3::Ptr<ns3::CollectiveDomain> domain,
               const std::vector<uint32_t>& hosts,
               ns3::BackgroundTraffic::Parameters traffic,
               uint32_t rounds,
               bool explains)
{
    traffic.stream = 1;
    ns3::LoadedBench bench(collective, domain, hosts, traffic);
    return Cross(bench, rounds, explains);
}

/// Rounds of a group that is ready, beside traffic, one after the other.
inline LoadedRounds
CrossBeside(ns3::Ptr<ns3::Collective> collective,
            ns3::Time unloaded,
            const ns3::BackgroundTraffic::Parameters& traffic,
            uint32_t rounds,
            bool explains)
{
    ns3::LoadedBench bench(collective, unloaded, traffic);
    return Cross(bench, rounds, explains);
}

inline std::unique_ptr<ns3::Timeline>
MakeTimeline(const ns3::Timeline::Settings& settings)
{
    return std::make_unique<ns3::Timeline>(settings);
}

inline std::unique_ptr<ns3::WormTables>
MakeWormTables(const ns3::WormTables::Settings& settings)
{
    return std::make_unique<ns3::WormTables>(settings);
}

/// CollectiveDomain::FindRootHost by a table of channels: nodes and ports that send, and waits, ps.
inline uint32_t
FindRootHost(ns3::Ptr<ns3::CollectiveDomain> domain,
             std::vector<uint32_t> hosts,
             const std::vector<std::string>& nodes,
             const std::vector<uint32_t>& ports,
             const std::vector<int64_t>& waits)
{
    std::map<std::pair<uint32_t, uint32_t>, ns3::Time> table;
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        const auto node = domain->GetGraph().Find(nodes[i]);
        ns3::WormholeError::ThrowIf(node == ns3::FabricGraph::NONE,
                                    "heat: there is no node '" + nodes[i] +
                                        "'; expected a table of the same fabric");
        table[{node, ports[i]}] = ns3::PicoSeconds(waits[i]);
    }
    std::sort(hosts.begin(), hosts.end()); // a host may have several members
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    return domain->FindRootHost(hosts, [&table](ns3::FabricGraph::End end) {
        return table[{end.node, end.port}];
    });
}

/// Has all hosts send traffic for some time, and waits until all has arrived.
inline void
SendTraffic(ns3::Ptr<ns3::CollectiveDomain> domain,
            double load,
            const std::string& flits,
            ns3::Time time,
            const std::string& pattern)
{
    ns3::WormholeTrafficHelper helper;
    helper.SetPattern(pattern);
    helper.SetAttribute("Load", ns3::DoubleValue(load));
    const auto traffic =
        helper.Install(domain->GetFabric(), domain->GetGraph(), ns3::WormLength::Parse(flits), 1);
    traffic->Start();
    ns3::Simulator::Schedule(time, &ns3::WormholeTraffic::Stop, traffic);
    ns3::Simulator::Run();
}

inline std::shared_ptr<ns3::GoalSchedule>
ReadGoal(const std::string& path, bool keepsLabels)
{
    return std::make_shared<ns3::GoalSchedule>(ns3::GoalFile::Read(path, keepsLabels));
}

/// A GOAL schedule from its text, see GoalFile::ReadText.
inline std::shared_ptr<ns3::GoalSchedule>
ReadGoalText(const std::string& text, const std::string& name, bool keepsLabels = false)
{
    return std::make_shared<ns3::GoalSchedule>(ns3::GoalFile::ReadText(text, name, keepsLabels));
}

/// An algorithm as a GOAL schedule, see GoalCollective::Make.
inline std::shared_ptr<ns3::GoalSchedule>
MakeGoal(const std::string& kind,
         const std::string& name,
         uint32_t members,
         uint64_t bytes,
         uint32_t root)
{
    return std::make_shared<ns3::GoalSchedule>(
        ns3::GoalCollective::Make(kind, name, members, bytes, root));
}

inline std::vector<int64_t>
ListPicoseconds(const std::vector<ns3::Time>& times)
{
    std::vector<int64_t> ps(times.size());
    std::transform(times.begin(), times.end(), ps.begin(), [](ns3::Time time) {
        return time.GetPicoSeconds();
    });
    return ps;
}

/// Why a schedule ended when it did on the ideal network.
inline ns3::LatencyReport
ExplainIdeal(const ns3::LogGops::Explanation& explanation)
{
    return ns3::LatencyReport(explanation.intervals,
                              [](const ns3::Worm&) { return std::string(); });
}

/// Why a program's last rank ended when it did.
inline ns3::LatencyReport
ExplainJob(const ns3::GoalBench& bench, uint32_t number, uint32_t round)
{
    return ns3::LatencyReport(round > 0 ? bench.ExplainUnderTraffic(number).at(round - 1)
                                        : bench.Explain(number),
                              [&bench](const ns3::Worm& worm) { return bench.Describe(worm); });
}

} // namespace ns3_wormhole
