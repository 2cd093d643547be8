/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMP_PLOTS_H
#define SMP_PLOTS_H

#include "group-size-plot.h"
#include "smp-study-row.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Plots of an SmpStudy: time of broadcasts over the number of hosts, and the same over that
 *        of the last algorithm; a panel for each length of the message. Points are means over all
 *        placements, with their 95 % intervals.
 */
class SmpPlots
{
  public:
    /// @param rows rows of a study
    explicit SmpPlots(const std::vector<SmpStudyRow>& rows);

    /**
     * Writes what gnuplot needs to make PNGs and SVGs, PREFIXtime.plt and PREFIXfactor.plt.
     * @param directory folder to write to, made if need be
     * @param prefix what the names of files begin with
     * @return names of the files for gnuplot; none if there is nothing to show
     * @throws WormholeError if a file can't be written
     */
    std::vector<std::string> Write(const std::string& directory, const std::string& prefix) const;

  private:
    /// @return points of a line @param bytes length of the message @param algorithm what sends it
    /// @param reference algorithm whose times to divide by, placement by placement; empty: by 1
    std::vector<GroupSizePlot::Point> Select(uint32_t bytes,
                                             const std::string& algorithm,
                                             const std::string& reference) const;

    std::vector<SmpStudyRow> m_rows;       ///< rows of the study
    std::vector<std::string> m_algorithms; ///< as they come
    std::vector<uint32_t> m_bytes;         ///< increasing
};

} // namespace ns3

#endif /* SMP_PLOTS_H */
