/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DESTINATION_ROUTES_H
#define DESTINATION_ROUTES_H

#include "up-down-order.h"

#include "ns3/wormhole-route-set.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief What routes have to reckon with that are made for some pairs of hosts only, since there
/// are others already.
struct RoutesBeside
{
    /// Hosts of a switch without a route to a host.
    struct Missing
    {
        uint32_t place;            ///< that host's, among those of its switch
        SwitchChannels::Node from; ///< the switch
        uint32_t count;            ///< how many of its hosts
    };

    std::vector<uint64_t> worms; ///< of the others, by channel: one for each pair of hosts
    std::vector<std::vector<Missing>> missing; ///< by switch of the receiver
};

/**
 * @ingroup wormhole
 * @brief Up/down routes by destination, below one switch or below several at once, spread by load:
 *        shortest legal routes, a byte for each switch and host (two where a switch has more than
 *        255 cables to switches, and twice that where ways down differ).
 *
 * Hosts are looked at one after the other, and for each the switches that send to it. Where the
 * worms of a switch come to one without a channel to that host yet, they go on by that of the
 * equally good ones which costs least: the loads so far on it and on the way beyond, or the best of
 * these where it is not chosen yet, over the rates of channels. That is the marginal cost of the
 * sum of squares of loads, which is least where they are equal. Among equals the search begins at
 * another channel for each switch and host. On small fabrics all are looked at several times, and
 * the best round is kept.
 */
class DestinationRoutes : public RouteSet
{
  public:
    /// @param graph the fabric
    /// @param ranks place of each switch in the order: a channel is up if the switch that it leads
    /// to comes first; there is a way up and then down between all switches with hosts
    /// @param beside what is there already; routes of the other pairs of hosts are not to be asked
    /// for; null: routes are for all pairs
    DestinationRoutes(const FabricGraph& graph,
                      const std::vector<uint32_t>& ranks,
                      const RoutesBeside* beside = nullptr);

    void Append(uint32_t from, uint32_t to, Way& way) const override;

    bool AreBySwitch() const override
    {
        return true;
    }

    bool AddLoads(uint32_t to, const std::vector<double>& senders, Loads& loads) const override;

  private:
    /// Where a worm goes on, by switch: worms that may go up still, or that have gone down.
    enum Phase : uint8_t
    {
        FREE,
        DOWN
    };

    /// Places of channels among those of their switches.
    class Places
    {
      public:
        /// Makes room. @param count number of places @param isWide whether they take two bytes
        void Resize(std::size_t count, bool isWide);

        /// @return a place @param index which
        uint32_t Get(std::size_t index) const
        {
            return m_wide.empty() ? m_narrow[index] : m_wide[index];
        }

        /// Sets a place. @param index which @param place the place
        void Set(std::size_t index, uint32_t place);

      private:
        std::vector<uint8_t> m_narrow; ///< places of a byte
        std::vector<uint16_t> m_wide;  ///< places of two bytes
    };

    /// Channels by which worms go on to the hosts of a switch, by copy and switch.
    struct Columns
    {
        Places places[2];      ///< by phase
        uint32_t nCopies[2]{}; ///< by phase: hosts with columns of their own
    };

    /// Equally good channels to a switch.
    struct Candidates
    {
        std::vector<uint32_t> first[2];   ///< by phase and switch, where its channels begin
        std::vector<Channel> channels[2]; ///< by phase, from the least on
        std::vector<uint64_t> beyond[2];  ///< by phase and switch: cost of the best way
        std::vector<Node> order[2];       ///< by phase: switches, the nearest first
        bool isDownUnique{true};          ///< whether worms that have gone down have no choice
    };

    /// Finds the equally good channels to a switch. @param to the switch
    void FindCandidates(Node to);

    /// Finds what the best ways to a switch cost.
    void FindCosts();

    /// Counts the worms to the hosts of a column.
    void CountWorms(Node to, uint32_t copy, uint32_t nCopies);

    /// Chooses the channels to the hosts of a column, and puts the load on them.
    void Choose(Node to, uint32_t copy);

    /// Chooses the channel of worms to a host at a switch.
    void ChooseAt(Node to, uint32_t copy, Node node, Phase phase);

    /// @return cost of the way to a host, or of the best one where none is chosen yet
    uint64_t CostFrom(Node to, uint32_t copy, Node node, Phase phase) const;

    /// Follows the ways from all switches that send to the hosts of a column.
    template <typename AT, typename PUT>
    void Follow(Node to, uint32_t copy, AT at, PUT put);

    /// Takes the load of a column off. @param to its switch @param copy which
    void Remove(Node to, uint32_t copy);

    /// Chooses all channels, once. @return load of the busiest channel, over its rate
    uint64_t Round();

    /// @return how a worm goes on
    Channel Next(const Columns& columns, uint32_t copy, Node node, Phase phase) const;

    Phase After(Channel channel) const
    {
        return m_distances.IsUp(channel) ? FREE : DOWN;
    }

    UpDownDistances m_distances;       ///< distances, and the order
    std::vector<Columns> m_columns;    ///< by destination switch; empty if it has no hosts
    std::vector<uint32_t> m_weights;   ///< time of a bit, by channel
    std::vector<uint64_t> m_loads;     ///< worms times weights, by channel
    const RoutesBeside* m_beside;      ///< what is there already, while routes are made; or null
    std::vector<uint64_t> m_worms;     ///< by switch: to the hosts of the present column
    Candidates m_candidates;           ///< those to one switch after the other
    std::vector<uint64_t> m_chosen[2]; ///< by phase and switch: the last choice there
    uint64_t m_choice{0};              ///< number of the choice, one for each host and round
    uint32_t m_maxLookedAt{0};         ///< equally good channels that are looked at
    uint32_t m_maxCopies{0};           ///< columns to a switch at most
    bool m_isWide{false};              ///< whether places take two bytes
    bool m_isFine{false};              ///< whether costs are found for each host
};

} // namespace ns3

#endif /* DESTINATION_ROUTES_H */
