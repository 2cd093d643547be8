// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/communication-tree.h"
#include "ns3/csv-file.h"
#include "ns3/ordering.h"
#include "ns3/sample-summary.h"
#include "ns3/study-hosts.h"
#include "ns3/study-makers.h"
#include "ns3/study-rows.h"
#include "ns3/tree-shapes.h"
#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <regex>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr int TIME_DECIMALS = 3; ///< ns where the unit is us

/// Costs that Cordsen et al. (1997) give: s and r, us.
const std::vector<std::pair<std::string, std::vector<std::pair<int64_t, int64_t>>>> TREE_PRESETS{
    {"manna", {{27, 88}}},
    {"figure-4", {{20, 4}, {20, 30}, {20, 60}, {20, 100}}},
    {"steps", {{1, 3}}}};

std::string
Microseconds(Time time)
{
    return CsvFile::Fixed(time.ToDouble(Time::US), TIME_DECIMALS);
}

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

const std::string TREE_USAGE =
    "Measures how long trees of processes take to spread a message. Each send keeps its sender "
    "busy for s; after a further r, its receiver can send, too. Columns: times by a model, and "
    "simulated times.\n\n"
    "Examples:\n"
    "  fibo-tree\n"
    "      s and r of the machine of Cordsen et al. (1997); CSV to standard output\n"
    "  fibo-tree --s=27us --r=88us --processes=2,19,64 "
    "--trees=sequential,binary,binomial,kary-8,fibo --network=ideal --csv=trees.csv\n"
    "  fibo-tree --preset=figure-4 --plots=plots\n"
    "      four ratios of r and s, as in Figure 4, with plots\n"
    "  fibo-tree --s=5us --r=9us --network=ideal,fabric --topology=torus:8x8,hosts=2\n"
    "      your own hosts and fabric\n"
    "  fibo-tree --network=fabric --topology=torus:8x8,hosts=2 --load=0.1 --rounds=100\n"
    "      with other traffic, and 99th percentiles of when the last process is active\n"
    "  fibo-tree --s=27us --r=176us --levels=8:2us:2us,64:27us:88us --processes=64,512 "
    "--trees=fibo,fibo-composed,fibo-levels\n"
    "      nodes of 8 processes, switches of 8 nodes\n\n"
    "Trees: sequential (the root sends to all), chain, binary, kary-K (K children each), binomial, "
    "fibo (the fastest for these s and r), fibo-S-R (the fastest for the ratio S : R), fibo-levels "
    "(for all levels as a whole), fibo-composed (a Fibo-tree for each level).\n\n"
    "Networks: ideal, without any delay of its own; fabric, where r holds between two hosts of one "
    "switch, and longer paths and waiting for other messages add to r.\n\n"
    "Presets: manna (s 27 us, r 88 us), figure-4 (s 20 us, r 4, 30, 60 and 100 us), steps (s 1 us, "
    "r 3 us).";

bool
HasCosts(const CsvRow& figure, const CsvRow& row)
{
    constexpr double SAME = 5e-4; // half of what CSV can tell
    return std::abs(figure["s_us"] - row["s_us"]) < SAME &&
           std::abs(figure["r_us"] - row["r_us"]) < SAME && row["c_us"] == 0 &&
           row["levels"].Text().empty();
}

/// @return title of a row's panel, which has the rows of its network and costs
std::string
GetPanelTitle(const CsvRow& row)
{
    std::ostringstream title;
    title << (row["network"].Text() == "ideal" ? "ideal network" : "on the fabric")
          << ", s = " << row["s_us"] << " us, r = " << row["r_us"] << " us";
    if (row["c_us"] > 0)
    {
        title << ", c = " << row["c_us"] << " us";
    }
    if (!row["levels"].Text().empty())
    {
        title << ", levels " << row["levels"].Text();
    }
    return title.str();
}

CsvTable
MakeTreeTable()
{
    using Is = CsvColumn;
    return PlacementColumns::AddTo(TrafficColumns::AddTo(
        {{"tree: Name of the tree"},
         {"network: Network: ideal or fabric", {"ideal", "fabric"}},
         {"s_us (us): How long a message keeps its sender busy", Is::NUMBER},
         {"r_us (us): Time from when the sender is free until the receiver is active", Is::NUMBER},
         {"processes: Number of processes", Is::WHOLE},
         {"finish_us_model (us): When the last process is active, by the cost model", Is::NUMBER},
         {"finish_us_simulated (us): When the last process is active, simulated", Is::NUMBER},
         {"c_us (us): How long a message keeps both ends busy", Is::NUMBER},
         {"levels: Inner levels of the hierarchy, as given; empty: none"},
         {"bound_us_model (us): Lower bound on the time of any tree, by the cost model",
          Is::NUMBER}},
        {"finish_us_p99"}));
}

