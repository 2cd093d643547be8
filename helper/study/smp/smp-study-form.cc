/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-study.h"

#include "ns3/csv-table.h"
#include "ns3/fabric-options.h"
#include "ns3/sample-summary.h"
#include "ns3/study-form.h"
#include "ns3/traffic-columns.h"
#include "ns3/traffic-options.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/// What --help says of the program.
const std::string USAGE =
    "Compares broadcasts on a cluster of SMPs. A batch system gives hosts to a job; of "
    "these, the first so many take part, with --tasksPerHost processes each. Columns: "
    "working switches, hosts (not processes), bytes, steps at unit cost (one-port), and the "
    "time simulated, a row for each placement; with several processes a host one more, "
    "tasks_per_host.\n"
    "\n"
    "Examples:\n"
    "  smp-broadcast\n"
    "      all 64 hosts of Roadrunner, Figure 5.1 of Sun et al.; CSV to standard output\n"
    "  smp-broadcast --case=44 --plots=plots --csv=smp-44.csv\n"
    "      44 hosts on three switches, 20 random placements, as in Figure 5.2\n"
    "  smp-broadcast --placement=shuffled --algorithms=mpich[BlockSize=3],sss-mst\n"
    "      64 hosts with ranks in random order, so that messages cross between switches\n"
    "  smp-broadcast --bytes=64,4kB,200kB --topology=roadrunner:wiring=ring,cables=4\n"
    "      other lengths and another wiring\n"
    "  smp-broadcast --tasksPerHost=2 --flag=500ns\n"
    "      two processes a host, which hand on what they have by flags\n"
    "  smp-broadcast --fabric=cluster.json --bytes=64,1kB,4kB,16kB,64kB,256kB "
    "--algorithms=tree[Tree=binomial],mpich,sss-mst,multicast --csv=mine.csv --plots=plots\n"
    "      which broadcast suits which length on all hosts of one's own fabric\n"
    "  smp-broadcast --topology=torus:4x4,hosts=4 --job=40 --placement=random "
    "--hosts=10,20,40 --algorithms=tree[Tree=binomial],tree[Tree=fibo],sss-mst\n"
    "      one's own fabric and job\n"
    "  smp-broadcast --bytes=4kB --load=0.1 --rounds=100\n"
    "      beside other traffic, with the time that 99 % of the broadcasts do not exceed\n"
    "\n"
    "Algorithms: any broadcast by software, such as mpich[BlockSize=3] (early MPICH's, "
    "blocks of 3), mpich[BlockSize=1] (a binomial tree), sss-mst (the paper's), "
    "sss-mst[UpToDown=false], sss-mst[Siblings=false], sss-mst[DownToUp=false], "
    "sss-mst[ChannelCaps=false], sss-mst[Senders=informed], mpich[SelfCongestion=true]; also "
    "tree[Tree=binomial], tree[Tree=fibo], smp[Inner=tree], "
    "multicast: one tree worm, which switches copy; and btin: 2 to 10 bytes through the switches' "
    "registers. Lengths are --bytes: MessageBytes in "
    "a name is refused.";

/// Colours that colour-blind eyes can tell apart, too (Okabe and Ito's), and points.
const char* const STYLES[] = {"pt 5 ps 1.1*unit lc rgb \"#d55e00\"",
                              "pt 9 ps 1.3*unit lc rgb \"#e69f00\"",
                              "pt 7 ps 1.1*unit lc rgb \"#0072b2\"",
                              "pt 11 ps 1.3*unit lc rgb \"#009e73\"",
                              "pt 13 ps 1.4*unit lc rgb \"#cc79a7\"",
                              "pt 4 ps 1.3*unit lc rgb \"#56b4e9\"",
                              "pt 6 ps 1.3*unit lc rgb \"#404040\""};

/// A picture: which times it shows, over what.
struct SmpPicture
{
    const char* name; ///< of the plot
    bool isFactor;    ///< whether it shows times over those of the last broadcast
    bool overBytes;   ///< whether it is over the length of messages, not the number of hosts
};

/// All of them.
const SmpPicture PICTURES[] = {{"time", false, false},
                               {"factor", true, false},
                               {"bytes", false, true},
                               {"bytes-factor", true, true}};

/// What a panel has in common: processes of a host, and bytes, or hosts over bytes.
using SmpPanel = std::pair<uint32_t, uint32_t>;

