/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-study.h"

#include "ns3/csv-file.h"
#include "ns3/csv-table.h"
#include "ns3/exact-time.h"
#include "ns3/study-form.h"
#include "ns3/traffic-columns.h"
#include "ns3/traffic-options.h"
#include "ns3/wormhole-whole-file.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

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

/// Colours that colour-blind eyes can tell apart, too (Okabe and Ito's), and points.
const char* const STYLES[] = {"pt 9 ps 1.3*unit lc rgb \"#e69f00\"",
                              "pt 5 ps 1.1*unit lc rgb \"#009e73\"",
                              "pt 11 ps 1.3*unit lc rgb \"#d55e00\"",
                              "pt 13 ps 1.4*unit lc rgb \"#cc79a7\"",
                              "pt 7 ps 1.3*unit lc rgb \"#0072b2\"",
                              "pt 4 ps 1.3*unit lc rgb \"#56b4e9\"",
                              "pt 6 ps 1.3*unit lc rgb \"#404040\""};

/// @return whether a published figure is of a row's costs @param figure the figure @param row the
/// row
bool
HasCosts(const PublishedTree& figure, const TreeStudyRow& row)
{
    constexpr double SAME = 5e-4; // half of what CSV can tell
    return std::abs(figure.sUs - row.sUs) < SAME && std::abs(figure.rUs - row.rUs) < SAME &&
           row.cUs == 0 && row.levels.empty();
}

/// @return title of a row's panel, which has the rows of its network and costs @param row the row
std::string
GetPanelTitle(const TreeStudyRow& row)
{
    std::ostringstream title;
    title << (row.network == "ideal" ? "ideal network" : "on the fabric") << ", s = " << row.sUs
          << " us, r = " << row.rUs << " us";
    if (row.cUs > 0)
    {
        title << ", c = " << row.cUs << " us";
    }
    if (!row.levels.empty())
    {
        title << ", levels " << row.levels;
    }
    return title.str();
}

/// The study as people ask for it.
class TreeStudyForm : public RowStudyForm<TreeStudyRow>
{
  public:
    TreeStudyForm();

    void Measure(const Progress& progress) override;

    std::vector<StudyPlot> MakePlots() const override
    {
        return MakeTreePlots(m_rows, m_published);
    }

  protected:
    void Finish(const OptionValues& values) override;
    void CheckTogether(const OptionValues& values) const override;

  private:
    /// @return levels within @param values the values
    TreeStudy::Levels GetLevels(const OptionValues& values) const;

    /// @return what sending and receiving cost @param values the values
    std::vector<TreeStudy::Costs> GetCosts(const OptionValues& values) const;

    TreeStudy::Parameters m_parameters;     ///< what is asked of the study
    std::string m_preset;                   ///< published costs
    std::vector<Time> m_s;                  ///< how long a message keeps its sender busy
    std::vector<Time> m_r;                  ///< from then until the receiver is active
    Time m_c;                               ///< how long a message keeps both busy
    std::vector<std::string> m_levels;      ///< levels within, as SIZE:S:R
    std::unique_ptr<WholeFile> m_arrivals;  ///< how many processes are active when; may be null
    std::unique_ptr<WholeFile> m_speed;     ///< how many could be; may be null
    std::vector<PublishedTree> m_published; ///< published figures to draw in
};

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

} // namespace

const CsvTable<TreeStudyRow>&
TreeStudyRow::GetTable()
{
    using Row = TreeStudyRow;
    static const CsvTable<Row> always{
        {"tree", "", "Name of the tree", &Row::tree},
        {"network", "", "Network: ideal or fabric", &Row::network, {"ideal", "fabric"}},
        {"s_us", "us", "How long a message keeps its sender busy", &Row::sUs},
        {"r_us", "us", "From then until its receiver is active", &Row::rUs},
        {"processes", "", "Number of processes", &Row::processes},
        {"finish_us_model",
         "us",
         "When the last one is active, by the cost model",
         &Row::finishUsModel},
        {"finish_us_simulated",
         "us",
         "When the last one is active, simulated",
         &Row::finishUsSimulated},
        {"c_us", "us", "How long a message keeps both ends busy", &Row::cUs},
        {"levels", "", "Levels within, as asked; empty: none", &Row::levels},
        {"bound_us_model",
         "us",
         "Time that no tree is faster than, by the cost model",
         &Row::boundUsModel}};
    static const auto table =
        TrafficColumns<Row>::AddTo(always, {{"finish_us_p99", &Row::finishUs99}});
    return table;
}

std::vector<PublishedTree>
PublishedTree::Read(const std::string& path)
{
    using Row = PublishedTree;
    static const CsvTable<Row> table{{"id"},
                                     {"quantity"},
                                     {"tree", "", "", &Row::tree},
                                     {"s_us", "us", "", &Row::sUs},
                                     {"r_us", "us", "", &Row::rUs},
                                     {"processes", "", "", &Row::processes},
                                     {"time_us"},
                                     {"value", "us", "", &Row::finishUs},
                                     {"unit"},
                                     {"source"},
                                     {"where"},
                                     {"reproducible"},
                                     {"why"}};
    return table.Read(path, [](const CsvFile& file, std::size_t i) {
        const auto isWanted =
            file.Get(i, "quantity") == "finish" && file.Get(i, "source") == "measured";
        if (isWanted && file.Get(i, "unit") != "us")
        {
            file.Refuse(i, "unit", "us");
        }
        return isWanted;
    });
}

std::vector<StudyPlot>
MakeTreePlots(const std::vector<TreeStudyRow>& all, const std::vector<PublishedTree>& published)
{
    // One process takes no time, and has no place on log axes.
    const auto rows = StudyPlot::Where(all, [](const auto& row) { return row.processes > 1; });
    const auto trees = StudyPlot::GroupBy(rows, &TreeStudyRow::tree);
    StudyPlot plot{"finish", "processes", "distribution latency (us)"};
    for (const auto& [title, some] : StudyPlot::GroupBy(rows, GetPanelTitle))
    {
        StudyPlot::Panel panel{title, {}};
        for (std::size_t i = 0; i < trees.size(); ++i)
        {
            const auto& tree = trees[i].first;
            const auto ofTree =
                StudyPlot::Where(some, [&](const auto& row) { return row.tree == tree; });
            panel.curves.push_back(
                {tree,
                 std::string("linespoints lw 2 dt 1 ") + STYLES[i % std::size(STYLES)],
                 StudyPlot::PointsOf(ofTree,
                                     &TreeStudyRow::processes,
                                     &TreeStudyRow::finishUsSimulated)});
        }
        const auto figures = StudyPlot::Where(published, [&of = some.front()](const auto& figure) {
            return HasCosts(figure, of);
        });
        panel.curves.push_back(
            {"paper, measured",
             "points pt 12 lw 2 ps 2.2*unit lc rgb \"black\"",
             StudyPlot::PointsOf(figures, &PublishedTree::processes, &PublishedTree::finishUs)});
        plot.panels.push_back(panel);
    }
    plot.SetGroupSizeAxes();
    return {plot};
}

std::unique_ptr<StudyForm>
MakeTreeStudy()
{
    return std::make_unique<TreeStudyForm>();
}

} // namespace ns3
