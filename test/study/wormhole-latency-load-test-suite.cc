// SPDX-License-Identifier: GPL-2.0-only

#include "../asked-study.h"
#include "../test-fabrics.h"

#include "ns3/config.h"
#include "ns3/load-measurement.h"
#include "ns3/study-makers.h"
#include "ns3/traffic-patterns.h"
#include "ns3/traffic-record.h"

#include <iomanip>

using namespace ns3;

SUITE("wormhole-latency-load", UNIT);

namespace
{

std::string
Exactly(double number)
{
    std::ostringstream text;
    text << std::setprecision(17) << number;
    return text.str();
}

/// @return a study whose simulations have fewer worms than those of its program
AskedStudy
Ask(uint64_t allWorms, const std::string& options, const FabricGraph* graph = nullptr)
{
    return AskedStudy(MakeLatencyLoadStudy(allWorms), options, graph);
}

std::string
StateOf(const LoadMeasurement::Outcome& outcome)
{
    return LoadMeasurement::NameOf(outcome.state);
}

/// Hosts 0 and 1 send to each other, and so on.
class PairsPattern : public FixedPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::PairsPattern")
                                .SetParent<FixedPattern>()
                                .SetGroupName("Wormhole")
                                .AddConstructor<PairsPattern>();
        return tid;
    }

  private:
    std::vector<uint32_t> MakeDestinations(uint32_t nHosts) override
    {
        return MadeOf(MakeRange(nHosts), [](uint32_t host) { return host ^ 1; });
    }
};

/// Flit time of the defaults, ps.
constexpr double TAU = 6250;

/// @return latency of a worm that is alone, from host to host at one switch, by rules S1 to S7, ps
double
LoneLatency(double flits)
{
    const double p = 20000;    // of a cable
    const double t_r = 300000; // of switch and interface
    return t_r + (TAU + p + t_r) + flits * TAU + p + t_r;
}

TEST_CASE(KnownLatencyTestCase,
          "Lone worms take what the rules say, and queues what queueing theory says")
{
    const auto measure = [&](const std::string& flits, double load, const std::string& arrivals) {
        const auto graph = MakeStar(2);
        LoadMeasurement::Setup setup;
        setup.flits = flits;
        setup.allWorms = 32768;
        setup.traffic.SetAttribute("Arrivals", StringValue(arrivals));
        return LoadMeasurement(graph, setup).Measure(load, true);
    };
    // Expects what the Pollaczek-Khinchine formula says: only sources' queues make worms wait.
    const auto expectQueue =
        [&](const std::string& flits, double load, double mean, double squares) {
            const auto outcome = measure(flits, load, "poisson");
            const auto expected = LoneLatency(mean) + load * squares / mean / 2 / (1 - load) * TAU;
            NS_TEST_EXPECT_MSG_EQ(StateOf(outcome), "steady", flits);
            Within(outcome.found.latency,
                   expected,
                   1.5 * outcome.found.latencyCi95,
                   flits + " at " + std::to_string(load));
            NS_TEST_EXPECT_MSG_LT(outcome.found.latencyCi95, 0.1 * expected, "interval");
        };
    for (const uint32_t flits : {1, 64, 1024})
    {
        const auto outcome = measure(std::to_string(flits), 0.01, "periodic");
        NS_TEST_EXPECT_MSG_EQ(outcome.found.latency, LoneLatency(flits), "mean");
        NS_TEST_EXPECT_MSG_EQ(outcome.found.latency99, LoneLatency(flits), "99 %");
        NS_TEST_EXPECT_MSG_EQ(outcome.found.latencyCi95, 0, "all are alike");
    }
    expectQueue("64", 0.2, 64, 64 * 64);
    expectQueue("64", 0.8, 64, 64 * 64);
    expectQueue("geometric:64", 0.5, 64, 64 * 63 + 64 * 64);
    expectQueue("bimodal:8:1024:0.1", 0.5, 109.6, 0.9 * 8 * 8 + 0.1 * 1024 * 1024);
}

