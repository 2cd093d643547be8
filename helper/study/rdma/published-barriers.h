/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PUBLISHED_BARRIERS_H
#define PUBLISHED_BARRIERS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a barrier of a cluster takes, as a paper prints it.
 */
struct PublishedBarrier
{
    std::string cluster;      ///< name of the cluster, a preset of RdmaStudy
    std::string transport;    ///< rdma or send-receive
    uint32_t nodes{0};        ///< number of nodes
    uint32_t tasksPerNode{0}; ///< number of tasks on each
    double latencyUs{0};      ///< time of a barrier, us

    /// @return the columns of a file, see data/README.md
    static const std::vector<std::string>& GetColumns();

    /**
     * Reads those figures of a file that plots can show: latencies.
     * @param path the file, CSV
     * @return the figures
     * @throws WormholeError for any mistake in them, in one line that names file, line, column and
     *         value
     */
    static std::vector<PublishedBarrier> Read(const std::string& path);
};

} // namespace ns3

#endif /* PUBLISHED_BARRIERS_H */
