/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "split-study.h"

#include "ns3/collective-application-helper.h"
#include "ns3/collective-helper.h"
#include "ns3/own-simulation.h"
#include "ns3/sample-summary.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-columns.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ns3
{

namespace
{

/// Steps before those that are averaged over, in which processes fall into step.
constexpr uint32_t WARM_UP = 4;

/// When the last process was done with each step.
class Done
{
  public:
    /// @param members number of processes @param steps number of steps @param traffic ends with the
    /// last one
    Done(uint32_t members, uint32_t steps, TrafficBeside& traffic)
        : m_traffic(traffic),
          m_left(uint64_t{members} * steps),
          m_times(steps)
    {
    }

    /// A process is done with a step. @param nDone how many it has done by now
    void Note(uint64_t nDone)
    {
        m_times[nDone - 1] = Simulator::Now();
        if (--m_left == 0)
        {
            m_traffic.Stop();
        }
    }

    /// @return when the last process was done with each step
    const std::vector<Time>& GetTimes() const
    {
        return m_times;
    }

  private:
    TrafficBeside& m_traffic;  ///< ends with the last step
    uint64_t m_left;           ///< steps that processes have not done yet
    std::vector<Time> m_times; ///< when the last process was done with each step
};

/// @return a random variable, as text @param compute mean time @param imbalance in percent of it
std::string
MakeComputation(Time compute, uint32_t imbalance)
{
    std::ostringstream text;
    text.precision(17);
    const auto seconds = compute.GetSeconds();
    if (imbalance == 0)
    {
        text << "ns3::ConstantRandomVariable[Constant=" << seconds << "]";
    }
    else
    {
        const auto part = imbalance / 100.0;
        text << "ns3::UniformRandomVariable[Min=" << seconds * (1 - part)
             << "|Max=" << seconds * (1 + part) << "]";
    }
    return text.str();
}

} // namespace

void
SplitStudy::CheckAlgorithms(const std::vector<std::string>& algorithms)
{
    for (const auto& name : algorithms)
    {
        CollectiveHelper::MakeBarrier(name);
    }
}

SplitStudy::SplitStudy(const Parameters& parameters)
    : m_parameters(parameters)
{
    const auto& p = m_parameters;
    if (p.algorithms.empty() || p.progresses.empty() || p.computes.empty() ||
        p.imbalances.empty() || p.pieces == 0 || p.steps == 0)
    {
        throw WormholeError("study of split-phase barriers without algorithms, progress, computing "
                            "times, imbalances, pieces or steps: accepted is one of each at least");
    }
    if (!p.topology || p.members == 0 || p.members > p.topology->graph.GetNFirstInterfaces())
    {
        throw WormholeError(
            std::to_string(p.members) + " members; accepted are 1 to " +
            std::to_string(p.topology ? p.topology->graph.GetNFirstInterfaces() : 0) +
            ", the number of the fabric's hosts");
    }
    CheckAlgorithms(p.algorithms);
}

std::vector<SplitStudyRow>
SplitStudy::Run(const Progress& progress) const
{
    const auto& p = m_parameters;
    const auto all =
        p.algorithms.size() * p.imbalances.size() * p.computes.size() * p.progresses.size();
    std::vector<SplitStudyRow> rows;
    for (const auto& algorithm : p.algorithms)
    {
        const auto barrier = Measure({algorithm, "in-call", Time(0), 0, false});
        for (const auto imbalance : p.imbalances)
        {
            for (const auto& compute : p.computes)
            {
                const auto blocking = Measure({algorithm, "in-call", compute, imbalance, false});
                for (const auto& who : p.progresses)
                {
                    const auto split = Measure({algorithm, who, compute, imbalance, true});
                    const auto saved = blocking.meanUs - split.meanUs;
                    rows.push_back({algorithm,
                                    who,
                                    p.members,
                                    p.pieces,
                                    imbalance,
                                    compute.ToDouble(Time::US),
                                    barrier.meanUs,
                                    blocking.meanUs,
                                    split.meanUs,
                                    barrier.meanUs > 0 ? 100 * saved / barrier.meanUs : 0});
                    auto& row = rows.back();
                    row.barrierUs99 = barrier.us99;
                    row.blockingUs99 = blocking.us99;
                    row.splitUs99 = split.us99;
                    TrafficColumns<SplitStudyRow>::Fill(p.traffic, row);
                    if (progress)
                    {
                        progress(static_cast<uint32_t>(rows.size()), static_cast<uint32_t>(all));
                    }
                }
            }
        }
    }
    return rows;
}

SplitStudy::Steps
SplitStudy::Measure(const Case& of) const
{
    const auto& p = m_parameters;
    const OwnSimulation own;
    WormholeHelper fabrics;
    fabrics.SetRouter(p.topology->router);
    CollectiveHelper collectives;
    collectives.SetSoftwareAttribute("StartUp", TimeValue(p.startUp));
    collectives.SetSoftwareAttribute("ReceiveOverhead", TimeValue(p.receive));
    collectives.SetSoftwareAttribute("PollTime", TimeValue(p.poll));
    collectives.SetSoftwareAttribute("InterruptTime", TimeValue(p.interrupt));
    collectives.SetSoftwareAttribute("Progress", StringValue(of.progress));
    const auto& graph = p.topology->graph;
    auto domain = collectives.Install(fabrics.Install(graph), graph);
    std::vector<uint32_t> hosts(p.members);
    std::iota(hosts.begin(), hosts.end(), 0);

    CollectiveApplicationHelper program;
    program.SetAttribute("Repetitions", UintegerValue(WARM_UP + p.steps));
    auto barrier = CollectiveHelper::MakeBarrier(of.algorithm);
    if (of.isSplit)
    {
        program.AddEnter(barrier);
    }
    for (uint32_t piece = 0; piece < p.pieces; ++piece)
    {
        program.AddComputation(MakeComputation(of.compute / p.pieces, of.imbalance));
    }
    if (of.isSplit)
    {
        program.AddWait(barrier);
    }
    else
    {
        program.AddCollective(barrier);
    }
    auto processes = program.Install(domain, hosts); // Start is not const in ns-3.37
    CollectiveApplicationHelper::AssignStreams(processes, p.stream);
    TrafficBeside traffic(*domain, p.traffic);
    Done done(p.members, WARM_UP + p.steps, traffic);
    processes.Start(traffic.Start());
    for (auto i = processes.Begin(); i != processes.End(); ++i)
    {
        (*i)->TraceConnectWithoutContext("Done", MakeCallback(&Done::Note, &done));
    }
    Simulator::Run();
    const auto missing = domain->ExplainMissing();
    if (!missing.empty())
    {
        throw WormholeError(of.algorithm + ": " + missing);
    }
    const auto& times = done.GetTimes();
    SampleSummary summary;
    for (std::size_t step = WARM_UP; step < times.size(); ++step)
    {
        summary.Add((times[step] - times[step - 1]).ToDouble(Time::US));
    }
    return {(times.back() - times[WARM_UP - 1]).ToDouble(Time::US) / p.steps,
            summary.GetPercentile99()};
}

} // namespace ns3