TEST_CASE(BooksimPresetTestCase, "Another simulator's units, and its defaults, by the closed form")
{
    const auto graph = MakeStar(2);
    for (const uint32_t flits : {1, 8})
    {
        const auto study = Ask(512,
                               "preset=booksim arrivals=periodic loads=0.02 noSearch" +
                                   (flits > 1 ? " flits=" + std::to_string(flits) : ""),
                               &graph);
        const auto& row = study.GetRows().front();
        // Two cables of a cycle; a switch of three, and one for the head; no time at interfaces.
        const auto expected = 2 + (3 + 1) + flits;
        NS_TEST_EXPECT_MSG_EQ_TOL(double(row["packet_latency"]), expected, 1e-9, flits);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(row["network_latency"]), expected, 1e-9, flits);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(row["cycle_ns"]), TAU / 1000, 1e-6, flits);
        NS_TEST_EXPECT_MSG_EQ_TOL(double(row["accepted_flit_rate"]), 0.02, 0.001, flits);
    }
    // Half of the time is for sources' queues, which the network's latency leaves out.
    const auto study = Ask(32768, "preset=booksim loads=0.5 noSearch", &graph);
    const auto& row = study.GetRows().front();
    NS_TEST_EXPECT_MSG_EQ_TOL(double(row["network_latency"]), 7, 1e-9, "alone once it starts");
    Within(double(row["packet_latency"]), 7.5, 0.05, "M/D/1: rho / (1 - rho) / 2");
}

TEST_CASE(SaturationTestCase, "Saturation is found, and told as such")
{
    const auto expect = [&](uint32_t hosts,
                            const std::string& pattern,
                            const std::string& arrivals,
                            double capacity) {
        const auto graph = MakeStar(hosts);
        const auto options = "pattern=" + pattern + " arrivals=" + arrivals +
                             " loads=" + Exactly(capacity / 2) + ",1.5,10" +
                             (pattern == "hotspot" ? " hotFraction=1" : "");
        const auto study = Ask(16384, options, &graph);
        const auto& rows = study.GetRows();
        const auto high = rows.front()["saturation_high"];
        const auto low = rows.front()["saturation_low"];
        const auto what = std::to_string(hosts) + " hosts, " + pattern + ", " + arrivals;
        if (capacity == 1 && std::isnan(high))
        {
            NS_TEST_EXPECT_MSG_EQ(arrivals, "periodic", what << ": chance makes queues");
            NS_TEST_EXPECT_MSG_EQ(low, 1, what << ": all of the channel can be used");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ((arrivals == "poisson" || capacity < 1), true, what);
            NS_TEST_EXPECT_MSG_EQ_TOL(low, capacity, 0.04 * capacity, what);
            NS_TEST_EXPECT_MSG_EQ_TOL(high, capacity, 0.04 * capacity, what);
            NS_TEST_EXPECT_MSG_LT(low, high, what);
        }
        for (const auto& row : rows)
        {
            const bool steady = row["state"].Text() == "steady";
            NS_TEST_EXPECT_MSG_EQ(std::isnan(row["latency_us_mean"]), !steady, what << row["load"]);
            NS_TEST_EXPECT_MSG_EQ(std::isnan(row["latency_us_ci95"]), !steady, what << row["load"]);
            NS_TEST_EXPECT_MSG_EQ(std::isnan(row["latency_us_p99"]), !steady, what << row["load"]);
            if (row["load"] < 0.95 * capacity)
            {
                NS_TEST_EXPECT_MSG_EQ(row["state"].Text(), "steady", what << row["load"]);
                NS_TEST_EXPECT_MSG_EQ_TOL(row["accepted"], row["load"], 0.03 * row["load"], what);
            }
            Holds(row["load"] <= 1.05 * capacity || row["state"].Text() == "saturated", what);
        }
    };
    const auto expectState = [&](const FabricGraph& graph,
                                 const std::string& pattern,
                                 double load,
                                 const std::string& state,
                                 const std::string& arrivals = "periodic",
                                 const std::string& flits = "64") {
        LoadMeasurement::Setup setup;
        setup.flits = flits;
        setup.allWorms = 16384;
        setup.traffic.SetPattern(pattern);
        setup.traffic.SetAttribute("Arrivals", StringValue(arrivals));
        const auto outcome = LoadMeasurement(graph, setup).Measure(load, true);
        NS_TEST_EXPECT_MSG_EQ(StateOf(outcome), state, pattern << " at " << load);
    };
    PairsPattern::GetTypeId();
    // Of 32 pairs of hosts, two share a cable: few flits of all, but without a latency.
    FabricGraph graph(2, 64, 65);
    graph.Connect(0, 64, 1, 64);
    for (uint32_t host = 0; host < 64; ++host)
    {
        graph.Connect(host == 1 || host == 3, host, graph.HostAt(host), 0);
    }
    expectState(graph, "ns3::PairsPattern", 0.45, "steady");
    expectState(graph, "ns3::PairsPattern", 0.55, "saturated");
    // All that a channel can carry: only without chance is there a latency.
    expectState(MakeStar(2), "uniform", 1, "steady");
    expectState(MakeStar(2), "uniform", 1, "saturated", "poisson");
    expectState(MakeStar(2), "uniform", 1, "saturated", "periodic", "geometric:64");
    // Little more than fits, of all sources alike.
    expectState(MakeStar(4), "ns3::PairsPattern", 1.03, "saturated");
    expect(2, "uniform", "poisson", 1);
    expect(2, "uniform", "periodic", 1);
    expect(5, "hotspot", "poisson", 1.0 / 4);
    expect(9, "hotspot", "poisson", 1.0 / 8);
    expect(33, "hotspot", "periodic", 1.0 / 32);
    expect(16, "permutation", "periodic", 1);
}

