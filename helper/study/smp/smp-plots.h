/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SMP_PLOTS_H
#define SMP_PLOTS_H

#include "smp-study-row.h"

#include "ns3/group-size-plot.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Plots of an SmpStudy: time of broadcasts over the number of hosts, and the same over that
 *        of the last algorithm; a panel for each length of the message. With three lengths or more
 *        also both over the length, for the greatest number of hosts. Points are means over all
 *        placements, with their 95 % intervals.
 */
class SmpPlots
{
  public:
    /// @param rows rows of a study
    explicit SmpPlots(const std::vector<SmpStudyRow>& rows);

    /**
     * Writes what gnuplot needs to make PNGs and SVGs, PREFIXtime.plt, PREFIXfactor.plt,
     * PREFIXbytes.plt and PREFIXbytes-factor.plt.
     * @param directory folder to write to, made if need be
     * @param prefix what the names of files begin with
     * @return names of the files for gnuplot; none if there is nothing to show
     * @throws WormholeError if a file can't be written
     */
    std::vector<std::string> Write(const std::string& directory, const std::string& prefix) const;

  private:
    /// What a plot shows.
    struct Kind
    {
        bool isFactor;  ///< times over those of the last algorithm, not times
        bool overBytes; ///< over the length of the message, not the number of hosts
    };

    /// A panel: processes of each host, and what a plot is not over.
    using Panel = std::pair<uint32_t, uint32_t>;

    /// @return the panel of a row @param row the row @param kind what the plot shows
    static Panel GetPanel(const SmpStudyRow& row, const Kind& kind);

    /// @return title of a panel @param panel the panel @param kind what the plot shows
    static std::string GetTitle(const Panel& panel, const Kind& kind);

    /// @return the plots that there are to make
    std::vector<Kind> GetKinds() const;

    /// @return panels of a plot, increasing @param kind what it shows
    std::set<Panel> GetPanels(const Kind& kind) const;

    /// @return points of a line @param panel where it is @param kind what the plot shows
    /// @param algorithm what sends the message
    std::vector<GroupSizePlot::Point> Select(const Panel& panel,
                                             const Kind& kind,
                                             const std::string& algorithm) const;

    std::vector<SmpStudyRow> m_rows;       ///< rows of the study
    std::vector<std::string> m_algorithms; ///< as they come
};

} // namespace ns3

#endif /* SMP_PLOTS_H */
