/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-study.h"

#include "ns3/collective-kinds.h"
#include "ns3/communication-tree.h"
#include "ns3/csv-file.h"
#include "ns3/fibo-levels.h"
#include "ns3/fibo-sequence.h"
#include "ns3/integer.h"
#include "ns3/sample-summary.h"
#include "ns3/traffic-columns.h"
#include "ns3/tree-cost.h"
#include "ns3/tree-shapes.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

constexpr int TIME_DECIMALS = 3; ///< ns where the unit is us

/// Costs that Cordsen et al. (1997) give.
struct Preset
{
    const char* name;                            ///< name
    std::vector<std::pair<int64_t, int64_t>> us; ///< s and r
};

/// @return all of them
const std::vector<Preset>&
AllPresets()
{
    static const std::vector<Preset> presets{{"manna", {{27, 88}}},
                                             {"figure-4", {{20, 4}, {20, 30}, {20, 60}, {20, 100}}},
                                             {"steps", {{1, 3}}}};
    return presets;
}

/// @return a time in us, for CSV @param time the time
std::string
Microseconds(Time time)
{
    return CsvFile::Fixed(time.ToDouble(Time::US), TIME_DECIMALS);
}

/// @return how many are active when @param arrivals when each is
std::map<Time, uint32_t>
CountArrivals(const std::vector<Time>& arrivals)
{
    std::map<Time, uint32_t> counts;
    for (const auto& time : arrivals)
    {
        ++counts[time];
    }
    return counts;
}

/// @return the last of some times, us @param times the times
double
GetLast(const std::vector<Time>& times)
{
    return std::max_element(times.begin(), times.end())->ToDouble(Time::US);
}

/// @return means over rounds, by process @param rounds times, by round and process
std::vector<Time>
GetMeans(const std::vector<std::vector<Time>>& rounds)
{
    std::vector<Time> means(rounds.front().size());
    for (const auto& times : rounds)
    {
        for (std::size_t process = 0; process < means.size(); ++process)
        {
            means[process] += times[process];
        }
    }
    for (auto& mean : means)
    {
        mean = Time(mean.GetTimeStep() / static_cast<int64_t>(rounds.size()));
    }
    return means;
}

} // namespace

std::vector<std::string>
TreeStudy::GetPresets()
{
    std::vector<std::string> names;
    for (const auto& preset : AllPresets())
    {
        names.emplace_back(preset.name);
    }
    return names;
}

std::vector<TreeStudy::Costs>
TreeStudy::GetPreset(const std::string& name)
{
    std::vector<Costs> costs;
    for (const auto& preset : AllPresets())
    {
        if (preset.name == name)
        {
            for (const auto& [s, r] : preset.us)
            {
                costs.push_back({MicroSeconds(s), MicroSeconds(r), Time(0)});
            }
            return costs;
        }
    }
    throw WormholeError("there are no costs '" + name + "': accepted are manna, figure-4, steps");
}

ProcessHierarchy
TreeStudy::Levels::MakeHierarchy(uint32_t processes, const Costs& top) const
{
    auto all = costs;
    all.push_back(top);
    return ProcessHierarchy::Regular(processes, groupSizes, all);
}

TreeStudy::TreeStudy(const Parameters& parameters)
    : m_parameters(parameters)
{
    const auto& [costs, processes, trees, networks, levels, onFabric, rounds] = m_parameters;
    if (onFabric.GetTraffic().IsThere() && networks != std::vector<std::string>{"fabric"})
    {
        throw WormholeError("trees beside traffic on an ideal network, which has none; accepted is "
                            "the network fabric");
    }
    if (rounds == 0 || costs.empty() || processes.empty() || trees.empty() || networks.empty())
    {
        throw WormholeError("study of trees without costs, numbers of processes, trees, networks "
                            "or rounds: accepted is one of each at least");
    }
    CheckTrees(trees, costs);
    levels.MakeHierarchy(1, costs.front());
    if (std::find(networks.begin(), networks.end(), "fabric") != networks.end())
    {
        const auto least =
            std::min_element(costs.begin(), costs.end(), [](auto a, auto b) { return a.r < b.r; });
        if (!levels.groupSizes.empty())
        {
            throw WormholeError("levels '" + levels.text +
                                "' on a fabric, which has its own: accepted is the network ideal");
        }
        onFabric.CheckNumber(*std::max_element(processes.begin(), processes.end()));
        onFabric.CheckReceiving(least->r);
    }
}

