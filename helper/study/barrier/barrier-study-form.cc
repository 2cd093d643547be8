/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-study-parameters.h"
#include "barrier-study.h"

#include "ns3/csv-file.h"
#include "ns3/csv-table.h"
#include "ns3/fabric-options.h"
#include "ns3/own-simulation.h"
#include "ns3/study-form.h"
#include "ns3/traffic-columns.h"
#include "ns3/traffic-options.h"
#include "ns3/tree-worm-header.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// What --help says of the program.
const std::string USAGE =
    "Compares barriers in the switches of a wormhole fabric (btin) with barriers by messages "
    "(multicast: n messages to the root and one tree worm; unicast: 2 n messages).\n"
    "\n"
    "Examples:\n"
    "  btin-comparison\n"
    "      75 switches, 256 hosts, connectivity 0.75, 100 random fabrics; CSV to standard "
    "output\n"
    "  btin-comparison --switches=75,300 --hosts=256,1024 --csv=size.csv --plots=plots\n"
    "      two sizes of fabrics, as in Figures 6 and 7 of Moh et al. (2001), with plots\n"
    "  btin-comparison --connectivity=0.7,0.9 --schemes=btin,multicast --groupSizes=64,256\n"
    "      two connectivities, as in Figure 8\n"
    "  btin-comparison --fabric=cluster.json --members=h1,h4,h17\n"
    "      one's own fabric and group\n"
    "  btin-comparison --topology=torus:8x8,hosts=2,routing=up-down --groupSizes=8,32,128\n"
    "      a fabric of a regular family\n"
    "  btin-comparison --schemes=btin,dissemination,tree[Tree=fibo] --startUp=300ns\n"
    "      barriers by software beside those in the switches, on faster hosts\n"
    "  btin-comparison --topology=torus:8x8,hosts=2 --groupSizes=8,32 --runs=10 --load=0.02 "
    "--rounds=100\n"
    "      beside other traffic, with the latency that 99 % of the barriers do not exceed\n"
    "  btin-comparison --fromCsv=a.csv,b.csv --plots=plots "
    "--published=data/btin-published.csv\n"
    "      plots of earlier results, with the paper's figures drawn in\n"
    "\n"
    "Reductions, that is, how the first phase of a barrier by messages is looked at:\n"
    "  simulated       the fabric as it is: messages wait for each other\n"
    "  ideal           every message as if it had the fabric for itself\n"
    "  paper-inferred  n t_r / (f k - p / q) added to the latency of btin: an inference about how "
    "the published figures were made; multicast only, unicast has no such row";

/// Options that draw a fabric.
const std::vector<std::string> DRAWING{"switches", "hosts", "ports", "connectivity", "law"};

/// @return an entry of a list for the fabric at a position
/// @param list one entry, or one for each fabric @param position the position
template <typename T>
T
Entry(const std::vector<T>& list, std::size_t position)
{
    return list.size() == 1 ? list[0] : list[position];
}

/// The study as people ask for it.
class BarrierStudyForm : public RowStudyForm<BarrierStudyRow>
{
  public:
    BarrierStudyForm();

    void Measure(const Progress& progress) override;

    std::vector<StudyPlot> MakePlots() const override
    {
        return MakeBarrierPlots(m_rows, m_published);
    }

  protected:
    void Finish(const OptionValues& values) override;
    void CheckTogether(const OptionValues& values) const override;

  private:
    /// Takes what traffic there is beside barriers. @param values values of the parameters
    void ReadTraffic(const OptionValues& values);

    /// @return the fabrics to draw @param values numbers of them
    std::vector<BarrierStudyParameters::Fabric> GetDrawnFabrics(const OptionValues& values) const;

    BarrierStudyParameters m_parameters;      ///< what is asked of the study
    std::vector<uint32_t> m_switches;         ///< numbers of switches of the fabrics drawn
    std::vector<uint32_t> m_hosts;            ///< numbers of hosts
    std::vector<uint32_t> m_ports;            ///< ports of a switch
    std::vector<double> m_connectivities;     ///< ratios of ports in use
    std::string m_law;                        ///< how cables are drawn
    std::vector<PublishedFigure> m_published; ///< published figures to draw in
};