/// @return panel of a row @param row the row @param overBytes what a picture is over
SmpPanel
GetSmpPanel(const SmpStudyRow& row, bool overBytes)
{
    return {row.tasksPerHost, overBytes ? row.hosts : row.bytes};
}

/// @return panels of a picture; over bytes, those of the greatest numbers of hosts
/// @param rows the rows @param overBytes what it is over
std::set<SmpPanel>
GetSmpPanels(const std::vector<SmpStudyRow>& rows, bool overBytes)
{
    std::set<SmpPanel> panels;
    std::map<uint32_t, uint32_t> most; // hosts, by number of processes
    for (const auto& row : rows)
    {
        panels.insert(GetSmpPanel(row, overBytes));
        most[row.tasksPerHost] = std::max(most[row.tasksPerHost], row.hosts);
    }
    return overBytes ? std::set<SmpPanel>{most.begin(), most.end()} : panels;
}

/// @return points of a broadcast, means over placements
/// @param rows rows of a panel and of the broadcast @param references of the panel and of the last
/// broadcast @param picture what is shown
std::vector<StudyPlot::Point>
GetSmpPoints(const std::vector<SmpStudyRow>& rows,
             const std::vector<SmpStudyRow>& references,
             const SmpPicture& picture)
{
    const auto size = picture.overBytes ? &SmpStudyRow::bytes : &SmpStudyRow::hosts;
    const auto divisors = StudyPlot::GroupBy(references, size);
    std::vector<StudyPlot::Point> points;
    for (const auto& [number, some] : StudyPlot::GroupBy(rows, size))
    {
        // Rows of one number of hosts come in the order of placements for every algorithm.
        const auto others =
            std::find_if(divisors.begin(), divisors.end(), [&, n = number](const auto& each) {
                return each.first == n;
            });
        const auto nOthers = others == divisors.end() ? 0 : others->second.size();
        SampleSummary summary;
        for (std::size_t i = 0; i < some.size(); ++i)
        {
            if (!picture.isFactor || i < nOthers)
            {
                summary.Add(some[i].timeUs / (picture.isFactor ? others->second[i].timeUs : 1));
            }
        }
        if (summary.GetMean() > 0)
        {
            points.push_back(
                {static_cast<double>(number), summary.GetMean(), summary.GetHalfWidth95()});
        }
    }
    std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    return points;
}

/// The study as people ask for it.
class SmpStudyForm : public PooledStudyForm<SmpStudy, SmpStudyRow>
{
  public:
    SmpStudyForm();

    std::vector<StudyPlot> MakePlots() const override
    {
        return MakeSmpPlots(m_rows);
    }

  protected:
    void Finish(const OptionValues& values) override;
    void CheckTogether(const OptionValues& values) const override;

  private:
    /// @return the job @param values the values @param allHosts number of the fabric's hosts
    JobPlacement::Parameters GetJob(const OptionValues& values, uint32_t allHosts) const;

    /// @return numbers of hosts that take part where none are asked for
    std::vector<uint32_t> GetSizes() const;

    JobPlacement::Parameters m_job; ///< a job of one's own, and where it is
    std::string m_case;             ///< a case of the paper
    std::string m_dataRate;         ///< rate of every channel
    uint32_t m_flitBytes{0};        ///< size of a flit
};

