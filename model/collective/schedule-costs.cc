/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-costs.h"

#include "fabric-paths.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <memory>

namespace ns3
{

const std::vector<std::string>&
ScheduleCosts::GetTransportNames()
{
    static const std::vector<std::string> names{"sendrecv", "rdma"};
    return names;
}

const std::vector<std::string>&
ScheduleCosts::GetWithinHostNames()
{
    static const std::vector<std::string> names{"flags", "memory", "interface"};
    return names;
}

HostSoftware::Transport
ScheduleCosts::ParseTransport(const std::string& name)
{
    if (name == "sendrecv")
    {
        return HostSoftware::Transport::SEND_RECEIVE;
    }
    if (name == "rdma")
    {
        return HostSoftware::Transport::RDMA;
    }
    throw WormholeError("Transport is '" + name + "'; it may be sendrecv or rdma");
}

HostSoftware::WithinHost
ScheduleCosts::ParseWithinHost(const std::string& name)
{
    using WithinHost = HostSoftware::WithinHost;
    return name == "flags"    ? WithinHost::FLAGS
           : name == "memory" ? WithinHost::MEMORY
                              : WithinHost::INTERFACE;
}

void
ScheduleCosts::Add(const Collective& group,
                   HostSoftware::Transport transport,
                   uint64_t bytes,
                   ScheduleRequest& request)
{
    request.root = group.GetRoot();
    const auto rootHost = request.hosts[request.root];
    const auto other = std::find_if(request.hosts.begin(), request.hosts.end(), [=](auto host) {
        return host != rootHost;
    });
    auto& domain = group.GetDomain();
    request.flag = domain.GetSoftware(rootHost)->GetFlagTime();
    if (domain.IsIdeal())
    {
        request.levels = domain.GetLevels();
        if (request.levels)
        {
            const auto& cost = request.levels->GetCost(request.levels->GetNLevels());
            request.s = cost.Busy();
            request.r = cost.r;
            return;
        }
        const auto software = domain.GetSoftware(rootHost);
        const auto sending = software->GetMeanSendTime(transport, bytes);
        const auto passing = software->GetInterfaceTime(HostSoftware::Direction::SENT);
        request.s = std::max({sending, passing, software->GetMessageGap()});
        if (other != request.hosts.end())
        {
            const auto receiver = domain.GetSoftware(*other);
            request.r = sending + passing - request.s + domain.GetLatency() +
                        receiver->GetInterfaceTime(HostSoftware::Direction::RECEIVED) +
                        receiver->GetMeanReceiveTime(transport, bytes) -
                        receiver->GetTransferTime(transport);
        }
        return;
    }
    const auto paths = std::make_shared<FabricPaths>(group, transport, bytes);
    request.s = paths->GetSendTime(rootHost);
    if (other != request.hosts.end())
    {
        request.r = paths->GetPath(rootHost, *other).r;
    }
    request.paths = paths;
}

} // namespace ns3
