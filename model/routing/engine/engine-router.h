/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENGINE_ROUTER_H
#define ENGINE_ROUTER_H

#include "lane-routes.h"

#include "ns3/destination-loads.h"
#include "ns3/ranked-router.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Answers a fabric's interfaces with the routes that a routing engine computed.
 */
class EngineRouter : public RankedRouter, public DestinationLoads
{
  public:
    /**
     * @param graph the fabric
     * @param engine name of the engine, for messages
     * @param routes routes of the fabric
     */
    EngineRouter(const FabricGraph& graph,
                 const std::string& engine,
                 std::shared_ptr<const LaneRoutes> routes);

    uint32_t GetNLanes() const override;
    InTransit GetInTransit() const override;
    Ptr<const WormRoute> GetSwitchPath(uint32_t from, uint32_t to) override;

    bool AreBySwitch() const override;
    bool AddLoads(uint32_t to, const std::vector<double>& senders, Loads& loads) const override;

  private:
    void AppendExits(uint32_t from, uint32_t to, Exits& exits) const override;

    Ptr<const WormRoute> MakeChoiceOrTransitRoute(uint32_t from, uint32_t to) override;

    /// @return a route by hosts that pass it on @param from,to hosts
    Ptr<const WormRoute> MakeTransitRoute(uint32_t from, uint32_t to) const;

    std::shared_ptr<const LaneRoutes> m_routes; ///< the routes

    /// A route that was made.
    struct Made
    {
        uint64_t pair{0};               ///< number of the pair of switches
        std::optional<WormRoute> route; ///< its route; none: not made yet
    };

    /// Routes with choices, by the switches of sender and receiver: one for each pair, so that
    /// those of all worms stay in caches. Only their last ports differ. Where there are very many
    /// pairs, several share a place, and the last one has it.
    std::vector<Made> m_made;
};

} // namespace ns3

#endif /* ENGINE_ROUTER_H */
