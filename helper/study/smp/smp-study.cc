/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-study.h"

#include "ns3/collective-helper.h"
#include "ns3/collective-registry.h"
#include "ns3/in-switch-collectives.h"
#include "ns3/integer.h"
#include "ns3/linked-schedules.h"
#include "ns3/sample-summary.h"
#include "ns3/software-collective.h"
#include "ns3/traffic-columns.h"
#include "ns3/uinteger.h"
#include "ns3/worker-pool.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

/// @return all cases of the paper
const std::vector<JobPlacement::Parameters>&
AllCases()
{
    static const std::vector<JobPlacement::Parameters> cases{{"block", 64, 4},
                                                             {"random", 44, 3},
                                                             {"random", 38, 4},
                                                             {"random", 28, 4}};
    return cases;
}

/// Refuses what the study sets itself. @param name name of a broadcast @param part the same, or one
/// within it
void
CheckSettings(const std::string& name, const std::string& part)
{
    for (const auto& [attribute, value] : CollectiveRegistry::GetSettings(part))
    {
        if (attribute == "MessageBytes" || attribute == "Root")
        {
            throw WormholeError("broadcast '" + name + "': " + attribute + "=" + value +
                                " has no effect; accepted is " +
                                (attribute == "Root"
                                     ? "none: the root is the job's first process"
                                     : "--bytes=" + value + ", the study's list of lengths"));
        }
        CheckSettings(name, value);
    }
}

/// @return a broadcast by software, or in the switches @param name its name
Ptr<Broadcast>
MakeBroadcast(const std::string& name)
{
    CheckSettings(name, name);
    auto broadcast = CollectiveHelper::MakeBroadcast(name);
    if (!DynamicCast<SoftwareBroadcast>(broadcast) && !DynamicCast<InSwitchBroadcast>(broadcast))
    {
        throw WormholeError("broadcast '" + name +
                            "'; accepted are broadcasts by software, and "
                            "btin");
    }
    return broadcast;
}

/// Sets the length of messages. @param broadcast the broadcast @param bytes the length
void
SetLength(Broadcast& broadcast, uint32_t bytes)
{
    constexpr uint32_t FIELDS = 10; // bits of type and group
    constexpr uint32_t WIDEST = 64; // bits of a value
    if (dynamic_cast<InSwitchBroadcast*>(&broadcast))
    {
        const auto most = (FIELDS + WIDEST + 7) / 8;
        if (bytes > most)
        {
            throw WormholeError(std::to_string(bytes) +
                                " bytes, but a register holds a whole message, with up to 64 bits "
                                "of data; accepted are 2 to " +
                                std::to_string(most) + " bytes");
        }
        broadcast.SetAttribute("WidthBits", UintegerValue(std::min(WIDEST, 8 * bytes - FIELDS)));
    }
    broadcast.SetAttribute("MessageBytes", UintegerValue(bytes));
}

/// @return steps at unit cost, where hosts send or receive one message at a time
/// @param broadcast a broadcast that has a group @param hosts hosts of its members, by rank
uint32_t
CountSteps(const Broadcast& broadcast, const std::vector<uint32_t>& hosts)
{
    const auto software = dynamic_cast<const SoftwareBroadcast*>(&broadcast);
    // Switches copy the one message that the first member sends.
    return software ? software->GetSchedules().CountOnePortSteps(hosts) : hosts.size() > 1;
}

} // namespace

std::vector<std::string>
SmpStudy::GetCases()
{
    std::vector<std::string> names;
    for (const auto& job : AllCases())
    {
        names.push_back(std::to_string(job.hosts));
    }
    return names;
}

JobPlacement::Parameters
SmpStudy::GetCase(const std::string& name)
{
    for (const auto& job : AllCases())
    {
        if (std::to_string(job.hosts) == name)
        {
            return job;
        }
    }
    throw WormholeError("there is no case '" + name + "': accepted are 64, 44, 38, 28");
}

