/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_PLOTS_H
#define RDMA_PLOTS_H

#include "rdma-study-row.h"

#include "ns3/group-size-plot.h"
#include "ns3/published-barriers.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Plot of an RdmaStudy: latency of barriers over the number of nodes; a panel for each
 *        number of tasks. With several parts of a message's time in which interfaces are occupied,
 *        latency over that part, of the greatest number of nodes.
 */
class RdmaPlots
{
  public:
    /**
     * @param rows rows of a study of one cluster
     * @param cluster name of the cluster, for titles; figures of others are left out
     * @param published published figures
     */
    RdmaPlots(const std::vector<RdmaStudyRow>& rows,
              const std::string& cluster,
              const std::vector<PublishedBarrier>& published);

    /**
     * Writes what gnuplot needs to make a PNG and an SVG, PREFIXlatency.plt or
     * PREFIXinterface.plt.
     * @param directory folder to write to, made if need be
     * @param prefix what the names of files begin with
     * @return names of the files for gnuplot; none if there is nothing to show
     * @throws WormholeError if a file can't be written
     */
    std::vector<std::string> Write(const std::string& directory, const std::string& prefix) const;

  private:
    /// Writes latency over nodes. @param plot its name and axes @param directory where to
    /// @return name of the file; empty if there is nothing to show
    std::string WriteLatency(GroupSizePlot plot, const std::string& directory) const;

    /// Writes latency over the part of interfaces. @param name of the file, without an ending
    /// @param directory where to @return name of the file
    std::string WriteInterface(const std::string& name, const std::string& directory) const;

    std::vector<RdmaStudyRow> m_rows;          ///< rows of the study
    std::string m_cluster;                     ///< name of the cluster
    std::vector<PublishedBarrier> m_published; ///< published figures of it
};

} // namespace ns3

#endif /* RDMA_PLOTS_H */
