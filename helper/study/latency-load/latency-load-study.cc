/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-load-study.h"

#include "ns3/double.h"
#include "ns3/simulation-scope.h"
#include "ns3/string.h"
#include "ns3/study-fabric.h"
#include "ns3/uinteger.h"
#include "ns3/worker-pool.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

/// Streams of random numbers.
enum Stream
{
    FABRIC, ///< draws the fabric
    TRAFFIC ///< first stream of traffic
};

/// How far apart the ends of the bisection may lie, over the upper one.
constexpr double RESOLUTION = 0.02;
/// Loads below this part of one that is not steady need not be measured thoroughly.
constexpr double NEAR_SATURATION = 0.75;
/// Where the search starts, over the load at which the busiest channel is full.
constexpr double ABOVE_BOUND = 1.05;
/// The next load over the last one, while none is steady.
constexpr double DOWNWARDS = 0.75;
/// Least load that is looked at for saturation.
constexpr double LEAST_LOAD = 1e-6;

/// @return a ratio with four significant digits, the number that those digits are read as
double
Rounded(double ratio)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.4g", ratio);
    return std::strtod(text, nullptr);
}

/// What is known of one length of worms in one run.
class Curve
{
  public:
    Curve(uint32_t run, const std::string& flits)
        : m_common(LatencyLoadStudy::GetTable())
    {
        m_common["run"] = run;
        m_common["flits"] = flits;
        m_common["saturation_low"] = m_common["saturation_high"] =
            std::numeric_limits<double>::quiet_NaN();
    }

    CsvRow& GetCommon()
    {
        return m_common;
    }

    void Search(const LoadMeasurement& measurement, const LatencyLoadStudy::Progress& progress)
    {
        m_measurement = &measurement;
        m_progress = progress;
        double low = 0;
        // Far above what the fabric can carry, a simulation is long and tells little.
        auto high = std::min(1.0, Rounded(measurement.GetBound() * ABOVE_BOUND));
        if (high < 1 && IsSteady(high))
        {
            low = high;
            high = 1;
        }
        if (IsSteady(high))
        {
            m_common["saturation_low"] = 1;
            return;
        }
        NoteLimit(high);
        // What a saturated fabric accepts tells where about to look.
        const auto accepted = std::max(Rounded(m_rows.at(high)["accepted"]), LEAST_LOAD);
        auto next = low < accepted && accepted < high ? accepted : Rounded((low + high) / 2);
        while (high - low > RESOLUTION * high && high > LEAST_LOAD)
        {
            const auto isSteady = IsSteady(next);
            (isSteady ? low : high) = next;
            if (!isSteady)
            {
                NoteLimit(next);
            }
            next = Rounded(low > 0 ? (low + high) / 2 : DOWNWARDS * high);
        }
        const auto hasGaps = std::any_of(m_rows.begin(), m_rows.end(), [](const auto& entry) {
            return !IsObserved(entry.second);
        });
        m_common["saturation_low"] =
            low > 0 || !hasGaps ? low : std::numeric_limits<double>::quiet_NaN();
    }

    CsvRow Measure(const LoadMeasurement& measurement, double load)
    {
        m_measurement = &measurement;
        m_progress = nullptr;
        return MakeRow(load);
    }

    /// Takes rows that were found by another curve of the same.
    void Take(const std::vector<CsvRow>& rows)
    {
        for (const auto& row : rows)
        {
            m_common = row;
            Add(row);
        }
    }

    void Add(const CsvRow& row)
    {
        m_rows.insert_or_assign(row["load"], row);
    }

    /// @return all rows, by load, with what is known of saturation
    std::vector<CsvRow> GetRows() const
    {
        std::vector<CsvRow> rows;
        for (auto [load, row] : m_rows)
        {
            row["saturation_low"] = m_common["saturation_low"];
            row["saturation_high"] = m_common["saturation_high"];
            rows.push_back(row);
        }
        return rows;
    }

    bool Has(double load) const
    {
        return m_rows.count(load) > 0;
    }

    /// @return some ten loads up to saturation, nearer to each other there, and one or two beyond
    std::vector<double> ChooseLoads() const
    {
        constexpr double FEWEST = 8;
        const double high = m_common["saturation_high"];
        const auto top = std::isnan(high) ? 1 : high;
        const auto decade = std::pow(10, std::floor(std::log10(top / FEWEST)));
        auto step = decade;
        for (const auto factor : {2, 5})
        {
            step = top / (factor * decade) >= FEWEST ? factor * decade : step;
        }
        std::vector<double> loads;
        for (auto load = step; load < top + step && load < 1 + step / 4;)
        {
            loads.push_back(Rounded(load));
            load += load < NEAR_SATURATION * top ? step : step / 2;
        }
        return loads;
    }

