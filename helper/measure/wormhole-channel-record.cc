// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-channel-record.h"

#include "ns3/csv-file.h"
#include "ns3/engine-observer.h"
#include "ns3/graph-walk.h"
#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>

namespace ns3
{
Ptr<ChannelRecord>
ChannelRecord::Begin(Ptr<WormholeFabric> fabric, const FabricGraph& graph)
{
    const auto made = Create<ChannelRecord>(fabric, graph);
    ForEachEnd(graph, [&](FabricGraph::End end, FabricGraph::End far) {
        const auto output = fabric->GetPort(end.node, end.port);
        const auto number = static_cast<uint32_t>(made->m_channels.size());
        made->m_channels.push_back({end, far, fabric->GetFlitTime(*output->GetChannel())});
        made->m_outputs.push_back(output);
        ObservePort(*output,
                    {WormholePort::REQUEST, WormholePort::HEAD_START, WormholePort::TAIL_LEFT},
                    MakeCallback(&ChannelRecord::Note, made).Bind(number));
    });
    made->m_requests.resize(made->m_channels.size());
    fabric->TraceConnectWithoutContext("Outage", MakeCallback(&ChannelRecord::NoteOutage, made));
    fabric->TraceConnectWithoutContext("FlitsLost", MakeCallback(&ChannelRecord::NoteLoss, made));
    return made;
}

void
ChannelRecord::Note(uint32_t number, WormholePort::Trace trace, Ptr<const Worm> worm)
{
    auto& channel = m_channels[number];
    auto& requests = m_requests[number];
    if (trace == WormholePort::REQUEST)
    {
        requests[worm->GetId()] = Simulator::Now();
    }
    else if (trace == WormholePort::TAIL_LEFT)
    {
        ++channel.worms;
        channel.flits += GetFlits(channel, *worm);
        // Who was granted it at once may have started before its request was told.
        requests.erase(worm->GetId());
    }
    else
    {
        const auto found = requests.find(worm->GetId());
        if (found != requests.end())
        {
            channel.waiting += Simulator::Now() - found->second;
            requests.erase(found);
        }
        if (worm->GetRoute()->HasChoices())
        {
            Withdraw(channel.from.node, worm);
        }
    }
}

void
ChannelRecord::NoteOutage(const WormholeOutage& outage)
{
    m_hasOutages = true;
    const auto cables = m_fabric->GetCables(outage.part);
    for (std::size_t i = 0; i < m_channels.size(); ++i)
    {
        if (cables.count(m_outputs[i]->GetChannel()) > 0)
        {
            m_channels[i].down.emplace_back(outage.from, outage.until);
        }
    }
}

void
ChannelRecord::NoteLoss(const WormholeLoss& loss)
{
    const auto found = std::find(m_outputs.begin(), m_outputs.end(), loss.output);
    if (found != m_outputs.end())
    {
        m_channels[static_cast<std::size_t>(found - m_outputs.begin())].lost += loss.flits;
    }
}

Time
ChannelRecord::GetDownTime(const Channel& channel) const
{
    auto outages = channel.down;
    std::sort(outages.begin(), outages.end());
    Time down;
    auto counted = m_begin; // until when
    for (const auto& [from, until] : outages)
    {
        const auto begin = std::max(from, counted);
        const auto end = std::min(until, Simulator::Now());
        down += std::max(end - begin, Time(0));
        counted = std::max(counted, end);
    }
    return down;
}

void
ChannelRecord::Withdraw(FabricGraph::Node node, const Ptr<const Worm>& worm)
{
    const auto first = std::lower_bound(
        m_channels.begin(),
        m_channels.end(),
        node,
        [](const Channel& channel, FabricGraph::Node its) { return channel.from.node < its; });
    for (auto at = first; at != m_channels.end() && at->from.node == node; ++at)
    {
        m_requests[static_cast<std::size_t>(at - m_channels.begin())].erase(worm->GetId());
    }
}

uint64_t
ChannelRecord::GetFlits(const Channel& channel, const Worm& worm) const
{
    const auto& route = *worm.GetRoute();
    if (m_fabric->GetRouteFlits(route) == 0)
    {
        return worm.GetFlits();
    }
    // A unicast worm, which has fewer flits in front of it at each switch.
    const auto nodes = m_graph.Walk(m_graph.Find(worm.GetRoot()->name), route);
    for (WormRoute::Stop stop = 0; stop + 1 < route.GetNStops(); ++stop)
    {
        if (nodes[stop] == channel.from.node && route.At(stop)[0].port == channel.from.port)
        {
            return worm.GetFlits() + m_fabric->GetRouteFlits(route, stop);
        }
    }
    return worm.GetFlits();
}

CollectiveDomain::ChannelWait
ChannelRecord::TakeWaits()
{
    m_before.resize(m_channels.size());
    std::map<std::pair<FabricGraph::Node, FabricGraph::Port>, Time> waits;
    for (std::size_t i = 0; i < m_channels.size(); ++i)
    {
        const auto& channel = m_channels[i];
        const auto [worms, waiting] = std::exchange(m_before[i], {channel.worms, channel.waiting});
        waits[{channel.from.node, channel.from.port}] =
            (channel.waiting - waiting) /
            static_cast<int64_t>(std::max<uint64_t>(channel.worms - worms, 1));
    }
    return [waits](FabricGraph::End end) {
        const auto found = waits.find({end.node, end.port});
        WormholeError::ThrowIf(found == waits.end(),
                               "no wait is recorded of port " + std::to_string(end.port) +
                                   " of node " + std::to_string(end.node) +
                                   "; expected channels of the same fabric");
        return found->second;
    };
}

uint64_t
ChannelRecord::CountWorms() const
{
    return SumOf(m_channels, [](const Channel& channel) { return channel.worms; });
}

void
ChannelRecord::WriteCsv(std::ostream& os) const
{
    std::ostringstream text; // whatever format the stream has
    text.precision(6);
    text << "node,port,to,to_port,worms,flits,utilisation,waiting_us"
         << (m_hasOutages ? ",lost,down_us\n" : "\n");
    for (const auto& channel : m_channels)
    {
        text << CsvFile::Quote(m_graph.GetName(channel.from.node)) << ',' << channel.from.port
             << ',' << CsvFile::Quote(m_graph.GetName(channel.to.node)) << ',' << channel.to.port
             << ',' << channel.worms << ',' << channel.flits << ',' << GetUtilisation(channel)
             << ',' << CsvFile::PrintUs(channel.waiting);
        if (m_hasOutages)
        {
            text << ',' << channel.lost << ',' << CsvFile::PrintUs(GetDownTime(channel));
        }
        text << '\n';
    }
    os << text.str();
}

} // namespace ns3
