/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-study.h"

#include "ns3/collective-kinds.h"
#include "ns3/sample-summary.h"
#include "ns3/string.h"
#include "ns3/traffic-columns.h"
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

/// The barrier by remote writes.
const char* const REMOTE_WRITES = "smp[Inner=pairwise-exchange|Transport=rdma]";

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

Time
RdmaStudy::GetPart(Time time, uint32_t percent)
{
    return time * int64_t{percent} / int64_t{100};
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
        for (const auto percent : m_parameters.interfacePercents)
        {
            const auto r = transport == "rdma" ? costs.rdmaReceive : costs.messageReceive;
            m_parameters.hosts.CheckReceiving(r, GetPart(r, percent));
        }
    }
}

std::vector<RdmaStudyRow>
RdmaStudy::Run(const Progress& progress) const
{
    std::vector<RdmaStudyRow> rows;
    for (const auto& transport : m_parameters.transports)
    {
        // Remote writes are for tasks that share flags.
        const auto within =
            transport == "rdma" ? std::vector<std::string>{"flags"} : m_parameters.withinHost;
        for (const auto& way : within)
        {
            for (const auto percent : m_parameters.interfacePercents)
            {
                for (const auto tasks : m_parameters.tasksPerNode)
                {
                    for (const auto n : m_parameters.nodes)
                    {
                        rows.push_back(MakeRow(transport, way, percent, tasks, n));
                    }
                }
            }
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        Measure(rows[i]);
        rows[i].setUpUs = MeasureSetUp(rows[i]);
        if (progress)
        {
            progress(static_cast<uint32_t>(i + 1), static_cast<uint32_t>(rows.size()));
        }
    }
    return rows;
}

RdmaStudyRow
RdmaStudy::MakeRow(const std::string& transport,
                   const std::string& withinHost,
                   uint32_t percent,
                   uint32_t tasks,
                   uint32_t nodes)
{
    RdmaStudyRow row;
    row.transport = transport;
    row.nodes = nodes;
    row.tasksPerNode = tasks;
    row.steps = GetSteps(transport == "rdma" ? nodes : nodes * tasks);
    row.withinHost = withinHost;
    row.interfacePercent = percent;
    return row;
}

StudyHosts::Task
RdmaStudy::MakeTask(const RdmaStudyRow& row, bool isRdma) const
{
    const auto& costs = m_parameters.costs;
    StudyHosts::Task task;
    for (uint32_t node = 0; node < row.nodes; ++node)
    {
        task.hosts.insert(task.hosts.end(), row.tasksPerNode, node);
    }
    task.rounds = WARM_UP + m_parameters.barriers;
    task.s = isRdma ? costs.rdmaSend : costs.messageSend;
    task.r = isRdma ? costs.rdmaReceive : costs.messageReceive;
    task.receiver = isRdma ? "PollTime" : "ReceiveOverhead";
    task.flag = costs.flag;
    task.interfaceSend = GetPart(task.s, row.interfacePercent);
    task.interfaceReceive = GetPart(task.r, row.interfacePercent);
    task.registration = m_parameters.registration;
    return task;
}

void
RdmaStudy::Measure(RdmaStudyRow& row) const
{
    const bool isRdma = row.transport == "rdma";
    auto barrier = CollectiveHelper::MakeBarrier(isRdma ? REMOTE_WRITES : "pairwise-exchange");
    barrier->SetAttribute("WithinHost", StringValue(row.withinHost));
    const auto task = MakeTask(row, isRdma);
    const auto times = m_parameters.hosts.Run(barrier, task);
    Time sum;
    for (std::size_t rank = 0; rank < task.hosts.size(); ++rank)
    {
        sum += times.back()[rank] - times[WARM_UP - 1][rank];
    }
    row.latencyUsMean =
        sum.ToDouble(Time::US) / static_cast<double>(task.hosts.size()) / m_parameters.barriers;
    const auto last = [&](std::size_t round) {
        return *std::max_element(times[round].begin(), times[round].end());
    };
    SampleSummary summary;
    for (std::size_t round = WARM_UP; round < times.size(); ++round)
    {
        summary.Add((last(round) - last(round - 1)).ToDouble(Time::US));
    }
    row.latencyUs99 = summary.GetPercentile99();
    TrafficColumns<RdmaStudyRow>::Fill(m_parameters.hosts.GetTraffic(), row);
}

double
RdmaStudy::MeasureSetUp(const RdmaStudyRow& row) const
{
    if (row.transport != "rdma" || m_parameters.exchange == "none")
    {
        return 0;
    }
    auto barrier = CollectiveHelper::MakeBarrier(REMOTE_WRITES);
    barrier->SetAttribute("AddressExchange", StringValue(m_parameters.exchange));
    // Addresses are exchanged by messages, so that these have their costs.
    return m_parameters.hosts.MeasureSetUp(barrier, MakeTask(row, false)).ToDouble(Time::US);
}

} // namespace ns3