    void AppendTo(std::vector<CsvRow>& rows) const
    {
        double low = m_common["saturation_low"];
        double high = m_common["saturation_high"];
        // Without a search both are NaN, and of a fabric that carries all there is only the low
        // one.
        const bool isBetween = !std::isnan(high) || low < 1;
        for (const auto& [load, row] : m_rows)
        {
            if (isBetween && !(load >= high) && !(load <= low) && IsSteady(row))
            {
                low = load; // a load asked for, nearer than the search came
            }
        }
        for (const auto& [load, row] : m_rows)
        {
            if (isBetween && !(load <= low) && !(load >= high) && IsObserved(row) && !IsSteady(row))
            {
                high = load;
            }
        }
        for (auto [load, row] : m_rows)
        {
            row["saturation_low"] = low;
            row["saturation_high"] = high;
            rows.push_back(row);
        }
    }

  private:
    /// Measures a load, if that has not been done yet.
    bool IsSteady(double load)
    {
        const auto found = m_rows.find(load);
        const auto& row = found != m_rows.end() ? found->second : MakeRow(load);
        return IsSteady(row);
    }

    static bool IsSteady(const CsvRow& row)
    {
        return row["state"].Text() == LoadMeasurement::NameOf(LoadMeasurement::State::STEADY);
    }

    /// @return whether the fabric was observed for long enough to judge it
    static bool IsObserved(const CsvRow& row)
    {
        return !std::isnan(row["accepted"]);
    }

    /// Notes a load as one that is not steady, unless the simulation was too short to tell.
    void NoteLimit(double load)
    {
        if (IsObserved(m_rows.at(load)))
        {
            m_common["saturation_high"] = load;
        }
    }

    const CsvRow& MakeRow(double load)
    {
        const bool quick = load < NEAR_SATURATION * m_common["saturation_high"]; // not so for NaN
        const auto outcome = m_measurement->Measure(load, !quick);
        const auto us = [](double time) { return time * TimeStep(1).GetSeconds() * 1e6; };
        auto row = m_common;
        row["load"] = load;
        row["offered"] = outcome.found.offered;
        row["accepted"] = outcome.found.accepted;
        row["state"] = LoadMeasurement::NameOf(outcome.state);
        row["latency_us_mean"] = us(outcome.found.latency);
        row["latency_us_ci95"] = us(outcome.found.latencyCi95);
        row["latency_us_p99"] = us(outcome.found.latency99);
        row["worms"] = outcome.found.worms;
        row["warm_up_us"] = us(static_cast<double>(outcome.found.begin));
        row["queue_growth"] = outcome.found.growth;
        row["worst_growth"] = outcome.found.worstGrowth;
        if (m_progress)
        {
            m_progress(row);
        }
        return m_rows.insert_or_assign(load, row).first->second;
    }

    const LoadMeasurement* m_measurement{nullptr}; ///< measures a load
    CsvRow m_common;                               ///< what all rows have in common
    LatencyLoadStudy::Progress m_progress;         ///< told of every row; may be null
    std::map<double, CsvRow> m_rows;               ///< by load
};

FabricGraph
MakeGraph(const LatencyLoadStudy& p)
{
    if (p.given)
    {
        return *p.given;
    }
    IrregularTopologyHelper topology(p.drawn);
    topology.AssignStreams(FABRIC);
    return topology.Create();
}

LoadMeasurement::Setup
MakeSetup(const LatencyLoadStudy& p, const FabricGraph& graph, const std::string& flits)
{
    LoadMeasurement::Setup setup;
    setup.fabrics = p.fabrics;
    setup.traffic.SetAttribute("Arrivals", StringValue(p.arrivals));
    setup.traffic.SetPattern(p.pattern);
    if (p.pattern == "hotspot")
    {
        setup.traffic.SetPatternAttribute("Fraction", DoubleValue(p.hotFraction));
        const auto& name = p.hotHost;
        const auto node = name.empty() ? graph.HostAt(0) : graph.Find(name);
        StudyCheck::RefuseIf(node == FabricGraph::NONE || graph.IsSwitch(node),
                             "hot host '" + name + "' is no host of the fabric; expected its " +
                                 std::to_string(graph.GetNHosts()) + " hosts, " +
                                 graph.GetName(graph.HostAt(0)) + " to " +
                                 graph.GetName(graph.HostAt(graph.GetNHosts() - 1)));
        setup.traffic.SetPatternAttribute("Host", UintegerValue(node - graph.GetNSwitches()));
    }
    setup.flits = flits;
    setup.worms = p.worms;
    setup.allWorms = p.allWorms;
    setup.stream = TRAFFIC;
    setup.traffic.MakePattern(graph, TRAFFIC); // refuses one that does not fit
    return setup;
}