TEST_CASE(BottleneckTestCase,
          "No fabric carries more than its busiest channel; long buffers come near it")
{
    for (int64_t stream = 0; stream < 3; ++stream)
    {
        const auto graph = DrawFabric(8, 16, 100 + stream);
        const auto capacity = CountBound(graph, *WormholeHelper().Install(graph)->GetRouter());
        LoadMeasurement::Setup setup;
        setup.worms = 1024;
        setup.allWorms = 0;
        setup.fabrics.SetPortAttribute("BufferDepth", UintegerValue(4096));
        const LoadMeasurement measurement(graph, setup);
        NS_TEST_EXPECT_MSG_EQ_TOL(measurement.GetBound(), capacity, 1e-9, "bound");
        for (const auto& [part, state] : {std::pair(0.6, "steady"), {1.1, "saturated"}})
        {
            const auto outcome = measurement.Measure(part * capacity, true);
            NS_TEST_EXPECT_MSG_EQ(StateOf(outcome), state, part << " of capacity " << capacity);
        }
    }
}

TEST_CASE(BoundTestCase,
          "The bound holds for every pattern, and the search does not go far above it")
{
    for (const auto& pattern : WormholeTrafficHelper::GetPatternNames())
    {
        const auto graph = DrawFabric(8, 16, 0); // as the study's
        LoadMeasurement::Setup setup;
        setup.fabrics.SetPortAttribute("BufferDepth", UintegerValue(256));
        setup.traffic.SetPattern(pattern);
        setup.worms = 128;
        setup.allWorms = 0;
        const LoadMeasurement measurement(graph, setup);
        const auto bound = measurement.GetBound();
        Holds(bound > 0 && bound <= 1, pattern);
        const auto outcome = measurement.Measure(1.15 * bound, true);
        NS_TEST_EXPECT_MSG_EQ(StateOf(outcome), "saturated", pattern << ", well above the bound");

        uint32_t saturated = 0;
        const auto study =
            Ask(0, "switches=8 hosts=16 pattern=" + pattern + " worms=128 bufferDepth=256");
        for (const auto& row : study.GetRows())
        {
            NS_TEST_EXPECT_MSG_LT(row["saturation_low"], 1.05 * bound, pattern);
            NS_TEST_EXPECT_MSG_LT(row["load"], 1.3 * bound, pattern << ", far above");
            saturated += row["load"] > 1.2 * row["saturation_high"];
        }
        NS_TEST_EXPECT_MSG_LT(saturated, 4, pattern << ", loads well above saturation");
    }
}

