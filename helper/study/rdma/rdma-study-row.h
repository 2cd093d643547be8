/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_STUDY_ROW_H
#define RDMA_STUDY_ROW_H

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of barriers by remote writes tells of one cluster: a row of its CSV.
 */
struct RdmaStudyRow
{
    std::string transport;    ///< rdma or send-receive
    uint32_t nodes{0};        ///< number of nodes
    uint32_t tasksPerNode{0}; ///< number of tasks on each
    uint32_t steps{0};        ///< exchanges between nodes, or between tasks, one after the other
    double latencyUsMean{0};  ///< mean time of a barrier, us
    std::string withinHost{"flags"}; ///< how tasks of a node exchange messages
    uint32_t interfacePercent{0};    ///< part of a message's time in which it occupies interfaces
    double setUpUs{0};               ///< time to make the group, us
    double load{0};        ///< load of traffic beside; 0: none, and what follows is not written
    std::string pattern{}; ///< who sends that to whom
    std::string flits{};   ///< length of its worms, as WormLength::Parse
    double latencyUs99{0}; ///< time that 99 % of the barriers do not exceed, us

    /// @return names of the transports
    static const std::vector<std::string>& GetTransports();

    /// @return words for how tasks of a node exchange messages
    static const std::vector<std::string>& GetWithinHost();

    /**
     * Writes CSV.
     * @param os where to
     * @param rows the rows
     */
    static void Write(std::ostream& os, const std::vector<RdmaStudyRow>& rows);

    /**
     * Reads CSV.
     * @param path the file
     * @return its rows
     * @throws WormholeError if it is no such file
     */
    static std::vector<RdmaStudyRow> Read(const std::string& path);
};

} // namespace ns3

#endif /* RDMA_STUDY_ROW_H */
