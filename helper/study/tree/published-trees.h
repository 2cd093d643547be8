/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PUBLISHED_TREES_H
#define PUBLISHED_TREES_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief When a tree has spread a message, as a paper prints it.
 */
struct PublishedTree
{
    std::string tree;      ///< name of the tree
    double sUs{0};         ///< how long a message keeps its sender busy, us
    double rUs{0};         ///< from then until the receiver is active, us
    uint32_t processes{0}; ///< number of processes
    double finishUs{0};    ///< when the last process is active, us

    /// @return the columns of a file, see data/README.md
    static const std::vector<std::string>& GetColumns();

    /**
     * Reads those figures of a file that plots can show: measured finishes.
     * @param path the file, CSV
     * @return the figures
     * @throws WormholeError for any mistake in them, in one line that names file, line, column and
     *         value
     */
    static std::vector<PublishedTree> Read(const std::string& path);
};

} // namespace ns3

#endif /* PUBLISHED_TREES_H */
