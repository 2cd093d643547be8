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
#include "ns3/fibo-tree.h"
#include "ns3/integer.h"
#include "ns3/sample-summary.h"
#include "ns3/study-fabric.h"
#include "ns3/study-sweep.h"
#include "ns3/tree-cost.h"
#include "ns3/tree-shapes.h"
#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-traffic-options.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <regex>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr int TIME_DECIMALS = 3; ///< ns where the unit is us

/// Costs that Cordsen et al. (1997) give: s and r, us.
const std::vector<std::pair<std::string, std::vector<std::pair<int64_t, int64_t>>>> PRESETS{
    {"manna", {{27, 88}}},
    {"figure-4", {{20, 4}, {20, 30}, {20, 60}, {20, 100}}},
    {"steps", {{1, 3}}}};

/// @return a time in us, for CSV
std::string
Microseconds(Time time)
{
    return CsvFile::Fixed(time.ToDouble(Time::US), TIME_DECIMALS);
}

/// @return the last of some times, us
double
GetLast(const std::vector<Time>& times)
{
    return std::max_element(times.begin(), times.end())->ToDouble(Time::US);
}

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
    for (const auto& [name, us] : PRESETS)
    {
        names.push_back(name);
    }
    return names;
}

std::vector<TreeStudy::Costs>
TreeStudy::GetPreset(const std::string& name)
{
    const auto found = std::find_if(PRESETS.begin(), PRESETS.end(), [&](const auto& preset) {
        return preset.first == name;
    });
    StudyCheck::RefuseIf(found == PRESETS.end(),
                         "there are no costs '" + name + "': expected manna, figure-4, steps");
    std::vector<Costs> costs;
    for (const auto& [s, r] : found->second)
    {
        costs.push_back({MicroSeconds(s), MicroSeconds(r), Time(0)});
    }
    return costs;
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
    StudyCheck::RefuseIf(
        onFabric.GetTraffic().IsThere() && networks != std::vector<std::string>{"fabric"},
        "trees beside traffic on an ideal network, which has none; expected the network fabric");
    StudyCheck::RefuseIf(
        rounds == 0 || costs.empty() || processes.empty() || trees.empty() || networks.empty(),
        "study of trees without costs, numbers of processes, trees, networks or rounds: expected "
        "one of each at least");
    CheckTrees(trees, costs);
    levels.MakeHierarchy(1, costs.front());
    if (std::find(networks.begin(), networks.end(), "fabric") != networks.end())
    {
        const auto least =
            std::min_element(costs.begin(), costs.end(), [](auto a, auto b) { return a.r < b.r; });
        StudyCheck::RefuseIf(!levels.groupSizes.empty(),
                             "levels '" + levels.text +
                                 "' on a fabric, which has its own: expected the network ideal");
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
    const auto& p = m_parameters;
    const StudyHosts ideal;
    TreeStudyRow common;
    common.SetTraffic(p.onFabric.GetTraffic());
    common.levels = p.levels.text;
    const auto rows = StudySweep(common)
                          .Over(&TreeStudyRow::network, p.networks)
                          .Over(&TreeStudyRow::processes, p.processes)
                          .Over(&TreeStudyRow::tree, p.trees)
                          .GetRows();
    std::vector<Result> results;
    for (const auto& costs : p.costs)
    {
        for (auto row : rows)
        {
            row.sUs = costs.s.ToDouble(Time::US);
            row.rUs = costs.r.ToDouble(Time::US);
            row.cUs = costs.c.ToDouble(Time::US);
            const auto hierarchy = p.levels.MakeHierarchy(row.processes, costs);
            row.boundUsModel = GetHierarchyBound(hierarchy).ToDouble(Time::US);
            const auto model =
                TreeCost(hierarchy).GetArrivals(MakeCommunicationTree(row.tree, hierarchy));
            row.finishUsModel = GetLast(model);
            const auto simulated = MeasureTree(row.network == "ideal" ? ideal : p.onFabric,
                                               row.tree,
                                               hierarchy,
                                               row.load > 0 ? p.rounds : 1);
            SampleSummary finishes;
            for (const auto& times : simulated)
            {
                finishes.Add(GetLast(times));
            }
            row.finishUsSimulated = finishes.GetMean();
            row.finishUs99 = finishes.GetPercentile99();
            results.push_back({row, model, GetMeans(simulated)});
            if (progress)
            {
                progress(static_cast<uint32_t>(results.size()),
                         static_cast<uint32_t>(p.costs.size() * rows.size()));
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
        for (const auto& time : result.model)
        {
            ++counts[time].first;
        }
        for (const auto& time : result.simulated)
        {
            ++counts[time].second;
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

std::vector<std::vector<Time>>
MeasureTree(const StudyHosts& hosts,
            const std::string& tree,
            const ProcessHierarchy& levels,
            uint32_t rounds)
{
    auto name = tree;
    StudyHosts::Task task;
    if (levels.GetNLevels() > 1)
    {
        task.levels = std::make_shared<ProcessHierarchy>(levels);
    }
    else
    {
        const auto& cost = levels.GetCost(1);
        task.s = cost.s;
        task.r = cost.r;
        task.c = cost.c;
        task.rounds = rounds;
        task.hasPauses = true;
        // On a fabric, the broadcast would make a Fibo-tree for the way to some host.
        if (tree == "fibo" || IsTreeOfLevels(tree))
        {
            const auto s = cost.Busy().GetTimeStep();
            const auto r = cost.r.GetTimeStep();
            const auto unit = std::gcd(s, r);
            name = "fibo-" + std::to_string(s / unit) + "-" + std::to_string(r / unit);
        }
    }
    auto broadcast = CollectiveHelper::MakeBroadcast("tree[Tree=" + name + "]");
    broadcast->SetAttribute("Root", IntegerValue(0));
    task.hosts.resize(levels.GetSize());
    std::iota(task.hosts.begin(), task.hosts.end(), 0);
    auto leaves = hosts.Run(broadcast, task);

    // Members leave when they have sent to their children.
    const auto shape = MakeCommunicationTree(name, levels);
    for (auto& times : leaves)
    {
        for (uint32_t process = 0; process < levels.GetSize(); ++process)
        {
            for (const auto child : shape.GetChildren(process))
            {
                times[process] -= levels.GetCost(process, child).Busy();
            }
        }
    }
    return leaves;
}

namespace
{

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

bool
HasCosts(const PublishedTree& figure, const TreeStudyRow& row)
{
    constexpr double SAME = 5e-4; // half of what CSV can tell
    return std::abs(figure.sUs - row.sUs) < SAME && std::abs(figure.rUs - row.rUs) < SAME &&
           row.cUs == 0 && row.levels.empty();
}

/// @return title of a row's panel, which has the rows of its network and costs
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

class TreeStudyDefinition : public RowStudyDefinition<TreeStudyRow>
{
  public:
    TreeStudyDefinition()
        : RowStudyDefinition({"fibo-tree",
                              "trees",
                              "Measures how long trees of processes take to spread a message.",
                              USAGE,
                              "a row for each s and r, network, number of processes and tree"})
    {
        auto& p = m_parameters;
        Add("s=27us: Times that a message keeps its sender busy; one goes with all r", m_s);
        Add("r=88us,4us: Times from then until the receiver is active; one goes with all s", m_r);
        Add("c=10us (0us): How long a message keeps both its sender and its receiver busy, after s "
            "and before r",
            m_c)
            .attribute = "ns3::HostSoftware::TransferTime";
        Add("levels=8:2us:2us,64:27us:88us: Levels below that of s and r, on an ideal network, as "
            "SIZE:S:R: groups of SIZE consecutive processes, within which messages have s = S and "
            "r = R",
            m_levels);
        Add("preset=manna (manna): Published s and r, in place of s and r", m_preset)
            .OneOf(TreeStudy::GetPresets());
        Add("processes=2,19,64 (2,4,8,16,19,32,64): Numbers of processes", p.processes)
            .Range(1, 1000000);
        Add("trees=binary,fibo (sequential,binary,binomial,kary-8,fibo): Trees: sequential, chain, "
            "binary, kary-K, binomial, fibo, fibo-S-R, fibo-levels or fibo-composed",
            p.trees);
        Add("network=ideal,fabric (ideal): Networks to simulate", p.networks)
            .OneOf({"ideal", "fabric"});
        AddOwnAttributes("HostSoftware::StartUp HostSoftware::ReceiveOverhead "
                         "HostSoftware::FlagTime HostSoftware::RegistrationTime "
                         "HostSoftware::InterfaceSendTime HostSoftware::InterfaceReceiveTime");
        AddHosts("clos:ports=16,levels=2");
        AddTraffic(&p.rounds);
        AddBy<std::string>(
            "arrivals=FILE: Where a CSV goes with how many processes are active when",
            [this](const std::string& file) { m_arrivals = std::make_unique<AtomicFile>(file); })
            .File()
            .use = StudyParameter::PROGRAM;
        AddBy<std::string>(
            "speed=FILE: Where a CSV goes with how many could be, and its growth lambda",
            [this](const std::string& file) { m_speed = std::make_unique<AtomicFile>(file); })
            .File()
            .use = StudyParameter::PROGRAM;
        AddPublished(m_published);
        AddExclusion("preset", {"s", "r"});
    }

    void Measure(const Progress& progress) override
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

    std::vector<StudyPlot> MakePlots() const override
    {
        return MakeTreePlots(m_rows, m_published);
    }

  protected:
    void Validate(const OptionValues& values) override
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

    void CheckTogether(const OptionValues& values) const override
    {
        // In Python there is one file at most, the table's, and that is not written here.
        if (!values.Find("csv").empty())
        {
            values.RefuseSameFile({"csv", "arrivals", "speed"});
        }
    }

  private:
    TreeStudy::Levels GetLevels(const OptionValues& values) const
    {
        static const std::regex LEVEL("([1-9][0-9]{0,6}):([^:]+):([^:]+)");
        TreeStudy::Levels levels;
        for (const auto& text : m_levels)
        {
            std::smatch parts;
            if (!std::regex_match(text, parts, LEVEL))
            {
                values.Refuse("levels",
                              "'" + text + "'; expected such as 8:2us:3us: processes, s, r");
            }
            values.Check("levels", [&] {
                levels.groupSizes.push_back(static_cast<uint32_t>(std::stoul(parts[1])));
                levels.costs.push_back(
                    {ExactTime::Parse(parts[2]), ExactTime::Parse(parts[3]), m_c});
            });
            levels.text += (levels.text.empty() ? "" : "+") + text;
        }
        values.Check("levels", [&] { levels.MakeHierarchy(1, {Time(1), Time(0)}); });
        return levels;
    }

    std::vector<TreeStudy::Costs> GetCosts(const OptionValues& values) const
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
                          std::to_string(m_r.size()) + " values, but " + values.Show("s") +
                              " has " + std::to_string(m_s.size()) + "; expected 1 or as many");
        }
        std::vector<TreeStudy::Costs> costs;
        for (std::size_t i = 0; i < n; ++i)
        {
            costs.push_back({m_s[m_s.size() == 1 ? 0 : i], m_r[m_r.size() == 1 ? 0 : i], m_c});
        }
        return costs;
    }

    TreeStudy::Parameters m_parameters;     ///< what is asked of the study
    std::string m_preset;                   ///< published costs
    std::vector<Time> m_s;                  ///< how long a message keeps its sender busy
    std::vector<Time> m_r;                  ///< from then until the receiver is active
    Time m_c;                               ///< how long a message keeps both busy
    std::vector<std::string> m_levels;      ///< levels within, as SIZE:S:R
    std::unique_ptr<AtomicFile> m_arrivals; ///< how many processes are active when; may be null
    std::unique_ptr<AtomicFile> m_speed;    ///< how many could be; may be null
    std::vector<PublishedTree> m_published; ///< published figures to draw in
};

} // namespace

const CsvTable<TreeStudyRow>&
TreeStudyRow::GetTable()
{
    using Row = TreeStudyRow;
    static const CsvTable<Row> always{
        {"tree: Name of the tree", &Row::tree},
        {"network: Network: ideal or fabric", &Row::network, {"ideal", "fabric"}},
        {"s_us (us): How long a message keeps its sender busy", &Row::sUs},
        {"r_us (us): From then until its receiver is active", &Row::rUs},
        {"processes: Number of processes", &Row::processes},
        {"finish_us_model (us): When the last one is active, by the cost model",
         &Row::finishUsModel},
        {"finish_us_simulated (us): When the last one is active, simulated",
         &Row::finishUsSimulated},
        {"c_us (us): How long a message keeps both ends busy", &Row::cUs},
        {"levels: Levels within, as asked; empty: none", &Row::levels},
        {"bound_us_model (us): Time that no tree is faster than, by the cost model",
         &Row::boundUsModel}};
    static const auto table = TrafficRow::AddTo<Row>(always, {{"finish_us_p99", &Row::finishUs99}});
    return table;
}

std::vector<PublishedTree>
PublishedTree::Read(const std::string& path)
{
    using Row = PublishedTree;
    static const CsvTable<Row> table{{"id"},
                                     {"quantity"},
                                     {"tree", &Row::tree},
                                     {"s_us (us)", &Row::sUs},
                                     {"r_us (us)", &Row::rUs},
                                     {"processes", &Row::processes},
                                     {"time_us"},
                                     {"value (us)", &Row::finishUs},
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
    StudyPlot plot{"finish", "processes", "distribution latency (us)"};
    plot.panels = StudyPlot::MakePanels(
        rows,
        GetPanelTitle,
        &TreeStudyRow::tree,
        [](auto i) {
            return std::string("linespoints lw 2 dt 1 ") + STYLES[i % std::size(STYLES)];
        },
        &TreeStudyRow::processes,
        &TreeStudyRow::finishUsSimulated);
    const auto fabrics = StudyPlot::GroupBy(rows, GetPanelTitle);
    for (std::size_t i = 0; i < fabrics.size(); ++i)
    {
        const auto figures =
            StudyPlot::Where(published, [&of = fabrics[i].second.front()](const auto& figure) {
                return HasCosts(figure, of);
            });
        plot.panels[i].curves.push_back(
            {"paper, measured",
             "points pt 12 lw 2 ps 2.2*unit lc rgb \"black\"",
             StudyPlot::PointsOf(figures, &PublishedTree::processes, &PublishedTree::finishUs)});
    }
    plot.SetGroupSizeAxes();
    return {plot};
}

std::unique_ptr<StudyDefinition>
MakeTreeStudy()
{
    return std::make_unique<TreeStudyDefinition>();
}

} // namespace ns3
