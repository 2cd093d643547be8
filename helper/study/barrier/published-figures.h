/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PUBLISHED_FIGURES_H
#define PUBLISHED_FIGURES_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A figure that a paper prints and plots can show: one value for one fabric and group size.
 */
struct PublishedFigure
{
    std::string quantity;   ///< what it is: latency, latency_factor or traffic_factor
    std::string scheme;     ///< whose: btin or multicast; a factor is over btin
    uint32_t switches{0};   ///< number of switches
    uint32_t hosts{0};      ///< number of hosts
    double connectivity{0}; ///< ratio of ports in use
    uint32_t groupSize{0};  ///< number of members
    double value{0};        ///< the value; latencies in us

    /// @return the quantities that plots can show; a file may hold others, too
    static const std::vector<std::string>& GetQuantities();

    /// @return the columns of a file, see data/README.md
    static const std::vector<std::string>& GetColumns();

    /**
     * Reads those figures of a file that plots can show.
     * @param path the file, CSV
     * @return the figures
     * @throws WormholeError for any mistake in them, in one line that names file, line, column and
     *         value
     */
    static std::vector<PublishedFigure> Read(const std::string& path);
};

} // namespace ns3

#endif /* PUBLISHED_FIGURES_H */