SmpStudy::SmpStudy(const Parameters& parameters)
    : m_parameters(parameters)
{
    const auto& p = m_parameters;
    if (p.algorithms.empty() || p.hosts.empty() || p.bytes.empty() || p.placements == 0 ||
        !p.cluster.GetTopology())
    {
        throw WormholeError("study of broadcasts without algorithms, numbers of hosts, lengths, "
                            "placements or a fabric: accepted is one of each at least");
    }
    JobPlacement(p.cluster.GetTopology()->graph, p.job);
    const auto [least, most] = std::minmax_element(p.hosts.begin(), p.hosts.end());
    if (*least == 0 || *most > p.job.hosts)
    {
        throw WormholeError("a broadcast among " + std::to_string(*least == 0 ? 0 : *most) +
                            " hosts of a job of " + std::to_string(p.job.hosts) +
                            "; accepted are 1 to " + std::to_string(p.job.hosts));
    }
    const auto shortest = *std::min_element(p.bytes.begin(), p.bytes.end());
    if (p.tasksPerHost == 0)
    {
        throw WormholeError("0 processes a host; accepted are 1 and more");
    }
    // Some can't be for a group, but can for a process alone.
    const auto block = JobPlacement(p.cluster.GetTopology()->graph, {"block", *most, 0}).Draw();
    for (const auto& algorithm : p.algorithms)
    {
        Measure(algorithm, block, shortest, 0);
    }
}

std::vector<SmpStudyRow>
SmpStudy::Run(uint32_t jobs, const Progress& progress) const
{
    const auto& p = m_parameters;
    JobPlacement placement(p.cluster.GetTopology()->graph, p.job);
    placement.AssignStreams(p.stream);
    const auto nJobs = p.job.law == "block" ? 1 : p.placements;

    struct Piece
    {
        std::vector<uint32_t> hosts; ///< that take part
        uint32_t bytes;              ///< of the message
        std::string algorithm;       ///< of the broadcast
    };

    std::vector<Piece> pieces;
    for (uint32_t job = 0; job < nJobs; ++job)
    {
        const auto given = placement.Draw();
        for (const auto bytes : p.bytes)
        {
            for (const auto number : p.hosts)
            {
                for (const auto& algorithm : p.algorithms)
                {
                    pieces.push_back({{given.begin(), given.begin() + number}, bytes, algorithm});
                }
            }
        }
    }
    const auto all = static_cast<uint32_t>(pieces.size());
    const auto rounds = p.cluster.GetTraffic().IsThere() ? p.rounds : 1;
    std::vector<SmpStudyRow> rows;
    const auto work = [&](uint32_t number) {
        const auto& piece = pieces[number];
        return SmpStudyRow::GetTable().Pack(
            {Measure(piece.algorithm, piece.hosts, piece.bytes, rounds)});
    };
    const auto take = [&](uint32_t number, const std::string& found) {
        rows.push_back(SmpStudyRow::GetTable().Unpack(found).front());
        if (progress)
        {
            progress(number + 1, all);
        }
    };
    WorkerPool(jobs).Run(all, work, take);
    return rows;
}

SmpStudyRow
SmpStudy::Measure(const std::string& algorithm,
                  const std::vector<uint32_t>& hosts,
                  uint32_t bytes,
                  uint32_t rounds) const
{
    std::vector<uint32_t> hostOf; // by rank
    for (const auto host : hosts)
    {
        hostOf.insert(hostOf.end(), m_parameters.tasksPerHost, host);
    }
    auto broadcast = MakeBroadcast(algorithm);
    broadcast->SetAttribute("Root", IntegerValue(0));
    StudyHosts::Task task;
    task.hosts = hostOf;
    task.rounds = rounds;
    task.flag = m_parameters.flag;
    task.s = m_parameters.startUp;
    task.r = m_parameters.receive;
    task.isReceiversPart = true;
    task.hasPauses = true;
    std::vector<std::vector<Time>> leaves;
    try
    {
        SetLength(*broadcast, bytes);
        leaves = m_parameters.cluster.Run(broadcast, task);
    }
    catch (const WormholeError& error)
    {
        throw WormholeError("broadcast '" + algorithm + "': " + error.what());
    }
    if (rounds == 0)
    {
        return {};
    }
    SampleSummary summary;
    for (const auto& times : leaves)
    {
        // A leaf of the tree leaves when it has the message, and it or another leaf is the last.
        summary.Add(std::max_element(times.begin(), times.end())->ToDouble(Time::US));
    }

    const auto& graph = m_parameters.cluster.GetTopology()->graph;
    std::set<FabricGraph::Node> switches;
    for (const auto host : hosts)
    {
        switches.insert(graph.SwitchOf(graph.HostAt(host)).node);
    }
    SmpStudyRow row{algorithm,
                    static_cast<uint32_t>(switches.size()),
                    static_cast<uint32_t>(hosts.size()),
                    bytes,
                    CountSteps(*broadcast, hostOf),
                    summary.GetMean(),
                    m_parameters.tasksPerHost};
    row.timeUs99 = summary.GetPercentile99();
    TrafficColumns<SmpStudyRow>::Fill(m_parameters.cluster.GetTraffic(), row);
    return row;
}

} // namespace ns3