/// What measures loads of a curve. That of the last curve is kept, with its fabric.
class Measurer
{
  public:
    explicit Measurer(const LatencyLoadStudy& parameters)
        : m_parameters(parameters)
    {
    }

    /// @return what measures loads of a curve; ns-3's run number is set
    const LoadMeasurement& Get(Curve& curve)
    {
        auto& row = curve.GetCommon();
        RngSeedManager::SetRun(row["run"].Whole());
        if (row["run"] != m_run)
        {
            m_measurement.reset();
            m_graph.emplace(MakeGraph(m_parameters));
            m_run = row["run"].Whole();
        }
        if (!m_measurement || row["flits"].Text() != m_flits)
        {
            m_measurement.emplace(*m_graph, MakeSetup(m_parameters, *m_graph, row["flits"].Text()));
            m_flits = row["flits"].Text();
        }
        const auto& asked = m_parameters;
        row["switches"] = m_graph->GetNSwitches();
        row["hosts"] = m_graph->GetNHosts();
        row["connectivity"] = IrregularTopologyHelper::GetConnectivity(*m_graph);
        row["topology"] = asked.given
                              ? asked.givenName
                              : "irregular:law=" + IrregularTopologyHelper::NameOf(asked.drawn.law);
        row["pattern"] = asked.pattern;
        row["arrivals"] = asked.arrivals;
        return *m_measurement;
    }

  private:
    const LatencyLoadStudy& m_parameters;
    uint32_t m_run{0};                            ///< whose fabric this is; 0: none's
    std::string m_flits;                          ///< length of worms
    std::optional<FabricGraph> m_graph;           ///< the fabric
    std::optional<LoadMeasurement> m_measurement; ///< measures loads on it
};

void
Search(const LatencyLoadStudy& p,
       std::vector<Curve>& curves,
       const LatencyLoadStudy::Progress& progress)
{
    const WorkerPool pool(p.jobs);
    const auto pieces = static_cast<uint32_t>(curves.size());
    const bool isHere = pool.GetWorkers(pieces) == 1;
    Measurer measurer(p);
    const auto work = [&](uint32_t piece) {
        auto& curve = curves[piece];
        curve.Search(measurer.Get(curve), isHere ? progress : LatencyLoadStudy::Progress());
        return LatencyLoadStudy::GetTable().Pack(curve.GetRows());
    };
    const auto take = [&](uint32_t piece, const std::string& found) {
        const auto rows = LatencyLoadStudy::GetTable().Unpack(found);
        curves[piece].Take(rows);
        if (progress && !isHere)
        {
            std::for_each(rows.begin(), rows.end(), progress);
        }
    };
    pool.Run(pieces, work, take);
}

void
Measure(const LatencyLoadStudy& p,
        std::vector<Curve>& curves,
        const LatencyLoadStudy::Progress& progress)
{
    const auto nLengths = p.flits.size();
    std::vector<std::pair<std::size_t, double>> pieces; // curve and load
    for (std::size_t i = 0; i < curves.size(); ++i)
    {
        // The first run's saturation tells which loads are looked at in all.
        const auto loads = p.loads.empty() ? curves[i % nLengths].ChooseLoads() : p.loads;
        for (const auto load : std::set<double>(loads.begin(), loads.end()))
        {
            if (!curves[i].Has(load))
            {
                pieces.emplace_back(i, load);
            }
        }
    }
    Measurer measurer(p);
    const auto work = [&](uint32_t piece) {
        const auto& [number, load] = pieces[piece];
        auto& curve = curves[number];
        return LatencyLoadStudy::GetTable().Pack({curve.Measure(measurer.Get(curve), load)});
    };
    const auto take = [&](uint32_t piece, const std::string& found) {
        const auto row = LatencyLoadStudy::GetTable().Unpack(found).front();
        curves[pieces[piece].first].Add(row);
        if (progress)
        {
            progress(row);
        }
    };
    WorkerPool(p.jobs).Run(static_cast<uint32_t>(pieces.size()), work, take);
}

} // namespace

std::vector<CsvRow>
LatencyLoadStudy::Run(const Progress& progress) const
{
    const SeedKeeper seedKeeper;
    RngSeedManager::SetSeed(seed);
    std::vector<Curve> curves;
    for (uint32_t run = 1; run <= runs; ++run)
    {
        for (const auto& length : flits)
        {
            curves.emplace_back(run, length);
        }
    }
    if (search)
    {
        Search(*this, curves, progress);
    }
    Measure(*this, curves, progress);
    std::vector<CsvRow> rows;
    for (const auto& curve : curves)
    {
        curve.AppendTo(rows);
    }
    return rows;
}

} // namespace ns3