BarrierStudyForm::BarrierStudyForm()
    : RowStudyForm({"btin-comparison",
                    "barriers",
                    "Compares barriers in the switches of a fabric with barriers by messages.",
                    USAGE,
                    "a row for each fabric, scheme, reduction and group size; latency_us_mean and "
                    "its interval",
                    true})
{
    constexpr uint32_t MANY = 1000000;
    auto& p = m_parameters;
    AddWholes(
        {"switches", "75,300", "", "Numbers of switches, paired with hosts by position", "75"},
        1,
        MANY,
        Into(m_switches));
    AddWholes({"hosts", "256,1024", "", "Numbers of hosts; a single one goes with all", "256"},
              1,
              MANY,
              Into(m_hosts));
    AddWholes({"ports", "8", "", "Ports of each switch", "8"}, 2, 65535, Into(m_ports));
    AddRatios({"connectivity", "0.7,0.9", "", "Ratios of ports in use; paired likewise", "0.75"},
              1,
              Into(m_connectivities));
    AddWord({"law", "recursive", "", "How cables are drawn", "recursive"},
            IrregularTopologyHelper::GetLawNames(),
            Into(m_law));
    AddFabric("drawn ones");
    AddTexts({"members", "h1,h2", "", "Names of the members' hosts; random without it", ""},
             Into(p.members));
    AddWholes(
        {"groupSizes", "2,4,8", "", "Sizes of groups; powers of two and all hosts without it", ""},
        1,
        MANY,
        Into(p.groupSizes));
    AddTexts({"schemes",
              "btin,multicast",
              "",
              "Schemes to compare; besides these any barrier, such as dissemination",
              "btin,multicast,unicast"},
             Into(p.schemes));
    AddWords({"reduction",
              "simulated",
              "",
              "How the first phase of a barrier by messages is modelled",
              "simulated,ideal,paper-inferred"},
             BarrierStudyParameters::GetReductions(),
             Into(p.reductions));
    AddWhole({"runs",
              "100",
              "",
              "Random fabrics and groups; without it 100, or 1 with one fabric and members",
              ""},
             1,
             MANY,
             Into(p.runs));
    AddWhole({"seed", "1", "", "Seed of random numbers", "1"},
             1,
             SeedKeeper::MAX_SEED,
             Into(p.seed));
    AddTime({"startUp", "2us", "", "Start-up time of a message, t_s", "2us"}, [&p](Time time) {
        p.collectiveHelper.SetSoftwareAttribute("StartUp", TimeValue(time));
    }).isSetWhenGiven = true;
    AddFabricDelays(p.fabricHelper);
    AddBytes({"addressSize", "2", "bytes", "Length of an address in a tree worm's header", "2"},
             0,
             65535,
             Into(p.addressSize));
    AddWord({"headerEncoding",
             "bit-string",
             "",
             "How a tree worm's header tells where it goes",
             "addresses"},
            TreeWormHeader::GetNames(),
            Into(p.headerEncoding));
    AddWords({"btinTiming",
              "flits,paper",
              "",
              "Whether messages of btin take flit times: flits, they do, as those of all schemes; "
              "paper, they don't; a row for each",
              "flits"},
             BarrierStudyParameters::GetBtinTimings(),
             Into(p.btinTimings));
    AddWord({"leaves",
             "deepest",
             "",
             "Which leaves the third rule between barrier trees counts; deepest: also columns of "
             "leaves, and of groups with another root by the other rule",
             "all"},
            {"all", "deepest"},
            Into(p.leaves));
    AddSwitch(
        "explain",
        "Tell what latencies go into: columns of hosts' software, interfaces, wires, switches "
        "and waiting, which together make the mean latency, and a plot of them; with --load also "
        "of what part of the waiting is for the traffic",
        Into(p.isExplained));
    AddTraffic(&p.rounds);
    AddFile({"published", "FILE", "", "Published figures to draw in, CSV", ""},
            [this](const std::string& file) { m_published = PublishedFigure::Read(file); })
        .use = StudyParameter::PLOT;
    AddCondition({"addressSize", "headerEncoding"},
                 "the scheme multicast",
                 HasOneOf("schemes", {"multicast"}));
    AddCondition({"btinTiming", "leaves"}, "the scheme btin", HasOneOf("schemes", {"btin"}));
}

