/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPLIT_PLOTS_H
#define SPLIT_PLOTS_H

#include "split-study-row.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Plot of a SplitStudy: time of a step beyond its computing, over computing time; a panel
 *        for each imbalance and progress, a line for each barrier.
 */
class SplitPlots
{
  public:
    /// @param rows rows of a study
    explicit SplitPlots(const std::vector<SplitStudyRow>& rows);

    /**
     * Writes what gnuplot needs to make a PNG and an SVG, PREFIXexposed.plt.
     * @param directory folder to write to, made if need be
     * @param prefix what the names of files begin with
     * @return names of the files for gnuplot; none if there is nothing to show
     * @throws WormholeError if a file can't be written
     */
    std::vector<std::string> Write(const std::string& directory, const std::string& prefix) const;

  private:
    /// @return commands of a panel @param imbalance its imbalance @param progress its progress
    /// @param hasKey whether it has the key
    std::string DrawPanel(uint32_t imbalance, const std::string& progress, bool hasKey) const;

    std::vector<SplitStudyRow> m_rows;     ///< rows of the study
    std::vector<std::string> m_algorithms; ///< barriers, each once
    std::vector<std::string> m_progresses; ///< progress, each once
    std::vector<uint32_t> m_imbalances;    ///< imbalances, each once
};

} // namespace ns3

#endif /* SPLIT_PLOTS_H */
