/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-study-form.h"

#include "tree-plots.h"

#include "ns3/exact-time.h"
#include "ns3/traffic-options.h"

#include <algorithm>
#include <regex>

namespace ns3
{

namespace
{

/// What --help says of the program.
const std::string USAGE =
    "Measures how long trees of processes take to spread a message: a sender is busy s with "
    "each, in turn, and a receiver is active r after its message is sent. Columns: by the "
    "model, simulated.\n"
    "\n"
    "Examples:\n"
    "  fibo-tree\n"
    "      s and r of the machine of Cordsen et al. (1997); CSV to standard output\n"
    "  fibo-tree --s=27us --r=88us --processes=2,19,64 "
    "--trees=sequential,binary,binomial,kary-8,fibo --network=ideal --csv=trees.csv\n"
    "  fibo-tree --preset=figure-4 --plots=plots\n"
    "      four ratios of r and s, as in Figure 4, with plots\n"
    "  fibo-tree --s=5us --r=9us --network=ideal,fabric --topology=torus:8x8,hosts=2\n"
    "      one's own hosts and fabric\n"
    "  fibo-tree --network=fabric --topology=torus:8x8,hosts=2 --load=0.1 --rounds=100\n"
    "      beside other traffic, with when the last one is active in 99 % of the rounds\n"
    "  fibo-tree --s=27us --r=176us --levels=8:2us:2us,64:27us:88us --processes=64,512 "
    "--trees=fibo,fibo-composed,fibo-levels\n"
    "      nodes of 8 processes, switches of 8 nodes\n"
    "\n"
    "Trees: sequential (the root sends all), chain, binary, kary-K (K children each), "
    "binomial, fibo (the fastest for these s and r), fibo-S-R (the fastest for the ratio S : "
    "R), fibo-levels (for all levels as a whole), fibo-composed (a Fibo-tree for each level).\n"
    "\n"
    "Networks: ideal, without any delay of its own; fabric, where r is what it takes between "
    "two hosts of one switch, and longer ways and worms that wait for each other come on "
    "top.\n"
    "\n"
    "Presets: manna (27 us, 88 us), figure-4 (20 us; 4, 30, 60, 100 us), steps (1 us, 3 us).";

} // namespace

TreeStudyForm::TreeStudyForm()
    : RowStudyForm({"fibo-tree",
                    "trees",
                    "Measures how long trees of processes take to spread a message.",
                    USAGE,
                    "a row for each s and r, network, number of processes and tree"})
{
    auto& p = m_parameters;
    AddTimes(
        {"s", "27us", "", "Times that a message keeps its sender busy; one goes with all r", ""},
        Into(m_s));
    AddTimes({"r",
              "88us,4us",
              "",
              "Times from then until the receiver is active; one goes with all s",
              ""},
             Into(m_r));
    AddTime({"c",
             "10us",
             "",
             "How long a message keeps both its sender and its receiver busy, after s and before r",
             "0us"},
            Into(m_c))
        .attribute = "ns3::HostSoftware::TransferTime";
    AddTexts({"levels",
              "8:2us:2us,64:27us:88us",
              "",
              "Levels below that of s and r, on an ideal network, as SIZE:S:R: groups of SIZE "
              "consecutive processes, within which messages have s = S and r = R",
              ""},
             Into(m_levels));
    AddWord({"preset", "manna", "", "Published s and r, in place of s and r", "manna"},
            TreeStudy::GetPresets(),
            Into(m_preset));
    AddWholes({"processes", "2,19,64", "", "Numbers of processes", "2,4,8,16,19,32,64"},
              1,
              1000000,
              Into(p.processes));
    AddTexts({"trees",
              "binary,fibo",
              "",
              "Trees: sequential, chain, binary, kary-K, binomial, fibo, fibo-S-R, fibo-levels or "
              "fibo-composed",
              "sequential,binary,binomial,kary-8,fibo"},
             Into(p.trees));
    AddWords({"network", "ideal,fabric", "", "Networks to simulate", "ideal"},
             {"ideal", "fabric"},
             Into(p.networks));
    AddOwnAttributes({"HostSoftware::StartUp",
                      "HostSoftware::ReceiveOverhead",
                      "HostSoftware::FlagTime",
                      "HostSoftware::RegistrationTime",
                      "HostSoftware::InterfaceSendTime",
                      "HostSoftware::InterfaceReceiveTime"});
    AddHosts("clos:ports=16,levels=2");
    AddTraffic(&p.rounds);
    AddFile(
        {"arrivals", "FILE", "", "Where a CSV goes with how many processes are active when", ""},
        [this](const std::string& file) { m_arrivals = std::make_unique<WholeFile>(file); })
        .use = StudyParameter::PROGRAM;
    AddFile(
        {"speed", "FILE", "", "Where a CSV goes with how many could be, and its growth lambda", ""},
        [this](const std::string& file) { m_speed = std::make_unique<WholeFile>(file); })
        .use = StudyParameter::PROGRAM;
    AddFile({"published", "FILE", "", "Published figures to draw in, CSV", ""},
            [this](const std::string& file) { m_published = PublishedTree::Read(file); })
        .use = StudyParameter::PLOT;
}

void
TreeStudyForm::CheckTogether(const OptionValues& values) const
{
    values.RefuseTogether("preset", {"s", "r"});
    // In Python there is one file at most, the table's, and that is not written here.
    if (!values.Find("csv").empty())
    {
        values.RefuseSameFile({"csv", "arrivals", "speed"});
    }
}

std::vector<TreeStudy::Costs>
TreeStudyForm::GetCosts(const OptionValues& values) const
{
    if (!values.Has("s") && !values.Has("r"))
    {
        auto costs = TreeStudy::GetPreset(m_preset);
        for (auto& each : costs)
        {
            each.c = m_c;
        }
        return costs;
    }
    if (m_s.empty() || m_r.empty())
    {
        const auto name = m_s.empty() ? "r" : "s";
        values.RefuseAlone(name, m_s.empty() ? "s" : "r");
    }
    const auto n = std::max(m_s.size(), m_r.size());
    if ((m_s.size() != 1 && m_s.size() != n) || (m_r.size() != 1 && m_r.size() != n))
    {
        values.Refuse("r",
                      std::to_string(m_r.size()) + " values, but " + values.Show("s") + " has " +
                          std::to_string(m_s.size()) + "; accepted are 1 or as many");
    }
    std::vector<TreeStudy::Costs> costs;
    for (std::size_t i = 0; i < n; ++i)
    {
        costs.push_back({m_s[m_s.size() == 1 ? 0 : i], m_r[m_r.size() == 1 ? 0 : i], m_c});
    }
    return costs;
}

TreeStudy::Levels
TreeStudyForm::GetLevels(const OptionValues& values) const
{
    static const std::regex LEVEL("([1-9][0-9]{0,6}):([^:]+):([^:]+)");
    TreeStudy::Levels levels;
    for (const auto& text : m_levels)
    {
        std::smatch parts;
        if (!std::regex_match(text, parts, LEVEL))
        {
            values.Refuse("levels",
                          "'" + text + "'; accepted are such as 8:2us:3us: processes, s, r");
        }
        values.Check("levels", [&] {
            levels.groupSizes.push_back(static_cast<uint32_t>(std::stoul(parts[1])));
            levels.costs.push_back({ExactTime::Parse(parts[2]), ExactTime::Parse(parts[3]), m_c});
        });
        levels.text += (levels.text.empty() ? "" : "+") + text;
    }
    values.Check("levels", [&] { levels.MakeHierarchy(1, {Time(1), Time(0)}); });
    return levels;
}

void
TreeStudyForm::Finish(const OptionValues& values)
{
    auto& p = m_parameters;
    p.costs = GetCosts(values);
    p.levels = GetLevels(values);
    values.Check("trees", [&] { TreeStudy::CheckTrees(p.trees, p.costs); });
    const auto isOnFabric =
        std::find(p.networks.begin(), p.networks.end(), "fabric") != p.networks.end();
    for (const auto name : {"fabric", "topology", "routing", "linkDelay", "switchDelay"})
    {
        if (values.Has(name) && !isOnFabric)
        {
            values.RefuseAlone(name, "network", "fabric");
        }
    }
    if (p.networks.size() > 1 || !isOnFabric)
    {
        TrafficOptions::RefuseIdeal(values, values.Show("network", "fabric"));
    }
    TrafficOptions::RefuseWithout(values, "rounds");
    if (!isOnFabric)
    {
        return;
    }
    if (!m_levels.empty())
    {
        values.RefuseAlone("levels", "network", "ideal");
    }
    p.onFabric = StudyHosts::Read(values);
    p.onFabric.SetTraffic(TrafficOptions::Read(values, &p.onFabric.GetTopology()->graph));
    values.Check("processes", [&] {
        p.onFabric.CheckNumber(*std::max_element(p.processes.begin(), p.processes.end()));
    });
    values.Check(values.Has("r") ? "r" : "preset", [&] {
        for (const auto& costs : p.costs)
        {
            p.onFabric.CheckReceiving(costs.r);
        }
    });
}

void
TreeStudyForm::Measure(const Progress& progress)
{
    const TreeStudy study(m_parameters);
    if (m_speed)
    {
        study.WriteSpeed(m_speed->Get());
        m_speed->Finish();
    }
    const auto results = study.Run(progress);
    if (m_arrivals)
    {
        TreeStudy::WriteArrivals(m_arrivals->Get(), results);
        m_arrivals->Finish();
    }
    for (const auto& result : results)
    {
        m_rows.push_back(result.row);
    }
}

std::vector<std::string>
TreeStudyForm::WritePlots(const std::string& folder, const std::string& prefix) const
{
    return TreePlots(m_rows, m_published).Write(folder, prefix);
}

} // namespace ns3