void
TreeStudy::CheckTrees(const std::vector<std::string>& trees, const std::vector<Costs>& costs)
{
    for (const auto& tree : trees)
    {
        for (const auto& [s, r, c] : costs)
        {
            TreeCost(s, r, 1, c).GetFinish(MakeCommunicationTree(tree, 1, s + c, r));
        }
    }
}

std::vector<TreeStudy::Result>
TreeStudy::Run(const Progress& progress) const
{
    const StudyHosts ideal;
    const auto& traffic = m_parameters.onFabric.GetTraffic();
    const auto rounds = traffic.IsThere() ? m_parameters.rounds : 1;
    std::vector<Result> results;
    const auto all = m_parameters.costs.size() * m_parameters.networks.size() *
                     m_parameters.processes.size() * m_parameters.trees.size();
    const auto& levels = m_parameters.levels;
    for (const auto& costs : m_parameters.costs)
    {
        for (const auto& network : m_parameters.networks)
        {
            const TreeMeasurement measurement(network == "ideal" ? ideal : m_parameters.onFabric,
                                              costs);
            for (const auto processes : m_parameters.processes)
            {
                const auto hierarchy = levels.MakeHierarchy(processes, costs);
                const auto bound = GetHierarchyBound(hierarchy).ToDouble(Time::US);
                for (const auto& name : m_parameters.trees)
                {
                    const auto tree = MakeCommunicationTree(name, hierarchy);
                    const auto model = TreeCost(hierarchy).GetArrivals(tree);
                    const auto simulated =
                        levels.groupSizes.empty()
                            ? measurement.RunRounds(name, processes, rounds)
                            : std::vector<std::vector<Time>>{measurement.Run(name, hierarchy)};
                    SampleSummary finishes;
                    for (const auto& times : simulated)
                    {
                        finishes.Add(GetLast(times));
                    }
                    results.push_back({{name,
                                        network,
                                        costs.s.ToDouble(Time::US),
                                        costs.r.ToDouble(Time::US),
                                        processes,
                                        GetLast(model),
                                        finishes.GetMean(),
                                        costs.c.ToDouble(Time::US),
                                        levels.text,
                                        bound},
                                       model,
                                       GetMeans(simulated)});
                    auto& row = results.back().row;
                    row.finishUs99 = finishes.GetPercentile99();
                    TrafficColumns<TreeStudyRow>::Fill(traffic, row);
                    if (progress)
                    {
                        progress(static_cast<uint32_t>(results.size()), static_cast<uint32_t>(all));
                    }
                }
            }
        }
    }
    return results;
}

void
TreeStudy::WriteArrivals(std::ostream& os, const std::vector<Result>& results)
{
    CsvFile::WriteHeader(os,
                         {"tree",
                          "network",
                          "s_us",
                          "r_us",
                          "processes",
                          "time_us",
                          "arrivals_model",
                          "arrivals_simulated"});
    for (const auto& result : results)
    {
        std::map<Time, std::pair<uint32_t, uint32_t>> counts;
        for (const auto& [time, count] : CountArrivals(result.model))
        {
            counts[time].first = count;
        }
        for (const auto& [time, count] : CountArrivals(result.simulated))
        {
            counts[time].second = count;
        }
        const auto& row = result.row;
        for (const auto& [time, count] : counts)
        {
            os << CsvFile::Quote(row.tree) << ',' << row.network << ','
               << CsvFile::Fixed(row.sUs, TIME_DECIMALS) << ','
               << CsvFile::Fixed(row.rUs, TIME_DECIMALS) << ',' << row.processes << ','
               << Microseconds(time) << ',' << count.first << ',' << count.second << '\n';
        }
    }
}

