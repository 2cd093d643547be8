/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_PARTS_PLOT_H
#define BARRIER_PARTS_PLOT_H

#include "barrier-study-row.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A plot of what the latencies of a BarrierStudy go into: a stacked bar for each scheme and
 *        group size, of the first fabric.
 */
class BarrierPartsPlot
{
  public:
    /**
     * Writes what gnuplot needs to make a PNG and an SVG.
     * @param rows rows of a study
     * @param directory folder to write to, made if need be
     * @param prefix what the name of the file begins with
     * @return name of the file for gnuplot; none if nothing is explained
     * @throws WormholeError if the file can't be written
     */
    static std::vector<std::string> Write(const std::vector<BarrierStudyRow>& rows,
                                          const std::string& directory,
                                          const std::string& prefix);
};

} // namespace ns3

#endif /* BARRIER_PARTS_PLOT_H */