/// Draws when trees are done, over the number of processes; a panel for each network and costs.
/// What is shown is simulated; on an ideal network that is what the model gives. A tree has one
/// colour in all panels.
std::vector<StudyPlot>
MakeTreePlots(const StudyPlot::Rows& all, const StudyPlot::Rows& published)
{
    // One process takes no time, and has no place on log axes.
    const auto rows = StudyPlot::Where(all, [](const auto& row) { return row["processes"] > 1; });
    StudyPlot plot{"finish", "processes", "distribution latency (us)"};
    plot.AddLines(rows, GetPanelTitle, "tree", "processes", {{"finish_us_simulated"}});
    plot.AddPublished(published, rows, GetPanelTitle, HasCosts, "processes", [](const auto&) {
        return "paper, measured";
    });
    plot.SetGroupSizeAxes();
    return {plot};
}

using Costs = MessageCost;

/// What is known of one tree besides its row: when processes are active.
struct TreeArrivals
{
    CsvRow row;
    std::vector<Time> model;
    std::vector<Time> simulated; // means beside traffic
};

/// Writes how many processes become active when, as CSV: a row for each time at which some do.
void
WriteArrivals(std::ostream& os, const std::vector<TreeArrivals>& trees)
{
    os << "tree,network,s_us,r_us,processes,time_us,arrivals_model,arrivals_simulated\n";
    for (const auto& tree : trees)
    {
        std::map<Time, std::pair<uint32_t, uint32_t>> counts;
        for (const auto& time : tree.model)
        {
            ++counts[time].first;
        }
        for (const auto& time : tree.simulated)
        {
            ++counts[time].second;
        }
        for (const auto& [time, count] : counts)
        {
            for (const auto column : {"tree", "network", "s_us", "r_us", "processes"})
            {
                os << tree.row.GetText(column) << ',';
            }
            os << Microseconds(time) << ',' << count.first << ',' << count.second << '\n';
        }
    }
}

/// How long trees take to spread a message: the comparison of Cordsen et al. (1997), by the cost
/// model and simulated.
class TreeStudy : public StudyDefinition
{
  public:
    TreeStudy()
        : StudyDefinition({"fibo-tree",
                           "trees",
                           "Measures how long trees of processes take to spread a message.",
                           TREE_USAGE,
                           "a row for each s and r, network, number of processes and tree"},
                          MakeTreeTable(),
                          MakeTreePlots)
    {
        const Words presets = KeysOf(TREE_PRESETS);
        Add({"s=27us [list time]: Times for which a message keeps its sender busy: one for "
             "each r, or one for all",
             "r=88us,4us [list time]: Times from when the sender is free until the receiver is "
             "active: one for each s, or one for all",
             "c=10us (0us) [time] ns3::HostSoftware::TransferTime: How long a message keeps both "
             "its sender and its receiver busy, after s and before r",
             "levels=8:2us:2us,64:27us:88us [list]: Inner levels of a hierarchy, on an ideal "
             "network: with SIZE:S:R, messages within groups of SIZE consecutive processes have "
             "the costs S and R in place of s and r",
             {"preset=manna (manna): Published values, in place of the options s and r", presets},
             "processes=2,19,64 (2,4,8,16,19,32,64) [list 1..1000000 alias groupSizes]: Numbers of "
             "processes",
             "trees=binary,fibo (sequential,binary,binomial,kary-8,fibo) [list]: Trees: "
             "sequential, chain, binary, kary-K, binomial, fibo, fibo-S-R, fibo-levels or "
             "fibo-composed",
             {"network=ideal,fabric (ideal) [list]: Networks to simulate", {"ideal", "fabric"}}});
        AddOwnAttributes("HostSoftware::StartUp HostSoftware::ReceiveOverhead "
                         "HostSoftware::FlagTime HostSoftware::RegistrationTime "
                         "HostSoftware::InterfaceSendTime HostSoftware::InterfaceReceiveTime");
        AddHosts("clos:ports=16,levels=2");
        AddTraffic(true);
        AddPlacement("first",
                     1,
                     {"tree", "network", "s_us", "r_us", "processes"},
                     "finish_us_simulated");
        Add({"arrivals=FILE [file program]: CSV output file: how many processes of each tree "
             "become active at which time",
             "speed=FILE [file program]: CSV output file: the greatest number of processes that "
             "any tree makes active by each time, by the model, and its growth rate lambda"});
        AddPublished({"id,quantity,tree,s_us,r_us,processes,time_us,value,unit,source,where,"
                      "reproducible,why",
                      {{"quantity", {"finish"}}, {"source", {"measured"}}},
                      "us"});
        AddExclusion("preset", {"s", "r"});
        AddRefusal([](const OptionValues& values) {
            // In Python there is one file at most, the table's, and that is not written here.
            if (!values.Find("csv").empty())
            {
                values.RefuseSameFile({"csv", "arrivals", "speed"});
            }
        });
    }

