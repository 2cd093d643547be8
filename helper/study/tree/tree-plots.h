/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_PLOTS_H
#define TREE_PLOTS_H

#include "published-trees.h"
#include "tree-study-row.h"

#include "ns3/group-size-plot.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Plot of a TreeStudy: when trees are done, over the number of processes; a panel for each
 *        network and costs.
 *
 * What is shown is simulated; on an ideal network that is what the model tells. A tree has one
 * colour in all panels. Published figures are drawn in as points. One process takes no time, and
 * has no place on log axes.
 */
class TreePlots
{
  public:
    /**
     * @param rows rows of a study, or of several
     * @param published published figures
     */
    TreePlots(const std::vector<TreeStudyRow>& rows, const std::vector<PublishedTree>& published);

    /**
     * Writes what gnuplot needs to make a PNG and an SVG, PREFIXfinish.plt.
     * @param directory folder to write to, made if need be
     * @param prefix what the names of files begin with
     * @return names of the files for gnuplot; none if there is nothing to show
     * @throws WormholeError if a file can't be written
     */
    std::vector<std::string> Write(const std::string& directory, const std::string& prefix) const;

  private:
    /// @return a panel @param of a row of it
    GroupSizePlot::Panel MakePanel(const TreeStudyRow& of) const;

    /// @return points of a line @param of a row of the panel @param tree name of the tree
    std::vector<GroupSizePlot::Point> Select(const TreeStudyRow& of, const std::string& tree) const;

    std::vector<TreeStudyRow> m_rows;       ///< rows of studies
    std::vector<PublishedTree> m_published; ///< published figures
    std::vector<std::string> m_trees;       ///< all trees, in the order of the rows
};

} // namespace ns3

#endif /* TREE_PLOTS_H */
