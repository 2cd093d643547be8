// SPDX-License-Identifier: GPL-2.0-only

#ifndef SCHEDULE_COSTS_H
#define SCHEDULE_COSTS_H

#include "working-switches.h"

#include "ns3/ordering.h"
#include "ns3/wormhole-collective.h"

#include <algorithm>
#include <memory>
#include <set>

namespace ns3
{

/// The paths of a group's messages over its fabric, by the fabric's own routes.
///
/// Times are for a message without contention. The sender is busy for its software's time or for
/// its interface's time, whichever is longer.
class FabricPaths : public SwitchPaths
{
  public:
    /// @param group the group, not on an ideal network; must outlive this
    FabricPaths(const Collective& group, HostSoftware::Transport transport, uint64_t bytes)
        : m_group(group),
          m_transport(transport),
          m_bytes(bytes)
    {
    }

    uint32_t GetSwitch(uint32_t host) const override
    {
        const auto& graph = m_group.GetDomain().GetGraph();
        return graph.SwitchOf(graph.HostAt(host)).node;
    }

    SwitchPath GetPath(uint32_t from, uint32_t to) const override
    {
        const auto& graph = m_group.GetDomain().GetGraph();
        const auto route = GetFabric()->GetRouter()->GetSwitchPath(from, to);
        const auto nodes = graph.Walk(graph.HostAt(from), *route);
        SwitchPath path;
        path.links.reserve(nodes.size());
        for (std::size_t i = 2; i + 1 < nodes.size(); ++i)
        {
            path.links.emplace_back(nodes[i - 1], nodes[i]);
            path.ports.push_back((*route->At(static_cast<WormRoute::Stop>(i - 1)).begin()).port);
        }
        // In this order: the second call may move the first one's result.
        path.r = GetParts(from).sender;
        const auto& receiver = GetParts(to);
        path.r += receiver.receiver + receiver.cable * (static_cast<int64_t>(nodes.size()) - 2);
        path.r += GetFlitTime(from) * static_cast<int64_t>(GetFabric()->GetRouteFlits(*route));
        return path;
    }

    Time GetMinR() const override
    {
        // The least times of any sender and any receiver, with one cable between them.
        auto sender = Time::Max();
        auto receiver = Time::Max();
        for (uint32_t rank = 0; rank < m_group.GetNMembers(); ++rank)
        {
            const auto& parts = GetParts(m_group.GetHost(rank));
            sender = std::min(sender, parts.sender);
            receiver = std::min(receiver, parts.receiver);
        }
        return sender + receiver;
    }

    std::vector<uint32_t> GetNeighbours(uint32_t number) const override
    {
        const auto& graph = m_group.GetDomain().GetGraph();
        std::set<uint32_t> neighbours;
        for (const auto port : graph.PortsToSwitches(number))
        {
            neighbours.insert(graph.Peer(number, port).node);
        }
        return {neighbours.begin(), neighbours.end()};
    }

    uint32_t CountChannels(const SwitchLink& link) const override
    {
        const auto& graph = m_group.GetDomain().GetGraph();
        const auto ports = graph.PortsToSwitches(link.first);
        return static_cast<uint32_t>(std::count_if(ports.begin(), ports.end(), [&](auto port) {
            return graph.Peer(link.first, port).node == link.second;
        }));
    }

    uint32_t GetHeaderBytes(const TreeWormHeader& header,
                            uint32_t from,
                            const std::vector<uint32_t>& to) const override
    {
        const auto& graph = m_group.GetDomain().GetGraph();
        return header.GetBytes(graph,
                               graph.HostAt(from),
                               *GetFabric()->GetRouter()->GetTreeRoute(from, to));
    }

    Time GetSendTime(uint32_t host) const
    {
        const auto software = m_group.GetDomain().GetSoftware(host);
        return std::max({software->GetMeanSendTime(m_transport, m_bytes),
                         software->GetInterfaceTime(HostSoftware::Direction::SENT, m_bytes),
                         software->GetMessageGap(m_bytes),
                         GetFlitTime(host) * static_cast<int64_t>(software->GetFlits(m_bytes))});
    }

  private:
    Ptr<WormholeFabric> GetFabric() const
    {
        auto fabric = m_group.GetDomain().GetFabric();
        fabric->Start();
        return fabric;
    }

    struct Parts
    {
        Time sender;   ///< sender's time, before the message is in flight
        Time receiver; ///< receiver's time, after one cable
        Time cable;    ///< receiver's time, for each further cable and the switch before it
        bool isKnown{false};
    };

    /// @return the flit time of a host's cable, used for the whole route
    Time GetFlitTime(uint32_t host) const
    {
        const auto fabric = GetFabric();
        return fabric->GetFlitTime(*fabric->GetHost(host)->GetPort()->GetChannel());
    }

    const Parts& GetParts(uint32_t host) const
    {
        if (host >= m_parts.size())
        {
            m_parts.resize(host + 1);
        }
        auto& parts = m_parts[host];
        if (!parts.isKnown)
        {
            auto fabric = GetFabric();
            auto device = fabric->GetHost(host);
            auto software = m_group.GetDomain().GetSoftware(host);
            const auto delay = device->GetPort()->GetChannel()->GetDelay();
            parts.sender = software->GetMeanSendTime(m_transport, m_bytes) +
                           software->GetInterfaceTime(HostSoftware::Direction::SENT, m_bytes) +
                           software->GetLatency(m_bytes) -
                           software->GetTransferTime(m_transport, m_bytes) - GetSendTime(host);
            parts.receiver =
                delay + device->GetDelay() * 2 +
                GetFlitTime(host) * static_cast<int64_t>(software->GetFlits(m_bytes)) +
                software->GetInterfaceTime(HostSoftware::Direction::RECEIVED, m_bytes) +
                software->GetMeanReceiveTime(m_transport, m_bytes);
            parts.cable = delay + GetFlitTime(host) +
                          (fabric->GetNSwitches() > 0 ? fabric->GetSwitch(0)->GetDelay() : Time(0));
            parts.isKnown = true;
        }
        return parts;
    }

    const Collective& m_group;
    HostSoftware::Transport m_transport;
    uint64_t m_bytes;
    mutable std::vector<Parts> m_parts; ///< by host, computed on first use
};

/// A group's transports by name, and the costs that algorithms use.
class ScheduleCosts
{
  public:
    static std::vector<std::string> GetTransportNames()
    {
        return {"sendrecv", "rdma"};
    }

    static std::vector<std::string> GetWithinHostNames()
    {
        return {"flags", "memory", "interface"};
    }

    /// Sets a request's root and message costs, from the root or between any two hosts.
    static void Add(const Collective& group,
                    HostSoftware::Transport transport,
                    uint64_t bytes,
                    ScheduleRequest& request)
    {
        request.root = group.GetRoot();
        const auto rootHost = request.hosts[request.root];
        const auto other = FindIn(request.hosts, [=](auto host) { return host != rootHost; });
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
            const auto passing = software->GetInterfaceTime(HostSoftware::Direction::SENT, bytes);
            request.s = std::max({sending, passing, software->GetMessageGap(bytes)});
            if (other != request.hosts.end())
            {
                const auto receiver = domain.GetSoftware(*other);
                request.r = sending + passing - request.s + software->GetLatency(bytes) +
                            domain.GetLatency() +
                            receiver->GetInterfaceTime(HostSoftware::Direction::RECEIVED, bytes) +
                            receiver->GetMeanReceiveTime(transport, bytes) -
                            receiver->GetTransferTime(transport, bytes);
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
};

} // namespace ns3

#endif /* SCHEDULE_COSTS_H */