SmpStudyForm::SmpStudyForm()
    : PooledStudyForm({"smp-broadcast",
                       "smp_broadcast",
                       "Compares broadcasts on a cluster of SMPs.",
                       USAGE,
                       "a row for each placement, length, number of hosts and broadcast",
                       true})
{
    constexpr uint32_t MANY = 1000000;
    constexpr uint32_t LONGEST = 1U << 30;
    auto& p = m_parameters;
    AddWord({"case",
             "44",
             "",
             "A case of the paper, its number of hosts of Roadrunner; with a fabric of one's own "
             "all of its hosts without it",
             "64"},
            SmpStudy::GetCases(),
            Into(m_case));
    AddWhole({"job", "40", "", "Number of hosts of a job of one's own", ""},
             1,
             MANY,
             Into(m_job.hosts));
    AddWhole({"jobSwitches", "3", "", "Number of switches that the job is on; any without it", ""},
             1,
             MANY,
             Into(m_job.switches));
    AddWord({"placement",
             "random",
             "",
             "Where the job is: block (the first hosts), random (ranks by host), shuffled (any "
             "ranks); without it block for 64 hosts and one's own, random for other cases",
             "block"},
            JobPlacement::GetLaws(),
            Into(m_job.law));
    AddWhole({"placements", "20", "", "Number of random placements", "20"},
             1,
             100000,
             Into(p.placements));
    AddWhole({"stream", "0", "", "Stream of random numbers for placements", "0"},
             0,
             LONGEST,
             [&p](uint32_t stream) { p.stream = stream; });
    AddWholes({"hosts",
               "8,16,32",
               "",
               "Numbers of hosts that take part; without it 8, 12, ..., above 64 hosts 8, 16, 32, "
               "...",
               ""},
              1,
              MANY,
              Into(p.hosts));
    AddWhole({"tasksPerHost", "2", "", "Processes of each host that takes part", "1"},
             1,
             1024,
             Into(p.tasksPerHost));
    AddTime({"flag", "500ns", "", "How long a flag of another process of the host takes", "500ns"},
            Into(p.flag))
        .attribute = "ns3::HostSoftware::FlagTime";
    AddByteSizes({"bytes",
                  "64,64kB,1MiB",
                  "",
                  "Lengths of the message; kB and MB are 1000 and 1000000 bytes, KiB and MiB 1024 "
                  "and 1048576",
                  "200000"},
                 2,
                 LONGEST,
                 Into(p.bytes))
        .attribute = "ns3::Collective::MessageBytes";
    AddTexts({"algorithms",
              "mpich[BlockSize=3],sss-mst",
              "",
              "Broadcasts",
              "mpich[BlockSize=1],mpich[BlockSize=3],sss-mst"},
             Into(p.algorithms));
    AddMessageCosts("2us", "0us", p.startUp, p.receive);
    AddText({"dataRate", "1.2Gbps", "", "Rate of every channel", "1.2Gbps"}, Into(m_dataRate))
        .attribute = "ns3::WormholeFabric::DataRate";
    AddBytes(
        {"flitBytes", "3", "bytes", "Size of a flit; its time must be a whole number of ps", "3"},
        1,
        1U << 20,
        Into(m_flitBytes))
        .attribute = "ns3::WormholeFabric::FlitSize";
    AddOwnAttributes({"HostSoftware::TransferTime",
                      "HostSoftware::RegistrationTime",
                      "HostSoftware::InterfaceSendTime",
                      "HostSoftware::InterfaceReceiveTime"});
    AddHosts("roadrunner:wiring=mesh,cables=2");
    AddTraffic(&p.rounds);
}

void
SmpStudyForm::CheckTogether(const OptionValues& values) const
{
    values.RefuseTogether("case", {"job", "jobSwitches"});
    if (values.Has("jobSwitches") && !values.Has("job"))
    {
        values.RefuseAlone("jobSwitches", "job", "40");
    }
}

JobPlacement::Parameters
SmpStudyForm::GetJob(const OptionValues& values, uint32_t allHosts) const
{
    auto job = m_job;
    if (!values.Has("job"))
    {
        if (FabricOptions::Has(values) && !values.Has("case"))
        {
            job.hosts = allHosts;
        }
        else
        {
            job = SmpStudy::GetCase(m_case);
        }
    }
    if (!values.Has("case") || values.Has("placement"))
    {
        job.law = m_job.law;
    }
    return job;
}

std::vector<uint32_t>
SmpStudyForm::GetSizes() const
{
    constexpr uint32_t FIRST = 8;
    constexpr uint32_t STEP = 4;
    constexpr uint32_t MANY = 64;
    const auto all = m_parameters.job.hosts;
    std::vector<uint32_t> sizes;
    for (auto n = std::min(FIRST, all); n < all;)
    {
        sizes.push_back(n);
        n += (all > MANY) ? n : STEP;
    }
    sizes.push_back(all);
    return sizes;
}

