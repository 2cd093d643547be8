/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_COSTS_H
#define SCHEDULE_COSTS_H

#include "working-switches.h"

#include "ns3/group-schedules.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-host-software.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// The paths of a group's messages over its fabric, by the fabric's own routes.
///
/// Times are those of a message without contention. Its sender is busy for its software's time or
/// for its interface's, whichever is longer.
class FabricPaths : public SwitchPaths
{
  public:
    /// @param group the group, not on an ideal network; must outlive this
    FabricPaths(const Collective& group, HostSoftware::Transport transport, uint64_t bytes);

    uint32_t GetSwitch(uint32_t host) const override;
    SwitchPath GetPath(uint32_t from, uint32_t to) const override;
    Time GetMinR() const override;
    std::vector<uint32_t> GetNeighbours(uint32_t number) const override;
    uint32_t CountChannels(const SwitchLink& link) const override;
    uint32_t GetHeaderBytes(const TreeWormHeader& header,
                            uint32_t from,
                            const std::vector<uint32_t>& to) const override;

    Time GetSendTime(uint32_t host) const;

  private:
    Ptr<WormholeFabric> GetFabric() const;

    struct Parts
    {
        Time sender;   ///< sender's time, before the message is in flight
        Time receiver; ///< receiver's time, at the end of one cable
        Time cable;    ///< receiver's time, for each further cable and the switch before it
        bool isKnown{false};
    };

    /// @return the flit time of a host's cable, used for the whole route
    Time GetFlitTime(uint32_t host) const;

    const Parts& GetParts(uint32_t host) const;

    const Collective& m_group;
    HostSoftware::Transport m_transport;
    uint64_t m_bytes;
    mutable std::vector<Parts> m_parts; ///< by host, computed on first use
};

/// A group's transports by name, and the costs that algorithms use.
class ScheduleCosts
{
  public:
    static const std::vector<std::string>& GetTransportNames();

    static const std::vector<std::string>& GetWithinHostNames();

    static HostSoftware::Transport ParseTransport(const std::string& name);

    static HostSoftware::WithinHost ParseWithinHost(const std::string& name);

    /// Sets a request's root and message costs, from the root or between any two hosts.
    static void Add(const Collective& group,
                    HostSoftware::Transport transport,
                    uint64_t bytes,
                    ScheduleRequest& request);
};

} // namespace ns3

#endif /* SCHEDULE_COSTS_H */
