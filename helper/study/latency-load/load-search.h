// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOAD_SEARCH_H
#define LOAD_SEARCH_H

#include "ns3/csv-table.h"
#include "ns3/load-measurement.h"
#include "ns3/nstime.h"
#include "ns3/ordering.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/// Rows for one length of worms in one run, and the search for the load that saturates the fabric.
class LoadSearch
{
  public:
    LoadSearch(const CsvTable& table, uint32_t run, const std::string& flits)
        : m_common(table)
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

    /// Searches for saturation. @param found receives each row, before saturation is known; may be
    /// null
    void Search(const LoadMeasurement& measurement, const std::function<void(const CsvRow&)>& found)
    {
        m_measurement = &measurement;
        m_found = found;
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
        // The load that a saturated fabric accepts is near saturation.
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
        const auto hasGaps =
            AnyOf(m_rows, [](const auto& entry) { return !IsObserved(entry.second); });
        m_common["saturation_low"] =
            low > 0 || !hasGaps ? low : std::numeric_limits<double>::quiet_NaN();
    }

    CsvRow Measure(const LoadMeasurement& measurement, double load)
    {
        m_measurement = &measurement;
        m_found = nullptr;
        return MakeRow(load);
    }

    /// Adds rows from another search of the same kind.
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

    /// @return all rows, by load, with what is known about saturation
    std::vector<CsvRow> GetRows() const
    {
        return GetRows(m_common["saturation_low"], m_common["saturation_high"]);
    }

    bool Has(double load) const
    {
        return m_rows.count(load) > 0;
    }

    /// @return about ten loads up to saturation, denser near it, and one or two loads beyond
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
        // Without a search both are NaN, and a fabric that carries all loads has only the low one.
        const bool isBetween = !std::isnan(high) || low < 1;
        for (const auto& [load, row] : m_rows)
        {
            if (isBetween && !(load >= high) && !(load <= low) && IsSteady(row))
            {
                low = load; // a requested load, nearer than the search came
            }
        }
        for (const auto& [load, row] : m_rows)
        {
            if (isBetween && !(load <= low) && !(load >= high) && IsObserved(row) && !IsSteady(row))
            {
                high = load;
            }
        }
        const auto all = GetRows(low, high);
        rows.insert(rows.end(), all.begin(), all.end());
    }

  private:
    static constexpr double RESOLUTION = 0.02; ///< relative width at which the bisection ends
    /// Loads below this fraction of an unsteady load need not be measured thoroughly.
    static constexpr double NEAR_SATURATION = 0.75;
    /// Start of the search, relative to the load at which the busiest channel is full.
    static constexpr double ABOVE_BOUND = 1.05;
    static constexpr double DOWNWARDS = 0.75;  ///< next load / last load, until a load is steady
    static constexpr double LEAST_LOAD = 1e-6; ///< minimum load in the search

    /// @return a ratio rounded to four significant digits, exactly as this text would be read
    static double Rounded(double ratio)
    {
        char text[32];
        std::snprintf(text, sizeof(text), "%.4g", ratio);
        return std::strtod(text, nullptr);
    }

    std::vector<CsvRow> GetRows(double low, double high) const
    {
        return MadeOf(m_rows, [low, high](auto entry) {
            entry.second["saturation_low"] = low;
            entry.second["saturation_high"] = high;
            return entry.second;
        });
    }

    bool IsSteady(double load)
    {
        return IsSteady(Has(load) ? m_rows.at(load) : MakeRow(load));
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

    /// Notes a load as unsteady, unless the simulation was too short to tell.
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
        row["lost"] = outcome.found.lost;
        row["queue_growth"] = outcome.found.growth;
        row["worst_growth"] = outcome.found.worstGrowth;
        if (outcome.cycle > 0)
        {
            const auto& found = outcome.found;
            const auto cycle = static_cast<double>(outcome.cycle);
            row["cycle_ns"] = 1e3 * us(cycle);
            row["injected_flit_rate"] = found.offered;
            row["accepted_flit_rate"] = found.accepted;
            row["packet_latency"] = found.latency / cycle;
            row["network_latency"] = found.networkLatency / cycle;
            row["warm_up"] = static_cast<double>(found.begin) / cycle;
            row["measured"] = static_cast<double>(found.end - found.begin) / cycle;
        }
        if (m_found)
        {
            m_found(row);
        }
        return m_rows.insert_or_assign(load, row).first->second;
    }

    const LoadMeasurement* m_measurement{nullptr}; ///< measures a load
    CsvRow m_common;                               ///< values common to all rows
    std::function<void(const CsvRow&)> m_found;    ///< receives every row; may be null
    std::map<double, CsvRow> m_rows;               ///< by load
};

} // namespace ns3

#endif /* LOAD_SEARCH_H */
