/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_LOAD_STUDY_H
#define LATENCY_LOAD_STUDY_H

#include "ns3/irregular-topology-helper.h"
#include "ns3/load-measurement.h"
#include "ns3/study-plot.h"
#include "ns3/table-study.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Latency and throughput of a fabric over the offered load, up to where it is saturated.
 *
 * For each run and length of worms, the load from which on the fabric is saturated is found by
 * bisection between 0 and 1, to 2 %: below it the fabric is steady, above it saturated or at least
 * unsettled. Loads that this looks at are part of the result. Then come the loads asked for, or
 * else some ten round ones up to the first run's saturation and one or two beyond.
 *
 * Run i uses ns-3's run number i. Stream 0 draws the fabric, so that BarrierStudy draws the same
 * one; traffic uses the streams after it, the same ones for every load and length.
 */
class LatencyLoadStudy : public TableStudy
{
  public:
    LatencyLoadStudy();

    void Measure(const Progress& progress) override;
    void MeasureWithProgress(bool isAsked) override;
    std::vector<std::string> GetRemarks() const override;

    /// Has simulations be shorter, or longer. @param worms of all hosts, where that is more for
    /// each
    void SetAllWorms(uint64_t worms)
    {
        m_allWorms = worms;
    }

  protected:
    void Validate(const OptionValues& values) override;

  private:
    class Measurer;

    /// Takes each row when it is found; what is known of saturation may come later.
    using Listener = std::function<void(const CsvRow& row)>;

    void Run(const Listener& tell);
    FabricGraph MakeGraph() const;
    LoadMeasurement::Setup MakeSetup(const FabricGraph& graph, const std::string& flits) const;

    std::shared_ptr<const FabricGraph> m_given;  ///< a fabric; null: one is drawn for each run
    std::string m_givenName;                     ///< its name in the result
    IrregularTopologyHelper::Parameters m_drawn; ///< the fabrics drawn, if none is given
    WormholeHelper m_fabrics;                    ///< builds fabrics
    uint64_t m_allWorms{131072};                 ///< see SetAllWorms
};

/// Draws latency and throughput over the offered load. Rows that differ in nothing but run and load
/// make one curve; its points are means over runs, at loads that all runs have. With several runs,
/// intervals are those of that mean; with one, they are the run's. Latency ends where some run is
/// not steady; a vertical line stands where saturation was found, on the average of runs, or at the
/// least load that is not steady if it was not looked for.
/// @param rows rows of the study @return its plots
std::vector<StudyPlot> MakeLatencyLoadPlots(const StudyPlot::Rows& rows, const StudyPlot::Rows&);

} // namespace ns3

#endif /* LATENCY_LOAD_STUDY_H */
