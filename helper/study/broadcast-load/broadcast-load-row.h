/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_LOAD_ROW_H
#define BROADCAST_LOAD_ROW_H

#include "ns3/csv-table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of broadcasts beside data traffic tells of one window, gap and load: a row of
 *        its CSV.
 */
struct BroadcastLoadRow
{
    std::string broadcast;    ///< what is throttled
    uint32_t broadcasters{0}; ///< groups that broadcast at the same time
    uint32_t window{0};       ///< broadcasts of each that may be outstanding; 0: any number
    double gapUs{0};          ///< least time between two of them, us
    double load{0};           ///< offered load of the data traffic, 0 for none
    double timeUs{0};         ///< time per broadcast of a group, us
    double latencyUs{0};      ///< mean time of a broadcast from its beginning to all members, us
    double heldUs{0};         ///< mean time that roots were held back, us
    uint64_t outstanding{0};  ///< the most broadcasts of a group begun and not at all members
    double trafficUs{0};      ///< mean latency of the data traffic meanwhile, us; NaN if none

    /// @return its columns
    static const CsvTable<BroadcastLoadRow>& GetTable();
};

} // namespace ns3

#endif /* BROADCAST_LOAD_ROW_H */
