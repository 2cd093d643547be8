/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sync-study.h"

#include "ns3/study-fabric.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

using Event = SyncWorkload::Event; //!< short name

constexpr double US = 1e-6; ///< a microsecond in s

/// A row of table 1.
struct Operation
{
    const char* name; ///< its name
    Event event;      ///< the event
};

/// The operations of a table's columns.
const Operation OPERATIONS[] = {{"simple barrier", SyncWorkload::BARRIER},
                                {"1-bit AND", SyncWorkload::AND},
                                {"32-bit ADD", SyncWorkload::ADD},
                                {"32-bit ADD (to one node)", SyncWorkload::ADD_TO_HOST},
                                {"64-bit MAX", SyncWorkload::MAX},
                                {"broadcast", SyncWorkload::BROADCAST}};

/// @return whether two numbers are the same but for rounding
bool
AreEqual(double a, double b)
{
    return std::abs(a - b) < 1e-6;
}

std::string
KeyOf(const std::string& name, const std::string& hardware, Time delay)
{
    return name + "|" + hardware + "|" + std::to_string(delay.GetTimeStep());
}

/// Fills in tables.
class SyncTables
{
  public:
    SyncTables(const SyncStudy& parameters, const StudyDefinition::Progress& progress)
        : m_parameters(parameters),
          m_progress(progress)
    {
    }

    void CheckTables() const
    {
        const auto& [tables, hardware, delays, machine, workloads, published, prices, supersteps] =
            m_parameters;
        std::string served = "1, 7, speedups";
        std::set<uint32_t> inTables;
        bool hasSpeedup = false;
        for (const auto& workload : workloads)
        {
            inTables.insert(workload.table);
            hasSpeedup = hasSpeedup || workload.speedup > 0;
        }
        served += hasSpeedup ? ", uniprocessor" : "";
        for (const auto table : inTables)
        {
            served += table > 0 ? ", " + std::to_string(table) : "";
        }
        for (const auto& table : tables)
        {
            const bool isPapers = table.size() == 1 && table >= "3" && table <= "6";
            const auto isAlone = [&hardware = hardware](const std::string& name) {
                return hardware == std::vector<std::string>{name};
            };
            StudyCheck::RefuseIf(
                isPapers && !inTables.count(static_cast<uint32_t>(std::stoul(table))),
                "table " + table + " would be empty: no workload has \"table\": " + table +
                    "; expected with these workloads: " + served);
            StudyCheck::RefuseIf((table == "3" || table == "4") && isAlone("hw-all"),
                                 "table " + table +
                                     " would be empty: hw-all is there as hw-1; expected hardware "
                                     "none, hw-1, in-switch");
            StudyCheck::RefuseIf(table == "7" && isAlone("none"),
                                 "table 7 would be empty: software has no break-even price; "
                                 "expected hardware hw-1, hw-all, in-switch");
            StudyCheck::RefuseIf(
                table == "uniprocessor" && !workloads.empty() && !hasSpeedup,
                "table uniprocessor compares speedups over one processor, and no workload has a "
                "\"speedup\"; expected with these workloads: " +
                    served);
        }
    }

    SyncMachine MakeMachine(const std::string& hardware, Time delay) const
    {
        auto parameters = m_parameters.machine;
        parameters.hardware = hardware;
        parameters.delay = delay;
        return SyncMachine(parameters);
    }

    double GetComputeTime(const SyncWorkload& workload, Time delay)
    {
        // The rates were counted on that machine as it was, however Network-Done is studied here.
        const auto reference = [&](Time added) {
            auto parameters = m_parameters.machine;
            parameters.hardware = workload.reference;
            parameters.delay = added;
            parameters.networkDone = "auto";
            return SyncMachine(parameters);
        };
        const auto sync = GetSyncTime(workload, reference(Time(0)));
        if (sync >= 1)
        {
            std::ostringstream message;
            message << "workload " << workload.name << " synchronises for " << sync
                    << " s in a second with hardware " << workload.reference
                    << "; expected rates with which it is less, per second of a run with that "
                       "hardware and no delay (those of a run by software go with reference none)";
            throw WormholeError(message.str());
        }
        auto messages = workload.messageDelays;
        if (workload.delayedSpeedup > 0)
        {
            const auto slow = NanoSeconds(std::llround(workload.delayUs * 1000));
            const auto longer = workload.speedup / workload.delayedSpeedup - 1 + sync -
                                GetSyncTime(workload, reference(slow));
            messages = std::max(0.0, longer / slow.GetSeconds());
        }
        return 1 - sync + messages * delay.GetSeconds();
    }

