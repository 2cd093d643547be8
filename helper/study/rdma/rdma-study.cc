/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-study.h"

#include "ns3/collective-kinds.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// Barriers before those that are averaged over, in which tasks fall into step.
constexpr uint32_t WARM_UP = 8;

/// Costs of a cluster of Gupta et al. (2002), as RdmaStudy::GetPreset explains.
struct Preset
{
    const char* name;      ///< name
    int64_t rdmaStepPs;    ///< a step by remote writes, ps
    int64_t messageStepPs; ///< a step by messages, ps
    int64_t flagPs;        ///< setting a flag, or seeing one, ps
};

/// All of them.
const Preset PRESETS[] = {{"cluster-1", 31880000 / 3, 45140000 / 3, 500000},
                          {"cluster-2", 29000000 / 3, 40500000 / 3, 500000},
                          {"cluster-3", 63000000 / 5, 63000000 / 5 * 100 / 59, 500000}};

} // namespace

std::vector<std::string>
RdmaStudy::GetPresets()
{
    std::vector<std::string> names;
    for (const auto& preset : PRESETS)
    {
        names.emplace_back(preset.name);
    }
    return names;
}

RdmaStudy::Costs
RdmaStudy::GetPreset(const std::string& name)
{
    for (const auto& preset : PRESETS)
    {
        if (preset.name == name)
        {
            const auto half = [](int64_t ps) { return PicoSeconds(ps / 2); };
            const auto rest = [](int64_t ps) { return PicoSeconds(ps - ps / 2); };
            return {half(preset.rdmaStepPs),
                    rest(preset.rdmaStepPs),
                    half(preset.messageStepPs),
                    rest(preset.messageStepPs),
                    PicoSeconds(preset.flagPs)};
        }
    }
    throw WormholeError("there is no cluster '" + name +
                        "': accepted are cluster-1, cluster-2, cluster-3");
}

uint32_t
RdmaStudy::GetSteps(uint32_t n)
{
    uint32_t log = 0;
    while (n >> (log + 1) > 0)
    {
        ++log;
    }
    return (n & (n - 1)) == 0 ? log : log + 2;
}

RdmaStudy::RdmaStudy(const Parameters& parameters)
    : m_parameters(parameters)
{
    const auto& costs = m_parameters.costs;
    const auto& nodes = m_parameters.nodes;
    const auto& transports = m_parameters.transports;
    if (nodes.empty() || transports.empty() || m_parameters.tasksPerNode.empty() ||
        m_parameters.barriers == 0)
    {
        throw WormholeError("study of barriers without numbers of nodes and tasks, transports or "
                            "barriers: accepted is one of each at least");
    }
    m_parameters.hosts.CheckNumber(*std::max_element(nodes.begin(), nodes.end()));
    for (const auto& transport : transports)
    {
        m_parameters.hosts.CheckReceiving(transport == "rdma" ? costs.rdmaReceive
                                                              : costs.messageReceive);
    }
}

std::vector<RdmaStudyRow>
RdmaStudy::Run(const Progress& progress) const
{
    const auto& [costs, transports, nodes, tasksPerNode, barriers, hosts] = m_parameters;
    const auto all = transports.size() * nodes.size() * tasksPerNode.size();
    std::vector<RdmaStudyRow> rows;
    for (const auto& transport : transports)
    {
        for (const auto tasks : tasksPerNode)
        {
            for (const auto n : nodes)
            {
                const auto steps = GetSteps(transport == "rdma" ? n : n * tasks);
                rows.push_back({transport, n, tasks, steps, Measure(transport, n, tasks)});
                if (progress)
                {
                    progress(static_cast<uint32_t>(rows.size()), static_cast<uint32_t>(all));
                }
            }
        }
    }
    return rows;
}

double
RdmaStudy::Measure(const std::string& transport, uint32_t nodes, uint32_t tasks) const
{
    const auto& costs = m_parameters.costs;
    const bool rdma = transport == "rdma";
    auto barrier =
        CollectiveHelper::MakeBarrier(rdma ? "smp[Inner=pairwise-exchange]" : "pairwise-exchange");
    barrier->SetAttribute("Transport", StringValue(rdma ? "rdma" : "sendrecv"));
    StudyHosts::Task task;
    for (uint32_t node = 0; node < nodes; ++node)
    {
        task.hosts.insert(task.hosts.end(), tasks, node);
    }
    task.rounds = WARM_UP + m_parameters.barriers;
    task.s = rdma ? costs.rdmaSend : costs.messageSend;
    task.r = rdma ? costs.rdmaReceive : costs.messageReceive;
    task.receiver = rdma ? "PollTime" : "ReceiveOverhead";
    task.flag = costs.flag;
    const auto times = m_parameters.hosts.Run(barrier, task);
    Time sum;
    for (std::size_t rank = 0; rank < task.hosts.size(); ++rank)
    {
        sum += times.back()[rank] - times[WARM_UP - 1][rank];
    }
    return sum.ToDouble(Time::US) / static_cast<double>(task.hosts.size()) / m_parameters.barriers;
}

} // namespace ns3
