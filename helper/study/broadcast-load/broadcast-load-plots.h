/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_LOAD_PLOTS_H
#define BROADCAST_LOAD_PLOTS_H

#include "broadcast-load-row.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Plots of a BroadcastLoadStudy over the window: time per broadcast, time until all have it,
 *        and latency of the data traffic; a curve for each broadcast, gap and load.
 */
class BroadcastLoadPlots
{
  public:
    /// @param rows rows of a study
    explicit BroadcastLoadPlots(const std::vector<BroadcastLoadRow>& rows);

    /**
     * Writes what gnuplot needs to make PNGs and SVGs: PREFIXtime.plt, PREFIXlatency.plt and, with
     * data traffic, PREFIXtraffic.plt.
     * @param directory folder to write to, made if need be
     * @param prefix what the names of files begin with
     * @return names of the files for gnuplot; none if there is nothing to show
     * @throws WormholeError if a file can't be written
     */
    std::vector<std::string> Write(const std::string& directory, const std::string& prefix) const;

  private:
    /// What a curve is of: broadcast, gap in us, load.
    using Curve = std::tuple<std::string, double, double>;

    /// @return what a row belongs to @param row the row
    static Curve CurveOf(const BroadcastLoadRow& row);

    /// @return words for a curve, of what is not the same in all @param curve the curve
    std::string GetTitle(const Curve& curve) const;

    /// Writes a plot. @return name of its file; empty: there is nothing to show
    /// @param directory where to @param name name of the plot @param label of its y axis
    /// @param value what it shows
    std::string WritePlot(const std::string& directory,
                          const std::string& name,
                          const std::string& label,
                          double BroadcastLoadRow::* value) const;

    std::vector<BroadcastLoadRow> m_rows; ///< rows of the study
    std::vector<Curve> m_curves;          ///< curves, each once
    std::vector<uint32_t> m_windows;      ///< windows, each once; 0, none, is the last
};

} // namespace ns3

#endif /* BROADCAST_LOAD_PLOTS_H */