    std::vector<CsvRow> Run()
    {
        m_all = static_cast<uint32_t>(m_parameters.workloads.size() * m_parameters.delays.size() *
                                      m_parameters.hardware.size());
        for (const auto& table : m_parameters.tables)
        {
            if (table == "1")
            {
                AddLatencies();
            }
            else if (table == "7")
            {
                AddBreakEven();
            }
            else if (table == "uniprocessor")
            {
                AddUniprocessor();
            }
            else
            {
                AddSpeedups(table);
            }
        }
        return m_rows;
    }

  private:
    /// Modelled and simulated value.
    struct Values
    {
        double model{0};     ///< by formulas
        double simulated{0}; ///< simulated
    };

    SyncTables::Values GetEvent(Event event, const std::string& hardware, Time delay)
    {
        const auto key = KeyOf(SyncWorkload::GetEventKeys()[event], hardware, delay);
        const auto found = m_events.find(key);
        if (found != m_events.end())
        {
            return found->second;
        }
        const auto machine = MakeMachine(hardware, delay);
        Values values;
        values.simulated = machine.RunEvent(event).GetSeconds();
        values.model = machine.GetModelTime(event).GetSeconds();
        return m_events[key] = values;
    }

    /// @return what synchronisation takes of a workload's second, by the model, in s
    double GetSyncTime(const SyncWorkload& workload, const SyncMachine& machine)
    {
        const auto& hardware = machine.GetParameters().hardware;
        const auto delay = machine.GetParameters().delay;
        double time = 0;
        for (std::size_t i = 0; i < SyncWorkload::EVENTS; ++i)
        {
            const auto rate = workload.perSecond[i];
            auto event = static_cast<Event>(i);
            if (rate == 0)
            {
                continue;
            }
            if (event == SyncWorkload::NETWORK_DONE && machine.UsesAcks())
            {
                time += rate * workload.communicates * machine.GetAckTime().GetSeconds();
                continue;
            }
            const bool isDone = event == SyncWorkload::NETWORK_DONE;
            event = isDone ? SyncWorkload::ADD : event;
            const auto repeats = isDone ? machine.GetParameters().networkDoneSums : 1;
            time += rate * repeats * GetEvent(event, hardware, delay).model;
        }
        return time;
    }

    /// @return an application's speedup, or if that is not known with any hardware, how much faster
    /// it is than with its reference hardware and no delay
    SyncTables::Values GetSpeedup(const SyncWorkload& workload,
                                  const std::string& hardware,
                                  Time delay)
    {
        const auto key = KeyOf(workload.name, hardware, delay);
        const auto found = m_speedups.find(key);
        if (found != m_speedups.end())
        {
            return found->second;
        }
        const auto compute = GetComputeTime(workload, delay);
        const auto machine = MakeMachine(hardware, delay);
        Values values;
        const auto speedup = workload.speedup > 0 ? workload.speedup : 1;
        values.model = speedup / (compute + GetSyncTime(workload, machine));
        values.simulated =
            speedup / machine.RunWorkload(workload, compute, m_parameters.supersteps);
        Tell();
        return m_speedups[key] = values;
    }

    /// @return the published value; null if there is none
    const CsvRow* FindPublished(const std::string& table,
                                const std::string& row,
                                const std::string& hardware,
                                Time delay) const
    {
        for (const auto& figure : m_parameters.published)
        {
            if (figure["table"].Text() == table && figure["row"].Text() == row &&
                figure["hardware"].Text() == hardware &&
                AreEqual(figure["delay_us"], delay.GetSeconds() / US))
            {
                return &figure;
            }
        }
        return nullptr;
    }

