/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_DONE_ROW_H
#define NETWORK_DONE_ROW_H

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of Network-Done tells of one method and number of messages: a row of its CSV.
 */
struct NetworkDoneRow
{
    std::string method;     ///< name of the barrier
    double quantumUs{0};    ///< how long a process computes in a round, us
    uint32_t bytes{0};      ///< length of a message
    double trafficLoad{0};  ///< offered load of other data traffic, of a channel's rate
    double messages{0};     ///< mean number of messages of a process in a quantum
    double messageLoad{0};  ///< load that they offer to a host's channel, of its rate
    double latencyUs{0};    ///< mean time from the last member's entry to the last leave, us
    double quietUs{0};      ///< mean time from that entry until all messages are received, us
    double sums{0};         ///< mean number of sums in a round
    double busyPercent{0};  ///< share of rounds with messages under way at the last entry, percent
    double stepUs{0};       ///< mean time of a round, us
    double accountingUs{0}; ///< what sync-hardware's accounting has for Network-Done, us; NaN: none
    double messageUs{0};    ///< mean time of a message, software included, us; NaN: there is none

    /**
     * Writes CSV.
     * @param os where to
     * @param rows the rows
     */
    static void Write(std::ostream& os, const std::vector<NetworkDoneRow>& rows);

    /**
     * Reads CSV.
     * @param path the file
     * @return its rows
     * @throws WormholeError if it is no such file
     */
    static std::vector<NetworkDoneRow> Read(const std::string& path);

    /// @return rows as bytes, nothing of them rounded, for Unpack in a process of this program
    /// @param rows the rows
    static std::string Pack(const std::vector<NetworkDoneRow>& rows);

    /// @return rows @param bytes what Pack returned
    static std::vector<NetworkDoneRow> Unpack(const std::string& bytes);
};

} // namespace ns3

#endif /* NETWORK_DONE_ROW_H */