    void Measure(const ProgressListener& progress) override
    {
        if (m_speed)
        {
            WriteSpeed(m_speed->Get());
            m_speed->Finish();
        }
        m_trees.clear();
        StudyDefinition::Measure(progress);
        if (m_arrivals)
        {
            WriteArrivals(m_arrivals->Get(), m_trees);
            m_arrivals->Finish();
        }
    }

  protected:
    void Validate(const OptionValues& values) override
    {
        for (const auto& [name, file] :
             {std::make_pair("arrivals", &m_arrivals), std::make_pair("speed", &m_speed)})
        {
            if (values.Has(name))
            {
                *file = std::make_unique<AtomicFile>(values.Get(name));
            }
        }
        m_costs = GetCosts(values);
        ReadLevels(values);
        values.Check("trees", [&] { CheckTrees(); });
        const auto& networks = Get<Words>("network");
        const auto isOnFabric = IsIn(networks, "fabric");
        for (const auto name : {"fabric",
                                "topology",
                                "routing",
                                "linkDelay",
                                "switchDelay",
                                "placement",
                                "placements"})
        {
            if (values.Has(name) && !isOnFabric)
            {
                values.RefuseAlone(name, "network", "fabric");
            }
        }
        if (networks.size() > 1 || !isOnFabric)
        {
            TrafficOptions::RefuseIdeal(values, values.Show("network", "fabric"));
        }
        if (!isOnFabric)
        {
            return;
        }
        if (!Get<Words>("levels").empty())
        {
            values.RefuseAlone("levels", "network", "ideal");
        }
        m_onFabric = StudyHosts::Read(values);
        m_onFabric.SetTraffic(TrafficOptions::Read(values, &m_onFabric.GetTopology()->graph));
        values.Check("processes", [&] { m_onFabric.CheckNumber(GetMostProcesses()); });
        ReadPlacement(values,
                      m_onFabric.GetTopology()->graph,
                      {values.Get("placement"), GetMostProcesses()});
        values.Check(values.Has("r") ? "r" : "preset", [&] {
            for (const auto& costs : m_costs)
            {
                m_onFabric.CheckReceiving(costs.r);
            }
        });
    }

    Rows ListRows() override
    {
        CsvRow common(m_table);
        TrafficColumns::Set(common, m_onFabric.GetTraffic());
        common["levels"] = boost::algorithm::join(Get<Words>("levels"), "+");
        return JoinedOf(m_costs, [&](const auto& costs) {
            common["s_us"] = costs.s.ToDouble(Time::US);
            common["r_us"] = costs.r.ToDouble(Time::US);
            common["c_us"] = costs.c.ToDouble(Time::US);
            return StudySweep(common)
                .Over("network", Get<Words>("network"))
                .Over("processes", Get<Wholes>("processes"))
                .Over("tree", Get<Words>("trees"))
                .Over("placement", GetPlacements())
                .GetRows();
        });
    }

    CsvRow MeasureRow(CsvRow row, std::size_t number) override
    {
        const auto ofCosts = Get<Words>("network").size() * Get<Wholes>("processes").size() *
                             Get<Words>("trees").size() * GetPlacements().size();
        const auto& tree = row["tree"].Text();
        const auto levels = MakeHierarchy(row["processes"].Whole(), m_costs[number / ofCosts]);
        row["bound_us_model"] = GetHierarchyBound(levels).ToDouble(Time::US);
        const auto model = TreeCost(levels).GetArrivals(MakeCommunicationTree(tree, levels));
        row["finish_us_model"] = GetLast(model);
        auto hosts = row["network"].Text() == "ideal" ? StudyHosts() : m_onFabric;
        if (row["network"].Text() == "fabric")
        {
            const auto& graph = m_onFabric.GetTopology()->graph;
            hosts.SetPlaces(PlaceMembers(graph, row, row["processes"].Whole()));
        }
        const auto simulated =
            hosts.SpreadByTree(tree, levels, row["load"] > 0 ? Get<uint32_t>("rounds") : 1);
        SampleSummary finishes;
        for (const auto& times : simulated)
        {
            finishes.Add(GetLast(times));
        }
        row["finish_us_simulated"] = finishes.GetMean();
        row["finish_us_p99"] = finishes.GetPercentile99();
        m_trees.push_back({row, model, GetMeans(simulated)});
        return row;
    }

  private:
    uint32_t GetMostProcesses() const
    {
        const auto& processes = Get<Wholes>("processes");
        return *std::max_element(processes.begin(), processes.end());
    }

