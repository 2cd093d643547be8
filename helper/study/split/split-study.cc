// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/collective-application-helper.h"
#include "ns3/fabric-options.h"
#include "ns3/ordering.h"
#include "ns3/sample-summary.h"
#include "ns3/simulation-scope.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/study-makers.h"
#include "ns3/sweep-study.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-host-software.h"

#include <cmath>
#include <map>
#include <sstream>
#include <tuple>

namespace ns3
{

namespace
{

CsvTable
MakeSplitTable()
{
    using Is = CsvColumn;
    return PlacementColumns::AddTo(TrafficColumns::AddTo(
        {{"algorithm: Name of the barrier"},
         {"progress: Who advances the barrier while a process computes",
          HostSoftware::GetProgressNames()},
         {"members: Number of members", Is::WHOLE},
         {"pieces: Number of pieces of a computation between entering and waiting", Is::WHOLE},
         {"imbalance_percent (percent): Largest deviation of a computing time from its mean",
          Is::WHOLE},
         {"compute_us (us): Mean time to compute in a step", Is::NUMBER},
         {"barrier_us (us): Time of a step without computing", Is::NUMBER},
         {"blocking_us (us): Time of a step that computes, enters and waits", Is::NUMBER},
         {"split_us (us): Time of a step that enters, computes and waits", Is::NUMBER},
         {"saved_percent (percent): Time that a split step saves, relative to the time of a step "
          "that does not compute",
          1}},
        {"barrier_us_p99", "blocking_us_p99", "split_us_p99"}));
}

/// Draws the time of a step beyond its computing over computing time; a panel for each imbalance
/// and progress, a curve for each barrier.
std::vector<StudyPlot>
MakeSplitPlots(const StudyPlot::Rows& rows, const StudyPlot::Rows&)
{
    const auto getExposed = [](const CsvRow& row) { return row["split_us"] - row["compute_us"]; };
    const auto greatest = GreatestOf(1.0, rows, getExposed);
    StudyPlot plot{"exposed", "computing in between (us)", "time of a step beyond computing (us)"};
    plot.AddLines(rows,
                  [](const CsvRow& row) {
                      return "progress " + row["progress"].Text() + ", imbalance " +
                             row.GetText("imbalance_percent") + " %";
                  },
                  "algorithm",
                  "compute_us",
                  {{getExposed}});
    plot.axes =
        "set yrange [0:" + StudyPlot::Number(1.05 * greatest) + "]\nset xrange [0:*]\nset grid\n";
    plot.key = "set key noenhanced samplen 1.5 top right\n";
    plot.columns = static_cast<uint32_t>(StudyPlot::GroupBy(rows, "progress").size());
    plot.width = 560; // room for the longest name in the key
    plot.height = 460;
    return {plot};
}

/// Steps before those that are averaged over, in which processes fall into step.
constexpr uint32_t SPLIT_WARM_UP = 4;

struct Done
{
    void Note(uint64_t nDone)
    {
        times[nDone - 1] = Simulator::Now();
        if (--left == 0)
        {
            traffic.Stop();
        }
    }