void
TreeStudy::WriteSpeed(std::ostream& os) const
{
    constexpr int LAMBDA_DECIMALS = 5;
    CsvFile::WriteHeader(os, {"s_us", "r_us", "lambda", "time_us", "processes"});
    const auto& numbers = m_parameters.processes;
    const auto most = *std::max_element(numbers.begin(), numbers.end());
    for (const auto& costs : m_parameters.costs)
    {
        const auto s = costs.Busy();
        const auto r = costs.r;
        const auto unit = std::gcd(s.GetTimeStep(), r.GetTimeStep());
        FiboSequence sequence(s.GetTimeStep() / unit, r.GetTimeStep() / unit);
        const auto lambda = FiboSequence::GetLambda(1, r.ToDouble(Time::US) / s.ToDouble(Time::US));
        for (uint64_t population = 1; population <= most;)
        {
            const auto step = sequence.GetSteps(population);
            population = sequence.GetPopulation(step);
            os << Microseconds(costs.s) << ',' << Microseconds(r) << ','
               << CsvFile::Fixed(lambda, LAMBDA_DECIMALS) << ',' << Microseconds(Time(step * unit))
               << ',' << population << '\n';
            ++population;
        }
    }
}

TreeMeasurement::TreeMeasurement(const StudyHosts& hosts, const MessageCost& cost)
    : m_hosts(hosts),
      m_cost(cost)
{
}

std::vector<Time>
TreeMeasurement::Run(const std::string& tree, uint32_t processes) const
{
    return RunRounds(tree, processes, 1).front();
}

std::vector<std::vector<Time>>
TreeMeasurement::RunRounds(const std::string& tree, uint32_t processes, uint32_t rounds) const
{
    // On a fabric, the broadcast would make a Fibo-tree for the way to some host.
    auto name = tree;
    if (tree == "fibo" || IsTreeOfLevels(tree))
    {
        const auto s = m_cost.Busy().GetTimeStep();
        const auto r = m_cost.r.GetTimeStep();
        const auto unit = std::gcd(s, r);
        name = "fibo-" + std::to_string(s / unit) + "-" + std::to_string(r / unit);
    }
    StudyHosts::Task task;
    task.s = m_cost.s;
    task.r = m_cost.r;
    task.c = m_cost.c;
    task.rounds = rounds;
    task.hasPauses = true;
    return Run(name, ProcessHierarchy(processes, {m_cost}), task);
}

std::vector<Time>
TreeMeasurement::Run(const std::string& tree, const ProcessHierarchy& hierarchy) const
{
    StudyHosts::Task task;
    task.levels = std::make_shared<ProcessHierarchy>(hierarchy);
    return Run(tree, hierarchy, task).front();
}

std::vector<std::vector<Time>>
TreeMeasurement::Run(const std::string& tree,
                     const ProcessHierarchy& levels,
                     StudyHosts::Task task) const
{
    auto broadcast = CollectiveHelper::MakeBroadcast("tree[Tree=" + tree + "]");
    broadcast->SetAttribute("Root", IntegerValue(0));
    task.hosts.resize(levels.GetSize());
    std::iota(task.hosts.begin(), task.hosts.end(), 0);
    auto rounds = m_hosts.Run(broadcast, task);

    // Members leave when they have sent to their children.
    const auto shape = MakeCommunicationTree(tree, levels);
    for (auto& times : rounds)
    {
        for (uint32_t process = 0; process < levels.GetSize(); ++process)
        {
            for (const auto child : shape.GetChildren(process))
            {
                times[process] -= levels.GetCost(process, child).Busy();
            }
        }
    }
    return rounds;
}

} // namespace ns3
