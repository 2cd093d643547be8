/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "split-study.h"

#include "ns3/csv-table.h"
#include "ns3/fabric-options.h"
#include "ns3/gnuplot-curves.h"
#include "ns3/host-software.h"
#include "ns3/study-form.h"
#include "ns3/traffic-columns.h"
#include "ns3/traffic-options.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// What --help says of the program.
const std::string USAGE =
    "Measures how much of a barrier computing hides: processes enter it, compute, and wait for it "
    "(a split-phase, or fuzzy, barrier), against processes that compute and meet in a barrier that "
    "blocks. The time of a step is that of the last process.\n"
    "\n"
    "Examples:\n"
    "  split-barrier\n"
    "      five barriers of 64 hosts of a random fabric; CSV to standard output\n"
    "  split-barrier --csv=split.csv --plots=plots\n"
    "      the same, with plots\n"
    "  split-barrier --algorithms=tree[Tree=fibo],hw-all --compute=0us,20us,80us "
    "--imbalance=50\n"
    "      own barriers and computing times, of which each is up to half shorter or longer\n"
    "  split-barrier --progressBy=in-call --pieces=4\n"
    "      messages are looked after between four pieces of the computation\n"
    "  split-barrier --topology=torus:4x4,hosts=2 --members=32 --startUp=300ns --receive=200ns\n"
    "      one's own fabric and costs\n"
    "  split-barrier --load=0.1 --steps=200\n"
    "      beside other traffic, with the times that 99 % of the steps do not exceed\n"
    "\n"
    "Who makes progress while a process computes: in-call, the process between its computations "
    "and while it waits; interrupt, the process, which each message interrupts; independent, an "
    "engine of its own, at the same costs. saved_percent is the time that a step saves, as a part "
    "of the time of a step that does not compute.";

/// The study as people ask for it.
class SplitStudyForm : public RowStudyForm<SplitStudyRow>
{
  public:
    SplitStudyForm();

    void Measure(const Progress& progress) override;

    std::vector<StudyPlot> MakePlots() const override
    {
        return MakeSplitPlots(m_rows);
    }

  protected:
    void Finish(const OptionValues& values) override;

  private:
    SplitStudy::Parameters m_parameters; ///< what is asked of the study
};

SplitStudyForm::SplitStudyForm()
    : RowStudyForm({"split-barrier",
                    "split_barrier",
                    "Measures how much of a barrier computing hides.",
                    USAGE,
                    "a row for each algorithm, imbalance, computing time and progress"})
{
    constexpr uint32_t MANY = 1000000;
    auto& p = m_parameters;
    AddTexts({"algorithms",
              "dissemination,hw-1",
              "",
              "Barriers; without it dissemination, by messages and by remote writes "
              "(dissemination[Transport=rdma]), btin, hw-1 and hw-all",
              ""},
             Into(p.algorithms));
    AddWords({"progressBy",
              "in-call,independent",
              "",
              "Who does what a process that computes owes to the barrier",
              "in-call,interrupt,independent"},
             HostSoftware::GetProgressNames(),
             Into(p.progresses));
    AddTimes({"compute",
              "0us,10us",
              "",
              "Mean times to compute in a step",
              "0us,1us,2us,5us,10us,20us,30us,40us,60us,80us"},
             Into(p.computes));
    AddWholes({"imbalance",
               "0,50",
               "percent",
               "By how much a process computes longer or shorter at most, drawn each time",
               "0,50"},
              0,
              100,
              Into(p.imbalances));
    AddWhole({"pieces",
              "4",
              "",
              "Computations that a step's is made of; messages are looked after in between",
              "1"},
             1,
             1000,
             Into(p.pieces));
    AddWhole({"members", "32", "", "Number of processes, on the fabric's first hosts", "64"},
             1,
             MANY,
             Into(p.members));
    AddWhole({"steps", "20", "", "Steps to average over, one after the other", "20"},
             1,
             MANY,
             Into(p.steps));
    AddWhole({"stream", "0", "", "Stream of random numbers for computing times", "0"},
             0,
             1U << 30,
             Into(p.stream));
    AddMessageCosts("2us", "1us", p.startUp, p.receive);
    AddTime({"poll", "200ns", "", "How long the poll takes that sees a remote write", "200ns"},
            Into(p.poll))
        .attribute = "ns3::HostSoftware::PollTime";
    AddTime({"interrupt",
             "1us",
             "",
             "How long a message keeps a process besides that which it interrupts",
             "1us"},
            Into(p.interrupt))
        .attribute = "ns3::HostSoftware::InterruptTime";
    AddOwnAttributes({"HostSoftware::Progress"});
    AddFabric("a random one", "irregular:switches=24,hosts=64");
    AddTraffic();
}