    BackgroundTraffic& traffic; ///< ends with the last step
    uint64_t left;              ///< steps that processes have not done yet
    std::vector<Time> times;    ///< when the last process was done with each step
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

const std::string SPLIT_USAGE =
    "Measures how much of a barrier's time is hidden by computing: compares processes that enter "
    "the barrier, compute, and wait for it (a split-phase, or fuzzy, barrier) with processes that "
    "compute and meet in a blocking barrier. The time of a step is that of the last process.\n"
    "\n"
    "Examples:\n"
    "  split-barrier\n"
    "      five barriers of 64 hosts of a random fabric; CSV to standard output\n"
    "  split-barrier --csv=split.csv --plots=plots\n"
    "      the same, with plots\n"
    "  split-barrier --algorithms=tree[Tree=fibo],hw-all --compute=0us,20us,80us "
    "--imbalance=50\n"
    "      your own barriers and computing times, each up to 50 % shorter or longer\n"
    "  split-barrier --progressBy=in-call --pieces=4\n"
    "      messages are handled between four pieces of the computation\n"
    "  split-barrier --topology=torus:4x4,hosts=2 --members=32 --startUp=300ns --receive=200ns\n"
    "      your own fabric and costs\n"
    "  split-barrier --load=0.1 --steps=200\n"
    "      with other traffic, and 99th percentiles of the times\n"
    "\n"
    "Who advances the barrier while a process computes: in-call (the process, between its "
    "computations and while it waits), interrupt (the process, interrupted by each message) or "
    "independent (a separate engine, at the costs that the process would have). saved_percent is "
    "100 (blocking_us - split_us) / barrier_us; barrier_us: a step that does not compute.";

/// What steps are of: the barrier, HostSoftware's Progress, the mean time to compute in a step, its
/// imbalance in percent, which time they give: barrier, blocking or split, and its hosts.
using SplitCase =
    std::tuple<std::string, std::string, Time, uint32_t, std::string, SweepStudy::Wholes>;

/// Mean time of a step and what 99 % of the steps do not exceed, us.
using Steps = std::pair<double, double>;

Steps
MeasureSteps(SweepStudy& study, const SplitCase& of)
{
    const auto& [algorithm, progress, compute, imbalance, kind, hosts] = of;
    const auto isSplit = kind == "split"; // processes enter before they compute
    const auto nSteps = study.Get<uint32_t>("steps");
    const auto nAll = SPLIT_WARM_UP + nSteps;
    const SimulationScope own;
    study.m_software.SetSoftwareAttribute("Progress", StringValue(progress));
    const auto domain = study.Install();
    CollectiveApplicationHelper program;
    program.SetAttribute("Repetitions", UintegerValue(nAll));
    auto barrier = CollectiveHelper::MakeBarrier(algorithm);
    if (isSplit)
    {
        program.AddEnter(barrier);
    }
    const auto pieces = study.Get<uint32_t>("pieces");
    for (uint32_t piece = 0; piece < pieces; ++piece)
    {
        program.AddComputation(MakeComputation(compute / pieces, imbalance));
    }
    isSplit ? program.AddWait(barrier) : program.AddCollective(barrier);
    // Start is not const in ns-3.37.
    auto processes = program.Install(domain, hosts);
    CollectiveApplicationHelper::AssignStreams(processes, study.Get<uint32_t>("stream"));
    BackgroundTraffic traffic(*domain, study.m_traffic);
    Done done{traffic, uint64_t{study.m_job.hosts} * nAll, std::vector<Time>(nAll)};
    processes.Start(traffic.Start());
    for (auto i = processes.Begin(); i != processes.End(); ++i)
    {
        (*i)->TraceConnectWithoutContext("Done", MakeCallback(&Done::Note, &done));
    }
    Simulator::Run();
    const auto missing = domain->ExplainMissing();
    WormholeError::ThrowIf(!missing.empty(), algorithm + ": " + missing);
    const auto& times = done.times;
    SampleSummary summary;
    for (std::size_t step = SPLIT_WARM_UP; step < times.size(); ++step)
    {
        summary.Add((times[step] - times[step - 1]).ToDouble(Time::US));
    }
    const auto time = (times.back() - times[SPLIT_WARM_UP - 1]).ToDouble(Time::US);
    return {time / nSteps, summary.GetPercentile99()};
}

struct SplitMeasurement
{
    void operator()(SweepStudy& study, CsvRow& row)
    {
        const auto measure = [&](const SplitCase& of) {
            const auto found = known.find(of);
            return found != known.end() ? found->second : known[of] = MeasureSteps(study, of);
        };
        row["members"] = study.m_job.hosts;
        const auto& algorithm = row["algorithm"].Text();
        const auto compute = PicoSeconds(std::llround(row["compute_us"] * 1e6));
        const auto imbalance = row["imbalance_percent"].Whole();
        const auto at = study.Place(row);
        const auto barrier = measure({algorithm, "in-call", Time(0), 0, "barrier", at});
        const auto blocking = measure({algorithm, "in-call", compute, imbalance, "blocking", at});
        const auto split =
            measure({algorithm, row["progress"].Text(), compute, imbalance, "split", at});
        std::tie(row["barrier_us"], row["barrier_us_p99"]) = barrier;
        std::tie(row["blocking_us"], row["blocking_us_p99"]) = blocking;
        std::tie(row["split_us"], row["split_us_p99"]) = split;
        row["saved_percent"] =
            barrier.first > 0 ? 100 * (blocking.first - split.first) / barrier.first : 0;
    }

