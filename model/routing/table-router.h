/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TABLE_ROUTER_H
#define TABLE_ROUTER_H

#include "destination-loads.h"
#include "ranked-router.h"
#include "route-table.h"

#include "ns3/wormhole-router.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{

class ChannelDependency;

/**
 * @ingroup wormhole
 * @brief Answers a fabric's interfaces with the routes of a table, such as a cluster's own.
 *
 * The table is checked when the router is made: a route of every pair of hosts reaches its host,
 * and channels do not wait for each other in a circle. Then all channels between switches can be
 * ranked, so that ranks increase along every route.
 *
 * Time and memory of the check are linear in entries of the table.
 */
class TableRouter : public RankedRouter, public DestinationLoads
{
  public:
    /**
     * @param graph the fabric, whose own routes have the table
     * @throws WormholeError if there is no table for this fabric, a route does not reach its host,
     *         or worms can wait for each other in a circle, naming it
     */
    explicit TableRouter(const FabricGraph& graph);

    bool AreBySwitch() const override;
    bool AddLoads(uint32_t to, const std::vector<double>& senders, Loads& loads) const override;

  private:
    /// What the table's routes use, by number of a channel.
    struct Use
    {
        std::vector<bool> used;                   ///< whether one of them has the channel
        std::vector<std::vector<uint32_t>> turns; ///< channels that follow it on one of them
    };

    /// @return where a worm goes from a switch @param node the switch @param to index of its host
    FabricGraph::End Next(Node node, uint32_t to) const;

    /// Follows the routes to a host from all others. @param to index of the host
    /// @param done scratch: last host that a route through each switch was for
    /// @param use gets the channels of these routes
    void FollowAllTo(uint32_t to, std::vector<uint32_t>& done, Use& use) const;

    /// Refuses a table that does not lead on. @param node the switch where it does not
    /// @param to index of the receiving host @param trouble what is wrong there
    [[noreturn]] void Refuse(Node node, uint32_t to, const std::string& trouble) const;

    /// Ranks the channels: first those of the table's routes, then the others, those that are
    /// nearer to a switch with hosts before those that are farther. @param use the channels of
    /// these routes
    void Rank(const Use& use);

    /// @return how many cables away from the next switch with hosts each switch is
    std::vector<uint32_t> FindDepths() const;

    /// Refuses channels that follow each other in a circle. @param use channels of routes
    void CheckDeadlockFree(const Use& use) const;

    void AppendExits(uint32_t from, uint32_t to, Exits& exits) const override;

    std::shared_ptr<const RouteTable> m_table; ///< its routes
};

} // namespace ns3

#endif /* TABLE_ROUTER_H */