    /// Writes how fast any tree can be, as CSV: lambda, for one s, and FiboSequence's f at all
    /// times at which it grows, up to the greatest number of processes asked for.
    void WriteSpeed(std::ostream& os) const
    {
        constexpr int LAMBDA_DECIMALS = 5;
        os << "s_us,r_us,lambda,time_us,processes\n";
        const auto most = GetMostProcesses();
        for (const auto& costs : m_costs)
        {
            const auto s = costs.Busy();
            const auto r = costs.r;
            const auto unit = std::gcd(s.GetTimeStep(), r.GetTimeStep());
            FiboSequence sequence(s.GetTimeStep() / unit, r.GetTimeStep() / unit);
            const auto lambda =
                FiboSequence::GetLambda(1, r.ToDouble(Time::US) / s.ToDouble(Time::US));
            for (uint64_t population = 1; population <= most;)
            {
                const auto step = sequence.GetSteps(population);
                population = sequence.GetPopulation(step);
                os << Microseconds(costs.s) << ',' << Microseconds(r) << ','
                   << CsvFile::Fixed(lambda, LAMBDA_DECIMALS) << ','
                   << Microseconds(Time(step * unit)) << ',' << population << '\n';
                ++population;
            }
        }
    }

    void CheckTrees() const
    {
        for (const auto& tree : Get<Words>("trees"))
        {
            for (const auto& [s, r, c] : m_costs)
            {
                TreeCost(s, r, 1, c).GetFinish(MakeCommunicationTree(tree, 1, s + c, r));
            }
        }
    }

    /// @return processes in groups @param top costs between the largest groups
    ProcessHierarchy MakeHierarchy(uint32_t processes, const Costs& top) const
    {
        auto all = m_levelCosts;
        all.push_back(top);
        return ProcessHierarchy::Regular(processes, m_groupSizes, all);
    }

    void ReadLevels(const OptionValues& values)
    {
        static const std::regex LEVEL("([1-9][0-9]{0,6}):([^:]+):([^:]+)");
        for (const auto& text : Get<Words>("levels"))
        {
            std::smatch parts;
            if (!std::regex_match(text, parts, LEVEL))
            {
                values.Refuse("levels",
                              "'" + text + "'; expected processes:s:r, such as 8:2us:3us");
            }
            values.Check("levels", [&] {
                m_groupSizes.push_back(static_cast<uint32_t>(std::stoul(parts[1])));
                m_levelCosts.push_back(
                    {ExactTime::Parse(parts[2]), ExactTime::Parse(parts[3]), Get<Time>("c")});
            });
        }
        values.Check("levels", [&] { MakeHierarchy(1, {Time(1), Time(0)}); });
    }

    std::vector<Costs> GetCosts(const OptionValues& values) const
    {
        const auto c = Get<Time>("c");
        const auto& allS = Get<Times>("s");
        const auto& allR = Get<Times>("r");
        if (!values.Has("s") && !values.Has("r"))
        {
            const auto found = FindIn(TREE_PRESETS, [&](const auto& each) {
                return each.first == Get<std::string>("preset");
            });
            return MadeOf(found->second, [c](const auto& each) {
                return Costs{MicroSeconds(each.first), MicroSeconds(each.second), c};
            });
        }
        if (allS.empty() || allR.empty())
        {
            values.RefuseAlone(allS.empty() ? "r" : "s", allS.empty() ? "s" : "r");
        }
        const auto n = std::max(allS.size(), allR.size());
        if ((allS.size() != 1 && allS.size() != n) || (allR.size() != 1 && allR.size() != n))
        {
            values.Refuse("r",
                          std::to_string(allR.size()) + " values, but " + values.Show("s") +
                              " has " + std::to_string(allS.size()) + "; expected 1 or as many");
        }
        return MadeOfNumbers(n, [&](uint32_t i) {
            return Costs{allS[allS.size() == 1 ? 0 : i], allR[allR.size() == 1 ? 0 : i], c};
        });
    }

    std::vector<Costs> m_costs;             // each is a comparison of its own
    StudyHosts m_onFabric;                  // hosts of the fabric, where it is asked for
    std::vector<uint32_t> m_groupSizes;     // processes in a group, the smallest groups first
    std::vector<Costs> m_levelCosts;        // what a message within a group costs, by level
    std::vector<TreeArrivals> m_trees;      // what was found
    std::unique_ptr<AtomicFile> m_arrivals; // how many processes are active when; may be null
    std::unique_ptr<AtomicFile> m_speed;    // how many could be; may be null
};

} // namespace

std::unique_ptr<StudyDefinition>
MakeTreeStudy()
{
    return std::make_unique<TreeStudy>();
}

} // namespace ns3
