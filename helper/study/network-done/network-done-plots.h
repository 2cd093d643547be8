/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_DONE_PLOTS_H
#define NETWORK_DONE_PLOTS_H

#include "network-done-row.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Plots of a NetworkDoneStudy over the number of messages: latency, with the time until all
 *        messages are received, the time of a round, and the number of sums.
 */
class NetworkDonePlots
{
  public:
    /// @param rows rows of a study; those without messages have no place on the axis
    explicit NetworkDonePlots(const std::vector<NetworkDoneRow>& rows);

    /**
     * Writes what gnuplot needs to make a PNG and an SVG each, PREFIXlatency.plt,
     * PREFIXstep.plt and PREFIXsums.plt.
     * @param directory folder to write to, made if need be
     * @param prefix what the names of files begin with
     * @return names of the files for gnuplot; none if there is nothing to show
     * @throws WormholeError if a file can't be written
     */
    std::vector<std::string> Write(const std::string& directory, const std::string& prefix) const;

  private:
    /// What a curve shows.
    struct Curve
    {
        double NetworkDoneRow::* value; ///< the column
        std::string style;              ///< how it is drawn besides colour and point
        bool hasTitle;                  ///< whether the key names the method
    };

    /**
     * Writes a plot.
     * @param directory folder
     * @param name its name
     * @param label label of the vertical axis
     * @param axis commands for the vertical axis
     * @param curves what is drawn of each method that has any of the first's above 0
     * @return name of the file; empty: there is nothing to show
     */
    std::string WritePlot(const std::string& directory,
                          const std::string& name,
                          const std::string& label,
                          const std::string& axis,
                          const std::vector<Curve>& curves) const;

    std::vector<NetworkDoneRow> m_rows; ///< rows with messages, by number
    std::vector<std::string> m_methods; ///< methods, each once
};

} // namespace ns3

#endif /* NETWORK_DONE_PLOTS_H */
