/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOADED_BARRIER_PLOTS_H
#define LOADED_BARRIER_PLOTS_H

#include "loaded-barrier-row.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Plot of a LoadedBarrierStudy: latency over load, a colour for each barrier; solid the
 * mean, dashed the 99th percentile, thin and level the latency without traffic. Explained ones are
 * stacked bars, too.
 */
class LoadedBarrierPlots
{
  public:
    /// @param rows rows of a study
    explicit LoadedBarrierPlots(const std::vector<LoadedBarrierRow>& rows);

    /**
     * Writes what gnuplot needs to make a PNG and an SVG, PREFIXlatency.plt, and PREFIXcauses.plt
     * if latencies are explained.
     * @param directory folder to write to, made if need be
     * @param prefix what the names of files begin with
     * @return names of the files for gnuplot; none if there is nothing to show
     * @throws WormholeError if a file can't be written
     */
    std::vector<std::string> Write(const std::string& directory, const std::string& prefix) const;

  private:
    /// Writes the bars. @return name of the file for gnuplot; none if nothing is explained
    /// @param directory folder to write to @param name name of the plot
    std::vector<std::string> WriteParts(const std::string& directory,
                                        const std::string& name) const;

    /// @return gnuplot's range of latencies; empty if there are none
    std::string MakeRange() const;

    /// @return what marks the least of the loads from which on no barrier has a latency; empty if
    /// all have
    std::string MarkSaturation() const;

    std::vector<LoadedBarrierRow> m_rows;  ///< rows of the study
    std::vector<std::string> m_algorithms; ///< barriers, each once
};

} // namespace ns3

#endif /* LOADED_BARRIER_PLOTS_H */