void
BarrierStudyForm::CheckTogether(const OptionValues& values) const
{
    values.RefuseTogether("fabric", DRAWING);
    values.RefuseTogether("topology", DRAWING);
}

std::vector<BarrierStudyParameters::Fabric>
BarrierStudyForm::GetDrawnFabrics(const OptionValues& values) const
{
    const auto count =
        std::max({m_switches.size(), m_hosts.size(), m_ports.size(), m_connectivities.size()});
    const auto check = [&](const char* name, std::size_t size) {
        if (size != 1 && size != count)
        {
            values.Refuse(name,
                          std::to_string(size) + " values, but another option names " +
                              std::to_string(count) + " fabrics; accepted are 1 or as many");
        }
    };
    check("switches", m_switches.size());
    check("hosts", m_hosts.size());
    check("ports", m_ports.size());
    check("connectivity", m_connectivities.size());
    std::vector<BarrierStudyParameters::Fabric> fabrics(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        auto& drawn = fabrics[i].drawn;
        drawn.switches = Entry(m_switches, i);
        drawn.hosts = Entry(m_hosts, i);
        drawn.ports = Entry(m_ports, i);
        drawn.connectivity = Entry(m_connectivities, i);
        drawn.law = IrregularTopologyHelper::LawByName(m_law);
    }
    return fabrics;
}

void
BarrierStudyForm::ReadTraffic(const OptionValues& values)
{
    auto& p = m_parameters;
    p.traffic = TrafficOptions::Read(values, nullptr);
    TrafficOptions::RefuseWithout(values, "rounds");
    if (!p.traffic.IsThere())
    {
        return;
    }
    if (!values.Has("reduction"))
    {
        p.reductions = {"simulated"}; // the others are of a fabric that nobody shares
    }
}

void
BarrierStudyForm::Finish(const OptionValues& values)
{
    values.Check("schemes", [this] { m_parameters.CheckSchemes(); });
    ReadTraffic(values);
    const auto isGiven = FabricOptions::Has(values);
    if (isGiven)
    {
        const auto topology = FabricOptions::Read(values);
        m_parameters.fabrics.resize(1);
        m_parameters.fabrics[0].given = std::make_shared<FabricGraph>(topology->graph);
        m_parameters.fabricHelper.SetRouter(topology->router);
        values.Check("pattern", [&] { m_parameters.traffic.Check(&topology->graph); });
    }
    else
    {
        m_parameters.fabrics = GetDrawnFabrics(values);
    }
    const auto isSame = isGiven && values.Has("members");
    if (!values.Has("runs"))
    {
        m_parameters.runs = isSame ? 1 : 100;
    }
    else if (isSame && m_parameters.runs > 1)
    {
        values.Refuse("runs",
                      "with one fabric and " + values.Show("members") +
                          " all runs would be the same; accepted is 1");
    }
}

void
BarrierStudyForm::Measure(const Progress& progress)
{
    m_parameters.jobs = GetJobs();
    m_rows = BarrierStudy(m_parameters).Run(progress);
}

} // namespace

