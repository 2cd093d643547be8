// SPDX-License-Identifier: GPL-2.0-only

#ifndef SWITCH_CHANNELS_H
#define SWITCH_CHANNELS_H

#include "switch-search.h"

#include <algorithm>
#include <boost/range/irange.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief The channels between switches, numbered from 0: the basis of routing engines.
///
/// A channel is one direction of a cable. Channels are numbered by sending switch, then receiving
/// switch, then port, so the channels on which a switch sends (its links) have consecutive numbers.
class SwitchChannels : public SwitchAdjacency
{
  public:
    using Channel = uint32_t;                   ///< number of a channel
    static constexpr Channel NONE = UINT32_MAX; ///< no channel

    /// @param graph a fabric
    explicit SwitchChannels(const FabricGraph& graph)
        : SwitchAdjacency(graph),
          m_nPorts(graph.GetNSwitches() ? graph.GetNPorts(0) : 0),
          m_at(std::size_t{graph.GetNSwitches()} * m_nPorts, NONE)
    {
        m_from.reserve(GetNChannels());
        for (Node node = 0; node < graph.GetNSwitches(); ++node)
        {
            for (const auto channel : Out(node))
            {
                m_from.push_back(node);
                m_at[std::size_t{node} * m_nPorts + PortOf(channel)] = channel;
            }
        }
        m_reverse.reserve(GetNChannels());
        for (Channel channel = 0; channel < GetNChannels(); ++channel)
        {
            const auto far = graph.Peer(From(channel), PortOf(channel));
            m_reverse.push_back(At(far.node, far.port));
        }
    }

    /// @return number of channels
    uint32_t GetNChannels() const
    {
        return static_cast<uint32_t>(m_to.size());
    }

    /// @return a switch's first channel @param node the switch; GetNSwitches() for the number of
    /// all
    Channel First(Node node) const
    {
        return m_first[node];
    }

    /// @return the channels on which a switch sends @param node the switch
    boost::integer_range<Channel> Out(Node node) const
    {
        return boost::irange(First(node), First(node + 1));
    }

    /// @return switch that sends on a channel @param channel the channel
    Node From(Channel channel) const
    {
        return m_from[channel];
    }

    /// @return switch to which a channel leads @param channel the channel
    Node To(Channel channel) const
    {
        return m_to[channel];
    }

    /// @return port by which the sending switch sends on a channel @param channel the channel
    Port PortOf(Channel channel) const
    {
        return m_ports[channel];
    }

    /// @return the other direction of the same cable @param channel the channel
    Channel Reverse(Channel channel) const
    {
        return m_reverse[channel];
    }

    /// @return channel by which a port sends; NONE: it leads to no switch @param node,port the port
    Channel At(Node node, Port port) const
    {
        return m_at[std::size_t{node} * m_nPorts + port];
    }

    /// Calls visit(first, second) for each turn, in order: channel `second` begins at the switch to
    /// which channel `first` leads, and does not lead back to the switch where `first` begins.
    template <typename VISIT>
    void ForEachTurn(VISIT visit) const
    {
        for (Channel channel = 0; channel < GetNChannels(); ++channel)
        {
            const auto node = To(channel);
            for (const auto next : Out(node))
            {
                if (To(next) != From(channel))
                {
                    visit(channel, next);
                }
            }
        }
    }

  private:
    uint32_t m_nPorts;
    std::vector<Channel> m_at;      ///< by switch, then port
    std::vector<Node> m_from;       ///< by channel
    std::vector<Channel> m_reverse; ///< by channel
};

/// @ingroup wormhole @brief Which hosts are attached to which switch.
class HostAttachment
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch

    /// @param graph a fabric whose hosts are cabled
    explicit HostAttachment(const FabricGraph& graph)
        : m_counts(graph.GetNSwitches(), 0)
    {
        for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
        {
            m_switches.push_back(graph.SwitchOf(graph.HostAt(host)).node);
            m_places.push_back(m_counts[m_switches.back()]++);
        }
    }

    /// @return a host's switch @param host its index
    Node SwitchOf(uint32_t host) const
    {
        return m_switches[host];
    }

    /// @return number of hosts of lower index at a host's switch @param host the host's index
    uint32_t GetIndexAtSwitch(uint32_t host) const
    {
        return m_places[host];
    }

    /// @return number of hosts at a switch @param node the switch
    uint32_t CountAt(Node node) const
    {
        return m_counts[node];
    }

    /// Counts the hosts of a switch that one of nCopies copies of the routes serves: copy i serves
    /// the hosts whose GetIndexAtSwitch, modulo nCopies, is i.
    uint32_t CountAt(Node node, uint32_t copy, uint32_t nCopies) const
    {
        return m_counts[node] / nCopies + (copy < m_counts[node] % nCopies);
    }

    /// @return the switches with hosts, in order of their numbers
    std::vector<Node> FindSwitches() const
    {
        std::vector<Node> found;
        for (Node node = 0; node < m_counts.size(); ++node)
        {
            if (m_counts[node] > 0)
            {
                found.push_back(node);
            }
        }
        return found;
    }

    /// @return number of hosts
    uint32_t GetNHosts() const
    {
        return static_cast<uint32_t>(m_switches.size());
    }

    /// @return the maximum number of hosts at a switch
    uint32_t GetMaxAt() const
    {
        return m_counts.empty() ? 0 : *std::max_element(m_counts.begin(), m_counts.end());
    }

  private:
    std::vector<Node> m_switches;   ///< by host
    std::vector<uint32_t> m_places; ///< by host
    std::vector<uint32_t> m_counts; ///< by switch
};

} // namespace ns3

#endif /* SWITCH_CHANNELS_H */