    /// @return the speedup that the paper prints, of the same with hw-1 if there is none for
    /// hw-all; 0: none
    double FindPublishedSpeedup(const SyncWorkload& workload,
                                const std::string& hardware,
                                Time delay) const
    {
        const auto table = std::to_string(workload.table);
        auto figure = FindPublished(table, workload.name, hardware, delay);
        if (!figure && hardware == "hw-all")
        {
            figure = FindPublished(table, workload.name, "hw-1", delay);
        }
        return figure ? std::stod((*figure)["value"].Text()) : 0;
    }

    /// @return a row without its name and values
    static CsvRow MakeRow(const std::string& table,
                          const std::string& hardware,
                          Time delay,
                          const std::string& unit)
    {
        CsvRow row(SyncStudy::GetTable());
        row["model"] = row["simulated"] = std::nan("");
        row["table"] = table;
        row["hardware"] = hardware;
        row["delay_us"] = delay.GetSeconds() / US;
        row["unit"] = unit;
        return row;
    }

    /// @param row the row, without what is published, which is added where prices are the paper's
    /// or don't matter
    void Add(CsvRow row, const Values& values)
    {
        row["model"] = values.model;
        row["simulated"] = values.simulated;
        const auto figure = FindPublished(row["table"].Text(),
                                          row["row"].Text(),
                                          row["hardware"].Text(),
                                          NanoSeconds(std::llround(row["delay_us"] * 1000)));
        const bool isPriced = row["table"].Text() == "7" || row["table"].Text() == "uniprocessor";
        if (figure && !(isPriced && m_parameters.prices != SyncPrices()))
        {
            row["published"] = (*figure)["value"];
            row["use"] = (*figure)["use"];
        }
        m_rows.push_back(row);
    }

    void AddLatencies()
    {
        for (const auto& operation : OPERATIONS)
        {
            for (const auto& hardware : m_parameters.hardware)
            {
                for (const auto& delay : m_parameters.delays)
                {
                    const bool isAddOn = hardware == "hw-1" || hardware == "hw-all";
                    const bool isNarrow = operation.event == SyncWorkload::BARRIER ||
                                          operation.event == SyncWorkload::AND;
                    if ((isAddOn && delay != m_parameters.delays.front()) ||
                        (hardware == "hw-1" && !isNarrow))
                    {
                        continue; // it is not on the data network, or does not have it
                    }
                    const auto values = GetEvent(operation.event, hardware, delay);
                    auto row = MakeRow("1", hardware, isAddOn ? Time(0) : delay, "us");
                    row["row"] = operation.name;
                    Add(row, {values.model / US, values.simulated / US});
                }
            }
        }
    }

    void AddSpeedups(const std::string& table)
    {
        for (const auto& delay : m_parameters.delays)
        {
            for (const auto& workload : m_parameters.workloads)
            {
                if (table != "speedups" && table != std::to_string(workload.table))
                {
                    continue;
                }
                for (const auto& hardware : m_parameters.hardware)
                {
                    const bool isPaperOf1 = table == "3" || table == "4";
                    if (isPaperOf1 && hardware == "hw-all")
                    {
                        continue; // as hw-1
                    }
                    const auto unit = workload.speedup > 0 ? "" : "relative";
                    auto row = MakeRow(table, hardware, delay, unit);
                    row["row"] = workload.name;
                    Add(row, GetSpeedup(workload, hardware, delay));
                }
            }
        }
    }

    void AddBreakEven()
    {
        for (const auto& delay : m_parameters.delays)
        {
            for (const auto& hardware : m_parameters.hardware)
            {
                if (hardware == "none")
                {
                    continue;
                }
                auto row = MakeRow("7", hardware, delay, "dollars");
                const auto add = [&](const std::string& name, double model, double simulated) {
                    const auto& prices = m_parameters.prices;
                    row["row"] = name;
                    Add(row, {prices.GetBreakEven(model), prices.GetBreakEven(simulated)});
                };
                Values sum;
                double weights = 0;
                for (const auto& [application, gain] : GetGains(hardware, delay))
                {
                    add(application, gain.mean.model, gain.mean.simulated);
                    sum.model += gain.weight * gain.mean.model;
                    sum.simulated += gain.weight * gain.mean.simulated;
                    weights += gain.weight;
                }
                if (weights > 0)
                {
                    add("Aggregate", sum.model / weights, sum.simulated / weights);
                }
            }
        }
    }

