/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_PLOTS_H
#define BARRIER_PLOTS_H

#include "barrier-study-row.h"

#include "ns3/group-size-plot.h"
#include "ns3/published-figures.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Plots of a BarrierStudy: a panel for each fabric.
 *
 * There are four: latency; traffic, in message-hops; and by what factor multicast has more of
 * either than btin. A scheme has one colour in all of them, a reduction one kind of line and point.
 * Published figures are drawn in as points where there is a panel for their fabric. A panel or plot
 * that has nothing to show is left out; groups of one, which take no time, have no place on log
 * axes.
 */
class BarrierPlots
{
  public:
    /**
     * @param rows rows of a study, or of several
     * @param published published figures
     */
    BarrierPlots(const std::vector<BarrierStudyRow>& rows,
                 const std::vector<PublishedFigure>& published);

    /**
     * Writes what gnuplot needs to make a PNG and an SVG for each plot.
     * @param directory folder to write to, made if need be
     * @param prefix what the names of files begin with
     * @return names of the files for gnuplot, such as latency.plt
     * @throws WormholeError if a file can't be written
     */
    std::vector<std::string> Write(const std::string& directory, const std::string& prefix) const;

  private:
    /// What a row has of a quantity.
    typedef double BarrierStudyRow::* Quantity;

    /// Makes the lines of a fabric's panel.
    typedef std::vector<GroupSizePlot::Series> (BarrierPlots::*SeriesMaker)(
        const BarrierStudyRow& fabric) const;

    /// @return a plot @param name its name @param label of its values @param maker makes its lines
    GroupSizePlot MakePlot(const std::string& name,
                           const std::string& label,
                           SeriesMaker maker) const;

    /**
     * @param fabric a row of a fabric
     * @param scheme the scheme
     * @param reduction the reduction; empty: any
     * @param timing the timing of btin; empty: any
     * @return rows of that, by increasing group size, one for each
     */
    std::vector<const BarrierStudyRow*> Select(const BarrierStudyRow& fabric,
                                               const std::string& scheme,
                                               const std::string& reduction,
                                               const std::string& timing) const;

    /// @return latencies on a fabric @param fabric a row of it
    std::vector<GroupSizePlot::Series> MakeLatencies(const BarrierStudyRow& fabric) const;

    /// @return message-hops on a fabric @param fabric a row of it
    std::vector<GroupSizePlot::Series> MakeTraffic(const BarrierStudyRow& fabric) const;

    /// @return latency of multicast over that of btin @param fabric a row of the fabric
    std::vector<GroupSizePlot::Series> MakeLatencyFactors(const BarrierStudyRow& fabric) const;

    /// @return traffic of multicast over that of btin @param fabric a row of the fabric
    std::vector<GroupSizePlot::Series> MakeTrafficFactors(const BarrierStudyRow& fabric) const;

    /**
     * @param fabric a row of a fabric
     * @param reduction of multicast; empty: any
     * @param timing of btin, if there are rows of it; empty: any
     * @param quantity what to compare
     * @return factors of multicast over btin
     */
    std::vector<GroupSizePlot::Point> MakeFactors(const BarrierStudyRow& fabric,
                                                  const std::string& reduction,
                                                  const std::string& timing,
                                                  Quantity quantity) const;

    /// @return published figures @param fabric a row of the fabric @param quantity which
    GroupSizePlot::Series MakePublished(const BarrierStudyRow& fabric,
                                        const std::string& quantity) const;

    std::vector<BarrierStudyRow> m_rows;      ///< rows of studies
    std::vector<BarrierStudyRow> m_fabrics;   ///< a row of each fabric
    std::vector<PublishedFigure> m_published; ///< published figures
};

} // namespace ns3

#endif /* BARRIER_PLOTS_H */