TEST_CASE(LatencyLoadStudyTestCase, "Same seed, same bytes; rows, plots and mistakes")
{
    const auto ask = [](const std::string& more,
                        const std::string& lengths = "16,geometric:200",
                        uint32_t runs = 2) -> AskedStudy {
        return Ask(0,
                   "switches=8 hosts=16 flits=" + lengths +
                       " worms=64 runs=" + std::to_string(runs) + " " + more);
    };
    const auto study = ask({});
    const auto& rows = study.GetRows();
    const auto csv = study.GetCsv();
    NS_TEST_EXPECT_MSG_EQ(ask("scheduler=PriorityQueue").GetCsv(), csv, "again");
    const std::string one = "loads=0.01 noSearch";
    const std::string other = "loads=0.01 noSearch seed=2";
    NS_TEST_EXPECT_MSG_NE(ask(other).GetCsv(), ask(one).GetCsv(), "another seed");

    const auto path = WriteTemporary("rows.csv", csv);
    const auto reread = AskedStudy::Read("latency-load", path);
    NS_TEST_EXPECT_MSG_EQ(reread.GetCsv(), csv, "read and written again");
    uint32_t run = 1;
    double load = 0;
    std::string flits = "16";
    for (const auto& row : rows)
    {
        const bool next = row["run"] != run || row["flits"].Text() != flits;
        NS_TEST_EXPECT_MSG_EQ((next || row["load"] > load), true, "order of rows");
        run = row["run"].Whole();
        flits = row["flits"].Text();
        load = row["load"];
        NS_TEST_EXPECT_MSG_EQ((row["saturation_low"] < row["saturation_high"]), true, "bisection");
        Holds(row["load"] <= row["saturation_low"] || row["load"] >= row["saturation_high"],
              "no load is between these");
        Holds(row["load"] < 1.1 * row["saturation_high"] || row["state"].Text() != "steady",
              "a load well beyond saturation is steady");
    }
    NS_TEST_EXPECT_MSG_EQ(run, 2, "runs");

    const auto directory = CreateTempDirFilename("plots");
    const auto files = reread.WritePlots(directory, "a-");
    NS_TEST_ASSERT_MSG_EQ(files.size(), 2, "plots");
    ContainsAll(ReadText(directory + "/" + files[0]),
                {"8 switches, 16 hosts",
                 "16 flits, mean, saturated from",
                 "geometric:200, mean",
                 "set output './a-latency.png'"});
    const auto twice = WriteTemporary("twice.csv", csv + csv.substr(csv.find('\n') + 1));
    Refuses([&] { AskedStudy::Read("latency-load", twice).WritePlots(directory, "b-"); },
            " of run 1, 16 flits, appears twice; expected files that differ");
    const auto says = [&](const std::string& field, const std::string& wrong, auto words) {
        auto text = csv;
        text.replace(text.find(field), field.size(), wrong);
        const auto path = WriteTemporary("wrong.csv", text);
        Refuses([&] { AskedStudy::GetTable("latency-load").Read(path); }, words);
    };
    says("steady", "good", "csv:2: state 'good': expected steady, saturated");
    says("steady", "saturated", "csv:2: latency_us_mean");
    says("poisson,16,", "poisson,16,-", "expected a number above 0");
    says("run,", "runs,", "csv:1: ");

    // A load asked for between the ends of saturation becomes one of them.
    const auto& found = rows.front();
    const auto between = (found["saturation_low"] + found["saturation_high"]) / 2;
    const auto narrower = ask("loads=" + Exactly(between), found["flits"].Text(), 1);
    const auto& row = narrower.GetRows().front();
    const auto same = [](double a, double b) { return std::abs(a - b) < 1e-9; };
    Holds((same(row["saturation_low"], between) && row["saturation_high"] > between) ||
              (same(row["saturation_high"], between) && row["saturation_low"] < between),
          Exactly(between) + " is neither end of where it saturates");

    const auto saturated = ask("loads=1.5 noSearch", "16", 1);
    NS_TEST_ASSERT_MSG_EQ(saturated.GetRows().size(), 1, "one load");
    Equals(saturated.GetRows()[0]["state"].Text(), "saturated", "more than a channel carries");
    const auto saturatedPlots = CreateTempDirFilename("saturated");
    for (const auto& file :
         AskedStudy::Read("latency-load", WriteTemporary("rows.csv", saturated.GetCsv()))
             .WritePlots(saturatedPlots, ""))
    {
        ContainsAll(ReadText(saturatedPlots + "/" + file),
                    {"16 flits, saturated at 1.5", "set arrow from first 1.5"});
    }

    const auto refuses = [this](const std::string& words, const std::string& changed) {
        Refuses([&] { AskedStudy("latency-load", "switches=8 worms=128 " + changed); }, words);
    };
    refuses("pattern=tornado", "pattern=tornado");
    refuses("arrivals=bursty", "arrivals=bursty");
    refuses("'10.5' is not accepted", "loads=0.5,10.5");
    refuses("leaves no loads to measure", "noSearch");
    refuses("'0' is no length", "flits=64,0");
    refuses("'h16' is no host", "hosts=16 pattern=hotspot hotHost=h16");
    refuses("there are 15; expected 9 or 16", "hosts=15 pattern=transpose");
}

