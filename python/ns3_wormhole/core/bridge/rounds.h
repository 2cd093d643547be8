/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What Python needs of members' data, and of rounds beside traffic. The loader compiles this in
// memory, behind bridge.h.

#include "ns3/collective-domain.h"
#include "ns3/data-collective.h"
#include "ns3/group-schedules.h"
#include "ns3/latency-report.h"
#include "ns3/loaded-bench.h"
#include "ns3/message-bench.h"
#include "ns3/worm-length.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3_wormhole
{

/// @return where a collective is, for cppyy.bind_object @param collective the collective
inline uintptr_t
GetAddress(ns3::Ptr<ns3::DataCollective> collective)
{
    return reinterpret_cast<uintptr_t>(ns3::PeekPointer(collective));
}

/// Gives a member its data. @param collective what its group does @param rank the member
/// @param address where the data are @param size their length
inline void
SetInput(ns3::Ptr<ns3::DataCollective> collective,
         uint32_t rank,
         uintptr_t address,
         std::size_t size)
{
    const auto* bytes = reinterpret_cast<const uint8_t*>(address);
    collective->SetInput(rank, {bytes, bytes + size});
}

/// Copies what a member left with. @param collective what its group does @param rank the member
/// @param address where it goes @param size its length
/// @throws WormholeError if the member has another length
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

/// @return length of what members have together, bytes, by rank @param collective what they do
/// @param isOutput whether when they leave, else when they enter
inline std::vector<uint64_t>
CountBytes(ns3::Ptr<ns3::DataCollective> collective, bool isOutput)
{
    std::vector<uint64_t> lengths;
    for (uint32_t rank = 0; rank < collective->GetNMembers(); ++rank)
    {
        uint64_t bytes = 0;
        for (const auto part :
             isOutput ? collective->GetOutputParts(rank) : collective->GetInputParts(rank))
        {
            bytes += collective->GetParts()[part];
        }
        lengths.push_back(bytes);
    }
    return lengths;
}

/// @return whether hosts' software does all of a collective of data @param collective the
/// collective
inline bool
IsBySoftware(ns3::Ptr<ns3::DataCollective> collective)
{
    return dynamic_cast<const ns3::ScheduleMaker*>(ns3::PeekPointer(collective)) != nullptr;
}

/// A round's critical path, as LatencyReport gives it, which needs the bench no longer.
class PathBeside
{
  public:
    /// @param report the path
    explicit PathBeside(const ns3::LatencyReport& report)
        : m_rows(report.GetRows()),
          m_text(report.ToText())
    {
    }

    /// @return the intervals, in order of time
    const std::vector<ns3::LatencyReport::Row>& GetRows() const
    {
        return m_rows;
    }

    /// @return text of some lines
    const std::string& ToText() const
    {
        return m_text;
    }

  private:
    std::vector<ns3::LatencyReport::Row> m_rows; ///< the intervals
    std::string m_text;                          ///< their sums
};

/// Rounds beside traffic.
struct RoundsBeside
{
    std::vector<ns3::Time> times;  ///< by round, until the last member left
    std::vector<ns3::Time> sums;   ///< by rank, of all rounds until it left
    std::vector<PathBeside> paths; ///< by round, why it took so long; none unless that is asked
};

/// @return rounds beside traffic, one after the other @param bench does them
/// @param rounds how many @param explains whether to tell why they take so long
inline RoundsBeside
Cross(ns3::LoadedBench& bench, uint32_t rounds, bool explains)
{
    AddBeat(bench);
    if (explains)
    {
        bench.Record();
    }
    RoundsBeside found;
    found.times = bench.Cross(rounds);
    found.sums = bench.GetSums();
    for (uint32_t round = 1; round <= bench.GetPaths().size(); ++round)
    {
        found.paths.emplace_back(bench.GetReport(round));
    }
    return found;
}

/// @return rounds of a collective beside traffic @param collective what is done
/// @param domain where @param hosts of the members
/// @param load of the traffic @param flits length of its worms
/// @param pattern who sends it to whom @param rounds how many
/// @param explains whether to tell why they take so long
inline RoundsBeside
CrossUnderLoad(ns3::Ptr<ns3::Collective> collective,
               ns3::Ptr<ns3::CollectiveDomain> domain,
               const std::vector<uint32_t>& hosts,
               double load,
               const std::string& flits,
               const std::string& pattern,
               uint32_t rounds,
               bool explains)
{
    constexpr int64_t STREAM = 1;
    ns3::LoadedBench bench(collective, domain, hosts, {load, flits, pattern, STREAM});
    return Cross(bench, rounds, explains);
}

/// Refuses a length of worms that is none. @param flits the length
inline void
CheckTraffic(const std::string& flits)
{
    ns3::WormLength::Parse(flits);
}

/// @return rounds of a group that is ready, beside traffic, one after the other
/// @param collective the group @param unloaded how long a round takes without traffic
/// @param load of the traffic @param flits length of its worms @param pattern who sends it to whom
/// @param rounds how many @param explains whether to tell why they take so long
inline RoundsBeside
CrossBeside(ns3::Ptr<ns3::Collective> collective,
            ns3::Time unloaded,
            double load,
            const std::string& flits,
            const std::string& pattern,
            uint32_t rounds,
            bool explains)
{
    ns3::LoadedBench bench(collective, unloaded, {load, flits, pattern});
    return Cross(bench, rounds, explains);
}

/// @return how long rounds of messages take beside traffic, see MessageBench::MeasureBeside
/// @param bench the two processes @param bytes of a message @param window messages of a round
/// @param answer bytes of the answer @param load of the traffic @param flits length of its worms
/// @param pattern who sends it to whom @param rounds how many
inline std::vector<ns3::Time>
MeasureBeside(ns3::MessageBench& bench,
              uint64_t bytes,
              uint32_t window,
              uint64_t answer,
              double load,
              const std::string& flits,
              const std::string& pattern,
              uint32_t rounds)
{
    return bench.MeasureBeside(bytes, window, answer, rounds, {load, flits, pattern});
}

} // namespace ns3_wormhole
