/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_DONE_ROW_H
#define NETWORK_DONE_ROW_H

#include "ns3/csv-table.h"

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

    /// @return its columns
    static const CsvTable<NetworkDoneRow>& GetTable();
};

} // namespace ns3

#endif /* NETWORK_DONE_ROW_H */
