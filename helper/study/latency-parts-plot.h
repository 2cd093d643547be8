/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_PARTS_PLOT_H
#define LATENCY_PARTS_PLOT_H

#include "latency-parts.h"
#include "study-plot.h"

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

    /// @return the plot causes; nothing is there without bars @param all bars, in groups
    /// @param title what bars are by
    static StudyPlot Draw(const std::vector<Bars>& all, const std::string& title);
};

} // namespace ns3

#endif /* LATENCY_PARTS_PLOT_H */