void
SmpStudyForm::Finish(const OptionValues& values)
{
    auto& p = m_parameters;
    p.cluster = StudyHosts::Read(values);
    const auto& graph = p.cluster.GetTopology()->graph;
    p.cluster.SetTraffic(TrafficOptions::Read(values, &graph));
    TrafficOptions::RefuseWithout(values, "rounds");
    p.job = GetJob(values, graph.GetNFirstInterfaces());
    for (const auto name : {"placements", "stream"})
    {
        if (p.job.law == "block" && values.Has(name))
        {
            values.Refuse(name, "has no effect where placement is no random one");
        }
    }
    if (!values.Has("hosts"))
    {
        p.hosts = GetSizes();
    }
    values.GetWholes("hosts", 1, p.job.hosts);
    if (values.Has("flag") && p.tasksPerHost == 1)
    {
        values.RefuseAlone("flag", "tasksPerHost", "2");
    }
    values.Check(values.Has("flitBytes") ? "flitBytes" : "dataRate",
                 [&] { p.cluster.SetRate(m_dataRate, m_flitBytes); });
    values.Check(values.Has("job")    ? "job"
                 : values.Has("case") ? "case"
                                      : FabricOptions::GetName(values),
                 [&] { JobPlacement(graph, p.job); });
    values.Check("algorithms", [&] { m_study = std::make_unique<SmpStudy>(p); });
}

} // namespace

const CsvTable<SmpStudyRow>&
SmpStudyRow::GetTable()
{
    using Row = SmpStudyRow;
    static const CsvTable<Row> always{
        {"algorithm", "", "Name of the broadcast", &Row::algorithm},
        {"switches", "", "Number of switches with hosts that take part", &Row::switches},
        {"hosts", "", "Number of hosts that take part", &Row::hosts},
        {"bytes", "bytes", "Length of the message", &Row::bytes},
        {"steps", "", "Steps at unit cost, one-port", &Row::steps},
        {"time_us", "us", "Time until the last process has the message", &Row::timeUs}};
    static const auto table = TrafficColumns<Row>::AddTo(
        CsvTable<Row>(always).AddOptional(
            [](const Row& row) { return row.tasksPerHost > 1; },
            {{"tasks_per_host", "", "Number of processes of each host", &Row::tasksPerHost}}),
        {{"time_us_p99", &Row::timeUs99}});
    return table;
}

std::vector<StudyPlot>
MakeSmpPlots(const std::vector<SmpStudyRow>& all)
{
    constexpr std::size_t LEAST = 3; // lengths that make a line
    // A process alone takes no time, and has no place on log axes.
    const auto rows = StudyPlot::Where(all, [](const auto& row) { return row.timeUs > 0; });
    const auto algorithms = StudyPlot::GroupBy(rows, &SmpStudyRow::algorithm);
    const auto hasLengths = StudyPlot::GroupBy(rows, &SmpStudyRow::bytes).size() >= LEAST;
    std::vector<StudyPlot> plots;
    for (const auto& picture : PICTURES)
    {
        if (rows.empty() || (picture.overBytes && !hasLengths) ||
            (picture.isFactor && algorithms.size() < 2))
        {
            continue;
        }
        StudyPlot plot{picture.name,
                       picture.overBytes ? "bytes" : "hosts",
                       picture.isFactor ? "time over that of " + algorithms.back().first
                                        : "time of a broadcast (us)"};
        for (const auto& key : GetSmpPanels(rows, picture.overBytes))
        {
            const auto isOfPanel = [&](const auto& row) {
                return GetSmpPanel(row, picture.overBytes) == key;
            };
            const auto references = StudyPlot::Where(algorithms.back().second, isOfPanel);
            StudyPlot::Panel panel{
                std::to_string(key.second) + (picture.overBytes ? " hosts" : " bytes") +
                    (key.first > 1 ? ", " + std::to_string(key.first) + " processes a host" : ""),
                {}};
            for (std::size_t i = 0; i + picture.isFactor < algorithms.size(); ++i)
            {
                const auto some = StudyPlot::Where(algorithms[i].second, isOfPanel);
                panel.curves.push_back(
                    {algorithms[i].first,
                     std::string("linespoints lw 2 dt 1 ") + STYLES[i % std::size(STYLES)],
                     GetSmpPoints(some, references, picture)});
            }
            if (panel.HasPoints())
            {
                plot.panels.push_back(panel);
            }
        }
        plot.SetGroupSizeAxes();
        plots.push_back(plot);
    }
    return plots;
}

std::unique_ptr<StudyForm>
MakeSmpStudy()
{
    return std::make_unique<SmpStudyForm>();
}

} // namespace ns3
