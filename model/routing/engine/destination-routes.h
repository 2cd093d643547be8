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

/// The existing routes of a fabric, when new ones are computed for some pairs of hosts only.
struct RoutesBeside
{
    /// Hosts of a switch without a route to some host.
    struct Missing
    {
        uint32_t place; ///< that host's place among those of its switch
        SwitchChannels::Node from;
        uint32_t count;
    };

    std::vector<uint64_t> worms; ///< of existing routes, by channel: one per pair of hosts
    std::vector<std::vector<Missing>> missing; ///< by switch of the receiver
};

/// Up*/down* routes by destination, below one root switch or several, balanced by load: shortest
/// legal routes, with a byte per switch and host (two where a switch has more than 255 cables to
/// switches; twice that where downward routes differ).
///
/// Hosts are processed one after the other, and for each the switches that send to it. Where the
/// worms of a switch reach one that has no output to that host yet, the output of least cost is
/// selected among the equally good ones. Its cost is the load on it and on the path beyond (or on
/// the best of the possible paths, if not yet selected), divided by the channels' rates. That is
/// the marginal cost of the sum of squares of loads, which is least when loads are equal. Ties are
/// broken from a different channel for each switch and host. Small fabrics are processed several
/// times, and the best round is kept.
class DestinationRoutes : public RouteSet
{
  public:
    /// @param ranks place of each switch in the order: a channel is up if the switch that it leads
    /// to comes first. There must be a path up and then down between all switches with hosts
    /// @param beside existing routes; routes of other pairs of hosts are not requested; null:
    /// routes are for all pairs
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
    /// A worm's phase at a switch: it may still go up, or has gone down.
    enum Phase : uint8_t
    {
        FREE,
        DOWN
    };

    /// Positions of channels among those of their switches.
    class Places
    {
      public:
        /// @param isWide whether they take two bytes
        void Resize(std::size_t count, bool isWide);

        uint32_t Get(std::size_t index) const
        {
            return m_wide.empty() ? m_narrow[index] : m_wide[index];
        }

        void Set(std::size_t index, uint32_t place);

      private:
        std::vector<uint8_t> m_narrow; ///< places of a byte
        std::vector<uint16_t> m_wide;  ///< places of two bytes
    };

    /// Channels to the hosts of a switch, by copy and switch.
    struct Columns
    {
        Places places[2];      ///< by phase
        uint32_t nCopies[2]{}; ///< by phase: number of hosts with columns of their own
    };

    /// Equally good channels to a switch.
    struct Candidates
    {
        std::vector<uint32_t> first[2];   ///< by phase and switch, where its channels begin
        std::vector<Channel> channels[2]; ///< by phase
        std::vector<uint64_t> beyond[2];  ///< by phase and switch: cost of the best path
        std::vector<Node> order[2];       ///< by phase: switches, the nearest first
        bool isDownUnique{true};          ///< whether worms that have gone down have no alternative
    };

    /// Finds the equally good channels to a switch.
    void FindCandidates(Node to);

    /// Finds the costs of the best paths to a switch.
    void FindCosts();

    /// Counts the worms to the hosts of a column.
    void CountWorms(Node to, uint32_t copy, uint32_t nCopies);

    /// Selects the channels to the hosts of a column, and adds their load.
    void Choose(Node to, uint32_t copy);

    /// Selects the channel to a host at a switch.
    void ChooseAt(Node to, uint32_t copy, Node node, Phase phase);

    /// @return cost of the path to a host, or of the best one where none is selected yet
    uint64_t CostFrom(Node to, uint32_t copy, Node node, Phase phase) const;

    /// Follows the paths from all switches that send to the hosts of a column.
    template <typename AT, typename PUT>
    void Follow(Node to, uint32_t copy, AT at, PUT put);

    /// Subtracts the load of a column.
    void Remove(Node to, uint32_t copy);

    /// Selects all channels once. @return load of the busiest channel, over its rate
    uint64_t Round();

    Channel Next(const Columns& columns, uint32_t copy, Node node, Phase phase) const;

    Phase After(Channel channel) const
    {
        return m_distances.IsUp(channel) ? FREE : DOWN;
    }

    UpDownDistances m_distances;       ///< distances, and the order
    std::vector<Columns> m_columns;    ///< by destination switch; empty if it has no hosts
    std::vector<uint32_t> m_weights;   ///< time per bit, by channel
    std::vector<uint64_t> m_loads;     ///< worms times weights, by channel
    const RoutesBeside* m_beside;      ///< existing routes, during the computation; or null
    std::vector<uint64_t> m_worms;     ///< by switch: worms to the hosts of the current column
    Candidates m_candidates;           ///< reused for one switch after the other
    std::vector<uint64_t> m_chosen[2]; ///< by phase and switch: the last selection there
    uint64_t m_choice{0};              ///< number of the selection, one per host and round
    uint32_t m_maxLookedAt{0};         ///< maximum number of equally good channels considered
    uint32_t m_maxCopies{0};           ///< maximum number of columns per switch
    bool m_isWide{false};              ///< whether places take two bytes
    bool m_isFine{false};              ///< whether costs are computed for each host
};

} // namespace ns3

#endif /* DESTINATION_ROUTES_H */
