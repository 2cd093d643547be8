/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "destination-ways.h"

#include "stored-routes.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <functional>
#include <utility>

namespace ns3
{

namespace
{

/// Distance in cables, then load.
using Distance = std::pair<uint32_t, uint64_t>;

/// A channel of the graph of switches, which Boost searches against its direction.
struct SearchedChannel
{
    uint32_t channel; ///< its number
    Distance cost;    ///< one cable, and its load
};

/// The switches and the channels between them, turned round.
using SearchGraph = boost::
    adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, SearchedChannel>;

/// Notes by which channel each switch was reached.
class ChannelRecorder : public boost::dijkstra_visitor<>
{
  public:
    /// @param next gets the channels, by switch
    explicit ChannelRecorder(std::vector<uint32_t>& next)
        : m_next(next)
    {
    }

    /// Notes one. @param edge the channel @param graph the graph
    void edge_relaxed(const SearchGraph::edge_descriptor& edge, const SearchGraph& graph)
    {
        m_next[boost::target(edge, graph)] = graph[edge].channel;
    }

  private:
    std::vector<uint32_t>& m_next; ///< channels, by switch
};

} // namespace

DestinationWays::DestinationWays(const SwitchChannels& channels,
                                 const HostPlaces& hosts,
                                 bool isBalanced)
    : m_channels(channels),
      m_hosts(hosts),
      m_isBalanced(isBalanced),
      m_nCopies(StoredRoutes::Store::CountCopies(channels.GetNSwitches(), hosts)),
      m_loads(channels.GetNChannels(), 0)
{
}

uint32_t
DestinationWays::GetNCopies() const
{
    return m_nCopies;
}

std::vector<DestinationWays::Channel>
DestinationWays::Make(Node to, uint32_t copy)
{
    const auto nSwitches = m_channels.GetNSwitches();
    SearchGraph graph(nSwitches);
    for (Channel channel = 0; channel < m_channels.GetNChannels(); ++channel)
    {
        boost::add_edge(m_channels.To(channel),
                        m_channels.From(channel),
                        {channel, {1, m_isBalanced ? m_loads[channel] : 0}},
                        graph);
    }
    std::vector<Channel> next(nSwitches, SwitchChannels::NONE);
    std::vector<Distance> distances(nSwitches);
    const auto add = [](const Distance& a, const Distance& b) {
        return Distance(a.first + b.first, a.second + b.second);
    };
    boost::dijkstra_shortest_paths(
        graph,
        to,
        boost::weight_map(boost::get(&SearchedChannel::cost, graph))
            .distance_map(boost::make_iterator_property_map(distances.begin(),
                                                            boost::get(boost::vertex_index, graph)))
            .distance_compare(std::less<Distance>())
            .distance_combine(add)
            .distance_inf(Distance(UINT32_MAX, 0))
            .distance_zero(Distance(0, 0))
            .visitor(ChannelRecorder(next)));
    for (Node from = 0; from < nSwitches; ++from)
    {
        const auto load = uint64_t{m_hosts.CountAt(from)} * m_hosts.CountAt(to, copy, m_nCopies);
        for (auto node = from; node != to && load > 0; node = m_channels.To(next[node]))
        {
            m_loads[next[node]] += load;
        }
    }
    return next;
}

} // namespace ns3