const CsvTable<BarrierStudyRow>&
BarrierStudyRow::GetTable()
{
    using Row = BarrierStudyRow;
    constexpr int RATIO = 4;
    const auto isDeepest = [](const BarrierStudyRow& row) { return !row.leaves.empty(); };
    static const CsvTable<Row> always{
        {"scheme",
         "",
         "Scheme: btin, multicast, unicast or the name of another barrier",
         &Row::scheme},
        {"reduction",
         "",
         "Reduction: in-switch, simulated, ideal or paper-inferred",
         &Row::reduction},
        {"btin_timing",
         "",
         "Whether messages take flit times: flits, they do; paper, they do not",
         &Row::btinTiming},
        {"switches", "", "Number of switches", &Row::switches},
        {"hosts", "", "Number of hosts", &Row::hosts},
        {"connectivity", "", "Ratio of the switches' ports in use", &Row::connectivity, RATIO},
        {"law", "", "How cables were drawn; file: they were given", &Row::law},
        {"group_size", "", "Number of members", &Row::groupSize},
        {"runs", "", "Number of runs", &Row::runs},
        {"latency_us_mean",
         "us",
         "Latency since all came until the last one left, mean",
         &Row::latencyUsMean},
        {"latency_us_ci95",
         "us",
         "Half width of that mean's 95 % interval; nan for one run",
         &Row::latencyUsCi95},
        {"latency_us_model",
         "us",
         "Latency by the closed form, mean; nan: there is none",
         &Row::latencyUsModel},
        {"message_hops_mean",
         "",
         "Links crossed by messages in one barrier",
         &Row::messageHopsMean},
        {"flit_hops_mean", "", "Links crossed by flits in one barrier", &Row::flitHopsMean},
        {"height_mean",
         "",
         "Height of the barrier tree, h; 0: the scheme has none",
         &Row::heightMean},
        {"edges_mean", "", "Edges of the barrier tree, E; 0: the scheme has none", &Row::edgesMean},
        {"start_ups_mean", "", "Messages that hosts send in one barrier", &Row::startUpsMean},
        {"root_messages_mean",
         "",
         "Messages that the root's host sends or takes in one barrier",
         &Row::rootMessagesMean},
        {"message_bytes_mean",
         "bytes",
         "Length of the longest message, addresses included",
         &Row::messageBytesMean},
        {"setup_us_mean", "us", "Time until the group is ready", &Row::setupUsMean},
        {"root_switch",
         "",
         "Root switch of the barrier tree; empty with several runs",
         &Row::rootSwitch},
        {"root_host",
         "",
         "Root host of the barrier tree; empty with several runs",
         &Row::rootHost}};
    static const auto explained =
        PartsColumns<Row>::AddTo(
            CsvTable<Row>(always).AddOptional(
                isDeepest,
                {{"leaves", "", "Which leaves count: deepest; empty: all", &Row::leaves},
                 {"leaves_mean", "", "Leaves of the barrier tree", &Row::leavesMean},
                 {"deepest_leaves_mean",
                  "",
                  "Leaves of the barrier tree at its greatest depth",
                  &Row::deepestMean},
                 {"other_root_mean",
                  "",
                  "Part of the groups with another root if all leaves counted",
                  &Row::otherRootMean}}))
            .AddPacked(&Row::roundsUs);
    static const auto table =
        TrafficColumns<Row>::AddTo(explained, {{"latency_us_p99", &Row::latencyUs99}});
    return table;
}

const CsvTable<PublishedFigure>&
PublishedFigure::GetTable()
{
    using Row = PublishedFigure;
    static const CsvTable<Row> table{{"id"},
                                     {"quantity", "", "", &Row::quantity},
                                     {"scheme", "", "", &Row::scheme},
                                     {"switches", "", "", &Row::switches},
                                     {"hosts", "", "", &Row::hosts},
                                     {"connectivity", "", "", &Row::connectivity},
                                     {"group_size", "", "", &Row::groupSize},
                                     {"value", "", "", &Row::value},
                                     {"unit"},
                                     {"source"},
                                     {"where"},
                                     {"reproducible"},
                                     {"why"}};
    return table;
}

std::vector<PublishedFigure>
PublishedFigure::Read(const std::string& path)
{
    return GetTable().Read(path, [](const CsvFile& file, std::size_t i) {
        const std::set<std::string> shown{"latency", "latency_factor", "traffic_factor"};
        return file.Get(i, "source") == "paper" && shown.count(file.Get(i, "quantity")) > 0;
    });
}

std::unique_ptr<StudyForm>
MakeBarrierStudy()
{
    return std::make_unique<BarrierStudyForm>();
}

} // namespace ns3
