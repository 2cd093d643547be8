/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-load-study.h"

#include "ns3/csv-table.h"
#include "ns3/fabric-options.h"
#include "ns3/own-simulation.h"
#include "ns3/program-options.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/study-form.h"
#include "ns3/uinteger.h"
#include "ns3/worm-length.h"
#include "ns3/wormhole-traffic-helper.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace ns3
{

namespace
{

/// @return topologies, one a line
std::string
Examples()
{
    std::string lines;
    for (const auto& example : GetTopologyExamples())
    {
        lines += "  " + example + "\n";
    }
    return lines;
}

/// @return what the program is for
std::string
GetUsage()
{
    return "Latency and throughput of a wormhole fabric over the load that its hosts offer, and "
           "the load from which on it is saturated.\n"
           "\n"
           "Examples:\n"
           "  latency-load\n"
           "      75 switches, 256 hosts, uniform traffic, worms of 64 flits; CSV to standard "
           "output\n"
           "  latency-load --flits=64,1024 --csv=latency.csv --plots=plots\n"
           "      two lengths of worms, with plots\n"
           "  latency-load --pattern=hotspot --hotFraction=0.05 --hotHost=h7 "
           "--loads=0.005,0.01,0.02\n"
           "      a hot host, at three loads\n"
           "  latency-load --fabric=cluster.json --flits=bimodal:8:1024:0.1 --arrivals=periodic\n"
           "      one's own fabric; a tenth of the worms is long\n"
           "  latency-load --topology=clos:ports=16 --pattern=permutation\n"
           "      a fabric of a regular family\n"
           "  latency-load --runs=10 --bufferDepth=1024 --ns3::WormholeFabric::FlitSize=2\n"
           "      means over ten random fabrics; attributes of the fabric\n"
           "  latency-load --fromCsv=a.csv,b.csv --plots=plots\n"
           "      plots of earlier results\n"
           "\n"
           "Loads are ratios of a channel's rate, for each host that sends. A load above capacity "
           "is marked as saturated and has no latency.\n"
           "\n"
           "Patterns:\n"
           "  uniform         to a random other host\n"
           "  permutation     each host to one other host, drawn once\n"
           "  transpose       hosts in a square, to the place mirrored at its diagonal\n"
           "  bit-reversal    to the host whose number has the same bits in reverse order\n"
           "  hotspot         a fraction of all worms to one host, the others to a random other "
           "one\n"
           "  nearest-switch  to a random one of the hosts at the fewest cables away\n"
           "\n"
           "Topologies, for example:\n" +
           Examples() +
           "\n"
           "ns-3's global value SchedulerType is set by --scheduler, to Wormhole rather than "
           "ns-3's Map, which takes longer; results are the same.";
}

/// Tells on standard error what was found. @param row that
void
Tell(const LatencyLoadRow& row)
{
    std::fprintf(stderr,
                 "%s: run %u, %s flits, load %.4g: accepted %.4g, %s",
                 "latency-load",
                 row.run,
                 row.flits.c_str(),
                 row.load,
                 row.accepted,
                 row.state.c_str());
    if (!std::isnan(row.latencyUsMean))
    {
        std::fprintf(stderr, ", %.3f +- %.3f us", row.latencyUsMean, row.latencyUsCi95);
    }
    std::fputc('\n', stderr);
}

/// Options that draw a fabric.
const std::vector<std::string> DRAWING{"switches", "hosts", "ports", "connectivity", "law"};

/// The study as people ask for it.
class LatencyLoadForm : public RowStudyForm<LatencyLoadRow>
{
  public:
    LatencyLoadForm();

    void Measure(const Progress& progress) override;
    void MeasureAndTell(bool isAsked) override;
    std::vector<std::string> GetRemarks() const override;

    std::vector<StudyPlot> MakePlots() const override
    {
        return MakeLatencyLoadPlots(m_rows);
    }

  protected:
    void Finish(const OptionValues& values) override;
    void CheckTogether(const OptionValues& values) const override;

  private:
    LatencyLoadStudy::Parameters m_parameters; ///< what is asked of the study
};

LatencyLoadForm::LatencyLoadForm()
    : RowStudyForm({"latency-load",
                    "latency_load",
                    "Measures latency and throughput over the load that hosts offer, and the load "
                    "from which on the fabric is saturated.",
                    GetUsage(),
                    "a row for each run, length and load; a saturated load has no latency",
                    true})
{
    constexpr uint32_t MANY = 1000000;
    auto& p = m_parameters;
    AddWhole({"switches", "75", "", "Number of switches", "75"}, 1, MANY, Into(p.drawn.switches));
    AddWhole({"hosts", "256", "", "Number of hosts", "256"}, 1, MANY, Into(p.drawn.hosts));
    AddWhole({"ports", "8", "", "Ports of each switch", "8"}, 2, 65535, [&p](uint32_t ports) {
        p.drawn.ports = ports;
    });
    AddRatio({"connectivity", "0.75", "", "Ratio of ports in use", "0.75"},
             1,
             Into(p.drawn.connectivity));
    AddWord(
        {"law", "recursive", "", "How cables are drawn", "recursive"},
        IrregularTopologyHelper::GetLawNames(),
        [&p](const std::string& law) { p.drawn.law = IrregularTopologyHelper::LawByName(law); });
    AddFabric("drawn ones");
    AddText({"root", "first", "", "Root of the routes: first, degree, center or a switch", "first"},
            [&p](const std::string& root) { p.fabrics.SetRoutingRoot(root); })
        .isSetWhenGiven = true;
    AddWord({"pattern", "uniform", "", "Who sends to whom", "uniform"},
            WormholeTrafficHelper::GetPatternNames(),
            Into(p.pattern));
    AddRatio({"hotFraction", "0.1", "", "Fraction of the worms for the hot host", "0.1"},
             1,
             Into(p.hotFraction))
        .attribute = "ns3::HotspotPattern::Fraction";
    AddText({"hotHost", "h0", "", "Name of the hot host; the first one without it", ""},
            Into(p.hotHost))
        .attribute = "ns3::HotspotPattern::Host";
    AddWord({"arrivals", "poisson", "", "When hosts make worms", "poisson"},
            {"poisson", "periodic"},
            Into(p.arrivals))
        .attribute = "ns3::WormholeTraffic::Arrivals";
    AddTexts({"flits",
              "64,1024",
              "",
              "Lengths of worms, each FLITS, uniform:MIN:MAX, bimodal:SHORT:LONG:RATIO or "
              "geometric:MEAN",
              "64"},
             Into(p.flits));
    AddRatios({"loads",
               "0.05,0.1",
               "",
               "Offered loads, ratios of a channel's rate; some ten up to saturation without it",
               ""},
              LatencyLoadStudy::GREATEST_LOAD,
              Into(p.loads))
        .attribute = "ns3::WormholeTraffic::Load";
    AddSwitch("noSearch", "Do not look for saturation", [&p](bool isOff) { p.search = !isOff; });
    AddWhole({"worms",
              "2048",
              "",
              "Worms of a host in a simulation of full length; 131072 in all at least",
              "2048"},
             1,
             10000000,
             Into(p.worms));
    AddWhole({"runs", "10", "", "Random fabrics, or traffics of one fabric", "1"},
             1,
             MANY,
             Into(p.runs));
    AddWhole({"seed", "1", "", "Seed of random numbers", "1"},
             1,
             SeedKeeper::MAX_SEED,
             Into(p.seed));
    AddFabricDelays(p.fabrics);
    AddWhole(
        {"bufferDepth", "56", "flits", "Depth of input buffers; 0: the cable's round trip", "0"},
        0,
        1000000000,
        [&p](uint32_t depth) { p.fabrics.SetPortAttribute("BufferDepth", UintegerValue(depth)); })
        .isSetWhenGiven = true;
    AddWord({"scheduler",
             "PriorityQueue",
             "",
             "Scheduler of events, this module's or ns-3's; results are the same",
             "Wormhole"},
            ProgramOptions::GetSchedulerNames(),
            [](const std::string& name) { ProgramOptions::UseScheduler(name); });
    AddCondition({"worms"},
                 "more hosts or worms: there are " + std::to_string(p.allWorms) +
                     " of all at least",
                 [&p](const OptionValues&) {
                     const auto hosts = p.given ? p.given->GetNHosts() : p.drawn.hosts;
                     const LatencyLoadStudy::Parameters byDefault;
                     return std::max(p.worms, byDefault.worms) * uint64_t{hosts} > p.allWorms;
                 });
}

void
LatencyLoadForm::CheckTogether(const OptionValues& values) const
{
    values.RefuseTogether("fabric", DRAWING);
    values.RefuseTogether("topology", DRAWING);
    if (values.Has("topology") && values.Has("root"))
    {
        values.Refuse("root",
                      "has no effect with " + values.Show("topology") + "; accepted is " +
                          values.Show("topology",
                                      values.Get("topology") +
                                          ",routing=up-down,root=" + values.Get("root")));
    }
    for (const auto name : {"hotFraction", "hotHost"})
    {
        if (values.Has(name) && values.Get("pattern") != "hotspot")
        {
            values.RefuseAlone(name, "pattern", "hotspot");
        }
    }
    if (values.Has("noSearch") && !values.Has("loads"))
    {
        values.Refuse("noSearch",
                      "leaves no loads to measure; accepted is it with " +
                          values.Show("loads", "0.05,0.1") + " or the like");
    }
}

void
LatencyLoadForm::Finish(const OptionValues& values)
{
    auto& p = m_parameters;
    for (const auto& flits : p.flits)
    {
        values.Check("flits", [&] { WormLength::Parse(flits); });
    }
    if (FabricOptions::Has(values))
    {
        RngSeedManager::SetSeed(p.seed); // for one that is drawn
        RngSeedManager::SetRun(1);
        const auto topology = FabricOptions::Read(values);
        p.given = std::make_shared<FabricGraph>(topology->graph);
        p.givenName = FabricOptions::GetText(values);
        const auto& routing = topology->graph.GetRoutes().routing;
        if (!values.Has("root"))
        {
            p.fabrics.SetRouter(topology->router);
        }
        else if (routing != "up-down")
        {
            values.Refuse("root",
                          "has no effect on the routes of " + p.givenName + ", which are " +
                              routing + "; accepted is " +
                              values.Show("routing", "up-down[Root=" + values.Get("root") + "]"));
        }
    }
}

void
LatencyLoadForm::Measure(const Progress& progress)
{
    uint32_t done = 0;
    m_parameters.jobs = GetJobs();
    m_rows = LatencyLoadStudy(m_parameters).Run([&](const LatencyLoadRow&) {
        if (progress)
        {
            progress(++done, 0); // how many loads there will be follows from what is found
        }
    });
}

void
LatencyLoadForm::MeasureAndTell(bool isAsked)
{
    m_parameters.jobs = GetJobs();
    const bool isTelling = isAsked || isatty(STDERR_FILENO);
    m_rows = LatencyLoadStudy(m_parameters).Run(isTelling ? Tell : LatencyLoadStudy::Progress());
}

std::vector<std::string>
LatencyLoadForm::GetRemarks() const
{
    const auto n = std::count_if(m_rows.begin(), m_rows.end(), [](const auto& row) {
        return std::isnan(row.accepted);
    });
    if (n == 0)
    {
        return {};
    }
    return {
        std::to_string(n) + " of " + std::to_string(m_rows.size()) +
        " loads are unsettled, and nothing is said of them: the simulation was shorter than a few "
        "times a worm takes through the fabric; accepted is more with --worms"};
}

} // namespace

const CsvTable<LatencyLoadRow>&
LatencyLoadRow::GetTable()
{
    using Row = LatencyLoadRow;
    constexpr int RATIO = 4;
    constexpr int LOAD = 6; // loads of large fabrics are small
    static const CsvTable<Row> always{
        {"switches", "", "Number of switches", &Row::switches},
        {"hosts", "", "Number of hosts", &Row::hosts},
        {"connectivity", "", "Ratio of the switches' ports in use", &Row::connectivity, RATIO},
        {"topology", "", "What the fabric is", &Row::topology},
        {"run", "", "Number of the run, from 1", &Row::run},
        {"pattern", "", "Who sends to whom", &Row::pattern},
        {"arrivals", "", "When hosts make worms: poisson or periodic", &Row::arrivals},
        {"flits", "", "Length of worms", &Row::flits},
        {"load", "", "Load asked for, over a channel's rate", &Row::load, LOAD},
        {"offered", "", "Load offered in the time that was measured", &Row::offered, LOAD},
        {"accepted", "", "Load delivered in the time that was measured", &Row::accepted, LOAD},
        {"state",
         "",
         "State: steady, saturated or unsettled",
         &Row::state,
         {"steady", "saturated", "unsettled"}},
        {"latency_us_mean", "us", "Mean latency of a worm", &Row::latencyUsMean},
        {"latency_us_ci95", "us", "Half width of that mean's 95 % interval", &Row::latencyUsCi95},
        {"latency_us_p99", "us", "Latency that 99 % of the worms do not exceed", &Row::latencyUs99},
        {"worms", "", "Worms delivered in the time that was measured", &Row::worms},
        {"warm_up_us", "us", "Time before what was measured", &Row::warmUpUs},
        {"queue_growth", "", "Growth of queues, over flits offered", &Row::queueGrowth, RATIO},
        {"worst_growth",
         "",
         "Growth of the worst source's queue, over worms it made",
         &Row::worstGrowth,
         RATIO},
        {"saturation_low",
         "",
         "Greatest steady load; nan if not looked for",
         &Row::saturationLow,
         LOAD},
        {"saturation_high",
         "",
         "Next load, not steady; nan if not looked for, or none up to 1",
         &Row::saturationHigh,
         LOAD}};
    static const auto table =
        CsvTable<Row>(always).SetCheck([](const CsvFile& file, std::size_t index, const Row& row) {
            if (!(row.load > 0))
            {
                file.Refuse(index, "load", "a number above 0");
            }
            if ((row.state == "steady") != (row.latencyUsMean > 0))
            {
                file.Refuse(index, "latency_us_mean", "a time above 0 if steady, else nan");
            }
        });
    return table;
}

std::unique_ptr<StudyForm>
MakeLatencyLoadStudy()
{
    return std::make_unique<LatencyLoadForm>();
}

} // namespace ns3
