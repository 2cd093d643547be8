/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "repaired-routes.h"

#include "destination-routes.h"
#include "up-down-order.h"

#include "ns3/wormhole-route-spread.h"
#include "ns3/wormhole-routing-engine.h"

#include <utility>

namespace ns3
{

namespace
{

/// The routes of a fabric that are left when it has lost parts: those of which all cables are.
///
/// Nodes and ports are those of the same names and numbers before. A route is kept only if channels
/// come in the order of up/down along it, as they do in the new routes beside it, so that both
/// together are free of deadlock.
class SurvivingRoutes
{
  public:
    /// @param ranks place of each switch in the order of up/down, see DestinationRoutes
    SurvivingRoutes(const FabricGraph& graph,
                    const std::vector<uint32_t>& ranks,
                    const FabricGraph& whole,
                    Ptr<WormholeRouter> before)
        : m_graph(graph),
          m_channels(graph),
          m_places(graph),
          m_order(m_channels.GetNChannels()),
          m_before(std::move(before)),
          m_isKept(m_channels.GetNChannels())
    {
        uint32_t place = 0;
        for (const auto channel : UpDownOrder(m_channels, ranks).OrderChannels())
        {
            m_order[channel] = place++;
        }
        const auto wasThere = [&](FabricGraph::Node node, FabricGraph::Port port) {
            const auto old = whole.Find(graph.GetName(node));
            if (old == FabricGraph::NONE || port >= whole.GetNPorts(old))
            {
                return false;
            }
            const auto far = graph.Peer(node, port);
            const auto oldFar = whole.Peer(old, port);
            return oldFar.node != FabricGraph::NONE && far.port == oldFar.port &&
                   graph.GetName(far.node) == whole.GetName(oldFar.node);
        };
        for (uint32_t channel = 0; channel < m_isKept.size(); ++channel)
        {
            m_isKept[channel] = wasThere(m_channels.From(channel), m_channels.PortOf(channel));
        }
        for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
        {
            const auto end = graph.Peer(graph.HostAt(host), 0);
            m_hosts.push_back(whole.FindHost(graph.GetName(graph.HostAt(host))));
            m_isHostKept.push_back(wasThere(end.node, end.port));
        }
    }

    /// @return the route from one host to another; null if it is not kept
    Ptr<const WormRoute> Find(uint32_t from, uint32_t to) const
    {
        if (!m_isHostKept[from] || !m_isHostKept[to])
        {
            return nullptr;
        }
        auto route = m_before->GetRoute(m_hosts[from], m_hosts[to]);
        auto node = m_places.SwitchOf(from);
        auto last = SwitchChannels::NONE;
        for (WormRoute::Stop stop = 1; stop + 1 < route->GetNChannels(); ++stop)
        {
            const auto channel = m_channels.At(node, route->At(stop)[0].port);
            if (channel == SwitchChannels::NONE || !m_isKept[channel] ||
                (last != SwitchChannels::NONE && m_order[channel] <= m_order[last]))
            {
                return nullptr;
            }
            last = channel;
            node = m_channels.To(channel);
        }
        return node == m_places.SwitchOf(to) ? route : nullptr;
    }

    /// @return whether routes before were the same for all hosts of a switch
    bool AreBySwitch() const
    {
        const auto* before = dynamic_cast<const DestinationLoads*>(PeekPointer(m_before));
        return before && before->AreBySwitch();
    }

    /// @return what they load channels with, and who needs other routes. Looks at all pairs of
    /// hosts, or of switches and hosts where routes before did not depend on the sender.
    RoutesBeside Count() const
    {
        const auto nSwitches = m_channels.GetNSwitches();
        const bool isBySwitch = AreBySwitch();
        std::vector<std::vector<uint32_t>> senders(nSwitches); // those whose routes differ
        for (uint32_t host = 0; host < m_hosts.size(); ++host)
        {
            auto& here = senders[m_places.SwitchOf(host)];
            if (!isBySwitch || here.empty())
            {
                here.push_back(host);
            }
        }
        RoutesBeside found;
        found.worms.resize(m_channels.GetNChannels());
        found.missing.resize(nSwitches);
        RoutingProgress progress("hosts whose routes are looked at", m_hosts.size());
        for (uint32_t to = 0; to < m_hosts.size(); ++to)
        {
            const auto last = m_places.SwitchOf(to);
            for (FabricGraph::Node node = 0; node < nSwitches; ++node)
            {
                if (node == last || senders[node].empty())
                {
                    continue;
                }
                const auto worms =
                    m_places.CountAt(node) / static_cast<uint32_t>(senders[node].size());
                uint32_t nMissing = 0;
                for (const auto from : senders[node])
                {
                    const auto route = Find(from, to);
                    if (!route)
                    {
                        nMissing += worms;
                        continue;
                    }
                    auto at = node;
                    for (WormRoute::Stop stop = 1; stop + 1 < route->GetNChannels(); ++stop)
                    {
                        const auto channel = m_channels.At(at, route->At(stop)[0].port);
                        found.worms[channel] += worms;
                        at = m_channels.To(channel);
                    }
                }
                if (nMissing > 0)
                {
                    found.missing[last].push_back({m_places.GetIndexAtSwitch(to), node, nMissing});
                }
            }
            progress.Step();
        }
        return found;
    }

  private:
    FabricGraph m_graph;
    SwitchChannels m_channels;
    HostAttachment m_places;
    std::vector<uint32_t> m_order;  ///< by channel: place in the order
    Ptr<WormholeRouter> m_before;   ///< routes before
    std::vector<uint32_t> m_hosts;  ///< indexes of hosts before, by index
    std::vector<bool> m_isKept;     ///< by channel: whether its cable was there before
    std::vector<bool> m_isHostKept; ///< by host: likewise
};

/// Those, and new ones for the other hosts.
class RepairedRoutes : public DestinationRoutes
{
  public:
    RepairedRoutes(const FabricGraph& graph,
                   const std::vector<uint32_t>& ranks,
                   SurvivingRoutes kept,
                   const RoutesBeside& beside)
        : DestinationRoutes(graph, ranks, &beside),
          m_kept(std::move(kept))
    {
        SetName("routing fat-tree");
    }

    void Append(uint32_t from, uint32_t to, Way& way) const override
    {
        const auto route = m_kept.Find(from, to);
        if (!route)
        {
            DestinationRoutes::Append(from, to, way);
            return;
        }
        auto node = GetHosts().SwitchOf(from);
        for (WormRoute::Stop stop = 1; stop + 1 < route->GetNChannels(); ++stop)
        {
            way.push_back(GetChannels().At(node, route->At(stop)[0].port));
            node = GetChannels().To(way.back());
        }
    }

    bool AreBySwitch() const override
    {
        return m_kept.AreBySwitch();
    }

    bool AddLoads(uint32_t, const std::vector<double>&, Loads&) const override
    {
        return false;
    }

  private:
    SurvivingRoutes m_kept;
};

} // namespace

Ptr<WormholeRouter>
MakeRepairedRoutes(const FabricGraph& graph,
                   const std::vector<uint32_t>& ranks,
                   const FabricGraph& whole,
                   Ptr<WormholeRouter> before)
{
    SurvivingRoutes kept(graph, ranks, whole, std::move(before));
    const auto beside = kept.Count();
    return Create<RepairedRoutes>(graph, ranks, std::move(kept), beside);
}

} // namespace ns3