void
SplitStudyForm::Finish(const OptionValues& values)
{
    if (!values.Has("algorithms"))
    {
        m_parameters.algorithms = {"dissemination",
                                   "dissemination[Transport=rdma]",
                                   "btin",
                                   "hw-1",
                                   "hw-all"};
    }
    values.Check("algorithms", [&] { SplitStudy::CheckAlgorithms(m_parameters.algorithms); });
    m_parameters.topology = FabricOptions::Read(values);
    m_parameters.traffic = TrafficOptions::Read(values, &m_parameters.topology->graph);
    const auto nHosts = m_parameters.topology->graph.GetNFirstInterfaces();
    if (FabricOptions::Has(values) && !values.Has("members"))
    {
        m_parameters.members = nHosts;
    }
    if (m_parameters.members > nHosts)
    {
        values.Refuse("members",
                      "the fabric has " + std::to_string(nHosts) + " hosts; accepted are 1 to " +
                          std::to_string(nHosts));
    }
}

void
SplitStudyForm::Measure(const Progress& progress)
{
    m_rows = SplitStudy(m_parameters).Run(progress);
}

} // namespace

const CsvTable<SplitStudyRow>&
SplitStudyRow::GetTable()
{
    using Row = SplitStudyRow;
    static const CsvTable<Row> always{
        {"algorithm", "", "Name of the barrier", &Row::algorithm},
        {"progress",
         "",
         "Who makes progress while a process computes",
         &Row::progress,
         HostSoftware::GetProgressNames()},
        {"members", "", "Number of members", &Row::members},
        {"pieces", "", "Computations between entering and waiting", &Row::pieces},
        {"imbalance_percent",
         "percent",
         "By how much computing is longer or shorter at most",
         &Row::imbalancePercent},
        {"compute_us", "us", "Mean time to compute in a step", &Row::computeUs},
        {"barrier_us", "us", "Time of a step that does not compute", &Row::barrierUs},
        {"blocking_us", "us", "Time of a step that computes, enters and waits", &Row::blockingUs},
        {"split_us", "us", "Time of a step that enters, computes and waits", &Row::splitUs},
        {"saved_percent",
         "percent",
         "What a split step saves, over a step that does not compute",
         &Row::savedPercent,
         1}};
    static const auto table = TrafficColumns<Row>::AddTo(always,
                                                         {{"barrier_us_p99", &Row::barrierUs99},
                                                          {"blocking_us_p99", &Row::blockingUs99},
                                                          {"split_us_p99", &Row::splitUs99}});
    return table;
}

std::vector<StudyPlot>
MakeSplitPlots(const std::vector<SplitStudyRow>& rows)
{
    const auto getExposed = [](const auto& row) { return row.splitUs - row.computeUs; };
    const auto algorithms = StudyPlot::GroupBy(rows, &SplitStudyRow::algorithm);
    const auto progresses = StudyPlot::GroupBy(rows, &SplitStudyRow::progress);
    double greatest = 1;
    for (const auto& row : rows)
    {
        greatest = std::max(greatest, getExposed(row));
    }
    StudyPlot plot{"exposed", "computing in between (us)", "time of a step beyond computing (us)"};
    for (const auto& [imbalance, ofImbalance] :
         StudyPlot::GroupBy(rows, &SplitStudyRow::imbalancePercent))
    {
        for (const auto& progress : progresses)
        {
            StudyPlot::Panel panel{"progress " + progress.first + ", imbalance " +
                                       std::to_string(imbalance) + " %",
                                   {}};
            for (std::size_t i = 0; i < algorithms.size(); ++i)
            {
                const auto some = StudyPlot::Where(ofImbalance, [&](const auto& row) {
                    return row.algorithm == algorithms[i].first && row.progress == progress.first;
                });
                panel.curves.push_back(
                    {algorithms[i].first,
                     "linespoints lw 2 " + GnuplotScript::GetStyle(i),
                     StudyPlot::PointsOf(some, &SplitStudyRow::computeUs, getExposed)});
            }
            plot.panels.push_back(panel);
        }
    }
    plot.axes =
        "set yrange [0:" + StudyPlot::Number(1.05 * greatest) + "]\nset xrange [0:*]\nset grid\n";
    plot.key = "set key noenhanced samplen 1.5 top right\n";
    plot.columns = static_cast<uint32_t>(progresses.size());
    plot.width = 420;
    plot.height = 400;
    return {plot};
}

std::unique_ptr<StudyForm>
MakeSplitStudy()
{
    return std::make_unique<SplitStudyForm>();
}

} // namespace ns3