/// Worms that outages stop are in no queue: 1 % of the time each of a torus's cables is down.
TEST_CASE_WITH(LossyLoadTestCase,
               (uint32_t worms),
               "Lost worms are not queued, of " + std::to_string(worms) + " of each host")
{
    Config::SetDefault("ns3::WormholeFabric::OutageSchedule",
                       StringValue("each-cable mtbf 1ms mttr 10us until 1s"));
    const auto lossy =
        Ask(0, "topology=torus:4x4 loads=0.1 noSearch worms=" + std::to_string(worms));
    Config::SetDefault("ns3::WormholeFabric::OutageSchedule", StringValue(""));
    const auto& lost = lossy.GetRows().front();
    NS_TEST_EXPECT_MSG_EQ(lost["state"].Text(), "steady", "lost worms are not queued");
    NS_TEST_EXPECT_MSG_EQ_TOL(lost["lost"], 0.022, 0.015, "2.13 cables, and worms take time");
    Within(lost["accepted"] / lost["offered"], 1 - lost["lost"], 0.002, "the rest");
}

ADD_CASES()
{
    AddQuick<LossyLoadTestCase>(384);
    AddExtensive<LossyLoadTestCase>(8192);
}

// Loads that a simulation is too short to tell anything of.
SUITE("wormhole-unsettled-load", UNIT);

/// The time that worms take through a fabric, of a record that is made without one.
TEST_CASE(TransitTestCase, "Worms on their way count with their age, sources' queues do not")
{
    TrafficRecord record(2, 2, 1);
    record.AddGenerated(0, 10, 100);
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(1).transit, 0, "just made");
    record.AddGenerated(1, 10, 200);
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(1).transit, 50, "100 and 0");
    record.AddGenerated(0, 10, 300); // waits at its source
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(1).transit, 150, "200 and 100");
    record.AddDelivered(0, 10, 250);
    record.AddGenerated(1, 10, 400);
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(1).transit, 225, "250, which arrived, and 200");
    record.AddDelivered(0, 10, 1000);
    record.AddGenerated(1, 10, 1400);
    NS_TEST_EXPECT_MSG_EQ(record.Summarize(1).transit, 725, "250, not 1000, and 1200");
}

/// Long cables, in which many worms are on their way before the first one arrives.
TEST_CASE(ShortSimulationTestCase,
          "Nothing is judged before several times a worm takes; a search neither")
{
    const auto graph = MakeStar(2);
    const auto measure = [&](uint32_t worms, double load) -> LoadMeasurement::Outcome {
        LoadMeasurement::Setup setup;
        setup.worms = worms;
        setup.allWorms = 0;
        setup.fabrics.SetChannelAttribute("Delay", TimeValue(MicroSeconds(40)));
        setup.fabrics.SetPortAttribute("BufferDepth", UintegerValue(20000));
        return LoadMeasurement(graph, setup).Measure(load, true);
    };
    const auto expectSearch = [&](uint32_t worms, bool isLong) {
        const auto options = "worms=" + std::to_string(worms) + " linkDelay=40us bufferDepth=20000";
        const auto study = Ask(0, options, &graph);
        for (const auto& row : study.GetRows())
        {
            if (isLong)
            {
                NS_TEST_EXPECT_MSG_GT(row["saturation_low"], 0.9, "found");
            }
            else
            {
                // Worms of a low load are made over a time that is long enough.
                const std::string state = row["load"] > 0.35   ? "unsettled"
                                          : row["load"] < 0.25 ? "steady"
                                                               : row["state"].Text();
                NS_TEST_EXPECT_MSG_EQ(row["state"].Text(), state, "at " << row["load"]);
                Holds(std::isnan(row["saturation_high"]), "nothing saturated");
                NS_TEST_EXPECT_MSG_LT(row["saturation_low"], 0.35, "nor accepted");
            }
        }
    };
    for (const auto load : {0.6, 0.9})
    {
        // A worm takes 81 us, and one is made in 0.4 us over the load.
        for (const uint32_t worms : {1, 4, 16})
        {
            const auto outcome = measure(worms, load);
            NS_TEST_EXPECT_MSG_EQ(StateOf(outcome), "unsettled", worms << " worms at " << load);
            NS_TEST_EXPECT_MSG_EQ(outcome.isObserved, false, "too short");
            NS_TEST_EXPECT_MSG_EQ(std::isnan(outcome.found.accepted), true, "says nothing");
        }
        const auto outcome = measure(8192, load);
        NS_TEST_EXPECT_MSG_EQ(StateOf(outcome), "steady", load);
        NS_TEST_EXPECT_MSG_EQ_TOL(outcome.found.accepted, load, 0.03 * load, "all of it");
    }
    expectSearch(8, false);
    expectSearch(8192, true);
}

} // namespace
