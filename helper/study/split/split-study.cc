/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collective-application-helper.h"
#include "ns3/fabric-options.h"
#include "ns3/sample-summary.h"
#include "ns3/simulation-scope.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/study-fabric.h"
#include "ns3/study-makers.h"
#include "ns3/study-plot.h"
#include "ns3/table-study.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-host-software.h"
#include "ns3/wormhole-traffic-options.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ns3
{

namespace
{

CsvTable
MakeSplitTable()
{
    using Is = CsvColumn;
    return TrafficColumns::AddTo(
        {{"algorithm: Name of the barrier"},
         {"progress: Who makes progress while a process computes",
          HostSoftware::GetProgressNames()},
         {"members: Number of members", Is::WHOLE},
         {"pieces: Computations between entering and waiting", Is::WHOLE},
         {"imbalance_percent (percent): By how much computing is longer or shorter at most",
          Is::WHOLE},
         {"compute_us (us): Mean time to compute in a step", Is::NUMBER},
         {"barrier_us (us): Time of a step that does not compute", Is::NUMBER},
         {"blocking_us (us): Time of a step that computes, enters and waits", Is::NUMBER},
         {"split_us (us): Time of a step that enters, computes and waits", Is::NUMBER},
         {"saved_percent (percent): What a split step saves, over a step that does not compute",
          1}},
        {"barrier_us_p99", "blocking_us_p99", "split_us_p99"});
}

/// What is asked.
struct SplitParameters : public StudyFabric
{
    std::vector<std::string> algorithms;
    std::vector<std::string> progresses;
    std::vector<Time> computes;
    std::vector<uint32_t> imbalances;
    uint32_t pieces{0};
    uint32_t members{0};
    uint32_t steps{0};
    uint32_t stream{0};
    BackgroundTraffic::Parameters traffic;
};

/// Draws the time of a step beyond its computing over computing time; a panel for each imbalance
/// and progress, a curve for each barrier.
std::vector<StudyPlot>
MakeSplitPlots(const StudyPlot::Rows& rows, const StudyPlot::Rows&)
{
    const auto getExposed = [](const CsvRow& row) { return row["split_us"] - row["compute_us"]; };
    double greatest = 1;
    for (const auto& row : rows)
    {
        greatest = std::max(greatest, getExposed(row));
    }
    StudyPlot plot{"exposed", "computing in between (us)", "time of a step beyond computing (us)"};
    plot.panels = StudyPlot::MakePanels(
        rows,
        [](const CsvRow& row) {
            return "progress " + row["progress"].Text() + ", imbalance " +
                   row.GetText("imbalance_percent") + " %";
        },
        "algorithm",
        [](auto i) { return "linespoints lw 2 " + GnuplotScript::GetStyle(i); },
        "compute_us",
        getExposed);
    plot.axes =
        "set yrange [0:" + StudyPlot::Number(1.05 * greatest) + "]\nset xrange [0:*]\nset grid\n";
    plot.key = "set key noenhanced samplen 1.5 top right\n";
    plot.columns = static_cast<uint32_t>(StudyPlot::GroupBy(rows, "progress").size());
    plot.width = 560; // room for the longest name in the key
    plot.height = 460;
    return {plot};
}

/// Steps before those that are averaged over, in which processes fall into step.
constexpr uint32_t WARM_UP = 4;

/// When the last process was done with each step.
class Done
{
  public:
    Done(uint32_t members, uint32_t steps, BackgroundTraffic& traffic)
        : m_traffic(traffic),
          m_left(uint64_t{members} * steps),
          m_times(steps)
    {
    }

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
    BackgroundTraffic& m_traffic; ///< ends with the last step
    uint64_t m_left;              ///< steps that processes have not done yet
    std::vector<Time> m_times;    ///< when the last process was done with each step
};

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

/// What a simulation is of.
struct SplitCase
{
    std::string algorithm;           // the barrier
    std::string progress{"in-call"}; // HostSoftware's Progress
    Time compute{};                  // mean time to compute in a step
    uint32_t imbalance{0};           // in percent of it
    bool isSplit{false};             // whether it enters before it computes
};

/// What steps take, us.
struct SplitSteps
{
    double mean;
    double percentile99;
};

SplitSteps
MeasureSteps(const SplitParameters& p, const SplitCase& of)
{
    const SimulationScope own;
    StudyFabric machine = p;
    machine.software.SetSoftwareAttribute("Progress", StringValue(of.progress));
    const auto domain = machine.Install();
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
    BackgroundTraffic traffic(*domain, p.traffic);
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

class SplitStudyDefinition : public TableStudy
{
  public:
    SplitStudyDefinition()
        : TableStudy({"split-barrier",
                      "split_barrier",
                      "Measures how much of a barrier computing hides.",
                      USAGE,
                      "a row for each algorithm, imbalance, computing time and progress"},
                     MakeSplitTable(),
                     MakeSplitPlots)
    {
        constexpr uint32_t MANY = 1000000;
        auto& p = m_parameters;
        Add("algorithms=dissemination,hw-1: Barriers; without it dissemination, by messages and by "
            "remote writes (dissemination[Transport=rdma]), btin, hw-1 and hw-all",
            p.algorithms);
        Add("progressBy=in-call,independent (in-call,interrupt,independent): Who does what a "
            "process that computes owes to the barrier",
            p.progresses)
            .OneOf(HostSoftware::GetProgressNames());
        Add("compute=0us,10us (0us,1us,2us,5us,10us,20us,30us,40us,60us,80us): Mean times to "
            "compute in a step",
            p.computes);
        Add("imbalance=0,50 percent (0,50): By how much a process computes longer or shorter at "
            "most, drawn each time",
            p.imbalances)
            .Range(0, 100);
        Add("pieces=4 (1): Computations that a step's is made of; messages are looked after in "
            "between",
            p.pieces)
            .Range(1, 1000);
        Add("members=32 (64): Number of processes, on the fabric's first hosts", p.members)
            .Range(1, MANY);
        Add("steps=20 (20): Steps to average over, one after the other", p.steps).Range(1, MANY);
        Add("stream=0 (0): Stream of random numbers for computing times", p.stream)
            .Range(0, 1U << 30);
        AddMessageCosts("2us", "1us", p.software);
        AddSoftwareTime("PollTime",
                        "poll=200ns (200ns): How long the poll takes that sees a remote write",
                        p.software);
        AddSoftwareTime("InterruptTime",
                        "interrupt=1us (1us): How long a message keeps a process besides that "
                        "which it interrupts",
                        p.software);
        AddOwnAttributes("HostSoftware::Progress");
        AddFabric("a random one", "irregular:switches=24,hosts=64");
        AddTraffic();
    }

    void Measure(const Progress& progress) override
    {
        const auto& p = m_parameters;
        const auto all =
            p.algorithms.size() * p.imbalances.size() * p.computes.size() * p.progresses.size();
        CsvRow row(m_table);
        row["members"] = p.members;
        row["pieces"] = p.pieces;
        TrafficColumns::Set(row, p.traffic);
        for (const auto& algorithm : p.algorithms)
        {
            row["algorithm"] = algorithm;
            const auto barrier = MeasureSteps(p, {algorithm});
            row["barrier_us"] = barrier.mean;
            row["barrier_us_p99"] = barrier.percentile99;
            for (const auto imbalance : p.imbalances)
            {
                row["imbalance_percent"] = imbalance;
                for (const auto& compute : p.computes)
                {
                    row["compute_us"] = compute.ToDouble(Time::US);
                    const auto blocking =
                        MeasureSteps(p, {algorithm, "in-call", compute, imbalance});
                    row["blocking_us"] = blocking.mean;
                    row["blocking_us_p99"] = blocking.percentile99;
                    for (const auto& who : p.progresses)
                    {
                        row["progress"] = who;
                        const auto split =
                            MeasureSteps(p, {algorithm, who, compute, imbalance, true});
                        row["split_us"] = split.mean;
                        row["split_us_p99"] = split.percentile99;
                        const auto saved = blocking.mean - split.mean;
                        row["saved_percent"] = barrier.mean > 0 ? 100 * saved / barrier.mean : 0;
                        m_rows.push_back(row);
                        if (progress)
                        {
                            progress(static_cast<uint32_t>(m_rows.size()),
                                     static_cast<uint32_t>(all));
                        }
                    }
                }
            }
        }
    }

  protected:
    void Validate(const OptionValues& values) override
    {
        auto& p = m_parameters;
        if (!values.Has("algorithms"))
        {
            p.algorithms = {"dissemination",
                            "dissemination[Transport=rdma]",
                            "btin",
                            "hw-1",
                            "hw-all"};
        }
        values.Check("algorithms", [&] { StudyCheck::Barriers(p.algorithms); });
        p.topology = FabricOptions::Read(values);
        p.traffic = TrafficOptions::Read(values, &p.topology->graph);
        const auto nHosts = p.GetNHosts();
        if (FabricOptions::Has(values) && !values.Has("members"))
        {
            p.members = nHosts;
        }
        if (p.members > nHosts)
        {
            values.Refuse("members",
                          "the fabric has " + std::to_string(nHosts) + " hosts; expected 1 to " +
                              std::to_string(nHosts));
        }
    }

  private:
    SplitParameters m_parameters;
};

} // namespace

std::unique_ptr<StudyDefinition>
MakeSplitStudy()
{
    return std::make_unique<SplitStudyDefinition>();
}

} // namespace ns3