    void AddUniprocessor()
    {
        const auto nodes = m_parameters.machine.nodes;
        for (const auto& delay : m_parameters.delays)
        {
            for (const auto& hardware : m_parameters.hardware)
            {
                auto row = MakeRow("uniprocessor", hardware, delay, "");
                row["row"] = "least speedup";
                const auto least = m_parameters.prices.GetThreshold(nodes, hardware != "none");
                Add(row, {least, row["simulated"]});
                row["row"] = "cost-effective workloads";
                Values better;
                for (const auto& workload : m_parameters.workloads)
                {
                    if (workload.speedup <= 0)
                    {
                        continue;
                    }
                    const auto values = GetSpeedup(workload, hardware, delay);
                    const auto published = FindPublishedSpeedup(workload, hardware, delay);
                    better.model += (published > 0 ? published : values.model) > least;
                    better.simulated += values.simulated > least;
                }
                Add(row, better);
            }
        }
    }

    /// Gains of an application's inputs by one hardware at one delay.
    struct Gain
    {
        Values mean;      ///< of its inputs
        double weight{0}; ///< of the application
    };

    std::vector<std::pair<std::string, SyncTables::Gain>> GetGains(const std::string& hardware,
                                                                   Time delay)
    {
        std::vector<std::pair<std::string, Gain>> gains;
        std::map<std::string, uint32_t> inputs;
        for (const auto& workload : m_parameters.workloads)
        {
            const auto base = GetSpeedup(workload, "none", delay);
            const auto with = GetSpeedup(workload, hardware, delay);
            const auto publishedBase = FindPublishedSpeedup(workload, "none", delay);
            const auto publishedWith = FindPublishedSpeedup(workload, hardware, delay);
            const bool isPublished = publishedBase > 0 && publishedWith > 0;
            const Values gain{isPublished ? publishedWith / publishedBase : with.model / base.model,
                              with.simulated / base.simulated};
            auto found = std::find_if(gains.begin(), gains.end(), [&](const auto& entry) {
                return entry.first == workload.application;
            });
            if (found == gains.end())
            {
                gains.push_back({workload.application, {{0, 0}, workload.weight}});
                found = gains.end() - 1;
            }
            const auto n = ++inputs[workload.application];
            auto& mean = found->second.mean;
            mean.model += (gain.model - mean.model) / n;
            mean.simulated += (gain.simulated - mean.simulated) / n;
        }
        return gains;
    }

    void Tell()
    {
        ++m_done;
        if (m_progress)
        {
            m_progress(m_done, std::max(m_done, m_all));
        }
    }

    const SyncStudy& m_parameters;
    std::vector<CsvRow> m_rows;               ///< what was found
    StudyDefinition::Progress m_progress;     ///< is told how far it is
    uint32_t m_done{0};                       ///< simulations done
    uint32_t m_all{0};                        ///< about how many there will be
    std::map<std::string, Values> m_events;   ///< what events take, once known
    std::map<std::string, Values> m_speedups; ///< speedups, once known
};

} // namespace

const std::vector<std::string>&
SyncStudy::GetTables()
{
    static const std::vector<std::string>
        tables{"1", "3", "4", "5", "6", "7", "uniprocessor", "speedups"};
    return tables;
}

void
SyncStudy::Check() const
{
    StudyCheck::RefuseIf(!(prices.GetBase() > 0), "a node costs nothing; expected a price above 0");
    SyncTables table(*this, nullptr);
    for (const auto& name : hardware)
    {
        table.MakeMachine(name, delays.front());
    }
    table.CheckTables();
    for (const auto& workload : workloads)
    {
        table.GetComputeTime(workload, Time(0));
    }
}

std::vector<CsvRow>
SyncStudy::Run(const StudyDefinition::Progress& progress) const
{
    Check();
    return SyncTables(*this, progress).Run();
}

} // namespace ns3
