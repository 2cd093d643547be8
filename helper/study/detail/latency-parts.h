/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_PARTS_H
#define LATENCY_PARTS_H

#include "ns3/csv-table.h"
#include "ns3/study-plot.h"
#include "ns3/wormhole-latency-report.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What an explained latency goes into, as rows of studies tell it: means, us.
 */
struct LatencyParts
{
    std::string explained;     ///< yes; empty: what follows is not written
    double hostUsMean{0};      ///< of the latency, hosts' software, us; NaN: it was not simulated
    double interfaceUsMean{0}; ///< hosts' interfaces, us
    double wireUsMean{0};      ///< flits and propagation, us
    double switchUsMean{0};    ///< delays of switches, us
    double waitingUsMean{0};   ///< for other worms, us
    double elsewhereUsMean{0}; ///< networks beside the fabric, us
    double trafficUsMean{0};   ///< of the waiting, for worms of traffic beside, us

    /// Parts that together are the latency, in the order of LatencyGroup.
    static constexpr std::array<double LatencyParts::*, 6> GetParts()
    {
        return {&LatencyParts::hostUsMean,
                &LatencyParts::interfaceUsMean,
                &LatencyParts::wireUsMean,
                &LatencyParts::switchUsMean,
                &LatencyParts::waitingUsMean,
                &LatencyParts::elsewhereUsMean};
    }

    /// Sets all to one value. @param us the value, us
    void Set(double us);

    /// Adds what a round goes into. @param report the round @param rounds of which a mean is made
    void Add(const LatencyReport& report, std::size_t rounds);

    /// Adds what rounds go into, that is their mean. @param bench has done them, and has recorded
    /// them @param rounds how many
    template <typename Bench>
    void AddRounds(const Bench& bench, std::size_t rounds)
    {
        for (uint32_t round = 1; round <= rounds; ++round)
        {
            Add(bench.GetReport(round), rounds);
        }
    }
};

/**
 * @ingroup wormhole
 * @brief The columns of LatencyParts, which are there only if latencies are explained.
 *
 * @tparam Row what a row is, a LatencyParts with a load
 */
template <typename Row>
class PartsColumns
{
  public:
    /// @return a table with them at its end @param table the other columns
    static CsvTable<Row> AddTo(CsvTable<Row> table)
    {
        constexpr int PART = 6; // ps
        const auto isExplained = [](const Row& row) { return !row.explained.empty(); };
        table.AddOptional(
            isExplained,
            {{"explained: Whether the latency is explained: yes", &Row::explained},
             {"host_us_mean (us): Of it, hosts' software", &Row::hostUsMean, PART},
             {"interface_us_mean (us): Hosts' interfaces", &Row::interfaceUsMean, PART},
             {"wire_us_mean (us): Flits and propagation", &Row::wireUsMean, PART},
             {"switch_us_mean (us): Delays of switches", &Row::switchUsMean, PART},
             {"waiting_us_mean (us): Waiting for other worms", &Row::waitingUsMean, PART},
             {"elsewhere_us_mean (us): Networks beside the fabric", &Row::elsewhereUsMean, PART}});
        table.AddOptional(
            [isExplained](const Row& row) { return isExplained(row) && row.load > 0; },
            {{"traffic_us_mean (us): Of the waiting, for traffic", &Row::trafficUsMean, PART}});
        return table;
    }
};

/**
 * @ingroup wormhole
 * @brief A plot of what latencies go into: stacked bars, in groups.
 */
class LatencyPartsPlot
{
  public:
    /// Bars beside each other.
    struct Bars
    {
        std::string title;                                               ///< below them
        std::vector<std::pair<std::string, const LatencyParts*>> rows{}; ///< labels and parts
    };

    /// @return the plot causes; nothing is there without bars @param all bars, in groups
    /// @param title what bars are by
    static StudyPlot Draw(const std::vector<Bars>& all, const std::string& title);
};

} // namespace ns3

#endif /* LATENCY_PARTS_H */
