/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_COSTS_H
#define SCHEDULE_COSTS_H

#include "ns3/group-schedules.h"
#include "ns3/switch-paths.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-host-software.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The paths of a group's messages over its fabric, by the fabric's own routes.
 *
 * Times are those of a message without contention. Its sender is busy for its software's time or
 * for its interface's, whichever is longer.
 */
class FabricPaths : public SwitchPaths
{
  public:
    /// @param group the group, not on an ideal network; must outlive this @param transport how its
    ///        members exchange messages @param bytes length of its messages
    FabricPaths(const Collective& group, HostSoftware::Transport transport, uint64_t bytes);

    uint32_t GetSwitch(uint32_t host) const override;
    SwitchPath GetPath(uint32_t from, uint32_t to) const override;
    Time GetMinR() const override;
    std::vector<uint32_t> GetNeighbours(uint32_t number) const override;
    uint32_t CountChannels(const SwitchLink& link) const override;
    uint32_t GetHeaderBytes(const TreeWormHeader& header,
                            uint32_t from,
                            const std::vector<uint32_t>& to) const override;

    /// @return time for which a message keeps its sender busy @param host the sender's host
    Time GetSendTime(uint32_t host) const;

  private:
    Ptr<WormholeFabric> GetFabric() const;

    struct Parts
    {
        Time sender;         ///< sender's time, before the message is in flight
        Time receiver;       ///< receiver's time, at the end of one cable
        Time cable;          ///< receiver's time, for each further cable and the switch before it
        bool isKnown{false}; ///< whether these are known
    };

    /// @return the flit time of a host's cable, used for the whole route
    Time GetFlitTime(uint32_t host) const;

    const Parts& GetParts(uint32_t host) const;

    const Collective& m_group; ///< the group
    HostSoftware::Transport m_transport;
    uint64_t m_bytes;
    mutable std::vector<Parts> m_parts; ///< by host, computed on first use
};

/// @ingroup wormhole
/// @brief A group's transports by name, and the costs that algorithms use.
class ScheduleCosts
{
  public:
    static const std::vector<std::string>& GetTransportNames(); ///< @return names of transports

    /// @return names of ways to exchange messages within a host
    static const std::vector<std::string>& GetWithinHostNames();

    /// @return a transport @param name its name
    static HostSoftware::Transport ParseTransport(const std::string& name);

    /// @return how members of one host exchange messages @param name the name
    static HostSoftware::WithinHost ParseWithinHost(const std::string& name);

    /// Sets a request's root and message costs, from the root or between any two hosts.
    /// @param group the group
    /// @param transport its transport
    /// @param bytes length of its messages
    /// @param request the request
    static void Add(const Collective& group,
                    HostSoftware::Transport transport,
                    uint64_t bytes,
                    ScheduleRequest& request);
};

} // namespace ns3

#endif /* SCHEDULE_COSTS_H */