    std::map<SplitCase, Steps> known; ///< what was measured
};

uint32_t
ReadSplit(SweepStudy& study, const OptionValues& values)
{
    if (!values.Has("algorithms"))
    {
        study.Choose("algorithms",
                     SweepStudy::Words{"dissemination",
                                       "dissemination[Transport=rdma]",
                                       "btin",
                                       "hw-1",
                                       "hw-all"});
    }
    study.m_common["pieces"] = study.Get<uint32_t>("pieces");
    const auto isOwn = FabricOptions::Has(values) || values.Has("placement");
    const auto members = isOwn && !values.Has("members") ? 0 : study.Get<uint32_t>("members");
    if (members > study.GetNHosts())
    {
        const auto nHosts = std::to_string(study.GetNHosts());
        values.Refuse("members", "the fabric has " + nHosts + " hosts; expected 1 to " + nHosts);
    }
    return members;
}

} // namespace

/// How much of a barrier computing hides that processes do between entering it and waiting for it:
/// split-phase, or fuzzy, barriers. Processes, one on each of the fabric's first hosts, do steps
/// without a pause: they enter, compute and wait, or, for comparison, compute and meet in a barrier
/// that blocks. The time of a step is that of the last process, over all steps after those in which
/// processes fall into step.
std::unique_ptr<StudyDefinition>
MakeSplitStudy()
{
    return std::make_unique<SweepStudy>(SweepCase{
        {"split-barrier",
         "split_barrier",
         "Measures how much of a barrier's time is hidden by computing.",
         SPLIT_USAGE,
         "a row for each algorithm, imbalance, computing time and progress"},
        MakeSplitTable(),
        MakeSplitPlots,
        {{"algorithms=dissemination,hw-1 [list]: Barriers; default: dissemination, by messages and "
          "by remote writes (dissemination[Transport=rdma]), btin, hw-1 and hw-all",
          {"progressBy=in-call,independent (in-call,interrupt,independent) [list]: Who advances "
           "the barrier while a process computes",
           HostSoftware::GetProgressNames()},
          "compute=0us,10us (0us,1us,2us,5us,10us,20us,30us,40us,60us,80us) [list time]: Mean "
          "times to compute in a step",
          "imbalance=0,50 percent (0,50) [list 0..100]: Largest random deviation of each computing "
          "time from the mean",
          "pieces=4 (1) [1..1000]: Number of pieces of a step's computation; messages are handled "
          "between pieces",
          "members=32 (64) [1..1000000 alias groupSize]: Number of processes; default with your "
          "own fabric: all hosts, or those that placement names",
          "steps=20 (20) [1..1000000]: Number of consecutive steps to average over",
          "stream=0 (0) [0..1GiB]: Stream of random numbers for computing times"},
         SweepStudy::GetMessageCosts("2us", "1us"),
         {"poll=200ns (200ns) [time] ns3::HostSoftware::PollTime: Time of the poll that detects a "
          "remote write",
          "interrupt=1us (1us) [time] ns3::HostSoftware::InterruptTime: Extra time for which a "
          "message occupies the process that it interrupts"}},
        {"a random fabric", "irregular:switches=24,hosts=64"},
        true,
        "first",
        "",
        {{"algorithm", "algorithms"},
         {"imbalance_percent", "imbalance"},
         {"compute_us", "compute"},
         {"progress", "progressBy"}},
        "split_us",
        [](SweepStudy& study) { study.AddOwnAttributes("HostSoftware::Progress"); },
        "algorithms",
        CollectiveHelper::MakeBarrier,
        ReadSplit,
        SplitMeasurement()});
}

} // namespace ns3
