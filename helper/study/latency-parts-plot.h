/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_PARTS_PLOT_H
#define LATENCY_PARTS_PLOT_H

#include "latency-parts.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

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

    /**
     * Writes what gnuplot needs to make a PNG and an SVG.
     * @param all bars, in groups
     * @param directory folder to write to, made if need be
     * @param name name of the plot
     * @param title what bars are by
     * @return name of the file for gnuplot; none without bars
     * @throws WormholeError if the file can't be written
     */
    static std::vector<std::string> Write(const std::vector<Bars>& all,
                                          const std::string& directory,
                                          const std::string& name,
                                          const std::string& title);
};

} // namespace ns3

#endif /* LATENCY_PARTS_PLOT_H */
