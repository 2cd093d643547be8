/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_COSTS_H
#define SCHEDULE_COSTS_H

#include "collective.h"
#include "group-schedules.h"

#include "ns3/host-software.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief How a group's members exchange messages, and what algorithms know of the costs.
 */
class ScheduleCosts
{
  public:
    /// @return names of transports
    static const std::vector<std::string>& GetTransportNames();

    /// @return names of how members of one host exchange messages
    static const std::vector<std::string>& GetWithinHostNames();

    /// @return a transport @param name its name
    static HostSoftware::Transport ParseTransport(const std::string& name);

    /// @return how members of one host exchange messages @param name its name
    static HostSoftware::WithinHost ParseWithinHost(const std::string& name);

    /**
     * Notes the root of a group, and what messages cost, from there or between any two hosts.
     * @param group the group
     * @param transport its transport
     * @param bytes length of its messages
     * @param request where to note it
     */
    static void Add(const Collective& group,
                    HostSoftware::Transport transport,
                    uint64_t bytes,
                    ScheduleRequest& request);
};

} // namespace ns3

#endif /* SCHEDULE_COSTS_H */
