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
 * Times are those of a message that waits for no other. Its sender is busy for its software's part
 * or as long as its interface sends it, whichever is more.
 */
class FabricPaths : public SwitchPaths
{
  public:
    /// @param group the group, not on an ideal network; must outlive this @param transport how its
    /// members exchange messages @param bytes length of its messages
    FabricPaths(const Collective& group, HostSoftware::Transport transport, uint64_t bytes);

    uint32_t GetSwitch(uint32_t host) const override;
    SwitchPath GetPath(uint32_t from, uint32_t to) const override;
    Time GetMinR() const override;
    std::vector<uint32_t> GetNeighbours(uint32_t number) const override;
    uint32_t CountChannels(const SwitchLink& link) const override;
    uint32_t GetHeaderBytes(const TreeWormHeader& header,
                            uint32_t from,
                            const std::vector<uint32_t>& to) const override;

    /// @return how long a message keeps its sender busy @param host the sender's host
    Time GetSendTime(uint32_t host) const;

  private:
    Ptr<WormholeFabric> GetFabric() const;

    struct Parts
    {
        Time sender;         ///< as the sender, before the message is on its way
        Time receiver;       ///< as the receiver, at the end of one cable
        Time cable;          ///< as the receiver, for each further cable and the switch before it
        bool isKnown{false}; ///< whether these are
    };

    /// @return the flit time of a host's cable, which stands for all of a route
    Time GetFlitTime(uint32_t host) const;

    const Parts& GetParts(uint32_t host) const;

    const Collective& m_group;           ///< the group
    HostSoftware::Transport m_transport; ///< how messages are exchanged
    uint64_t m_bytes;                    ///< length of messages
    mutable std::vector<Parts> m_parts;  ///< by host, as far as asked for
};

/// @ingroup wormhole
/// @brief How a group's members exchange messages, and what algorithms know of the costs.
class ScheduleCosts
{
  public:
    static const std::vector<std::string>& GetTransportNames(); ///< @return names of transports

    /// @return names of how members of one host exchange messages
    static const std::vector<std::string>& GetWithinHostNames();

    /// @return a transport @param name its name
    static HostSoftware::Transport ParseTransport(const std::string& name);

    /// @return how members of one host exchange messages @param name its name
    static HostSoftware::WithinHost ParseWithinHost(const std::string& name);

    /// Notes the root of a group, and what messages cost, from there or between any two hosts.
    /// @param group the group
    /// @param transport its transport
    /// @param bytes length of its messages
    /// @param request where to note it
    static void Add(const Collective& group,
                    HostSoftware::Transport transport,
                    uint64_t bytes,
                    ScheduleRequest& request);
};

} // namespace ns3

#endif /* SCHEDULE_COSTS_H */
